"""KDA as the paper writes it: groups by C_merge and C_new, candidates hop by hop, both guarantees in the end."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from conftest import odd_graphs
from graphveil import Graph, anonymize, read
from graphveil.methods.kda_paper import Rising, group_cost, kda_paper
from graphveil.methods.workspace import Workspace
from test_kda import achieved_k, graphs


def assert_both_guarantees(graph: Graph, degree_k: int, nmf_k: int) -> None:
    """Recount what came out, by the definitions."""
    change = kda_paper(graph, degree_k, nmf_k, np.random.default_rng(7))
    old = [tuple(edge) for edge in graph.edges.tolist()]
    new = [tuple(edge) for edge in change.added.tolist()]
    n = graph.n + change.new_vertices
    after = oracle.mutual_friends(n, old + new)
    assert after == oracle.mutual_friends(graph.n, old) + [0] * len(new), "no count may change"
    assert oracle.is_k_anonymous(after, nmf_k)
    assert oracle.is_k_degree(n, old + new, degree_k)


def friends_of_the_first(rising: Rising) -> list[int]:
    return sorted(int(v) for u, v in rising.workspace.to_graph().edges if u == 0)


@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs_at_every_k(name: str) -> None:
    graph = odd_graphs()[name]
    for degree_k in range(2, graph.n + 3):
        assert_both_guarantees(graph, degree_k, achieved_k(graph))


@given(graphs(), st.integers(1, 13))
@settings(max_examples=200)
def test_any_graph_and_any_k(graph: Graph, degree_k: int) -> None:
    assert_both_guarantees(graph, degree_k, achieved_k(graph))


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.integers(0, 3), st.integers(1, 6))
def test_the_cost_of_a_group_is_that_of_the_equations(degrees: list[int], skip: int, k: int) -> None:
    members = sorted(degrees, reverse=True)[skip : skip + k]
    expected = sum(members[0] - degree for degree in members) if members else 0
    assert group_cost(np.bincount(degrees), skip, k) == expected


def test_the_nearest_hop_goes_first() -> None:
    """A path: its first vertex is joined with vertex 3, and only then with vertices farther away."""
    path = Graph.from_edges([(at, at + 1) for at in range(9)])
    for seed in range(20):
        rising = Rising(Workspace(path), 2, np.random.default_rng(seed), degree=3)
        rising.raise_vertex(0)
        first, second = friends_of_the_first(rising)[1:]
        assert first == 3
        assert second == 5  # three steps from 0 over the new edge


def test_a_vertex_that_cannot_be_raised_gives_its_edges_back() -> None:
    """Vertex 0 of a path of five finds one partner, and would need three."""
    path = Graph.from_edges([(at, at + 1) for at in range(4)])
    rising = Rising(Workspace(path), 2, np.random.default_rng(1), degree=4)
    rising.raise_vertex(0)
    assert rising.workspace.edits == 0
    assert rising.degrees.tolist() == [1, 2, 2, 2, 1]


def test_the_choice_inside_a_hop_is_random() -> None:
    spider = Graph.from_edges([(0, 1), (1, 2), *((2, leaf) for leaf in range(3, 11))])
    chosen = set()
    for seed in range(60):
        rising = Rising(Workspace(spider), 2, np.random.default_rng(seed), degree=2)
        rising.raise_vertex(0)
        chosen |= set(friends_of_the_first(rising)) - {1}
    assert chosen == set(range(3, 11))


def test_a_group_goes_on_while_merging_is_cheaper() -> None:
    """Degrees 5, 5, 4, 1, 1, 1 at k = 2: C_merge = (5 − 4) + 0 = 1 < C_new = 4 − 1 = 3."""
    stars, at = [], 6
    for hub, degree in enumerate((5, 5, 4, 1, 1, 1)):
        stars += [(hub, leaf) for leaf in range(at, at + degree)]
        at += degree
    rising = Rising(Workspace(Graph.from_edges(stars)), 2, np.random.default_rng(1))
    assert rising.next_group()
    assert rising.degree == 5
    sizes = np.bincount([4, 1, 1, 1])
    assert (5 - 4) + group_cost(sizes, 1, 2) == 1 < group_cost(sizes, 0, 2) == 3
    assert rising.takes_another()
    rising.fill_group()
    assert np.count_nonzero(rising.degrees == 5) == 3


def test_real_graphs_by_the_option(shared_graph) -> None:
    graph = read(shared_graph("ca-HepTh"))
    result = anonymize(graph, 25, method="add-del", degree_k=10, degree_method="kda-paper", seed=3)
    assert result.promises == {"k-NMF": 25, "k-degree": 10}
    assert len(result.new_vertices) == 0
    assert np.bincount(result.graph.degrees)[np.bincount(result.graph.degrees) > 0].min() >= 10
    ours = anonymize(graph, 25, method="add-del", degree_k=10, degree_method="kda", seed=3)
    assert ours.changed < result.changed
