"""Publishing again: three years of one network, in folders; the oracle is sets of pairs of ids and dicts."""

from __future__ import annotations

import csv
import json
import random
import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import graphveil
from graphveil import Graph, GraphveilError, anonymize, verify
from graphveil.cli import main
from graphveil.errors import GraphError, InputError, ParameterError, VerificationError
from graphveil.publication.report.gathering import linked
from publications import content, publish

BY_SECOND = Path(__file__).parent / "data" / "by-0.2"
Pair = frozenset[int]
K = 5
YEARS = ("2026", "2027", "2028")


def grown(edges: set[Pair], chance: random.Random) -> set[Pair]:
    """A year later: 1 to 5 % of the friendships gone, 2 to 10 % new, some people gone and some new."""
    people = sorted({person for edge in edges for person in edge})
    left = set(chance.sample(people, 3))
    kept = {edge for edge in edges if not left & edge and chance.random() > chance.uniform(0.01, 0.05)}
    people = [person for person in people if person not in left] + list(
        range(max(people) + 1, max(people) + 5)
    )
    new = round(chance.uniform(0.02, 0.1) * len(edges))
    return kept | {frozenset(chance.sample(people, 2)) for _ in range(new)} | {frozenset(people[-2:])}


def graph_of(edges: set[Pair]) -> Graph:
    return Graph.from_edges(sorted(tuple(sorted(edge)) for edge in edges))


def years(seed: int) -> list[set[Pair]]:
    town = graphveil.generate(edges=700, seed=seed)
    chance, found = random.Random(seed), [{frozenset(e) for e in town.labels[town.edges].tolist()}]
    while len(found) < len(YEARS):
        found.append(grown(found[-1], chance))
    return found


def published_ids(folder: Path) -> tuple[set[frozenset[str]], dict[str, str]]:
    """The published edges under ids, by the files alone, and the id of each pseudonym; dummies by their own names."""
    with open(folder / "private" / "pseudonyms.csv") as table:
        name = {row["pseudonym"]: row["id"] for row in csv.DictReader(table)}
    lines = (folder / "public" / "graph.txt").read_text().splitlines()
    pairs = [line.split() for line in lines if line and not line.startswith("#")]
    return {frozenset(name[each] for each in pair) for pair in pairs if len(pair) == 2}, name


def friends_of(edges: set) -> dict:
    friends: dict = {}
    for u, v in map(tuple, edges):
        friends.setdefault(u, set()).add(v)
        friends.setdefault(v, set()).add(u)
    return friends


def counts_of(edges: set) -> dict:
    friends = friends_of(edges)
    return {edge: len(set.intersection(*(friends[end] for end in edge))) for edge in edges}


def exposed(values: list, k: int) -> int:
    return sum(size for size in Counter(values).values() if size < k)


def as_text(edges: set[Pair]) -> set[frozenset[str]]:
    return {frozenset(map(str, edge)) for edge in edges}


@pytest.fixture(scope="module", params=["fresh", "same"])
def releases(request, tmp_path_factory):
    """Folders of three years, the true friendships of each, and how people are named."""
    place, truth = tmp_path_factory.mktemp(request.param), years(len(request.param))
    for year, edges in zip(YEARS, truth, strict=True):
        earlier = None if year == "2026" else place / str(int(year) - 1)
        result = anonymize(graph_of(edges), K, seed=2**90 + int(year), after=earlier)
        publish(result, place / year, pseudonyms=request.param if earlier else "fresh")
    return place, truth, request.param


def test_goals_hold_and_no_fake_gives_itself_away(releases):
    place, truth, _ = releases
    for year, edges in zip(YEARS, truth, strict=True):
        shown, _ = published_ids(place / year)
        assert min(Counter(counts_of(shown).values()).values()) >= K
        assert verify(place / year)
        assert verify(place / year, original=graph_of(edges))
    for (before, was), (after, real) in pairwise(zip(YEARS, truth, strict=True)):
        earlier, later = published_ids(place / before)[0], published_ids(place / after)[0]
        here = {str(person) for edge in real for person in edge}
        there = {str(person) for edge in was for person in edge}
        fakes = {edge for edge in earlier - as_text(was) if edge <= here}
        assert fakes
        assert fakes <= later, "an added friendship vanished without the world"
        hidden = {edge for edge in as_text(was) - earlier if edge <= here and edge <= there}
        assert not hidden & later, "a deleted friendship came back without the world"


