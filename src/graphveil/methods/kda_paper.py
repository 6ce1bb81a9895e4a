"""KDA as the paper describes it (section 3.4 of Sun, Yu, Kong, Fu 2013), for comparison with `graphveil.methods.kda`.

Vertices are taken in descending order of their degrees. The first open vertex gives a new group its degree.
Vertices with this degree are in the group. The next open vertices are raised to it until the group has k members.
From then on C_merge and C_new (Eq. 1 and 2, on degrees) decide whether the next vertex joins the group or starts
another one.

A vertex u is raised by edges to open vertices. They are chosen at random from neig_3(u), then from neig_3(u) as it
is after the new edges, then from neig_4(u), neig_5(u) and so on.

Invariant: every open vertex has a lower degree than every vertex in a group, and no new edge closes a triangle.

What the paper leaves open, and the answer:

- A candidate can come within two steps of u by an edge that u got before. It is passed over: it would close a
  triangle.
- After the last hop, vertices of other components are candidates too.
- A vertex that runs out of candidates gives back the edges it got. It stays open, and a later group takes it.
- The last fewer than 2k vertices are one group, as in ADD.
- What is missing then is left to `graphveil.methods.kda.finish`: parity, hubs without room, and k₂ edges without
  mutual friends.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.methods.degrees import DegreeChange, Progress
from graphveil.methods.kda import Goal, kda
from graphveil.methods.workspace import Workspace
from graphveil.stopping import check

NEAREST = 3  # steps between vertices that may be joined without closing a triangle


def kda_paper(
    graph: Graph, degree_k: int, nmf_k: int, rng: np.random.Generator, progress: Progress | None = None
) -> DegreeChange:
    """Edges that make every degree occur at least ``degree_k`` times and change no mutual friends.

    The parameters are those of `graphveil.methods.kda.kda`.

    >>> import numpy as np
    >>> from graphveil import Graph
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> kda_paper(path, 5, 4, np.random.default_rng(7)).added.tolist()
    [[0, 4]]
    """
    return kda(graph, degree_k, nmf_k, rng, progress, in_groups)


def in_groups(goal: Goal) -> Graph:
    """The graph after every group was filled, as far as that goes."""
    rising = Rising(Workspace(goal.graph), goal.k, goal.rng, goal.progress)
    while rising.next_group():
        rising.fill_group()
    return rising.workspace.to_graph()


@dataclass
class Rising:
    """The vertices under way: those below ``degree``, the degree of the current group, are open."""

    workspace: Workspace
    k: int
    rng: np.random.Generator
    progress: Progress | None = None
    degree: int = 2**31
    last: bool = False  # whether all open vertices belong to the current group

    @property
    def degrees(self) -> NDArray[np.int32]:
        """Of all vertices, as they are now."""
        degrees: NDArray[np.int32] = self.workspace.state.length[: self.workspace.n]
        return degrees

    def next_group(self) -> bool:
        """Start a group with the highest open degree; False when no vertex is open."""
        open_degrees = self.degrees[self.degrees < self.degree]
        if len(open_degrees):
            self.degree, self.last = int(open_degrees.max()), len(open_degrees) < 2 * self.k
        return len(open_degrees) > 0

    def fill_group(self) -> None:
        """Raise open vertices to the degree of the group, as long as it needs them or they are cheaper here."""
        passed_over = np.zeros(self.workspace.n, bool)
        while self.takes_another():
            u = self.first_open(passed_over)
            if u is None:
                break
            self.raise_vertex(u)
            passed_over[u] = True
            if self.progress:
                self.progress(int(np.count_nonzero(self.degrees >= self.degree)), self.workspace.n)

    def takes_another(self) -> bool:
        """Whether the next open vertex belongs to this group: it is short of k, or C_merge < C_new."""
        if self.last or np.count_nonzero(self.degrees == self.degree) < self.k:
            return True
        sizes = np.bincount(self.degrees[self.degrees < self.degree])
        if sizes.sum() < 2 * self.k:
            return False
        merge = (self.degree - (len(sizes) - 1)) + group_cost(sizes, 1, self.k)
        return merge < group_cost(sizes, 0, self.k)

    def first_open(self, passed_over: NDArray[np.bool_]) -> int | None:
        """The open vertex with the highest degree; chance decides between several."""
        waiting = np.flatnonzero((self.degrees < self.degree) & ~passed_over)
        if not len(waiting):
            return None
        degrees = self.degrees[waiting]
        return int(self.rng.choice(waiting[degrees == degrees.max()]))

    def raise_vertex(self, u: int) -> None:
        """Join u with open vertices, hop by hop, until it has the degree of the group.

        Where no candidate is left, the edges it got are taken back: they would raise others for nothing.
        """
        before = self.workspace.checkpoint()
        hop = NEAREST
        while self.degrees[u] < self.degree:
            check()
            level = neighbours_at(self.workspace, u, hop)
            if level is None:
                self.workspace.undo_to(before)
                break
            if not self.join(u, level):
                hop += 1

    def join(self, u: int, level: NDArray[np.int32]) -> int:
        """Join u with open vertices of the level in random order; returns how many edges it got."""
        candidates = self.rng.permutation(level[self.degrees[level] < self.degree])
        joined = 0
        for w in candidates.tolist():
            if self.degrees[u] == self.degree:
                break
            if self.degrees[w] < self.degree and self.far_apart(u, w):
                self.workspace.add_edge(u, w)
                joined += 1
        return joined

    def far_apart(self, u: int, w: int) -> bool:
        """Whether two vertices that are no neighbours have no common one."""
        from graphveil.kernels.workspace import common_neighbours

        return int(common_neighbours(self.workspace.state, u, w)) == 0


def neighbours_at(workspace: Workspace, u: int, hop: int) -> NDArray[np.int32] | None:
    """neig_i(u): the vertices at this distance; one hop after the last those of other components; then None."""
    return next(islice(levels_around(workspace, u), hop, None), None)


def levels_around(workspace: Workspace, u: int) -> Iterator[NDArray[np.int32]]:
    """The vertices by their distance to u, and last those that no path leads to."""
    from graphveil.kernels.workspace import next_level

    seen = np.zeros(workspace.n, bool)
    seen[u] = True
    level = np.array([u], np.int32)
    while len(level):
        yield level
        level = next_level(workspace.state, level, seen)
    for _ in range(
        NEAREST - 1
    ):  # in a component of few hops, those elsewhere must still come at hop 3 or later
        yield level
    yield np.flatnonzero(~seen).astype(np.int32)


def group_cost(sizes: NDArray[np.int64], skip: int, k: int) -> int:
    """I of Eq. 1 and 2 on degrees: raising the open vertices skip+1 … skip+k, in descending order, to the first.

    >>> degrees = np.array([9, 7, 7, 4])
    >>> group_cost(np.bincount(degrees), 0, 3), group_cost(np.bincount(degrees), 1, 3)
    (4, 3)
    """
    degrees = np.arange(len(sizes))[::-1]
    taken = np.diff(np.clip(np.cumsum(sizes[::-1]), skip, skip + k), prepend=skip)
    used = np.flatnonzero(taken)
    return int((taken * (degrees[used[0]] - degrees)).sum()) if len(used) else 0
