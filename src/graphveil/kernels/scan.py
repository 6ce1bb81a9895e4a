"""The edits that promise to lower the potential of kernels/plan.py most, out of all pairs of vertices (docs/plan.md).

An edit moves the edges of its triangles by one step each, so the sum of their marginals estimates its effect. Only few
edges, the *hot* ones, have a marginal that is not zero: walking the triangles over these estimates all pairs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.kernels._jit import inner_jit, jit

NONE = -1
BIG = 1 << 40  # more than any cost
LARGEST_GAIN = 1 << 16  # estimates beyond this are not told apart
MOST_OF_A_COUNT = 500  # hot edges with the same count that one scan looks at
LONGEST_SCAN = 20_000_000  # paths over hot edges that one scan walks: less than a second
MAY_JOIN = 3  # two vertices that may be ends of one edit are editable by so much together (subgraph.py)
FAR_VERTICES = 256  # vertices among which one without mutual friends is looked for


class Graph(NamedTuple):
    """What these kernels need of the arrays of a workspace (kernels/workspace.py)."""

    start: Any
    length: Any
    vertex: Any
    edge: Any
    ends: Any
    count: Any
    later: Any
    first: Any
    size: Any


class Hot(NamedTuple):
    """The hot edges as compressed rows. n vertices, h hot edges."""

    start: Any  # int64[n + 2]
    vertex: Any  # int32[2h]: the other end
    count: Any  # int32[2h]
    wanting: Any  # bool[n]: vertices that touch one that lowers the potential
    edges: Any  # int32[h]


@inner_jit
def hot_edges(s, up, down, shift, edges):
    """The edges whose steps change the potential: of a crowded count, some, and others for another ``shift``."""
    found = 0
    for f in range(min(len(up), len(s.first))):
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
    return found


@inner_jit
def fill_rows(s, m, shift, hot):
    """Fill in the hot edges."""
    start, ends = hot.start, s.ends
    start[:] = 0
    hot.wanting[:] = False
    found = hot_edges(s, m.up, m.down, shift, hot.edges)
    for i in range(found):
        e = hot.edges[i]
        f = s.count[e]
        wanted = m.up[f] < 0 or m.down[f] < 0 or m.gone[f] < 0
        for side in range(2):
            start[ends[e, side] + 2] += 1
            hot.wanting[ends[e, side]] |= wanted
    for v in range(len(start) - 1):
        start[v + 1] += start[v]
    for i in range(found):
        e = hot.edges[i]
        for side in range(2):
            place = start[ends[e, side] + 1]
            start[ends[e, side] + 1] += 1
            hot.vertex[place] = ends[e, 1 - side]
            hot.count[place] = s.count[e]


@inner_jit
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


@inner_jit
def reach(s, x, m, hot, sums, touched):
    """Estimate the toggle of (x, y) for every y with a hot edge in their triangles; returns how many y.

    ``sums`` holds for every y what adding and what deleting (x, y) changes, side by side, as both are always touched
    together; BIG for adding means not reached.
    """
    start, vertex, count = hot.start, hot.vertex, hot.count
    up, down = m.up, m.down
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


@inner_jit
def paths_from(s, x, hot):
    """How many paths `reach` walks."""
    start, vertex = hot.start, hot.vertex
    paths = 0
    for i in range(start[x], start[x + 1]):
        paths += s.length[vertex[i]]
    for i in range(s.start[x], s.start[x] + s.length[x]):
        z = s.vertex[i]
        paths += start[z + 1] - start[z]
    return paths


@inner_jit
def keep_best(pairs, estimate, filled, room, tally):
    """Move the ``room`` lowest estimates to the front; returns how many are kept and the highest of them.

    ``tally`` is zero before and after.
    """
    low, high = estimate[0], estimate[0]
    for i in range(filled):
        low, high = min(low, estimate[i]), max(high, estimate[i])
    for i in range(filled):
        tally[estimate[i] - low] += 1
    bar, below = low, 0
    while below + tally[bar - low] < room:
        below += tally[bar - low]
        bar += 1
    for i in range(high - low + 1):
        tally[i] = 0
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
def scan(s, m, deletable, editable, shift, hot, pairs, estimate, tally, sums, touched, edge_to):
    """The pairs whose toggle lowers the potential most by the sum of marginals; returns how many.

    Edges with numbers below ``deletable`` stay, and the vertices of a pair are ``editable`` by MAY_JOIN together.
    ``shift`` says with which vertex to begin: of equal pairs the first ones are kept, and in a large dense graph a
    scan ends before it has seen all. Whenever ``pairs`` is full, the better half is kept. The last four arrays are
    scratch: zero, BIG, anything and NONE, before and after.
    """
    n, room, wanting = len(s.start), len(pairs) // 2, hot.wanting
    fill_rows(s, m, shift, hot)
    filled, bar, paths = 0, 0, 0
    for i in range(shift, shift + n):
        x = i if i < n else i - n
        if not wanting[x] or not editable[x] or paths > LONGEST_SCAN:
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
            allowed = editable[x] + editable[y] >= MAY_JOIN and (e == NONE or e >= deletable)
            if change < bar and not twice and x != y and allowed:
                pairs[filled, 0] = x
                pairs[filled, 1] = y
                estimate[filled] = max(change, -LARGEST_GAIN)
                filled += 1
                if filled == 2 * room:
                    filled, bar = keep_best(pairs, estimate, filled, room, tally)
        for j in range(s.start[x], s.start[x] + s.length[x]):
            edge_to[s.vertex[j]] = NONE
    return filled


@jit
def common_friends(s, m, edges, editable, probe, hot, friend, cost, sums, touched, mutual, near, taken):
    """Two vertices for each edge that would raise it by becoming a friend of both ends, and the estimated costs.

    The first is the one that costs least and then has the most mutual friends with the ends. The second has none:
    nothing but the edge moves, and two edges with one mutual friend are new. It is looked for from ``probe`` on.
    ``friend`` is NONE and ``cost`` BIG before; the last arrays are scratch: BIG, anything, zero, anything, false.
    """
    n = len(s.start)
    fill_rows(s, m, probe, hot)
    for index in range(len(edges)):
        u, v = np.int64(s.ends[edges[index], 0]), np.int64(s.ends[edges[index], 1])
        found, most = 0, NONE
        enough = MAY_JOIN - min(editable[u], editable[v])
        reached = (reach(s, u, m, hot, sums[0], touched[0]), reach(s, v, m, hot, sums[1], touched[1]))
        for side in range(2):
            x = u if side == 0 else v
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
            if better and not taken[w] and editable[w] >= enough:
                friend[index, 0], cost[index, 0], most = w, total, friends
        for i in range(min(n, FAR_VERTICES)):
            w = (probe + i) % n
            if not taken[w] and editable[w] >= enough and mutual[0, w] + mutual[1, w] == 0:
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
