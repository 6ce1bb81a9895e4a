"""What other libraries have, under the rules of the command line; and what may not get through the wall."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import graph_files
import graphveil
from graph_files import from_pairs, labelled
from graphveil import Graph, GraphError, InputError, as_graph, read
from graphveil.cli.spelling import as_typed

folder, reading = graph_files.folder, graph_files.reading  # pytest finds fixtures by their names here

PAIRS = [("Ann", "Bo"), ("Bo", "Cy"), ("Ann", "Cy")]


def inputs(folder):
    """The same triangle as everything that people have."""
    import igraph
    import networkx
    import pandas
    import polars
    import scipy.sparse

    frame = pandas.DataFrame(PAIRS, columns=["from", "to"])
    frame.to_csv(folder / "triangle.csv", index=False)
    numbers = np.array([[0, 1], [1, 2], [0, 2]])
    square = np.ones((3, 3), int) - np.eye(3, dtype=int)
    return {
        "Graph": Graph.from_edges(PAIRS),
        "networkx": networkx.Graph(PAIRS),
        "igraph": igraph.Graph.TupleList(PAIRS),
        "pandas": frame,
        "polars": polars.from_pandas(frame),
        "lazy polars": polars.from_pandas(frame).lazy(),
        "path": folder / "triangle.csv",
        "text": str(folder / "triangle.csv"),
        "pairs": PAIRS,
        "edges of networkx": networkx.Graph(PAIRS).edges,
        "array": numbers,
        "matrix": square,
        "scipy": scipy.sparse.csr_array(square),
        "upper half": scipy.sparse.triu(square),
    }


@pytest.mark.filterwarnings("error")
def test_everything_that_people_have(folder):
    for name, given in inputs(folder).items():
        graph = as_graph(given)
        assert (graph.n, graph.m) == (3, 3), name
        if isinstance(graph.labels[0], str):
            assert labelled(graph) == from_pairs(PAIRS), name
        assert graphveil.audit(given, k=2).edges == 3, name
        assert graphveil.verify(given, k=2).edges == 3, name
        assert graphveil.anonymize(given, 2, method="add-greedy", seed=2**90).original == graph, name


def test_directed_objects_are_refused_and_weights_are_noted():
    import igraph
    import networkx
    import pandas
    import polars
    import scipy.sparse

    followers = pandas.DataFrame({"follower": ["a"], "followee": ["b"]})
    for directed in (
        networkx.DiGraph(PAIRS),
        igraph.Graph([(0, 1)], directed=True),
        scipy.sparse.coo_array(np.array([[0, 1, 0], [0, 0, 0], [1, 1, 0]])),
        followers,
        polars.from_pandas(followers),
    ):
        with pytest.raises(GraphError, match="direct"):
            as_graph(directed)
    weighted = networkx.Graph()
    weighted.add_edge("a", "b", weight=3)
    weighted.add_node("a", age=31)
    for given in (weighted, pandas.DataFrame({"source": ["a"], "target": ["b"], "weight": [3]})):
        with pytest.warns(UserWarning, match="dropped the edge attribute weight"):
            as_graph(given)
    for odd in (pandas.DataFrame({"name": ["a"], "age": [3]}), 7, {"a": "b"}, np.zeros((3, 4), int)):
        with pytest.raises(GraphError):
            as_graph(odd)


def test_vertex_attributes_go_there_and_back():
    import networkx

    given = networkx.Graph(PAIRS)
    networkx.set_node_attributes(given, {"Ann": 31, "Bo": 40}, "age")
    graph = Graph.from_networkx(given, keep_vertex_attributes=["age"])
    assert graph.vertex_attributes["age"].tolist() == [31, 40, None]
    assert dict(graph.to_networkx().nodes(data="age")) == {"Ann": 31, "Bo": 40, "Cy": None}
    assert "age" not in graph.to_networkx().nodes["Cy"]
    back = Graph.from_igraph(graph.to_igraph(), keep_vertex_attributes=["age"])
    assert back.vertex_attributes["age"].tolist() == [31, 40, None]
    with pytest.raises(GraphError, match="There are: age"):
        Graph.from_networkx(given, keep_vertex_attributes=["town"])
    assert Graph.from_networkx(given).cleaning.vertex_attributes == ("age",)


def test_a_result_under_real_ids_is_not_written_without_a_word(tmp_path):
    town = graphveil.generate(edges=60, seed=4)
    result = graphveil.anonymize(town, 2, method="add-greedy", seed=2**90)
    with pytest.warns(UserWarning, match=r"real ids.*graphveil\.publish"):
        graphveil.write(result.graph, tmp_path / "out.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graphveil.write(town, tmp_path / "town.csv")
        graphveil.publish(result, tmp_path / "out")


def test_a_notebook_shows_sizes_and_no_ids():
    page = Graph.from_edges(PAIRS)._repr_html_()
    assert "<table>" in page
    assert "Ann" not in page + repr(Graph.from_edges(PAIRS))


# ---------------------------------------------------------------------- the wall

MTX = b"%%MatrixMarket matrix coordinate "
HOSTILE = {
    "truncated.mtx": (MTX + b"pattern symmetric\n2 2 1\n2 1 ", None),
    "zeros.mtx": (MTX + b"real symmetric\n2 2 1\n2 1 \0\0\0\n", "zero byte"),
    "zero in the header.mtx": (MTX + b"real\0symmetric\n2 2 1\n2 1 1\n", "zero byte"),
    "cut.mtx": (MTX + b"real symmetric\n2 2 1\n2 1", "3 columns, and here they have 2"),
    "many.mtx": (MTX + b"pattern symmetric\n999999999999 999999999999 1\n2 1\n", "max_memory"),
    "many.net": (b"*Vertices 1000000000\n", "max_memory"),
    "long.net": (b"*Vertices " + b"9" * 5000 + b"\n", "without their number"),
    "long vertex.net": (b"*Vertices 2\n" + b"9" * 5000 + b" a\n", "no vertex with a number"),
    "utf-7.graphml": (
        b'<?xml version="1.0" encoding="utf-7"?><graphml><graph><node id="+2AA-"/></graph></graphml>',
        "encoding",
    ),
    "laughs.graphml": (b'<!DOCTYPE x [<!ENTITY a "aa">]><graphml>&a;</graphml>', "document type definition"),
    "outside.graphml": (b'<!DOCTYPE x SYSTEM "/etc/passwd"><graphml/>', "no graphml element"),
    "long.graphml": (
        b'<graphml><key id="k" for="node" attr.name="age" attr.type="int"/><graph><node id="a"><data key="k">'
        + b"9" * 5000
        + b"</data></node></graph></graphml>",
        None,
    ),
    "deep.json": (b"[" * 100_000, "nested too deep"),
    "deep.gml": (b"graph [ a " + b"[ a " * 100_000, "no end"),
    "surrogate.json": (b'[["\\ud800", "b"]]', "no text"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(reading, name):
    content, problem = HOSTILE[name]
    if problem is None:
        assert reading(content, name).n
    else:
        with pytest.raises(InputError, match=problem) as caught:
            reading(content, name)
        assert "\n" not in as_typed(str(caught.value))


def test_a_decompression_is_bounded(reading):
    bomb = gzip.compress(b"\0" * 300_000_000, 1)
    with pytest.raises(InputError, match=r"larger than 256 MB when it is decompressed.*max_memory"):
        reading(bomb, "bomb.gz")
    small = gzip.compress(b"1 2\n" * 1000)
    assert reading(small, "small.gz", max_memory="1MB").m == 1
    with pytest.raises(InputError, match="max_memory"):
        reading(small, "small.gz", max_memory=1000)
    assert reading(b"*Vertices 9999\n*Edges\n1 2\n", "a.net").n == 9999
    with pytest.raises(InputError, match="it declares 9,999 vertices"):
        reading(b"*Vertices 9999\n*Edges\n1 2\n", "a.net", max_memory="1 MB")
    with pytest.raises(graphveil.ParameterError, match="8GB"):
        reading(small, "small.gz", max_memory="much")


def test_parquet_of_strangers(folder):
    import pyarrow
    import pyarrow.parquet

    twice = pyarrow.table([pyarrow.array([1, 2]), pyarrow.array([2, 3])], names=["a", "a"])
    pyarrow.parquet.write_table(twice, folder / "twice.parquet")
    assert read(folder / "twice.parquet", columns=(0, 1)).m == 2
    with pytest.raises(InputError, match="2 columns are named a"):
        read(folder / "twice.parquet", columns=("a", "b"))
    content = (folder / "twice.parquet").read_bytes()
    pyarrow.parquet.write_table(twice.rename_columns(["source", "target"]), folder / "x.parquet")
    content = (folder / "x.parquet").read_bytes().replace(b"source", b"\xff\xfeurce")
    (folder / "no-text.parquet").write_bytes(content)
    with pytest.raises(InputError, match="no whole Parquet file"):
        read(folder / "no-text.parquet")


def test_the_truncated_matrix_in_a_process_of_its_own(folder):
    """SciPy's reader ended the process here, about once in eight times."""
    path = folder / "a.mtx"
    path.write_bytes(HOSTILE["truncated.mtx"][0])
    program = "import sys, graphveil\nfor _ in range(20): print(graphveil.read(sys.argv[1]))"
    run = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, check=False, text=True
    )
    assert run.returncode == 0
    assert run.stdout.count("Graph(n=2, m=1)") == 20


def test_devices_are_no_files():
    with pytest.raises(InputError, match="device"):
        read("/dev/zero")
    assert os.path.exists("/dev/zero")
