"""Anonymizing: graphveil beside the plain-Python version of the paper, and how its cost grows with the graph.

    python benchmarks/anonymizing.py oracle     # Brightkite at k = 25, each method beside tests/oracle_anonymize.py
    python benchmarks/anonymizing.py growth     # generated graphs of 10⁴ … 10⁷ edges at k = 25
    python benchmarks/anonymizing.py edits      # single edits of the workspace beside networkx with a recount
    python benchmarks/anonymizing.py changes    # edges changed on the real graphs, by method and k

Seconds are processor time of all threads, once compiled: on a busy machine that says more than the clock. The real
graphs are found through GRAPHVEIL_DATA or in ../shared/data.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import graphveil
from graphveil.workspace import Workspace

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import oracle_anonymize as plain
from conftest import data_folder

METHODS = ("add-intuit", "add-greedy", "add-del")
K = 25


def real_graph(name: str) -> graphveil.Graph:
    folder = data_folder()
    if folder is None:
        sys.exit("The real graphs are missing: set GRAPHVEIL_DATA to their folder.")
    return graphveil.read(folder / f"{name}.txt.gz")


def seconds(work: Callable[[], object], repeats: int = 1) -> float:
    """Processor seconds of the fastest of the repeats."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def warm_up() -> None:
    """Compile every kernel on a small and on a shared-out graph."""
    for method in METHODS:
        graphveil.anonymize(graphveil.generate(edges=5_000, seed=1), k=10, method=method, seed=1)
    graphveil.mutual_friends(graphveil.generate(edges=200_000, seed=1))


def oracle() -> None:
    graph = real_graph("loc-brightkite")
    edges = graph.edges.tolist()
    slow = {
        "add-intuit": lambda: plain.add(plain.PlainGraph(graph.n, edges), K, greedy=False),
        "add-greedy": lambda: plain.add(plain.PlainGraph(graph.n, edges), K, greedy=True),
        "add-del": lambda: plain.add_del(plain.PlainGraph(graph.n, edges), K),
    }
    print(
        f"Brightkite, k = {K}: processor seconds\n\n| method | graphveil | plain Python | ratio |\n|---|---|---|---|"
    )
    for method in METHODS:
        fast = seconds(lambda method=method: graphveil.anonymize(graph, K, method=method, seed=1), repeats=3)
        plainly = seconds(slow[method])
        print(f"| {method} | {fast:.2f} | {plainly:.0f} | {plainly / fast:.0f}× |", flush=True)


def growth(largest: int) -> None:
    sizes = [10**exponent for exponent in range(4, largest + 1)]
    graphs = {size: graphveil.generate(edges=size, seed=4) for size in sizes}
    print(f"Generated graphs, k = {K}: processor seconds (edges changed)\n")
    print("| edges | counting | " + " | ".join(METHODS) + " |\n|---" + "|---" * (len(METHODS) + 1) + "|")
    table: dict[str, list[float]] = {method: [] for method in METHODS}
    for size, graph in graphs.items():
        cells = [f"{seconds(lambda graph=graph: graphveil.mutual_friends(graph)):.3f}"]
        for method in METHODS:
            start = time.process_time()
            result = graphveil.anonymize(graph, K, method=method, seed=1)
            table[method].append(time.process_time() - start)
            cells.append(f"{table[method][-1]:.2f} ({result.changed:,})")
        print(f"| {size:,} | " + " | ".join(cells) + " |", flush=True)
    for method in METHODS:
        exponent = np.polyfit(np.log(sizes), np.log(table[method]), 1)[0]
        print(f"\n{method}: time grows with exponent {exponent:.2f}", end="")
    print()


def edits() -> None:
    import networkx

    graph = real_graph("ca-GrQc")
    rng = np.random.default_rng(1)
    pairs = [(u, v) for u, v in rng.integers(0, graph.n, (400, 2)).tolist() if u != v]

    def with_workspace() -> None:
        workspace = Workspace(graph)
        for u, v in pairs:
            if workspace.edge_between(u, v) is None:
                workspace.add_edge(u, v)

    def with_networkx() -> None:
        other = networkx.Graph(graph.edges.tolist())
        for u, v in pairs[:10]:
            other.add_edge(u, v)
            {edge: len(set(other[edge[0]]) & set(other[edge[1]])) for edge in other.edges}

    ours = seconds(with_workspace, repeats=3) / len(pairs)
    theirs = seconds(with_networkx) / 10
    print("ca-GrQc: one edge added, every count right again")
    print(
        f"workspace {1 / ours:,.0f} edits a second, networkx with recount {1 / theirs:,.1f}: {theirs / ours:,.0f}×"
    )


def changes(names: list[str], ks: list[int], seeds: int) -> None:
    print(f"Edges changed, median of {seeds} seeds (new vertices)\n")
    print("| graph | k | " + " | ".join(METHODS) + " |\n|---|---" + "|---" * len(METHODS) + "|")
    for name in names:
        graph = real_graph(name)
        for k in ks:
            cells = []
            for method in METHODS:
                runs = [graphveil.anonymize(graph, k, method=method, seed=seed) for seed in range(seeds)]
                median = np.median([run.changed for run in runs])
                cells.append(f"{median:,.0f} ({sum(len(run.new_vertices) for run in runs)})")
            print(f"| {name} | {k} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["oracle", "growth", "edits", "changes"])
    parser.add_argument(
        "--largest", type=int, default=7, help="growth: the largest graph has 10 to this many edges"
    )
    parser.add_argument(
        "--graphs",
        nargs="+",
        default=["ca-GrQc", "ca-HepTh", "ego-facebook", "email-Enron", "loc-brightkite"],
    )
    parser.add_argument("-k", type=int, nargs="+", default=[5, 10, 25, 50, 100])
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    warm_up()
    if options.what == "growth":
        growth(options.largest)
    elif options.what == "changes":
        changes(options.graphs, options.k, options.seeds)
    else:
        {"oracle": oracle, "edits": edits}[options.what]()


if __name__ == "__main__":
    main()
