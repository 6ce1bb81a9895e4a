"""Fewer exposed people for a budget: groups against plain sets after every change, guarantees and budgets kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
from conftest import small_graphs
from graphveil import Graph, ParameterError
from graphveil.goals import NMF, Degree, Friendship, Goals, Spread
from graphveil.kernels import reduce as kernel
from graphveil.methods.reduce import reducing
from graphveil.methods.reduce.reducing import Limits, Reduced, Wish, reduce_exposed, wishes_of
from graphveil.methods.reduce.signatures import SIGNATURES, signature_named
from graphveil.methods.reduce.state import Row, state_of
from graphveil.recounting import Recount
from graphveil.risk.auditing import achieved
from graphveil.stopping import Stop, stoppable

Friends = list[set[int]]
ATTACKERS = [signature.attacker for signature in SIGNATURES]


@pytest.fixture(autouse=True)
def fewer_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether everything is kept is looked at here, not how much is won."""
    monkeypatch.setattr(reducing, "MOST_MOVES", 20_000)


# ---------------------------------------------------------------------- from the definitions


def friends_of(graph: Graph) -> Friends:
    friends: Friends = [set() for _ in range(graph.n)]
    for u, v in graph.edges.tolist():
        friends[u].add(v)
        friends[v].add(u)
    return friends


def triangles(friends: Friends, v: int) -> int:
    return sum(b in friends[a] for a, b in combinations(friends[v], 2))


def counts_around(friends: Friends, v: int) -> tuple[int, ...]:
    return tuple(sorted(len(friends[v] & friends[u]) for u in friends[v]))


def degrees(friends: Friends, u: int, v: int) -> tuple[int, ...]:
    return tuple(sorted((len(friends[u]), len(friends[v]))))


OF_PERSON: dict[str, Callable[[Friends, int], object]] = {
    "degree": lambda friends, v: len(friends[v]),
    "degree-and-triangles": lambda friends, v: (len(friends[v]), triangles(friends, v)),
    "mutual-friends-around": counts_around,
}
OF_PAIR: dict[str, Callable[[Friends, int, int], object]] = {
    "mutual-friends": lambda friends, u, v: len(friends[u] & friends[v]),
    "edge-degrees": degrees,
    "edge-degrees-and-mutual-friends": lambda friends, u, v: (
        *degrees(friends, u, v),
        len(friends[u] & friends[v]),
    ),
}


def groups(friends: Friends, attacker: str) -> Counter[object]:
    """The size of the group of every signature."""
    if attacker in OF_PERSON:
        return Counter(OF_PERSON[attacker](friends, v) for v in range(len(friends)))
    pairs = [(u, v) for u in range(len(friends)) for v in friends[u] if u < v]
    return Counter(OF_PAIR[attacker](friends, u, v) for u, v in pairs)


def sizes(found: Counter[object]) -> list[int]:
    return sorted(found.values())


def exposed(graph: Graph, attacker: str, k: int) -> int:
    return sum(size for size in groups(friends_of(graph), attacker).values() if size < k)


def people_of_pairs(friends: Friends) -> Counter[object]:
    """For each ordered pair of degrees, how many people of the first have a friend of the second."""
    pairs = {(v, len(friends[v]), len(friends[u])) for v in range(len(friends)) for u in friends[v]}
    return Counter((first, second) for _, first, second in pairs)


def largest_shares(friends: Friends) -> dict[int, int]:
    """For each mutual-friend count, how many of its friendships touch one person at most."""
    around: Counter[tuple[int, int]] = Counter()
    for v, others in enumerate(friends):
        around.update((len(others & friends[u]), v) for u in others)
    most: dict[int, int] = {}
    for (count, _), number in around.items():
        most[count] = max(most.get(count, 0), number)
    return most


# ---------------------------------------------------------------------- the groups after every change


def sizes_in(state: kernel.State, row: int) -> list[int]:
    table = state.groups.table
    there = (table[:, kernel.KEY] >= 0) & (table[:, kernel.KEY] >> 3 * kernel.WIDTH == row)
    return sorted(table[there, kernel.SIZE].tolist())


