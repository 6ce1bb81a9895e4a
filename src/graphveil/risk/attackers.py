"""The table of attackers: what each knows, and which edges or vertices are alike to it.

An attacker knows something about an edge or a vertex. All that match form a group, and in a group of s members the
right one is found with probability 1/s (Definitions 3 and 4 of Sun, Yu, Kong, Fu 2013).

- ``mutual-friends``: the paper's attacker; ``degree``: K. Liu, E. Terzi: Towards identity anonymization on graphs,
  SIGMOD 2008; ``friendship-degrees``: the degree of a person and that of one friend, in this order. Groups count
  people, or friendships where these are fewer. C.-H. Tai, P. S. Yu, D.-N. Yang, M.-S. Chen (Privacy-preserving
  social network publication against friendship attacks, KDD 2011) count the people at both ends together, which makes
  groups look larger.
- ``edge-degrees``: both degrees of an edge, to find the edge.
- ``edge-degrees-and-mutual-friends``: both degrees and the mutual-friend count.
- ``degree-and-triangles``: the degree of a person and how many pairs of their friends are friends (R. G. de Jong,
  M. P. J. van der Loo, F. W. Takes: Algorithms for efficiently computing structural anonymity in complex networks,
  ACM JEA 2023).
- ``several-friendships``: the mutual-friend counts of two friendships of one person, as in Section I of the paper,
  where Alice is found by combining (Alice, Bob) and (Alice, Carl).
- ``mutual-friends-around``: the mutual-friend counts of all friendships of one person.
- ``attributes`` and those after it: all attributes of a person that are kept, alone or with a number.
- ``edge-attributes`` and those after it: the same of a friendship, and of all friendships of one person.
- ``in-and-out-degree``: where the direction of friendships is kept.

A new attacker is one row of `ATTACKERS`, or of a table for graphs with attributes. Most put every edge or vertex
into one group (`Partition`). In two cases a person belongs to several groups and the smallest one counts
(`graphveil.risk.combining`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.repeated import DIRECTION
from graphveil.risk.combining import Memberships, combinations, friendship_degrees
from graphveil.risk.grouping import Seen, rank_pairs
from graphveil.risk.roughly import Points, friends_of_people

Integers = NDArray[np.signedinteger[Any]]
Knowledge = dict[str, Any]


@dataclass(frozen=True)
class Model:
    """One row: what an attacker knows, and how to count with it."""

    name: str  # in documents
    # In words, after "an attacker who knows"; ``{several}`` is the number of friendships that are combined
    knows: str
    target: Literal["edge", "vertex"]  # what it looks for
    # From what is seen to a group number per edge or vertex; None where a person is in several
    groups: Callable[[Seen], Integers] | None = None
    knowledge: Callable[[Seen, int], Knowledge] | None = None  # what the attacker knows of one edge or vertex
    # Where a person is in several groups: from what is seen and the number of friendships to those
    memberships: Callable[[Seen, int], Memberships] | None = None
    # The groups of the edges around each vertex, where other attackers need the same
    rows: Callable[[Seen], Integers] | None = None
    # What the attacker knows as numbers, so that it can be known roughly; None where it is more than three
    points: Callable[[Seen], Points] | None = None


def groups_around(seen: Seen, names: Integers) -> Integers:
    """A group number per vertex, the same for the same multiset of numbers on its edges, which are given in rows.

    In every round neighbours in a row of counts are paired, and equal pairs get equal new names, which halves the rows
    until one name is left of each (R. M. Karp, R. E. Miller, A. L. Rosenberg: Rapid identification of repeated
    patterns in strings, trees and arrays, STOC 1972). It is exact, there is no hash in it, and names keep the order of
    the rows.
    """
    degrees = seen.graph.degrees
    row = np.flatnonzero(degrees)
    length = degrees[row]
    final = np.zeros(seen.graph.n, np.int32)
    while len(row):
        start = np.cumsum(length) - length
        single = length == 1
        final[row[single]] = names[start[single]]
        row, start, length = row[~single], start[~single], length[~single]
        names, length = _pair(names, start, length)
    return rank_pairs(degrees, final)


def _pair(names: Integers, start: Integers, length: Integers) -> tuple[Integers, Integers]:
    """Rows of half the length, in which each pair of names has become one; an odd last one is paired with −1."""
    half = (length + 1) // 2
    left = np.arange(half.sum(), dtype=np.int32) * 2
    left += np.repeat((start - 2 * (np.cumsum(half) - half)).astype(np.int32), half)
    right = names[np.minimum(left + 1, len(names) - 1)] + 1
    right[(np.cumsum(half) - 1)[length % 2 == 1]] = 0
    return rank_pairs(names[left], right), half


def _count_of_edge(seen: Seen, edge: int) -> Knowledge:
    return {"mutual_friends": int(seen.counts[edge])}


def _degree_of_vertex(seen: Seen, vertex: int) -> Knowledge:
    return {"degree": int(seen.graph.degrees[vertex])}


def _degrees_of_edge(seen: Seen, edge: int) -> Knowledge:
    return {"degrees": sorted(seen.graph.degrees[seen.graph.edges[edge]].tolist())}


def _counts_of_vertex(seen: Seen, vertex: int) -> Knowledge:
    values, numbers = np.unique(seen.row(seen.counts_around, vertex), return_counts=True)
    return {"edges_by_mutual_friends": np.column_stack((values, numbers))[::-1].tolist()}


def _attributes_of(seen: Seen, vertices: Iterable[int]) -> Knowledge:
    known = seen.graph.vertex_attributes.items()
    return {
        "attributes": [{name: values[[vertex]].tolist()[0] for name, values in known} for vertex in vertices]
    }


def _values_of(seen: Seen, edges: Iterable[int]) -> Knowledge:
    known = seen.graph.edge_attributes.items()
    return {
        "edge_attributes": [{name: values[[edge]].tolist()[0] for name, values in known} for edge in edges]
    }


def models_for(graph: Graph) -> tuple[Model, ...]:
    """The attackers who know something that this graph has."""
    return (
        *ATTACKERS,
        *(OF_ATTRIBUTES if graph.vertex_attributes else ()),
        *(OF_EDGE_ATTRIBUTES if graph.edge_attributes else ()),
        *(OF_DIRECTION if DIRECTION in graph.edge_attributes else ()),
    )


ATTACKERS = (
    Model(
        "mutual-friends",
        "how many mutual friends two friends have",
        "edge",
        lambda seen: seen.counts,
        _count_of_edge,
        rows=lambda seen: seen.counts_around,
        points=lambda seen: Points((seen.counts,)),
    ),
    Model(
        "degree",
        "how many friends a person has",
        "vertex",
        lambda seen: seen.graph.degrees,
        _degree_of_vertex,
        points=lambda seen: Points((seen.graph.degrees,)),
    ),
    Model(
        "edge-degrees",
        "how many friends each of two friends has",
        "edge",
        lambda seen: seen.degree_pairs,
        _degrees_of_edge,
        rows=lambda seen: seen.degree_pairs_around >> 1,
        points=lambda seen: Points(seen.degrees_of_ends),
    ),
    Model(
        "friendship-degrees",
        "how many friends a person has, and how many one of their friends has",
        "vertex",
        memberships=lambda seen, _: friendship_degrees(seen),
        points=friends_of_people,
    ),
    Model(
        "edge-degrees-and-mutual-friends",
        "how many friends each of two friends has, and how many mutual friends",
        "edge",
        lambda seen: rank_pairs(seen.degree_pairs, seen.counts),
        lambda seen, edge: _degrees_of_edge(seen, edge) | _count_of_edge(seen, edge),
        points=lambda seen: Points((seen.counts, *seen.degrees_of_ends)),
    ),
    Model(
        "degree-and-triangles",
        "how many friends a person has, and how many pairs of these friends are friends with each other",
        "vertex",
        lambda seen: rank_pairs(seen.graph.degrees, seen.triangles),
        lambda seen, vertex: _degree_of_vertex(seen, vertex) | {"triangles": int(seen.triangles[vertex])},
        points=lambda seen: Points((seen.graph.degrees, seen.triangles)),
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
        lambda seen: groups_around(seen, seen.counts_around),
        _counts_of_vertex,
    ),
)
OF_ATTRIBUTES = (  # where people have attributes that are kept
    Model(
        "attributes",
        "the attributes of a person",
        "vertex",
        lambda seen: seen.attributes,
        lambda seen, vertex: _attributes_of(seen, [vertex]),
    ),
    Model(
        "attributes-and-degree",
        "the attributes of a person, and how many friends the person has",
        "vertex",
        lambda seen: rank_pairs(seen.attributes, seen.graph.degrees),
        lambda seen, vertex: _attributes_of(seen, [vertex]) | _degree_of_vertex(seen, vertex),
    ),
    Model(
        "attributes-of-friends-and-mutual-friends",
        "the attributes of two friends, and how many mutual friends they have",
        "edge",
        lambda seen: rank_pairs(seen.attributes_of_ends, seen.counts),
        lambda seen, edge: _attributes_of(seen, seen.graph.edges[edge]) | _count_of_edge(seen, edge),
    ),
)
OF_EDGE_ATTRIBUTES = (  # where friendships have attributes that are kept
    Model(
        "edge-attributes",
        "the attributes of a friendship",
        "edge",
        lambda seen: seen.edge_attributes,
        lambda seen, edge: _values_of(seen, [edge]),
    ),
    Model(
        "edge-attributes-and-mutual-friends",
        "the attributes of a friendship, and how many mutual friends the two have",
        "edge",
        lambda seen: rank_pairs(seen.edge_attributes, seen.counts),
        lambda seen, edge: _values_of(seen, [edge]) | _count_of_edge(seen, edge),
    ),
    Model(
        "edge-attributes-around",
        "the attributes of all friendships of a person",
        "vertex",
        lambda seen: groups_around(seen, seen.around(seen.edge_attributes)),
        lambda seen, vertex: _values_of(
            seen, np.flatnonzero((seen.graph.edges == vertex).any(axis=1)).tolist()
        ),
    ),
)
OF_DIRECTION = (  # where it is among these
    Model(
        "in-and-out-degree",
        "how many friendships lead to a person, and how many away",
        "vertex",
        lambda seen: rank_pairs(*seen.in_and_out),
        lambda seen, vertex: {"in_and_out_degree": [int(each[vertex]) for each in seen.in_and_out]},
    ),
)
PARTITIONS = tuple(model for model in ATTACKERS if model.groups is not None)
