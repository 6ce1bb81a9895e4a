"""A graph on its levels: the arrays of kernels/friendship.py, and work on them between two looks at the clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import pair_keys
from graphveil.kernels import friendship as kernels
from graphveil.methods.friendship.levels import NONE, Assignment

SLACK = 24  # friends that somebody may get beyond the highest of degree and level
STEP = 2_000_000  # slots looked at between two looks at the clock, about
WEIGHT = 4.0  # of what lacks, against one mutual friend
BENDS = 400  # random edges that are bent for one person
BENT = 40  # rounds of that
Pairs = NDArray[np.int64]
Look = Callable[["Levelled"], None]


class Levelled:
    """A graph, a level for each person, and chance.

    Each ordered pair of levels needs k people, and each level ``degree_k``. ``look`` is called with this graph
    between two steps, and raises where the work is to end. Nothing toggles the pairs ``frozen``.
    """

    def __init__(
        self,
        edges: Pairs,
        n: int,
        assigned: Assignment,
        k: int,
        degree_k: int,
        seed: int,
        look: Look,
        frozen: Pairs,
    ) -> None:
        self.rng = np.random.default_rng(seed)
        self.n = n
        self.look = look
        chance = int(self.rng.integers(1, 2**31 - 1))
        self.state = _state(edges, n, assigned, k, degree_k, chance, frozen)
        self.moves = _move(), _move()

    @property
    def lack(self) -> int:
        """What the pairs of levels lack; 0 where the guarantee holds, if everybody has the degree of the level."""
        return int(self.state.totals[kernels.LACK])

    def exposed(self, k: int) -> int:
        """Friendships, and places in pairs of levels, that still lack company."""
        size = self.state.histogram
        return self.lack + int(size[size < k].sum())

    @property
    def assigned(self) -> Assignment:
        """The levels as they are now."""
        return Assignment(self.state.degree, self.state.level)

    @property
    def gaps(self) -> Pairs:
        """How many friends each person lacks for the level."""
        wanted = np.where(self.state.level == NONE, 0, self.state.degree[self.state.level])
        gaps: Pairs = wanted - self.state.length
        return gaps

    def lack_by_level(self) -> Pairs:
        """What the pairs of each level lack."""
        edges, people = self.state.joined, self.state.people
        fewest = np.minimum(edges, np.minimum(people, people.T))
        here, wanted = self.state.population, self.state.totals[[kernels.K, kernels.DEGREE_K]]
        of_pairs = np.minimum(edges, np.maximum(0, wanted[0] - fewest)).sum(axis=1)
        lack: Pairs = of_pairs + np.minimum(here, np.maximum(0, wanted[1] - here))
        return lack

    def edges(self) -> tuple[Pairs, Pairs]:
        """All edges in order, and the mutual friends of each if they are counted."""
        edges = np.empty((self.state.totals[kernels.EDGES], 2), np.int64)
        mutual = np.empty(len(edges), np.int64)
        kernels.listed(self.state, edges, mutual)
        order = np.lexsort((edges[:, 1], edges[:, 0]))
        return edges[order], mutual[order]

    # ------------------------------------------------------------------ to the degrees of the levels

    def reach_degrees(self) -> bool:
        """Add and delete edges until everybody has the degree of a level; whether that worked."""
        self._close_gaps(-1)
        while self._close_gaps(1):
            pass
        for _ in range(BENT):
            still = np.flatnonzero(self.gaps)
            if not len(still):
                return True
            for few in self._portions(still, BENDS * 10):
                kernels.close_rest(self.state, few, BENDS)
        return not self.gaps.any()

    def _close_gaps(self, by: int) -> bool:
        """For those who have too few friends, or by = −1 too many; whether anything was done."""
        gaps = self.gaps * by
        still = np.flatnonzero(gaps > 0)
        still = still[np.argsort(-gaps[still], kind="stable")]
        done = False
        for few in self._portions(still, 4000):
            done |= bool(kernels.close_gaps(self.state, few, by, WEIGHT))
        return done

    def _portions(self, people: Any, cost: int) -> Any:
        """The array in portions, with a look at the clock before each."""
        size = max(1, STEP // cost)
        for begin in range(0, len(people), size):
            self.look(self)
            yield people[begin : begin + size]

    def members(self) -> tuple[Pairs, Pairs]:
        """People by level, and where each level begins."""
        order = np.argsort(self.state.level, kind="stable")
        return order, np.searchsorted(self.state.level[order], np.arange(len(self.state.degree) + 1))

    # ------------------------------------------------------------------ taking back

    def take_back(self, original: Pairs, need: Pairs, passes: int) -> None:
        """Take back what changes can be, while everything holds."""
        pairs, added = changes(original, self.edges()[0], self.n)
        ends = pairs.ravel()
        rows = np.argsort(ends, kind="stable") // 2
        first = np.concatenate(([0], np.cumsum(np.bincount(ends, minlength=self.n))))
        alive, used = np.ones(len(pairs), np.bool_), np.empty(kernels.MOST, np.int64)
        for _ in range(passes):
            order, back = self.rng.permutation(np.flatnonzero(alive)), 0
            for few in self._portions(order, 20_000):
                back += kernels.take_back(
                    self.state, pairs, added, alive, rows, first, few, need, self.moves[0], used
                )
            if back == 0:
                break


def changes(before: Pairs, after: Pairs, n: int) -> tuple[Pairs, Pairs]:
    """The pairs that differ, and 1 for each that was added, −1 for each that was deleted."""
    old, new = (edges[:, 0] * n + edges[:, 1] for edges in (before, after))
    added, deleted = np.setdiff1d(new, old), np.setdiff1d(old, new)
    pairs = np.stack(np.divmod(np.concatenate((added, deleted)), n), axis=1)
    return pairs, np.repeat(np.array([1, -1]), (len(added), len(deleted)))


def _move() -> Any:
    return kernels.Move(
        np.zeros((kernels.MOST, 2), np.int64),
        np.zeros(2, np.int64),
        *np.zeros((2, 2 * kernels.MOST), np.int64),
    )


def _state(
    edges: Pairs, n: int, assigned: Assignment, k: int, degree_k: int, chance: int, frozen: Pairs
) -> Any:
    degree, level = assigned
    levels = len(degree)
    wanted = np.where(level == NONE, 0, degree[level])
    room = np.maximum(np.bincount(edges.ravel(), minlength=n), wanted) + SLACK
    slots = int(room.sum())
    level_of = np.full(int(degree[-1]) + 2, NONE)
    level_of[degree] = np.arange(levels)
    totals = np.zeros(7, np.int64)
    totals[[kernels.K, kernels.DEGREE_K, kernels.CHANCE]] = k, degree_k, chance
    population = np.bincount(level[level != NONE], minlength=levels)
    totals[kernels.LACK] = np.minimum(population, np.maximum(0, degree_k - population)).sum()
    state = kernels.Levels(
        start=np.concatenate(([0], np.cumsum(room)[:-1])),
        room=room,
        length=np.zeros(n, np.int64),
        friend=np.zeros(slots, np.int32),
        mirror=np.zeros(slots, np.int64),
        mutual=np.zeros(slots, np.int32),
        level=level.copy(),
        degree=degree.copy(),
        level_of=level_of,
        joined=np.zeros((levels, levels), np.int64),
        people=np.zeros((levels, levels), np.int64),
        tally=np.zeros((n, levels), np.int32),
        population=population,
        histogram=np.zeros(int(room.max()) + 3, np.int64),
        mark=np.zeros(n, np.int64),
        place=np.zeros(n, np.int64),
        frozen=np.unique(pair_keys(frozen, n)).astype(np.int64),
        totals=totals,
    )
    kernels.fill(state, edges)
    return state
