"""Friendship anonymity from the first level to the last change taken back."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.methods.friendship.levelled import Levelled, Look, changes
from graphveil.methods.friendship.levels import Assignment, assign_levels, merged, of_even_sum

# People in a level at least, and the price of a level, both times k; the first is tried first.
SETTINGS = ((1.2, 3.0), (1.5, 6.0), (1.2, 2.4), (1.5, 3.0))
PASSES = 6  # over all changes, to take them back
MOST_DEGREES = 64  # one level for all: how many degrees are tried
Integers = NDArray[np.int64]


class Wanted(NamedTuple):
    """What is to hold."""

    k: int  # people and friendships of each pair of degrees
    degree_k: int  # people of each degree


class Found(NamedTuple):
    """A graph that keeps it."""

    edges: Integers
    assigned: Assignment
    changed: int


def search_levels(
    graph: Graph, wanted: Wanted, setting: int, seed: int, look: Look, frozen: Integers
) -> Found | None:
    """A graph with friendship anonymity; None where none was found."""
    room, price = SETTINGS[setting]
    degrees, original = graph.degrees.astype(np.int64), graph.edges.astype(np.int64)
    most = max(wanted)
    assigned = assign_levels(degrees, most, min(graph.n, math.ceil(room * most)), price * most)
    edges = original
    while True:
        now = Levelled(edges, graph.n, of_even_sum(assigned), *wanted, seed, look, frozen)
        if now.reach_degrees() and now.repair():
            now.take_back(original, np.empty(0, np.int64), PASSES)
            edges = now.edges()[0]
            return Found(edges, now.assigned, len(changes(original, edges, graph.n)[0]))
        fewer = _fewer(now)
        if fewer is None:
            return None
        edges, assigned = now.edges()[0], fewer


def _fewer(now: Levelled) -> Assignment | None:
    """One level less; of one level, the next degree that all may have."""
    gaps = np.abs(now.gaps)
    level = now.assigned.level
    lack = now.lack_by_level() + np.bincount(level[level >= 0], gaps[level >= 0], len(now.assigned.degree))
    fewer = merged(now.assigned, lack)
    if fewer is not None or now.assigned.degree[0] >= min(MOST_DEGREES, now.n - 1):
        return fewer
    return Assignment(now.assigned.degree + 1, level)
