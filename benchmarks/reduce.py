"""How many people a budget of changes protects: the search against rules that delete friendships.

    python benchmarks/reduce.py                                   # two real graphs and a dense generated one
    python benchmarks/reduce.py --graphs ca-GrQc --changes 0.05 --attackers degree-and-triangles
    python benchmarks/reduce.py --usefulness                      # what the changes do to the graph

The rules are those by which R. de Jong, M. van der Loo and F. Takes choose friendships to delete (ANO-NET), written
from their paper: at random; of a person who is unique; and of those the one whose two ends and mutual friends have the
most unique people among them. It prints the people who are unique (k = 2) and in groups below k by their degree and
triangles, or exposed by a friendship of theirs, before and after, and processor seconds once compiled.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

import graphveil
from common import header, real_graph, row
from graphveil import Graph
from graphveil.methods.reduce.reducing import Limits, Wish, reduce_exposed
from graphveil.methods.reduce.signatures import signature_named

GRAPHS = ("ca-GrQc", "ca-HepTh", "dense")
ATTACKERS = ("degree-and-triangles", "edge-degrees-and-mutual-friends")
CHANGES = (0.01, 0.03, 0.05, 0.1)
K = 5
BATCHES = 20  # between which a rule looks anew who is unique


def graph_named(name: str) -> Graph:
    return dense_graph() if name == "dense" else real_graph(name)


def dense_graph(people: int = 962, edges: int = 18_812, seed: int = 1) -> Graph:
    """A generated network of the size of a college: people near each other in a square are friends."""
    rng = np.random.default_rng(seed)
    place, charm = rng.random((people, 2)), rng.lognormal(sigma=0.5, size=people)
    away = np.abs(place[:, None] - place[None])
    distance = (np.minimum(away, 1 - away) ** 2).sum(axis=2) / (charm[:, None] * charm[None])
    distance *= rng.exponential(size=distance.shape)
    u, v = np.triu_indices(people, 1)
    nearest = np.argsort(distance[u, v], kind="stable")[:edges]
    return Graph.from_arrays(u[nearest], v[nearest], n=people)


def exposed_people(graph: Graph, attacker: str, k: int) -> float:
    signature = signature_named(attacker)
    return signature.people(graph, signature.exposed(graph, k)) / graph.n


# ---------------------------------------------------------------------- rules that delete

Rule = Callable[[Graph, np.ndarray, np.random.Generator], np.ndarray]


def at_random(graph: Graph, unique: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return rng.random(graph.m)


def unique_first(graph: Graph, unique: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return unique[graph.edges].any(axis=1) + rng.random(graph.m)


def most_affected_unique_first(graph: Graph, unique: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Deleting a friendship changes the signatures of its ends and of their mutual friends."""
    friends = [set() for _ in range(graph.n)]
    for u, v in graph.edges.tolist():
        friends[u].add(v)
        friends[v].add(u)
    affected = [int(unique[[u, v, *(friends[u] & friends[v])]].sum()) for u, v in graph.edges.tolist()]
    return np.array(affected) + rng.random(graph.m)


RULES: dict[str, Rule] = {
    "delete: random": at_random,
    "delete: unique first": unique_first,
    "delete: most affected unique first": most_affected_unique_first,
}


def deleted_by(rule: Rule, graph: Graph, attacker: str, share: float, seed: int) -> Graph:
    """The graph without the friendships that a rule chooses."""
    rng, left = np.random.default_rng(seed), int(share * graph.m)
    while left:
        batch = min(left, max(1, int(share * graph.m) // BATCHES))
        signature = signature_named(attacker)
        unique = np.zeros(graph.n, np.bool_)
        below = signature.exposed(graph, 2)
        unique[below if signature.model.target == "vertex" else graph.edges[below].ravel()] = True
        kept = np.argsort(-rule(graph, unique, rng), kind="stable")[batch:]
        graph = Graph.from_arrays(*graph.edges[np.sort(kept)].T, n=graph.n)
        left -= batch
    return graph


# ---------------------------------------------------------------------- tables


def searched(graph: Graph, attacker: str, share: float, seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    return reduce_exposed(graph, graph, [Wish(attacker, K)], limits=Limits(share), rng=rng).graph


def exposure(graphs: Sequence[str], attackers: Sequence[str], shares: Sequence[float], seed: int) -> None:
    header("graph", "attacker", "changes", "how", "unique", f"below {K}", "s")
    ways: dict[str, Callable[..., Graph]] = {"search": searched}
    ways |= {name: partial(deleted_by, rule) for name, rule in RULES.items()}
    for name in graphs:
        graph = graph_named(name)
        for attacker in attackers:
            _exposure_row(name, attacker, "0", "before", graph, 0.0)
            for share in shares:
                for how, way in ways.items():
                    start = time.process_time()
                    changed = way(graph, attacker, share, seed)
                    _exposure_row(name, attacker, f"{share:.0%}", how, changed, time.process_time() - start)


def _exposure_row(name: str, attacker: str, changes: str, how: str, graph: Graph, seconds: float) -> None:
    shares = (f"{exposed_people(graph, attacker, k):.1%}" for k in (2, K))
    row(name, attacker, changes, how, *shares, f"{seconds:.0f}")


def usefulness(graphs: Sequence[str], attackers: Sequence[str], shares: Sequence[float], seed: int) -> None:
    header("graph", "attacker", "changes", "clustering", "path length", "communities")
    for name in graphs:
        graph = graph_named(name)
        for attacker in attackers:
            for share in shares:
                found = graphveil.utility(graph, searched(graph, attacker, share, seed), quick=True, seed=1)
                clustering, length = (found[each] for each in ("average_clustering", "average_path_length"))
                row(
                    name,
                    attacker,
                    f"{share:.0%}",
                    f"{clustering.before:.3f} → {clustering.after:.3f}",
                    f"{length.before:.2f} → {length.after:.2f}",
                    f"{found['communities'].value:.2f}",
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--graphs", nargs="+", default=GRAPHS)
    parser.add_argument("--attackers", nargs="+", default=ATTACKERS)
    parser.add_argument("--changes", nargs="+", type=float, default=CHANGES)
    parser.add_argument("--usefulness", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    searched(graphveil.generate(edges=500, seed=1), chosen.attackers[0], 0.05, 1)  # compiles
    table = usefulness if chosen.usefulness else exposure
    table(chosen.graphs, chosen.attackers, chosen.changes, chosen.seed)
