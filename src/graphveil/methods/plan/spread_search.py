"""The search of the method `plan` with a spread: nobody lies on more than a share of a group (docs/plan.md).

A group in which one person has t edges needs t / share members, and at least k. So each count has a need of its own,
which changes with the edits. The potential is as before, with these needs: zero exactly if every group is large enough
for the person who has most of it. Two kinds of steps bring a group in order: edges of other people come to it, which
the plan for the needs finds, or edges of that person leave it, which are candidates of their own here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import UnreachableError
from graphveil.methods.plan.both_search import FIRSTS, BothSearch, Stage
from graphveil.methods.plan.prices import NEVER, Prices
from graphveil.methods.plan.search import EDGES_TO_RAISE, ROOM, Edits, Search
from graphveil.words import percent

__all__ = ["BothSpreadSearch", "SpreadSearch", "no_such_spread"]

COME = 4  # price of a new edge without mutual friends: a plan exists even where one person has all edges
LARGEST_TABLE = 20_000_000  # entries of the dynamic programme
MOST_ASKED = 20  # times that a descent asks for larger groups
AROUND = 2  # counts beside a group that is too small, where more is asked for as well
TRIES = 32  # random edits of each kind around one person who has too much of a group


@dataclass
class SpreadSearch(Search):
    """A graph on its way to k-NMF anonymity with a spread, with the edits that led there."""

    share: float = 1.0
    best_share: float = math.inf  # the smallest so far of a graph that keeps the other guarantees
    _widest: int = 0  # edges that cross a boundary in a plan
    _more: NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(0, np.int64)
    )  # edges asked for beyond k
    _asked: int = 0  # how often

    # ------------------------------------------------------------------ the potential

    @property
    def violating(self) -> int:
        """How many edges are in a group that is too small: for k, or for the person who has most of it."""
        return int(self._plan.size[self._too_small()].sum())

    def _too_small(self) -> NDArray[np.bool_]:
        size, most = self._plan.size, self._leaders.tally[:, 0]
        small: NDArray[np.bool_] = (size < self.k) | (most / np.maximum(size, 1) > self.share)
        small &= size > 0
        return small

    def aim(self, prices: Prices) -> None:
        """Plan again with these prices, and with the needs of the graph as it is now."""
        prices = prices._replace(come=min(prices.come, COME))
        super().aim(prices)
        if self._more.any() and self._forget():
            super().aim(prices)
        while self._plan.least >= NEVER and len(self._plan.size) * (4 * self._widest + 1) <= LARGEST_TABLE:
            self._widest *= 2
            super().aim(prices)
        self._note_share()

    def _forget(self) -> bool:
        """Ask for no more where no group is too small any longer; whether there was such a place."""
        near = np.zeros(len(self._more), np.bool_)
        near[self._around(np.flatnonzero(self._too_small()), 2 * AROUND)] = True
        done = ~near & (self._more > 0)
        self._more[done] = 0
        return bool(done.any())

    def _around(self, counts: NDArray[np.int64], distance: int) -> NDArray[np.int64]:
        around = counts[:, None] + np.arange(-distance, distance + 1)
        return np.unique(around.clip(0, len(self._more) - 1))

    def _needs(self, size: NDArray[np.int64], prices: Prices) -> tuple[NDArray[np.int64], int, int]:
        least = np.full(len(size), self.k)
        if len(self._more) < len(least):
            self._more = np.concatenate((self._more, np.zeros(len(least) - len(self._more), np.int64)))
        least += self._more[: len(least)]
        self._leaders = self._programme.leading(self.workspace.state, self.workspace.n, least, self.share)
        need = self._programme.needs(self._leaders)
        lacking = np.minimum(size, need - size)[size < need]
        self._widest = max(self.k, self._widest, int(lacking.max(initial=0)))
        return need, self._widest, self._widest

    def descend(self, schedule: Iterable[Prices], most: float = math.inf) -> bool:
        """As in every search, with nothing asked for beyond k at first."""
        self._more[:], self._asked = 0, 0
        return super().descend(schedule, most)

    def take_back(self) -> bool:
        """Take back edits that the potential does not need, or ask for larger groups; whether there was one."""
        return super().take_back() or self._ask_for_more()

    def _ask_for_more(self) -> bool:
        """Ask for one more edge in groups that are too small, where the search is stuck.

        The plan does not see whose edges it moves. An edge that would fill a group, but belongs to the person who has
        most of it, stays beside it for ever: one of somebody else must come from further away.
        """
        too_small = np.flatnonzero(self._too_small())
        if self._prices.fall <= self._prices.rise or self._asked == MOST_ASKED or not len(too_small):
            return False
        self._asked += 1
        self._more[self._around(too_small, AROUND)] += 1
        self.aim(self._prices)
        return True

    def _note_share(self) -> None:
        if self._keeps_the_rest():
            size, most = self._plan.size, self._leaders.tally[:, 0]
            self.best_share = min(self.best_share, float((most / np.maximum(size, 1)).max(initial=0)))

    def _keeps_the_rest(self) -> bool:
        """Whether every other guarantee holds, and nobody lost all friends."""
        return not super().violating and not self._somebody_lost_all()

    def _highest_violating(self) -> int:
        return int(np.flatnonzero(self._too_small()).max(initial=0))

    # ------------------------------------------------------------------ candidates

    def _candidates(self, room: int) -> NDArray[np.int32]:
        around = self._around_leaders(TRIES * room // ROOM)
        return np.unique(np.concatenate((super()._candidates(room), around)), axis=0)

    def _too_much(self) -> list[tuple[int, NDArray[np.int32]]]:
        """Who has more than the share of a group: the person, and the edges."""
        state, (vertex, tally, _, share) = self.workspace.state, self._leaders
        size = np.maximum(self._plan.size, 1)[:, None]
        found = []
        for count, place in np.argwhere(tally / size > share).tolist():
            person = int(vertex[count, place])
            edges = state.edge[state.start[person] : state.start[person] + state.length[person]]
            found.append((person, edges[state.count[edges] == count]))
        return found

    def _around_leaders(self, tries: int) -> NDArray[np.int32]:
        """Edits that take an edge from a person who has too many of one group.

        The edge is deleted, or one end becomes the friend of a friend of the other, or ceases to be.
        """
        found = [np.empty((0, 2), np.int32)]
        for person, edges in self._too_much():
            found.append(self.workspace.state.ends[edges])
            friends = self.workspace.state.ends[edges].sum(axis=1) - person
            drawn = friends[self.rng.integers(len(friends), size=tries)]
            found += [
                np.stack((np.full(tries, person), self._random_friends(drawn)), axis=1),
                np.stack((drawn, self._random_friends(np.full(tries, person))), axis=1),
            ]
        pairs = np.unique(np.sort(np.concatenate(found).astype(np.int32), axis=1), axis=0)
        return pairs[self._may_be_toggled(pairs)]

    def _random_friends(self, vertices: NDArray[np.int64]) -> NDArray[np.int32]:
        state = self.workspace.state
        slots = state.start[vertices] + self.rng.integers(state.length[vertices])
        friends: NDArray[np.int32] = state.vertex[slots]
        return friends

    def _may_be_toggled(self, pairs: NDArray[np.int32]) -> NDArray[np.bool_]:
        allowed: NDArray[np.bool_] = pairs[:, 0] != pairs[:, 1]
        if self.keep_edges:
            edges = self._programme.edges_at(self.workspace.state, pairs)
            allowed &= (edges < 0) | (edges >= self.workspace.original.m)
        return allowed

    def raise_edges(self) -> bool:
        """Raise edges as in every search, and those out of a group of which somebody has too much."""
        raised = super().raise_edges()
        return self._raise_out() or raised

    def _raise_out(self) -> bool:
        before = self.potential
        for _, edges in self._too_much():
            self._check_time()
            some = self.rng.permutation(edges)[:EDGES_TO_RAISE]
            probe = int(self.rng.integers(self.workspace.n))
            marginals = self._programme.marginals(self._plan)
            friends, _ = self._scans.common_friends(
                self.workspace.state, marginals, some, self._editable, probe
            )
            for edge, both in zip(some.tolist(), friends.tolist(), strict=True):
                if not any(friend >= 0 and self._join(friend, edge) for friend in both):
                    break
        return self.potential < before

    # ------------------------------------------------------------------ going on from a solution

    def swapped(self, solution: Edits) -> Edits:
        """As in every search, if the spread is kept by it."""
        return self._if_it_holds(super().swapped(solution), solution)

    def balanced(self, solution: Edits, rival: Edits | None) -> Edits:
        """As in every search, if the spread is kept by it."""
        return self._if_it_holds(super().balanced(solution, rival), solution)

    def _if_it_holds(self, edits: Edits, otherwise: Edits) -> Edits:
        self.go_to(edits)
        return otherwise if self.violating or self._somebody_lost_all() else edits


@dataclass
class BothSpreadSearch(BothSearch, SpreadSearch):
    """A graph on its way to k-NMF and k-degree anonymity with a spread."""

    def descend_both(self, stages: tuple[Stage, ...] = FIRSTS[0], most: float = math.inf) -> bool:
        """As in every search for both, with nothing asked for beyond k at first."""
        self._more[:], self._asked = 0, 0
        return super().descend_both(stages, most)

    def _keeps_the_rest(self) -> bool:
        people = self._people
        return super()._keeps_the_rest() and not people[people < self.degree_k].any()


def no_such_spread(share: float, searches: Iterable[SpreadSearch], why: str) -> UnreachableError:
    """What to say where no graph was found, with the share that can be had.

    Examples
    --------
    >>> print(no_such_spread(0.1, (), ""))
    no graph was found in which nobody is part of more than 10 % of a group. Ask for a larger --spread or a smaller k.
    """
    best = min((search.best_share for search in searches), default=math.inf)
    time = "Give the search more time (--budget). " if "budget" in why else ""
    way_out = "Ask for a larger --spread or a smaller k."
    if best < 1:
        larger = math.ceil(100 * best) / 100
        way_out = (
            f"The best share found is {percent(best)}: ask for --spread {larger:g} or more, or a smaller k."
        )
    elif best == 1:
        way_out = "In every graph found, one person is part of a whole group: leave --spread out."
    nothing = f"no graph was found in which nobody is part of more than {percent(share)} of a group"
    return UnreachableError(f"{why + ': ' if why else ''}{nothing}. {time}{way_out}")
