"""Publications to look at: a town that was published, and what stands in its folders."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import graphveil
from graphveil import Graph, anonymize

publish = partial(graphveil.publish, report="brief")  # the other reports have tests of their own
SEED = 2**100 + 20_131_107  # not to be found in public/


@pytest.fixture(scope="module")
def town() -> graphveil.Result:
    """A result with added and deleted edges, whose ids are easy to find."""
    graph = graphveil.generate(edges=400, seed=4)
    return anonymize(
        Graph(graph.edges, graph.n, graph.labels + 4_107_000_000), k=5, method="add-del", seed=SEED
    )


@pytest.fixture
def published(town, tmp_path):
    return publish(town, tmp_path / "out")


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
