"""What two vertices have in common, for given pairs.

Each neighbour of the end with fewer is looked up among the sorted neighbours of the other, so a hub costs no more
than the vertices beside it.
"""

from __future__ import annotations

import numba
import numpy as np

from graphveil.kernels._jit import parallel_jit


@parallel_jit
def common_neighbours(start, neighbours, weight, pairs):
    """Number and total weight of the common neighbours of every pair."""
    count = len(pairs)
    number = np.zeros(count, np.int64)
    total = np.zeros(count)
    for i in numba.prange(count):
        u, v = pairs[i, 0], pairs[i, 1]
        if start[u + 1] - start[u] > start[v + 1] - start[v]:
            u, v = v, u
        row = neighbours[start[v] : start[v + 1]]
        for slot in range(start[u], start[u + 1]):
            w = neighbours[slot]
            place = np.searchsorted(row, w)
            if place < len(row) and row[place] == w:
                number[i] += 1
                total[i] += weight[w]
    return number, total


@parallel_jit
def paths_of_three(start, neighbours, pairs, marks, number):
    """Number of paths u–a–b–v of every pair, with a and b apart from both ends; each closes a cycle of four with u–v.

    ``marks`` is room to work in, a row for each task, and comes and goes filled with 0.
    """
    tasks = len(marks)
    for task in numba.prange(tasks):
        for i in range(task, len(pairs), tasks):
            u, v = pairs[i, 0], pairs[i, 1]
            if start[u + 1] - start[u] > start[v + 1] - start[v]:
                u, v = v, u
            for slot in range(start[v], start[v + 1]):
                marks[task, neighbours[slot]] = 1
            marks[task, u] = 0
            found = 0
            for slot in range(start[u], start[u + 1]):
                a = neighbours[slot]
                if a == v:
                    continue
                for other in range(start[a], start[a + 1]):
                    found += marks[task, neighbours[other]]
            number[i] = found
            for slot in range(start[v], start[v + 1]):
                marks[task, neighbours[slot]] = 0
