"""Edits that move degrees the way they have to go, found around the vertices that have to move (docs/plan.md).

The marginals of the degree histogram (kernels/plan.py) say what the potential changes if one vertex of each degree
rises or falls by one. An edit moves two vertices the same way, so it promises the sum of two marginals.
"""

from __future__ import annotations

import numpy as np

from graphveil.kernels._jit import jit

NONE = -1


@jit
def is_edge(s, u, v):
    """Whether there is an edge (u, v)."""
    if s.length[u] > s.length[v]:
        u, v = v, u
    low, end = s.start[u], s.start[u] + s.length[u]
    high = end
    while low < high:
        middle = (low + high) // 2
        if s.vertex[middle] < v:
            low = middle + 1
        else:
            high = middle
    return low < end and s.vertex[low] == v


@jit
def is_conspicuous(s, u, v):
    """Whether a new edge would have no mutual friend, and close a cycle of four all the same."""
    if is_edge(s, u, v):
        return False
    found = False
    for i in range(s.start[u], s.start[u] + s.length[u]):
        x = s.vertex[i]
        if is_edge(s, x, v):
            return False
        if not found:
            for j in range(s.start[x], s.start[x] + s.length[x]):
                if s.vertex[j] != u and is_edge(s, s.vertex[j], v):
                    found = True
                    break
    return found


@jit
def next_number(state):
    """The next of a sequence of pseudo-random numbers below 2³¹, and the state after it (a linear congruence)."""
    state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
    return np.int64(state >> np.uint64(33)), state


@jit
def keep(pairs, promise, filled, first, most, u, v, gain):
    """Put a pair among those of one vertex, from ``first`` on, if it is not there nor worse than ``most`` others."""
    worst = first
    for i in range(first, filled):
        if pairs[i, 0] == u and pairs[i, 1] == v:
            return filled
        if promise[i] > promise[worst]:
            worst = i
    if filled - first < most:
        worst = filled
        filled += 1
    elif promise[worst] <= gain:
        return filled
    pairs[worst, 0], pairs[worst, 1], promise[worst] = u, v, gain
    return filled


@jit
def deletions(s, down, editable, deletable, x, tries, most, bar, state, pairs, promise, filled):
    """Edges of x to delete, from a random one on."""
    first, length = filled, s.length[x]
    number, state = next_number(state)
    for i in range(min(tries, length)):
        slot = s.start[x] + (number + i) % length
        y = s.vertex[slot]
        gain = down[length] + down[s.length[y]]
        allowed = editable[y] and s.edge[slot] >= deletable
        if gain < bar and allowed and s.length[y] > 1 and length > 1:
            filled = keep(pairs, promise, filled, first, most, min(x, y), max(x, y), gain)
    return filled, state


@jit
def additions(s, up, editable, x, others, tries, far, most, bar, state, pairs, promise, filled):
    """New edges of x: to the end of a random path of two, to one of ``others`` and, if ``far``, to anybody."""
    first = filled
    sources = 3 if far else 2
    for i in range(sources * tries):
        number, state = next_number(state)
        if i % sources == 2:
            y = np.int32(number % len(s.start))
        elif i % sources == 1 or s.length[x] == 0:
            y = others[number % len(others)]
        else:
            z = s.vertex[s.start[x] + number % s.length[x]]
            number, state = next_number(state)
            y = s.vertex[s.start[z] + number % s.length[z]]
        gain = up[s.length[x]] + up[s.length[y]]
        if gain < bar and y != x and editable[y] and not is_edge(s, x, y):
            filled = keep(pairs, promise, filled, first, most, min(x, y), max(x, y), gain)
    return filled, state


@jit
def shifting_pairs(s, m, editable, deletable, order, others, tries, far, most, bar, seed):
    """Edits around the vertices of ``order`` that promise to change the potential of the degrees by less than ``bar``.

    ``m`` are the marginals of the degrees. Of ``tries`` random edits of each kind the ``most`` best of each vertex are
    returned. Both ends of an edit are ``editable``, and so are those of ``order``. Edges with numbers below
    ``deletable`` stay. ``others`` are vertices that have to rise.
    """
    up, down = m.up, m.down
    pairs = np.empty((2 * most * len(order), 2), np.int32)
    promise = np.empty(2 * most * len(order), np.int64)
    filled, state = 0, np.uint64(seed)
    for x in order:
        degree = s.length[x]
        if down[degree] < 0:
            filled, state = deletions(
                s, down, editable, deletable, x, tries, most, bar, state, pairs, promise, filled
            )
        if up[degree] < 0:
            filled, state = additions(
                s, up, editable, x, others, tries, far, most, bar, state, pairs, promise, filled
            )
    return pairs[:filled].copy()
