"""What an anonymization will cost, before the search for a cheaper one begins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.methods.anonymizing import anonymize
from graphveil.methods.run import Progress
from graphveil.methods.table import MethodName

__all__ = ["Prediction", "predict_changes"]

FASTEST: dict[bool, MethodName] = {True: "add-greedy", False: "add-del"}  # by whether all edges are kept
BUDGET = 10.0  # seconds, where only plan can do it
SEED = 7  # an estimate publishes nothing, so the seed is no secret


@dataclass(frozen=True)
class Prediction:
    """What a quick method needs; ``plan`` begins with less or searches until it needs less.

    Attributes
    ----------
    method
        The quick method that was run
    added, deleted
        Friendships that it changes
    dummies
        Dummy people that it adds
    share
        Its changes as a share of the friendships
    """

    method: str
    added: int
    deleted: int
    dummies: int
    share: float

    @property
    def changes(self) -> int:
        """Friendships added and deleted."""
        return self.added + self.deleted


def predict_changes(
    graph: GraphLike,
    k: int,
    *,
    degree_k: int | None = None,
    spread: float | None = None,
    keep_edges: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Prediction:
    """How many changes the paper's quick method makes: a size to expect, found in a moment.

    No quick method keeps a spread. With one, ``plan`` searches for a few seconds.

    Parameters
    ----------
    graph, k, degree_k, spread, keep_edges, progress
        As in `graphveil.anonymize`

    Examples
    --------
    >>> import graphveil
    >>> town = graphveil.generate(edges=300, seed=4)
    >>> predict_changes(town, 5).changes >= graphveil.anonymize(town, 5, seed=7).changed
    True
    """
    graph = as_graph(graph)
    method = FASTEST[keep_edges]
    options: dict[str, Any] = {}
    if spread is not None:
        method, options = "plan", {"spread": spread, "keep_edges": keep_edges, "budget": BUDGET}
    result = anonymize(graph, k, method=method, degree_k=degree_k, seed=SEED, progress=progress, **options)
    added, deleted = len(result.added), len(result.deleted)
    share = (added + deleted) / graph.m if graph.m else 0.0
    return Prediction(method, added, deleted, len(result.new_vertices), share)
