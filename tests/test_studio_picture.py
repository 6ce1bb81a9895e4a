"""The picture of the network: who is shown, in how small a group everybody is, and what was changed."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from graphveil import Graph, anonymize, audit, generate
from graphveil.risk.people import smallest_groups
from graphveil.studio import picture as module
from graphveil.studio.picture import changes, picture


def unpacked(packed):
    return np.frombuffer(base64.b64decode(packed["data"]), f"<u{packed['bytes']}").astype(int)


@pytest.fixture(scope="module")
def town() -> Graph:
    return generate(edges=600, seed=4)


def test_people_in_small_groups_are_those_of_the_audit(town):
    sizes, found = smallest_groups(town), audit(town, [2, 5, 25])
    for attacker in found.attackers:
        of_people = sizes[attacker.name]
        for each in attacker.exposures:
            assert ((of_people > 0) & (of_people < each.k)).sum() == each.people, attacker.name


def test_a_small_graph_is_shown_whole_and_always_the_same(town):
    found = picture(town)
    assert found == picture(town)
    assert (unpacked(found["friendships"]).reshape(-1, 2) == town.edges).all()
    assert len(unpacked(found["places"])) == 2 * town.n
    assert found["shown"] is None


def test_of_a_large_graph_the_core_and_a_sample_are_shown_with_the_figures_of_all(town, monkeypatch):
    for name, value in {"LARGEST": 50, "CORE": 30, "AT_RANDOM": 10}.items():
        monkeypatch.setattr(module, name, value)
    found, sizes = picture(town, always=[town.n - 1]), smallest_groups(town)
    shown = np.array(found["shown"])
    assert town.n - 1 in shown
    assert set(np.argsort(-town.degrees, kind="stable")[:30]) <= set(shown)
    assert len(shown) <= 1 + 30 + 10 * 5
    for name, each in found["sizes"].items():
        assert (unpacked(each) == sizes[name][shown]).all()
    for one, other in unpacked(found["friendships"]).reshape(-1, 2):
        assert (town.edges == sorted((shown[one], shown[other]))).all(axis=1).any()


@pytest.mark.parametrize("more", [{}, {"degree_k": 20, "degree_method": "kda-paper"}])
def test_changes_are_those_of_the_result(town, more):
    result = anonymize(town, 5, method="add-del", seed=2**70 + 1, **more)
    found = changes(result, None)
    assert (unpacked(found["added"]).reshape(-1, 2) == result.added).all()
    assert (unpacked(found["deleted"]).reshape(-1, 2) == result.deleted).all()
    assert len(found["dummies"]) == len(result.new_vertices)
    assert (unpacked(found["degrees"]) == result.graph.degrees).all()


@pytest.mark.parametrize("graph", [Graph.from_edges([]), Graph.from_edges([("a", "b")])])
def test_odd_graphs_have_a_picture(graph):
    assert len(unpacked(picture(graph)["places"])) == 2 * graph.n
