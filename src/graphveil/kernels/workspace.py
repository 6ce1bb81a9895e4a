"""Edits of a changing graph that keep every mutual-friend count right, in the neighbourhood they touch.

All arrays of a `graphveil.methods.workspace.Workspace` travel together as one `State`. The neighbours of a vertex lie
side by side in ascending order, with room to grow, so that the common neighbours of two vertices come from
one merge and a row depends on the graph alone, not on the way it was reached. Edges of the same count form a
doubly linked list.

Kernels pass numbers on as int64, literals too, whatever array they come from: a kernel is compiled once for each
type it is called with, and that is most of the time of a first run.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.kernels._jit import inner_jit, jit

NONE = -1  # no edge, no place, end of a list
ALIVE, OPEN, TURN = 0, 1, 4  # places in State.totals
MULTIPLIER, MODULUS = 48_271, 2_147_483_647  # of the generator behind TURN (Lehmer; 0 stays 0)


class State(NamedTuple):
    """The arrays of a workspace. n vertices, room for M edges, counts below F."""

    start: Any  # int64[n]: first slot of each vertex
    length: Any  # int32[n]: its degree
    room: Any  # int32[n]: how many slots it may fill
    vertex: Any  # int32[slots]: the neighbour in a slot
    edge: Any  # int32[slots]: the edge behind a slot
    ends: Any  # int32[M, 2]
    count: Any  # int32[M]: mutual friends, NONE while the edge is not in the graph
    later: Any  # int32[M]: next edge with the same count
    earlier: Any  # int32[M]: the one before
    first: Any  # int32[F]: first edge of each count
    size: Any  # int64[F]: edges of each count
    sealed: Any  # bool[F]: edges with this count are final
    totals: Any  # int64[5]: edges in the graph, open edges, slots in use, edge numbers in use, random number
    common: Any  # int32[3, longest]: scratch, common neighbours and the two edges to each
    mark: Any  # int32[n]: scratch, NONE between calls
    place: Any  # int32[n]: scratch, NONE between calls


# ---------------------------------------------------------------------------- lists of edges by count


@inner_jit
def put_first(s, e, count):
    """Make e the first edge with this count; the totals are left to the caller."""
    head = s.first[count]
    s.count[e] = count
    s.later[e] = head
    s.earlier[e] = NONE
    if head != NONE:
        s.earlier[head] = e
    s.first[count] = e
    s.size[count] += 1


@inner_jit
def link(s, e, count):
    put_first(s, e, count)
    s.totals[ALIVE] += 1
    if not s.sealed[count]:
        s.totals[OPEN] += 1


@inner_jit
def unlink(s, e):
    count, before, after = s.count[e], s.earlier[e], s.later[e]
    if before == NONE:
        s.first[count] = after
    else:
        s.later[before] = after
    if after != NONE:
        s.earlier[after] = before
    s.count[e] = NONE
    s.size[count] -= 1
    s.totals[ALIVE] -= 1
    if not s.sealed[count]:
        s.totals[OPEN] -= 1


@inner_jit
def shift(s, e, by):
    count = np.int64(s.count[e]) + by
    unlink(s, e)
    link(s, e, count)


@jit
def link_all(s, counts, order):
    """Fill the lists from scratch, the last of the order first, while no count is sealed: `link` ten times as fast."""
    for e in order:
        put_first(s, np.int64(e), np.int64(counts[e]))
    s.totals[ALIVE] = s.totals[OPEN] = len(counts)


@inner_jit
def next_turn(s):
    """A random number, or always 0 in a workspace without a seed: where a walk over common neighbours begins."""
    turn = s.totals[TURN]
    s.totals[TURN] = turn * MULTIPLIER % MODULUS
    return turn


# ---------------------------------------------------------------------------- neighbours


@inner_jit
def slot_of(s, u, v):
    """The slot at u of its neighbour v, or of the first neighbour above v."""
    low, high = s.start[u], s.start[u] + s.length[u]
    while low < high:
        middle = (low + high) // 2
        if s.vertex[middle] < v:
            low = middle + 1
        else:
            high = middle
    return low


@jit
def edge_between(s, u, v):
    """The edge (u, v), or NONE."""
    if s.length[u] > s.length[v]:
        u, v = v, u
    slot = slot_of(s, u, v)
    if slot < s.start[u] + s.length[u] and s.vertex[slot] == v:
        return s.edge[slot]
    return NONE


@inner_jit
def insert(s, u, v, e):
    slot, end = slot_of(s, u, v), s.start[u] + s.length[u]
    for i in range(end, slot, -1):
        s.vertex[i] = s.vertex[i - 1]
        s.edge[i] = s.edge[i - 1]
    s.vertex[slot] = v
    s.edge[slot] = e
    s.length[u] += 1


@inner_jit
def remove(s, u, v):
    slot, end = slot_of(s, u, v), s.start[u] + s.length[u]
    for i in range(slot, end - 1):
        s.vertex[i] = s.vertex[i + 1]
        s.edge[i] = s.edge[i + 1]
    s.length[u] -= 1


@jit
def common_neighbours(s, u, v):
    """Fill ``s.common`` with the common neighbours z, the edges (u, z) and (v, z); returns how many.

    Two long rows are merged; a short row against a much longer one looks each neighbour up.
    """
    found = 0
    short, long = (u, v) if s.length[u] <= s.length[v] else (v, u)
    i, i_end = s.start[short], s.start[short] + s.length[short]
    j, j_end = s.start[long], s.start[long] + s.length[long]
    search = s.length[long] > 16 * s.length[short]
    while i < i_end and j < j_end:
        if search:
            j = slot_of(s, long, np.int64(s.vertex[i]))
            if j == j_end:
                break
        if s.vertex[i] < s.vertex[j]:
            i += 1
        elif s.vertex[i] > s.vertex[j]:
            j += 1
        else:
            s.common[0, found] = s.vertex[i]
            s.common[1, found] = s.edge[i] if short == u else s.edge[j]
            s.common[2, found] = s.edge[j] if short == u else s.edge[i]
            found += 1
            i += 1
            j += 1
    return found


# ---------------------------------------------------------------------------- edits


@jit
def add_edge(s, e, u, v):
    """Add edge number e between u and v; returns how many common neighbours ``s.common`` now names."""
    found, turn = common_neighbours(s, u, v), next_turn(s)
    for step in range(turn, turn + found):
        shift(s, np.int64(s.common[1, step % found]), np.int64(1))
        shift(s, np.int64(s.common[2, step % found]), np.int64(1))
    s.ends[e, 0], s.ends[e, 1] = min(u, v), max(u, v)
    insert(s, u, v, e)
    insert(s, v, u, e)
    link(s, e, found)
    return found


@jit
def delete_edge(s, e):
    """Take edge number e out; returns how many common neighbours ``s.common`` now names."""
    u, v = np.int64(s.ends[e, 0]), np.int64(s.ends[e, 1])
    found, turn = common_neighbours(s, u, v), next_turn(s)
    for step in range(turn, turn + found):
        shift(s, np.int64(s.common[1, step % found]), np.int64(-1))
        shift(s, np.int64(s.common[2, step % found]), np.int64(-1))
    remove(s, u, v)
    remove(s, v, u)
    unlink(s, e)
    return found


@jit
def group_cost(s, skip, k):
    """I of Eq. 1 and 2: raising the open edges skip+1 … skip+k, in descending order, to the first of them."""
    top, cost = NONE, 0
    for count in range(len(s.size) - 1, -1, -1):
        if s.sealed[count]:
            continue
        skipped = min(skip, s.size[count])
        taken = min(k, s.size[count] - skipped)
        skip -= skipped
        k -= taken
        if taken > 0 and top == NONE:
            top = count
        cost += taken * (top - count)
        if k == 0:
            break
    return cost


# ---------------------------------------------------------------------------- closing triangles (BFSEA)


@inner_jit
def open_common(s, w, x):
    """Common neighbours of w and the marked x, or NONE where a triangle over a sealed edge would be made.

    ``s.mark`` holds the edge (x, z) of every neighbour z of x.
    """
    found = 0
    if s.length[w] > 16 * s.length[x]:
        for i in range(s.start[x], s.start[x] + s.length[x]):
            e = edge_between(s, w, np.int64(s.vertex[i]))
            if e != NONE:
                if s.sealed[s.count[e]] or s.sealed[s.count[s.edge[i]]]:
                    return NONE
                found += 1
        return found
    for i in range(s.start[w], s.start[w] + s.length[w]):
        e = s.mark[s.vertex[i]]
        if e != NONE:
            if s.sealed[s.count[e]] or s.sealed[s.count[s.edge[i]]]:
                return NONE
            found += 1
    return found


@jit
def one_edge_away(s, u, v):
    """Hop 1: vertices that lack one edge to make a triangle with (u, v), by conditions a–c.

    Returns the vertices, which of their edges to u and v are missing, and the mutual friends over those.
    """
    limit = s.length[u] + s.length[v]
    vertex = np.empty(limit, np.int32)
    missing = np.zeros((limit, 2), np.bool_)
    score = np.zeros((limit, 2), np.int32)
    found = 0
    for side in range(2):
        x, y = (u, v) if side == 0 else (v, u)
        for i in range(s.start[x], s.start[x] + s.length[x]):
            s.mark[s.vertex[i]] = s.edge[i]
        for i in range(s.start[y], s.start[y] + s.length[y]):
            w = np.int64(s.vertex[i])
            if w == x or s.mark[w] != NONE or s.sealed[s.count[s.edge[i]]]:
                continue
            common = open_common(s, w, x)
            if common != NONE:
                vertex[found] = w
                missing[found, side] = True
                score[found, side] = common
                found += 1
        for i in range(s.start[x], s.start[x] + s.length[x]):
            s.mark[s.vertex[i]] = NONE
    return vertex[:found], missing[:found], score[:found]


@jit
def two_edges_away(s, u, v, vertices):
    """Hop 2 and more: those of the vertices that lack both edges to make a triangle with (u, v), by condition c.

    A friend z of u, v and w gains two triangles on (w, z): that edge must not pass over a sealed count.
    """
    vertex = np.empty(len(vertices), np.int32)
    score = np.zeros((len(vertices), 2), np.int32)
    found = 0
    for i in range(s.start[u], s.start[u] + s.length[u]):
        s.mark[s.vertex[i]] = s.edge[i]
    for i in range(s.start[v], s.start[v] + s.length[v]):
        s.place[s.vertex[i]] = s.edge[i]
    for k in range(len(vertices)):
        w = vertices[k]
        if s.mark[w] != NONE or s.place[w] != NONE:
            continue
        to_u, to_v, blocked = 0, 0, False
        for i in range(s.start[w], s.start[w] + s.length[w]):
            uz, vz, count = s.mark[s.vertex[i]], s.place[s.vertex[i]], s.count[s.edge[i]]
            if uz == NONE and vz == NONE:
                continue
            blocked = blocked or s.sealed[count]
            if uz != NONE:
                to_u += 1
                blocked = blocked or s.sealed[s.count[uz]]
            if vz != NONE:
                to_v += 1
                blocked = blocked or s.sealed[s.count[vz]]
            if uz != NONE and vz != NONE:
                blocked = blocked or s.sealed[count + 1]
            if blocked:
                break
        if not blocked:
            vertex[found] = w
            score[found, 0] = to_u
            score[found, 1] = to_v
            found += 1
    for i in range(s.start[u], s.start[u] + s.length[u]):
        s.mark[s.vertex[i]] = NONE
    for i in range(s.start[v], s.start[v] + s.length[v]):
        s.place[s.vertex[i]] = NONE
    return vertex[:found], np.ones((found, 2), np.bool_), score[:found]


@jit
def next_level(s, frontier, seen):
    """Breadth-first search: the unseen neighbours of the frontier, which become seen."""
    reached = np.empty(len(s.start), np.int32)
    found = 0
    for i in range(len(frontier)):
        u = frontier[i]
        for j in range(s.start[u], s.start[u] + s.length[u]):
            w = s.vertex[j]
            if not seen[w]:
                seen[w] = True
                reached[found] = w
                found += 1
    return reached[:found].copy()


@jit
def best_candidate(s, missing, score, dead, priority, target):
    """The candidate with the most mutual friends over its missing edges (Eq. 3), or NONE.

    A new edge must end below the target or at a sealed count, where it is final at once.
    """
    best = NONE
    best_score = NONE
    for i in range(len(dead)):
        if dead[i]:
            continue
        total = score[i, 0] + score[i, 1]
        if total < best_score or (total == best_score and priority[i] <= priority[best]):
            continue
        both = missing[i, 0] and missing[i, 1]
        fits = True
        for side in range(2):
            if missing[i, side]:
                ends_at = score[i, side] + (1 if both else 0)
                fits = fits and (ends_at < target or s.sealed[ends_at])
        if fits:
            best, best_score = i, total
    return best


@jit
def update_candidates(s, u, v, w, side, friends, vertex, missing, score, dead):
    """Candidates after (w, x) was added, x being u or v by ``side``: new scores, dynamic removal.

    ``friends`` are the common neighbours that w and x had when the edge was added.
    """
    x, y = (u, v) if side == 0 else (v, u)
    for i in range(len(vertex)):
        s.place[vertex[i]] = i
    new_sealed = s.sealed[s.count[edge_between(s, w, x)]]
    other = edge_between(s, w, y)
    other_sealed = other != NONE and s.sealed[s.count[other]]
    for j in range(s.start[w], s.start[w] + s.length[w]):
        i = s.place[s.vertex[j]]
        if i == NONE or dead[i]:
            continue
        count = s.count[s.edge[j]]
        if s.sealed[count]:
            dead[i] = True
        if missing[i, side]:
            score[i, side] += 1
            dead[i] = dead[i] or new_sealed
        elif s.sealed[s.count[edge_between(s, x, np.int64(s.vertex[j]))]]:
            dead[i] = True
        if missing[i, 1 - side] and (other_sealed or (missing[i, side] and s.sealed[count + 1])):
            dead[i] = True
    for k in range(len(friends)):
        z = np.int64(friends[k])
        if z == y or not s.sealed[s.count[edge_between(s, x, z)]]:
            continue
        for j in range(s.start[z], s.start[z] + s.length[z]):
            i = s.place[s.vertex[j]]
            if i != NONE and missing[i, side]:
                dead[i] = True
    for i in range(len(vertex)):
        s.place[vertex[i]] = NONE


# ---------------------------------------------------------------------------- opening triangles (edge-deletion)


@inner_jit
def final(s, e, marked):
    return marked[e] or s.sealed[s.count[e]]


@inner_jit
def may_delete(s, e, marked):
    """Whether every triangle over e has only edges that are open and not marked; ends at the first that has not."""
    u, v = np.int64(s.ends[e, 0]), np.int64(s.ends[e, 1])
    short, long = (u, v) if s.length[u] <= s.length[v] else (v, u)
    search = s.length[long] > 16 * s.length[short]
    j, j_end = s.start[long], s.start[long] + s.length[long]
    for i in range(s.start[short], s.start[short] + s.length[short]):
        if search:
            j = slot_of(s, long, np.int64(s.vertex[i]))
        while j < j_end and s.vertex[j] < s.vertex[i]:
            j += 1
        if j == j_end:
            break
        if s.vertex[j] == s.vertex[i] and (final(s, s.edge[i], marked) or final(s, s.edge[j], marked)):
            return False
    return True


@jit
def weakest_triangle_edge(s, u, v, marked):
    """The edge with the fewest mutual friends that may go to lower (u, v), conditions a–c; or NONE.

    ``marked``, by edge: final although their count is not sealed yet. The seed decides between edges with equally few.
    """
    found, turn = common_neighbours(s, u, v), next_turn(s)
    edges, open_ones = np.empty(2 * found, np.int32), 0
    for step in range(turn, turn + 2 * found):
        i = step % (2 * found)
        e, partner = s.common[1 + i % 2, i // 2], s.common[2 - i % 2, i // 2]
        if not final(s, e, marked) and not final(s, partner, marked):
            edges[open_ones] = e
            open_ones += 1
    tried = NONE  # the place of the last that was looked at closely: the fewest mutual friends first
    while True:
        best = NONE
        for i in range(open_ones):
            count = s.count[edges[i]]
            later = (
                tried == NONE
                or count > s.count[edges[tried]]
                or (count == s.count[edges[tried]] and i > tried)
            )
            if later and (best == NONE or count < s.count[edges[best]]):
                best = i
        if best == NONE or may_delete(s, edges[best], marked):
            return NONE if best == NONE else edges[best]
        tried = best
