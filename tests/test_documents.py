"""Documents follow their JSON Schemas, are read strictly, and those of earlier releases verify for ever."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from importlib import import_module, resources
from pathlib import Path

import igraph
import jsonschema
import networkx
import numpy as np
import pytest

import graphveil
import publications
from conftest import odd_graphs
from graphveil import VerificationError, audit, verify
from graphveil.cli import main
from graphveil.formats.table import WRITABLE
from graphveil.goals import GOALS, Goal
from graphveil.publication import words as words_of_publications
from graphveil.publication.checking import check
from graphveil.publication.words import SIMILAR, UNCHANGED, limits, verdict
from graphveil.recounting import at_least
from graphveil.risk.reidentification import in_a_sentence
from graphveil.verification.documents import Certificate
from publications import publish

town, published = publications.town, publications.published  # pytest finds fixtures by their names here
BY_SECOND = Path(__file__).parent / "data" / "by-0.2"
BY_THIRD = BY_SECOND.with_name("by-0.3")
FOLDERS = sorted(path.name for path in BY_SECOND.iterdir() if path.is_dir() and path.name != "several")
THIRD = sorted(path.name for path in BY_THIRD.iterdir() if path.is_dir())
VERSIONS = {"verification": 2}


def schema(name: str) -> dict:
    return json.loads(
        resources.files("graphveil").joinpath(f"schemas/{name}-{VERSIONS.get(name, 3)}.json").read_text()
    )


def follows(document: dict, name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(name))
    jsonschema.Draft202012Validator(schema(name)).validate(json.loads(json.dumps(document, allow_nan=False)))


@pytest.mark.parametrize("name", odd_graphs())
def test_audit_and_verification_follow_their_schemas(name):
    graph = odd_graphs()[name]
    follows(audit(graph, k=[2, 5]).to_dict(), "audit")
    follows(audit(graph, k=2, within=1.5).to_dict(), "audit")
    follows(verify(graph, k=3, degree_k=2, spread=0.5).to_dict(), "verification")


def test_what_is_published_follows_its_schemas(town, published):
    follows(json.loads((published.public / "certificate.json").read_text()), "certificate")
    follows(json.loads((published.private / "run.json").read_text()), "run")
    follows(check(published.folder, original=town.original).to_dict(), "inspection")
    (published.public / "graph.txt").write_text("x")
    follows(check(published.folder).to_dict(), "inspection")


def test_a_certificate_comes_back_and_nothing_else_is_read(published):
    document = published.certificate.to_dict()
    assert Certificate.of(document) == published.certificate
    for spoil in (
        lambda d: d.update(more=1),
        lambda d: d.pop("reductions"),
        lambda d: d["data_set"].update(published="2026-02-30"),
        lambda d: d["graph"].update(edges=True),
        lambda d: d["graph"].update(edges=3.0),
        lambda d: d["attackers"][0].update(naming=[]),
        lambda d: d["guarantees"][0].update(promised=float("nan")),
        lambda d: d["guarantees"][0].update(guarantee="luck"),
        lambda d: d["guarantees"].append(d["guarantees"][0]),
    ):
        damaged = json.loads(json.dumps(document))
        spoil(damaged)
        with pytest.raises(VerificationError, match=r"certificate\.json is damaged"):
            Certificate.of(damaged)


@pytest.mark.parametrize("name", FOLDERS)
def test_publications_by_0_2_verify_for_ever(name):
    found = check(BY_SECOND / name, original=graphveil.read(BY_SECOND / f"{name}.txt"))
    assert found, found.problems
    follows_second = json.loads(
        resources.files("graphveil").joinpath("schemas/certificate-2.json").read_text()
    )
    document = json.loads((BY_SECOND / name / "public" / "certificate.json").read_text())
    jsonschema.Draft202012Validator(follows_second).validate(document)


@pytest.mark.parametrize("name", THIRD)
def test_publications_by_0_3_verify_for_ever(name):
    after = BY_THIRD / "friendship" if name == "again" else None
    found = check(BY_THIRD / name, original=graphveil.read(BY_THIRD / f"{name}.txt"), after=after)
    assert found, found.problems
    follows(json.loads((BY_THIRD / name / "public" / "certificate.json").read_text()), "certificate")
    follows(json.loads((BY_THIRD / name / "private" / "run.json").read_text()), "run")


def test_several_by_0_2_verify_for_ever(capsys):
    assert main(["verify", str(BY_SECOND / "several"), "--original", str(BY_SECOND / "several.txt")]) == 0
    assert "several/k3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"promised": 5', '"promised": 6'),
        ('"achieved": 5', '"achieved": 50'),
        ('"groups": 8', '"groups": 9'),
        ('"edges": 120', '"edges": 121'),
        ('"limits": [', '"limits": 7, "more": ['),
    ],
)
def test_figures_of_an_old_certificate_are_compared(tmp_path, old, new):
    out = Path(shutil.copytree(BY_SECOND / "txt", tmp_path / "out"))
    path = out / "public" / "certificate.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert not check(out)


class Luck(Goal):
    """A guarantee of the future, which every graph keeps."""

    name, parameter, attacker, what, of, sentence = "luck", "luck", "fortune", "luck", "people", "Luck."

    def out_of_reach(self, vertices):
        return None

    def check(self, counted):
        return at_least(self.name, np.zeros(counted.n, int), int(self.level))


def test_old_folders_verify_after_every_sentence_is_reworded_and_tables_grow(town, tmp_path, monkeypatch):
    now = publish(town, tmp_path / "now").folder
    for name, value in vars(words_of_publications).copy().items():
        if isinstance(value, str) and name.isupper():
            monkeypatch.setattr(words_of_publications, name, "Reworded.")
    attackers = import_module("graphveil.risk.attackers").ATTACKERS
    later = (
        *(replace(each, knows="something else") for each in attackers),
        replace(attackers[1], name="fortune", knows="luck"),
    )
    for module in ("graphveil.risk.attackers", "graphveil.risk.auditing"):
        monkeypatch.setattr(import_module(module), "ATTACKERS", later)
    recounted = import_module("graphveil.verification.attackers").ATTACKERS
    monkeypatch.setitem(recounted, "fortune", recounted["degree"])
    for goal in GOALS.values():
        monkeypatch.setattr(goal, "sentence", "Reworded {level}.")
    monkeypatch.setitem(GOALS, "luck", Luck)
    for folder in (*(BY_SECOND / name for name in FOLDERS), *(BY_THIRD / name for name in THIRD), now):
        found = check(folder)
        assert found, (folder, found.problems)
    lucky = publish(replace(town, goals=(*town.goals, Luck(2))), tmp_path / "lucky")
    assert check(lucky.folder, asked=(Luck(3),), original=town.original)
    assert "Reworded" in (lucky.public / "report.html").read_text()
    assert [each.name for each in lucky.certificate.goals] == ["k-NMF", "luck"]


# ---------------------------------------------------------------------- the verdict and README.md


def test_the_advice_names_what_the_reader_can_use(published):
    certificate = published.certificate
    assert "use --" in verdict(certificate).advice
    other = verdict(certificate, asking=lambda goal: f"ask for {goal.name} {goal.level}").advice
    assert "--" not in other
    assert "ask for k-degree" in other


def test_the_verdict_says_what_is_not_guaranteed_with_figures_of_this_graph(published):
    certificate = published.certificate
    words = verdict(certificate)
    worst = max(
        each.exposure(5).people for each in certificate.attackers if each.name not in ("mutual-friends",)
    )
    assert f"{worst:,} of {certificate.graph.vertices:,} people" in words.not_guaranteed[0]
    assert "probability at most 1/5" in words.guaranteed[0]
    page, text = (published.public / "report.html").read_text(), (published.public / "README.md").read_text()
    assert page.index("Not guaranteed") < page.index("It holds")
    for place in (page.replace("\u00a0", " "), " ".join(text.split()), " ".join(limits(certificate))):
        assert SIMILAR in place
    assert words.cost in " ".join(text.split())


def test_a_graph_that_needs_no_change_is_said_to_be_unchanged(tmp_path):
    ring = graphveil.Graph.from_edges([(i, (i + 1) % 30) for i in range(30)])
    publication = publish(graphveil.anonymize(ring, 5, seed=2**99), tmp_path / "out", title="A ring")
    assert UNCHANGED in verdict(publication.certificate).cost
    assert (
        "nobody is exposed to the attackers that were counted"
        in verdict(publication.certificate).not_guaranteed[0]
    )
    assert "# A ring" in (publication.public / "README.md").read_text()
    assert check(publication.folder)


def test_what_is_said_of_a_similar_graph_is_true_of_every_graph():
    """In a complete graph nobody can be told apart, and a poor copy finds nobody: nothing may say "most people"."""
    complete = graphveil.Graph.from_edges([(i, j) for i in range(30) for j in range(i)])
    found = graphveil.attack(complete, complete)
    assert found.after.found == 0
    assert "may identify many people" in SIMILAR
    assert "most people" not in SIMILAR
    assert "more complete copy" in in_a_sentence(found)


@pytest.mark.parametrize("format", WRITABLE)
@pytest.mark.parametrize("library", ["networkx", "python-igraph"])
def test_readme_loads_the_graph(town, tmp_path, monkeypatch, format, library):
    public = publish(town, tmp_path / "out", format=format).public
    text = (public / "README.md").read_text()
    code = text.split(f"{library}:\n\n```python\n")[1].split("```")[0]
    monkeypatch.chdir(public)
    names: dict = {}
    exec(code, names)
    graph = names["graph"]
    size = graph.number_of_edges() if isinstance(graph, networkx.Graph) else graph.ecount()
    assert isinstance(graph, networkx.Graph | igraph.Graph)
    assert size == town.graph.m


def test_what_the_owner_says_is_no_markup(town, tmp_path):
    evil = "<script>alert(1)</script>\n# [x](javascript:1)"
    publication = publish(town, tmp_path / "out", title=evil, contact=evil, license=evil)
    for name in ("README.md", "report.html"):
        text = (publication.public / name).read_text()
        assert "<script" not in text
        assert "\n# [x]" not in text
    assert check(publication.folder)


def test_objects_show_themselves_briefly_and_as_html(town, published):
    found = audit(town.graph)
    for each in (found, verify(town.graph, 5), check(published.folder), published):
        assert len(repr(each)) < 300
        html = each._repr_html_()
        assert "<script" not in html
        assert "<table>" in html or "<p>" in html
