"""The potential of a histogram of mutual-friend counts, and what an edit does to it (docs/plan.md).

The potential is the least total shift that leaves every count with no edge or with at least k. Let y be the net
number of edges that cross from count v down to v − 1 (negative: up). A count that has `size` edges and receives
y either keeps none and passes all on, or keeps at least k. That is a dynamic programme along the counts whose
state is y, and |y| ≤ k: where both directions cost the same, no optimal plan moves k edges over one boundary. So one
count costs O(k). A step up costs `rise`, a step down `fall`, and an edge may be deleted for `drop`. A new edge without
mutual friends moves no other, and comes for `come` from below the count 0.

What one more step of one edge would change is known for every count (`marginals`), from which kernels/scan.py finds
promising edits. What these do is told exactly by `evaluate`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.kernels._jit import jit

NONE = -1
BIG = 1 << 40  # more than any cost


class Plan(NamedTuple):
    """A histogram with the two tables of the programme. F counts."""

    size: Any  # int64[F]: edges of each count
    k: int
    rise: int
    fall: Any  # int64[F + 1]: price of a step down from each count
    drop: int
    toll: int
    above: Any  # int64[F + 1, 2k + 1]: cost of the counts ≥ v if y − k edges leave downwards
    below: Any  # int64[F + 1, 2k + 1]: cost of the counts < v if y − k edges leave upwards
    least: int  # cost of the whole: the potential


class Marginals(NamedTuple):
    """Change of the potential by one edge of each count that …"""

    up: Any  # … gains a mutual friend
    down: Any  # … loses one
    new: Any  # … is added
    gone: Any  # … is deleted


# ---------------------------------------------------------------------------- the potential


@jit
def crossing(y, forth, back, toll):
    """What it costs that y edges go forth over a boundary, or −y back."""
    if y == 0:
        return 0
    return toll + (forth * y if y > 0 else -back * y)


@jit
def cross(arrive, size, k, forth, back, drop, toll, leave):
    """One count: least cost by the number that leave (negative: come back), from that by the number that arrive.

    Both are numbers from −k to k, and stand at the places 0 to 2k.
    """
    states = 2 * k + 1
    spare = size - k  # so many more may leave than arrive, if k stay
    keeping = BIG  # least cost of the arrivals with which k can stay
    for i in range(max(states - spare, 0), states):
        keeping = min(keeping, arrive[i])
    for i in range(states - 1, -1, -1):
        if 0 <= i - spare < states:
            keeping = min(keeping, arrive[i - spare])
        leave[i] = keeping
    for i in range(size, states):
        leave[i] = min(leave[i], arrive[i - size])  # nobody stays
    if drop < BIG:
        for i in range(states - 2, -1, -1):
            leave[i] = min(leave[i], leave[i + 1] + drop)  # one more would leave, and is deleted
    for i in range(k):
        leave[i] += toll + (k - i) * back
        leave[states - 1 - i] += toll + (k - i) * forth


@jit
def join(above, below, k, rise, fall, toll):
    """The least cost of the whole from both sides of one boundary, which both have paid for the crossing."""
    best = BIG
    for y in range(-k, k + 1):
        best = min(best, above[k + y] + below[k - y] - crossing(y, fall, rise, toll))
    return best


@jit
def make_plan(size, k, rise, fall, drop, come, toll):
    """Fill both tables."""
    top = len(size)
    above = np.empty((top + 1, 2 * k + 1), np.int64)
    below = np.empty((top + 1, 2 * k + 1), np.int64)
    above[top] = BIG
    above[top, k] = 0
    below[0] = BIG
    for new in range(k + 1):
        below[0, k + new] = min(new * come, BIG)
    for v in range(top):
        u = top - v - 1
        cross(above[u + 1], size[u], k, fall[u], rise, drop, toll, above[u])
        cross(below[v], size[v], k, rise, fall[v + 1], drop, toll, below[v + 1])
    least = join(above[0], below[0], k, rise, fall[0], toll)
    return Plan(size, k, rise, fall, drop, toll, above, below, least)


@jit
def marginals(plan):
    """What one edge more, less or elsewhere changes, for every count."""
    size, k, rise, fall, drop, toll, above, below, now = plan
    top = len(size)
    up, down = np.zeros(top, np.int64), np.zeros(top, np.int64)
    new, gone = np.zeros(top, np.int64), np.zeros(top, np.int64)
    here, next_one = np.empty(2 * k + 1, np.int64), np.empty(2 * k + 1, np.int64)
    for v in range(top):
        cross(above[v + 1], size[v] + 1, k, fall[v], rise, drop, toll, here)
        new[v] = join(here, below[v], k, rise, fall[v], toll) - now
        if v > 0 and size[v - 1] > 0:
            cross(here, size[v - 1] - 1, k, fall[v - 1], rise, drop, toll, next_one)
            up[v - 1] = join(next_one, below[v - 1], k, rise, fall[v - 1], toll) - now
        if size[v] > 0:
            cross(above[v + 1], size[v] - 1, k, fall[v], rise, drop, toll, here)
            gone[v] = join(here, below[v], k, rise, fall[v], toll) - now
            if v > 0:
                cross(here, size[v - 1] + 1, k, fall[v - 1], rise, drop, toll, next_one)
                down[v] = join(next_one, below[v - 1], k, rise, fall[v - 1], toll) - now
    return Marginals(up, down, new, gone)


@jit
def constant_difference(costs, others):
    """The difference of two tables if it is the same everywhere, else BIG."""
    difference = BIG
    for y in range(len(costs)):
        if costs[y] >= BIG and others[y] >= BIG:
            continue
        if costs[y] >= BIG or others[y] >= BIG:
            return BIG
        if difference == BIG:
            difference = costs[y] - others[y]
        elif costs[y] - others[y] != difference:
            return BIG
    return difference


@jit
def matters(size, change, k):
    """Whether a count is not the same for the programme after the change: with 3k edges it keeps k, whatever comes."""
    return change != 0 and min(size, size + change) < 3 * k


@jit
def potential_change(plan, change, low, high, here, spare):
    """How the potential changes when ``change`` is added to the sizes low…high.

    The programme runs again only from the highest size that matters to the lowest, and where the new table differs from
    the old one by more than a constant. It soon does not: below a group with edges to spare nothing depends on what
    happens above.
    """
    size, k, rise, fall, drop, toll, above, below, least = plan
    while low <= high and not matters(size[low], change[low], k):
        low += 1
    total = 0
    same = True
    for v in range(high, low - 1, -1):
        if same:
            if not matters(size[v], change[v], k):
                continue
            for y in range(2 * k + 1):
                here[y] = above[v + 1, y]
        cross(here, size[v] + change[v], k, fall[v], rise, drop, toll, spare)
        here, spare = spare, here
        difference = constant_difference(here, above[v])
        same = difference != BIG
        if same:
            total += difference
    if not same:
        total += join(here, below[low], k, rise, fall[low], toll) - least
    return total


# ---------------------------------------------------------------------------- single edits
# The first two are in kernels/workspace.py as well, where a short row is looked up in a long one: a kernel calls no
# kernel of another file.


@jit
def edge_at(s, u, v):
    """The edge (u, v), or NONE."""
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
    return s.edge[low] if low < end and s.vertex[low] == v else NONE


@jit
def common_neighbours(s, u, v):
    """Fill ``s.common`` with the common neighbours z, the edges (u, z) and (v, z); returns how many."""
    vertex, common = s.vertex, s.common
    found = 0
    i, i_end = s.start[u], s.start[u] + s.length[u]
    j, j_end = s.start[v], s.start[v] + s.length[v]
    while i < i_end and j < j_end:
        if vertex[i] < vertex[j]:
            i += 1
        elif vertex[i] > vertex[j]:
            j += 1
        else:
            common[0, found], common[1, found], common[2, found] = vertex[i], s.edge[i], s.edge[j]
            found += 1
            i += 1
            j += 1
    return found


@jit
def far_apart(s, pairs):
    """Which pairs are two vertices that are no friends and have none in common."""
    far = np.empty(len(pairs), np.bool_)
    for p in range(len(pairs)):
        u, v = pairs[p, 0], pairs[p, 1]
        far[p] = u != v and edge_at(s, u, v) == NONE and common_neighbours(s, u, v) == 0
    return far


@jit
def evaluate(s, plan, pairs):
    """By how much toggling each pair lowers the potential, exactly; and how plausible it is.

    A new edge is the more plausible the more mutual friends it has, a deleted one the fewer it had.
    """
    top = len(plan.size)
    gain = np.empty(len(pairs), np.int64)
    plausible = np.empty(len(pairs), np.int64)
    change = np.zeros(top + 1, np.int64)
    here, spare = np.empty(2 * plan.k + 1, np.int64), np.empty(2 * plan.k + 1, np.int64)
    for p in range(len(pairs)):
        u, v = pairs[p, 0], pairs[p, 1]
        by = 1 if edge_at(s, u, v) == NONE else -1
        mutual = common_neighbours(s, u, v)
        low, high = top, 0
        for i in range(mutual):
            for side in range(1, 3):
                f = s.count[s.common[side, i]]
                change[f] -= 1
                change[f + by] += 1
                low, high = min(low, f, f + by), max(high, f, f + by)
        leaf = by < 0 and min(s.length[u], s.length[v]) == 1
        if mutual < top and not leaf:
            change[mutual] += by
            low, high = min(low, mutual), max(high, mutual)
            gain[p] = -potential_change(plan, change, low, high, here, spare)
        else:
            gain[p] = -BIG  # a new edge above all others, or the last edge of a vertex: not to be done
        for f in range(low, high + 1):
            change[f] = 0
        plausible[p] = by * mutual
    return gain, plausible


@jit
def evaluate_degrees(s, plan, pairs):
    """By how much toggling each pair lowers the potential of the degrees, exactly.

    ``plan`` is that of a histogram of vertices by degree, so an edit moves two vertices by one.
    """
    top = len(plan.size)
    gain = np.empty(len(pairs), np.int64)
    change = np.zeros(top + 1, np.int64)
    here, spare = np.empty(2 * plan.k + 1, np.int64), np.empty(2 * plan.k + 1, np.int64)
    for p in range(len(pairs)):
        u, v = pairs[p, 0], pairs[p, 1]
        by = 1 if edge_at(s, u, v) == NONE else -1
        a, b = np.int64(s.length[u]), np.int64(s.length[v])
        if max(a, b) + by >= top or min(a, b) + by < max(by, 1):
            gain[p] = -BIG  # two steps above all others, or the last edge of a vertex: not to be done
            continue
        change[a] -= 1
        change[a + by] += 1
        change[b] -= 1
        change[b + by] += 1
        low, high = min(a, b) + min(by, 0), max(a, b) + max(by, 0)
        gain[p] = -potential_change(plan, change, low, high, here, spare)
        for d in (a, a + by, b, b + by):
            change[d] = 0
    return gain


@jit
def clustering_changes(s, pairs):
    """What toggling each pair adds to the sum of the clustering coefficients of all vertices."""
    change = np.zeros(len(pairs), np.float64)
    length = s.length
    for p in range(len(pairs)):
        u, v = pairs[p, 0], pairs[p, 1]
        by = 1 if edge_at(s, u, v) == NONE else -1
        mutual = common_neighbours(s, u, v)
        for i in range(mutual):
            degree = length[s.common[0, i]]
            change[p] += by * 2 / (degree * (degree - 1))
        for x in (u, v):
            degree = length[x]
            paths = 0  # twice the triangles
            for slot in range(s.start[x], s.start[x] + degree):
                paths += s.count[s.edge[slot]]
            if degree > 1:
                change[p] -= paths / (degree * (degree - 1))
            if degree + by > 1:
                change[p] += (paths + 2 * by * mutual) / ((degree + by) * (degree + by - 1))
    return change
