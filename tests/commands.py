"""Commands as processes, what they say, and the friends of the demo as their input."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from graphveil.cli import story as demo


def graphveil_process(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "graphveil", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]


@pytest.fixture
def friends(tmp_path: Path) -> str:
    """The eight friends of the demo as a file: 4 and 3 mutual friends occur once, 0 twice, 2 four, 1 six times."""
    path = tmp_path / "friends.csv"
    path.write_text("\n".join(f"{a},{b}" for a, b in named_pairs()) + "\n")
    return str(path)


def named_pairs() -> list[list[str]]:
    return [pair.split() for pair in demo.FRIENDSHIPS.split(",")]


def one_line(text: str) -> str:
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    return text


def told(text: str) -> list[str]:
    """The lines on standard error, but for the one that says which columns were taken."""
    return [line for line in text.splitlines() if "edges from the columns" not in line]
