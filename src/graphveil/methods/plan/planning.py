"""The method `plan`: fewer changes than the paper, by a search over group sizes instead of seals (docs/plan.md).

The paper seals every edge that has its value, so that no later edit may touch it. Here any edge may move at any
time, as long as every group has k members in the end. Each search has a rival to beat, whose result is what is left if
the search finds nothing, runs out of time or is interrupted:

- for mutual friends alone, the paper's method, which comes first. So `plan` never changes more edges than the paper's
  method with the same seed, and needs no new vertex where that one needs none; where that one does, a result without
  new vertices is better, whatever it changes;
- with degrees, this method for mutual friends and then the paper's KDA. It comes only where the search finds nothing,
  or could need fewer changes: KDA adds at least half of the least sum of raises;
- with a spread there is none, for the paper has no spread. Then the search is all there is.

The paper's methods do not know fixed pairs. Where one of them toggles such a pair, its result is no rival.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from graphveil.differences import differences, pair_keys
from graphveil.errors import UnreachableError
from graphveil.goals import NMF, Degree, Friendship, Goals, Spread, level_of
from graphveil.graph import Graph
from graphveil.methods.add import add, greedy_group
from graphveil.methods.add_del import add_del
from graphveil.methods.degrees import fewest_edges
from graphveil.methods.kda import kda, unsafe
from graphveil.methods.plan import tuning
from graphveil.methods.plan.improving import improved_solutions
from graphveil.methods.plan.potential import Edits, OutOfTime, Potential
from graphveil.methods.plan.restore_clustering import balanced, swapped
from graphveil.methods.plan.search import Search
from graphveil.methods.run import Progress, Run, TooLong
from graphveil.methods.workspace import Workspace
from graphveil.stopping import Stopped, answer, check
from graphveil.words import counted, percent

ANOTHER_TIME = "and the same seed may give another graph next time"


class Task(NamedTuple):
    """What is asked for."""

    run: Run
    goals: Goals
    keep_edges: bool
    time_is_up: Callable[[], bool]
    alone: bool = False  # whether there is no other result to take

    @property
    def degree_k(self) -> int | None:
        """The k of the degrees, if they are a goal."""
        return level_of(self.goals, Degree)  # type: ignore[no-any-return]

    @property
    def spread(self) -> float | None:
        """The largest share of a group, if that is a goal."""
        return level_of(self.goals, Spread)  # type: ignore[no-any-return]

    def search(self, rng: np.random.Generator, *, keep_edges: bool) -> Search:
        """A search from the original graph on."""
        workspace, listener = Workspace(self.run.workspace.original), self.run.listener

        def tell(search: Potential) -> None:
            if listener is not None:
                listener(Progress("search", 0, search.violating, len(search.edits)))

        return Search(workspace, self.goals, rng, keep_edges, self.time_is_up, tell, fixed=self.run.fixed)

    def searches(self) -> Iterator[Search]:
        """Searches to try in turn: what is not found with deletions may be found without."""
        rng = self.run.rng.spawn(1)[0]  # of its own: what a rival did before must not change the search
        if self.degree_k is not None:
            yield self.search(rng, keep_edges=self.keep_edges)
            return
        for only_up in sorted({self.keep_edges, True}):
            search = self.search(rng, keep_edges=only_up)
            yield from [search] * (tuning.ATTEMPTS if search.few else 1)

    def obstacle(self) -> str | None:
        """Why there can be no search, if so."""
        graph, highest = self.run.workspace.original, len(self.run.workspace.state.size)
        if graph.m < self.run.k and (self.spread is None or self.degree_k is not None):
            return "the graph has fewer than k edges"
        if highest * (2 * self.run.k + 1) > tuning.LARGEST_TABLE:
            return "its tables would not fit into memory with so large a k"
        if (int(graph.degrees.max(initial=0)) + 3) * (2 * (self.degree_k or 0) + 1) > tuning.LARGEST_TABLE:
            return "the tables for degrees would not fit into memory with so large a degree k"
        return None


class Found(NamedTuple):
    """What a search came to."""

    edits: Edits | None = None
    stopped: str = ""  # by what, if anything did
    share: float = math.inf  # the smallest of a graph that keeps the other goals


def anonymize_by_plan(
    run: Run, *, keep_edges: bool = False, budget: float = tuning.BUDGET, goals: Goals
) -> None:
    """Make a graph keep its goals with few edits.

    After ``budget`` seconds the best result so far is taken. A run that ends by itself depends on the seed alone; one
    that was stopped does not, and ``run.notes`` says so.
    """
    with clock(budget) as time_is_up:
        task = Task(run, goals, keep_edges, time_is_up)
        if level_of(goals, Friendship) is not None:
            from graphveil.methods.friendship.anonymizing import anonymize_friendships  # with its kernels

            anonymize_friendships(run, goals=goals, time_is_up=time_is_up, keep_edges=keep_edges)
        elif task.spread is not None:
            _without_rival(task)
        elif task.degree_k is not None:
            _beside_kda(task, task.degree_k)
        else:
            _beside_paper(task)


@contextmanager
def clock(budget: float) -> Iterator[Callable[[], bool]]:
    """Whether a time is over; compiling does not count, which happens once and never again."""
    from numba.core import event

    compiling = event.TimingListener()
    end = time.perf_counter() + budget
    with event.install_listener("numba:compile", compiling):
        yield lambda: time.perf_counter() > end + (compiling.duration if compiling.done else 0)


def _find(task: Task, rival: Edits | None) -> Found:
    """Edits as few as were found and, of as many, those that keep clustering best; the rival's if none are fewer."""
    run, stopped, tried = task.run, "", []
    best, least = rival, (math.inf if rival is None else len(rival), 0.0)
    try:
        for search in task.searches():
            tried.append(search)
            for found in improved_solutions(search):
                if found.cost < least:
                    best, least = found.edits, found.cost
            if best is not rival:
                break
        if best is not None and best is not rival and task.degree_k is None:
            best = swapped(search, best)
            fewest, best = len(best), balanced(search, best, rival)
            if more := len(best) - fewest:
                run.notes.append(
                    f"{more:,} of the {len(best):,} changes that the search for mutual-friend counts made only "
                    "restore the average clustering coefficient"
                )
    except OutOfTime:
        stopped = "stopped by its budget"
    except Stopped:
        if best is None and task.alone:
            raise
        answer()
        run.interrupted = True
        stopped = "interrupted"
    return Found(best, stopped, min((float(search.mutual.best_share) for search in tried), default=math.inf))