def small_members(found: list[int], least: int) -> int:
    return sum(size for size in found if size < least)


@given(small_graphs(), st.data())
@settings(deadline=None)
def test_groups_are_right_after_every_change(graph, data):
    if graph.n < 2:
        return
    kinds = [kernel.FRIEND_DEGREES, kernel.SPREAD]
    rows = [Row(getattr(kernel, signature.kind), 3, 1) for signature in SIGNATURES]
    for some, names in ((rows[:3], ATTACKERS[:3]), (rows[3:], ATTACKERS[3:]), ([rows[3]], [ATTACKERS[3]])):
        state = state_of(graph, graph, [*some, *(Row(kind, 2) for kind in kinds)], 50, seed=1)
        friends = friends_of(graph)
        pairs = st.lists(
            st.lists(st.integers(0, graph.n - 1), min_size=2, max_size=2, unique=True), max_size=12
        )
        for u, v in data.draw(pairs):
            kernel.apply(state, np.array([[u, v]]))
            friends[u] ^= {v}
            friends[v] ^= {u}
            for row, name in enumerate(names):
                found = sizes(groups(friends, name))
                assert sizes_in(state, row) == found
                assert state.groups.rows[row, kernel.SMALL] == small_members(found, 3)
            people = sizes(people_of_pairs(friends))
            assert sizes_in(state, len(some)) == people
            assert state.groups.totals[kernel.BAD] >= sum(size < 2 for size in people)
            kernel.refresh(state)
            most = state.counts[:, kernel.MOST]
            assert {c: int(n) for c, n in enumerate(most) if n} == largest_shares(friends)
        before = friends_of(graph)
        changed = {(u, v) for u in range(graph.n) for v in before[u] ^ friends[u] if u < v}
        noted = state.changes[: state.groups.totals[kernel.CHANGES]]
        assert {(u, v) for u, v in noted.tolist()} == changed


