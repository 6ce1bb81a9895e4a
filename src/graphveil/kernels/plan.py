"""The potential of a histogram of mutual-friend counts, and what an edit does to it (docs/plan.md).

The potential is the least total shift that leaves every count with no edge or with at least k. Let y be the net
number of edges that cross from count v down to v − 1 (negative: up). A count that has `size` edges and receives
y either keeps none and passes all on, or keeps at least k. That is a dynamic programme along the counts whose
state is y, and |y| ≤ k: where both directions cost the same, no optimal plan moves k edges over one boundary. So one
count costs O(k). A step up costs `rise`, a step down `fall`, and an edge may be deleted for `drop`. A new edge without
mutual friends moves no other, and comes for `come` from below the count 0.

A count may also need more than k edges (`need`): with a spread, as many as keep the share of one person small. Then
k is only the largest |y| that is looked at.

What one more step of one edge would change is known for every count (`marginals`), from which kernels/scan.py finds
promising edits. What these do is told exactly by `evaluate`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.kernels._jit import jit

NONE = -1
LEADERS = 8  # people with the most edges of one count who are looked at
BIG = 1 << 40  # more than any cost


class Plan(NamedTuple):
    """A histogram with the two tables of the programme. F counts."""

    size: Any  # int64[F]: edges of each count
    need: Any  # int64[F]: the fewest that each count may keep, if it keeps any
    k: int  # the most that cross a boundary
    rise: int
    fall: Any  # int64[F + 1]: price of a step down from each count
    drop: int
    toll: int
    above: Any  # int64[F + 1, 2k + 1]: cost of the counts ≥ v if y − k edges leave downwards
    below: Any  # int64[F + 1, 2k + 1]: cost of the counts < v if y − k edges leave upwards
    least: int  # cost of the whole: the potential


class Leaders(NamedTuple):
    """Who has the most edges of each count, for a spread; without one, the arrays have no rows."""

    vertex: Any  # int32[F, LEADERS]: the people with the most edges, the first one first; NONE where there are fewer
    tally: Any  # int64[F, LEADERS]: how many these have
    least: Any  # int64[F]: how many edges each count needs, whoever has them
    share: float  # largest share of a group that one person may have


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
def cross(arrive, size, need, k, forth, back, drop, toll, leave):
    """One count: least cost by the number that leave (negative: come back), from that by the number that arrive.

    Both are numbers from −k to k, and stand at the places 0 to 2k.
    """
    states = 2 * k + 1
    spare = size - need  # so many more may leave than arrive, if enough stay
    keeping = BIG  # least cost of the arrivals with which enough can stay
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
def make_plan(size, need, k, rise, fall, drop, come, toll):
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
        cross(above[u + 1], size[u], need[u], k, fall[u], rise, drop, toll, above[u])
        cross(below[v], size[v], need[v], k, rise, fall[v + 1], drop, toll, below[v + 1])
    least = join(above[0], below[0], k, rise, fall[0], toll)
    return Plan(size, need, k, rise, fall, drop, toll, above, below, least)


@jit
def marginals(plan):
    """What one edge more, less or elsewhere changes, for every count."""
    size, need, k, rise, fall, drop, toll, above, below, now = plan
    top = len(size)
    up, down = np.zeros(top, np.int64), np.zeros(top, np.int64)
    new, gone = np.zeros(top, np.int64), np.zeros(top, np.int64)
    here, next_one = np.empty(2 * k + 1, np.int64), np.empty(2 * k + 1, np.int64)
    for v in range(top):
        cross(above[v + 1], size[v] + 1, need[v], k, fall[v], rise, drop, toll, here)
        new[v] = join(here, below[v], k, rise, fall[v], toll) - now
        if v > 0 and size[v - 1] > 0:
            cross(here, size[v - 1] - 1, need[v - 1], k, fall[v - 1], rise, drop, toll, next_one)
            up[v - 1] = join(next_one, below[v - 1], k, rise, fall[v - 1], toll) - now
        if size[v] > 0:
            cross(above[v + 1], size[v] - 1, need[v], k, fall[v], rise, drop, toll, here)
            gone[v] = join(here, below[v], k, rise, fall[v], toll) - now
            if v > 0:
                cross(here, size[v - 1] + 1, need[v - 1], k, fall[v - 1], rise, drop, toll, next_one)
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
def matters(size, change, need, needed, k):
    """Whether a count is not the same for the programme after the change, when it needs ``needed`` edges.

    With 2k edges more than it needs it keeps enough, whatever comes.
    """
    return (change != 0 or need != needed) and min(size, size + change) < max(need, needed) + 2 * k


@jit
def potential_change(plan, change, needed, low, high, here, spare):
    """How the potential changes when ``change`` is added to the sizes low…high, which then need ``needed`` edges.

    The programme runs again only from the highest size that matters to the lowest, and where the new table differs from
    the old one by more than a constant. It soon does not: below a group with edges to spare nothing depends on what
    happens above.
    """
    size, need, k, rise, fall, drop, toll, above, below, least = plan
    while low <= high and not matters(size[low], change[low], need[low], needed[low], k):
        low += 1
    total = 0
    same = True
    for v in range(high, low - 1, -1):
        if same:
            if not matters(size[v], change[v], need[v], needed[v], k):
                continue
            for y in range(2 * k + 1):
                here[y] = above[v + 1, y]
        cross(here, size[v] + change[v], needed[v], k, fall[v], rise, drop, toll, spare)
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
def edges_at(s, pairs):
    """The edge between the two vertices of each pair, or NONE."""
    edges = np.empty(len(pairs), np.int32)
    for p in range(len(pairs)):
        edges[p] = edge_at(s, pairs[p, 0], pairs[p, 1])
    return edges


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
def fewest(tally, share):
    """The smallest group of which so many edges are at most that share, by the division of the recount."""
    size = int(np.ceil(tally / share))
    while size > tally and tally / (size - 1) <= share:
        size -= 1
    while size > 0 and tally / size > share:
        size += 1
    return size


@jit
def leading(s, n, least, share):
    """The people with the most edges of each count.

    Who has no more than ``share`` of the fewest edges that any count needs is passed over: no group grows for them.
    """
    top, bar = len(least), share * least.min()
    vertex = np.full((top, LEADERS), NONE, np.int32)
    tally = np.zeros((top, LEADERS), np.int64)
    own = np.zeros(top, np.int64)
    for v in range(n):
        row = s.edge[s.start[v] : s.start[v] + s.length[v]]
        if len(row) <= bar:
            continue
        for e in row:
            own[s.count[e]] += 1
        for e in row:
            f = s.count[e]
            place = LEADERS
            while place > 0 and tally[f, place - 1] < own[f]:
                place -= 1
            if place < LEADERS:
                for i in range(LEADERS - 1, place, -1):
                    vertex[f, i], tally[f, i] = vertex[f, i - 1], tally[f, i - 1]
                vertex[f, place], tally[f, place] = v, own[f]
            own[f] = 0
    return Leaders(vertex, tally, least, share)


@jit
def needs(leaders):
    """How many edges each count needs, if it has any."""
    need = np.empty(len(leaders.tally), np.int64)
    for f in range(len(need)):
        need[f] = max(leaders.least[f], fewest(leaders.tally[f, 0], leaders.share))
    return need


@jit
def arriving(s, z, f, by, mutual):
    """How many more edges of count f a vertex has after an edit, if it is one of the common neighbours found last."""
    i = np.searchsorted(s.common[0, :mutual], z)
    more = 0
    if i < mutual and s.common[0, i] == z:
        for side in range(1, 3):
            before = s.count[s.common[side, i]]
            more += (before + by == f) - (before == f)
    return more


@jit
def needs_after(s, plan, leaders, u, v, by, mutual, change, low, high, own, needed):
    """Fill in what the counts low…high need after toggling (u, v), whose common neighbours were found last.

    Exact unless somebody who is not among the leaders comes to the front, or all of them fall back.
    """
    for side in range(2):
        x = u if side == 0 else v
        for e in s.edge[s.start[x] : s.start[x] + s.length[x]]:
            own[side, s.count[e]] += 1
        for i in range(mutual):
            f = s.count[s.common[side + 1, i]]
            own[side, f] -= 1
            own[side, f + by] += 1
        own[side, mutual] += by
    for f in range(low, high + 1):
        largest = max(own[0, f], own[1, f])
        bound = max(largest, leaders.tally[f, 0] + 2)  # a common neighbour has two edges more at most
        if plan.size[f] + change[f] > bound / leaders.share + 2 * plan.k + leaders.least[f]:
            continue  # so large that the programme does not ask what it needs
        for place in range(LEADERS):
            z = leaders.vertex[f, place]
            if z != NONE and z != u and z != v:
                largest = max(largest, leaders.tally[f, place] + arriving(s, z, f, by, mutual))
        needed[f] = max(leaders.least[f], fewest(largest, leaders.share))
    own[:] = 0


@jit
def evaluate(s, plan, leaders, pairs):
    """By how much toggling each pair lowers the potential; and how plausible it is.

    Exactly, but for what `needs_after` says of a spread. A new edge is the more plausible the more mutual friends it
    has, a deleted one the fewer it had.
    """
    top = len(plan.size)
    needed = plan.need.copy()
    own = np.zeros((2, top + 1), np.int64)
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
            if len(leaders.vertex):
                needs_after(s, plan, leaders, u, v, by, mutual, change, low, high, own, needed)
            gain[p] = -potential_change(plan, change, needed, low, high, here, spare)
        else:
            gain[p] = -BIG  # a new edge above all others, or the last edge of a vertex: not to be done
        for f in range(low, high + 1):
            change[f] = 0
            needed[f] = plan.need[f]
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
        gain[p] = -potential_change(plan, change, plan.need, low, high, here, spare)
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
