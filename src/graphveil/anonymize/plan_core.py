"""Where only additions are allowed: fill the highest class inside one circle of friends (docs/plan.md).

The highest count stays, so k − 1 other edges have to rise to it. Taken wherever they are nearest, an added edge
raises one or two of them. Within a *core* of r vertices, all friends of each other, it raises more: a vertex with a
friends in the core that gets one more friend there is a new mutual friend of a pairs. So the class is filled with the
pairs of a core, by those who know most of it already, and with the edges that are nearest to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from graphveil.workspace import Workspace

__all__ = ["cores_of", "friends_for_core"]

Pair = tuple[int, int]

BEGINNINGS = 20  # highest edges from which a core is grown
CHOICE = 60  # vertices tried as the next member, those with the most friends
SMALLER = (1, 0, 2)  # vertices less than it takes for k pairs: the rest of the class is then filled elsewhere


def cores_of(
    workspace: Workspace, k: int, target: int, check: Callable[[], None] = lambda: None
) -> list[list[int]]:
    """For each of a few sizes the vertices whose pairs need the fewest additions to get ``target`` mutual friends."""
    full = int(np.ceil((1 + np.sqrt(1 + 8 * k)) / 2))  # as many as have k pairs
    state = workspace.state
    alive = np.arange(len(state.count))[: workspace.original.m]
    highest = alive[np.argsort(-state.count[alive], kind="stable")[:BEGINNINGS]]
    best: dict[int, tuple[float, list[int]]] = {}
    for edge in highest.tolist():
        for core, cost in _growing(workspace, list(workspace.ends(edge)), full, target):
            check()
            if len(core) not in best or cost < best[len(core)][0]:
                best[len(core)] = cost, core
    return [best[full - less][1] for less in SMALLER if full - less in best]


def _growing(
    workspace: Workspace, core: list[int], most: int, target: int
) -> Iterator[tuple[list[int], float]]:
    """Ever larger cliques around an edge and what they cost, each next member the cheapest, as long as there is one."""
    known = np.zeros(workspace.n, np.int64)  # friends in the core
    for member in core:
        known[_friends(workspace, member)] += 1
    while len(core) < most:
        choice = np.flatnonzero(known == len(core))
        choice = choice[np.argsort(-workspace.state.length[choice], kind="stable")[:CHOICE]]
        if not len(choice):
            return
        around = np.flatnonzero(known)
        costs = [_cost(workspace, known, around, member, core, target) for member in choice.tolist()]
        cost = min(costs)
        member = int(choice[costs.index(cost)])
        core = [*core, member]
        known[_friends(workspace, member)] += 1
        yield core, cost


def _cost(
    workspace: Workspace,
    known: NDArray[np.int64],
    around: NDArray[np.int64],
    member: int,
    core: list[int],
    target: int,
) -> float:
    """Additions that make ``target`` vertices friends of the whole core and a new member."""
    friends = _friends(workspace, member)
    known[friends] += 1
    tally = np.bincount(known[around], minlength=len(core) + 2)
    np.subtract.at(tally, known[[*core, member]], 1)
    tally[1] += np.count_nonzero(known[friends] == 1)  # beyond the vertices around the core
    known[friends] -= 1
    lacking = len(core) + 1 - np.arange(len(tally))
    tally[0] = target
    joined = np.minimum(np.cumsum(tally[::-1]), target)
    return float(np.diff(joined, prepend=0) @ lacking[::-1])


def friends_for_core(
    workspace: Workspace, core: list[int], k: int, target: int, check: Callable[[], None] = lambda: None
) -> list[Pair]:
    """Add edges between the core and those who know most of it, until k of its pairs, or all, have ``target`` friends.

    No edge is raised beyond ``target``. The workspace is left as it was; the additions are returned.
    """
    here = workspace.checkpoint()
    known = np.zeros(workspace.n, np.int64)
    for member in core:
        known[_friends(workspace, member)] += 1
    known[core] = 0
    outside = np.flatnonzero(known)
    added: list[Pair] = []
    for vertex in outside[np.argsort(-known[outside], kind="stable")].tolist():
        check()
        low = _pairs_below(workspace, core, target)
        if not low or len(core) * (len(core) - 1) // 2 - len(low) >= k:
            break
        for member in core:
            if _helps(workspace, vertex, member, low, target):
                workspace.add_edge(vertex, member)
                added.append((min(vertex, member), max(vertex, member)))
    workspace.undo_to(here)
    return added


def _pairs_below(workspace: Workspace, core: list[int], target: int) -> list[Pair]:
    pairs = [(u, v) for i, u in enumerate(core) for v in core[:i]]
    return [pair for pair in pairs if workspace.count(_edge(workspace, *pair)) < target]


def _edge(workspace: Workspace, u: int, v: int) -> int:
    edge = workspace.edge_between(u, v)
    assert edge is not None
    return edge


def _helps(workspace: Workspace, vertex: int, member: int, low: list[Pair], target: int) -> bool:
    """Whether a friendship of the two would raise a pair of the core, and nothing beyond the target."""
    if workspace.edge_between(vertex, member) is not None:
        return False
    others = {u if v == member else v for u, v in low if member in (u, v)}
    common, raised = _triangles(workspace, vertex, member)
    return not others.isdisjoint(common.tolist()) and len(common) <= target and int(raised.max()) < target


def _friends(workspace: Workspace, vertex: int) -> NDArray[np.int32]:
    state = workspace.state
    friends: NDArray[np.int32] = state.vertex[
        state.start[vertex] : state.start[vertex] + state.length[vertex]
    ]
    return friends


def _triangles(workspace: Workspace, u: int, v: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The common friends of two vertices and the counts of the edges that lead to them."""
    state = workspace.state
    rows = [slice(state.start[x], state.start[x] + state.length[x]) for x in (u, v)]
    of_u, of_v = (state.vertex[row] for row in rows)
    common, *places = np.intersect1d(of_u, of_v, assume_unique=True, return_indices=True)
    edges = [state.edge[row][place] for row, place in zip(rows, places, strict=True)]
    return common, state.count[np.concatenate(edges)]
