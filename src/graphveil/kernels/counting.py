"""Mutual friends of every edge by the forward algorithm.

Vertices are ranked by degree and every edge is pointed from its lower to its higher rank, so that no
vertex has more than O(sqrt(m)) outgoing edges. A triangle a < b < c in rank is then found exactly once, from a:
mark the heads of a's outgoing edges, walk the outgoing edges of each head b, and see which heads c are marked.
(T. Schank, D. Wagner: Finding, counting and listing all triangles in large graphs, WEA 2005.)

Rows of large graphs lie all over the memory. So the rows that a block of edges leads to are read once before they are
walked, which waits for many of them at the same time; and a small filter answers for most of the unmarked.

Each task owns a range of ranks with about the same work. Two edges of a triangle leave a and belong to the
task; the third leaves b and may belong to another, so each task counts in an array of its own.

The highest ranks may be tightly knit: each of the 4.5 million edges of a clique of 3,000 is in 2,998 triangles. There
the neighbours of a vertex become a row of bits, and an edge has as many mutual friends as its two rows share ones.

Arrays come from NumPy, which asks the system for large pages, and with which a kernel compiles sooner.
"""

from __future__ import annotations

import numba
import numpy as np

from graphveil.kernels._jit import jit, parallel_jit

BLOCK = 256  # edges whose heads' rows are read ahead: few enough to stay in the nearest caches
NEAR = 1 << 14  # size of the filter in bytes, likewise


@jit
def rank_by_degree(edges, rank):
    """Rank of each vertex when sorted by degree, ties by index (a counting sort). ``rank`` comes as zeros."""
    degree = rank
    for e in range(len(edges)):
        degree[edges[e, 0]] += 1
        degree[edges[e, 1]] += 1
    highest = 0
    for v in range(len(rank)):
        highest = max(highest, degree[v])
    first = np.zeros(highest + 2, np.int64)
    for v in range(len(rank)):
        first[degree[v] + 1] += 1
    for d in range(highest + 1):
        first[d + 1] += first[d]
    for v in range(len(rank)):
        d = degree[v]
        rank[v] = first[d]
        first[d] += 1


@jit
def orient(edges, rank, start, head):
    """Write the heads by rank of their tail, in the order of the edges.

    ``start`` comes as n + 2 zeros and leaves with the first slot of each rank in its first n + 1 places: the slot to
    be filled next stands one place further on, and ends where the next rank begins.
    """
    for e in range(len(edges)):
        start[min(rank[edges[e, 0]], rank[edges[e, 1]]) + 2] += 1
    for r in range(len(rank)):
        start[r + 1] += start[r]
    for e in range(len(edges)):
        a, b = rank[edges[e, 0]], rank[edges[e, 1]]
        tail = min(a, b) + 1
        slot = start[tail]
        start[tail] = slot + 1
        head[slot] = max(a, b)


@jit
def split_work(start, head, last, tasks):
    """Cut the ranks before ``last`` into ranges of about equal work; returns ``tasks + 1`` bounds."""
    total = 0
    for slot in range(start[last]):
        total += 2 + start[head[slot] + 1] - start[head[slot]]
    bounds = np.full(tasks + 1, last, np.int64)
    bounds[0] = 0
    done, task = 0, 1
    for a in range(last):
        if task < tasks and done * tasks >= total * task:
            bounds[task] = a
            task += 1
        for slot in range(start[a], start[a + 1]):
            done += 2 + start[head[slot] + 1] - start[head[slot]]
    return bounds


@jit
def read_ahead(start, head, counts, first, last, seen):
    """Read where the rows of the heads in these slots begin; ``seen`` keeps the compiler from leaving it out."""
    for slot in range(first, last):
        row = min(start[head[slot]], len(head) - 1)
        seen[0] ^= head[row] ^ counts[row]


@jit
def count_from(start, head, first, last, counts, marked, near):
    """Add the triangles whose lowest rank lies in first…last−1 to the counts of their edges; returns how many.

    ``marked`` holds slot + 1 of the heads of a, ``near`` whether a rank with the same last bits is marked; both come
    and go as zeros.
    """
    found, ready = 0, np.int64(start[first])
    seen, bits = np.zeros(1, np.int64), len(near) - 1
    for a in range(first, last):
        if ready < start[a + 1]:
            end = max(start[a + 1], min(ready + BLOCK, start[last]))
            read_ahead(start, head, counts, ready, end, seen)
            ready = end
        if start[a + 1] - start[a] < 2:
            continue
        for slot in range(start[a], start[a + 1]):
            marked[head[slot]] = slot + 1
            near[head[slot] & bits] = True
        for ab in range(start[a], start[a + 1]):
            b = head[ab]
            over_ab = 0
            for bc in range(start[b], start[b + 1]):
                c = head[bc]
                if near[c & bits] and marked[c]:
                    over_ab += 1
                    counts[marked[c] - 1] += 1
                    counts[bc] += 1
            counts[ab] += over_ab
            found += over_ab
        for slot in range(start[a], start[a + 1]):
            marked[head[slot]] = 0
            near[head[slot] & bits] = False
    return found


@parallel_jit
def count_together(start, head, bounds, counts, marked, near):
    """The same by one task per range of ranks in ``bounds``, each with a row of each array."""
    tasks = len(bounds) - 1
    triangles = np.zeros(tasks, np.int64)
    for task in numba.prange(tasks):
        triangles[task] = count_from(
            start, head, bounds[task], bounds[task + 1], counts[task], marked[task], near[task]
        )
    return triangles.sum()


# ---------------------------------------------------------------------------- tightly knit


@jit
def ones(word):
    """How many bits are set; compilers know this loop, and put an instruction in its place."""
    count = 0
    while word:
        word &= word - np.uint64(1)
        count += 1
    return count


@jit
def ones_in_common(bits, a, b, first, last):
    count = 0
    for word in range(first, last):
        count += ones(bits[a, word] & bits[b, word])
    return count


@jit
def join(bits, a, b):
    bits[a, b >> 6] |= np.uint64(1) << np.uint64(b & 63)


@jit
def fill_core(start, head, bits):
    """Set the neighbours among as many of the highest ranks as ``bits``, all zeros, has rows."""
    first = len(start) - 1 - len(bits)
    for a in range(len(bits)):
        for slot in range(start[first + a], start[first + a + 1]):
            b = np.int64(head[slot] - first)
            join(bits, a, b)
            join(bits, b, a)


@jit
def count_core(start, head, counts, bits, first_row, last_row):
    """Add the triangles among the highest ranks whose lowest is one of these rows of ``bits``; returns how many."""
    first = len(start) - 1 - len(bits)
    found = 0
    for a in range(first_row, last_row):
        for slot in range(start[first + a], start[first + a + 1]):
            b = np.int64(head[slot] - first)
            middle = b >> 6
            below = ones_in_common(bits, a, b, np.int64(0), middle)  # a literal would compile it again
            beside = bits[a, middle] & bits[b, middle]
            above = ones_in_common(bits, a, b, middle + 1, bits.shape[1])
            counts[slot] += below + ones(beside) + above
            found += ones(beside >> np.uint64(b & 63)) + above  # those where b is the vertex in the middle
    return found


# ---------------------------------------------------------------------------- back to the edges


@jit
def by_edge(edges, rank, start, counts, result):
    """Counts in the order of the edges: the walk of `orient` once more, which uses ``start`` up."""
    for e in range(len(edges)):
        tail = min(rank[edges[e, 0]], rank[edges[e, 1]])
        result[e] = counts[start[tail]]
        start[tail] += 1
