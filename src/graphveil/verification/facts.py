"""What can be counted in a published graph: the level of each guarantee, and how far each attacker gets.

Nothing here is shared with the methods or with the audit: all of it is counted by `graphveil.recounting` and
`graphveil.verification.attackers`, in plain NumPy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from graphveil.goals import GOALS, Goal, goal_named, sizes_of
from graphveil.recounting import Recount
from graphveil.verification.attackers import attackers_of, figures_of
from graphveil.verification.documents import AttackerFigures, Statement


class _HasK(Protocol):
    """Something that was reduced, in a certificate or in a result."""

    @property
    def k(self) -> int: ...


@dataclass(frozen=True)
class Facts:
    """All that a certificate says about the graph alone."""

    vertices: int
    edges: int
    guarantees: tuple[Statement, ...]
    attackers: tuple[AttackerFigures, ...]


def with_implied(goals: Iterable[Goal]) -> dict[str, tuple[Goal, str | None]]:
    """Each guarantee that is given, and by which other one where it was not asked for itself.

    >>> from graphveil.goals import NMF
    >>> with_implied([NMF(5)])
    {'k-NMF': (NMF(level=5), None)}
    """
    given: dict[str, tuple[Goal, str | None]] = {each.name: (each, None) for each in goals}
    for each, _ in list(given.values()):
        for name in each.implies:
            stronger = goal_named(name, each.level)
            if name not in given or not stronger.kept(given[name][0].level):
                given[name] = (stronger, each.name)
    return {name: given[name] for name in GOALS if name in given}


def ks_of(goals: Iterable[Goal], reductions: Iterable[_HasK] = ()) -> list[int]:
    """Each k that attackers' figures are counted for."""
    return sorted({*sizes_of(goals), *(each.k for each in reductions)})


def facts_of(counted: Recount, goals: Iterable[Goal], ks: Iterable[int], former: Iterable[str] = ()) -> Facts:
    """Count all that a certificate says about a graph alone; what is exposed is counted for each of ``ks``.

    ``former`` are attackers of former times that are counted too.

    >>> from graphveil.goals import NMF
    >>> square = Recount(np.array([[0, 1], [0, 3], [1, 2], [2, 3]], np.int32), 4)
    >>> facts = facts_of(square, [NMF(2)], [2])
    >>> [(each.guarantee, each.promised, each.achieved) for each in facts.guarantees]
    [('k-NMF', 2, 4), ('k-degree', None, 4), ('spread', None, 0.5), ('friendship', None, 4)]
    """
    given = with_implied(goals)
    exposed_at = tuple(ks)
    attackers = (*attackers_of(counted), *former)
    return Facts(
        vertices=counted.n,
        edges=len(counted.edges),
        guarantees=tuple(_statement(kind, counted, given) for kind in GOALS.values()),
        attackers=tuple(figures_of(counted, name, exposed_at) for name in attackers),
    )


def _statement(kind: type[Goal], counted: Recount, given: Mapping[str, tuple[Goal, str | None]]) -> Statement:
    goal, implied_by = given.get(kind.name, (None, None))
    found = (goal or kind.loosest()).check(counted)
    return Statement(
        guarantee=kind.name,
        promised=None if goal is None else goal.level,
        implied_by=implied_by,
        achieved=found.achieved,
        group_sizes=_group_sizes(kind, counted),
    )


def _group_sizes(kind: type[Goal], counted: Recount) -> dict[str, int] | None:
    """How many friendships or people have each value, where values are numbers."""
    values = {"mutual-friends": "mutual_friends", "degree": "degrees"}.get(kind.attacker)
    if values is None or kind.bounds != "size":
        return None
    sizes = np.bincount(getattr(counted, values))
    return {str(value): int(sizes[value]) for value in np.flatnonzero(sizes).tolist()}
