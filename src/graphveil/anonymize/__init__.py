"""Change a graph as little as possible until every edge hides among k with the same number of mutual friends."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.anonymize.add import add
from graphveil.anonymize.add_del import add_del
from graphveil.anonymize.run import Counters, Group, Progress, Run
from graphveil.errors import ParameterError, UnreachableError, VerificationError
from graphveil.graph import Graph
from graphveil.mutual import mutual_friends
from graphveil.parameters import whole_number
from graphveil.workspace import Workspace

__all__ = ["METHODS", "Counters", "Group", "Progress", "Result", "anonymize"]

METHODS: dict[str, Callable[[Run], None]] = {
    "add-intuit": partial(add, greedy=False),
    "add-greedy": partial(add, greedy=True),
    "add-del": add_del,
}


@dataclass(frozen=True)
class Result:
    """An anonymized graph and how it came about.

    Attributes
    ----------
    graph : the new graph; labels and order of the original, new vertices last
    original : the graph it was made from
    added, deleted : arrays of pairs of vertex numbers, sorted
    new_vertices : numbers of the vertices that the original does not have
    groups : the groups in the order they were closed
    counters : what was done, by phase
    k, method, seed : the parameters; the same ones give the same graph again
    seconds : how long it took
    """

    graph: Graph
    original: Graph
    added: NDArray[np.int32]
    deleted: NDArray[np.int32]
    new_vertices: NDArray[np.int32]
    groups: tuple[Group, ...]
    counters: Counters
    k: int
    method: str
    seed: int
    seconds: float

    @property
    def changed(self) -> int:
        """Number of edges added and deleted."""
        return len(self.added) + len(self.deleted)


def anonymize(
    graph: Graph,
    k: int,
    *,
    method: str = "add-del",
    seed: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """A k-NMF anonymous graph on the same vertices, with as few edges changed as the method can.

    Parameters
    ----------
    graph : any simple graph
    k : how many edges at least share each number of mutual friends afterwards; 2 or more
    method : ``"add-del"`` adds and deletes edges, ``"add-greedy"`` and ``"add-intuit"`` only add
    seed : for the choices left to chance; drawn from the system's entropy if not given, and kept in the result
    progress : called with a `Progress` now and then

    Raises
    ------
    UnreachableError
        Where the vertices cannot carry k edges, so no graph on them can be k-NMF anonymous.

    Examples
    --------
    >>> from graphveil import Graph, anonymize
    >>> bridge = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    >>> result = anonymize(bridge, k=2, method="add-greedy", seed=7)
    >>> len(result.added), len(result.deleted), len(result.new_vertices)
    (1, 0, 0)
    """
    k = whole_number("k", k, least=2)
    if method not in METHODS:
        raise ParameterError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}.")
    seed = secrets.randbits(64) if seed is None else whole_number("seed", seed, least=0)
    check_reachable(graph, k)
    started = time.perf_counter()
    run = Run(Workspace(graph), k, np.random.default_rng(seed), progress)
    METHODS[method](run)
    changed = run.workspace.to_graph()
    recount(changed, k)
    added, deleted = differences(graph, changed)
    return Result(
        graph=changed,
        original=graph,
        added=added,
        deleted=deleted,
        new_vertices=np.arange(graph.n, changed.n, dtype=np.int32),
        groups=tuple(run.groups),
        counters=run.counters,
        k=k,
        method=method,
        seed=seed,
        seconds=time.perf_counter() - started,
    )


def check_reachable(graph: Graph, k: int) -> None:
    """Refuse a k that no graph on these vertices can satisfy."""
    pairs = graph.n * (graph.n - 1) // 2
    if graph.m and k > pairs:
        raise UnreachableError(
            f"k={k:,} is out of reach: {graph.n:,} vertices carry at most {pairs:,} edges. "
            f"Choose k up to {pairs:,}."
        )


def recount(graph: Graph, k: int) -> None:
    """Count the new graph afresh and refuse to return it if it does not keep the promise."""
    sizes = np.bincount(mutual_friends(graph))
    small = np.flatnonzero((sizes > 0) & (sizes < k))
    if len(small):
        raise VerificationError(
            f"the recount found {len(small)} classes below k={k}: the result is withheld. Please report this."
        )


def differences(before: Graph, after: Graph) -> tuple[NDArray[Any], NDArray[Any]]:
    """Edges of ``after`` that ``before`` lacks, and the other way round."""
    scale = max(after.n, 1)
    old, new = (graph.edges[:, 0] * np.int64(scale) + graph.edges[:, 1] for graph in (before, after))
    added = after.edges[~np.isin(new, old, assume_unique=True)]
    deleted = before.edges[~np.isin(old, new, assume_unique=True)]
    return added, deleted
