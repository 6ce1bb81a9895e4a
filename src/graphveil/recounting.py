"""Groups counted again from a list of edges alone, by other means than everything else here.

Nothing is shared with the rest of the package but the errors and the request to stop: no kernel, no compiled code.

Edges point from the end of lower degree to the end of higher degree, so few leave any vertex. In each triangle two
edges leave the same vertex a, to b and to c. So all pairs of edges that leave one vertex are listed, chunk by
chunk. The edge (b, c) that would close the triangle is looked up in the sorted list of edges.

The vertices of highest degree may be so densely joined that there are too many pairs: a clique of 3,000 has
4,495,501,000. Their part is counted by squaring their adjacency matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError
from graphveil.stopping import check

CHUNK = 2_000_000  # pairs of edges looked up at a time, about 100 bytes each
LARGEST_CORE = 8192  # vertices in a dense matrix: 256 MB, and counts that a float32 holds exactly
CORE_PAYS = 2000  # multiplications that take about as long as one lookup


@dataclass(frozen=True)
class FailingGroup:
    """A group that breaks a guarantee."""

    # What its members have in common: a mutual-friend count, a degree, or two degrees
    value: int | tuple[int, ...]
    size: int  # number of members
    # Of its edges that touch one vertex, the largest; None where only the size matters
    share: float | None = None


@dataclass(frozen=True)
class Check:
    """Whether one guarantee holds."""

    guarantee: str  # its name
    wanted: float  # the k, or the share, that was asked for
    holds: bool  # whether every group meets it
    # The best that holds: size of the smallest group, or the largest share; None where there is no group
    achieved: float | None
    failing: tuple[FailingGroup, ...]  # the groups that break it, ascending by value

    @property
    def k(self) -> float:
        """What was asked for."""
        return self.wanted


class Recount:
    """A graph as a list of edges, of which each thing is counted once, when it is first needed."""

    def __init__(
        self,
        edges: NDArray[np.int32],
        n: int,
        attributes: NDArray[np.int64] | None = None,
        edge_attributes: NDArray[np.int64] | None = None,
        ways: NDArray[np.int64] | None = None,
    ) -> None:
        check_simple(edges, n)
        self.edges, self.n = edges, n
        # A group number for each vertex, and for each edge, by what is published of it besides
        self.attributes, self.edge_attributes = attributes, edge_attributes
        self.ways = (
            ways  # of each edge, where published: 1 to its higher end, 2 to its lower end, 3 both, 0 unknown
        )

    @cached_property
    def mutual_friends(self) -> NDArray[np.int64]:
        """Mutual friends of every edge."""
        return recount(self.edges, self.n)

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Degree of every vertex."""
        return np.bincount(self.edges.ravel(), minlength=self.n)


def at_least(guarantee: str, values: NDArray[Any], k: int) -> Check:
    """Whether every value that occurs, occurs at least k times.

    >>> check = at_least("k-degree", np.array([3, 1, 1, 1]), 2)
    >>> check.holds, check.achieved, check.failing
    (False, 1, (FailingGroup(value=3, size=1, share=None),))
    """
    occurring, sizes = np.unique(values, return_counts=True)
    small = sizes < k
    return Check(
        guarantee=guarantee,
        wanted=k,
        holds=not small.any(),
        achieved=int(sizes.min()) if len(sizes) else None,
        failing=tuple(map(FailingGroup, occurring[small].tolist(), sizes[small].tolist())),
    )


def at_most(guarantee: str, values: NDArray[Any], edges: NDArray[np.int32], share: float) -> Check:
    """Whether no vertex lies on more than that share of the edges that have one value.

    >>> star = np.array([[0, 1], [0, 2], [0, 3], [4, 5]])
    >>> at_most("spread", np.array([0, 0, 0, 0]), star, 0.5).achieved
    0.75
    """
    occurring, group, sizes = np.unique(values, return_inverse=True, return_counts=True)
    members = np.split(np.argsort(group, kind="stable"), np.cumsum(sizes)[:-1]) if len(sizes) else []
    largest = [np.unique(edges[rows], return_counts=True)[1].max() for rows in members]  # group by group
    shares = np.array(largest) / sizes
    wide = shares > share
    return Check(
        guarantee=guarantee,
        wanted=share,
        holds=not wide.any(),
        achieved=float(shares.max()) if len(shares) else None,
        failing=tuple(
            map(FailingGroup, occurring[wide].tolist(), sizes[wide].tolist(), shares[wide].tolist())
        ),
    )


