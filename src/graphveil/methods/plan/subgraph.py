"""The search of the method `plan` on a part of a graph, with everything outside fixed.

A part is for graphs that do not fit into one machine. Let S be the *editable* vertices: those that may be ends of an
edit. The part holds every edge that touches S. An edit (x, y) with both ends in S changes only edges from x or y to
their common neighbours, and all of these touch S. So its effect is exact if two things are known of the rest: the
mutual friends of each edge of the part that are not in the part, a constant, and how many edges outside the part have
each mutual-friend count. The degrees of editable vertices are those in the part, and all others stay what they are. So
for k-degree anonymity it is enough to know how many vertices of the whole graph have each degree.

Clustering is kept as in `plan`, with one deviation: people outside S have only part of their friends here, so their
coefficients are estimates.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphveil.errors import ParameterError, UnreachableError
from graphveil.goals import goals_of
from graphveil.graph import Graph
from graphveil.methods.plan import tuning
from graphveil.methods.plan.improving import improved_solutions
from graphveil.methods.plan.potential import Edits, OutOfTime, Part
from graphveil.methods.plan.restore_clustering import swapped
from graphveil.methods.plan.search import Search
from graphveil.methods.workspace import Workspace
from graphveil.mutual import mutual_friends


class PartEdits(NamedTuple):
    """Edits of a part, as pairs of its vertices in ascending order."""

    added: NDArray[np.int64]
    deleted: NDArray[np.int64]
    stopped: bool  # by the clock: the same seed may give other edits next time


def plan_on_part(
    edges: ArrayLike,
    counts: ArrayLike,
    outside: ArrayLike,
    editable: ArrayLike,
    k: int,
    *,
    seed: int,
    degree_k: int | None = None,
    degrees: ArrayLike = (),
    keep_edges: bool = False,
    time_is_up: Callable[[], bool] = lambda: False,
) -> PartEdits:
    """Edits between editable vertices that make the whole graph k-NMF anonymous, and k-degree anonymous if asked.

    ``edges`` are all that touch an editable vertex, once each, ``counts`` their mutual friends in the whole graph,
    and ``outside`` says how many other edges have 0, 1, 2 … mutual friends. ``degrees`` does the same for the friends
    of all vertices. Once ``time_is_up`` says yes, the best solution so far is taken; without any, this is an
    `UnreachableError`.

    Two triangles and a bridge between them, whose friendship alone has no mutual friends:

    >>> edges = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)]
    >>> plan_on_part(edges, [1, 1, 1, 0, 1, 1, 1], [], [True] * 6, k=2, seed=7).deleted.tolist()
    [[2, 3]]
    """
    graph, extra = _part(edges, counts, editable)
    people = np.asarray(degrees, np.int64)
    if degree_k is not None and len(people) * (2 * degree_k + 1) > tuning.LARGEST_TABLE:
        raise UnreachableError(
            f"the tables for degrees would not fit into memory with a degree k of {degree_k}: take a smaller one."
        )
    part = Part(np.asarray(outside, np.int64), np.asarray(editable, np.bool_), people)
    goals, rng = goals_of({"k": k, "degree_k": degree_k}), np.random.default_rng(seed)
    search = Search(Workspace(graph, extra), goals, rng, keep_edges, time_is_up, part=part)
    if not search.violating:
        return _as_arrays(graph, {}, stopped=False)
    best, stopped = _best(search)
    if best is None:
        wanted = f"{k}-NMF anonymous" + (f" and {degree_k}-degree anonymous" if degree_k else "")
        raise UnreachableError(
            f"the search found no {wanted} graph with {int(part.editable.sum()):,} editable vertices"
            f"{' in the time given' if stopped else ''}: take more of them, or a smaller k."
        )
    return _as_arrays(graph, best, stopped=stopped)


def _part(edges: ArrayLike, counts: ArrayLike, editable: ArrayLike) -> tuple[Graph, NDArray[np.int64]]:
    """The part as a graph, and for each of its edges the mutual friends that are not in it."""
    pairs = np.sort(np.asarray(edges, np.int64).reshape(-1, 2), axis=1)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    allowed = np.asarray(editable, np.bool_)
    graph = Graph.from_arrays(pairs[:, 0], pairs[:, 1], n=len(allowed))
    if graph.m != len(pairs):
        raise ParameterError("the part has an edge twice, or from a vertex to itself: give each edge once.")
    extra = np.asarray(counts, np.int64)[order] - mutual_friends(graph)
    if np.any(extra < 0) or np.any(extra[allowed[graph.edges].all(axis=1)]):
        raise ParameterError(
            "the counts do not fit the edges: the part must hold every edge that touches an editable vertex."
        )
    return graph, extra


def _best(search: Search) -> tuple[Edits | None, bool]:
    """The shortest solution found, of several the one that keeps clustering best; whether the clock stopped it."""
    best, least = None, (math.inf, 0.0)
    try:
        for found in improved_solutions(search):
            if (now := (len(found), abs(search.drift))) < least:
                best, least = found, now
        if best is not None and search.degrees is None:
            best = swapped(search, best)
    except OutOfTime:
        return best, True
    return best, False


def _as_arrays(graph: Graph, edits: Edits, *, stopped: bool) -> PartEdits:
    pairs = np.array(sorted(edits), np.int64).reshape(-1, 2)
    keys = graph.edges[:, 0] * np.int64(graph.n) + graph.edges[:, 1]
    deleted = np.isin(pairs[:, 0] * graph.n + pairs[:, 1], keys)
    return PartEdits(pairs[~deleted], pairs[deleted], stopped)
