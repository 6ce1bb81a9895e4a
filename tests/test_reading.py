"""Reading against plain Python (csv, str.split), other libraries' files, and every wrong file that came to mind."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
from graphveil import Graph, InputError, ParameterError, read


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


# ---------------------------------------------------------------------- against plain Python

blanks = st.text(" \t", min_size=1, max_size=3)
margins = st.text(" \t", max_size=2)
words = st.text("abz019.-é", min_size=1, max_size=4)
integers = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 12)
line_ends = st.sampled_from(["\n", "\r\n", "\r"])


@given(st.lists(st.tuples(words, words), min_size=1, max_size=30), st.data())
def test_blanks_as_str_split_cuts_them(reading, pairs, data):
    end = data.draw(line_ends)
    text = ""
    for a, b in pairs:
        text += data.draw(st.sampled_from(["", "# note" + end, "  % note" + end, end, " \t" + end]))
        text += (
            data.draw(st.text(" \t", max_size=2))
            + a
            + data.draw(blanks)
            + b
            + data.draw(st.text(" \t", max_size=2))
            + end
        )
    expected = [
        line.split()
        for line in re.split("\r\n|\r|\n", text)
        if line.split() and line.split()[0][0] not in "#%"
    ]
    assert expected == [list(pair) for pair in pairs]
    if all(re.fullmatch("0|-?[1-9][0-9]*", word) for pair in pairs for word in pair):
        pairs = [(int(a), int(b)) for a, b in pairs]
    assert labelled(reading(text, delimiter=" ", header=False)) == from_pairs(pairs)


@given(
    st.lists(st.tuples(integers, integers), min_size=1, max_size=40),
    st.sampled_from(" ,\t;|"),
    line_ends,
    st.booleans(),
)
def test_integers_of_64_bits(reading, pairs, delimiter, end, quoted):
    form = '"{}"{}"{}"' if quoted else "{}{}{}"
    text = end.join(form.format(a, delimiter, b) for a, b in pairs)
    graph = reading(text)
    assert labelled(graph) == from_pairs(pairs)
    assert graph.labels.dtype == np.int64
    assert graph.labels.tolist() == sorted(graph.labels.tolist())
    pairs_in_order = [(u, v) for u, v in pairs if u != v]
    assert graph.cleaning.self_loops == len(pairs) - len(pairs_in_order)
    directed = len(set(pairs_in_order))
    assert graph.cleaning.duplicates == len(pairs_in_order) - directed
    assert graph.cleaning.reciprocal == directed - graph.m


names = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=6) | st.text(
    'ab,;"# %\n\r\t', max_size=5
)


@given(st.lists(st.tuples(names, names), min_size=1, max_size=20), st.sampled_from(",;\t|"), line_ends)
def test_quoted_fields_as_csv_writes_them(reading, pairs, delimiter, end):
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL, lineterminator=end).writerows(pairs)
    expected = list(csv.reader(io.StringIO(text.getvalue(), newline=""), delimiter=delimiter))
    assert expected == [list(pair) for pair in pairs]
    graph = reading(text.getvalue(), delimiter=delimiter, header=False)
    if graph.labels.dtype == object:
        assert labelled(graph) == from_pairs(pairs)
        order = list(dict.fromkeys(end for pair in pairs for end in pair))
        assert graph.labels.tolist() == order


@given(st.lists(st.lists(words, min_size=4, max_size=4), min_size=1, max_size=20), st.permutations(range(4)))
def test_any_two_columns(reading, rows, order):
    text = "\n".join(";".join(row) for row in rows)
    first, second = order[:2]
    graph = reading(text, columns=(first, second), header=False, delimiter=";")
    pairs = [(row[first], row[second]) for row in rows]
    if graph.labels.dtype != object:
        pairs = [(int(a), int(b)) for a, b in pairs]
    assert labelled(graph) == from_pairs(pairs)


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


# ---------------------------------------------------------------------- dialects


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("1 2\n2 3\n", [(1, 2), (2, 3)]),
        ("1,2\n2,3\n", [(1, 2), (2, 3)]),
        ("1, 2\n2, 3\n", [(1, 2), (2, 3)]),
        ("1;2\n2;3", [(1, 2), (2, 3)]),
        ("1|2\n2|3", [(1, 2), (2, 3)]),
        ("1\t2\r\n2\t3\r\n", [(1, 2), (2, 3)]),
        ("\ufeff1 2\n", [(1, 2)]),
        ("1 2 0.5\n2 3 0.25\n", [(1, 2), (2, 3)]),
        ("1;2;0,5\n2;3;0,7\n", [(1, 2), (2, 3)]),  # decimal commas
        (
            "1 2 {'weight': 3, 'kind': 4}\n2 3 {'weight': 3, 'kind': 4}\n",
            [(1, 2), (2, 3)],
        ),  # as networkx writes them
        ("Alice Smith,Bob Jones\nBob Jones,Carl\n", [("Alice Smith", "Bob Jones"), ("Bob Jones", "Carl")]),
        ("Smith, Alice\tJones, Bob\n", [("Smith, Alice", "Jones, Bob")]),
        ("1  2\n 3   4\n", [(1, 2), (3, 4)]),
        ("1\t\t2\n3\t\t4\n", [(1, 2), (3, 4)]),
        ("% sym unweighted\n1 2\n", [(1, 2)]),  # as KONECT writes them
        ("007 7\n", [("007", "7")]),
        ("-0 0\n", [("-0", "0")]),
        ("1.0 2.0\n", [("1.0", "2.0")]),
        ("9223372036854775808 1\n", [("9223372036854775808", "1")]),
        ("-9223372036854775808 9223372036854775807\n", [(-(2**63), 2**63 - 1)]),
        ("Zoë Łukasz\n", [("Zoë", "Łukasz")]),
        ('"a ""b""",c\n"d\ne",c\n', [('a "b"', "c"), ("d\ne", "c")]),
    ],
)
def test_delimiters_are_found(reading, content, expected):
    assert labelled(reading(content)) == from_pairs(expected)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("source,target\na,b\n", [("a", "b")]),
        ("Source;Target;Type;Weight\na;b;Undirected;1\n", [("a", "b")]),  # as Gephi writes them
        ("id,source,target\n0,5,6\n", [(5, 6)]),
        ("from_id to_id\na b\n", [("a", "b")]),
        ("anything,goes\n1,2\n", [(1, 2)]),
        ("who,whom,since\na,b,1999\n", [("a", "b")]),
        ("person1,person2\na,b\n", [("a", "b")]),
        ("node1,node2\nnode2,node3\n", [("node1", "node2"), ("node2", "node3")]),
        ("node1,node2\nnode3,node4\n", [("node1", "node2"), ("node3", "node4")]),
        ("a b\nc d\n", [("a", "b"), ("c", "d")]),
        ("a 1\n1 2\n", [("a", "1"), ("1", "2")]),
    ],
)
def test_headers_are_found(reading, content, expected):
    assert labelled(reading(content)) == from_pairs(expected)


