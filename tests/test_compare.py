"""The grid of methods and k: what its cells hold, that none is run twice, and what is said about them."""

from __future__ import annotations

import csv
import json
import operator
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import graphveil
from graphveil import Graph, ParameterError, compare
from graphveil.experiments import plots
from graphveil.experiments.cells import Cells, fingerprint, run_cells
from graphveil.experiments.comparison import comparing
from graphveil.experiments.comparison.files import write_comparison
from graphveil.experiments.comparison.results import Cell, Comparison, best_choice, points, usefulness
from graphveil.methods.table import METHODS
from graphveil.stopping import deaf_processes

DOCS = Path(__file__).parent.parent / "docs" / "compare.md"
SMALL = {"k": [2, 4], "methods": ["add-greedy", "add-del"]}


@pytest.fixture(scope="module")
def town() -> Graph:
    graph = graphveil.generate(edges=250, seed=4)
    return graph.with_labels([f"secret member {number}" for number in range(graph.n)])


@pytest.fixture(scope="module")
def hamlet() -> Graph:
    """Small enough for tests of which cells are run, not of what they hold."""
    return graphveil.generate(edges=60, seed=4)


@pytest.fixture(scope="module")
def found(town, tmp_path_factory) -> tuple[Comparison, Path]:
    folder = tmp_path_factory.mktemp("comparison")
    comparison = compare(town, **SMALL, folder=folder)
    write_comparison(comparison, folder)
    return comparison, folder


@pytest.fixture
def counted(monkeypatch) -> list[dict]:
    """The cells that are really run."""
    run, measure = [], comparing._measure

    def counting(original, cell):
        run.append(cell)
        return measure(original, cell)

    monkeypatch.setattr(comparing, "_measure", counting)
    return run


# ---------------------------------------------------------------------- what a cell holds


def test_a_cell_holds_what_the_library_says_of_that_anonymization(town, found):
    cell = next(cell for cell in found[0].cells if (cell.method, cell.k) == ("add-del", 4))
    result = graphveil.anonymize(town, 4, method="add-del", seed=7)
    kept = graphveil.utility(town, result.graph)
    assert cell.promises == {"k-NMF": 4}
    assert cell.figures["added"] == len(result.added)
    assert cell.figures["changed_percent"] == kept.changed_percent
    for measure in kept.measures:
        assert cell.figures[measure.name] == measure.after
        assert cell.figures[f"{measure.name}_before"] == measure.before
    for agreement in kept.agreements:
        assert cell.figures[agreement.name] == agreement.value
    for attack in graphveil.simulate_attacks(town, result.graph):
        name = f"attack_{attack.name.replace('-', '_')}"
        assert cell.figures[f"{name}_certain"] == attack.after.certain
        assert cell.figures[f"{name}_expected_before"] == attack.before.expected


def test_no_label_gets_into_any_file(found):
    files = [path for path in found[1].rglob("*") if path.is_file()]
    assert len(files) == 4 + 8
    assert not [path for path in files if b"secret" in path.read_bytes() or b"member" in path.read_bytes()]


def test_csv_and_json_have_the_documented_names(found):
    comparison, folder = found
    document = json.loads((folder / "comparison.json").read_text())
    assert document == comparison.to_dict()
    assert document["schema"] == "graphveil/comparison/4"
    assert len(document["cells"]) == 4
    rows = list(csv.DictReader((folder / "comparison.csv").read_text().splitlines()))
    assert [(row["method"], int(row["k"])) for row in rows] == [(c.method, c.k) for c in comparison.cells]
    for row, cell in zip(rows, comparison.cells, strict=True):
        figures = {name: row[name] for name in cell.figures}
        assert figures == {name: "" if value is None else str(value) for name, value in cell.figures.items()}
    described = DOCS.read_text()
    for name in [*document, *document["cells"][0], *list(rows[0])[:9]]:
        assert f"`{name}`" in described, name


def test_liu_terzi_takes_the_degree_k_and_the_others_get_each(hamlet):
    comparison = compare(hamlet, [2, 3], methods=["add-del", "liu-terzi"], degree_k=[2, 4], quick=True)
    cells = [(cell.method, cell.k, cell.degree_k, cell.promises) for cell in comparison.cells]
    assert cells == [
        ("add-del", 2, 2, {"k-NMF": 2, "k-degree": 2}),
        ("add-del", 3, 2, {"k-NMF": 3, "k-degree": 2}),
        ("add-del", 2, 4, {"k-NMF": 2, "k-degree": 4}),
        ("add-del", 3, 4, {"k-NMF": 3, "k-degree": 4}),
        ("liu-terzi", 2, None, {"k-degree": 2}),
        ("liu-terzi", 4, None, {"k-degree": 4}),
    ]


