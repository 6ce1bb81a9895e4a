"""The potential of a histogram of mutual-friend counts, and what an edit does to it (docs/plan.md).

The potential is the least total shift that leaves every count with no edge or with at least k. Let y be the net
number of edges that cross from count v down to v − 1 (negative: up). A count that has `size` edges and receives
y either keeps none and passes all on, or keeps at least k. That is a dynamic programme along the counts whose
state is y, and |y| ≤ k: where both directions cost the same, no optimal plan moves k edges over one boundary. So one
count costs O(k). A step up costs `rise`, a step down `fall`, and an edge may be deleted for `drop`. A new edge without
mutual friends moves no other, and comes for `come` from below the count 0.

A count may also need more than k edges (`need`): with a spread, as many as keep the share of one person small. And
fewer than k may be allowed to cross a boundary, `up` and `down` (methods/plan/prices.py).

What one more step of one edge would change is known for every count (`marginals`), from which kernels/scan.py finds
promising edits. What these do is told exactly by `evaluate`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.kernels._jit import inner_jit, jit

NONE = -1
LEADERS = 8  # people with the most edges of one count who are looked at
BIG = 1 << 40  # more than any cost


class Plan(NamedTuple):
    """A histogram with the two tables of the programme. F counts."""

    size: Any  # int64[F]: edges of each count
    need: Any  # int64[F]: the fewest that each count may keep, if it keeps any
    up: int  # the most that cross a boundary upwards
    down: int  # and downwards
    rise: int
    fall: Any  # int64[F + 1]: price of a step down from each count
    drop: int
    toll: int
    above: Any  # int64[F + 1, up + down + 1]: cost of the counts ≥ v if y − up edges leave downwards
    below: Any  # int64[F + 1, up + down + 1]: cost of the counts < v if y − down edges leave upwards
    least: int  # cost of the whole: the potential


class Leaders(NamedTuple):
    """Who has the most edges of each count, for a spread; without one, the arrays have no rows."""

    vertex: Any  # int32[F, LEADERS]: the people with the most edges, the first one first; NONE where there are fewer
    tally: Any  # int64[F, LEADERS]: how many these have
    least: Any  # int64[F]: how many edges each count needs, whoever has them
    share: float  # largest share of a group that one person may have


class Neighbourhoods(NamedTuple):
    """What these kernels need of kernels/workspace.py: a kernel compiles the faster the fewer arrays it gets."""

    start: Any
    length: Any
    vertex: Any
    edge: Any
    count: Any
    common: Any


class Marginals(NamedTuple):
    """Change of the potential by one edge of each count that …"""

    up: Any  # … gains a mutual friend
    down: Any  # … loses one
    new: Any  # … is added
    gone: Any  # … is deleted


# ---------------------------------------------------------------------------- the potential


@inner_jit
def cross(arrive, size, need, zero, forth, back, drop, toll, leave):
    """One count: least cost by the number that leave (negative: come back), from that by the number that arrive.

    Both numbers count from −zero, which stands at place 0.
    """
    states = len(leave)
    spare = size - need  # so many more may leave than arrive, if enough stay
    keeping = BIG  # least cost of the arrivals with which enough can stay
    if spare >= 0:
        for i in range(max(states - spare, 0), states):
            keeping = min(keeping, arrive[i])
        for i in range(states - spare):
            keeping = min(keeping, arrive[states - 1 - spare - i])
            leave[states - 1 - i] = keeping
        for i in range(min(spare, states)):
            leave[i] = keeping
    else:
        for i in range(max(states + spare, 0), states):
            leave[i] = BIG
        for i in range(states + spare):
            keeping = min(keeping, arrive[states - 1 - i])
            leave[states + spare - 1 - i] = keeping
    for i in range(states - size):
        leave[i + size] = min(leave[i + size], arrive[i])  # nobody stays
    if drop < BIG:
        for i in range(states - 2, -1, -1):
            leave[i] = min(leave[i], leave[i + 1] + drop)  # one more would leave, and is deleted
    for i in range(zero):
        leave[i] += toll + (zero - i) * back
    for i in range(zero + 1, states):
        leave[i] += toll + (i - zero) * forth


@inner_jit
def join(above, below, up, rise, fall, toll):
    """The least cost of the whole from both sides of one boundary, which both have paid for the crossing."""
    last = len(above) - 1
    best = above[up] + below[last - up]
    for i in range(up):
        best = min(best, above[i] + below[last - i] - toll - (up - i) * rise)
    for i in range(up + 1, last + 1):
        best = min(best, above[i] + below[last - i] - toll - (i - up) * fall)
    return best


@inner_jit
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


@inner_jit
def replace(table, row, costs, lasting):
    """Put new costs into a row, unless they differ by a constant and what comes after is ``lasting``; that, or BIG."""
    difference = constant_difference(costs, table[row]) if lasting else BIG
    if difference == BIG:
        for y in range(len(costs)):
            table[row, y] = costs[y]
    return difference


@inner_jit
def add_to(table, first, end, difference):
    """Add a number to the rows, but for what cannot be."""
    if difference != 0:
        for row in range(first, end):
            for y in range(table.shape[1]):
                if table[row, y] < BIG:
                    table[row, y] += difference


@jit
def fill(size, need, up, down, rise, fall, drop, toll, above, below, low, high, costs):
    """Fill both tables again after the sizes or needs low…high have changed; returns the potential.

    Beyond these, only until a row is as before but for a constant: then so are all that follow.
    """
    top = len(size)
    for v in range(high, -1, -1):
        cross(above[v + 1], size[v], need[v], up, fall[v], rise, drop, toll, costs)
        difference = replace(above, v, costs, v < low)
        if difference != BIG:
            add_to(above, 0, v + 1, difference)
            break
    for v in range(low, top):
        cross(below[v], size[v], need[v], down, rise, fall[v + 1], drop, toll, costs)
        difference = replace(below, v + 1, costs, v > high)
        if difference != BIG:
            add_to(below, v + 1, top + 1, difference)
            break
    return join(above[0], below[0], up, rise, fall[0], toll)


@inner_jit
def matters(size, change, need, needed, states):
    """Whether a count is not the same for the programme after the change, when it needs ``needed`` edges.

    With so many more than it needs that any number may leave it keeps enough, whatever comes.
    """
    return (change != 0 or need != needed) and min(size, size + change) < max(need, needed) + states - 1


@jit
def fill_marginals(size, need, up, rise, fall, drop, toll, above, below, now, changes, rows):
    """What one edge more, less or elsewhere changes, for every count: the rows of ``changes`` are `Marginals`.

    Where a count has so many edges that one more or less does not matter, an edge that comes from it is new, and one
    that goes there is gone.
    """
    top, states = len(size), len(rows[0])
    here, next_one = rows[0], rows[1]
    for v in range(top):
        many = not matters(size[v], -1, need[v], need[v], states)
        before = v > 0 and matters(size[v - 1], -1, need[v - 1], need[v - 1], states)
        for more in range(1, -2, -2):
            one = changes[2] if more > 0 else changes[3]
            if more < 0 and size[v] == 0:
                continue
            if not many:
                cross(above[v + 1], size[v] + more, need[v], up, fall[v], rise, drop, toll, here)
                one[v] = join(here, below[v], up, rise, fall[v], toll) - now
            if v == 0 or (more > 0 and size[v - 1] == 0):
                continue
            change = one[v]
            if before and many:
                change = changes[3, v - 1] if more > 0 else changes[2, v - 1]
            elif before:
                cross(here, size[v - 1] - more, need[v - 1], up, fall[v - 1], rise, drop, toll, next_one)
                change = join(next_one, below[v - 1], up, rise, fall[v - 1], toll) - now
            if more > 0:
                changes[0, v - 1] = change
            else:
                changes[1, v] = change


@jit
def potential_change(plan, change, needed, low, high, here, spare):
    """How the potential changes when ``change`` is added to the sizes low…high, which then need ``needed`` edges.

    The programme runs again only from the highest size that matters to the lowest, and where the new table differs from
    the old one by more than a constant. It soon does not: below a group with edges to spare nothing depends on what
    happens above.
    """
    size, need, up, _, rise, fall, drop, toll, above, below, least = plan
    states = len(here)
    while low <= high and not matters(size[low], change[low], need[low], needed[low], states):
        low += 1
    total = 0
    same = True
    for v in range(high, low - 1, -1):
        if same:
            if not matters(size[v], change[v], need[v], needed[v], states):
                continue
            for y in range(states):
                here[y] = above[v + 1, y]
        cross(here, size[v] + change[v], needed[v], up, fall[v], rise, drop, toll, spare)
        here, spare = spare, here
        difference = constant_difference(here, above[v])
        same = difference != BIG
        if same:
            total += difference
    if not same:
        total += join(here, below[low], up, rise, fall[low], toll) - least
    return total


# ---------------------------------------------------------------------------- single edits
# The first two are in kernels/workspace.py as well, where a short row is looked up in a long one: a kernel calls no
# kernel of another file.


@inner_jit
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


@inner_jit
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
def find_edges(s, pairs, edges):
    """The edge between the two vertices of each pair, or NONE."""
    for p in range(len(pairs)):
        edges[p] = edge_at(s, pairs[p, 0], pairs[p, 1])


@jit
def find_far_apart(s, pairs, far):
    """Which pairs are two vertices that are no friends and have none in common."""
    for p in range(len(pairs)):
        u, v = pairs[p, 0], pairs[p, 1]
        far[p] = u != v and edge_at(s, u, v) == NONE and common_neighbours(s, u, v) == 0


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


@inner_jit
def arriving(s, z, f, by, mutual):
    """How many more edges of count f a vertex has after an edit, if it is one of the common neighbours found last."""
    i = np.searchsorted(s.common[0, :mutual], z)
    more = 0
    if i < mutual and s.common[0, i] == z:
        for side in range(1, 3):
            before = s.count[s.common[side, i]]
            more += (before + by == f) - (before == f)
    return more


@inner_jit
def needs_after(s, plan, leaders, u, v, by, mutual, change, low, high, own, needed):
    """Fill in what the counts low…high need after toggling (u, v), whose common neighbours were found last.

    Exact unless somebody with some edges who is not among the leaders comes to the front, or all of them fall back.
    """
    for side in range(2):
        x = u if side == 0 else v
        for slot in range(s.start[x], s.start[x] + s.length[x]):
            own[side, s.count[s.edge[slot]]] += 1
        for i in range(mutual):
            f = s.count[s.common[side + 1, i]]
            own[side, f] -= 1
            own[side, f + by] += 1
        own[side, mutual] += by
    for f in range(low, high + 1):
        largest = max(own[0, f], own[1, f])
        bound = max(largest, leaders.tally[f, 0] + 2)  # a common neighbour has two edges more at most
        if plan.size[f] + change[f] > bound / leaders.share + plan.up + plan.down + leaders.least[f]:
            continue  # so large that the programme does not ask what it needs
        for place in range(LEADERS):
            z = leaders.vertex[f, place]
            if z != NONE and z != u and z != v:
                largest = max(largest, leaders.tally[f, place] + arriving(s, z, f, by, mutual))
        needed[f] = max(leaders.least[f], fewest(largest, leaders.share))
    for i in range(mutual):  # a common neighbour who had no edge of a count may come to it with two
        f = s.count[s.common[1, i]]
        if s.count[s.common[2, i]] == f and low <= f + by <= high:
            needed[f + by] = max(needed[f + by], fewest(2, leaders.share))
    own[:] = 0


@jit
def find_gains(s, plan, leaders, pairs, enough, gain, plausible, change, needed, own, rows):
    """By how much toggling each pair lowers the potential, up to the first that gains enough; and how plausible it is.

    Exactly, but for what `needs_after` says of a spread; ``leaders`` is None without one. A new edge is the more
    plausible the more mutual friends it has, a deleted one the fewer it had. The last arrays are scratch: ``change`` is
    zero, ``needed`` what the plan says.
    """
    top = len(plan.size)
    for p in range(len(pairs)):
        u, v = np.int64(pairs[p, 0]), np.int64(pairs[p, 1])
        by = 1 if edge_at(s, u, v) == NONE else -1
        mutual = common_neighbours(s, u, v)
        low, high = top, 0
        for i in range(mutual):
            for side in range(1, 3):
                f = np.int64(s.count[s.common[side, i]])
                change[f] -= 1
                change[f + by] += 1
                low, high = min(low, f + min(by, 0)), max(high, f + max(by, 0))
        leaf = by < 0 and min(s.length[u], s.length[v]) == 1
        if mutual < top and not leaf:
            change[mutual] += by
            low, high = min(low, mutual), max(high, mutual)
            if leaders is not None:
                needs_after(s, plan, leaders, u, v, by, mutual, change, low, high, own, needed)
            gain[p] = -potential_change(plan, change, needed, low, high, rows[0], rows[1])
        else:
            gain[p] = -BIG  # a new edge above all others, or the last edge of a vertex: not to be done
        for f in range(low, high + 1):
            change[f] = 0
            needed[f] = plan.need[f]
        plausible[p] = by * mutual
        if gain[p] >= enough:
            return p
    return len(pairs)


@jit
def find_gains_of_degrees(s, plan, pairs, gain, change, rows):
    """By how much toggling each pair lowers the potential of the degrees, exactly; ``change`` is zero."""
    top = len(plan.size)
    for p in range(len(pairs)):
        u, v = pairs[p, 0], pairs[p, 1]
        by = 1 if edge_at(s, np.int64(u), np.int64(v)) == NONE else -1
        a, b = np.int64(s.length[u]), np.int64(s.length[v])
        if max(a, b) + by >= top or min(a, b) + by < max(by, 1):
            gain[p] = -BIG  # two steps above all others, or the last edge of a vertex: not to be done
            continue
        change[a] -= 1
        change[a + by] += 1
        change[b] -= 1
        change[b + by] += 1
        low, high = min(a, b) + min(by, 0), max(a, b) + max(by, 0)
        gain[p] = -potential_change(plan, change, plan.need, low, high, rows[0], rows[1])
        for d in (a, a + by, b, b + by):
            change[d] = 0


@jit
def find_clustering_changes(s, pairs, change):
    """What toggling each pair adds to the sum of the clustering coefficients of all vertices."""
    length = s.length
    for p in range(len(pairs)):
        u, v = np.int64(pairs[p, 0]), np.int64(pairs[p, 1])
        by = 1 if edge_at(s, u, v) == NONE else -1
        mutual = common_neighbours(s, u, v)
        total = 0.0
        for i in range(mutual):
            degree = length[s.common[0, i]]
            total += by * 2 / (degree * (degree - 1))
        for x in (u, v):
            degree = length[x]
            paths = 0  # twice the triangles
            for slot in range(s.start[x], s.start[x] + degree):
                paths += s.count[s.edge[slot]]
            if degree > 1:
                total -= paths / (degree * (degree - 1))
            if degree + by > 1:
                total += (paths + 2 * by * mutual) / ((degree + by) * (degree + by - 1))
        change[p] = total
