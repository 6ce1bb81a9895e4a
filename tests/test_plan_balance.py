"""What `plan` does for average clustering when its edits are found: swaps, and a few more edits."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from conftest import small_graphs
from graphveil import Graph, anonymize
from graphveil.goals import NMF
from graphveil.methods.plan import tuning
from graphveil.methods.plan.improving import solutions
from graphveil.methods.plan.restore_clustering import balanced, pairs_of_friends, swapped
from graphveil.methods.plan.search import Search
from graphveil.methods.workspace import Workspace


@given(small_graphs(), st.booleans())
def test_pairs_of_friends_are_those_of_people_with_few(graph: Graph, adjacent: bool) -> None:
    friends = oracle.neighbours(graph.n, graph.edges.tolist())
    decided: dict[tuple[int, int], float] = {}
    for circle in friends:
        pairs = list(itertools.combinations(sorted(circle), 2))
        for pair in pairs if len(circle) <= tuning.MOST_FRIENDS else ():
            if (pair[1] in friends[pair[0]]) == adjacent:
                decided[pair] = decided.get(pair, 0) + 1 / len(pairs)
    found = [tuple(pair) for pair in pairs_of_friends(Workspace(graph), adjacent=adjacent)]
    assert sorted(found) == sorted(decided)
    assert [decided[pair] for pair in found] == pytest.approx(sorted(decided.values(), reverse=True))


@given(small_graphs(20), st.integers(2, 4), st.booleans())
@settings(deadline=None)
def test_swaps_keep_the_promise_the_number_and_clustering(graph: Graph, k: int, keep_edges: bool) -> None:
    search = Search(Workspace(graph), (NMF(k),), np.random.default_rng(1), keep_edges)
    if graph.m <= k or not (found := list(solutions(search))):
        return
    search.go_to(found[-1].edits)
    edits, drift = len(search.edits), search.drift
    solution = swapped(search, dict(search.edits))
    search.go_to(solution)
    after = search.workspace.to_graph()
    assert len(solution) <= edits
    assert len(solution) < edits or abs(search.drift) <= abs(drift) + 1e-9
    assert oracle.is_k_anonymous(oracle.mutual_friends(graph.n, after.edges.tolist()), k)
    assert np.all((after.degrees > 0) | (graph.degrees == 0))
    if keep_edges:
        assert {*map(tuple, graph.edges.tolist())} <= {*map(tuple, after.edges.tolist())}


def test_swaps_bring_clustering_back(community: Graph) -> None:
    search = Search(Workspace(community), (NMF(40),), np.random.default_rng(1))
    *_, (solution, _) = solutions(search)
    search.go_to(solution)
    before = abs(search.drift)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuning, "CLOSE", 0.0)
        search.go_to(swapped(search, solution))
    assert len(search.edits) <= len(solution)
    assert abs(search.drift) < before / 2


@given(small_graphs(20), st.integers(2, 4), st.booleans(), st.integers(0, 3))
@settings(deadline=None)
def test_balance_does_no_harm(graph: Graph, k: int, keep_edges: bool, more: int) -> None:
    if graph.m <= k:
        return
    search = Search(Workspace(graph), (NMF(k),), np.random.default_rng(1), keep_edges)
    if not (found := list(solutions(search))):
        return
    search.go_to(found[-1].edits)
    edits, drift = len(search.edits), search.drift
    others = (pair for pair in itertools.combinations(range(graph.n), 2) if pair not in search.edits)
    rival = {**search.edits, **dict.fromkeys(itertools.islice(others, more))}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tuning, "WORTH", 0.05)
        balanced(search, dict(search.edits), rival)
    after = search.workspace.to_graph()
    assert oracle.is_k_anonymous(oracle.mutual_friends(graph.n, after.edges.tolist()), k)
    assert len(search.edits) <= edits + more
    assert abs(search.drift) <= abs(drift) + 1e-9  # up to rounding
    assert np.all((after.degrees > 0) | (graph.degrees == 0))
    if keep_edges:
        assert {*map(tuple, graph.edges.tolist())} <= {*map(tuple, after.edges.tolist())}


def test_balance_gives_back_what_a_deletion_took() -> None:
    """Three pairs of hubs with many common friends each: one pair falls out, another makes up for it."""
    hubs = [(0, 1), (2, 3), (4, 5)]
    friends = [range(6, 18), range(18, 30), range(30, 43)]
    circles = [
        (hub, friend) for pair, circle in zip(hubs, friends, strict=True) for friend in circle for hub in pair
    ]
    search = Search(
        Workspace(Graph.from_edges([(2, 3), (4, 5), *circles])), (NMF(1),), np.random.default_rng(1)
    )
    search.toggle((2, 3))
    assert search.drift < -12
    balanced(search, {(2, 3): None}, None)
    assert abs(search.drift) < 1
    assert set(search.edits) in ({(0, 1), (2, 3)}, set())  # or taken back: nothing spoke against it
    assert balanced(search, {(2, 3): None}, {(2, 3): None, (4, 5): None}) == {
        (2, 3): None
    }  # twice as good already


def test_balance_lets_the_rival_not_keep_clustering_better() -> None:
    """Four friends lose an edge, two thirds of one coefficient: worth an edit only if the rival does better."""
    four, five = list(itertools.combinations(range(4), 2)), list(itertools.combinations(range(4, 8), 2))[1:]
    search = Search(Workspace(Graph.from_edges(four + five)), (NMF(1),), np.random.default_rng(1))
    solution = {(0, 1): None}
    search.go_to(solution)
    assert search.drift == pytest.approx(-2 / 3)
    assert balanced(search, solution, {(0, 1): None, (2, 3): None}) == solution
    assert balanced(search, solution, None) == solution
    balanced(search, solution, {(0, 1): None, (4, 5): None})
    assert search.drift == pytest.approx(0)
    assert balanced(search, solution, solution) == solution


@pytest.mark.slow
def test_nobody_is_left_without_friends() -> None:
    """Here a vertex got a new friend, lost its old one, and the new one was taken back."""
    ends = [(0, 2), (0, 8), (0, 9), (1, 2), (1, 11), (2, 9), (2, 11), (3, 4), (4, 7), (5, 10)]
    ends += [(6, 7), (7, 9), (7, 10), (9, 10)]
    graph = Graph.from_edges(ends, vertices=range(15))
    for seed in range(40, 60):
        after = anonymize(graph, 13, seed=seed).graph
        assert (after.degrees[: graph.n] > 0)[graph.degrees > 0].all()
