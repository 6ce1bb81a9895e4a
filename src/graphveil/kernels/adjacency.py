"""Compressed adjacency rows from a sorted edge list."""

from __future__ import annotations

import numpy as np

from graphveil.kernels._jit import jit


@jit
def compressed_rows(edges, n):
    """``start``, the neighbours of each vertex in ascending order, and the edge behind each of them.

    Edges come sorted with u < v. The first pass gives every vertex its smaller neighbours, which the order of
    the edges brings ascending; the second its larger ones.
    """
    m = len(edges)
    start = np.zeros(n + 1, np.int64)
    for e in range(m):
        start[edges[e, 0] + 1] += 1
        start[edges[e, 1] + 1] += 1
    for v in range(n):
        start[v + 1] += start[v]
    fill = start[:-1].copy()
    neighbours = np.empty(2 * m, np.int32)
    edge = np.empty(2 * m, np.int32)
    for e in range(m):
        v = edges[e, 1]
        neighbours[fill[v]] = edges[e, 0]
        edge[fill[v]] = e
        fill[v] += 1
    for e in range(m):
        u = edges[e, 0]
        neighbours[fill[u]] = edges[e, 1]
        edge[fill[u]] = e
        fill[u] += 1
    return start, neighbours, edge
