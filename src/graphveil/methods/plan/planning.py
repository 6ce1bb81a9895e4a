"""The method `plan`: fewer changes than the paper, by a search over group sizes instead of seals (docs/plan.md).

The paper seals every edge that has its value, so that no later edit may touch it. Here any edge may move at any
time, as long as every group has k members in the end. The paper's method comes first: its result is what the search
has to beat, and what is left if the search finds nothing, runs out of time or is interrupted. So `plan` never changes
more edges than the paper's method with the same seed, and needs no new vertex where that one needs none; where that
one does, a result without new vertices is better, whatever it changes.

With a spread there is no such result to fall back on, for the paper has no spread. Then the search is all there is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import numpy as np

from graphveil.differences import differences
from graphveil.goals import Degree, Goals, Spread, level_of
from graphveil.methods.add import add
from graphveil.methods.add_del import add_del
from graphveil.methods.plan.both import plan_both
from graphveil.methods.plan.improving import improved_solutions
from graphveil.methods.plan.search import FEW_VERTICES, Edits, OutOfTime, Search
from graphveil.methods.plan.spread_search import SpreadSearch, no_such_spread
from graphveil.methods.run import Progress, Run
from graphveil.methods.workspace import Workspace
from graphveil.stopping import Stopped, answer

__all__ = ["BUDGET", "anonymize_by_plan"]

BUDGET = 300.0  # seconds
LARGEST_TABLE = 20_000_000  # entries of the dynamic programme
ATTEMPTS = 3  # as long as nothing better than the paper's result is found, in a graph with few vertices
TOO_LARGE = "for its tables would not fit into memory with so large a k"
ANOTHER_TIME = "and the same seed may give another graph next time"


def anonymize_by_plan(
    run: Run,
    *,
    keep_edges: bool = False,
    budget: float = BUDGET,
    goals: Goals,
) -> None:
    """Make a graph keep its goals with few edits.

    Parameters
    ----------
    run
        The graph, k, chance and listener
    keep_edges
        Only add edges, as ADD does
    budget
        Seconds after which the best result so far is taken. A run that ends by itself depends on the seed alone;
        one that was stopped does not, and ``run.notes`` says so.
    goals
        k-NMF, and k-degree or spread where they are asked for
    """
    degree_k, spread = level_of(goals, Degree), level_of(goals, Spread)
    with _clock(budget) as time_is_up:
        if degree_k is not None:
            plan_both(run, degree_k, keep_edges, time_is_up, _plan, spread)
        elif spread is not None:
            _plan_spread(run, spread, keep_edges, time_is_up)
        else:
            _plan(run, keep_edges, time_is_up)


@contextmanager
def _clock(budget: float) -> Iterator[Callable[[], bool]]:
    """Whether a time is over; compiling does not count, which happens once and never again."""
    from numba.core import event

    compiling = event.TimingListener()
    end = time.perf_counter() + budget
    with event.install_listener("numba:compile", compiling):
        yield lambda: time.perf_counter() > end + (compiling.duration if compiling.done else 0)


def _plan(run: Run, keep_edges: bool, time_is_up: Callable[[], bool]) -> None:
    """The paper's method, and a search for something better."""
    if keep_edges:
        add(run, greedy=True)
    else:
        add_del(run)
    paper = _edits_of(run.workspace)
    if paper == {}:
        return
    if (obstacle := _obstacle(run.workspace, run.k)) is not None:
        run.notes.append(f"no search, {obstacle}: this is the paper's result")
        return
    if time_is_up():
        run.notes.append(
            f"no search, the paper's method before it took the whole budget: this is its result, {ANOTHER_TIME}"
        )
        return
    best, stopped = _best(run, paper, _searches(run, keep_edges, time_is_up))
    if best is not paper and best is not None:
        _replace(run, best)
    if best is not paper and stopped:
        run.notes.append(f"the search was {stopped}, {ANOTHER_TIME}")
    elif stopped:
        run.notes.append(
            f"the search was {stopped} before it found anything better than the paper's method: this is its result, "
            f"{ANOTHER_TIME}"
        )
    elif best is paper:
        run.notes.append("the search found nothing better than the paper's method: this is its result")


