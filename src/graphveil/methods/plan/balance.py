"""Where few deletions took triangles from many people: the pairs whose toggle gives as many back (docs/plan.md).

Somebody with two friends has a clustering coefficient of one if these know each other, and of zero if not. A deletion
between two hubs can so take a coefficient from dozens at once, and one addition between two others gives it to dozens.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.workspace import Workspace

__all__ = ["pairs_of_friends"]

MOST_FRIENDS = 6  # of those whose coefficients are counted
MOST_PAIRS = 1000  # returned


def pairs_of_friends(workspace: Workspace, *, adjacent: bool) -> NDArray[np.int32]:
    """The pairs that decide the coefficients of most people with few friends, those who decide most first."""
    n, state = workspace.n, workspace.state
    keys, shares = [np.empty(0, np.int64)], [np.empty(0)]
    for degree in range(2, MOST_FRIENDS + 1):
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
        if len(found) == MOST_PAIRS:
            break
    return np.array(found, np.int32).reshape(-1, 2)