@pytest.mark.slow
def test_all_means_all_methods_and_a_k_out_of_reach_is_no_end(tmp_path):
    bridge = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    comparison = compare(bridge, [2, 1000], folder=tmp_path)
    assert comparison.methods == tuple(METHODS)
    problems = {cell.k: cell.problem for cell in comparison.cells}
    assert problems[2] is None
    assert "out of reach" in problems[1000]
    write_comparison(comparison, tmp_path)
    assert any("out of reach" in sentence for sentence in comparison.recommendation)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"methods": ["magic"]}, "there is no method 'magic'"),
        ({"methods": []}, "no method is given"),
        ({"k": 1}, "k must be"),
        ({"repeats": 0}, "repeats must be"),
        ({"jobs": 0}, "jobs must be"),
    ],
)
def test_wrong_parameters_are_told(town, options, words):
    with pytest.raises(ParameterError, match=re.escape(words)):
        compare(town, **{"k": 2, "methods": "add-del"} | options)


def test_a_folder_with_other_things_is_left_alone(town, tmp_path):
    (tmp_path / "thesis.tex").write_text("dear")
    with pytest.raises(ParameterError, match="other things"):
        compare(town, 2, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


# ---------------------------------------------------------------------- the frontier


@pytest.fixture(scope="module")
def reduced(town, tmp_path_factory) -> tuple[Comparison, Path]:
    folder = tmp_path_factory.mktemp("reduced")
    how = {"k": 3, "methods": ["add-del", "plan"], "max_changes": [0.05], "friendship_k": 3, "quick": True}
    return compare(town, **how, attacker="degree", exposed_k=3, folder=folder), folder


def test_the_frontier_counts_people_as_the_audit_does(town, reduced):
    comparison, _ = reduced
    plan = graphveil.anonymize(town, 3, reduce="degree", reduce_k=3, max_changes=0.05, seed=7)
    exposed = graphveil.audit(plan.graph, 3)["degree"].exposures[0].people_share
    point = next(p for p in comparison.frontier if p.max_changes == 0.05 and not p.further)
    assert (point.changed, point.exposed) == (pytest.approx(plan.changed / town.m), exposed)
    assert comparison.exposed_before == graphveil.audit(town, 3)["degree"].exposures[0].people_share


def test_the_frontier_has_reductions_and_friendship_anonymity(reduced):
    comparison, _ = reduced
    about = [(p.method, p.further.get("friendship_k"), p.max_changes) for p in comparison.frontier]
    assert sorted(about, key=str) == sorted(
        [
            ("add-del", None, None),
            ("plan", None, None),
            ("plan", None, 0.05),
            ("plan", 3, None),
            ("plan", 3, 0.05),
        ],
        key=str,
    )
    assert comparison.recommendation[0] == "Take plan with k = 3 and friendship k = 3."
    assert best_choice(comparison).max_changes is None


def test_no_point_of_the_frontier_is_beaten_and_every_other_is(reduced):
    for attacker in ("degree", "several-friendships", "edge-degrees"):
        found = points(reduced[0].choices, attacker)
        best = [(p.changed, p.exposed) for p in found if p.best]
        for p in found:
            as_good = [b for b in best if b[0] <= p.changed and b[1] <= p.exposed]
            assert as_good == ([(p.changed, p.exposed)] if p.best else as_good)
            assert as_good


def test_another_attacker_runs_nothing_again(town, reduced, counted):
    how = {"k": 3, "methods": ["add-del", "plan"], "friendship_k": 3, "quick": True, "exposed_k": 3}
    again = compare(town, **how, attacker="mutual-friends-around", folder=reduced[1])
    assert not counted
    assert [p.exposed for p in again.frontier] != [p.exposed for p in reduced[0].frontier]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"attacker": "fame"}, "there is no attacker 'fame'"),
        ({"max_changes": 5}, "max_changes must be a share"),
        ({"max_changes": 0.05}, "Leave it out, or add plan to the methods"),
        (
            {"max_changes": 0.05, "attacker": "several-friendships", "methods": "plan"},
            "nothing can be reduced for the attacker 'several-friendships'",
        ),
        ({"exposed_k": 1}, "exposed_k must be"),
        ({"friendship_k": 1}, "friendship_k must be"),
    ],
)
def test_wrong_parameters_of_the_frontier_are_told(town, options, words):
    with pytest.raises(ParameterError, match=re.escape(words)):
        compare(town, **{"k": 2, "methods": "add-del"} | options)


