"""Attributes of people in a published folder: in every format, recounted with pandas, and not to be tampered with."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import networkx
import numpy as np
import pandas
import pytest

import graphveil
from graphveil import Graph, GraphError, ParameterError
from graphveil.attributes import column_of
from graphveil.attributes.hierarchies import Dates, Widths
from graphveil.cli import main
from graphveil.formats.table import WRITABLE
from graphveil.formats.vertices import with_people
from graphveil.publication.checking import check
from graphveil.publication.pseudonyms import draw
from graphveil.risk.attackers import OF_ATTRIBUTES
from graphveil.verification.coarser import coarse
from graphveil.verification.folders import check_public
from graphveil.verification.safe_files import sha256
from publications import SEED, publish
from test_publish_pseudonyms import with_new_vertex


def run(*arguments: object) -> int:
    return main(list(map(str, arguments)))


KEPT = ["age", "town", "illness", "score"]
ODD = ["Ulm", "=cmd()", "Köln, Süd", 'say "hi"', "a\nb", "Яlта", None]


@pytest.fixture(scope="module")
def people():
    """A town whose people have numbers, odd texts, gaps, and an illness."""
    town = graphveil.generate(edges=1_200, seed=4)
    random = np.random.default_rng(8)
    attributes = {
        "age": random.integers(18, 90, town.n),
        "town": np.array(ODD, object)[np.minimum(random.geometric(0.4, town.n), len(ODD)) - 1],
        "illness": random.choice(["flu", "gout", "none", "angina"], town.n).astype(object),
        "score": np.where(random.random(town.n) < 0.5, 0.5, 1.5),
    }
    graph = Graph(town.edges, town.n, town.labels, None, attributes)
    return graphveil.anonymize(graph, 5, seed=SEED)


def table(folder, format):
    """The published attributes by pseudonym, as a researcher reads them."""
    public = folder / "public"
    if format == "graphml":
        nodes = networkx.read_graphml(public / "graph.graphml", node_type=int).nodes(data=True)
        return pandas.DataFrame.from_dict(dict(nodes), "index").sort_index().reindex(columns=KEPT)
    if format == "gml":
        nodes = networkx.read_gml(public / "graph.gml", label="id").nodes(data=True)
        return pandas.DataFrame.from_dict(dict(nodes), "index").sort_index().reindex(columns=KEPT)
    if format == "parquet":
        return pandas.read_parquet(public / "people.parquet").set_index("pseudonym")
    return pandas.read_csv(public / "people.csv").set_index("pseudonym")


def filled(frame):
    """With a word where a value is missing, which makes a group too."""
    return frame.astype(object).where(frame.notna(), "?")


HOW = {
    "keep_vertex_attributes": KEPT,
    "generalize": {"age": "auto"},
    "group_rare": {"town": "Other:40"},
    "sensitive": ["illness", "score"],
    "l_diversity": 2,
    "suppress": 0.05,
}


@pytest.fixture(scope="module")
def folders(people, tmp_path_factory):
    place = tmp_path_factory.mktemp("people")
    for format in WRITABLE:
        publish(people, place / format, format=format, **HOW)
    return place


@pytest.mark.parametrize("format", WRITABLE)
def test_every_format_carries_attributes_and_pandas_counts_the_same_groups(people, folders, format):
    found = check(folders / format, original=people.original)
    assert found, found.problems
    assert any("attributes: k = 5 guaranteed" in each for each in found.notes)
    frame = table(folders / format, format)
    assert len(frame) == people.graph.n
    open_ = ["age", "town"]
    groups = filled(frame).groupby(open_)
    certificate = json.loads((folders / format / "public/certificate.json").read_text())
    figures = {each["name"]: each for each in certificate["attackers"]}
    assert groups.size().min() == figures["attributes"]["smallest_group"] >= 5
    assert len(groups) == figures["attributes"]["groups"]
    assert groups["illness"].nunique().min() == certificate["attribute_groups"]["diversity"]["illness"] >= 2
    degree = pandas.Series(people.graph.degrees, index=draw(people.graph, SEED)).sort_index()
    both = filled(frame).assign(degree=degree).groupby([*open_, "degree"]).size()
    alone = figures["attributes-and-degree"]
    assert (both.min(), len(both)) == (alone["smallest_group"], alone["groups"])
    assert {model.name for model in OF_ATTRIBUTES} <= figures.keys()


def test_friends_with_attributes_are_counted_as_by_definition(people, folders):
    frame = filled(table(folders / "csv", "csv"))
    values = list(frame[["age", "town"]].itertuples(index=False, name=None))
    graph = networkx.from_pandas_edgelist(pandas.read_csv(folders / "csv/public/graph.csv"))
    known = [(*sorted((values[u], values[v])), len(set(graph[u]) & set(graph[v]))) for u, v in graph.edges]
    sizes = pandas.Series(known).value_counts()
    certificate = json.loads((folders / "csv/public/certificate.json").read_text())
    figures = next(
        each for each in certificate["attackers"] if each["name"].startswith("attributes-of-friends")
    )
    assert (len(sizes), sizes.min()) == (figures["groups"], figures["smallest_group"])
    assert figures["exposures"][0]["exposed"] == sizes[sizes < 5].sum()


def test_the_audit_of_the_published_graph_says_the_same(people, folders):
    graph = graphveil.read(
        folders / "csv/public/graph.csv",
        vertices=folders / "csv/public/people.csv",
        keep_vertex_attributes=KEPT,
    )
    found = graphveil.audit(graph.with_attributes({"age", "town"}), 5)
    certificate = json.loads((folders / "csv/public/certificate.json").read_text())
    for stated in certificate["attackers"]:
        counted = found[stated["name"]]
        assert stated["groups"] == counted.groups
        assert stated["exposures"] == [vars(each) for each in counted.exposures]


def test_the_same_bytes_again_and_nothing_of_it_without_attributes(people, folders, tmp_path):
    for format in ("csv", "parquet", "graphml"):
        again = publish(people, tmp_path / format, format=format, **HOW)
        for path in (folders / format / "public").iterdir():
            assert path.read_bytes() == (again.public / path.name).read_bytes()
    plain = publish(people, tmp_path / "plain")
    assert plain.certificate.attribute_groups is None
    assert plain.certificate.people is None


def certified(folder, change):
    """Change the table of people, and note its SHA-256 as somebody would who means no good."""
    path = folder / "public/people.csv"
    path.write_bytes(change(path.read_bytes()))
    document = json.loads((folder / "public/certificate.json").read_text())
    document["people"]["sha256"] = sha256(path)
    (folder / "public/certificate.json").write_text(json.dumps(document, indent=2) + "\n")


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data + b"x",
        lambda data: data.replace(b'"town"', b'"city"', 1),
        lambda data: data.replace(b"\n0,", b"\n00,", 1),
        lambda data: data.replace(b'"flu"', b"flu", 1),
        lambda data: data.replace(b'"flu"', b'"=flu"', 1),
        lambda data: data.replace(b'"flu"', b'"fl\xff"', 1),
        lambda data: data.replace(b"\n1,", b"\n\n1,", 1),
        lambda data: data.replace(b",0.5\n", b",0.5,\n", 1),
        lambda data: data.replace(b",0.5\n", b",none\n", 1),
        lambda data: data.replace(b",0.5\n", b",0.50\n"),
        lambda data: data.replace(b",0.5\n", b",5e-1\n"),
        lambda data: data.replace(b",1.5\n", b",true\n"),
        lambda data: data.replace(b'"Ulm"', b'"Rom"', 1),
        lambda data: data.rpartition(b"\n0,")[0],
        lambda data: b"\x1f\x8b" + data,
    ],
)
def test_a_table_that_is_not_as_it_was_is_found_out(folders, tmp_path, change):
    shutil.copytree(folders / "csv", tmp_path / "out")
    certified(tmp_path / "out", change)
    assert not check(tmp_path / "out")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d["attribute_groups"].update(k=50),
        lambda d: d["attribute_groups"].update(l_diversity=5),
        lambda d: d["attribute_groups"]["diversity"].update(illness=5),
        lambda d: d["attribute_groups"].update(sensitive=["age"]),
        lambda d: d["attribute_groups"].update(sensitive=["shoes"]),
        lambda d: d["attribute_groups"].update(sensitive=["illness", "score", "illness"]),
        lambda d: d["vertex_attributes"][0].update(generalization="classes of 100,000"),
        lambda d: d["vertex_attributes"][3].update(generalization="classes of 100000"),
        lambda d: d["vertex_attributes"][0].update(generalization="month"),
        lambda d: d["attribute_groups"].update(k=0),
        lambda d: d["attribute_groups"].update(k=5.0),
        lambda d: d["attribute_groups"].update(k_with_mutual_friends=1),
        lambda d: d["attribute_groups"].update(l_diversity=0),
        lambda d: d["attribute_groups"].update(suppressed=-5),
        lambda d: d["attribute_groups"].update(suppressed=d["attribute_groups"]["suppressed_values"] + 1),
        lambda d: d.update(edge_attribute_groups={**d["attribute_groups"], "sensitive": [], "diversity": {}}),
        lambda d: d["people"].update(file="graph.csv"),
        lambda d: d.update(people=None),
        lambda d: d["vertex_attributes"].pop(),
        lambda d: d.update(attackers=[each for each in d["attackers"] if each["name"] != "attributes"]),
        lambda d: next(each for each in d["attackers"] if each["name"] == "attributes").update(groups=1),
    ],
)
def test_a_certificate_that_says_more_than_holds_is_found_out(folders, tmp_path, spoil):
    shutil.copytree(folders / "csv", tmp_path / "out")
    path = tmp_path / "out/public/certificate.json"
    document = json.loads(path.read_text())
    spoil(document)
    path.write_text(json.dumps(document, indent=2) + "\n")
    assert not check(tmp_path / "out")


@pytest.mark.parametrize("width", [1, 2, 10, 0.1, 1 / 3, 2.5, 4096])
@pytest.mark.parametrize("bounds", [(), ((None, 40.0),), ((-20.0, 40.0),)])
def test_all_classes_that_are_written_are_seen_to_be_such(width, bounds):
    random = np.random.default_rng(5)
    for values in (
        random.integers(-3000, 3000, 300),
        random.normal(0, 900, 300),
        random.integers(0, 10**9, 300),
    ):
        column, rule = column_of("number", values), Widths(width, bounds)
        for level in (1, 2, 5):
            seen = coarse(rule.publicly(level))
            assert all(seen(str(each)) for each in rule.classes(column, level))
            assert not any(map(seen, ("5 to 14", "x", "0 to 0.05", "1e400 to below inf")))
    days = column_of("day", ["2024-11-19", "1999-02-28T10:30"])
    for level, part in enumerate(("day", "month", "year", "decade"), 1):
        seen = [coarse(each) for each in ("day", "month", "year", "decade")]
        assert {
            place for place, see in enumerate(seen) for each in Dates().classes(days, level) if see(each)
        } == {level - 1}
        assert Dates().publicly(level) == part


def test_what_cannot_be_seen_of_coarser_values_is_named(folders):
    unchecked = check_public(folders / "csv").inspection.unchecked
    assert [each for each in unchecked if "coarser" in each] == [
        "how town became coarser (Other for values that occur fewer than 40 times)"
    ]


def test_formulas_are_in_armour_and_readers_of_tables_get_everything(people, folders):
    raw = (folders / "csv/public/people.csv").read_text()
    assert '"\'=cmd()"' in raw
    assert '"=cmd()"' not in raw
    values = set(table(folders / "parquet", "parquet")["town"].dropna())
    assert "=cmd()" in values
    assert not (folders / "graphml/public/people.csv").exists()


def test_dummy_people_have_the_attributes_of_people_with_about_as_many_friends(tmp_path):
    result = with_new_vertex()
    graph = result.original
    values = {"friends": graph.degrees.copy(), "half": np.arange(graph.n) % 2}
    result = replace(result, original=Graph(graph.edges, graph.n, graph.labels, None, values))
    out = publish(result, tmp_path / "out", keep_vertex_attributes=list(values), keep_identifying=True)
    frame = pandas.read_csv(out.public / "people.csv")
    assert len(frame) == result.graph.n > graph.n
    assert frame.notna().all().all()
    assert set(frame["friends"]) <= set(graph.degrees.tolist())
    assert check(out.folder, original=result.original)


def test_a_refusal_names_a_way_out_that_works(people, tmp_path, capsys):
    place = tmp_path / "friends.graphml"
    graphveil.write(people.original, place)
    command = [
        "anonymize",
        str(place),
        "-k",
        "5",
        "-o",
        str(tmp_path / "out"),
        "--keep-vertex-attribute",
        "age,score",
    ]
    assert run(*command) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert "are in a group of fewer than 5 with the same values" in said
    options = said.partition(" Use ")[2].partition(": this loses")[0].replace(",", "").split()
    assert "--generalize" in options
    assert run(*command, *options) == 0
    assert run("verify", tmp_path / "out") == 0
    assert "attributes: k = 5 guaranteed" in capsys.readouterr().err


def test_what_cannot_be_kept_is_refused_before_any_work(people, tmp_path):
    with pytest.raises(ParameterError, match="generalize= is for attributes, and none is kept"):
        publish(people, tmp_path / "out", generalize="auto")
    graph = people.original
    odd = Graph(graph.edges, graph.n, vertex_attributes={"pseudonym": np.zeros(graph.n, int)})
    with pytest.raises(GraphError, match=r"the name of the first column of people.csv"):
        publish(replace(people, original=odd), tmp_path / "out", keep_vertex_attributes=["pseudonym"])
    same = Graph(graph.edges, graph.n, vertex_attributes={"ill": np.full(graph.n, "flu", object)})
    with pytest.raises(ParameterError, match="No coarser values help"):
        publish(
            replace(people, original=same), tmp_path / "out",
            keep_vertex_attributes=["ill"], sensitive=["ill"], l_diversity=2,
        )  # fmt: skip
    told = publish(
        replace(people, original=same), tmp_path / "out", keep_vertex_attributes=["ill"], sensitive=["ill"]
    )
    assert told.certificate.attribute_groups.diversity == {"ill": 1}
    assert "all have the same ill" in (told.public / "README.md").read_text()


def test_the_audit_of_a_file_counts_attackers_who_know_attributes(folders, capsys):
    public = folders / "csv/public"
    how = ("--vertices", public / "people.csv", "--keep-vertex-attribute", "age,town", "-k", 5, "--json")
    assert run("audit", public / "graph.csv", *how) == 0
    found = json.loads(capsys.readouterr().out)
    certificate = json.loads((public / "certificate.json").read_text())
    stated = {each["name"]: each["exposures"] for each in certificate["attackers"]}
    assert {each["name"]: each["exposures"] for each in found["attackers"]} == stated


@pytest.mark.parametrize("command", ["audit", "anonymize"])
def test_spark_refuses_attributes_by_name(folders, tmp_path, capsys, command):
    out = ["-o", tmp_path / "out"] if command == "anonymize" else []
    given = [command, folders / "csv/public/graph.csv", *out, "-k", 5, "--engine", "spark"]
    assert run(*given, "--keep-vertex-attribute", "age") == 2
    assert "--keep-vertex-attribute is not available with --engine spark" in capsys.readouterr().err


@pytest.mark.parametrize("format", ["csv", "edgelist", "parquet", "pajek", "graphml", "gml"])
@pytest.mark.parametrize("table", ["people.csv", "people.parquet"])
def test_attributes_go_into_a_file_of_their_own_and_come_back(people, tmp_path, format, table):
    graph = people.original.with_labels([f"p{label}" for label in people.original.labels.tolist()])
    file = tmp_path / f"graph{WRITABLE[format].extensions[0]}"
    graphveil.write(graph, file, format=format, people=tmp_path / table)
    back = graphveil.read(file, format=format, vertices=tmp_path / table, keep_vertex_attributes=KEPT)
    place = {label: number for number, label in enumerate(back.labels.tolist())}
    order = [place[label] for label in graph.labels.tolist()]
    for name in KEPT:
        assert back.vertex_attributes[name][order].tolist() == graph.vertex_attributes[name].tolist()


def test_convert_writes_attributes_beside_the_graph(people, tmp_path, capsys):
    place, table = tmp_path / "friends.graphml", tmp_path / "people.parquet"
    graphveil.write(people.original, place)
    command = ["convert", place, tmp_path / "friends.csv", "--keep-vertex-attribute", "age,town"]
    assert run(*command) == 2
    assert "--people people.csv" in capsys.readouterr().err
    assert run(*command, "--people", table) == 0
    assert pandas.read_parquet(table)["age"].tolist() == people.original.vertex_attributes["age"].tolist()
    assert run(*command, "--people", table) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_of_people_are_joined_by_their_ids(library):
    frames = pytest.importorskip(library)
    graph = Graph.from_edges([("Ann", "Bob"), ("Bob", "Cy")])
    frame = frames.DataFrame({"age": [40.0, None], "name": ["Cy", "Ann"], "town": ["Ulm", None]})
    found = with_people(graph, frame, id="name")
    assert found == graph
    assert {name: values.tolist() for name, values in found.vertex_attributes.items()} == {
        "age": [None, None, 40.0],
        "town": [None, None, "Ulm"],
    }
    with pytest.raises(GraphError, match="people who are not in the graph"):
        with_people(Graph.from_edges([("Ann", "Bob")]), frame, id="name")
    with pytest.raises(GraphError, match="an id twice"):
        with_people(graph, frames.DataFrame({"name": ["Cy", "Cy"]}))


def test_several_k_publish_attributes_for_the_largest(people, tmp_path, capsys):
    graphveil.write(people.original, tmp_path / "friends.graphml")
    how = ("-k", "3,5", "--keep-vertex-attribute", "age", "--generalize", "auto", "-o", tmp_path / "out")
    assert run("anonymize", tmp_path / "friends.graphml", *how) == 0
    for part in ("k3", "k5"):
        assert check(tmp_path / "out" / part, original=people.original)
        certificate = json.loads((tmp_path / "out" / part / "public/certificate.json").read_text())
        assert certificate["attribute_groups"]["k"] == 5
        said = graphveil.statement(tmp_path / "out" / part).markdown()
        assert (
            "every value of age belongs to at least 5 people. An attacker who knows only this value of a"
            in said
        )
