"""What an anonymization will cost: a few short trial runs of the very method that was chosen."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from graphveil.errors import UnreachableError
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.goals import Goal
from graphveil.methods.anonymizing import anonymize
from graphveil.methods.run import Progress
from graphveil.methods.table import MethodName, method_named

SEEDS = (7, 8, 9)  # an estimate publishes nothing, so they are no secret
BUDGET = 3.0  # seconds of a search that could go on
PATIENCE = 6.0  # seconds after which no other run begins


@dataclass(frozen=True)
class Prediction:
    """What trial runs needed. The real run has another seed and may search longer, so it is not bounded by these."""

    method: str  # the method that was run
    changes: tuple[int, ...]  # friendships added and deleted, by each run, ascending
    dummies: int  # the most dummy people that a run added
    share: float  # the most changes as a share of the friendships


def predict_changes(
    graph: GraphLike,
    k: int | None = None,
    *,
    goals: Iterable[Goal] = (),
    method: MethodName = "plan",
    progress: Callable[[Progress], None] | None = None,
    **how: Any,
) -> Prediction:
    """How many changes a method makes: up to three runs with other seeds, of three seconds of search each.

    >>> import graphveil
    >>> town = graphveil.generate(edges=300, seed=4)
    >>> found = predict_changes(town, 5, method="add-del")
    >>> found.method, len(found.changes), found.changes == tuple(sorted(found.changes))
    ('add-del', 3, True)
    """
    graph, started = as_graph(graph), monotonic()
    options = {"budget": BUDGET, **how} if "budget" in method_named(method).options else how
    results: list[tuple[int, int]] = []
    for seed in SEEDS:
        begun = monotonic()
        try:
            result = anonymize(graph, k, goals=goals, method=method, seed=seed, progress=progress, **options)
        except UnreachableError:
            if monotonic() - begun < options.get("budget", float("inf")):
                raise  # no search finds it, however long
            break
        results.append((result.changed, len(result.new_vertices)))
        if monotonic() - started > PATIENCE:
            break
    changes = tuple(sorted(changed for changed, _ in results))
    share = changes[-1] / graph.m if graph.m and changes else 0.0
    return Prediction(method, changes, max((new for _, new in results), default=0), share)
