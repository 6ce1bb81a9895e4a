"""The table of attackers: what each knows, and which edges or vertices are alike to it.

An attacker knows something about an edge or a vertex. All that match form a group, and in a group of s members the
right one is found with probability 1/s (Definitions 3 and 4 of Sun, Yu, Kong, Fu 2013).

- ``mutual-friends``: the paper's attacker; ``degree``: K. Liu, E. Terzi: Towards identity anonymization on graphs,
  SIGMOD 2008. Against these two there are guarantees.
- ``edge-degrees``: both degrees of an edge. ``friend-degrees``: the same knowledge, but counted in people, as
  C.-H. Tai, P. S. Yu, D.-N. Yang, M.-S. Chen define it (Privacy-preserving social network publication against
  friendship attacks, KDD 2011): how many people have a friendship with this pair of degrees.
- ``edge-degrees-and-mutual-friends``: both degrees and the mutual-friend count.
- ``several-friendships``: the mutual-friend counts of two friendships of one person, as in Section I of the paper,
  where Alice is found by combining (Alice, Bob) and (Alice, Carl).
- ``mutual-friends-around``: the mutual-friend counts of all friendships of one person.

A new attacker is one row of `ATTACKERS`. Most put every edge or vertex into one group (`Partition`). In two cases a
person belongs to several groups and the smallest one counts (`graphveil.risk.combining`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.risk.combining import Memberships, combinations, people_by_pair
from graphveil.risk.grouping import edges_of_people, rank

__all__ = ["ATTACKERS", "PARTITIONS", "Model", "rank"]

Integers = NDArray[np.signedinteger[Any]]
Knowledge = dict[str, Any]


@dataclass(frozen=True)
class Model:
    """One row: what an attacker knows, and how to count with it.

    Attributes
    ----------
    name
        In documents
    knows
        In words, after "an attacker who knows"; ``{several}`` is the number of friendships that are combined
    target
        What it looks for
    groups
        From graph and mutual-friend counts to a group number per edge or vertex; None where a person is in several
    knowledge
        What the attacker knows of one edge or vertex
    memberships
        Where a person is in several groups: from graph, counts and the number of friendships to those
    """

    name: str
    knows: str
    target: Literal["edge", "vertex"]
    groups: Callable[[Graph, Integers], Integers] | None = None
    knowledge: Callable[[Graph, Integers, int], Knowledge] | None = None
    memberships: Callable[[Graph, Integers, int], Memberships] | None = None


def degrees_of_ends(graph: Graph) -> Integers:
    """One number per edge for the unordered pair of its ends' degrees."""
    degrees = rank(graph.degrees)
    a, b = degrees[graph.edges[:, 0]], degrees[graph.edges[:, 1]]
    keys = np.maximum(a, b)
    keys *= int(degrees.max(initial=0)) + 1
    keys += np.minimum(a, b, out=a)
    return keys


def _degrees_and_count(graph: Graph, counts: Integers) -> Integers:
    return rank(rank(degrees_of_ends(graph)) * (int(counts.max(initial=0)) + 1) + counts)


def counts_around(graph: Graph, counts: Integers) -> Integers:
    """A group number per vertex, the same for the same multiset of counts on its edges.

    Each vertex has a row: its counts in descending order. In every round neighbours in a row are paired, and equal
    pairs get equal new names, which halves the rows until one name is left of each (R. M. Karp, R. E. Miller,
    A. L. Rosenberg: Rapid identification of repeated patterns in strings, trees and arrays, STOC 1972). It is exact,
    there is no hash in it, and names keep the order of the rows.
    """
    most = int(counts.max(initial=0))
    names = edges_of_people(graph.edges, most - counts, by_kind=False)
    names &= 0xFFFFFFFF
    np.subtract(most, names, out=names)
    row = np.flatnonzero(graph.degrees)
    length = graph.degrees[row]
    final = graph.degrees << 32
    while len(row):
        start = np.cumsum(length) - length
        single = length == 1
        final[row[single]] |= names[start[single]]
        row, start, length = row[~single], start[~single], length[~single]
        names, length = _pair(names, start, length)
    return rank(final)


def _pair(names: Integers, start: Integers, length: Integers) -> tuple[Integers, Integers]:
    """Rows of half the length, in which each pair of names has become one; an odd last one is paired with 0."""
    half = (length + 1) // 2
    left = np.arange(half.sum()) * 2 + np.repeat(start - 2 * (np.cumsum(half) - half), half)
    pairs = (names[left] + 1) << 32
    paired = left + 1 < np.repeat(start + length, half)
    pairs[paired] |= names[left[paired] + 1] + 1
    return rank(pairs), half


def _count_of_edge(_: Graph, counts: Integers, edge: int) -> Knowledge:
    return {"mutual_friends": int(counts[edge])}


def _degree_of_vertex(graph: Graph, _: Integers, vertex: int) -> Knowledge:
    return {"degree": int(graph.degrees[vertex])}


def _degrees_of_edge(graph: Graph, _: Integers, edge: int) -> Knowledge:
    return {"degrees": sorted(graph.degrees[graph.edges[edge]].tolist())}


def _counts_of_vertex(graph: Graph, counts: Integers, vertex: int) -> Knowledge:
    start, _, edge = graph.adjacency
    around = counts[edge[start[vertex] : start[vertex + 1]]]
    values, numbers = np.unique(around, return_counts=True)
    return {"edges_by_mutual_friends": np.column_stack((values, numbers))[::-1].tolist()}


ATTACKERS = (
    Model(
        "mutual-friends",
        "how many mutual friends two friends have",
        "edge",
        lambda graph, counts: counts,
        _count_of_edge,
    ),
    Model(
        "degree",
        "how many friends a person has",
        "vertex",
        lambda graph, counts: graph.degrees,
        _degree_of_vertex,
    ),
    Model(
        "edge-degrees",
        "how many friends each of two friends has",
        "edge",
        lambda graph, counts: rank(degrees_of_ends(graph)),
        _degrees_of_edge,
    ),
    Model(
        "friend-degrees",
        "how many friends a person has, and how many one of their friends has",
        "vertex",
        memberships=lambda graph, counts, _: people_by_pair(graph, rank(degrees_of_ends(graph))),
    ),
    Model(
        "edge-degrees-and-mutual-friends",
        "how many friends each of two friends has, and how many mutual friends",
        "edge",
        _degrees_and_count,
        lambda graph, counts, edge: (
            _degrees_of_edge(graph, counts, edge) | _count_of_edge(graph, counts, edge)
        ),
    ),
    Model(
        "several-friendships",
        "how many mutual friends a person has with {several} of their friends",
        "vertex",
        memberships=combinations,
    ),
    Model(
        "mutual-friends-around",
        "how many mutual friends a person has with each friend",
        "vertex",
        counts_around,
        _counts_of_vertex,
    ),
)
PARTITIONS = tuple(model for model in ATTACKERS if model.groups is not None)
