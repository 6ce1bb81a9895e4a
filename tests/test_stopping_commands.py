"""Ctrl-C as a person presses it: real signals to real processes, in the middle of a kernel that runs on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commands import told
from graphveil import generate, write

# The first count of mutual friends says that it has begun, and goes on for a moment as a long kernel does.
SLOW = """
import os, signal, sys, time
from graphveil import counting
oriented = counting.oriented
def slowly(*given):
    counting.oriented = oriented
    print("counting", flush=True)
    end = time.monotonic() + float(os.environ["SECONDS"])
    while time.monotonic() < end:
        time.sleep(0.01)
    return oriented(*given)
counting.oriented = slowly
"""
COMMAND = SLOW + "from graphveil.cli import main\nsys.exit(main())"
PUBLISH = (
    SLOW
    + """
import graphveil
result = graphveil.anonymize(graphveil.read(sys.argv[1]), 3, method="add-greedy", seed=2**100)
counting.oriented = slowly
result.graph.__dict__.pop("mutual_friends", None)
try:
    graphveil.publish(result, sys.argv[2])
except KeyboardInterrupt as stopped:
    print(type(stopped).__name__, signal.getsignal(signal.SIGINT) is signal.default_int_handler)
"""
)


@pytest.fixture(scope="module")
def town(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("town") / "town.csv"
    write(generate(edges=300, seed=4), path)
    return path


def begun(program: str, *arguments: object, seconds: float) -> subprocess.Popen[str]:
    """A process in the middle of its first count."""
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SECONDS": str(seconds)},
    )
    assert process.stdout.readline() == "counting\n", process.stderr.read()
    return process


@pytest.mark.parametrize(
    "command",
    [
        ("audit",),
        ("utility", "{town}", "--quick"),
        ("anonymize", "-o", "{out}", "--method", "plan"),
        ("compare", "-k", "3", "--quick", "--jobs", "1", "-o", "{out}"),
    ],
    ids=lambda command: command[0],
)
def test_ctrl_c_is_answered_at_once_and_leaves_nothing(command, town, tmp_path):
    name, *options = (word.format(town=town, out=tmp_path / "out") for word in command)
    process = begun(COMMAND, name, town, *options, seconds=0.5)
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    lines = [line for line in told(said) if not line.startswith("Compiling")]
    assert process.returncode == 130, said
    assert lines[0].startswith("stopping …")
    assert lines[-1] == "graphveil: interrupted, nothing was written"
    assert "Traceback" not in said
    assert not out
    assert not [*tmp_path.iterdir()]


def test_a_second_ctrl_c_does_not_wait(town):
    process = begun(COMMAND, "audit", town, seconds=600)
    process.send_signal(signal.SIGINT)
    while not process.stderr.readline().startswith("stopping"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == "graphveil: interrupted, nothing was written\n"


def test_publishing_stops_with_nothing_written_and_the_handler_as_it_was(town, tmp_path):
    process = begun(PUBLISH, town, tmp_path / "out", seconds=0.5)
    assert process.stdout.readline() == "counting\n"
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, "Stopped True\n"), said
    assert not [*tmp_path.iterdir()]
