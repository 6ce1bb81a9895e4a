"""``graphveil utility`` and ``graphveil compare``, as they are typed."""

from __future__ import annotations

import json
import shlex
import shutil
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import graphveil
from commands import told
from graphveil.cli import cells, main
from terminals import on_a_terminal


@pytest.fixture(scope="module")
def town(tmp_path_factory) -> Path:
    """A graph with names, as a file."""
    path = tmp_path_factory.mktemp("town") / "town.csv"
    graph = graphveil.generate(edges=200, seed=4)
    graphveil.write(graph.with_labels([f"member {number}" for number in range(graph.n)]), path)
    return path


@pytest.fixture(scope="module")
def after(town) -> Path:
    """The same after ADD&DEL at k = 4, under the same names."""
    path = town.with_name("after.csv")
    graphveil.write(graphveil.anonymize(graphveil.read(town), 4, seed=7).graph, path)
    return path


@pytest.fixture(scope="module")
def published(town) -> Path:
    """The same as a published folder."""
    folder = town.with_name("out")
    graphveil.publish(graphveil.anonymize(graphveil.read(town), 4, seed=7), folder)
    return folder


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


# ---------------------------------------------------------------------- utility


def test_two_files_are_compared(town, after, capsys):
    assert run("utility", town, after) == 0
    said = capsys.readouterr()
    assert not told(said.err)
    for words in (
        "before: ",
        "average clustering",
        "betweenness: top 1 % kept",
        "eigenvalue of the Laplacian, no. 3",
        "how many mutual friends two friends have",
    ):
        assert words in said.out
    assert "guaranteed" not in said.out, "nobody knows what is guaranteed for a file"
    assert "–" not in said.out.split("How far")[0], "every measure is defined on this graph"
    assert (
        max(
            len(line.rstrip()) for line in said.out.split("Can added friendships be detected")[0].splitlines()
        )
        <= 90
    )


def test_json_is_the_schema_and_nothing_else(town, after, capsys):
    assert run("utility", town, after, "--json", "--quick", "--seed", 3) == 0
    document = json.loads(capsys.readouterr().out)
    kept = graphveil.utility(graphveil.read(town), graphveil.read(after), quick=True, seed=3)
    attacks = [
        each.to_dict() for each in graphveil.simulate_attacks(graphveil.read(town), graphveil.read(after))
    ]
    assert document == json.loads(json.dumps({**kept.to_dict(), "attacks": attacks}))


def test_a_published_folder_is_read_under_its_original_names(town, after, published, capsys):
    assert run("utility", town, published, "--json") == 0
    from_folder = json.loads(capsys.readouterr().out)
    assert run("utility", town, after, "--json") == 0
    assert from_folder == json.loads(capsys.readouterr().out)


def test_what_is_guaranteed_is_what_the_certificate_says(town, published, capsys):
    assert run("utility", town, published, "--quick") == 0
    rows = capsys.readouterr().out.split("Simulated attackers")[1].splitlines()
    assert any("guaranteed" in row for row in rows)
    mutual, degree = (
        next(row for row in rows if words in row) for words in ("mutual friends two", "friends a person")
    )
    assert "k = 4" in mutual
    assert " no " in degree


def test_pseudonyms_are_no_names(town, published, tmp_path, capsys):
    graph = published / "public" / "graph.txt"
    assert run("utility", town, graph) == 2
    assert "under pseudonyms, give the published folder" in capsys.readouterr().err
    numbers = tmp_path / "numbers.txt"
    graphveil.write(graphveil.read(town).with_labels(), numbers)
    assert run("utility", numbers, graph) == 2, "the same numbers, but of other people"
    assert "do not correspond" in capsys.readouterr().err


def test_a_folder_that_does_not_say_who_is_who_is_refused(town, published, tmp_path, capsys):
    alone = tmp_path / "alone"
    shutil.copytree(published / "public", alone / "public")
    several = tmp_path / "several"
    for k in (3, 4):
        shutil.copytree(published / "public", several / f"k{k}" / "public")
    for folder, words in ((alone, "private part"), (several, "k3, k4"), (tmp_path, "no certificate")):
        assert run("utility", town, folder) == 2
        said = capsys.readouterr().err
        assert words in said
        assert len(told(said)) == 1


def test_more_than_all_friendships_changed_is_written_in_plain_digits(tmp_path, capsys):
    for name, pairs in (("a", [(0, 1), (1, 2)]), ("b", [(0, 2), (0, 3), (1, 3), (2, 3), (0, 4)])):
        (tmp_path / name).write_text("".join(f"{u} {v}\n" for u, v in pairs))
    assert run("utility", tmp_path / "a", tmp_path / "b") == 0
    assert ", 350 % of the friendships changed" in capsys.readouterr().out


