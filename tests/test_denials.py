"""Rows that are no friendships, people written in two ways, and tables that are no lists of pairs."""

from __future__ import annotations

import json

import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pytest

import graphveil
from graphveil.errors import GraphError, InputError

FIRST = ("Anna", "Bea", "Cem", "Dora", "Eli", "Fay")
PAIRS = [(a, b) for a in FIRST for b in FIRST if a < b]


@pytest.fixture
def file(tmp_path):
    def write(content, name="file.csv"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


def table(header, third):
    """All pairs of six people, with a third column."""
    return header + "".join(f"{a},{b},{third(i)}\n" for i, (a, b) in enumerate(PAIRS))


def kinds(path, **how):
    return [caution.kind for caution in graphveil.cautions(graphveil.read(path, **how))]


@pytest.mark.parametrize(
    ("name", "third"),
    [
        ("friends", lambda i: "no" if i % 3 else "yes"),
        ("befreundet", lambda i: "Nein" if i % 3 else "Ja"),
        ("friends", lambda i: i % 3 == 0),
        ("confirmed", lambda i: i % 2),
        ("weight", lambda i: i % 3),
        ("Freq", lambda i: f"{i % 3}.0"),
    ],
)
def test_a_table_of_all_pairs_is_no_list_of_friendships(file, name, third):
    path = file(table(f"person1,person2,{name}\n", third))
    with pytest.raises(InputError, match=rf"the column {name} says no.*columns=.*person1.*person2"):
        graphveil.read(path)
    assert "refusals" in kinds(path, columns=["person1", "person2"])  # every row is one: the owner says so


def test_a_no_behind_many_rows_is_seen(file):
    rows = "".join(f"{i},{i + 1},{'yes' if i < 900 else 'no'}\n" for i in range(1000))
    with pytest.raises(InputError, match="says no"):
        graphveil.read(file("source,target,friends\n" + rows))


@pytest.mark.parametrize(
    "third", [lambda i: i + 1, lambda i: f"{i}.5", lambda i: "yes", lambda i: 2000 + i, lambda i: "family"]
)
def test_other_columns_are_no_denials(file, third):
    assert graphveil.read(file(table("source,target,weight\n", third))).m == len(PAIRS)


@pytest.mark.parametrize(
    ("header", "cell"), [("action", "remove"), ("unfriended_at", "2020-01-02"), ("rating", "-3")]
)
def test_refusals_are_cautioned_of(file, header, cell):
    path = file(table(f"source,target,{header}\n", lambda i: cell if i == 3 else ""))
    assert "refusals" in kinds(path)


def test_denials_in_frames_parquet_and_json(file, tmp_path):
    frame = pandas.DataFrame(PAIRS, columns=["source", "target"]).assign(
        friends=[i % 2 == 0 for i in range(15)]
    )
    with pytest.raises(GraphError, match=r"the column friends says no.*frame\[\['source', 'target'\]\]"):
        graphveil.as_graph(frame)
    pyarrow.parquet.write_table(pyarrow.Table.from_pandas(frame), tmp_path / "pairs.parquet")
    with pytest.raises(InputError, match="the column friends says no"):
        graphveil.read(tmp_path / "pairs.parquet")
    links = [{"source": a, "target": b, "value": i % 2} for i, (a, b) in enumerate(PAIRS)]
    document = {"nodes": [{"id": name} for name in FIRST], "links": links}
    with pytest.raises(InputError, match="the field value says no"):
        graphveil.read(file(json.dumps(document), "d3.json"))


def test_everybody_a_friend_of_everybody_is_cautioned_of():
    clique = graphveil.Graph.from_arrays(*np.triu_indices(12, 1))
    assert [caution.kind for caution in graphveil.cautions(clique)] == ["all-pairs"]


@pytest.mark.parametrize("missing", ["unknown", "keine Angabe", "k.A.", ".", "Private number"])
def test_placeholders_are_cautioned_of(file, missing):
    path = file("source,target\n" + "".join(f"{a},{b}\n" for a, b in PAIRS) + f"Anna,{missing}\n")
    assert "missing-values" in kinds(path)


def test_negative_numbers_are_cautioned_of(file):
    ring = "".join(f"{i},{(i + 1) % 30}\n{i},{(i + 2) % 30}\n" for i in range(30))
    assert kinds(file("source,target\n" + ring)) == []
    assert kinds(file("source,target\n" + ring + "3,-1\n")) == ["missing-values"]


def test_one_of_many_spellings_is_shown_and_the_others_are_counted(file):
    rows = "".join(f"00{i},{i + 1}\n" for i in range(1, 9))
    graph = graphveil.read(file("source,target\n" + rows))
    (caution,) = graphveil.cautions(graph)  # and not that these are memberships
    assert "and 6 more such pairs" in str(caution)


def test_a_group_beside_people_is_told_by_its_name(file):
    rows = "".join(f"{person},{person % 4}\n" for person in range(12))
    assert kinds(file("person_id,club_id\n" + rows)) == ["memberships"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("first1,last1,first2,last2\nAnn,Lee,Bo,Ray\n", "first and last names are in two columns"),
        ("First Name,Last Name,URL\nAnn,Lee,x\n", "contacts of one person"),
        ("Vorname;Nachname;Ort\nAnn;Lee;Ulm\nBo;Ray;Ulm\n", "a list of people, not of pairs"),
        ("id,name,age\n1,Ann,33\n2,Bo,34\n3,Cy,35\n", "vertices="),
        ("Id,Label,timeset,modularity_class\n1,Ann,,3\n2,Bo,,4\n", "vertices="),
        ("nodedef>name VARCHAR\nv1\nedgedef>node1 VARCHAR\n", "GDF"),
        ("respondent,friend1,friend2\nAnn,Bo,Cy\nBo,Cy,\n", "a person and several friends"),
    ],
)
def test_tables_that_are_no_pairs(file, content, words):
    with pytest.raises(InputError, match=words):
        graphveil.read(file(content))


