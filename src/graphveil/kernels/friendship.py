"""A graph whose people keep to few degrees, the levels, and moves that lead from one such graph to another.

Counted by level, and not by degree: how many edges join two levels, and how many people of one level have a friend in
another. `LACK` says how far these are from the guarantee. A pair of levels with too few lacks what is
missing, or all its edges where that is less. A level with too few people lacks people in the same way.

A *move* toggles a few edges. Everybody whose degree changes by it must come to the degree of another level, and then
belongs to that level. So a person is *flexible* if its degree plus or minus one is a level too.

Where `TRACKED` is set, the mutual friends of every edge are kept up to date as well.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.kernels._jit import inner_jit, jit

NONE = -1
LACK, EDGES, K, DEGREE_K, TRACKED, STAMP, CHANCE = 0, 1, 2, 3, 4, 5, 6  # places in Levels.totals
MOST = 8  # pairs in a move
HUGE = 1 << 40  # more than any cost
LOOKS = 8  # people who are looked at until one fits


class Levels(NamedTuple):
    """The graph. L levels, n vertices; each edge has two slots, one at each end."""

    start: Any  # int64[n]: first slot
    room: Any  # int64[n]: number of slots
    length: Any  # int64[n]: degree
    friend: Any  # int32[slots]
    mirror: Any  # int64[slots]: the slot of the same edge at the other end
    mutual: Any  # int32[slots]: mutual friends
    level: Any  # int64[n]; NONE for who has no friends and gets none
    degree: Any  # int64[L]: of each level, ascending
    level_of: Any  # int64[…]: level of a degree, or NONE
    joined: Any  # int64[L, L]: edges between two levels
    people: Any  # int64[L, L]: different people of the first level with a friend of the second
    tally: Any  # int32[n, L]: friends of each level
    population: Any  # int64[L]
    histogram: Any  # int64[…]: edges by mutual friends
    mark: Any  # int64[n]
    place: Any  # int64[n]
    frozen: Any  # int64[…]: u n + v of pairs u < v that nothing toggles, ascending
    totals: Any  # int64[7]


class Move(NamedTuple):
    """Pairs to be toggled, and what follows from it."""

    pairs: Any  # int64[MOST, 2]
    size: Any  # int64[2]: number of pairs, of people
    person: Any  # int64[2 MOST]
    change: Any  # int64[2 MOST]: of their degrees


@inner_jit
def draw(state, n):
    """A number below n (S. K. Park, K. W. Miller: Random number generators, CACM 1988)."""
    state.totals[CHANCE] = state.totals[CHANCE] * 48271 % 2147483647
    return state.totals[CHANCE] % n


# ---------------------------------------------------------------------------- counters


@inner_jit
def lack_of_pair(state, a, b):
    """What the edges between two levels lack."""
    edges, k = state.joined[a, b], state.totals[K]
    fewest = min(edges, state.people[a, b], state.people[b, a])
    return min(edges, max(0, k - fewest))


@inner_jit
def lack_of_level(state, a):
    """What the people of a level lack."""
    here = state.population[a]
    return min(here, max(0, state.totals[DEGREE_K] - here))


@inner_jit
def lacks(state, u, v):
    """Whether the levels of two friends lack something."""
    a, b = state.level[u], state.level[v]
    return lack_of_pair(state, a, b) > 0 or lack_of_level(state, a) > 0 or lack_of_level(state, b) > 0


@inner_jit
def count_edge(state, u, v, by):
    """Count an edge between the levels of two people, or count it no longer."""
    a, b = state.level[u], state.level[v]
    before = lack_of_pair(state, a, b)
    state.joined[a, b] += by
    if a != b:
        state.joined[b, a] += by
    count_friend(state, u, a, b, by)
    count_friend(state, v, b, a, by)
    state.totals[LACK] += lack_of_pair(state, a, b) - before


@inner_jit
def count_friend(state, u, a, b, by):
    """Count a friend of level b at u, who is of level a."""
    before = state.tally[u, b]
    state.tally[u, b] = before + by
    if before == 0:
        state.people[a, b] += 1
    elif before + by == 0:
        state.people[a, b] -= 1


@inner_jit
def relabel(state, u, level):
    """Put somebody into another level."""
    old = state.level[u]
    if old == level:
        return
    friends = state.friend[state.start[u] : state.start[u] + state.length[u]]
    for v in friends:
        count_edge(state, u, v, -1)
    state.totals[LACK] -= lack_of_level(state, old) + lack_of_level(state, level)
    state.population[old] -= 1
    state.population[level] += 1
    state.totals[LACK] += lack_of_level(state, old) + lack_of_level(state, level)
    state.level[u] = level
    for v in friends:
        count_edge(state, u, v, 1)


# ---------------------------------------------------------------------------- edges


@inner_jit
def slot_between(state, u, v):
    """The slot of the edge (u, v) at one of its ends, or NONE."""
    if state.length[u] > state.length[v]:
        u, v = v, u
    for slot in range(state.start[u], state.start[u] + state.length[u]):
        if state.friend[slot] == v:
            return slot
    return NONE


@inner_jit
def is_frozen(state, u, v):
    """Whether nothing may toggle the pair."""
    if len(state.frozen) == 0:
        return False
    key = min(u, v) * len(state.start) + max(u, v)
    place = np.searchsorted(state.frozen, key)
    return place < len(state.frozen) and state.frozen[place] == key


@inner_jit
def shift_common(state, u, v, by):
    """Shift the mutual friends of all edges to common friends of u and v; returns the number of these."""
    if state.length[u] > state.length[v]:
        u, v = v, u
    state.totals[STAMP] += 1
    stamp = state.totals[STAMP]
    for slot in range(state.start[u], state.start[u] + state.length[u]):
        state.mark[state.friend[slot]] = stamp
        state.place[state.friend[slot]] = slot
    common = 0
    for slot in range(state.start[v], state.start[v] + state.length[v]):
        x = state.friend[slot]
        if state.mark[x] == stamp:
            common += 1
            if by != 0:
                shift_edge(state, slot, by)
                shift_edge(state, state.place[x], by)
    return common


@inner_jit
def shift_edge(state, slot, by):
    """Change the mutual friends of one edge."""
    count = state.mutual[slot]
    state.histogram[count] -= 1
    state.histogram[count + by] += 1
    state.mutual[slot] = count + by
    state.mutual[state.mirror[slot]] = count + by


@inner_jit
def remove_slot(state, u, slot):
    """Take a slot out of the row of u; the last one takes its place."""
    state.length[u] -= 1
    last = state.start[u] + state.length[u]
    if slot != last:
        state.friend[slot] = state.friend[last]
        state.mutual[slot] = state.mutual[last]
        state.mirror[slot] = state.mirror[last]
        state.mirror[state.mirror[slot]] = slot


@inner_jit
def toggle(state, u, v):
    """Add the edge (u, v), or delete it; levels stay."""
    slot = slot_between(state, u, v)
    tracked = state.totals[TRACKED] == 1
    if slot == NONE:
        common = shift_common(state, u, v, 1) if tracked else 0
        here, there = state.start[u] + state.length[u], state.start[v] + state.length[v]
        state.friend[here], state.friend[there] = v, u
        state.mirror[here], state.mirror[there] = there, here
        state.mutual[here], state.mutual[there] = common, common
        state.length[u] += 1
        state.length[v] += 1
        count_edge(state, u, v, 1)
        state.totals[EDGES] += 1
        if tracked:
            state.histogram[common] += 1
        return
    if tracked:
        state.histogram[state.mutual[slot]] -= 1
    other = state.mirror[slot]
    owner = state.friend[other]
    remove_slot(state, owner, slot)
    remove_slot(state, u + v - owner, other)
    count_edge(state, u, v, -1)
    state.totals[EDGES] -= 1
    if tracked:
        shift_common(state, u, v, -1)


@jit
def fill(state, edges):
    """Put edges into an empty graph."""
    for row in range(len(edges)):
        toggle(state, edges[row, 0], edges[row, 1])


@jit
def track(state, histogram):
    """Count the mutual friends of every edge, and keep them up to date from now on."""
    for u in range(len(state.start)):
        for slot in range(state.start[u], state.start[u] + state.length[u]):
            v = state.friend[slot]
            if u < v:
                common = shift_common(state, u, v, 0)
                state.mutual[slot] = common
                state.mutual[state.mirror[slot]] = common
                histogram[common] += 1
    state.totals[TRACKED] = 1


@jit
def listed(state, edges, mutual):
    """Write down all edges, u < v, and their mutual friends."""
    row = 0
    for u in range(len(state.start)):
        for slot in range(state.start[u], state.start[u] + state.length[u]):
            if u < state.friend[slot]:
                edges[row, 0], edges[row, 1], mutual[row] = u, state.friend[slot], state.mutual[slot]
                row += 1


# ---------------------------------------------------------------------------- moves


@inner_jit
def put(move, u, v):
    """One more pair into a move."""
    move.pairs[move.size[0], 0] = u
    move.pairs[move.size[0], 1] = v
    move.size[0] += 1


@inner_jit
def flexible(state, u, by):
    """Whether somebody's degree plus that much is a level."""
    degree = state.length[u] + by
    return degree > 0 and degree < len(state.level_of) and state.level_of[degree] != NONE


