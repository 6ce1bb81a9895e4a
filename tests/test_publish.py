"""Publishing: both folders say what they should, the public one nothing else, and together they give the input."""

from __future__ import annotations

import csv
import getpass
import io
import json
import os
import re
import socket
import stat
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphveil
import oracle
from conftest import odd_graphs
from graphveil import Graph, PublicationError, VerificationError, anonymize
from graphveil.errors import GraphveilError, InputError, ParameterError
from graphveil.io.writing import WRITERS
from graphveil.publish import check, reconstruct, tables
from graphveil.publish.pseudonyms import draw, fill_in, hide

publish = partial(graphveil.publish, report="brief")  # the other reports have tests of their own
pytestmark = pytest.mark.filterwarnings("ignore:.*makes up")  # odd graphs are small

SEED = 2**100 + 20_131_107  # not to be found in public/

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


@pytest.fixture(scope="module")
def town() -> graphveil.Result:
    """A result with added and deleted edges, whose ids are easy to find."""
    graph = graphveil.generate(edges=400, seed=4)
    return anonymize(
        Graph(graph.edges, graph.n, graph.labels + 4_107_000_000), k=5, method="add-del", seed=SEED
    )


@pytest.fixture
def published(town, tmp_path):
    return publish(town, tmp_path / "out")


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---------------------------------------------------------------------- the two folders


def test_the_certificate_is_true_by_an_independent_count(town, published):
    document = json.loads((published.public / "certificate.json").read_text())
    assert document == published.certificate
    edges = [
        tuple(map(int, line.split())) for line in (published.public / "graph.txt").read_text().splitlines()
    ]
    n = document["graph"]["vertices"]
    counts = oracle.mutual_friends(n, edges)
    degrees = [len(around) for around in oracle.neighbours(n, edges)]
    for values, each, promised in (
        (counts, document["privacy"][0], 5),
        (degrees, document["privacy"][1], None),
    ):
        assert each["class_sizes"] == {str(v): values.count(v) for v in sorted(set(values))}
        assert each["achieved"] == min(map(values.count, set(values)))
        assert each["promised"] == promised
    assert len(edges) == document["graph"]["edges"] == town.graph.m
    assert document["changes"] == {
        "edges_added": len(town.added),
        "edges_deleted": len(town.deleted),
        "vertices_added": len(town.new_vertices),
    }
    assert [risk["name"] for risk in document["residual_risk"]] == [
        "degree",
        "edge-degrees",
        "edge-degrees-and-mutual-friends",
        "mutual-friends-around",
    ]


def test_edges_are_sorted_by_pseudonym_and_vertices_are_0_to_n(published):
    lines = (published.public / "graph.txt").read_text().splitlines()
    edges = [tuple(map(int, line.split())) for line in lines]
    assert edges == sorted({(min(edge), max(edge)) for edge in edges})
    assert {end for edge in edges for end in edge} <= set(range(published.certificate["graph"]["vertices"]))


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o277])
def test_modes_do_not_depend_on_the_umask(town, tmp_path, umask):
    before = os.umask(umask)
    try:
        publication = publish(town, tmp_path / "out")
    finally:
        os.umask(before)
    modes = {
        str(path.relative_to(publication.folder)): stat.S_IMODE(path.stat().st_mode)
        for path in publication.folder.rglob("*")
    }
    assert modes == {
        "private": 0o700,
        "private/changes.csv": 0o600,
        "private/pseudonyms.csv": 0o600,
        "private/report.html": 0o600,
        "private/run.json": 0o600,
        "public": 0o755,
        "public/certificate.json": 0o644,
        "public/graph.txt": 0o644,
        "public/report.html": 0o644,
    }


