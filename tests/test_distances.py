"""Distances by bits against breadth-first searches written from the definition, and sampled ones against exact ones."""

from __future__ import annotations

import sys

import igraph
import networkx
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from conftest import odd_graphs
from graphveil import Graph, generate
from graphveil.measures.distances import distances


def all_distances(graph: Graph) -> list[list[int | None]]:
    """Distance of every pair, None where there is no path: step by step from each vertex."""
    friends = oracle.neighbours(graph.n, graph.edges.tolist())
    table = []
    for source in range(graph.n):
        row: list[int | None] = [None] * graph.n
        step, reached = 0, {source}
        while reached:
            for v in reached:
                row[v] = step
            reached = {w for v in reached for w in friends[v] if row[w] is None}
            step += 1
        table.append(row)
    return table


def check(graph: Graph) -> None:
    found = distances(graph)
    table = all_distances(graph)
    far = sorted(d for row in table for d in row if d)
    assert found.exact
    if not far:
        assert found.average.value is found.diameter is found.effective_diameter.value is None
        assert not found.closeness.any()
        return
    assert found.average.value == pytest.approx(sum(far) / len(far), rel=1e-12)
    assert found.diameter == far[-1]
    assert found.histogram == pytest.approx(np.bincount(far) / len(far))
    expected = list(networkx.closeness_centrality(graph.to_networkx()).values())
    assert found.closeness == pytest.approx(expected, rel=1e-9)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 12))
    pairs = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=25))
    return Graph.from_arrays(
        [u for u, _ in pairs] or np.empty(0, int), [v for _, v in pairs] or np.empty(0, int), n=n
    )


@settings(max_examples=60)
@given(graphs())
def test_small_graphs_by_definition(graph: Graph) -> None:
    check(graph)


@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs_by_definition(name: str) -> None:
    check(odd_graphs()[name])


@pytest.mark.parametrize(("n", "probability"), [(63, 0.1), (64, 0.02), (513, 0.003), (1100, 0.002)])
def test_across_words_and_batches(n: int, probability: float) -> None:
    """More vertices than bits in a word and sources in a batch, and some that cannot be reached."""
    check(Graph.from_networkx(networkx.gnp_random_graph(n, probability, seed=3)))


def test_a_long_path() -> None:
    n = 700
    found = distances(Graph.from_arrays(np.arange(n - 1), np.arange(1, n)))
    assert found.diameter == n - 1
    assert found.average.value == pytest.approx((n + 1) / 3, rel=1e-12)


def test_effective_diameter_is_interpolated() -> None:
    """A star of 9: 16 of 72 ordered pairs at distance 1, 56 at 2; 90 % lie at 1 + (64.8 − 16) / 56."""
    assert distances(odd_graphs()["star"]).effective_diameter.value == pytest.approx(
        1 + (64.8 - 16) / 56, rel=1e-12
    )
    assert distances(odd_graphs()["clique"]).effective_diameter.value == pytest.approx(0.9)


def test_real_graph_against_igraph(shared_graph) -> None:
    import graphveil

    graph = graphveil.read(shared_graph("ca-GrQc"))
    found = distances(graph)
    bare = igraph.Graph(n=graph.n, edges=graph.edges)
    assert found.average.value == pytest.approx(bare.average_path_length(), rel=1e-9)
    assert found.diameter == bare.diameter()


def test_numbering_and_cores_do_not_matter() -> None:
    graph = generate(edges=4_000, seed=2)
    number = np.random.default_rng(5).permutation(graph.n)
    other = Graph.from_arrays(number[graph.edges[:, 0]], number[graph.edges[:, 1]], n=graph.n)
    threads = numba.get_num_threads()
    first = distances(graph)
    try:
        numba.set_num_threads(1)
        second = distances(other)
    finally:
        numba.set_num_threads(threads)
    assert first.average == second.average
    assert np.array_equal(first.closeness, second.closeness[number])


def test_a_sample_is_within_its_stated_error() -> None:
    """Of 40 samples about 95 % should lie within two errors, and none far out."""
    graph = generate(edges=12_000, seed=8)
    exact = distances(graph)
    for figure in ("average", "effective_diameter"):
        truth = getattr(exact, figure).value
        samples = [getattr(distances(graph, sources=1_000, seed=seed), figure) for seed in range(40)]
        off = np.array([abs(sample.value - truth) / sample.error for sample in samples])
        assert np.mean(off <= 2) >= 0.85
        assert off.max() < 4
        # The error must not be safe by being huge either.
        spread = np.std([sample.value for sample in samples])
        assert 0.5 < np.mean([sample.error for sample in samples]) / spread < 2.5


def test_a_sample_of_everybody_is_exact() -> None:
    graph = odd_graphs()["clique with a tail"]
    assert distances(graph, sources=graph.n).average == distances(graph).average


def test_slices_do_not_matter_and_tell_how_far_it_is(monkeypatch) -> None:
    """The kernel is called for a few sources at a time, so that Ctrl-C is heard."""
    graph = generate(edges=6_000, seed=2)
    for sources in (None, 1_200):
        whole = distances(graph, sources=sources, seed=3)
        shares: list[float] = []
        with monkeypatch.context() as patch:
            patch.setattr(sys.modules["graphveil.measures.distances"], "AT_ONCE", 1)
            sliced = distances(graph, sources=sources, seed=3, told=shares.append)
        assert (sliced.average, sliced.effective_diameter) == (whole.average, whole.effective_diameter)
        assert np.array_equal(sliced.closeness, whole.closeness)
        assert len(shares) > 1
        assert shares[0] == 0
        assert shares == sorted(shares)
        assert shares[-1] < 1
