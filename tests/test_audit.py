"""What each attacker can tell apart: against plain counting from the definitions, and the paper's Table I."""

from __future__ import annotations

import doctest
import json
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphveil
import oracle
from conftest import odd_graphs
from graphveil import Graph, ParameterError, audit, generate
from graphveil.risk import combining, roughly
from graphveil.risk.attackers import ATTACKERS, groups_around
from graphveil.risk.combining import combinations as fast_combinations
from graphveil.risk.grouping import Seen, order_of, rank_pairs

EDGE_ATTACKERS = ("mutual-friends", "edge-degrees", "edge-degrees-and-mutual-friends")
OF_PEOPLE = ("friendship-degrees", "several-friendships")  # for whom a person is in several groups

graphs = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=50).map(
        lambda pairs: Graph.from_arrays([u for u, _ in pairs], [v for _, v in pairs], n=n)
    )
)


def knowledge(name: str, graph: Graph) -> list:
    """What the attacker knows of each edge or vertex, from the definitions."""
    edges = graph.edges.tolist()
    counts = oracle.mutual_friends(graph.n, edges)
    degrees = [len(friends) for friends in oracle.neighbours(graph.n, edges)]
    pairs = [tuple(sorted((degrees[u], degrees[v]))) for u, v in edges]
    around = [
        tuple(sorted(c for edge, c in zip(edges, counts, strict=True) if v in edge)) for v in range(graph.n)
    ]
    return {
        "mutual-friends": counts,
        "degree": degrees,
        "edge-degrees": pairs,
        "edge-degrees-and-mutual-friends": list(zip(pairs, counts, strict=True)),
        "mutual-friends-around": around,
        "degree-and-triangles": [(degrees[v], sum(around[v]) // 2) for v in range(graph.n)],
    }[name]


def check(graph: Graph, ks: list[int], at_most: bool) -> None:
    """Every figure of the audit against plain counting."""
    found = audit(graph, ks, at_most=at_most, top=5)
    assert [attacker.name for attacker in found.attackers] == [model.name for model in ATTACKERS]
    counts = oracle.mutual_friends(graph.n, graph.edges.tolist())
    assert found.histogram == tuple(sorted(Counter(counts).items()))
    assert found.triangles == sum(counts) // 3
    for attacker in found.attackers:
        if attacker.name in OF_PEOPLE:
            continue
        known = knowledge(attacker.name, graph)
        sizes = Counter(known)
        on_edges = attacker.name in EDGE_ATTACKERS
        members = graph.edges.tolist() if on_edges else [[v] for v in range(graph.n)]
        assert attacker.target == ("edge" if on_edges else "vertex")
        assert attacker.guarantee == {"mutual-friends": "k-NMF", "degree": "k-degree"}.get(attacker.name)
        assert (attacker.targets, attacker.groups) == (len(known), len(sizes))
        assert attacker.smallest_group == min(sizes.values(), default=None)
        chances = [1 / sizes[item] for item in known]
        assert attacker.highest_probability == max(chances, default=0.0)
        assert attacker.mean_probability == pytest.approx(sum(chances) / max(len(chances), 1))
        for exposure, k in zip(attacker.exposures, sorted(set(ks)), strict=True):
            exposed = [i for i, item in enumerate(known) if sizes[item] < k + at_most]
            people = {v for i in exposed for v in members[i]}
            assert (exposure.k, exposure.exposed, exposure.people) == (k, len(exposed), len(people))
            assert exposure.share == len(exposed) / max(len(known), 1)
            assert exposure.people_share == len(people) / max(graph.n, 1)
        check_most_exposed(attacker, known, sizes, members, max(ks) + at_most)
        check_naming(attacker, known, members)
    check_people(found, graph, ks, at_most)


def check_naming(attacker, known, members) -> None:
    """The people in groups of edges, with plain sets."""
    if attacker.name not in EDGE_ATTACKERS:
        assert attacker.naming is None
        return
    groups = defaultdict(list)
    for item, edge in zip(known, members, strict=True):
        groups[item].append(edge)
    shares = [
        (sum(person in edge for edge in edges) / len(edges), person)
        for edges in groups.values()
        for person in {v for edge in edges for v in edge}
    ]
    least = min(map(len, groups.values()), default=None)
    people = [len({v for edge in edges for v in edge}) for edges in groups.values() if len(edges) == least]
    assert attacker.naming.largest_share == max(shares, default=(0.0, None))[0]
    assert attacker.naming.people_named == len({person for share, person in shares if share > 0.5})
    assert attacker.naming.people_in_smallest_group == min(people, default=None)


def sets_of_people(name: str, graph: Graph, several: int = 2) -> list[set]:
    """All that the attacker may know of each person."""
    edges = graph.edges.tolist()
    friends, counts = oracle.neighbours(graph.n, edges), knowledge("mutual-friends", graph)
    if name == "friendship-degrees":
        return [{(len(friends[v]), len(friends[w])) for w in friends[v]} for v in range(graph.n)]
    own = [[i for i, edge in enumerate(edges) if v in edge] for v in range(graph.n)]
    return [set(combinations(sorted(counts[i] for i in mine), several)) for mine in own]


def sizes_of_people(name: str, graph: Graph, known: list[set]) -> dict:
    """People who match; of an ordered pair of degrees the friendships that match, where they are fewer."""
    sizes = Counter(item for items in known for item in items)
    if name != "friendship-degrees":
        return sizes
    friendships = Counter(knowledge("edge-degrees", graph))
    return {pair: min(size, friendships[tuple(sorted(pair))]) for pair, size in sizes.items()}


def check_people(found, graph, ks, at_most) -> None:
    for name in OF_PEOPLE:
        attacker, known = found[name], sets_of_people(name, graph, found.friendships)
        sizes = sizes_of_people(name, graph, known)
        smallest = [min(sizes[item] for item in items) for items in known if items]
        assert (attacker.targets, attacker.groups) == (len(smallest), len(sizes))
        assert attacker.smallest_group == min(smallest, default=None)
        assert attacker.mean_probability == pytest.approx(
            sum(1 / s for s in smallest) / max(len(smallest), 1)
        )
        for exposure, k in zip(attacker.exposures, sorted(set(ks)), strict=True):
            exposed = sum(size < k + at_most for size in smallest)
            assert (exposure.exposed, exposure.people) == (exposed, exposed)
        for finding in attacker.most_exposed:
            vertex = graph.labels.tolist().index(finding.labels[0])
            (item,) = finding.knowledge.values()
            item = tuple(item) if name == "friendship-degrees" else tuple(sorted(item))
            assert item in known[vertex]
            assert sizes[item] == finding.group_size
        assert [finding.group_size for finding in attacker.most_exposed] == sorted(
            size for size in smallest if size < max(ks) + at_most
        )[:5]


def check_most_exposed(attacker, known, sizes, members, limit) -> None:
    exposed = sorted(sizes[item] for item in known if sizes[item] < limit)
    assert [finding.group_size for finding in attacker.most_exposed] == exposed[:5]
    places = [members.index(list(finding.labels)) for finding in attacker.most_exposed]
    assert len(set(places)) == len(places)
    for place, finding in zip(places, attacker.most_exposed, strict=True):
        assert sizes[known[place]] == finding.group_size


@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs(name):
    for at_most in (False, True):
        check(odd_graphs()[name], [2, 5], at_most)


@given(graphs, st.lists(st.integers(1, 9), min_size=1, max_size=3), st.booleans())
def test_any_graph(graph, ks, at_most):
    check(graph, ks, at_most)


def test_a_town():
    check(generate(edges=1500, seed=4), [5, 25], False)


@given(graphs, st.integers(2, 4), st.integers(1, 50))
def test_combinations_of_several_friendships_are_counted_chunk_by_chunk(graph, several, chunk):
    counts = np.array(oracle.mutual_friends(graph.n, graph.edges.tolist()), np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(combining, "CHUNK", chunk)
        found = fast_combinations(Seen(graph, counts), several)
    known = sets_of_people("several-friendships", graph, several)
    sizes = Counter(item for items in known for item in items)
    assert found.groups == len(sizes)
    expected = {v: min(sizes[item] for item in items) for v, items in enumerate(known) if items}
    assert dict(zip(found.people.tolist(), found.smallest.tolist(), strict=True)) == expected


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 3)), max_size=40))
def test_pairs_are_ranked_by_counting(pairs):
    first, second = np.array(pairs, np.int32).reshape(-1, 2).T
    assert rank_pairs(first, second).tolist() == [sorted(set(pairs)).index(pair) for pair in pairs]
    assert order_of(first).tolist() == sorted(range(len(pairs)), key=lambda i: pairs[i][0])


