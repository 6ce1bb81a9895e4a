"""Files of every format, those of other libraries among them: read, refused if directed, and damaged in every way."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graph_files
from graph_files import from_pairs, labelled
from graphveil import InputError, read

folder, reading = graph_files.folder, graph_files.reading  # pytest finds fixtures by their names here

VALID = {
    "x.txt": b'# c\n1 2\n2 3\n"a b" 3\n4\n',
    "x.csv": b"source,target,w\na,b,1\nc,,2\n",
    "x.graphml": b'<graphml><key id="k" for="node" attr.name="age" attr.type="int"/><graph edgedefault="undirected">'
    b'<node id="a"><data key="k">3</data></node><node id="b"/><edge source="a" target="b"/></graph></graphml>',
    "x.gml": b'graph [\n directed 0\n node [ id 1 label "a" x [ y 2 ] ]\n node [ id 2 ]\n'
    b"edge [ source 1 target 2 ]\n]",
    "x.net": b'*Vertices 3\n1 "a" 0.1 0.2\n2 "b"\n*Edges\n1 2 1.5\n2 3\n',
    "x.mtx": b"%%MatrixMarket matrix coordinate integer symmetric\n% c\n3 3 2\n2 1 5\n3 1 0\n",
}


# ---------------------------------------------------------------------- damaged and directed files


def complaint(reading, content: bytes, name: str, **options: object) -> str:
    """What is said against a file; nothing if it can be read."""
    try:
        reading(content, name, **options)
    except InputError as error:
        return str(error)
    return ""


@given(st.binary(max_size=300), st.sampled_from(["txt", "csv", "graphml", "gml", "net", "mtx", "parquet"]))
@settings(max_examples=300)
def test_no_bytes_give_anything_but_a_graph_or_an_input_error(reading, content, extension):
    said = complaint(reading, content, f"x.{extension}")
    assert "\n" not in said
    assert not said or f"x.{extension}" in said


PIECES = [b"", b"[", b"]", b'"', b"<", b">", b"/", b"&", b"9", b"-1", b"\n", b"*", b"x", b"\xff"]


@given(st.sampled_from(sorted(VALID)), st.data())
@settings(max_examples=400)
def test_damaged_files_give_a_graph_or_an_input_error(reading, name, data):
    content = bytearray(VALID[name])
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 4))] = data.draw(st.sampled_from(PIECES))
    keep = data.draw(st.sampled_from([(), ("age",), ("x",)]))
    assert "\n" not in complaint(reading, bytes(content), name, keep_vertex_attributes=keep)


def test_the_kernels_also_run_uncompiled(folder):
    for name, content in VALID.items():
        (folder / f"valid-{name}").write_bytes(content)
    program = (
        "import sys, graphveil\n"
        "for path in sys.argv[1:]:\n"
        "    graph = graphveil.read(path)\n"
        "    graphveil.write(graph.with_labels(), path + '.csv')\n"
        "    assert graphveil.read(path + '.csv') == graph.with_labels()\n"
        "    print(graph)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, *(str(folder / f"valid-{name}") for name in VALID)],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stderr == ""
    assert run.stdout.split("\n")[:-1] == [str(read(folder / f"valid-{name}")) for name in VALID]


DIRECTED = {
    "x.graphml": VALID["x.graphml"].replace(b"undirected", b"directed"),
    "edge.graphml": VALID["x.graphml"].replace(b"<edge ", b'<edge directed="true" '),
    "x.gml": VALID["x.gml"].replace(b"directed 0", b"directed 1"),
    "x.net": VALID["x.net"].replace(b"*Edges", b"*Arcs"),
    "x.mtx": VALID["x.mtx"].replace(b"symmetric", b"general"),
}


@pytest.mark.parametrize("name", DIRECTED)
def test_directed_files_are_refused(reading, name):
    with pytest.raises(InputError, match="declares its graph directed"):
        reading(DIRECTED[name], name)
    assert reading(DIRECTED[name], name, undirected=True).m >= 1


# ---------------------------------------------------------------------- other formats


def test_graphml(reading):
    content = """<?xml version="1.0" encoding="ISO-8859-1"?>
    <!-- <node id="no"/> --><g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">
    <g:key id="d0" for="node" attr.name="age" attr.type="int"><g:default>7</g:default></g:key>
    <g:key id="d1" for="edge" attr.name="weight" attr.type="double"/>
    <g:graph id="G" edgedefault="undirected">
      <g:desc><![CDATA[ <node id="no"/> ]]></g:desc>
      <g:edge target='b &gt; "c"' source="a&amp;b"><g:data key="d1">1.5</g:data></g:edge>
      <g:node id="a&#38;b"><g:data key="d0">42</g:data></g:node>
      <g:node  id = 'b > "c"' />
      <g:node id="Zo\xeb"><g:data key="d0"> 3 </g:data></g:node>
    </g:graph></g:graphml>""".encode("latin-1")
    graph = reading(content, "x.graphml", keep_vertex_attributes=["age"])
    assert labelled(graph) == from_pairs([("a&b", 'b > "c"')], ["Zoë"])
    ages = dict(zip(graph.labels, graph.vertex_attributes["age"].tolist(), strict=True))
    assert ages == {"a&b": 42, 'b > "c"': 7, "Zoë": 3}
    assert graph.cleaning.edge_attributes == ("weight",)
    assert reading(content, "x.graphml").cleaning.vertex_attributes == ("age",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<graphml><graph>", "line 1: this is no well-formed XML (no element found)"),
        (b"<graphml>\n<graph></graphml>", "line 2: this is no well-formed XML (mismatched tag)"),
        (b"<html/>", "there is no graphml element with a graph"),
        (b"<?xml version='1.0'?><svg><graph/></svg>", "there is no graphml element with a graph"),
        (b"<graphml><graph>\n<node/></graph></graphml>", "line 2: a node without id"),
        (
            b'<graphml><graph>\n<node id="a"/>\n<edge source="a"/></graph></graphml>',
            "line 3: an edge without source or target",
        ),
        (
            b'<graphml><graph>\n<node id="a"/>\n<edge source="a" target="b"/></graph></graphml>',
            "line 3: an edge ends at b",
        ),
        (
            b'<graphml><graph><node id="a"/><node id="a"/></graph></graphml>',
            "the node a is there more than once",
        ),
        (b"<graphml><graph>\n<hyperedge/></graph></graphml>", "line 2: a hyperedge"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><graphml/>', "a document type definition"),
    ],
)
def test_wrong_graphml(reading, content, message):
    with pytest.raises(InputError, match=re.escape(message)):
        reading(content, "x.graphml")


def test_gml(reading):
    content = """Creator "me [ ]"
    # a comment
    graph [ comment "graph [ node" directed 0
      edge [ source 3 target 1 weight 2.5 graphics [ type "line" ] ]
      node [ id 1 label "Zo&#235; &quot;Z&quot;" age 42 graphics [ x 1.0 label "no" ] ]
      node [ age 43 label "Bob" id 3 ] node [ label "[" id 4 ]
    ]"""
    graph = reading(content, "x.gml", keep_vertex_attributes=["age"])
    assert labelled(graph) == from_pairs([('Zoë "Z"', "Bob")], ["["])
    assert dict(zip(graph.labels, graph.vertex_attributes["age"].tolist(), strict=True)) == {
        'Zoë "Z"': 42,
        "Bob": 43,
        "[": None,
    }
    assert set(graph.cleaning.edge_attributes) == {"weight", "graphics"}
    assert graph.cleaning.vertex_attributes == ("graphics",)


def test_gml_with_labels_that_name_nobody(reading):
    graph = reading(
        'graph [ node [ id 5 label "x" ] node [ id 3 label "x" ] edge [ source 5 target 3 ] ]', "x.gml"
    )
    assert graph.labels.tolist() == [3, 5]
    assert graph.cleaning.vertex_attributes == ("label",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("nothing", "there is no graph in it"),
        ("graph [\nnode [ id 1 ]", "line 2: a list or a string has no end"),
        ('graph [\nnode [ id 1 label "a ] ]\n', "a list or a string has no end"),
        ("graph [ node\n] ]", "a key or a value is missing"),
        ("graph [\nnode [ label 1 ] ]", "line 2: a node without id"),
        ("graph [\nnode [ id 1 ]\nedge [ source 1 ] ]", "line 3: an edge without source or target"),
        ("graph [\nnode [ id 1 ]\nedge [ source 1 target 2 ] ]", "line 3: an edge ends at 2"),
    ],
)
def test_wrong_gml(reading, content, message):
    with pytest.raises(InputError, match=re.escape(message)):
        reading(content, "x.gml")


def test_pajek(reading):
    vertices = '% made by hand\n*Network friends\n*Vertices 4\n1 "Zoë Z" 0.5 0.25 box ic Blue\n3 Bob\n'
    content = (vertices + "*edges\n1 3 2.5\n4 2\n").replace("\n", "\r\n")
    graph = reading(content, "x.net", keep_vertex_attributes=["x"])
    assert labelled(graph) == from_pairs([("Zoë Z", "Bob"), ("4", "2")])
    assert graph.vertex_attributes["x"].tolist() == [0.5, None, None, None]
    assert graph.cleaning.edge_attributes == ("weight",)
    assert graph.cleaning.vertex_attributes == ("y", "shape")
    assert reading("*Vertices 3\n*Edges\n1 3\n", "x.net").labels.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("*Edges\n1 2\n", "line 1: the section *Edges cannot be read here"),
        ("*Vertices\n", "line 1: *Vertices without their number"),
        ("*Vertices 2\n5 x\n", "line 2: this is no vertex with a number from 1 to 2"),
        ("*Vertices 2\n*Edges\n1 2\n1 7\n", "line 4: vertices have the numbers 1 to 2"),
        ("*Vertices 2\n*Edges\n1 2\n1 b\n", "line 4: an edge joins two vertices by their numbers"),
        ("*Vertices 2\n*Edges\n1\n", "one number only"),
        ("*Vertices 2\n*Matrix\n0 1\n1 0\n", "line 2: the section *Matrix cannot be read here"),
    ],
)
def test_wrong_pajek(reading, content, message):
    with pytest.raises(InputError, match=re.escape(message)):
        reading(content, "x.net")


def test_matrix_market(reading):
    graph = reading(VALID["x.mtx"], "x.mtx")
    assert labelled(graph) == from_pairs([(0, 1)], [2])  # the entry 0 is no edge
    assert graph.cleaning.edge_attributes == ("weight",)
    dense = b"%%MatrixMarket matrix array integer symmetric\n2 2\n0\n1\n0\n"
    assert labelled(reading(dense, "x.mtx")) == from_pairs([(0, 1)])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("3 3 3\n2 1\n3 1\n", "3 entries are declared, and there are 2"),
        ("3 3 2\n2 1\n9 1\n", "line 4: rows and columns have the numbers 1 to 3"),
        ("3 3 2\n2 1\n3 x\n", "line 4: an entry has two whole numbers"),
        ("3 2 1\n2 1\n", "an adjacency matrix is square, and this one is 3×2"),
        ("", "the line with the size of the matrix is missing"),
    ],
)
def test_wrong_matrix_market(reading, lines, message):
    with pytest.raises(InputError, match=re.escape(message)):
        reading("%%MatrixMarket matrix coordinate pattern general\n" + lines, "x.mtx", undirected=True)
    with pytest.raises(InputError, match="line 1: this is no header"):
        reading("%%MatrixMarket\n" + lines, "x.mtx")


def test_parquet(folder):
    import polars

    path = folder / "x.parquet"
    polars.DataFrame({"w": [1.5, 2, 3], "target": ["b", None, "a"], "source": ["a", "c", "b"]}).write_parquet(
        path
    )
    graph = read(path)
    assert labelled(graph) == from_pairs([("a", "b")], ["c"])
    assert graph.cleaning.reciprocal == 1
    assert graph.cleaning.edge_attributes == ("w",)
    polars.DataFrame(
        {"a": [5, 3], "b": [3, 2**63]}, schema={"a": polars.Int32, "b": polars.UInt64}
    ).write_parquet(path)
    assert labelled(read(path)) == from_pairs([(5, 3), (3, 2**63)])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1, 2]}, "the table has 1 column"),
        ({"source": [None, 2], "target": [1, 2]}, "row 1 has no source"),
        ({"source": [1.5, 2], "target": [1, 2]}, "the column source is of type double"),
        ({"source": [1, 2], "target": ["a", "b"]}, "one column has integers, and the other has strings"),
        ({"": [1, 2], "b": [2, 3]}, "the names of the columns do not tell"),
    ],
)
def test_wrong_parquet(folder, columns, message):
    import polars

    polars.DataFrame(columns).write_parquet(folder / "wrong.parquet")
    with pytest.raises(InputError, match=message):
        read(folder / "wrong.parquet")
    content = (folder / "wrong.parquet").read_bytes()
    (folder / "wrong.parquet").write_bytes(content[:-20])
    with pytest.raises(InputError, match="no whole Parquet file"):
        read(folder / "wrong.parquet")


def with_another_number(content: bytes, old: int, new: int, *places: int) -> bytes:
    """A Parquet file with some of the numbers in its footer replaced by others that take as many bytes."""
    before, after = (b"\x16" + bytes([2 * number & 127 | 128, 2 * number >> 7]) for number in (old, new))
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    found = [match.start() for match in re.finditer(re.escape(before), content[footer:])]
    changed = bytearray(content)
    for place in places:
        at = footer + found[place]
        changed[at : at + 3] = after
    return bytes(changed)


@pytest.mark.parametrize("places", [(0,), (-1,), (0, -1)], ids=["file", "row group", "both"])
@pytest.mark.parametrize("ids", [int, str])
def test_parquet_whose_columns_do_not_have_the_rows_that_it_declares(folder, ids, places):
    import pyarrow.parquet

    path = folder / "fewer.parquet"
    columns = {"source": list(map(ids, range(1000))), "target": list(map(ids, range(1, 1001)))}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    path.write_bytes(with_another_number(path.read_bytes(), 1000, 2000, *places))
    with pytest.raises(InputError, match="a column does not have the 2,000 rows that it declares"):
        read(path)


def test_parquet_cannot_hide_how_many_rows_it_has(folder):
    import pyarrow.parquet

    path = folder / "more.parquet"
    pyarrow.parquet.write_table(
        pyarrow.table({"source": np.zeros(8000, np.int64), "target": np.ones(8000, np.int64)}), path
    )
    path.write_bytes(with_another_number(path.read_bytes(), 8000, 64, 0))
    assert pyarrow.parquet.ParquetFile(path).metadata.num_rows == 64
    with pytest.raises(InputError, match="it declares 8,000 rows"):
        read(path, max_memory=100_000)


@pytest.mark.parametrize("length", [5000, 5])
def test_parquet_that_repeats_a_long_text_is_bounded_before_its_rows_are_made(folder, length):
    """Polars writes a list of the different texts; the rows have numbers into it."""
    import polars

    path = folder / "long.parquet"
    names = polars.Series(["a" * length, "b" * length]).gather([row % 2 for row in range(100_000)])
    polars.DataFrame({"source": names, "target": ["c"] * 100_000}).write_parquet(path)
    assert path.stat().st_size < 100_000
    if length == 5:
        assert read(path).m == 2
        return
    with pytest.raises(InputError, match="its rows repeat long texts, which takes 477 MB of memory"):
        read(path)


@pytest.mark.parametrize("name", ["target", "weight"])
def test_parquet_with_lists_is_not_read_whole(folder, name, monkeypatch):
    """A list in one row may be of any length; one that is no id is left out."""
    import pyarrow.parquet

    path = folder / "lists.parquet"
    columns = {"source": [1, 2], "target": [2, 3], name: [[0] * 9, [0]]}
    pyarrow.parquet.write_table(pyarrow.table(columns), path)
    if name == "weight":
        assert read(path).m == 2
        return
    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "read", None)
    with pytest.raises(InputError, match="the column target is of type list"):
        read(path)


@pytest.mark.parametrize("name", ["numbers", "names"])
def test_parquet_with_columns_of_unequal_length(name):
    with pytest.raises(InputError, match="a column does not have the 40 rows that it declares"):
        read(os.path.join(os.path.dirname(__file__), "data", f"unequal-{name}.parquet"))


def test_a_sparse_file_is_not_read(folder):
    path = folder / "sparse.txt"
    path.write_bytes(b"1 2\n")
    os.truncate(path, 1 << 42)
    with pytest.raises(InputError, match="bytes are holes, which takes 4 TB of memory"):
        read(path)


# ---------------------------------------------------------------------- files of other libraries


@pytest.fixture(scope="module")
def club():
    import networkx

    graph = networkx.karate_club_graph()
    return networkx.Graph(graph.edges)


@pytest.mark.parametrize("name", ["x.graphml", "x.gml", "x.net", "x.txt", "data.txt"])
def test_files_of_networkx(folder, club, name):
    import networkx

    writers = {
        "x.graphml": networkx.write_graphml,
        "x.gml": networkx.write_gml,
        "x.net": networkx.write_pajek,
        "x.txt": lambda graph, path: networkx.write_edgelist(graph, path, data=False),
        "data.txt": networkx.write_edgelist,
    }
    path = folder / f"networkx-{name}"
    writers[name](club, path)
    assert labelled(read(path)) == from_pairs(club.edges, club.nodes)


@pytest.mark.parametrize("name", ["x.graphml", "x.gml", "x.net", "x.txt"])
def test_files_of_igraph(folder, club, name):
    import igraph

    graph = igraph.Graph(n=34, edges=list(club.edges))
    path = folder / f"igraph-{name}"
    if name == "x.txt":
        graph.write_edgelist(str(path))
    else:
        graph.save(str(path), format={"x.net": "pajek"}.get(name, name[2:]))
    found = read(path)
    assert (found.n, found.m) == (34, graph.ecount())
    assert sorted(found.degrees) == sorted(graph.degree())


def test_files_of_pandas_and_scipy(folder, club):
    import pandas
    import scipy.io
    import scipy.sparse

    frame = pandas.DataFrame(list(club.edges), columns=["source", "target"])
    frame.to_csv(folder / "pandas.csv")
    assert labelled(read(folder / "pandas.csv")) == from_pairs(club.edges)
    rows, columns = np.array(club.edges).T
    matrix = scipy.sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(34, 34))
    scipy.io.mmwrite(folder / "scipy.mtx", matrix + matrix.T, symmetry="symmetric")
    graph = read(folder / "scipy.mtx")
    assert labelled(graph) == from_pairs(club.edges)
    assert not graph.cleaning.reciprocal
