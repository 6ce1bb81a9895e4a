"""k-NMF and k-degree anonymity by one search: the course of a run with ``degree_k`` (docs/plan.md).

The search of `graphveil.methods.plan.both_search` starts from the original graph. Its rival is the other way: `plan`
for mutual friends, then the paper's KDA for degrees. The rival runs where the search finds nothing, and where it could
need fewer changes: KDA adds at least half of the least sum of raises. The better of the two is the result. Fewer dummy
people come first, then fewer changes. With a spread there is no rival.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import differences
from graphveil.graph import Graph
from graphveil.methods.degrees import fewest_edges
from graphveil.methods.kda import kda, unsafe
from graphveil.methods.plan.both_search import BothSearch
from graphveil.methods.plan.search import FEW_VERTICES, Edits, OutOfTime, Search
from graphveil.methods.plan.spread_search import BothSpreadSearch, no_such_spread
from graphveil.methods.run import Progress, Run
from graphveil.methods.workspace import Workspace
from graphveil.stopping import Stopped, answer, check
from graphveil.words import counted

__all__ = ["obstacle_of_degrees", "plan_both"]

STEPS, FEW_STEPS = (
    100_000,
    10_000,
)  # edits made and taken back to shorten a solution: where a step is cheap, and else
LARGEST_TABLE = 20_000_000  # entries of the dynamic programme
ANOTHER_TIME = "and the same seed may give another graph next time"


class Rival(NamedTuple):
    """What the other way came to."""

    graph: Graph
    changes: int
    dummies: int


def plan_both(
    run: Run,
    degree_k: int,
    keep_edges: bool,
    time_is_up: Callable[[], bool],
    plan: Callable[[Run, bool, Callable[[], bool]], None],
    spread: float | None = None,
) -> None:
    """Make the graph of a run k-NMF and ``degree_k``-degree anonymous; ``plan`` is the way to k-NMF alone."""
    original = run.workspace.original
    if spread is None and not run.workspace.violating(run.k) and not unsafe(original.degrees, degree_k):
        return
    found, stopped = _searched(run, degree_k, keep_edges, time_is_up, spread)
    if spread is None and (found is None or len(found) > fewest_edges(original.degrees, degree_k)):
        rival = _rival(run, degree_k, keep_edges, (lambda: True) if stopped else time_is_up, plan)
        if found is None or (not rival.dummies and rival.changes < len(found)):
            _become(run, rival.graph)
            _say_rival(run, degree_k, keep_edges, rival, found, stopped, time_is_up)
            return
    assert found is not None
    for pair in sorted(found):
        _toggle(run.workspace, pair)
    for value in sorted(run.workspace.class_sizes(), reverse=True):
        run.close_group(value)
    if stopped:
        run.notes.append(f"the search was {stopped}, {ANOTHER_TIME}")


def obstacle_of_degrees(graph: Graph, k: int, degree_k: int) -> str | None:
    """Why there can be no search for both guarantees, if so."""
    if graph.m < k:
        return "the graph has fewer than k edges"
    if (int(graph.degrees.max(initial=0)) + 3) * (2 * degree_k + 1) > LARGEST_TABLE:
        return "the tables for degrees would not fit into memory with so large a degree k"
    return None


def _searched(
    run: Run, degree_k: int, keep_edges: bool, time_is_up: Callable[[], bool], spread: float | None
) -> tuple[Edits | None, str]:
    """The fewest edits found, and what stopped the search, if anything did; with a spread, an error if none were."""
    original = run.workspace.original
    if (obstacle := obstacle_of_degrees(original, run.k, degree_k)) is not None:
        if spread is None or not original.m:
            return ({} if spread else None), ""
        raise no_such_spread(spread, (), f"there was no search, for {obstacle}")
    search = _search(run, degree_k, keep_edges, time_is_up, spread)
    found: Edits | None = None
    stopped = ""
    try:
        few = original.n < FEW_VERTICES
        for edits in search.solutions_for_both(STEPS if few else FEW_STEPS):
            found = edits
    except OutOfTime:
        stopped = "stopped by its budget"
    except Stopped:
        if spread is not None and found is None:
            raise
        answer()
        run.interrupted = True
        stopped = "interrupted"
    if isinstance(search, BothSpreadSearch) and found is None:
        raise no_such_spread(search.share, (search,), f"the search was {stopped}" if stopped else "")
    return found, stopped


def _search(
    run: Run, degree_k: int, keep_edges: bool, time_is_up: Callable[[], bool], spread: float | None
) -> BothSearch:
    common = (
        Workspace(run.workspace.original),
        run.k,
        run.rng.spawn(1)[0],
        keep_edges,
        time_is_up,
        _teller(run),
    )
    if spread is None:
        return BothSearch(*common, degree_k=degree_k)
    return BothSpreadSearch(*common, degree_k=degree_k, share=spread)


def _teller(run: Run) -> Callable[[Search], None]:
    def tell(search: Search) -> None:
        check()
        if run.listener:
            run.listener(Progress("search", 0, search.violating, len(search.edits)))

    return tell


def _rival(
    run: Run,
    degree_k: int,
    keep_edges: bool,
    time_is_up: Callable[[], bool],
    plan: Callable[[Run, bool, Callable[[], bool]], None],
) -> Rival:
    """`plan` for mutual friends, then KDA for degrees."""
    original = run.workspace.original
    rng = run.rng.spawn(1)[0]
    other = replace(run, workspace=Workspace(original, rng=rng), rng=rng, groups=[], notes=[])
    plan(other, keep_edges, time_is_up)
    run.interrupted = run.interrupted or other.interrupted
    graph = other.workspace.to_graph()
    change = kda(graph, degree_k, run.k, rng, lambda done, of: check())
    edges = np.concatenate((graph.edges, change.added))
    graph = Graph.from_arrays(edges[:, 0], edges[:, 1], n=graph.n + change.new_vertices)
    added, deleted = differences(original, graph)
    return Rival(graph, len(added) + len(deleted), graph.n - original.n)


def _become(run: Run, graph: Graph) -> None:
    """Bring the workspace of a run to a graph that has the same vertices, or some more."""
    added, deleted = differences(run.workspace.original, graph)
    for _ in range(graph.n - run.workspace.original.n):
        run.workspace.add_vertex()
    for pair in _pairs(deleted) + _pairs(added):
        _toggle(run.workspace, pair)
    for value in sorted(run.workspace.class_sizes(), reverse=True):
        run.close_group(value)


def _pairs(rows: NDArray[np.int32]) -> list[tuple[int, int]]:
    return [(u, v) for u, v in rows.tolist()]


def _toggle(workspace: Workspace, pair: tuple[int, int]) -> None:
    edge = workspace.edge_between(*pair)
    if edge is None:
        workspace.add_edge(*pair)
    else:
        workspace.delete_edge(edge)


def _say_rival(
    run: Run,
    degree_k: int,
    keep_edges: bool,
    rival: Rival,
    found: Edits | None,
    stopped: str,
    time_is_up: Callable[[], bool],
) -> None:
    """Why the result is the rival's, and what would do without dummy people."""
    obstacle = obstacle_of_degrees(run.workspace.original, run.k, degree_k)
    if obstacle is not None:
        why = f"there was no search for both guarantees at once, for {obstacle}"
    elif found is not None:
        why = "plan and then KDA for the degrees needed fewer changes than the search for both guarantees at once"
    elif stopped:
        why = f"the search for both guarantees at once was {stopped} before it found a solution"
    else:
        why = "the search for both guarantees at once found no solution"
    again = f", {ANOTHER_TIME}" if stopped else ""
    run.notes.append(f"{why}: this is the result of plan and then KDA{again}")
    if rival.dummies:
        smaller = None if stopped else _smaller_without_dummies(run, degree_k, keep_edges, time_is_up)
        way_out = f": --degree-k {smaller} needs none" if smaller else ""
        run.notes.append(
            f"the degrees needed {counted(rival.dummies, 'dummy person', 'dummy people')}{way_out}"
        )


def _smaller_without_dummies(
    run: Run, degree_k: int, keep_edges: bool, time_is_up: Callable[[], bool]
) -> int | None:
    """A smaller degree k, among three quarters, a half and a quarter, for which the search finds a solution."""
    original = run.workspace.original
    for smaller in (3 * degree_k // 4, degree_k // 2, degree_k // 4):
        if smaller < 2:
            break
        if not run.workspace.violating(run.k) and not unsafe(original.degrees, smaller):
            return smaller
        search = BothSearch(
            Workspace(original),
            run.k,
            run.rng.spawn(1)[0],
            keep_edges,
            time_is_up,
            _teller(run),
            degree_k=smaller,
        )
        try:
            if search.descend_both():
                return smaller
        except OutOfTime:
            return None
    return None
