"""Publishing among people who mean no good: nothing of others is lost, and no check claims more than it did."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import importlib
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import graphveil
import publications
from graphveil import Graph, PublicationError, anonymize
from graphveil.cli import main
from graphveil.errors import ParameterError
from graphveil.publication.checking import check, reconstruct
from graphveil.publication.readme import readme
from graphveil.verification.documents import Certificate
from graphveil.words import percent
from publications import SEED, content, publish

staging = importlib.import_module("graphveil.publication.staging")  # the package has a function of this name
town = publications.town  # pytest finds fixtures by their names here


@pytest.fixture(scope="module")
def original(town, tmp_path_factory) -> graphveil.Publication:
    return publish(town, tmp_path_factory.mktemp("original") / "out")


@pytest.fixture
def out(original, tmp_path) -> Path:
    """A publication to spoil."""
    return Path(shutil.copytree(original.folder, tmp_path / "out"))


# ---------------------------------------------------------------------- force


def stranger_in_public(out: Path) -> None:
    (out / "public" / "thesis.tex").write_text("mine")


def stranger_in_private(out: Path) -> None:
    (out / "private" / "letters").mkdir()


def link_to_elsewhere(out: Path) -> None:
    (out / "public" / "report.html").unlink()
    (out / "public" / "report.html").symlink_to(out / "public" / "graph.txt")


def other_project(out: Path) -> None:
    shutil.rmtree(out / "private")
    (out / "public" / "certificate.json").write_text('{"issuer": "somebody else"}')


def kittens(out: Path) -> None:
    shutil.copytree(out, out.parent / "aside")
    shutil.rmtree(out)
    shutil.copytree(out.parent / "aside", out / "kittens")
    shutil.rmtree(out.parent / "aside")


def other_run(out: Path) -> None:
    (out / "private" / "run.json").write_text('{"schema": "somebody/else", "files": []}')


STRANGERS = (stranger_in_public, stranger_in_private, link_to_elsewhere, other_project, kittens, other_run)


@pytest.mark.parametrize("spoil", STRANGERS)
def test_force_deletes_nothing_that_graphveil_has_not_written(town, out, spoil):
    spoil(out)
    before = content(out)
    with pytest.raises(PublicationError, match="has not published"):
        publish(town, out, force=True)
    assert content(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_force_replaces_whole_publications_and_those_whose_private_part_is_locked_away(town, out):
    publish(town, out, force=True)
    shutil.rmtree(out / "private")
    publish(town, out, force=True)
    assert check(out, original=town.original)


def test_force_looks_again_before_the_folder_is_moved(town, out, monkeypatch):
    def write_slowly(*arguments, **options):
        stranger_in_public(out)
        return written(*arguments, **options)

    module = importlib.import_module("graphveil.publication.publishing")
    written = module.write_publication
    monkeypatch.setattr(module, "write_publication", write_slowly)
    with pytest.raises(PublicationError, match="has not published"):
        publish(town, out, force=True)
    assert (out / "public" / "thesis.tex").read_text() == "mine"


def test_force_deletes_no_input(town, out, capsys):
    file = out / "public" / "graph.txt"
    before = content(out)
    assert main(["anonymize", str(file), "-k", "3", "-o", str(out), "--force"]) == 2
    assert "the input" in capsys.readouterr().err
    with pytest.raises(PublicationError, match="the input"):
        publish(town, out, force=True, source=file)
    assert content(out) == before


# ---------------------------------------------------------------------- what dead runs leave


def planted_link(aside: Path, precious: Path) -> None:
    precious.chmod(0o700)
    (precious / "old").mkdir()
    (precious / "letter").rename(precious / "old" / "letter")
    aside.symlink_to(precious)


def planted_folder(aside: Path, precious: Path) -> None:
    """Not made by graphveil: others may look into it."""
    precious.rename(aside)
    aside.chmod(0o755)


def renamed_folder(aside: Path, precious: Path) -> None:
    """As secret as one of graphveil, but with other things in it."""
    precious.rename(aside)
    aside.chmod(0o700)


@pytest.mark.parametrize("plant", [planted_link, planted_folder, renamed_folder])
def test_cleaning_up_touches_only_what_graphveil_has_made(tmp_path, plant):
    precious, target = tmp_path / "precious", tmp_path / "out"
    precious.mkdir()
    (precious / "letter").write_text("mine")
    plant(tmp_path / f"{staging._prefix(target)}x", precious)
    before = content(tmp_path)
    staging.check_target(target)
    assert content(tmp_path) == before
    assert not target.exists()


def test_cleaning_up_leaves_the_folders_of_others(tmp_path, monkeypatch):
    target = tmp_path / "out"
    aside = staging.private_folder(tmp_path / f"{staging._prefix(target)}x")
    monkeypatch.setattr(staging.os, "geteuid", lambda: aside.stat().st_uid + 1)
    staging.check_target(target)
    assert aside.exists()
    monkeypatch.undo()
    with pytest.warns(UserWarning, match="killed"):
        staging.check_target(target)
    assert not aside.exists()


# ---------------------------------------------------------------------- verify: the graph file


def certified(out: Path, change=lambda document: None) -> None:
    """Adapt the certificate, which is not signed, to what was made of the files."""
    path = out / "public" / "certificate.json"
    document = json.loads(path.read_text())
    for part in ("graph", "report"):
        file = out / "public" / document[part]["file"]
        document[part]["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else ""
    change(document)
    with contextlib.suppress(graphveil.VerificationError):
        (out / "public" / "README.md").write_text(readme(Certificate.of(document)))
        digest = hashlib.sha256((out / "public" / "README.md").read_bytes()).hexdigest()
        document["readme"] = {"file": "README.md", "sha256": digest}
    path.write_text(json.dumps(document))


def reversed_pair(text: bytes) -> bytes:
    first, rest = text.split(b"\n", 1)
    return b" ".join(first.split()[::-1]) + b"\n" + rest


NOT_CANONICAL = {
    "a line twice": lambda text: text + text.splitlines(True)[0],
    "a pair reversed": reversed_pair,
    "both directions": lambda text: text + b" ".join(text.split(b"\n", 1)[0].split()[::-1]) + b"\n",
    "a self-loop": lambda text: text + b"3 3\n",
    "a comment": lambda text: b"# the names are in my drawer\n" + text,
    "a third column": lambda text: b"".join(line[:-1] + b" 7\n" for line in text.splitlines(True)),
    "compressed": gzip.compress,
}


@pytest.mark.parametrize("what", NOT_CANONICAL)
def test_a_graph_file_with_more_in_it_than_the_graph_fails(out, what):
    certified(out)
    assert check(out)
    path = out / "public" / "graph.txt"
    path.write_bytes(NOT_CANONICAL[what](path.read_bytes()))
    certified(out)
    assert re.search(
        "there is more in it|in ascending order|is compressed|or an edge is none",
        " ".join(check(out).problems),
    )


def rewrite_table(path: Path, change=lambda table: table) -> None:
    import pyarrow.parquet

    pyarrow.parquet.write_table(change(pyarrow.parquet.read_table(path)), path, compression="snappy")


@pytest.mark.parametrize("ours", [True, False])
def test_tables_by_another_library_are_compared_by_rows(town, tmp_path, monkeypatch, ours):
    """Parquet's library writes its version into each file, so the bytes differ between releases."""
    out = publish(town, tmp_path / "out", format="parquet").folder
    path = out / "public" / "graph.parquet"
    rewrite_table(path)
    if not ours:
        content = path.read_bytes()
        assert b"parquet-cpp-arrow" in content
        path.write_bytes(content.replace(b"parquet-cpp-arrow", b"parquet-cpp-other"))
    certified(out)
    found = check(out)
    assert bool(found) is not ours
    assert ours or "its rows are right" in found.notes[0]
    rewrite_table(path, lambda table: table.append_column("names", table["source"]))
    path.write_bytes(path.read_bytes().replace(b"parquet-cpp-arrow", b"parquet-cpp-other"))
    certified(out)
    assert not check(out)