def test_what_the_caller_says_counts(reading):
    assert labelled(reading("source,target\na,b\n", header=False)) == from_pairs(
        [("source", "target"), ("a", "b")]
    )
    assert labelled(reading("a,b\nc,d\n", header=True)) == from_pairs([("c", "d")])
    assert labelled(reading("u,v,w\n1,2,3\n", columns=("v", "w"))) == from_pairs([(2, 3)])
    assert labelled(reading("1,2,3\n", columns=(2, 0))) == from_pairs([(3, 1)])
    assert labelled(reading("a:b\nb:c\n", delimiter=":")) == from_pairs([("a", "b"), ("b", "c")])
    assert labelled(reading("a,b c\n", delimiter=" ")) == from_pairs([("a,b", "c")])
    assert labelled(reading("#a,b\n", comments="", header=False)) == from_pairs([("#a", "b")])
    assert labelled(reading('"a,b\n', quotes=False)) == from_pairs([('"a', "b")])
    assert labelled(reading("a,b\n", "graph.gml", format="csv")) == from_pairs([("a", "b")])


def test_vertices_without_edges(reading):
    assert labelled(reading("1 2\n7\n")) == from_pairs([(1, 2)], [7])
    assert labelled(reading("7\n1 2\n")) == from_pairs([(1, 2)], [7])
    assert labelled(reading("1,2\n7,\n")) == from_pairs([(1, 2)], [7])
    assert labelled(reading("a,b,3\nc,,4\n")) == from_pairs([("a", "b")], ["c"])
    assert labelled(reading('a,b\nc,""\n')) == from_pairs([("a", "b"), ("c", "")])


