"""The table of methods: one row says all that the rest of graphveil knows about a method."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import Any, Literal

from graphveil.errors import ParameterError
from graphveil.goals import NMF, Degree, Friendship, Goal, Spread
from graphveil.methods.add import add, greedy_group, intuit_group
from graphveil.methods.add_del import add_del
from graphveil.methods.degrees import DegreeChange
from graphveil.methods.kda import kda
from graphveil.methods.kda_paper import kda_paper
from graphveil.methods.liu_terzi import liu_terzi
from graphveil.methods.plan.planning import anonymize_by_plan

# The names in the tables below, for signatures.
MethodName = Literal["add-intuit", "add-greedy", "add-del", "plan", "liu-terzi"]
DegreeMethodName = Literal["plan", "kda", "kda-paper"]  # plan: by the method itself


@dataclass(frozen=True)
class Method:
    """One row."""

    words: str  # what it does, for help pages
    # Changes a `graphveil.methods.run.Run`; of a method for degrees only, makes a `DegreeChange`
    function: Callable[..., Any]
    # Which guarantees it can give by itself; the first is what its k is about
    goals: tuple[type[Goal], ...] = (NMF,)
    only_adds: bool = False  # whether it deletes no edge in any case
    options: frozenset[str] = frozenset()  # which of ``"keep_edges"`` and ``"budget"`` it takes

    @property
    def can_keep_edges(self) -> bool:
        """Whether it can do without deleting an edge."""
        return self.only_adds or "keep_edges" in self.options


METHODS = {
    "add-intuit": Method(
        "only adds friendships, one group after the other (Sun et al. 2013)",
        partial(add, goes_on=intuit_group),
        only_adds=True,
    ),
    "add-greedy": Method(
        "only adds friendships, with cheaper groups (Sun et al. 2013)",
        partial(add, goes_on=greedy_group),
        only_adds=True,
    ),
    "add-del": Method("adds and deletes friendships (Sun et al. 2013)", add_del),
    "plan": Method(
        "searches for the fewest changes",
        anonymize_by_plan,
        goals=(NMF, Degree, Spread, Friendship),
        options=frozenset({"keep_edges", "budget"}),
    ),
    "liu-terzi": Method(
        "k-degree anonymity only (Liu & Terzi 2008), for comparison",
        liu_terzi,
        goals=(Degree,),
        only_adds=True,
    ),
}

# How degrees are made anonymous after a method for mutual friends.
DEGREE_METHODS: dict[str, Callable[..., DegreeChange]] = {"kda": kda, "kda-paper": kda_paper}


def method_named(name: str) -> Method:
    """The row of a method, or an error that names them all."""
    if name not in METHODS:
        raise ParameterError(f"there is no method {name!r}; choose one of {', '.join(METHODS)}.")
    return METHODS[name]


def method_options(method: str, *, keep_edges: bool = False, budget: float | None = None) -> dict[str, Any]:
    """What else a method was asked for, or an error where it does not offer that.

    >>> method_options("plan", keep_edges=True, budget=60)
    {'keep_edges': True, 'budget': 60.0}
    >>> method_options("add-greedy", keep_edges=True)
    {}
    """
    row = method_named(method)
    if budget is not None and "budget" not in row.options:
        others = [name for name, each in METHODS.items() if "budget" in each.options]
        raise ParameterError(f"{method} takes no budget. Leave budget= out, or choose {_either(others)}.")
    if budget is not None and not (isinstance(budget, (int, float)) and isfinite(budget) and budget > 0):
        raise ParameterError(f"the budget must be a positive number of seconds, such as 60, not {budget!r}.")
    if keep_edges and not row.can_keep_edges:
        others = [
            name for name, each in METHODS.items() if each.can_keep_edges and each.goals[0] is row.goals[0]
        ]
        raise ParameterError(f"{method} deletes edges. To keep them all, choose {_either(others)}.")
    options: dict[str, Any] = {"keep_edges": True} if keep_edges and "keep_edges" in row.options else {}
    return options if budget is None else {**options, "budget": float(budget)}


def _either(names: list[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
