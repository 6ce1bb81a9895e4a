"""Both guarantees at once: the search of plan beside plan and then KDA.

    python benchmarks/both.py changes                    # six real graphs, k = 5 … 100, three seeds
    python benchmarks/both.py changes --graphs ca-GrQc lfr-3k --k 25 50 --seeds 1
    python benchmarks/both.py changes --keep-edges       # additions only
    python benchmarks/both.py plausible                  # how well changes can be told apart
    python benchmarks/both.py memory --graphs loc-brightkite

The degree k is k. `changes` prints medians over the seeds: changes (and dummy people) of plan and then KDA, of the
search for both, their ratio, and a lower bound of any method: half of the least total shift of the degrees, up or down.
Then processor seconds once compiled. Every result was recounted. The search has a budget of an hour, so that the table
does not depend on the machine.

`plausible` prints for both ways, medians over the seeds at k = 25: the share of added edges among all, the precision of
the rule "no mutual friend, but a cycle of four", the AUC of the classifier for added and for deleted edges, and how far
clustering, path length and the ranks of betweenness are from the original. "AUC own" is the AUC of original edges of
the same people: for each end of an added edge one of its own edges, drawn at random. Added edges that look just like
the other edges of these people would have this AUC.

`memory` prints the largest memory of a process that searches for mutual friends alone, and of one for both.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Iterable
from itertools import product
from statistics import median
from typing import Any

import numpy as np

import graphveil
from common import peak_memory
from graphveil.measures.detection import Candidates, best_auc, features
from graphveil.methods.result import Result
from plan import graph_named, measure

GRAPHS = ("ca-GrQc", "ca-HepTh", "cora-coauthor-apex", "ego-facebook", "loc-brightkite", "email-Enron")
KS = (5, 10, 25, 50, 100)
WAYS = {"plan, then KDA": "kda", "both": "plan"}
HOUR = 3600.0


def run(graph: graphveil.Graph, k: int, seed: int, way: str, **how: Any) -> tuple[Result, float]:
    start = time.process_time()
    result = graphveil.anonymize(graph, k, degree_k=k, degree_method=way, seed=seed, budget=HOUR, **how)
    return result, time.process_time() - start


def least_shift(degrees: np.ndarray, k: int) -> int:
    """The least sum of moves, up or down, that brings degrees into groups of k."""
    order = np.sort(degrees)
    sums = np.concatenate(([0], np.cumsum(order)))
    best = np.full(len(order) + 1, np.iinfo(np.int64).max // 2)
    best[0] = 0
    for end in range(k, len(order) + 1):
        starts = np.arange(max(0, end - 2 * k + 1), end - k + 1)  # no group needs 2k members
        middles = (starts + end) // 2
        below = order[middles] * (middles - starts) - (sums[middles] - sums[starts])
        above = sums[end] - sums[middles] - order[middles] * (end - middles)
        best[end] = np.min(best[starts] + below + above)
    return int(best[-1])


def changes(graphs: Iterable[str], ks: Iterable[int], seeds: int, *, keep_edges: bool) -> None:
    small = graphveil.generate(edges=5_000, seed=1)
    for way in WAYS.values():
        run(small, 10, 1, way, keep_edges=keep_edges)
    columns = ("graph", "k", *WAYS, "ratio", "bound", *(f"{name}, s" for name in WAYS))
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for name in graphs:
        graph = graph_named(name)
        for k in ks:
            found = {
                way: [run(graph, k, seed, way, keep_edges=keep_edges) for seed in range(1, seeds + 1)]
                for way in WAYS.values()
            }
            totals = [median(result.changed for result, _ in runs) for runs in found.values()]
            spent = [f"{median(seconds for _, seconds in runs):.0f}" for runs in found.values()]
            cells = [words(runs) for runs in found.values()]
            ratio = f"{totals[1] / totals[0]:.2f}" if totals[0] else "–"
            bound = -(-least_shift(graph.degrees, k) // 2)
            print(f"| {' | '.join([name, str(k), *cells, ratio, f'{bound:,}', *spent])} |", flush=True)


def words(runs: list[tuple[Result, float]]) -> str:
    total = median(result.changed for result, _ in runs)
    dummies = median(len(result.new_vertices) for result, _ in runs)
    rival = sum(any("plan and then KDA" in note for note in result.notes) for result, _ in runs)
    more = f", {dummies:,g} dummy people" if dummies else ""
    return f"{total:,g}{more}" + (f" (KDA's in {rival} of {len(runs)})" if rival else "")


FIGURES = {
    "rule": lambda now: measure(now, "added_edges_rule_precision").value,
    "AUC added": lambda now: measure(now, "added_edges_classifier").value,
    "AUC deleted": lambda now: measure(now, "deleted_pairs_classifier").value,
    "clustering": lambda now: abs(measure(now, "average_clustering").difference),
    "path length": lambda now: abs(measure(now, "average_path_length").difference),
    "betweenness ranks": lambda now: measure(now, "betweenness_rank").value,
}


def own_edges(result: Result) -> float | None:
    """The AUC of the best classifier for original edges of the people who got new ones."""
    added = {(u, v) for u, v in result.added.tolist()}
    original = np.array(
        [pair for pair in map(tuple, result.graph.edges.tolist()) if pair not in added], np.int32
    )
    random, drawn = np.random.default_rng(1), []
    for person in result.added.ravel().tolist():
        own = np.flatnonzero((original == person).any(axis=1))
        if len(own):
            drawn.append(original[random.choice(own)])
    if not drawn:
        return None
    rows = features(result.graph, np.array(drawn, np.int32))
    return best_auc("added", Candidates(rows, features(result.graph, original), 1.0))[1].value


def plausible(graphs: Iterable[str], ks: Iterable[int], seeds: int) -> None:
    columns = ("graph", "k", "way", "added", "AUC own", *FIGURES)
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for name in graphs:
        graph = graph_named(name)
        for k in ks:
            for title, way in WAYS.items():
                results = [run(graph, k, seed, way)[0] for seed in range(1, seeds + 1)]
                found = [graphveil.utility(graph, result.graph) for result in results]
                share = median(len(result.added) / result.graph.m for result in results)
                cells = [figure([own_edges(result) for result in results])]
                cells += [figure([value(now) for now in found]) for value in FIGURES.values()]
                print(f"| {name} | {k} | {title} | {share:.2%} | {' | '.join(cells)} |", flush=True)


def peak(name: str, k: int, how: dict[str, int]) -> float:
    """The largest memory of this process after a run."""
    graphveil.anonymize(graph_named(name), k, seed=1, budget=HOUR, **how)
    return peak_memory()


def memory(graphs: Iterable[str], ks: Iterable[int]) -> None:
    print("| graph | k | plan alone, MB | both, MB |\n|---|---|---|---|")
    for name, k in product(graphs, ks):
        cells = []
        for how in ({}, {"degree_k": k}):
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                cells.append(f"{pool.apply(peak, (name, k, how)):.0f}")
        print(f"| {name} | {k} | {' | '.join(cells)} |", flush=True)


def figure(values: list[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{median(known):.2g}" if known else "–"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    table = commands.add_parser("changes")
    table.add_argument("--keep-edges", action="store_true")
    others = [commands.add_parser(name) for name in ("plausible", "memory")]
    for command, ks in ((table, KS), *((other, (25,)) for other in others)):
        command.add_argument("--seeds", type=int, default=3)
        command.add_argument("--graphs", nargs="+", default=list(GRAPHS))
        command.add_argument("--k", nargs="+", type=int, default=list(ks))
    given = parser.parse_args()
    if given.command == "changes":
        changes(given.graphs, given.k, given.seeds, keep_edges=given.keep_edges)
    elif given.command == "memory":
        memory(given.graphs, given.k)
    else:
        plausible(given.graphs, given.k, given.seeds)
