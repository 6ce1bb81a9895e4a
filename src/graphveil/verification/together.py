"""What two releases of one network give away together.

An attacker who has both releases, and knows which person of one is which of the other, knows more than each release
tells: the mutual-friend counts of a friendship in both years, the degrees of a person in both years, and which
friendships vanished and which are new. The groups are those that share both values. Friendships count that are in both
releases, and people who are in both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.recounting import Recount

Integers = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True)
class JointExposure:
    """How well a pair of values, one of each release, hides those who have it."""

    targets: int  # friendships or people that are in both releases
    smallest_group: int | None  # how many share the rarest pair of values; None where there is nobody
    exposed: int  # how many are in a group of fewer than k


@dataclass(frozen=True)
class Together:
    """Two releases seen by an attacker who has both."""

    k: int  # below which a group is exposed
    mutual_friends: JointExposure  # of the friendships in both: the counts in both years
    degrees: JointExposure  # of the people in both: how many friends they have in both years
    # Friendships between people who are in both releases that only the earlier, or only the later one has
    vanished: int
    appeared: int
    people: int  # who are in both


def together(earlier: Graph, later: Graph, number_before: Integers, k: int) -> Together:
    """Count what two releases give away together, in groups of fewer than k.

    ``number_before`` has for each vertex of the later one its number in the earlier one, −1 for who is new.

    >>> square = Graph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> with_diagonal = Graph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)])
    >>> found = together(square, with_diagonal, np.arange(4), 3)
    >>> found.mutual_friends, found.degrees
    (JointExposure(targets=4, smallest_group=4, exposed=0), JointExposure(targets=4, smallest_group=2, exposed=4))
    >>> found.vanished, found.appeared
    (0, 1)
    """
    before, after = _common_edges(earlier, later, number_before)
    both = number_before >= 0
    degrees = earlier.degrees[number_before[both]], later.degrees[both]
    here = np.zeros(earlier.n, np.bool_)
    here[number_before[both]] = True
    return Together(
        k,
        _exposure(_counts(earlier)[before], _counts(later)[after], k),
        _exposure(*degrees, k),
        int(here[earlier.edges].all(axis=1).sum()) - len(before),
        int(both[later.edges].all(axis=1).sum()) - len(after),
        int(both.sum()),
    )


def _counts(graph: Graph) -> Integers:
    return Recount(graph.edges, graph.n).mutual_friends


def _common_edges(earlier: Graph, later: Graph, number_before: Integers) -> tuple[Integers, Integers]:
    """Rows of the friendships that are in both, in the earlier and in the later graph."""
    ends = np.sort(number_before[later.edges].astype(np.int64), axis=1)
    known = np.flatnonzero(ends[:, 0] >= 0)
    keys = ends[known, 0] * earlier.n + ends[known, 1]
    before = earlier.edges.astype(np.int64) @ np.array([earlier.n, 1])  # ascending, as the edges are
    places = np.searchsorted(before, keys)
    inside = places < len(before)
    inside[inside] = before[places[inside]] == keys[inside]
    return places[inside], known[inside]


def _exposure(one: Integers, other: Integers, k: int) -> JointExposure:
    if not len(one):
        return JointExposure(0, None, 0)
    keys = one.astype(np.int64) * (int(other.max()) + 1) + other
    sizes = np.unique(keys, return_counts=True)[1]
    return JointExposure(len(keys), int(sizes.min()), int(sizes[sizes < k].sum()))
