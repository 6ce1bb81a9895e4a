"""k-NMF as an aim of the search: edges by mutual friends, in groups of k (docs/plan.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.plan import tuning
from graphveil.methods.plan.potential import Aim, Pairs
from graphveil.methods.plan.step_costs import NEVER, Stage, StepCosts


class MutualFriends(Aim):
    """Every mutual-friend count is to occur on k edges, or on none."""

    leaders: Any = None  # who has the most of each count, where that matters
    best_share = np.inf  # of a group that one person has: not looked at here

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many edges have each mutual-friend count, those outside the part included."""
        size: NDArray[np.int64] = self.on.workspace.state.size
        if self.on.part is None:
            return size
        outside = self.on.part.outside
        sizes = np.zeros(max(len(size), len(outside) + 2), np.int64)
        sizes[: len(size)] += size
        sizes[: len(outside)] += outside
        return sizes

    @property
    def violating(self) -> int:
        """How many edges are in a group that is too small."""
        return int(self.tables.size[self.exposed()].sum())

    def exposed(self) -> NDArray[np.bool_]:
        """The counts with a group that is too small."""
        size: NDArray[np.int64] = self.tables.size
        return (size > 0) & (size < self.k)

    @property
    def highest(self) -> int:
        """The highest count."""
        return int(np.flatnonzero(self.sizes).max(initial=0))

    @property
    def highest_exposed(self) -> int:
        """The highest count with a group that is too small."""
        return int(np.flatnonzero(self.exposed()).max(initial=0))

    def plan(self, stage: Stage) -> None:
        """Plan again, for the graph as it is now."""
        self.weight = stage.weights[0]
        size = self.sizes[: self.highest + 2].copy()
        need, up, down = self.needs(size, stage.edge)
        self._fill(size, need, stage.edge, up, down)

    def needs(self, size: NDArray[np.int64], costs: StepCosts) -> tuple[NDArray[np.int64], int, int]:
        """How many edges each count needs, if it has any, and how many may cross a boundary upwards and downwards."""
        return np.full(len(size), self.k), *costs.crossing(self.k)

    def evaluate(self, pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By how much toggling each pair lowers what is left, and how plausible that is."""
        state = self.on.workspace.state
        gain, plausible = self.on.program.evaluate(state, self.tables, self.leaders, pairs)
        return gain, plausible

    def first_gain(self, pairs: Pairs, enough: int) -> int:
        """The place of the first pair that lowers it by so much; their number if none does."""
        state = self.on.workspace.state
        return int(self.on.program.first_gain(state, self.tables, self.leaders, pairs, enough))

    # ------------------------------------------------------------------ candidates

    def candidates(self, room: int) -> list[Pairs]:
        """The pairs that promise most, by marginals, and new edges without mutual friends where these are too few."""
        on, marginals = self.on, self.marginals()
        shift = int(on.rng.integers(on.workspace.n))
        pairs = on.scans.scan(on.workspace.state, marginals, on.deletable, on.editable, room, shift)
        if self.costs is not None and self.costs.come != NEVER and marginals.new[0] < 0:
            pairs = np.concatenate((pairs, self._far_apart(room)))
        return [np.sort(pairs, axis=1)]

    def _far_apart(self, room: int) -> Pairs:
        """Random pairs of people who are no friends and have none in common."""
        on = self.on
        pairs = on.rng.integers(on.workspace.n, size=(tuning.TRIALS * room, 2), dtype=np.int32)
        pairs = pairs[on.may_join(pairs)]
        far: NDArray[np.bool_] = on.program.far_apart(on.workspace.state, pairs)
        return pairs[far][:room]

    # ------------------------------------------------------------------ edges raised by a common friend

    def unstick(self, go_on: Callable[[], object]) -> bool:
        """Raise edges, where raising is cheaper than lowering."""
        costs = self.on.stage.edge
        return costs.fall > costs.rise and self.raise_edges(go_on)

    def raise_edges(self, go_on: Callable[[], object]) -> bool:
        """Raise single edges that have to go up, by a common friend for their ends; whether there was one."""
        on, before, marginals = self.on, self.on.potential, self.marginals()
        for value in np.flatnonzero((marginals.up < 0) & (self.tables.size > 0))[::-1].tolist():
            on.check_time()
            edges = np.flatnonzero(on.workspace.state.count == value)
            edges = edges[on.editable[on.workspace.state.ends[edges]].all(axis=1)]
            edges, friends, cost = self.common_friends(edges, marginals)
            lowers = (cost + marginals.up[value] < 0).tolist()
            for i in np.argsort(cost[:, 0], kind="stable").tolist():
                if not any(
                    lowers[i][j] and self.join(int(friends[i, j]), int(edges[i]), go_on) for j in range(2)
                ):
                    break
        return on.potential < before

    def common_friends(
        self, edges: NDArray[Any], marginals: Any
    ) -> tuple[NDArray[Any], Pairs, NDArray[np.int64]]:
        """Some of these edges, two vertices for each that may become a friend of both ends, and the estimated costs."""
        on = self.on
        some = on.rng.permutation(edges)[: tuning.EDGES_TO_RAISE]
        probe = int(on.rng.integers(on.workspace.n))
        return some, *on.scans.common_friends(on.workspace.state, marginals, some, on.editable, probe)

    def join(self, friend: int, edge: int, go_on: Callable[[], object]) -> bool:
        """Make a vertex the friend of both ends of an edge, if that lowers the potential."""
        workspace = self.on.workspace
        ends = workspace.ends(edge)
        if workspace.edge_between(*ends) != edge:
            return False  # it was deleted since it was chosen: even one of its ends would count as a stranger
        pairs = [(min(friend, end), max(friend, end)) for end in ends]
        if any(workspace.edge_between(*pair) is not None for pair in pairs):
            return False  # a friend by now
        if self.on.all_lower(pairs):
            go_on()  # a new friend of both may be one edit away from raising other edges
            return True
        return False
