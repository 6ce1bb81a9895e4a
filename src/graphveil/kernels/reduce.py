"""Groups of people and friendships that look alike, under changes of single friendships, and a search among changes.

A row is one attacker, or one guarantee: which signature counts (`KIND`), how large a group must be (`LEAST`), and what
a group that is smaller costs (`WEIGHT`). Without a weight it is a guarantee: no move may leave such a group. All groups
of all rows lie in one hash table. A change of one friendship takes the signatures that it touches out of their groups
and puts the new ones in, so its effect is exact and local.

A signature is packed into one integer: the row, then up to three numbers below 2^19. Only the multiset of the
mutual-friend counts around a person does not fit: it is the sum of a random number for each count.

A move of a few changes is evaluated by making it; one that is refused is made once more, which takes it back. Whoever
has as many friends after a move as before costs little: degrees are seen only when a move is complete. A call costs
time for every array that it passes, so the inner ones get only those that they need.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from graphveil.kernels._jit import inner_jit, jit

DEGREE, DEGREE_AND_TRIANGLES, JOINT_DEGREE, COUNTS_AROUND = range(4)  # kinds of signatures of people
COUNT, DEGREES, DEGREES_AND_COUNT, FRIEND_DEGREES, SPREAD, JOINT_COUNT = range(4, 10)  # and of friendships
START, LENGTH, TRIANGLES, AROUND, FIRST, SEEN, THEN = range(7)  # columns of State.people
MUTUAL, FREE = range(2)  # columns of State.edges
RANDOM, MOST = range(2)  # columns of State.counts
KIND, LEAST, WEIGHT, SMALL = range(4)  # columns of Groups.rows
KEY, SIZE = range(2)  # columns of Groups.table
# Totals
CHANGES, MOST_CHANGES, EDGES, EXPOSED, TOUCHED, MOVED, BAD, ENERGY, FIRST_DIE, SECOND_DIE = range(10)
OF_PEOPLE, OF_TRIANGLES, OF_PAIRS, OF_DEGREES = range(10, 14)  # the same: what the rows look at
KEEP, SOME_FROZEN = 14, 15  # the same: whether edges of the original stay, and whether any pair is frozen

WIDTH = 19  # bits of one number in a signature
MASK = (1 << 3 * WIDTH) - 1
TALLY = 7  # added to a row: how often a person has the signature, where people are counted
FROZEN = 14  # in the place of a row: no move touches this pair
NOTED = 15  # the same: where in the list of changes a pair is
EMPTY = -1
LONGEST = 5  # changes in one move
NOBODY = NO_MOVE = -1


class Groups(NamedTuple):
    """The groups of all rows."""

    table: Any  # int64[slots, 2]: the hash table, signatures with the sizes of their groups
    rows: Any  # int64[R, 4]: kind, least, weight, and how many members its small groups have
    totals: Any  # int64[16]


class State(NamedTuple):
    """n people, room for M friendships; friends lie side by side in ascending order."""

    people: Any  # int64[n + 1, 7]: first slot, friends, triangles, sum around, first slot in the original, degree seen;
    # the degree in an earlier release, −1 for who was not in it
    friend: Any  # int64[slots]
    edge: Any  # int64[slots]: the friendship behind a slot
    edges: Any  # int64[M, 2]: mutual friends; numbers of friendships, those from totals[EDGES] on are free
    counts: (
        Any  # int64[F, 2]: a random number for each count; the most friendships of it that touch one person
    )
    before: Any  # int64[slots]: the friends in the original
    then: Any  # int64[slots]: mutual friends with each of them in an earlier release, −1 where they were no friends
    groups: Groups
    share: float  # of the friendships with one count, the most that may touch one person
    changes: Any  # int64[room, 2]: in which friendships the graph differs from the original
    exposed: Any  # int64[many]: people who were in a small group when last looked
    common: Any  # int64[3, longest]: scratch, mutual friends and the friendships to each
    touched: Any  # int64[many]: scratch, counts whose groups a move changed
    move: Any  # int64[LONGEST, 2]: scratch, the pairs of a move


# ---------------------------------------------------------------------------- groups


@inner_jit
def home(table, key):
    """Where the search for a key begins, by products that stay below 2^63."""
    mixed = (key & 0xFFFFFFFF) * 0x45D9F3B + (key >> 32) * 0x19DE1F3
    return (mixed ^ (mixed >> 24)) & (len(table) - 1)


@inner_jit
def slot_of(table, key):
    slot = home(table, key)
    while table[slot, KEY] != key and table[slot, KEY] != EMPTY:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@inner_jit
def forget(table, slot):
    """Empty a slot and close the gap, so that every key is still found (Knuth, volume 3, algorithm 6.4R)."""
    last = len(table) - 1
    gap, slot = slot, (slot + 1) & last
    while table[slot, KEY] != EMPTY:
        if (slot - home(table, table[slot, KEY])) & last >= (slot - gap) & last:
            table[gap, KEY], table[gap, SIZE] = table[slot, KEY], table[slot, SIZE]
            gap = slot
        slot = (slot + 1) & last
    table[gap, KEY], table[gap, SIZE] = EMPTY, 0


@inner_jit
def resize(table, key, by):
    """Let a group grow or shrink; returns its new size."""
    slot = slot_of(table, key)
    table[slot, KEY] = key
    table[slot, SIZE] += by
    size = table[slot, SIZE]
    if size == 0:
        forget(table, slot)
    return size


@inner_jit
def regroup(g, row, signature, by):
    """One member more or less in a group, with what that costs."""
    size = resize(g.table, row << 3 * WIDTH | signature, by)
    least = g.rows[row, LEAST]
    before = size - by
    if before < least or size < least:
        if g.rows[row, WEIGHT]:
            g.totals[ENERGY] += cost_of(g, row, size) - cost_of(g, row, before)
            g.rows[row, SMALL] += size * (size < least) - before * (before < least)
        else:
            g.totals[BAD] += (0 < size < least) - (0 < before < least)


@inner_jit
def cost_of(g, row, size):
    """A slope: two singles that meet already pay, and the last step pays most."""
    least = g.rows[row, LEAST]
    return g.rows[row, WEIGHT] * size * (4 * least - 3 * (size - 1)) if size < least else 0


@inner_jit
def size_of(g, row, signature):
    return g.table[slot_of(g.table, row << 3 * WIDTH | signature), SIZE]


# ---------------------------------------------------------------------------- signatures


@inner_jit
def signature_of_person(people, kind, v):
    """What an attacker of this kind knows of a person."""
    if kind == DEGREE:
        return people[v, SEEN]
    if kind == DEGREE_AND_TRIANGLES:
        return people[v, TRIANGLES] << WIDTH | people[v, SEEN]
    if kind == JOINT_DEGREE:
        return people[v, THEN] << WIDTH | people[v, SEEN]
    return people[v, AROUND]


@inner_jit
def is_counted(people, kind, v):
    """Whether a person has such a signature: who was not in the earlier release has no joint one."""
    return kind != JOINT_DEGREE or people[v, THEN] >= 0


@inner_jit
def count_then(people, before, then, u, v):
    """The mutual friends of two friends in an earlier release, −1 where they were none."""
    slot = place_of(before, people[u, FIRST], people[u + 1, FIRST], v)
    return then[slot] if slot < people[u + 1, FIRST] and before[slot] == v else -1


@inner_jit
def signature_of_pair(people, kind, u, v, count):
    """What an attacker of this kind knows of a friendship; for FRIEND_DEGREES what it knows of u."""
    if kind == COUNT or kind == SPREAD:
        return count
    a, b = people[u, SEEN], people[v, SEEN]
    if kind != FRIEND_DEGREES and a > b:
        a, b = b, a
    pair = a << WIDTH | b
    return pair << WIDTH | count if kind == DEGREES_AND_COUNT else pair


@inner_jit
def move_person(people, g, v, by):
    """A person joins the groups of its signatures, or leaves them."""
    for row in range(len(g.rows)):
        kind = g.rows[row, KIND]
        if kind <= COUNTS_AROUND and is_counted(people, kind, v):
            regroup(g, row, signature_of_person(people, kind, v), by)


@inner_jit
def move_pair(s, u, v, count, by):
    """A friendship joins the groups of its signatures, or leaves them."""
    g = s.groups
    for row in range(len(g.rows)):
        kind = g.rows[row, KIND]
        if kind == FRIEND_DEGREES:
            move_friend(s.people, g, row, u, v, by)
            move_friend(s.people, g, row, v, u, by)
        elif kind == JOINT_COUNT:
            then = count_then(s.people, s.before, s.then, u, v)
            if then >= 0:
                regroup(g, row, then << WIDTH | count, by)
        elif kind > COUNTS_AROUND:
            regroup(g, row, signature_of_pair(s.people, kind, u, v, count), by)
            if kind == SPREAD:
                move_shares(s, row, u, v, count, by)


@inner_jit
def move_friend(people, g, row, u, v, by):
    """A person has one friend more or less of a degree: it counts once in the group, however many there are."""
    tally = resize(g.table, row + TALLY << 3 * WIDTH | u << WIDTH | people[v, SEEN], by)
    if tally == (by + 1) // 2:
        regroup(g, row, signature_of_pair(people, FRIEND_DEGREES, u, v, 0), by)


@inner_jit
def move_shares(s, row, u, v, count, by):
    """Two people have one friendship of a count more or less."""
    for person in (u, v):
        tally = resize(s.groups.table, row + TALLY << 3 * WIDTH | person << WIDTH | count, by)
        s.counts[count, MOST] = max(s.counts[count, MOST], tally)
    s.touched[s.groups.totals[TOUCHED]] = row << 3 * WIDTH | count
    s.groups.totals[TOUCHED] += 1


# ---------------------------------------------------------------------------- one change


@inner_jit
def place_of(friend, start, end, v):
    """The slot of v among ascending friends, or where it belongs."""
    while start < end:
        middle = (start + end) // 2
        if friend[middle] < v:
            start = middle + 1
        else:
            end = middle
    return start


@inner_jit
def are_friends(people, friend, u, v):
    if people[u, LENGTH] > people[v, LENGTH]:
        u, v = v, u
    end = people[u, START] + people[u, LENGTH]
    slot = place_of(friend, people[u, START], end, v)
    return slot < end and friend[slot] == v


@inner_jit
def were_friends(people, before, u, v):
    slot = place_of(before, people[u, FIRST], people[u + 1, FIRST], v)
    return slot < people[u + 1, FIRST] and before[slot] == v


@inner_jit
def find_common(people, friend, edge, common, u, v):
    """Note the mutual friends of two people, and the friendships to each; returns how many."""
    i, j, found = people[u, START], people[v, START], 0
    end_of_u, end_of_v = i + people[u, LENGTH], j + people[v, LENGTH]
    while i < end_of_u and j < end_of_v:
        a, b = friend[i], friend[j]
        if a == b:
            common[0, found], common[1, found], common[2, found] = a, edge[i], edge[j]
            found += 1
        i += a <= b
        j += b <= a
    return found


@inner_jit
def insert(people, friend, edge, u, v, number):
    end = people[u, START] + people[u, LENGTH]
    place = place_of(friend, people[u, START], end, v)
    for slot in range(end, place, -1):
        friend[slot], edge[slot] = friend[slot - 1], edge[slot - 1]
    friend[place], edge[place] = v, number
    people[u, LENGTH] += 1


@inner_jit
def remove(people, friend, edge, u, v):
    end = people[u, START] + people[u, LENGTH]
    for slot in range(place_of(friend, people[u, START], end, v), end - 1):
        friend[slot], edge[slot] = friend[slot + 1], edge[slot + 1]
    people[u, LENGTH] -= 1


@inner_jit
def move_all(s, x, y, common, by):
    """Everybody and everything whose triangles depend on whether x and y are friends."""
    if s.groups.totals[OF_PAIRS]:
        for i in range(common):
            move_pair(s, x, s.common[0, i], s.edges[s.common[1, i], MUTUAL], by)
            move_pair(s, y, s.common[0, i], s.edges[s.common[2, i], MUTUAL], by)
    if s.groups.totals[OF_TRIANGLES]:
        move_person(s.people, s.groups, x, by)
        move_person(s.people, s.groups, y, by)
        for i in range(common):
            move_person(s.people, s.groups, s.common[0, i], by)


@inner_jit
def settle(s, u):
    """Let the groups see how many friends a person has now."""
    if s.people[u, SEEN] == s.people[u, LENGTH]:
        return
    for by in (-1, 1):
        if s.groups.totals[OF_DEGREES]:
            for slot in range(s.people[u, START], s.people[u, START] + s.people[u, LENGTH]):
                move_pair(s, u, s.friend[slot], s.edges[s.edge[slot], MUTUAL], by)
        if s.groups.totals[OF_PEOPLE]:
            move_person(s.people, s.groups, u, by)
        s.people[u, SEEN] = s.people[u, LENGTH]


@inner_jit
def toggle(s, x, y):
    """Make two people friends, or end that; the groups see the old degrees until both are settled."""
    totals = s.groups.totals
    by = -1 if are_friends(s.people, s.friend, x, y) else 1
    common = find_common(s.people, s.friend, s.edge, s.common, x, y)
    move_all(s, x, y, common, -1)
    if totals[OF_PAIRS]:
        move_pair(s, x, y, common, by)
    if by < 0:
        start = s.people[x, START]
        number = s.edge[place_of(s.friend, start, start + s.people[x, LENGTH], y)]
        remove(s.people, s.friend, s.edge, x, y)
        remove(s.people, s.friend, s.edge, y, x)
        totals[EDGES] -= 1
        s.edges[totals[EDGES], FREE] = number
    else:
        number = s.edges[totals[EDGES], FREE]
        totals[EDGES] += 1
        s.edges[number, MUTUAL] = common
        insert(s.people, s.friend, s.edge, x, y, number)
        insert(s.people, s.friend, s.edge, y, x, number)
    close_triangles(s, x, y, common, by)
    move_all(s, x, y, common, 1)


@inner_jit
def close_triangles(s, x, y, common, by):
    """What changes around two people and their mutual friends."""
    own = by * s.counts[common, RANDOM]
    for u in (x, y):
        s.people[u, AROUND] = (s.people[u, AROUND] + own) & MASK
        s.people[u, TRIANGLES] += by * common
    for i in range(common):
        z = s.common[0, i]
        recount_edge(s.people, s.edges, s.counts, x, z, s.common[1, i], by)
        recount_edge(s.people, s.edges, s.counts, y, z, s.common[2, i], by)
        s.people[z, TRIANGLES] += by


@inner_jit
def recount_edge(people, edges, counts, u, v, edge, by):
    """A friendship has one mutual friend more or less."""
    count = edges[edge, MUTUAL]
    difference = counts[count + by, RANDOM] - counts[count, RANDOM]
    people[u, AROUND] = (people[u, AROUND] + difference) & MASK
    people[v, AROUND] = (people[v, AROUND] + difference) & MASK
    edges[edge, MUTUAL] = count + by


# ---------------------------------------------------------------------------- the list of changes


@inner_jit
def note_change(changes, g, x, y):
    """Keep the list of changes, and the place of each in it."""
    x, y = min(x, y), max(x, y)
    key = NOTED << 3 * WIDTH | x << 28 | y
    slot = slot_of(g.table, key)
    if g.table[slot, KEY] == EMPTY:
        put_change(changes, g.table, g.totals[CHANGES], x, y)
        g.totals[CHANGES] += 1
    else:
        place = g.table[slot, SIZE]
        forget(g.table, slot)
        g.totals[CHANGES] -= 1
        last = g.totals[CHANGES]
        if place < last:
            put_change(changes, g.table, place, changes[last, 0], changes[last, 1])


@inner_jit
def put_change(changes, table, place, x, y):
    changes[place, 0], changes[place, 1] = x, y
    key = NOTED << 3 * WIDTH | x << 28 | y
    slot = slot_of(table, key)
    table[slot, KEY], table[slot, SIZE] = key, place


# ---------------------------------------------------------------------------- frozen pairs


@jit
def freeze(s, pairs):
    """Let no move touch these pairs."""
    s.groups.totals[SOME_FROZEN] = len(pairs) > 0
    for i in range(len(pairs)):
        resize(s.groups.table, frozen_key(pairs[i, 0], pairs[i, 1]), 1)


@inner_jit
def is_frozen(table, x, y):
    key = frozen_key(x, y)
    return table[slot_of(table, key), KEY] == key


@inner_jit
def frozen_key(x, y):
    return FROZEN << 3 * WIDTH | min(x, y) << 28 | max(x, y)


# ---------------------------------------------------------------------------- from scratch


@jit
def fill(s):
    """Put everybody and everything into groups, once the friends, counts and triangles are there."""
    for u in range(len(s.people) - 1):
        move_person(s.people, s.groups, u, 1)
        for slot in range(s.people[u, START], s.people[u, START] + s.people[u, LENGTH]):
            s.groups.totals[TOUCHED] = 0
            if s.friend[slot] > u:
                move_pair(s, u, s.friend[slot], s.edges[s.edge[slot], MUTUAL], 1)


@jit
def note(s, pairs):
    """Note changes that the graph came with."""
    for i in range(len(pairs)):
        note_change(s.changes, s.groups, pairs[i, 0], pairs[i, 1])


@jit
def apply(s, pairs):
    """Make changes, whatever they do."""
    for i in range(len(pairs)):
        s.groups.totals[TOUCHED] = 0
        toggle(s, pairs[i, 0], pairs[i, 1])
        settle(s, pairs[i, 0])
        settle(s, pairs[i, 1])
        note_change(s.changes, s.groups, pairs[i, 0], pairs[i, 1])


@jit
def refresh(s):
    """Look anew who is in a small group, and how many friendships of a count one person has at most."""
    g = s.groups
    g.totals[EXPOSED] = 0
    s.counts[:, MOST] = 0
    for u in range(len(s.people) - 1):
        for row in range(len(g.rows)):
            kind = g.rows[row, KIND]
            if kind > COUNTS_AROUND:
                look_at_friends(s, row, u)
            elif g.rows[row, WEIGHT] and is_counted(s.people, kind, u):
                note_exposed(s.exposed, g, row, signature_of_person(s.people, kind, u), u)


@inner_jit
def note_exposed(exposed, g, row, signature, u):
    """Note a person in a small group; whether it is one."""
    if size_of(g, row, signature) >= g.rows[row, LEAST]:
        return False
    exposed[g.totals[EXPOSED]] = u
    g.totals[EXPOSED] += 1
    return True


@inner_jit
def look_at_friends(s, row, u):
    """Note a person once, however many of its friendships are in small groups: few people have most of these."""
    g, kind = s.groups, s.groups.rows[row, KIND]
    for slot in range(s.people[u, START], s.people[u, START] + s.people[u, LENGTH]):
        count = s.edges[s.edge[slot], MUTUAL]
        if kind == SPREAD:
            tally = g.table[slot_of(g.table, row + TALLY << 3 * WIDTH | u << WIDTH | count), SIZE]
            s.counts[count, MOST] = max(s.counts[count, MOST], tally)
        elif kind == JOINT_COUNT:
            then = count_then(s.people, s.before, s.then, u, s.friend[slot])
            if then >= 0 and note_exposed(s.exposed, g, row, then << WIDTH | count, u):
                return
        elif g.rows[row, WEIGHT]:
            signature = signature_of_pair(s.people, kind, u, s.friend[slot], count)
            if note_exposed(s.exposed, g, row, signature, u):
                return


# ---------------------------------------------------------------------------- moves


@inner_jit
def below(totals, limit):
    """A random number below a limit (P. L'Ecuyer: Efficient and portable combined random number generators, 1988)."""
    totals[FIRST_DIE] = totals[FIRST_DIE] * 40_014 % 2_147_483_563
    totals[SECOND_DIE] = totals[SECOND_DIE] * 40_692 % 2_147_483_399
    return (totals[FIRST_DIE] - totals[SECOND_DIE]) % 2_147_483_562 * limit // 2_147_483_562


@inner_jit
def friend_of(s, u):
    """A random friend."""
    if u == NOBODY or s.people[u, LENGTH] == 0:
        return NOBODY
    return s.friend[s.people[u, START] + below(s.groups.totals, s.people[u, LENGTH])]


@inner_jit
def somebody_exposed(s):
    totals = s.groups.totals
    if totals[EXPOSED] and below(totals, 16):
        return s.exposed[below(totals, totals[EXPOSED])]
    return below(totals, len(s.people) - 1)


@inner_jit
def stranger_of(s, x):
    """Somebody who is no friend of x: a friend of a friend, somebody exposed, or anybody."""
    if x == NOBODY:
        return NOBODY
    for _ in range(4):
        draw = below(s.groups.totals, 8)
        if draw < 5:
            y = friend_of(s, friend_of(s, x))
        elif draw < 7:
            y = somebody_exposed(s)
        else:
            y = below(s.groups.totals, len(s.people) - 1)
        if y != NOBODY and y != x and not are_friends(s.people, s.friend, x, y):
            return y
    return NOBODY


@inner_jit
def take(move, totals, x, y):
    """One pair more in the move that is being made up, if it can be; else there is no move."""
    moved = totals[MOVED]
    possible = moved != NO_MOVE and x != NOBODY and y != NOBODY and x != y
    for i in range(moved):
        if min(move[i, 0], move[i, 1]) == min(x, y) and max(move[i, 0], move[i, 1]) == max(x, y):
            possible = False
    if possible:
        move[moved, 0], move[moved, 1] = x, y
    totals[MOVED] = moved + 1 if possible else NO_MOVE


@inner_jit
def propose(s):
    """Make up a move around somebody exposed."""
    totals = s.groups.totals
    totals[MOVED] = 0
    draw = below(totals, 16)
    full = totals[CHANGES] >= totals[MOST_CHANGES]
    if totals[CHANGES] and (draw < 2 or full):
        change = below(totals, totals[CHANGES])
        take(s.move, totals, s.changes[change, 0], s.changes[change, 1])
    if draw < 2:
        return
    x = somebody_exposed(s)
    if draw < 6:
        take(s.move, totals, x, friend_of(s, x))
    elif draw < 10:
        take(s.move, totals, x, stranger_of(s, x))
    elif draw < 13:
        take(s.move, totals, x, friend_of(s, x))
        take(s.move, totals, x, stranger_of(s, x))
    elif draw < 15:
        y = friend_of(s, x)
        take(s.move, totals, x, y)
        take(s.move, totals, y, stranger_of(s, y))
    else:
        propose_swap(s, x)


@inner_jit
def propose_swap(s, x):
    """Two friendships exchange their ends: all keep their degrees."""
    y, u = friend_of(s, x), stranger_of(s, x)
    v = friend_of(s, u)
    if (
        y != NOBODY
        and v != NOBODY
        and not are_friends(s.people, s.friend, y, u)
        and not are_friends(s.people, s.friend, x, v)
    ):
        take(s.move, s.groups.totals, x, y)
        take(s.move, s.groups.totals, u, v)
        take(s.move, s.groups.totals, x, v)
        take(s.move, s.groups.totals, y, u)


@inner_jit
def is_allowed(s):
    """Whether the graph keeps the guarantees, and nobody in the move has lost all friends or has too many."""
    for i in range(s.groups.totals[MOVED]):
        x, y = s.move[i, 0], s.move[i, 1]
        if s.groups.totals[KEEP] and were_friends(s.people, s.before, x, y):
            return False
        if s.groups.totals[SOME_FROZEN] and is_frozen(s.groups.table, x, y):
            return False
        for u in s.move[i]:
            length = s.people[u, LENGTH]
            if length == 0 or length > s.people[u + 1, START] - s.people[u, START] - LONGEST:
                return False
    if s.groups.totals[BAD]:
        return False
    for i in range(s.groups.totals[TOUCHED]):
        size = s.groups.table[slot_of(s.groups.table, s.touched[i]), SIZE]
        if size and s.counts[s.touched[i] & MASK, MOST] / size > s.share:
            return False
    return True


@inner_jit
def more_changes(s):
    """How many more changes there are by the move that was just made."""
    more = 0
    for i in range(s.groups.totals[MOVED]):
        x, y = s.move[i, 0], s.move[i, 1]
        same = are_friends(s.people, s.friend, x, y) == were_friends(s.people, s.before, x, y)
        more += -1 if same else 1
    return more


@inner_jit
def make_move(s):
    s.groups.totals[TOUCHED] = 0
    for i in range(s.groups.totals[MOVED]):
        toggle(s, s.move[i, 0], s.move[i, 1])
    for i in range(s.groups.totals[MOVED]):
        settle(s, s.move[i, 0])
        settle(s, s.move[i, 1])


@inner_jit
def try_move(s, limit, price):
    """Make the move that was made up if it raises energy and price by no more than a limit; whether it did."""
    totals = s.groups.totals
    before = totals[ENERGY]
    make_move(s)
    more = more_changes(s)
    if (
        totals[ENERGY] - before + price * more <= limit
        and (more <= 0 or totals[CHANGES] + more <= totals[MOST_CHANGES])
        and is_allowed(s)
    ):
        for i in range(totals[MOVED]):
            note_change(s.changes, s.groups, s.move[i, 0], s.move[i, 1])
        return True
    make_move(s)
    return False


@jit
def anneal(s, moves, temperature, cooling, price):
    """Try so many moves while it gets colder; returns how many were made."""
    made = 0
    for _ in range(moves):
        propose(s)
        if s.groups.totals[MOVED] > 0:
            luck = (below(s.groups.totals, 1 << 30) + 1) / (1 << 30)
            made += try_move(s, -temperature * np.log(luck), price)
        temperature *= cooling
    return made
