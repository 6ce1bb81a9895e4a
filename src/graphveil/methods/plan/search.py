"""The search under the method `plan`: edits that lower a potential, and a way out where none does (docs/plan.md).

The potential of a graph is the least total shift, of mutual-friend counts and of degrees where these are a goal, that
makes every value occur k times or not at all; it is zero exactly when all goals are reached. Three kinds of steps:

- one edit, the one that lowers the potential most, among the candidates of all goals;
- steps of several edits, where no single one lowers it: each goal has its own;
- an earlier edit taken back, where the potential does not rise by it.

An edge can always be raised, but not always lowered, without moving others. So when the search is stuck, lowering
becomes dearer: the plan then raises where it can, and an edit that lowers one edge and harms others, which are
raised again, pays.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.plan import tuning
from graphveil.methods.plan.cores import cores_of, friends_for_core
from graphveil.methods.plan.potential import Edits, Pair, Pairs, Potential
from graphveil.methods.plan.step_costs import FORBIDDEN, NEVER, Stage, StepCosts

if TYPE_CHECKING:
    from graphveil.methods.plan.aims.degree import Degrees
    from graphveil.methods.plan.aims.nmf import MutualFriends

Schedule = list[Stage]


@dataclass
class Search(Potential):
    """A graph on its way to its goals, with the edits that led there."""

    filled: list[tuple[int, Edits]] = field(default_factory=list)  # edits of a solution; of its first stage
    _cores: list[Edits] | None = None
    _twins: list[Search] = field(default_factory=list)

    def __post_init__(self) -> None:
        from graphveil.methods.plan.aims import aims_on

        super().__post_init__()
        self.mutual: MutualFriends
        self.degrees: Degrees | None
        self.mutual, self.degrees = aims_on(self)
        self.aims = (self.mutual,) if self.degrees is None else (self.mutual, self.degrees)
        self.few = self.workspace.n < tuning.FEW_VERTICES
        self.aim(Stage())

    def twins(self) -> list[Search]:
        """This search, and another one on a graph of its own where there is room for it."""
        if not self._twins:
            self._twins = [self]
            if self.workspace.original.m <= tuning.MOST_EDGES_TWICE:
                workspace, rng = self.workspace.again(), self.rng.spawn(1)[0]
                self._twins.append(
                    replace(self, workspace=workspace, rng=rng, listener=None, edits={}, drift=0.0, steps=0)
                )
        return self._twins

    # ------------------------------------------------------------------ where to begin, and how to go on

    def beginnings(self) -> Iterator[tuple[Edits, list[Schedule]]]:
        """Edits to begin a descent with, and the schedules to descend by."""
        self.go_to({})
        schedules = self.schedules()
        yield {}, schedules  # the quickest first: time may be short
        if self.keep_edges and self.part is None and self.degrees is None:
            if self._cores is None:
                self._cores = self._begun_in_cores({})
            yield from ((begun, schedules) for begun in self._cores)
            yield from self._second_beginnings()

    def _second_beginnings(self) -> Iterator[tuple[Edits, list[Schedule]]]:
        """The highest class filled as in the shortest descents so far, and the next one begun in a core as well."""
        for _, filled in sorted(self.filled, key=lambda each: each[0])[: tuning.GROUNDS]:
            self.go_to(filled)
            if self.violating:
                schedules = self._upwards(tuning.SECOND_TOLLS)
                yield from ((begun, schedules) for begun in self._begun_in_cores(filled))

    def _begun_in_cores(self, ground: Edits) -> list[Edits]:
        """The most promising ways to fill the highest class that lacks edges inside a core, after some edits."""
        self.go_to(ground)
        top, begun = self.mutual.highest_exposed, []
        for core in cores_of(self.workspace, self.k, top, self.check_time):
            self.go_to(ground)
            joined = friends_for_core(self.workspace, core, top, self._gains_upwards, self.check_time)
            self.go_to([*ground, *self._free(joined)])
            self.aim(Stage(StepCosts(fall=FORBIDDEN)))
            begun.append((len(self.edits) + tuning.STEP * self.potential, dict(self.edits)))
        return [edits for _, edits in sorted(begun, key=lambda each: each[0])[: tuning.CORES]]

    def _free(self, pairs: list[Pair]) -> list[Pair]:
        """The pairs that may be toggled: a core without one of its pairs is a beginning as well."""
        fixed = self.are_fixed(np.array(pairs, np.int64).reshape(-1, 2)).tolist()
        return [pair for pair, stays in zip(pairs, fixed, strict=True) if not stays]

    def _gains_upwards(self, pairs: Pairs) -> NDArray[np.int64]:
        """By how much additions lower what is left where edges only rise, in the graph as it is now."""
        self.aim(Stage(StepCosts(fall=FORBIDDEN)))
        return self.evaluate(pairs)[0]

    def schedules(self) -> list[Schedule]:
        """Stages to descend by, from the original graph or from a solution; they lead to different places."""
        if self.degrees is not None:
            firsts = tuning.FIRST_WITH_DEGREES + (tuning.MORE_WITH_DEGREES if self.few else ())
            return [self._with_degrees(first) for first in firsts]
        if self.keep_edges:
            return self._upwards(tuning.TOLLS)
        costs = tuning.FIRST + tuning.MORE if self.few else tuning.FIRST
        falls = [Stage(StepCosts(fall=fall)) for fall in tuning.FALLS]
        return [[Stage(first), *falls] for first in costs]

    def schedules_again(self) -> list[Schedule]:
        """Stages to descend by when edits were taken back."""
        if self.degrees is None:
            return self.schedules()
        return [self._with_degrees(first) for first in tuning.AGAIN_WITH_DEGREES]

    def _with_degrees(self, first: tuple[Stage, ...]) -> Schedule:
        if self.keep_edges:
            return [*(stage.upwards() for stage in first), *tuning.AFTER_UPWARDS]
        return [*first, *tuning.AFTER]

    def _upwards(self, tolls: Iterable[int]) -> list[Schedule]:
        """Edges only rise. The highest class is the dearest: fill it first, as if the others could wait."""
        up, top = StepCosts(fall=FORBIDDEN, come=1), self.mutual.highest_exposed
        firsts = [up._replace(toll=toll, free=top) for toll in tolls]
        return [[Stage(first), Stage(up), Stage(up._replace(come=NEVER))] for first in firsts]

    def left(self) -> int:
        """What is left to be moved, whatever the costs were."""
        fall = StepCosts(fall=FORBIDDEN if self.keep_edges else 1)
        self.aim(Stage(fall, fall))
        return self.potential

    # ------------------------------------------------------------------ descending

    def descend(self, schedule: Iterable[Stage], most: float = math.inf) -> bool:
        """Go down to potential zero with at most so many edits; whether that was reached."""
        for aim in self.aims:
            aim.begin()
        for stage in schedule:
            if stage.if_exposed and not self.mutual.violating:
                continue
            self.aim(stage)
            going_on = True
            while going_on and len(self.edits) <= most:
                if not self.take_best_edits(most):
                    return False
                going_on = (
                    any(aim.unstick(self.take_best_edits) for aim in self.aims)
                    or self.take_back()
                    or any(aim.relax() for aim in self.aims)
                )
            if len(self.edits) > most:
                return False
            if self.holds():
                self.check_time()
                return True
        return False

    def take_best_edits(self, most: float = math.inf) -> bool:
        """Edits that lower the potential, the best ones first, until there is none.

        Returns false where more than so many edits are to be expected in the end: later ones gain less than the best.
        """
        while self.potential:
            self.check_time()
            pairs, gain, plausible = self._evaluated_candidates()
            best = int(gain.max(initial=0))
            if not best:
                break
            if self.degrees is None and len(self.edits) + tuning.HOPE * self.potential / best > most:
                return False
            least = max(1, tuning.ENOUGH * best)
            enough = gain >= least
            if not self._take(self._in_order(pairs[enough], gain[enough], plausible[enough]), least):
                break
        return True

    def _in_order(self, pairs: Pairs, gain: NDArray[np.int64], plausible: NDArray[np.int64]) -> Pairs:
        """The best edits first: those that gain much, keep clustering and are plausible."""
        away = np.abs(self.drift + self.clustering_changes(pairs)) - abs(self.drift)
        away = np.rint(np.clip(away, -tuning.MOST_AWAY, tuning.MOST_AWAY) / tuning.GRAIN)
        keys = (away, -plausible, -gain) if self.keep_edges else (-plausible, away - gain / tuning.GRAIN)
        return pairs[np.lexsort((self.rng.random(len(pairs)), *keys))]

    def _evaluated_candidates(self) -> tuple[Pairs, NDArray[np.int64], NDArray[np.int64]]:
        """Edits with their gains and plausibility, and many more of them where none of a few gains anything."""
        for room in (tuning.ROOM, tuning.MORE_ROOM):
            pairs = self.candidates(room)
            gain, plausible = self.evaluate(pairs)
            if gain.max(initial=0) > 0 or (self.degrees is None and len(pairs) < room):
                break
        return pairs, gain, plausible

    def candidates(self, room: int) -> Pairs:
        """Pairs that any goal proposes, each once."""
        pairs = [some for aim in self.aims for some in aim.candidates(room)]
        return pairs[0] if len(pairs) == 1 else np.unique(np.concatenate(pairs), axis=0)

    def _take(self, pairs: Pairs, least: float) -> bool:
        """Make those edits that, when their turn comes, still gain enough; whether there was one."""
        most = tuning.MISSES if self.degrees is None else max(tuning.MISSES, len(pairs) // tuning.TAKEN_SHARE)
        taken, misses, i = 0, 0, 0
        while i < len(pairs) and misses <= most:
            self.check_clock()
            ahead = pairs[i : i + most + 1 - misses]
            place = self.first_gain(ahead, least)
            misses += place
            i += place + 1
            if place < len(ahead):
                pair = tuple(ahead[place].tolist())
                if any(aim.avoids(pair) for aim in self.aims):
                    continue
                if self.lowers(pair, least):
                    taken, misses = taken + 1, 0
                else:
                    misses += 1
        return taken > 0

    def first_gain(self, pairs: Pairs, least: float) -> int:
        """The place of the first edit that lowers the potential by so much; the number of edits if none does."""
        if self.degrees is None:
            return self.mutual.first_gain(pairs, math.ceil(least))
        gaining = (i for i in range(len(pairs)) if self.evaluate(pairs[i : i + 1])[0][0] >= least)
        return next(gaining, len(pairs))

    def take_back(self) -> bool:
        """Take back edits that the potential does not need; whether there was one."""
        pairs = np.array(list(self.edits), np.int32).reshape(-1, 2)
        gain, _ = self.evaluate(pairs)
        return self._take(pairs[np.flatnonzero(gain >= 0)], 0)
