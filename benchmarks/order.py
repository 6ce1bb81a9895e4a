"""Which edge of a count goes first: five orders, compared by the edges that the paper's methods change.

    python benchmarks/order.py [GRAPH ...] [--seeds N]

GRAPH is the name of a graph in GRAPHVEIL_DATA, without its ending; by default the smaller ones. Every graph is
renumbered at random for each seed, so that no order profits from the order of its file.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from statistics import median

import numpy as np
from numpy.typing import NDArray

from graphveil import Graph, anonymize
from graphveil.methods.workspace import EDGES, Workspace
from plan import graph_named

SMALL = ("ca-GrQc", "ca-HepTh", "cora-coauthor-apex", "ego-facebook")
METHODS = ("add-intuit", "add-greedy", "add-del")
K = (5, 25)
Order = Callable[[Workspace, int], int]


def last(workspace: Workspace, count: int) -> int:
    """The edge that came to the count last: what graphveil does."""
    return int(workspace.state.first[count])


def first(workspace: Workspace, count: int) -> int:
    """The edge that has had the count for the longest time."""
    edge = last(workspace, count)
    while workspace.state.later[edge] >= 0:
        edge = int(workspace.state.later[edge])
    return edge


def by_degrees(sign: int) -> Order:
    """The edge with the smallest (or largest) sum of the degrees of its ends; sign 0: any edge."""

    def chosen(workspace: Workspace, count: int) -> int:
        state = workspace.state
        edges: NDArray[np.intp] = np.flatnonzero(state.count[: state.totals[EDGES]] == count)
        sums = sign * state.length[state.ends[edges]].sum(axis=1)
        return int(edges[np.lexsort((chance.random(len(edges)), sums))[0]])

    return chosen


ORDERS: dict[str, Order] = {
    "last come": last,
    "random": by_degrees(0),
    "first come": first,
    "low degrees": by_degrees(+1),
    "high degrees": by_degrees(-1),
}
chance = np.random.default_rng(7)


def renumbered(graph: Graph, seed: int) -> Graph:
    """The same graph with its vertices numbered at random."""
    ends = np.random.default_rng(seed).permutation(graph.n)[graph.edges]
    return Graph.from_arrays(ends[:, 0], ends[:, 1], n=graph.n)


def changes(graph: Graph, k: int, method: str, seeds: int) -> Iterator[float]:
    """The median number of edges changed, for each order."""
    for order in ORDERS.values():
        Workspace.first_edge = order  # type: ignore[method-assign]
        yield median(
            anonymize(renumbered(graph, seed), k, method=method, seed=seed).changed for seed in range(seeds)
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graphs", nargs="*", default=SMALL)
    parser.add_argument("--seeds", type=int, default=7)
    asked = parser.parse_args()
    print(f"median over {asked.seeds} seeds of the edges changed\n")
    print("| graph | k | method | " + " | ".join(ORDERS) + " |\n" + "|---" * (3 + len(ORDERS)) + "|")
    ratios = []
    for name in asked.graphs:
        for k in K:
            for method in METHODS:
                found = list(changes(graph_named(name), k, method, asked.seeds))
                print(
                    f"| {name} | {k} | {method} | " + " | ".join(f"{each:,g}" for each in found) + " |",
                    flush=True,
                )
                ratios.append([each / max(found[1], 1) for each in found])
    medians = np.median(ratios, axis=0)
    print(
        "\nmedian ratio to random: " + ", ".join(f"{n} {r:.3f}" for n, r in zip(ORDERS, medians, strict=True))
    )


if __name__ == "__main__":
    main()
