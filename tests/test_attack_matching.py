"""The attacker with a similar graph: one step against plain code, and what is found and not found."""

from __future__ import annotations

import json
from math import exp, log, sqrt

import networkx
import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
import oracle
from conftest import odd_graphs, small_graphs
from graphveil import Graph, GraphError, InputError, ParameterError, anonymize, attack, generate
from graphveil.cli import main
from graphveil.risk import reidentification
from graphveil.risk.matching import _link, _propose, _Side, match_people
from graphveil.risk.reidentification import reidentify
from graphveil.stopping import Stop, Stopped, stoppable


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


# ---------------------------------------------------------------------- one step of propagation


class Plain:
    """A graph as dicts and sets, with all that a vote depends on."""

    def __init__(self, graph: Graph, scale: float = 1.0) -> None:
        self.scale = scale
        edges = [tuple(edge) for edge in graph.edges.tolist()]
        self.friends = oracle.neighbours(graph.n, edges)
        self.mutual = dict(zip(edges, oracle.mutual_friends(graph.n, edges), strict=True))

    def tie(self, u: int, v: int) -> float:
        return self.scale**2 * self.mutual[min(u, v), max(u, v)]

    def traits(self, v: int) -> tuple[float, ...]:
        friends = self.friends[v]
        triangles = self.scale * sum(self.tie(v, w) for w in friends) / 2
        logs = [log(1 + self.scale * len(self.friends[w])) for w in friends]
        return 1 + self.scale * len(friends), sqrt(1 + triangles), exp(sum(logs) / max(len(logs), 1))


def scores(mine: Plain, other: Plain, u: int, image: dict[int, int]) -> dict[int, float]:
    """The score of every candidate of u, from the definition."""
    result: dict[int, float] = {}
    for x in sorted(mine.friends[u]):
        if x not in image:
            continue
        for w in other.friends[image[x]]:
            apart = abs(log(1 + mine.tie(u, x)) - log(1 + other.tie(image[x], w)))
            vote = exp(-3 * apart) / sqrt(len(other.friends[image[x]]))
            result[w] = result.get(w, 0.0) + vote
    for w in result:
        for a, b in zip(mine.traits(u), other.traits(w), strict=True):
            result[w] *= min(a, b) / max(a, b)
    return result


@settings(max_examples=60)
@given(small_graphs(), small_graphs(), st.integers(0, 10**6), st.sampled_from([1.0, 0.5, 1.3]))
def test_a_step_by_definition(one: Graph, two: Graph, seed: int, scale: float) -> None:
    random = np.random.default_rng(seed)
    pairs = min(one.n, two.n) * 2 // 3
    u, w = random.permutation(one.n)[:pairs], random.permutation(two.n)[:pairs]
    a, b = _Side.of(one, two, scale), _Side.of(two, one)
    _link(a, b, u, w)
    _propose(a, b)
    mine, other, image = Plain(one, scale), Plain(two), dict(zip(u.tolist(), w.tolist(), strict=True))
    for vertex in range(one.n):
        expected = scores(mine, other, vertex, image)
        ranked = [*sorted(expected.values(), reverse=True), 0.0, 0.0]
        assert a.first[vertex] == pytest.approx(ranked[0], rel=1e-5)
        assert a.second[vertex] == pytest.approx(ranked[1], rel=1e-5)
        assert (a.best[vertex] < 0) == (not expected)
        if ranked[1] < 0.99 * ranked[0]:
            best = max(expected, key=expected.__getitem__)
            votes = sum(x in image and best in other.friends[image[x]] for x in mine.friends[vertex])
            assert (a.best[vertex], a.support[vertex]) == (best, votes)
    assert not a.room["score"].any()
    assert not a.room["votes"].any()


@given(st.permutations(range(6)), st.permutations(range(6)), st.integers(0, 6))
def test_links_are_one_to_one(u: list[int], w: list[int], kept: int) -> None:
    cycle = Graph.from_networkx(networkx.cycle_graph(6))
    a, b = _Side.of(cycle, cycle), _Side.of(cycle, cycle)
    _link(a, b, np.arange(6), np.arange(6))
    _link(a, b, np.array(u[:kept], int), np.array(w[:kept], int))
    assert a.image[u[:kept]].tolist() == w[:kept]
    for one, other in ((a, b), (b, a)):
        linked = np.flatnonzero(one.image >= 0)
        assert other.image[one.image[linked]].tolist() == linked.tolist()


# ---------------------------------------------------------------------- what is found


@pytest.fixture(scope="module")
def town() -> Graph:
    return generate(edges=3_000, seed=4)


def test_most_people_are_found_and_anonymizing_does_not_help(town: Graph) -> None:
    after = anonymize(town, 10, seed=1).graph
    found = reidentify(town, after)
    assert found.before.share > 0.5
    assert found.after.share > 0.45
    assert found.before.precision > 0.95
    assert found.after.precision > 0.95
    assert found.after.agreement > 0.9
    whole = reidentify(town, town, missing=0.0)
    assert whole.before == whole.after
    assert whole.after.precision > 0.999
    assert whole.after.share > found.before.share