NAMES = ["Ann Lee Bo Ray", "Bo Ray Cy Fox", "Cy Fox Ann Lee", "Di Poe Bo Ray"]


@pytest.mark.parametrize(
    "line", ["{}", "{} {{}}", "{0[0]} {0[1]} - {0[2]} {0[3]}", "{0[0]} {0[1]} und {0[2]} {0[3]}"]
)
def test_names_with_blanks_between_blanks_are_refused(file, line):
    rows = [line.format(name.split() if "[0]" in line else name) for name in NAMES]
    with pytest.raises(InputError, match="each name seems to take several fields"):
        graphveil.read(file("\n".join(rows) + "\n", "names.txt"))


def test_a_multiline_adjacency_list_is_refused(file):
    with pytest.raises(InputError, match="multiline adjacency list"):
        graphveil.read(file("a 2\nb {}\nc {}\nb 1\nc {}\nc 0\n", "adjacency.txt"))


def test_what_pandas_writes_above_columns_without_names(file):
    pairs = [(5, 2), (3, 1), (2, 3), (4, 3), (4, 5)]
    frame = pandas.DataFrame(pairs)
    path = file(frame.to_csv(index=False))
    assert "default-header" in kinds(path)
    assert graphveil.read(path, header=True).m == 5
    assert graphveil.read(file(frame.to_csv())).m == 5
    assert "default-header" not in kinds(file("0,1\n0,2\n1,2\n"))


@pytest.mark.parametrize("first", [lambda i: i, lambda i: 20 * i + 1000])
def test_numbers_of_rows_and_times_are_no_people(file, first):
    rows = "".join(f"{first(i)} {i % 7} {(i + 1 + i // 7) % 7}\n" for i in range(40))
    with pytest.raises(InputError, match=r"columns=.1, 2"):
        graphveil.read(file(rows, "time.txt"))
