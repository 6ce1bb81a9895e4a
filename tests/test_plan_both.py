"""`plan` for k-NMF and k-degree anonymity at once: both potentials against recounts, and every result recounted."""

from __future__ import annotations

import itertools
from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
import oracle
from conftest import odd_graphs, small_graphs
from graphveil import Graph, anonymize
from graphveil.differences import differences
from graphveil.goals import NMF, Degree
from graphveil.kernels import shifts
from graphveil.methods.plan import tuning
from graphveil.methods.plan.search import Search
from graphveil.methods.plan.step_costs import FORBIDDEN, NEVER, Stage, StepCosts
from graphveil.methods.run import Progress
from graphveil.methods.workspace import Workspace
from graphveil.stopping import Stop

PLAIN = Stage()


def search_on(graph: Graph, k: int, stage: Stage = PLAIN, *, keep_edges: bool = False) -> Search:
    search = Search(Workspace(graph), (NMF(k), Degree(k)), np.random.default_rng(1), keep_edges)
    search.aim(stage)
    return search


def toggled(graph: Graph, pairs: list[tuple[int, int]]) -> Graph:
    edges = sorted({(u, v) for u, v in graph.edges.tolist()} ^ set(pairs))
    return Graph.from_arrays([u for u, _ in edges], [v for _, v in edges], n=graph.n)


def least_shift_of_degrees(degrees: list[int], k: int) -> int:
    """By the definition: every degree may move, nobody to no friend at all, and each that occurs, occurs k times."""
    best = NEVER
    targets = range(max(degrees) + 2)
    for chosen in itertools.combinations_with_replacement(targets, len(degrees)):
        pairs = list(zip(sorted(degrees), chosen, strict=True))
        if oracle.is_k_anonymous(chosen, k) and not any(new == 0 < old for old, new in pairs):
            best = min(best, sum(abs(new - old) for old, new in pairs))
    return best


@given(small_graphs(6), st.integers(2, 4))
def test_potential_of_degrees_is_the_least_shift(graph: Graph, k: int) -> None:
    search = search_on(graph, k)
    least = int(search.degrees.left)
    expected = least_shift_of_degrees(graph.degrees.tolist(), k)
    assert least == expected if expected < NEVER else least >= FORBIDDEN


@given(small_graphs(), st.integers(2, 5), st.integers(1, 3), st.integers(1, 20), st.integers(1, 4))
def test_gains_are_differences_of_both_potentials(
    graph: Graph, k: int, mutual: int, degrees: int, fall: int
) -> None:
    if graph.m <= k:
        return
    stage = Stage(degree=StepCosts(fall=fall), weights=(mutual, degrees))
    search = search_on(graph, k, stage)
    pairs = list(itertools.combinations(range(graph.n), 2))
    gains, _ = search.evaluate(np.array(pairs, np.int32))
    for pair, gain in zip(pairs, gains.tolist(), strict=True):
        after = search_on(toggled(graph, [pair]), k, stage)
        if gain > -NEVER // 2 and max(search.potential, after.potential) < FORBIDDEN:
            assert gain == search.potential - after.potential


@given(small_graphs(), st.data())
def test_degrees_are_counted_along_with_the_edits(graph: Graph, data: st.DataObject) -> None:
    search = search_on(graph, 2)
    pairs = list(itertools.combinations(range(graph.n), 2))
    for pair in data.draw(st.lists(st.sampled_from(pairs), max_size=12)):
        search.toggle(pair)
    now = toggled(graph, list(search.edits))
    assert {d: size for d, size in enumerate(search.degrees.people.tolist()) if size} == Counter(
        now.degrees.tolist()
    )
    degrees, counts = now.degrees.tolist(), oracle.mutual_friends(now.n, now.edges.tolist())
    assert search.violating == oracle.violating(degrees, 2) + oracle.violating(counts, 2)


