"""What is written comes back, is the same bytes each time, and is either whole or not there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from conftest import odd_graphs
from graphveil import Graph, GraphError, InputError, ParameterError, PublicationError, read, write
from graphveil.formats.table import EXTENSIONS, FORMATS, WRITABLE

ENDINGS = ["txt", "csv", "tsv", "parquet", "graphml", "gml", "net", "mtx"]
COMPRESSIONS = ["", ".gz", ".bz2", ".xz", ".zst"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("writing")


def labelled(graph: Graph) -> tuple[set, set]:
    """The labels, and the edges between them: what a graph is, whatever the order of its vertices."""
    labels = graph.labels.tolist()
    return set(labels), {frozenset((labels[u], labels[v])) for u, v in graph.edges.tolist()}


# ---------------------------------------------------------------------- and back


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", odd_graphs())
def test_odd_graphs_come_back(folder, ending, name):
    graph = odd_graphs()[name]
    path = folder / f"odd.{ending}"
    write(graph, path)
    back = read(path, strict=True)
    assert back == graph
    assert back.labels.dtype == np.int64


@pytest.mark.parametrize("ending", ENDINGS[:-1])
@given(
    st.lists(st.tuples(*[st.integers(-(2**63), 2**63 - 1)] * 2), max_size=20),
    st.lists(st.integers(-9, 9), max_size=3),
)
def test_integers_come_back(folder, ending, pairs, vertices):
    graph = Graph.from_edges(pairs, vertices=vertices)
    write(graph, folder / f"integers.{ending}")
    assert read(folder / f"integers.{ending}") == graph


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
hostile = st.sampled_from(
    ["", " ", "#", "%", '"', '""', "a,b", "a b", "a\tb", "a\nb", "a\r\nb", "a;b", "a|b", " a", "a ", "\ufeff", "=1+1",
     "-", "source", "target", "node1", "node2", "1", "2", "007", "[", "]", "<", ">", "&amp;", "&#38;", "&quot;", "'",
     "\\", "\u202e", "\u2028", "\x0b", "\x85", "\xa0", "*Edges", "é" * 5000]
)  # fmt: skip
labels = hostile | texts | st.text("ab,\"' \n#", max_size=5)


def refused(graph: Graph, ending: str) -> bool:
    """Whether a format has no way to hold one of the labels."""
    unfit = {"net": '["\r\n]', "graphml": "[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"}
    return ending in unfit and any(re.search(unfit[ending], label) for label in graph.labels)


@pytest.mark.parametrize("ending", ENDINGS[:-1])
@given(pairs=st.lists(st.tuples(labels, labels), max_size=12), vertices=st.lists(labels, max_size=3))
def test_names_come_back(folder, ending, pairs, vertices):
    graph = Graph.from_edges([("a name", "another"), *pairs], vertices=vertices)
    path = folder / f"names.{ending}"
    if refused(graph, ending):
        with pytest.raises(GraphError):
            write(graph, path)
    else:
        write(graph, path)
        found = read_as_it_is(path)
        assert labelled(found) == labelled(graph)
        assert not found.cleaning


def read_as_it_is(path: Path) -> Graph:
    """Names that look like lists of names are asked about; the refusal names the way out."""
    try:
        return read(path)
    except InputError as refusal:
        if "To take the ids as they are, choose the columns" not in str(refusal):
            raise
        return read(path, columns=[0, 1])


@given(pairs=st.lists(st.tuples(hostile, hostile), min_size=1, max_size=4))
@example(pairs=[("007", "a\tb")])
@example(pairs=[("", ""), ("007", "a,b")])
@pytest.mark.parametrize("ending", ["txt", "csv", "tsv", "parquet", "graphml", "gml"])
def test_few_names_come_back(folder, ending, pairs):
    """So few that the first row matters: it must not be taken for a header, nor shift the delimiter."""
    graph = Graph.from_edges(pairs)
    path = folder / f"few.{ending}"
    if not refused(graph, ending):
        write(graph, path)
        found, edges = labelled(read(path))
        assert {str(label) for label in found} == set(graph.labels)
        assert {frozenset(map(str, edge)) for edge in edges} == labelled(graph)[1]


@pytest.mark.parametrize("ending", ["txt", "csv", "tsv"])
@pytest.mark.parametrize(
    "pairs",
    [
        [("source", "target")],
        [("source", "target"), ("x", "y")],
        [("person1", "person2"), ("x", "y")],
        [("x", "y"), ("1", "2")],
    ],
)
def test_a_first_edge_that_looks_like_a_header(folder, ending, pairs):
    graph = Graph.from_edges(pairs)
    write(graph, folder / f"header.{ending}")
    assert read(folder / f"header.{ending}", strict=True) == graph


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_compressed_files_come_back(folder, ending, compression):
    graph = odd_graphs()["tiny components"]
    path = folder / f"graph.{ending}{compression}"
    write(graph, path)
    assert read(path) == graph


def test_larger_graphs_come_back(folder):
    generator = np.random.default_rng(5)
    u, v = generator.integers(0, 50_000, (2, 300_000))
    graph = Graph.from_arrays(u, v, n=60_000)
    named = graph.with_labels([f"name {number}" for number in range(graph.n)])
    for ending in ENDINGS:
        write(graph, folder / f"larger.{ending}")
        assert read(folder / f"larger.{ending}") == graph
        if ending != "mtx":
            write(named, folder / f"larger.{ending}")
            back = read(folder / f"larger.{ending}")
            numbers = np.array([int(label.removeprefix("name ")) for label in back.labels])
            assert Graph.from_arrays(*numbers[back.edges].T, n=graph.n) == graph


@pytest.mark.parametrize("ending", ["graphml", "gml"])
def test_vertex_attributes_come_back(folder, ending):
    attributes = {
        "age": np.array([3, -1, 2**40]),
        "share": np.array([0.1, float("nan"), 1e300]),
        "town": np.array(['a "b" <c> &amp;', None, "Łódź\nx"], object),
    }
    graph = Graph(np.array([[0, 1]], np.int32), 3, np.array(["x", "y", "z"], object), None, attributes)
    path = folder / f"attributes.{ending}"
    write(graph, path)
    back = read(path, keep_vertex_attributes=list(attributes))
    assert back == graph
    for name, values in attributes.items():
        assert back.vertex_attributes[name].dtype == values.dtype
        np.testing.assert_array_equal(back.vertex_attributes[name], values)
    assert set(read(path).cleaning.vertex_attributes) == set(attributes)


@pytest.mark.parametrize("ending", ["txt", "csv", "parquet", "net", "mtx"])
def test_attributes_are_not_lost_in_silence(folder, ending):
    graph = Graph(np.array([[0, 1]], np.int32), 2, None, None, {"age": np.array([3, 4])})
    with pytest.raises(GraphError, match="age"):
        write(graph, folder / f"lost.{ending}")


# ---------------------------------------------------------------------- what others make of it


def test_other_libraries_read_it(folder):
    import igraph
    import networkx
    import pandas
    import polars
    import scipy.io

    graph = odd_graphs()["clique with a tail"]
    for ending in ENDINGS:
        write(graph, folder / f"other.{ending}")
    edges = {frozenset(edge) for edge in graph.edges.tolist()}

    def ends(pairs) -> set[frozenset[int]]:
        return {frozenset(map(int, pair)) for pair in pairs}

    assert ends(networkx.read_edgelist(folder / "other.txt").edges) == edges
    assert ends(networkx.read_graphml(folder / "other.graphml").edges) == edges
    assert ends(networkx.read_gml(folder / "other.gml").edges) == edges
    assert ends(networkx.Graph(networkx.read_pajek(folder / "other.net")).edges) == edges
    for ending in ("graphml", "gml", "net"):
        other = igraph.Graph.Read(
            str(folder / f"other.{ending}"), format={"net": "pajek"}.get(ending, ending)
        )
        assert (other.vcount(), other.ecount()) == (graph.n, graph.m)
    assert ends(pandas.read_csv(folder / "other.csv")[["source", "target"]].to_numpy()) == edges
    assert ends(polars.read_parquet(folder / "other.parquet").rows()) == edges
    assert (scipy.io.mmread(folder / "other.mtx") != graph.to_scipy()).nnz == 0


# ---------------------------------------------------------------------- whole or not at all


def broken(graph: Graph):
    yield b"1 2\n"
    raise KeyboardInterrupt


@pytest.mark.parametrize("before", [None, "the old file\n"])
def test_a_run_cut_short_leaves_what_was_there(tmp_path, monkeypatch, before):
    path = tmp_path / "graph.txt"
    if before:
        path.write_text(before)
    monkeypatch.setattr("graphveil.formats.text.blank_separated", broken)
    with pytest.raises(KeyboardInterrupt):
        write(odd_graphs()["path"], path)
    assert [file.name for file in tmp_path.iterdir()] == (["graph.txt"] if before else [])
    assert not before or path.read_text() == before


def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "graph.txt"
    path.write_text("the old file\n")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PublicationError, match="No space left on device"):
        write(odd_graphs()["path"], path)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["the old file\n"]


def test_where_nothing_can_be_written(tmp_path):
    graph = odd_graphs()["path"]
    with pytest.raises(PublicationError, match="No such file or directory"):
        write(graph, tmp_path / "nowhere" / "graph.txt")
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(PublicationError, match="directory"):
        write(graph, tmp_path / "folder.txt")
    assert [file.name for file in tmp_path.iterdir()] == ["folder.txt"]


def test_links_and_pipes_stay_what_they_are(tmp_path):
    graph = odd_graphs()["path"]
    (tmp_path / "link.txt").symlink_to(tmp_path / "target.txt")
    write(graph, tmp_path / "link.txt")
    assert (tmp_path / "link.txt").is_symlink()
    assert read(tmp_path / "target.txt") == graph
    write(graph, "/dev/null", format="csv")
    assert not os.path.isfile("/dev/null")


def test_standard_output():
    program = "import graphveil; graphveil.write(graphveil.Graph.from_edges([(1, 2)]), '-')"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert run.stdout == b"1 2\n"


def test_the_same_bytes_in_another_process(tmp_path):
    program = (
        "import sys, graphveil\n"
        "graph = graphveil.Graph.from_edges([(f'v{i}', f'v{i * i % 97}') for i in range(300)], vertices=['x'])\n"
        "for ending in sys.argv[2:]:\n"
        "    graph = graph.with_labels() if 'mtx' in ending else graph\n"
        "    graphveil.write(graph, f'{sys.argv[1]}/graph.{ending}')\n"
    )
    endings = [*ENDINGS, *(f"csv{compression}" for compression in COMPRESSIONS[1:])]
    contents = []
    for seed in ("1", "2"):
        (tmp_path / seed).mkdir()
        command = [sys.executable, "-c", program, str(tmp_path / seed), *endings]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
        contents.append([(tmp_path / seed / f"graph.{ending}").read_bytes() for ending in endings])
    assert contents[0] == contents[1]


# ---------------------------------------------------------------------- refusals


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("label", ["lone \ud800 surrogate", "zero \0 byte", (1, 2), 1.5, True, None])
def test_labels_that_are_no_names(tmp_path, ending, label):
    graph = Graph.from_edges([("a", label)])
    with pytest.raises(GraphError):
        write(graph, tmp_path / f"graph.{ending}")
    assert not list(tmp_path.iterdir())


def test_labels_that_would_become_one(tmp_path):
    with pytest.raises(GraphError, match="the same as text"):
        write(Graph.from_edges([(1, "1"), ("a", "b")]), tmp_path / "graph.csv")


def test_matrix_market_holds_numbers_only(tmp_path):
    with pytest.raises(GraphError, match="with_labels"):
        write(Graph.from_edges([(1, 2)]), tmp_path / "graph.mtx")
    write(Graph.from_edges([(1, 2)]).with_labels(), tmp_path / "graph.mtx")


def test_the_name_must_tell_the_format(tmp_path):
    graph = odd_graphs()["path"]
    with pytest.raises(ParameterError, match="edgelist, csv"):
        write(graph, tmp_path / "graph.xyz")
    with pytest.raises(ParameterError):
        write(graph, tmp_path / "graph.csv", format="xyz")
    write(graph, tmp_path / "graph.xyz", format="gml")
    assert read(tmp_path / "graph.xyz") == graph
    assert set(EXTENSIONS.values()) == set(FORMATS)
    assert set(WRITABLE) < set(FORMATS)
