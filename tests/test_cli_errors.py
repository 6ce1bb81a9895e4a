"""Commands that go wrong: one line, the right exit code, and no harm from pipes, closed streams and Ctrl-C."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import commands
import graphveil
from commands import one_line
from graphveil.cli import main, streams

friends = commands.friends  # pytest finds fixtures by their names here


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "nowhere.csv"],
        ["audit", "."],
        ["audit", "new\nline\x1b[2J.csv"],
        ["audit", "x", "-k", "0"],
        ["audit", "x", "-k", "-3"],
        ["audit", "x", "-k", "two"],
        ["audit", "x", "-k", "1.5"],
        ["audit", "x", "-k", "5,"],
        ["audit", "x", "--top", "-1"],
        ["audit", "x", "--format", "docx"],
        ["audit", "x", "--bogus"],
        ["audit"],
        ["audit", "x", "y"],
        ["verify", "x", "--degree-k", "0"],
        ["generate"],
        ["generate", "--edges", "many", "-o", "x"],
        ["frobnicate"],
    ],
)
def test_a_wrong_command_is_one_line_and_exit_code_2(arguments, capsys):
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert one_line(shown.err).startswith("graphveil: error: ")
    assert shown.err.strip().isprintable()


def test_huge_k_is_no_problem(friends):
    assert main(["audit", friends, "-k", "9" * 30]) == 0
    assert main(["verify", friends, "-k", "9" * 30]) == 1


@pytest.mark.parametrize(
    ("problem", "code", "words"),
    [
        (KeyboardInterrupt(), 130, "graphveil: interrupted, nothing was written\n"),
        (MemoryError(), 2, "graphveil: error: this graph needs more memory than this machine gives\n"),
        (
            OSError(28, "No space left on device", "/out"),
            2,
            "graphveil: error: /out: No space left on device\n",
        ),
        (graphveil.UnreachableError("no such graph"), 2, "graphveil: error: no such graph\n"),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_what_goes_wrong_during_the_work(friends, problem, code, words, monkeypatch, capsys):
    def fail(*_, **__):
        raise problem

    monkeypatch.setattr(graphveil, "audit", fail)
    monkeypatch.setattr(streams, "abandon_output", lambda: None)
    assert main(["audit", friends]) == code
    assert capsys.readouterr().err == words


def test_a_bug_is_shown_whole_and_asks_for_a_report(friends, monkeypatch, capsys):
    monkeypatch.setattr(graphveil, "audit", lambda *_, **__: 1 / 0)
    assert main(["audit", friends]) == 70
    shown = capsys.readouterr().err
    assert "ZeroDivisionError" in shown
    assert "this is a bug in graphveil" in shown.splitlines()[-1]


def test_a_warning_is_one_line_and_said_once(capsys, monkeypatch):
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    streams.prepare()
    for _ in range(2):
        warnings.showwarning(RuntimeWarning("no cache folder"), RuntimeWarning, "file.py", 1)
    assert capsys.readouterr().err == "graphveil: warning: no cache folder\n"


def test_a_broken_pipe_is_silent():
    process = subprocess.Popen(
        [sys.executable, "-m", "graphveil", "demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = [line for line in process.stderr.read().splitlines() if not line.startswith(b"Compiling")]
    assert (process.wait(), errors) == (141, [])


def test_closed_streams_do_no_harm():
    command = f"{sys.executable} -m graphveil"
    assert subprocess.run(f"{command} --version >&-", shell=True, check=False).returncode == 0
    assert subprocess.run(f"{command} bogus 2>&-", shell=True, check=False).returncode == 2
    if Path("/dev/full").exists():
        full = subprocess.run(
            f"{command} --version > /dev/full", shell=True, capture_output=True, check=False
        )
        assert (full.returncode, full.stderr) == (2, b"graphveil: error: output: No space left on device\n")
