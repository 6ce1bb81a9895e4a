"""Friendship anonymity, alone or with k-NMF, k-degree and spread (docs/friendship.md).

First come levels and the edges that lead there: several choices of levels are tried, and the one with the fewest
changes is taken. Then mutual friends are brought into groups while everybody keeps to a level. Last, all changes are
taken back that are not needed.

Where a guarantee is out of reach, smaller k are tried in the same way and with the same chance. The error names the
largest that was found.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError, UnreachableError
from graphveil.goals import NMF, Degree, Friendship, Goal, Goals, Spread, level_of
from graphveil.graph import Graph
from graphveil.methods.friendship.counts import Groups, reach_counts, repair
from graphveil.methods.friendship.levelled import Levelled, Look, changes
from graphveil.methods.friendship.levels import Assignment, assign_levels, merged, of_even_sum
from graphveil.methods.plan.potential import OutOfTime
from graphveil.methods.run import Progress, Run
from graphveil.methods.workspace import Workspace
from graphveil.recounting import Recount
from graphveil.stopping import Stopped, answer, check

Integers = NDArray[np.int64]
LARGEST_SEED = 1 << 62
AGAIN = 3  # times that the best setting is tried with another chance
TELL_EVERY = 0.5  # seconds
ANOTHER_TIME = "and the same seed may give another graph next time"
# People in a level at least, and the price of a level, both times k; the first is tried first.
SETTINGS = ((1.2, 3.0), (1.5, 6.0), (1.2, 2.4), (1.5, 3.0))
PASSES = 6  # over all changes, to take them back
MOST_DEGREES = 64  # one level for all: how many degrees are tried


class Wanted(NamedTuple):
    """What is to hold."""

    k: int  # people and friendships of each pair of degrees
    degree_k: int  # people of each degree


class Found(NamedTuple):
    """A graph that keeps it."""

    edges: Integers
    assigned: Assignment
    changed: int


class Task(NamedTuple):
    """What all steps of a run need."""

    run: Run
    goals: Goals
    seed: int
    look: Look
    levelled: list[Found]  # graphs that keep friendship anonymity, whatever else is asked for


def anonymize_friendships(
    run: Run, *, goals: Goals, time_is_up: Callable[[], bool], keep_edges: bool = False
) -> None:
    """Make a graph keep friendship anonymity, and k-NMF, k-degree and spread where they are asked for.

    Where no graph is found, the error names the largest k that was. ``keep_edges`` is refused: this needs deletions.
    """
    if keep_edges:
        raise ParameterError("friendship_k needs deletions. Leave keep_edges= out, or friendship_k=.")
    graph = run.workspace.original
    if holds(graph.edges.astype(np.int64), graph.n, goals):
        return

    task = Task(run, goals, int(run.rng.spawn(1)[0].integers(LARGEST_SEED)), _look(run, time_is_up), [])
    found, stopped = _fewest(task)
    if found is None:
        raise _out_of_reach(task, stopped)
    run.toggle(changes(run.workspace.original.edges.astype(np.int64), found.edges, graph.n)[0].tolist())
    if stopped:
        run.notes.append(f"the search was {stopped}, {ANOTHER_TIME}")


def with_friendships(
    graph: Graph, goals: Goals, rng: np.random.Generator, time_is_up: Callable[[], bool]
) -> Graph | None:
    """A graph that keeps these goals, friendship anonymity among them, with few changes; None where none was found."""
    run = Run(Workspace(graph, rng=rng), level_of(goals, NMF) or 1, rng, None)
    found = _fewest(Task(run, goals, int(rng.integers(LARGEST_SEED)), _look(run, time_is_up), []))[0]
    if found is None:
        return None
    return Graph.from_arrays(found.edges[:, 0], found.edges[:, 1], n=graph.n, labels=graph.labels)


def _look(run: Run, time_is_up: Callable[[], bool]) -> Look:
    """What is done between two steps: end where that was asked for, and tell where the search stands now and then."""
    original, told = run.workspace.original.edges.astype(np.int64), [time.monotonic()]

    def look(now: Levelled) -> None:
        check()
        if time_is_up():
            raise OutOfTime
        if run.listener and time.monotonic() > told[0] + TELL_EVERY:
            told[0] = time.monotonic()
            changed = len(changes(original, now.edges()[0], now.n)[0])
            run.listener(Progress("search", 0, now.exposed(run.k), changed))

    return look


def holds(edges: Integers, n: int, goals: Goals) -> bool:
    """Whether a graph keeps all goals, by their own recount."""
    counted = Recount(edges.astype(np.int32), n)
    return all(goal.check(counted).holds for goal in goals)


def _fewest(task: Task) -> tuple[Found | None, str]:
    """The graph with the fewest changes, and what stopped the search, if anything did."""
    best: Found | None = None
    try:
        for found in _solutions(task):
            if best is None or found.changed < best.changed:
                best = found
            _tell(task.run, best)
            check()
    except OutOfTime:
        return best, "stopped by its budget"
    except Stopped:
        if best is None:
            raise
        answer()
        task.run.interrupted = True
        return best, "interrupted"
    return best, ""


def _solutions(task: Task) -> Iterator[Found]:
    """Graphs that keep all goals."""
    others = tuple(goal for goal in task.goals if type(goal) in (NMF, Spread))
    if not others:
        yield from _levelled(task)
        return
    for found in sorted(_levelled(task), key=lambda found: found.changed):
        both = _with_counts(task, found, others)
        if both is not None:
            yield both
            return


def _levelled(task: Task) -> Iterator[Found]:
    """Graphs with friendship anonymity: one for each setting, and some more with the best one."""
    graph, wanted, changed = task.run.workspace.original, _wanted(task.goals), dict[int, int]()
    for turn in range(len(SETTINGS) + AGAIN):
        setting = turn if turn < len(SETTINGS) else min(changed, key=lambda each: changed[each], default=0)
        found = search_levels(graph, wanted, setting, task.seed + turn, task.look, task.run.fixed)
        if found is not None:
            changed[setting] = found.changed
            task.levelled.append(found)
            yield found


def _wanted(goals: Goals) -> Wanted:
    k = int(level_of(goals, Friendship))
    return Wanted(k, max(k, int(level_of(goals, Degree) or 1)))


def _with_counts(task: Task, found: Found, others: Goals) -> Found | None:
    """The same with mutual-friend counts in groups as large as k-NMF and spread need them."""
    original = task.run.workspace.original
    wanted = _wanted(task.goals)
    now = Levelled(found.edges, original.n, found.assigned, *wanted, task.seed, task.look, task.run.fixed)
    groups = Groups(level_of(others, NMF) or 1, level_of(others, Spread))
    if not reach_counts(now, original.edges.astype(np.int64), groups):
        return None
    edges = now.edges()[0]
    return Found(edges, now.assigned, len(changes(original.edges.astype(np.int64), edges, original.n)[0]))


# ---------------------------------------------------------------------- friendship anonymity alone


def search_levels(
    graph: Graph, wanted: Wanted, setting: int, seed: int, look: Look, frozen: Integers
) -> Found | None:
    """A graph with friendship anonymity; None where none was found.

    People without friends get some only where they are too few to stay so, or where nothing else is found.
    """
    room, price = SETTINGS[setting]
    degrees, most = graph.degrees.astype(np.int64), max(wanted)
    for lonely in (most, graph.n + 1) if np.count_nonzero(degrees == 0) >= most else (most,):
        assigned = assign_levels(degrees, lonely, min(graph.n, math.ceil(room * most)), price * most)
        found = _search_from(assigned, graph, wanted, seed, look, frozen)
        if found is not None:
            return found
    return None


def _search_from(
    assigned: Assignment, graph: Graph, wanted: Wanted, seed: int, look: Look, frozen: Integers
) -> Found | None:
    """The same from these levels, of which there are ever fewer."""
    edges = original = graph.edges.astype(np.int64)
    while True:
        now = Levelled(edges, graph.n, of_even_sum(assigned), *wanted, seed, look, frozen)
        if now.reach_degrees() and repair(now):
            now.take_back(original, np.empty(0, np.int64), PASSES)
            edges = now.edges()[0]
            return Found(edges, now.assigned, len(changes(original, edges, graph.n)[0]))
        fewer = _fewer(now)
        if fewer is None:
            return None
        edges, assigned = now.edges()[0], fewer


def _fewer(now: Levelled) -> Assignment | None:
    """One level less; of one level, the next degree that all may have."""
    gaps = np.abs(now.gaps)
    level = now.assigned.level
    lack = now.lack_by_level() + np.bincount(level[level >= 0], gaps[level >= 0], len(now.assigned.degree))
    fewer = merged(now.assigned, lack)
    if fewer is not None or now.assigned.degree[0] >= min(MOST_DEGREES, now.n - 1):
        return fewer
    return Assignment(now.assigned.degree + 1, level)


# ---------------------------------------------------------------------- out of reach


def _out_of_reach(task: Task, stopped: str) -> UnreachableError:
    """The error that names a k that can be had: of friendship anonymity, or beside it of k-NMF."""
    asked = ", ".join(str(goal) for goal in task.goals)
    why = f"the search was {stopped}: " if stopped else ""
    if stopped:
        beside = any(type(goal) in (NMF, Spread) for goal in task.goals)
        alone = "Friendship anonymity alone was found. " if beside and task.levelled else ""
        way_out = f"{alone}Give the search more time (budget=), or choose a smaller k."
    elif (smaller := _largest_found(task)) is not None:
        way_out = f"Choose {smaller.parameter}={smaller.level}, the largest that was found."
    else:
        way_out = "No smaller k was found: leave friendship_k= out."
    return UnreachableError(f"{why}no graph was found that keeps {asked}. {way_out}")


def _largest_found(task: Task) -> Goal | None:
    """The largest smaller k of one guarantee that is found by halving the range, beside all others."""
    for kind in (NMF, Friendship):
        level = level_of(task.goals, kind)
        if level is not None and (best := _bisect(task, kind, int(level))) > 1:
            return kind(best)
    return None


def _bisect(task: Task, kind: type[Goal], level: int) -> int:
    found, missing = 1, level
    try:
        while missing - found > 1:
            middle = (found + missing) // 2
            if _can(task, kind, middle):
                found = middle
            else:
                missing = middle
    except OutOfTime:
        pass
    return found


def _can(task: Task, kind: type[Goal], level: int) -> bool:
    goals = tuple(kind(level) if type(goal) is kind else goal for goal in task.goals)
    other = task._replace(goals=goals, levelled=[])
    graph = task.run.workspace.original
    return holds(graph.edges.astype(np.int64), graph.n, goals) or next(_solutions(other), None) is not None


def _tell(run: Run, found: Found) -> None:
    if run.listener:
        run.listener(Progress("search", 0, 0, found.changed))