def test_too_many_combinations_are_refused_with_a_way_out():
    with pytest.raises(ParameterError, match="friendships="):
        audit(generate(edges=1500, seed=4), friendships=60)


@given(graphs)
def test_vertices_are_alike_exactly_when_thecounts_around_them_are(graph):
    counts = np.array(oracle.mutual_friends(graph.n, graph.edges.tolist()), np.int32)
    classes = groups_around(seen := Seen(graph, counts), seen.counts_around).tolist()
    around = knowledge("mutual-friends-around", graph)
    assert len(set(zip(classes, around, strict=True))) == len(set(classes)) == len(set(around))


def test_long_rows_are_told_apart_by_their_last_entry():
    """Two hubs that differ in one edge among hundreds, and a third that is the twin of the first."""
    pairs, n = [], 3
    for hub, triangles in ((0, 1), (1, 2), (2, 1)):
        leaves = list(range(n, n + 301))
        n += 301
        pairs += [(hub, leaf) for leaf in leaves] + [
            (leaves[2 * i], leaves[2 * i + 1]) for i in range(triangles)
        ]
    graph = Graph.from_edges(pairs)
    classes = groups_around(seen := Seen(graph, graphveil.mutual_friends(graph)), seen.counts_around)
    assert classes[0] == classes[2] != classes[1]


