"""Verification by itself: light, independent, strict; and publishing that does each piece of work once."""

from __future__ import annotations

import ast
import bz2
import gzip
import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
import publications
from conftest import odd_graphs
from graphveil import Graph, VerificationError, anonymize
from graphveil.cli import main
from graphveil.formats.table import WRITABLE
from graphveil.publication.checking import check
from graphveil.verification.folders import check_public
from graphveil.verification.graph_files import read_graph
from graphveil.verification.safe_files import FILES
from publications import SEED, publish

town = publications.town  # pytest finds fixtures by their names here
PACKAGE = Path(graphveil.__file__).parent
BY_SECOND = Path(__file__).parent / "data" / "by-0.2"


@pytest.fixture(scope="module")
def original(town, tmp_path_factory) -> Path:
    return publish(town, tmp_path_factory.mktemp("original") / "out").folder


@pytest.fixture
def out(original, tmp_path) -> Path:
    """A publication to spoil."""
    return Path(shutil.copytree(original, tmp_path / "out"))


# ---------------------------------------------------------------------- by itself


def test_it_imports_nothing_of_what_it_checks():
    forbidden = {
        "methods",
        "formats",
        "measures",
        "publication",
        "risk",
        "experiments",
        "spark",
        "cli",
        "studio",
        "kernels",
    }
    for path in (PACKAGE / "verification").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
            for name in filter(None, names):
                assert not (name.startswith("graphveil.") and name.split(".")[1] in forbidden), (
                    path.name,
                    name,
                )


# ---------------------------------------------------------------------- strict readers


@pytest.mark.parametrize("format", WRITABLE)
@pytest.mark.parametrize("name", odd_graphs())
def test_what_is_written_is_read(tmp_path, format, name):
    graph = odd_graphs()[name]
    path = tmp_path / FILES[format]
    graphveil.write(Graph(graph.edges, graph.n), path)
    found = read_graph(path, format)
    assert (found.n, found.edges.tolist(), found.notes) == (graph.n, graph.edges.tolist(), ())
    assert found.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


TEXTS = [format for format in WRITABLE if format != "parquet"]


@settings(deadline=None)
@given(st.sampled_from(TEXTS), st.data())
def test_a_file_with_any_other_byte_is_refused_or_another_graph(tmp_path_factory, format, data):
    folder = tmp_path_factory.getbasetemp()
    graph = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3)], vertices=[4])
    path = folder / FILES[format]
    path.write_bytes(b"".join(WRITABLE[format].chunks(graph)))
    content = bytearray(path.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    change = data.draw(st.sampled_from(["replace", "insert", "delete"]))
    byte = data.draw(st.sampled_from(list(b' 0123456789\n\t,<>"/#%x\xff')))
    if change == "replace":
        content[place] = byte
    elif change == "insert":
        content.insert(place, byte)
    else:
        del content[place]
    path.write_bytes(content)
    try:
        found = read_graph(path, format)
    except VerificationError:
        return
    again = b"".join(WRITABLE[format].chunks(Graph(found.edges, found.n)))
    assert again == bytes(content)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress])
@pytest.mark.parametrize("format", ["edgelist", "gml"])
def test_a_compressed_graph_is_refused_before_it_is_unpacked(tmp_path, format, compress):
    path = tmp_path / FILES[format]
    path.write_bytes(compress(b"0 1\n" * 50_000_000 if format == "edgelist" else b"graph [\n" * 1_000_000))
    with pytest.raises(VerificationError, match="compressed"):
        read_graph(path, format)


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n2000000000 2000000000 0\n"),
        ("edgelist", "0 2000000000\n"),
        ("edgelist", "0 99999999999999999999999999\n"),
        ("pajek", "*Vertices 2000000000\n*Edges\n"),
        ("csv", "source,target\n0,1,2\n"),
        ("csv", "source,target\n-1,0\n"),
        ("gml", "graph [\n  directed 0\n"),
        ("graphml", ""),
    ],
)
def test_what_a_file_claims_takes_no_memory(tmp_path, format, text):
    path = tmp_path / FILES[format]
    path.write_text(text)
    with pytest.raises(VerificationError):
        read_graph(path, format)


def test_attributes_hide_nothing(tmp_path):
    graph = Graph.from_edges([(0, 1)])
    values = {"age": np.array(["<a>", "b & 'c'\n"], object)}
    for format in ("graphml", "gml"):
        path = tmp_path / FILES[format]
        graphveil.write(Graph(graph.edges, 2, vertex_attributes=values), path)
        assert read_graph(path, format, ["age"]).n == 2
        for names in ([], ["other"], ["age", "other"]) if format == "graphml" else ([], ["other"]):
            with pytest.raises(VerificationError):
                read_graph(path, format, names)
        text = path.read_text()
        path.write_text(text.replace("&#", "&amp;#" if format == "gml" else "&#x", 1))
        with pytest.raises(VerificationError):
            read_graph(path, format, ["age"])


