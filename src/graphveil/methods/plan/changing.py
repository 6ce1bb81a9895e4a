"""A graph under the edits of the method `plan`, and its potential, which follows every edit (docs/plan.md)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.plan.prices import Prices
from graphveil.methods.workspace import Workspace
from graphveil.stopping import check

__all__ = ["Changing", "Edits", "OutOfTime", "Pair", "Part"]

Pair = tuple[int, int]
Edits = dict[Pair, None]  # the toggled pairs, in the order of the last toggle


class OutOfTime(Exception):  # noqa: N818 – not an error
    """The budget is used up."""


class Part(NamedTuple):
    """What a search on a part of a graph has to know of the rest."""

    outside: NDArray[np.int64]  # edges outside the part, by mutual friends
    editable: NDArray[np.bool_]  # vertices that may be ends of an edit: all of their edges are in the part
    degrees: NDArray[np.int64] = np.empty(0, np.int64)  # vertices of the whole graph, by degree


@dataclass
class Changing:
    """A graph with edits, and what is left of its way to k-NMF anonymity."""

    workspace: Workspace
    k: int
    rng: np.random.Generator
    keep_edges: bool = False
    time_is_up: Callable[[], bool] = lambda: False
    listener: Callable[[Any], None] | None = None
    part: Part | None = None  # where the workspace is a part of a larger graph
    edits: Edits = field(default_factory=dict)
    drift: float = 0.0  # what the edits add to the sum of all clustering coefficients
    steps: int = 0  # edits made and taken back: a measure of work that does not depend on the clock
    _plan: Any = None
    _prices: Any = None
    _measuring: bool = True  # whether the drift follows the edits
    _leaders: Any = None  # who has the most of each count, where that matters

    def __post_init__(self) -> None:
        from graphveil.methods.plan import programme, scanning

        self._programme, self._scans = programme, scanning
        self._had_friends = self.workspace.original.degrees > 0
        n = self.workspace.n
        self._editable = np.ones(n, np.bool_) if self.part is None else self.part.editable
        self.aim(Prices())

    # ------------------------------------------------------------------ the potential and single steps

    @property
    def potential(self) -> int:
        """The least total shift, weighted, that is left."""
        return int(self._plan.least)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many edges have each mutual-friend count, those outside the part included."""
        size: NDArray[np.int64] = self.workspace.state.size
        if self.part is None:
            return size
        sizes = np.zeros(max(len(size), len(self.part.outside) + 2), np.int64)
        sizes[: len(size)] += size
        sizes[: len(self.part.outside)] += self.part.outside
        return sizes

    @property
    def highest(self) -> int:
        """The highest mutual-friend count."""
        return int(np.flatnonzero(self.sizes).max(initial=0))

    @property
    def violating(self) -> int:
        """How many edges are exposed: in a group of fewer than k."""
        sizes = self.sizes
        return int(sizes[sizes < self.k].sum())

    def aim(self, prices: Prices) -> None:
        """Plan again with these prices."""
        size = self.sizes[: self.highest + 2].copy()
        need, *most = self._needs(size, prices)
        if prices == self._prices and (len(size), *most) == (
            len(self._plan.size),
            self._plan.up,
            self._plan.down,
        ):
            self._plan = self._programme.changed_plan(self._plan, size, need)
        else:
            self._plan = self._new_plan(size, need, prices, *most)
        self._prices = prices

    def _new_plan(
        self, size: NDArray[np.int64], need: NDArray[np.int64], prices: Prices, up: int, down: int
    ) -> Any:
        falls = np.full(len(size) + 1, prices.fall)
        falls[: prices.free] = 0
        rest = prices.drop, prices.come, prices.toll, down
        return self._programme.make_plan(size, need, up, prices.rise, falls, *rest)

    def _needs(self, size: NDArray[np.int64], prices: Prices) -> tuple[NDArray[np.int64], int, int]:
        """How many edges each count needs, if it has any, and how many may cross a boundary upwards and downwards."""
        need = (
            self._plan.need
            if self._plan and len(self._plan.need) == len(size)
            else np.full(len(size), self.k)
        )
        return need, *prices.crossing(self.k)

    def toggle(self, pair: Pair) -> None:
        """Add the edge or take it out, and plan again."""
        self._toggle(pair)
        self.aim(self._prices)

    def _toggle(self, pair: Pair) -> None:
        if self._measuring:
            self.drift += float(self._clustering_changes(np.array([pair], np.int32))[0])
        edge = self.workspace.edge_between(*pair)
        if edge is None:
            self.workspace.add_edge(*pair)
        else:
            self.workspace.delete_edge(edge)
        if pair in self.edits:
            del self.edits[pair]
        else:
            self.edits[pair] = None
        self.steps += 1

    def go_to(self, edits: Iterable[Pair], drift: float | None = None) -> None:
        """Make exactly these edits, whatever was done before; their drift need not be measured where it is known."""
        self._measuring = drift is None
        for pair in sorted(set(self.edits) ^ set(edits)):
            self._toggle(pair)
        self._measuring = True
        self.drift = self.drift if drift is None else drift
        self.aim(self._prices)

    def _gains(self, pairs: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        gain, plausible = self._programme.evaluate(self.workspace.state, self._plan, self._leaders, pairs)
        return gain, plausible

    def _first_gain(self, pairs: NDArray[np.int32], least: float) -> int:
        """The place of the first edit that lowers the potential by so much; the number of edits if none does."""
        state, enough = self.workspace.state, math.ceil(least)
        place: int = self._programme.first_gain(state, self._plan, self._leaders, pairs, enough)
        return place

    def _clustering_changes(self, pairs: NDArray[np.int32]) -> NDArray[np.float64]:
        change: NDArray[np.float64] = self._programme.clustering_changes(self.workspace.state, pairs)
        return change

    def _check_time(self) -> None:
        self._check_clock()
        if self.listener:
            self.listener(self)

    def _check_clock(self) -> None:
        check()
        if self.time_is_up():
            raise OutOfTime
