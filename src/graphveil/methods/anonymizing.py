"""Change a graph as little as possible until every edge hides among k with the same number of mutual friends."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from graphveil.differences import differences
from graphveil.errors import ParameterError
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.formats.shapes import warn_of_cautions
from graphveil.graph import Graph
from graphveil.methods.degrees import DegreeChange
from graphveil.methods.result import Result, recount
from graphveil.methods.run import Group, Progress, Run
from graphveil.methods.table import (
    DEGREE_METHODS,
    METHODS,
    DegreeMethodName,
    Method,
    MethodName,
    method_options,
)
from graphveil.methods.workspace import Workspace, labels_with_new
from graphveil.notebooks import also_say, long_work
from graphveil.parameters import check_reachable, proportion, whole_number
from graphveil.risk.guarantees import Guarantee
from graphveil.stopping import Stop, check, stoppable

__all__ = ["anonymize"]

Listener = Callable[[Progress], None] | None
AT_ONCE = "plan"  # the method that takes care of degrees itself, and its name as a method for degrees


@long_work("anonymizing")
def anonymize(
    graph: GraphLike,
    k: int,
    *,
    method: MethodName = "plan",
    degree_k: int | None = None,
    degree_method: DegreeMethodName | None = None,
    spread: float | None = None,
    keep_edges: bool = False,
    budget: float | None = None,
    seed: int | None = None,
    progress: Listener = None,
    stop: Stop | None = None,
) -> Result:
    """A k-NMF anonymous graph on the same vertices, with as few edges changed as the method can.

    Parameters
    ----------
    graph
        The graph, or anything that `graphveil.as_graph` takes
    k
        Smallest number of edges with the same mutual-friend count afterwards; 2 or more
    method
        ``"plan"`` searches for few edits; the paper's ``"add-del"`` adds and deletes edges, its ``"add-greedy"``
        and ``"add-intuit"`` only add; ``"liu-terzi"`` makes degrees anonymous only, for comparison, so there k counts
        vertices of the same degree
    degree_k
        Smallest number of vertices with the same degree as well; 2 or more
    degree_method
        How the degrees come to that: ``"plan"`` searches for both guarantees at once, which is the default
        of the method plan, or one that comes after the method, ``"kda"`` by default
    spread
        The largest share of the edges with one mutual-friend count that may touch one vertex, such as 0.5; only
        ``"plan"`` can look after it, and with ``degree_k`` only where it looks after the degrees too
    keep_edges
        Only add edges; ``"plan"`` does so when asked, ``"add-greedy"`` and ``"add-intuit"`` always, and
        ``"add-del"`` refuses
    budget
        Seconds after which ``"plan"`` takes the best result so far. A run that was stopped by the clock is
        not the same again under the same seed; ``notes`` of the result says so
    seed
        For the choices left to chance; drawn from the system's entropy if not given, and kept in the result
    progress
        Called with a `Progress` now and then
    stop
        A `graphveil.stopping.Stop`; its ``request()``, from any thread, does what Ctrl-C does

    Ctrl-C ends the search of ``"plan"`` and not the call: the best graph so far is returned, and ``interrupted`` of the
    result says so. Before and after the search, and with the other methods, it raises KeyboardInterrupt as usual.

    Warns of what `graphveil.cautions` finds, once for each graph: a file of memberships, a graph without mutual
    friends, ids that look like missing values. Warns too of columns that were chosen among several.

    Raises
    ------
    UnreachableError
        Where the vertices cannot carry k edges, or are fewer than the degrees need: no graph on them can do it. Or
        where no graph with the spread was found; the message says which share can be had.

    Examples
    --------
    >>> from graphveil import Graph, anonymize
    >>> bridge = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    >>> result = anonymize(bridge, k=2, method="add-greedy", seed=7)
    >>> len(result.added), len(result.deleted), len(result.new_vertices), result.promises
    (1, 0, 0, {'k-NMF': 2})
    """
    graph, progress = as_graph(graph), also_say(progress, str)
    warn_of_cautions(graph)
    options = method_options(method, keep_edges=keep_edges, budget=budget, spread=spread)
    asked = _checked(graph, k, METHODS[method], degree_k, degree_method, spread)
    seed = secrets.randbits(128) if seed is None else whole_number("seed", seed, least=0)
    started = time.perf_counter()
    with stoppable(stop):
        rng = np.random.default_rng(seed)
        changed, done = _for_mutual_friends(graph, METHODS[method], asked, options, rng, progress)
        degrees = None
        if asked.degree_method != AT_ONCE:
            changed, degrees = _for_degrees(changed, METHODS[method], asked, rng, progress, len(done.groups))
        levels = {Guarantee.NMF: asked.k, Guarantee.DEGREE: asked.degree_k, Guarantee.SPREAD: asked.spread}
        promises: dict[Guarantee, float] = {each: level for each, level in levels.items() if level}
        recount(changed, promises)
        added, deleted = differences(graph, changed)
    changed.has_real_ids = True
    return Result(
        graph=changed,
        original=graph,
        added=added,
        deleted=deleted,
        new_vertices=np.arange(graph.n, changed.n, dtype=np.int32),
        promises=promises,
        k=int(k),
        degree_k=asked.degree_k,
        degree_method=None if asked.k is None or asked.degree_k is None else asked.degree_method,
        spread=asked.spread,
        method=method,
        seed=seed,
        groups=done.groups,
        degrees=degrees,
        options=options,
        notes=done.notes,
        interrupted=done.interrupted,
        seconds=time.perf_counter() - started,
    )


class Asked(NamedTuple):
    """The level of each guarantee, None where it was not asked for, and how the degrees come to theirs."""

    k: int | None
    degree_k: int | None
    degree_method: str
    spread: float | None


def _checked(
    graph: Graph,
    k: int,
    method: Method,
    degree_k: int | None,
    degree_method: str | None,
    spread: float | None,
) -> Asked:
    """The guarantees asked for, or an error before any work starts."""
    k = whole_number("k", k, least=2)
    degree_k = None if degree_k is None else whole_number("degree_k", degree_k, least=2)
    named = degree_method or (AT_ONCE if "degree_k" in method.options and degree_k is not None else "kda")
    choice = [*DEGREE_METHODS, *([AT_ONCE] if "degree_k" in method.options else [])]
    if named not in choice:
        raise ParameterError(
            f"{named!r} cannot make the degrees anonymous here; choose one of {', '.join(choice)} as degree_method."
        )
    if not method.takes_degree_k and degree_k not in (None, k):
        raise ParameterError("this method is about degrees only: its k is theirs. Leave --degree-k out.")
    share = None if spread is None else proportion("spread", spread)
    if share is not None and degree_k is not None and named != AT_ONCE:
        raise ParameterError(
            f"{named} takes no spread. Leave --spread out, or choose --degree-method {AT_ONCE}."
        )
    named = "kda" if degree_k is None else named
    asked = Asked(
        k if method.takes_degree_k else None, degree_k if method.takes_degree_k else k, named, share
    )
    check_reachable(graph.n, graph.m, asked.k, asked.degree_k, asked.spread)
    return asked


class Done(NamedTuple):
    """What is to be known about a run when its workspace is gone: the recount can do with the memory."""

    groups: tuple[Group, ...] = ()
    notes: tuple[str, ...] = ()
    interrupted: bool = False


def _for_mutual_friends(
    graph: Graph,
    method: Method,
    asked: Asked,
    options: dict[str, Any],
    rng: np.random.Generator,
    progress: Listener,
) -> tuple[Graph, Done]:
    """The graph with every mutual-friend count on k edges, if that was asked for."""
    if asked.k is None:
        return graph, Done()
    run = Run(Workspace(graph, rng=rng), asked.k, rng, progress)
    if asked.degree_method == AT_ONCE:
        options = {**options, "degree_k": asked.degree_k}
    if asked.spread is not None:
        options = {**options, "spread": asked.spread}
    method.function(run, **options)
    return run.workspace.to_graph(), Done(tuple(run.groups), tuple(run.notes), run.interrupted)


def _for_degrees(
    graph: Graph, method: Method, asked: Asked, rng: np.random.Generator, progress: Listener, groups: int
) -> tuple[Graph, DegreeChange | None]:
    """The graph with every degree on ``degree_k`` vertices, if that was asked for, and what was done for it."""
    if asked.degree_k is None:
        return graph, None
    told = partial(_tell_degrees, progress, groups)
    if asked.k is None:
        change = method.function(graph, asked.degree_k, rng, told)
    else:
        change = DEGREE_METHODS[asked.degree_method](graph, asked.degree_k, asked.k, rng, told)
    return _with_more(graph, change), change


def _with_more(graph: Graph, change: DegreeChange) -> Graph:
    """The graph with new edges, and new vertices last."""
    n = graph.n + change.new_vertices
    ends = np.concatenate((graph.edges, change.added))
    return Graph.from_arrays(
        ends[:, 0], ends[:, 1], n=n, labels=labels_with_new(graph.labels, change.new_vertices)
    )


def _tell_degrees(listener: Listener, groups: int, safe: int, vertices: int) -> None:
    check()
    if listener:
        listener(Progress("degrees", groups, vertices - safe, 0))
