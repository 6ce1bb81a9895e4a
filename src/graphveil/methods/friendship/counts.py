"""Mutual-friend counts in large enough groups, for a graph that keeps to its levels.

The potential is that of the method `plan` (docs/plan.md), plus what the pairs of levels lack. A move is drawn for
an edge whose step up or down lowers it, and completed so that everybody keeps to a level. Two people who swap
friends of the same level change nothing but mutual friends, so there is always somewhere to go.

Where nothing helps, steps down become dearer: to raise an edge is always possible, to lower it often harms others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels import friendship as kernels
from graphveil.methods.friendship.levelled import Levelled
from graphveil.methods.plan.dynamic_program import make_plan, marginals
from graphveil.methods.plan.step_costs import StepCosts

FALLS = (1, 2, 4, 8, 16, 32)  # price of a step down; a step up costs 1
TRIES = (200, 800)  # random moves for one edge, more where the search is stuck
BATCH = 10_000  # moves tried between two looks at the clock
LACKING = 1000  # edges whose levels lack something, at most
PATIENCE = 5  # batches without any gain, of each number of tries
HEAT = 0.3
ROUNDS = 12  # of search, where somebody has too much of a group
PASSES = 6  # over all changes, to take them back
Integers = NDArray[np.int64]


class Groups(NamedTuple):
    """What groups of edges with one mutual-friend count must be like."""

    k: int  # edges
    share: float | None  # of them that may touch one person, if that is asked for

    def needs(self, graph: Levelled) -> Integers:
        """How many edges each count needs, if the people with most of its edges keep them."""
        need = np.full(len(graph.state.histogram), self.k)
        if self.share is not None:
            for count, most in _leaders(*graph.edges()):
                need[count] = max(self.k, math.ceil(most / self.share - 1e-9))
        return need


def _leaders(edges: Integers, mutual: Integers) -> Iterator[tuple[int, int]]:
    """Of each count the largest number of edges that touch one person."""
    for count in np.unique(mutual):
        yield int(count), int(np.unique(edges[mutual == count], return_counts=True)[1].max())


def repair(graph: Levelled) -> bool:
    """Move edges until no pair of levels lacks anything, whatever mutual friends they have; whether that worked."""
    return _descend(graph, np.zeros_like(graph.state.histogram), FALLS[0])


def reach_counts(graph: Levelled, original: Integers, groups: Groups) -> bool:
    """Move edges until each count has as many as it needs, or none, and take back what can be; whether that worked."""
    kernels.track(graph.state, graph.state.histogram)
    need = groups.needs(graph)
    for _ in range(ROUNDS if groups.share is not None else 1):
        if not any(_descend(graph, need, fall) for fall in FALLS):
            return False
        now = groups.needs(graph)
        if not _small(graph, now).any():
            return _shortened(graph, original, groups, now)
        need = np.maximum(need, now)
    return False


def _shortened(graph: Levelled, original: Integers, groups: Groups, need: Integers) -> bool:
    """Take back what can be. With a share, who has most of a group may change by that."""
    graph.take_back(original, need, PASSES)
    return not _small(graph, groups.needs(graph)).any()


def _small(graph: Levelled, need: Integers) -> NDArray[np.bool_]:
    size = graph.state.histogram
    small: NDArray[np.bool_] = (size > 0) & (size < need)
    return small


def _descend(graph: Levelled, need: Integers, fall: int) -> bool:
    """The same, with one price for steps down."""
    state, widest = graph.state, int(need.max())
    best, stuck = 1 << 60, 0
    while stuck < PATIENCE * len(TRIES):
        graph.look(graph)
        plan = make_plan(state.histogram.copy(), need, StepCosts(fall=fall), widest, widest)
        if plan.least == 0 and graph.lack == 0:
            return True
        up, down, *_ = marginals(plan)
        hot, first = _hot(graph, (up < 0) | (down < 0))
        if not len(hot):
            return False
        tries = TRIES[stuck // PATIENCE]
        order, members = graph.members()
        prices = widest, fall, 2 * fall
        now = kernels.search(
            *(state, hot, first, up, down, order, members, need, *prices),
            *(tries, BATCH // tries, HEAT, *graph.moves),
        )
        stuck = 0 if now < best else stuck + 1
        best = min(best, now)
    return False


def _hot(graph: Levelled, wanted: NDArray[np.bool_]) -> tuple[Integers, Integers]:
    """The edges whose levels lack something, and those whose count is wanted, by count; where each group begins."""
    edges = np.empty((graph.state.totals[kernels.EDGES], 2), np.int64)
    mutual = np.empty(len(edges), np.int64)
    kernels.listed(graph.state, edges, mutual)
    lacking = np.empty((LACKING, 2), np.int64)
    lacking = lacking[: kernels.lacking_edges(graph.state, lacking)]
    rows = np.flatnonzero(wanted[mutual])
    rows = rows[np.argsort(mutual[rows], kind="stable")]
    _, sizes = np.unique(mutual[rows], return_counts=True)
    sizes = np.concatenate(([0], [len(lacking)] if len(lacking) else [], sizes)).astype(np.int64)
    return np.concatenate((lacking, edges[rows])), np.cumsum(sizes)