def dense_graph(people: int, edges: int) -> Graph:
    """Everybody is somewhere on a plane and knows those who are near, sociable people from further away."""
    random = np.random.default_rng(3)
    places, sociability = random.random((people, 2)), 1 + random.pareto(2.5, people)
    u, v = np.triu_indices(people, 1)
    apart = ((places[u] - places[v]) ** 2).sum(axis=1) / (sociability[u] * sociability[v])
    nearest = np.argsort(apart * random.exponential(1, len(u)) ** -0.7)[:edges]
    return Graph.from_arrays(u[nearest], v[nearest], n=people)


def sample(graph: Graph, share: float) -> Graph:
    kept = np.random.default_rng(8).permutation(graph.m)[: round(share * graph.m)]
    return Graph(graph.edges[np.sort(kept)], graph.n)


def test_a_sample_of_a_dense_graph_looks_safe_until_the_attacker_adapts(monkeypatch) -> None:
    graph = dense_graph(1_000, 30_000)
    published = sample(graph, 0.6)
    found = reidentify(graph, published).after
    assert found.scaled_to == pytest.approx(0.6 / 0.9)
    assert found.share > 0.5
    assert found.precision > 0.9
    monkeypatch.setattr(reidentification, "_scales", lambda copy, graph: [1.0])
    assert reidentify(graph, published).after.named == 0


def test_the_attempt_that_names_most_is_taken(town: Graph, monkeypatch) -> None:
    tried = [reidentify_at(town, scale, monkeypatch) for scale in (1.0, 1 / 0.9)]
    monkeypatch.undo()
    found = reidentify(town, town).before
    assert found in tried
    assert 2 * found.named > town.n or found.named == max(each.named for each in tried)


def reidentify_at(graph: Graph, scale: float, monkeypatch) -> reidentification.Found:
    monkeypatch.setattr(reidentification, "_scales", lambda copy, other: [scale])
    return reidentify(graph, graph).before


def without(graph: Graph, gone: list[int]) -> Graph:
    """The graph that is left when some people leave, numbered anew."""
    stay = np.setdiff1d(np.arange(graph.n), gone)
    number = np.full(graph.n, -1)
    number[stay] = np.arange(len(stay))
    u, v = number[graph.edges[~np.isin(graph.edges, gone).any(axis=1)]].T
    return Graph.from_arrays(u, v, n=len(stay), labels=graph.labels[stay])


def test_people_may_leave_and_come(town: Graph) -> None:
    """They cannot be found, whoever they are matched with, and the others can."""
    gone = list(range(0, town.n, 20))
    later = without(town, gone)
    whole, found = reidentify(town, town), reidentify(town, later, known=5)
    assert (found.people, found.in_both) == (town.n, town.n - len(gone))
    assert found.after.share > 0.8 * whole.after.share
    assert found.after.precision > 0.9
    assert found.after.share == found.after.found / (found.in_both - 5)
    earlier = reidentify(later, town)
    assert earlier.in_both == earlier.people == later.n
    assert earlier.after.share > 0.8 * whole.after.share
    for each in found.simulated:
        assert each.after.out_of_sight >= (len(gone) if each.target == "vertex" else town.m - later.m)


def test_too_few_people_in_both_are_refused(town: Graph) -> None:
    with pytest.raises(GraphError, match="the published graph lacks"):
        reidentify(town, without(town, list(range(0, town.n - 5))))


def shuffled_ends(graph: Graph, seed: int) -> Graph:
    """Another graph with nearly the same degrees."""
    ends = np.random.default_rng(seed).permutation(graph.edges.ravel()).reshape(-1, 2)
    apart = ends[ends[:, 0] != ends[:, 1]]
    return Graph.from_arrays(apart[:, 0], apart[:, 1], n=graph.n)


def random_graph(graph: Graph, seed: int) -> Graph:
    other = networkx.gnm_random_graph(graph.n, graph.m, seed=seed)
    return Graph.from_networkx(other)


def test_nothing_is_found_in_another_graph(town: Graph) -> None:
    others = {
        "another town": generate(edges=3_000, seed=5),
        "the same degrees": shuffled_ends(town, 1),
        "the same degrees again": shuffled_ends(town, 2),
        "random": random_graph(town, 1),
    }
    for name, other in others.items():
        for mine in (town, random_graph(town, 2)):
            assert not (match_people(mine, other).image >= 0).any(), name


@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs_are_no_trouble(name: str) -> None:
    graph = odd_graphs()[name]
    found = reidentify(graph, graph, known=min(graph.n, 1))
    assert 0 <= found.after.found <= found.after.named <= graph.n
    json.dumps(found.to_dict())


def test_the_number_of_cores_changes_nothing(town: Graph) -> None:
    threads = numba.get_num_threads()
    found = reidentify(town, town)
    try:
        numba.set_num_threads(1)
        assert reidentify(town, town).to_dict() == found.to_dict()
    finally:
        numba.set_num_threads(threads)