def test_columns_that_are_dropped_are_named(reading):
    assert reading("1 2 5\n").cleaning.edge_attributes == ("column 3",)
    assert reading("a,source,target,b\n1,2,3,4\n").cleaning.edge_attributes == ("a", "b")
    assert reading("1 2 5\n", columns=(0, 1)).cleaning.edge_attributes == ()


def test_many_columns(reading):
    graph = reading(("1;2" + ";0" * 20_000 + "\n") * 10)
    assert len(graph.cleaning.edge_attributes) == 20_000
    assert str(graph.cleaning).endswith("column 7, 19,995 more")


@pytest.mark.parametrize(
    ("compress", "name"),
    [(gzip.compress, "x.txt"), (bz2.compress, "x.gz"), (lzma.compress, "x"), (None, "x.csv")],
)
def test_compression_is_told_by_content(reading, compress, name):
    if compress is None:
        import pyarrow

        def compress(content):
            return pyarrow.compress(content, "zstd", asbytes=True)

    content = b"1 2\n2 3\n" * 1000
    assert labelled(reading(compress(content), name)) == from_pairs([(1, 2), (2, 3)])
    assert labelled(reading(compress(b"1 2\n") + compress(b"5 6\n"), name)) == from_pairs([(1, 2), (5, 6)])
    for end in (len(compress(content)) // 2, len(compress(content)) - 3):
        with pytest.raises(InputError, match="truncated"):
            reading(compress(content)[:end], name)


def test_standard_input():
    command = [sys.executable, "-c", "import graphveil; print(graphveil.read('-'))"]
    run = subprocess.run(command, input=b"1 2\n2 3\n", capture_output=True, check=True)
    assert run.stdout.decode().strip() == "Graph(n=3, m=2)"


# ---------------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("\n \n", "only comments and blank lines"),
        ("# nothing\n% at all\n", "only comments and blank lines"),
        ("source,target\n", "a header and no edge"),
        ("1\n2\n3\n", "line 1: no line has two ids"),
        ("1 2\n3 4 5\n", "line 2: 3 columns where the lines before have 2"),
        ("1,2\n\n3\n", "line 3: 1 column where the lines before have 2"),
        ("1,2\n3 4\n5 6\n", "line 1: one id where two are expected"),
        ("1 2\n3 4\n5,6\n", "line 3: one id where two are expected"),
        ("a,b;c\n", "parted by commas or by semicolons"),
        ("a,b\n,c\n", "line 2: the first id is missing"),
        ('a,b\n"c,d\n', "line 2: a quotation mark is opened and never closed"),
        ('a,b\n"c"d,e\n', "line 2: something follows a closing quotation mark"),
        ('"a\nb",c\nd,e,f\n', "line 3: 3 columns"),
        (",x,y\n0,1,2\n", "line 1: the first column has no name"),
        ("a,b,c\n1,2\n", "line 1: the header names 3 columns, and the lines below have 2"),
        (b"a b\nc \xe9\n", "line 2: a name that is no text in UTF-8"),
        (b"a b\nc \xed\xa0\x80\n", "line 2: a name that is no text in UTF-8"),  # a lone surrogate
        ("1 2\n".encode("utf-16"), "the text is in UTF-16"),
        (b"1 2\n3 \x004\n", "line 2: a zero byte"),
        (bytes(range(256)), "a zero byte"),
        (b"\x7fELF\x02\x01\x01\x00", "a zero byte"),
        (b"PK\x03\x04abc", "zip archive"),
    ],
)
def test_wrong_edge_lists(reading, content, message):
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        reading(content)
    assert "graph.txt" in str(caught.value)


