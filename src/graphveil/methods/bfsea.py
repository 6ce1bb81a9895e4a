"""BFS-based edge anonymization (section 3.2 of the paper): raise one edge by closing triangles over it.

To raise the mutual friends of (u, v), vertices w are taken hop by hop. At hop 1, w is a friend of u or of v, and
one edge closes the triangle. From hop 2 on both edges are new. Among the candidates of a hop, the one with the most
mutual friends over its missing edges goes first (Eq. 3). Ties are broken at random.

Invariant (the anonymized triangle preservation principle): no sealed edge gains a triangle. An edge that reaches a
sealed count is final from then on, so no edge passes over the value of the current group either.

Deviations. A new edge's count is taken after all edges of its step are in, as the published graph will have it.
After the last hop, vertices of other components are candidates too, before a new vertex is made. The paper's search
ends with the component, which costs vertices without need. From hop 3 on the choice is random, as in the paper,
because all scores are zero. If an earlier step of the same edge has given a candidate a mutual friend, Eq. 3
decides. A friend of u is two steps from v, so it is in CV_2 again: by then its new edge may end in a group. From there
on every vertex comes once, at its distance to the nearer end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels._jit import patient
from graphveil.methods.run import Run
from graphveil.methods.workspace import Workspace

SAMPLE = 1000  # candidates looked at first where a hop from the third on has more


def raise_edge(run: Run, edge: int, target: int) -> bool:
    """Close triangles over the edge until it has the target number of mutual friends.

    Returns whether it got there; if not, no candidate is left in the whole graph.
    """
    workspace = run.workspace
    for _, candidates in candidates_by_hop(run, *workspace.ends(edge)):
        while workspace.count(edge) < target:
            best = candidates.best(target)
            if best is None:
                break
            candidates.close_triangle(best)
        if workspace.count(edge) == target:
            return True
    return False


def raise_by_new_vertices(run: Run, edge: int, target: int) -> None:
    """The paper's last resort: a new vertex joined to both ends gives one mutual friend."""
    workspace = run.workspace
    u, v = workspace.ends(edge)
    while workspace.count(edge) < target:
        vertex = workspace.add_vertex()
        workspace.add_edge(vertex, u)
        workspace.add_edge(vertex, v)


@dataclass
class Candidates:
    """The candidate set CV_i of one hop, kept up to date while triangles are closed."""

    workspace: Workspace
    u: int
    v: int
    vertex: NDArray[np.int32]
    missing: NDArray[np.bool_]  # which of (w, u) and (w, v) are missing
    score: NDArray[np.int32]  # mutual friends over each missing edge: nmf' of Eq. 3
    priority: NDArray[np.float64]  # chance, for ties
    dead: NDArray[np.bool_]  # used, or removed by condition c

    def best(self, target: int) -> int | None:
        """The candidate with the most mutual friends whose new edges may be added (Eq. 3)."""
        place = patient("workspace").best_candidate(
            self.workspace.state, self.missing, self.score, self.dead, self.priority, target
        )
        return None if place < 0 else int(place)

    def close_triangle(self, place: int) -> None:
        """Add the candidate's missing edges; scores and dynamic removal follow."""
        w = int(self.vertex[place])
        self.dead[place] = True
        added = []
        for side, x in enumerate((self.u, self.v)):
            if self.missing[place, side]:
                self.workspace.add_edge(w, x)
                added.append((side, self.workspace.last_common_neighbours()))
        for side, friends in added:
            patient("workspace").update_candidates(
                *(self.workspace.state, self.u, self.v, w, side, friends),
                *(self.vertex, self.missing, self.score, self.dead),
            )


def candidates_by_hop(run: Run, u: int, v: int) -> Iterator[tuple[int, Candidates]]:
    """CV_1, CV_2, … of the edge (u, v), each made when the one before is used up."""
    workspace = run.workspace

    def candidates(
        vertex: NDArray[np.int32], missing: NDArray[np.bool_], score: NDArray[np.int32]
    ) -> Candidates:
        priority, dead = run.rng.random(len(vertex)), np.zeros(len(vertex), bool)
        return Candidates(workspace, u, v, vertex, missing, score, priority, dead)

    yield 1, candidates(*patient("workspace").one_edge_away(workspace.state, u, v))
    seen = np.zeros(workspace.n, bool)
    seen[[u, v]] = True
    level = patient("workspace").next_level(workspace.state, np.array([u, v], np.int32), seen)
    hop = 1
    while len(level):
        hop += 1
        level = patient("workspace").next_level(workspace.state, level, seen)
        for part in _parts(run, level, hop):
            found = patient("workspace").two_edges_away(workspace.state, u, v, part)
            if hop == 2:
                again = patient("workspace").one_edge_away(workspace.state, u, v)
                found = tuple(np.concatenate(both) for both in zip(again, found, strict=True))
            yield hop, candidates(*found)
    elsewhere = np.flatnonzero(~seen).astype(np.int32)
    for part in _parts(run, elsewhere, hop + 1):
        yield hop + 1, candidates(*patient("workspace").two_edges_away(workspace.state, u, v, part))


def _parts(run: Run, level: NDArray[np.int32], hop: int) -> list[NDArray[np.int32]]:
    """A large hop, where the choice is random anyway, as a random sample and the rest."""
    if hop < 3 or len(level) <= SAMPLE:
        return [level]
    shuffled = run.rng.permutation(level)
    return [shuffled[:SAMPLE], shuffled[SAMPLE:]]
