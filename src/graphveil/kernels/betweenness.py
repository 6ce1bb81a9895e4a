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
def rescale(paths):
    """Divide the path counts of one level by their largest if that is too large; returns the divisor."""
    largest = 0.0
    for i in range(len(paths)):
        largest = max(largest, paths[i])
    if largest <= LARGEST_COUNT:
        return 1.0
    for i in range(len(paths)):
        paths[i] /= largest
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
def count_paths(start, neighbours, source, reached, arriving, queue, paths, ends, divisor):
    """Put what a source reaches into the queue, level by level, with the number of shortest paths to each.

    Returns the number of levels; level i ends before ``queue[ends[i]]``. The loop over neighbours has no branch to
    guess wrong: a vertex that was reached before is written behind the end of the queue, and what arrives at it is not
    read any more. Vertices are unsigned, because Numba asks of signed indices whether they count from the end.
    """
    queue[0], paths[0], ends[0], divisor[0] = source, 1.0, 1, 1.0
    reached[source] = True
    begin, found, levels = 0, 1, 1
    while True:
        end = found
        for i in range(begin, end):
            v, number = queue[i], paths[i]
            for slot in range(np.uint64(start[v]), np.uint64(start[v + np.uint32(1)])):
                w = np.uint32(neighbours[slot])
                arriving[w] += number
                queue[found] = w
                found += not reached[w]
                reached[w] = True
        if found == end:
            break
        for i in range(end, found):
            paths[i] = arriving[queue[i]]
        divisor[levels] = rescale(paths[end:found])
        ends[levels] = found
        begin, levels = end, levels + 1
    for i in range(found):
        reached[queue[i]] = False
        arriving[queue[i]] = 0.0
    return levels


@jit
def find_dependencies(
    start, neighbours, weight, source, dependency, reached, arriving, passed_on, queue, paths, passing, ends, divisor
):  # fmt: skip
    """Write the scaled dependency of one source on every vertex; 0 where it reaches none.

    The other arrays are room to work in. ``reached``, ``arriving`` and ``passed_on`` come and go filled with zeros, and
    ``passed_on`` is zero outside the level after the present one: the neighbours there need not be told from others.
    """
    dependency[:] = 0.0
    levels = count_paths(start, neighbours, source, reached, arriving, queue, paths, ends, divisor)
    for near in range(levels - 1, 0, -1):
        for i in range(ends[near - 1], ends[near]):
            v = queue[i]
            beyond = 0.0
            for slot in range(np.uint64(start[v]), np.uint64(start[v + np.uint32(1)])):
                beyond += passed_on[np.uint32(neighbours[slot])]
            beyond *= paths[i]
            passing[i] = (weight[v] / near + beyond) / (paths[i] * divisor[near])
            dependency[v] = near * beyond
        if near + 1 < levels:
            for i in range(ends[near], ends[near + 1]):
                passed_on[queue[i]] = 0.0
        for i in range(ends[near - 1], ends[near]):
            passed_on[queue[i]] = passing[i]
    for i in range(1, ends[min(1, levels - 1)]):
        passed_on[queue[i]] = 0.0


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
        reached = np.zeros(n, np.bool_)
        arriving, passed_on = np.zeros(n), np.zeros(n)
        queue = np.empty(n + 1, np.uint32)
        paths, passing, divisor = np.empty(n), np.empty(n), np.empty(n)
        ends = np.empty(n, np.int64)
        for i in range(task, len(pairs), groups):
            find_dependencies(
                start, neighbours, weight, pairs[i, 0], one,
                reached, arriving, passed_on, queue, paths, passing, ends, divisor,
            )  # fmt: skip
            find_dependencies(
                start, neighbours, weight, pairs[i, 1], other,
                reached, arriving, passed_on, queue, paths, passing, ends, divisor,
            )  # fmt: skip
            for v in range(n):
                a, b = factors[i, 0] * one[v], factors[i, 1] * other[v]
                sums[row, v] += a + b
                squares[row, v] += (a - b) * (a - b)
