"""A file whose work does not fit into the memory: that is said before it is read."""

from __future__ import annotations

import pytest

import graphveil
from graphveil.cli import main
from graphveil.formats import shortage


@pytest.mark.parametrize("name", ["graph.txt", "graph.csv", "graph.txt.gz"])
def test_edges_are_estimated(name, tmp_path):
    graph = graphveil.generate(edges=20_000, seed=1)
    graphveil.write(graph, tmp_path / name)
    assert graph.m / 2 < shortage.edges_in(str(tmp_path / name)) < 2 * graph.m


def test_a_folder_an_empty_file_and_none_have_no_edges(tmp_path):
    (tmp_path / "empty").touch()
    assert [shortage.edges_in(str(tmp_path / name)) for name in (".", "empty", "missing")] == [0, 0, 0]


def test_memory_is_known_or_not():
    free = shortage.available_memory()
    assert free is None or free > 1 << 20


@pytest.mark.parametrize(("free", "warned"), [(50_000, True), (1 << 40, False), (None, False)])
def test_the_way_out_is_said_before_the_work(free, warned, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(shortage, "available_memory", lambda: free)
    path = tmp_path / "graph.txt"
    graphveil.write(graphveil.generate(edges=1000, seed=1), path)
    assert main(["audit", str(path)]) == 0
    said = capsys.readouterr().err
    assert ("--engine spark" in said) == warned
    assert ("about 1,0" in said or "about 9" in said) == warned