def check_simple(edges: NDArray[np.int32], n: int) -> None:
    """Refuse edges that are not sorted, each once and with u < v, on the vertices 0…n−1."""
    u, v = edges[:, 0].astype(np.int64), edges[:, 1].astype(np.int64)
    if len(edges) and (u.min() < 0 or v.max() >= n):
        raise GraphError(f"an edge leads to a vertex outside 0…{n - 1}.")
    for wrong, what in (
        (u == v, "an edge that joins a vertex to itself"),
        (u > v, "an edge with its higher end first"),
        (np.diff(u * n + v) == 0, "an edge twice"),
        (np.diff(u * n + v) < 0, "edges out of order"),
    ):
        if wrong.any():
            raise GraphError(
                f"the graph has {what}, at row {int(wrong.argmax())}: "
                "it is not simple. Build it with Graph.from_arrays, which makes it so."
            )


def recount(edges: NDArray[np.int32], n: int, *, core: int | None = None) -> NDArray[np.int64]:
    """Mutual friends of every edge, in the order of the edges.

    ``core`` is the number of vertices whose mutual edges are counted in a matrix; by default as many as pays.
    """
    order = np.argsort(np.bincount(edges.ravel(), minlength=n), kind="stable")
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    ends = place[edges]
    keys = ends.min(axis=1) * n + ends.max(axis=1)
    by_key = np.argsort(keys)
    keys = keys[by_key]
    tails, heads = np.divmod(keys, max(n, 1))
    leaving = np.bincount(tails, minlength=n)
    if core is None:
        core = _core_that_pays(leaving)
    found = np.zeros(len(keys), np.int64)
    outside = int(np.searchsorted(tails, n - core))
    _count_in_matrix(tails[outside:] - (n - core), heads[outside:] - (n - core), core, found[outside:])
    _count_by_lookup(keys, heads, np.cumsum(leaving)[tails[:outside]], n, found)
    counts = np.empty_like(found)
    counts[by_key] = found
    return counts


def _core_that_pays(leaving: NDArray[np.int64]) -> int:
    """The most vertices, from the highest degree down, that a matrix treats faster than a list of pairs."""
    top = leaving[: -LARGEST_CORE - 1 : -1]
    pairs = np.cumsum(top * (top - 1) // 2)
    size = np.arange(1, len(top) + 1)
    return int(size[size**3 <= CORE_PAYS * pairs].max(initial=0))


def _count_in_matrix(
    tails: NDArray[np.int64], heads: NDArray[np.int64], size: int, found: NDArray[np.int64]
) -> None:
    """Add the triangles among the first ``size`` vertices: the square of the matrix counts paths of length two."""
    if not len(found):
        return
    matrix = np.zeros((size, size), np.float32)
    matrix[tails, heads] = matrix[heads, tails] = 1
    found += (matrix @ matrix)[tails, heads].astype(np.int64)


def _count_by_lookup(
    keys: NDArray[np.int64],
    heads: NDArray[np.int64],
    end: NDArray[np.int64],
    n: int,
    found: NDArray[np.int64],
) -> None:
    """Add the triangles whose lowest vertex is left by one of the first ``len(end)`` edges.

    ``end[s]`` is where the edges that leave the same vertex as edge s end. The partners of s are those after it.
    """
    partners = end - np.arange(len(end)) - 1
    before = np.concatenate(([0], np.cumsum(partners)))
    first = 0
    while before[first] < before[-1]:
        check()
        stop = max(first + 1, int(np.searchsorted(before, before[first] + CHUNK, side="right")) - 1)
        number = partners[first:stop]
        ab = np.repeat(np.arange(first, stop), number)
        ac = ab + 1 + np.arange(len(ab)) - np.repeat(before[first:stop] - before[first], number)
        wanted = heads[ab] * n + heads[ac]
        bc = np.searchsorted(keys, wanted)
        bc[bc == len(keys)] = 0
        closed = keys[bc] == wanted
        for side in (ab, ac, bc):
            np.add.at(found, side[closed], 1)
        first = stop
