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
def any_bit(words):
    """Whether one of eight words is not zero."""
    w0, w1, w2, w3, w4, w5, w6, w7 = words
    return (w0 | w1 | w2 | w3 | w4 | w5 | w6 | w7) != 0


@jit
def pull(start, neighbours, u, missing, changed, frontier):
    """The eight words of ``missing`` that reach u in this step.

    Vertices and slots are unsigned: Numba asks of every signed index whether it counts from the end.
    """
    m0, m1, m2, m3, m4, m5, m6, m7 = missing
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = np.uint64(0)
    for slot in range(np.uint64(start[u]), np.uint64(start[u + np.uint32(1)])):
        v = np.uint32(neighbours[slot])
        if not changed[v]:
            continue
        row = frontier[v]
        a0, a1, a2, a3 = a0 | row[0], a1 | row[1], a2 | row[2], a3 | row[3]
        a4, a5, a6, a7 = a4 | row[4], a5 | row[5], a6 | row[6], a7 | row[7]
        lacking = (m0 & ~a0) | (m1 & ~a1) | (m2 & ~a2) | (m3 & ~a3)
        lacking |= (m4 & ~a4) | (m5 & ~a5) | (m6 & ~a6) | (m7 & ~a7)
        if lacking == 0:
            break
    return a0 & m0, a1 & m1, a2 & m2, a3 & m3, a4 & m4, a5 & m5, a6 & m6, a7 & m7


@jit
def keep_bits(words, fresh, row):
    """Write eight words, and add them to a row."""
    w0, w1, w2, w3, w4, w5, w6, w7 = words
    fresh[0], fresh[1], fresh[2], fresh[3] = w0, w1, w2, w3
    fresh[4], fresh[5], fresh[6], fresh[7] = w4, w5, w6, w7
    row[0], row[1], row[2], row[3] = row[0] | w0, row[1] | w1, row[2] | w2, row[3] | w3
    row[4], row[5], row[6], row[7] = row[4] | w4, row[5] | w5, row[6] | w6, row[7] | w7


@jit
def set_out(sources, seen, rows, changed, full):
    """Let every vertex have seen nothing, and each source itself: one bit, which ``full`` gets too."""
    seen[:] = 0
    changed[:] = False
    full[:] = 0
    for i in range(len(sources)):
        bit = np.uint64(1) << np.uint64(i & 63)
        if not changed[sources[i]]:
            rows[sources[i]] = 0
        rows[sources[i], i >> 6] |= bit
        seen[sources[i], i >> 6] |= bit
        full[i >> 6] |= bit
        changed[sources[i]] = True


@jit
def take_step(
    start, neighbours, step, full, seen, rows, fresh_rows, changed, changing, open_rows, left, totals, reached, counts
):  # fmt: skip
    """One step of all searches, for the first ``left`` of the open rows.

    Returns how many rows stay open, and whether a source reached a vertex.
    """
    c0 = c1 = c2 = c3 = c4 = c5 = c6 = c7 = np.int64(0)
    kept = 0
    for i in range(left):
        u = open_rows[i]
        missing = missing_bits(seen[u], full)
        if not any_bit(missing):
            changing[u] = False
            if changed[u]:  # one more step, in which the other array forgets it: it would be read in vain
                open_rows[kept] = u
                kept += 1
            continue
        open_rows[kept] = u
        kept += 1
        words = pull(start, neighbours, u, missing, changed, rows)
        changing[u] = any_bit(words)
        if changing[u]:
            keep_bits(words, fresh_rows[u], seen[u])
            p0, p1, p2, p3 = popcount(words[0]), popcount(words[1]), popcount(words[2]), popcount(words[3])
            p4, p5, p6, p7 = popcount(words[4]), popcount(words[5]), popcount(words[6]), popcount(words[7])
            c0, c1, c2, c3 = c0 + p0, c1 + p1, c2 + p2, c3 + p3
            c4, c5, c6, c7 = c4 + p4, c5 + p5, c6 + p6, c7 + p7
            ones = p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7
            reached[u] += ones
            totals[u] += step * ones
    pairs = (c0, c1, c2, c3, c4, c5, c6, c7)
    for word in range(WORDS):
        counts[word, step] += pairs[word]
    return kept, sum(pairs) > 0


@jit
def sweep_batch(
    start, neighbours, sources, seen, rows, fresh_rows, changed, changing, open_rows, totals, reached, counts
):  # fmt: skip
    """Search from up to `BATCH` sources.

    Adds to ``totals[v]`` the distances of v from them, to ``reached[v]`` how many others reach v, and to
    ``counts[w, d]`` the pairs at distance d whose source lies in word w; returns the largest distance. The rest is room
    to work in.
    """
    full = np.empty(WORDS, np.uint64)
    set_out(sources, seen, rows, changed, full)
    changing[:] = False
    left = len(open_rows)
    for v in range(left):
        open_rows[v] = v
    step, found = 0, True
    while found:
        step += 1
        left, found = take_step(
            start, neighbours, step, full,
            seen, rows, fresh_rows, changed, changing, open_rows, left, totals, reached, counts,
        )  # fmt: skip
        rows, fresh_rows = fresh_rows, rows
        changed, changing = changing, changed
    return step - 1


@parallel_jit
def sweep(start, neighbours, sources, tasks, counts):
    """Distances from all sources, batch by batch.

    Returns for every vertex the sum of its distances from the sources that reach it, and the number of those, without
    itself; and the largest distance. Batch b adds to ``counts[b % len(counts), w, d]`` the pairs at distance d
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
        open_rows = np.empty(n, np.uint32)
        for batch in range(task, batches, tasks):
            steps = sweep_batch(
                start, neighbours, sources[batch * BATCH : (batch + 1) * BATCH],
                seen, rows, fresh_rows, changed, changing, open_rows,
                totals[task], reached[task], counts[batch % len(counts)],
            )  # fmt: skip
            longest[task] = max(longest[task], steps)
    return totals.sum(axis=0), reached.sum(axis=0), longest.max()
