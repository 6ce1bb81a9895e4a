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
from graphveil.utility.sampling import Estimate, jackknife

__all__ = ["Betweenness", "betweenness", "compare"]

GROUPS = 8  # of pairs of sources; the figures depend on this number, not on that of the processor's cores


@dataclass(frozen=True)
class Betweenness:
    """What `betweenness` found.

    Attributes
    ----------
    values : betweenness of every vertex
    errors : standard error of every value; 0 where it is exact
    sources : how many vertices were started from
    sampled : their share of all vertices
    order : of the vertices, in which the sources were drawn; None when exact
    without_group : one row for each group of sources, the values that come out without it; no row when exact
    """

    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    sources: int
    sampled: float
    order: NDArray[np.int32] | None
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
    graph: Graph, *, sources: int | None = None, seed: int = 0, order: NDArray[np.int32] | None = None
) -> Betweenness:
    """Number of pairs whose shortest paths pass each vertex, by share of those paths.

    Parameters
    ---------- graph : any graph sources : number of vertices to start from, at least 4; all of them by default seed :
    for the choice of sources order : the vertices in an order whose runs are the strata, depth-first by default;
    those it lacks, which must have the
        highest numbers, are a stratum of their own. Two versions of a graph should be given one order: they then get
        the same sources, so that what differs is the graph

    Examples
    --------
    >>> from graphveil import Graph
    >>> betweenness(Graph.from_edges([(0, 1), (1, 2), (2, 3)])).values.tolist()
    [0.0, 2.0, 2.0, 0.0]
    """
    from graphveil.kernels.betweenness import fold_trees, scaled_dependencies
    from graphveil.kernels.distances import breadth_first_order

    start, neighbours, _ = graph.adjacency
    holder, weight, squares = fold_trees(start, neighbours)
    order = breadth_first_order(start, neighbours, np.argsort(-graph.degrees, kind="stable"))
    left = order[holder[order] == order]  # the vertices outside of the trees
    place = np.full(graph.n, -1, np.int32)
    place[left] = np.arange(len(left), dtype=np.int32)
    edges = place[graph.edges]
    edges = edges[(edges >= 0).all(axis=1)]
    core = Graph.from_arrays(edges[:, 0], edges[:, 1], n=len(left))
    if sources is None or sources > graph.n - 2:
        pairs, factors = _everybody(weight[left])
        count, order = graph.n, None
    else:
        order = _depth_first(graph) if order is None else order
        pairs, factors = _draw_pairs(order, graph.n, max(sources // 2, 2), seed)
        pairs = place[holder[pairs]]
        count = pairs.size
    start, neighbours, _ = core.adjacency
    sums, differences = scaled_dependencies(
        start, neighbours, weight[left].astype(np.float64), pairs, factors, GROUPS
    )
    sampled = count / graph.n if graph.n else 1.0
    values, errors = _within_trees(graph, holder, weight, squares), np.zeros(graph.n)
    without = np.repeat(values[None], 0 if sampled == 1 else GROUPS, axis=0)
    values[left] += sums.sum(axis=0)
    if sampled < 1:
        errors[left] = np.sqrt((1 - sampled) * differences.sum(axis=0))
        by_group = np.array([factors[group::GROUPS].sum() for group in range(GROUPS)])
        scale = by_group.sum() / (by_group.sum() - by_group)
        without[:, left] += (sums.sum(axis=0) - sums) * scale[:, None]
    return Betweenness(values, errors, count, sampled, order, without)


def compare(
    before: Betweenness,
    after: Betweenness,
    statistic: Callable[[NDArray[np.float64], NDArray[np.float64]], float | None],
) -> Estimate:
    """A statistic of two graphs' betweenness; from samples, with its error by leaving out one group at a time."""
    value = statistic(before.values, after.values)
    if before.exact and after.exact:
        return Estimate(value)
    rows = [found.without_group if not found.exact else [found.values] * GROUPS for found in (before, after)]
    return jackknife(
        value, [statistic(*pair) for pair in zip(*rows, strict=True)], min(before.sampled, after.sampled)
    )


def _everybody(weight: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
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
    first = random.integers(0, size)
    second = random.integers(0, np.maximum(size - 1, 1))
    second = np.minimum(second + (second >= first), size - 1)  # a single new vertex is paired with itself
    factors = np.repeat(size / 2, 2).reshape(-1, 2)
    return order[np.column_stack((first, second)) + bounds[:-1, None]], factors


def _within_trees(
    graph: Graph, holder: NDArray[np.int32], weight: NDArray[np.int64], squares: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Pairs that a vertex lies between because one end, or both in different branches, was folded into it."""
    from scipy.sparse.csgraph import connected_components

    component = connected_components(graph.to_scipy(), directed=False)[1]
    size = np.bincount(component, minlength=1)[component] if graph.n else weight
    folded = weight - 1
    pairs: NDArray[np.float64] = (folded**2 - squares) / 2 + folded * (size - weight).astype(np.float64)
    return pairs
