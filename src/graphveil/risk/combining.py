"""Attackers for whom a person belongs to several groups: those who pick one or several friendships of a person.

Of each person the smallest group counts: it is what an attacker gets who happens to know the most telling
friendships.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.kernels._jit import patient
from graphveil.risk.grouping import Seen
from graphveil.stopping import check

Integers = NDArray[np.signedinteger[Any]]

CHUNK = 3_000_000  # combinations listed at a time, about 30 bytes each
MOST_OF_ONE = 100_000_000  # combinations of one person
MOST = 2_000_000_000  # combinations in all, some minutes


@dataclass(frozen=True)
class Memberships:
    """The groups that people belong to."""

    people: Integers  # vertices that belong to any, ascending
    smallest: Integers  # size of the smallest group of each of them
    groups: int  # number of groups
    # What the attacker has to know to reach the smallest group of a vertex
    knowledge: Callable[[int], dict[str, Any]]


def friendship_degrees(seen: Seen) -> Memberships:
    """Groups of people with as many friends who have a friend with as many friends.

    Of two people with as many friends each, every friendship makes both members, so there may be fewer friendships
    than people: the smaller number counts, as either may be looked for.
    """
    graph, pairs, keys = seen.graph, seen.degree_pairs, seen.degree_pairs_around
    people = people_in_groups(seen, keys, 2 * (int(pairs.max(initial=-1)) + 1))
    sizes = np.minimum(people, np.repeat(np.bincount(pairs), 2)).astype(np.int32)
    found = np.flatnonzero(graph.degrees)
    an_edge = np.empty(len(sizes) // 2, np.int32)
    an_edge[pairs] = np.arange(graph.m, dtype=np.int32)

    def knowledge(vertex: int) -> dict[str, Any]:
        row = seen.row(keys, vertex)
        ends = graph.edges[an_edge[row[sizes[row].argmin()] // 2]]
        degrees, own = graph.degrees[ends].tolist(), int(graph.degrees[vertex])
        return {"degrees": [own, sum(degrees) - own]}

    return Memberships(found, smallest_of(seen, sizes[keys]), int(np.count_nonzero(people)), knowledge)


def people_in_groups(seen: Seen, rows: Integers, groups: int) -> Integers:
    """How many vertices have each number in their row."""
    people = np.zeros(groups, np.int64)
    patient("grouping").count_people(seen.start, rows, np.ones(groups, np.int64), people)
    return people


def smallest_of(seen: Seen, values: Integers) -> Integers:
    """The smallest of the values in each row that has any."""
    starts = seen.start[:-1][seen.graph.degrees > 0]
    smallest: Integers = np.minimum.reduceat(values, starts) if len(starts) else values[:0]
    return smallest


def combinations(seen: Seen, several: int = 2) -> Memberships:
    """Groups of people with the same counts on some of their edges, as many as ``several`` says.

    Every multiset of so many counts that some person has is a group of those who have it. They are listed in chunks of
    people: once to count how many have each, once more to find the smallest group of each person.
    """
    values = np.flatnonzero(np.bincount(seen.counts))
    _check_reach(len(values), several)
    lists = _Lists.of(seen, values, several)
    chunks = list(lists.chunks())
    keys, sizes = None, np.zeros(len(values) ** several if lists.fit_a_table else 0, np.int64)
    for first, last in chunks:
        check()
        found = lists.list(first, last)[0]
        if lists.fit_a_table:
            sizes += np.bincount(found, minlength=len(sizes))
        else:
            keys, sizes = _merge(keys, sizes, found)

    def size_of(found: Integers) -> Integers:
        sizes_found: Integers = sizes[found if keys is None else np.searchsorted(keys, found)]
        return sizes_found

    smallest = np.zeros(seen.graph.n, np.int64)
    for first, last in chunks:
        check()
        found, people = lists.list(first, last)
        starts = np.flatnonzero(np.diff(people, prepend=-1))
        if len(starts):
            smallest[people[starts]] = np.minimum.reduceat(size_of(found), starts)
    everybody = np.flatnonzero(smallest)

    def knowledge(vertex: int) -> dict[str, Any]:
        found = lists.list(vertex, vertex + 1)[0]
        key = int(found[size_of(found).argmin()])
        digits = [key // len(values) ** place % len(values) for place in range(several)]
        return {"several_mutual_friends": sorted(values[digits].tolist(), reverse=True)}

    return Memberships(everybody, smallest[everybody], int(np.count_nonzero(sizes)), knowledge)


@dataclass(frozen=True)
class _Lists:
    """The counts on the edges of each vertex, ascending, each count no oftener than a combination can take it."""

    start: Integers  # of each vertex, and the end of the last
    name: Integers  # rank of the count
    values: int  # distinct counts
    several: int  # counts in a combination

    @classmethod
    def of(cls, seen: Seen, values: Integers, several: int) -> _Lists:
        rows, start = np.empty(2 * seen.graph.m, np.int32), np.empty_like(seen.start)
        patient("grouping").trim(seen.start, seen.counts_around, several, start, rows)
        rank = np.zeros(int(values.max(initial=0)) + 1, np.int32)
        rank[values] = np.arange(len(values))
        return cls(start, rank[rows[: start[-1]]], len(values), several)

    @property
    def fit_a_table(self) -> bool:
        """Whether there can be so few combinations that each has its place in a table."""
        return bool(self.values**self.several <= CHUNK)

    @cached_property
    def most(self) -> NDArray[np.float64]:
        """How many combinations each vertex has at most."""
        held = np.diff(self.start).astype(float)
        most = np.ones(len(held))
        for place in range(self.several):
            most *= np.maximum(held - place, 0) / (place + 1)
        return most

    def chunks(self) -> Iterator[tuple[int, int]]:
        """Ranges of vertices whose combinations can be listed at a time."""
        total = np.cumsum(self.most)
        if len(total) and (total[-1] > MOST or self.most.max() > MOST_OF_ONE):
            raise ParameterError(
                f"people have too many combinations of {self.several} friendships here. Choose fewer (friendships=)."
            )
        first = 0
        while first < len(total):
            before = total[first - 1] if first else 0.0
            last = max(first + 1, int(np.searchsorted(total, before + CHUNK, side="right")))
            yield first, last
            first = last

    def list(self, first: int, last: int) -> tuple[Integers, Integers]:
        """Key and vertex of every combination of some vertices, in the order of the vertices."""
        room = int(np.ceil(self.most[first:last].sum()))
        keys, owner = np.empty(room, np.int64), np.empty(room, np.int32)
        found = patient("grouping").list_combinations(
            self.start, self.name, first, last, self.several, self.values, keys, owner
        )
        return keys[:found], owner[:found]


def _check_reach(values: int, several: int) -> None:
    if max(values, 2) ** several > 2**62:
        raise ParameterError(
            f"combinations of {several} friendships are too many here. Choose fewer (friendships=)."
        )


def _merge(keys: Integers | None, sizes: Integers, more: Integers) -> tuple[Integers, Integers]:
    """Distinct keys and how many have each, with further ones counted in."""
    new, counts = np.unique(more, return_counts=True)
    if keys is None:
        return new, counts
    together, places = np.unique(np.concatenate((keys, new)), return_inverse=True)
    return together, np.bincount(places, np.concatenate((sizes, counts))).astype(np.int64)