# ---------------------------------------------------------------------- folders by strangers


def forged(out: Path, name: str, content: bytes) -> None:
    """Another page with a certificate that fits."""
    (out / "public" / name).write_bytes(content)
    path = out / "public" / "certificate.json"
    document = json.loads(path.read_text())
    document["report" if name == "report.html" else "readme"]["sha256"] = hashlib.sha256(content).hexdigest()
    path.write_text(json.dumps(document, indent=2) + "\n")


@pytest.mark.parametrize("name", ["report.html", "README.md"])
def test_a_forged_page_is_said_to_prove_nothing_in_the_first_line(out, capsys, name):
    page = (out / "public" / name).read_bytes()
    forged(out, name, page.replace(b"k = 5", b"k = 1,000").replace(b"1/5", b"1/1000"))
    assert main(["verify", str(out)]) == 0
    first = capsys.readouterr().out.splitlines()[:2]
    assert "What report.html and README.md say proves nothing" in " ".join(first)
    assert "k-NMF k = 5" in " ".join(first)


def test_a_certificate_in_another_form_is_noted(out):
    path = out / "public" / "certificate.json"
    path.write_text(json.dumps(json.loads(path.read_text())))
    found = check(out)
    assert found
    assert "is not written as graphveil writes it" in found.notes[0]


def test_everything_beside_is_named(original, tmp_path, capsys):
    for k in ("k3", "k5"):
        shutil.copytree(original, tmp_path / "out" / k)
    (tmp_path / "out" / "k7").symlink_to(tmp_path / "out" / "k3")
    (tmp_path / "out" / "k3" / "letter.txt").write_text("hello")
    (tmp_path / "out" / "people.csv").write_text("hello")
    assert main(["verify", str(tmp_path / "out")]) == 0
    said = " ".join(capsys.readouterr().err.split())
    for name in ("k7", "letter.txt", "people.csv"):
        assert f"{name} beside it was not checked" in said


def test_the_graph_in_a_folder_is_checked_with_the_certificate_beside_it(out, capsys):
    assert main(["verify", str(out / "public" / "graph.txt")]) == 0
    assert "k-NMF: k = 5 guaranteed" in capsys.readouterr().out
    assert graphveil.verify(out / "public" / "graph.txt")
    assert main(["verify", str(out / "public" / "graph.txt"), "-k", "1000"]) == 1


def test_the_input_is_read_as_private_run_json_says(tmp_path, capsys):
    file = tmp_path / "friends.txt"
    edges = graphveil.generate(edges=60, seed=4).edges.tolist()
    file.write_text("".join(f"x;{a};{b}\n" for a, b in edges))
    how = ["--delimiter", ";", "--columns", "1,2", "--no-header"]
    assert (
        main(["anonymize", str(file), *how, "-k", "2", "-o", str(tmp_path / "out"), "--report", "brief"]) == 0
    )
    assert main(["verify", str(tmp_path / "out"), "--original", str(file)]) == 0
    assert "give the input" in " ".join(capsys.readouterr().out.split())


# ---------------------------------------------------------------------- work once


def test_publishing_does_each_piece_of_work_once(tmp_path):
    program = """
import sys, collections
done = collections.Counter()
def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and isinstance(arguments[2], int):
        name = arguments[0].rpartition("/")[2]
        if not arguments[2] & 3 and name in ("graph.txt", "run.json"):
            done[name] += 1
sys.addaudithook(watch)
import graphveil, graphveil.counting as counting, graphveil.recounting as recounting
import graphveil.publication.writing as writing, graphveil.publication.private_part as private_part
def counted(module, name):
    work = getattr(module, name)
    def run(*arguments, **options):
        done[name] += 1
        return work(*arguments, **options)
    setattr(module, name, run)
counted(counting, "count_mutual_friends")
counted(recounting, "recount")
counted(writing, "draw")
counted(private_part, "draw")
graph = graphveil.generate(edges=300, seed=4)
result = graphveil.anonymize(graph, k=5, method="add-greedy", seed=2**100)
before = dict(done)
graphveil.publish(result, sys.argv[1], report="brief")
print(before, dict(done))
assert done["count_mutual_friends"] <= 4, done  # of original and result, and of both sides of the attack
assert done["recount"] == 1, done
assert done["draw"] == 1, done
assert done["run.json"] == 2, done  # read back, and flushed to the disk
assert done["graph.txt"] == 2, done
"""
    ran = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "out"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr + ran.stdout


def test_a_large_k_and_dummies_are_checked_from_both_sides(tmp_path):
    star = Graph.from_edges([(0, i) for i in range(1, 9)])
    result = anonymize(star, k=5, degree_k=3, method="add-intuit", seed=SEED)
    assert len(result.new_vertices)
    publication = publish(result, tmp_path / "out")
    assert check_public(publication.folder).inspection
    assert check(publication.folder, original=star)
