"""Where only additions are allowed: fill the highest group inside one circle of friends (docs/plan.md).

The highest group that lacks edges needs others that rise to it. Taken wherever they are nearest, an added edge
raises one or two of them. Within a *core* of vertices, all friends of each other or made so, it raises more: a
vertex with s friends in the core that gets one more friend there is a new mutual friend of s pairs. So the group is
filled with the pairs of a core, by those who know much of it already, and with the edges that are nearest to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.plan import tuning
from graphveil.methods.plan.potential import Pair
from graphveil.methods.workspace import Workspace


class Joining(NamedTuple):
    """Vertices that know the same members of a core, and to which members some of them are joined."""

    vertices: NDArray[np.int64]  # those to be taken first, first
    members: NDArray[np.bool_]  # a row for each that is joined


class Core(NamedTuple):
    """Vertices that become friends of each other, and how their pairs get the mutual friends that they lack."""

    members: list[int]
    introduced: list[Pair]  # members that are no friends before
    joinings: list[Joining]
    cost: int  # additions, and steps of edges that the group lacks after them


def cores_of(
    workspace: Workspace, k: int, target: int, check: Callable[[], None] = lambda: None
) -> list[Core]:
    """Cores of a few sizes, the cheapest of each, whose pairs are to get ``target`` mutual friends."""
    full = min(tuning.MOST_MEMBERS, int(np.ceil((1 + np.sqrt(1 + 8 * k)) / 2)))  # as many as have k pairs
    sizes = sorted({max(3, round(size * full)) for size in tuning.CORE_SIZES})
    highest = _highest(workspace, target)
    found: dict[tuple[int, ...], Core | None] = {}
    for edge, strangers in product(highest[: tuning.BEGINNINGS].tolist(), tuning.STRANGERS):
        for members in _growing(workspace, list(workspace.ends(edge)), full, strangers, target):
            check()
            if len(members) in sizes and (key := tuple(sorted(members))) not in found:
                found[key] = _core(workspace, list(key), highest[:k], target)
    cheapest = sorted((core for core in found.values() if core is not None), key=lambda core: core.cost)
    of_size = [[core for core in cheapest if len(core.members) == size] for size in sizes]
    return [core for cores in of_size for core in cores[: tuning.OF_A_SIZE]]


def _highest(workspace: Workspace, target: int) -> NDArray[np.int64]:
    """The original edges with at most ``target`` mutual friends, those with the most first."""
    count = workspace.state.count[: workspace.original.m]
    edges = np.flatnonzero(count <= target)
    return edges[np.argsort(-count[edges], kind="stable")]


def _growing(
    workspace: Workspace, core: list[int], most: int, strangers: int, target: int
) -> Iterator[list[int]]:
    """Ever larger circles around an edge, each next member the cheapest of those who know all but a few."""
    known = np.zeros(workspace.n, np.int64)  # friends in the core
    for member in core:
        known[_friends(workspace, member)] += 1
    while len(core) < most:
        choice = np.setdiff1d(np.flatnonzero(known >= len(core) - strangers), core)
        choice = choice[np.argsort(-workspace.state.length[choice], kind="stable")[: tuning.CHOICE]]
        if not len(choice):
            return
        around = np.flatnonzero(known)
        costs = [_cost(workspace, known, around, member, core, target) for member in choice.tolist()]
        member = int(choice[costs.index(min(costs))])
        core = [*core, member]
        known[_friends(workspace, member)] += 1
        yield core


def _cost(
    workspace: Workspace,
    known: NDArray[np.int64],
    around: NDArray[np.int64],
    member: int,
    core: list[int],
    target: int,
) -> float:
    """Additions that make a new member and ``target`` vertices friends of the whole core."""
    friends = _friends(workspace, member)
    known[friends] += 1
    tally = np.bincount(known[around], minlength=len(core) + 2)
    np.subtract.at(tally, known[[*core, member]], 1)
    tally[1] += np.count_nonzero(known[friends] == 1)  # beyond the vertices around the core
    known[friends] -= 1
    lacking = len(core) + 1 - np.arange(len(tally))
    tally[0] = target
    joined = np.minimum(np.cumsum(tally[::-1]), target)
    return float(np.diff(joined, prepend=0) @ lacking[::-1]) + len(core) - int(known[member])


def _core(workspace: Workspace, members: list[int], highest: NDArray[np.int64], target: int) -> Core | None:
    """A core, unless making its members friends raises an edge beyond the target; the workspace is left as it was."""
    here = workspace.checkpoint()
    strangers = [pair for pair in combinations(members, 2) if workspace.edge_between(*pair) is None]
    fits = all(_joined(workspace, u, [v], target) for u, v in strangers)
    core = _filled(workspace, members, strangers, highest, target) if fits else None
    workspace.undo_to(here)
    return core


def _filled(
    workspace: Workspace, members: list[int], introduced: list[Pair], highest: NDArray[np.int64], target: int
) -> Core:
    """The core of members that are friends by now; ``highest`` are k edges that are near the target."""
    from graphveil.kernels.core import fill

    knows = np.zeros((workspace.n, len(members)), np.bool_)
    for i, member in enumerate(members):
        knows[_friends(workspace, member), i] = True
    knows[members] = True  # of all of them: nobody is joined to himself
    around, strangers = np.flatnonzero(knows.any(axis=1)), np.flatnonzero(~knows.any(axis=1))
    kinds, kind_of = np.unique(knows[around], axis=0, return_inverse=True)
    most = np.sort(np.argsort(-kinds.sum(axis=1), kind="stable")[: tuning.MOST_KINDS])  # those who know most
    people = [around[kind_of.ravel() == kind] for kind in most] + [strangers]
    kinds = np.vstack((kinds[most], np.zeros(len(members), np.bool_)))
    pairs = list(combinations(range(len(members)), 2))
    edges = [_edge(workspace, members[i], members[j]) for i, j in pairs]
    lack = np.zeros((len(members), len(members)), np.int64)
    for (i, j), edge in zip(pairs, edges, strict=True):
        lack[i, j] = lack[j, i] = target - workspace.count(edge)
    inside = np.count_nonzero(workspace.state.count[edges] <= target)  # one beyond it does not fill its group
    taken, joined = fill(kinds, np.array([len(of_one) for of_one in people]), lack)
    joinings = [
        Joining(_in_order(workspace, people[kind], known=bool(kinds[kind].any())), joined[taken == kind])
        for kind in np.unique(taken).tolist()
    ]
    others = highest[~np.isin(highest, edges)][: max(0, len(highest) - inside)]
    left = np.maximum(lack, 0).sum() // 2 + (target - workspace.state.count[others]).sum()
    return Core(members, introduced, joinings, int(len(introduced) + joined.sum() + left))


def _in_order(workspace: Workspace, vertices: NDArray[np.int64], *, known: bool) -> NDArray[np.int64]:
    """Those with the most friends first, or of strangers, of whom nothing else shall move, those with the fewest."""
    friends = workspace.state.length[vertices]
    return vertices[np.argsort(-friends if known else friends, kind="stable")]


def friends_for_core(
    workspace: Workspace,
    core: Core,
    target: int,
    gains: Callable[[NDArray[np.int32]], NDArray[np.int64]],
    check: Callable[[], None] = lambda: None,
) -> list[Pair]:
    """The additions of a core, as long as no edge rises beyond ``target``; the workspace is left as it was.

    ``gains`` tells of some pairs how good it is to add them, as the workspace is then.
    """
    here = workspace.checkpoint()
    added = list(core.introduced)
    for pair in added:
        workspace.add_edge(*pair)
    for vertices, rows in core.joinings:
        left = vertices.tolist()
        for row in rows:
            check()
            friends = [core.members[i] for i in np.flatnonzero(row)]
            vertex = _join_best(workspace, left, friends, target, gains)
            if vertex is not None:
                added += _pairs(vertex, friends)
    workspace.undo_to(here)
    return added


def _join_best(
    workspace: Workspace,
    left: list[int],
    friends: list[int],
    target: int,
    gains: Callable[[NDArray[np.int32]], NDArray[np.int64]],
) -> int | None:
    """Join the best of the next vertices that fits, if any does; it is removed, and so are those that do not fit."""
    while left:
        some = left[: tuning.HELPERS]
        pairs = np.array([_pairs(vertex, friends) for vertex in some], np.int32)
        gain = gains(pairs.reshape(-1, 2)).reshape(len(some), len(friends)).sum(axis=1)
        for i in np.argsort(-gain, kind="stable").tolist():
            vertex: int = some[i]
            left.remove(vertex)
            if _joined(workspace, vertex, friends, target):
                return vertex
    return None


def _pairs(vertex: int, friends: list[int]) -> list[Pair]:
    return [(min(vertex, friend), max(vertex, friend)) for friend in friends]


def _joined(workspace: Workspace, vertex: int, friends: list[int], target: int) -> bool:
    """Join a vertex to some members of a core, unless that raises an edge beyond the target; whether it did."""
    here = workspace.checkpoint()
    for friend in friends:
        raised = _raised(workspace, vertex, friend)
        if len(raised) > 2 * target or int(raised.max(initial=0)) >= target:
            workspace.undo_to(here)
            return False
        workspace.add_edge(vertex, friend)
    return True


def _edge(workspace: Workspace, u: int, v: int) -> int:
    edge = workspace.edge_between(u, v)
    assert edge is not None
    return edge


def _friends(workspace: Workspace, vertex: int) -> NDArray[np.int32]:
    state = workspace.state
    friends: NDArray[np.int32] = state.vertex[
        state.start[vertex] : state.start[vertex] + state.length[vertex]
    ]
    return friends


def _raised(workspace: Workspace, u: int, v: int) -> NDArray[np.int32]:
    """The counts of the edges that lead to the common friends of two vertices."""
    state = workspace.state
    rows = [slice(state.start[x], state.start[x] + state.length[x]) for x in (u, v)]
    of_u, of_v = (state.vertex[row] for row in rows)
    _, *places = np.intersect1d(of_u, of_v, assume_unique=True, return_indices=True)
    edges = [state.edge[row][place] for row, place in zip(rows, places, strict=True)]
    counts: NDArray[np.int32] = state.count[np.concatenate(edges)]
    return counts
