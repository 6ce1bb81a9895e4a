"""Friendship anonymity, alone and with k-NMF: what it changes and how long it takes.

    python benchmarks/friendship.py                                # four real graphs, k = 5 and 25, three seeds
    python benchmarks/friendship.py --graphs ca-GrQc --k 5 --seeds 1

Prints medians over the seeds: edges changed in % of all, and processor seconds once compiled. Every result was
recounted.
Where no graph was found, the table says which k was. The budget is an hour, so the machine does not decide.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

import graphveil
from common import real_graph
from graphveil.errors import UnreachableError
from graphveil.goals import NMF, Friendship, Goals

GRAPHS = ("ca-GrQc", "ca-HepTh", "loc-brightkite", "email-Enron")
HOUR = 3600.0


def measured(graph: graphveil.Graph, goals: Goals, seeds: int) -> str:
    """One cell of the table."""
    changed, seconds, refused = [], [], []
    for seed in range(1, seeds + 1):
        start = time.process_time()
        try:
            result = graphveil.anonymize(graph, goals=goals, seed=seed, budget=HOUR)
        except UnreachableError as error:
            refused.append(str(error))
        else:
            changed.append(100 * result.changed / graph.m)
        seconds.append(time.process_time() - start)
    if refused:
        return f"{len(refused)} of {seeds} not found: {refused[0]}"
    return f"{median(changed):.2f} % ({median(seconds):.0f} s)"


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--graphs", nargs="+", default=GRAPHS)
    options.add_argument("--k", nargs="+", type=int, default=(5, 25))
    options.add_argument("--seeds", type=int, default=3)
    chosen = options.parse_args()
    measured(graphveil.generate(edges=2000, seed=1), (NMF(3), Friendship(3)), 1)  # compiles
    print("| graph | k | friendship alone | with k-NMF at the same k |\n|---|---|---|---|")
    for name in chosen.graphs:
        graph = real_graph(name)
        for k in chosen.k:
            alone = measured(graph, (Friendship(k),), chosen.seeds)
            both = measured(graph, (NMF(k), Friendship(k)), chosen.seeds)
            print(f"| {name} | {k} | {alone} | {both} |", flush=True)


if __name__ == "__main__":
    main()