# ---------------------------------------------------------------------- no cell twice


def test_only_what_is_missing_is_run(hamlet, tmp_path, counted):
    first = compare(hamlet, **SMALL, quick=True, folder=tmp_path)
    assert len(counted) == 4
    counted.clear()
    assert compare(hamlet, **SMALL, quick=True, folder=tmp_path) == first
    assert not counted
    next((tmp_path / "cells").glob("add-greedy-k4-*")).unlink()
    next((tmp_path / "cells").glob("add-del-k2-*")).write_text('{"half')
    again = compare(hamlet, **SMALL, quick=True, folder=tmp_path)
    assert [(cell["method"], cell["k"]) for cell in counted] == [("add-greedy", 4), ("add-del", 2)]
    assert again.to_dict() == first.to_dict()
    counted.clear()
    compare(hamlet, k=[2, 3, 4], methods="add-del", quick=True, folder=tmp_path)
    assert [cell["k"] for cell in counted] == [3]


def test_a_cell_of_anything_else_is_as_good_as_none(hamlet, tmp_path, counted, monkeypatch):
    compare(hamlet, 2, methods="add-del", folder=tmp_path, quick=True)
    path = next((tmp_path / "cells").iterdir())
    for change in (
        {"subject": {"graph": fingerprint(hamlet), "quick": "another"}},
        {"cell": {}},
        {"versions": {"graphveil": "0.0.0"}},
        {"schema": "graphveil/cell/0"},
        {"figures": []},
    ):
        path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
        counted.clear()
        compare(hamlet, 2, methods="add-del", folder=tmp_path, quick=True)
        assert len(counted) == 1, change
    counted.clear()
    for other in ({"quick": False}, {"seed": 8}):
        compare(hamlet, 2, methods="add-del", folder=tmp_path, **{"quick": True, **other})
    monkeypatch.setattr("graphveil.experiments.cells.__version__", "99")
    compare(hamlet, 2, methods="add-del", folder=tmp_path, quick=True)
    assert len(counted) == 3