@inner_jit
def note(move, u, by):
    """Note that the degree of u changes."""
    for i in range(move.size[1]):
        if move.person[i] == u:
            move.change[i] += by
            return
    move.person[move.size[1]] = u
    move.change[move.size[1]] = by
    move.size[1] += 1


@inner_jit
def possible(state, move):
    """Whether a move can be made; notes whose degrees change."""
    move.size[1] = 0
    for i in range(move.size[0]):
        u, v = move.pairs[i, 0], move.pairs[i, 1]
        if u == v or state.level[u] == NONE or state.level[v] == NONE or is_frozen(state, u, v):
            return False
        for j in range(i):
            x, y = move.pairs[j, 0], move.pairs[j, 1]
            if (x == u and y == v) or (x == v and y == u):
                return False
        by = 1 if slot_between(state, u, v) == NONE else -1
        note(move, u, by)
        note(move, v, by)
    for i in range(move.size[1]):
        u = move.person[i]
        if not flexible(state, u, move.change[i]) or state.length[u] + move.size[0] > state.room[u]:
            return False
    return move.size[0] > 0


@inner_jit
def make(state, move):
    """Make a move that is possible; made once more, it is undone."""
    for i in range(move.size[0]):
        toggle(state, move.pairs[i, 0], move.pairs[i, 1])
    for i in range(move.size[1]):
        u = move.person[i]
        relabel(state, u, state.level_of[state.length[u]])


