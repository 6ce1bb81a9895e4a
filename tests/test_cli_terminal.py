"""What a terminal gets: colours, tables that fit, signs of life, and no label that steers it."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import time

import pytest

import commands
import graphveil
from commands import graphveil_process
from graphveil.cli import main, terminal
from terminals import on_a_terminal

EVIL = "Ev\x1b[31mil"
TURNED = "Ma\u202ellory"
MARKUP = "[bold]Eve[/bold] :smile:"
friends = commands.friends  # pytest finds fixtures by their names here


def test_labels_cannot_steer_the_terminal(tmp_path, capsys):
    path = tmp_path / "hostile.csv"
    path.write_text(f"Alice,{EVIL}\nAlice,{TURNED}\nAlice,{MARKUP}\nAlice,{'x' * 10_000}\n", encoding="utf-8")
    assert main(["audit", str(path), "-k", "9"]) == 0
    shown = capsys.readouterr().out
    assert r"Ev\x1b[31mil" in shown
    assert r"Ma\u202ellory" in shown
    assert MARKUP in shown
    assert max(map(len, shown.splitlines())) <= terminal.PIPED_WIDTH
    assert all(line.isprintable() for line in shown.splitlines())
    assert main(["audit", str(path), "-k", "9", "--json"]) == 0
    assert EVIL in json.loads(capsys.readouterr().out)["attackers"][0]["most_exposed"][0]["labels"]


@pytest.mark.slow
def test_colours_on_a_terminal_only_and_none_if_not_wanted(friends):
    colour = b"\x1b["
    arguments = ["verify", friends, "-k", "2"]
    command = [sys.executable, "-m", "graphveil", *arguments]
    assert colour in on_a_terminal(command, output=True, exit_code=1)
    assert b"\x1b[31m" not in on_a_terminal(command, output=True, exit_code=1, NO_COLOR="1")
    assert colour not in graphveil_process(*arguments).stdout.encode()


def test_tables_fit_a_terminal_of_80_columns(friends):
    command = [sys.executable, "-m", "graphveil", "audit", friends, "-k", "5,1000"]
    shown = on_a_terminal(command, output=True, NO_COLOR="1", TERM="dumb")
    lines = shown.decode().split("\r\n")
    assert any("Alice – Bob" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_poor_encoding_is_enough(friends):
    done = graphveil_process(
        "audit", friends, env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    )
    assert done.returncode == 0
    assert "####" in done.stdout


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("patience", "spins"), [(0, True), (60, False)])
def test_a_sign_of_life_only_for_long_work(patience, spins, monkeypatch):
    monkeypatch.setattr(terminal, "PATIENCE", patience)
    monkeypatch.setattr(sys, "stderr", FakeTerminal())
    monkeypatch.setenv("TERM", "xterm")
    with terminal.stage("Reading"):
        time.sleep(0.3)
    assert ("Reading" in sys.stderr.getvalue()) == spins  # type: ignore[attr-defined]


def test_no_sign_of_life_in_a_pipe(monkeypatch, capsys):
    monkeypatch.setattr(terminal, "PATIENCE", 0)
    with terminal.stage("Reading"):
        time.sleep(0.1)
    assert capsys.readouterr() == ("", "")


def test_compilation_is_announced_once():
    script = """
import numba
from graphveil.cli import terminal
for number in range(2):
    terminal.announce_compilation()
    numba.njit(lambda x: x + number)(1)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    (line,) = done.stderr.splitlines()
    assert re.fullmatch(terminal.COMPILING.replace("{seconds:.0f}", "[0-9]+"), line)


def test_a_live_line_tells_of_compilation_with_a_bar_and_an_estimate():
    script = """
import time
import numba
from graphveil.cli import terminal
terminal.PATIENCE = 0
terminal.announce_compilation()
with terminal.stage("Reading"):
    time.sleep(0.3)
    numba.njit(lambda x: x + sum([y * y for y in range(x)]))(1)
"""
    shown = on_a_terminal([sys.executable, "-c", script]).decode()
    assert re.search("Compiling, only this time [█░]{20} about [0-9]+ s left", shown)
    assert "Reading" in shown
    assert "Ahead of time" not in shown  # the line says it already


@pytest.mark.parametrize(
    "command", [["--help"], ["anonymize", "--help"], ["compile", "--help"], ["--version"]]
)
def test_help_compiles_nothing(command):
    script = f"import sys; from graphveil.cli import main; main({command}); sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)


@pytest.mark.parametrize("command", [["convert", "{0}", "{1}"], ["verify", "{0}", "-k", "2"]])
def test_small_files_are_converted_and_verified_without_a_kernel(tmp_path, command):
    file = tmp_path / "town.txt"
    graphveil.write(graphveil.generate(edges=3_000, seed=4).with_labels(), file)
    given = [word.format(file, tmp_path / "town.csv") for word in command]
    script = f"import sys; from graphveil.cli import main; main({given}); sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def test_histogram_counts_every_edge_once():
    counts = [(value, value % 7 + 1) for value in range(0, 3000, 3)]
    assert sum(sum(sizes) for _, sizes in terminal._bins(counts)) == sum(edges for _, edges in counts)
    names = [name for name, _ in terminal._bins(counts)]
    assert names == [
        "0",
        "3",
        "5–9",
        "10–19",
        "20–49",
        "50–99",
        "100–199",
        "200–499",
        "500–999",
        "1,000–1,999",
        "2,000–4,999",
    ]