def test_the_folder_of_another_graph_is_left_alone(town, tmp_path, counted):
    compare(town, 2, methods="add-del", folder=tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.json")}
    counted.clear()
    with pytest.raises(ParameterError, match="comparison of another graph"):
        compare(graphveil.generate(edges=250, seed=5), 2, methods="add-del", folder=tmp_path)
    assert not counted
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*.json")}


@pytest.mark.slow
def test_only_the_owner_can_read_any_of_it(town, tmp_path):
    folder = tmp_path / "deep" / "new"
    write_comparison(compare(town, 2, methods="add-del", folder=folder), folder)
    modes = {path.stat().st_mode & 0o777 for path in folder.rglob("*") if path.is_file()}
    assert modes == {0o600}
    assert [path.stat().st_mode & 0o777 for path in (folder, folder / "cells")] == [0o700, 0o700]


def test_a_search_that_was_interrupted_is_no_cell(town, tmp_path, monkeypatch):
    def interrupted(graph, **how):
        return replace(graphveil.anonymize(graph, **how), interrupted=True)

    monkeypatch.setattr(comparing, "anonymize", interrupted)
    with pytest.raises(KeyboardInterrupt):
        compare(town, 2, methods="plan", folder=tmp_path)
    assert not list((tmp_path / "cells").iterdir())


@pytest.mark.slow
def test_a_search_that_its_budget_ended_says_so(town, tmp_path, monkeypatch):
    def hurried(graph, **how):
        return graphveil.anonymize(graph, **how, budget=1e-9)

    monkeypatch.setattr(comparing, "anonymize", hurried)
    comparison = compare(town, 4, methods="plan", folder=tmp_path)
    assert "budget" in comparison.cells[0].notes[0]
    assert comparison.choices[0].notes == tuple(comparison.cells[0].notes)
    assert compare(town, 4, methods="plan", folder=tmp_path) == comparison
    assert "budget" in comparison.to_dict()["cells"][0]["notes"][0]
    write_comparison(comparison, tmp_path)
    (row,) = csv.DictReader((tmp_path / "comparison.csv").open())
    assert "budget" in row["notes"]


def test_it_is_told_how_far_the_original_is(town):
    told = []
    compare(town, 2, methods="add-del", measuring=lambda *given: told.append(given))
    assert told[0] == ("path lengths", 0)
    assert {what for what, _ in told} >= {"betweenness", "communities"}


def test_repeats_are_further_seeds(hamlet, tmp_path, counted):
    compare(hamlet, 3, methods="add-del", folder=tmp_path, quick=True)
    comparison = compare(hamlet, 3, methods="add-del", folder=tmp_path, quick=True, repeats=2)
    assert [cell["seed"] for cell in counted] == [7, 8]
    (choice,) = comparison.choices
    assert choice.mean("added") == sum(cell.figures["added"] for cell in comparison.cells) / 2


@pytest.mark.slow
def test_the_same_in_other_processes_to_the_byte(town, found, tmp_path):
    write_comparison(compare(town, **SMALL, folder=tmp_path, jobs=2), tmp_path)
    for path in found[1].iterdir():
        if path.is_file():
            assert (tmp_path / path.name).read_bytes() == path.read_bytes(), path.name


def test_a_fingerprint_is_of_the_edges():
    a, b = Graph.from_edges([(0, 1), (1, 2)]), Graph.from_edges([(0, 1), (0, 2)])
    assert fingerprint(a) == fingerprint(a.with_labels(["x", "y", "z"]))
    assert len({fingerprint(each) for each in (a, b, Graph(a.edges, 4))}) == 3


INTERRUPTED = """
import sys, time
from pathlib import Path
from graphveil.experiments.cells import Cells, run_cells
from graphveil.stopping import stoppable

def work(shared, cell):
    time.sleep(cell["seconds"])
    return {"done": shared}

def told(now, of):
    print(now, flush=True)

if __name__ == "__main__":
    cells = [{"seconds": 0}, {"seconds": 600}, {"seconds": 601}]
    with stoppable():
        run_cells(cells, work, lambda: 1, Cells(Path(sys.argv[1]), {}), jobs=2, told=told)
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_process_outlives_the_one_that_started_it(tmp_path, how):
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    (tmp_path / "cells").mkdir()
    process = subprocess.Popen(
        [sys.executable, script, tmp_path],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert [process.stdout.readline() for _ in range(3)] == ["0\n", "0\n", "1\n"]
    process.send_signal(how)
    process.wait(timeout=60)
    deadline = time.monotonic() + 60
    while _alive(process.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not _alive(process.pid)
    cells = [{"seconds": 0}, {"seconds": 600}]
    kept = Cells(tmp_path, {})
    assert [kept.load(cell) for cell in cells] == [{"done": 1}, None]


def test_what_is_started_while_deaf_to_ctrl_c_stays_so_and_nothing_is_lost():
    program = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"

    def ask() -> str:
        return subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True
        ).stdout

    def deaf() -> None:
        with deaf_processes():
            signal.raise_signal(signal.SIGINT)
            said.append(ask())

    said: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        deaf()
    assert (*said, ask()) == ("True\n", "False\n")


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_worker_that_is_gone_is_told():
    with pytest.raises(graphveil.GraphveilError, match="ended from outside"):
        run_cells([3, 4], operator.call, lambda: os._exit, Cells(None, {}), jobs=2)


# ---------------------------------------------------------------------- what is said


def cell(method: str, k: int, percent: float, **figures: float) -> Cell:
    usual = {
        "changed_percent": percent,
        "new_vertices": 0,
        "average_clustering": 0.17 + percent / 100,
        "average_clustering_before": 0.17,
        "average_path_length": 4.9,
        "average_path_length_before": 4.9,
        "betweenness_rank": 1 - percent / 100,
        "communities": 1 - percent / 100,
        "communities_unchanged": 1.0,
    }
    promises = {"k-degree": k} if method == "liu-terzi" else {"k-NMF": k}
    return Cell(method, k, None, 7, promises, None, {**usual, **figures}, 0.0)


def comparison_of(*cells: Cell, **rule: Any) -> Comparison:
    ks = tuple(sorted({each.k for each in cells}))
    methods = tuple(dict.fromkeys(each.method for each in cells))
    return Comparison(100, 1000, ks, methods, (), (7,), False, cells, **rule)


def test_of_equals_the_usual_method_is_recommended():
    equal = [cell(method, 5, 0.5) for method in ("add-del", "plan")]
    assert comparison_of(*equal).recommendation[0] == "Take plan with k = 5."
    assert comparison_of(equal[0]).recommendation[0] == "Take add-del with k = 5."


def test_fewest_changes_win_unless_the_aim_is_risk():
    risky = cell("plan", 5, 0.3, attack_degree_expected=0.5)
    safer = cell("add-del", 5, 0.9, attack_degree_expected=0.4)
    assert comparison_of(risky, safer).recommendation[0] == "Take plan with k = 5."
    assert comparison_of(risky, safer, aim="least-risk").recommendation[0] == "Take add-del with k = 5."
    alike = cell("add-del", 5, 0.9, attack_degree_expected=0.495)
    assert comparison_of(risky, alike, aim="least-risk").recommendation[0] == "Take plan with k = 5."
    useless = cell("add-del", 5, 9.0, attack_degree_expected=0.1)
    assert comparison_of(risky, useless, aim="least-risk").recommendation[0] == "Take plan with k = 5."
    assert (
        comparison_of(risky, useless, aim="least-risk", useful=0.8)
        .recommendation[0]
        .startswith("Take add-del")
    )


def test_better_agreement_than_unchanged_is_no_loss():
    mark = {"communities_unchanged": 0.7}
    (better,) = comparison_of(cell("plan", 5, 0.0, communities=0.84, **mark)).choices
    (same,) = comparison_of(cell("plan", 5, 0.0, communities=0.7, **mark)).choices
    assert usefulness(better) == usefulness(same) == 1


def test_communities_that_are_none_do_not_count():
    (choice,) = comparison_of(cell("plan", 5, 0.0, communities=0.2, communities_unchanged=0.45)).choices
    assert usefulness(choice) == 1


def test_an_unknown_aim_is_refused():
    with pytest.raises(graphveil.ParameterError, match="choose fewest-changes or least-risk"):
        graphveil.compare(graphveil.generate(edges=60, seed=1), k=2, aim="fame")


def test_the_best_choice_is_the_largest_useful_k():
    cells = [
        cell("add-greedy", 5, 0.5),
        cell("add-del", 5, 0.3),
        cell("add-del", 25, 0.9),
        cell("plan", 50, 9.0),
    ]
    best = best_choice(comparison_of(*cells))
    assert (best.method, best.k) == ("add-del", 25)
    poor = comparison_of(cell("add-del", 5, 9.0), cell("plan", 5, 8.0), cell("plan", 9, 10.0))
    assert (best_choice(poor).method, best_choice(poor).k) == ("plan", 5)
    assert "no choice keeps 95 % usefulness" in poor.recommendation[1]
    assert best_choice(comparison_of(cell("liu-terzi", 5, 0.1))) is None


def test_the_reason_says_what_decided():
    apart = [
        cell("plan", 5, 0.2, attack_degree_expected=0.5),
        cell("add-del", 5, 0.5, attack_degree_expected=0.3),
    ]
    assert comparison_of(*apart).recommendation[1].endswith("At this k, plan changes the least.")
    assert "leaves the least remaining risk" in comparison_of(*apart, aim="least-risk").recommendation[1]
    assert comparison_of(cell("plan", 5, 0.2)).recommendation[1].endswith("keeps 95 % usefulness.")


def test_usefulness_is_the_mean_of_four_agreements():
    (choice,) = comparison_of(
        cell(
            "plan",
            5,
            10.0,
            average_clustering=0.17 * 0.8,
            average_path_length=4.9 * 1.1,
            communities=0.6,
            communities_unchanged=0.8,
        )
    ).choices
    assert usefulness(choice) == pytest.approx((0.8 + 0.9 + 0.9 + 0.75) / 4)


def test_at_a_single_k_no_mark_hides_another():
    looks = plots.looks(2)
    series = [plots.Series(name, [10], [2.6234], look) for name, look in zip("ab", looks, strict=True)]
    (axes,) = plots.small_multiples([plots.Panel("Path length", "k", "steps", series, 2.6235)]).axes
    marks = [line.get_xdata()[0] for line in axes.lines if line.get_label() in ("a", "b")]
    assert len(set(marks)) == 2
    low, high = axes.get_ylim()
    assert high - low > 0.02, "a difference in the fourth digit fills no figure"
    assert axes.get_xlabel() == "k = 10"


def test_liu_terzi_is_never_recommended():
    said = comparison_of(cell("liu-terzi", 5, 0.1), cell("add-del", 5, 0.3)).recommendation
    assert said[0].startswith("Take add-del")
    assert "liu-terzi" not in " ".join(said)
    assert "none is recommended" in comparison_of(cell("liu-terzi", 5, 0.1)).recommendation[0]


def test_what_each_k_buys_and_what_stays_open_is_said():
    figures = {"attack_edge_degrees_expected": 0.12, "attack_edge_degrees_expected_before": 0.7}
    said = comparison_of(cell("add-del", 5, 0.3, **figures)).recommendation
    assert "with probability at most 1/5" in said[2]
    assert "(edge degrees) still finds 12 % (before: 70 %)" in said[2]
    assert "similar graph" in said[-1]
    told = comparison_of(cell("add-del", 5, 0.3, added_edges_jaccard=0.1)).recommendation
    assert "with AUC 0.90" in told[-2]