def test_private_files_are_never_readable_for_others(town, tmp_path):
    """Watched from the first byte on, under an umask that takes nothing away."""
    script = """
import os, stat, sys
def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and "/private/" in arguments[0]:
        folder = os.path.dirname(arguments[0])
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700, folder
        assert not arguments[2] & os.O_CREAT or arguments[2] & os.O_EXCL, arguments
        print(oct(stat.S_IMODE(os.stat(os.path.dirname(os.path.dirname(os.path.dirname(folder)))).st_mode)))
import graphveil
result = graphveil.anonymize(graphveil.generate(edges=100, seed=4), k=2, seed=7)
os.umask(0)
sys.addaudithook(watch)
graphveil.publish(result, sys.argv[1], report="brief")
"""
    ran = subprocess.run([sys.executable, "-c", script, tmp_path / "out"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout


@pytest.mark.parametrize("format", WRITERS)
def test_nothing_in_public_tells_where_it_comes_from(town, tmp_path, format):
    source = tmp_path / "secret-members.txt"
    graphveil.write(town.original, source)
    publication = publish(town, tmp_path / "out", format=format, source=source)
    everything = (
        b"\n".join(content(publication.public).values()) + "\n".join(content(publication.public)).encode()
    )
    secrets = [
        str(SEED),
        f"{SEED:x}",
        "secret-members",
        str(tmp_path),
        tmp_path.name,
        socket.gethostname(),
        os.getcwd(),
        sys.prefix,
        "add-del",
        *map(str, town.graph.labels.tolist()),
    ]
    if (user := getpass.getuser()) != "root":  # which is also a word
        secrets.append(user)
    for secret in secrets:
        assert secret.encode() not in everything, secret
    assert not re.search(rb"\d\d:\d\d", everything)  # a time of day
    assert not {int(path.stat().st_mtime) % 86_400 for path in publication.folder.rglob("*")} - {0}


@pytest.mark.parametrize("format", WRITERS)
def test_every_format_is_read_back_and_checked(town, tmp_path, format):
    publication = publish(town, tmp_path / "out", format=format)
    assert check(publication.folder, original=town.original)
    assert reconstruct(publication.folder) == town.original


@pytest.mark.parametrize("format", WRITERS)
@pytest.mark.parametrize("name", ["empty", "isolated", "one edge and isolated", "tiny components"])
def test_people_without_friends_are_in_every_format(tmp_path, format, name):
    graph = odd_graphs()[name]
    publication = publish(anonymize(graph, 2, seed=SEED), tmp_path / "out", format=format)
    assert reconstruct(publication.folder) == graph


def test_the_same_seed_gives_the_same_bytes_in_another_process(tmp_path):
    script = """
import graphveil, sys
result = graphveil.anonymize(graphveil.generate(edges=300, seed=4), k=3, seed=2**90)
graphveil.publish(result, sys.argv[1])
"""
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        environment = {**os.environ, "PYTHONHASHSEED": str(len(folder.name) + folder.name.count("b"))}
        subprocess.run([sys.executable, "-c", script, folder], check=True, env=environment)
    assert content(folders[0]) == content(folders[1])


# ---------------------------------------------------------------------- public + private = input


@pytest.mark.parametrize("name", odd_graphs())
@pytest.mark.parametrize("k", [2, 4])
def test_odd_graphs_come_back_exactly(name, k, tmp_path):
    graph = odd_graphs()[name]
    try:
        result = anonymize(graph, k, seed=SEED)
    except graphveil.UnreachableError:
        pytest.skip("no graph on these vertices can satisfy k")
    publication = publish(result, tmp_path / "out")
    assert reconstruct(publication.folder) == graph
    assert check(publication.folder, k=k, original=graph)
    assert not check(publication.folder, k=10**6, original=graph) or not graph.m


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
        k=1,
        promises={"k-NMF": 1},
        added=np.array([[0, 5], [1, 5]]),
        deleted=np.array([[3, 4]]),
        new_vertices=np.array([5]),
    )


def test_new_vertices_are_undone_and_hidden(tmp_path):
    result = with_new_vertex()
    publication = publish(result, tmp_path / "out")
    assert reconstruct(publication.folder) == result.original
    assert publication.certificate["changes"]["vertices_added"] == 1
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


# ---------------------------------------------------------------------- checks find what was tampered with


def altered(path: Path, change) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


OUTSIDE = {
    "k promised": lambda c: c["privacy"][0].update(promised=6),
    "k achieved": lambda c: c["privacy"][0].update(achieved=50),
    "class sizes": lambda c: c["privacy"][0]["class_sizes"].update({"0": 1}),
    "vertices": lambda c: c["graph"].update(vertices=7),
    "sha256": lambda c: c["graph"].update(sha256="0" * 64),
    "file": lambda c: c["graph"].update(file="../private/pseudonyms.csv"),
    "format": lambda c: c["graph"].update(format="exe"),
    "risk": lambda c: c["residual_risk"].pop(),
    "mean": lambda c: c["residual_risk"][0].update(mean_probability=0.0),
    "limits": lambda c: c.update(limits=[]),
    "schema": lambda c: c.update(schema="graphveil/certificate/9"),
    "more": lambda c: c.update(signed_by="nobody"),
    "no promise": lambda c: c["privacy"][0].update(promised=None),
    "a word": lambda c: c["privacy"][0].update(promised="many"),
    "nothing": lambda c: c.clear(),
    "privacy": lambda c: c.update(privacy=7),
}


@pytest.mark.parametrize("what", OUTSIDE)
def test_a_certificate_that_was_altered_is_found_from_the_outside(published, what):
    altered(published.public / "certificate.json", OUTSIDE[what])
    assert not check(published.public)


@pytest.mark.parametrize("name", ["graph.txt", "report.html", "certificate.json"])
def test_a_public_file_that_was_altered_or_lost_is_found(published, name):
    path = published.public / name
    path.write_bytes(path.read_bytes()[:-5] + b"0 1\n")
    assert not check(published.folder)
    path.unlink()
    if name == "certificate.json":
        with pytest.raises(InputError, match="no certificate"):
            check(published.folder)
    else:
        assert not check(published.folder)


def swap_pseudonyms(path: Path) -> None:
    lines = path.read_text().splitlines(keepends=True)
    (a, p, _), (b, q, _) = (line.split(",") for line in lines[1:3])
    path.write_text("".join([lines[0], f'{a},{q},"input"\n', f'{b},{p},"input"\n', *lines[3:]]))


INSIDE = {
    "changes counted": (
        "public/certificate.json",
        lambda p: altered(p, lambda c: c["changes"].update(edges_added=0)),
    ),
    "swapped": ("private/pseudonyms.csv", swap_pseudonyms),
    "lost change": (
        "private/changes.csv",
        lambda p: p.write_text("".join(p.read_text().splitlines(True)[:-1])),
    ),
    "other change": (
        "private/changes.csv",
        lambda p: p.write_text(p.read_text().replace("add-edge", "delete-edge", 1)),
    ),
    "unknown id": ("private/changes.csv", lambda p: p.write_text(p.read_text() + '"add-edge",1,2\n')),
    "no CSV": ("private/pseudonyms.csv", lambda p: p.write_text('"')),
    "no text": (
        "private/pseudonyms.csv",
        lambda p: p.write_bytes(p.read_bytes().replace(b"input", b"\xff\xfe", 1)),
    ),
    "empty": ("private/changes.csv", lambda p: p.write_bytes(b"")),
    "gone": ("private/changes.csv", lambda p: p.unlink()),
    "seed": ("private/run.json", lambda p: altered(p, lambda r: r.update(seed="7"))),
    "no JSON": ("private/run.json", lambda p: p.write_text("{")),
    "no run": ("private/run.json", lambda p: p.write_text("[]")),
}


@pytest.mark.parametrize("what", INSIDE)
def test_a_private_part_that_was_altered_is_found_from_the_inside(town, published, what):
    name, change = INSIDE[what]
    assert check(published.folder, original=town.original)
    change(published.folder / name)
    found = check(published.folder, original=town.original)
    assert not found
    assert all("\n" not in problem for problem in found.problems)


def test_another_input_is_found(town, published):
    for other in (
        Graph(town.original.edges[1:], town.original.n, town.original.labels),
        graphveil.generate(edges=50),
    ):
        assert not check(published.folder, original=other)


def test_a_private_part_that_others_may_read_is_noted(town, published):
    (published.private / "run.json").chmod(0o644)
    found = check(published.folder, original=town.original)
    assert found
    assert "chmod" in found.notes[0]


def test_a_stranger_in_public_fails(published):
    (published.public / "README").write_text("hello")
    found = check(published.folder)
    assert not found
    assert "README" in found.problems[0]


def test_a_result_that_breaks_its_promise_is_not_published(town, tmp_path):
    with pytest.raises(VerificationError, match="k-NMF"):
        publish(replace(town, promises={"k-NMF": 10**6}), tmp_path / "out")
    with pytest.raises(VerificationError, match="input"):
        publish(replace(town, original=Graph(town.original.edges[1:], town.original.n)), tmp_path / "out")
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------------- where it cannot be published


def test_an_existing_folder_is_refused_unless_forced(town, tmp_path):
    first = publish(town, tmp_path / "out")
    before = content(first.folder)
    with pytest.raises(PublicationError, match="exists already"):
        publish(town, tmp_path / "out")
    assert content(first.folder) == before
    publish(replace(town, seed=SEED + 1), tmp_path / "out", force=True)
    assert content(first.folder) != before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_force_replaces_nothing_that_is_no_publication(town, tmp_path):
    home = tmp_path / "home"
    (home / "public").mkdir(parents=True)
    (home / "public" / "index.html").write_text("mine")
    with pytest.raises(PublicationError, match="graphveil has not published"):
        publish(town, home, force=True)
    (tmp_path / "file").write_text("mine")
    for force in (False, True):
        with pytest.raises(PublicationError, match="a file"):
            publish(town, tmp_path / "file", force=force)
        with pytest.raises(PublicationError, match="Make it first"):
            publish(town, tmp_path / "no" / "such", force=force)
        with pytest.raises(PublicationError, match="root"):
            publish(town, "/", force=force)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "home"]


