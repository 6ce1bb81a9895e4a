"""How near plan comes to the fewest edits there are, where an integer programme can tell.

    python benchmarks/optimum.py

The programme chooses among all pairs of vertices those to toggle, so that every count of mutual friends occurs k times
or not at all, and as few as it can. Two things are left out. Toggles are taken to add up: that two of them make or
break a triangle together is not seen. And edges are watched from two below the lowest thin count on: the others are
taken to stay below. So "fewest" is the optimum of a model of the graph, not a proof. The solution is made and counted,
and a line is printed only if it holds for the graph itself.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

import graphveil

sys.path.insert(0, str(Path(__file__).resolve().parent))
from plan import random_graph

KS = (25, 50)
FAR = 40  # more steps than any edge makes
Row = dict[int, float]


class Watched(NamedTuple):
    """The edges that may come to lie in a thin class."""

    pairs: list[tuple[int, int]]
    counts: list[int]
    levels: range  # the lowest stands for itself and all below


def main() -> None:
    graph = random_graph()
    print("| k | add-del | plan | fewest | programme s |\n|---|---|---|---|---|")
    for k in KS:
        start = time.perf_counter()
        toggled = fewest_toggles(graph, k)
        spent = time.perf_counter() - start
        assert holds(graph, toggled, k)
        paper, ours = (
            graphveil.anonymize(graph, k, method=method, seed=1).changed for method in ("add-del", "plan")
        )
        print(f"| {k} | {paper} | {ours} | {len(toggled)} | {spent:.0f} |", flush=True)


def fewest_toggles(graph: graphveil.Graph, k: int) -> list[tuple[int, int]]:
    """The pairs that the programme toggles."""
    adjacent = adjacency(graph)
    mutual = adjacent.astype(np.int64) @ adjacent
    watched = watched_edges(adjacent, mutual, k)
    effects = effects_on(watched, adjacent)
    index = {pair: i for i, pair in enumerate(effects)}
    rows, low, high = constraints(watched, effects, index, mutual, adjacent, k)
    columns = len(effects) + len(watched.pairs) * len(watched.levels) + len(watched.levels)
    cost = np.zeros(columns)
    cost[: len(effects)] = 1
    answer = milp(
        cost,
        integrality=np.ones(columns, np.int64),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(sparse(rows, columns), low, high),
    )
    assert answer.success, answer.message
    return [pair for pair, i in index.items() if answer.x[i] > 0.5]


def adjacency(graph: graphveil.Graph) -> NDArray[np.bool_]:
    matrix = np.zeros((graph.n, graph.n), np.bool_)
    u, v = graph.edges.T
    matrix[u, v] = matrix[v, u] = True
    return matrix


def watched_edges(adjacent: NDArray[np.bool_], mutual: NDArray[np.int64], k: int) -> Watched:
    u, v = np.nonzero(np.triu(adjacent))
    sizes = np.bincount(mutual[u, v])
    lowest = int(np.flatnonzero((sizes > 0) & (sizes < k)).min()) - 2
    chosen = mutual[u, v] >= lowest
    pairs = list(zip(u[chosen].tolist(), v[chosen].tolist(), strict=True))
    return Watched(pairs, mutual[u, v][chosen].tolist(), range(lowest, len(sizes) + 1))


def effects_on(watched: Watched, adjacent: NDArray[np.bool_]) -> dict[tuple[int, int], Row]:
    """By how much toggling each pair moves each watched edge."""
    effects = defaultdict[tuple[int, int], Row](dict, {pair: {} for pair in watched.pairs})
    for i, ends in enumerate(watched.pairs):
        for a, b in (ends, ends[::-1]):
            for x in np.flatnonzero(adjacent[b]).tolist():
                if x != a:
                    effects[min(a, x), max(a, x)][i] = -1 if adjacent[a, x] else 1
    return effects


def constraints(
    watched: Watched,
    effects: dict[tuple[int, int], Row],
    index: dict[tuple[int, int], int],
    mutual: NDArray[np.int64],
    adjacent: NDArray[np.bool_],
    k: int,
) -> tuple[list[Row], list[float], list[float]]:
    """Every watched edge has one level or is deleted, and every level above the lowest has k edges or none."""
    levels, first = watched.levels, len(effects)
    at = [[first + i * len(levels) + j for j in range(len(levels))] for i in range(len(watched.pairs))]
    used = [first + len(watched.pairs) * len(levels) + j for j in range(len(levels))]
    moved: list[Row] = [{} for _ in watched.pairs]
    for pair, effect in effects.items():
        for i, step in effect.items():
            moved[i][index[pair]] = step
    rows: list[Row] = []
    low: list[float] = []
    high: list[float] = []

    def require(row: Row, least: float, most: float) -> None:
        rows.append(row)
        low.append(least)
        high.append(most)

    for i, (pair, count) in enumerate(zip(watched.pairs, watched.counts, strict=True)):
        deleted = index[pair]
        require(dict.fromkeys([*at[i], deleted], 1), 1, 1)
        shift = moved[i] | {column: -level for column, level in zip(at[i], levels, strict=True)}
        require(shift | {deleted: -FAR}, -np.inf, -count)
        require(shift | {deleted: FAR, at[i][0]: FAR - levels[0]}, -count, np.inf)
    for j, level in enumerate(levels[1:], 1):
        members: Row = dict.fromkeys((columns[j] for columns in at), 1)
        members |= {index[p]: 1 for p in effects if not adjacent[p] and mutual[p] == level}
        require(members | {used[j]: -k}, 0, np.inf)
        require(members | {used[j]: -len(members)}, -np.inf, 0)
    return rows, low, high


def sparse(rows: list[Row], columns: int) -> csr_array:
    values = [value for row in rows for value in row.values()]
    places = [column for row in rows for column in row]
    starts = np.cumsum([0, *(len(row) for row in rows)])
    return csr_array((values, places, starts), shape=(len(rows), columns))


def holds(graph: graphveil.Graph, toggled: list[tuple[int, int]], k: int) -> bool:
    """Whether the toggled graph is k-NMF anonymous."""
    adjacent = adjacency(graph)
    for u, v in toggled:
        adjacent[u, v] = adjacent[v, u] = not adjacent[u, v]
    counts = (adjacent.astype(np.int64) @ adjacent)[np.nonzero(np.triu(adjacent))]
    sizes = np.bincount(counts)
    return bool(np.all((sizes == 0) | (sizes >= k)))


if __name__ == "__main__":
    main()
