"""Change a graph as little as possible until every edge hides among k with the same number of mutual friends."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from graphveil.differences import differences
from graphveil.errors import ParameterError, UnreachableError
from graphveil.graph import Graph
from graphveil.methods.add import add
from graphveil.methods.add_del import add_del
from graphveil.methods.degrees import DegreeChange
from graphveil.methods.kda import kda
from graphveil.methods.liu_terzi import liu_terzi
from graphveil.methods.plan.planning import anonymize_by_plan
from graphveil.methods.result import Result, recount
from graphveil.methods.run import Counters, Group, Progress, Run
from graphveil.methods.workspace import Workspace, labels_with_new
from graphveil.parameters import whole_number
from graphveil.stopping import Stop, check, stoppable
from graphveil.words import counted

__all__ = ["DEGREES_ONLY", "METHODS", "anonymize", "method_options"]

NMF_METHODS: dict[str, Callable[..., None]] = {
    "add-intuit": partial(add, greedy=False),
    "add-greedy": partial(add, greedy=True),
    "add-del": add_del,
    "plan": anonymize_by_plan,
}
DEGREES_ONLY = "liu-terzi"
METHODS = (*NMF_METHODS, DEGREES_ONLY)


def anonymize(
    graph: Graph,
    k: int,
    *,
    method: str = "plan",
    degree_k: int | None = None,
    keep_edges: bool = False,
    budget: float | None = None,
    seed: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Stop | None = None,
) -> Result:
    """A k-NMF anonymous graph on the same vertices, with as few edges changed as the method can.

    Parameters
    ----------
    graph : any simple graph
    k : how many edges at least share each number of mutual friends afterwards; 2 or more
    method : ``"plan"`` searches for few edits; the paper's ``"add-del"`` adds and deletes edges, its ``"add-greedy"``
        and ``"add-intuit"`` only add; ``"liu-terzi"`` is the rival that looks after degrees only, so there k counts
        vertices of the same degree
    degree_k : how many vertices at least share each degree as well, by KDA after the method; 2 or more
    keep_edges : only add edges; ``"plan"`` does so when asked, ``"add-greedy"`` and ``"add-intuit"`` always, and
        ``"add-del"`` refuses
    budget : seconds after which ``"plan"`` takes the best result so far. A run that was stopped by the clock is
        not the same again under the same seed; ``notes`` of the result says so
    seed : for the choices left to chance; drawn from the system's entropy if not given, and kept in the result
    progress : called with a `Progress` now and then
    stop : a `graphveil.stopping.Stop`; its ``request()``, from any thread, does what Ctrl-C does

    Ctrl-C ends the search of ``"plan"`` and not the call: the best graph so far is returned, and ``interrupted`` of the
    result says so. Before and after the search, and with the other methods, it raises KeyboardInterrupt as usual.

    Raises
    ------
    UnreachableError
        Where the vertices cannot carry k edges, or are fewer than the degrees need: no graph on them can do it.

    Examples
    --------
    >>> from graphveil import Graph, anonymize
    >>> bridge = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    >>> result = anonymize(bridge, k=2, method="add-greedy", seed=7)
    >>> len(result.added), len(result.deleted), len(result.new_vertices), result.promises
    (1, 0, 0, {'k-NMF': 2})
    """
    k, degree_k, seed = _checked(graph, k, method, degree_k, seed)
    options = method_options(method, keep_edges=keep_edges, budget=budget)
    with stoppable(stop):
        return _anonymize(graph, k, degree_k, method, options, seed, progress)


def _anonymize(
    graph: Graph,
    k: int,
    degree_k: int | None,
    method: str,
    options: dict[str, Any],
    seed: int,
    progress: Callable[[Progress], None] | None,
) -> Result:
    """What `anonymize` does, with parameters that are checked."""
    started = time.perf_counter()
    rng = np.random.default_rng(seed)
    changed, promises, degrees = graph, {}, None
    groups: list[Group] = []
    notes: list[str] = []
    counters, interrupted = Counters(), False
    if method != DEGREES_ONLY:
        run = Run(Workspace(graph), k, rng, progress)
        NMF_METHODS[method](run, **options)
        changed, groups, counters = run.workspace.to_graph(), run.groups, run.counters
        notes, interrupted = run.notes, run.interrupted
        del run  # the recount can do with its memory
        promises["k-NMF"] = k
    if degree_k is not None:
        told = partial(_tell_degrees, progress, len(groups))
        if method == DEGREES_ONLY:
            degrees = liu_terzi(changed, degree_k, rng, told)
        else:
            degrees = kda(changed, degree_k, k, rng, told)
        changed = _with_more(changed, degrees)
        promises["k-degree"] = degree_k
    recount(changed, promises)
    added, deleted = differences(graph, changed)
    return Result(
        graph=changed,
        original=graph,
        added=added,
        deleted=deleted,
        new_vertices=np.arange(graph.n, changed.n, dtype=np.int32),
        promises=promises,
        k=k,
        degree_k=degree_k,
        method=method,
        seed=seed,
        groups=tuple(groups),
        counters=counters,
        degrees=degrees,
        options=options,
        notes=tuple(notes),
        interrupted=interrupted,
        seconds=time.perf_counter() - started,
    )


def _checked(
    graph: Graph, k: int, method: str, degree_k: int | None, seed: int | None
) -> tuple[int, int | None, int]:
    """The parameters as they will be used, or an error before any work starts."""
    k = whole_number("k", k, least=2)
    degree_k = None if degree_k is None else whole_number("degree_k", degree_k, least=2)
    seed = secrets.randbits(128) if seed is None else whole_number("seed", seed, least=0)
    if method not in METHODS:
        raise ParameterError(f"there is no method {method!r}; choose one of {', '.join(METHODS)}.")
    if method == DEGREES_ONLY:
        if degree_k not in (None, k):
            raise ParameterError(
                "liu-terzi looks after degrees only: its k is the one of the degrees. Leave --degree-k out."
            )
        degree_k = k
    pairs = graph.n * (graph.n - 1) // 2
    if method != DEGREES_ONLY and graph.m and k > pairs:
        raise UnreachableError(
            f"k={k:,} is out of reach: {graph.n:,} vertices carry at most {counted(pairs, 'edge')}. {_way_out(pairs)}"
        )
    if degree_k is not None and graph.n and degree_k > graph.n:
        raise UnreachableError(
            f"degree k={degree_k:,} is out of reach: only {counted(graph.n, 'vertex is', 'vertices are')} there to "
            f"share a degree. {_way_out(graph.n)}"
        )
    return k, degree_k, seed


def _way_out(most: int) -> str:
    return f"Choose k up to {most:,}." if most > 1 else "Nothing can hide here: take a larger graph."


def method_options(method: str, *, keep_edges: bool = False, budget: float | None = None) -> dict[str, Any]:
    """What else a method was asked for, or an error where it does not offer that."""
    if budget is not None and method != "plan":
        raise ParameterError(f"{method} takes no budget: leave --budget out, or choose the method plan.")
    if budget is not None and not (isinstance(budget, (int, float)) and budget > 0):
        raise ParameterError(f"the budget must be a positive number of seconds, such as 60, not {budget!r}.")
    if keep_edges and method == "add-del":
        raise ParameterError("add-del deletes edges. To keep them all choose plan, add-greedy or add-intuit.")
    options: dict[str, Any] = {"keep_edges": True} if keep_edges and method == "plan" else {}
    return options if budget is None else {**options, "budget": float(budget)}


def _with_more(graph: Graph, change: DegreeChange) -> Graph:
    """The graph with new edges, and new vertices last."""
    n = graph.n + change.new_vertices
    ends = np.concatenate((graph.edges, change.added))
    return Graph.from_arrays(
        ends[:, 0], ends[:, 1], n=n, labels=labels_with_new(graph.labels, change.new_vertices)
    )


def _tell_degrees(listener: Callable[[Progress], None] | None, groups: int, safe: int, vertices: int) -> None:
    check()
    if listener:
        listener(Progress("degrees", groups, vertices - safe, 0))
