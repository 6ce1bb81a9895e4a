"""`plan` from the changes of an earlier release on: no edit may toggle these pairs. The oracle is sets of pairs."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import oracle
from conftest import small_graphs
from graphveil import Graph
from graphveil.errors import ParameterError, UnreachableError
from graphveil.goals import NMF, Degree, Goals, Spread
from graphveil.methods.anonymizing import anonymize
from graphveil.methods.carrying import Carried
from graphveil.methods.plan.improving import improved_solutions
from graphveil.methods.plan.restore_clustering import balanced, swapped
from graphveil.methods.plan.search import Search
from graphveil.methods.workspace import Workspace

Pair = tuple[int, int]
EVERY_KIND = [(NMF(3),), (NMF(2), Degree(2)), (NMF(2), Spread(0.6)), (NMF(2), Degree(2), Spread(0.7))]


def pairs_of(graph: Graph) -> set[Pair]:
    return {(u, v) for u, v in graph.edges.tolist()}


def rows(pairs: set[Pair]) -> np.ndarray:
    return np.array(sorted(pairs), np.int64).reshape(-1, 2)


def carried_over(graph: Graph, toggled: set[Pair], dummies: int = 0) -> Carried:
    """A graph after some changes of an earlier release, each of which stays."""
    n = graph.n + dummies
    ends = rows(pairs_of(graph) ^ toggled)
    after = Graph.from_arrays(ends[:, 0], ends[:, 1], n=n)
    return Carried(after, rows(toggled), np.arange(n), 0, 0)


def drawn(data: st.DataObject, n: int) -> set[Pair]:
    pairs = list(itertools.combinations(range(n), 2))
    return data.draw(st.sets(st.sampled_from(pairs), max_size=5)) if pairs else set()


def keeps(n: int, edges: set[Pair], goals: Goals) -> bool:
    """By the definitions: groups by mutual friends, by degree, and nobody on too much of a group."""
    counts = dict(zip(sorted(edges), oracle.mutual_friends(n, sorted(edges)), strict=True))
    for goal in goals:
        if isinstance(goal, NMF) and not oracle.is_k_anonymous(counts.values(), goal.level):
            return False
        if isinstance(goal, Degree) and not oracle.is_k_degree(n, edges, goal.level):
            return False
        if isinstance(goal, Spread):
            for count in set(counts.values()):
                group = [pair for pair in edges if counts[pair] == count]
                if any(sum(x in pair for pair in group) > goal.level * len(group) for x in range(n)):
                    return False
    return True


@pytest.mark.filterwarnings("ignore:The graph is bipartite")
@pytest.mark.parametrize("goals", EVERY_KIND, ids=str)
@settings(max_examples=10)
@given(graph=small_graphs(9), dummies=st.integers(0, 2), keep_edges=st.booleans(), data=st.data())
def test_goals_hold_and_earlier_changes_stay(goals, graph, dummies, keep_edges, data):
    toggled = drawn(data, graph.n + dummies)
    if keep_edges:
        toggled -= pairs_of(graph)
    carried = carried_over(graph, toggled, dummies)
    try:
        result = anonymize(graph, goals=goals, seed=1, keep_edges=keep_edges, carried=carried)
    except UnreachableError:
        event("unreachable")
        return
    after, before = pairs_of(result.graph), pairs_of(graph)
    assert keeps(result.graph.n, after, goals)
    assert toggled <= after ^ before
    assert pairs_of(result.original) == before
    assert {(u, v) for u, v in result.added.tolist()} == after - before
    assert {(u, v) for u, v in result.deleted.tolist()} == before - after
    assert result.new_vertices.tolist() == list(range(graph.n, result.graph.n))
    assert not keep_edges or before <= after


@pytest.fixture(scope="module")
def town() -> Graph:
    return Graph.from_edges(nx.powerlaw_cluster_graph(80, 8, 0.6, seed=3).edges)


@pytest.mark.parametrize("keep_edges", [False, True])
@pytest.mark.parametrize("goals", [(NMF(5),), (NMF(5), Degree(3))], ids=str)
def test_what_the_search_would_toggle_first_is_left_alone(town, goals, keep_edges):
    """Each time, everything that an unhindered search does is fixed: it must find other edits."""
    fixed: set[Pair] = set()
    for _ in range(3):
        search = Search(Workspace(town), goals, np.random.default_rng(2), keep_edges, fixed=rows(fixed))
        edits = next(improved_solutions(search)).edits
        assert not fixed & set(edits)
        assert keeps(town.n, pairs_of(town) ^ set(edits), goals)
        fixed |= set(edits)


def test_swaps_and_additions_for_clustering_leave_fixed_pairs_alone(town):
    goals = (NMF(5),)
    free = Search(Workspace(town), goals, np.random.default_rng(1))
    solution = next(improved_solutions(free)).edits
    free.go_to(solution)
    fixed = (set(swapped(free, solution)) | set(balanced(free, solution, None))) - set(solution)
    search = Search(Workspace(town), goals, np.random.default_rng(1), fixed=rows(fixed))
    for edits in (swapped(search, solution), balanced(search, solution, None)):
        assert not fixed & set(edits)
        assert keeps(town.n, pairs_of(town) ^ set(edits), goals)


def test_the_paper_is_no_fall_back_where_it_toggles_a_fixed_pair():
    """With every pair fixed nothing can be done."""
    bridge = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    everything = Carried(bridge, rows(set(itertools.combinations(range(6), 2))), np.arange(6), 0, 0)
    with pytest.raises(UnreachableError, match="smaller k"):
        anonymize(bridge, 2, degree_k=4, seed=1, carried=everything)
    with pytest.raises(UnreachableError, match=r"keeps 15 earlier changes\. Ask for a smaller k"):
        anonymize(bridge, 2, seed=1, carried=everything)
    with pytest.raises(UnreachableError, match=r"stopped by its budget: no graph .* \(budget=\)"):
        anonymize(bridge, 2, seed=1, carried=everything, budget=1e-9)


def test_other_methods_refuse_by_name(town):
    carried = carried_over(town, {(0, 79)})
    for options in ({"method": "add-del"}, {"method": "liu-terzi"}):
        with pytest.raises(ParameterError, match=f"{options['method']} cannot keep the changes"):
            anonymize(town, 5, carried=carried, **options)
    with pytest.raises(ParameterError, match="kda cannot keep the changes"):
        anonymize(town, 5, degree_k=3, degree_method="kda", carried=carried)


def test_earlier_deletions_and_keeping_edges_do_not_go_together(town):
    u, v = town.edges[0].tolist()
    with pytest.raises(ParameterError, match=r"deleted 1 friendship\. Leave keep_edges= out"):
        anonymize(town, 5, keep_edges=True, carried=carried_over(town, {(u, v)}))
