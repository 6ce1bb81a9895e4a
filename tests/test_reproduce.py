"""The paper's evaluation: every status follows from the figures, and flips when they do."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import graphveil
from graphveil.cli import main
from graphveil.experiments.reproduction import Point, Study, checks, experiments, judge, paper, reproduce
from graphveil.experiments.reproduction.experiments import BINS, DEGREE_METHODS, NMF_METHODS
from graphveil.experiments.reproduction.statements import STATEMENTS

PAGE = Path(__file__).parent.parent / "docs" / "reproduction.md"

# How far each method moves the graph at k = 100, so that all the paper says is true.
REACH = {"add-del": 0.1, "add-greedy": 0.5, "add-intuit": 1.0, "kda": 0.5, "kda-paper": 0.5, "liu-terzi": 0.8}


def point(method: str, k: int) -> Point:
    far = REACH.get(method, 0.0) * k / 100
    nmf = 0.1 * 25 / 100 if method in DEGREE_METHODS else 0.0
    paths = {"liu-terzi": 0.01}.get(method, 0.02)
    clustering = {"kda": -0.01, "kda-paper": -0.01, "liu-terzi": 0.02}.get(method, 0.005)
    return Point(
        edges=214_078,
        new_vertices=0,
        changed=round(10_000 * far),
        triangles=494_728 + (round(1000 * (nmf if method.startswith("kda") else far))),
        clustering=0.17 + 0.005 * nmf + clustering * far,
        path_length=4.9 - 0.02 * nmf - paths * far,
        mean_betweenness=1e-4 * (4.9 - 0.02 * nmf - paths * far),
        betweenness=(10.0,) * len(BINS),
        distance=0.1 * far,
        distance_error=0.0,
    )


def ideal(graph: str = "Brightkite") -> Study:
    """A graph on which all the paper says is true."""
    vertices, edges = paper.GRAPHS[graph]
    table = zip(paper.K, paper.TABLE_I[graph], strict=True)
    points = {(m, k): point(m, k) for m in (*NMF_METHODS, *DEGREE_METHODS) for k in paper.K}
    return Study(
        name=graph,
        graph=graph,
        vertices=vertices,
        edges=edges,
        violating={k: (*row, *row) for k, row in table},
        nmf_k=25,
        sources=1000,
        error=0.1,
        points={("original", 0): point("original", 0), **points},
    )


def with_point(study: Study, method: str, k: int, **changes: float) -> Study:
    changed = replace(study.points[method, k], **changes)
    return replace(study, points={**study.points, (method, k): changed})


def statement(start: str, nth: int = 0):
    return [each for each in STATEMENTS if each.says.startswith(start)][nth]


# What has to happen for each statement to fail, in the order of the statements.
BREAKS = [
    (
        "So many vertices of Brightkite",
        0,
        lambda s: replace(s, violating={**s.violating, 5: (266, 94, 1, 1)}),
    ),
    ("The number of edges", 0, lambda s: replace(s, violating={**s.violating, 5: (266, 93, 221, 0)})),
    (
        "The number of edges",
        0,
        lambda s: replace(s, violating={**s.violating, 100: (2326, 2000, 2000, 2000)}),
    ),
    ("CC increases", 0, lambda s: with_point(s, "add-del", 100, clustering=0.1)),
    ("CC increases", 0, lambda s: falling_between_its_ends(s)),
    ("CC deviates", 0, lambda s: with_point(s, "add-greedy", 50, clustering=0.18)),
    ("ADD&DEL keeps CC", 0, lambda s: with_point(s, "add-intuit", 10, clustering=0.17)),
    ("ADD with GreedyGroup looks", 0, lambda s: swapped(s, "add-greedy", "add-intuit")),
    ("The APL of ADD&DEL", 0, lambda s: with_point(s, "add-del", 30, path_length=4.8)),
    ("ADD&DEL preserves more", 0, lambda s: with_point(s, "add-greedy", 30, path_length=4.9)),
    ("The differences of APL", 0, lambda s: with_point(s, "add-intuit", 100, path_length=4.0)),
    ("Plots of the average", 0, lambda s: with_point(s, "add-intuit", 100, mean_betweenness=1.0)),
    ("No vertex is added", 0, lambda s: with_point(s, "add-intuit", 100, new_vertices=1)),
    ("ADD&DEL changes", 0, lambda s: with_point(s, "add-greedy", 5, changed=1)),
    ("ADD with GreedyGroup adds", 0, lambda s: with_point(s, "add-intuit", 15, changed=1)),
    ("KDA forms", 0, lambda s: with_point(s, "kda-paper", 15, triangles=1)),
    ("Under KDA, CC decreases as", 0, lambda s: with_point(s, "kda-paper", 100, clustering=0.2)),
    ("Under KDA, CC decreases by", 0, lambda s: with_point(s, "kda-paper", 100, clustering=0.1)),
    ("KDA keeps CC", 0, lambda s: with_point(s, "kda-paper", 20, clustering=0.1)),
    ("Under KDA, the APL decreases as", 0, lambda s: with_point(s, "kda-paper", 100, path_length=5)),
    ("Under KDA, the APL decreases by", 0, lambda s: with_point(s, "kda-paper", 100, path_length=4)),
    ("The classic k-degree", 0, lambda s: with_point(s, "liu-terzi", 100, path_length=4)),
    ("Under KDA the distributions", 0, lambda s: with_point(s, "kda-paper", 20, distance=0.2)),
]
OF_CORA = [
    ("ADD&DEL keeps the distribution", lambda s: with_point(s, "add-del", 50, distance=0.9)),
    ("ADD&DEL shows little", lambda s: with_point(s, "add-del", 100, distance=0.9)),
    ("At k = 25 ADD&DEL", lambda s: with_point(s, "add-intuit", 25, distance=0.0)),
]


def swapped(study: Study, a: str, b: str) -> Study:
    other = {a: b, b: a}
    return replace(study, points={(other.get(m, m), k): p for (m, k), p in study.points.items()})


@pytest.mark.parametrize(("start", "nth", "broken"), BREAKS, ids=lambda v: v if isinstance(v, str) else "")
def test_a_statement_about_brightkite_flips_with_the_figures(start, nth, broken):
    said = statement(start, nth)
    assert judge(said, [ideal()]).status == "reproduced"
    verdict = judge(said, [broken(ideal())])
    assert verdict.status == "not reproduced"
    assert verdict.outcomes["Brightkite"].evidence


def falling_between_its_ends(study: Study) -> Study:
    """Clustering falls with k except for its first and last values: end points alone would call that a rise."""
    for k, value in zip(
        (10, 15, 20, 25, 30, 50), (0.1725, 0.1724, 0.1723, 0.1722, 0.1721, 0.172), strict=True
    ):
        study = with_point(study, "add-intuit", k, clustering=value)
    return with_point(study, "add-intuit", 100, clustering=0.1726)


@pytest.mark.parametrize(("start", "broken"), OF_CORA, ids=lambda v: v if isinstance(v, str) else "")
def test_a_statement_about_cora_is_decided_by_cora_or_what_stands_in_for_it(start, broken):
    said = statement(start)
    stand_in = replace(ideal("Cora"), name="Cora stand-in", graph=None, stands_for="Cora")
    for cora in (ideal("Cora"), stand_in):
        assert judge(said, [broken(ideal()), cora]).status == "reproduced"
        assert judge(said, [ideal(), broken(cora)]).status == "not reproduced"
        assert judge(said, [ideal(), cora]).deciding == (cora.name,)


def under_seeds(good: Study, bad: Study, failing: int) -> Study:
    """Ten seeds, some of which give other figures."""
    return replace(good, seeds={seed: (bad if seed < failing else good).points for seed in range(10)})


@pytest.mark.parametrize(
    ("failing", "word", "status"),
    [
        (0, "holds", "reproduced"),
        (1, "holds", "reproduced"),
        (2, "depends on the seed", "partly reproduced"),
        (8, "depends on the seed", "partly reproduced"),
        (9, "fails", "not reproduced"),
        (10, "fails", "not reproduced"),
    ],
)
def test_the_status_follows_from_the_seeds_by_the_rule(failing, word, status):
    bad = with_point(ideal(), "add-greedy", 5, changed=0)
    verdict = judge(statement("ADD&DEL changes"), [under_seeds(ideal(), bad, failing)])
    outcome = verdict.outcomes["Brightkite"]
    assert (outcome.held, outcome.seeds) == (10 - failing, 10)
    assert outcome.word == word
    assert verdict.status == status
    assert (outcome.least, outcome.most) == (1.0 if failing == 0 else 7 / 8, 7 / 8 if failing == 10 else 1.0)


def test_rank_correlation_is_spearmans():
    from scipy.stats import spearmanr

    rng = np.random.default_rng(3)
    for _ in range(50):
        xs, ys = rng.integers(0, 6, 8).tolist(), rng.integers(0, 6, 8).tolist()
        if len(set(xs)) > 1 and len(set(ys)) > 1:
            assert checks.rank_correlation(xs, ys) == pytest.approx(spearmanr(xs, ys).statistic)
    assert checks.rank_correlation([1, 2, 3], [5, 5, 5]) == 0


def test_every_statement_is_tested_here():
    tested = {statement(start, nth) for start, nth, _ in BREAKS} | {statement(start) for start, _ in OF_CORA}
    untested = {said.says for said in STATEMENTS if said not in tested}
    assert {says.split(" violate")[0] for says in untested if "graphveil's" not in says} == {
        "So many vertices of ACM",
        "So many vertices of Cora",
        "CC decreases with k on Cora",
        "Where the APL is large, KDA performs better on it",
    }
    ours = {said.says.replace("graphveil's KDA", "KDA") for said in STATEMENTS if not said.of_the_paper}
    assert len(ours) == 9
    assert ours <= {said.says for said in STATEMENTS}


def test_other_graphs_decide_only_where_they_are_alone():
    said = statement("No vertex is added")
    stranger = replace(with_point(ideal(), "add-del", 5, new_vertices=3), name="town", graph=None)
    verdict = judge(said, [ideal(), stranger])
    assert verdict.status == "reproduced"
    assert verdict.outcomes["town"].word == "fails"
    assert "ADD&DEL at k = 5: 3" in verdict.outcomes["town"].evidence
    assert judge(said, [stranger]).status == "not reproduced"
    assert verdict.missing == ("ACM", "Cora")


def test_one_failing_graph_of_the_paper_makes_it_partly():
    said = statement("ADD&DEL changes")
    bad = with_point(ideal("ACM"), "add-greedy", 5, changed=0)
    assert judge(said, [ideal(), bad]).status == "partly reproduced"


# ---------------------------------------------------------------------- the whole way


@pytest.fixture(scope="module")
def town() -> graphveil.Graph:
    graph = graphveil.generate(edges=150, seed=4)
    return graph.with_labels([f"secret {number}" for number in range(graph.n)])


@pytest.mark.slow
def test_a_reproduction_is_written_and_no_cell_run_twice(town, tmp_path, monkeypatch):
    monkeypatch.setattr(paper, "K", (2, 10, 25))
    run, measure = [], experiments._measure

    def counting(subject, cell):
        run.append((cell["method"], cell["k"]))
        return measure(subject, cell)

    monkeypatch.setattr(experiments, "_measure", counting)
    again = partial(
        reproduce, {"our town": town}, tmp_path, repeats=2, command="graphveil reproduce town.txt -o out"
    )
    verdicts = again()
    assert len(run) == 1 + 3 * 6 * 2
    assert [verdict.statement.place for verdict in verdicts if verdict.status == "not testable"] == [
        "Table I"
    ] * 3
    text = (tmp_path / "reproduction.md").read_text()
    assert "graphveil reproduce town.txt -o out" in text
    assert all(said.says in text for said in STATEMENTS)
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert not [path for path, content in files.items() if b"secret" in content]
    names = {path.name for path in files if path.suffix == ".svg"}
    assert names == {
        "figure-05-clustering.svg",
        "figure-06-path-length.svg",
        "figure-07-betweenness-our-town.svg",
        "figure-08-edges-changed.svg",
        "figure-09-11-degrees-our-town.svg",
    }
    assert all(f"figures/{name}" in text for name in names)
    run.clear()
    next((tmp_path / "cells").glob("kda-k10-seed8-*")).unlink()
    again()
    assert run == [("kda", 10)]
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == files


def test_the_points_are_what_the_library_measures(town, monkeypatch):
    monkeypatch.setattr(paper, "K", (3, 25))
    found = experiments.study("town", town)
    result = graphveil.anonymize(town, 3, method="add-greedy", seed=7)
    kept = graphveil.utility(town, result.graph)
    measured = found.points["add-greedy", 3]
    assert measured.changed == result.changed
    assert measured.clustering == pytest.approx(kept["average_clustering"].after, abs=1e-12)
    assert measured.path_length == pytest.approx(kept["average_path_length"].after, abs=1e-12)
    assert measured.distance == pytest.approx(kept["betweenness_kolmogorov_smirnov"].value, abs=1e-12)
    assert sum(measured.betweenness) == result.graph.n
    kda = graphveil.anonymize(town, 25, method="add-del", degree_k=3, seed=7)
    assert found.points["kda", 3].changed == kda.changed
    assert found.points["kda", 3].triangles == found.nmf_graph.triangles


def test_brightkite_is_known_by_its_size_and_table_i_comes_out(shared_graph):
    graph = graphveil.read(shared_graph("loc-brightkite"))
    assert paper.which_graph(graph.n, graph.m) == "Brightkite"
    violating = experiments._violating(graph)
    assert tuple(row[:2] for row in violating.values()) == paper.TABLE_I["Brightkite"]
    assert violating[25][2:] == (866, 573)


def test_the_page_in_the_documentation_is_of_these_statements():
    text = PAGE.read_text()
    if "## The rule" not in text:
        pytest.skip("the page is of one seed, from before the rule: `graphveil reproduce` writes it again")
    for said in STATEMENTS:
        assert f"| {said.place} | {said.says} | {said.read_as} | **" in text, said.says
    figures = [line for line in text.splitlines() if line.startswith("![")]
    assert len(figures) == 3 + 2 * 2
    for line in figures:
        assert (PAGE.parent / line.partition("](")[2].rstrip(")")).is_file(), line


# ---------------------------------------------------------------------- the command


def test_missing_data_are_told_in_one_line(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("GRAPHVEIL_DATA", raising=False)
    assert main(["reproduce", "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "the paper's graphs are missing" in said
    assert "--data" in said
    assert main(["reproduce", "--data", str(tmp_path), "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "Brightkite is left out" in said
    assert "none of the paper's graphs is here" in said
    assert not (tmp_path / "out").exists()


def test_the_command_takes_any_graph(town, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(paper, "K", (2, 10, 25))
    monkeypatch.delenv("GRAPHVEIL_DATA", raising=False)
    graphveil.write(town, tmp_path / "town.csv")
    out = tmp_path / "out"
    assert (
        main(["reproduce", str(tmp_path / "town.csv"), "-o", str(out), "--jobs", "1", "--repeats", "1"]) == 0
    )
    said = capsys.readouterr()
    assert "3 not testable" in said.out
    assert "holds in 1 of 1" in " ".join(said.out.split())
    assert "$ graphveil reproduce town.csv --repeats 1 -o out" in (out / "reproduction.md").read_text()
    document = json.loads((out / "reproduction.json").read_text())
    assert document["schema"] == "graphveil/reproduction/2"
    assert len(document["statements"]) == len(STATEMENTS)
    assert {each["method"] for each in document["studies"][0]["points"]} == {
        "original",
        *NMF_METHODS,
        *DEGREE_METHODS,
    }