def test_the_energy_is_that_of_the_groups_and_can_be_taken_back():
    graph = graphveil.generate(edges=300, seed=2)
    state = state_of(graph, graph, [Row(kernel.DEGREE_AND_TRIANGLES, 5, 2)], 50, seed=1)
    before = [array.copy() for array in (state.people, *state.groups[1:])]
    pairs = np.random.default_rng(1).integers(graph.n, size=(40, 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    kernel.apply(state, pairs)
    found = sizes_in(state, 0)
    assert state.groups.totals[kernel.ENERGY] == sum(2 * s * (20 - 3 * (s - 1)) for s in found if s < 5)
    kernel.apply(state, pairs[::-1].copy())
    for array, old in zip((state.people, *state.groups[1:]), before, strict=True):
        assert np.array_equal(array, old)


@pytest.mark.parametrize("signature", SIGNATURES, ids=ATTACKERS)
@given(graph=small_graphs())
@settings(max_examples=30)
def test_exposed_is_that_of_the_definition(signature, graph):
    for k in (2, 4):
        assert signature.exposed(graph, k).sum() == exposed(graph, signature.attacker, k)


# ---------------------------------------------------------------------- the search


def reduced(
    graph: Graph, attackers: list[str], k: int = 5, goals: Goals = (), seed: int = 0, **limits: Any
) -> Reduced:
    rng = np.random.default_rng(seed)
    return reduce_exposed(
        graph, graph, [Wish(name, k) for name in attackers], goals, Limits(**limits), rng=rng
    )


TOWN = graphveil.generate(edges=600, seed=3)
WISHES = [Wish("degree-and-triangles", 5)]


def changes(result: Reduced, original: Graph) -> int:
    return len(set(map(tuple, result.graph.edges.tolist())) ^ set(map(tuple, original.edges.tolist())))


@pytest.mark.parametrize("attacker", ATTACKERS)
def test_fewer_are_exposed_within_the_budget(attacker):
    result = reduced(TOWN, [attacker], max_changes=0.1)
    [reduction] = result.reductions
    assert reduction.before == exposed(TOWN, attacker, 5)
    assert reduction.after == exposed(result.graph, attacker, 5) <= 0.8 * reduction.before
    assert reduction.changes == changes(result, TOWN) <= 0.1 * TOWN.m
    assert (result.graph.degrees[TOWN.degrees > 0] > 0).all()
    assert result.graph.n == TOWN.n


@given(
    small_graphs(),
    st.sampled_from(ATTACKERS),
    st.integers(2, 5),
    st.sampled_from([0.1, 0.5, 1.0]),
    st.integers(0, 3),
)
@settings(deadline=None, max_examples=40)
def test_guarantees_budget_and_friends_are_kept(graph, attacker, k, share, seed):
    found = achieved(graph, [NMF(2), Degree(2), Spread(0.5)])
    goals = tuple(
        kind(level) for kind, level in zip((NMF, Degree, Spread), found, strict=True) if level and graph.m
    )
    result = reduced(graph, [attacker], k, goals, max_changes=share, seed=seed)
    kept = achieved(result.graph, list(goals))
    assert all(goal.kept(level) for goal, level in zip(goals, kept, strict=True))
    assert changes(result, graph) <= share * graph.m
    assert (result.graph.degrees[graph.degrees > 0] > 0).all()
    assert result.reductions[0].after == exposed(result.graph, attacker, k)


def test_several_attackers_and_guarantees_at_once():
    start = graphveil.anonymize(TOWN, 5, degree_k=3, seed=1).graph
    wishes = [Wish("degree-and-triangles", 3, weight=2), Wish("edge-degrees", 2)]
    result = reduce_exposed(
        start, TOWN, wishes, (NMF(5), Degree(3)), Limits(0.15), rng=np.random.default_rng(1)
    )
    assert graphveil.verify(result.graph, 5, degree_k=3)
    assert all(each.after < each.before for each in result.reductions)
    assert changes(result, TOWN) <= 0.15 * TOWN.m


def test_the_same_seed_gives_the_same_graph():
    first, again, other = (reduced(TOWN, ["degree-and-triangles"], seed=seed).graph for seed in (1, 1, 2))
    assert first == again != other


def test_a_share_that_is_enough_is_reached_with_fewer_changes():
    [all_of_it] = reduced(TOWN, ["degree-and-triangles"], max_changes=0.2).reductions
    [enough] = reduced(TOWN, ["degree-and-triangles"], max_changes=0.2, until=0.8).reductions
    assert enough.safe >= 0.8
    assert enough.changes < all_of_it.changes
    [already] = reduced(TOWN, ["degree-and-triangles"], max_changes=0.2, until=0.01).reductions
    assert already.changes == 0


def test_a_share_out_of_the_budget_is_said():
    result = reduced(TOWN, ["degree-and-triangles"], max_changes=0.01, until=1.0)
    assert "found no way to keep 100 % from being exposed with at most" in result.notes[0]
    assert result.reductions[0].safe < 1


def test_a_budget_that_the_guarantees_spent_is_said():
    start = graphveil.anonymize(TOWN, 25, seed=1).graph
    result = reduce_exposed(
        start, TOWN, [Wish("degree", 5)], (NMF(25),), Limits(0.001), rng=np.random.default_rng(1)
    )
    assert result.graph == start
    assert "the guarantees alone changed" in result.notes[0]


def test_the_clock_ends_it_with_a_good_graph():
    result = reduce_exposed(TOWN, TOWN, WISHES, time_is_up=lambda: True, rng=np.random.default_rng(1))
    assert "budget of seconds" in result.notes[0]
    assert not result.interrupted
    assert result.reductions[0].after < result.reductions[0].before


def test_a_request_to_stop_ends_it_with_a_good_graph():
    token = Stop()
    with stoppable(token):
        result = reduce_exposed(
            TOWN, TOWN, WISHES, told=lambda exposed, changes: token.request(), rng=np.random.default_rng(1)
        )
    assert result.interrupted
    assert changes(result, TOWN) <= 0.05 * TOWN.m


def test_attackers_of_degrees_meet_friendship_anonymity_first():
    how = (TOWN, TOWN, [Wish("edge-degrees", 2)], (NMF(2),))
    start = reducing._head_start(*how, Limits(0.9), np.random.default_rng(0), lambda: False)
    assert all(goal.check(Recount(start.edges, start.n)).holds for goal in (NMF(2), Friendship(2)))
    for limits in (Limits(0.01), Limits(0.9, until=0.9), Limits(0.9, keep_edges=True)):
        assert reducing._head_start(*how, limits, np.random.default_rng(0), lambda: False) is TOWN
    assert reducing._head_start(*how, Limits(0.9), np.random.default_rng(0), lambda: True) is TOWN


def test_interrupted_before_anything_is_reduced():
    token = Stop()
    token.request()
    with stoppable(token):
        result = reduce_exposed(TOWN, TOWN, [Wish("edge-degrees", 2)], rng=np.random.default_rng(1))
    assert result.interrupted
    assert result.graph is TOWN
    assert "interrupted" in result.notes[0]


def test_edges_are_kept_if_asked():
    result = reduced(TOWN, ["degree-and-triangles"], keep_edges=True, max_changes=0.1)
    assert set(map(tuple, TOWN.edges.tolist())) < set(map(tuple, result.graph.edges.tolist()))
    assert result.reductions[0].after < result.reductions[0].before


def test_anonymize_reduces_and_keeps_its_guarantees():
    how = {"degree_k": 3, "seed": 1, "max_changes": 0.1}
    result = graphveil.anonymize(TOWN, 5, reduce="degree-and-triangles", reduce_k=3, **how)
    assert graphveil.verify(result.graph, 5, degree_k=3)
    assert result.changed <= 0.1 * TOWN.m
    [reduction] = result.reductions
    assert reduction.changes == result.changed
    assert reduction.after == exposed(result.graph, "degree-and-triangles", 3) < reduction.before
    again = graphveil.anonymize(TOWN, 5, reduce={"degree-and-triangles": 3}, **how)
    assert again.graph == result.graph


def test_anonymize_reduces_beside_new_vertices():
    graph = graphveil.generate(edges=300, seed=5)
    result = graphveil.anonymize(
        graph,
        5,
        method="add-greedy",
        degree_k=20,
        degree_method="kda-paper",
        reduce="degree",
        max_changes=1.0,
        seed=1,
    )
    assert graphveil.verify(result.graph, 5, degree_k=20)
    assert result.reductions[0].people == result.graph.n


def test_attackers_can_be_named_in_several_ways():
    assert wishes_of(None, 5) == ()
    assert wishes_of("degree", 5) == wishes_of(["degree"], 5) == wishes_of({"degree": 5}, 3)
    with pytest.raises(ParameterError, match="named twice"):
        wishes_of(["degree", Wish("degree", 2)], 5)


def test_bad_parameters_are_refused():
    with pytest.raises(ParameterError, match="nothing can be reduced for the attacker 'nobody'"):
        Wish("nobody", 5)
    with pytest.raises(ParameterError, match="reduce_k must be a whole number of at least 2"):
        Wish("degree", 1)
    with pytest.raises(ParameterError, match="Choose one above 0"):
        Wish("degree", 2, weight=0)
    with pytest.raises(ParameterError, match="max_changes must be a share"):
        reduced(TOWN, ["degree"], max_changes=5)
    with pytest.raises(ParameterError, match="until must be a share"):
        reduced(TOWN, ["degree"], until=95)
    with pytest.raises(ParameterError, match="Reduce for fewer attackers at once"):
        reduced(TOWN, ATTACKERS, goals=(NMF(1), Degree(1)))


def test_signatures_are_found_by_name():
    assert [signature_named(name).attacker for name in ATTACKERS] == ATTACKERS
