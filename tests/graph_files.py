"""Graphs as files: written and read again, and compared by their labels."""

from __future__ import annotations

import pytest

from graphveil import Graph, read


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reading")


@pytest.fixture(scope="module")
def reading(folder):
    """A function that writes a file and reads it as a graph."""

    def read_content(content: str | bytes, name: str = "graph.txt", **options: object) -> Graph:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read(path, **options)

    return read_content


def labelled(graph: Graph) -> tuple[set, set]:
    """The labels, and the edges between them: what a graph is, whatever the order of its vertices."""
    labels = graph.labels.tolist()
    return set(labels), {frozenset((labels[u], labels[v])) for u, v in graph.edges.tolist()}


def from_pairs(pairs, vertices=()) -> tuple[set, set]:
    ends = {end for pair in pairs for end in pair}
    return ends | set(vertices), {frozenset(pair) for pair in pairs if pair[0] != pair[1]}
