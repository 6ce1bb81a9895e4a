"""Joining vertices that miss edges: any that are no neighbours, or only those at distance three or more.

The vertices wait in a queue, those that miss most first, and of these the ones of high degree, which have the fewest
partners left. One edge less moves a vertex behind the last of those that missed as many.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.kernels._jit import jit

NONE = -1
JOINED, REACHED = 0, 1  # places in Far.totals
CHOICE = 4  # vertices at distance three to choose each one from
STRIDE = 2_147_483_647  # a prime larger than any number of vertices, so that steps of it come by all of them


class Queue(NamedTuple):
    """Who misses edges: a ring of vertices, most first, that begins and ends at the number n, which is none of them."""

    missing: Any  # int64[n]: how many edges
    after: Any  # int32[n + 1]
    before: Any  # int32[n + 1]
    last: Any  # int32: the last of those that miss c edges, NONE if nobody does


@jit
def line_up(missing, shuffled):
    """The queue of all that miss edges; those that miss the same number stand as in ``shuffled``."""
    n, most = len(missing), 0
    for v in range(n):
        most = max(most, missing[v])
    first = np.zeros(most + 2, np.int64)
    for v in range(n):
        first[missing[v]] += 1
    for c in range(most, -1, -1):
        first[c] += first[c + 1]
    first[:-1] = first[1:]  # as many miss more than c
    order = np.empty(first[0], np.int32)
    for v in shuffled:
        if missing[v] > 0:
            order[first[missing[v]]] = v
            first[missing[v]] += 1
    q = Queue(
        missing.copy(),
        np.full(n + 1, n, np.int32),
        np.full(n + 1, n, np.int32),
        np.full(most + 2, NONE, np.int32),
    )
    for v in order:
        link(q, v, q.before[n])
        q.last[missing[v]] = v
    return q


@jit
def link(q, v, predecessor):
    """Put v behind another."""
    successor = q.after[predecessor]
    q.after[predecessor], q.before[v] = v, predecessor
    q.after[v], q.before[successor] = successor, v


@jit
def unlink(q, v):
    """Take v out of the ring, and from the end of those that miss as many."""
    predecessor, successor, c = q.before[v], q.after[v], q.missing[v]
    q.after[predecessor], q.before[successor] = successor, predecessor
    if q.last[c] == v:
        alone = predecessor == len(q.missing) or q.missing[predecessor] != c
        q.last[c] = NONE if alone else predecessor


@jit
def call(q):
    """Take the first out of the queue; returns it, and how many edges it misses."""
    u = q.after[len(q.missing)]
    return u, take(q, u)


@jit
def take(q, u):
    """Take a vertex out of the queue; returns how many edges it misses."""
    unlink(q, u)
    wanted = q.missing[u]
    q.missing[u] = 0
    return wanted


@jit
def one_less(q, v):
    """v misses one edge less, and stands last among those that miss as many; returns who stood before it."""
    predecessor, c = q.before[v], q.missing[v]
    unlink(q, v)
    q.missing[v] = c - 1
    if c > 1:
        higher = predecessor if q.last[c] == NONE else q.last[c]
        link(q, v, higher if q.last[c - 1] == NONE else q.last[c - 1])
        q.last[c - 1] = v
    return predecessor


@jit
def one_more(q, v, predecessor):
    """Undo the latest `one_less`."""
    if q.missing[v] > 0:
        unlink(q, v)
    q.missing[v] += 1
    link(q, v, predecessor)
    successor = q.after[v]
    if successor == len(q.missing) or q.missing[successor] < q.missing[v]:
        q.last[q.missing[v]] = v


@jit
def supergraph(start, neighbours, missing, shuffled, turns):
    """Join each vertex in its turn with those that miss most and are no neighbours.

    Liu and Terzi's Supergraph. A vertex is served once and for all, so no new edge ever lies between two
    vertices that still wait, and the old rows say who is a neighbour. Each costs time in its own degree.
    Of those that miss equally many, the first in ``shuffled`` are preferred. Without ``turns``, the vertex that misses
    most is always next. Returns the new edges, and how many edges each vertex still misses.
    """
    n = len(missing)
    q = line_up(missing, shuffled)
    edges = np.empty((missing.sum() // 2, 2), np.int32)
    left = np.zeros(n, np.int64)
    refused = np.full(n, NONE, np.int32)  # the vertex in service that v cannot be joined with
    joined = 0
    turn = 0
    while q.after[n] != n:
        u = q.after[n]
        if len(turns):
            u = turns[turn]
            turn += 1
            if q.missing[u] == 0:
                continue
        wanted = take(q, u)
        for slot in range(start[u], start[u + 1]):
            refused[neighbours[slot]] = u
        w = q.after[n]
        while wanted > 0 and w != n:
            following = q.after[w]
            if refused[w] != u:
                refused[w] = u
                one_less(q, w)
                edges[joined, 0], edges[joined, 1] = min(u, w), max(u, w)
                joined, wanted = joined + 1, wanted - 1
            w = following
        left[u] = wanted
    return edges[:joined], left


# ---------------------------------------------------------------- only vertices at distance three or more


class Far(NamedTuple):
    """The graph that grows, and who is near the vertex in service."""

    start: Any  # compressed rows of the graph as it was
    neighbours: Any
    edges: Any  # int32[room, 2]: new edges
    stood_behind: Any  # int32[room]: where in the queue the other end of a new edge came from
    newest: Any  # int64[n]: last new edge of each vertex, as 2·edge + side
    earlier: Any  # int64[2·room]: the one before
    near: Any  # int32[n]: the vertex in service that v is within two steps of
    ball: Any  # int32[n]: all that are near it
    seen: Any  # int64[n]: the search that came by v
    shell: Any  # int32[n]: those at distance three to choose from
    planned: Any  # int64[n]: the degree each vertex is to have
    sizes: Any  # int64: how many vertices are to have each degree
    totals: Any  # int64[2]: new edges, size of the ball


@jit
def join_far(start, neighbours, missing, planned, sizes, k, shuffled, turns, spare):
    """Join vertices that miss edges without closing a triangle: only pairs at distance three or more.

    The vertex u that misses most is served first. It is joined with those that miss most and are far enough. What
    it misses then goes to vertices that miss nothing: first to those whose group can spare one and whose next
    group is full, then to any of a lower degree, at last to spare vertices (isolated, from number ``spare`` on). If all
    that is not enough, u gives everything back. Returns the new edges, and how many edges each vertex still misses.

    ``planned`` (the degree of each vertex) and ``sizes`` (how many are planned for each degree, spare ones aside) are
    changed to what comes out. ``shuffled`` is by descending degree; ``turns`` says where walks at distance two start.
    """
    n, room = len(missing), missing.sum()
    q = line_up(missing, shuffled)
    s = Far(
        start,
        neighbours,
        np.empty((room, 2), np.int32),
        np.empty(room, np.int32),
        np.full(n, NONE, np.int64),
        np.empty(2 * room, np.int64),
        np.full(n, NONE, np.int32),
        np.empty(n, np.int32),
        np.full(n, NONE, np.int64),
        np.empty(n, np.int32),
        planned,
        sizes,
        np.zeros(2, np.int64),
    )
    left = np.zeros(n, np.int64)
    while q.after[n] != n:
        u, missed = call(q)
        before = s.totals[JOINED]
        one_step = mark_ball(s, u)
        wanted = join_waiting(s, q, u, missed)
        from_queue = missed - wanted
        for floor in (k, 0):
            if s.totals[REACHED] == n:
                break
            if wanted > 0:
                wanted = join_at_three(s, u, wanted, one_step, floor, turns[u])
            if wanted > 0:
                wanted = join_beyond(s, u, wanted, floor, shuffled)
        if wanted > 0:
            wanted = join_spare(s, u, wanted, spare)
        if wanted > 0:
            give_back(s, q, u, missed, before, from_queue)
            left[u] = missed
    return s.edges[: s.totals[JOINED]], left


@jit
def join_waiting(s, q, u, wanted):
    """Join u with those in the queue that are far from it, those that miss most first."""
    n = len(q.missing)
    w = q.after[n]
    while wanted > 0 and w != n:
        following = q.after[w]
        if s.near[w] != u:
            s.stood_behind[s.totals[JOINED]] = one_less(q, w)
            add_edge(s, u, w)
            wanted -= 1
        w = following
    return wanted


@jit
def join_at_three(s, u, wanted, one_step, floor, turn):
    """Join u with settled vertices at distance three, scattered over those that may rise."""
    found = gather(s, u, one_step, floor, turn, CHOICE * wanted)
    for i in range(found):
        w = s.shell[(i * STRIDE + turn) % found]
        if may_rise(s, u, w, floor):
            rise(s, w, 1)
            add_edge(s, u, w)
            wanted -= 1
            if wanted == 0:
                break
    return wanted


@jit
def gather(s, u, one_step, floor, turn, enough):
    """Write up to ``enough`` vertices at distance three that may rise into ``shell``; returns how many."""
    near, seen, shell = s.near, s.seen, s.shell
    search = 2 * u + (floor > 0)
    found, count = 0, s.totals[REACHED] - one_step
    for i in range(count):
        x = s.ball[one_step + (i + turn) % count]
        for w in s.neighbours[s.start[x] : s.start[x + 1]]:
            if near[w] != u and seen[w] != search and found < enough:
                seen[w] = search
                if may_rise(s, u, w, floor):
                    shell[found] = w
                    found += 1
        if found == enough:
            break
    return found


@jit
def join_beyond(s, u, wanted, floor, shuffled):
    """Join u with any settled vertices that are far from it, those of low degree first."""
    position = len(shuffled)
    while wanted > 0 and position > 0:
        position -= 1
        w = shuffled[position]
        if may_rise(s, u, w, floor):
            rise(s, w, 1)
            add_edge(s, u, w)
            wanted -= 1
    return wanted


@jit
def join_spare(s, u, wanted, spare):
    """Join u with vertices from ``spare`` on, which are there for the last need only."""
    w = spare
    while wanted > 0 and w < len(s.near):
        if s.near[w] != u:
            if s.planned[w] == 0:
                s.sizes[0] += 1  # from now on it is one of the graph's vertices
            rise(s, w, 1)
            add_edge(s, u, w)
            wanted -= 1
        w += 1
    return wanted


@jit
def may_rise(s, u, w, floor):
    """Whether w may be joined with u: ``floor`` others stay in its group and as many wait in the next.

    Without a floor it must at least be planned for fewer edges than u.
    """
    if s.near[w] == u:
        return False
    degree = s.planned[w]
    if floor == 0:
        return degree < s.planned[u]
    return s.sizes[degree] > floor and s.sizes[degree + 1] >= floor


@jit
def rise(s, v, steps):
    """Plan more edges for v, or fewer."""
    s.sizes[s.planned[v]] -= 1
    s.planned[v] += steps
    s.sizes[s.planned[v]] += 1


@jit
def add_edge(s, u, w):
    """Join u, which is in service, with w, and mark all that come near it."""
    edge = s.totals[JOINED]
    s.totals[JOINED] += 1
    s.edges[edge, 0], s.edges[edge, 1] = min(u, w), max(u, w)
    for side in range(2):
        end = s.edges[edge, side]
        s.earlier[2 * edge + side] = s.newest[end]
        s.newest[end] = 2 * edge + side
    mark_around(s, w, u)


@jit
def give_back(s, q, u, missed, before, from_queue):
    """Undo the service of u: its new edges since ``before``, the first of which came from the queue, and its plan."""
    while s.totals[JOINED] > before:
        s.totals[JOINED] -= 1
        edge = s.totals[JOINED]
        for side in range(2):
            s.newest[s.edges[edge, side]] = s.earlier[2 * edge + side]
        w = s.edges[edge, 0] + s.edges[edge, 1] - u
        if edge < before + from_queue:
            one_more(q, w, s.stood_behind[edge])
        else:
            rise(s, w, -1)
    rise(s, u, -missed)


@jit
def mark_around(s, w, u):
    """w and its neighbours are within two steps of u."""
    near, ball, reached = s.near, s.ball, s.totals[REACHED]
    if near[w] != u:
        near[w] = u
        ball[reached] = w
        reached += 1
    for v in s.neighbours[s.start[w] : s.start[w + 1]]:
        if near[v] != u:
            near[v] = u
            ball[reached] = v
            reached += 1
    slot = s.newest[w]
    while slot != NONE:
        v = s.edges[slot >> 1, 1 - (slot & 1)]
        if near[v] != u:
            near[v] = u
            ball[reached] = v
            reached += 1
        slot = s.earlier[slot]
    s.totals[REACHED] = reached


@jit
def mark_ball(s, u):
    """Mark all within two steps of u, those within one first; returns how many these are."""
    s.totals[REACHED] = 0
    mark_around(s, u, u)
    one_step = s.totals[REACHED]
    for i in range(1, one_step):
        if s.totals[REACHED] == len(s.ball):
            break
        mark_around(s, s.ball[i], u)
    return one_step


@jit
def pick_apart(start, neighbours, candidates, members, count):
    """The first ``count`` candidates that are neighbours of no member and of none picked before."""
    barred = np.zeros(len(start) - 1, np.bool_)
    for v in members:
        barred[v] = True
        barred[neighbours[start[v] : start[v + 1]]] = True
    picked = np.empty(count, np.int64)
    found = 0
    for v in candidates:
        if found == count:
            break
        if not barred[v]:
            barred[neighbours[start[v] : start[v + 1]]] = True
            picked[found] = v
            found += 1
    return picked[:found]
