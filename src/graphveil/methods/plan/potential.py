"""A graph under the edits of the method `plan`, and how far it is from its goals (docs/plan.md).

Each goal is an `Aim`: it knows what is left of the way to it (its potential), what one step more would change (its
marginals), and what an edit does to it. The potential of the graph is the weighted sum.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import pair_keys
from graphveil.goals import NMF, Goals, level_of
from graphveil.methods.plan.step_costs import NEVER, Stage, StepCosts
from graphveil.methods.workspace import Workspace
from graphveil.stopping import check

WHOLLY, PARTLY = 2, 1  # how editable a vertex is: of the two ends of an edit, one is wholly editable

Pair = tuple[int, int]
Pairs = NDArray[np.int32]  # a row for each
Edits = dict[Pair, None]  # the toggled pairs, in the order of the last toggle


class OutOfTime(Exception):  # noqa: N818 – not an error
    """The budget is used up."""


class Part(NamedTuple):
    """What a search on a part of a graph has to know of the rest."""

    outside: NDArray[np.int64]  # edges outside the part, by mutual friends
    editable: NDArray[np.int8]  # vertices that may be ends of an edit (subgraph.py)
    degrees: NDArray[np.int64] = np.empty(0, np.int64)  # vertices of the whole graph, by degree


@dataclass
class Potential:
    """A graph with edits, and what is left of its way to all goals."""

    workspace: Workspace
    goals: Goals
    rng: np.random.Generator
    keep_edges: bool = False
    time_is_up: Callable[[], bool] = lambda: False
    listener: Callable[[Any], None] | None = None
    part: Part | None = None  # where the workspace is a part of a larger graph
    # Pairs that no edit toggles
    fixed: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), np.int64))
    edits: Edits = field(default_factory=dict)
    drift: float = 0.0  # what the edits add to the sum of all clustering coefficients
    steps: int = 0  # edits made and taken back: a measure of work that does not depend on the clock
    stage: Stage = field(default_factory=Stage)
    aims: tuple[Aim, ...] = ()
    _measuring: bool = True  # whether the drift follows the edits

    def __post_init__(self) -> None:
        from graphveil.methods.plan import dynamic_program, scanning

        self.program, self.scans = dynamic_program, scanning.Scans(len(self.workspace.state.start))
        self.k = int(level_of(self.goals, NMF) or 1)
        self._had_friends = self.workspace.original.degrees > 0
        n = self.workspace.n
        self._fixed_keys = np.unique(pair_keys(self.fixed, n))
        self.editable = np.full(n, WHOLLY, np.int8) if self.part is None else self.part.editable
        # The first edge that may be deleted
        self.deletable = self.workspace.original.m if self.keep_edges else 0

    @property
    def potential(self) -> int:
        """The least total shift, weighted, that is left."""
        return sum(aim.weight * aim.left for aim in self.aims)

    @property
    def violating(self) -> int:
        """How many edges and people are exposed."""
        return sum(aim.violating for aim in self.aims)

    def holds(self) -> bool:
        """Whether every goal is reached, and nobody lost all friends."""
        return not self.violating and not self.somebody_lost_all()

    def somebody_lost_all(self) -> bool:
        """Whether a vertex that had friends has none: it may have, when its last new one was taken back."""
        return bool(np.any((self.workspace.state.length[: self.workspace.n] == 0) & self._had_friends))

    # ------------------------------------------------------------------ edits

    def aim(self, stage: Stage) -> None:
        """Plan again with these costs and weights."""
        self.stage = stage
        for aim in self.aims:
            aim.plan(stage)

    def toggle(self, pair: Pair) -> None:
        """Add the edge or take it out, and plan again."""
        self.toggle_only(pair)
        self.aim(self.stage)

    def toggle_only(self, pair: Pair) -> None:
        """The same without a new plan, where more edits follow."""
        if self._measuring:
            self.drift += float(self.clustering_changes(np.array([pair], np.int32))[0])
        edge = self.workspace.edge_between(*pair)
        if edge is None:
            self.workspace.add_edge(*pair)
        else:
            self.workspace.delete_edge(edge)
        for aim in self.aims:
            aim.follow(pair, 1 if edge is None else -1)
        if pair in self.edits:
            del self.edits[pair]
        else:
            self.edits[pair] = None
        self.steps += 1

    def go_to(self, edits: Iterable[Pair], drift: float | None = None) -> None:
        """Make exactly these edits, whatever was done before; their drift need not be measured where it is known."""
        self._measuring = drift is None
        for pair in sorted(set(self.edits) ^ set(edits)):
            self.toggle_only(pair)
        self._measuring = True
        self.drift = self.drift if drift is None else drift
        self.aim(self.stage)

    def lowers(self, pair: Pair, least: float) -> bool:
        """Make an edit unless the potential does not fall by so much, so that no search goes round in circles.

        It nearly always does. But with some costs the best plan of all would move more than k edges over a boundary,
        and what is left out then differs with the boundary at which a gain is counted (kernels/plan.py).
        """
        before = self.potential
        self.toggle(pair)
        if before - self.potential >= least:
            return True
        self.toggle(pair)
        return False

    def all_lower(self, pairs: list[Pair]) -> bool:
        """Make some edits if the potential falls by all of them together."""
        if len(self.fixed) and self.are_fixed(np.array(pairs)).any():
            return False
        before = self.potential
        for pair in pairs:
            self.toggle(pair)
        if self.potential < before:
            return True
        for pair in pairs:
            self.toggle(pair)
        return False

    # ------------------------------------------------------------------ what edits would do

    def may_join(self, pairs: NDArray[Any]) -> NDArray[np.bool_]:
        """Which pairs may be the two ends of an edit."""
        joined: NDArray[np.bool_] = self.editable[pairs].sum(axis=1) >= WHOLLY + PARTLY
        return joined

    def are_fixed(self, pairs: NDArray[Any]) -> NDArray[np.bool_]:
        """Which pairs no edit may toggle."""
        fixed: NDArray[np.bool_] = np.isin(pair_keys(pairs, self.workspace.n), self._fixed_keys)
        return fixed

    def evaluate(self, pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By how much toggling each pair lowers the potential, never for a fixed one; and how plausible that is."""
        gain, plausible = self.aims[0].evaluate(pairs)
        gain = self.aims[0].weight * gain
        for aim in self.aims[1:]:
            gain += aim.weight * aim.evaluate(pairs)[0]
        if len(self.fixed):
            gain[self.are_fixed(pairs)] = -NEVER
        return gain, plausible

    def harmless(self, pairs: Pairs) -> NDArray[np.bool_]:
        """Which pairs may be toggled without any goal getting further away, so that one that is kept stays kept.

        This is all that another method needs to keep these goals while it works for its own.
        """
        harmless: NDArray[np.bool_] = np.all([aim.evaluate(pairs)[0] >= 0 for aim in self.aims], axis=0)
        return harmless & ~self.are_fixed(pairs)

    def clustering_changes(self, pairs: Pairs) -> NDArray[np.float64]:
        """What toggling each pair adds to the sum of all clustering coefficients."""
        change: NDArray[np.float64] = self.program.clustering_changes(self.workspace.state, pairs)
        return change

    def check_time(self) -> None:
        """End here if the time is up or that was asked for; and tell the listener."""
        self.check_clock()
        if self.listener:
            self.listener(self)

    def check_clock(self) -> None:
        """End here if the time is up or that was asked for."""
        check()
        if self.time_is_up():
            raise OutOfTime


