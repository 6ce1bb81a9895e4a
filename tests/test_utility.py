"""Every figure of the comparison against networkx, igraph, a dense solver or its definition."""

from __future__ import annotations

import itertools
import json
import math
import os
import random
import signal
import subprocess
import sys
import warnings

import igraph
import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
from conftest import odd_graphs
from graphveil import Graph, GraphError, ParameterError, anonymize, generate, utility
from graphveil.differences import match
from graphveil.measures.agreement import (
    earth_mover,
    kolmogorov_smirnov,
    rank_agreement,
    top_agreement,
    total_variation,
)
from graphveil.measures.communities import adjusted_mutual_information, communities
from graphveil.measures.detection import added_edges, deleted_pairs, pairs_at_distance_two
from graphveil.measures.profiling import profile, spectrum
from graphveil.stopping import Stopped, stoppable

# ---------------------------------------------------------------------- the figures of one graph


def check_measures(graph: Graph) -> None:
    found = {name: estimate.value for name, estimate in profile(graph).measures.items()}
    other = networkx.Graph(graph.to_networkx())
    bare = igraph.Graph(n=graph.n, edges=graph.edges)

    def same(name: str, expected: float) -> None:
        if math.isnan(expected):
            assert found[name] is None
        else:
            assert found[name] == pytest.approx(expected, rel=1e-9, abs=1e-9), name

    same("average_clustering", networkx.average_clustering(other))
    same("transitivity", bare.transitivity_undirected())
    same("average_path_length", bare.average_path_length())
    same("diameter", bare.diameter() or math.nan)
    same("assortativity", bare.assortativity_degree(directed=False))
    same("components", networkx.number_connected_components(other))
    same("largest_component", max(map(len, networkx.connected_components(other))) / graph.n)
    cores = list(networkx.core_number(other).values())
    same("degeneracy", max(cores))
    same("average_coreness", sum(cores) / graph.n)
    if graph.n > 2:
        same("largest_betweenness", max(networkx.betweenness_centrality(other).values()))


@settings(max_examples=25)
@given(st.integers(1, 12), st.integers(0, 10**6), st.floats(0.0, 0.7))
def test_measures_of_small_graphs(n: int, seed: int, probability: float) -> None:
    check_measures(Graph.from_networkx(networkx.gnp_random_graph(n, probability, seed=seed)))


def test_measures_of_a_larger_graph() -> None:
    check_measures(generate(edges=1_500, seed=2))


@pytest.mark.parametrize(
    "graph",
    [
        generate(edges=1_200, seed=1),
        Graph.from_networkx(networkx.gnp_random_graph(300, 0.004, seed=1)),  # many isolated vertices
        Graph.from_networkx(
            networkx.disjoint_union_all([networkx.complete_graph(3)] * 100)
        ),  # one value 100 times
        Graph.from_networkx(networkx.cycle_graph(200)),
        Graph.from_networkx(networkx.star_graph(300)),
        Graph.from_networkx(networkx.disjoint_union_all([networkx.path_graph(2)] * 150)),
        *odd_graphs().values(),
    ],
    ids=str,
)
def test_eigenvalues_against_all_of_them(graph: Graph) -> None:
    matrix = graph.to_scipy().toarray().astype(float)
    found = spectrum(graph)
    for values, whole in ((found.adjacency, matrix), (found.laplacian, np.diag(graph.degrees) - matrix)):
        expected = np.linalg.eigvalsh(whole)[::-1][:3] if graph.n else []
        assert list(values) == pytest.approx(list(expected), abs=1e-9)
    if graph.m:
        vector = found.centrality
        assert (
            vector @ matrix @ vector >= found.adjacency[0] - 1e-9
        )  # absolute values of a leading eigenvector


# ---------------------------------------------------------------------- agreement


@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=8), st.lists(st.integers(0, 6), min_size=1, max_size=8)
)
def test_distances_of_distributions(one: list[int], other: list[int]) -> None:
    from scipy.stats import ks_2samp, wasserstein_distance

    a, b = np.array(one), np.array(other)
    shares = [[values.count(x) / len(values) for x in range(7)] for values in (one, other)]
    assert total_variation(a, b) == pytest.approx(sum(abs(p - q) for p, q in zip(*shares, strict=True)) / 2)
    assert earth_mover(a, b) == pytest.approx(wasserstein_distance(one, other))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert kolmogorov_smirnov(a / 7, b / 7) == pytest.approx(ks_2samp(a / 7, b / 7).statistic)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_rank_agreement_against_scipy(pairs: list[tuple[int, int]]) -> None:
    from scipy.stats import spearmanr

    a, b = np.array(pairs, float).T
    if len(set(a)) == 1 or len(set(b)) == 1:
        assert rank_agreement(a, b) is None
    else:
        assert rank_agreement(a, b) == pytest.approx(spearmanr(a, b).statistic, abs=1e-12)


