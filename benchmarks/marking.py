"""Two readings of ADD&DEL: when an edge is marked, and how the mean is rounded.

    GRAPHVEIL_DATA=<folder> python benchmarks/marking.py

The text marks edges one by one, as they are handled. To mark all edges with the value of a group when it starts, as
ADD does, the value is sealed before any edge is lowered. The table is in docs/paper-map.md.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from statistics import median
from unittest.mock import patch

import numpy as np

import graphveil
from graphveil.methods import add_del
from graphveil.methods.run import Run
from graphveil.methods.workspace import Workspace

SEEDS = {"ca-GrQc": 10, "ca-HepTh": 10, "cora-coauthor-apex": 10, "ego-facebook": 5, "loc-brightkite": 3}
K = (25, 50, 100)
FIRST_SEED = 100
lower_edges_above = add_del.lower_edges_above


def all_at_the_start(run: Run, value: int) -> bool:
    run.workspace.seal(value)
    return lower_edges_above(run, value)


def mean_rounded_down(workspace: Workspace, k: int) -> int:
    sizes = sorted(workspace.class_sizes().items(), reverse=True)
    counts = np.repeat(
        *np.array([(count, size) for count, size in sizes if not workspace.is_sealed(count)]).T
    )
    return int(counts[:k].sum()) // k


@contextmanager
def read_as(early: bool, down: bool) -> Iterator[None]:
    with ExitStack() as stack:
        if early:
            stack.enter_context(patch.object(add_del, "lower_edges_above", all_at_the_start))
        if down:
            stack.enter_context(patch.object(Workspace, "mean_of_highest", mean_rounded_down))
        yield


def main() -> None:
    folder = Path(os.environ["GRAPHVEIL_DATA"])
    print("| graph | k | one by one | … rounded down | all at the start | … rounded down |")
    print("|---|---|---|---|---|---|")
    for name, seeds in SEEDS.items():
        graph = graphveil.read(folder / f"{name}.txt.gz")
        for k in K:
            figures = []
            for early, down in product((False, True), repeat=2):
                with read_as(early, down):
                    every = range(FIRST_SEED, FIRST_SEED + seeds)
                    runs = [graphveil.anonymize(graph, k, method="add-del", seed=seed) for seed in every]
                figures.append(f"{median(run.changed for run in runs):,.0f}")
            print(f"| {name} | {k} | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main()
