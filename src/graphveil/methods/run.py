"""What one anonymization carries along: the changing graph, k, chance and its listener."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.workspace import Workspace
from graphveil.stopping import check


class TooLong(Exception):  # noqa: N818 – not an error
    """A method has used up its steps."""


@dataclass(frozen=True)
class Group:
    """Edges that were brought to the same number of mutual friends."""

    value: int
    size: int  # when the group was closed; later edges may join


@dataclass(frozen=True)
class Progress:
    """Where a run stands."""

    phase: str
    groups: int  # closed so far
    violating: int  # edges that are still exposed
    changed: int  # edges added and deleted so far

    def __str__(self) -> str:
        """In words.

        >>> print(Progress("groups", 3, violating=120, changed=41))
        120 friendships still exposed, 41 changed
        """
        if self.phase == "search":
            return f"searching for fewer changes: {self.violating:,} exposed, {self.changed:,} changed"
        if self.phase == "reduction":
            return f"reducing: {self.violating:,} exposed to stronger attackers, {self.changed:,} changed"
        if self.phase == "degrees":
            return f"{self.violating:,} people still exposed by their number of friends"
        return f"{self.violating:,} friendships still exposed, {self.changed:,} changed"


@dataclass
class Run:
    """One anonymization under way."""

    workspace: Workspace
    k: int
    rng: np.random.Generator
    listener: Callable[[Progress], None] | None = None
    groups: list[Group] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what the user should know about how the run ended
    interrupted: bool = False  # by Ctrl-C, when there was a result to take
    steps_left: float = math.inf  # edges that a method may still bring to their counts
    # Pairs that stay as they are
    fixed: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), np.int64))

    def close_group(self, value: int) -> None:
        """Note a finished group and tell the listener."""
        self.groups.append(Group(value, self.workspace.class_size(value)))
        self.tell("groups")

    def toggle(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Add or delete the edges between these people; then every count is a group."""
        for u, v in pairs:
            edge = self.workspace.edge_between(u, v)
            if edge is None:
                self.workspace.add_edge(u, v)
            else:
                self.workspace.delete_edge(edge)
        for value in sorted(self.workspace.class_sizes(), reverse=True):
            self.close_group(value)

    def tell(self, phase: str) -> None:
        """Tell the listener, if there is one, where the run stands; and end here if that was asked for.

        Raises
        ------
        TooLong
            Where no more steps are left
        """
        check()
        self.steps_left -= 1
        if self.steps_left < 0:
            raise TooLong
        if self.listener:
            changed = self.workspace.edits
            self.listener(Progress(phase, len(self.groups), self.workspace.violating(self.k), changed))
