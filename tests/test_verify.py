"""The independent check: against the definition, on graphs that break other ways of counting, and on files."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphveil
import oracle
from conftest import odd_graphs
from graphveil import Graph, GraphError, ParameterError, mutual_friends, verify
from graphveil.recounting import FailingGroup, recount

graphs = st.integers(1, 14).flatmap(
    lambda n: st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=70).map(
        lambda pairs: Graph.from_arrays([u for u, _ in pairs], [v for _, v in pairs], n=n)
    )
)


@given(graphs, st.integers(0, 14))
def test_recount_agrees_with_the_definition_however_large_the_core(graph, core):
    expected = oracle.mutual_friends(graph.n, graph.edges.tolist())
    assert recount(graph.edges, graph.n).tolist() == expected
    assert recount(graph.edges, graph.n, core=min(core, graph.n)).tolist() == expected


@given(graphs, st.integers(1, 6))
def test_recount_does_not_depend_on_the_chunks(graph, chunk):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("graphveil.recounting"), "CHUNK", chunk)
        counts = recount(graph.edges, graph.n, core=0)
    assert counts.tolist() == oracle.mutual_friends(graph.n, graph.edges.tolist())


@given(graphs, st.integers(1, 8), st.none() | st.integers(1, 8))
def test_it_holds_exactly_when_the_definition_says_so(graph, k, degree_k):
    edges = graph.edges.tolist()
    found = verify(graph, k=k, degree_k=degree_k)
    by_count = oracle.is_k_nmf(graph.n, edges, k)
    by_degree = degree_k is None or oracle.is_k_degree(graph.n, edges, degree_k)
    assert bool(found) == found.holds == (by_count and by_degree)
    assert found.mutual_friends.holds == by_count
    assert (found.vertices, found.edges) == (graph.n, graph.m)
    small = {c.value: c.size for c in found.mutual_friends.failing}
    counts = oracle.mutual_friends(graph.n, edges)
    assert small == {value: counts.count(value) for value in set(counts) if counts.count(value) < k}
    achieved = found.mutual_friends.achieved
    if achieved is None:
        assert not edges
    else:
        assert oracle.is_k_nmf(graph.n, edges, achieved)
        assert not oracle.is_k_nmf(graph.n, edges, achieved + 1)


@given(graphs, st.sampled_from([0.1, 0.25, 1 / 3, 0.5, 0.75, 1.0]))
def test_the_spread_holds_exactly_when_plain_sets_say_so(graph, share):
    edges = graph.edges.tolist()
    counts = oracle.mutual_friends(graph.n, edges)
    groups = {value: [e for e, c in zip(edges, counts, strict=True) if c == value] for value in set(counts)}
    largest = {
        value: max(sum(person in edge for edge in group) for person in range(graph.n)) / len(group)
        for value, group in groups.items()
    }
    found = verify(graph, k=1, spread=share)
    assert bool(found) == all(each <= share for each in largest.values())
    assert found.spread.achieved == max(largest.values(), default=None)
    assert {each.value: each.share for each in found.spread.failing} == {
        value: each for value, each in largest.items() if each > share
    }


@pytest.mark.parametrize("spread", [0, 1.5, -0.5, "half", True, float("nan")])
def test_spread_is_a_share(spread):
    with pytest.raises(ParameterError, match="spread must be a share above 0 and up to 1"):
        verify(odd_graphs()["triangle"], k=1, spread=spread)


def test_a_guarantee_that_is_not_in_the_table_is_refused():
    with pytest.raises(ParameterError, match="there is no guarantee 'luck'"):
        verify(odd_graphs()["triangle"], k=1, luck=3)


@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs(name):
    graph = odd_graphs()[name]
    for k in (1, 2, 3, 10):
        edges = graph.edges.tolist()
        expected = oracle.is_k_nmf(graph.n, edges, k) and oracle.is_k_degree(graph.n, edges, k)
        assert bool(verify(graph, k=k, degree_k=k)) == expected


@pytest.mark.parametrize("name", ["ca-GrQc", "email-Enron", "ego-facebook", "com-dblp"])
def test_real_graphs_agree_with_the_kernel(name, shared_graph):
    graph = graphveil.read(shared_graph(name))
    assert np.array_equal(recount(graph.edges, graph.n), mutual_friends(graph))


def test_a_large_clique_goes_through_the_matrix():
    n = 600
    edges = np.column_stack(np.triu_indices(n, 1)).astype(np.int32)
    assert (recount(edges, n) == n - 2).all()


def test_a_file_is_read_and_counted(tmp_path):
    path = tmp_path / "wheel.txt"
    path.write_text("0 1\n0 2\n0 3\n0 4\n1 2\n2 3\n3 4\n1 4\n")
    assert verify(path, k=4)
    assert verify(str(path), k=4, degree_k=1)
    found = verify(path, k=4, degree_k=4)
    assert not found
    assert found.degrees is not None
    assert found.degrees.failing == (FailingGroup(value=4, size=1),)


def test_it_shares_no_compiled_code():
    program = """
import sys, numpy
from graphveil.recounting import recount
edges = numpy.array([[0, 1], [0, 2], [1, 2], [2, 3]], numpy.int32)
assert recount(edges, 4).tolist() == [1, 1, 1, 0]
used = [name for name in sys.modules if name.startswith(("numba", "graphveil.kernels", "graphveil.counting"))]
assert not used, used
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize(
    ("edges", "what"),
    [
        ([[0, 1], [1, 1]], "itself"),
        ([[0, 1], [2, 1]], "higher end first"),
        ([[0, 1], [0, 1]], "twice"),
        ([[1, 2], [0, 1]], "out of order"),
        ([[0, 1], [0, 3]], "outside"),
        ([[-1, 1]], "outside"),
    ],
)
def test_a_graph_that_is_not_simple_is_refused(edges, what):
    with pytest.raises(GraphError, match=what):
        verify(Graph(np.array(edges, np.int32), 3), k=1)


@pytest.mark.parametrize("k", [0, -3, 2.5, "5", True])
def test_k_is_a_whole_number_from_1(k):
    with pytest.raises(ParameterError, match="k must be a whole number of at least 1"):
        verify(odd_graphs()["triangle"], k=k)


@pytest.mark.parametrize("degree_k", [0, 2.5, "5"])
def test_degree_k_is_a_whole_number_from_1(degree_k):
    with pytest.raises(ParameterError, match="degree_k must be a whole number of at least 1"):
        verify(odd_graphs()["triangle"], k=1, degree_k=degree_k)


def test_the_schema():
    found = verify(odd_graphs()["wheel"], k=6, degree_k=2).to_dict()
    assert json.loads(json.dumps(found)) == found
    assert found == {
        "schema": "graphveil/verification/2",
        "holds": False,
        "vertices": 6,
        "edges": 10,
        "checks": [
            {
                "guarantee": "k-NMF",
                "wanted": 6,
                "holds": False,
                "achieved": 5,
                "failing": [{"value": 1, "size": 5, "share": None}, {"value": 2, "size": 5, "share": None}],
            },
            {
                "guarantee": "k-degree",
                "wanted": 2,
                "holds": False,
                "achieved": 1,
                "failing": [{"value": 5, "size": 1, "share": None}],
            },
        ],
        "cleaning": {
            "self_loops": 0,
            "duplicates": 0,
            "reciprocal": 0,
            "edge_attributes": [],
            "vertex_attributes": [],
            "rules": [],
        },
    }
    assert verify(odd_graphs()["empty"], k=9).to_dict()["checks"][0]["achieved"] is None