@pytest.mark.parametrize("format", ["graphml", "gml"])
def test_attributes_of_all_types_are_written_the_same_again(town, tmp_path, format):
    graph = town.original
    numbers = np.arange(graph.n)
    attributes = {
        "words": np.array([f"<{i}> & 'you'\n" for i in numbers], object),
        "digits": np.array([f"0{i}" for i in numbers], object),
        "age": numbers * 3,
        "income": numbers / 7,
        "some": np.array([None if i % 2 else "x" for i in numbers], object),
    }
    result = replace(town, original=Graph(graph.edges, graph.n, graph.labels, None, attributes))
    names = ["income", "words", "age", "digits", "some"]
    out = publish(
        result, tmp_path / "out", format=format, keep_vertex_attributes=names, keep_identifying=True
    ).folder
    assert check(out, original=result.original)


# ---------------------------------------------------------------------- verify: the other files


def test_it_is_said_what_was_not_checked(town, out, capsys):
    assert main(["verify", str(out)]) == 0
    shown = capsys.readouterr()
    assert "all that the certificate says" not in shown.out
    assert "not checked" in shown.err
    assert "report.html" in shown.err
    assert "report.html" not in " ".join(check(out, original=town.original).unchecked)


@pytest.mark.parametrize(
    "page", [b"<p>hello", b"<meta content=\"default-src 'none'\"><SCRIPT>alert(1)</SCRIPT>"]
)
def test_a_report_that_could_do_more_than_be_read_fails(out, page):
    (out / "public" / "report.html").write_bytes(page)
    certified(out)
    assert "report.html" in " ".join(check(out).problems)


