"""The made-up town: as large as asked, the same everywhere, and like a real friendship graph where it matters."""

from __future__ import annotations

import hashlib
import subprocess
import sys

import numpy as np
import pytest

from graphveil import Graph, ParameterError, audit, generate, mutual_friends


def digest(graph: Graph) -> str:
    return hashlib.sha256(graph.edges.astype("<i4").tobytes()).hexdigest()[:16]


@pytest.mark.parametrize("edges", [1, 2, 3, 10, 100, 999, 1000, 54_321])
def test_exactly_as_many_edges_as_asked_for(edges):
    for seed in range(5):
        graph = generate(edges=edges, seed=seed)
        assert graph.m == edges
        assert not graph.cleaning
        assert graph.degrees.min() >= 1


# Pinned, so that a change of the model or of NumPy's arithmetic on another machine is noticed.
@pytest.mark.parametrize(
    ("edges", "seed", "expected"), [(1000, 4, "dbf65ec6174aea25"), (200_000, 4, "84b1abc57141513b")]
)
def test_the_same_seed_gives_the_same_bytes_everywhere(edges, seed, expected):
    assert digest(generate(edges=edges, seed=seed)) == expected


def test_another_process_makes_the_same_graph():
    program = "import graphveil, sys; sys.stdout.buffer.write(graphveil.generate(5000, 9).edges.tobytes())"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    assert done.stdout == generate(5000, 9).edges.tobytes()


def test_another_seed_makes_another_graph():
    assert len({digest(generate(edges=1000, seed=seed)) for seed in range(20)}) == 20


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_like_a_friendship_graph(seed):
    graph = generate(edges=200_000, seed=seed)
    counts = mutual_friends(graph)
    paths = (graph.degrees * (graph.degrees - 1) // 2).sum()
    assert 6 < graph.degrees.mean() < 9
    assert graph.degrees.max() > 40 * graph.degrees.mean()
    assert (
        0.1 < counts.sum() / paths < 0.4
    )  # the share of paths of two edges that are closed; Brightkite 0.11
    assert 1 < counts.sum() / 3 / graph.m < 4  # triangles by edge; Brightkite 2.3, DBLP 2.1
    assert counts.max() > 80
    exposed = [exposure.exposed for exposure in audit(graph, k=[5, 25])["mutual-friends"].exposures]
    assert 5 <= exposed[0] < exposed[1] < graph.m / 100


def test_the_numbering_tells_nothing():
    graph = generate(edges=50_000, seed=4)
    apart = np.abs(graph.edges[:, 1] - graph.edges[:, 0]).mean() / graph.n
    assert abs(apart - 1 / 3) < 0.02  # the mean distance of two random numbers
    numbers = np.arange(graph.n)
    assert abs(np.corrcoef(numbers, graph.degrees)[0, 1]) < 0.02


@pytest.mark.parametrize("edges", [0, -1, 1.5, "many", 100_000_001])
def test_edges_out_of_range(edges):
    with pytest.raises(ParameterError, match="edges must be a whole number from 1 to 100,000,000"):
        generate(edges=edges)


@pytest.mark.parametrize("seed", [-1, 0.5, "x", 2**63])
def test_seed_out_of_range(seed):
    with pytest.raises(ParameterError, match="seed must be a whole number"):
        generate(edges=10, seed=seed)
