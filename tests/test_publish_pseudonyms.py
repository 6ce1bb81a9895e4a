"""Who is who: pseudonyms tell nothing, no label does harm, and with the private tables all come back exactly."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphveil
import publications
from conftest import odd_graphs
from graphveil import Graph, anonymize
from graphveil.errors import GraphveilError, ParameterError
from graphveil.goals import NMF
from graphveil.publication import tables
from graphveil.publication.checking import check, reconstruct
from graphveil.publication.pseudonyms import draw, fill_in, hide
from graphveil.publication.words import limits
from publications import SEED, content, publish

pytestmark = pytest.mark.filterwarnings("ignore:.*makes up")  # odd graphs are small
town = publications.town  # pytest finds fixtures by their names here

HOSTILE = [
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-2+3",
    "@SUM(A1:A9)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    "a\nb",
    "a\r\n=b",
    "a;=b",
    "a|+b",
    'say "hi"',
    '"',
    "'",
    "''='",
    "a,b",
    ",",
    "",
    " ",
    " =1",
    "../../etc/passwd",
    "C:\\x",
    "\u202eevil\u202c",
    "＝1",
    "</script><script>alert(1)</script>",
    "&amp;",
    "naïve ☃ 🂡",
    "e\u0301",
    "é",
    "\ufeffbom",
    "x" * 10_000,
    "NULL",
    "NA",
    "#N/A",
    "007",
    "7",
    "1e5",
    "\x7f",
    "\x00zero",
]


def friends(labels: list[str]) -> Graph:
    """A wheel of people under the given labels, so that something is to be changed."""
    n = len(labels)
    pairs = [(labels[i], labels[(i + 1) % n]) for i in range(n)]
    pairs += [(labels[0], labels[i]) for i in range(2, n // 2)]
    return Graph.from_edges(pairs, vertices=labels)


# ---------------------------------------------------------------------- public + private = input


@pytest.mark.parametrize("name", odd_graphs())
@pytest.mark.parametrize("k", [2, 4])
def test_odd_graphs_come_back_exactly(name, k, tmp_path):
    graph = odd_graphs()[name]
    try:
        result = anonymize(graph, k, seed=SEED)
    except graphveil.UnreachableError:
        pytest.skip("no graph on these vertices can satisfy k")
    if 0 < graph.m < k:
        with pytest.raises(graphveil.ParameterError, match="too large"):
            publish(result, tmp_path / "out")
        return
    publication = publish(result, tmp_path / "out")
    assert reconstruct(publication.folder) == graph
    assert check(publication.folder, asked=(NMF(k),), original=graph)
    assert not check(publication.folder, asked=(NMF(10**6),), original=graph) or not graph.m


def test_hostile_labels_come_back_exactly(tmp_path):
    graph = friends(HOSTILE)
    publication = publish(anonymize(graph, 3, seed=SEED), tmp_path / "out")
    assert reconstruct(publication.folder).labels.tolist() == HOSTILE
    assert reconstruct(publication.folder) == graph
    public = b"".join(content(publication.public).values())
    for label in HOSTILE:
        if len(label) > 6:
            assert label.encode() not in public


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ([(7, "7"), ("7", "b")], "same as text"),
        ([("\ud800", "7"), ("7", "b")], "lone surrogate"),
        ([((1, 2), "7"), ("7", "b")], "only integers and names"),
    ],
)
def test_labels_that_no_table_can_hold_are_refused(tmp_path, pairs, words):
    result = anonymize(Graph.from_edges(pairs), 2, seed=SEED)
    with pytest.raises(GraphveilError, match=words):
        publish(result, tmp_path / "out")
    assert not list(tmp_path.iterdir())


def test_numbers_among_names_come_back_as_names(tmp_path):
    publication = publish(anonymize(Graph.from_edges([(7, "a"), ("a", "b")]), 2, seed=SEED), tmp_path / "out")
    assert reconstruct(publication.folder).labels.tolist() == ["7", "a", "b"]


def with_new_vertex() -> graphveil.Result:
    """A result with a new vertex, made by hand: a triangle becomes two that share an edge."""
    original = Graph.from_edges([("Ann", "Bob"), ("Bob", "Cem"), ("Ann", "Cem"), ("Dora", "Ede")])
    labels = np.array([*original.labels, "new 1"], object)
    edges = np.array([[0, 1], [0, 2], [0, 5], [1, 2], [1, 5], [3, 4]], np.int32)
    some = anonymize(original, 2, seed=SEED)
    return replace(
        some,
        graph=Graph(edges[[0, 1, 2, 3, 4]], 6, labels),
        goals=(NMF(1),),
        added=np.array([[0, 5], [1, 5]]),
        deleted=np.array([[3, 4]]),
        new_vertices=np.array([5]),
    )


def test_new_vertices_are_undone_and_hidden(tmp_path):
    result = with_new_vertex()
    publication = publish(result, tmp_path / "out")
    assert reconstruct(publication.folder) == result.original
    assert publication.certificate.changes.vertices_added == 1
    rows = list(csv.reader((publication.private / "changes.csv").open()))
    assert ["add-vertex", "new 1", ""] in rows
    pseudonyms = {draw(replace(result, seed=seed).graph, seed)[5] for seed in range(200)}
    assert pseudonyms == set(range(6))


# ---------------------------------------------------------------------- tables


ids = (
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.text(alphabet="';|=+-@\t\r\n\", a", max_size=12)
    | st.sampled_from(HOSTILE)
)


@given(ids)
def test_armour_comes_off(text):
    assert tables.unarmour(tables.armour(text)) == text


def written(labels: list[str], table: str, *content: object) -> bytes:
    """One of the tables on people with these labels, as its file is written."""
    graph = Graph(np.empty((0, 2), np.int32), len(labels), np.array([*labels, None], object)[:-1])
    columns = getattr(tables, f"{table}_table")(tables.id_column(graph), *content)
    sink = io.TextIOWrapper(io.BytesIO())
    tables.write_table(sink, getattr(tables, table.upper()), columns)
    return sink.buffer.getvalue()


@given(st.lists(ids, min_size=1, max_size=8, unique=True))
def test_no_spreadsheet_finds_a_formula_in_a_table(labels):
    """Whatever it takes for the delimiter, and even if line ends within quotation marks end its rows."""
    n = len(labels)
    around = np.array([[i, (i + 1) % n] for i in range(n)])
    text = written(labels, "changes", around, around[::-1], np.arange(n)).decode()
    for delimiter in ",;\t|":
        cells = [
            cell for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) for cell in row
        ]
        if delimiter != ",":
            cells += re.split(rf"[{re.escape(delimiter)}\r\n]", text)
        for cell in cells:
            assert not re.match(r"\s*[=+\-@＝＋－＠]", cell), (delimiter, cell)


@given(st.lists(ids, min_size=1, max_size=8, unique=True), st.randoms())
def test_tables_are_read_as_they_were_written(tmp_path_factory, labels, random):
    folder = tmp_path_factory.mktemp("tables")
    n = len(labels)
    old = random.randint(1, n)
    pseudonyms = np.array(random.sample(range(n), n))
    pairs = np.array([[random.randrange(n), random.randrange(n)] for _ in range(4)])
    (folder / "p.csv").write_bytes(written(labels, "who_is_who", pseudonyms, old))
    (folder / "c.csv").write_bytes(written(labels, "changes", pairs[:3], pairs[3:], np.arange(old, n)))
    who = tables.read_who_is_who(folder / "p.csv")
    found = tables.read_changes(folder / "c.csv", who)
    assert who.ids.tolist() == labels
    assert who.pseudonyms.tolist() == pseudonyms.tolist()
    assert who.old == old
    assert found.added.tolist() == pairs[:3].tolist()
    assert found.deleted.tolist() == pairs[3:].tolist()
    assert found.new_vertices.tolist() == list(range(old, n))


# ---------------------------------------------------------------------- pseudonyms carry nothing


def test_pseudonyms_do_not_follow_the_order_of_the_input(town):
    n, seeds = town.graph.n, 400
    order = np.arange(n) - (n - 1) / 2
    correlations = [order @ draw(town.graph, seed) / (order @ order) for seed in range(seeds)]
    z = np.array(correlations) * np.sqrt(n - 1)
    assert abs(z.mean()) < 4 / np.sqrt(seeds)
    assert 0.8 < z.std() < 1.2
    assert abs(np.mean(np.abs(z) > 1.96) - 0.05) < 0.045


def test_new_edges_stand_anywhere_in_the_file(town):
    assert len(town.added) > 5
    keys = town.graph.edges[:, 0].astype(np.int64) * town.graph.n + town.graph.edges[:, 1]
    added = np.isin(keys, town.added[:, 0].astype(np.int64) * town.graph.n + town.added[:, 1])
    places = []
    for seed in range(400):
        ends = np.sort(draw(town.graph, seed)[town.graph.edges], axis=1)
        rank = np.argsort(np.lexsort((ends[:, 1], ends[:, 0])))
        assert np.array_equal(hide(town.graph, draw(town.graph, seed)).edges[rank], ends)
        places.append(rank[added].mean() / (town.graph.m - 1))
    z = (np.mean(places) - 0.5) / (np.std(places) / np.sqrt(len(places)))
    assert abs(z) < 4


def test_no_two_publications_share_an_order(town):
    """Not even under one seed: laid side by side, they would show which edges were changed."""
    n = town.graph.n
    order = np.arange(n) - (n - 1) / 2
    fewer = Graph(town.graph.edges[:-1], n)
    more = Graph(town.graph.edges, n + 1)
    first = draw(town.graph, SEED) - (n - 1) / 2
    for other in (fewer, more):
        assert abs(first @ (draw(other, SEED)[:n] - (n - 1) / 2)) / (order @ order) < 6 / np.sqrt(n)


# ---------------------------------------------------------------------- attributes


@pytest.fixture
def people() -> graphveil.Result:
    """A result with a new vertex, whose people have attributes."""
    result = with_new_vertex()
    original = result.original
    attributes = {
        "age": np.array([31, 42, 53, 64, 75]),
        "<b>town\u202e</b>": np.array(["Ulm", "=Rom", "Jena", "Ulm", "Genf"], object),
    }
    return replace(result, original=Graph(original.edges, original.n, original.labels, None, attributes))


@pytest.mark.parametrize("format", ["graphml", "gml"])
def test_attributes_are_kept_only_when_named_and_new_vertices_have_somebody_elses(people, tmp_path, format):
    nothing = publish(people, tmp_path / "nothing", format=format)
    assert b"age" not in (nothing.public / f"graph.{format}").read_bytes()
    publication = publish(
        people, tmp_path / "out", format=format, keep_vertex_attributes=["age"], keep_identifying=True
    )
    assert [each.name for each in publication.certificate.vertex_attributes] == ["age"]
    assert any("Attributes" in limit for limit in limits(publication.certificate))
    assert check(publication.folder, original=people.original)
    graph = graphveil.read(publication.public / f"graph.{format}", keep_vertex_attributes=["age"])
    ages = graph.vertex_attributes["age"][draw(people.graph, SEED)].tolist()
    assert ages[:5] == [31, 42, 53, 64, 75]
    assert ages[5] in ages[:5]
    path = publication.public / f"graph.{format}"
    path.write_text(path.read_text().replace("42", "43"))
    assert not check(publication.folder)


def test_all_attributes_of_a_new_vertex_are_from_one_person_drawn_at_random(people):
    donors = set()
    for seed in range(100):
        pseudonyms = draw(people.graph, seed)
        attributes = fill_in(people.graph, seed, people.original.vertex_attributes, pseudonyms)
        donors.add(tuple(attributes[name][pseudonyms[5]] for name in attributes))
    assert donors == set(
        zip(*(values.tolist() for values in people.original.vertex_attributes.values()), strict=True)
    )


def test_names_of_attributes_inject_nothing(people, tmp_path):
    name = "<b>town\u202e</b>"
    publication = publish(
        people, tmp_path / "out", format="graphml", keep_vertex_attributes=[name], keep_identifying=True
    )
    for part in (publication.public, publication.private):
        page = (part / "report.html").read_text()
        assert "<b>" not in page
        assert "&lt;b&gt;town\\u202e&lt;/b&gt;" in page
    assert "\u202e" not in (publication.public / "certificate.json").read_text()
    assert check(publication.folder, original=people.original)


def test_attributes_that_cannot_be_kept_are_refused(people, tmp_path):
    with pytest.raises(ParameterError, match="no vertex attribute 'shoe size'"):
        publish(people, tmp_path / "out", format="gml", keep_vertex_attributes=["shoe size"])
    assert not list(tmp_path.iterdir())
