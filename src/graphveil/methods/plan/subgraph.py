"""The search of the method `plan` on a part of a graph, with everything outside fixed.

A part is for graphs that do not fit into one machine. Let S be the *editable* vertices: those that may be ends of an
edit. Each is *wholly* or *partly* editable, and of the two ends of an edit one is wholly editable. The part holds every
edge that touches a wholly editable vertex, and every edge between a partly editable one and a neighbour of a wholly
editable one, or two partly editable ones. An edit (x, y) changes only edges from x or y to their common neighbours,
and the part has all of these. So its effect is exact if two things are known of the rest: the mutual friends of each
edge of the part that are not in the part, a constant, and how many edges outside the part have each mutual-friend
count. The degrees of wholly editable vertices are those in the part, and where there are no partly editable ones, all
others stay what they are. So for k-degree anonymity it is enough to know how many vertices of the whole graph have
each degree.

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
from graphveil.methods.plan.improving import improved_solutions, solutions
from graphveil.methods.plan.potential import PARTLY, WHOLLY, Edits, OutOfTime, Part
from graphveil.methods.plan.restore_clustering import swapped
from graphveil.methods.plan.search import Search
from graphveil.methods.plan.step_costs import FORBIDDEN, Stage, StepCosts
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
    wholly = WHOLLY * np.asarray(editable, np.int8)
    graph, extra = _part(edges, counts, wholly)
    people = np.asarray(degrees, np.int64)
    if degree_k is not None and len(people) * (2 * degree_k + 1) > tuning.LARGEST_TABLE:
        raise UnreachableError(
            f"the tables for degrees would not fit into memory with a degree k of {degree_k}: take a smaller one."
        )
    part = Part(np.asarray(outside, np.int64), wholly, people)
    goals, rng = goals_of({"k": k, "degree_k": degree_k}), np.random.default_rng(seed)
    search = Search(Workspace(graph, extra), goals, rng, keep_edges, time_is_up, part=part)
    if not search.violating:
        return _as_arrays(graph, {}, stopped=False)
    best, stopped = _best(search)
    if best is None:
        wanted = f"{k}-NMF anonymous" + (f" and {degree_k}-degree anonymous" if degree_k else "")
        raise UnreachableError(
            f"the search found no {wanted} graph with {np.count_nonzero(wholly):,} editable vertices"
            f"{' in the time given' if stopped else ''}: take more of them, or a smaller k."
        )
    return _as_arrays(graph, best, stopped=stopped)


class Lowered(NamedTuple):
    """A part after edits that brought the whole graph nearer to its goal, as far as they could."""

    toggled: NDArray[np.int64]  # pairs of its vertices in ascending order
    edges: NDArray[np.int64]  # those of the part, afterwards
    counts: NDArray[np.int64]  # their mutual friends in the whole graph


def lower_on_part(
    edges: ArrayLike,
    counts: ArrayLike,
    outside: ArrayLike,
    editable: NDArray[np.int8],
    k: int,
    *,
    seed: int,
    fall: int | None = None,
    keep_edges: bool = False,
    time_is_up: Callable[[], bool] = lambda: False,
) -> Lowered:
    """Edits that lower what is left on the way to a k-NMF anonymous graph, if not to zero.

    Parameters as in `plan_on_part`, but ``editable`` is PARTLY, WHOLLY or 0 for each vertex. With ``fall`` there is one
    descent, in which it is so many times dearer to lower an edge than to raise it; else descents of all kinds until one
    reaches the goal, and this one only where none does.
    """
    graph, extra = _part(edges, counts, editable)
    part = Part(np.asarray(outside, np.int64), editable)
    rng = np.random.default_rng(seed)
    search = Search(Workspace(graph, extra), goals_of({"k": k}), rng, keep_edges, time_is_up, part=part)
    found = None if fall else next(solutions(search), None)
    search.go_to(found.edits if found else {})
    if found is None:
        search.descend(
            [Stage(StepCosts(fall=FORBIDDEN, come=1) if keep_edges else StepCosts(fall=fall or 1))]
        )
    if search.somebody_lost_all():
        search.go_to({})
    state = search.workspace.state
    alive = state.count >= 0
    toggled = np.array(sorted(search.edits), np.int64).reshape(-1, 2)
    ends = np.sort(state.ends[alive].astype(np.int64), axis=1)
    return Lowered(toggled, ends, state.count[alive].astype(np.int64))


def _part(edges: ArrayLike, counts: ArrayLike, editable: NDArray[np.int8]) -> tuple[Graph, NDArray[np.int64]]:
    """The part as a graph, and for each of its edges the mutual friends that are not in it."""
    pairs = np.sort(np.asarray(edges, np.int64).reshape(-1, 2), axis=1)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    graph = Graph.from_arrays(pairs[:, 0], pairs[:, 1], n=len(editable))
    if graph.m != len(pairs):
        raise ParameterError("the part has an edge twice, or from a vertex to itself: give each edge once.")
    extra = np.asarray(counts, np.int64)[order] - mutual_friends(graph)
    if np.any(extra < 0) or np.any(extra[editable[graph.edges].sum(axis=1) >= WHOLLY + PARTLY]):
        raise ParameterError(
            "the counts do not fit the edges: the part must hold every edge that touches an editable vertex."
        )
    return graph, extra


def _best(search: Search) -> tuple[Edits | None, bool]:
    """The shortest solution found, of several the one that keeps clustering best; whether the clock stopped it."""
    best: Edits | None = None
    least = (math.inf, 0.0)
    try:
        for found in improved_solutions(search):
            if found.cost < least:
                best, least = found.edits, found.cost
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
