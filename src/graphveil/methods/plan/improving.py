"""First solutions of a search, and better ones, with an effort that grows with what is cheap (docs/plan.md).

The effort is counted in steps, not in seconds, so that a seed gives the same graph on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from graphveil.methods.plan import tuning
from graphveil.methods.plan.potential import Edits
from graphveil.methods.plan.search import Search
from graphveil.methods.plan.step_costs import Stage


def improved_solutions(search: Search) -> Iterator[Edits]:
    """Solutions, each the one that the search is at when it comes."""
    several, slack = _variety(search)
    found: list[Edits] = []
    for solution in solutions(search, slack):
        found.append(solution)
        yield solution
    if not found:
        return
    # The shortest one need not lead to the best. Half of the effort goes to several, the rest to the best of them.
    shortest = sorted(found, key=len)[: max(1, several)]
    effort = _effort(search, len(shortest[0]))
    best = shortest[0]
    for first in shortest[:several]:
        search.go_to(first)
        for solution in improvements(search, search.steps + effort // (2 * len(shortest))):
            best = min(best, solution, key=len)
            yield solution
    search.go_to(best)
    yield from improvements(search, search.steps + effort // 2)


def _variety(search: Search) -> tuple[int, float]:
    """How many solutions are improved beside the best, and how much longer than the shortest they may be."""
    if search.degrees is not None:
        return 0, tuning.SHORTER
    if search.keep_edges:
        return tuning.SEVERAL_UP, tuning.SLACK_UP
    return (tuning.SEVERAL, tuning.SLACK) if search.few else (1, 1.0)


def _effort(search: Search, edits: int) -> int:
    """How many steps the improvement may take: fewer where a step costs more, with n, k and what is to be moved."""
    n, k = search.workspace.n, search.k
    if search.degrees is not None:
        return 2 * (tuning.STEPS if search.few else tuning.FEW_STEPS)
    if search.keep_edges:
        cells = k * (search.mutual.highest + 1)
        return min(tuning.MOST_STEPS_UP, tuning.MOST_CELLS_UP // cells, tuning.MOST_SEEN_UP // n)
    if search.few:
        share = (search.workspace.original.m / tuning.FEW_EDGES) ** 1.5
        return int(min(max(share, tuning.LEAST_SHARE), 1.0) * 6 * (500 + 20_000 // k + 100_000 // edits))
    return min(300 + 12_000 // k + 60_000 // edits, tuning.MOST_VERTICES_SEEN // n)


def solutions(search: Search, slack: float = 1.0) -> Iterator[Edits]:
    """Descend by every schedule from every beginning, to solutions not much longer than the shortest so far."""
    search.filled, shortest = [], math.inf
    stuck: list[tuple[int, Edits]] = []
    for beginning, schedules in search.beginnings():
        for schedule in schedules:
            search.go_to(beginning)
            done = search.descend(schedule[:1], slack * shortest)
            filled = dict(search.edits)
            if done or (search.violating and search.descend(schedule[1:], slack * shortest)):
                search.filled.append((len(search.edits), filled))
                shortest = min(shortest, len(search.edits))
                yield dict(search.edits)
            elif not search.filled:
                stuck.append((search.left(), dict(search.edits)))
                if search.degrees is not None and _freed(search, *stuck.pop()):
                    shortest = len(search.edits)
                    search.filled.append((shortest, filled))
                    yield dict(search.edits)
    if not search.filled and stuck and _freed(search, *min(stuck, key=lambda each: each[0])):
        yield dict(search.edits)


def _freed(search: Search, left: int, edits: Edits) -> bool:
    """Go on from where all descents ended: take back some edits and descend again, as long as less is left."""
    search.go_to(edits)
    schedules, in_vain = search.schedules_again(), 0
    while in_vain < tuning.ROUNDS_IF_STUCK and len(search.edits) > 1:
        here = dict(search.edits)
        ruin(search)
        if search.descend(schedules[search.rng.integers(len(schedules))]):
            return True
        now = search.left()
        in_vain = 0 if now < left else in_vain + 1
        if now > left:
            search.go_to(here)
        left = min(left, now)
    return False


def improvements(search: Search, last: int) -> Iterator[Edits]:
    """Ever better solutions, or as good ones, up to a number of steps: take back some edits and descend again."""
    best, drift = dict(search.edits), search.drift
    # At a solution, so that no class is filled before others
    schedules, in_vain = (search.schedules_again(), 0)
    while len(best) > 1 and search.steps < last and in_vain < _patience(search, len(best)):
        ruin(search)
        in_vain += 1
        if search.descend(schedules[search.rng.integers(len(schedules))], len(best)):
            in_vain = in_vain if len(search.edits) == len(best) else 0
            best, drift = dict(search.edits), search.drift
            yield best
        else:
            search.go_to(best, drift)


def _patience(search: Search, edits: int) -> float:
    """After how many rounds in vain the improvement ends."""
    if search.degrees is not None:
        return min(tuning.MORE_PATIENCE + edits, tuning.MOST_PATIENCE)
    least = max(tuning.LEAST_PATIENCE, tuning.PATIENCE_PER_EDGE * search.workspace.original.m)
    return max(min(least, tuning.LEAST_IN_LARGE), tuning.PATIENCE * edits)


def ruin(search: Search) -> None:
    """Take back some edits: random ones, those that do least harm, others that lie together or the latest."""
    pairs, rng = np.array(list(search.edits), np.int32), search.rng
    if search.keep_edges and search.degrees is None and rng.random() < tuning.LATEST:
        taken = pairs[-max(2, int(len(pairs) * rng.uniform(*tuning.RUIN_LATEST))) :]
    else:
        shares = tuning.RUIN if search.degrees is None else tuning.RUIN_WITH_DEGREES
        number = max(2, int(len(pairs) * rng.uniform(*shares)))
        if search.degrees is not None:
            number = min(number, tuning.MOST_RUINED)
        harm = rng.random(len(pairs))
        way = int(rng.random() * (1 + len(search.aims)))
        if way == 0:
            search.aim(Stage())
            harm = 3 * harm - search.evaluate(pairs)[0]
        elif way == 1 and search.degrees is not None:
            harm = harm + search.degrees.harm_apart(pairs)
        taken = pairs[np.argsort(harm, kind="stable")[:number]]
    for u, v in taken.tolist():
        search.toggle_only((u, v))
