"""Mutual friends of every edge by the forward algorithm.

Vertices are ranked by degree and every edge is pointed from its lower to its higher rank, so that no
vertex has more than O(sqrt(m)) outgoing edges. A triangle a < b < c in rank is then found exactly once, from a:
mark the heads of a's outgoing edges, walk the outgoing edges of each head b, and see which heads c are marked.
(T. Schank, D. Wagner: Finding, counting and listing all triangles in large graphs, WEA 2005.)

Each task owns a range of ranks with about the same work. Two edges of a triangle leave a and belong to the
task; the third leaves b and may belong to another, so each task counts in an array of its own.
"""

from __future__ import annotations

import numba
import numpy as np

from graphveil.kernels._jit import jit, parallel_jit


@jit
def rank_by_degree(edges, n):
    """Rank of each vertex when sorted by degree, ties by index (a counting sort)."""
    degree = np.zeros(n, np.int32)
    for e in range(len(edges)):
        degree[edges[e, 0]] += 1
        degree[edges[e, 1]] += 1
    highest = 0
    for v in range(n):
        highest = max(highest, degree[v])
    first = np.zeros(highest + 2, np.int64)
    for v in range(n):
        first[degree[v] + 1] += 1
    for d in range(highest + 1):
        first[d + 1] += first[d]
    rank = np.empty(n, np.int32)
    for v in range(n):
        rank[v] = first[degree[v]]
        first[degree[v]] += 1
    return rank


@jit
def orient(edges, rank):
    """Outgoing edges by rank of their tail, in the order of the edges: ``start`` and their heads."""
    n, m = len(rank), len(edges)
    start = np.zeros(n + 1, np.int32)
    for e in range(m):
        start[min(rank[edges[e, 0]], rank[edges[e, 1]]) + 1] += 1
    for r in range(n):
        start[r + 1] += start[r]
    fill = start[:-1].copy()
    head = np.empty(m, np.int32)
    for e in range(m):
        a, b = rank[edges[e, 0]], rank[edges[e, 1]]
        tail = min(a, b)
        head[fill[tail]] = max(a, b)
        fill[tail] += 1
    return start, head


@jit
def split_work(start, head, tasks):
    """Cut the ranks into ranges of about equal work; returns ``tasks + 1`` bounds."""
    n = len(start) - 1
    total = 0
    for slot in range(len(head)):
        total += 2 + start[head[slot] + 1] - start[head[slot]]
    bounds = np.full(tasks + 1, n, np.int64)
    bounds[0] = 0
    done, task = 0, 1
    for a in range(n):
        if task < tasks and done * tasks >= total * task:
            bounds[task] = a
            task += 1
        for slot in range(start[a], start[a + 1]):
            done += 2 + start[head[slot] + 1] - start[head[slot]]
    return bounds


@jit
def count_from(start, head, first, last, counts):
    """Add the triangles whose lowest rank lies in first…last−1 to the counts of their edges; returns how many."""
    marked = np.full(
        len(start) - 1 - first, -1, np.int32
    )  # by rank from ``first`` on: heads lie above their tail
    found = 0
    for a in range(first, last):
        if start[a + 1] - start[a] < 2:
            continue
        for slot in range(start[a], start[a + 1]):
            marked[head[slot] - first] = slot
        for ab in range(start[a], start[a + 1]):
            b = head[ab]
            over_ab = 0
            for bc in range(start[b], start[b + 1]):
                ac = marked[head[bc] - first]
                if ac >= 0:
                    over_ab += 1
                    counts[ac] += 1
                    counts[bc] += 1
            counts[ab] += over_ab
            found += over_ab
        for slot in range(start[a], start[a + 1]):
            marked[head[slot] - first] = -1
    return found


@jit
def count_alone(start, head):
    """Triangles over each oriented edge, and in all, without waking other threads."""
    counts = np.zeros(len(head), np.int32)
    triangles = count_from(start, head, 0, len(start) - 1, counts)
    return counts, triangles


@parallel_jit
def count_together(start, head, bounds):
    """The same by one task per range of ranks in ``bounds``."""
    m, tasks = len(head), len(bounds) - 1
    counts = np.zeros(
        (tasks, m), np.int32
    )  # a task writes from its first edge on: memory before stays untouched
    triangles = np.zeros(tasks, np.int64)
    for task in numba.prange(tasks):
        triangles[task] = count_from(start, head, bounds[task], bounds[task + 1], counts[task])
    for task in range(1, tasks):
        for slot in range(start[bounds[task]], m):
            counts[0, slot] += counts[task, slot]
    return counts[0], triangles.sum()


@jit
def by_edge(edges, rank, start, counts):
    """Counts in the order of the edges: the walk of `orient` once more, which uses ``start`` up."""
    result = np.empty(len(edges), np.int32)
    for e in range(len(edges)):
        tail = min(rank[edges[e, 0]], rank[edges[e, 1]])
        result[e] = counts[start[tail]]
        start[tail] += 1
    return result
