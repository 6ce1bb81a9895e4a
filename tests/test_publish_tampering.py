"""Publications that were tampered with are found, from the outside and from the inside; broken promises too."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import graphveil
import publications
from graphveil import Graph, VerificationError
from graphveil.errors import InputError
from graphveil.goals import NMF
from graphveil.publication.checking import check
from graphveil.verification.safe_files import sha256
from publications import publish

town, published = publications.town, publications.published  # pytest finds fixtures by their names here


def altered(path: Path, change) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


OUTSIDE = {
    "k promised": lambda c: c["guarantees"][0].update(promised=6),
    "k achieved": lambda c: c["guarantees"][0].update(achieved=50),
    "class sizes": lambda c: c["guarantees"][0]["group_sizes"].update({"0": 1}),
    "vertices": lambda c: c["graph"].update(vertices=7),
    "sha256": lambda c: c["graph"].update(sha256="0" * 64),
    "file": lambda c: c["graph"].update(file="../private/pseudonyms.csv"),
    "format": lambda c: c["graph"].update(format="exe"),
    "risk": lambda c: c["attackers"].pop(),
    "mean": lambda c: c["attackers"][0].update(mean_probability=0.0),
    "a date": lambda c: c["data_set"].update(published="yesterday"),
    "a guarantee": lambda c: c["guarantees"].pop(0),
    "implied": lambda c: c["guarantees"][0].update(implied_by="k-degree"),
    "schema": lambda c: c.update(schema="graphveil/certificate/9"),
    "more": lambda c: c.update(signed_by="nobody"),
    "no promise": lambda c: c["guarantees"][0].update(promised=None),
    "a word": lambda c: c["guarantees"][0].update(promised="many"),
    "nothing": lambda c: c.clear(),
    "privacy": lambda c: c.update(guarantees=7),
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


@pytest.mark.parametrize("origin", ["output", "", "Input"])
def test_an_origin_that_is_none_is_found(town, published, origin):
    path = published.private / "pseudonyms.csv"
    path.write_text(path.read_text().replace('"input"', f'"{origin}"', 1))
    digest = {"private/pseudonyms.csv": sha256(path)}
    altered(published.private / "run.json", lambda run: run["files"].update(digest))
    (problem,) = check(published.folder, original=town.original).problems
    assert "an origin is neither input nor new" in problem


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
        publish(replace(town, goals=(NMF(300),)), tmp_path / "out")
    with pytest.raises(VerificationError, match="input"):
        publish(
            replace(town, original=Graph(town.original.edges[1:], town.original.n, town.original.labels)),
            tmp_path / "out",
        )
    assert not list(tmp_path.iterdir())
