"""How far people are from each other: average path length, diameter, effective diameter, closeness.

All from one sweep of breadth-first searches. Pairs without a path between them do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.measures.sampling import Estimate, Told, jackknife, slices

GROUP = 64  # sources that are left out together to find the error of a sample: those of one word of bits
EFFECTIVE = 0.9  # share of the pairs within the effective diameter
AT_ONCE = 3_000_000  # batches × size of the graph for a core in one call: about half a second


@dataclass(frozen=True)
class Distances:
    """What `distances` found."""

    exact: bool  # whether every vertex was a source
    average: Estimate  # average distance of connected pairs
    diameter: int | None  # largest distance of a connected pair; of those seen, so at least, in a sample
    # Distance within which 90 % of the connected pairs lie, interpolated between whole steps (J. Leskovec, J.
    # Kleinberg, C. Faloutsos: Graphs over time, KDD 2005)
    effective_diameter: Estimate
    # Of every vertex, 1 / its average distance, times the share of the others that it reaches (S. Wasserman,
    # K. Faust: Social network analysis, 1994)
    closeness: NDArray[np.float64]
    histogram: NDArray[np.float64]  # share of the connected pairs at each distance, from 0


def distances(
    graph: Graph, *, sources: int | None = None, seed: int = 0, told: Told | None = None
) -> Distances:
    """Distances between all pairs, or from ``sources`` to all: a multiple of 64, drawn at random.

    >>> from graphveil import Graph
    >>> found = distances(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    >>> round(found.average.value, 3), found.diameter, found.effective_diameter.value
    (1.667, 3, 2.4)
    """
    rounded = graph.n if sources is None else -(-sources // GROUP) * GROUP
    if rounded >= graph.n:
        chosen = np.arange(graph.n)
    else:
        chosen = np.random.default_rng(seed).choice(graph.n, rounded, replace=False)
    totals, reached, counts = _sweep(graph, chosen, told)
    share = len(chosen) / graph.n if graph.n else 1.0
    is_source = np.bincount(chosen, minlength=graph.n)
    return Distances(
        exact=share == 1,
        average=_with_error(_average, counts, share),
        diameter=counts.shape[1] - 1 if counts.shape[1] > 1 else None,
        effective_diameter=_with_error(_effective_diameter, counts, share),
        closeness=_closeness(totals, reached, len(chosen) - is_source),
        histogram=counts.sum(axis=0) / max(counts.sum(), 1),
    )


def _sweep(
    graph: Graph, chosen: NDArray[np.int64], told: Told | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Sums of distances and numbers of other sources by vertex; numbers of pairs by group of sources and distance."""
    import numba

    from graphveil.kernels.distances import BATCH, WORDS, breadth_first_order, sweep

    start, neighbours, _ = graph.adjacency
    order = breadth_first_order(start, neighbours, np.argsort(-graph.degrees, kind="stable"))
    place = np.empty(graph.n, np.int32)
    place[order] = np.arange(graph.n, dtype=np.int32)
    ordered = Graph.from_arrays(place[graph.edges[:, 0]], place[graph.edges[:, 1]], n=graph.n)
    start, neighbours, _ = ordered.adjacency
    everyone = len(chosen) == graph.n
    sources = np.arange(graph.n, dtype=np.int32) if everyone else place[chosen]
    batches = max(-(-len(sources) // BATCH), 1)
    tasks = min(numba.get_num_threads(), batches)
    # Zeroed by the system page by page as they are touched, and few distances occur.
    counts = np.zeros((tasks if everyone else batches, WORDS, graph.n + 1), np.int64)
    totals, reached, longest = np.zeros(graph.n, np.int64), np.zeros(graph.n, np.int64), 0
    at_once = max(AT_ONCE // (len(start) + len(neighbours)), 1) * tasks
    for part in slices(batches, at_once, told):
        of_part = sources[part.start * BATCH : part.stop * BATCH]
        found = sweep(start, neighbours, of_part, tasks, counts if everyone else counts[part])
        totals += found[0]
        reached += found[1]
        longest = max(longest, found[2])
    by_group = counts[:, :, : longest + 1].reshape(-1, longest + 1)
    return totals[place], reached[place], by_group[by_group.any(axis=1)] if longest else by_group[:1]


def _average(counts: NDArray[np.int64]) -> float | None:
    pairs = int(counts.sum())
    return int(counts @ np.arange(len(counts))) / pairs if pairs else None


def _effective_diameter(counts: NDArray[np.int64]) -> float | None:
    if not counts.any():
        return None
    within = np.cumsum(counts) / counts.sum()
    far = int(np.argmax(within >= EFFECTIVE))
    return float(far - 1 + (EFFECTIVE - within[far - 1]) / (within[far] - within[far - 1]))


def _with_error(
    statistic: Callable[[NDArray[np.int64]], float | None], counts: NDArray[np.int64], share: float
) -> Estimate:
    """A statistic of the pairs by distance; in a sample, its error by leaving out one group of sources at a time."""
    every = counts.sum(axis=0)
    if share == 1:
        return Estimate(statistic(every))
    return jackknife(statistic(every), [statistic(every - group) for group in counts], share)


def _closeness(
    totals: NDArray[np.int64], reached: NDArray[np.int64], others: NDArray[np.int64]
) -> NDArray[np.float64]:
    share = reached / np.maximum(others, 1)
    return np.where(totals > 0, share * reached / np.maximum(totals, 1), 0.0)
