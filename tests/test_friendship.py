"""Friendship anonymity against an oracle in plain sets, on odd graphs, and with the other guarantees."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import odd_graphs, small_graphs
from graphveil import Graph, anonymize, generate, publish, verify
from graphveil.errors import ParameterError, UnreachableError
from graphveil.goals import NMF, Degree, Friendship, Spread
from graphveil.methods.friendship import anonymizing
from graphveil.recounting import Recount
from graphveil.stopping import Stop, Stopped
from graphveil.verification.graphs import recheck
from oracle import is_k_degree, is_k_nmf, neighbours


def smallest_group(n: int, edges: list[tuple[int, int]]) -> int | None:
    """From the definition: people of degree d1 with a friend of degree d2, and friendships with both degrees."""
    friends = neighbours(n, edges)
    people, friendships = defaultdict(set), defaultdict(set)
    for u in range(n):
        for v in friends[u]:
            pair = len(friends[u]), len(friends[v])
            people[pair].add(u)
            friendships[tuple(sorted(pair))].add(frozenset((u, v)))
        if not friends[u]:
            people[0, 0].add(u)
    return min(map(len, [*people.values(), *friendships.values()]), default=None)


def keeps(graph: Graph, k: int) -> bool:
    return (smallest_group(graph.n, graph.edges.tolist()) or k) >= k


@given(small_graphs())
def test_the_goal_counts_as_the_definition_does(graph):
    edges = graph.edges.tolist()
    found = Friendship(2).check(Recount(graph.edges, graph.n))
    assert found.achieved == smallest_group(graph.n, edges)
    assert found.holds == keeps(graph, 2)
    assert is_k_degree(graph.n, edges, found.achieved)  # implied


def test_the_failing_groups_are_pairs_of_degrees():
    star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    found = Friendship(3).check(Recount(star.edges, 4))
    assert [(each.value, each.size) for each in found.failing] == [((3, 1), 1)]
    assert Friendship.group_in_words((3, 1)) == "3 friends and a friend with 1 friend"


def test_people_without_friends_are_a_group():
    lonely = Graph.from_arrays([0, 2], [1, 3], n=5)
    found = Friendship(2).check(Recount(lonely.edges, 5))
    assert [(each.value, each.size) for each in found.failing] == [((0, 0), 1)]
    assert not Degree(2).check(Recount(lonely.edges, 5)).holds


FINE = "found", "refused"


def try_all(graph: Graph, *goals, seed: int = 1) -> str:
    """The goals hold in the result, or are refused with a k that really works; says which."""
    try:
        result = anonymize(graph, goals=goals, seed=seed)
    except UnreachableError as error:
        words = str(error).split()
        parameter, _, level = (
            words[words.index("Choose") + 1].strip(",.").partition("=") if "Choose" in words else ("", "", "")
        )
        if parameter in ("friendship_k", "k") and level:
            kind, level = Friendship if parameter == "friendship_k" else NMF, int(level)
            smaller = (kind(level) if type(each) is kind else each for each in goals)
            return "refused" if try_all(graph, *smaller, seed=seed) == "found" else str(error)
        return (
            "refused"
            if any(word in str(error) for word in ("up to", "too small", "No smaller k"))
            else str(error)
        )
    edges = result.graph.edges.tolist()
    assert recheck(result.graph, goals).holds
    assert result.graph.n == graph.n
    assert (result.graph.degrees[graph.degrees > 0] > 0).all()
    for goal in goals:
        if type(goal) is Friendship:
            assert keeps(result.graph, goal.level)
        if type(goal) is NMF:
            assert is_k_nmf(graph.n, edges, goal.level)
        if type(goal) is Degree:
            assert is_k_degree(graph.n, edges, goal.level)
    return "found"


@pytest.mark.parametrize("name", odd_graphs())
@pytest.mark.parametrize("k", [2, pytest.param(3, marks=pytest.mark.slow), 5])
def test_odd_graphs(name, k):
    graph = odd_graphs()[name]
    assert try_all(graph, Friendship(k)) in FINE
    assert try_all(graph, NMF(k), Friendship(k)) in FINE


@settings(max_examples=30)
@given(small_graphs(), st.integers(2, 4), st.integers(0, 3))
def test_random_small_graphs(graph, k, seed):
    assert try_all(graph, Friendship(k), seed=seed) in FINE


@pytest.mark.parametrize("n", [4, 5, 6])
def test_people_without_friends_get_some_where_nothing_else_helps(n):
    lonely = Graph.from_arrays([0], [1], n=n)
    assert try_all(lonely, Friendship(2)) == "found"
    assert try_all(lonely, NMF(2), Friendship(2)) == "found"


def test_all_graphs_of_four_people():
    pairs, seen = list(itertools.combinations(range(4), 2)), set()
    for number in range(1 << len(pairs)):
        chosen = [pair for i, pair in enumerate(pairs) if number >> i & 1]
        graph = Graph.from_arrays([u for u, _ in chosen], [v for _, v in chosen], n=4)
        if (degrees := tuple(sorted(graph.degrees.tolist()))) in seen:
            continue  # of four people, graphs with the same degrees are the same graph
        seen.add(degrees)
        for k in (2, 3, 4):
            assert try_all(graph, Friendship(k)) in FINE


@pytest.mark.parametrize(
    "goals",
    [
        (Friendship(5),),
        (Friendship(5), Degree(12)),
        (NMF(5), Friendship(5)),
        (NMF(10), Friendship(4)),
        (Friendship(4), Spread(0.5)),
        (NMF(4), Degree(9), Spread(0.5), Friendship(4)),
    ],
    ids=str,
)
def test_together_with_other_guarantees(community, goals):
    assert try_all(community, *goals) == "found"


def test_the_same_seed_gives_the_same_graph(community):
    one, same, other = (anonymize(community, goals=[NMF(4), Friendship(4)], seed=seed) for seed in (7, 7, 8))
    assert np.array_equal(one.graph.edges, same.graph.edges)
    assert not np.array_equal(one.graph.edges, other.graph.edges)


def test_what_holds_already_is_left_alone():
    cycle = odd_graphs()["cycle"]
    assert anonymize(cycle, goals=[Friendship(7)], seed=1).changed == 0


def test_edges_cannot_be_kept(community):
    with pytest.raises(ParameterError, match="keep_edges="):
        anonymize(community, goals=[Friendship(5)], keep_edges=True)


def test_no_time_is_said(community):
    with pytest.raises(UnreachableError, match="budget"):
        anonymize(community, goals=[Friendship(5)], budget=1e-9, seed=1)


def test_it_can_be_stopped(community):
    stop = Stop()
    stop.request()
    with pytest.raises(Stopped):
        anonymize(community, goals=[Friendship(5)], seed=1, stop=stop)


def test_a_solution_is_kept_when_interrupted(community, monkeypatch):
    stop, found = Stop(), []
    monkeypatch.setattr(anonymizing, "TELL_EVERY", float("inf"))  # tell of solutions only

    def listen(progress):
        found.append(progress)
        if len(found) == 1:
            stop.request()

    result = anonymize(community, goals=[Friendship(5)], seed=1, stop=stop, progress=listen)
    assert result.interrupted
    assert keeps(result.graph, 5)


@pytest.mark.parametrize("degree_k", [2, 3, 4])
def test_a_guarantee_that_a_stronger_one_brings_is_published(degree_k, tmp_path):
    town = generate(edges=300, seed=4)
    result = anonymize(town, degree_k=degree_k, friendship_k=3, seed=2**90)
    publish(result, tmp_path / "out")
    assert verify(tmp_path / "out", original=town)
    assert min(np.unique_counts(result.graph.degrees).counts) >= max(degree_k, 3)
