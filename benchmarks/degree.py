"""Degrees too: KDA after a k-NMF method, and Liu and Terzi's way.

    python benchmarks/degree.py edges      # edges added on Brightkite, beside what no method can go below
    python benchmarks/degree.py growth     # generated graphs of 5,000 … 340,000 vertices at k = 5
    python benchmarks/degree.py real       # seconds on the real graphs at k = 25

`edges` runs KDA on the 25-NMF anonymous graph and Liu–Terzi on the original. Its two bounds: half the sum of the
cheapest raises; and what hubs demand. The t vertices that end with the highest degrees gain P(t) at least, and an
edge gives them two only where it lies between two of them, so no method needs fewer than P(t) − t(t − 1)/2 edges.

The exponents are those of a straight line through the logarithms.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from statistics import median

import numpy as np

import graphveil
from common import REAL_EDGES, exponent, header, real_graph, rounded, row, spread, timed
from graphveil.methods.degrees import DegreeChange
from graphveil.methods.kda import kda
from graphveil.methods.liu_terzi import liu_terzi

NMF_K = 25
TOP = 400  # how many hubs the second bound looks at


def run_kda(graph: graphveil.Graph, k: int) -> DegreeChange:
    return kda(graph, k, NMF_K, np.random.default_rng(7))


def run_liu_terzi(graph: graphveil.Graph, k: int) -> DegreeChange:
    return liu_terzi(graph, k, np.random.default_rng(7))


WAYS: dict[str, Callable[[graphveil.Graph, int], DegreeChange]] = {"kda": run_kda, "liu-terzi": run_liu_terzi}


def warm_up() -> None:
    small = graphveil.generate(edges=5_000, seed=1)
    for run in WAYS.values():
        run(small, 5)


# ---------------------------------------------------------------------- edges


def hub_bound(graph: graphveil.Graph, k: int) -> int:
    """The largest of P(t) − t(t − 1)/2."""
    hubs = np.sort(graph.degrees)[::-1][:TOP]
    t = np.arange(1, len(hubs) + 1)
    return int(np.max(least_gain(hubs, k) - t * (t - 1) // 2))


def least_gain(descending: np.ndarray, k: int) -> np.ndarray:
    """P(t): the cheapest raise of the first t in groups of k, of which the last may reach beyond them."""
    sums = np.concatenate(([0], np.cumsum(descending)))
    whole = np.full(len(descending) + 1, np.inf)  # all groups complete
    whole[0] = 0
    least = np.zeros(len(descending), np.int64)
    for t in range(1, len(descending) + 1):
        first = np.arange(t)
        gain = whole[:t] + descending[first] * (t - first) - (sums[t] - sums[first])
        least[t - 1] = gain.min()
        if t >= k:
            whole[t] = gain[: t - k + 1].min()
    return least


def edges() -> None:
    original = real_graph("loc-brightkite")
    anonymous = graphveil.anonymize(original, k=NMF_K, method="add-del", seed=7).graph
    print("Edges added on Brightkite")
    header("method", "k", "added", "half the sum", "ratio", "hub bound", "ratio")
    for name, graph in (("kda", anonymous), ("liu-terzi", original)):
        for k in (5, 10, 25, 50):
            change = WAYS[name](graph, k)
            added, half = len(change.added), change.lower_bound
            hubs = max(hub_bound(graph, k), half)
            assert change.new_vertices == 0
            bounds = f"{half:,}", f"{added / half:.2f}", f"{hubs:,}", f"{added / hubs:.2f}"
            row(name, k, f"{added:,}", *bounds)


# ---------------------------------------------------------------------- seconds


def growth() -> None:
    towns = [
        [graphveil.generate(edges=20_000 * 4**power, seed=seed) for seed in range(3)] for power in range(4)
    ]
    sizes = [round(median(graph.n for graph in graphs)) for graphs in towns]
    print("Seconds at k = 5 by number of vertices n, median (lowest–highest) of three graphs")
    header("method", *(f"{n:,}" for n in sizes), "exponent")
    for name, run in WAYS.items():
        times = [
            [timed(lambda run=run, graph=graph: run(graph, 5), repeats=3)[1].seconds for graph in graphs]
            for graphs in towns
        ]
        row(name, *map(spread, times), f"{exponent(sizes, list(map(median, times))):.2f}")


def real() -> None:
    print("Real graphs at k = 25: seconds")
    header("graph", "KDA", "added", "new vertices", "Liu–Terzi", "added")
    for name in REAL_EDGES:
        graph = real_graph(name)
        (first, first_times), (second, second_times) = (
            timed(lambda run=run, graph=graph: run(graph, 25), repeats=3) for run in WAYS.values()
        )
        ours = rounded(first_times.seconds), f"{len(first.added):,}", f"{first.new_vertices:,}"
        row(name, *ours, rounded(second_times.seconds), f"{len(second.added):,}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("edges", "growth", "real"))
    chosen = parser.parse_args().what
    warm_up()
    {"edges": edges, "growth": growth, "real": real}[chosen]()
