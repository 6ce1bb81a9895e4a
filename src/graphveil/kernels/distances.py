"""Breadth-first searches from 512 sources at once, a bit for each.

M. Then et al. (The more the merrier: efficient multi-source graph traversal, VLDB 2014): every vertex has one row of
bits for the sources that have seen it and one for those that reached it in the last step; a step is then an OR of the
neighbours' rows. Here a vertex pulls from its neighbours, looks only at rows that changed in the last step, stops
when nothing is missing any more, and is left out for good once all sources have seen it.

Sources of one batch should be neighbours of each other, and neighbours should lie close in memory: both hold
when the vertices are numbered in the order of `breadth_first_order`.
"""

from __future__ import annotations

import numba
import numpy as np

from graphveil.kernels._jit import jit, parallel_jit

WORDS = 8  # of 64 bits: one cache line a row. `missing_bits` and `pull` below are written out for eight
BATCH = 64 * WORDS


@jit
def breadth_first_order(start, neighbours, roots):
    """All vertices in the order of breadth-first searches, each from the next of ``roots`` not reached before."""
    n = len(start) - 1
    reached = np.zeros(n, np.bool_)
    order = np.empty(n, np.int32)
    done = found = 0
    for root in roots:
        if reached[root]:
            continue
        reached[root] = True
        order[found] = root
        found += 1
        while done < found:
            v = order[done]
            done += 1
            for slot in range(start[v], start[v + 1]):
                w = neighbours[slot]
                if not reached[w]:
                    reached[w] = True
                    order[found] = w
                    found += 1
    return order


@jit
def popcount(word):
    """Number of ones in 64 bits."""
    one, two, four = np.uint64(1), np.uint64(2), np.uint64(4)
    word = word - ((word >> one) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> two) & np.uint64(0x3333333333333333))
    word = (word + (word >> four)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    word = word + (word >> np.uint64(8))
    word = word + (word >> np.uint64(16))
    word = word + (word >> np.uint64(32))
    return np.int64(word & np.uint64(0x7F))


@jit
def missing_bits(row, full):
    """The eight words of ``full`` without ``row``: in registers, where a loop would go through memory."""
    return (
        full[0] & ~row[0], full[1] & ~row[1], full[2] & ~row[2], full[3] & ~row[3],
        full[4] & ~row[4], full[5] & ~row[5], full[6] & ~row[6], full[7] & ~row[7],
    )  # fmt: skip


@jit
def pull(start, neighbours, u, missing, changed, frontier, fresh):
    """Write into ``fresh`` what of ``missing`` reaches u in this step; returns whether anything does."""
    m0, m1, m2, m3, m4, m5, m6, m7 = missing
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = np.uint64(0)
    for slot in range(start[u], start[u + 1]):
        v = neighbours[slot]
        if not changed[v]:
            continue
        row = frontier[v]
        a0, a1, a2, a3 = a0 | row[0], a1 | row[1], a2 | row[2], a3 | row[3]
        a4, a5, a6, a7 = a4 | row[4], a5 | row[5], a6 | row[6], a7 | row[7]
        lacking = (m0 & ~a0) | (m1 & ~a1) | (m2 & ~a2) | (m3 & ~a3)
        lacking |= (m4 & ~a4) | (m5 & ~a5) | (m6 & ~a6) | (m7 & ~a7)
        if lacking == 0:
            break
    a0, a1, a2, a3 = a0 & m0, a1 & m1, a2 & m2, a3 & m3
    a4, a5, a6, a7 = a4 & m4, a5 & m5, a6 & m6, a7 & m7
    fresh[0], fresh[1], fresh[2], fresh[3] = a0, a1, a2, a3
    fresh[4], fresh[5], fresh[6], fresh[7] = a4, a5, a6, a7
    return (a0 | a1 | a2 | a3 | a4 | a5 | a6 | a7) != 0


@jit
def sweep_batch(
    start, neighbours, sources, seen, rows, fresh_rows, changed, changing, open_rows, totals, counts
):
    """Search from up to `BATCH` sources.

    Adds to ``totals[v]`` the distances of v from them, and to ``counts[w, d]`` the pairs at distance d whose source
    lies in word w; returns the largest distance. ``seen`` is left with the sources that reach each vertex, the rest
    is room to work in.
    """
    n = len(start) - 1
    seen[:] = 0
    changed[:] = False
    changing[:] = False
    full = np.zeros(WORDS, np.uint64)
    for i in range(len(sources)):
        bit = np.uint64(1) << np.uint64(i & 63)
        if not changed[sources[i]]:
            rows[sources[i]] = 0
        rows[sources[i], i >> 6] |= bit
        seen[sources[i], i >> 6] |= bit
        full[i >> 6] |= bit
        changed[sources[i]] = True
    for v in range(n):
        open_rows[v] = v
    left, step, found = n, 0, True
    while found:
        step += 1
        found = False
        kept = 0
        for i in range(left):
            u = open_rows[i]
            missing = missing_bits(seen[u], full)
            m0, m1, m2, m3, m4, m5, m6, m7 = missing
            if (m0 | m1 | m2 | m3 | m4 | m5 | m6 | m7) == 0:
                changing[u] = False
                if changed[u]:  # one more step, in which the other array forgets it: it would be read in vain
                    open_rows[kept] = u
                    kept += 1
                continue
            open_rows[kept] = u
            kept += 1
            changing[u] = pull(start, neighbours, u, missing, changed, rows, fresh_rows[u])
            if changing[u]:
                found = True
                reaching = 0
                for word in range(WORDS):
                    bits = fresh_rows[u, word]
                    seen[u, word] |= bits
                    ones = popcount(bits)
                    counts[word, step] += ones
                    reaching += ones
                totals[u] += step * reaching
        left = kept
        rows, fresh_rows = fresh_rows, rows
        changed, changing = changing, changed
    return step - 1


@parallel_jit
def sweep(start, neighbours, sources, tasks, counts):
    """Distances from all sources, batch by batch.

    Returns for every vertex the sum of its distances from the sources that reach it, and the number of those, itself
    included; and the largest distance. Batch b adds to ``counts[b % len(counts), w, d]`` the pairs at distance d
    whose source lies in its word w. Two tasks must not share a row: as many rows as tasks, or at least as many as
    batches.
    """
    n = len(start) - 1
    batches = (len(sources) + BATCH - 1) // BATCH
    totals = np.zeros((tasks, n), np.int64)
    reached = np.zeros((tasks, n), np.int64)
    longest = np.zeros(tasks, np.int64)
    for task in numba.prange(tasks):
        seen = np.empty((n, WORDS), np.uint64)
        rows = np.empty((n, WORDS), np.uint64)
        fresh_rows = np.empty((n, WORDS), np.uint64)
        changed = np.empty(n, np.bool_)
        changing = np.empty(n, np.bool_)
        open_rows = np.empty(n, np.int32)
        for batch in range(task, batches, tasks):
            steps = sweep_batch(
                start, neighbours, sources[batch * BATCH : (batch + 1) * BATCH],
                seen, rows, fresh_rows, changed, changing, open_rows, totals[task], counts[batch % len(counts)],
            )  # fmt: skip
            longest[task] = max(longest[task], steps)
            for v in range(n):
                for word in range(WORDS):
                    reached[task, v] += popcount(seen[v, word])
    return totals.sum(axis=0), reached.sum(axis=0), longest.max()
