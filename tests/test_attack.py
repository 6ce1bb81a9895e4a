"""The simulated attack against an adversary written from the definition, and against the promise of the anonymizers."""

from __future__ import annotations

from dataclasses import replace

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from conftest import odd_graphs
from graphveil import Graph, anonymize, generate, simulate_attacks
from graphveil.risk import reidentification
from graphveil.risk.matching import match_people


def knowledge(graph: Graph) -> dict[str, dict[tuple[int, ...], object]]:
    """By adversary: what he can know of each edge or vertex of a graph."""
    edges = [tuple(edge) for edge in graph.edges.tolist()]
    friends = oracle.neighbours(graph.n, edges)
    mutual = dict(zip(edges, oracle.mutual_friends(graph.n, edges), strict=True))
    degrees = {(u, v): sorted((len(friends[u]), len(friends[v]))) for u, v in edges}
    vertices = [(v,) for v in range(graph.n)]
    return {
        "mutual-friends": mutual,
        "degree": {(v,): len(friends[v]) for (v,) in vertices},
        "edge-degrees": degrees,
        "edge-degrees-and-mutual-friends": {edge: (degrees[edge], mutual[edge]) for edge in edges},
        "degree-and-triangles": {
            (v,): (len(friends[v]), sum(mutual[min(v, w), max(v, w)] for w in friends[v]) // 2)
            for (v,) in vertices
        },
        "mutual-friends-around": {
            (v,): sorted(mutual[min(v, w), max(v, w)] for w in friends[v]) for (v,) in vertices
        },
    }


def expected_success(known, published) -> tuple[int, float | None, int, int]:
    """Certain, expected, misled and out of sight, target by target."""
    certain = misled = unseen = 0
    chances = []
    for target, value in known.items():
        candidates = [other for other, seen in published.items() if seen == value]
        chances.append(1 / len(candidates) if target in candidates else 0.0)
        certain += candidates == [target]
        misled += len(candidates) == 1 and target not in candidates
        unseen += target not in candidates
    return certain, sum(chances) / len(chances) if chances else None, misled, unseen


def check(before: Graph, after: Graph) -> None:
    old, new = knowledge(before), knowledge(after)
    attacks = simulate_attacks(before, after)
    assert [attack.name for attack in attacks] == list(old)
    for attack in attacks:
        assert attack.targets == len(old[attack.name])
        for found, published in ((attack.before, old), (attack.after, new)):
            certain, chance, misled, unseen = expected_success(old[attack.name], published[attack.name])
            assert (found.certain, found.misled, found.out_of_sight) == (certain, misled, unseen)
            assert found.expected == (None if chance is None else pytest.approx(chance, rel=1e-12))


@settings(max_examples=40)
@given(st.integers(1, 11), st.integers(0, 2), st.integers(0, 10**6), st.floats(0.1, 0.6))
def test_by_definition(n: int, new: int, seed: int, probability: float) -> None:
    before = networkx.gnp_random_graph(n, probability, seed=seed)
    after = networkx.gnp_random_graph(n + new, probability, seed=seed + 1)
    after.add_edges_from(list(before.edges)[1:])
    check(Graph.from_networkx(before), Graph.from_networkx(after))


@settings(max_examples=40)
@given(st.integers(4, 9), st.integers(1, 2), st.integers(0, 10**6))
def test_who_left_is_out_of_sight(n: int, gone: int, seed: int) -> None:
    """By definition: the published graph has other numbers, and the same names."""
    before = networkx.gnp_random_graph(n, 0.4, seed=seed)
    after = before.copy()
    after.remove_nodes_from(range(gone))
    after.add_edge(n - 1, n + 1)
    later = Graph.from_networkx(after)
    numbers = {label: vertex for vertex, label in enumerate(later.labels.tolist())}
    old, new = knowledge(Graph.from_networkx(before)), knowledge(later)
    for attack in simulate_attacks(Graph.from_networkx(before), later):
        known = {
            tuple(sorted(numbers.get(v, -1 - v) for v in target)): value
            for target, value in old[attack.name].items()
        }
        certain, chance, misled, unseen = expected_success(known, new[attack.name])
        found = attack.after
        assert (found.certain, found.misled, found.out_of_sight) == (certain, misled, unseen)
        assert found.expected == (None if chance is None else pytest.approx(chance, rel=1e-12))


@pytest.mark.parametrize("name", odd_graphs())
def test_nothing_changed(name: str) -> None:
    graph = odd_graphs()[name]
    check(graph, graph)
    for attack in simulate_attacks(graph, graph):
        assert attack.before == attack.after


@pytest.mark.parametrize("method", ["add-intuit", "add-greedy", "add-del"])
def test_the_promise_holds_and_others_stay_open(method: str) -> None:
    """No edge is found by its mutual friends with more than 1/k; nobody promised to stop who knows degrees too."""
    before, k = generate(edges=4_000, seed=6), 10
    attacks = {a.name: a for a in simulate_attacks(before, anonymize(before, k, method=method, seed=1).graph)}
    promised = attacks["mutual-friends"]
    assert promised.before.certain > 0
    assert promised.after.certain == promised.after.misled == 0
    assert promised.after.expected <= 1 / k
    assert attacks["edge-degrees-and-mutual-friends"].after.certain > 0
    assert attacks["mutual-friends-around"].after.certain > 0


def test_vertices_are_matched_by_name() -> None:
    before = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")])
    shuffled = Graph.from_edges([("d", "c"), ("c", "b"), ("a", "b"), ("a", "c")])
    for attack in simulate_attacks(before, shuffled):
        assert attack.before == attack.after
        assert attack.to_dict()["after"]["certain"] == attack.after.certain


def test_inputs_stay_as_they_are() -> None:
    graph = odd_graphs()["wheel"]
    edges = graph.edges.copy()
    simulate_attacks(graph, graph)
    assert np.array_equal(graph.edges, edges)


def test_a_matching_that_begins_badly_is_begun_anew(monkeypatch):
    """By chance one order of the people may name nobody, which says nothing about the graph."""
    town, begun = generate(edges=600, seed=1), []

    def unlucky(mine, other, sure, **how):
        begun.append(1)
        found = match_people(mine, other, sure, **how)
        return found if len(begun) > 2 else replace(found, image=np.full(mine.n, -1))

    monkeypatch.setattr(reidentification, "match_people", unlucky)
    assert reidentification.found_by_default(town, town).share > 0.5