@inner_jit
def copy_move(move, other):
    """Let one move be another."""
    move.pairs[:] = other.pairs
    move.size[:] = other.size
    move.person[:] = other.person


@inner_jit
def some_friend(state, u):
    """A random friend."""
    return state.friend[state.start[u] + draw(state, state.length[u])]


@inner_jit
def stranger(state, u):
    """A friend of a friend, or anybody."""
    if draw(state, 3) > 0:
        return some_friend(state, some_friend(state, u))
    return draw(state, len(state.start))


@inner_jit
def to_drop(state, u, flexible_only):
    """A friend whom u may lose: of some, one who can fall a level and with few mutual friends; NONE if none can."""
    best, fewest = NONE, HUGE
    for _ in range(LOOKS):
        slot = state.start[u] + draw(state, state.length[u])
        if state.mutual[slot] < fewest and (not flexible_only or flexible(state, state.friend[slot], -1)):
            best, fewest = state.friend[slot], state.mutual[slot]
            if state.totals[TRACKED] == 0:
                break
    return best


@inner_jit
def to_join(state, u):
    """Somebody whom u may get as a friend, and who can rise a level; NONE if nobody was found."""
    for _ in range(LOOKS):
        x = stranger(state, u)
        if state.level[x] != NONE and flexible(state, x, 1):
            return x
    return NONE


@inner_jit
def complete(state, move, u, v, by):
    """Add pairs to a move that gives u and v one friend too many, or takes one from them; whether it was possible."""
    fix_u = not flexible(state, u, by) or draw(state, 4) == 0
    fix_v = not flexible(state, v, by) or draw(state, 4) == 0
    if by < 0 and fix_u and fix_v:
        x = stranger(state, u)
        if state.level[x] == NONE:
            return False
        y = some_friend(state, x)
        if draw(state, 2) == 0:
            x, y = y, x
        put(move, x, y)
        put(move, u, x)
        put(move, v, y)
        return True
    both = fix_u and fix_v and draw(state, 2) == 0
    x, y = NONE, NONE
    if fix_u:
        x = to_join(state, u) if by < 0 else to_drop(state, u, not both)
        if x == NONE:
            return False
        put(move, u, x)
    if fix_v:
        y = to_join(state, v) if by < 0 else to_drop(state, v, not both)
        if y == NONE:
            return False
        put(move, v, y)
    if both:
        put(move, x, y)
    return True


