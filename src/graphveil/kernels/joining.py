"""Joining vertices that miss edges: any that are no neighbours, or only those at distance three or more.

The vertices wait in a queue, those that miss most first. All that miss the same number stand together in it, so
that one edge less, or one more, is a change of two places.
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
    """Who misses edges. ``at_least[c]`` vertices miss c or more: ``order[:at_least[c]]``."""

    missing: Any  # int64[n]: how many edges
    order: Any  # int32: who misses edges or did at first, most first
    place: Any  # int64[n]: where each stands in it
    at_least: Any  # int64


@jit
def line_up(missing, shuffled):
    """The queue of all that miss edges; ties stand as in ``shuffled``."""
    most = 0
    for v in range(len(missing)):
        most = max(most, missing[v])
    at_least = np.zeros(most + 3, np.int64)
    for v in range(len(missing)):
        at_least[missing[v]] += 1
    for c in range(most, -1, -1):
        at_least[c] += at_least[c + 1]
    fill = at_least[1:].copy()
    order = np.empty(at_least[1], np.int32)
    place = np.full(len(missing), NONE, np.int64)
    for v in shuffled:
        if missing[v] > 0:
            place[v] = fill[missing[v]]
            order[place[v]] = v
            fill[missing[v]] += 1
    return Queue(missing.copy(), order, place, at_least)


@jit
def one_less(q, v):
    """v misses one edge less: it changes places with the last that missed as many."""
    last = q.at_least[q.missing[v]] - 1
    other = q.order[last]
    q.order[q.place[v]], q.place[other] = other, q.place[v]
    q.order[last], q.place[v] = v, last
    q.at_least[q.missing[v]] -= 1
    q.missing[v] -= 1


@jit
def one_more(q, v):
    """Undo `one_less`."""
    q.missing[v] += 1
    first = q.at_least[q.missing[v]]
    other = q.order[first]
    q.order[q.place[v]], q.place[other] = other, q.place[v]
    q.order[first], q.place[v] = v, first
    q.at_least[q.missing[v]] += 1


@jit
def call(q, u):
    """Take u out of the queue; returns how many edges it misses."""
    wanted = q.missing[u]
    while q.missing[u] > 0:
        one_less(q, u)
    return wanted


@jit
def supergraph(start, neighbours, missing, shuffled):
    """Join the vertex that misses most with those that miss most and are no neighbours, until none is left.

    Liu and Terzi's Supergraph. A vertex is served once and for all, so no new edge ever lies between two
    vertices that still wait, and the old rows say who is a neighbour. Each costs time in its own degree.
    Returns the new edges, and how many edges each vertex still misses.
    """
    q = line_up(missing, shuffled)
    edges = np.empty((missing.sum() // 2, 2), np.int32)
    left = np.zeros(len(missing), np.int64)
    refused = np.full(len(missing), NONE, np.int32)  # the vertex in service that v cannot be joined with
    joined = 0
    while q.at_least[1] > 0:
        u = q.order[0]
        wanted = call(q, u)
        for slot in range(start[u], start[u + 1]):
            refused[neighbours[slot]] = u
        position = 0
        while wanted > 0 and position < q.at_least[1]:
            w = q.order[position]
            if refused[w] == u:
                position += 1
                continue
            refused[w] = u
            one_less(q, w)  # another vertex now stands in this position
            edges[joined, 0], edges[joined, 1] = min(u, w), max(u, w)
            joined, wanted = joined + 1, wanted - 1
        left[u] = wanted
    return edges[:joined], left


# ---------------------------------------------------------------- only vertices at distance three or more


class Far(NamedTuple):
    """The graph that grows, and who is near the vertex in service."""

    start: Any  # compressed rows of the graph as it was
    neighbours: Any
    edges: Any  # int32[room, 2]: new edges
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
    it misses then goes to vertices that miss nothing: first to those whose class can spare one and whose next
    class is full, then to any of a lower degree, at last to spare vertices. If all that is not enough, u gives
    everything back.

    Parameters
    ----------
    start, neighbours : compressed rows of the graph
    missing : how many edges each vertex needs
    planned : the degree each vertex is to have; changed to the one it gets
    sizes : how many vertices are planned for each degree, spare ones aside; changed likewise
    k : what makes a class full
    shuffled : vertices by descending degree, spare ones aside
    turns : a random number for each vertex: where its walk over those at distance two starts
    spare : vertices from this number on are isolated and there for the last need

    Returns the new edges, and how many edges each vertex still misses.
    """
    n, room = len(missing), missing.sum()
    q = line_up(missing, shuffled)
    s = Far(
        start,
        neighbours,
        np.empty((room, 2), np.int32),
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
    while q.at_least[1] > 0:
        u = q.order[0]
        missed = call(q, u)
        before = s.totals[JOINED]
        one_step = mark_ball(s, u)
        wanted = join_waiting(s, q, u, missed)
        from_queue = missed - wanted
        for floor in (k, 0):
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
    position = 0
    while wanted > 0 and position < q.at_least[1]:
        w = q.order[position]
        if s.near[w] == u:
            position += 1
            continue
        one_less(q, w)  # another vertex now stands in this position
        add_edge(s, u, w)
        wanted -= 1
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
    """Whether w may be joined with u: ``floor`` others stay in its class and as many wait in the next.

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
            one_more(q, w)
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
