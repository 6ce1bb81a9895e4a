"""Change a graph as little as possible until every edge hides among k with the same number of mutual friends."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from graphveil.differences import differences, pair_keys
from graphveil.errors import ParameterError, VerificationError, warn
from graphveil.formats.advice.cautions import warn_of_cautions
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.goals import NMF, Degree, Goal, Goals, check_reachable, goals_of, in_order, largest_k, level_of
from graphveil.graph import Graph
from graphveil.methods.carrying import Carried
from graphveil.methods.degrees import DegreeChange
from graphveil.methods.plan.planning import clock
from graphveil.methods.plan.tuning import BUDGET
from graphveil.methods.reduce.joint import JointSearch
from graphveil.methods.reduce.reducing import (
    MAX_CHANGES,
    USUAL_K,
    Limits,
    Reduce,
    Reduced,
    Wish,
    reduce_exposed,
    wishes_of,
)
from graphveil.methods.reduce.state import NO_PAIRS
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
from graphveil.parameters import whole_number
from graphveil.stopping import Stop, check, stoppable
from graphveil.verification.facts import with_implied
from graphveil.words import counted

Listener = Callable[[Progress], None] | None
AT_ONCE = "plan"  # the method that takes care of degrees itself, and its name as a method for degrees


@long_work("anonymizing")
def anonymize(
    graph: GraphLike,
    k: int | None = None,
    *,
    goals: Iterable[Goal] = (),
    method: MethodName = "plan",
    degree_k: int | None = None,
    degree_method: DegreeMethodName | None = None,
    spread: float | None = None,
    friendship_k: int | None = None,
    keep_edges: bool = False,
    reduce: Reduce = None,
    reduce_k: int = USUAL_K,
    max_changes: float = MAX_CHANGES,
    until: float | None = None,
    budget: float | None = None,
    seed: int | None = None,
    progress: Listener = None,
    stop: Stop | None = None,
    carried: Carried | None = None,
    joint: int | None = None,
) -> Result:
    """As `graphveil.anonymize`, which says more, but with the changes of an earlier release as they were carried over.

    Examples
    --------
    >>> from graphveil import Graph
    >>> bridge = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    >>> anonymize(bridge, k=2, method="add-greedy", seed=7).promises
    {'k-NMF': 2}
    """
    graph, progress = as_graph(graph), also_say(progress, str)
    warn_of_cautions(graph)
    options = method_options(method, keep_edges=keep_edges, budget=budget)
    wishes = wishes_of(reduce, reduce_k)
    if until is not None and not wishes:
        raise ParameterError(
            "there is nothing to reduce. Leave --until out, or name an attacker with --reduce."
        )
    levels = {"degree_k": degree_k, "spread": spread, "friendship_k": friendship_k}
    limits = Limits(max_changes, until, keep_edges, NO_PAIRS if carried is None else carried.fixed)
    asked = _asked(METHODS[method], k, levels, goals)
    steps = _steps(method, asked, degree_method)
    if joint is not None:
        whole_number("joint", joint, least=2)
        if carried is None:
            raise ParameterError("joint= is about two releases. Name the earlier one (after=).")
        if wishes:
            raise ParameterError("joint= and reduce= cannot be had in one run. Leave one of them out.")
    begin = graph if carried is None else _begin(carried, method, steps, keep_edges=keep_edges)
    check_reachable(begin.n, begin.m, asked)
    _warn_of_large_k(graph, asked)
    seed = secrets.randbits(128) if seed is None else whole_number("seed", seed, least=0)
    started = time.perf_counter()
    with stoppable(stop):
        rng = np.random.default_rng(seed)
        changed, done = _by_method(begin, METHODS[method], steps, options, rng, progress, carried)
        if steps.then is not None:
            changed, degrees = _by_degree_method(changed, steps, rng, progress, len(done.groups))
            done = done._replace(degrees=degrees)
        reduced = Reduced(changed)
        if wishes:
            reduced = _reduced(changed, graph, wishes, asked, limits, budget, rng, progress)
            changed = reduced.graph
        if joint is not None and carried is not None:
            reduced = _joint(changed, carried, joint, asked, limits, budget, rng, progress)
            changed = reduced.graph
        recount(changed, asked)
        if carried is not None:
            _check_kept(carried, changed)
        added, deleted = differences(graph, changed)
    changed.has_real_ids = True
    both = level_of(asked, NMF) is not None and level_of(asked, Degree) is not None
    return Result(
        graph=changed,
        original=graph,
        added=added,
        deleted=deleted,
        new_vertices=np.arange(graph.n, changed.n, dtype=np.int32),
        goals=asked,
        degree_method=(steps.then or AT_ONCE) if both else None,
        method=method,
        seed=seed,
        groups=done.groups,
        degrees=done.degrees,
        options={**options, **_recorded(wishes, limits), **({"joint": joint} if joint else {})},
        notes=(*([carried.in_words()] if carried else []), *done.notes, *reduced.notes),
        interrupted=done.interrupted or reduced.interrupted,
        reductions=reduced.reductions,
        carried=carried,
        seconds=time.perf_counter() - started,
    )


def _asked(row: Method, k: int | None, others: Mapping[str, Any], goals: Iterable[Goal]) -> Goals:
    """The goals that were asked for, or an error before any work starts."""
    parameters = {"k": k, **others}
    if row.goals[0] is Degree:
        if (others["degree_k"] or level_of(goals, Degree)) not in (None, k):
            raise ParameterError("this method is about degrees only: its k is theirs. Leave degree_k= out.")
        parameters |= {"k": None, "degree_k": k}
    for name, level in parameters.items():
        if name != "spread" and level is not None:
            whole_number("k" if level is k else name, level, least=2)
    asked = in_order((*goals, *goals_of(parameters)))
    if not asked:
        raise ParameterError("no guarantee is asked for; name one, such as k-NMF with k = 25.")
    for goal in asked:
        if goal.bounds == "size":
            whole_number(goal.parameter, goal.level, least=2)
    strongest = with_implied(asked)  # what a stronger guarantee brings with it is no goal of its own
    return tuple(goal for goal in asked if strongest[goal.name][1] is None)


def _recorded(wishes: Sequence[Wish], limits: Limits) -> dict[str, Any]:
    """What was to be reduced, so that the run can be repeated."""
    if not wishes:
        return {}
    until = {} if limits.until is None else {"until": limits.until}
    return {"reduce": list(map(str, wishes)), "max_changes": limits.max_changes, **until}


def _warn_of_large_k(graph: Graph, asked: Goals) -> None:
    """A k above the number of edges can be had, but not from this graph: every group is made of new edges."""
    k = level_of(asked, NMF)
    if k is not None and 0 < graph.m < k:
        warn(
            f"k = {k:,} is too large for {graph.m:,} edges: most of the result is added, and it says little about this "
            f"graph. Choose k up to {graph.m:,}, better far below. graphveil.publish refuses the result."
        )


class Steps(NamedTuple):
    """Which goals the method itself looks after, and which method for the degrees comes after it."""

    goals: Goals
    then: str | None
    degree_k: int | None


def _steps(name: str, asked: Goals, degree_method: str | None) -> Steps:
    """How the goals are reached, or an error where they cannot be."""
    row = METHODS[name]
    degree_k = level_of(asked, Degree) if row.goals[0] is not Degree else None
    at_once = [AT_ONCE] if Degree in row.goals[1:] else []
    choice = [*DEGREE_METHODS, *at_once]
    chosen = degree_method or (*at_once, "kda")[0]
    if chosen not in choice:
        raise ParameterError(
            f"{chosen!r} cannot make the degrees anonymous here; choose one of {', '.join(choice)} as degree_method."
        )
    then = chosen if degree_k is not None and chosen != AT_ONCE else None
    for goal in asked:
        if type(goal) not in row.goals and not (type(goal) is Degree and then):
            raise ParameterError(_unserved(name, type(goal)))
    if then is not None and (left := [goal for goal in asked if type(goal) not in (NMF, Degree)]):
        raise ParameterError(
            f'{then} takes no {left[0].name}. Leave {left[0].parameter}= out, or choose degree_method="{AT_ONCE}".'
        )
    goals = tuple(goal for goal in asked if then is None or type(goal) is not Degree)
    return Steps(goals, then, degree_k)


def _unserved(name: str, kind: type[Goal]) -> str:
    others = [other for other, row in METHODS.items() if kind in row.goals]
    if not others:
        return f"no method gives the guarantee {kind.name}. It can be audited and verified only."
    return f"{name} takes no {kind.name}. Leave {kind.parameter}= out, or choose {' or '.join(others)}."


def _begin(carried: Carried, method: str, steps: Steps, *, keep_edges: bool) -> Graph:
    """Where the search starts, or an error where earlier changes could not stay."""
    name = method if method != AT_ONCE else steps.then
    if name is not None:
        raise ParameterError(
            f"{name} cannot keep the changes of an earlier release: choose {AT_ONCE}, for the degrees as well."
        )
    present = pair_keys(carried.graph.edges, carried.graph.n)
    deleted = ~np.isin(pair_keys(carried.fixed, carried.graph.n), present)
    if keep_edges and (count := np.count_nonzero(deleted)):
        deletions = counted(int(count), "friendship", "friendships")
        raise ParameterError(f"the earlier release deleted {deletions}. Leave keep_edges= out.")
    return carried.graph


def _check_kept(carried: Carried, changed: Graph) -> None:
    """The changes of an earlier release stay, or nothing is returned."""
    fixed = pair_keys(carried.fixed, changed.n)
    before, after = (np.isin(fixed, pair_keys(each.edges, changed.n)) for each in (carried.graph, changed))
    if not np.array_equal(before, after):
        raise VerificationError("the search undid a change of the earlier release. Please report this.")


class Done(NamedTuple):
    """What is to be known about a run when its workspace is gone: the recount can do with the memory."""

    groups: tuple[Group, ...] = ()
    notes: tuple[str, ...] = ()
    interrupted: bool = False
    degrees: DegreeChange | None = None


def _by_method(
    graph: Graph,
    row: Method,
    steps: Steps,
    options: dict[str, Any],
    rng: np.random.Generator,
    progress: Listener,
    carried: Carried | None,
) -> tuple[Graph, Done]:
    """The graph that the method makes."""
    if row.goals[0] is Degree:
        change = row.function(graph, largest_k(steps.goals), rng, partial(_tell_degrees, progress, 0))
        return _with_more(graph, change), Done(degrees=change)
    k = level_of(steps.goals, NMF) or 1
    run = Run(Workspace(graph, rng=rng), k, rng, progress)
    if carried is not None:
        run.fixed = carried.fixed
    if len(row.goals) > 1:
        options = {**options, "goals": steps.goals}
    row.function(run, **options)
    return run.workspace.to_graph(), Done(tuple(run.groups), tuple(run.notes), run.interrupted)


def _by_degree_method(
    graph: Graph, steps: Steps, rng: np.random.Generator, progress: Listener, groups: int
) -> tuple[Graph, DegreeChange]:
    """The graph with every degree on ``degree_k`` vertices, and what was done for it."""
    assert steps.then is not None
    told = partial(_tell_degrees, progress, groups)
    change = DEGREE_METHODS[steps.then](graph, steps.degree_k, level_of(steps.goals, NMF) or 1, rng, told)
    return _with_more(graph, change), change


def _reduced(
    changed: Graph,
    original: Graph,
    wishes: Sequence[Wish],
    goals: Goals,
    limits: Limits,
    budget: float | None,
    rng: np.random.Generator,
    progress: Listener,
) -> Reduced:
    """The graph with fewer people exposed, and the guarantees as they were."""
    told = partial(_tell_reduction, progress) if progress else None
    with clock(BUDGET if budget is None else budget) as time_is_up:
        return reduce_exposed(
            changed, original, wishes, goals, limits, rng=rng.spawn(1)[0], time_is_up=time_is_up, told=told
        )


def _joint(
    changed: Graph,
    carried: Carried,
    joint: int,
    goals: Goals,
    limits: Limits,
    budget: float | None,
    rng: np.random.Generator,
    progress: Listener,
) -> Reduced:
    """The graph with the guarantee over both releases, and the others as they were."""
    told = partial(_tell_reduction, progress) if progress else None
    with clock(BUDGET if budget is None else budget) as time_is_up:
        search = JointSearch(carried, goals, limits.keep_edges, rng.spawn(1)[0], time_is_up, told)
        graph = search.found(changed, joint)
    return Reduced(graph, interrupted=search.interrupted)


def _tell_reduction(listener: Callable[[Progress], None], exposed: int, changes: int) -> None:
    listener(Progress("reduction", 0, exposed, changes))


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