def _become(run: Run, edits: Edits) -> None:
    """Put these edits in the place of what the run did."""
    workspace = run.workspace
    workspace.undo_to(0)
    run.groups = []
    run.toggle(sorted(edits))


# ---------------------------------------------------------------------- mutual friends alone


def _beside_paper(task: Task) -> None:
    """The paper's method, and a search for something better.

    Where the paper's method needs very long, the search comes first. It is then needed only if that finds nothing.
    """
    run, obstacle = task.run, task.obstacle()
    if not _by_paper(task, math.inf if obstacle else tuning.PAPER_STEPS):
        found = _find(task, None)
        if found.edits is None:
            _by_paper(task, math.inf)
            if _toggles_fixed(run, run.workspace.to_graph()):
                raise nothing_found(task, math.inf, _reason(None, found.stopped))
        _better_than(run, None, found)
        return
    paper = _edits_of(run.workspace)
    if paper == {}:
        return
    if _toggles_fixed(run, run.workspace.to_graph()):
        _become(run, {})
        _without_rival(task)
    elif obstacle is not None:
        run.notes.append(f"no search, for {obstacle}: this is the paper's result")
    elif task.time_is_up():
        run.notes.append(
            f"no search, the paper's method before it took the whole budget: this is its result, {ANOTHER_TIME}"
        )
    else:
        _better_than(run, paper, _find(task, paper))


