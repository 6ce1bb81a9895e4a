"""Edge lists against plain Python (csv, str.split), in every dialect, and every wrong one that came to mind."""

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
from hypothesis import given
from hypothesis import strategies as st

import graph_files
import graphveil
from graph_files import from_pairs, labelled
from graphveil import InputError, ParameterError, read
from graphveil.cli.spelling import as_typed

folder, reading = graph_files.folder, graph_files.reading  # pytest finds fixtures by their names here

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
        text += data.draw(margins) + a + data.draw(blanks) + b + data.draw(margins) + end
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
        ("1 2\nZoë 3\n".encode("utf-16"), [("1", "2"), ("Zoë", "3")]),  # as Excel saves "Unicode text"
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
        (",x,y\n0,5,6\n", [(5, 6)]),  # the index of a frame has no name
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


@pytest.mark.filterwarnings("error")
def test_a_first_line_that_may_be_a_header_is_asked_about(reading):
    with pytest.raises(UserWarning, match="line 1: taken for a friendship of wer and wen, who") as found:
        reading("wer\twen\nÄnne\tBob\nBob\tCarl\n")
    assert "header=False" in str(found.value)
    for content in ("a b\nb c\n", "a b\n", "wer,wen\n1,2\n", "a\na b\nc d\n", "1 2\n3 4\n"):
        reading(content)
    reading("wer wen\na b\n", header=True)
    reading("wer wen\na b\n", header=False)


def test_a_line_without_a_second_id_is_named(reading):
    with pytest.raises(InputError, match="line 2: 1 column"):
        reading("a,b\nc\nd,e\n", "ragged.csv")


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
    [(gzip.compress, "x.txt"), (bz2.compress, "x.gz"), (lzma.compress, "x"), (None, "x.txt")],
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
        ("a,b;c\n", "separated by commas or by semicolons"),
        ("a,b\n,c\n", "line 2: the first id is missing"),
        ('a,b\n"c,d\n', "line 2: a quotation mark is opened and never closed"),
        ('a,b\n"c"d,e\n', "line 2: something follows a closing quotation mark"),
        ('"a\nb",c\nd,e,f\n', "line 3: 3 columns"),
        (",name,town\n0,1,2\n", "line 1: the names of the columns do not tell"),
        ("a,b,c\n1,2\n", "line 1: the header names 3 columns, and the lines below have 2"),
        (b"a b\nc \xe9\n", "line 2: a name that is not in UTF-8"),
        (b"a b\nc \xed\xa0\x80\n", "line 2: a name that is not in UTF-8"),  # a lone surrogate
        (b"\xff\xfe1 2", "its text is not in utf-16"),
        (b"1 2\n3 \x004\n", "line 2: a zero byte"),
        (bytes(range(256)), "a zero byte"),
        (b"\x7fELF\x02\x01\x01\x00", "a zero byte"),
        (b"PK\x03\x04abc", "zip archive"),
    ],
)
def test_wrong_edge_lists(reading, content, message):
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        reading(content)
    assert "graph.txt" in as_typed(str(caught.value))


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


def test_a_real_graph(shared_graph):
    graph = read(shared_graph("loc-brightkite"))
    assert (graph.n, graph.m) == (58_228, 214_078)
    assert graph.labels.dtype == np.int64
    assert not graph.cleaning


def test_reading_is_part_of_the_package():
    assert graphveil.read is read
