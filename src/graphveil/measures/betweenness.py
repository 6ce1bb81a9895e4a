"""Betweenness of every vertex, exact or from a sample of sources, with a stated error.

The idea and its sources are in `graphveil.kernels.betweenness`. Every unordered pair of other vertices counts once,
as in igraph, and as in networkx with ``normalized=False``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.measures.sampling import Estimate, Told, jackknife, slices

GROUPS = 8  # of pairs of sources; the figures depend on this number, not on that of the processor's cores
AT_ONCE = 8_000_000  # pairs of sources × size of the graph for a core in one call: about half a second
# Lower bounds of the bins to draw it in, as a share of all pairs of vertices: 0, then quarters of a decade.
BINS = (0.0, *(10.0 ** np.arange(-10, 0.25, 0.25)).tolist())


@dataclass(frozen=True)
class Betweenness:
    """What `betweenness` found."""

    values: NDArray[np.float64]  # betweenness of every vertex
    errors: NDArray[np.float64]  # standard error of every value; 0 where it is exact
    sources: int  # how many vertices were started from
    sampled: float  # their share of all vertices
    order: NDArray[np.int32] | None  # of the vertices, in which the sources were drawn; None when exact
    # One row for each group of sources, the values that come out without it; no row when exact
    without_group: NDArray[np.float64]

    @property
    def exact(self) -> bool:
        """Whether every vertex was a source."""
        return self.sampled == 1

    @property
    def relative_error(self) -> float:
        """Root of the mean squared standard error, as a share of the mean betweenness."""
        mean = float(self.values.mean()) if len(self.values) else 0.0
        return float(np.sqrt(np.mean(self.errors**2))) / mean if mean > 0 else 0.0


def betweenness(
    graph: Graph,
    *,
    sources: int | None = None,
    seed: int = 0,
    order: NDArray[np.int32] | None = None,
    told: Told | None = None,
) -> Betweenness:
    """Number of pairs whose shortest paths pass each vertex, by share of those paths.

    With ``sources``, at least 4, this starts from a sample of the vertices: the strata are runs of ``order``, depth-
    first by default; vertices that it lacks, which have the highest numbers, are a stratum of their own. Two versions
    of a graph get one order: they then share their sources, so that what differs is the graph.

    >>> from graphveil import Graph
    >>> betweenness(Graph.from_edges([(0, 1), (1, 2), (2, 3)])).values.tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    core = _fold(graph)
    if sources is None or sources > graph.n - 2:
        pairs, factors = _everybody(core.weight)
        count, order = graph.n, None
    else:
        order = _depth_first(graph) if order is None else order
        pairs, factors = _draw_pairs(order, graph.n, max(sources // 2, 2), seed)
        pairs, count = core.place[pairs], pairs.size
    sums, differences = _dependencies(core, pairs, factors, told)
    total = sums.sum(axis=0)
    sampled = min(count / graph.n, 1.0) if graph.n else 1.0
    values, errors = core.within_trees.copy(), np.zeros(graph.n)
    values[core.vertices] += total
    errors[core.vertices] = np.sqrt((1 - sampled) * differences.sum(axis=0))
    without = np.repeat(core.within_trees[None], 0 if order is None else GROUPS, axis=0)
    if order is not None:
        share = np.array([factors[group::GROUPS].sum() for group in range(GROUPS)]) / factors.sum()
        without[:, core.vertices] += (total - sums) / (1 - share)[:, None]
    return Betweenness(values, errors, count, sampled, order, without)


def _dependencies(
    core: _Core, pairs: NDArray[np.int32], factors: NDArray[np.float64], told: Told | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums of scaled dependencies by group of pairs, and of their squared differences within the pairs."""
    import numba

    from graphveil.kernels.betweenness import add_scaled_dependencies

    start, neighbours, _ = core.graph.adjacency
    sums, squares = np.zeros((2, GROUPS, core.graph.n))
    at_once = max(AT_ONCE // (len(start) + len(neighbours)), 1) * numba.get_num_threads()
    for part in slices(len(pairs), at_once, told):
        add_scaled_dependencies(
            start, neighbours, core.weight, pairs[part], factors[part], part.start, sums, squares
        )
    return sums, squares


def binned(shares: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many shares lie in each of the `BINS`."""
    return np.bincount(np.searchsorted(BINS, shares, side="right") - 1, minlength=len(BINS))


def compare(
    before: Betweenness,
    after: Betweenness,
    statistic: Callable[[NDArray[np.float64], NDArray[np.float64]], float | None],
    *,
    step: float = 0.0,
) -> Estimate:
    """A statistic of two graphs' betweenness; from samples, with its error by leaving out one group at a time.

    A statistic that moves by ``step`` or not at all may stay the same whatever is left out; its error is stated as half
    a step at least.
    """
    value = statistic(before.values, after.values)
    if before.exact and after.exact:
        return Estimate(value)
    rows = [found.without_group if not found.exact else [found.values] * GROUPS for found in (before, after)]
    without_group = [statistic(*pair) for pair in zip(*rows, strict=True)]
    found = jackknife(value, without_group, min(before.sampled, after.sampled))
    return Estimate(found.value, max(found.error, step / 2))


@dataclass(frozen=True)
class _Core:
    """A graph without the trees that hang on it."""

    graph: Graph  # what is left, numbered breadth-first
    vertices: NDArray[np.int32]  # number in the whole graph of each vertex left
    # Of every vertex of the whole graph, the number here of the vertex that its tree hangs on
    place: NDArray[np.int32]
    weight: NDArray[np.float64]  # of each vertex left, the vertices of its trees and itself
    # Of every vertex of the whole graph, the pairs that it lies between because one end, or both in different
    # branches, was folded into it
    within_trees: NDArray[np.float64]


def _fold(graph: Graph) -> _Core:
    from scipy.sparse.csgraph import connected_components

    from graphveil.kernels.betweenness import fold_trees
    from graphveil.kernels.distances import breadth_first_order

    start, neighbours, _ = graph.adjacency
    holder, weight, squares = fold_trees(start, neighbours)
    order = breadth_first_order(start, neighbours, np.argsort(-graph.degrees, kind="stable"))
    left = order[holder[order] == order]
    place = np.full(graph.n, -1, np.int32)
    place[left] = np.arange(len(left), dtype=np.int32)
    edges = place[graph.edges]
    u, v = edges[(edges >= 0).all(axis=1)].T
    component = connected_components(graph.to_scipy(), directed=False)[1] if graph.n else order
    size = np.bincount(component)[component]
    folded = weight - 1
    within_trees = (folded**2 - squares) / 2 + folded * (size - weight).astype(np.float64)
    return _Core(
        Graph.from_arrays(u, v, n=len(left)),
        left,
        place[holder],
        weight[left].astype(np.float64),
        within_trees,
    )


def _everybody(weight: NDArray[np.float64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Every vertex as a source, as often as it weighs, in pairs; the last of an odd number counts only once."""
    count = len(weight) + len(weight) % 2
    pairs = np.zeros(count, np.int32)
    factors = np.zeros(count)
    pairs[: len(weight)] = np.arange(len(weight))
    factors[: len(weight)] = weight
    return pairs.reshape(-1, 2), factors.reshape(-1, 2)


def _depth_first(graph: Graph) -> NDArray[np.int32]:
    from graphveil.kernels.betweenness import depth_first_order

    start, neighbours, _ = graph.adjacency
    order: NDArray[np.int32] = depth_first_order(start, neighbours)
    return order


def _draw_pairs(
    order: NDArray[np.int32], n: int, strata: int, seed: int
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Two vertices from each of as many runs of the order, and from the rest; for each, half the length of the run."""
    bounds = np.arange(strata + 1) * len(order) // strata
    if len(order) < n:
        bounds = np.append(bounds, n)
        order = np.append(order, np.arange(len(order), n, dtype=np.int32))
    size = np.diff(bounds)
    random = np.random.default_rng(seed)
    chance = random.random((len(size), 2))
    first = (chance[:, 0] * size).astype(np.int64)
    second = (chance[:, 1] * (size - 1)).astype(np.int64)
    second = np.minimum(second + (second >= first), size - 1)  # a single new vertex is paired with itself
    factors = np.repeat(size / 2, 2).reshape(-1, 2)
    return order[np.column_stack((first, second)) + bounds[:-1, None]], factors
