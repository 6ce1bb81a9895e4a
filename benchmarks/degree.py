"""Degrees too: KDA after a k-NMF method, and Liu and Terzi's way.

    python benchmarks/degree.py edges      # edges added on Brightkite, beside what no method can go below
    python benchmarks/degree.py growth     # powerlaw_cluster_graph(n, 8, 0.5) for n = 5,000 … 320,000 at k = 5
    python benchmarks/degree.py real       # seconds on the real graphs at k = 25

`edges` runs KDA on the 25-NMF anonymous graph and Liu–Terzi on the original. Its two bounds: half the sum of the
cheapest raises; and what hubs demand. The t vertices that end with the highest degrees gain P(t) at least, and an
edge gives them two only where it lies between two of them, so no method needs fewer than P(t) − t(t − 1)/2 edges.

Seconds are processor time, once compiled: on a busy machine that says more than the clock. The real graphs are
found through GRAPHVEIL_DATA or in ../shared/data.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

import graphveil
from graphveil.anonymize.degrees import DegreeChange
from graphveil.anonymize.kda import kda
from graphveil.anonymize.liu_terzi import liu_terzi

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from anonymizing import real_graph, seconds

NMF_K = 25
TOP = 400  # how many hubs the second bound looks at
REAL = (
    "ca-GrQc",
    "ca-HepTh",
    "cora-coauthor-apex",
    "ego-facebook",
    "email-Enron",
    "loc-brightkite",
    "com-dblp",
)


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
    print(
        f"{'Brightkite':12} {'k':>3} {'added':>7} {'half sum':>9} {'ratio':>6} {'hub bound':>10} {'ratio':>6}"
    )
    for name, graph in (("kda", anonymous), ("liu-terzi", original)):
        for k in (5, 10, 25, 50):
            change = WAYS[name](graph, k)
            added, half = len(change.added), change.lower_bound
            hubs = max(hub_bound(graph, k), half)
            assert change.new_vertices == 0
            print(f"{name:12} {k:3} {added:7,} {half:9,} {added / half:6.2f} {hubs:10,} {added / hubs:6.2f}")


# ---------------------------------------------------------------------- seconds


def growth() -> None:
    import networkx

    sizes = [5_000 * 4**i for i in range(4)]
    graphs = [
        graphveil.Graph.from_networkx(networkx.powerlaw_cluster_graph(n, 8, 0.5, seed=1)) for n in sizes
    ]
    for name, run in WAYS.items():
        times = [seconds(lambda: run(graph, 5), repeats=3) for graph in graphs]  # noqa: B023
        exponent = math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0])
        shown = "  ".join(f"n={n:,}: {time:.3f} s" for n, time in zip(sizes, times, strict=True))
        print(f"{name:10} {shown}  exponent {exponent:.2f}")


def real() -> None:
    print(f"{'k = 25':20} {'kda s':>8} {'added':>8} {'new':>6} {'liu-terzi s':>12} {'added':>8}")
    for name in REAL:
        graph = real_graph(name)
        times = {way: seconds(lambda run=run: run(graph, 25)) for way, run in WAYS.items()}  # noqa: B023
        first, second = run_kda(graph, 25), run_liu_terzi(graph, 25)
        print(
            f"{name:20} {times['kda']:8.2f} {len(first.added):8,} {first.new_vertices:6,} "
            f"{times['liu-terzi']:12.2f} {len(second.added):8,}"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("edges", "growth", "real"))
    chosen = parser.parse_args().what
    warm_up()
    {"edges": edges, "growth": growth, "real": real}[chosen]()
