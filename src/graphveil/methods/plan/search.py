"""The search under the method `plan`: edits that lower a potential, and a way out where none does (docs/plan.md).

The potential of a graph is the least total shift of its mutual-friend counts that makes every count occur k times or
not at all; it is zero exactly when the graph is k-NMF anonymous. Three kinds of steps:

- one edit, the one that lowers the potential most, among all that close or open a triangle over an edge that has to
  move, among the deletions of such edges, and among new edges without mutual friends where these are too few;
- one edge raised by a common friend for its two ends, a vertex so far away that nothing else moves: two edits;
- an earlier edit taken back, where the potential does not rise by it.

An edge can always be raised, but not always lowered, without moving others. So when the search is stuck, lowering
becomes dearer: the plan then raises where it can, and an edit that lowers one edge and harms others, which are
raised again, pays.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.plan.balance import pairs_of_friends
from graphveil.methods.plan.changing import Changing, Edits, OutOfTime, Pair, Part
from graphveil.methods.plan.cores import cores_of, friends_for_core
from graphveil.methods.plan.prices import FALLS, FIRST, FORBIDDEN, MORE, NEVER, Prices

__all__ = ["FEW_VERTICES", "Edits", "OutOfTime", "Pair", "Part", "Search"]

ROOM = 64  # edits that a scan keeps for exact evaluation, and fewer than as many again
MORE_ROOM = 1024  # the same, where none of those gained anything
SHARE = 0.5  # of the best gain in a round: what other edits must still gain to be taken in the same round
GRAIN = 0.5  # of the drift, in coefficients of one vertex: edits that differ by less are equally good
MOST_AWAY = 1.0  # drift of one edit that counts when edits are compared: as much as a gain of one
CLOSE = 0.05  # drift that is not worth a swap of edits
MOST_SEEN_IN_SWAPS = 50_000_000  # vertices: a swap scans the graph once
WORTH = 2.0  # drift that one more edit has to put right
HOPE = 1.0  # of the edits that are still to come if each gains as much as the best: how many are sure to come
ROUNDS_IF_STUCK = (
    20  # of taking back and descending in which nothing got better, before a search without a solution ends
)
MISSES = 30  # edits in a row that lost their gain before a round ends
FEW_VERTICES = 20_000  # with fewer, a step is cheap, and more is tried
TRIALS = 16  # random pairs for each that is to be without mutual friends
EDGES_TO_RAISE = 40  # of one count, tried in one round
CORES = 3  # cores to begin a descent with, where edges only rise
GROUNDS = 2  # descents after whose first class the next one is filled in a core as well
STEP = 0.7  # edits that one step of one edge takes in the end, about
TOLLS = (0, 1, 2, 3, 4)  # of the plans for the highest class, where edges only rise
SECOND_TOLLS = (0, 2)  # of those for the next one
LATEST = 1 / 3  # of the rounds of improvement where edges only rise, in which the latest edits are taken back
PATIENCE = 4  # times the number of edits: rounds of improvement in vain before it ends
LEAST_PATIENCE = 25  # the same, however few edits there are: in a small graph
LEAST_IN_LARGE = 200  # and in one with many edges; between the two, a share of the edges
PATIENCE_PER_EDGE = 0.02


@dataclass
class Search(Changing):
    """A graph on its way to k-NMF anonymity, with the edits that led there."""

    _cores: list[Edits] | None = None
    _filled: list[tuple[int, Edits]] = field(default_factory=list)  # edits of a solution; of its first stage

    # ------------------------------------------------------------------ descending

    def beginnings(self) -> Iterator[tuple[Edits, list[list[Prices]]]]:
        """Edits to begin a descent with, and the sequences of prices to descend by."""
        self.go_to({})
        schedules = self.schedules()
        yield {}, schedules  # the quickest first: time may be short
        if self.keep_edges and self.part is None:
            if self._cores is None:
                self._cores = self._begun_in_cores({})
            yield from ((begun, schedules) for begun in self._cores)
            yield from self._second_beginnings()

    def _second_beginnings(self) -> Iterator[tuple[Edits, list[list[Prices]]]]:
        """The highest class filled as in the shortest descents so far, and the next one begun in a core as well."""
        for _, filled in sorted(self._filled, key=lambda each: each[0])[:GROUNDS]:
            self.go_to(filled)
            if self.violating:
                schedules = self.schedules(SECOND_TOLLS)
                yield from ((begun, schedules) for begun in self._begun_in_cores(filled))

    def _begun_in_cores(self, ground: Edits) -> list[Edits]:
        """The most promising ways to fill the highest class that lacks edges inside a core, after some edits."""
        self.go_to(ground)
        top, begun = self._highest_violating(), []
        for core in cores_of(self.workspace, self.k, top, self._check_time):
            self.go_to(ground)
            joined = friends_for_core(self.workspace, core, top, self._gains_upwards, self._check_time)
            self.go_to([*ground, *joined])
            self.aim(Prices(fall=FORBIDDEN))
            begun.append((len(self.edits) + STEP * self.potential, dict(self.edits)))
        return [edits for _, edits in sorted(begun, key=lambda each: each[0])[:CORES]]

    def _gains_upwards(self, pairs: NDArray[np.int32]) -> NDArray[np.int64]:
        """By how much additions lower what is left where edges only rise, in the graph as it is now."""
        self.aim(Prices(fall=FORBIDDEN))
        return self._gains(pairs)[0]

    def schedules(self, tolls: Iterable[int] = TOLLS) -> list[list[Prices]]:
        """Sequences of prices to descend by; they lead to different places."""
        if self.keep_edges:
            # Edges only rise. The highest class is the dearest: fill it first, as if the others could wait.
            up, top = Prices(fall=FORBIDDEN, come=1), self._highest_violating()
            return [[up._replace(toll=toll, free=top), up, up._replace(come=NEVER)] for toll in tolls]
        firsts = FIRST + MORE if self.workspace.n < FEW_VERTICES else FIRST
        return [[first, *(Prices(fall=fall) for fall in FALLS)] for first in firsts]

    def _highest_violating(self) -> int:
        size = self.sizes
        return int(np.flatnonzero((size > 0) & (size < self.k)).max(initial=0))

    def solutions(self, slack: float = 1.0) -> Iterator[Edits]:
        """Descend by every schedule from every beginning, to solutions not much longer than the shortest so far."""
        self._filled, shortest = [], math.inf
        stuck: list[tuple[int, Edits]] = []
        for beginning, schedules in self.beginnings():
            for plans in schedules:
                self.go_to(beginning)
                done = self.descend(plans[:1], slack * shortest)
                filled = dict(self.edits)
                if done or (self.violating and self.descend(plans[1:], slack * shortest)):
                    self._filled.append((len(self.edits), filled))
                    shortest = min(shortest, len(self.edits))
                    yield dict(self.edits)
                elif not self._filled:
                    stuck.append((self._left(), dict(self.edits)))
        if not self._filled and stuck and self._freed(*min(stuck, key=lambda each: each[0])):
            yield dict(self.edits)

    def _left(self) -> int:
        """What is left to be moved, whatever the prices were."""
        self.aim(Prices(fall=FORBIDDEN if self.keep_edges else 1))
        return self.potential

    def _freed(self, left: int, edits: Edits) -> bool:
        """Go on from where all descents ended: take back some edits and descend again, as long as less is left."""
        self.go_to(edits)
        schedules, in_vain = self.schedules(), 0
        while in_vain < ROUNDS_IF_STUCK and len(self.edits) > 1:
            here = dict(self.edits)
            self._ruin()
            if self.descend(schedules[self.rng.integers(len(schedules))]):
                return True
            now = self._left()
            in_vain = 0 if now < left else in_vain + 1
            if now > left:
                self.go_to(here)
            left = min(left, now)
        return False

    def descend(self, schedule: Iterable[Prices], most: float = math.inf) -> bool:
        """Go down to potential zero with at most so many edits; whether that was reached."""
        for prices in schedule:
            self.aim(prices)
            going_on = True
            while going_on and len(self.edits) <= most:
                if not self.take_best_edits(most):
                    return False
                going_on = (prices.fall > prices.rise and self.raise_edges()) or self.take_back()
            if not self.violating:
                self._check_time()
                return len(self.edits) <= most and not self._somebody_lost_all()
        return False

    def _somebody_lost_all(self) -> bool:
        """Whether a vertex that had friends has none: it may have, when its last new one was taken back."""
        return bool(np.any((self.workspace.state.length[: self.workspace.n] == 0) & self._had_friends))

    def take_best_edits(self, most: float = math.inf) -> bool:
        """Edits that lower the potential, the best ones first, until there is none.

        Returns false where more than so many edits are to be expected in the end: later ones gain less than the best.
        """
        while self.potential:
            self._check_time()
            pairs, gain, plausible = self._evaluated_candidates()
            best = int(gain.max(initial=0))
            if not best:
                break
            if len(self.edits) + HOPE * self.potential / best > most:
                return False
            least = max(1, SHARE * best)
            enough = gain >= least
            if not self._take(self._in_order(pairs[enough], gain[enough], plausible[enough]), least):
                break
        return True

    def _in_order(
        self, pairs: NDArray[np.int32], gain: NDArray[np.int64], plausible: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """The best edits first: those that gain much, keep clustering and are plausible."""
        away = np.abs(self.drift + self._clustering_changes(pairs)) - abs(self.drift)
        away = np.rint(np.clip(away, -MOST_AWAY, MOST_AWAY) / GRAIN)
        keys = (away, -plausible, -gain) if self.keep_edges else (-plausible, away - gain / GRAIN)
        return pairs[np.lexsort((self.rng.random(len(pairs)), *keys))]

    def _evaluated_candidates(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
        """Edits with their gains and plausibility, and many more of them where none of a few gains anything."""
        for room in (ROOM, MORE_ROOM):
            pairs = self._candidates(room)
            gain, plausible = self._gains(pairs)
            if gain.max(initial=0) > 0 or len(pairs) < room:
                break
        return pairs, gain, plausible

    def _candidates(self, room: int) -> NDArray[np.int32]:
        marginals = self._programme.marginals(self._plan)
        deletable = self.workspace.original.m if self.keep_edges else 0
        shift = int(self.rng.integers(self.workspace.n))
        pairs: NDArray[np.int32] = self._scans.scan(
            self.workspace.state, marginals, deletable, self._editable, room, shift
        )
        if self._prices.come != NEVER and marginals.new[0] < 0:
            pairs = np.concatenate((pairs, self._far_apart(room)))
        return np.sort(pairs, axis=1)

    def _far_apart(self, room: int) -> NDArray[np.int32]:
        """Random pairs of people who are no friends and have none in common."""
        pairs = self.rng.integers(self.workspace.n, size=(TRIALS * room, 2), dtype=np.int32)
        pairs = pairs[self._editable[pairs].all(axis=1)]
        far: NDArray[np.bool_] = self._programme.far_apart(self.workspace.state, pairs)
        return pairs[far][:room]

    def _take(self, pairs: NDArray[np.int32], least: float) -> bool:
        """Make those edits that, when their turn comes, still gain enough; whether there was one."""
        taken, misses, i = 0, 0, 0
        while i < len(pairs) and misses <= MISSES:
            self._check_clock()
            ahead = pairs[i : i + MISSES + 1 - misses]
            place = self._first_gain(ahead, least)
            misses += place
            i += place + 1
            if place < len(ahead):
                if self._lowers(tuple(ahead[place].tolist()), least):
                    taken, misses = taken + 1, 0
                else:
                    misses += 1
        return taken > 0

    def _lowers(self, pair: Pair, least: float) -> bool:
        """Make an edit unless the potential does not fall by so much, so that no search goes round in circles.

        It nearly always does. But with some prices the best plan of all would move more than k edges over a boundary,
        and what is left out then differs with the boundary at which a gain is counted (kernels/plan.py).
        """
        before = self.potential
        self.toggle(pair)
        if before - self.potential >= least:
            return True
        self.toggle(pair)
        return False

    def take_back(self) -> bool:
        """Take back edits that the potential does not need; whether there was one."""
        pairs = np.array(list(self.edits), np.int32).reshape(-1, 2)
        gain, _ = self._gains(pairs)
        return self._take(pairs[np.flatnonzero(gain >= 0)], 0)

    def raise_edges(self) -> bool:
        """Raise single edges that have to go up, by a common friend for their ends; whether there was one."""
        before = self.potential
        marginals = self._programme.marginals(self._plan)
        for value in np.flatnonzero((marginals.up < 0) & (self._plan.size > 0))[::-1].tolist():
            self._check_time()
            edges = np.flatnonzero(self.workspace.state.count == value)
            edges = edges[self._editable[self.workspace.state.ends[edges]].all(axis=1)]
            edges = self.rng.permutation(edges)[:EDGES_TO_RAISE]
            probe = int(self.rng.integers(self.workspace.n))
            friends, cost = self._scans.common_friends(
                self.workspace.state, marginals, edges, self._editable, probe
            )
            lowers = (cost + marginals.up[value] < 0).tolist()
            for i in np.argsort(cost[:, 0], kind="stable").tolist():
                if not any(lowers[i][j] and self._join(int(friends[i, j]), int(edges[i])) for j in range(2)):
                    break
        return self.potential < before

    def _join(self, friend: int, edge: int) -> bool:
        """Make a vertex the friend of both ends of an edge, if that lowers the potential."""
        before, ends = self.potential, self.workspace.ends(edge)
        if self.workspace.edge_between(*ends) != edge:
            return False  # it was deleted since it was chosen: even one of its ends would count as a stranger
        pairs = [(min(friend, end), max(friend, end)) for end in ends]
        if any(self.workspace.edge_between(*pair) is not None for pair in pairs):
            return False  # a friend by now
        for pair in pairs:
            self.toggle(pair)
        if self.potential < before:
            self.take_best_edits()  # a new friend of both may be one edit away from raising other edges
            return True
        for pair in pairs:
            self.toggle(pair)
        return False

    # ------------------------------------------------------------------ going on from a solution

    def improvements(self, last: int) -> Iterator[Edits]:
        """Ever better solutions, or as good ones, up to a number of steps: take back some edits and descend again."""
        best, drift = dict(self.edits), self.drift
        schedules, in_vain = self.schedules(), 0  # at a solution, so that no class is filled before others
        while (
            len(best) > 1
            and self.steps < last
            and in_vain < max(self._least_patience(), PATIENCE * len(best))
        ):
            self._ruin()
            in_vain += 1
            if self.descend(schedules[self.rng.integers(len(schedules))], len(best)):
                in_vain = in_vain if len(self.edits) == len(best) else 0
                best, drift = dict(self.edits), self.drift
                yield best
            else:
                self.go_to(best, drift)

    def _least_patience(self) -> float:
        return min(max(LEAST_PATIENCE, PATIENCE_PER_EDGE * self.workspace.original.m), LEAST_IN_LARGE)

    def swapped(self, solution: Edits) -> Edits:
        """As few edits that keep clustering better: one after the other gives way to another that does the same."""
        self.go_to(solution)
        self.aim(Prices(fall=FORBIDDEN if self.keep_edges else 1))
        room = MORE_ROOM if self.workspace.n < FEW_VERTICES and not self.keep_edges else ROOM
        for pair in [*solution, *solution][: MOST_SEEN_IN_SWAPS // self.workspace.n]:
            self._check_time()
            before = abs(self.drift)
            if before < CLOSE:
                break
            if pair not in self.edits:
                continue
            self.toggle(pair)
            if not self.potential:
                continue
            others = self._candidates(room)
            left = np.abs(self.drift + self._clustering_changes(others))
            others = others[np.argsort(left, kind="stable")][: np.count_nonzero(left < before)]
            place = self._first_gain(others, self.potential)
            self.toggle(tuple(others[place].tolist()) if place < len(others) else pair)
        return solution if self._somebody_lost_all() else dict(self.edits)

    def balanced(self, solution: Edits, rival: Edits | None) -> Edits:
        """A solution with a few more edits that give average clustering back.

        Each has to put the coefficients of many people right, unless the rival keeps clustering better: then any does.
        There are no more edits than the rival has, and none once clustering is kept twice as well as by the rival.
        """
        most, theirs, close = math.inf, math.inf, 0.0
        if rival is not None:
            self.go_to(rival)
            most, theirs, close = len(rival), abs(self.drift), abs(self.drift) / 2
        self.go_to(solution)
        if abs(self.drift) < self._worth(theirs) or (self.keep_edges and self.drift > 0):
            return solution
        self.aim(Prices())
        pairs = pairs_of_friends(self.workspace, adjacent=self.drift > 0)
        while abs(self.drift) > close and len(self.edits) < most:
            self._check_time()
            left = np.abs(self.drift + self._clustering_changes(pairs))
            left[self._gains(pairs)[0] < 0] = math.inf
            if left.min(initial=math.inf) > abs(self.drift) - self._worth(theirs):
                break
            self.toggle(tuple(pairs[left.argmin()].tolist()))
        return dict(self.edits)

    def _worth(self, theirs: float) -> float:
        """How much of the drift one more edit has to put right, where the rival leaves so much."""
        return WORTH if abs(self.drift) <= theirs else CLOSE

    def _ruin(self) -> None:
        """Take back a share of the edits: random ones, those that do least harm or, on the way up, the latest."""
        pairs = list(self.edits)
        if self.keep_edges and self.rng.random() < LATEST:
            taken = pairs[-max(2, int(len(pairs) * self.rng.uniform(0.02, 0.6))) :]
        else:
            number = max(2, int(len(pairs) * self.rng.uniform(0.02, 0.4)))
            harm = self.rng.random(len(pairs))
            if self.rng.random() < 0.5:
                self.aim(Prices())
                harm = 3 * harm - self._gains(np.array(pairs, np.int32))[0]
            taken = [pairs[i] for i in np.argsort(harm, kind="stable")[:number].tolist()]
        for pair in taken:
            self._toggle(pair)
        self.aim(self._prices)
