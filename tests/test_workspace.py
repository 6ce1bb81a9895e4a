"""The workspace after any edits equals a fresh count of the same graph."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from conftest import odd_graphs
from graphveil import Graph, anonymize, mutual_friends, read
from graphveil.methods.workspace import Workspace


def assert_consistent(workspace: Workspace) -> None:
    graph = workspace.to_graph()
    s = workspace.state
    counts = oracle.mutual_friends(graph.n, graph.edges.tolist())
    assert workspace.m == graph.m
    assert workspace.n == graph.n
    assert workspace.class_sizes() == dict(Counter(counts))
    assert workspace.open_edges == sum(not workspace.is_sealed(count) for count in counts)
    open_counts = [count for count in counts if not workspace.is_sealed(count)]
    assert workspace.highest_open() == max(open_counts, default=None)
    listed = set()
    for count in workspace.class_sizes():
        edge, before = int(s.first[count]), -1
        while edge != -1:
            assert s.earlier[edge] == before
            assert workspace.count(edge) == count
            listed.add(edge)
            edge, before = int(s.later[edge]), edge
    assert len(listed) == graph.m
    for (u, v), count in zip(graph.edges.tolist(), counts, strict=True):
        edge = workspace.edge_between(u, v)
        assert edge in listed
        assert workspace.count(edge) == count
    assert (s.mark == -1).all()
    assert (s.place == -1).all()
    degrees = [len(friends) for friends in oracle.neighbours(graph.n, graph.edges.tolist())]
    assert s.length[: graph.n].tolist() == degrees


@st.composite
def scripts(draw):
    """A start graph and a list of moves: (what, a, b) with numbers to be taken modulo what exists."""
    n = draw(st.integers(2, 9))
    pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True))
    number = st.integers(0, 10**6)
    kinds = st.sampled_from(["add", "add", "add", "delete", "delete", "vertex", "seal", "mark", "undo"])
    return n, edges, draw(st.lists(st.tuples(kinds, number, number), max_size=40))


@settings(max_examples=300)
@given(scripts())
def test_any_sequence_of_edits_equals_a_fresh_count(script):
    n, edges, moves = script
    workspace = Workspace(Graph.from_arrays([u for u, _ in edges], [v for _, v in edges], n=n))
    marks = [(workspace.checkpoint(), workspace.to_graph(), workspace.state.sealed.copy())]
    for what, a, b in moves:
        if what == "add":
            u, v = a % workspace.n, b % workspace.n
            if u != v and workspace.edge_between(u, v) is None:
                edge = workspace.add_edge(u, v)
                assert set(workspace.ends(edge)) == {u, v}
        elif what == "delete" and workspace.m:
            u, v = workspace.to_graph().edges[a % workspace.m].tolist()
            workspace.delete_edge(workspace.edge_between(u, v))
        elif what == "vertex":
            workspace.add_vertex()
        elif what == "seal":
            workspace.seal(a % 5)
        elif what == "mark":
            marks.append((workspace.checkpoint(), workspace.to_graph(), workspace.state.sealed.copy()))
        elif what == "undo":
            checkpoint, graph, sealed = marks[a % len(marks)]
            del marks[a % len(marks) + 1 :]
            workspace.undo_to(checkpoint)
            assert workspace.to_graph() == graph
            now = workspace.state.sealed
            assert np.array_equal(np.flatnonzero(now), np.flatnonzero(sealed))
        assert_consistent(workspace)


@pytest.mark.parametrize("name", odd_graphs())
def test_starts_as_the_graph(name):
    graph = odd_graphs()[name]
    workspace = Workspace(graph)
    assert workspace.to_graph() == graph
    assert_consistent(workspace)


def test_growing_a_clique_edge_by_edge():
    workspace = Workspace(Graph.from_arrays([], [], n=80))
    for u in range(80):
        for v in range(u):
            workspace.add_edge(u, v)
    assert workspace.class_sizes() == {78: 80 * 79 // 2}
    workspace.undo_to(0)
    assert workspace.class_sizes() == {}
    assert_consistent(workspace)


def test_short_rows_are_looked_up_in_long_ones():
    hub = [(0, i) for i in range(1, 200)]
    workspace = Workspace(Graph.from_edges(np.array([*hub, (200, 3), (200, 199), (200, 50)])))
    edge = workspace.add_edge(200, 0)
    assert workspace.count(edge) == 3
    assert_consistent(workspace)


def test_new_vertices_get_labels_of_their_own():
    numbers = Workspace(Graph.from_edges([(5, 9)]))
    numbers.add_vertex()
    assert numbers.to_graph().labels.tolist() == [5, 9, 10]
    largest = Workspace(Graph.from_edges([(0, 2**63 - 1)]))
    largest.add_vertex()
    assert largest.to_graph().labels.tolist() == [0, 2**63 - 1, 1]
    names = Workspace(Graph.from_edges([("new 1", "Bob")]))
    names.add_vertex()
    assert names.to_graph().labels.tolist() == ["new 1", "Bob", "new 2"]


def test_memory_is_within_four_times_the_graph_and_its_counts():
    rng = np.random.default_rng(1)
    graph = Graph.from_arrays(rng.integers(0, 20_000, 200_000), rng.integers(0, 20_000, 200_000), n=20_000)
    start, neighbours, _ = graph.adjacency
    base = graph.edges.nbytes + start.nbytes + neighbours.nbytes + mutual_friends(graph).nbytes
    assert sum(array.nbytes for array in Workspace(graph).state) <= 4 * base


def test_the_seed_and_not_the_numbers_of_the_vertices_decides_which_edge_of_a_count_goes_first():
    matching = Graph.from_edges([(2 * pair, 2 * pair + 1) for pair in range(8)])
    seeds = range(200)
    chosen = Counter(Workspace(matching, rng=np.random.default_rng(seed)).first_edge(0) for seed in seeds)
    assert set(chosen) == set(range(8))
    assert max(chosen.values()) < 50
    assert Workspace(matching).first_edge(0) == 0


def test_the_seed_decides_between_edges_that_one_edit_moved():
    fan = [(hub, leaf) for leaf in range(2, 8) for hub in (0, 1)]
    chosen = Counter()
    for seed in range(200):
        workspace = Workspace(Graph.from_edges(fan), rng=np.random.default_rng(seed))
        workspace.add_edge(0, 1)
        chosen[max(workspace.ends(workspace.first_edge(1)))] += 1
    assert set(chosen) == set(range(2, 8))
    assert max(chosen.values()) < 70


@pytest.mark.parametrize("method", ["add-intuit", "add-del"])
def test_the_order_of_the_file_does_not_shift_the_results(shared_graph, method):
    """The same graph with its vertices numbered the other way round: the medians over seeds agree."""
    graph = read(shared_graph("ca-HepTh"))
    ends = graph.n - 1 - graph.edges[::-1]
    reverse = Graph.from_arrays(ends[:, 1], ends[:, 0], n=graph.n)
    medians = [
        np.median([anonymize(g, 25, method=method, seed=s).changed for s in range(31)])
        for g in (graph, reverse)
    ]
    assert max(medians) <= 1.15 * min(medians)