def test_a_report_by_another_hand_fails_from_the_inside(town, out):
    path = out / "public" / "report.html"
    path.write_bytes(path.read_bytes().replace(b"</title>", b"!</title>"))
    assert (
        "under 'report'" in check(out).problems[0]
    )  # its SHA-256 is in the certificate, which is not signed
    certified(out)
    assert check(out)
    assert "public/report.html" in " ".join(check(out, original=town.original).problems)


def test_a_report_that_is_missing_fails(out):
    (out / "public" / "report.html").unlink()
    certified(out)
    assert "public/report.html is missing" in check(out).problems


def test_another_version_switches_no_check_off(out):
    certified(out, lambda c: c["tool"].update(version="9.9"))
    assert check(out)
    certified(out, lambda c: c["attackers"][1].update(groups=1))
    (problem,) = check(out).problems
    assert "attackers" in problem


CERTIFICATES = {
    "another tool": lambda c: c.update(tool={"name": "other", "version": "1"}),
    "a tool that says more": lambda c: c["tool"].update(homepage="http://example.org"),
    "changes in words": lambda c: c.update(changes="none at all"),
    "fewer than no changes": lambda c: c["changes"].update(edges_added=-1),
    "a number as another type": lambda c: c["graph"].update(edges=float(c["graph"]["edges"])),
}


@pytest.mark.parametrize("what", CERTIFICATES)
def test_nothing_else_fits_into_a_certificate(out, what):
    certified(out, CERTIFICATES[what])
    assert not check(out)


def test_a_name_twice_in_a_certificate_fails(out):
    path = out / "public" / "certificate.json"
    path.write_text(path.read_text().replace("{", '{"guarantees": ["Everything."],', 1))
    assert "twice" in check(out).problems[0]


def test_a_part_without_its_public_folder_fails(original, tmp_path, capsys):
    for k in ("k3", "k5"):
        shutil.copytree(original.folder, tmp_path / "out" / k)
    assert main(["verify", str(tmp_path / "out")]) == 0
    shutil.rmtree(tmp_path / "out" / "k3" / "public")
    capsys.readouterr()
    assert main(["verify", str(tmp_path / "out")]) != 0
    assert "k3" in capsys.readouterr().err