def test_ties_up_to_rounding_are_ties() -> None:
    values = np.array([0.1 + 0.2, 0.3, 0.1])
    assert rank_agreement(values, np.array([1.0, 1.0, 0.0])) == pytest.approx(1)
    assert top_agreement(np.array([0.3, 0.1 + 0.2]), np.array([0.3, 0.3])) == 1


def test_closeness_pagerank_and_eigenvector_of_the_top() -> None:
    """The highest 2 of 200 by networkx, in both graphs."""
    before = generate(edges=800, seed=4)
    after = anonymize(before, 10, seed=1).graph
    found = utility(before, after)
    count = math.ceil(before.n / 100)
    ways = {
        "closeness_top": networkx.closeness_centrality,
        "pagerank_top": lambda graph: networkx.pagerank(graph, tol=1e-12, max_iter=1000),
        "eigenvector_top": lambda graph: networkx.eigenvector_centrality(graph, max_iter=5000, tol=1e-10),
        "betweenness_top": networkx.betweenness_centrality,
    }
    for name, centrality in ways.items():
        tops = []
        for graph in (before, after):
            values = centrality(networkx.Graph(graph.to_networkx()))
            tops.append(set(sorted(before.labels.tolist(), key=lambda v, values=values: -values[v])[:count]))
        assert found[name].value == len(tops[0] & tops[1]) / count, name


# ---------------------------------------------------------------------- communities


def information(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    total = len(one)
    cells = {(a, b): 0 for a in one for b in other}
    for pair in zip(one, other, strict=True):
        cells[pair] += 1
    return sum(
        c / total * math.log(c * total / (one.count(a) * other.count(b))) for (a, b), c in cells.items() if c
    )


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=6))
def test_adjusted_mutual_information_over_all_permutations(pairs: list[tuple[int, int]]) -> None:
    """The expectation as what it is: the mean over every order of one of the partitions."""
    one, other = zip(*pairs, strict=True)
    found = adjusted_mutual_information(np.array(one), np.array(other))
    expected = np.mean([information(one, order) for order in itertools.permutations(other)])
    bound = (information(one, one) + information(other, other)) / 2
    if bound - expected > 1e-12:
        assert found == pytest.approx((information(one, other) - expected) / (bound - expected), abs=1e-9)
    else:
        assert found in (0.0, 1.0)


def test_leiden_is_seeded_and_igraph_gets_its_generator_back() -> None:
    graph = generate(edges=4_000, seed=3)
    bare = igraph.Graph(n=graph.n, edges=graph.edges)
    random.seed(11)
    state = random.getstate()
    first = communities(bare, 5)
    assert random.getstate() == state  # Python's generator was not touched
    igraph.Graph.Erdos_Renyi(50, 0.5)
    assert random.getstate() != state  # and igraph draws from it again
    assert np.array_equal(first, communities(bare, 5))
    assert any(not np.array_equal(first, communities(bare, seed)) for seed in range(6, 12))
    # Also when somebody has given igraph a generator of his own.
    igraph.set_random_number_generator(random.Random(99))
    assert np.array_equal(first, communities(bare, 5))


@pytest.mark.parametrize("edges", [60, 4_000])
def test_iterations_one_by_one_are_those_of_one_call(edges: int) -> None:
    graph = generate(edges=edges, seed=3)
    bare = igraph.Graph(n=graph.n, edges=graph.edges)
    igraph.set_random_number_generator(random.Random(5))
    at_once = bare.community_leiden(objective_function="modularity", n_iterations=5).membership
    assert communities(bare, 5).tolist() == at_once