def _plan_spread(run: Run, spread: float, keep_edges: bool, time_is_up: Callable[[], bool]) -> None:
    """A search for a graph in which no vertex lies on more than a share of a group."""
    if _too_large(run.workspace, run.k):
        raise no_such_spread(spread, (), f"there was no search, {TOO_LARGE}")
    if not SpreadSearch(Workspace(run.workspace.original), run.k, run.rng, share=spread).violating:
        return
    searches: list[SpreadSearch] = []
    best, stopped = _best(run, None, _spread_searches(run, spread, keep_edges, time_is_up, searches))
    if best is None:
        raise no_such_spread(spread, searches, f"the search was {stopped}" if stopped else "")
    _replace(run, best)
    if stopped:
        run.notes.append(f"the search was {stopped}, {ANOTHER_TIME}")


def _edits_of(workspace: Workspace) -> Edits | None:
    """What a run changed, if that can be said by edges added and deleted; None with new vertices."""
    if workspace.n > workspace.original.n:
        return None
    pairs = np.concatenate(differences(workspace.original, workspace.to_graph()))
    return dict.fromkeys((u, v) for u, v in pairs.tolist())


def _obstacle(workspace: Workspace, k: int) -> str | None:
    """Why there can be no search, if so."""
    if workspace.original.m < k:
        return "for the graph has fewer than k edges"
    return TOO_LARGE if _too_large(workspace, k) else None


def _too_large(workspace: Workspace, k: int) -> bool:
    return len(workspace.state.size) * (2 * k + 1) > LARGEST_TABLE


def _teller(run: Run) -> Callable[[Search], None] | None:
    listener = run.listener
    if listener is None:
        return None
    return lambda search: listener(Progress("search", 0, search.violating, len(search.edits)))


def _best(run: Run, paper: Edits | None, searches: Iterable[Search]) -> tuple[Edits | None, str]:
    """Edits as few as were found and, of as many, those that keep clustering best; the paper's if none are fewer.

    And what stopped the search, if anything did.
    """
    stopped = ""
    best, least = paper, (math.inf if paper is None else len(paper), 0.0)
    try:
        for search in searches:
            for found in improved_solutions(search):
                if (now := (len(found), abs(search.drift))) < least:
                    best, least = found, now
            if best is not paper:
                break
        if best is not None and best is not paper:
            best = search.swapped(best)
            fewest, best = len(best), search.balanced(best, paper)
            if len(best) > fewest:
                run.notes.append(
                    f"{len(best) - fewest:,} of {len(best):,} changes only restore the average clustering coefficient"
                )
    except OutOfTime:
        stopped = "stopped by its budget"
    except Stopped:
        if best is None and not run.groups:
            raise  # with a spread there is no other result to take
        answer()
        run.interrupted = True
        stopped = "interrupted"
    return best, stopped


def _spread_searches(
    run: Run, spread: float, keep_edges: bool, time_is_up: Callable[[], bool], tried: list[SpreadSearch]
) -> Iterator[Search]:
    """The same with a spread; ``tried`` gets each."""
    rng = run.rng.spawn(1)[0]
    for only_up in sorted({keep_edges, True}):
        workspace = Workspace(run.workspace.original)
        search = SpreadSearch(workspace, run.k, rng, only_up, time_is_up, _teller(run), share=spread)
        tried.append(search)
        yield from [search] * (ATTEMPTS if search.workspace.n < FEW_VERTICES else 1)


def _searches(run: Run, keep_edges: bool, time_is_up: Callable[[], bool]) -> Iterator[Search]:
    """Searches to try in turn: what is not found with deletions may be found without."""
    rng = run.rng.spawn(1)[0]  # of its own: what the paper's method did before must not change the search
    for only_up in sorted({keep_edges, True}):
        search = Search(Workspace(run.workspace.original), run.k, rng, only_up, time_is_up, _teller(run))
        yield from [search] * (ATTEMPTS if search.workspace.n < FEW_VERTICES else 1)


def _replace(run: Run, edits: Edits) -> None:
    """Put these edits in the place of what the run did."""
    workspace = run.workspace
    workspace.undo_to(0)
    run.groups = []
    for u, v in sorted(edits):
        edge = workspace.edge_between(u, v)
        if edge is None:
            workspace.add_edge(u, v)
        else:
            workspace.delete_edge(edge)
    for value in sorted(workspace.class_sizes(), reverse=True):
        run.close_group(value)
