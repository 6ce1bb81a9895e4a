"""The cores of `plan` where edges only rise: who is in them, who is joined to them, and that nothing rises too far."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import oracle
from conftest import small_graphs
from graphveil import Graph
from graphveil.kernels.core import fill
from graphveil.methods.plan import cores as plan_core
from graphveil.methods.workspace import Workspace


def all_alike(pairs: np.ndarray) -> np.ndarray:
    return np.zeros(len(pairs), np.int64)


def additions_for(graph: Graph, members: list[int], target: int) -> int:
    """By definition: the fewest additions that make ``target`` others friends of all members."""
    friends = oracle.neighbours(graph.n, graph.edges.tolist())
    lacking = [len(set(members) - friends[x]) for x in range(graph.n) if x not in members]
    lacking += [len(members)] * target  # strangers to all of them, if need be from elsewhere
    return sum(sorted(lacking)[:target])


@given(small_graphs(), st.integers(1, 6), st.data())
def test_cost_of_a_core_is_what_its_friends_lack(graph: Graph, target: int, data: st.DataObject) -> None:
    *core, member = data.draw(st.permutations(range(graph.n)))[: data.draw(st.integers(2, 4))]
    workspace = Workspace(graph)
    known = np.zeros(graph.n, np.int64)
    for vertex in core:
        known[plan_core._friends(workspace, vertex)] += 1
    around = np.flatnonzero(known)
    before = known.copy()
    cost = plan_core._cost(workspace, known, around, member, core, target)
    strangers = set(core) - oracle.neighbours(graph.n, graph.edges.tolist())[member]
    assert cost == additions_for(graph, [*core, member], target) + len(strangers)
    assert np.array_equal(known, before)


@given(small_graphs(), st.integers(1, 12), st.data())
def test_cores_become_cliques_and_raise_nothing_too_far(graph: Graph, k: int, data: st.DataObject) -> None:
    workspace = Workspace(graph)
    target = data.draw(st.sampled_from(sorted(workspace.class_sizes())))
    present = {(u, v) for u, v in graph.edges.tolist()}
    before = dict(zip(sorted(present), oracle.mutual_friends(graph.n, sorted(present)), strict=True))
    cores = plan_core.cores_of(workspace, k, target)
    assert workspace.class_sizes() == Workspace(graph).class_sizes()
    assert len({tuple(core.members) for core in cores}) == len(cores)
    for core in cores:
        within = set(itertools.combinations(sorted(core.members), 2))
        assert set(core.introduced) == within - present
        added = plan_core.friends_for_core(workspace, core, target, all_alike)
        assert workspace.class_sizes() == Workspace(graph).class_sizes()
        assert len(set(added)) == len(added) <= core.cost
        assert not present & set(added)
        assert within <= present | set(added)
        assert all(u in core.members or v in core.members for u, v in added)
        edges = sorted(present | set(added))
        for edge, count in zip(edges, oracle.mutual_friends(graph.n, edges), strict=True):
            assert count == before[edge] if before.get(edge, 0) > target else count <= target


def test_pairs_beyond_the_target_do_not_fill_its_class() -> None:
    """Somebody knows three of eight who all know each other: three edges with two mutual friends, five are wanted."""
    clique = [*itertools.combinations(range(8), 2), (0, 8), (1, 8), (2, 8)]
    path = [(u, u + 1) for u in range(9, 15)]
    cores = plan_core.cores_of(Workspace(Graph.from_edges([*clique, *path])), 5, 2)
    costs = [core.cost for core in cores if core.members == [0, 1, 2, 8]]
    assert costs == [4]  # two more have to come, from no mutual friends


def test_members_of_a_core_need_not_know_each_other_before() -> None:
    """Five couples who know everybody but each other: six of them are never all friends, and become so."""
    couples = [(u, v) for u, v in itertools.combinations(range(10), 2) if u // 2 != v // 2]
    stars = [(10, 11), *((u, v) for u in (10, 11) for v in range(12, 32))]  # who have the most mutual friends
    workspace = Workspace(Graph.from_edges([*couples, *stars]))
    target = int(workspace.state.count.max())
    cores = [core for core in plan_core.cores_of(workspace, 15, target) if len(core.members) == 6]
    assert cores
    assert all(u // 2 == v // 2 for core in cores for u, v in core.introduced if v < 10)
    assert all(core.introduced for core in cores)


def test_of_people_who_know_the_same_the_best_is_joined_to_a_core() -> None:
    """Vertices 4 to 9 all know 0, 1 and 2 of the core; the one whose addition gains most becomes a friend of 3."""
    core_pairs = list(itertools.combinations(range(4), 2))
    knowing = [(u, v) for u in range(3) for v in range(4, 10)]
    workspace = Workspace(Graph.from_edges([*core_pairs, *knowing]))
    joining = plan_core.Joining(np.arange(4, 10), np.array([[False, False, False, True]] * 2))
    core = plan_core.Core([0, 1, 2, 3], [], [joining], 2)

    def gains(pairs: np.ndarray) -> np.ndarray:
        return np.where(pairs[:, 1] == 7, 5, 0) + np.where(pairs[:, 1] == 5, 9, 0)

    assert plan_core.friends_for_core(workspace, core, 8, gains) == [(3, 5), (3, 7)]


@st.composite
def circles(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Kinds of people by whom of a core they know, how many there are of each, and what each pair of the core lacks."""
    size = draw(st.integers(2, 5))
    rows = draw(st.lists(st.lists(st.booleans(), min_size=size, max_size=size), max_size=6, unique_by=tuple))
    known = np.array([*(row for row in rows if any(row)), [False] * size])
    number = np.array(draw(st.lists(st.integers(0, 9), min_size=len(known), max_size=len(known))))
    lack = np.zeros((size, size), np.int64)
    for i, j in itertools.combinations(range(size), 2):
        lack[i, j] = lack[j, i] = draw(st.integers(-1, 9))
    return known, number, lack


def pairs_of(members: np.ndarray) -> set[tuple[int, int]]:
    return set(itertools.combinations(np.flatnonzero(members).tolist(), 2))


@given(circles())
def test_a_core_is_filled_as_far_as_it_goes_and_no_further(
    circle: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    known, number, lack = circle
    left, still = number.copy(), lack.copy()
    taken, joined = fill(known, left, still)
    assert np.array_equal(number - left, np.bincount(taken, minlength=len(known)))
    assert (left >= 0).all()
    expected = lack.copy()
    for kind, row in zip(taken, joined, strict=True):
        assert row.any()
        assert not (row & known[kind]).any()
        for i, j in pairs_of(row | known[kind]) - pairs_of(known[kind]):
            expected[i, j] -= 1
            expected[j, i] -= 1
    assert np.array_equal(still, expected)
    assert (still >= np.minimum(lack, 0)).all()
    for kind in np.flatnonzero(
        left
    ):  # whoever is left would give a pair a mutual friend that it does not lack
        knows = np.flatnonzero(known[kind])
        for i in np.flatnonzero(~known[kind]):
            assert len(knows) == 0 or (still[i, knows] <= 0).any()
    assert not left[-1] or (still <= 0).all()


def test_a_core_is_filled_with_few_joinings() -> None:
    """All ten pairs of five lack twenty: who knows four of them is joined to the fifth, one edge for four pairs."""
    known = np.array([*(~np.eye(5, dtype=bool)), [False] * 5])
    lack = 20 - 20 * np.eye(5, dtype=np.int64)
    _, joined = fill(known, np.array([10] * 5 + [1000]), lack)
    assert not lack.any()
    assert joined.sum() == 50
