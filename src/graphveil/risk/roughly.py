"""Attackers who know their numbers only roughly: how many targets are within a factor of what they know.

All numbers that an attacker knows of a target make a point, and a group is a box of points: for every number v those
from v/f to v·f. Boxes are counted only up to the k that is asked for, which dense parts of a graph reach at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.risk.grouping import Seen, order_of

Integers = NDArray[np.signedinteger[Any]]

MOST_STEPS = 2_000_000_000  # some ten seconds
ROUNDING = 1e-9  # 33 / 1.1 is 30


@dataclass(frozen=True)
class Points:
    """What an attacker knows of every target, as columns of numbers."""

    columns: tuple[Integers, ...]  # one to three numbers of every point, those with the fewest values first
    # Where a target has several points, ascending: the target of each; the smallest of its groups counts
    owner: Integers | None = None


def friends_of_people(seen: Seen) -> Points:
    """A point for each degree among a person's friends: their own, the friend's, and the next lower among the friends.

    Whoever has several friends in a box is counted once: for the friend below whom the next lower is not in the box.
    """
    degrees = seen.graph.degrees.astype(np.int32)
    (u, v) = seen.graph.edges.T
    owner, friends = np.concatenate((u, v)), degrees[np.concatenate((v, u))]
    order = order_of(owner, order_of(friends))
    owner, friends = owner[order], friends[order]
    same = np.zeros(len(owner), bool)
    np.equal(owner[1:], owner[:-1], out=same[1:])
    lower = np.where(same, np.roll(friends, 1), 0)
    new = lower != friends
    return Points((degrees[owner[new]], friends[new], lower[new]), owner[new])


def rough_sizes(points: Points, within: float, limit: int) -> Integers | None:
    """How many targets are within the factor of each target, counted up to the limit; None where that takes long."""
    a, b, c, order = _sorted(points.columns)
    cells = _changes(a, b)
    several = points.owner is not None
    asked = cells if several else _changes(a, b, c)
    sizes = np.diff(asked, append=len(a))
    rough = np.full(len(asked), limit, np.int32)
    few = np.flatnonzero(sizes < limit)
    at = asked[few]
    boxes = [bound for column in (a, b, c) for bound in _bounds(column[at], within)]
    if several:
        boxes[4:] = [np.zeros_like(boxes[2]), boxes[2] - 1]
    found = _count(a, b, c, cells, np.column_stack(boxes), limit)
    if found is None:
        return None
    rough[few] = found
    by_point = np.empty(len(a), np.int32)
    by_point[order] = np.repeat(rough, sizes)
    if points.owner is None:
        return by_point
    smallest: Integers = np.minimum.reduceat(by_point, _changes(points.owner)) if len(by_point) else by_point
    return smallest


def _sorted(columns: tuple[Integers, ...]) -> tuple[Integers, Integers, Integers, Integers]:
    """Three columns, in ascending order, and the order that makes it so."""
    nothing = np.zeros(len(columns[0]), np.int32)
    order = None
    for column in reversed(columns):
        order = order_of(column, order)
    assert order is not None
    ordered = [column[order].astype(np.int32) for column in columns]
    a, b, c = (ordered + [nothing] * 2)[:3]
    return a, b, c, order


def _changes(*columns: Integers) -> Integers:
    """Where rows differ from the row before."""
    new = np.zeros(len(columns[0]), bool)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(new)


def _bounds(values: Integers, within: float) -> tuple[Integers, Integers]:
    """The least and the largest whole number within the factor of each value."""
    low, high = np.ceil(values / within - ROUNDING), np.floor(values * within + ROUNDING)
    return low.astype(np.int64), high.astype(np.int64)


def _count(
    a: Integers, b: Integers, c: Integers, cells: Integers, boxes: Integers, limit: int
) -> Integers | None:
    from graphveil.kernels.grouping import count_in_boxes

    found = np.empty(len(boxes), np.int32)
    starts = np.searchsorted(a[cells], np.arange(int(a.max(initial=0)) + 2))
    ends = np.append(cells, len(a))
    done = count_in_boxes(starts, b[cells], ends, c, np.ascontiguousarray(boxes), limit, MOST_STEPS, found)
    return found if done else None