@given(small_graphs(20), st.integers(2, 6), st.booleans(), st.integers(0, 2))
def test_shifting_edits_move_degrees_where_they_have_to_go(
    graph: Graph, k: int, keep_edges: bool, bar: int
) -> None:
    search = search_on(graph, k, keep_edges=keep_edges)
    m = search.degrees.marginals()
    there = {(u, v) for u, v in graph.edges.tolist()}
    for u, v in search.degrees.shifting(search.degrees.wanting(), 30, 5, far=True, bar=bar).tolist():
        step = m.down if (u, v) in there else m.up
        assert u < v
        assert step[graph.degrees[u]] + step[graph.degrees[v]] < bar
        assert min(step[graph.degrees[[u, v]]]) < 0
        assert (u, v) not in there or (not keep_edges and min(graph.degrees[[u, v]]) > 1)


def test_of_many_edits_around_a_vertex_the_best_are_kept() -> None:
    pairs, promise, filled = np.empty((4, 2), np.int32), np.empty(4, np.int64), 0
    for v, gain in ((1, 0), (2, -2), (3, -1), (2, -2), (4, -3), (5, 0)):
        filled = shifts.keep(pairs, promise, filled, 0, 3, 0, v, gain)
    assert sorted(zip(promise[:filled].tolist(), pairs[:filled, 1].tolist(), strict=True)) == [
        (-3, 4),
        (-2, 2),
        (-1, 3),
    ]


@given(small_graphs())
def test_conspicuous_additions_close_a_cycle_of_four_without_a_mutual_friend(graph: Graph) -> None:
    state, drawn = Workspace(graph).state, nx.Graph(graph.edges.tolist())
    drawn.add_nodes_from(range(graph.n))
    away = dict(nx.all_pairs_shortest_path_length(drawn))
    for u, v in itertools.combinations(range(graph.n), 2):
        assert shifts.is_conspicuous(state, u, v) == (away[u].get(v) == 3)


def test_added_edges_are_not_those_that_the_rule_finds() -> None:
    graph = graphveil.generate(edges=3_000, seed=5)
    ours = anonymize(graph, 10, degree_k=10, seed=5)
    found = graphveil.utility(graph, ours.graph)
    precision = next(each.value for each in found.agreements if each.name == "added_edges_rule_precision")
    assert precision is None or precision <= 3 * len(ours.added) / ours.graph.m


# ---------------------------------------------------------------------------- the whole


def check(graph: Graph, k: int, degree_k: int, **options: bool) -> graphveil.Result:
    """Both guarantees by recount; nobody loses all friends; never worse than plan and then KDA."""
    ours = anonymize(graph, k, degree_k=degree_k, seed=5, **options)
    edges = [tuple(pair) for pair in ours.graph.edges.tolist()]
    assert oracle.is_k_nmf(ours.graph.n, edges, k)
    assert oracle.is_k_degree(ours.graph.n, edges, degree_k)
    assert np.all(ours.graph.degrees[: graph.n][graph.degrees > 0] > 0)
    assert not options or not len(ours.deleted)
    assert len(ours.new_vertices) == ours.graph.n - graph.n
    assert not len(ours.new_vertices) or any("dummy" in note for note in ours.notes)
    return ours