class Aim(ABC):
    """A goal on the way: items, which are edges or people, by a number, and each number is to have k of them.

    Attributes
    ----------
    tables
        The plan that costs least to bring the items into groups (kernels/plan.py)
    weight
        Of what is left, in the sum over all goals
    """

    weight = 1

    def __init__(self, on: Potential, k: int) -> None:
        self.on, self.k = on, k
        self.costs: StepCosts | None = None
        self.tables: Any = None

    @property
    def left(self) -> int:
        """The least total shift that is left: the potential."""
        return int(self.tables.least)

    @property
    @abstractmethod
    def violating(self) -> int:
        """How many items are exposed."""

    def marginals(self) -> Any:
        """What one item more, less or elsewhere changes, for every number."""
        return self.on.program.marginals(self.tables)

    @abstractmethod
    def plan(self, stage: Stage) -> None:
        """Plan again, for the graph as it is now."""

    def _fill(
        self,
        size: NDArray[np.int64],
        need: NDArray[np.int64],
        costs: StepCosts,
        up: int,
        down: int,
        bottom: int = 0,
    ) -> None:
        """Fill in the tables, only where anything changed if that will do."""
        now = self.tables
        if costs == self.costs and (len(now.size), now.up, now.down) == (len(size), up, down):
            self.tables = self.on.program.changed_plan(now, size, need)
        else:
            self.tables = self.on.program.make_plan(size, need, costs, up, down, bottom)
        self.costs = costs

    def follow(self, pair: Pair, by: int) -> None:  # noqa: B027 – what the workspace counts needs none
        """Take notice of an edge that came (1) or went (−1)."""

    @abstractmethod
    def evaluate(self, pairs: Pairs) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """By how much toggling each pair lowers what is left, and how plausible that is."""

    @abstractmethod
    def candidates(self, room: int) -> list[Pairs]:
        """Pairs whose toggle may lower it: about so many."""

    def begin(self) -> None:  # noqa: B027 – most have nothing to forget
        """Forget what an earlier descent led to."""

    def unstick(self, go_on: Callable[[], object]) -> bool:
        """Steps of several edits, where no single one lowers the potential; ``go_on`` makes what single ones follow."""
        return False

    def relax(self) -> bool:
        """Change what is asked for where no steps help either; whether that was done."""
        return False

    def avoids(self, pair: Pair) -> bool:
        """Whether another edit is to be looked for, although this one gains."""
        return False