def test_a_third_column_far_down(reading):
    with pytest.raises(InputError, match="line 1048577: 3 columns where the lines before have 2"):
        reading("1 2\n" * 1_048_576 + "1 2 3\n")
    with pytest.raises(InputError, match="line 1048577: 3 columns where the lines before have 2"):
        reading("a b\n" * 1_048_576 + "a b c\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": ("a", "nobody")}, "no column is named 'nobody'"),
        ({"columns": (0, 5)}, "no column at position 5"),
        ({"keep_vertex_attributes": ["age"]}, "no vertex attribute is named 'age'"),
    ],
)
def test_what_is_asked_for_and_not_there(reading, options, message):
    with pytest.raises(InputError, match=message):
        reading("a,b\n1,2\n", **options)


@pytest.mark.parametrize(
    "options",
    [
        {"columns": (1, 1)},
        {"columns": ("a",)},
        {"delimiter": "::"},
        {"delimiter": "a"},
        {"comments": "§"},
        {"format": "dot"},
    ],
)
def test_wrong_parameters(reading, options):
    with pytest.raises(ParameterError):
        reading("1,2\n", **options)


def test_files_that_are_no_files(folder):
    with pytest.raises(InputError, match="no such file"):
        read(folder / "nowhere.txt")
    with pytest.raises(InputError, match="this is a folder"):
        read(folder)
    secret = folder / "secret.txt"
    secret.write_text("1 2\n")
    secret.chmod(0)
    if not os.access(secret, os.R_OK):
        with pytest.raises(InputError, match="no permission"):
            read(secret)


# ---------------------------------------------------------------------- policy


def test_what_is_merged_is_counted(reading):
    graph = reading("1 2\n2 1\n1 2\n3 3\n2 3\n3 2\n1 2\n")
    cleaning = graph.cleaning
    assert (cleaning.self_loops, cleaning.duplicates, cleaning.reciprocal) == (1, 2, 2)
    assert labelled(graph) == from_pairs([(1, 2), (2, 3)])
    assert str(cleaning) == "merged 2 reciprocal pairs, merged 2 repeated edges, dropped 1 self-loop"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("# c\n1 2\n\n3 3\n1 2\n", "line 4: an edge from 3 to itself"),
        ("1 2\n7\n2 3\n1 2\n", "line 4: the edge between 1 and 2 is there already"),
        ("a b\n\nb c\nb a\n", "line 4: the edge between b and a is there already"),
        ("1 2 0.5\n", "dropped the edge attribute column 3"),
    ],
)
def test_strict_refuses_and_names_the_line(reading, content, message):
    assert reading(content).cleaning
    with pytest.raises(InputError, match=re.escape(message)):
        reading(content, strict=True)


def test_strict_takes_what_is_clean(reading):
    assert reading("1 2\n7\n2 3\n", strict=True).n == 4
    assert reading("1 2 0.5\n", strict=True, columns=(0, 1)).m == 1


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
        (b"<gexf><graph/></gexf>", "there is no graphml element with a graph"),
        (b"<graphml><graph>\n<node/></graph></graphml>", "line 2: a node without id"),
        (
            b'<graphml><graph>\n<node id="a"/>\n<edge source="a"/></graph></graphml>',
            "line 3: a node without id, or",
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
        ("graph [\nnode [ id 1 ]\nedge [ source 1 ] ]", "line 3: a node without id, or an edge"),
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
        ("3 3 3\n2 1\n3 1\n", "Truncated file"),
        ("3 3 2\n2 1\n9 1\n", "line 4: the matrix cannot be read (Row index out of bounds)"),
        ("3 3 2\n2 1\n3 x\n", "line 4: the matrix cannot be read"),
        ("3 2 1\n2 1\n", "an adjacency matrix is square, and this one is 3×2"),
        ("", "the matrix cannot be read"),
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
        ({"": [1, 2], "b": [2, 3]}, "the first column has no name"),
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


def test_a_real_graph(shared_graph):
    graph = read(shared_graph("loc-brightkite"))
    assert (graph.n, graph.m) == (58_228, 214_078)
    assert graph.labels.dtype == np.int64
    assert not graph.cleaning


def test_reading_is_part_of_the_package():
    assert graphveil.read is read