def test_the_map_in_public_fails(out, capsys):
    shutil.copy(out / "private" / "pseudonyms.csv", out / "public" / "people.csv")
    assert main(["verify", str(out)]) == 1
    assert "people.csv" in capsys.readouterr().out


# ---------------------------------------------------------------------- verify: a damaged private part

RUNS = {
    "files as a list": lambda r: r.update(files=[]),
    "files as a word": lambda r: r.update(files="x"),
    "no files": lambda r: r.update(files={}),
    "k": lambda r: r.update(k=4),
    "method": lambda r: r.update(method="magic"),
    "goals": lambda r: r.update(goals={"k-NMF": 4}),
    "goals as a word": lambda r: r.update(goals="many"),
    "input": lambda r: r["input"].update(edges=1),
    "nothing": lambda r: r.clear(),
    "no format": lambda r: r.pop("format"),
    "seed": lambda r: r.update(seed=[]),
    "versions": lambda r: r.update(versions=[]),
}


@pytest.mark.parametrize("what", RUNS)
def test_a_damaged_run_is_said_clearly(town, out, what):
    path = out / "private" / "run.json"
    document = json.loads(path.read_text())
    RUNS[what](document)
    path.write_text(json.dumps(document))
    found = check(out, original=town.original)
    assert not found
    assert all(problem.startswith("private/run.json") for problem in found.problems)


@pytest.mark.parametrize("place", [3, 60, -4])
def test_a_bad_byte_in_a_table_is_not_blamed_on_the_run(town, out, place):
    for name in ("changes.csv", "pseudonyms.csv"):
        path = out / "private" / name
        before = path.read_bytes()
        spoiled = bytearray(before)
        spoiled[place] = 0xFF
        path.write_bytes(spoiled)
        found = check(out, original=town.original)
        assert not found
        assert all(name in problem for problem in found.problems), found.problems
        path.write_bytes(before)


# ---------------------------------------------------------------------- labels, attributes, plain files, shares


@pytest.mark.parametrize(
    "label", [lambda i: 2**70 + i, lambda i: 2**63 + i, lambda i: i if i % 2 else f"v{i}"]
)
def test_large_numbers_and_mixtures_are_ids_as_text(town, tmp_path, label):
    graph = town.original.with_labels([label(i) for i in range(town.original.n)])
    publication = publish(anonymize(graph, 5, seed=SEED), tmp_path / "out")
    assert check(publication.folder, original=graph)
    assert reconstruct(publication.folder).labels.tolist() == [str(label(i)) for i in range(graph.n)]


@pytest.mark.parametrize("format", ["graphml", "gml"])
def test_an_attribute_that_nobody_has_is_refused_in_one_line(town, tmp_path, format):
    graph = town.original
    nobody = Graph(graph.edges, graph.n, vertex_attributes={"source": np.full(graph.n, None)})
    with pytest.raises(ParameterError, match="nobody has a value of the vertex attribute 'source'"):
        publish(
            replace(town, original=nobody), tmp_path / "out", format=format, keep_vertex_attributes=["source"]
        )
    assert not list(tmp_path.iterdir())


def test_a_plain_file_that_was_cleaned_is_said_to_be_so(tmp_path, capsys):
    file = tmp_path / "ring.txt"
    file.write_text("0 1\n1 2\n2 3\n3 0\n0 1\n1 1\n")
    assert main(["verify", str(file), "-k", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cleaning"] == {
        "self_loops": 1,
        "duplicates": 1,
        "reciprocal": 0,
        "edge_attributes": [],
        "vertex_attributes": [],
        "rules": [],
    }
    assert main(["verify", str(file), "-k", "4"]) == 0
    assert "the graph that remains" in capsys.readouterr().out


def test_more_than_all_is_shown_as_such():
    assert [percent(share) for share in (1.33, 1.00001, 1.005, 26.6)] == [
        "133 %",
        "100.01 %",
        "100.50 %",
        "2,660 %",
    ]
