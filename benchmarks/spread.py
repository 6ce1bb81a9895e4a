"""What a spread costs: changes of plan with and without it.

    python benchmarks/spread.py                       # six real graphs, k = 5 and 25, three seeds, spread 0.5
    python benchmarks/spread.py --graphs com-dblp --seeds 1
    python benchmarks/spread.py --share 0.2 --k 25

It prints medians over the seeds: the largest share of a group that touches one person after plan without a spread, the
changes without and with it, their difference as a share of the edges, and processor seconds once compiled. Every result
was recounted. The search has a budget of an hour, so that the table does not depend on the machine.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable
from statistics import median
from typing import Any

import graphveil
from graphveil.goals import Spread
from graphveil.methods.result import Result
from graphveil.risk.auditing import achieved
from plan import graph_named

GRAPHS = ("ca-GrQc", "ca-HepTh", "cora-coauthor-apex", "ego-facebook", "loc-brightkite", "email-Enron")
KS = (5, 25)
HOUR = 3600.0


def run(graph: graphveil.Graph, k: int, seed: int, **how: Any) -> tuple[Result, float]:
    start = time.process_time()
    result = graphveil.anonymize(graph, k, seed=seed, budget=HOUR, **how)
    return result, time.process_time() - start


def largest_share(graph: graphveil.Graph) -> float:
    return float(achieved(graph, [Spread(1)])[0] or 0)


def costs(graphs: Iterable[str], ks: Iterable[int], seeds: int, share: float) -> None:
    small = graphveil.generate(edges=2_000, seed=1)
    for how in ({}, {"spread": share}):
        run(small, 5, 1, **how)  # compiles
    print(
        "| graph | k | largest share without | changes without | with | more, of all edges | s without | s with |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name in graphs:
        graph = graph_named(name)
        for k in ks:
            without, spread = (
                [run(graph, k, seed, **how) for seed in range(1, seeds + 1)]
                for how in ({}, {"spread": share})
            )
            assert all(graphveil.verify(result.graph, k, spread=share) for result, _ in spread)
            shares = median(largest_share(result.graph) for result, _ in without)
            fewer, more = (median(result.changed for result, _ in each) for each in (without, spread))
            seconds = (f"{median(s for _, s in each):.1f}" for each in (without, spread))
            cells = (
                name,
                k,
                f"{shares:.0%}",
                f"{fewer:g}",
                f"{more:g}",
                f"{(more - fewer) / graph.m:.3%}",
                *seconds,
            )
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--graphs", nargs="+", default=GRAPHS)
    parser.add_argument("--k", nargs="+", type=int, default=KS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--share", type=float, default=0.5)
    chosen = parser.parse_args()
    costs(chosen.graphs, chosen.k, chosen.seeds, chosen.share)