# ---------------------------------------------------------------------- known roughly


def alike(one: tuple, other: tuple, within: Fraction) -> bool:
    """Whether every number of the one is within the factor of what is known of the other."""
    return all(known / within <= value <= known * within for value, known in zip(one, other, strict=True))


def numbers(item) -> tuple:
    return tuple(each for part in item for each in numbers(part)) if isinstance(item, tuple) else (item,)


def rough_groups(name: str, graph: Graph, within: Fraction) -> list[int]:
    """The size of the (smallest) group of each target, from the definition."""
    if name == "friendship-degrees":
        known = sets_of_people(name, graph)
        sizes = {
            pair: sum(any(alike(other, pair, within) for other in others) for others in known)
            for pair in set().union(*known)
        }
        return [min(sizes[pair] for pair in mine) for mine in known if mine]
    flat = [numbers(item) for item in knowledge(name, graph)]
    return [sum(alike(other, item, within) for other in flat) for item in flat]


ROUGH = [model.name for model in ATTACKERS if model.points is not None]


def check_roughly(graph: Graph, ks: list[int], within: str) -> None:
    found = audit(graph, ks, within=float(within))
    for attacker in found.attackers:
        assert (attacker.roughly is None) == (attacker.name not in ROUGH)
        if attacker.roughly is None:
            continue
        groups = rough_groups(attacker.name, graph, Fraction(within))
        for exposure, exact in zip(attacker.roughly, attacker.exposures, strict=True):
            assert exposure.exposed == sum(size < exposure.k for size in groups)
            assert exposure.exposed <= exact.exposed
            assert exposure.people <= exact.people


@given(
    graphs,
    st.lists(st.integers(1, 9), min_size=1, max_size=3),
    st.sampled_from(["1", "1.1", "1.5", "2", "3.3", "10"]),
)
def test_groups_within_a_factor_by_definition(graph, ks, within):
    check_roughly(graph, ks, within)


@pytest.mark.parametrize("name", odd_graphs())
def test_groups_within_a_factor_in_odd_graphs(name):
    check_roughly(odd_graphs()[name], [2, 5], "1.5")


def test_groups_within_a_factor_in_a_town():
    check_roughly(generate(edges=250, seed=4), [5, 25], "1.5")


def test_known_exactly_is_known_to_within_a_factor_of_one():
    for attacker in audit(generate(edges=1500, seed=4), within=1).attackers:
        assert attacker.name == "friendship-degrees" or attacker.roughly in (None, attacker.exposures)


def test_what_takes_long_is_left_out(monkeypatch):
    monkeypatch.setattr(roughly, "MOST_STEPS", 3)
    found = audit(generate(edges=1500, seed=4), within=1.5)
    assert found["edge-degrees"].roughly is found["friendship-degrees"].roughly is None
    assert found["edge-degrees"].exposures


@pytest.mark.parametrize("within", [0.5, 11, "1.5", float("nan"), True])
def test_wrong_factor(within):
    with pytest.raises(ParameterError, match="within must be a factor from 1 to 10"):
        audit(story(), within=within)


# ---------------------------------------------------------------------- Brightkite, both readings of Table I

KS = [5, 10, 15, 20, 25, 30, 50, 100]


@pytest.mark.parametrize(
    ("at_most", "by_degree", "by_count"),
    [
        # Fewer than k: the definition.
        (False, [221, 493, 630, 775, 866, 1088, 1425, 2326], [68, 119, 225, 393, 573, 732, 1297, 2478]),
        # At most k: what the paper's Table I counts.
        (True, [266, 533, 705, 795, 891, 1088, 1425, 2326], [93, 129, 285, 393, 598, 762, 1297, 2578]),
    ],
)
def test_table_1_on_brightkite(at_most, by_degree, by_count, shared_graph):
    found = audit(graphveil.read(shared_graph("loc-brightkite")), KS, at_most=at_most)
    assert [exposure.exposed for exposure in found["degree"].exposures] == by_degree
    assert [exposure.exposed for exposure in found["mutual-friends"].exposures] == by_count


