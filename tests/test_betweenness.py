"""Betweenness against networkx and closed forms; the sample against its own statement and plain sampling."""

from __future__ import annotations

import sys

import igraph
import networkx
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
from conftest import odd_graphs
from graphveil import Graph, generate
from graphveil.measures.agreement import number_at_top, rank_agreement, top_agreement
from graphveil.measures.betweenness import betweenness, compare


def check(graph: Graph) -> None:
    expected = networkx.betweenness_centrality(networkx.Graph(graph.to_networkx()), normalized=False)
    found = betweenness(graph)
    assert found.exact
    assert not found.errors.any()
    assert found.values == pytest.approx(list(expected.values()), rel=1e-9, abs=1e-9)


@settings(max_examples=60)
@given(st.integers(1, 14), st.integers(0, 10**6), st.floats(0.05, 0.6))
def test_small_graphs_against_networkx(n: int, seed: int, probability: float) -> None:
    check(Graph.from_networkx(networkx.gnp_random_graph(n, probability, seed=seed)))


@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs_against_networkx(name: str) -> None:
    check(odd_graphs()[name])


@pytest.mark.parametrize("seed", range(4))
def test_trees_are_folded_right(seed: int) -> None:
    """A tree alone, and trees hanging on a cycle."""
    tree = networkx.random_labeled_tree(40, seed=seed)
    check(Graph.from_networkx(tree))
    check(Graph.from_networkx(networkx.compose(tree, networkx.cycle_graph(range(5, 12)))))


@pytest.mark.parametrize("length", [3, 400, 1_200])
def test_more_shortest_paths_than_a_float_can_hold(length: int) -> None:
    """A chain of diamonds has 2^length shortest paths from end to end."""
    left = 3 * np.arange(length)
    pairs = [(left, left + 1), (left, left + 2), (left + 1, left + 3), (left + 2, left + 3)]
    u, v = (np.concatenate(side) for side in zip(*pairs, strict=True))
    found = betweenness(Graph.from_arrays(u, v)).values
    place = np.arange(length + 1)
    # A joint lies between everything left and right of it, and on one of two ways between the sides of a diamond.
    joints = 9.0 * place * (length - place) + np.where((place == 0) | (place == length), 0.5, 1.0)
    sides = (3.0 * place[:-1] + 1) * (3 * (length - place[:-1] - 1) + 1) / 2
    assert found[::3] == pytest.approx(joints, rel=1e-9)
    assert found[1::3] == pytest.approx(sides, rel=1e-9)
    assert found[2::3] == pytest.approx(sides, rel=1e-9)


def test_cores_do_not_matter() -> None:
    graph = generate(edges=3_000, seed=5)
    threads = numba.get_num_threads()
    first = betweenness(graph, sources=60, seed=1)
    try:
        numba.set_num_threads(1)
        second = betweenness(graph, sources=60, seed=1)
    finally:
        numba.set_num_threads(threads)
    assert first.values.tobytes() == second.values.tobytes()
    assert first.errors.tobytes() == second.errors.tobytes()


@pytest.fixture(scope="module")
def sampled():
    """A graph with its betweenness and 30 samples of it."""
    graph = generate(edges=6_000, seed=3)
    return graph, betweenness(graph), [betweenness(graph, sources=100, seed=seed) for seed in range(30)]


def test_the_sample_is_unbiased(sampled) -> None:
    """The mean of the samples lies within the error that a mean of so many has."""
    _, exact, samples = sampled
    mean = np.mean([sample.values for sample in samples], axis=0)
    error = np.mean([sample.errors**2 for sample in samples]) / len(samples)
    assert 0.7 < np.sqrt(np.mean((mean - exact.values) ** 2) / error) < 1.4
    assert abs(np.sum(mean) - np.sum(exact.values)) / np.sum(exact.values) < 0.01


def test_the_stated_error_is_the_true_one(sampled) -> None:
    _, exact, samples = sampled
    true = [np.sqrt(np.mean((s.values - exact.values) ** 2)) / exact.values.mean() for s in samples]
    stated = [sample.relative_error for sample in samples]
    assert 0.85 < np.mean(true) / np.mean(stated) < 1.15
    assert max(true) < 2 * np.mean(stated)


@pytest.mark.slow
def test_agreements_are_within_their_stated_error(sampled) -> None:
    graph, exact, samples = sampled
    published = graphveil.anonymize(graph, k=20, seed=1).graph
    exactly = betweenness(published)
    for statistic, step in ((rank_agreement, 0.0), (top_agreement, 1 / number_at_top(graph.n))):
        truth = compare(exact, exactly, statistic)
        assert truth.error == 0
        for seed, sample in enumerate(samples[:8]):
            other = betweenness(published, sources=100, seed=seed, order=sample.order)
            estimate = compare(sample, other, statistic, step=step)
            assert estimate.error >= step / 2
            assert abs(estimate.value - truth.value) <= 4 * estimate.error + 1e-9


def test_half_the_error_of_plain_sampling(shared_graph) -> None:
    """The same number of sources, igraph's plain sample scaled up, on a real graph."""
    graph = graphveil.read(shared_graph("ca-GrQc"))
    exact = betweenness(graph).values
    bare = igraph.Graph(n=graph.n, edges=graph.edges)
    assert exact == pytest.approx(bare.betweenness(), rel=1e-9, abs=1e-6)
    ours, plain, count = [], [], 400
    for seed in range(5):
        sources = np.random.default_rng(seed).choice(graph.n, count, replace=False)
        other = np.array(bare.betweenness(sources=sources.tolist())) * graph.n / count
        plain.append(np.mean((other - exact) ** 2))
        ours.append(np.mean((betweenness(graph, sources=count, seed=seed).values - exact) ** 2))
    assert np.sqrt(np.mean(ours)) <= 0.5 * np.sqrt(np.mean(plain))


def test_new_vertices_are_a_stratum_of_their_own() -> None:
    """The old vertices keep their sources whatever is added behind them."""
    graph = generate(edges=2_000, seed=4)
    order = betweenness(graph, sources=40, seed=2).order
    for new in (1, 7):
        added = np.arange(graph.n, graph.n + new)
        u = np.concatenate((graph.edges[:, 0], np.zeros(new, int)))
        grown = Graph.from_arrays(u, np.concatenate((graph.edges[:, 1], added)), n=graph.n + new)
        found = betweenness(grown, sources=40, seed=2, order=order)
        assert found.sources == 42
        exact = betweenness(grown).values
        assert abs(found.values.sum() - exact.sum()) / exact.sum() < 0.1


@pytest.mark.parametrize("sources", [None, 100])
@pytest.mark.parametrize("threads", [1, 3])
def test_slices_do_not_matter_and_tell_how_far_it_is(monkeypatch, sources: int | None, threads: int) -> None:
    """The kernel is called for a few sources at a time, so that Ctrl-C is heard: also fewer than there are groups."""
    graph = generate(edges=1_500, seed=5)
    whole = betweenness(graph, sources=sources, seed=1)
    monkeypatch.setattr(sys.modules["graphveil.measures.betweenness"], "AT_ONCE", 1)
    monkeypatch.setattr(numba, "get_num_threads", lambda: threads)
    shares: list[float] = []
    sliced = betweenness(graph, sources=sources, seed=1, told=shares.append)
    assert sliced.values.tobytes() == whole.values.tobytes()
    assert sliced.errors.tobytes() == whole.errors.tobytes()
    assert sliced.without_group.tobytes() == whole.without_group.tobytes()
    assert len(shares) > 8
    assert shares == sorted(shares)
