"""Ctrl-C as a person presses it: real signals to real processes, in the middle of a kernel that runs on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from commands import told
from graphveil import generate, write

# The first count of mutual friends says that it has begun, and goes on for a moment as a long kernel does.
SLOW = """
import os, signal, sys, time
from graphveil import counting
counting.FEW = 0  # the small graphs of these tests are counted as large ones are
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

WRITE = """
import os, sys, time
from graphveil.publication import writing
facts_of = writing.facts_of
def slowly(*given):
    print("counting", flush=True)
    time.sleep(float(os.environ["SECONDS"]))
    return facts_of(*given)
writing.facts_of = slowly
from graphveil.cli import main
sys.argv[1:] = ["anonymize", sys.argv[1], "-o", sys.argv[2], "--method", "add-greedy"]
sys.exit(main())
"""


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
        preexec_fn=lambda: signal.signal(
            signal.SIGHUP, signal.SIG_DFL
        ),  # which nohup has its children ignore
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


@pytest.mark.parametrize("method", ["plan", "add-greedy"])
def test_sigterm_leaves_nothing_either(method, town, tmp_path):
    """While the folder aside is there; `plan` does not publish the best graph so far."""
    process = begun(COMMAND, "anonymize", town, "-o", tmp_path / "out", "--method", method, seconds=0.5)
    process.send_signal(signal.SIGTERM)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 143, said
    assert told(said)[-1] == "graphveil: interrupted, nothing was written"
    assert not out
    assert not [*tmp_path.iterdir()]


def test_sigterm_while_publishing_leaves_no_folder_aside(town, tmp_path):
    process = begun(WRITE, town, tmp_path / "out", seconds=0.5)
    assert [path.name[:11] for path in tmp_path.iterdir()] == [".graphveil-"]
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 143, said
    assert "Traceback" not in said
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_what_is_kept_is_the_last_that_is_said(sent, code, town, tmp_path):
    command = ("compare", town, "-k", "3,4,5,6,7,8", "--quick", "--jobs", "1", "-o", tmp_path / "out")
    process = begun(COMMAND, *command, seconds=0)
    while len([*tmp_path.glob("out/cells/*")]) < 2:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(sent)
    _, said = process.communicate(timeout=120)
    assert process.returncode == code, said
    assert "are kept in" in told(said)[-1]


def test_a_second_sigterm_does_not_wait(town):
    process = begun(COMMAND, "audit", town, seconds=600)
    process.send_signal(signal.SIGTERM)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=0.3)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 143
    assert told(said)[-1] == "graphveil: interrupted, nothing was written"


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


def test_a_closed_terminal_ends_a_command(town):
    process = begun(COMMAND, "audit", town, seconds=5)
    process.send_signal(signal.SIGHUP)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 129
    assert told(said)[-1] == "graphveil: interrupted, nothing was written"


@pytest.mark.slow
def test_ctrl_c_at_any_time_of_the_start_prints_no_traceback(town):
    """Before Python has begun with the program, and while it reads its own modules, nobody can answer."""
    program = "import sys\nfrom graphveil.__main__ import main\nsys.exit(main())"
    for delay in np.random.default_rng(7).uniform(0.05, 1, 40):
        process = subprocess.Popen(
            [sys.executable, "-c", program, "audit", town],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode in (130, 1, -signal.SIGINT, 0), said
        assert "Traceback" not in said or "graphveil" not in said, said
