"""Publishing: both folders say what they should, the public one nothing else, and nothing is written elsewhere."""

from __future__ import annotations

import getpass
import json
import os
import re
import socket
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import graphveil
import oracle
import publications
from conftest import odd_graphs
from graphveil import PublicationError, anonymize
from graphveil.errors import ParameterError
from graphveil.formats.table import WRITABLE
from graphveil.publication.checking import check, reconstruct
from graphveil.publication.words import MEASURE, SIMILAR, limits
from graphveil.risk.attackers import ATTACKERS
from graphveil.verification.safe_files import sha256
from publications import SEED, content, publish

pytestmark = pytest.mark.filterwarnings("ignore:.*makes up")  # odd graphs are small
town, published = publications.town, publications.published  # pytest finds fixtures by their names here

# ---------------------------------------------------------------------- the two folders


def test_the_certificate_is_true_by_an_independent_count(town, published):
    document = json.loads((published.public / "certificate.json").read_text())
    assert document == published.certificate.to_dict()
    edges = [
        tuple(map(int, line.split())) for line in (published.public / "graph.txt").read_text().splitlines()
    ]
    n = document["graph"]["vertices"]
    counts = oracle.mutual_friends(n, edges)
    degrees = [len(around) for around in oracle.neighbours(n, edges)]
    for values, each, promised in (
        (counts, document["guarantees"][0], 5),
        (degrees, document["guarantees"][1], None),
    ):
        assert each["group_sizes"] == {str(v): values.count(v) for v in sorted(set(values))}
        assert each["achieved"] == min(map(values.count, set(values)))
        assert each["promised"] == promised
    assert len(edges) == document["graph"]["edges"] == town.graph.m
    assert document["changes"] == {
        "edges_added": len(town.added),
        "edges_deleted": len(town.deleted),
        "vertices_added": len(town.new_vertices),
    }
    assert [each["name"] for each in document["attackers"]] == [model.name for model in ATTACKERS]
    ends = [v for edge in edges for v in edge]
    groups = {value: [e for e, c in zip(edges, counts, strict=True) if c == value] for value in counts}
    shares = [sum(v in edge for edge in group) / len(group) for group in groups.values() for v in set(ends)]
    assert document["guarantees"][2]["achieved"] == max(shares)


def test_edges_are_sorted_by_pseudonym_and_vertices_are_0_to_n(published):
    lines = (published.public / "graph.txt").read_text().splitlines()
    edges = [tuple(map(int, line.split())) for line in lines]
    assert edges == sorted({(min(edge), max(edge)) for edge in edges})
    assert {end for edge in edges for end in edge} <= set(range(published.certificate.graph.vertices))


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
        "public/README.md": 0o644,
        "public/certificate.json": 0o644,
        "public/graph.txt": 0o644,
        "public/report.html": 0o644,
    }


@pytest.mark.slow
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


@pytest.mark.parametrize("format", WRITABLE)
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


@pytest.mark.parametrize("format", WRITABLE)
def test_every_format_is_read_back_and_checked(town, tmp_path, format):
    publication = publish(town, tmp_path / "out", format=format)
    assert check(publication.folder, original=town.original)
    assert reconstruct(publication.folder) == town.original


@pytest.mark.parametrize("format", WRITABLE)
@pytest.mark.parametrize("name", ["empty", "isolated", "two edges and isolated", "tiny components"])
def test_people_without_friends_are_in_every_format(tmp_path, format, name):
    graphs = {**odd_graphs(), "two edges and isolated": graphveil.Graph(np.array([[0, 1], [2, 3]]), 6)}
    graph = graphs[name]
    publication = publish(anonymize(graph, 2, seed=SEED), tmp_path / "out", format=format)
    assert reconstruct(publication.folder) == graph


@pytest.mark.slow
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


# ---------------------------------------------------------------------- promises, and the documented schema


def test_only_what_a_method_promises_is_certified(town, tmp_path):
    degrees = anonymize(town.original, 4, method="liu-terzi", seed=SEED)
    certificate = publish(degrees, tmp_path / "degrees").certificate
    assert [each.promised for each in certificate.guarantees] == [None, 4, None, None]
    both = anonymize(town.original, 4, degree_k=3, seed=SEED)
    publication = publish(both, tmp_path / "both")
    assert [each.promised for each in publication.certificate.guarantees] == [4, 3, None, None]
    said = limits(publication.certificate)
    assert sum(limit.startswith("Guaranteed") for limit in said) == 2
    assert f"{SIMILAR} {MEASURE}" in said
    for result, folder in ((degrees, "degrees"), (both, "both")):
        assert check(tmp_path / folder, original=result.original)


def names_in(document: object) -> set[str]:
    if isinstance(document, dict):
        return set(document).union(*map(names_in, document.values()))
    return set().union(*map(names_in, document)) if isinstance(document, list) else set()


def test_every_field_is_documented(town, published):
    page = (Path(__file__).parent.parent / "docs" / "certificate.md").read_text()
    run = json.loads((published.private / "run.json").read_text())
    run.update(files={}, versions={}, reading={}, goals={})
    certificate = json.loads((published.public / "certificate.json").read_text())
    for each in certificate["guarantees"]:
        each["group_sizes"] = {}
    inspection = check(published.folder, original=town.original).to_dict()
    for document in (certificate, run, inspection):
        assert not {name for name in names_in(document) if f"`{name}`" not in page}
        assert document["schema"] in page


def test_a_guessable_seed_is_warned_of_before_anything_is_written(tmp_path, monkeypatch):
    result = graphveil.anonymize(graphveil.generate(edges=300, seed=4), 3, seed=7)
    monkeypatch.setattr("graphveil.publication.publishing.staging", lambda *_, **__: pytest.fail("too late"))
    with pytest.warns(UserWarning, match="can be guessed"), pytest.raises(pytest.fail.Exception):
        graphveil.publish(result, tmp_path / "out")


def test_verify_takes_a_published_folder(town, tmp_path):
    out = tmp_path / "out"
    publish(town, out)
    assert graphveil.verify(out)
    assert graphveil.verify(out / "public", k=2)
    assert graphveil.verify(str(out), original=town.original)
    assert not graphveil.verify(out, k=10_000)
    graph = out / "public" / "graph.txt"
    graph.write_text(graph.read_text() + "0 1\n")
    assert not graphveil.verify(out)
    with pytest.raises(graphveil.ParameterError, match="published folder"):
        graphveil.verify(town.graph, original=town.original)


@pytest.mark.parametrize("name", ["friends.csv", "friends.csv.gz", "friends.parquet"])
def test_the_digest_of_the_input_is_that_of_the_bytes_that_were_read(town, tmp_path, name):
    path = tmp_path / name
    graphveil.write(town.original, path)
    digest = sha256(path)
    result = graphveil.anonymize(graphveil.read(path), k=5, method="add-greedy", seed=SEED)
    path.write_bytes(b"something else")
    for source in (path, tmp_path / "." / name):
        published = publish(result, tmp_path / "out", source=source, force=True)
        noted = json.loads((published.private / "run.json").read_text())["input"]["sha256"]
        assert noted == digest
    other = publish(result, tmp_path / "other", source=__file__)
    noted = json.loads((other.private / "run.json").read_text())["input"]["sha256"]
    assert noted == sha256(Path(__file__))
