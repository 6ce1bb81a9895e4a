"""Readings of ADD&DEL: when an edge is marked, and how the mean is rounded.

    GRAPHVEIL_DATA=<folder> python benchmarks/marking.py

The text marks edges one by one, as they are handled. To mark all edges with the value of a group when it starts, as
ADD does, the value is sealed before any edge is lowered. The text does not say how the mean is rounded. Medians of
edges changed; the table is in docs/paper-map.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from statistics import median
from unittest.mock import patch

import graphveil
from graphveil.methods import add_del
from graphveil.methods.run import Run
from graphveil.methods.workspace import Workspace

SEEDS = {"ca-GrQc": 10, "ca-HepTh": 10, "cora-coauthor-apex": 10, "ego-facebook": 5, "loc-brightkite": 3}
K = (25, 50, 100)
FIRST_SEED = 100
lower_edges_above = add_del.lower_edges_above


def marking_at_the_start(run: Run, value: int) -> bool:
    run.workspace.seal(value)
    return lower_edges_above(run, value)


def rounding_with(more: int) -> Callable[[Workspace, int], int]:
    """The mean of the k largest open counts, with ``more`` added to their sum, rounded down."""

    def mean(workspace: Workspace, k: int) -> int:
        sizes = sorted(workspace.class_sizes().items(), reverse=True)
        counts = [
            count for count, size in sizes if not workspace.is_sealed(count) for _ in range(min(size, k))
        ]
        return (sum(counts[:k]) + more) // k

    return mean


def changes(graph: graphveil.Graph, k: int, seeds: int) -> int:
    every = range(FIRST_SEED, FIRST_SEED + seeds)
    runs = [graphveil.anonymize(graph, k, method="add-del", seed=seed) for seed in every]
    return round(median(run.changed for run in runs))


def main() -> None:
    folder = Path(os.environ["GRAPHVEIL_DATA"])
    print(
        "| graph | k | one by one | … mean rounded down | … rounded up | all at the start | … rounded down |"
    )
    print("|---|---|---|---|---|---|---|")
    for name, seeds in SEEDS.items():
        graph = graphveil.read(folder / f"{name}.txt.gz")
        for k in K:
            down = patch.object(Workspace, "mean_of_highest", rounding_with(more=0))
            up = patch.object(Workspace, "mean_of_highest", rounding_with(more=k - 1))
            figures = [changes(graph, k, seeds)]
            for rounding in (down, up):
                with rounding:
                    figures.append(changes(graph, k, seeds))
            with patch.object(add_del, "lower_edges_above", marking_at_the_start):
                figures.append(changes(graph, k, seeds))
                with down:
                    figures.append(changes(graph, k, seeds))
            print(f"| {name} | {k} | {' | '.join(f'{each:,}' for each in figures)} |", flush=True)


if __name__ == "__main__":
    main()
