"""Measures of usefulness beside other libraries, in one run, and how long a whole comparison takes.

    python benchmarks/utility.py distances      # exact average path length
    python benchmarks/utility.py betweenness    # sampled betweenness against exact values: time and error
    python benchmarks/utility.py clustering     # average clustering coefficient
    python benchmarks/utility.py whole          # graphveil.utility on the real graphs, quick and not
    python benchmarks/utility.py attacks        # no timing: the simulated attack on an anonymized Brightkite

Seconds are by the clock; graphveil and NetworKit use all cores, igraph and networkx one. Where a library would take
minutes for exact path lengths, its time is extrapolated from the searches of some vertices, evenly spread, and the
table says from how many; igraph's is also run in full (`--in-full`). The error of betweenness is the root mean square
over all vertices as a share of the mean, against graphveil's exact values, which on a small graph are compared with
igraph's; other libraries' samples are scaled up by n / sources.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import igraph
import networkit
import networkx
import numpy as np

import graphveil
from common import header, ratio, real_graph, rounded, row, timed, uncounted
from graphveil.measures.betweenness import betweenness
from graphveil.measures.distances import distances
from graphveil.measures.profiling import triangle_measures

SOURCES = 200  # of searches that are extrapolated
SMALL = 20_000  # edges; above, exact values by igraph and samples by networkx take minutes
EVERY_TIME = ["ca-GrQc", "ca-HepTh", "ego-facebook", "email-Enron", "loc-brightkite"]


def in_networkit(graph: graphveil.Graph) -> Any:
    ends = tuple(graph.edges[:, side].astype(np.uint64) for side in (0, 1))
    return networkit.GraphFromCoo(ends, n=graph.n)


def in_networkx(graph: graphveil.Graph) -> Any:
    made = networkx.empty_graph(graph.n)
    made.add_edges_from(graph.edges.tolist())
    return made


# ---------------------------------------------------------------------- distances


def run_distances(name: str, in_full: bool) -> None:
    graph = real_graph(name)
    bare, kit, plain = igraph.Graph(n=graph.n, edges=graph.edges), in_networkit(graph), in_networkx(graph)
    chosen = np.arange(0, graph.n, max(graph.n // SOURCES, 1)).tolist()
    distances(graphveil.generate(edges=5_000, seed=1))
    found, ours = timed(lambda: distances(graph))
    searches: dict[str, Callable[[], Any]] = {
        "igraph": lambda: bare.closeness(vertices=chosen),
        "NetworKit": lambda: [networkit.distance.BFS(kit, v, storePaths=False).run() for v in chosen],
        "networkx": lambda: [networkx.single_source_shortest_path_length(plain, v) for v in chosen],
    }
    print(f"\nExact average path length of {name}: {found.average.value:.9f}; seconds")
    header("library", "seconds", "times graphveil", "error", "measured on")
    row("graphveil", ours, "1×", 0, "all vertices")
    if in_full:
        value, times = timed(bare.average_path_length, repeats=1)
        error = abs(value - found.average.value)
        row("igraph", times, ratio(times.seconds, ours.seconds), f"{error:.1g}", "all vertices")
    for library, search in searches.items():
        if library == "igraph" and in_full:
            continue
        seconds = timed(search, repeats=3)[1].seconds * graph.n / len(chosen)
        row(
            library,
            rounded(seconds),
            ratio(seconds, ours.seconds),
            "",
            f"{len(chosen):,} of {graph.n:,} vertices",
        )


# ---------------------------------------------------------------------- betweenness


def run_betweenness(name: str, counts: list[int], seeds: int) -> None:
    graph = real_graph(name)
    bare, kit, plain = igraph.Graph(n=graph.n, edges=graph.edges), in_networkit(graph), in_networkx(graph)
    betweenness(graphveil.generate(edges=5_000, seed=1), sources=100, seed=1)
    small = graph.m < SMALL
    exact, ours = timed(lambda: betweenness(graph).values, repeats=3)

    def from_igraph(count: int, seed: int) -> np.ndarray:
        chosen = np.random.default_rng(seed).choice(graph.n, count, replace=False).tolist()
        return np.array(bare.betweenness(sources=chosen)) * graph.n / count

    def from_networkit(count: int, seed: int) -> np.ndarray:
        networkit.setSeed(seed, False)
        return np.array(networkit.centrality.EstimateBetweenness(kit, count, False, True).run().scores()) / 2

    def from_networkx(count: int, seed: int) -> np.ndarray:
        found = networkx.betweenness_centrality(plain, k=count, normalized=False, seed=seed)
        return np.array([found[v] for v in range(graph.n)])

    ways = {
        "graphveil": lambda count, seed: betweenness(graph, sources=count, seed=seed).values,
        "igraph": from_igraph,
        "NetworKit": from_networkit,
    }
    if small:
        ways["networkx"] = from_networkx
    print(f"\nBetweenness of {name}: seconds, median of {seeds} samples")
    header("sources", "library", "seconds", "times graphveil", "error", "times graphveil's")
    row("all", "graphveil", ours, "1×", 0, "")
    if small:
        values, theirs = timed(bare.betweenness, repeats=3)
        assert np.allclose(exact, values, rtol=1e-9, atol=1e-6)
        row("all", "igraph", theirs, ratio(theirs.seconds, ours.seconds), 0, "")
    for count in counts:
        first = None
        for library, way in ways.items():
            tries = 1 if library == "networkx" else seeds
            seconds, error = np.median([sample(way, count, seed, exact) for seed in range(tries)], axis=0)
            first = first or (seconds, error)
            faster = ratio(seconds, first[0])
            row(count, library, rounded(seconds), faster, f"{error:.3f}", ratio(error, first[1]))


def sample(
    way: Callable[[int, int], np.ndarray], count: int, seed: int, exact: np.ndarray
) -> tuple[float, float]:
    """Seconds and error of one sample."""
    found, times = timed(lambda: way(count, seed), repeats=1)
    return times.seconds, float(np.sqrt(np.mean((found - exact) ** 2)) / exact.mean())


# ---------------------------------------------------------------------- clustering


def run_clustering(names: list[str]) -> None:
    print("Average clustering coefficient: seconds")
    header("graph", "library", "seconds", "times graphveil", "coefficient", "difference")
    for name in names:
        graph = real_graph(name)
        bare, kit, plain = igraph.Graph(n=graph.n, edges=graph.edges), in_networkit(graph), in_networkx(graph)
        ways: dict[str, Callable[[], float]] = {
            "graphveil": lambda graph=graph: average_clustering(uncounted(graph)),
            "igraph": lambda bare=bare: bare.transitivity_avglocal_undirected(mode="zero"),
            "NetworKit": lambda kit=kit: networkit_clustering(kit),
            "networkx": lambda plain=plain: networkx.average_clustering(plain),
        }
        average_clustering(graph)
        ours = None
        for library, way in ways.items():
            value, times = timed(way)
            ours = ours or (value, times.seconds)
            difference = f"{abs(value - ours[0]):.1g}"
            row(name, library, times, ratio(times.seconds, ours[1]), f"{value:.6f}", difference)


def networkit_clustering(kit: Any) -> float:
    return float(np.mean(networkit.centrality.LocalClusteringCoefficient(kit, True).run().scores()))


def average_clustering(graph: graphveil.Graph) -> float:
    return triangle_measures(graph, graphveil.mutual_friends(graph))["average_clustering"].value


# ---------------------------------------------------------------------- the whole


def run_whole(names: list[str]) -> None:
    small = graphveil.generate(edges=30_000, seed=1)
    graphveil.utility(small, small, quick=True)
    print("`graphveil.utility` of add-del at k = 25: seconds")
    header("graph", "vertices", "edges", "quick", "full")
    for name in names:
        before = real_graph(name)
        after = graphveil.anonymize(before, 25, seed=1).graph
        cells = [
            timed(lambda quick=quick, b=before, a=after: graphveil.utility(b, a, quick=quick), repeats=3)[1]
            for quick in (True, False)
        ]
        row(name, f"{before.n:,}", f"{before.m:,}", *cells)


def run_attacks(name: str) -> None:
    before = real_graph(name)
    after = graphveil.anonymize(before, 25, seed=1).graph
    print(f"{name}, add-del at k = 25")
    header("attacker", "guaranteed", "targets", "certain before", "after", "expected before", "after")
    for attack in graphveil.simulate_attacks(before, after):
        targets = f"{attack.targets:,} {'edges' if attack.target == 'edge' else 'vertices'}"
        certain = f"{attack.before.certain:,} | {attack.after.certain:,}"
        expected = f"{attack.before.expected:.5f} | {attack.after.expected:.5f}"
        print(f"| {attack.name} | {targets} | {certain} | {expected} |")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["distances", "betweenness", "clustering", "whole", "attacks"])
    parser.add_argument("--graphs", nargs="+", help="names of real graphs")
    parser.add_argument("--in-full", action="store_true", help="igraph's path lengths from all vertices")
    parser.add_argument("--seeds", type=int, default=5, help="samples of betweenness")
    options = parser.parse_args()
    if options.what == "distances":
        for name in options.graphs or ["ca-HepTh", "loc-brightkite"]:
            run_distances(name, options.in_full)
    elif options.what == "betweenness":
        for name in options.graphs or EVERY_TIME:
            run_betweenness(name, [200, 500], options.seeds)
    elif options.what == "clustering":
        run_clustering(options.graphs or ["loc-brightkite", "com-dblp"])
    elif options.what == "attacks":
        for name in options.graphs or ["loc-brightkite"]:
            run_attacks(name)
    else:
        run_whole(options.graphs or EVERY_TIME)


if __name__ == "__main__":
    main()