def _by_paper(task: Task, steps: float) -> bool:
    """Let the paper's method change the workspace in so many steps; nothing is changed where it needs more."""
    run = task.run
    run.steps_left = steps
    try:
        if task.keep_edges:
            add(run, greedy_group)
        else:
            add_del(run)
    except TooLong:
        run.workspace.undo_to(0)
        run.groups = []
        return False
    finally:
        run.steps_left = math.inf
    return True


def _better_than(run: Run, paper: Edits | None, found: Found) -> None:
    """Take what was found, if it is better, and say how the search ended."""
    end, again = f"the search was {found.stopped}", f", {ANOTHER_TIME}"
    if found.edits is not paper and found.edits is not None:
        _become(run, found.edits)
        if found.stopped:
            run.notes.append(end + again)
    elif found.stopped:
        end += " before it found anything better than the paper's method: this is its result"
        run.notes.append(end + again)
    else:
        run.notes.append("the search found nothing better than the paper's method: this is its result")


def _toggles_fixed(run: Run, graph: Graph) -> bool:
    """Whether a graph differs from the original in a pair that must stay as it is."""
    if not len(run.fixed):
        return False
    pairs = np.concatenate(differences(run.workspace.original, graph))
    return bool(np.isin(pair_keys(pairs, graph.n), pair_keys(run.fixed, graph.n)).any())


def _edits_of(workspace: Workspace) -> Edits | None:
    """What a run changed, if that can be said by edges added and deleted; None with new vertices."""
    if workspace.n > workspace.original.n:
        return None
    pairs = np.concatenate(differences(workspace.original, workspace.to_graph()))
    return dict.fromkeys((u, v) for u, v in pairs.tolist())


# ---------------------------------------------------------------------- mutual friends and degrees


class Rival(NamedTuple):
    """What the other way came to."""

    graph: Graph
    changes: int
    dummies: int


def _beside_kda(task: Task, degree_k: int) -> None:
    """A search for both, and this method for mutual friends and then KDA where that could be better.

    Fewer dummy people come first, then fewer changes.
    """
    run, degrees = task.run, task.run.workspace.original.degrees
    if not run.workspace.violating(run.k) and not unsafe(degrees, degree_k):
        return
    obstacle = task.obstacle()
    found = Found() if obstacle else _find(task, None)
    rival = None
    if found.edits is None or len(found.edits) > fewest_edges(degrees, degree_k):
        rival = _rival(task._replace(time_is_up=lambda: True) if found.stopped else task, degree_k)
    if rival and (found.edits is None or (not rival.dummies and rival.changes < len(found.edits))):
        _become_rival(run, rival.graph)
        _say_why(task, degree_k, rival, found, obstacle)
        return
    if found.edits is None:
        raise nothing_found(task, found.share, _reason(obstacle, found.stopped))
    _become(run, found.edits)
    if found.stopped:
        run.notes.append(f"the search was {found.stopped}, {ANOTHER_TIME}")


def _rival(task: Task, degree_k: int) -> Rival | None:
    """This method for mutual friends, then KDA for degrees; None where that toggles a fixed pair."""
    run, original = task.run, task.run.workspace.original
    rng = run.rng.spawn(1)[0]
    other = replace(run, workspace=Workspace(original, rng=rng), rng=rng, groups=[], notes=[])
    try:
        _beside_paper(task._replace(run=other, goals=(NMF(run.k),)))
    except UnreachableError:
        return None
    run.interrupted = run.interrupted or other.interrupted
    graph = other.workspace.to_graph()
    change = kda(graph, degree_k, run.k, rng, lambda done, of: check())
    edges = np.concatenate((graph.edges, change.added))
    graph = Graph.from_arrays(edges[:, 0], edges[:, 1], n=graph.n + change.new_vertices)
    if _toggles_fixed(run, graph):
        return None
    added, deleted = differences(original, graph)
    return Rival(graph, len(added) + len(deleted), graph.n - original.n)


def _become_rival(run: Run, graph: Graph) -> None:
    """Bring the workspace of a run to a graph that has the same vertices, or some more."""
    for _ in range(graph.n - run.workspace.original.n):
        run.workspace.add_vertex()
    added, deleted = differences(run.workspace.original, graph)
    run.toggle(np.concatenate((deleted, added)).tolist())