@pytest.mark.parametrize("name", odd_graphs())
@pytest.mark.parametrize("k", [2, 4])
def test_odd_graphs(name: str, k: int) -> None:
    graph = odd_graphs()[name]
    too_large = (graph.m and k > graph.n * (graph.n - 1) // 2) or (graph.n and k > graph.n)
    if too_large:
        with pytest.raises(graphveil.UnreachableError, match="out of reach"):
            anonymize(graph, k, degree_k=k, seed=5)
        return
    check(graph, k, k)


@pytest.mark.parametrize("name", ["path", "clique minus edge", "bipartite", "tiny components"])
def test_additions_only(name: str) -> None:
    check(odd_graphs()[name], 3, 3, keep_edges=True)


@given(small_graphs(20), st.integers(2, 6), st.integers(2, 4))
@settings(max_examples=8)
def test_random_graphs(graph: Graph, k: int, degree_k: int) -> None:
    if k <= graph.n * (graph.n - 1) // 2 and degree_k <= graph.n:
        ours = check(graph, k, degree_k)
        other = anonymize(graph, k, degree_k=degree_k, degree_method="kda", seed=5)
        assert len(ours.new_vertices) <= len(other.new_vertices)


def test_thousands_of_small_graphs_by_the_search_alone() -> None:
    """Whatever the search calls a solution is one, also where it is rarely found."""
    found = 0
    for seed in range(600):
        rng = np.random.default_rng(seed)
        n, k = int(rng.integers(6, 16)), int(rng.integers(2, 4))
        drawn = nx.gnp_random_graph(n, float(rng.uniform(0.2, 0.9)), seed=seed)
        graph = Graph.from_arrays([u for u, _ in drawn.edges], [v for _, v in drawn.edges], n=n)
        if graph.m <= k:
            continue
        search = Search(Workspace(graph), (NMF(k), Degree(k)), rng, seed % 3 == 0)
        if search.descend(search.schedules()[0]):
            found += 1
            now = search.workspace.to_graph()
            assert oracle.is_k_nmf(n, now.edges.tolist(), k)
            assert oracle.is_k_degree(n, now.edges.tolist(), k)
            assert set(search.edits) == {
                tuple(pair) for pair in np.concatenate(differences(graph, now)).tolist()
            }
    assert found > 400


def test_far_fewer_changes_than_kda_after_plan(community: Graph) -> None:
    ours = check(community, 10, 10)
    other = anonymize(community, 10, degree_k=10, degree_method="kda", seed=5)
    assert 2 * ours.changed <= other.changed
    assert not len(ours.new_vertices)
    assert not ours.notes
    again = anonymize(community, 10, degree_k=10, seed=5)
    assert np.array_equal(again.graph.edges, ours.graph.edges)


def test_a_dense_graph_needs_no_dummy_people() -> None:
    drawn = nx.powerlaw_cluster_graph(60, 10, 0.7, seed=3)
    ours = check(Graph.from_edges(list(drawn.edges)), 5, 5)
    assert not len(ours.new_vertices)


def test_what_holds_already_is_left_alone() -> None:
    ring = Graph.from_edges([(i, (i + 1) % 12) for i in range(12)])
    result = anonymize(ring, 5, degree_k=12, seed=1)
    assert not result.changed
    assert result.promises == {"k-NMF": 5, "k-degree": 12}


def test_out_of_time_is_plan_and_then_kda(community: Graph) -> None:
    result = anonymize(community, 10, degree_k=10, budget=1e-9, seed=1)
    assert any("stopped by its budget before" in note and "KDA" in note for note in result.notes)
    edges = result.graph.edges.tolist()
    assert oracle.is_k_degree(result.graph.n, edges, 10)
    assert oracle.is_k_nmf(result.graph.n, edges, 10)


def test_a_stop_takes_the_best_so_far(community: Graph) -> None:
    token, seen = Stop(), [community.m]

    def listen(progress: Progress) -> None:
        if progress.violating == 0 and min(seen) > 0:
            token.request()
        seen.append(progress.violating)

    result = anonymize(community, 10, degree_k=10, seed=1, progress=listen, stop=token)
    assert result.interrupted
    assert any("interrupted" in note for note in result.notes)
    assert oracle.is_k_degree(result.graph.n, result.graph.edges.tolist(), 10)


def test_a_table_that_would_not_fit_is_not_made(community: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "LARGEST_TABLE", 100)
    result = anonymize(community, 10, degree_k=10, seed=1)
    assert any("would not fit into memory" in note for note in result.notes)


def test_kda_on_request_and_for_the_other_methods(community: Graph) -> None:
    asked = anonymize(community, 10, degree_k=10, degree_method="kda", seed=1)
    assert asked.degrees is not None
    assert anonymize(community, 10, method="add-del", degree_k=10, seed=1).degrees is not None
    with pytest.raises(graphveil.ParameterError, match="degree_method"):
        anonymize(community, 10, method="add-del", degree_k=10, degree_method="plan", seed=1)
