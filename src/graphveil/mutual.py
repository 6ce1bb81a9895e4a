"""Mutual friends of every edge (Definition 1 and Propositions 1 and 2 of Sun, Yu, Kong, Fu 2013)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.stopping import stoppable

__all__ = ["mutual_friends"]

WORTH_SHARING = 100_000  # edges; below, waking threads costs more than it gains
MAX_TASKS = 8  # each task keeps a count of its own per edge: four bytes
LARGEST_CORE = 1 << 14  # vertices in a matrix of bits: 32 MB
WORTH_BITS = 10_000_000  # steps saved; below, building the matrix is not worth it
WORDS_A_STEP = 3  # words of bits that are compared in the time of a step from edge to edge
STEPS_AN_EDGE = 4  # that two rows of bits take besides


@stoppable()
def mutual_friends(graph: Graph) -> NDArray[np.int32]:
    """Number of mutual friends of the two ends of every edge, in the order of `Graph.edges`.

    It is the number of triangles over the edge (Proposition 1). That the numbers add up to three times the
    triangles (Proposition 2) is checked on every count.

    Examples
    --------
    >>> from graphveil import Graph, mutual_friends
    >>> mutual_friends(Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3)])).tolist()
    [1, 1, 1, 0]
    """
    import numba

    from graphveil.kernels.counting import by_edge

    rank, start, head = oriented(graph)
    tasks = min(numba.get_num_threads(), MAX_TASKS) if graph.m >= WORTH_SHARING else 1
    by_slot, triangles = count(start, head, core=_core_that_pays(start, head), tasks=tasks)
    if int(by_slot.sum(dtype=np.int64)) != 3 * triangles:
        raise AssertionError("mutual friends do not add up to three times the triangles")
    del head  # the peak of memory comes now
    counts = np.empty(graph.m, np.int32)
    by_edge(graph.edges, rank, start, by_slot, counts)
    return counts


def oriented(graph: Graph) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Rank of each vertex by degree, first slot of each rank, and the rank that the edge in each slot leads up to."""
    from graphveil.kernels.counting import orient, rank_by_degree

    rank, start = np.zeros(graph.n, np.int32), np.zeros(graph.n + 2, np.int32)
    head = np.empty(graph.m, np.int32)
    rank_by_degree(graph.edges, rank)
    orient(graph.edges, rank, start, head)
    return rank, start[:-1], head


def count(
    start: NDArray[np.int32], head: NDArray[np.int32], *, core: int, tasks: int
) -> tuple[NDArray[np.int32], int]:
    """Triangles over the edge in each slot, and in all; those among the ``core`` highest ranks by rows of bits."""
    from graphveil.kernels.counting import NEAR, count_core, count_from, count_together, split_work

    n, m = len(start) - 1, len(head)
    counts, marked = np.zeros((tasks, m), np.int32), np.zeros((tasks, n), np.int32)
    near = np.zeros((tasks, NEAR), bool)
    if tasks == 1:
        triangles = count_from(start, head, 0, n - core, counts[0], marked[0], near[0])
    else:
        bounds = split_work(start, head, n - core, tasks)
        triangles = count_together(start, head, bounds, counts, marked, near)
    if core:
        triangles += count_core(start, head, counts[0], np.zeros((core, core // 64 + 1), np.uint64))
    return counts[0], int(triangles)


def _core_that_pays(start: NDArray[np.int32], head: NDArray[np.int32]) -> int:
    """How many of the highest ranks are best counted by rows of bits."""
    first = max(0, len(start) - 1 - LARGEST_CORE)
    begin = start[first:]
    edges = len(head) - begin.astype(np.int64)  # among the ranks from each one on: they leave it and lead up
    steps = np.zeros(edges[0] + 1, np.int64)
    np.cumsum(np.diff(begin)[head[begin[0] :] - first], out=steps[1:])
    saved = steps[-1] - steps[begin - begin[0]]
    size = np.arange(len(begin) - 1, -1, -1)
    saved -= edges * (size + 64 * WORDS_A_STEP * STEPS_AN_EDGE) // (64 * WORDS_A_STEP)
    best = int(saved.argmax())
    return int(size[best]) if saved[best] >= WORTH_BITS else 0
