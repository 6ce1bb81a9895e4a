"""Mutual friends of every edge (Definition 1 and Propositions 1 and 2 of Sun, Yu, Kong, Fu 2013)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph

__all__ = ["mutual_friends"]

WORTH_SHARING = 100_000  # edges; below, waking threads costs more than it gains
MAX_TASKS = 8  # each task keeps a count of its own per edge: four bytes


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

    from graphveil.kernels.counting import (
        by_edge,
        count_alone,
        count_together,
        orient,
        rank_by_degree,
        split_work,
    )

    rank = rank_by_degree(graph.edges, graph.n)
    start, head = orient(graph.edges, rank)
    tasks = min(numba.get_num_threads(), MAX_TASKS)
    if tasks == 1 or graph.m < WORTH_SHARING:
        by_slot, triangles = count_alone(start, head)
    else:
        by_slot, triangles = count_together(start, head, split_work(start, head, tasks))
    if int(by_slot.sum(dtype=np.int64)) != 3 * int(triangles):
        raise AssertionError("mutual friends do not add up to three times the triangles")
    del head  # the peak of memory comes now
    counts: NDArray[np.int32] = by_edge(graph.edges, rank, start, by_slot)
    return counts
