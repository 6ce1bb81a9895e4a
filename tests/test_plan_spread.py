"""`plan` with a spread: needs against plain sets, gains against recounts, and every result recounted."""

from __future__ import annotations

import itertools
import json
from collections import Counter, defaultdict
from fractions import Fraction
from subprocess import CompletedProcess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
import oracle
from commands import graphveil_process
from conftest import odd_graphs, small_graphs
from graphveil import Graph, ParameterError, UnreachableError, anonymize, verify
from graphveil.goals import goals_of
from graphveil.kernels.plan import fewest
from graphveil.methods.plan import dynamic_program, tuning
from graphveil.methods.plan.planning import no_such_spread
from graphveil.methods.plan.search import Search
from graphveil.methods.plan.step_costs import NEVER, StepCosts
from graphveil.methods.workspace import Workspace
from graphveil.stopping import Stop

SHARES = st.sampled_from([0.2, 1 / 3, 0.4, 0.5, 0.75, 1.0])


@pytest.fixture(autouse=True)
def less_patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solutions are what is looked at here, not how short they become."""
    monkeypatch.setattr(tuning, "LEAST_PATIENCE", 5)
    monkeypatch.setattr(tuning, "PATIENCE", 1)
    monkeypatch.setattr(tuning, "MORE", ())
    monkeypatch.setattr(tuning, "SEVERAL", 2)
    monkeypatch.setattr(tuning, "ATTEMPTS", 1)


def groups(graph: Graph) -> dict[int, list[tuple[int, int]]]:
    """The edges by mutual friends, from the definition."""
    edges = [(u, v) for u, v in graph.edges.tolist()]
    found = defaultdict(list)
    for edge, count in zip(edges, oracle.mutual_friends(graph.n, edges), strict=True):
        found[count].append(edge)
    return found


def least_size(edges: list[tuple[int, int]], k: int, share: float) -> int:
    """How many edges a group needs for the person who has most of it."""
    most = max(Counter(itertools.chain.from_iterable(edges)).values())
    return next(size for size in itertools.count(k) if most / size <= share)


def share_of(graph: Graph) -> Fraction:
    """The largest share of a group that touches one person."""
    largest = [
        Fraction(max(Counter(itertools.chain.from_iterable(edges)).values()), len(edges))
        for edges in groups(graph).values()
    ]
    return max(largest, default=Fraction(0))


def search_on(graph: Graph, k: int, share: float, **more: int) -> Search:
    goals = goals_of({"k": k, "spread": share, **more})
    return Search(Workspace(graph), goals, np.random.default_rng(1))


def toggled(graph: Graph, pairs: list[tuple[int, int]]) -> Graph:
    edges = sorted({(u, v) for u, v in graph.edges.tolist()} ^ set(pairs))
    return Graph.from_arrays([u for u, _ in edges], [v for _, v in edges], n=graph.n)


# ---------------------------------------------------------------------------- needs and gains


@given(st.integers(0, 3000), st.floats(0.001, 1))
def test_the_smallest_group_is_the_first_that_the_recount_accepts(tally: int, share: float) -> None:
    size = fewest(tally, share)
    assert tally == size == 0 or tally / size <= share
    assert size <= tally or tally / (size - 1) > share


@given(small_graphs(), st.integers(2, 5), SHARES)
def test_needs_are_those_of_plain_sets(graph: Graph, k: int, share: float) -> None:
    on = search_on(graph, k, share)
    violating = 0
    for count, edges in groups(graph).items():
        least = least_size(edges, k, share)
        assert on.mutual.tables.need[count] == least
        violating += len(edges) * (len(edges) < least)
    assert on.violating == violating
    assert (on.potential == 0) == (violating == 0)


@given(small_graphs(8), st.integers(2, 5), SHARES)
def test_gains_are_differences_of_potentials(graph: Graph, k: int, share: float) -> None:
    """Exactly, with no more vertices than there are leaders."""
    on = search_on(graph, k, share)
    pairs = list(itertools.combinations(range(graph.n), 2))
    gains, _ = on.evaluate(np.array(pairs, np.int32))
    for pair, gain in zip(pairs, gains.tolist(), strict=True):
        if gain > -NEVER // 2:
            size, need = on.mutual.tables.size * 0, on.mutual.tables.need * 0 + k
            for count, edges in groups(toggled(graph, [pair])).items():
                size[count], need[count] = len(edges), least_size(edges, k, share)
            widest = on.mutual.widest
            after = dynamic_program.make_plan(size, need, StepCosts(come=tuning.COME), widest, widest)
            assert gain == on.potential - after.least


@given(small_graphs(), st.integers(2, 4), SHARES, st.booleans())
def test_edits_around_leaders_are_possible(graph: Graph, k: int, share: float, keep_edges: bool) -> None:
    on = search_on(graph, k, share)
    on.deletable = graph.m if keep_edges else 0
    there = {(u, v) for u, v in graph.edges.tolist()}
    for u, v in on.mutual.around_leaders(20).tolist():
        assert 0 <= u < v < graph.n
        assert not keep_edges or (u, v) not in there


def test_the_best_share_is_that_of_a_graph_that_keeps_the_rest() -> None:
    star = odd_graphs()["star"]
    on = search_on(star, 2, 0.3)
    assert on.mutual.best_share == 1
    on.toggle((1, 2))  # a triangle: the hub is on two of its three edges, and on all of the rest
    assert on.mutual.best_share == 1
    both = search_on(star, 2, 0.3, degree_k=2)
    assert both.mutual.best_share == np.inf  # nobody has as many friends as the hub


# ---------------------------------------------------------------------------- the whole


def check(graph: Graph, k: int, share: float, **options: int | bool) -> graphveil.Result | None:
    """All guarantees by plain sets; nothing where they are out of reach."""
    try:
        ours = anonymize(graph, k, spread=share, seed=5, **options)
    except UnreachableError:
        return None
    edges = [tuple(pair) for pair in ours.graph.edges.tolist()]
    assert oracle.is_k_nmf(ours.graph.n, edges, k)
    assert float(share_of(ours.graph)) <= share
    assert ours.promises["spread"] == share
    assert "degree_k" not in options or oracle.is_k_degree(ours.graph.n, edges, options["degree_k"])
    assert not options.get("keep_edges") or not len(ours.deleted)
    assert ours.graph.n == graph.n
    assert np.all(ours.graph.degrees[graph.degrees > 0] > 0)
    assert verify(ours.graph, k, options.get("degree_k"), spread=share)
    return ours


@pytest.mark.parametrize("name", odd_graphs())
@pytest.mark.parametrize("options", [{}, {"degree_k": 2}, {"keep_edges": True}], ids=str)
def test_odd_graphs(name: str, options: dict[str, int]) -> None:
    check(odd_graphs()[name], 2, 0.5, **options)


@given(
    small_graphs(9), st.integers(2, 4), SHARES, st.sampled_from([{}, {"degree_k": 2}, {"keep_edges": True}])
)
@settings(max_examples=10)
def test_small_graphs(graph: Graph, k: int, share: float, options: dict[str, int]) -> None:
    check(graph, k, share, **options)


def test_a_chain_whose_first_edit_gains_alone_is_no_error() -> None:
    ends = "0-2 0-4 0-5 0-6 0-8 0-13 0-14 0-15 1-3 1-4 1-5 2-3 4-7 4-9 4-12 4-13 4-15 5-6 5-9 5-10 5-11 5-14 5-17 "
    ends += "6-16 7-16 7-17 9-12"
    graph = Graph.from_edges([tuple(map(int, pair.split("-"))) for pair in ends.split()])
    for seed in (6, 18):
        result = graphveil.anonymize(graph, 5, degree_k=5, spread=0.25, seed=seed)
        assert graphveil.verify(result.graph, 5, 5, spread=0.25)


def test_nobody_becomes_a_friend_of_himself_or_over_a_deleted_edge() -> None:
    search = search_on(Graph.from_arrays(*np.triu_indices(6, 1)), 4, 0.25)
    edge = search.workspace.edge_between(0, 1)
    assert not search.mutual.join(0, edge, search.take_best_edits)
    search.toggle((0, 1))
    assert not search.mutual.join(0, edge, search.take_best_edits)
    assert not search.mutual.join(5, edge, search.take_best_edits)
    assert list(search.edits) == [(0, 1)]


def test_a_graph_that_has_the_spread_is_left_alone() -> None:
    ours = check(odd_graphs()["cycle"], 4, 0.5)
    assert ours is not None
    assert not ours.changed
    assert anonymize(odd_graphs()["cycle"], 4, degree_k=2, spread=0.5).degree_method == "plan"


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.5, 0.4])
def test_a_community(community: Graph, share: float) -> None:
    ours = check(community, 5, share)
    assert ours is not None
    again = anonymize(community, 5, spread=share, seed=5)
    assert again.graph == ours.graph


@pytest.mark.slow
def test_a_hub_without_triangles_is_told_which_share_can_be_had() -> None:
    star = Graph.from_edges([(0, i) for i in range(1, 40)])
    with pytest.raises(UnreachableError, match="out of reach: with 40 vertices, one lies on 5 % of a group"):
        anonymize(star, 2, spread=0.04)
    with pytest.raises(UnreachableError, match=r"nobody is part of more than 30 % of a group.*spread="):
        anonymize(star, 2, spread=0.3, keep_edges=True, seed=1)


def test_the_share_that_was_found_is_offered() -> None:
    on = search_on(odd_graphs()["cycle"], 2, 0.1)
    assert on.mutual.best_share == pytest.approx(2 / 7)
    words = "The best share found is 29 %: ask for spread=0.29 or more, or a smaller k."
    assert words in str(no_such_spread(0.1, on.mutual.best_share, ""))


def test_only_plan_takes_a_spread() -> None:
    cycle = odd_graphs()["cycle"]
    for method in ("add-del", "add-greedy", "add-intuit", "liu-terzi"):
        with pytest.raises(
            ParameterError, match=f"{method} takes no spread. Leave spread= out, or choose plan"
        ):
            anonymize(cycle, 2, method=method, spread=0.5)
    with pytest.raises(ParameterError, match=r"kda takes no spread.*choose degree_method=\"plan\""):
        anonymize(cycle, 2, degree_k=2, degree_method="kda", spread=0.5)
    with pytest.raises(ParameterError, match="spread must be a share above 0 and up to 1"):
        anonymize(cycle, 2, spread=50)


# ---------------------------------------------------------------------------- budget and stop


def test_a_search_without_time_says_so(community: Graph) -> None:
    with pytest.raises(UnreachableError, match="the search was stopped by its budget: no graph was found"):
        anonymize(community, 25, spread=0.2, seed=1, budget=1e-9)


def test_a_stop_before_any_solution_ends_the_call(community: Graph) -> None:
    stop = Stop()
    for options in ({}, {"degree_k": 5}):
        with pytest.raises(KeyboardInterrupt):
            anonymize(
                community, 25, spread=0.2, seed=1, stop=stop, progress=lambda _: stop.request(), **options
            )
        stop.requested = False


# ---------------------------------------------------------------------------- published


def command(*words: object) -> CompletedProcess[str]:
    return graphveil_process(*map(str, words))


@pytest.mark.slow
def test_a_published_folder_is_verified(community: Graph, tmp_path) -> None:
    graphveil.write(community, tmp_path / "in.txt")
    out = tmp_path / "out"
    done = command("anonymize", tmp_path / "in.txt", "-k", 5, "--spread", 0.4, "-o", out)
    assert done.returncode == 0
    assert "spread, 40 %" in done.stdout
    assert "name a person with probability at most 40 %" in " ".join(done.stdout.split())
    assert command("verify", out, "--original", tmp_path / "in.txt").returncode == 0
    assert command("verify", out / "public" / "graph.txt", "-k", 5, "--spread", 0.4).returncode == 0
    run = json.loads((out / "private" / "run.json").read_text())
    assert (run["degree_method"], run["goals"]) == (None, {"k-NMF": 5, "spread": 0.4})
    run["goals"]["spread"] = 0.3
    (out / "private" / "run.json").write_text(json.dumps(run))
    spoiled = command("verify", out, "--original", tmp_path / "in.txt")
    assert spoiled.returncode == 1
    assert "'goals' does not fit" in spoiled.stdout + spoiled.stderr


def test_a_spread_that_is_none_is_refused_before_anything_is_read(tmp_path) -> None:
    refused = command("anonymize", tmp_path / "not-there.txt", "--spread", 7, "-o", tmp_path / "out")
    assert refused.returncode == 2
    assert "spread must be a share above 0 and up to 1, such as 0.5, not 7" in refused.stderr