@pytest.mark.slow
def test_quick_is_suggested_where_exact_figures_take_long(town, after, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(import_module("graphveil.cli.utility"), "LONG", 10)
    small = ("-k", "2", "--methods", "add-del", "--jobs", "1", "-o", tmp_path / "c")
    report = ("-k", "2", "--report", "full", "-o", tmp_path / "o")
    for arguments, how in (
        (("utility", town, after), "--quick"),
        (("compare", town, *small), "--quick"),
        (("anonymize", town, *report), "--report quick"),
    ):
        assert run(*arguments) == 0
        assert f"take minutes or more. {how} samples them" in capsys.readouterr().err
    assert run("utility", town, after, "--quick") == 0
    assert "minutes" not in capsys.readouterr().err


TOLD = """
import time
from graphveil.cli import terminal
terminal.PATIENCE = 0
with terminal.stage("Measuring both graphs") as told:
    for measure, share in (("betweenness", 0.0), ("betweenness", 0.25), ("everything", 1.0)):
        told(measure, share)
        time.sleep(0.5)
"""


def test_a_terminal_shows_what_is_measured():
    shown = on_a_terminal([sys.executable, "-c", TOLD])
    places = [
        shown.rindex(words)
        for words in (b"Measuring betweenness", b"betweenness, 25%", b"Measuring both graphs")
    ]
    assert places == sorted(places)


# ---------------------------------------------------------------------- compare

QUICK = ("-k", "2,4", "--methods", "add-greedy, add-del", "--quick", "--jobs", "1")


@pytest.mark.slow
def test_a_comparison_is_shown_and_written_and_goes_on(town, tmp_path, capsys):
    out = tmp_path / "new" / "comparison"
    assert run("compare", town, *QUICK, "-o", out) == 0
    said = capsys.readouterr()
    assert "Take add-" in said.out
    assert "k = 4 with add-" in said.out
    assert "found in" not in said.err
    names = {
        "attacks.png",
        "attacks.svg",
        "cells",
        "comparison.csv",
        "comparison.json",
        "frontier.png",
        "frontier.svg",
        "utility.png",
        "utility.svg",
    }
    assert {path.name for path in out.iterdir()} == names
    assert run("compare", town, *QUICK, "-o", out, "--json") == 0
    again = capsys.readouterr()
    assert "4 cells of 4 found in" in again.err
    assert json.loads(again.out) == json.loads((out / "comparison.json").read_text())
    assert "member" not in said.out + again.out


@pytest.mark.slow
def test_the_next_command_is_said_and_does_it(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    source = tmp_path / "it's a town;.csv"
    graphveil.write(graphveil.generate(edges=200, seed=4), source)
    source.write_text(source.read_text().replace(",", ";"))
    options = ("--delimiter", ";", "--columns", "0,1", "--no-quotes", "--from", "csv")
    compared = [word if word != "--from" else "--format" for word in options]
    assert run("compare", source, *QUICK, *compared, "-o", tmp_path / "c") == 0
    command = shlex.split(capsys.readouterr().out.split("Next: ")[1])
    assert command[:3] == ["graphveil", "anonymize", str(source)]
    assert set(options) <= set(command)
    assert command[-2:] == ["-o", "out2"]
    assert run(*command[1:]) == 0


def test_a_comparison_of_another_graph_is_refused(town, after, tmp_path, capsys):
    arguments = ("-k", "2", "--methods", "add-del", "--jobs", "1", "-o", tmp_path / "c")
    assert run("compare", town, *arguments) == 0
    kept = {path: path.read_bytes() for path in (tmp_path / "c").rglob("*") if path.is_file()}
    capsys.readouterr()
    assert run("compare", after, *arguments) == 2
    said = capsys.readouterr().err
    assert "comparison of another graph. Name another folder." in said
    assert len(told(said)) == 1
    assert kept == {path: path.read_bytes() for path in (tmp_path / "c").rglob("*") if path.is_file()}


def test_mistakes_cost_no_work_and_leave_nothing(town, tmp_path, capsys):
    (tmp_path / "thesis.tex").write_text("dear")
    out = tmp_path / "out"
    for arguments, words in (
        ((town, "-o", out, "--methods", "magic"), "there is no method 'magic'"),
        ((town, "-o", out, "-k", "x"), "k must be"),
        ((town, "-o", tmp_path), "other things"),
        ((town, "-o", town / "x"), "Not a directory"),
        ((town,), "output"),
    ):
        assert run("compare", *arguments) == 2
        said = capsys.readouterr()
        assert words in said.err
        assert said.err.count("\n") == 1
        assert not said.out
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


SLOW = """
import sys, time
from graphveil.experiments.comparison import comparing
from graphveil.stopping import check
measure, run = comparing._measure, []
def slow(original, cell):
    if run:
        print("second", flush=True)
        while True:
            time.sleep(0.05)
            check()
    run.append(cell)
    return measure(original, cell)
comparing._measure = slow
from graphveil.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_finished_and_says_so(town, tmp_path, capsys):
    out = tmp_path / "out"
    arguments = ["compare", str(town), *QUICK, "-o", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "second\n"
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted; 1 of 4 cells are kept in" in said
    assert "Traceback" not in said
    assert len(list((out / "cells").iterdir())) == 1
    assert main(arguments) == 0
    assert "1 cell of 4 found in" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["compare", "reproduce"])
def test_ctrl_c_before_the_first_cell_leaves_no_folder(town, tmp_path, capsys, monkeypatch, command):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("graphveil.cli.reading.Source.read", interrupted)
    mine = tmp_path / "mine"
    mine.mkdir()
    for out in (tmp_path / "out", mine):
        assert main([command, str(town), "-o", str(out)]) == 130
        assert "interrupted, nothing was written" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert not list(mine.iterdir())


@pytest.mark.slow
def test_a_terminal_shows_how_many_cells_are_done(town, tmp_path):
    shown = on_a_terminal(
        [sys.executable, "-m", "graphveil", "compare", town, *QUICK, "-o", tmp_path / "out"]
    )
    assert b"Comparing" in shown
    assert b"/4" in shown


def test_all_cores_are_at_least_one():
    assert cells.all_cores() >= 1
