"""Attributes of friendships in a published folder: in every format, recounted with pandas, not to be tampered with."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from types import SimpleNamespace

import networkx
import numpy as np
import pandas
import pytest

import graphveil
import graphveil.publication
from graphveil import Graph, ParameterError
from graphveil.cli import main
from graphveil.formats.table import WRITABLE
from graphveil.publication.checking import check
from graphveil.publication.friendships import donors_of, rows_of
from graphveil.risk.answering import finding_in_words
from graphveil.verification.safe_files import FILES, HOLDING, sha256
from publications import SEED, publish

KEPT = ["calls", "since", "kind", "direction"]
ODD = ["work", "=cmd()", "Köln, Süd", 'say "hi"', "a\nb", "Яlта", None]


def run(*arguments: object) -> int:
    return main(list(map(str, arguments)))


def with_values(town: Graph, seed: int) -> Graph:
    """Numbers, days, odd texts with gaps, and a direction for each friendship."""
    random = np.random.default_rng(seed)
    days = pandas.Timestamp("2019-01-01") + pandas.to_timedelta(random.integers(0, 1500, town.m), "D")
    values = {
        "calls": random.geometric(0.05, town.m),
        "since": days.strftime("%Y-%m-%d").to_numpy(object),
        "kind": np.array(ODD, object)[np.minimum(random.geometric(0.4, town.m), len(ODD)) - 1],
        "direction": np.array(["forward", "backward", "both"], object)[random.integers(0, 3, town.m)],
    }
    return Graph(town.edges, town.n, town.labels, edge_attributes=values)


@pytest.fixture(scope="module")
def town():
    return graphveil.anonymize(with_values(graphveil.generate(edges=1_500, seed=4), 8), 5, seed=SEED)


HOW = {
    "keep_edge_attributes": KEPT,
    "generalize": {"calls": "auto", "since": "auto", "direction": "auto"},
    "group_rare": {"kind": "Other:300"},
    "suppress": 0.05,
}


@pytest.fixture(scope="module")
def folders(town, tmp_path_factory):
    place = tmp_path_factory.mktemp("friendships")
    for format in HOLDING:
        publish(town, place / format, format=format, **HOW)
    publish(town, place / "joint", format="csv", with_mutual_friends=True, **HOW)
    return place


def table(folder, format):
    """The published friendships with their values, as a researcher reads them."""
    public = folder / "public"
    if format in ("graphml", "gml"):
        graph = (
            networkx.read_graphml(public / "graph.graphml", node_type=int)
            if format == "graphml"
            else networkx.read_gml(public / "graph.gml", label="id")
        )
        rows = [{"source": u, "target": v, **values} for u, v, values in graph.edges(data=True)]
        frame = pandas.DataFrame(rows)
    elif format == "parquet":
        frame = pandas.read_parquet(public / "graph.parquet")
    else:
        name, mark = {"csv": ("graph.csv", ","), "tsv": ("graph.tsv", "\t"), "edgelist": ("graph.txt", " ")}[
            format
        ]
        frame = pandas.read_csv(public / name, sep=mark)
    frame = frame.dropna(subset=["target"]).astype({"source": int, "target": int})
    for column in frame.columns[2:]:  # missing values are values
        frame[column] = frame[column].astype(object).where(frame[column].notna(), "?")
    return frame


def certificate_of(folder):
    return json.loads((folder / "public/certificate.json").read_text())


def figures_of(folder):
    return {each["name"]: each for each in certificate_of(folder)["attackers"]}


@pytest.mark.parametrize("format", [*HOLDING, "joint"])
def test_pandas_counts_the_same_groups_in_every_format(town, folders, format):
    found = check(folders / format, original=town.original)
    assert found, found.problems
    assert any("attributes of friendships: k = 5 guaranteed" in each for each in found.notes)
    frame, figures = (
        table(folders / format, "csv" if format == "joint" else format),
        figures_of(folders / format),
    )
    names = [each["name"] for each in certificate_of(folders / format)["edge_attributes"]]
    assert len(frame) == town.graph.m
    assert list(frame.columns[2:]) == names or format in ("graphml", "gml")
    sizes = frame.groupby(names).size()
    alone = figures["edge-attributes"]
    assert sizes.min() == alone["smallest_group"] >= 5
    assert len(sizes) == alone["groups"] > (1 if format == "joint" else 3)

    graph = networkx.Graph(frame[["source", "target"]].itertuples(index=False, name=None))
    frame["mutual"] = [
        len(set(graph[u]) & set(graph[v])) for u, v in zip(frame.source, frame.target, strict=True)
    ]
    both = frame.groupby([*names, "mutual"]).size()
    joint = figures["edge-attributes-and-mutual-friends"]
    assert (both.min(), len(both)) == (joint["smallest_group"], joint["groups"])
    assert both.min() >= (5 if format == "joint" else 1)

    ends = pandas.concat([frame.assign(person=frame[side]) for side in ("source", "target")])
    around = ends.groupby("person").apply(
        lambda rows: tuple(sorted(map(tuple, rows[names].astype(str).values)))
    )
    people = around.value_counts()
    alone = town.graph.n - len(around)
    expected = (len(people) + (alone > 0), min(people.min(), alone or people.min()))
    stated = figures["edge-attributes-around"]
    assert expected == (stated["groups"], stated["smallest_group"])


def test_in_and_out_degrees_are_counted_as_by_definition(town, folders):
    frame = table(folders / "csv", "csv")
    into, out = np.zeros(town.graph.n, int), np.zeros(town.graph.n, int)
    for u, v, way in zip(frame.source, frame.target, frame.direction, strict=True):
        if way in ("forward", "both"):
            out[u] += 1
            into[v] += 1
        if way in ("backward", "both"):
            out[v] += 1
            into[u] += 1
    sizes = pandas.Series(list(zip(into, out, strict=True))).value_counts()
    stated = figures_of(folders / "csv")["in-and-out-degree"]
    assert (len(sizes), sizes.min()) == (stated["groups"], stated["smallest_group"])
    assert stated["exposures"][0]["exposed"] == sizes[sizes < 5].sum()


def test_directions_follow_the_pseudonyms(tmp_path):
    """Who leads to whom is the same under the real ids."""
    town = with_values(graphveil.generate(edges=900, seed=9), 2)
    result = graphveil.anonymize(town, 3, seed=SEED)
    out = publish(result, tmp_path / "out", format="csv", keep_edge_attributes=["direction"])
    who = pandas.read_csv(out.private / "pseudonyms.csv").set_index("pseudonym")["id"].to_dict()
    pairs = zip(town.labels[town.edges].tolist(), town.edge_attributes["direction"], strict=True)
    before = {(u, v): way for (u, v), way in pairs}
    turned = {"forward": "backward", "backward": "forward", "both": "both"}
    added = {tuple(pair) for pair in result.graph.labels[result.added].tolist()}
    checked = 0
    for u, v, way in pandas.read_csv(out.public / "graph.csv").dropna().itertuples(index=False, name=None):
        first, second = who[int(u)], who[int(v)]
        pair, led = ((first, second), way) if first < second else ((second, first), turned[way])
        if pair not in added:
            assert before[pair] == led
            checked += 1
    assert checked == town.m - len(result.deleted)


def test_an_added_friendship_leads_as_its_donor_does_from_the_person_they_share():
    """Who only follows, and who is only followed, stays so, whatever the numbers of the people."""
    random = np.random.default_rng(4)
    people = random.permutation(72)
    fans, stars = people[:60], people[60:]
    pairs = np.array([(fan, star) for fan in fans for star in random.permutation(stars)[:4]])
    graph = Graph.from_arrays(*pairs.T, n=72)
    kept = np.sort(random.permutation(graph.m)[:200])
    first_follows = np.isin(graph.edges[:, 0], fans)
    leads = np.where(first_follows[kept], "forward", "backward").astype(object)
    original = Graph(graph.edges[kept], 72, edge_attributes={"direction": leads})
    rows = rows_of(SimpleNamespace(graph=graph, original=original, seed=SEED), np.arange(72))
    shared = (original.edges[rows.donors][:, :, None] == graph.edges[:, None, :]).any(axis=(1, 2))
    published = rows.of("direction", leads)
    assert shared.sum() > 230
    assert (published == np.where(first_follows, "forward", "backward"))[shared].all()


def test_a_direction_of_nobody_nearby_is_drawn_at_random():
    """No person shared: half of them lead up the numbers, half down."""
    pairs = np.arange(400).reshape(-1, 2)
    original = Graph(pairs[:20].astype(np.int32), 400, edge_attributes={})
    result = SimpleNamespace(graph=Graph(pairs.astype(np.int32), 400), original=original, seed=SEED)
    published = rows_of(result, np.arange(400)).of("direction", np.full(20, "forward", object))
    assert (published[:20] == "forward").all()
    assert 60 < (published == "backward").sum() < 120


def test_the_audit_of_the_published_graph_says_the_same(folders):
    names = [each["name"] for each in certificate_of(folders / "csv")["edge_attributes"]]
    graph = graphveil.read(folders / "csv/public/graph.csv", keep_edge_attributes=names)
    found = graphveil.audit(graph, 5)
    for stated in certificate_of(folders / "csv")["attackers"]:
        counted = found[stated["name"]]
        assert stated["groups"] == counted.groups
        assert stated["exposures"] == [vars(each) for each in counted.exposures]


def test_added_friendships_have_values_from_the_same_count_nearby(town):
    original, graph = town.original, town.graph
    donors = donors_of(graph, original, town.seed)
    added = {tuple(pair) for pair in town.added.tolist()}
    counts = {
        tuple(pair): count
        for pair, count in zip(graph.edges.tolist(), graph.mutual_friends.tolist(), strict=True)
    }
    kept = [tuple(pair) for pair in original.edges.tolist() if tuple(pair) in counts]
    assert added
    for pair, donor in zip(map(tuple, graph.edges.tolist()), original.edges[donors].tolist(), strict=True):
        donor = tuple(donor)
        if pair not in added:
            assert donor == pair
            continue
        assert donor in counts
        near = [each for each in kept if set(each) & set(pair) and counts[each] == counts[pair]]
        if near:
            assert donor in near
        elif any(counts[each] == counts[pair] for each in kept):
            assert counts[donor] == counts[pair]
        else:
            assert abs(counts[donor] - counts[pair]) == min(abs(counts[each] - counts[pair]) for each in kept)


def test_values_of_one_donor_stay_together(tmp_path):
    town = graphveil.generate(edges=900, seed=9)
    number = np.arange(town.m)
    town = Graph(town.edges, town.n, town.labels, edge_attributes={"one": number, "other": number * 2})
    result = graphveil.anonymize(town, 3, seed=SEED)
    out = publish(
        result, tmp_path / "o", format="csv", keep_edge_attributes=["one", "other"], keep_identifying=True
    )
    frame = pandas.read_csv(out.public / "graph.csv").dropna()
    assert (frame.other == 2 * frame.one).all()
    assert out.certificate.edge_attribute_groups.k is None
    assert check(out.folder, original=town)


def test_the_same_bytes_again_and_nothing_of_it_without_attributes(town, folders, tmp_path):
    for format in ("csv", "parquet", "graphml"):
        again = publish(town, tmp_path / format, format=format, **HOW)
        for path in (folders / format / "public").iterdir():
            assert path.read_bytes() == (again.public / path.name).read_bytes()
    plain = publish(town, tmp_path / "plain")
    assert plain.certificate.edge_attribute_groups is None
    assert plain.certificate.edge_attributes == ()


@pytest.mark.parametrize("format", sorted(set(WRITABLE) - set(HOLDING)))
def test_formats_without_values_refuse_them_before_any_work(town, tmp_path, format):
    with pytest.raises(ParameterError, match="does not hold attributes of friendships"):
        publish(town, tmp_path / "out", format=format, **HOW)
    assert not (tmp_path / "out").exists()


def test_people_and_friendships_together(town, tmp_path):
    graph = town.original
    ages = np.random.default_rng(3).integers(20, 60, graph.n)
    graph = Graph(
        graph.edges, graph.n, graph.labels, None, {"age": ages}, edge_attributes=graph.edge_attributes
    )
    result = replace(town, original=graph)
    for format in HOLDING:
        out = publish(
            result,
            tmp_path / format,
            format=format,
            keep_vertex_attributes=["age"],
            keep_edge_attributes=["calls", "kind"],
            generalize={"age": 20, "calls": "auto"},
            sensitive=["kind"],
            l_diversity=2,
        )
        found = check(out.folder, original=graph)
        assert found, found.problems
        assert out.certificate.sensitive == ("kind",)
        assert out.certificate.edge_attribute_groups.diversity["kind"] >= 2
        frame = table(out.folder, format)
        frame = frame[frame.kind != "?"]
        assert (
            frame.groupby("calls").kind.nunique().min()
            == out.certificate.edge_attribute_groups.diversity["kind"]
        )


def damaged(folder, change):
    """Change the graph, and note its SHA-256 as somebody would who means no good."""
    path = folder / "public/graph.csv"
    path.write_bytes(change(path.read_bytes()))
    document = json.loads((folder / "public/certificate.json").read_text())
    document["graph"]["sha256"] = sha256(path)
    (folder / "public/certificate.json").write_text(json.dumps(document, indent=2) + "\n")


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data + b"x",
        lambda data: data.replace(b",calls", b",call", 1),
        lambda data: data.replace(b"\n0,", b"\n00,", 1),
        lambda data: data.replace(b"work", b"=work", 1),
        lambda data: data.replace(b"work", b"w\xffrk", 1),
        lambda data: data.replace(b"work", b"secret", 1),
        lambda data: data.replace(b"\n1,", b"\n\n1,", 1),
        lambda data: data.replace(b"work,", b"work,,", 1),
        lambda data: data.rpartition(b"\n0,")[0],
        lambda data: b"\x1f\x8b" + data,
    ],
)
def test_values_that_are_not_as_they_were_are_found_out(folders, tmp_path, change):
    shutil.copytree(folders / "csv", tmp_path / "out")
    assert check(tmp_path / "out")
    damaged(tmp_path / "out", change)
    assert not check(tmp_path / "out")


@pytest.fixture(scope="module")
def typed(town, tmp_path_factory):
    """One attribute of each type, of people and of friendships: texts that look like numbers among them."""
    graph = town.original
    values = {
        "whole": np.array([7, -12, 10**12]),
        "part": np.array([0.1, 2.0, 1e-7]),
        "truth": np.array([True, False, False]),
        "text": np.array(["007", "'x y", "true"], object),
    }
    of_people = {name: column[np.arange(graph.n) % 3] for name, column in values.items()}
    of_ties = {f"{name}2": column[np.arange(graph.m) % 3] for name, column in values.items()}
    graph = Graph(graph.edges, graph.n, graph.labels, None, of_people, edge_attributes=of_ties)
    place = tmp_path_factory.mktemp("typed")
    kept = {"keep_vertex_attributes": [*of_people], "keep_edge_attributes": [*of_ties]}
    for format in HOLDING:
        publish(replace(town, original=graph), place / format, format=format, **kept)
        assert check(place / format, original=graph)
    return place


@pytest.mark.parametrize(
    ("format", "old", "new"),
    [
        ("csv", "text2\n", '"text2"\n'),
        ("csv", ",7,", ",07,"),
        ("csv", ",7,", ",7.0,"),
        ("csv", ",7,", ",Alice Smith,"),
        ("csv", ",7,", ',"Alice Smith, p17",'),
        ("csv", ",7,", ",0007.000,"),
        ("csv", ",0.1,", ",0.10,"),
        ("csv", ",0.1,", ",1e-1,"),
        ("csv", ",true,", ",1,"),
        ("csv", ',"007"', ",007"),
        ("csv", ",7,", ',"7",'),
        ("tsv", "\t2.0\t", "\t2\t"),
        ("edgelist", " -12 ", " -012 "),
        ("edgelist", " 1e-07 ", " 1e-7 "),
        ("graphml", ">7<", ">07<"),
        ("graphml", ">7<", ">Alice<"),
        ("graphml", ">0.1<", ">0.10<"),
        ("graphml", ">true<", ">yes<"),
        ("graphml", ">007<", "><"),
        ("graphml", ">007<", ">\x01<"),
        ("gml", "whole 7 ", "whole 07 "),
        ("gml", "whole2 7 ", 'whole2 "Alice" '),
        ("gml", "part 0.1 ", "part 0.10 "),
        ("gml", 'text "007"', 'text "00&#55;"'),
        ("gml", 'text2 "007"', 'text2 "00&#55;"'),
    ],
)
def test_one_cell_of_another_type_or_spelling_is_found_out(typed, tmp_path, format, old, new):
    shutil.copytree(typed / format, tmp_path / "out")
    path = tmp_path / "out/public" / FILES[format]
    text = path.read_text()
    assert old in text
    for times in (1, -1):  # one cell, and all of them, so that groups stay as they are
        path.write_text(text.replace(old, new, times))
        document = certificate_of(tmp_path / "out")
        document["graph"]["sha256"] = sha256(path)
        (tmp_path / "out/public/certificate.json").write_text(json.dumps(document, indent=2) + "\n")
        assert not check(tmp_path / "out")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d["edge_attribute_groups"].update(k=5_000),
        lambda d: d["edge_attribute_groups"].update(k_with_mutual_friends=5_000),
        lambda d: d["edge_attribute_groups"].update(diversity={"kind": 9}),
        lambda d: d["edge_attribute_groups"].update(sensitive=["kind"]),
        lambda d: d["edge_attribute_groups"].update(sensitive=["shoes"]),
        lambda d: d.update(edge_attribute_groups=None),
        lambda d: d["edge_attributes"].pop(),
        lambda d: d.update(edge_attributes=[]),
        lambda d: d.update(attackers=[each for each in d["attackers"] if each["name"] != "edge-attributes"]),
        lambda d: d.update(
            attackers=[each for each in d["attackers"] if each["name"] != "edge-attributes-around"]
        ),
        lambda d: next(each for each in d["attackers"] if each["name"] == "edge-attributes").update(groups=1),
    ],
)
def test_a_certificate_that_says_more_than_holds_is_found_out(folders, tmp_path, spoil):
    shutil.copytree(folders / "csv", tmp_path / "out")
    path = tmp_path / "out/public/certificate.json"
    document = json.loads(path.read_text())
    spoil(document)
    path.write_text(json.dumps(document, indent=2) + "\n")
    assert not check(tmp_path / "out")


@pytest.mark.parametrize(
    "claim",
    [{"k": 5}, {"k": 10**6}, {"k_with_mutual_friends": 1}, {"k": -1}, {"l_diversity": 0}, {"suppressed": -5}],
)
def test_where_all_attributes_are_sensitive_no_groups_are_guaranteed(secret, tmp_path, claim):
    assert check(secret)
    groups = certificate_of(secret)["edge_attribute_groups"]
    assert (groups["k"], groups["k_with_mutual_friends"], groups["l_diversity"]) == (None, None, 2)
    shutil.copytree(secret, tmp_path / "out")
    path = tmp_path / "out/public/certificate.json"
    document = json.loads(path.read_text())
    document["edge_attribute_groups"] |= claim
    path.write_text(json.dumps(document, indent=2) + "\n")
    assert not check(tmp_path / "out")


@pytest.fixture(scope="module")
def secret(town, tmp_path_factory):
    how = {"keep_edge_attributes": ["kind"], "sensitive": ["kind"], "l_diversity": 2}
    return publish(town, tmp_path_factory.mktemp("secret") / "out", format="csv", **how).folder


def test_formulas_are_in_armour(folders):
    for format in ("csv", "tsv", "edgelist"):
        name = {"csv": "graph.csv", "tsv": "graph.tsv", "edgelist": "graph.txt"}[format]
        raw = (folders / format / "public" / name).read_text()
        assert "'=cmd()" in raw or "Other" in raw
        assert ",=cmd()" not in raw


def test_deletions_make_values_coarser_and_say_so(tmp_path):
    """Where a group had exactly k in the input and lost one, k is kept, and the owner is told how."""
    town = graphveil.generate(edges=1_500, seed=4)
    result = graphveil.anonymize(town, 5, method="add-del", seed=SEED)
    rare = np.zeros(town.m, bool)
    lost = np.flatnonzero(
        np.isin(
            np.arange(town.m),
            np.searchsorted(
                town.edges[:, 0].astype(int) * town.n + town.edges[:, 1],
                result.deleted[:, 0].astype(int) * town.n + result.deleted[:, 1],
            ),
        )
    )
    assert len(lost)
    rare[lost[:1]] = rare[np.flatnonzero(~np.isin(np.arange(town.m), lost))[:4]] = True
    values = np.where(rare, 7, 1)
    values[~rare & (np.arange(town.m) % 2 == 0)] = 6
    town = Graph(town.edges, town.n, town.labels, edge_attributes={"calls": values})
    with pytest.warns(UserWarning, match="coarser than asked for: calls"):
        out = publish(
            replace(result, original=town), tmp_path / "out", format="csv", keep_edge_attributes=["calls"]
        )
    assert out.certificate.edge_attribute_groups.k == 5
    assert pandas.read_csv(out.public / "graph.csv").dropna().groupby("calls").size().min() >= 5


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"keep_edge_attributes": ["call"]}, "the input has no edge attribute 'call'"),
        ({"keep_edge_attributes": ["calls"]}, "are in a group of fewer than 5"),
        ({"with_mutual_friends": True}, "none is kept"),
        (
            {"keep_edge_attributes": ["kind"], "generalize": {"calls": 5}},
            "not among the attributes that are kept",
        ),
        ({"keep_edge_attributes": ["kind"], "generalize": {"kind": 5}}, r"no number.*|is no number"),
        ({"keep_edge_attributes": ["kind"], "sensitive": ["calls"]}, "it is not kept"),
    ],
)
def test_what_cannot_be_kept_is_refused_before_any_work(town, tmp_path, how, said):
    with pytest.raises(ParameterError, match=said):
        publish(town, tmp_path / "out", format="csv", **how)
    assert not (tmp_path / "out").exists()


def test_the_refusal_names_the_friendship(town, tmp_path):
    with pytest.raises(ParameterError, match=r"the friendship of .* and .*is no number"):
        publish(town, tmp_path / "out", format="csv", keep_edge_attributes=["kind"], generalize={"kind": 5})


def test_on_the_command_line(tmp_path, capsys):
    town = graphveil.generate(edges=1_500, seed=4)
    random = np.random.default_rng(5)
    rows = random.integers(0, town.m, 3 * town.m)
    ends = town.labels[town.edges][rows]
    turn = random.random(len(rows)) < 0.5
    frame = pandas.DataFrame(
        {
            "caller": np.where(turn, ends[:, 0], ends[:, 1]),
            "callee": np.where(turn, ends[:, 1], ends[:, 0]),
            "minutes": random.integers(1, 90, len(rows)),
            "day": pandas.Timestamp("2024-01-01")
            + pandas.to_timedelta(random.integers(0, 700, len(rows)), "D"),
        }
    )
    frame.to_csv(tmp_path / "calls.csv", index=False)
    command = ["anonymize", tmp_path / "calls.csv", "-k", 5, "-o", tmp_path / "out", "--format", "csv"]
    command += ["--keep-edge-attribute", "minutes=count,day=first,day=last", "--direction", "keep"]
    assert run(*command) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    options = said.partition(" Use ")[2].partition(": this loses")[0].replace(" and leave out", "").split()
    assert "--generalize" in options, said
    assert run(*command, "--generalize", "auto") == 0
    said = capsys.readouterr().err
    assert "attributes of friendships: k = 5 guaranteed" in said
    assert run("verify", tmp_path / "out", "--original", tmp_path / "calls.csv") == 0
    assert "attributes of friendships: k = 5 guaranteed" in capsys.readouterr().err
    out = tmp_path / "out/public"
    names = [each["name"] for each in certificate_of(tmp_path / "out")["edge_attributes"]]
    assert set(names) <= {"minutes", "day_first", "day_last", "direction"}
    assert pandas.read_csv(out / "graph.csv").dropna(subset=["target"]).groupby(names).size().min() >= 5
    again = ["anonymize", tmp_path / "calls.csv", "-k", 5, "-o", tmp_path / "mtx", "--format", "mtx"]
    assert run(*again, "--keep-edge-attribute", "minutes", "--generalize", "auto") == 2
    assert "mtx does not hold attributes of friendships" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["audit", "anonymize"])
def test_spark_refuses_them_by_name(folders, tmp_path, capsys, command):
    out = ["-o", tmp_path / "out"] if command == "anonymize" else []
    given = [command, folders / "csv/public/graph.csv", *out, "-k", 5, "--engine", "spark"]
    for option in (("--keep-edge-attribute", "calls"), ("--direction", "keep")):
        assert run(*given, *option) == 2
        assert f"{option[0]} is not available with --engine spark" in capsys.readouterr().err


def test_restore_leaves_the_values_beside_the_real_ids(folders, town, tmp_path):
    graphveil.restore(folders / "csv/private", folders / "csv/public/graph.csv", tmp_path / "back.csv")
    before, after = (
        pandas.read_csv(path) for path in (folders / "csv/public/graph.csv", tmp_path / "back.csv")
    )
    who = pandas.read_csv(folders / "csv/private/pseudonyms.csv").set_index("pseudonym")["id"]
    assert (after["source"].astype(int) == before["source"].map(who)).all()
    assert list(after.columns) == list(before.columns)
    assert after["calls"].equals(before["calls"])
    assert graphveil.publication.reconstruct(folders / "csv").m == town.original.m


@pytest.mark.parametrize("format", HOLDING)
def test_the_readme_loads_the_values(folders, format, monkeypatch):
    """The commands for networkx and igraph are run as they stand there."""
    public = folders / format / "public"
    text = (public / "README.md").read_text()
    assert "## Attributes of friendships" in text
    blocks = [each.partition("```")[0] for each in text.split("```python\n")[1:]]
    monkeypatch.chdir(public)
    known: dict[str, object] = {}
    exec(blocks[0], known)
    names = {each["name"] for each in certificate_of(folders / format)["edge_attributes"]}
    edges = list(known["graph"].edges(data=True))
    assert len(edges) == certificate_of(folders / format)["graph"]["edges"]
    assert set().union(*(values for *_, values in edges)) == names
    exec(blocks[1], known)
    assert names <= set(known["graph"].es.attributes())


def test_utility_measures_weighted_degrees_time_series_and_whether_values_give_changes_away(town, folders):
    original = town.original
    found = graphveil.utility(original, folders / "csv", quick=True)
    frame = table(folders / "csv", "csv")
    who = pandas.read_csv(folders / "csv/private/pseudonyms.csv").set_index("pseudonym")["id"]
    place = {label: number for number, label in enumerate(original.labels.tolist())}
    middle = {}
    for text in frame.calls.unique():
        bounds = [float(part) for part in str(text).split() if part.isdigit()]
        middle[text] = sum(bounds) / len(bounds) if bounds else 0.0
    weights = np.zeros(town.graph.n)
    for side in ("source", "target"):
        np.add.at(
            weights, [place[each] for each in frame[side].map(who)], frame.calls.map(middle).to_numpy(float)
        )
    old = np.zeros(original.n)
    np.add.at(old, original.edges.T.ravel(), np.tile(original.edge_attributes["calls"], 2))
    rank = pandas.Series(old).corr(pandas.Series(weights[: original.n]), method="spearman")
    assert found["weighted_degree_rank:calls"].value == pytest.approx(rank)
    assert rank > 0.8

    length = min(len(each.removesuffix("0s")) for each in frame.since if each != "?")
    shares = [
        pandas.Series(dates).str[:length].value_counts(normalize=True)
        for dates in (original.edge_attributes["since"], frame.since[frame.since != "?"])
    ]
    distance = shares[0].sub(shares[1], fill_value=0).abs().sum() / 2
    assert found["time_series_distance:since"].value == pytest.approx(distance)
    assert distance < 0.05
    for name in ("added_edges_values_in_group", "added_edges_values_around"):
        assert 0 <= found[name].value <= 1
        assert found[name].unchanged == 0.5
    json.dumps(found.to_dict())


def test_values_of_similar_friendships_hide_the_added_ones_and_gaps_do_not(tmp_path):
    town = graphveil.generate(edges=4_000, seed=4)
    result = graphveil.anonymize(town, 5, method="add-greedy", seed=SEED)
    side = town.edges.sum(axis=1) % 3
    town = Graph(
        town.edges, town.n, town.labels, edge_attributes={"kind": np.array(["a", "b", "c"], object)[side]}
    )
    result = replace(result, original=town)
    out = publish(result, tmp_path / "out", format="csv", keep_edge_attributes=["kind"])
    found = graphveil.utility(town, out.folder, quick=True)
    assert abs(found["added_edges_values_in_group"].value - 0.5) < 0.15
    names = np.array(town.edge_attributes["kind"])
    edges = {tuple(pair): kind for pair, kind in zip(town.edges.tolist(), names.tolist(), strict=True)}
    values = np.array([edges.get(tuple(pair), "new") for pair in result.graph.edges.tolist()], object)
    bare = Graph(result.graph.edges, result.graph.n, result.graph.labels, edge_attributes={"kind": values})
    marked = graphveil.utility(town, bare, quick=True)
    assert marked["added_edges_values_in_group"].value > 0.9


def test_attackers_are_named_in_words(folders, capsys):
    names = ",".join(each["name"] for each in certificate_of(folders / "csv")["edge_attributes"])
    assert run("audit", folders / "csv/public/graph.csv", "-k", 5, "--keep-edge-attribute", names) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "the attributes of all friendships of a person" in said
    graph = graphveil.read(folders / "csv/public/graph.csv", keep_edge_attributes=names.split(","))
    for finding in graphveil.audit(graph, 5)["in-and-out-degree"].most_exposed:
        assert "from the person" in finding_in_words(finding)


@pytest.mark.parametrize(
    ("seed", "how"),
    [
        (21, {"k": 4, "method": "add-greedy"}),
        (22, {"k": 6, "degree_k": 3, "method": "add-del", "degree_method": "kda"}),
        (23, {"k": 3, "spread": 0.5}),
        (24, {"k": None, "friendship_k": 2}),
    ],
)
def test_whatever_the_method_pandas_finds_no_smaller_group(tmp_path, seed, how):
    """Other graphs, other guarantees, values that depend on the place, and dummy people."""
    town = with_values(graphveil.generate(edges=700, seed=seed), seed)
    calls = town.edge_attributes["calls"] + 5 * town.mutual_friends
    town = Graph(town.edges, town.n, town.labels, edge_attributes={**town.edge_attributes, "calls": calls})
    result = graphveil.anonymize(town, **how, seed=2**99 + seed)
    kept = {"keep_edge_attributes": ["calls", "kind"], "generalize": {"calls": "auto", "kind": "auto"}}
    out = publish(result, tmp_path / "out", format="csv", **kept)
    assert check(out.folder, original=town)
    names = [each.name for each in out.certificate.edge_attributes]
    assert names
    frame = table(out.folder, "csv")
    assert frame.groupby(names).size().min() >= result.k
    assert len(frame) == result.graph.m


@pytest.mark.parametrize("format", HOLDING)
def test_a_first_friendship_without_a_value_is_written(format, tmp_path):
    town = graphveil.generate(edges=300, seed=4)
    kinds = np.array([(None, "work", "home")[row % 3] for row in range(town.m)], object)
    graph = Graph(town.edges, town.n, town.labels, edge_attributes={"kind": kinds})
    result = graphveil.anonymize(graph, 5, seed=SEED)
    publish(result, tmp_path / "out", format=format, keep_edge_attributes=["kind"])
    assert graphveil.verify(tmp_path / "out")


def test_what_is_said_of_sensitive_values_alone(tmp_path, capsys):
    town = with_values(graphveil.generate(edges=300, seed=4), 8)
    graphveil.write(
        Graph(town.edges, town.n, town.labels, edge_attributes=town.edge_attributes), tmp_path / "t.csv"
    )
    kept = ("--keep-edge-attribute", "kind", "--sensitive", "kind")
    assert run("anonymize", tmp_path / "t.csv", "-k", 5, *kept, "-o", tmp_path / "out") == 0
    said = capsys.readouterr().err
    assert "kind: " in said
    assert "guaranteed" not in said