def test_what_both_releases_give_away_is_what_sets_give(releases):
    place, _, pseudonyms = releases
    for before, after in pairwise(YEARS):
        (earlier, was), (later, is_) = published_ids(place / before), published_ids(place / after)
        people = set(was.values()) & set(is_.values())
        both = earlier & later
        counts, more = counts_of(earlier), counts_of(later)
        friends, other = friends_of(earlier), friends_of(later)
        document = json.loads((place / after / "public" / "certificate.json").read_text())["after"]
        joint = document["joint"]
        degrees = [(len(friends.get(p, ())), len(other.get(p, ()))) for p in people]
        assert document["pseudonyms"] == pseudonyms
        assert joint["friendships"] == len(both)
        assert joint["friendships_exposed"] == exposed([(counts[e], more[e]) for e in both], K)
        assert (joint["people"], joint["people_exposed"]) == (len(people), exposed(degrees, K))
        assert joint["vanished"] == sum(edge <= people for edge in earlier - later)
        assert joint["appeared"] == sum(edge <= people for edge in later - earlier)


def test_everybody_counts_both_again_where_pseudonyms_are_the_same(releases):
    place, _, pseudonyms = releases
    for before, after in pairwise(YEARS):
        found = verify(place / after, after=place / before / "public")
        assert found
        assert any("fresh pseudonyms" in each for each in found.unchecked) == (pseudonyms == "fresh")
        assert (place / after / "public" / "panel.csv").exists() == (pseudonyms == "same")
        assert any("earlier release" in each for each in verify(place / after).unchecked)
        said = (place / after / "public" / "README.md").read_text()
        assert ("panel.csv" in said) == (pseudonyms == "same")
        if pseudonyms == "same":
            (_, was), (_, is_) = published_ids(place / before), published_ids(place / after)
            with open(place / after / "public" / "panel.csv") as table:
                rows = list(csv.DictReader(table))
            assert [int(row["pseudonym"]) for row in rows] == sorted(int(row["pseudonym"]) for row in rows)
            assert all(was[row["earlier"]] == is_[row["pseudonym"]] for row in rows)
            assert {is_[row["pseudonym"]] for row in rows} == set(was.values()) & set(is_.values())
    other = verify(place / "2028", after=place / "2026" / "public")
    assert "is not the earlier release that certificate.json names" in other.problems[0]
    assert "names no earlier release" in verify(place / "2026", after=place / "2027").problems[0]


def test_the_same_seed_gives_the_same_bytes_and_the_earlier_folder_stays(releases, tmp_path):
    place, truth, pseudonyms = releases
    before = content(place / "2026")
    result = anonymize(graph_of(truth[1]), K, seed=2**90 + 2027, after=place / "2026" / "public")
    publish(result, tmp_path / "out", pseudonyms=pseudonyms)
    assert content(tmp_path / "out") == content(place / "2027")
    assert content(place / "2026") == before
    for folder in (place / "2026", place / "2026" / "inner"):
        with pytest.raises(ParameterError, match="is the earlier release, or in it"):
            publish(result, folder, force=True)
    assert content(place / "2026") == before


def test_what_was_tampered_with_is_refused_in_one_sentence(releases, tmp_path):
    place, truth, _ = releases
    graph = graph_of(truth[1])
    for name in sorted(content(place / "2026")):
        folder = tmp_path / "tampered"
        shutil.copytree(place / "2026", folder)
        with open(folder / name, "ab") as file:
            file.write(b"7\n")
        with pytest.raises((VerificationError, InputError)) as error:
            anonymize(graph, K, seed=1, after=folder)
        assert str(error.value).count("\n") == 0
        (folder / name).unlink()
        with pytest.raises(GraphveilError):
            anonymize(graph, K, seed=1, after=folder)
        shutil.rmtree(folder)
    shutil.copytree(place / "2026", tmp_path / "incomplete", ignore=lambda *_: {"private"})
    with pytest.raises(InputError, match="its private part is missing"):
        anonymize(graph, K, after=tmp_path / "incomplete")
    with pytest.raises(InputError, match="this is not a published folder"):
        anonymize(graph, K, after=tmp_path / "nowhere")


