"""When the edits are found: as few that keep the clustering coefficient better, and a few more (docs/plan.md).

Few deletions can take triangles from many people. Somebody with two friends has a clustering coefficient of one if
these know each other, and of zero if not. A deletion between two hubs can so take a coefficient from dozens at once,
and one addition between two others gives it to dozens.
"""

from __future__ import annotations

import math

import numpy as np

from graphveil.methods.plan import tuning
from graphveil.methods.plan.potential import Edits, Pairs
from graphveil.methods.plan.search import Search
from graphveil.methods.plan.step_costs import FORBIDDEN, Stage, StepCosts
from graphveil.methods.workspace import Workspace


def swapped(search: Search, solution: Edits) -> Edits:
    """As few edits that keep clustering better: one after the other gives way to another that does the same."""
    search.go_to(solution)
    search.aim(Stage(StepCosts(fall=FORBIDDEN if search.keep_edges else 1)))
    room = tuning.MORE_ROOM if search.few and not search.keep_edges else tuning.ROOM
    for pair in [*solution, *solution][: tuning.MOST_SEEN_IN_SWAPS // search.workspace.n]:
        search.check_time()
        before = abs(search.drift)
        if before < tuning.CLOSE:
            break
        if pair not in search.edits:
            continue
        search.toggle(pair)
        if not search.potential:
            continue
        others = search.candidates(room)
        others = others[~search.are_fixed(others)]
        left = np.abs(search.drift + search.clustering_changes(others))
        others = others[np.argsort(left, kind="stable")][: np.count_nonzero(left < before)]
        place = search.first_gain(others, search.potential)
        search.toggle(tuple(others[place].tolist()) if place < len(others) else pair)
    return dict(search.edits) if search.holds() else solution


def balanced(search: Search, solution: Edits, rival: Edits | None) -> Edits:
    """A solution with a few more edits that give average clustering back.

    Each has to put the coefficients of many people right, unless the rival keeps clustering better: then any does.
    There are no more edits than the rival has, and none once clustering is kept twice as well as by the rival.
    """
    most, theirs, close = math.inf, math.inf, 0.0
    if rival is not None:
        search.go_to(rival)
        most, theirs, close = len(rival), abs(search.drift), abs(search.drift) / 2
    search.go_to(solution)
    if abs(search.drift) < _worth(search, theirs) or (search.keep_edges and search.drift > 0):
        return solution
    search.aim(Stage())
    pairs = pairs_of_friends(search.workspace, adjacent=search.drift > 0)
    while abs(search.drift) > close and len(search.edits) < most:
        search.check_time()
        left = np.abs(search.drift + search.clustering_changes(pairs))
        left[~search.harmless(pairs)] = math.inf
        if left.min(initial=math.inf) > abs(search.drift) - _worth(search, theirs):
            break
        search.toggle(tuple(pairs[left.argmin()].tolist()))
    return dict(search.edits) if search.holds() else solution


def _worth(search: Search, theirs: float) -> float:
    """How much of the drift one more edit has to put right, where the rival leaves so much."""
    return tuning.WORTH if abs(search.drift) <= theirs else tuning.CLOSE


def pairs_of_friends(workspace: Workspace, *, adjacent: bool) -> Pairs:
    """The pairs that decide the coefficients of most people with few friends, those who decide most first."""
    n, state = workspace.n, workspace.state
    keys, shares = [np.empty(0, np.int64)], [np.empty(0)]
    for degree in range(2, tuning.MOST_FRIENDS + 1):
        people = np.flatnonzero(state.length[:n] == degree)
        friends = state.vertex[state.start[people, None] + np.arange(degree)].astype(np.int64)
        one, other = np.triu_indices(degree, 1)
        keys.append((friends[:, one] * n + friends[:, other]).ravel())  # friends are in ascending order
        shares.append(np.full(len(keys[-1]), 2 / (degree * (degree - 1))))
    pairs, place = np.unique(np.concatenate(keys), return_inverse=True)
    decided = np.bincount(place, np.concatenate(shares), minlength=len(pairs))
    found = []
    for key in pairs[np.argsort(-decided, kind="stable")]:
        pair = divmod(int(key), n)
        if (workspace.edge_between(*pair) is not None) == adjacent:
            found.append(pair)
        if len(found) == tuning.MOST_PAIRS:
            break
    return np.array(found, np.int32).reshape(-1, 2)