def test_ctrl_c_waits_until_igraph_can_bear_it(monkeypatch) -> None:
    """Raised in the middle of its random numbers it would end the process."""
    bare = igraph.Graph.Full(30)
    drawn = []

    class Interrupting(random.Random):
        def getrandbits(self, *given: int) -> int:
            drawn.append(given)
            if len(drawn) == 10:
                os.kill(os.getpid(), signal.SIGINT)
            return super().getrandbits(*given)

    monkeypatch.setattr(sys.modules["graphveil.measures.communities"], "ITERATIONS", 3)
    monkeypatch.setattr(random, "Random", Interrupting)
    usual = signal.getsignal(signal.SIGINT)
    with pytest.raises(Stopped), stoppable():
        communities(bare, 5)
    assert len(drawn) > 10, "the iteration went on to its end"
    assert signal.getsignal(signal.SIGINT) is usual
    one_iteration = len(drawn)
    communities(bare, 5)
    assert len(drawn) > 2 * one_iteration, "and the others did not begin"


def test_it_is_told_what_is_measured() -> None:
    before = generate(edges=300, seed=3)
    told: list[tuple[str, float]] = []
    utility(before, before, progress=lambda *given: told.append(given))
    measured = [what for what, _ in told]
    assert measured[0] == "path lengths of the original"
    assert "communities of the published graph" in measured
    assert all(0 <= share < 1 for _, share in told[:-1])
    assert told[-1][1] == 1


# ---------------------------------------------------------------------- plausibility


def test_added_edges_by_counting_pairs() -> None:
    before = generate(edges=300, seed=2)
    after = anonymize(before, 8, method="add-greedy", seed=1)
    other = networkx.Graph(after.graph.to_networkx())
    added = {tuple(edge) for edge in after.graph.labels[after.added].tolist()}
    edges = [tuple(edge) for edge in after.graph.labels[after.graph.edges].tolist()]
    for name, score in (
        ("jaccard", networkx.jaccard_coefficient),
        ("adamic_adar", networkx.adamic_adar_index),
    ):
        scores = {(u, v): round(value, 10) for u, v, value in score(other, edges)}
        ours = [scores[edge] for edge in edges if edge not in added]
        theirs = [scores[edge] for edge in added]
        wins = np.mean([(a > b) + (a == b) / 2 for a in ours for b in theirs])
        found = added_edges(after.graph, after.added)[name]
        assert found.value == pytest.approx(wins, abs=1e-9)
        assert found.error == 0


def test_strangers_are_drawn_evenly() -> None:
    """Every pair at distance 2, however many friends it has in common, about equally often."""
    graph = Graph.from_networkx(networkx.gnp_random_graph(12, 0.4, seed=1))
    lengths = dict(networkx.all_pairs_shortest_path_length(graph.to_networkx()))
    expected = {(u, v) for u in range(12) for v in range(u + 1, 12) if lengths[u].get(v) == 2}
    pairs, times = np.unique(
        pairs_at_distance_two(graph, np.random.default_rng(4)), axis=0, return_counts=True
    )
    assert {tuple(pair) for pair in pairs.tolist()} == expected
    assert np.sum((times - times.mean()) ** 2) / times.mean() < 2 * len(times)  # chi-squared


def test_deleted_pairs_within_the_stated_error() -> None:
    graph = generate(edges=600, seed=5)
    deleted, kept = graph.edges[::40], np.delete(graph.edges, np.s_[::40], axis=0)
    after = Graph.from_arrays(kept[:, 0], kept[:, 1], n=graph.n)
    other = after.to_networkx()
    lengths = dict(networkx.all_pairs_shortest_path_length(other, cutoff=2))
    gone = {tuple(pair) for pair in deleted.tolist()}
    strangers = [
        (u, v) for u in lengths for v in lengths[u] if u < v and lengths[u][v] == 2 and (u, v) not in gone
    ]
    theirs = sorted(value for *_, value in networkx.jaccard_coefficient(other, strangers))
    ours = [value for *_, value in networkx.jaccard_coefficient(other, sorted(gone))]
    truth = np.mean([
        (np.searchsorted(theirs, a, "left") + np.searchsorted(theirs, a, "right")) / 2 / len(theirs) for a in ours
    ])  # fmt: skip
    for seed in range(8):
        found = deleted_pairs(after, deleted, seed)["jaccard"]
        assert 0 < found.error < 0.01
        assert abs(found.value - truth) < 4 * found.error


