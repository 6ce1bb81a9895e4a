"""Attackers for whom a person belongs to several groups: those who pick one or several friendships of a person.

Of each person the smallest group counts: it is what an attacker gets who happens to know the most telling
friendships.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.graph import Graph
from graphveil.risk.grouping import edges_of_people, is_first
from graphveil.stopping import check

__all__ = ["Memberships", "combinations", "people_by_pair"]

Integers = NDArray[np.signedinteger[Any]]

CHUNK = 3_000_000  # combinations listed at a time, about 80 bytes each
MOST_OF_ONE = 100_000_000  # combinations of one person
MOST = 2_000_000_000  # combinations in all, some minutes


@dataclass(frozen=True)
class Memberships:
    """The groups that people belong to.

    Attributes
    ----------
    people
        Vertices that belong to any, ascending
    smallest
        Size of the smallest group of each of them
    groups
        Number of groups
    knowledge
        What the attacker has to know to reach the smallest group of a vertex
    """

    people: Integers
    smallest: Integers
    groups: int
    knowledge: Callable[[int], dict[str, Any]]


def people_by_pair(graph: Graph, pairs: Integers) -> Memberships:
    """Groups of people with an edge of the same kind; ``pairs`` numbers the kinds of edges, from 0."""
    rows = edges_of_people(graph.edges, pairs, by_kind=False)
    rows = rows[is_first(rows)]
    kinds = (rows & 0xFFFFFFFF).astype(np.int32)
    sizes = np.bincount(kinds)
    rows >>= 32
    starts = np.flatnonzero(is_first(rows))
    found = rows[starts]
    smallest = np.minimum.reduceat(sizes[kinds], starts) if len(starts) else starts

    def knowledge(vertex: int) -> dict[str, Any]:
        start, neighbours, edges = graph.adjacency
        around = slice(start[vertex], start[vertex + 1])
        rarest = int(sizes[pairs[edges[around]]].argmin())
        return {"degrees": [int(graph.degrees[vertex]), int(graph.degrees[neighbours[around][rarest]])]}

    return Memberships(found, smallest, int(np.count_nonzero(sizes)), knowledge)


def combinations(graph: Graph, counts: Integers, several: int = 2) -> Memberships:
    """Groups of people with the same counts on some of their edges, as many as ``several`` says.

    Every multiset of so many counts that some person has is a group of those who have it. They are listed in chunks of
    people: once to count how many have each, once more to find the smallest group of each person.
    """
    values, names = np.unique(counts, return_inverse=True)
    _check_reach(len(values), several)
    slots = _Slots.of(graph, names, several)
    keys, sizes = np.empty(0, np.int64), np.empty(0, np.int64)
    chunks = list(slots.chunks(several))
    for first, last in chunks:
        check()
        keys, sizes = _merge(keys, sizes, slots.list(first, last, several, len(values))[1])
    smallest = np.zeros(graph.n, np.int64)
    for first, last in chunks:
        check()
        people, found = slots.list(first, last, several, len(values))
        starts = np.flatnonzero(np.diff(people, prepend=-1))
        if len(starts):
            sizes_found = sizes[np.searchsorted(keys, found)]
            smallest[people[starts]] = np.minimum.reduceat(sizes_found, starts)
    everybody = np.flatnonzero(smallest)

    def knowledge(vertex: int) -> dict[str, Any]:
        _, found = slots.list(vertex, vertex + 1, several, len(values))
        key = int(found[sizes[np.searchsorted(keys, found)].argmin()])
        digits = [key // len(values) ** place % len(values) for place in range(several)]
        return {"several_mutual_friends": sorted(values[digits].tolist(), reverse=True)}

    return Memberships(everybody, smallest[everybody], len(keys), knowledge)


@dataclass(frozen=True)
class _Slots:
    """The counts on the edges of each vertex, ascending, each count no oftener than a combination can take it."""

    start: Integers  # of each vertex, and the end of the last
    name: Integers  # rank of the count
    again: NDArray[np.bool_]  # whether the slot before has the same count of the same vertex

    @classmethod
    def of(cls, graph: Graph, names: Integers, several: int) -> _Slots:
        rows = edges_of_people(graph.edges, names, by_kind=False)
        again, kept = ~is_first(rows), np.ones(len(rows), bool)
        np.not_equal(rows[several:], rows[:-several], out=kept[several:])
        rows, again = rows[kept], again[kept]
        start = np.searchsorted(rows, np.arange(graph.n + 1) << 32)
        rows &= 0xFFFFFFFF
        return cls(start, rows.astype(np.int32), again)

    def chunks(self, several: int) -> Iterator[tuple[int, int]]:
        """Ranges of vertices whose combinations can be listed at a time."""
        held = np.diff(self.start).astype(float)
        listed = np.ones(len(held))
        for place in range(several):
            listed *= np.maximum(held - place, 0) / (place + 1)
        total = np.cumsum(listed)
        if len(total) and (total[-1] > MOST or listed.max() > MOST_OF_ONE):
            raise ParameterError(
                f"people have too many combinations of {several} friendships here. Choose fewer (--friendships)."
            )
        first = 0
        while first < len(total):
            before = total[first - 1] if first else 0.0
            last = max(first + 1, int(np.searchsorted(total, before + CHUNK, side="right")))
            yield first, last
            first = last

    def list(self, first: int, last: int, several: int, base: int) -> tuple[Integers, Integers]:
        """Vertex and key of every combination of some vertices, in the order of the vertices."""
        low, high = int(self.start[first]), int(self.start[last])
        owner = np.repeat(np.arange(first, last), np.diff(self.start[first : last + 1]))
        at = np.arange(low, high)[~self.again[low:high]]
        key = self.name[at].astype(np.int64)
        for _ in range(several - 1):
            room = self.start[owner[at - low] + 1] - at - 1
            after = np.repeat(at - np.cumsum(room) + room, room) + np.arange(room.sum()) + 1
            origin = np.repeat(np.arange(len(at)), room)
            chosen = ~self.again[after] | (after == at[origin] + 1)
            at, key = after[chosen], key[origin[chosen]] * base + self.name[after[chosen]]
        return owner[at - low], key


def _check_reach(values: int, several: int) -> None:
    if max(values, 2) ** several > 2**62:
        raise ParameterError(
            f"combinations of {several} friendships are too many here. Choose fewer (--friendships)."
        )


def _merge(keys: Integers, sizes: Integers, more: Integers) -> tuple[Integers, Integers]:
    """Distinct keys and how many have each, with further ones counted in."""
    new, counts = np.unique(more, return_counts=True)
    if not len(keys):
        return new, counts
    together, places = np.unique(np.concatenate((keys, new)), return_inverse=True)
    return together, np.bincount(places, np.concatenate((sizes, counts))).astype(np.int64)
