"""KDA ends with both guarantees on any graph, closes no triangle, and takes new vertices only where it must."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from conftest import odd_graphs
from graphveil import Graph, anonymize, generate, mutual_friends, read
from graphveil.methods.degrees import DegreeChange
from graphveil.methods.kda import Goal, close, join_as_planned, kda


@st.composite
def graphs(draw, most: int = 11):
    n = draw(st.integers(1, most))
    pairs = list(combinations(range(n), 2))
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=3 * n)) if pairs else []
    return Graph.from_arrays([u for u, _ in edges], [v for _, v in edges], n=n)


def achieved_k(graph: Graph) -> int:
    """The largest k at which a graph is k-NMF anonymous; any where it has no edge."""
    return min(Counter(mutual_friends(graph).tolist()).values(), default=3)


def with_change(graph: Graph, change: DegreeChange) -> Graph:
    edges = np.concatenate((graph.edges, change.added))
    return Graph.from_arrays(edges[:, 0], edges[:, 1], n=graph.n + change.new_vertices)


def assert_both_guarantees(graph: Graph, degree_k: int, nmf_k: int) -> DegreeChange:
    """Recount what came out, by the definitions."""
    change = kda(graph, degree_k, nmf_k, np.random.default_rng(7))
    old = [tuple(edge) for edge in graph.edges.tolist()]
    new = [tuple(edge) for edge in change.added.tolist()]
    n = graph.n + change.new_vertices
    assert new == sorted(set(new))
    assert all(0 <= u < v < n for u, v in new)
    assert not set(old) & set(new)
    before = oracle.mutual_friends(graph.n, old)
    after = oracle.mutual_friends(n, old + new)
    assert after == before + [0] * len(new), "no count may change, and new edges have none"
    assert oracle.is_k_anonymous(after, nmf_k)
    assert oracle.is_k_degree(n, old + new, degree_k)
    return change


@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs_at_every_k(name: str) -> None:
    graph = odd_graphs()[name]
    for degree_k in range(2, graph.n + 3):
        assert_both_guarantees(graph, degree_k, achieved_k(graph))


@given(graphs(), st.integers(1, 13))
@settings(max_examples=400)
def test_any_graph_and_any_k(graph: Graph, degree_k: int) -> None:
    assert_both_guarantees(graph, degree_k, achieved_k(graph))


@given(graphs(), st.integers(2, 9), st.sampled_from(["add-del", "add-greedy"]), st.sampled_from([2, 3, 5]))
@settings(max_examples=60)
def test_after_the_k_nmf_methods(graph: Graph, degree_k: int, method: str, k: int) -> None:
    if k > graph.n * (graph.n - 1) // 2:
        return
    assert_both_guarantees(anonymize(graph, k, method=method, seed=1).graph, degree_k, k)


@given(graphs(), st.integers(2, 9), st.integers(0, 5), st.booleans())
@settings(max_examples=200)
def test_the_last_resort_needs_no_condition(graph: Graph, k: int, least: int, after_a_round: bool) -> None:
    """New vertices of degree one and pairs of them alone make every graph safe."""
    extended = Graph(graph.edges, max(graph.n, k))
    goal = Goal(extended, k, least, np.random.default_rng(7), None)
    start = (
        join_as_planned(goal, extended, extended.degrees, spare=False).graph if after_a_round else extended
    )
    closed = close(goal, start)
    assert oracle.is_k_degree(closed.n, closed.edges.tolist(), k)
    assert closed.m == graph.m or closed.m - graph.m >= least
    counts = Counter(oracle.mutual_friends(closed.n, closed.edges.tolist()))
    counts[0] -= closed.m - graph.m
    assert +counts == +Counter(oracle.mutual_friends(graph.n, graph.edges.tolist()))


@given(graphs(), st.integers(2, 6), st.booleans())
@settings(max_examples=200)
def test_a_round_does_what_it_planned(graph: Graph, k: int, spare: bool) -> None:
    """Whoever is not stuck has at least the planned degree; whoever is stuck gave everything back."""
    extended = Graph(graph.edges, max(graph.n, k))
    goal = Goal(extended, k, 0, np.random.default_rng(7), None)
    last = join_as_planned(goal, extended, extended.degrees, spare=spare)
    reached = last.graph.degrees[: len(last.target)] >= last.target
    assert set(np.flatnonzero(~reached)) == set(last.stuck)
    assert not (spare and len(last.stuck))
    assert np.all(last.graph.degrees[extended.n :] > 0)


def test_no_new_vertex_where_none_is_needed() -> None:
    """Every way to add edges to small graphs, against what KDA finds."""
    rng = np.random.default_rng(2)
    solvable = needless = optimal = 0
    for _ in range(120):
        n = int(rng.integers(2, 7))
        present = rng.random(n * (n - 1) // 2) < 0.7 * rng.random()
        edges = [pair for pair, is_edge in zip(combinations(range(n), 2), present, strict=True) if is_edge]
        graph = Graph.from_arrays([u for u, _ in edges], [v for _, v in edges], n=n)
        degree_k, nmf_k = int(rng.integers(2, n + 1)), achieved_k(graph)
        change = assert_both_guarantees(graph, degree_k, nmf_k)
        fewest = fewest_edges_by_trying(n, edges, degree_k, nmf_k)
        if fewest is None:
            assert change.new_vertices > 0
            continue
        solvable += 1
        needless += change.new_vertices > 0
        optimal += not change.new_vertices and len(change.added) == fewest
    assert solvable > 50
    assert needless <= 0.04 * solvable
    assert optimal >= 0.9 * solvable


def fewest_edges_by_trying(n: int, edges: list[tuple[int, int]], degree_k: int, nmf_k: int) -> int | None:
    before = oracle.mutual_friends(n, edges)
    absent = [pair for pair in combinations(range(n), 2) if pair not in edges]
    for size in range(len(absent) + 1):
        for more in combinations(absent, size):
            after = edges + list(more)
            if oracle.is_k_degree(n, after, degree_k):
                counts = oracle.mutual_friends(n, after)
                if counts == before + [0] * size and oracle.is_k_anonymous(counts, nmf_k):
                    return size
    return None


def test_the_class_without_mutual_friends_is_filled_or_left_empty() -> None:
    """Two cliques have no edge of NMF 0; a first one would stand alone."""
    cliques = [pair for block in (range(6), range(6, 12), range(12, 17)) for pair in combinations(block, 2)]
    graph = Graph.from_arrays([u for u, _ in cliques], [v for _, v in cliques], n=17)
    untouched = assert_both_guarantees(graph, 5, achieved_k(graph))
    assert len(untouched.added) == 0
    filled = assert_both_guarantees(graph, 6, achieved_k(graph))
    assert len(filled.added) >= achieved_k(graph)
    assert filled.new_vertices == 0


def test_parity_is_no_obstacle() -> None:
    """Five vertices cannot all have degree one, but all can have two."""
    change = assert_both_guarantees(Graph.from_arrays([0], [1], n=5), 5, 1)
    assert (len(change.added), change.new_vertices) == (4, 0)


@pytest.mark.parametrize("k", [2, 5, 10])
def test_small_diameter_takes_new_vertices(k: int) -> None:
    """No two vertices of a dense random graph are three steps apart."""
    pairs = np.array(list(combinations(range(60), 2)))
    pairs = pairs[np.random.default_rng(4).random(len(pairs)) < 0.5]
    graph = Graph.from_arrays(pairs[:, 0], pairs[:, 1], n=60)
    assert assert_both_guarantees(graph, k, achieved_k(graph)).new_vertices > 0


def test_same_seed_same_edges() -> None:
    graph = generate(edges=3000, seed=5)
    first, again = (kda(graph, 10, 5, np.random.default_rng(3)).added for _ in range(2))
    assert first.tobytes() == again.tobytes()


@pytest.mark.parametrize("name", ["ca-GrQc", "ca-HepTh", "cora-coauthor-apex", "loc-brightkite"])
def test_real_graphs_stay_within_twice_the_bound(shared_graph, name: str) -> None:
    graph = read(shared_graph(name))
    counts = mutual_friends(graph)
    for k in (2, 5, 10, 25, 50):
        change = kda(graph, k, 25, np.random.default_rng(7))
        after = with_change(graph, change)
        assert oracle.is_k_anonymous(after.degrees.tolist(), k)
        assert after.m == graph.m + len(change.added)
        assert mutual_friends(after).sum() == counts.sum()
        assert change.new_vertices == 0
        assert change.lower_bound <= len(change.added) <= 2 * change.lower_bound


@pytest.mark.parametrize("degree_method", ["kda", "kda-paper"])
def test_degrees_alone_by_a_method_for_degrees(degree_method):
    town = generate(edges=300, seed=4)
    result = anonymize(town, degree_k=3, degree_method=degree_method, seed=7)
    assert min(Counter(result.graph.degrees.tolist()).values()) >= 3