# ---------------------------------------------------------------------- the whole


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs_without_a_warning_or_nan(name: str, quick: bool) -> None:
    graph = odd_graphs()[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = utility(graph, graph, quick=quick)
        json.dumps(found.to_dict(), allow_nan=False)
    assert (found.added, found.deleted, found.new_vertices) == (0, 0, 0)
    for measure in found.measures:
        assert measure.before == measure.after
    for agreement in found.agreements:
        assert agreement.value is None or agreement.value == pytest.approx(agreement.unchanged)


def test_from_nothing_to_something() -> None:
    empty, edge = odd_graphs()["empty"], odd_graphs()["one edge"]
    found = utility(empty, edge)
    assert (found.added, found.new_vertices, found.changed_percent) == (1, 2, None)
    assert found["average_path_length"].difference is None


def test_changes_and_new_vertices() -> None:
    before = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d")])
    after = Graph.from_edges([("x", "a"), ("b", "a"), ("c", "d"), ("a", "c")])
    found = utility(before, after)
    assert (found.vertices, found.edges) == ((4, 5), (3, 4))
    assert (found.added, found.deleted, found.new_vertices) == (2, 1, 1)
    assert found.changed_percent == 100
    assert found["components"].difference == 0
    with pytest.raises(KeyError):
        found["beauty"]


def test_vertices_are_matched_by_label() -> None:
    before = generate(edges=500, seed=7)
    number = np.random.default_rng(1).permutation(before.n)
    u, v = number[before.edges].T
    labels = np.empty(before.n, np.int64)
    labels[number] = before.labels
    shuffled = Graph.from_arrays(u, v, n=before.n, labels=labels)
    assert match(before, shuffled) == before
    assert utility(before, shuffled) == utility(before, before)


def test_a_missing_vertex_is_refused() -> None:
    with pytest.raises(GraphError, match=r"lacks 1 of the 3 people of the original, such as id 'c'"):
        utility(Graph.from_edges([("a", "b"), ("b", "c")]), Graph.from_edges([("a", "b"), ("b", "z")]))


def test_a_profile_spares_the_original() -> None:
    before = generate(edges=1_000, seed=1)
    after = anonymize(before, 5, seed=1).graph
    known = profile(before, seed=3)
    assert utility(known, after, seed=3) == utility(before, after, seed=3)
    with pytest.raises(ParameterError):
        utility(known, after, seed=4)


def test_quick_says_what_is_sampled() -> None:
    before = generate(edges=12_000, seed=1)
    after = anonymize(before, 25, seed=1).graph
    quick, full = utility(before, after, quick=True), utility(before, after)
    assert full["average_path_length"].exact
    assert not quick["average_path_length"].exact
    assert quick["diameter"].error is None
    assert quick.betweenness_error > 0 == full.betweenness_error
    for name in ("average_path_length", "effective_diameter", "largest_betweenness"):
        assert abs(quick[name].before - full[name].before) < 4 * quick[name].error
        assert abs(quick[name].difference - full[name].difference) < 4 * quick[name].error
    for name in ("average_clustering", "degree_total_variation", "mutual_friends_earth_mover", "communities"):
        assert quick[name] == full[name]


@pytest.mark.slow
def test_the_same_bytes_in_another_process() -> None:
    code = (
        "import json, graphveil as g\n"
        "before = g.generate(edges=12_000, seed=1)\n"
        "after = g.anonymize(before, 25, seed=1).graph\n"
        "print(json.dumps(g.utility(before, after, quick=True).to_dict()))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before = generate(edges=12_000, seed=1)
    after = anonymize(before, 25, seed=1).graph
    assert run.stdout.strip() == json.dumps(utility(before, after, quick=True).to_dict())


def test_the_schema() -> None:
    """What docs/utility.md promises."""
    graph = odd_graphs()["wheel"]
    found = utility(graph, graph).to_dict()
    assert found["schema"] == "graphveil/utility/1"
    assert set(found) == {
        "schema", "vertices", "edges", "new_vertices", "added", "deleted", "changed_percent", "quick", "seed",
        "betweenness_sources", "betweenness_error", "measures", "agreements", "distributions",
    }  # fmt: skip
    assert set(found["measures"][0]) == {"name", "before", "after", "difference", "exact", "error"}
    assert set(found["agreements"][0]) == {"name", "value", "unchanged", "exact", "error"}
    assert set(found["distributions"][0]) == {"name", "of", "values", "before", "after"}
    assert [part["name"] for part in found["distributions"]] == [
        "degree",
        "mutual_friends",
        "distance",
        "betweenness",
    ]
    for part in found["distributions"]:
        assert sum(part["before"]) == pytest.approx(1)
    assert graphveil.utility is utility
