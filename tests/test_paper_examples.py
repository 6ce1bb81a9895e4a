"""The paper's small graphs: what its text says of them, and the page that shows them."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

import oracle

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import paper_examples as examples  # noqa: E402

BY_FILE = {example.file: example for example in examples.EXAMPLES}


@pytest.mark.parametrize("file", BY_FILE)
def test_the_counts_are_those_of_the_definition(file: str) -> None:
    counts = BY_FILE[file].counts()
    names = sorted({name for pair in counts for name in pair})
    edges = [(names.index(u), names.index(v)) for u, v in counts]
    assert [*counts.values()] == oracle.mutual_friends(len(names), edges)


def test_the_graph_of_the_introduction_is_safe_by_degrees_and_not_by_mutual_friends() -> None:
    """For each pair of degrees of two friends, two vertices of the one degree have a friend of the other."""
    kite = BY_FILE["k2-degree"]
    degree = Counter(name for pair in kite.pairs for name in pair)
    for u, v in (*kite.pairs, *(pair[::-1] for pair in kite.pairs)):
        alike = {
            one
            for a, b in kite.pairs
            for one, other in ((a, b), (b, a))
            if (degree[one], degree[other]) == (degree[u], degree[v])
        }
        assert len(alike) >= 2
        assert alike == examples.sharing_degrees(kite)[degree[u], degree[v]]
    assert [pair for pair, count in kite.counts().items() if count == 2] == [("D", "F")]
    assert Counter(kite.counts().values()) == {0: 2, 1: 4, 2: 1}


def test_figure_numbers_are_those_of_the_source() -> None:
    page = examples.page()
    assert "Figures 2 to 4 of the paper" in page
    for heading in ("2(a)", "2(b) and 2(c)", "3(a)", "3(b)", "4"):
        assert f"## Figure {heading}: " in page or f"## Figures {heading}: " in page


def test_two_friendships_give_three_people_away() -> None:
    """All ways to place edges of counts 4 and 2 that share a vertex: there is only one."""
    counts = BY_FILE["alice-and-bob"].counts()
    ways = [
        (set(one) & set(two), set(one) ^ set(two))
        for one, two in combinations(counts, 2)
        if {counts[one], counts[two]} == {4, 2} and set(one) & set(two)
    ]
    assert ways == [({"Alice"}, {"Bob", "Carl"})]
    assert Counter(counts.values())[4] == Counter(counts.values())[2] == 1


def test_dell_and_frank_change_four_edges() -> None:
    changed = examples.raised(BY_FILE["alice-and-bob"], BY_FILE["alice-and-bob-more"])
    assert {frozenset(pair) for pair in changed} == {
        frozenset((who, friend)) for who in ("Alice", "Bob") for friend in ("Dell", "Frank")
    }


def test_the_bridge_alone_has_no_mutual_friends() -> None:
    counts = BY_FILE["two-triangles"].counts()
    assert [pair for pair, count in counts.items() if count == 0] == [("3", "4")]
    assert set(counts.values()) == {0, 1}
    mirror = dict(zip("123456", "654321", strict=True))
    edges = {frozenset(pair) for pair in counts}
    assert {frozenset(mirror[name] for name in edge) for edge in edges} == edges


def test_one_edge_more_in_the_biclique() -> None:
    before = BY_FILE["biclique"]
    assert len(examples.raised(before, BY_FILE["biclique-12"])) == 10
    assert set(examples.raised(before, BY_FILE["biclique-47"])) == {
        ("1", "4"),
        ("1", "7"),
        ("2", "4"),
        ("2", "7"),
    }


def test_the_anonymous_graphs() -> None:
    found = {file: examples.largest_k(BY_FILE[file].counts()) for file in ("triangle", "k4", "wheel")}
    assert found == {"triangle": 3, "k4": 6, "wheel": 4}
    assert sorted(BY_FILE["wheel"].counts().values()) == [1, 1, 1, 1, 2, 2, 2, 2]


def test_page_and_drawings_are_those_of_the_script() -> None:
    assert (ROOT / "docs" / "paper-examples.md").read_text() == examples.page()
    for example in examples.EXAMPLES:
        path = ROOT / "docs" / "figures" / f"example-{example.file}.svg"
        assert path.read_text() == examples.drawing(example)
