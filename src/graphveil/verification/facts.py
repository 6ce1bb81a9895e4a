"""What can be counted in a published graph: the level of each guarantee, and how far each attacker gets.

Guarantees are counted by `graphveil.recounting` alone, which shares nothing with the methods or with the audit. The
groups of the other attackers are those of `graphveil.risk.attackers`, over the counts of the recount.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from graphveil.goals import GOALS, Goal, goal_named, sizes_of
from graphveil.graph import Graph
from graphveil.recounting import Recount
from graphveil.risk.attackers import ATTACKERS, Model
from graphveil.risk.grouping import Seen
from graphveil.stopping import check
from graphveil.verification.documents import AttackerFigures, Exposure, Naming, Statement

__all__ = ["Facts", "facts_of", "ks_of", "with_implied"]

Integers = NDArray[np.signedinteger[Any]]
SEVERAL = 2  # friendships that one of the attackers combines


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

    Examples
    --------
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


def facts_of(counted: Recount, goals: Iterable[Goal], ks: Iterable[int]) -> Facts:
    """Count all that a certificate says about a graph alone.

    Parameters
    ----------
    counted
        The published graph
    goals
        The guarantees that are given
    ks
        What is exposed is counted for each of these

    Examples
    --------
    >>> from graphveil.goals import NMF
    >>> square = Recount(np.array([[0, 1], [0, 3], [1, 2], [2, 3]], np.int32), 4)
    >>> facts = facts_of(square, [NMF(2)], [2])
    >>> [(each.guarantee, each.promised, each.achieved) for each in facts.guarantees]
    [('k-NMF', 2, 4), ('k-degree', None, 4), ('spread', None, 0.5)]
    """
    given = with_implied(goals)
    seen = Seen(Graph(counted.edges, counted.n), counted.mutual_friends.astype(np.int32))
    return Facts(
        vertices=counted.n,
        edges=len(counted.edges),
        guarantees=tuple(_statement(kind, counted, given) for kind in GOALS.values()),
        attackers=tuple(_figures(model, seen, tuple(ks)) for model in ATTACKERS),
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


# ---------------------------------------------------------------------- attackers


def _figures(model: Model, seen: Seen, ks: tuple[int, ...]) -> AttackerFigures:
    """How far one attacker gets: over the size of the (smallest) group of each target."""
    check()
    graph = seen.graph
    if model.groups is not None:
        groups = model.groups(seen)
        sizes = np.bincount(groups)
        smallest, number = sizes[groups], int(np.count_nonzero(sizes))
        targets = graph.edges if model.target == "edge" else np.arange(graph.n)[:, None]
        mean = number / len(targets) if len(targets) else 0.0
        named = _naming(groups, sizes, graph.edges) if model.target == "edge" else None
    else:
        assert model.memberships is not None
        found = model.memberships(seen, SEVERAL)
        smallest, number, targets, named = found.smallest, found.groups, found.people[:, None], None
        mean = _mean(smallest)
    least = int(smallest.min()) if len(smallest) else None
    return AttackerFigures(
        name=model.name,
        target=model.target,
        targets=len(targets),
        groups=number,
        smallest_group=least,
        highest_probability=1 / least if least else 0.0,
        mean_probability=mean,
        exposures=tuple(_exposure(k, smallest, targets, graph.n) for k in ks),
        naming=named,
    )


def _exposure(k: int, smallest: Integers, targets: Integers, n: int) -> Exposure:
    small = smallest < k
    people = len(np.unique(targets[small]))
    exposed = int(np.count_nonzero(small))
    return Exposure(
        k, exposed, exposed / len(targets) if len(targets) else 0.0, people, people / n if n else 0.0
    )


def _mean(sizes: Integers) -> float:
    """Mean probability of finding targets in groups of these sizes, in an order that rounding does not notice."""
    occurring, numbers = np.unique(sizes, return_counts=True)
    return math.fsum((numbers / occurring).tolist()) / len(sizes) if len(sizes) else 0.0


def _naming(groups: Integers, sizes: Integers, edges: Integers) -> Naming:
    """Whom groups of edges name: how many edges of its group each end is on."""
    if not len(edges):
        return Naming(0.0, 0, None)
    keys, times = np.unique(
        np.concatenate([(groups.astype(np.int64) << 32) | edges[:, side] for side in (0, 1)]),
        return_counts=True,
    )
    group, person = keys >> 32, keys & 0xFFFFFFFF
    people = np.bincount(group, minlength=len(sizes))
    return Naming(
        largest_share=float((times / sizes[group]).max()),
        people_named=len(np.unique(person[2 * times > sizes[group]])),
        people_in_smallest_group=int(people[sizes == sizes[sizes > 0].min()].min()),
    )
