"""Levels: the few degrees that people may have in the end, each for enough people.

The distinct degrees are cut into ranges. All people of a range come to one degree of it. That costs the friends who
are added or dropped, and a price for each level: the fewer levels there are, the fewer pairs of levels need k people.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NONE = -1
RISE, FALL = 0.6, 0.9  # cost of a friend who is added or dropped; two people share it
Integers = NDArray[np.int64]


class Assignment(NamedTuple):
    """Who is to have which degree."""

    degree: Integers  # of each level, ascending
    level: Integers  # of each person; NONE for who stays without friends


def assign_levels(degrees: Integers, lonely: int, least: int, price: float) -> Assignment:
    """The cheapest levels with at least so many people each.

    People without friends stay so if they are at least ``lonely``. Otherwise they get some.

    >>> assign_levels(np.array([1, 1, 2, 8, 9, 9]), lonely=2, least=2, price=1.0)
    Assignment(degree=array([1, 9]), level=array([0, 0, 0, 1, 1, 1]))
    """
    if np.count_nonzero(degrees == 0) >= lonely:
        level = np.full(len(degrees), NONE)
        friendly = degrees > 0
        chosen = _cheapest(degrees[friendly], least, price)
        level[friendly] = chosen.level
        return Assignment(chosen.degree, level)
    return _cheapest(degrees, least, price)


def _cheapest(degrees: Integers, least: int, price: float) -> Assignment:
    """A dynamic programme over the distinct degrees: cost[j] is that of the first j of them."""
    distinct, place, people = np.unique(degrees, return_inverse=True, return_counts=True)
    before = np.concatenate(([0], np.cumsum(people)))
    total = np.concatenate(([0], np.cumsum(people * distinct)))
    cost = np.full(len(distinct) + 1, np.inf)
    cost[0] = 0
    begin, chosen = np.zeros((2, len(distinct) + 1), np.int64)
    for j in range(1, len(distinct) + 1):
        i = np.arange(j)
        middle = np.searchsorted(before[1:], before[i] + (before[j] - before[i]) * RISE / (RISE + FALL))
        degree = np.maximum(distinct[middle], 1)
        below = degree * (before[middle] - before[i]) - (total[middle] - total[i])
        above = total[j] - total[middle] - degree * (before[j] - before[middle])
        all_costs = cost[:j] + RISE * below + FALL * above + price
        all_costs[(before[j] - before[i] < least) & ((i > 0) | (j < len(distinct)))] = np.inf
        begin[j] = all_costs.argmin()
        cost[j], chosen[j] = all_costs[begin[j]], degree[begin[j]]
    ends = [len(distinct)]
    while begin[ends[-1]] > 0:
        ends.append(int(begin[ends[-1]]))
    ends.reverse()
    level = np.searchsorted(ends, place, side="right")
    return Assignment(chosen[ends], level)


def merged(now: Assignment, lack: NDArray[np.int64]) -> Assignment | None:
    """The levels with one less: the one that lacks most for its people joins a neighbour. None if there is one only."""
    degree, level = now
    if len(degree) < 2:
        return None
    people = np.bincount(level[level != NONE], minlength=len(degree))
    worst = int(np.argmax(lack / np.maximum(people, 1)))
    movers = np.diff(degree) * np.minimum(people[:-1], people[1:])
    sides = [low for low in (worst - 1, worst) if 0 <= low < len(movers)]
    low = min(sides, key=lambda side: int(movers[side]))
    gone = low if people[low] < people[low + 1] else low + 1
    return Assignment(np.delete(degree, gone), np.where(level > low, level - 1, level))


def of_even_sum(now: Assignment) -> Assignment:
    """The same with the sum of all degrees even, as every graph has it: somebody moves, or a whole level does."""
    degree, level = now
    if int(degree[level[level != NONE]].sum()) % 2 == 0:
        return now
    level = level.copy()
    odd = np.flatnonzero(np.diff(degree) % 2)
    if len(odd):
        people = np.bincount(level[level != NONE], minlength=len(degree))
        low = int(odd[np.diff(degree)[odd].argmin()])
        source = low if people[low] > people[low + 1] else low + 1
        level[int(np.flatnonzero(level == source)[0])] = 2 * low + 1 - source
        return Assignment(degree, level)
    people = np.bincount(level[level != NONE], minlength=len(degree))
    lone = int(np.flatnonzero(people % 2)[0])
    return Assignment(degree + (np.arange(len(degree)) == lone), level)