def _say_why(task: Task, degree_k: int, rival: Rival, found: Found, obstacle: str | None) -> None:
    """Why the result is the rival's, and what would do without dummy people."""
    search, again = "the search for both guarantees at once", f", {ANOTHER_TIME}" if found.stopped else ""
    if obstacle is not None:
        why = f"there was no search for both guarantees at once, for {obstacle}"
    elif found.edits is not None:
        why = f"plan and then KDA for the degrees needed fewer changes than {search}"
    elif found.stopped:
        why = f"{search} was {found.stopped} before it found a solution"
    else:
        why = f"{search} found no solution"
    task.run.notes.append(f"{why}: this is the result of plan and then KDA{again}")
    if rival.dummies:
        smaller = None if found.stopped else _smaller_without_dummies(task, degree_k)
        way_out = f": degree_k={smaller} needs none" if smaller else ""
        dummies = counted(rival.dummies, "dummy person", "dummy people")
        task.run.notes.append(f"the degrees needed {dummies}{way_out}")


def _smaller_without_dummies(task: Task, degree_k: int) -> int | None:
    """A smaller degree k, among three quarters, a half and a quarter, for which the search finds a solution."""
    run = task.run
    for smaller in (3 * degree_k // 4, degree_k // 2, degree_k // 4):
        if smaller < 2:
            break
        if not run.workspace.violating(run.k) and not unsafe(run.workspace.original.degrees, smaller):
            return smaller
        goals = (NMF(run.k), Degree(smaller))
        search = task._replace(goals=goals).search(run.rng.spawn(1)[0], keep_edges=task.keep_edges)
        try:
            if search.descend(search.schedules()[0]):
                return smaller
        except OutOfTime:
            return None
    return None


# ---------------------------------------------------------------------- a search that is all there is


def _without_rival(task: Task) -> None:
    """A search for a graph that keeps the goals, or an error."""
    run = task.run
    if not run.workspace.original.m:
        return
    if (obstacle := task.obstacle()) is not None:
        raise nothing_found(task, math.inf, _reason(obstacle, ""))
    if task.search(run.rng, keep_edges=task.keep_edges).holds():
        return
    found = _find(task._replace(alone=True), None)
    if found.edits is None:
        raise nothing_found(task, found.share, _reason(None, found.stopped))
    _become(run, found.edits)
    if found.stopped:
        run.notes.append(f"the search was {found.stopped}, {ANOTHER_TIME}")


def _reason(obstacle: str | None, stopped: str) -> str:
    if obstacle is not None:
        return f"there was no search, for {obstacle}"
    return f"the search was {stopped}" if stopped else ""


def nothing_found(task: Task, share: float, why: str) -> UnreachableError:
    """What to say where no graph was found and there is no other result."""
    if task.spread is not None:
        return no_such_spread(task.spread, share, why)
    time = "Give the search more time (budget=). " if "budget" in why else ""
    kept = counted(len(task.run.fixed), "earlier change", "earlier changes")
    return UnreachableError(
        f"{why + ': ' if why else ''}no graph was found that keeps {kept}. {time}Ask for a smaller k."
    )


def no_such_spread(share: float, best: float, why: str) -> UnreachableError:
    """What to say where no graph was found, with the best share that can be had.

    >>> print(no_such_spread(0.1, math.inf, ""))
    no graph was found in which nobody is part of more than 10 % of a group. Ask for a larger spread= or a smaller k.
    """
    time = "Give the search more time (budget=). " if "budget" in why else ""
    way_out = "Ask for a larger spread= or a smaller k."
    if best < 1:
        larger = math.ceil(100 * best) / 100
        way_out = (
            f"The best share found is {percent(best)}: ask for spread={larger:g} or more, or a smaller k."
        )
    elif best == 1:
        way_out = "In every graph found, one person is part of a whole group: leave spread= out."
    nothing = f"no graph was found in which nobody is part of more than {percent(share)} of a group"
    return UnreachableError(f"{why + ': ' if why else ''}{nothing}. {time}{way_out}")
