"""Can changes be detected? Features, precision and the rule against plain code; what the classifiers say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from conftest import small_graphs
from graphveil import Graph, anonymize, generate, utility
from graphveil.measures.detection import (
    CLASSIFIERS,
    Candidates,
    features,
    precision_at_top,
    rule,
    scale,
    scores,
)
from graphveil.measures.table import AGREEMENTS, FIGURES


def plain_features(graph: Graph, u: int, v: int) -> list[float]:
    """From the definitions, in the graph without the pair."""
    edges = [tuple(e) for e in graph.edges.tolist() if set(e) != {u, v}]
    friends = oracle.neighbours(graph.n, edges)
    whole = oracle.neighbours(graph.n, [tuple(e) for e in graph.edges.tolist()])
    common = friends[u] & friends[v]
    paths = sum(b in friends[v] for a in friends[u] for b in friends[a] if a != v and b != u)
    degrees = sorted((len(friends[u]), len(friends[v])))
    return [
        np.log1p(len(common)),
        sum(1 / np.log(len(whole[w])) for w in common),
        len(common) / max(len(friends[u] | friends[v]), 1),
        np.log1p(paths),
        float(not common and paths > 0),
        float(not common and not paths),
        np.log1p(degrees[0]),
        np.log1p(degrees[1]),
        np.log1p(max(degrees[0] * degrees[1] - paths - len(common), 0)),
        float(len(common) == 1),
    ]


@settings(max_examples=40)
@given(small_graphs(), st.randoms(use_true_random=False))
def test_features_by_definition(graph: Graph, random) -> None:
    pairs = [(u, v) for u in range(graph.n) for v in range(u + 1, graph.n)]
    chosen = random.sample(pairs, min(len(pairs), 12))
    found = features(graph, np.array(chosen, np.int32))
    for row, (u, v) in zip(found, chosen, strict=True):
        assert row.tolist() == pytest.approx(plain_features(graph, u, v), abs=1e-9)


def candidates(changed: list[bool], others: list[bool], weight: float) -> Candidates:
    """Rows in which only the rule's feature differs."""

    def rows(hits: list[bool]) -> np.ndarray:
        result = np.zeros((len(hits), 10))
        result[:, 4] = hits
        return result

    return Candidates(rows(changed), rows(others), weight)


def test_the_rule_counts_what_a_sample_stands_for() -> None:
    pairs = candidates([True, True, False, False], [True] + [False] * 9, weight=6.0)
    assert rule(pairs) == (2 / (2 + 6), 0.5)
    assert pairs.share == 4 / 64
    assert rule(candidates([], [False], 1.0)) == (None, None)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.lists(st.integers(0, 3), max_size=6))
def test_precision_among_the_top(changed: list[int], others: list[int]) -> None:
    """Ties are taken in equal parts: the mean over all orders of the tied."""
    rows = [np.zeros((len(part), 10)) for part in (changed, others)]
    family = next(iter(CLASSIFIERS["added"]))
    rows[0][:, 3], rows[1][:, 3] = changed, others
    sign = scores("added", family, np.eye(10)[3:4])[0] - scores("added", family, np.zeros((1, 10)))[0]
    ranked = sorted([(x * sign, 1) for x in changed] + [(x * sign, 0) for x in others], reverse=True)
    left, right = len(changed), 0.0
    for value in sorted({score for score, _ in ranked}, reverse=True):
        tied = [kind for score, kind in ranked if score == value]
        taken = min(left, len(tied))
        right += taken * sum(tied) / len(tied)
        left -= taken
    found = precision_at_top("added", family, Candidates(rows[0], rows[1], 1.0))
    assert found == pytest.approx(right / len(changed))


def test_edges_that_only_raise_degrees_are_detected() -> None:
    before = generate(edges=2_000, seed=31)
    after = anonymize(before, 5, method="add-del", degree_k=20, degree_method="kda", seed=1).graph
    found = utility(before, after, quick=True)
    assert found["added_edges_classifier"].value > 0.8
    assert found["added_edges_rule_recall"].value > 0.6
    rule_precision = found["added_edges_rule_precision"]
    assert rule_precision.value > 1.5 * rule_precision.unchanged
    assert found["added_edges_top_precision"].value > 1.5 * rule_precision.unchanged


def test_edges_for_both_guarantees_are_detected_by_their_own_classifier() -> None:
    """It was trained on what the search for both does now: new edges between people of high degree."""
    result = anonymize(generate(edges=2_000, seed=31), 10, degree_k=10, seed=1)
    added = {(u, v) for u, v in result.added.tolist()}
    original = [pair for pair in map(tuple, result.graph.edges.tolist()) if pair not in added]
    rows = [features(result.graph, np.array(part, np.int32)) for part in (result.added, original)]
    found = {}
    for family in CLASSIFIERS["added"]:
        ours, others = (scores("added", family, part) for part in rows)
        found[family] = np.mean(ours[:, None] > others)
    assert max(found, key=lambda family: found[family]) == "both"
    assert found["both"] > 0.85


def test_random_changes_of_nothing_are_not_defined() -> None:
    before = generate(edges=300, seed=2)
    found = utility(before, before, quick=True)
    for name in ("added_edges_classifier", "added_edges_top_precision", "added_edges_rule_recall"):
        assert found[name].value is None
    assert "Utility(0 added, 0 deleted" in repr(found)
    assert found._repr_html_().count("<table>") == 2


def test_original_edges_taken_for_added_are_at_chance() -> None:
    """Edges left out at random and put back are like all others."""
    after = generate(edges=4_000, seed=5)
    keep = np.random.default_rng(1).random(after.m) > 0.1
    before = Graph(after.edges[keep], after.n)
    auc = utility(before, after, quick=True)["added_edges_classifier"].value
    assert abs(auc - 0.5) < 0.05
    assert scale(auc) == "hardly"


def test_every_row_is_complete() -> None:
    names = [row.name for row in (*FIGURES, *AGREEMENTS)]
    assert len(set(names)) == len(names)
    assert all(row.words and row.unit for row in (*FIGURES, *AGREEMENTS))
    before = generate(edges=300, seed=2)
    found = utility(before, before, quick=True)
    assert [each.name for each in (*found.measures, *found.agreements)] == names
