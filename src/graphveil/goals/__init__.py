"""The table of guarantees. Each is a value: ``NMF(25)``, ``Degree(10)``, ``Spread(0.5)``.

One tuple of such values, ``goals``, goes through methods, result, certificate, verification and reports. A new
guarantee is a class here and a row in ``GOALS``. Friendly parameters (``k=``, ``--degree-k``) become goals at the
outermost edge, by `goals_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from graphveil.errors import ParameterError, UnreachableError
from graphveil.goals.friendship import Friendship
from graphveil.goals.goal import Goal
from graphveil.goals.numbers import NMF, Degree, Spread

__all__ = [
    "GOALS", "NMF", "Degree", "Friendship", "Goal", "Goals", "Spread", "check_reachable", "goal_against",
    "goal_named", "goals_of", "in_order", "largest_k", "level_of", "sizes_of",
]  # fmt: skip

Goals = tuple[Goal, ...]

# By name, in the order in which they are listed everywhere.
GOALS: dict[str, type[Goal]] = {each.name: each for each in (NMF, Degree, Spread, Friendship)}


def goals_of(parameters: Mapping[str, Any]) -> Goals:
    """The goals that friendly parameters ask for; None asks for nothing.

    >>> goals_of({"degree_k": 10, "k": 25, "spread": None})
    (NMF(level=25), Degree(level=10))
    >>> goals_of({"twist": 3})
    Traceback (most recent call last):
    graphveil.errors.ParameterError: there is no guarantee 'twist'; choose k, degree_k, spread, friendship_k.
    """
    known = {each.parameter: each for each in GOALS.values()}
    for name in parameters:
        if name not in known:
            raise ParameterError(f"there is no guarantee {name!r}; choose {', '.join(known)}.")
    return in_order(known[name](level) for name, level in parameters.items() if level is not None)


def in_order(goals: Iterable[Goal]) -> Goals:
    """Goals in the order of the table, each guarantee once.

    >>> in_order([Spread(0.5), NMF(5)])
    (NMF(level=5), Spread(level=0.5))
    """
    given = tuple(goals)
    names = [each.name for each in given]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ParameterError(f"{twice} is asked for twice; name one level.")
    order = list(GOALS)
    return tuple(sorted(given, key=lambda each: order.index(each.name)))


def goal_named(name: str, level: float) -> Goal:
    """The guarantee of that name, as documents have it, at a level."""
    if name not in GOALS:
        raise ParameterError(f"there is no guarantee {name!r}; choose {', '.join(GOALS)}.")
    return GOALS[name](level)


def level_of(goals: Iterable[Goal], kind: type[Goal]) -> Any:
    """The level of one guarantee among goals, None if it is not among them.

    >>> level_of((NMF(25), Spread(0.5)), NMF), level_of((NMF(25),), Degree)
    (25, None)
    """
    return next((each.level for each in goals if type(each) is kind), None)


def goal_against(attacker: str) -> type[Goal] | None:
    """The guarantee that bounds the group sizes of an attacker, where there is one.

    >>> goal_against("degree").name, goal_against("edge-degrees")
    ('k-degree', None)
    """
    against = (each for each in GOALS.values() if each.attacker == attacker and each.bounds == "size")
    return next(against, None)


def sizes_of(goals: Iterable[Goal]) -> list[int]:
    """Each k that is guaranteed: what attackers find is counted for these.

    >>> sizes_of((NMF(25), Degree(10), Spread(0.5)))
    [10, 25]
    """
    return sorted({int(each.level) for each in goals if each.bounds == "size"}) or [1]


def largest_k(goals: Iterable[Goal]) -> int:
    """The largest group size that is guaranteed; 1 if only shares are."""
    return sizes_of(goals)[-1]


def check_reachable(vertices: int, edges: int, goals: Iterable[Goal]) -> None:
    """Refuse what no graph of this size can have.

    >>> check_reachable(vertices=4, edges=3, goals=(NMF(7),))
    Traceback (most recent call last):
    graphveil.errors.UnreachableError: k=7 is out of reach: 4 vertices have at most 6 edges. Choose k up to 6.
    """
    for each in goals:
        if edges and (obstacle := each.out_of_reach(vertices)):
            raise UnreachableError(obstacle)
