"""Mutual friends of every edge: against the definition, other libraries, and answers known from the paper."""

from __future__ import annotations

import networkx
import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphveil
import oracle
from conftest import SHARED_GRAPHS, odd_graphs
from graphveil import Graph, generate, mutual_friends
from graphveil import counting as mutual
from graphveil.kernels import counting
from graphveil.recounting import recount
from graphveil.stopping import Stop, Stopped, stoppable


@pytest.fixture(autouse=True)
def _with_kernels(monkeypatch):
    """Also for so few edges that sets would do."""
    monkeypatch.setattr(mutual, "FEW", 0)


def random_graph(seed: int) -> Graph:
    """Of up to 60 vertices, from hardly any edges to nearly all."""
    random = np.random.default_rng(seed)
    n = int(random.integers(2, 60))
    pairs = random.integers(0, n, (int(random.integers(0, n * n // 2 + 2)), 2))
    return Graph.from_arrays(pairs[:, 0], pairs[:, 1], n=n)


def by_name(graph: Graph) -> dict[tuple[str, str], int]:
    """Counts by the sorted names of the ends."""
    names = [tuple(sorted(pair)) for pair in graph.labels[graph.edges].tolist()]
    return dict(zip(names, mutual_friends(graph).tolist(), strict=True))


@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs_agree_with_the_definition(name):
    graph = odd_graphs()[name]
    counts = mutual_friends(graph)
    assert counts.dtype == np.int32
    assert counts.tolist() == oracle.mutual_friends(graph.n, graph.edges.tolist())


def test_hundreds_of_random_graphs_agree_with_networkx():
    for seed in range(300):
        graph = random_graph(seed)
        other = graph.to_networkx()
        expected = [len(set(networkx.common_neighbors(other, u, v))) for u, v in graph.edges.tolist()]
        assert mutual_friends(graph).tolist() == expected, f"seed {seed}"


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=90))
def test_any_pairs_agree_with_the_definition(pairs):
    graph = Graph.from_arrays([u for u, _ in pairs], [v for _, v in pairs], n=13)
    expected = oracle.mutual_friends(13, graph.edges.tolist())
    with pytest.MonkeyPatch.context() as patch:
        for few in (0, 90):
            patch.setattr(mutual, "FEW", few)
            assert mutual.count_mutual_friends(graph.edges, 13).tolist() == expected


@pytest.mark.parametrize("name", SHARED_GRAPHS)
def test_real_graphs_agree_with_scipy(name, shared_graph):
    graph = graphveil.read(shared_graph(name))
    matrix = graph.to_scipy().astype(np.int32)
    counts = mutual_friends(graph)
    for start in range(0, graph.n, 20_000):
        rows = matrix[start : start + 20_000]
        mine = (graph.edges[:, 0] >= start) & (graph.edges[:, 0] < start + 20_000)
        edges = graph.edges[mine]
        paths = np.asarray((rows @ matrix)[edges[:, 0] - start, edges[:, 1]]).ravel()
        assert np.array_equal(counts[mine], paths)


def test_triangles_of_brightkite(shared_graph):
    assert mutual_friends(graphveil.read(shared_graph("loc-brightkite"))).sum() == 3 * 494_728


# ---------------------------------------------------------------------- answers known from the paper


def clique(vertices):
    return [(a, b) for a in vertices for b in vertices if a < b]


def test_figure_2():
    assert mutual_friends(Graph.from_edges(clique(range(3)))).tolist() == [1] * 3
    assert mutual_friends(Graph.from_edges(clique(range(4)))).tolist() == [2] * 6
    wheel = Graph.from_edges([(0, i) for i in range(1, 5)] + [(1, 2), (2, 3), (3, 4), (1, 4)])
    assert sorted(mutual_friends(wheel).tolist()) == [1] * 4 + [2] * 4


def test_the_bridge_between_two_triangles_is_alone():
    graph = Graph.from_edges([*clique(range(3)), *clique(range(3, 6)), (2, 3)])
    counts = dict(zip(map(tuple, graph.edges.tolist()), mutual_friends(graph).tolist(), strict=True))
    assert counts.pop((2, 3)) == 0
    assert set(counts.values()) == {1}


def test_an_edge_added_to_a_bipartite_graph():
    sides = [(a, b) for a in (1, 2) for b in range(3, 8)]
    across = Graph.from_edges([*sides, (1, 2)])
    assert sorted(mutual_friends(across).tolist()) == [1] * 10 + [5]
    within = Graph.from_edges([*sides, (4, 7)])
    raised = within.labels[within.edges[mutual_friends(within) == 1]].tolist()
    assert sorted(raised) == [[1, 4], [1, 7], [2, 4], [2, 7]]


def test_alice_and_bob():
    pairs = [("Alice", "Bob")]
    pairs += [(friend, end) for friend in ("Carl", "Dell", "Ed", "Frank") for end in ("Alice", "Bob")]
    before = by_name(Graph.from_edges(pairs))
    after = by_name(Graph.from_edges([*pairs, ("Dell", "Frank")]))
    assert before[("Alice", "Bob")] == 4
    changed = {edge for edge in after if after[edge] != before.get(edge)}
    assert changed == {
        ("Alice", "Dell"),
        ("Alice", "Frank"),
        ("Bob", "Dell"),
        ("Bob", "Frank"),
        ("Dell", "Frank"),
    }


# ---------------------------------------------------------------------- threads, checks


def test_the_number_of_threads_changes_nothing(monkeypatch):
    monkeypatch.setattr("graphveil.counting.WORTH_SHARING", 0)
    edges = [random_graph(seed) for seed in range(40)] + list(odd_graphs().values())
    at_first = numba.get_num_threads()
    try:
        for threads in {1, numba.config.NUMBA_NUM_THREADS}:
            numba.set_num_threads(threads)
            for graph in [Graph(each.edges, each.n) for each in edges]:  # that have not counted yet
                expected = oracle.mutual_friends(graph.n, graph.edges.tolist())
                assert mutual_friends(graph).tolist() == expected
    finally:
        numba.set_num_threads(at_first)


@pytest.mark.parametrize("tasks", [1, 2, 3, 8])
def test_any_number_of_tasks_counts_the_same(tasks):
    for graph in [random_graph(seed) for seed in range(20)] + list(odd_graphs().values()):
        rank, start, head = mutual.oriented(graph.edges, graph.n)
        bounds = counting.split_work(start, head, graph.n, tasks)
        assert bounds[0] == 0
        assert bounds[-1] == graph.n
        together, triangles = mutual.count(start, head, core=0, tasks=tasks)
        assert in_order(graph, rank, start, together) == oracle.mutual_friends(graph.n, graph.edges.tolist())
        assert together.sum() == 3 * triangles


@pytest.mark.parametrize("tasks", [1, 3])
def test_any_number_of_slices_counts_the_same(tasks, monkeypatch):
    monkeypatch.setattr(mutual, "SLICE", 5)
    monkeypatch.setattr(mutual, "CORE_SLICE", 1)
    for graph in [random_graph(seed) for seed in range(20)] + list(odd_graphs().values()):
        rank, start, head = mutual.oriented(graph.edges, graph.n)
        counts, _ = mutual.count(start, head, core=graph.n // 2, tasks=tasks)
        assert in_order(graph, rank, start, counts) == oracle.mutual_friends(graph.n, graph.edges.tolist())


def test_counting_stops_between_two_slices(monkeypatch):
    token, ran = Stop(), []
    right = counting.count_from

    def stopping(*given):
        ran.append(right(*given))
        token.request()
        return ran[-1]

    monkeypatch.setattr(counting, "count_from", stopping)
    monkeypatch.setattr(mutual, "SLICE", 100)
    graph = generate(edges=1_000, seed=1)
    with pytest.raises(Stopped), stoppable(token):
        mutual_friends(graph)
    assert len(ran) == 1


def test_a_graph_counts_once_and_keeps_it_from_changes(monkeypatch):
    graph, calls, right = generate(edges=300, seed=1), [], counting.orient
    monkeypatch.setattr(counting, "orient", lambda *given: calls.append(1) or right(*given))
    first = mutual_friends(graph)
    assert mutual_friends(graph) is first
    assert len(calls) == 1
    assert first.dtype == np.int32
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 7


@pytest.mark.parametrize("tasks", [1, 2])
@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 1])
def test_any_part_of_the_vertices_may_be_counted_by_bits(tasks, part):
    dense = [np.column_stack(np.triu_indices(n, 1)) for n in (63, 64, 65, 130)]
    dense += [pairs[np.random.default_rng(len(pairs)).random(len(pairs)) < 0.7] for pairs in dense]
    graphs = [Graph.from_arrays(pairs[:, 0], pairs[:, 1]) for pairs in dense]
    for graph in [*graphs, *(random_graph(seed) for seed in range(20)), *odd_graphs().values()]:
        rank, start, head = mutual.oriented(graph.edges, graph.n)
        counts, triangles = mutual.count(start, head, core=int(part * graph.n), tasks=tasks)
        assert in_order(graph, rank, start, counts) == oracle.mutual_friends(graph.n, graph.edges.tolist())
        assert counts.sum() == 3 * triangles


def in_order(graph, rank, start, by_slot):
    """Counts by slot, in the order of the edges."""
    counts = np.empty(graph.m, np.int32)
    counting.by_edge(graph.edges, rank, start.copy(), by_slot, counts)
    return counts.tolist()


def test_bits_are_for_the_tightly_knit():
    sparse = generate(edges=20_000, seed=1).edges
    knit = np.column_stack(np.triu_indices(500, 1))
    both = np.concatenate((sparse, knit))
    for pairs, least, most in ((sparse, 0, 0), (knit, 490, 500), (both, 490, 600)):
        graph = Graph.from_arrays(pairs[:, 0], pairs[:, 1])
        _, start, head = mutual.oriented(graph.edges, graph.n)
        assert least <= mutual._core_that_pays(start, head) <= most
        assert np.array_equal(mutual_friends(graph), recount(graph.edges, graph.n))


def test_a_miscount_does_not_go_unnoticed(monkeypatch):
    right = counting.count_from

    def wrong(start, head, first, last, counts, *scratch):
        counts[0] += 1
        return right(start, head, first, last, counts, *scratch)

    monkeypatch.setattr(counting, "count_from", wrong)
    with pytest.raises(AssertionError, match="three times"):
        mutual_friends(Graph.from_edges(clique(range(4))))
