"""Does a graph keep its guarantee? Verified by an independent recount.

Each guarantee of `graphveil.goals` has a check of its own over `graphveil.recounting`, which shares nothing with the
methods or with the audit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.errors import ParameterError
from graphveil.goals import GOALS, NMF, Degree, Goal, Spread
from graphveil.graph import Graph
from graphveil.origin import Cleaning
from graphveil.records import plain
from graphveil.recounting import Check, Recount
from graphveil.words import size

SCHEMA = "graphveil/verification/2"


@dataclass(frozen=True, repr=False)
class Verification:
    """What `graphveil.verify` found of a graph; true in a boolean context if all that was asked holds.

    ``verification["k-NMF"]`` is the `Check` of that guarantee.
    """

    vertices: int
    edges: int
    checks: tuple[Check, ...]  # one for each guarantee that was asked for
    cleaning: Cleaning  # what was merged or dropped to get the graph that this is about

    def __getitem__(self, guarantee: str) -> Check:
        """The check of that guarantee."""
        return next(check for check in self.checks if check.guarantee == guarantee)

    def get(self, guarantee: str) -> Check | None:
        """The check of that guarantee, if it was asked for."""
        return next((check for check in self.checks if check.guarantee == guarantee), None)

    @property
    def mutual_friends(self) -> Check:
        """The check of k-NMF anonymity."""
        return self[NMF.name]

    @property
    def degrees(self) -> Check | None:
        """The check of k-degree anonymity."""
        return self.get(Degree.name)

    @property
    def spread(self) -> Check | None:
        """The check of the spread."""
        return self.get(Spread.name)

    @property
    def holds(self) -> bool:
        """Whether every guarantee that was asked for holds."""
        return all(check.holds for check in self.checks)

    def __bool__(self) -> bool:
        return self.holds

    def __repr__(self) -> str:
        return f"Verification({size(self.vertices, self.edges)}: {'; '.join(map(in_words, self.checks))})"

    def _repr_html_(self) -> str:
        from graphveil.pages import in_notebook

        rows = [(check.guarantee, *_level(check), "yes" if check.holds else "no") for check in self.checks]
        caption = f"Independent recount of {size(self.vertices, self.edges)}"
        return in_notebook((caption, ("guarantee", "asked for", "achieved", "holds"), rows))

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/audit-schema.md."""
        return {"schema": SCHEMA, "holds": self.holds, **plain(self)}


def in_words(check: Check) -> str:
    """A check in a few words."""
    wanted, achieved = _level(check)
    return f"{check.guarantee} {wanted} {'holds' if check.holds else 'fails'}, achieved {achieved}"


def _level(check: Check) -> tuple[str, str]:
    in_words = GOALS[check.guarantee].level_in_words
    return in_words(check.wanted), "any" if check.achieved is None else in_words(check.achieved)


def recheck(graph: Graph, goals: Iterable[Goal]) -> Verification:
    """Verify some guarantees of a graph by an independent recount."""
    goals = tuple(goals)
    if not goals:
        raise ParameterError("no guarantee is asked for; name one, such as k-NMF with k = 25.")
    counted = Recount(np.asarray(graph.edges), graph.n)
    checks = tuple(goal.check(counted) for goal in goals)
    return Verification(graph.n, len(counted.edges), checks, graph.cleaning)