def test_other_networks_and_ids_are_refused(releases, tmp_path):
    place, truth, _ = releases
    elsewhere = {frozenset(person + 10**6 for person in edge) for edge in truth[1]}
    with pytest.raises(GraphError, match="the ids are not those of the earlier release"):
        anonymize(graph_of(elsewhere), K, after=place / "2026")
    names = Graph.from_edges([(f"p{u}", f"p{v}") for u, v in map(tuple, truth[1])])
    with pytest.raises(GraphError, match="earlier release are numbers, and those of this graph are text"):
        anonymize(names, K, after=place / "2026")
    with pytest.raises(ParameterError, match="add-del cannot keep the changes"):
        anonymize(graph_of(truth[1]), K, method="add-del", after=place / "2026")
    with pytest.raises(ParameterError, match="joint= and reduce= cannot be had in one run"):
        anonymize(graph_of(truth[1]), K, reduce="degree", joint=2, after=place / "2026")
    with pytest.raises(ParameterError, match="no earlier release"):
        publish(anonymize(graph_of(truth[1]), K, seed=2**80), tmp_path / "out", pseudonyms="same")
    with pytest.raises(ParameterError, match="there are no pseudonyms 'old'"):
        publish(anonymize(graph_of(truth[1]), K, seed=2**80), tmp_path / "out", pseudonyms="old")
    assert not (tmp_path / "out").exists()


def test_a_changed_panel_is_seen(releases, tmp_path):
    place, _, pseudonyms = releases
    if pseudonyms == "fresh":
        return
    shutil.copytree(place / "2027", tmp_path / "out")
    panel = tmp_path / "out" / "public" / "panel.csv"
    panel.write_text(panel.read_text().replace("\n0,", "\n00,"))
    assert "panel.csv is not as it was published" in verify(tmp_path / "out").problems[0]
    panel.unlink()
    assert "public/panel.csv is missing" in verify(tmp_path / "out").problems


@pytest.mark.parametrize("name", ["txt", "csv", "dummies", "graphml"])
def test_folders_of_graphveil_0_2_are_earlier_releases(name, tmp_path):
    from graphveil.publication.checking import reconstruct

    original = reconstruct(BY_SECOND / name)
    result = anonymize(original, 3, seed=2**90, after=BY_SECOND / name)
    assert result.carried is not None
    publish(result, tmp_path / "out", pseudonyms="same")
    assert verify(tmp_path / "out", original=original, after=BY_SECOND / name)


