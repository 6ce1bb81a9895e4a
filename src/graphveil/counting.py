"""Count the mutual friends of every edge of an array of edges (Definition 1 and Propositions 1 and 2 of the paper).

Counting works in slices of about half a second, between which it can be stopped.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.stopping import check

FEW = 30_000  # edges whose mutual friends are counted with sets before Numba would be loaded
WORTH_SHARING = 100_000  # edges; below, waking threads costs more than it gains
MAX_TASKS = 8  # each task keeps a count of its own per edge: four bytes
SLICE = 2_000_000  # edges that are counted in one step: about half a second
CORE_SLICE = 1 << 30  # words of bits that are compared in one step, likewise
LARGEST_CORE = 1 << 14  # vertices in a matrix of bits: 32 MB
WORTH_BITS = 10_000_000  # steps saved; below, building the matrix is not worth it
WORDS_A_STEP = 3  # words of bits that are compared in the time of a step from edge to edge
STEPS_AN_EDGE = 4  # that two rows of bits take besides


def count_mutual_friends(edges: NDArray[np.int32], n: int) -> NDArray[np.int32]:
    """Number of mutual friends of the two ends of every edge: the triangles over the edge (Proposition 1).

    That the numbers add up to three times the triangles (Proposition 2) is checked on every count.
    """
    if len(edges) <= FEW:
        return _count_few(edges.tolist(), n)
    import numba

    from graphveil.kernels.counting import by_edge

    rank, start, head = oriented(edges, n)
    tasks = min(numba.get_num_threads(), MAX_TASKS) if len(edges) >= WORTH_SHARING else 1
    by_slot, triangles = count(start, head, core=_core_that_pays(start, head), tasks=tasks)
    if int(by_slot.sum(dtype=np.int64)) != 3 * triangles:
        raise AssertionError("mutual friends do not add up to three times the triangles")
    del head  # the peak of memory comes now
    counts = np.empty(len(edges), np.int32)
    by_edge(edges, rank, start, by_slot, counts)
    return counts


def _count_few(edges: list[list[int]], n: int) -> NDArray[np.int32]:
    """The definition: friends of both ends."""
    friends: list[set[int]] = [set() for _ in range(n)]
    for u, v in edges:
        friends[u].add(v)
        friends[v].add(u)
    return np.fromiter((len(friends[u] & friends[v]) for u, v in edges), np.int32, len(edges))


def oriented(
    edges: NDArray[np.int32], n: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Rank of each vertex by degree, first slot of each rank, and the rank that the edge in each slot leads up to."""
    from graphveil.kernels.counting import orient, rank_by_degree

    rank, start = np.zeros(n, np.int32), np.zeros(n + 2, np.int32)
    head = np.empty(len(edges), np.int32)
    rank_by_degree(edges, rank)
    check()
    orient(edges, rank, start, head)
    return rank, start[:-1], head


def count(
    start: NDArray[np.int32], head: NDArray[np.int32], *, core: int, tasks: int
) -> tuple[NDArray[np.int32], int]:
    """Triangles over the edge in each slot, and in all; those among the ``core`` highest ranks by rows of bits."""
    from graphveil.kernels.counting import NEAR, count_from, count_together, split_work

    n, m = len(start) - 1, len(head)
    counts, marked = np.zeros((tasks, m), np.int32), np.zeros((tasks, n), np.int32)
    near = np.zeros((tasks, NEAR), bool)
    parts = tasks * (1 + m // SLICE)
    bounds = split_work(start, head, n - core, parts) if parts > 1 else np.array([0, n - core])
    triangles = 0
    for first in range(0, parts, tasks):
        check()
        if tasks == 1:
            triangles += count_from(
                start, head, bounds[first], bounds[first + 1], counts[0], marked[0], near[0]
            )
        else:
            triangles += count_together(start, head, bounds[first : first + tasks + 1], counts, marked, near)
    for task in range(1, tasks):
        since = start[bounds[task]]  # before it the task has no edge
        counts[0, since:] += counts[task, since:]
    if core:
        triangles += _count_core(start, head, counts[0], core)
    return counts[0], int(triangles)


def _count_core(
    start: NDArray[np.int32], head: NDArray[np.int32], counts: NDArray[np.int32], core: int
) -> int:
    """Add the triangles among the highest ranks; returns how many."""
    from graphveil.kernels.counting import count_core, fill_core

    bits = np.zeros((core, core // 64 + 1), np.uint64)
    fill_core(start, head, bits)
    rows = max(CORE_SLICE // bits.size, 1)
    triangles = 0
    for first in range(0, core, rows):
        check()
        triangles += count_core(start, head, counts, bits, first, min(first + rows, core))
    return triangles


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
