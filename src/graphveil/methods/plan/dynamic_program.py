"""The kernels of kernels/plan.py, with the arrays that they fill.

Kernels make no arrays themselves: they compile the sooner for it. This module loads them, so it is imported late.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels import plan as kernels
from graphveil.kernels.plan import BIG, Leaders, Marginals, Neighbourhoods, Plan
from graphveil.methods.plan.step_costs import FORBIDDEN, StepCosts

MORE_THAN_ANY = 1 << 60  # gain: also where no plan was possible before
Sizes = NDArray[np.int64]
Pairs = NDArray[np.int32]


# ---------------------------------------------------------------------- plans


def make_plan(size: Sizes, need: Sizes, costs: StepCosts, up: int, down: int, bottom: int = 0) -> Plan:
    """The plan of a histogram, in which so many at most cross a boundary; below ``bottom`` nothing may fall."""
    falls = np.full(len(size) + 1, costs.fall)
    falls[: costs.free] = 0
    falls[:bottom] = FORBIDDEN
    above, below = np.full((2, len(size) + 1, up + down + 1), BIG)
    above[-1, up] = 0
    below[0, down:] = np.minimum(np.arange(up + 1) * costs.come, BIG)
    plan = Plan(size, need, up, down, costs.rise, falls, costs.drop, costs.toll, above, below, 0)
    return _filled(plan, 0, len(size) - 1)


def changed_plan(plan: Plan, size: Sizes, need: Sizes) -> Plan:
    """The plan for other sizes and needs, in the place of the old one, which must not be used any more."""
    changed = np.flatnonzero((size != plan.size) | (need != plan.need))
    if not len(changed):
        return plan
    now = _filled(plan._replace(size=size, need=need), int(changed[0]), int(changed[-1]))
    # Where no plan is possible, costs beyond all bounds are compared as well.
    return now if max(plan.least, now.least) < BIG else _filled(now, 0, len(size) - 1)


def _filled(plan: Plan, low: int, high: int) -> Plan:
    return plan._replace(least=kernels.fill(*plan[:-1], low, high, np.empty(_states(plan), np.int64)))


def _states(plan: Plan) -> int:
    return plan.up + plan.down + 1


def marginals(plan: Plan) -> Marginals:
    """What one edge more, less or elsewhere changes, for every count."""
    size, need, up, _, rise, fall, drop, toll, above, below, now = plan
    changes, rows = np.zeros((4, len(size)), np.int64), np.empty((2, _states(plan)), np.int64)
    kernels.fill_marginals(size, need, up, rise, fall, drop, toll, above, below, now, changes, rows)
    return Marginals(*changes)


# ---------------------------------------------------------------------- edits


def _neighbourhoods(state: Any) -> Neighbourhoods:
    return Neighbourhoods(state.start, state.length, state.vertex, state.edge, state.count, state.common)


def evaluate(state: Any, plan: Plan, leaders: Leaders | None, pairs: Pairs) -> tuple[Sizes, Sizes]:
    """By how much toggling each pair lowers the potential; and how plausible it is.

    Exactly, but for what the kernel `needs_after` says of a spread. A new edge is the more plausible the more mutual
    friends it has, a deleted one the fewer it had.
    """
    gain, plausible, _ = _find_gains(state, plan, leaders, pairs, MORE_THAN_ANY)
    return gain, plausible


def first_gain(state: Any, plan: Plan, leaders: Leaders | None, pairs: Pairs, enough: int) -> int:
    """The place of the first pair whose toggle lowers the potential by so much; their number if none does."""
    return _find_gains(state, plan, leaders, pairs, enough)[2]


def _find_gains(
    state: Any, plan: Plan, leaders: Leaders | None, pairs: Pairs, enough: int
) -> tuple[Sizes, Sizes, int]:
    gain, plausible = np.empty((2, len(pairs)), np.int64)
    scratch, rows = np.zeros((3, len(plan.size) + 1), np.int64), np.empty((2, _states(plan)), np.int64)
    arrays = gain, plausible, scratch[0], plan.need.copy(), scratch[1:], rows
    place: int = kernels.find_gains(_neighbourhoods(state), plan, leaders, pairs, enough, *arrays)
    return gain, plausible, place


def evaluate_degrees(state: Any, plan: Plan, pairs: Pairs) -> Sizes:
    """By how much toggling each pair lowers the potential of the degrees, exactly.

    ``plan`` is that of a histogram of vertices by degree, so an edit moves two vertices by one.
    """
    gain, change = np.empty(len(pairs), np.int64), np.zeros(len(plan.size) + 1, np.int64)
    rows = np.empty((2, _states(plan)), np.int64)
    kernels.find_gains_of_degrees(_neighbourhoods(state), plan, pairs, gain, change, rows)
    return gain


def clustering_changes(state: Any, pairs: Pairs) -> NDArray[np.float64]:
    """What toggling each pair adds to the sum of the clustering coefficients of all vertices."""
    change = np.empty(len(pairs))
    kernels.find_clustering_changes(_neighbourhoods(state), pairs, change)
    return change


def edges_at(state: Any, pairs: Pairs) -> NDArray[np.int32]:
    """The edge between the two vertices of each pair, or −1."""
    edges = np.empty(len(pairs), np.int32)
    kernels.find_edges(_neighbourhoods(state), pairs, edges)
    return edges


def far_apart(state: Any, pairs: Pairs) -> NDArray[np.bool_]:
    """Which pairs are two vertices that are no friends and have none in common."""
    far = np.empty(len(pairs), np.bool_)
    kernels.find_far_apart(_neighbourhoods(state), pairs, far)
    return far


# ---------------------------------------------------------------------- a spread


def leading(state: Any, n: int, least: Sizes, share: float) -> Leaders:
    """The people with the most edges of each count."""
    leaders: Leaders = kernels.leading(_neighbourhoods(state), n, least, share)
    return leaders


def needs(leaders: Leaders) -> Sizes:
    """How many edges each count needs, if it has any."""
    need: Sizes = kernels.needs(leaders)
    return need
