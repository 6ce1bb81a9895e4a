"""What all attackers of an audit start from: a graph, its mutual-friend counts, and groups in linear time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.attributes import column_of
from graphveil.attributes.proposing import together
from graphveil.graph import Graph
from graphveil.kernels._jit import patient
from graphveil.repeated import DIRECTION, WAYS

Integers = NDArray[np.signedinteger[Any]]
Numbers = NDArray[np.int32]


@dataclass(frozen=True)
class Seen:
    """A graph without its names, and what several attackers need of it, each made once."""

    graph: Graph
    counts: Numbers  # mutual friends of every edge

    @cached_property
    def start(self) -> NDArray[np.int64]:
        """The first slot of each vertex in `rows`, and the end of the last."""
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(self.graph.degrees)))

    @cached_property
    def degree_pairs(self) -> Numbers:
        """A number for every edge, by the higher and then the lower degree of its ends."""
        lower, higher = self.degrees_of_ends
        return rank_pairs(higher, lower)

    @cached_property
    def degree_pairs_around(self) -> Numbers:
        """In rows, twice the number of each edge by degrees, plus one where the vertex has the higher one."""
        twice = 2 * self.degree_pairs
        of_u, of_v = (_int32(self.graph.degrees)[end] for end in self.graph.edges.T)
        return self.rows(twice + (of_u > of_v), twice + (of_v > of_u))

    @property
    def degrees_of_ends(self) -> tuple[Numbers, Numbers]:
        """The lower and the higher degree of the ends of every edge."""
        of_u, of_v = (_int32(self.graph.degrees)[end] for end in self.graph.edges.T)
        return np.minimum(of_u, of_v), np.maximum(of_u, of_v)

    @cached_property
    def attributes(self) -> Numbers:
        """A number for each vertex by all its attributes together."""
        columns = (column_of(*each).marks for each in self.graph.vertex_attributes.items())
        return _int32(together(columns, self.graph.n))

    @cached_property
    def attributes_of_ends(self) -> Numbers:
        """A number for every edge by the attributes of its ends, in any order."""
        of_u, of_v = (self.attributes[end] for end in self.graph.edges.T)
        return rank_pairs(np.maximum(of_u, of_v), np.minimum(of_u, of_v))

    @cached_property
    def edge_attributes(self) -> Numbers:
        """A number for each edge by all its attributes together."""
        columns = (column_of(*each).marks for each in self.graph.edge_attributes.items())
        return _int32(together(columns, self.graph.m))

    @cached_property
    def in_and_out(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """How many edges lead to each vertex, and how many away; those of unknown direction do not count."""
        way, n, (u, v) = self.graph.edge_attributes[DIRECTION], self.graph.n, self.graph.edges.T
        forward, backward = (np.isin(way, (one, "both")) for one in WAYS[:2])
        into = np.bincount(v, forward, n) + np.bincount(u, backward, n)
        out = np.bincount(u, forward, n) + np.bincount(v, backward, n)
        return into.astype(np.int64), out.astype(np.int64)

    @cached_property
    def counts_around(self) -> Numbers:
        """The mutual-friend counts of every vertex, descending, in rows."""
        return self.around(self.counts)

    def around(self, numbers: Numbers) -> Numbers:
        """The numbers of the edges of every vertex, descending, in rows."""
        rows = self.rows(numbers, numbers)
        patient("grouping").sort_rows(self.start, rows)
        return rows

    @cached_property
    def triangles(self) -> NDArray[np.int64]:
        """How many pairs of friends of each vertex are friends."""
        (u, v), n = self.graph.edges.T, self.graph.n
        return (np.bincount(u, self.counts, n) + np.bincount(v, self.counts, n)).astype(np.int64) // 2

    def rows(self, at_lower: Integers, at_higher: Integers) -> Numbers:
        """The number that each edge has at its lower and at its higher end, vertex by vertex."""
        rows = np.empty(2 * self.graph.m, np.int32)
        numbers = _int32(at_lower), _int32(at_higher)
        patient("grouping").fill_rows(self.graph.edges, *numbers, self.start, rows)
        return rows

    def row(self, rows: Numbers, vertex: int) -> Numbers:
        """The row of one vertex."""
        return rows[self.start[vertex] : self.start[vertex + 1]]


def order_of(keys: Integers, order: Numbers | None = None) -> Numbers:
    """The places of keys from 0 on, in ascending order of the keys; of equal ones as in the order given.

    >>> order_of(np.array([2, 0, 2, 1])).tolist()
    [1, 3, 0, 2]
    """
    order = np.arange(len(keys), dtype=np.int32) if order is None else order
    found = np.empty_like(order)
    patient("grouping").sort_by(_int32(keys), int(keys.max(initial=0)), order, found)
    return found


def rank_pairs(first: Integers, second: Integers) -> Numbers:
    """The rank of each pair of numbers among the distinct pairs, from 0.

    >>> rank_pairs(np.array([1, 0, 1, 1]), np.array([5, 9, 5, 2])).tolist()
    [2, 0, 2, 1]
    """
    first, second, number = _int32(first), _int32(second), np.empty(len(first), np.int32)
    kernels = patient("grouping")
    dense = [_dense(numbers) for numbers in (first, second)]
    cells = math.prod(int(ranks[-1]) + 1 for ranks in dense) if len(first) else 0
    if cells <= 2 * len(first):  # a table takes no more room than two orders
        kernels.number_by_table(first, second, *dense, np.zeros(cells, np.int32), number)
    else:
        kernels.number_pairs(first, second, order_of(first, order_of(second)), number)
    return number


def _dense(numbers: Numbers) -> Numbers:
    """The rank of each number up to the highest among those that occur."""
    occurs = np.zeros(int(numbers.max(initial=0)) + 1, np.bool_)
    occurs[numbers] = True
    return _int32(np.cumsum(occurs) - 1)


def _int32(numbers: Integers) -> Numbers:
    return np.ascontiguousarray(numbers, np.int32)
