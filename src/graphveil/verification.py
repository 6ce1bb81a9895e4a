"""Does a published graph keep its promise? Counted afresh, by other means than everything else here.

Nothing is shared with the rest of the package but the graph itself and the errors: no kernel, no compiled code.
Edges point from the end of lower degree to the end of higher degree, so that few leave any vertex. Each triangle then
has one vertex a that two of its edges leave, to b and to c, and it is there if (b, c) is an edge too: all pairs
of edges that leave one vertex are listed, chunk by chunk, and what would close each is looked up in the sorted list
of edges. Where the vertices of highest degree are so tightly knit that listing is hopeless (a clique of 3,000 has
4,495,501,000 such pairs), their part is counted by squaring their adjacency matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.graph import Cleaning
from graphveil.parameters import whole_number
from graphveil.records import plain
from graphveil.stopping import check, stoppable

__all__ = ["Check", "SmallClass", "Verification", "verify"]

SCHEMA = "graphveil/verification/1"
CHUNK = 2_000_000  # pairs of edges looked up at a time, about 100 bytes each
LARGEST_CORE = 8192  # vertices in a dense matrix: 256 MB, and counts that a float32 holds exactly
CORE_PAYS = 2000  # multiplications that take about as long as one lookup


@dataclass(frozen=True)
class SmallClass:
    """A value that occurs too rarely."""

    value: int
    size: int


@dataclass(frozen=True)
class Check:
    """Whether every value that occurs, occurs at least k times."""

    k: int
    holds: bool
    achieved: int | None  # the largest k for which it holds; None where nothing occurs, and every k holds
    too_small: tuple[SmallClass, ...]  # ascending by value


@dataclass(frozen=True)
class Verification:
    """What `verify` found; true in a boolean context if all that was asked holds."""

    vertices: int
    edges: int
    mutual_friends: Check
    degrees: Check | None  # None if not asked for
    cleaning: Cleaning  # what was merged or dropped to get the graph that this is about

    @property
    def holds(self) -> bool:
        """Whether the graph is k-NMF anonymous and, if asked, k-degree anonymous."""
        return self.mutual_friends.holds and (self.degrees is None or self.degrees.holds)

    def __bool__(self) -> bool:
        return self.holds

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/audit-schema.md."""
        return {"schema": SCHEMA, "holds": self.holds, **plain(self)}


@stoppable()
def verify(graph_or_path: GraphLike, k: int = 25, degree_k: int | None = None) -> Verification:
    """Whether a graph is k-NMF anonymous: every number of mutual friends that occurs, occurs on k edges or more.

    Parameters
    ----------
    graph_or_path : anything that `graphveil.as_graph` takes
    k : at least 1, which holds for every graph
    degree_k : check too that every degree that occurs, occurs on so many vertices

    Raises
    ------
    GraphError : if the graph is not simple, its edges sorted, each once and with u < v

    Examples
    --------
    >>> from graphveil import Graph, verify
    >>> wheel = Graph.from_edges([(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4), (1, 4)])
    >>> bool(verify(wheel, k=4)), bool(verify(wheel, k=4, degree_k=2))
    (True, False)
    >>> verify(wheel, k=5).mutual_friends.too_small
    (SmallClass(value=1, size=4), SmallClass(value=2, size=4))
    """
    k = whole_number("k", k, least=1)
    if degree_k is not None:
        degree_k = whole_number("degree_k", degree_k, least=1)
    graph = as_graph(graph_or_path)
    edges, n = np.asarray(graph.edges), graph.n
    _check_simple(edges, n)
    degrees = np.bincount(edges.ravel(), minlength=n)
    return Verification(
        vertices=n,
        edges=len(edges),
        mutual_friends=_check(recount(edges, n), k),
        degrees=None if degree_k is None else _check(degrees, degree_k),
        cleaning=graph.cleaning,
    )


def _check(values: NDArray[Any], k: int) -> Check:
    occurring, sizes = np.unique(values, return_counts=True)
    small = sizes < k
    return Check(
        k=k,
        holds=not small.any(),
        achieved=int(sizes.min()) if len(sizes) else None,
        too_small=tuple(
            SmallClass(value, size)
            for value, size in zip(occurring[small].tolist(), sizes[small].tolist(), strict=True)
        ),
    )


def _check_simple(edges: NDArray[np.int32], n: int) -> None:
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
