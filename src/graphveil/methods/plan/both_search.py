"""The search of the method `plan` for k-NMF and k-degree anonymity at once (docs/plan.md).

Two histograms have to be brought into groups: edges by mutual friends, and vertices by degree. Each has a potential,
the least total shift that is left (kernels/plan.py). An edit moves two vertices by one, and two edges for each mutual
friend, so its effect on both is known exactly. The search lowers the weighted sum of the two.

The weights change along the way. At first degrees weigh more: they need many more edits, and edits that serve two
vertices at once are found while mutual friends may still move. Then mutual friends weigh more: an edit that puts one
edge right may disturb two degrees, and each of these has a repair that moves no other edge.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.plan.prices import FORBIDDEN, NEVER, Prices
from graphveil.methods.plan.search import FEW_VERTICES, MISSES, MORE_ROOM, ROOM, Edits, Pair, Search

__all__ = ["BothSearch", "plan_of_degrees"]

TRIES, MORE_TRIES = (
    24,
    400,
)  # random edits of each kind around one vertex; the same, where none of those gained anything
KEPT, MORE_KEPT = 6, 40  # of these, evaluated exactly
MOST_VERTICES = 20_000  # that have to move and are looked at in one scan
LEAVES = 8  # people of each kind to whom a leaf may move
CHAINS = 400  # first edits of a chain of two in one round
ROUNDS = 4  # of disturbing one guarantee for the other, before only harmless edits are left
RUIN = 0.2  # of the edits: how many are taken back at most to find better ones
MOST_RUINED = 200
PRICES = (1, 1), (2, 3), (1, 2)  # of raising and of lowering a degree, after that
RETRIES = 30  # descents after one that failed
PATIENCE, MOST_PATIENCE = 4, 200  # rounds in vain before the improvement ends: so many and one for each edit


class Stage(NamedTuple):
    """What the search aims at for a while."""

    mutual: int  # weight of the potential of mutual friends
    degrees: int  # weight of that of the degrees
    fall: int = 1  # price of lowering an edge by one, where raising it costs 1
    degree_fall: int = 1  # price of lowering a degree by one
    degree_rise: int = 1  # price of raising a degree by one


def _first(rise: int, fall: int, *weights: tuple[int, int]) -> tuple[Stage, ...]:
    return tuple(Stage(mutual, degrees, 1, fall, rise) for mutual, degrees in weights)


# The first stages of a descent. Which of them leads to the shortest solution differs from graph to graph, by a factor
# of two and more: degrees first, or mutual friends kept in order from the start. Lowering a degree is dearer than
# raising it: two vertices can rise by one edit wherever they are, but fall only if they are friends.
FIRSTS = (
    _first(2, 3, (1, 3), (1, 1), (3, 1)),
    _first(1, 2, (1, 3), (1, 1), (3, 1)),
    _first(1, 1, (1, 1), (3, 1)),
)
MORE_FIRSTS = (  # in a graph with few vertices
    _first(2, 3, (2, 3), (3, 1)),
    _first(2, 3, (1, 1), (3, 1)),
    _first(1, 2, (2, 3), (3, 1)),
    _first(1, 3, (1, 3), (1, 1), (3, 1)),
    _first(1, 1, (1, 3), (1, 1), (3, 1)),
    _first(1, 1, (1, 20), (1, 4), (1, 1), (3, 1)),
)
MUTUAL = tuple(Stage(3, 1, fall) for fall in (1, 2, 4, 8, 16, 32))
LAST = tuple(
    Stage(1000, 1, 1, 1 << power) for power in range(12)
)  # no edge may move any more that hides among k
UPWARDS = (
    Stage(1, 4),
    Stage(1, 1),
    Stage(3, 1),
    Stage(1000, 1),
)  # where edges only come, prices change nothing


def plan_of_degrees(people: NDArray[np.int64], k: int, rise: int = 1, fall: int = 1) -> Any:
    """The cheapest plan (kernels/plan.py) that brings vertices, given by degree, into groups of k."""
    from graphveil.kernels.plan import make_plan

    top = int(np.flatnonzero(people).max(initial=0))
    falls = np.full(top + 3, fall)
    falls[:2] = FORBIDDEN  # nobody loses the last friend
    size = np.zeros(top + 2, np.int64)
    size[: top + 1] = people[: top + 1]
    return make_plan(size, np.full(len(size), k), k, rise, falls, NEVER, NEVER, 0)


@dataclass
class BothSearch(Search):
    """A graph on its way to k-NMF and k-degree anonymity, with the edits that led there."""

    degree_k: int = 2
    _stage: Stage = FIRSTS[0][0]
    _people: Any = None  # vertices by degree
    _degrees: Any = None  # the plan for them

    def __post_init__(self) -> None:
        from graphveil.kernels import shifts

        self._shifts = shifts
        people = np.bincount(self.workspace.original.degrees) if self.part is None else self.part.degrees
        self._people = np.pad(people.astype(np.int64), (0, 4))
        super().__post_init__()

    # ------------------------------------------------------------------ both potentials

    @property
    def potential(self) -> int:
        """The weighted sum of what is left of both."""
        return self._stage.mutual * int(self._plan.least) + self._stage.degrees * int(self._degrees.least)

    @property
    def violating(self) -> int:
        """How many edges and vertices are exposed."""
        people = self._people
        return super().violating + int(people[people < self.degree_k].sum())

    def aim(self, prices: Prices) -> None:
        """Plan both again, mutual friends with these prices."""
        super().aim(prices)
        fall = FORBIDDEN if self.keep_edges else self._stage.degree_fall
        self._degrees = plan_of_degrees(self._people, self.degree_k, self._stage.degree_rise, fall)

    def _toggle(self, pair: Pair) -> None:
        np.subtract.at(self._people, self.workspace.state.length[list(pair)], 1)
        super()._toggle(pair)
        degrees = self.workspace.state.length[list(pair)]
        if int(degrees.max()) + 3 > len(self._people):
            self._people = np.concatenate((self._people, np.zeros_like(self._people)))
        np.add.at(self._people, degrees, 1)

    def _gains(self, pairs: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        gain, plausible = super()._gains(pairs)
        of_degrees = self._programme.evaluate_degrees(self.workspace.state, self._degrees, pairs)
        return self._stage.mutual * gain + self._stage.degrees * of_degrees, plausible

    # ------------------------------------------------------------------ candidates

    def _evaluated_candidates(self) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]:
        """Edits with their gains and plausibility, and many more of them where none of a few gains anything."""
        for room in (ROOM, MORE_ROOM):
            pairs = self._candidates(room)
            gain, plausible = self._gains(pairs)
            if gain.max(initial=0) > 0:
                break
        return pairs, gain, plausible

    def _candidates(self, room: int) -> NDArray[np.int32]:
        pairs = super()._candidates(room)
        if self._degrees.least:
            more = room == MORE_ROOM
            shifting = self._shifting(
                self._wanting()[:MOST_VERTICES],
                MORE_TRIES if more else TRIES,
                MORE_KEPT if more else KEPT,
                far=more,
            )
            pairs = np.unique(np.concatenate((pairs, shifting)), axis=0)
        return pairs

    def _wanting(self) -> NDArray[np.int64]:
        """The vertices whose degree has to move, in random order."""
        m = self._programme.marginals(self._degrees)
        return self.rng.permutation(self._having((m.up < 0) | (m.down < 0)))

    def _having(self, degrees: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The editable vertices with one of these degrees."""
        editable = np.flatnonzero(self._editable)
        chosen: NDArray[np.bool_] = degrees[self.workspace.state.length[editable]]
        return editable[chosen]

    def _shifting(
        self, vertices: NDArray[np.int64], tries: int, kept: int, *, far: bool, bar: int = 0
    ) -> NDArray[np.int32]:
        """Edits around some vertices that move degrees where they have to go."""
        m = self._programme.marginals(self._degrees)
        rising = self._having(m.up < 0)
        others = rising if len(rising) else np.zeros(1, np.int64)
        deletable = self.workspace.original.m if self.keep_edges else 0
        seed = int(self.rng.integers(1 << 62))
        pairs = self._shifts.shifting_pairs(
            self.workspace.state, m, self._editable, deletable, vertices, others, tries, far, kept, bar, seed
        )
        unique: NDArray[np.int32] = np.unique(pairs, axis=0)
        return unique

    # ------------------------------------------------------------------ steps

    def _take(self, pairs: NDArray[np.int32], least: float) -> bool:
        """Make those edits that, when their turn comes, still gain enough; whether there was one."""
        taken, misses = 0, 0
        for i in range(len(pairs)):
            self._check_clock()
            pair, promising = tuple(pairs[i].tolist()), self._gains(pairs[i : i + 1])[0][0] >= least
            if promising and self._is_conspicuous(pair):
                continue
            if promising and self._lowers(pair, least):
                taken, misses = taken + 1, 0
            elif (misses := misses + 1) > max(MISSES, len(pairs) // 10):
                break
        return taken > 0

    def _is_conspicuous(self, pair: Pair) -> bool:
        """Whether it is an addition that is easily told apart, and there is still time to find a better one."""
        if self._stage.mutual == LAST[0].mutual:
            return False
        return bool(self._shifts.is_conspicuous(self.workspace.state, *pair))

    def take_chains(self) -> bool:
        """Two edits of which only both together gain: the first one hands the step on to another vertex."""
        before = self.potential
        pairs = self._shifting(self._wanting()[:CHAINS], TRIES, KEPT, far=True, bar=1)
        gain, _ = self._gains(pairs)
        for i in self.rng.permutation(np.flatnonzero(gain == 0))[:CHAINS].tolist():
            self._check_clock()
            if self._degrees.least and self._gains(pairs[i : i + 1])[0][0] == 0:
                self._take_chain(tuple(pairs[i].tolist()))
        return self.potential < before

    def _take_chain(self, first: Pair) -> None:
        """Make an edit and the best one after it at its two ends, if both together gain."""
        before = self.potential
        self.toggle(first)
        pairs = self._shifting(np.array(first, np.int64), MORE_TRIES // 4, MORE_KEPT // 2, far=True)
        gain, _ = self._gains(pairs)
        if gain.max(initial=0) <= before - self.potential or not self._lowers(
            tuple(pairs[gain.argmax()].tolist()), 1
        ):
            self.toggle(first)

    def move_leaves(self) -> bool:
        """Lower vertices by giving a friend who has no other one another friend instead; whether that helped.

        It takes two edits. No mutual friends change, so this is always possible, and nobody loses the last friend.
        """
        before = self.potential
        for x in [] if self.keep_edges else self._wanting().tolist():
            self._check_clock()
            s, m = self.workspace.state, self._programme.marginals(self._degrees)
            row = s.vertex[s.start[x] : s.start[x] + s.length[x]]
            row = row[self._editable[row]]
            leaves = self.rng.permutation(row[s.length[row] == 1]).tolist()
            rising = self.rng.permutation(self._having(m.up < 0))
            others = np.concatenate((rising[:LEAVES], self.rng.permutation(row)[:LEAVES]))
            others = others[m.up[s.length[others]] <= 0].tolist()
            while leaves and others and self._degrees.least:
                if not self._move_leaf(leaves[-1], x, others[0]):
                    others.pop(0)
                else:
                    leaves.pop()
        return self.potential < before

    def _move_leaf(self, leaf: int, x: int, y: int) -> bool:
        """Make the only friend of a leaf another one, if that lowers the potential."""
        if y in (leaf, x):
            return False
        before = self.potential
        pairs = [(min(leaf, z), max(leaf, z)) for z in (y, x)]
        for pair in pairs:
            self.toggle(pair)
        if self.potential < before:
            return True
        for pair in reversed(pairs):
            self.toggle(pair)
        return False

    # ------------------------------------------------------------------ descending

    def reach(self, stage: Stage, most: float = math.inf) -> bool:
        """Go down as far as single edits, raised edges and chains lead; whether both guarantees hold."""
        self._stage = stage
        prices = Prices(fall=FORBIDDEN, come=1) if self.keep_edges else Prices(fall=stage.fall)
        self.aim(prices)
        going_on = True
        while going_on and len(self.edits) <= most:
            self.take_best_edits()
            going_on = (
                (prices.fall > prices.rise and self.raise_edges())
                or self.take_chains()
                or self.move_leaves()
                or self.take_back()
            )
        return self.holds()

    def holds(self) -> bool:
        """Whether both guarantees hold, and nobody lost all friends."""
        return not self.violating and not self._somebody_lost_all()

    def descend_both(self, stages: tuple[Stage, ...] = FIRSTS[0], most: float = math.inf) -> bool:
        """From wherever the graph is to both guarantees with at most so many edits; whether that was reached."""
        for stage in self._stages(stages):
            if self.reach(stage, most):
                return len(self.edits) <= most
            if len(self.edits) > most:
                break
        return False

    def _stages(self, first: tuple[Stage, ...]) -> Iterator[Stage]:
        """Stages in turn; those for mutual friends end when these are in order."""
        yield from first
        if self.keep_edges:
            yield from UPWARDS
            return
        for number in range(ROUNDS):
            for stage in MUTUAL:
                yield stage
                if not super().violating:
                    break
            if number < ROUNDS - 1:
                yield from (Stage(1, 4), Stage(1, 1, 1, 2 << number), Stage(1, 1))
        yield from LAST

    def solutions_for_both(self, steps: int) -> Iterator[Edits]:
        """Ever shorter solutions: of some descents, and then of so many steps that improve the shortest."""
        best: Edits | None = None
        few = self.workspace.n < FEW_VERTICES
        for first in FIRSTS + MORE_FIRSTS if few else FIRSTS:
            self.go_to({})
            most = math.inf if best is None else len(best) - 1
            if self.descend_both(first, most) or (best is None and self._descend_again()):
                best = dict(self.edits)
                yield best
        if best is not None:
            self.go_to(best)
            yield from self._shorter(self.steps + steps)

    def _descend_again(self) -> bool:
        """After a descent that failed: take back some edits and descend again, from the nearest that was reached."""
        nearest, distance = dict(self.edits), self._distance()
        for _ in range(RETRIES):
            self._check_time()
            if not nearest:
                return False
            self._ruin_both()
            if self.descend_both(self._short()):
                return True
            if (now := self._distance()) <= distance:
                nearest, distance = dict(self.edits), now
            else:
                self.go_to(nearest)
        return False

    def _distance(self) -> int:
        """The sum of both potentials with plain prices."""
        self._stage = Stage(1, 1)
        self.aim(Prices(fall=FORBIDDEN if self.keep_edges else 1))
        return self.potential

    def _short(self) -> tuple[Stage, ...]:
        """The first stages after a ruin, where most of the degrees are in order."""
        rise, fall = PRICES[self.rng.integers(len(PRICES))]
        return _first(rise, fall, (1, int(self.rng.integers(1, 5))), (3, 1))

    def _shorter(self, last: int) -> Iterator[Edits]:
        """Take back some edits and descend again, up to a number of steps."""
        best, in_vain = dict(self.edits), 0
        while best and self.steps < last and in_vain < min(PATIENCE + len(best), MOST_PATIENCE):
            self._check_time()
            self._ruin_both()
            in_vain += 1
            if self.descend_both(self._short(), len(best)):
                shorter = len(self.edits) < len(best)
                best = dict(self.edits)
                if shorter:
                    in_vain = 0
                    yield best
            else:
                self.go_to(best)

    def _ruin_both(self) -> None:
        """Take back a share of the edits: random ones, those that do least harm, or those around one degree."""
        pairs = np.array(list(self.edits), np.int32)
        harm = self.rng.random(len(pairs))
        way = self.rng.integers(3)
        if way == 0:
            self._distance()
            harm = 3 * harm - self._gains(pairs)[0]
        elif way == 1:
            degrees = self.workspace.state.length[pairs]
            middle = self.rng.choice(degrees.max(axis=1))
            harm += np.abs(degrees - middle).min(axis=1)
        number = max(2, min(MOST_RUINED, int(len(pairs) * self.rng.uniform(0.01, RUIN))))
        for i in np.argsort(harm, kind="stable")[:number].tolist():
            self._toggle(tuple(pairs[i].tolist()))
