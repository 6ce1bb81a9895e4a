"""k-NMF with a spread as an aim of the search: nobody lies on more than a share of a group (docs/plan.md).

A group in which one person has t edges needs t / share members, and at least k. So each count has a need of its own,
which changes with the edits. The potential is as before, with these needs: zero exactly if every group is large enough
for the person who has most of it. Two kinds of steps bring a group in order: edges of other people come to it, which
the plan for the needs finds, or edges of that person leave it, which are candidates of their own here.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.plan import tuning
from graphveil.methods.plan.aims.nmf import MutualFriends
from graphveil.methods.plan.potential import Pairs, Potential
from graphveil.methods.plan.step_costs import NEVER, Stage, StepCosts


class SpreadMutualFriends(MutualFriends):
    """Every mutual-friend count is to occur on as many edges as k and the person with most of them need, or on none."""

    def __init__(self, on: Potential, k: int, share: float) -> None:
        super().__init__(on, k)
        self.share = share
        self.best_share = math.inf  # the smallest so far of a graph that keeps the other goals
        self.widest = k  # edges that cross a boundary in a plan
        self._more = np.zeros(0, np.int64)  # edges asked for beyond k
        self._asked = 0  # how often

    def exposed(self) -> NDArray[np.bool_]:
        """The counts with a group that is too small: for k, or for the person who has most of it."""
        size = self.tables.size
        small: NDArray[np.bool_] = (size < self.k) | (self._shares() > self.share)
        small &= size > 0
        return small

    def _shares(self) -> NDArray[np.float64]:
        """What part of each group touches the person who has most of it."""
        shares: NDArray[np.float64] = self.leaders.tally[:, 0] / np.maximum(self.tables.size, 1)
        return shares

    def plan(self, stage: Stage) -> None:
        """Plan again, with the needs of the graph as it is now."""
        stage = stage._replace(edge=stage.edge._replace(come=min(stage.edge.come, tuning.COME)))
        super().plan(stage)
        if self._more.any() and self._forget():
            super().plan(stage)
        while self.left >= NEVER and len(self.tables.size) * (4 * self.widest + 1) <= tuning.LARGEST_TABLE:
            self.widest *= 2
            super().plan(stage)
        if self._keeps_the_rest():
            self.best_share = min(self.best_share, float(self._shares().max(initial=0)))

    def _keeps_the_rest(self) -> bool:
        """Whether every other goal is reached, and nobody lost all friends."""
        others = sum(aim.violating for aim in self.on.aims if aim is not self)
        return not super().exposed().any() and not others and not self.on.somebody_lost_all()

    def needs(self, size: NDArray[np.int64], costs: StepCosts) -> tuple[NDArray[np.int64], int, int]:
        """How many edges each count needs, and how many may cross a boundary."""
        if len(self._more) < len(size):
            self._more = np.pad(self._more, (0, len(size) - len(self._more)))
        least = self.k + self._more[: len(size)]
        workspace, program = self.on.workspace, self.on.program
        self.leaders = program.leading(workspace.state, workspace.n, least, self.share)
        need = program.needs(self.leaders)
        lacking = np.minimum(size, need - size)[size < need]
        self.widest = max(self.widest, int(lacking.max(initial=0)))
        return need, self.widest, self.widest

    # ------------------------------------------------------------------ groups that are to be larger than need be

    def begin(self) -> None:
        """Ask for nothing beyond k."""
        self._more[:], self._asked = 0, 0

    def relax(self) -> bool:
        """Ask for one more edge in groups that are too small, where the search is stuck.

        The plan does not see whose edges it moves. An edge that would fill a group, but belongs to the person who has
        most of it, stays beside it for ever: one of somebody else must come from further away.
        """
        too_small, costs = np.flatnonzero(self.exposed()), self.on.stage.edge
        if costs.fall <= costs.rise or self._asked == tuning.MOST_ASKED or not len(too_small):
            return False
        self._asked += 1
        self._more[self._around(too_small, tuning.AROUND)] += 1
        self.on.aim(self.on.stage)
        return True

    def _forget(self) -> bool:
        """Ask for no more where no group is too small any longer; whether there was such a place."""
        near = np.zeros(len(self._more), np.bool_)
        near[self._around(np.flatnonzero(self.exposed()), 2 * tuning.AROUND)] = True
        done = ~near & (self._more > 0)
        self._more[done] = 0
        return bool(done.any())

    def _around(self, counts: NDArray[np.int64], distance: int) -> NDArray[np.int64]:
        around = counts[:, None] + np.arange(-distance, distance + 1)
        return np.unique(around.clip(0, len(self._more) - 1))

    # ------------------------------------------------------------------ candidates

    def candidates(self, room: int) -> list[Pairs]:
        """As without a spread, and edits around people who have too much of a group."""
        around = self.around_leaders(tuning.TRIES_AROUND_LEADER * room // tuning.ROOM)
        return [*super().candidates(room), around]

    def _too_much(self) -> list[tuple[int, NDArray[np.int32]]]:
        """Who has more than the share of a group: the person, and the edges."""
        state, (vertex, tally, _, share) = self.on.workspace.state, self.leaders
        size = np.maximum(self.tables.size, 1)[:, None]
        found = []
        for count, place in np.argwhere(tally / size > share).tolist():
            person = int(vertex[count, place])
            edges = state.edge[state.start[person] : state.start[person] + state.length[person]]
            found.append((person, edges[state.count[edges] == count]))
        return found

    def around_leaders(self, tries: int) -> Pairs:
        """Edits that take an edge from a person who has too many of one group.

        The edge is deleted, or one end becomes the friend of a friend of the other, or ceases to be.
        """
        found, ends = [np.empty((0, 2), np.int32)], self.on.workspace.state.ends
        for person, edges in self._too_much():
            found.append(ends[edges])
            friends = ends[edges].sum(axis=1) - person
            drawn = friends[self.on.rng.integers(len(friends), size=tries)]
            found += [
                np.stack((np.full(tries, person), self._random_friends(drawn)), axis=1),
                np.stack((drawn, self._random_friends(np.full(tries, person))), axis=1),
            ]
        pairs = np.unique(np.sort(np.concatenate(found).astype(np.int32), axis=1), axis=0)
        return pairs[self._may_be_toggled(pairs)]

    def _random_friends(self, vertices: NDArray[np.int64]) -> NDArray[np.int32]:
        state = self.on.workspace.state
        slots = state.start[vertices] + self.on.rng.integers(state.length[vertices])
        friends: NDArray[np.int32] = state.vertex[slots]
        return friends

    def _may_be_toggled(self, pairs: Pairs) -> NDArray[np.bool_]:
        edges = self.on.program.edges_at(self.on.workspace.state, pairs)
        allowed: NDArray[np.bool_] = pairs[:, 0] != pairs[:, 1]
        allowed &= (edges < 0) | (edges >= self.on.deletable)
        return allowed

    def raise_edges(self, go_on: Callable[[], object]) -> bool:
        """Raise edges as without a spread, and those out of a group of which somebody has too much."""
        raised = super().raise_edges(go_on)
        return self._raise_out(go_on) or raised

    def _raise_out(self, go_on: Callable[[], object]) -> bool:
        before = self.on.potential
        for _, edges in self._too_much():
            self.on.check_time()
            some, friends, _ = self.common_friends(edges, self.marginals())
            for edge, both in zip(some.tolist(), friends.tolist(), strict=True):
                if not any(friend >= 0 and self.join(friend, edge, go_on) for friend in both):
                    break
        return self.on.potential < before
