"""Groups over whole graphs, by counting instead of sorting: every pass takes time linear in the graph.

A *row* of a vertex has one number for each of its edges. All rows stand one after the other, and ``start`` has the
first slot of each and the end of the last.
"""

from __future__ import annotations

import numpy as np

from graphveil.kernels._jit import jit

LONG_ROW = 48  # from which on sorting by merging is quicker


@jit
def sort_by(keys, highest, order, sorted_order):
    """Sort an order of places by their keys 0…``highest``, stably: one pass of a counting sort."""
    place = np.zeros(highest + 2, np.int64)
    for i in range(len(keys)):
        place[keys[i] + 1] += 1
    for key in range(highest + 1):
        place[key + 1] += place[key]
    for i in range(len(order)):
        key = keys[order[i]]
        sorted_order[place[key]] = order[i]
        place[key] += 1


@jit
def number_pairs(first, second, order, number):
    """Number equal pairs alike in an order that sorts them, from 0; returns how many differ."""
    last = -1
    for i in range(len(order)):
        here = order[i]
        before = order[i - 1]
        if i == 0 or first[here] != first[before] or second[here] != second[before]:
            last += 1
        number[here] = last
    return last + 1


@jit
def number_by_table(first, second, rank_first, rank_second, table, number):
    """The same by a table, which comes as zeros, with a cell for each pair of the ranks of both."""
    width = rank_second[-1] + 1
    for i in range(len(first)):
        table[rank_first[first[i]] * width + rank_second[second[i]]] = 1
    last = -1
    for cell in range(len(table)):
        last += table[cell]
        table[cell] = last
    for i in range(len(first)):
        number[i] = table[rank_first[first[i]] * width + rank_second[second[i]]]


@jit
def sort_rows(start, rows):
    """Sort each row, the highest number first. Most are short, where moving numbers up one by one is quickest."""
    for v in range(len(start) - 1):
        first, end = start[v], start[v + 1]
        if end - first > LONG_ROW:
            rows[first:end] = np.sort(rows[first:end])[::-1]
            continue
        for slot in range(first + 1, end):
            number, place = rows[slot], slot
            while place > first and rows[place - 1] < number:
                rows[place] = rows[place - 1]
                place -= 1
            rows[place] = number


@jit
def fill_rows(edges, at_lower, at_higher, start, rows):
    """Write the number that each edge has at its lower and at its higher end into the rows of both."""
    place = start.copy()
    for e in range(len(edges)):
        u, v = edges[e, 0], edges[e, 1]
        rows[place[u]] = at_lower[e]
        place[u] += 1
        rows[place[v]] = at_higher[e]
        place[v] += 1


@jit
def count_people(start, rows, sizes, people):
    """Count the vertices on the edges of each group; ``people`` comes as zeros.

    Returns the largest share of a group's edges that touch one vertex, and how many vertices touch more than half of
    the edges of some group.
    """
    times = np.zeros(len(sizes), np.int64)
    largest, named = 0.0, 0
    for v in range(len(start) - 1):
        for slot in range(start[v], start[v + 1]):
            group = rows[slot]
            if times[group] == 0:
                people[group] += 1
            times[group] += 1
        more_than_half = 0
        for slot in range(start[v], start[v + 1]):
            group = rows[slot]
            largest = max(largest, times[group] / sizes[group])
            if 2 * times[group] > sizes[group]:
                more_than_half = 1
            times[group] = 0
        named += more_than_half
    return largest, named


@jit
def trim(start, rows, most, trimmed_start, trimmed):
    """Reverse each row, sorted as it comes, and leave at most so many of the same number in it."""
    end = 0
    for v in range(len(start) - 1):
        trimmed_start[v] = end
        for slot in range(start[v + 1] - 1, start[v] - 1, -1):
            if slot + most >= start[v + 1] or rows[slot + most] != rows[slot]:
                trimmed[end] = rows[slot]
                end += 1
    trimmed_start[len(start) - 1] = end


@jit
def list_combinations(start, rows, first, last, several, base, keys, owner):
    """List each multiset of ``several`` numbers in the rows of some vertices, as digits of a key; returns how many.

    The rows come sorted. ``at`` has a slot for every digit: the next one is tried until the row ends, and among equal
    numbers only the first that is free.
    """
    found = 0
    at, key = np.zeros(several + 1, np.int64), np.zeros(several + 1, np.int64)
    for v in range(first, last):
        digit = 1
        at[0] = at[1] = start[v] - 1
        while digit > 0:
            slot = at[digit] + 1
            while at[digit - 1] + 1 < slot < start[v + 1] and rows[slot] == rows[slot - 1]:
                slot += 1
            if slot == start[v + 1]:
                digit -= 1
                continue
            at[digit] = slot
            key[digit] = key[digit - 1] * base + rows[slot]
            if digit < several:
                digit += 1
                at[digit] = slot
            else:
                keys[found], owner[found] = key[digit], v
                found += 1
    return found


@jit
def count_in_boxes(a_starts, b, cells, c, boxes, limit, most_steps, found):
    """Count the points in each box, up to the limit; returns whether fewer steps than so many were enough.

    Points are sorted by a, b and c. Those with equal a and b make a cell: ``b`` has one number for each cell, ``cells``
    its first point and the end of the last, and ``a_starts`` the first cell of each a. A box is a row of the least and
    the largest a, b and c in it.
    """
    steps = 0
    for i in range(len(boxes)):
        total = 0
        for a in range(boxes[i, 0], min(boxes[i, 1], len(a_starts) - 2) + 1):
            row = b[a_starts[a] : a_starts[a + 1]]
            first = a_starts[a] + np.searchsorted(row, boxes[i, 2])
            last = a_starts[a] + np.searchsorted(row, boxes[i, 3], side="right")
            for cell in range(first, last):
                among = c[cells[cell] : cells[cell + 1]]
                total += np.searchsorted(among, boxes[i, 5], side="right") - np.searchsorted(
                    among, boxes[i, 4]
                )
                if total >= limit:
                    break
            steps += 1 + last - first
            if total >= limit:
                break
        if steps > most_steps:
            return False
        found[i] = min(total, limit)
    return True