@inner_jit
def propose_repair(state, move, u, v, order, first):
    """A random move that may help the pair of levels of the edge (u, v)."""
    move.size[0] = 0
    if draw(state, 2) == 0:
        u, v = v, u
    kind = draw(state, 8)
    if kind < 3:
        put(move, u, v)
        return complete(state, move, u, v, -1)
    if kind < 5:
        x = some_friend(state, v)
        put(move, v, x)
        return complete(state, move, v, x, -1)
    if kind == 5:
        x = stranger(state, v)
    else:
        a, b = state.level[u], state.level[v]
        u = order[first[a] + draw(state, first[a + 1] - first[a])]
        v = order[first[b] + draw(state, first[b + 1] - first[b])]
        if state.tally[u, b] > 0 and draw(state, 4) > 0:
            return False
        x = u
    if state.level[x] == NONE or x == v or slot_between(state, x, v) != NONE:
        return False
    put(move, v, x)
    return complete(state, move, v, x, 1)


@jit
def lacking_edges(state, edges):
    """Write down the edges between levels that lack something, or of a level that does; returns how many."""
    found = 0
    for u in range(len(state.start)):
        for slot in range(state.start[u], state.start[u] + state.length[u]):
            v = state.friend[slot]
            if u < v and found < len(edges) and lacks(state, u, v):
                edges[found, 0], edges[found, 1] = u, v
                found += 1
    return found


# ---------------------------------------------------------------------------- to the degrees of the levels


@inner_jit
def gap(state, u):
    """How many friends somebody lacks for the level."""
    return 0 if state.level[u] == NONE else state.degree[state.level[u]] - state.length[u]


@inner_jit
def next_level(state, x, by):
    """The level of x after one friend more or less, if x can take part; else NONE."""
    if state.level[x] == NONE or state.length[x] + max(by, 0) > state.room[x] - MOST:
        return NONE
    if gap(state, x) * by > 0:
        return state.level[x] if state.length[x] + by > 0 else NONE
    return state.level_of[state.length[x] + by] if gap(state, x) == 0 and flexible(state, x, by) else NONE


@inner_jit
def join_or_part(state, u, x, level):
    """Toggle the edge (u, x) and put x into a level."""
    toggle(state, u, x)
    relabel(state, x, level)


@inner_jit
def cost_of(state, u, x, level, by, weight):
    """How bad it is to toggle the edge (u, x): what then lacks, and mutual friends lost or not gained."""
    before, old = state.totals[LACK], state.level[x]
    common = shift_common(state, u, x, 0)
    join_or_part(state, u, x, level)
    lack = state.totals[LACK] - before
    join_or_part(state, u, x, old)
    absorbed = weight if level != old else 0.0
    return weight * lack + absorbed + (common if by < 0 else -min(common, 6))


@inner_jit
def candidate(state, u, by, turn, open_people):
    """Somebody whom u might lose or get as a friend."""
    if by < 0:
        few = state.length[u] <= 40
        return state.friend[
            state.start[u] + (turn % state.length[u] if few else draw(state, state.length[u]))
        ]
    if turn < 36 and state.length[u] > 0:
        return some_friend(state, some_friend(state, u))
    if turn < 56:
        return open_people[draw(state, len(open_people))]
    return draw(state, len(state.start))


@jit
def close_gaps(state, open_people, by, weight):
    """Bring people to their degrees who have too many friends (by = −1) or too few; whether anything was done."""
    done = False
    for u in open_people:
        while gap(state, u) * by > 0 and (by > 0 or state.length[u] > 1):
            best, least, new = NONE, 1e18, NONE
            for turn in range(min(state.length[u], 40) if by < 0 else 60):
                x = candidate(state, u, by, turn, open_people)
                level = next_level(state, x, by)
                if x == u or level == NONE or (by > 0 and slot_between(state, u, x) != NONE):
                    continue
                if is_frozen(state, u, x):
                    continue
                cost = cost_of(state, u, x, level, by, weight)
                if cost < least:
                    best, least, new = x, cost, level
            if best == NONE:
                break
            join_or_part(state, u, best, new)
            done = True
    return done