def test_commands(releases, tmp_path, capsys):
    place, truth, pseudonyms = releases
    file, out = tmp_path / "friends.csv", tmp_path / "out"
    file.write_text("a,b\n" + "".join(f"{u},{v}\n" for u, v in map(sorted, truth[1])))
    again = ["anonymize", str(file), "--after", str(place / "2026"), "-k", "5", "-o"]
    assert main([*again, str(out), "--pseudonyms", pseudonyms]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "of its people in this one by structure alone, whatever their pseudonyms" in told
    assert "With the earlier release, measured, not guaranteed. This network was published before" in told
    linking = "of its people in this one by structure alone"
    assert linking in (out / "private" / "report.html").read_text()
    for path in (out / "public").iterdir():
        assert linking not in path.read_text()
    assert main(["verify", str(out), "--after", str(place / "2026" / "public")]) == 0
    assert main(["verify", str(out), "--after", str(place / "2027" / "public")]) == 1
    assert main([*again, str(place / "2026"), "--force"]) == 2
    assert main([*again, str(tmp_path / "more"), "--method", "add-greedy"]) == 2
    assert "add-greedy cannot keep" in capsys.readouterr().err
    assert main([*again, str(tmp_path / "more"), "--engine", "spark"]) == 2
    assert "--after is not available with --engine spark" in capsys.readouterr().err
    assert (
        main(["anonymize", str(file), "-k", "5", "-o", str(tmp_path / "more"), "--pseudonyms", "same"]) == 2
    )
    assert "no earlier release" in capsys.readouterr().err
    assert not (tmp_path / "more").exists()


def test_stronger_attackers_are_reduced_beside_earlier_changes(releases):
    place, truth, _ = releases
    result = anonymize(graph_of(truth[1]), K, reduce="degree-and-triangles", seed=1, after=place / "2026")
    [reduction] = result.reductions
    assert reduction.after < reduction.before
    assert reduction.changes == result.changed <= 0.05 * result.original.m
    shown = {frozenset(map(str, pair)) for pair in result.graph.labels[result.graph.edges].tolist()}
    earlier, real = published_ids(place / "2026")[0], as_text(truth[1])
    here = {str(person) for edge in truth[1] for person in edge}
    assert {edge for edge in earlier - as_text(truth[0]) if edge <= here} <= shown
    assert not (as_text(truth[0]) - earlier) & real & shown
    assert min(Counter(counts_of(shown).values()).values()) >= K


def test_friendship_anonymity_is_had_again_beside_earlier_changes(tmp_path):
    first, second = (graph_of(edges) for edges in years(3)[:2])
    publish(anonymize(first, K, friendship_k=3, seed=2**90), tmp_path / "2026")
    result = anonymize(second, K, friendship_k=3, seed=2**91, after=tmp_path / "2026")
    shown = {frozenset(map(str, pair)) for pair in result.graph.labels[result.graph.edges].tolist()}
    earlier, was, real = published_ids(tmp_path / "2026")[0], *map(as_text, years(3)[:2])
    here = {person for edge in real for person in edge}
    fakes, hidden = {edge for edge in earlier - was if edge <= here}, was - earlier
    assert len(fakes) > 5
    assert len(hidden) > 5
    assert fakes <= shown
    assert not hidden & real & shown
    friends, pairs = friends_of(shown), {}
    for person, others in friends.items():
        for other in others:
            pairs.setdefault((len(others), len(friends[other])), set()).add(person)
    assert min(map(len, pairs.values())) >= 3
    assert min(Counter(counts_of(shown).values()).values()) >= K


def test_people_are_linked_by_structure(releases):
    place, truth, _ = releases
    result = anonymize(graph_of(truth[1]), K, seed=1, after=place / "2026")
    share = linked(result)
    assert share is not None
    assert 0 < share <= 1
    assert linked(anonymize(graph_of(truth[1]), K, seed=1)) is None
    assert np.array_equal(result.carried.before(result.graph.n + 1)[-1:], [-1])


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    """A release with an added friendship and dummy people, and with attributes of both; and the next year's graph."""
    place, truth = tmp_path_factory.mktemp("described"), years(3)[:2]
    first, second = map(with_attributes, truth)
    how = {"method": "add-del", "degree_k": 4, "degree_method": "kda"}
    for name, kept in (
        ("friendships", {"keep_edge_attributes": ["kind"]}),
        ("people", {"keep_vertex_attributes": ["sex"]}),
    ):
        publish(anonymize(first, K, seed=2**90 + 1, **how), place / name, **kept)
    return place, second


def with_attributes(edges: set[Pair]) -> Graph:
    graph = graph_of(edges)
    sex, kind = (np.array(["f", "m"], object)[np.arange(size) % 2] for size in (graph.n, graph.m))
    return Graph(
        graph.edges, graph.n, graph.labels, vertex_attributes={"sex": sex}, edge_attributes={"kind": kind}
    )


@pytest.mark.parametrize("of", ["friendships", "people"])
def test_made_up_values_are_not_drawn_anew(described, tmp_path, of):
    """Not in the next release, and not in the one after a release without attributes."""
    place, second = described
    name, other = ("kind", "sex") if of == "friendships" else ("sex", "kind")
    wish = {"kind": "keep_edge_attributes", "sex": "keep_vertex_attributes"}
    result = anonymize(second, 3, seed=2**91, after=place / of)
    assert result.carried.additions
    with pytest.raises(ParameterError, match=f"attributes of {of} were published before, and [1-9]"):
        publish(result, tmp_path / "refused", **{wish[name]: [name]})
    assert not (tmp_path / "refused").exists()
    publish(result, tmp_path / "other", **{wish[other]: [other]})
    publish(result, tmp_path / "bare")
    assert verify(tmp_path / "bare", after=place / of)
    third = anonymize(second, 3, seed=2**92, after=tmp_path / "bare")
    with pytest.raises(ParameterError, match=f"attributes of {of} were published before"):
        publish(third, tmp_path / "third", **{wish[name]: [name]})


def test_the_command_refuses_made_up_values_before_the_search(described, tmp_path, capsys, monkeypatch):
    place, second = described
    graphveil.write(second, tmp_path / "second.csv", people=tmp_path / "people.csv")
    monkeypatch.setattr(graphveil, "anonymize", None)
    out = ["--after", str(place / "friendships"), "-k", "3", "-o", str(tmp_path / "out")]
    assert main(["anonymize", str(tmp_path / "second.csv"), "--keep-edge-attribute", "kind", *out]) == 2
    assert "attributes of friendships were published before" in capsys.readouterr().err


def test_attributes_may_come_again_where_nothing_made_up_stays(tmp_path):
    clique = with_attributes({frozenset((u, v)) for u in range(6) for v in range(u)})
    publish(anonymize(clique, 2, seed=2**90), tmp_path / "one", keep_edge_attributes=["kind"])
    result = anonymize(clique, 2, seed=2**91, after=tmp_path / "one")
    assert result.carried.release.kept == {"friendships"}
    publish(result, tmp_path / "two", keep_edge_attributes=["kind"])
    assert verify(tmp_path / "two", after=tmp_path / "one")
