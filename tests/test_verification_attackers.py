"""How far attackers get, recounted without the audit; and what a check loads and leaves out."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
import publications
from conftest import odd_graphs
from graphveil import Graph, audit
from graphveil.recounting import Recount
from graphveil.risk.attackers import ATTACKERS as AUDITED
from graphveil.verification import attackers
from graphveil.verification.attackers import ATTACKERS, figures_of
from graphveil.verification.folders import check_public
from publications import publish

town = publications.town  # pytest finds fixtures by their names here
BY_SECOND = Path(__file__).parent / "data" / "by-0.2"
MODULES = 70


def agree(graph: Graph) -> None:
    counted = Recount(graph.edges, graph.n)
    theirs = audit(graph, k=[2, 3, 5], top=0)
    for name, other in zip(ATTACKERS, theirs.attackers, strict=True):
        ours = figures_of(counted, name, [2, 3, 5])
        for field in ("name", "target", "targets", "groups", "smallest_group", "highest_probability"):
            assert getattr(ours, field) == getattr(other, field), (name, field)
        assert ours.mean_probability == other.mean_probability, name
        assert [vars(each) for each in ours.exposures] == [vars(each) for each in other.exposures], name
        assert (ours.naming and vars(ours.naming)) == (other.naming and vars(other.naming)), name


def test_every_attacker_of_the_audit_is_recounted():
    assert list(ATTACKERS) == [each.name for each in AUDITED]


@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs_agree(name):
    agree(odd_graphs()[name])


@settings(max_examples=60)
@given(st.data())
def test_the_recount_agrees_with_the_audit(data):
    n = data.draw(st.integers(0, 14))
    pairs = data.draw(st.lists(st.tuples(*[st.integers(0, max(n - 1, 0))] * 2), max_size=60)) if n else []
    agree(Graph.from_arrays([u for u, _ in pairs], [v for _, v in pairs], n=n))


@pytest.mark.parametrize("chunk", [1, 50, 2_000_000])
def test_the_chunks_do_not_show(chunk, monkeypatch):
    monkeypatch.setattr(attackers, "CHUNK", chunk)
    random = np.random.default_rng(5)
    agree(Graph.from_arrays(random.zipf(1.5, 900) % 120, random.integers(0, 120, 900), n=125))


def test_attackers_of_former_releases_are_still_counted(tmp_path):
    folder = Path(shutil.copytree(BY_SECOND / "csv", tmp_path / "out"))
    assert check_public(folder).inspection
    path = folder / "public" / "certificate.json"
    document = json.loads(path.read_text())
    figures = next(each for each in document["attackers"] if each["name"] == "friend-degrees")
    figures["smallest_group"] += 1
    path.write_text(json.dumps(document))
    assert "attackers" in str(check_public(folder).inspection.problems)


def test_an_attacker_that_is_not_known_is_named(town, tmp_path):
    folder = publish(town, tmp_path / "out").folder
    path = folder / "public" / "certificate.json"
    document = json.loads(path.read_text())
    document["attackers"].append(document["attackers"][1] | {"name": "fortune"})
    document["reductions"].append({"attacker": "luck", "k": 5, "before": 0.5, "after": 0.25})
    path.write_text(json.dumps(document))
    found = check_public(folder).inspection
    assert found
    assert [each for each in found.unchecked if "this release does not know" in each] == [
        "the attacker fortune, which this release does not know",
        "the attacker luck, which this release does not know",
    ]


def test_a_check_loads_little_and_no_compiler():
    program = f"""
import sys
from graphveil.cli import main
assert main(["verify", {str(BY_SECOND / "csv")!r}]) == 0
ours = [name for name in sys.modules if name.startswith("graphveil")]
assert len(ours) <= {MODULES}, len(ours)
assert not [name for name in ours if name.startswith(("graphveil.risk", "graphveil.kernels"))], ours
assert not {{"numba", "llvmlite"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.slow
def test_a_million_edges_need_no_compiler(tmp_path):
    random = np.random.default_rng(3)
    graph = Graph.from_arrays(*random.integers(0, 200_000, (2, 1_000_000)), n=200_000)
    graphveil.write(graph, tmp_path / "graph.txt")
    program = f"""
import sys
from pathlib import Path
from graphveil.goals import NMF
from graphveil.recounting import Recount
from graphveil.verification.facts import facts_of
from graphveil.verification.graph_files import read_graph
graph = read_graph(Path({str(tmp_path / "graph.txt")!r}), "edgelist")
assert len(graph.edges) == {graph.m}
assert len(facts_of(Recount(graph.edges, graph.n), [NMF(2)], [2]).attackers) == {len(ATTACKERS)}
assert "numba" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