def test_a_link_leads_to_the_folder_behind_it(town, tmp_path):
    publish(town, tmp_path / "real")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    publish(town, tmp_path / "link", force=True)
    assert (tmp_path / "link").is_symlink()
    assert check(tmp_path / "real")


def test_an_unknown_format_is_refused(town, tmp_path):
    with pytest.raises(ParameterError, match="edgelist"):
        publish(town, tmp_path / "out", format="exe")
    assert not list(tmp_path.iterdir())


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
    assert [each["name"] for each in publication.certificate["vertex_attributes"]] == ["age"]
    assert any("Attributes" in limit for limit in publication.certificate["limits"])
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
    with pytest.raises(GraphveilError, match="GraphML"):
        publish(people, tmp_path / "out", keep_vertex_attributes=["age"])
    with pytest.raises(ParameterError, match="no vertex attribute 'shoe size'"):
        publish(people, tmp_path / "out", format="gml", keep_vertex_attributes=["shoe size"])
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------------- promises, and the documented schema


def test_only_what_a_method_promises_is_certified(town, tmp_path):
    degrees = anonymize(town.original, 4, method="liu-terzi", seed=SEED)
    privacy = publish(degrees, tmp_path / "degrees").certificate["privacy"]
    assert [each["promised"] for each in privacy] == [None, 4]
    both = anonymize(town.original, 4, degree_k=3, seed=SEED)
    publication = publish(both, tmp_path / "both")
    assert [each["promised"] for each in publication.certificate["privacy"]] == [4, 3]
    assert "degree" not in {risk["name"] for risk in publication.certificate["residual_risk"]}
    assert len(publication.certificate["limits"]) == 6
    for result, folder in ((degrees, "degrees"), (both, "both")):
        assert check(tmp_path / folder, original=result.original)


def names_in(document: object) -> set[str]:
    if isinstance(document, dict):
        return set(document).union(*map(names_in, document.values()))
    return set().union(*map(names_in, document)) if isinstance(document, list) else set()


def test_every_field_is_documented(town, published):
    page = (Path(__file__).parent.parent / "docs" / "certificate.md").read_text()
    run = json.loads((published.private / "run.json").read_text())
    run.update(files={}, versions={}, reading={}, promises={})
    certificate = json.loads((published.public / "certificate.json").read_text())
    for each in certificate["privacy"]:
        each["class_sizes"] = {}
    inspection = check(published.folder, original=town.original).to_dict()
    for document in (certificate, run, inspection):
        assert not {name for name in names_in(document) if f"`{name}`" not in page}
        assert document["schema"] in page
