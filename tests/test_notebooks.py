"""The line below a cell: there in a Jupyter kernel for work that takes long, nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import graphveil
from graphveil import notebooks

CELL = """
import time
from graphveil import notebooks
notebooks.PATIENCE, notebooks.OFTEN = 0.2, 0.1

@notebooks.long_work("inner")
def inner():
    notebooks.also_say(None, str)("half of it")
    time.sleep({seconds})

with notebooks.long_work("measuring"):
    inner()
"""
COMPILING_CELL = """
import numba
import graphveil.kernels.counting  # from the first kernel on, compiling is watched
with notebooks.long_work("counting"):
    numba.njit(lambda x: x + sum([y * y for y in range(x)]))(1)
    time.sleep(0.2)
"""


@pytest.fixture(scope="module")
def kernel() -> Iterator[object]:
    pytest.importorskip("ipykernel", reason="needs ipykernel: pip install ipykernel")
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel(kernel_name="python3")
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def lines(kernel, code: str) -> list[tuple[str, str]]:
    """What a cell shows below itself: the kind of each message, and its text."""
    found = []

    def hear(message):
        content = message["content"]
        assert message["msg_type"] not in ("error", "stream"), content
        if "data" in content:
            found.append((message["msg_type"], content["data"]["text/plain"]))

    kernel.execute_interactive(code, timeout=60, output_hook=hear)
    return found


def test_long_work_has_one_line_that_changes_and_goes(kernel):
    shown = lines(kernel, CELL.format(seconds=1.0))
    kinds = [kind for kind, _ in shown]
    assert kinds[0] == "display_data"
    assert set(kinds[1:]) == {"update_display_data"}  # one line, of the outer work
    assert shown[0][1].startswith("graphveil: measuring: half of it, ")
    assert shown[-1][1] == ""


def test_short_work_has_none(kernel):
    assert lines(kernel, CELL.format(seconds=0.0)) == []


def test_compiling_is_said(kernel):
    lines(kernel, CELL.format(seconds=0.0))
    shown = [text for _, text in lines(kernel, COMPILING_CELL)]
    assert any(notebooks.COMPILING in text for text in shown)


def test_nothing_outside_of_a_kernel(monkeypatch, capsys):
    monkeypatch.setattr(notebooks, "PATIENCE", 0)
    with notebooks.long_work("measuring"):
        assert notebooks.also_say(None, str) is None
    assert capsys.readouterr() == ("", "")


def test_every_long_call_says_where_it_stands(monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(notebooks, "_in_kernel", lambda: True)
    monkeypatch.setattr(notebooks, "_show", lambda line, over: over.wait())
    monkeypatch.setattr(notebooks, "say", said.append)
    town = graphveil.generate(edges=200, seed=4)
    heard: list[object] = []
    result = graphveil.anonymize(town, 4, method="add-del", degree_k=2, seed=1, progress=heard.append)
    assert said == list(map(str, heard))
    assert any("exposed by their number of friends" in words for words in said)
    said.clear()
    graphveil.utility(town, result.graph, quick=True)
    assert any("of the published graph" in words for words in said)
    said.clear()
    graphveil.compare(town, 3, methods="add-del", quick=True)
    assert "1 of 1 runs finished" in said
    said.clear()
    graphveil.attack(town, result.graph)
    assert said