@inner_jit
def another_open(state, u, x, y, by, open_people):
    """Somebody else who has too few friends (by = 1) and is no friend of y, or too many and is one; or NONE."""
    offset = draw(state, len(open_people))
    for i in range(len(open_people)):
        w = open_people[(offset + i) % len(open_people)]
        if w != u and w != x and w != y and gap(state, w) * by > 0:
            if (slot_between(state, w, y) == NONE) == (by > 0):
                return w
    return NONE


@inner_jit
def bend(state, u, open_people):
    """Bring u one friend closer to the level by a random path of one to three edges, if that is possible.

    The first edge is added if u has too few friends, deleted if too many. The second is the other way round, so that x
    stays as before. The path ends where somebody takes the change.
    """
    by = 1 if gap(state, u) > 0 else -1
    x = draw(state, len(state.start)) if by > 0 else some_friend(state, u)
    if (
        x == u
        or state.length[x] == 0
        or (slot_between(state, u, x) == NONE) != (by > 0)
        or is_frozen(state, u, x)
    ):
        return
    level = next_level(state, x, by)
    if level != NONE and (by > 0 or state.length[x] > 1):
        join_or_part(state, u, x, level)
        return
    y = some_friend(state, x) if by > 0 else open_people[draw(state, len(open_people))]
    if by < 0 and draw(state, 2) == 0:
        y = stranger(state, x)
    if y == u or y == x or (slot_between(state, x, y) == NONE) != (by < 0) or is_frozen(state, x, y):
        return
    level = next_level(state, y, -by)
    if level != NONE:
        toggle(state, u, x)
        join_or_part(state, x, y, level)
        return
    w = another_open(state, u, x, y, by, open_people)
    if w == NONE and gap(state, u) * by >= 2 and (slot_between(state, u, y) == NONE) == (by > 0):
        w = u
    if w != NONE and not is_frozen(state, w, y):
        toggle(state, u, x)
        toggle(state, x, y)
        toggle(state, w, y)


@jit
def close_rest(state, open_people, tries):
    """Bring the last people to their degrees by edges that are bent, or into the level that they have come to."""
    for u in open_people:
        for _ in range(tries):
            if gap(state, u) == 0:
                break
            if flexible(state, u, 0) and draw(state, tries) == 0:
                relabel(state, u, state.level_of[state.length[u]])
                break
            bend(state, u, open_people)


# ---------------------------------------------------------------------------- mutual friends


@inner_jit
def least_steps(histogram, need, widest, fall):
    """The least cost of steps after which every count has no edge, or as many as it needs (docs/plan.md).

    A step up costs 1, a step down `fall`. The state of the programme is how many edges cross from one count to the
    one below, at most `widest` in each direction. Low counts with plenty of edges give and take freely.
    """
    top = len(histogram) - 1
    while top > 0 and histogram[top] == 0:
        top -= 1
    free = NONE
    while free < top and histogram[free + 1] >= need[free + 1] + 2 * widest:
        free += 1
    if free == top:
        return 0
    states = 2 * widest + 1
    above, here, least = np.full(states, HUGE), np.empty(states, np.int64), np.empty(states + 1, np.int64)
    above[widest] = 0
    for count in range(top + 1, free, -1):
        size = histogram[count]
        least[states] = HUGE
        for i in range(states - 1, -1, -1):
            least[i] = min(least[i + 1], above[i])
        for i in range(states):
            down = i - widest
            none_stays, enough_stay = i - size, max(0, i + need[count] - size)
            cost = above[none_stays] if none_stays >= 0 else HUGE
            if enough_stay < states:
                cost = min(cost, least[enough_stay])
            here[i] = min(HUGE, cost + (fall * down if down > 0 else -down))
        above, here = here, above
    return above[widest] if free == NONE else above.min()


@inner_jit
def propose_step(state, move, u, v, by):
    """A random move that gives the edge (u, v) one mutual friend more or less."""
    move.size[0] = 0
    if draw(state, 2) == 0:
        u, v = v, u
    if by < 0 and draw(state, 10) == 0:
        put(move, u, v)
        return complete(state, move, u, v, -1)
    if by > 0 and draw(state, 4) == 0:
        x = draw(state, len(state.start))
        if state.level[x] == NONE or slot_between(state, u, x) != NONE or slot_between(state, v, x) != NONE:
            return False
        put(move, u, x)
        put(move, v, x)
        if not flexible(state, x, 2):
            y = to_drop(state, x, True)
            if y == NONE:
                return False
            put(move, x, y)
        return complete(state, move, u, v, 1)
    for _ in range(4 * LOOKS):
        x = some_friend(state, u)
        if x != v and (slot_between(state, x, v) != NONE) == (by < 0):
            put(move, v, x)
            return complete(state, move, v, x, by)
    return False


