"""Kernels that are plain Python at first: the same results, and no compiler where there is little to do."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import graphveil
from graphveil.kernels import _jit


@pytest.fixture
def patient():
    """A fresh namespace of the kernels that group edges."""
    return _jit._Patient("grouping")


def sort_by(kernels, keys):
    order = np.arange(len(keys), dtype=np.int32)
    found = np.empty_like(order)
    kernels.sort_by(keys, int(keys.max(initial=0)), order, found)
    return found.tolist()


def test_a_kernel_is_compiled_once_it_has_taken_its_time(patient, monkeypatch):
    used = []
    plain = _jit.interpreted("grouping").sort_by
    monkeypatch.setattr(_jit.interpreted("grouping"), "sort_by", lambda *them: used.append(plain(*them)))
    keys = np.array([2, 0, 2, 1], np.int32)
    assert sort_by(patient, keys) == sort_by(patient, keys) == [1, 3, 0, 2]
    monkeypatch.setattr(_jit, "PATIENCE", -1.0)
    assert sort_by(patient, keys) == [1, 3, 0, 2]
    assert len(used) == 2


def test_large_arrays_are_compiled_for_at_once(patient, monkeypatch):
    monkeypatch.setattr(_jit.interpreted("grouping"), "sort_by", None)
    keys = np.zeros(_jit.LARGEST + 1, np.int32)
    assert sort_by(patient, keys) == list(range(len(keys)))


@pytest.mark.parametrize("seed", range(3))
def test_an_audit_finds_the_same_either_way(seed, monkeypatch):
    monkeypatch.setattr(_jit, "PATIENCE", 1e9)
    graph = graphveil.generate(edges=400, seed=seed)
    plain = graphveil.audit(graph, friendships=3)
    monkeypatch.setattr(_jit, "_hurry", True)
    assert graphveil.audit(graph, friendships=3) == plain


def test_the_papers_method_finds_the_same_either_way(monkeypatch):
    monkeypatch.setattr(_jit, "PATIENCE", 1e9)
    graph = graphveil.generate(edges=400, seed=5)
    plain = [
        graphveil.anonymize(graph, 8, method=method, seed=1).graph for method in ("add-greedy", "add-del")
    ]
    monkeypatch.setattr(_jit, "_hurry", True)
    assert plain == [
        graphveil.anonymize(graph, 8, method=method, seed=1).graph for method in ("add-greedy", "add-del")
    ]


def test_an_audit_of_few_edges_loads_no_compiler(tmp_path):
    path = tmp_path / "graph.txt"
    graphveil.write(graphveil.generate(edges=1000, seed=1), path)
    program = f"""
import sys
from graphveil.cli import main
assert main(["audit", {str(path)!r}]) == 0
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