# ---------------------------------------------------------------------- what is said, and how


def story() -> Graph:
    friends = [("Alice", "Bob"), ("Alice", "Carl"), ("Bob", "Carl"), ("Carl", "Dell"), ("Dell", "Ed")]
    return Graph.from_edges(friends)


def test_the_most_exposed_are_named_with_what_finds_them():
    found = audit(story(), k=3)
    named = {
        attacker.name: (attacker.most_exposed[0].labels, attacker.most_exposed[0].knowledge)
        for attacker in found.attackers
    }
    assert named == {
        "mutual-friends": (("Carl", "Dell"), {"mutual_friends": 0}),
        "degree": (("Carl",), {"degree": 3}),
        "edge-degrees": (("Alice", "Bob"), {"degrees": [2, 2]}),
        "edge-degrees-and-mutual-friends": (("Carl", "Dell"), {"degrees": [2, 3], "mutual_friends": 0}),
        "friendship-degrees": (("Alice",), {"degrees": [2, 2]}),
        "degree-and-triangles": (("Carl",), {"degree": 3, "triangles": 1}),
        "several-friendships": (("Carl",), {"several_mutual_friends": [1, 0]}),
        "mutual-friends-around": (("Carl",), {"edges_by_mutual_friends": [[1, 2], [0, 1]]}),
    }


def test_ties_are_in_the_order_of_the_larger_numbers_then_of_the_graph():
    star_and_path = Graph.from_edges([(0, i) for i in range(1, 5)] + [(5, 6), (6, 7)])
    found = audit(star_and_path, k=99, top=99)["degree"].most_exposed
    assert [finding.labels[0] for finding in found] == [0, 6, 1, 2, 3, 4, 5, 7]


def test_top():
    graph = generate(edges=1000, seed=4)
    for top in (0, 1, 7):
        assert all(len(attacker.most_exposed) == top for attacker in audit(graph, top=top).attackers)
    cycle = odd_graphs()["cycle"]
    assert all(not attacker.most_exposed for attacker in audit(cycle, k=7).attackers)


def test_nothing_to_find():
    found = audit(odd_graphs()["isolated"], k=6)
    assert found["mutual-friends"].smallest_group is None
    assert found["mutual-friends"].highest_probability == found["mutual-friends"].mean_probability == 0
    assert found["degree"].smallest_group == found["degree"].exposures[0].exposed == 5
    assert all(attacker.smallest_group is None for attacker in audit(odd_graphs()["empty"]).attackers)


def test_the_schema():
    for graph in (story(), odd_graphs()["empty"], Graph.from_edges([(("a", 1), ("b", 2)), (("b", 2), 7)])):
        found = audit(graph, k=[2, 3]).to_dict()
        assert json.loads(json.dumps(found)) == found
        assert list(found) == [
            *(
                "schema",
                "vertices",
                "edges",
                "triangles",
                "k",
                "at_most",
                "friendships",
                "within",
                "attackers",
                "histogram",
            )
        ]
        assert found["schema"] == "graphveil/audit/3"
        for attacker in found["attackers"]:
            assert list(attacker) == [
                *("name", "knows", "target", "guarantee", "targets", "groups", "smallest_group"),
                *("highest_probability", "mean_probability", "exposures", "naming", "most_exposed"),
                "roughly",
            ]
            assert [exposure["k"] for exposure in attacker["exposures"]] == [2, 3]


def test_k_may_be_one_or_several():
    assert audit(story(), k=5).k == (5,)
    assert audit(story(), k=[25, 5, 25]).k == (5, 25)
    assert audit(story(), k=np.array([3, 4])).k == (3, 4)


@pytest.mark.parametrize("k", [0, [5, -1], 2.5, "5", [], [True], None])
def test_wrong_k(k):
    with pytest.raises(ParameterError, match="k "):
        audit(story(), k=k)


def test_wrong_top():
    with pytest.raises(ParameterError, match="top must be a whole number of at least 0"):
        audit(story(), top=-1)


def test_the_documented_schema_is_this_one():
    page = Path(__file__).resolve().parent.parent / "docs" / "audit-schema.md"
    assert doctest.testfile(str(page), module_relative=False) == (0, 6)
    text = page.read_text(encoding="utf-8")
    found = audit(story(), k=3).to_dict()
    attacker = found["attackers"][0]
    documented = [*found, *attacker, *attacker["exposures"][0], *attacker["most_exposed"][0]]
    assert [name for name in documented if f"`{name}`" not in text] == []
    assert [name for name in [model.name for model in ATTACKERS] if f"| `{name}` |" not in text] == []
