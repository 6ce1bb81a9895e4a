"""What an anonymization gives back, and the recount that stands before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import VerificationError
from graphveil.graph import Graph
from graphveil.methods.degrees import DegreeChange
from graphveil.methods.run import Group
from graphveil.risk.auditing import achieved
from graphveil.risk.guarantees import Guarantee
from graphveil.words import counted, percent, size

__all__ = ["Result", "recount"]


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
    promises
        The level of each guarantee that holds by recount, such as ``{"k-NMF": 25}``
    k, degree_k, degree_method, spread, method, seed
        The parameters; the same ones give the same graph again
    groups
        The groups of edges in the order they were closed
    degrees
        What was done for the degrees, where they were asked for
    options
        What else the method was asked for
    notes
        What the owner should know about the run
    interrupted
        Whether Ctrl-C ended the search of ``plan``, of which this is the best graph until then
    seconds
        How long it took
    """

    graph: Graph
    original: Graph
    added: NDArray[np.int32]
    deleted: NDArray[np.int32]
    new_vertices: NDArray[np.int32]
    promises: dict[Guarantee, float]
    k: int
    degree_k: int | None
    method: str
    seed: int
    groups: tuple[Group, ...]
    degrees: DegreeChange | None
    degree_method: str | None = None
    spread: float | None = None
    options: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    seconds: float = 0.0

    def __repr__(self) -> str:
        """Short, and without a secret: seed and changed edges would tell who is who."""
        promises = ", ".join(f"{model} {level:,}" for model, level in self.promises.items())
        return (
            f"Result({self.method}: {promises}; {len(self.added):,} edges added, {len(self.deleted):,} deleted, "
            f"{counted(len(self.new_vertices), 'new vertex', 'new vertices')})"
        )

    def _repr_html_(self) -> str:
        """A small table for notebooks: numbers only, as in `repr`."""
        from graphveil.pages import in_notebook

        rows = [
            *((guarantee, guarantee.level(level)) for guarantee, level in self.promises.items()),
            ("friendships added", f"{len(self.added):,}"),
            ("friendships deleted", f"{len(self.deleted):,}"),
            ("changed", percent(self.changed / self.original.m) if self.original.m else "–"),
            ("dummy people", f"{len(self.new_vertices):,}"),
        ]
        caption = f"{size(self.graph.n, self.graph.m)}, anonymized by {self.method}"
        return in_notebook((caption, (), rows), notes=self.notes)

    @property
    def changed(self) -> int:
        """Number of edges added and deleted."""
        return len(self.added) + len(self.deleted)


def recount(graph: Graph, promises: Mapping[Guarantee, float]) -> None:
    """Count a new graph again and refuse to hand it out if it does not keep its guarantees."""
    for guarantee, found in achieved(graph, promises).items():
        if not guarantee.kept(found, promises[guarantee]):
            raise VerificationError(
                f"the recount found {guarantee} broken: {guarantee.level(promises[guarantee])} was asked for. "
                "The result is withheld. Please report this."
            )