def test_known_people_help_and_do_not_count() -> None:
    """In a random graph without landmarks to speak of, some known people open it."""
    graph = Graph.from_networkx(networkx.gnm_random_graph(600, 9_000, seed=3))
    alone, helped = (reidentify(graph, graph, missing=0.3, known=known) for known in (0, 60))
    assert alone.after.found == 0
    assert helped.after.found > 500
    assert helped.after.found <= graph.n - 60
    assert helped.after.share == helped.after.found / (graph.n - 60)


def test_labels_and_further_vertices_do_not_matter(town: Graph) -> None:
    more = Graph(town.edges, town.n + 3)
    named = town.with_labels([f"p{v}" for v in range(town.n)])
    assert reidentify(named, named).to_dict() == reidentify(town, town).to_dict()
    assert abs(reidentify(town, more).after.share - reidentify(town, town).after.share) < 0.02


@pytest.mark.parametrize(
    "given", [{"missing": 1.0}, {"missing": -0.1}, {"known": -1}, {"known": 10**6}, {"seed": -1}]
)
def test_parameters_out_of_range(town: Graph, given: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match=next(iter(given))):
        reidentify(town, town, **given)


def test_it_can_be_stopped_and_tells_how_far_it_is(town: Graph) -> None:
    token, told = Stop(), []

    def progress(what: str, share: float) -> None:
        told.append((what, share))
        if what == "the published graph":
            token.request()

    with pytest.raises(Stopped), stoppable(token):
        reidentify(town, town, progress=progress)
    assert told[0] == ("the original", 0.0)
    assert told[-1][0] == "the published graph"


def test_real_graphs_as_measured_before(shared_graph) -> None:
    """The order of size of the prototype: half of the people, nearly always right."""
    graph = graphveil.read(shared_graph("ca-GrQc"))
    exact, gaps = reidentify(graph, graph, missing=0.0).after, reidentify(graph, graph).after
    assert 0.45 < exact.share < 0.6
    assert 0.28 < gaps.share < 0.45
    assert exact.precision > 0.99
    assert gaps.precision > 0.95


# ---------------------------------------------------------------------- in whatever form it comes


@pytest.fixture(scope="module")
def publication(town: Graph, tmp_path_factory):
    folder = tmp_path_factory.mktemp("attack") / "out"
    result = anonymize(town, 5, seed=1)
    return graphveil.publish(result, folder, report="brief"), result


@pytest.mark.slow
def test_a_folder_a_graph_and_pseudonyms_give_the_same(town: Graph, publication) -> None:
    published, result = publication
    expected = attack(town, result.graph).to_dict()
    assert attack(town, published.public.parent).to_dict() == expected
    hidden = next(path for path in published.public.iterdir() if path.name.startswith("graph"))
    pseudonymous = graphveil.read(hidden)
    for private in (published.private, published.public.parent):
        assert attack(town, pseudonymous, private=private).to_dict() == expected
    kept = graphveil.utility(town, pseudonymous, private=published.private, quick=True)
    assert kept == graphveil.utility(town, result.graph, quick=True)


def test_ids_that_do_not_correspond_are_refused(town: Graph, publication, tmp_path, capsys) -> None:
    published, result = publication
    hidden = next(path for path in published.public.iterdir() if path.name.startswith("graph"))
    pseudonymous = graphveil.read(hidden)
    for compare in (attack, graphveil.utility, graphveil.simulate_attacks):
        with pytest.raises(GraphError, match=r"do not correspond.*private="):
            compare(town, pseudonymous)
    with pytest.raises(GraphError, match="Leave out private="):
        attack(town, result.graph.with_labels([f"p{v}" for v in range(town.n)]), private=published.private)
    with pytest.raises(InputError, match=r"no certificate|private part"):
        attack(town, tmp_path)
    original = tmp_path / "town.txt"
    graphveil.write(town, original)
    for command in ("attack", "utility"):
        assert run(command, original, hidden) == 2
        said = capsys.readouterr()
        assert "do not correspond" in said.err
        assert said.err.count("\n") == 1
        assert not said.out


# ---------------------------------------------------------------------- for people


def test_the_command(town: Graph, publication, tmp_path, capsys) -> None:
    published, result = publication
    original = tmp_path / "town.txt"
    graphveil.write(town, original)
    assert run("attack", original, published.public.parent, "--known", "3", "--seed", "2", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found == attack(town, result.graph, known=3, seed=2).to_dict()
    assert found["schema"] == "graphveil/attack/2"
    assert found["simulated"][0]["name"] == "mutual-friends"
    assert run("attack", original, published.public.parent) == 0
    said = capsys.readouterr().out
    assert "No k stops this attack." in said
    assert "bare pseudonyms" in said


def test_short_words_and_a_table_for_notebooks(town: Graph) -> None:
    found = reidentify(town, town)
    assert len(repr(found)) < 120
    page = found._repr_html_()
    assert page.startswith("<table>")
    assert f"{found.after.found:,}" in page
