"""The potential of a histogram of mutual-friend counts, and the edits that lower it (docs/plan.md).

The potential is the least total shift that leaves every count with no edge or with at least k. Let y be the net
number of edges that cross from count v down to v − 1 (negative: up). A count that has `size` edges and receives
y either keeps none and passes all on, or keeps at least k. That is a dynamic programme along the counts whose
state is y, and |y| ≤ k: where both directions cost the same, no optimal plan moves k edges over one boundary. So one
count costs O(k). A step up costs `rise`, a step down `fall`, and an edge may be deleted for `drop`. A new edge without
mutual friends moves no other, and comes for `come` from below the count 0.

What one more step of one edge would change is known for every count (`marginals`). An edit moves the edges of its
triangles by one step each, so the sum of their marginals estimates its effect, and `scan` finds the best edits among
all pairs of vertices by walking the triangles over the few edges whose marginal is not zero. `evaluate` is exact.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.kernels._jit import jit

NONE = -1
BIG = 1 << 40  # more than any cost
LARGEST_GAIN = 1 << 16  # estimates beyond this are not told apart
MOST_OF_A_COUNT = 500  # hot edges with the same count that one scan looks at
LONGEST_SCAN = 20_000_000  # paths over hot edges that one scan walks: less than a second
FAR_VERTICES = 256  # vertices among which one without mutual friends is looked for


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
    the old one by more than a constant. It soon does not: below a class with edges to spare nothing depends on what
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


# ---------------------------------------------------------------------------- the best edits


@jit
def hot_edges(s, m, shift):
    """The edges whose steps change the potential: of a crowded count, some, and others for another ``shift``."""
    up, down = m.up, m.down
    edges = np.empty(len(s.later), np.int32)
    found = 0
    for f in range(len(up)):
        if up[f] == 0 and down[f] == 0:
            continue
        e = s.first[f]
        for _ in range(shift % (s.size[f] - MOST_OF_A_COUNT) if s.size[f] > MOST_OF_A_COUNT else 0):
            e = s.later[e]
        most = found + MOST_OF_A_COUNT
        while e != NONE and found < most:
            edges[found] = e
            found += 1
            e = s.later[e]
    return edges[:found]


@jit
def hot_rows(s, m, shift):
    """The hot edges as compressed rows; and which vertices touch one that lowers the potential."""
    n = len(s.start)
    start = np.zeros(n + 1, np.int64)
    wanting = np.zeros(n, np.bool_)
    ends = s.ends
    edges = hot_edges(s, m, shift)
    for e in edges:
        f = s.count[e]
        wanted = m.up[f] < 0 or m.down[f] < 0 or m.gone[f] < 0
        for side in range(2):
            start[ends[e, side] + 1] += 1
            wanting[ends[e, side]] |= wanted
    for v in range(n):
        start[v + 1] += start[v]
    fill = start[:-1].copy()
    vertex = np.empty(start[n], np.int32)
    count = np.empty(start[n], np.int32)
    for e in edges:
        for side in range(2):
            x = ends[e, side]
            vertex[fill[x]] = ends[e, 1 - side]
            count[fill[x]] = s.count[e]
            fill[x] += 1
    return start, vertex, count, wanting


@jit
def offer(y, up, down, sums, touched, reached):
    """Add the marginals of one edge to those of the pair of the vertex at hand and y."""
    if sums[y, 0] == BIG:
        sums[y, 0] = up
        sums[y, 1] = down
        touched[reached] = y
        return reached + 1
    sums[y, 0] += up
    sums[y, 1] += down
    return reached


@jit
def reach(s, x, m, hot, sums, touched):
    """Estimate the toggle of (x, y) for every y with a hot edge in their triangles; returns how many y.

    ``sums`` holds for every y what adding and what deleting (x, y) changes, side by side, as both are always touched
    together; BIG for adding means not reached.
    """
    start, vertex, count, _ = hot
    up, down, _, _ = m
    first, length, neighbour = s.start, s.length, s.vertex
    reached = np.int64(0)
    for i in range(start[x], start[x + 1]):
        z, f = vertex[i], count[i]
        reached = offer(z, np.int64(0), np.int64(0), sums, touched, reached)
        for j in range(first[z], first[z] + length[z]):
            reached = offer(neighbour[j], up[f], down[f], sums, touched, reached)
    for i in range(first[x], first[x] + length[x]):
        z = neighbour[i]
        for j in range(start[z], start[z + 1]):
            reached = offer(vertex[j], up[count[j]], down[count[j]], sums, touched, reached)
    return reached


@jit
def paths_from(s, x, hot):
    """How many paths `reach` walks."""
    start, vertex = hot[0], hot[1]
    paths = 0
    for i in range(start[x], start[x + 1]):
        paths += s.length[vertex[i]]
    for i in range(s.start[x], s.start[x] + s.length[x]):
        z = s.vertex[i]
        paths += start[z + 1] - start[z]
    return paths


@jit
def keep_best(pairs, estimate, filled, room):
    """Move the ``room`` lowest estimates to the front; returns how many are kept and the highest of them."""
    low, high = estimate[0], estimate[0]
    for i in range(filled):
        low, high = min(low, estimate[i]), max(high, estimate[i])
    tally = np.zeros(high - low + 1, np.int64)
    for i in range(filled):
        tally[estimate[i] - low] += 1
    bar, below = low, 0
    while below + tally[bar - low] < room:
        below += tally[bar - low]
        bar += 1
    at_bar = room - below
    kept = 0
    for i in range(filled):
        if estimate[i] == bar:
            at_bar -= 1
        if estimate[i] < bar or (estimate[i] == bar and at_bar >= 0):
            pairs[kept, 0], pairs[kept, 1] = pairs[i, 0], pairs[i, 1]
            estimate[kept] = estimate[i]
            kept += 1
    return kept, bar


@jit
def scan(s, m, deletable, room, shift):
    """The pairs whose toggle lowers the potential most by the sum of marginals, fewer than 2 × room of them.

    Edges with numbers below ``deletable`` stay. ``shift`` says with which vertex to begin: of equal pairs the first
    ones are kept, and in a large dense graph a scan ends before it has seen all.
    """
    n = len(s.start)
    hot = hot_rows(s, m, shift)
    wanting = hot[3]
    pairs = np.empty((2 * room, 2), np.int32)
    estimate = np.empty(2 * room, np.int64)
    sums = np.full((n, 2), BIG, np.int64)
    touched = np.empty(n, np.int32)
    edge_to = np.full(n, NONE, np.int32)
    filled, bar, paths = 0, 0, 0
    for i in range(n):
        x = (i + shift) % n
        if not wanting[x] or paths > LONGEST_SCAN:
            continue
        paths += paths_from(s, x, hot)
        reached = reach(s, x, m, hot, sums, touched)
        for j in range(s.start[x], s.start[x] + s.length[x]):
            edge_to[s.vertex[j]] = s.edge[j]
        for j in range(reached):
            y = touched[j]
            e = edge_to[y]
            change = sums[y, 0] if e == NONE else sums[y, 1] + m.gone[s.count[e]]
            sums[y, 0] = BIG
            twice = wanting[y] and y <= x
            if change < bar and not twice and x != y and (e == NONE or e >= deletable):
                pairs[filled, 0] = x
                pairs[filled, 1] = y
                estimate[filled] = max(change, -LARGEST_GAIN)
                filled += 1
                if filled == 2 * room:
                    filled, bar = keep_best(pairs, estimate, filled, room)
        for j in range(s.start[x], s.start[x] + s.length[x]):
            edge_to[s.vertex[j]] = NONE
    return pairs[:filled].copy()


@jit
def common_friends(s, m, edges, probe):
    """Two vertices for each edge that would raise it by becoming a friend of both ends, and the estimated costs.

    The first is the one that costs least and then has the most mutual friends with the ends. The second has none:
    nothing but the edge moves, and two edges with one mutual friend are new. It is looked for from ``probe`` on.
    """
    n = len(s.start)
    hot = hot_rows(s, m, probe)
    friend = np.full((len(edges), 2), NONE, np.int32)
    cost = np.full((len(edges), 2), BIG, np.int64)
    sums = np.full((2, n, 2), BIG, np.int64)
    touched = np.empty((2, n), np.int32)
    reached = np.zeros(2, np.int64)
    mutual = np.zeros((2, n), np.int32)
    near = np.empty(n, np.int32)
    taken = np.zeros(n, np.bool_)
    for index in range(len(edges)):
        u, v = s.ends[edges[index], 0], s.ends[edges[index], 1]
        found, most = 0, NONE
        for side in range(2):
            x = u if side == 0 else v
            reached[side] = reach(s, x, m, hot, sums[side], touched[side])
            for i in range(s.start[x], s.start[x] + s.length[x]):
                z = s.vertex[i]
                taken[z] = True
                if z != u and z != v:
                    for j in range(s.start[z], s.start[z] + s.length[z]):
                        w = s.vertex[j]
                        if mutual[0, w] + mutual[1, w] == 0:
                            near[found] = w
                            found += 1
                        mutual[side, w] += 1
        for i in range(found):
            w = near[i]
            total = 0
            for side in range(2):
                after = mutual[side, w] + 1
                total += m.new[after] if after < len(m.new) else BIG
                total += sums[side, w, 0] if sums[side, w, 0] != BIG else 0
            friends = mutual[0, w] + mutual[1, w]
            better = total < cost[index, 0] or (total == cost[index, 0] and friends > most)
            if better and not taken[w]:
                friend[index, 0], cost[index, 0], most = w, total, friends
        for i in range(min(n, FAR_VERTICES)):
            w = (probe + i) % n
            if not taken[w] and mutual[0, w] + mutual[1, w] == 0:
                friend[index, 1], cost[index, 1] = w, 2 * m.new[1]
                break
        for i in range(found):
            mutual[0, near[i]] = 0
            mutual[1, near[i]] = 0
        for side in range(2):
            x = u if side == 0 else v
            for i in range(reached[side]):
                sums[side, touched[side, i], 0] = BIG
            for i in range(s.start[x], s.start[x] + s.length[x]):
                taken[s.vertex[i]] = False
    return friend, cost
