"""A guarantee over two releases: no pair of values, one of each release, belongs to fewer than k.

An attacker who has both releases knows the mutual-friend counts of a friendship in both years, and a person's
degrees in both years. The values of the earlier release are what they are. So the search changes those of this one, or
deletes friendships, until every pair of counts that occurs belongs to k friendships that are in both releases. It is
the search of the budget (reducing.py) with the pair of values as the signature. What was changed in the earlier
release stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import UnreachableError
from graphveil.goals import Degree, Goals, level_of
from graphveil.graph import Graph
from graphveil.methods.carrying import Carried
from graphveil.methods.reduce.reducing import Annealing, rows_of_goals, weight_of_exposed
from graphveil.methods.reduce.state import Row, Then
from graphveil.verification.releases import JointExposure, Together, common_edges, together
from graphveil.words import percent

MOST_CHANGES = 0.2  # of the friendships: where more are needed, a smaller k is the better choice
ATTEMPTS = 3  # with other random numbers, before it is called out of reach


@dataclass
class JointSearch:
    """A search for the guarantee over both releases, from a graph that keeps all goals of this one."""

    carried: Carried  # the graph with the changes of the earlier release, and the earlier release
    # The guarantees of this release, which stay; where degrees are among them, pairs of degrees count too
    goals: Goals
    keep_edges: bool
    rng: np.random.Generator
    time_is_up: Callable[[], bool] = lambda: False
    told: Callable[[int, int], object] | None = None
    interrupted: bool = False

    def found(self, graph: Graph, k: int) -> Graph:
        """A graph in which k share each pair of values. A change that it does not need is taken back.

        Raises
        ------
        UnreachableError
            Where none was found; the message says what was reached
        """
        in_both = min(each.targets for each in self._looked_at(graph, k))
        if k > in_both:
            raise UnreachableError(
                f"joint k={k:,} is out of reach: only {in_both:,} are in both releases. Choose a much smaller one."
            )
        best, reached = self._try(graph, k, ATTEMPTS), k
        if not self._exposed(best, k):
            return best
        while self._exposed(best, reached):
            if (reached := reached // 2) < 2 or self.time_is_up():
                break
            best = self._try(graph, reached, 1)
        raise UnreachableError(self._out_of_reach(best, k, reached))

    def _try(self, graph: Graph, k: int, attempts: int) -> Graph:
        for _ in range(attempts):
            search = self._annealing(graph, k)
            changed = search.spend_sparingly(int(MOST_CHANGES * graph.m), self._exposed(graph, k))
            self.interrupted |= search.interrupted
            if search.stopped or not self._exposed(changed, k):
                break
        return changed

    def _annealing(self, graph: Graph, k: int) -> Annealing:
        from graphveil.kernels import reduce as kernel

        kinds = [kernel.JOINT_COUNT, kernel.JOINT_DEGREE][: 1 + self._of_degrees]
        rows = [Row(kind, k, weight_of_exposed(k)) for kind in kinds] + rows_of_goals(self.goals)
        start = self.carried.graph
        begin = start if start.n == graph.n else Graph(start.edges, graph.n)
        seed = int(self.rng.integers(1 << 62))
        return Annealing(
            graph,
            begin,
            rows,
            self.goals,
            self.keep_edges,
            seed,
            self.time_is_up,
            self.told,
            _then(self.carried),
        )

    @property
    def _of_degrees(self) -> bool:
        return level_of(self.goals, Degree) is not None

    def _looked_at(self, graph: Graph, k: int) -> list[JointExposure]:
        both = seen_in_both(graph, self.carried, k)
        return [both.mutual_friends, both.degrees][: 1 + self._of_degrees]

    def _exposed(self, graph: Graph, k: int) -> int:
        return sum(each.exposed for each in self._looked_at(graph, k))

    def _out_of_reach(self, best: Graph, k: int, reached: int) -> str:
        """What was reached, and the way out."""
        seen = self._looked_at(best, k)
        smallest = min(each.smallest_group or 1 for each in seen)
        share = percent(self._exposed(best, k) / max(sum(each.targets for each in seen), 1))
        stopped = self.time_is_up()
        why = (
            "the search was stopped by its budget"
            if stopped
            else "groups that lost members since cannot be filled"
        )
        ways = [f"Choose joint={smallest}"] if smallest > 1 else []
        ways += ["Give it more time (budget=)"] if stopped else []
        return (
            f"joint k={k:,} was not found: {share} are in smaller groups, and {why}. The largest that was found is "
            f"{smallest}. {'. '.join([*ways, 'Or leave joint= out'])}."
        )


def seen_in_both(graph: Graph, carried: Carried, k: int) -> Together:
    """What this graph and the earlier release give away together."""
    assert carried.release is not None
    return together(carried.release.published, graph, carried.before(graph.n), k)


def _then(carried: Carried) -> Then:
    """The values of the earlier release, and the pairs that stay: its changes, and friendships that really ended."""
    assert carried.release is not None
    earlier, number = carried.release.published, carried.earlier
    before, now = common_edges(earlier, carried.graph, number)
    counts = np.full(carried.graph.m, -1, np.int64)
    counts[now] = earlier.mutual_friends[before]
    degrees = np.where(number >= 0, earlier.degrees[number], -1)
    ended = np.delete(earlier.edges, before, axis=0)
    return Then(
        np.concatenate((carried.fixed, _in_todays_numbers(ended, number, earlier.n))), counts, degrees
    )


def _in_todays_numbers(pairs: NDArray[np.int32], number: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Pairs of the earlier release between people who are still there."""
    now = np.full(n, -1, np.int64)
    now[number[number >= 0]] = np.flatnonzero(number >= 0)
    ends = now[pairs]
    there: NDArray[np.int64] = ends[(ends >= 0).all(axis=1)]
    return there
