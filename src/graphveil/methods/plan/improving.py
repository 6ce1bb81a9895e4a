"""First solutions of a search, and better ones, with an effort that grows with what is cheap (docs/plan.md).

The effort is counted in steps, not in seconds, so that a seed gives the same graph on every machine. Descents go in
pairs, each on a graph of its own. A pair works at the same time where there are two cores, and one after the other
elsewhere, with the same result: neither looks at the other before both have ended.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import NamedTuple

import numpy as np

from graphveil.methods.plan import tuning
from graphveil.methods.plan.potential import Edits, OutOfTime
from graphveil.methods.plan.search import Schedule, Search
from graphveil.methods.plan.step_costs import Stage
from graphveil.stopping import Stopped


class Solution(NamedTuple):
    """Edits that reach all goals."""

    edits: Edits
    drift: float  # what they add to the sum of all clustering coefficients

    @classmethod
    def at(cls, search: Search) -> Solution:
        """The solution that a search is at."""
        return cls(dict(search.edits), search.drift)

    @property
    def cost(self) -> tuple[int, float]:
        """How many edits, then how much they change clustering."""
        return len(self.edits), abs(self.drift)


def side_by_side(works: Sequence[Iterator[Solution]]) -> Iterator[Solution]:
    """All that the works come to, in their order; where one is ended from outside, what was found until then."""
    import numba

    found: list[list[Solution]] = [[] for _ in works]
    ended: BaseException | None = None
    try:
        if len(works) == 1 or numba.get_num_threads() == 1:
            for place, work in enumerate(works):
                found[place].extend(work)
        else:
            with ThreadPoolExecutor(len(works) - 1) as pool:
                others = [
                    pool.submit(copy_context().run, found[place].extend, works[place])
                    for place in range(1, len(works))
                ]
                found[0].extend(works[0])  # in this thread: it tells the listener, and hears Ctrl-C
            for other in others:
                other.result()
    except (OutOfTime, Stopped) as exception:
        ended = exception
    for solutions_of_one in found:
        yield from solutions_of_one
    if ended is not None:
        raise ended


def improved_solutions(search: Search) -> Iterator[Solution]:
    """Solutions, each better than some before."""
    several, slack = _variety(search)
    found: list[Solution] = []
    for solution in solutions(search, slack):
        found.append(solution)
        yield solution
    if not found:
        return
    # The shortest one need not lead to the best. Half of the effort goes to several, the rest to the best of them.
    shortest = sorted(found, key=lambda each: len(each.edits))[: max(1, several)]
    effort = _effort(search, len(shortest[0].edits))
    best = shortest[0]
    for first in shortest[:several]:
        for solution in improvements(search, first, effort // (2 * len(shortest))):
            best = min(best, solution, key=lambda each: len(each.edits))
            yield solution
    yield from improvements(search, best, effort // 2)


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


def solutions(search: Search, slack: float = 1.0) -> Iterator[Solution]:
    """Descend by every schedule from every beginning, to solutions not much longer than the shortest so far."""
    search.filled, shortest = [], math.inf
    stuck: list[tuple[int, Edits]] = []
    for beginning, schedules in search.beginnings():
        for pair in zip_longest(*[iter(schedules)] * len(search.twins())):
            descents = [
                Descent(twin, beginning, schedule, slack * shortest, bool(search.filled))
                for twin, schedule in zip(search.twins(), pair, strict=True)
                if schedule
            ]
            yield from side_by_side([descent.solutions() for descent in descents])
            for descent in descents:
                search.filled += descent.filled
                stuck += descent.stuck
            shortest = min((edits for edits, _ in search.filled), default=math.inf)
    if not search.filled and stuck and _freed(search, *min(stuck, key=lambda each: each[0])):
        yield Solution.at(search)


@dataclass
class Descent:
    """One way down from a beginning."""

    search: Search
    beginning: Edits
    schedule: Schedule
    most: float  # edits
    others: bool  # whether there are solutions already
    filled: list[tuple[int, Edits]] = field(default_factory=list)  # edits of the solution; of its first stage
    stuck: list[tuple[int, Edits]] = field(default_factory=list)  # what is left to be moved; the edits

    def solutions(self) -> Iterator[Solution]:
        """The solution that this leads to, if it does."""
        search = self.search
        search.go_to(self.beginning)
        done = search.descend(self.schedule[:1], self.most)
        filled = dict(search.edits)
        done = done or bool(search.violating and search.descend(self.schedule[1:], self.most))
        if not done and not self.others:
            self.stuck.append((search.left(), dict(search.edits)))
            done = search.degrees is not None and _freed(search, *self.stuck.pop())
        if done:
            self.filled.append((len(search.edits), filled))
            yield Solution.at(search)


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


def improvements(search: Search, best: Solution, effort: int) -> Iterator[Solution]:
    """Ever better solutions, or as good ones, with so many steps: both twins go on from the best that either found."""
    twins, in_vain = search.twins(), 0
    before = sum(twin.steps for twin in twins)
    while sum(twin.steps for twin in twins) - before < effort and in_vain < _patience(
        search, len(best.edits)
    ):
        if len(best.edits) < 2:
            break
        in_vain += tuning.ROUNDS_APART * len(twins)
        for solution in side_by_side([_rounds(twin, best) for twin in twins]):
            in_vain = 0 if len(solution.edits) < len(best.edits) else in_vain
            if len(solution.edits) <= len(best.edits):
                best = solution
                yield best


def _rounds(search: Search, best: Solution) -> Iterator[Solution]:
    """A few rounds of taking back some edits and descending again."""
    # At a solution, so that no class is filled before others
    search.go_to(best.edits, best.drift)
    schedules = search.schedules_again()
    for _ in range(tuning.ROUNDS_APART if len(best.edits) > 1 else 0):
        ruin(search)
        if search.descend(schedules[search.rng.integers(len(schedules))], len(best.edits)):
            best = Solution.at(search)
            yield best
        else:
            search.go_to(*best)


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
