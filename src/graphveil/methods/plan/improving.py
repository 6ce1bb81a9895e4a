"""From the first solutions of the method `plan` to better ones, with an effort that grows with what is cheap.

The effort is counted in steps, not in seconds, so that a seed gives the same graph on every machine (docs/plan.md).
"""

from __future__ import annotations

from collections.abc import Iterator

from graphveil.methods.plan.search import FEW_VERTICES, Edits, Search

__all__ = ["improved_solutions"]

SEVERAL = 6  # solutions that are improved, in a graph with few vertices
SLACK = 1.3  # times the length of the shortest solution: how long another may be to be among them
MOST_VERTICES_SEEN = 1_000_000_000  # by all scans of the improvement: a step scans the graph about once
FEW_EDGES = 10_000  # with fewer, the effort is a share, for there is less to improve
LEAST_SHARE = 0.1

# Where edges only rise, there is more to improve.
SEVERAL_UP = 3
SLACK_UP = 1.05
MOST_SEEN_UP = 3_700_000_000  # vertices
MOST_STEPS_UP = 100_000
MOST_CELLS_UP = 1_060_000_000  # counts times k: a step fills the table of the programme about once


def improved_solutions(search: Search) -> Iterator[Edits]:
    """Solutions, each the one that the search is at when it comes."""
    several, slack = _variety(search)
    found: list[Edits] = []
    for solution in search.solutions(slack):
        found.append(solution)
        yield solution
    if not found:
        return
    # The shortest one need not lead to the best. Half of the effort goes to several, the rest to the best of them.
    shortest = sorted(found, key=len)[:several]
    effort = _effort(search, len(shortest[0]))
    best = shortest[0]
    for first in shortest:
        search.go_to(first)
        for solution in search.improvements(search.steps + effort // (2 * len(shortest))):
            best = min(best, solution, key=len)
            yield solution
    search.go_to(best)
    yield from search.improvements(search.steps + effort // 2)


def _variety(search: Search) -> tuple[int, float]:
    """How many solutions are improved, and how much longer than the shortest they may be."""
    if search.keep_edges:
        return SEVERAL_UP, SLACK_UP
    return (SEVERAL, SLACK) if search.workspace.n < FEW_VERTICES else (1, 1.0)


def _effort(search: Search, edits: int) -> int:
    """How many steps the improvement may take: fewer where a step costs more, with n, k and what is to be moved."""
    n, k = search.workspace.n, search.k
    if search.keep_edges:
        return min(MOST_STEPS_UP, MOST_CELLS_UP // (k * (search.highest + 1)), MOST_SEEN_UP // n)
    if n < FEW_VERTICES:
        share = min(max((search.workspace.original.m / FEW_EDGES) ** 1.5, LEAST_SHARE), 1.0)
        return int(share * 6 * (500 + 20_000 // k + 100_000 // edits))
    return min(300 + 12_000 // k + 60_000 // edits, MOST_VERTICES_SEEN // n)
