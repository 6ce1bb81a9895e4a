"""What an anonymization gives back, and the recount that stands before it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import VerificationError
from graphveil.goals import NMF, Degree, Goals, Spread, largest_k, level_of
from graphveil.graph import Graph
from graphveil.methods.carrying import Carried
from graphveil.methods.degrees import DegreeChange
from graphveil.methods.reduce.reducing import Reduction
from graphveil.methods.run import Group
from graphveil.risk.auditing import achieved
from graphveil.words import counted, percent, size


@dataclass(frozen=True, repr=False)
class Result:
    """An anonymized graph and how it came about.

    Attributes
    ----------
    graph
        The new graph; labels and order of the original, new vertices last
    original
        The graph it was made from
    added, deleted
        Arrays of pairs of vertex numbers, sorted
    new_vertices
        Numbers of the vertices that the original does not have
    goals
        The guarantees that hold by recount, such as ``(NMF(25), Degree(10))``
    method, degree_method, seed
        The parameters; with the goals, the same ones give the same graph again
    groups
        The groups of edges in the order they were closed
    degrees
        What was done for the degrees, where they were asked for
    options
        What else the method was asked for
    notes
        What the owner should know about the run
    reductions
        Who was exposed to the attackers of ``reduce``, and who is: measured, not guaranteed
    interrupted
        Whether Ctrl-C ended the search of ``plan``, of which this is the best graph until then
    carried
        The changes of an earlier release, which stayed
    seconds
        How long it took
    """

    graph: Graph
    original: Graph
    added: NDArray[np.int32]
    deleted: NDArray[np.int32]
    new_vertices: NDArray[np.int32]
    goals: Goals
    method: str
    seed: int
    groups: tuple[Group, ...]
    degrees: DegreeChange | None
    degree_method: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    reductions: tuple[Reduction, ...] = ()
    carried: Carried | None = field(default=None, repr=False)
    seconds: float = 0.0

    def __repr__(self) -> str:
        """Short, and without a secret: seed and changed edges would tell who is who."""
        promises = ", ".join(f"{goal.name} {goal.level:,}" for goal in self.goals)
        return (
            f"Result({self.method}: {promises}; {len(self.added):,} edges added, {len(self.deleted):,} deleted, "
            f"{counted(len(self.new_vertices), 'new vertex', 'new vertices')})"
        )

    def _repr_html_(self) -> str:
        """A small table for notebooks: numbers only, as in `repr`."""
        from graphveil.pages import in_notebook

        rows = [
            *((goal.name, goal.level_in_words(goal.level)) for goal in self.goals),
            ("friendships added", f"{len(self.added):,}"),
            ("friendships deleted", f"{len(self.deleted):,}"),
            ("changed", percent(self.changed / self.original.m) if self.original.m else "–"),
            ("dummy people", f"{len(self.new_vertices):,}"),
        ]
        caption = f"{size(self.graph.n, self.graph.m)}, anonymized by {self.method}"
        return in_notebook((caption, (), rows), notes=self.notes)

    @property
    def promises(self) -> dict[str, float]:
        """The level of each guarantee by its name, such as ``{"k-NMF": 25}``."""
        return {goal.name: goal.level for goal in self.goals}

    @property
    def k(self) -> int:
        """The k of k-NMF; without it the largest that is guaranteed."""
        return level_of(self.goals, NMF) or largest_k(self.goals)

    @property
    def degree_k(self) -> int | None:
        """The k of k-degree."""
        k: int | None = level_of(self.goals, Degree)
        return k

    @property
    def spread(self) -> float | None:
        """The share of the spread."""
        share: float | None = level_of(self.goals, Spread)
        return share

    def added_labels(self) -> NDArray[Any]:
        """The pairs that were added, by the labels of their ends; `added` has their numbers."""
        return self.graph.labels[self.added]

    def deleted_labels(self) -> NDArray[Any]:
        """The pairs that were deleted, by the labels of their ends."""
        return self.original.labels[self.deleted]

    @property
    def changed(self) -> int:
        """Number of edges added and deleted."""
        return len(self.added) + len(self.deleted)


def recount(graph: Graph, goals: Goals) -> None:
    """Count a new graph again and refuse to hand it out if it does not keep its guarantees."""
    for goal, found in zip(goals, achieved(graph, goals), strict=True):
        if not goal.kept(found):
            raise VerificationError(
                f"the recount found {goal.name} broken: {goal.level_in_words(goal.level)} was asked for. "
                "The result is withheld. Please report this."
            )
