"""k-degree anonymity as an aim of the search: vertices by degree, in groups of k (docs/plan.md).

An edit moves two vertices by one, and two edges for each mutual friend, so its effect on both goals is known exactly.
The weights of the two change along the way. At first degrees weigh more: they need many more edits, and edits that
serve two vertices at once are found while mutual friends may still move. Then mutual friends weigh more: an edit that
puts one edge right may disturb two degrees, and each of these has a repair that moves no other edge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.plan import tuning
from graphveil.methods.plan.potential import Aim, Pair, Pairs, Potential
from graphveil.methods.plan.step_costs import Stage

SPARE = 4  # degrees beyond the highest
FIXED = 2  # who has fewer friends does not fall: nobody loses the last one


def steps_of_degrees(people: NDArray[np.int64], k: int) -> int:
    """The least total shift that brings vertices, given by degree, into groups of k."""
    from graphveil.methods.plan.dynamic_program import make_plan

    size = _up_to_the_highest(np.pad(people, (0, SPARE)))
    return int(make_plan(size, np.full(len(size), k), Stage().degree, k, k, FIXED).least)


def _up_to_the_highest(people: NDArray[np.int64]) -> NDArray[np.int64]:
    return people[: int(np.flatnonzero(people).max(initial=0)) + 2].copy()


class Degrees(Aim):
    """Every degree is to occur on k vertices, or on none."""

    def __init__(self, on: Potential, k: int) -> None:
        from graphveil.kernels import shifts

        super().__init__(on, k)
        self._shifts = shifts
        people = np.bincount(on.workspace.original.degrees) if on.part is None else on.part.degrees
        self.people = np.pad(people.astype(np.int64), (0, SPARE))  # vertices by degree

    @property
    def violating(self) -> int:
        """How many people are in a group that is too small."""
        return int(self.people[self.people < self.k].sum())

    def plan(self, stage: Stage) -> None:
        """Plan again, for the graph as it is now."""
        self.weight = stage.weights[1]
        size = _up_to_the_highest(self.people)
        self._fill(size, np.full(len(size), self.k), stage.degree, self.k, self.k, FIXED)

    def follow(self, pair: Pair, by: int) -> None:
        """Take notice of an edge that came or went."""
        degrees = self.on.workspace.state.length[list(pair)]
        if int(degrees.max()) + 3 > len(self.people):
            self.people = np.concatenate((self.people, np.zeros_like(self.people)))
        np.subtract.at(self.people, degrees - by, 1)
        np.add.at(self.people, degrees, 1)

    def evaluate(self, pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By how much toggling each pair lowers what is left; none is more plausible than others."""
        gain = self.on.program.evaluate_degrees(self.on.workspace.state, self.tables, pairs)
        return gain, np.zeros(len(pairs), np.int64)

    def avoids(self, pair: Pair) -> bool:
        """Whether it is an addition that is easily told apart, and there is still time to find a better one."""
        if self.on.stage.weights == tuning.HARMLESS:
            return False
        return bool(self._shifts.is_conspicuous(self.on.workspace.state, *pair))

    def harm_apart(self, pairs: Pairs) -> NDArray[np.float64]:
        """How far the ends of edits are from the degree of one of them."""
        degrees = self.on.workspace.state.length[pairs]
        middle = self.on.rng.choice(degrees.max(axis=1))
        apart: NDArray[np.float64] = np.abs(degrees - middle).min(axis=1)
        return apart

    # ------------------------------------------------------------------ candidates

    def candidates(self, room: int) -> list[Pairs]:
        """Edits around vertices that have to move."""
        if not self.left:
            return []
        more = room == tuning.MORE_ROOM
        tries, kept = (tuning.MORE_TRIES, tuning.MORE_KEPT) if more else (tuning.TRIES, tuning.KEPT)
        return [self.shifting(self.wanting()[: tuning.MOST_VERTICES], tries, kept, far=more)]

    def wanting(self) -> NDArray[np.int64]:
        """The vertices whose degree has to move, in random order."""
        m = self.marginals()
        return self.on.rng.permutation(self._having((m.up < 0) | (m.down < 0)))

    def _having(self, degrees: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The editable vertices with one of these degrees."""
        editable = np.flatnonzero(self.on.editable)
        chosen: NDArray[np.bool_] = degrees[self.on.workspace.state.length[editable]]
        return editable[chosen]

    def shifting(
        self, vertices: NDArray[np.int64], tries: int, kept: int, *, far: bool, bar: int = 0
    ) -> Pairs:
        """Edits around some vertices that move degrees where they have to go."""
        on, m = self.on, self.marginals()
        rising = self._having(m.up < 0)
        others = rising if len(rising) else np.zeros(1, np.int64)
        seed = int(on.rng.integers(1 << 62))
        limits = tries, far, kept, bar, seed
        state = on.workspace.state
        pairs = self._shifts.shifting_pairs(state, m, on.editable, on.deletable, vertices, others, *limits)
        unique: Pairs = np.unique(pairs, axis=0)
        return unique

    # ------------------------------------------------------------------ steps of two edits

    def unstick(self, go_on: Callable[[], object]) -> bool:
        """Chains and moved leaves."""
        return self.take_chains() or self.move_leaves()

    def take_chains(self) -> bool:
        """Two edits of which only both together gain: the first one hands the step on to another vertex."""
        on, before = self.on, self.on.potential
        pairs = self.shifting(self.wanting()[: tuning.CHAINS], tuning.TRIES, tuning.KEPT, far=True, bar=1)
        gain, _ = on.evaluate(pairs)
        for i in on.rng.permutation(np.flatnonzero(gain == 0))[: tuning.CHAINS].tolist():
            on.check_clock()
            if self.left and on.evaluate(pairs[i : i + 1])[0][0] == 0:
                self._take_chain(tuple(pairs[i].tolist()))
        return on.potential < before

    def _take_chain(self, first: Pair) -> None:
        """Make an edit and the best one after it at its two ends, if both together gain."""
        on, before = self.on, self.on.potential
        on.toggle(first)
        if (risen := on.potential - before) < 0:
            return  # the first gains alone: with a spread, gains are not always exact
        ends = np.array(first, np.int64)
        pairs = self.shifting(ends, tuning.MORE_TRIES // 4, tuning.MORE_KEPT // 2, far=True)
        gain, _ = on.evaluate(pairs)
        if gain.max(initial=0) <= risen or not on.lowers(tuple(pairs[gain.argmax()].tolist()), 1 + risen):
            on.toggle(first)

    def move_leaves(self) -> bool:
        """Lower vertices by giving a friend who has no other one another friend instead; whether that helped.

        It takes two edits. No mutual friends change, so this is always possible, and nobody loses the last friend.
        """
        before = self.on.potential
        for x in [] if self.on.keep_edges else self.wanting().tolist():
            self.on.check_clock()
            leaves, others = self._leaves_of(x, self.marginals())
            while leaves and others and self.left:
                if not self._move_leaf(leaves[-1], x, others[0]):
                    others.pop(0)
                else:
                    leaves.pop()
        return self.on.potential < before

    def _leaves_of(self, x: int, m: Any) -> tuple[list[int], list[int]]:
        """The friends of a vertex who have no other one, and others whom they may get."""
        s, rng = self.on.workspace.state, self.on.rng
        row = s.vertex[s.start[x] : s.start[x] + s.length[x]]
        row = row[self.on.editable[row] > 0]
        leaves: list[int] = rng.permutation(row[s.length[row] == 1]).tolist()
        rising = rng.permutation(self._having(m.up < 0))
        others = np.concatenate((rising[: tuning.LEAVES], rng.permutation(row)[: tuning.LEAVES]))
        return leaves, others[m.up[s.length[others]] <= 0].tolist()

    def _move_leaf(self, leaf: int, x: int, y: int) -> bool:
        """Make the only friend of a leaf another one, if that lowers the potential."""
        if y in (leaf, x):
            return False
        return self.on.all_lower([(min(leaf, z), max(leaf, z)) for z in (y, x)])
