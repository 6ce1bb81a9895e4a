"""Distances and betweenness beside igraph, in one run, and how long a whole comparison takes.

    python benchmarks/utility.py distances      # exact average path length of Brightkite
    python benchmarks/utility.py betweenness    # sampled betweenness against exact values: time and error
    python benchmarks/utility.py whole          # graphveil.utility on the real graphs, quick and not
    python benchmarks/utility.py attacks        # no timing: the simulated attack on an anonymized Brightkite

Every line gives seconds by the clock and processor seconds of all threads, once compiled: on a busy machine the
second says more, and for graphveil, which uses all cores, it is the harder comparison. igraph's average path length
takes minutes, so it is extrapolated from igraph's closeness of a part of the vertices (`--sources`, evenly spread),
which does the same breadth-first searches; `--sources 0` runs the whole. The real graphs are found through
GRAPHVEIL_DATA or in ../shared/data.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import igraph
import numba
import numpy as np

import graphveil
from graphveil.utility.betweenness import betweenness
from graphveil.utility.distances import distances

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from conftest import data_folder


def real_graph(name: str) -> graphveil.Graph:
    folder = data_folder()
    if folder is None:
        sys.exit("The real graphs are missing: set GRAPHVEIL_DATA to their folder.")
    return graphveil.read(folder / f"{name}.txt.gz")


def timed(work: Callable[[], Any], repeats: int = 1) -> tuple[Any, float, float]:
    """The result, the clock's seconds and the processor's, each of the best run."""
    runs = []
    for _ in range(repeats):
        clock, processor = time.perf_counter(), time.process_time()
        result = work()
        runs.append((time.perf_counter() - clock, time.process_time() - processor))
    return result, min(run[0] for run in runs), min(run[1] for run in runs)


def run_distances(name: str, sources: int) -> None:
    graph = real_graph(name)
    distances(graphveil.generate(edges=5_000, seed=1))
    found, clock, processor = timed(lambda: distances(graph), repeats=3)
    bare = igraph.Graph(n=graph.n, edges=graph.edges)
    if sources:
        chosen = np.arange(0, graph.n, graph.n // sources).tolist()
        _, igraph_clock, igraph_processor = timed(lambda: bare.closeness(vertices=chosen))
        scale, note = graph.n / len(chosen), f", from {len(chosen):,} of {graph.n:,} vertices"
    else:
        value, igraph_clock, igraph_processor = timed(bare.average_path_length)
        assert abs(value - found.average.value) < 1e-9
        scale, note = 1.0, ""
    print(f"Exact average path length of {name}: {found.average.value:.9f}\n")
    print("| | seconds | processor seconds |\n|---|---|---|")
    print(f"| graphveil, {numba.get_num_threads()} threads | {clock:.2f} | {processor:.2f} |")
    print(f"| igraph{note} | {igraph_clock * scale:.1f} | {igraph_processor * scale:.1f} |")
    print(f"| ratio | {igraph_clock * scale / clock:.0f}× | {igraph_processor * scale / processor:.0f}× |")


def run_betweenness(name: str, counts: list[int], seeds: int) -> None:
    graph = real_graph(name)
    bare = igraph.Graph(n=graph.n, edges=graph.edges)
    exact, clock, processor = timed(lambda: betweenness(graph).values)
    values, igraph_clock, igraph_processor = timed(bare.betweenness)
    assert np.allclose(exact, values, rtol=1e-9, atol=1e-6)
    print(
        f"Betweenness of {name}: seconds (processor seconds), error = root mean square / mean betweenness\n"
    )
    print("| sources | graphveil | error | stated | igraph | error | faster | of its error |\n|" + "---|" * 8)
    print(
        f"| all | {clock:.2f} ({processor:.2f}) | 0 | 0 | {igraph_clock:.2f} ({igraph_processor:.2f}) | 0 |"
        f" {igraph_clock / clock:.1f}× ({igraph_processor / processor:.1f}×) | |"
    )
    for count in counts:
        rows = []
        for seed in range(seeds):
            ours, ours_clock, ours_processor = timed(
                lambda count=count, seed=seed: betweenness(graph, sources=count, seed=seed)
            )
            chosen = np.random.default_rng(seed).choice(graph.n, count, replace=False).tolist()
            plain, plain_clock, plain_processor = timed(
                lambda chosen=chosen: bare.betweenness(sources=chosen)
            )
            off = [
                np.sqrt(np.mean((estimate - exact) ** 2)) / exact.mean()
                for estimate in (ours.values, np.array(plain) * graph.n / count)
            ]
            rows.append(
                (
                    ours_clock,
                    ours_processor,
                    off[0],
                    ours.relative_error,
                    plain_clock,
                    plain_processor,
                    off[1],
                )
            )
        a, b, error, stated, c, d, plain_error = np.median(rows, axis=0)
        print(
            f"| {count} | {a:.3f} ({b:.3f}) | {error:.3f} | {stated:.3f} | {c:.3f} ({d:.3f}) | {plain_error:.3f} |"
            f" {c / a:.1f}× ({d / b:.1f}×) | {error / plain_error:.2f} |",
            flush=True,
        )


def run_whole(names: list[str]) -> None:
    small = graphveil.generate(edges=30_000, seed=1)
    graphveil.utility(small, small, quick=True)
    print("`graphveil.utility` of add-del at k = 25: seconds (processor seconds)\n")
    print("| graph | vertices | edges | quick | full |\n|---|---|---|---|---|")
    for name in names:
        before = real_graph(name)
        after = graphveil.anonymize(before, 25, seed=1).graph
        cells = []
        for quick in (True, False):
            _, clock, processor = timed(
                lambda quick=quick, b=before, a=after: graphveil.utility(b, a, quick=quick)
            )
            cells.append(f"{clock:.1f} ({processor:.1f})")
        print(f"| {name} | {before.n:,} | {before.m:,} | {' | '.join(cells)} |", flush=True)


def run_attacks(name: str) -> None:
    before = real_graph(name)
    after = graphveil.anonymize(before, 25, seed=1).graph
    print(f"{name}, add-del at k = 25\n")
    print(
        "| adversary | promised | targets | certain before | after | expected before | after |\n|"
        + "---|" * 7
    )
    for attack in graphveil.simulate_attacks(before, after):
        targets = f"{attack.targets:,} {'edges' if attack.target == 'edge' else 'vertices'}"
        certain = f"{attack.before.certain:,} | {attack.after.certain:,}"
        expected = f"{attack.before.expected:.5f} | {attack.after.expected:.5f}"
        print(f"| {attack.name} | {targets} | {certain} | {expected} |")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["distances", "betweenness", "whole", "attacks"])
    parser.add_argument("--graphs", nargs="+", help="names of real graphs")
    parser.add_argument("--sources", type=int, default=1_000, help="of igraph's searches; 0 for all")
    parser.add_argument("--seeds", type=int, default=5, help="samples of betweenness")
    options = parser.parse_args()
    if options.what == "distances":
        for name in options.graphs or ["loc-brightkite"]:
            run_distances(name, options.sources)
    elif options.what == "betweenness":
        for name in options.graphs or ["ca-GrQc", "ca-HepTh"]:
            run_betweenness(name, [200, 500], options.seeds)
    elif options.what == "attacks":
        for name in options.graphs or ["loc-brightkite"]:
            run_attacks(name)
    else:
        run_whole(options.graphs or ["ca-GrQc", "ca-HepTh", "ego-facebook", "email-Enron", "loc-brightkite"])


if __name__ == "__main__":
    main()