@inner_jit
def helps(state, u, v, up, down):
    """Whether there still is an edge whose levels lack something, or whose step up or down lowers the potential."""
    slot = slot_between(state, u, v)
    if slot == NONE:
        return False
    count = state.mutual[slot]
    return lacks(state, u, v) or up[count] < 0 or down[count] < 0


@inner_jit
def propose(state, move, u, v, up, down, order, members):
    """A random move that may help the edge (u, v), by its levels or its mutual friends."""
    if lacks(state, u, v):
        return propose_repair(state, move, u, v, order, members)
    count = state.mutual[slot_between(state, u, v)]
    rises = up[count] < 0 and (down[count] >= 0 or draw(state, 2) == 0)
    return propose_step(state, move, u, v, 1 if rises else -1)


@jit
def search(
    state, hot, first, up, down, order, members, need, widest, fall, weight, tries, rounds, heat, move, best
):
    """Make the best of some random moves for one hot edge after the other; returns the potential.

    `hot` has the edges whose step up or down lowers the potential, or whose levels lack something, in groups: the i-th
    begins at `first[i]`. With some `heat`, moves are made that raise the potential a little.
    """
    potential = least_steps(state.histogram, need, widest, fall) + weight * state.totals[LACK]
    for _ in range(rounds):
        group = draw(state, len(first) - 1)
        row = first[group] + draw(state, first[group + 1] - first[group])
        u, v = hot[row, 0], hot[row, 1]
        if potential == 0 or not helps(state, u, v, up, down):
            continue
        gain, after = -HUGE * 1.0, potential
        best.size[0] = 0
        for _ in range(tries):
            if not propose(state, move, u, v, up, down, order, members) or not possible(state, move):
                continue
            make(state, move)
            now = weight * state.totals[LACK]
            if now < potential + weight * 4:
                now += least_steps(state.histogram, need, widest, fall)
                edits = move.size[0]
                score = (potential - now) / edits if now < potential else (potential - now) * edits
                if score > gain:
                    gain, after = score, now
                    copy_move(best, move)
            make(state, move)
        if gain > 0 or (gain > -HUGE and draw(state, 1000) < 1000 * 0.1 * np.exp(gain / heat)):
            make(state, best)
            potential = after
    return potential


# ---------------------------------------------------------------------------- taking back


@inner_jit
def holds(state, need):
    """Whether nothing lacks, and every group of edges is as large as it needs to be."""
    if state.totals[LACK] > 0:
        return False
    if state.totals[TRACKED] == 1:
        for count in range(len(need)):
            if 0 < state.histogram[count] < need[count]:
                return False
    return True


@inner_jit
def chain(state, move, pairs, added, alive, rows, first, start, used):
    """Into a move, changes that are taken back together: each mends the degree that the one before has left."""
    move.size[0] = 1
    move.pairs[0] = pairs[start]
    used[0] = start
    for side in range(2):
        x, by = pairs[start, side], -added[start]
        while not (flexible(state, x, by) and draw(state, 5) < 3):
            found = NONE
            for _ in range(4):
                row = rows[first[x] + draw(state, first[x + 1] - first[x])]
                if alive[row] and added[row] == by and not (used[: move.size[0]] == row).any():
                    found = row
                    break
            if found == NONE or move.size[0] >= 6:
                if flexible(state, x, by):
                    break
                return False
            used[move.size[0]] = found
            move.pairs[move.size[0]] = pairs[found]
            move.size[0] += 1
            x = pairs[found, 0] + pairs[found, 1] - x
            by = -added[found]
    return True


@jit
def take_back(state, pairs, added, alive, rows, first, order, need, move, used):
    """Take back changes in this order, where everything holds without them; returns how many."""
    back = 0
    for start in order:
        for _ in range(6):
            if not alive[start]:
                break
            if not chain(state, move, pairs, added, alive, rows, first, start, used) or not possible(
                state, move
            ):
                continue
            make(state, move)
            if holds(state, need):
                alive[used[: move.size[0]]] = False
                back += move.size[0]
            else:
                make(state, move)
    return back
