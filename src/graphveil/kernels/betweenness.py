"""Betweenness from a set of sources, with linear scaling.

U. Brandes (A faster algorithm for betweenness centrality, 2001) sums, over all sources s, the dependency of s on
every vertex v: over the targets t, the share of shortest s–t paths that pass v. R. Geisberger, P. Sanders and D.
Schultes (Better approximation of betweenness centrality, ALENEX 2008) weigh each share by d(s,v) / d(s,t), so that a
vertex close to a sampled source is not overrated. The weights seen from s and from t add up to one, so over *all*
sources the sum is the betweenness itself, each unordered pair counted once: one kernel serves the sample and the
exact value.

Two things lower the work and the error further. Trees that hang on the rest are folded into the vertex that they hang
on: what lies between in them is counted, not sampled, and the vertex weighs as much as its tree (M. Baglioni et al.,
Fast exact computation of betweenness centrality in social networks, ASONAM 2012). And the sources are drawn two by
two from strata of neighbouring vertices, runs of a depth-first order, which spreads them over the graph and gives, by
the differences within the pairs, an unbiased estimate of the variance (W. G. Cochran: Sampling techniques, chapter
5A).

With h(w) = (weight(w) / d(s,w) + g(w)) / σ(w), the recursion is g(v) = σ(v) · Σ h(w) over the neighbours w one step
further from s, and the scaled dependency is d(s,v) · g(v).
"""

from __future__ import annotations

import numba
import numpy as np

from graphveil.kernels._jit import jit, parallel_jit

LARGEST_COUNT = (
    1e100  # path counts above it are rescaled: a grid has more shortest paths than a float can hold
)


@jit
def rescale(level, paths):
    """Divide the path counts of one level by their largest if that is too large; returns the divisor."""
    largest = 0.0
    for i in range(len(level)):
        largest = max(largest, paths[level[i]])
    if largest <= LARGEST_COUNT:
        return 1.0
    for i in range(len(level)):
        paths[level[i]] /= largest
    return largest


@jit
def depth_first_order(start, neighbours):
    """All vertices in the order of depth-first searches."""
    n = len(start) - 1
    reached = np.zeros(n, np.bool_)
    next_slot = start[:-1].copy()
    way = np.empty(n, np.int32)
    order = np.empty(n, np.int32)
    found = 0
    for root in range(n):
        if reached[root]:
            continue
        reached[root] = True
        order[found] = way[0] = root
        found += 1
        depth = 0
        while depth >= 0:
            v = way[depth]
            if next_slot[v] == start[v + 1]:
                depth -= 1
                continue
            w = neighbours[next_slot[v]]
            next_slot[v] += 1
            if not reached[w]:
                reached[w] = True
                order[found] = w
                found += 1
                depth += 1
                way[depth] = w
    return order


@jit
def fold_trees(start, neighbours):
    """Take away vertices with one neighbour, again and again.

    Returns for every vertex the one left that its tree hangs on (itself if it is left), the number of vertices folded
    into it and itself, and the sum of the squares of that number over those folded into it directly.
    """
    n = len(start) - 1
    degree = start[1:] - start[:-1]
    holder = np.arange(n).astype(np.int32)
    weight = np.ones(n, np.int64)
    squares = np.zeros(n, np.int64)
    folded = np.empty(n, np.int32)
    count = 0
    for leaf in range(n):
        v = leaf
        while degree[v] == 1:  # a leaf, then whatever its going makes a leaf
            for slot in range(start[v], start[v + 1]):
                if degree[neighbours[slot]] > 0:
                    parent = neighbours[slot]
            degree[v] = 0
            degree[parent] -= 1
            holder[v] = parent
            weight[parent] += weight[v]
            squares[parent] += weight[v] * weight[v]
            folded[count] = v
            count += 1
            if parent > leaf:
                break  # its turn comes
            v = parent
    for i in range(count - 1, -1, -1):  # a parent is folded after its children
        holder[folded[i]] = holder[holder[folded[i]]]
    return holder, weight, squares


@jit
def find_dependencies(
    start, neighbours, weight, source, dependency, distance, paths, passed_on, divisor, queue
):
    """Write the scaled dependency of one source on every vertex; 0 where it reaches none.

    The other arrays are room to work in: ``distance`` comes and goes filled with −1, ``paths`` with 0.
    """
    dependency[:] = 0.0
    distance[source], paths[source], queue[0] = 0, 1.0, source
    done, found = 0, 1
    while done < found:
        level_end = found
        further = distance[queue[done]] + 1
        divisor[further - 1] = rescale(queue[done:level_end], paths)
        while done < level_end:
            v = queue[done]
            done += 1
            for slot in range(start[v], start[v + 1]):
                w = neighbours[slot]
                if distance[w] < 0:
                    distance[w] = further
                    queue[found] = w
                    found += 1
                if distance[w] == further:
                    paths[w] += paths[v]
    for i in range(found - 1, 0, -1):
        v = queue[i]
        near = distance[v]
        beyond = 0.0
        for slot in range(start[v], start[v + 1]):
            w = neighbours[slot]
            if distance[w] == near + 1:
                beyond += passed_on[w]
        beyond *= paths[v]
        passed_on[v] = (weight[v] / near + beyond) / (paths[v] * divisor[near])
        dependency[v] = near * beyond
    for i in range(found):
        distance[queue[i]] = -1
        paths[queue[i]] = 0.0


@parallel_jit
def add_scaled_dependencies(start, neighbours, weight, pairs, factors, first, sums, squares):
    """Add up the scaled dependencies of pairs of sources, and their squared differences within each pair.

    Pair i counts ``factors[i]`` times, with a factor for each of its two. It goes into row ``first + i``, modulo their
    number, of both sums: rows, not threads or calls, are what these are split by, so the same figures come out on any
    number of cores and however the pairs are dealt out to calls in their order.
    """
    n, groups = len(start) - 1, len(sums)
    for task in numba.prange(min(groups, len(pairs))):
        row = (first + task) % groups
        one, other = np.empty(n), np.empty(n)
        distance = np.full(n, -1, np.int32)
        paths = np.zeros(n)
        passed_on, divisor = np.empty(n), np.empty(n)
        queue = np.empty(n, np.int32)
        for i in range(task, len(pairs), groups):
            find_dependencies(
                start, neighbours, weight, pairs[i, 0], one, distance, paths, passed_on, divisor, queue
            )
            find_dependencies(
                start, neighbours, weight, pairs[i, 1], other, distance, paths, passed_on, divisor, queue
            )
            for v in range(n):
                a, b = factors[i, 0] * one[v], factors[i, 1] * other[v]
                sums[row, v] += a + b
                squares[row, v] += (a - b) * (a - b)
