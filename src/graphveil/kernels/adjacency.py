"""Compressed adjacency rows from a sorted edge list."""

from __future__ import annotations

from graphveil.kernels._jit import jit


@jit
def append(start, neighbours, edge, v, w, e):
    """Write w and the edge to it into the next slot of v."""
    slot = start[v + 1]
    start[v + 1] = slot + 1
    neighbours[slot] = w
    edge[slot] = e


@jit
def compressed_rows(edges, start, neighbours, edge):
    """Write the neighbours of each vertex in ascending order, and the edge behind each of them.

    Edges come sorted with u < v. The first pass gives every vertex its smaller neighbours, which the order of
    the edges brings ascending; the second its larger ones.

    ``start`` comes as n + 2 zeros and leaves with the first slot of each vertex in its first n + 1 places: the slot to
    be filled next stands one place further on, and ends where the next vertex begins.
    """
    for e in range(len(edges)):
        start[edges[e, 0] + 2] += 1
        start[edges[e, 1] + 2] += 1
    for v in range(len(start) - 1):
        start[v + 1] += start[v]
    for e in range(len(edges)):
        append(start, neighbours, edge, edges[e, 1], edges[e, 0], e)
    for e in range(len(edges)):
        append(start, neighbours, edge, edges[e, 0], edges[e, 1], e)
