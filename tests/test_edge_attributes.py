"""Edge attributes: read from every format, one value for repeated edges, written again."""

from __future__ import annotations

import json
import math

import networkx
import numpy as np
import pandas
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
from commands import graphveil_process
from graphveil import Graph
from graphveil.errors import GraphError, InputError, ParameterError

CALLS = """source,target,calls,date,kind
Ann,Bob,3,2024-05-01,x
Bob,Ann,2,2024-04-01,x
Bob,Cy,1,2024-01-01,
Dan,Ann,,2023-01-01,y
"""


def plain(graph: Graph) -> list[tuple]:
    """The edges by their labels, in an order that does not depend on numbers, with all values."""
    names = list(map(str, graph.labels.tolist()))
    columns = [values.tolist() for values in graph.edge_attributes.values()]
    rows = [
        (*sorted((names[u], names[v])), *(column[row] for column in columns))
        for row, (u, v) in enumerate(graph.edges.tolist())
    ]
    return sorted(rows, key=repr)


@pytest.fixture
def calls(tmp_path):
    path = tmp_path / "calls.csv"
    path.write_text(CALLS)
    return path


def test_nothing_is_kept_unasked(calls):
    graph = graphveil.read(calls)
    assert dict(graph.edge_attributes) == {}
    assert graph.cleaning.edge_attributes == ("calls", "date", "kind")


def test_default_rules(calls):
    graph = graphveil.read(calls, keep_edge_attributes=["calls", "date", "kind"])
    assert plain(graph) == [
        ("Ann", "Bob", 5, "2024-04-01", "x"),
        ("Ann", "Dan", None, "2023-01-01", "y"),
        ("Bob", "Cy", 1, "2024-01-01", None),
    ]
    assert "calls (sum), date (first), kind (the same in all rows)" in str(graph.cleaning)
    with pytest.raises(ValueError):
        graph.edge_attributes["kind"][0] = "z"


def test_named_rules(calls):
    asked = ["date=first", "date=last", "kind=count", "calls=max"]
    graph = graphveil.read(calls, keep_edge_attributes=asked)
    assert list(graph.edge_attributes) == ["date_first", "date_last", "kind", "calls"]
    assert plain(graph)[0] == ("Ann", "Bob", "2024-04-01", "2024-05-01", 2, 3)


def test_which_way_each_edge_goes(calls):
    graph = graphveil.read(calls, direction="keep")
    names = graph.labels.tolist()
    ends = [(names[u], names[v]) for u, v in graph.edges.tolist()]
    ways = dict(zip(ends, graph.edge_attributes["direction"].tolist(), strict=True))
    assert ways == {("Ann", "Bob"): "both", ("Ann", "Dan"): "backward", ("Bob", "Cy"): "forward"}


def test_directions_turn_with_the_ends(tmp_path):
    path = tmp_path / "ways.csv"
    path.write_text("source,target,direction\n2,1,forward\n1,3,backward\n3,2,both\n")
    graph = graphveil.read(path, keep_edge_attributes=["direction"])
    assert graph.edge_attributes["direction"].tolist() == ["backward", "backward", "both"]


def test_a_table_that_has_each_edge_both_ways_is_not_counted_twice(tmp_path):
    path = tmp_path / "both.csv"
    path.write_text("source,target,calls\n1,2,3\n2,1,3\n2,3,4\n3,2,4\n")
    assert graphveil.read(path, keep_edge_attributes=["calls"]).edge_attributes["calls"].tolist() == [3, 4]
    one_way = graphveil.read(path, keep_edge_attributes=["calls"], direction="keep")
    assert one_way.edge_attributes["calls"].tolist() == [6, 8]


@pytest.mark.parametrize(
    ("content", "keep", "message"),
    [
        (CALLS, "callz", "no edge attribute is named 'callz'. There are: calls, date, kind"),
        (CALLS, "calls=mean", "'mean' is no rule. Choose one of sum, min"),
        (
            CALLS.replace("04-01,x", "04-01,z"),
            "kind",
            r"line 3: .* has x and z as its kind. Say .* kind=first",
        ),
        (CALLS, "kind=sum", "line 2: kind has texts, which cannot be added up"),
        (
            CALLS.replace("2024-01-01", "01.05.2024"),
            "date",
            "line 4: the date 01.05.2024 is written in another",
        ),
        (
            "a,b,n\n1,2,many\n" + "".join(f"1,{i},{i}\n" for i in range(3, 30)),
            "n",
            "line 2: the value many is no",
        ),
    ],
)
def test_complaints_name_the_row(tmp_path, content, keep, message):
    path = tmp_path / "bad.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        graphveil.read(path, keep_edge_attributes=[keep], columns=[0, 1])


def test_what_does_not_go_together(calls, tmp_path):
    with pytest.raises(ParameterError, match="memberships"):
        graphveil.read(calls, project=True, keep_edge_attributes=["calls"])
    with pytest.raises(ParameterError, match="direction must be drop or keep"):
        graphveil.read(calls, direction="both")
    networkx.write_graphml(networkx.path_graph(3), tmp_path / "g.graphml")
    with pytest.raises(InputError, match="no direction"):
        graphveil.read(tmp_path / "g.graphml", direction="keep")
    mixed = networkx.Graph([(1, 2, {"w": 1}), (2, 3, {"w": "x"})])
    with pytest.raises(GraphError, match="edge 2: the value x is of another type"):
        Graph.from_networkx(mixed, keep_edge_attributes=["w"])


NUMBERS, DAYS = (
    st.none() | st.integers(-3, 3),
    st.sampled_from([None, "2024-01-31", "2024-02-01", "2023-12-01"]),
)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), NUMBERS, DAYS), min_size=1, max_size=25))
def test_every_rule_agrees_with_pandas(rows):
    frame = pandas.DataFrame(rows, columns=["source", "target", "n", "day"])
    frame["day"] = frame["day"].astype(object).where(frame["day"].notna(), None)
    keep = [f"n={rule}" for rule in ("sum", "min", "max", "first", "last", "count")] + [
        "day=first",
        "day=last",
    ]
    found = Graph.from_pandas(frame, keep_edge_attributes=keep)
    once = frame[frame.source != frame.target].copy()
    once["lo"], once["hi"] = once[["source", "target"]].min(axis=1), once[["source", "target"]].max(axis=1)
    if _is_there_both_ways(once):
        once = once[once.source < once.target]
    groups = once.groupby(["lo", "hi"])
    expected = pandas.concat(
        [
            groups.n.sum(min_count=1), groups.n.min(), groups.n.max(), groups.n.first(), groups.n.last(),
            groups.n.count(), groups.day.min(), groups.day.max(),
        ],
        axis=1,
    )  # fmt: skip
    assert len(expected) == found.m
    for place, values in enumerate(found.edge_attributes.values()):
        wanted = [None if _missing(each) else each for each in expected.iloc[:, place].tolist()]
        assert values.tolist() == wanted


def _missing(value) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def _is_there_both_ways(rows) -> bool:
    forth, back = (
        sorted(map(repr, rows[way][["lo", "hi", "n", "day"]].itertuples(index=False)))
        for way in (rows.source < rows.target, rows.source > rows.target)
    )
    return forth == back


TEXTS = ["a b", 'q"x', "x,y", "<&>", None, "é"]


def with_values(labels=None) -> Graph:
    rng = np.random.default_rng(1)
    bare = Graph.from_arrays(rng.integers(0, 30, 80), rng.integers(0, 30, 80), n=32)
    values = {
        "calls": rng.integers(0, 9, bare.m),
        "date": rng.choice(np.array(["2024-05-01", "2024-06-01", None], object), bare.m),
        "kind": rng.choice(np.array(TEXTS, object), bare.m),
        "share": rng.random(bare.m),
        "gaps": rng.choice(np.array([1, 2, None], object), bare.m),
    }
    names = None if labels is None else np.array([f"{labels}{i}" for i in range(bare.n)], object)
    return Graph(bare.edges, bare.n, names, edge_attributes=values)


@pytest.mark.parametrize("labels", [None, "p "])
@pytest.mark.parametrize("extension", ["txt", "csv", "tsv", "parquet", "graphml", "gml", "csv.gz"])
def test_written_and_read_again(tmp_path, extension, labels):
    graph, path = with_values(labels), tmp_path / f"graph.{extension}"
    graphveil.write(graph, path)
    again = graphveil.read(path, keep_edge_attributes=list(graph.edge_attributes))
    assert (again.n, plain(again)) == (graph.n, plain(graph))


def test_pajek_holds_a_weight_and_nothing_else(tmp_path):
    graph = with_values()
    with pytest.raises(GraphError, match="Pajek, which takes numbers as weight"):
        graphveil.write(graph, tmp_path / "graph.net")
    weighted = Graph(graph.edges, graph.n, edge_attributes={"weight": graph.edge_attributes["share"]})
    graphveil.write(weighted, tmp_path / "graph.net")
    again = graphveil.read(tmp_path / "graph.net", keep_edge_attributes=["weight"])
    assert again.edge_attributes["weight"].tolist() == weighted.edge_attributes["weight"].tolist()
    with pytest.raises(GraphError, match="Matrix Market does not hold"):
        graphveil.write(weighted, tmp_path / "graph.mtx")


@pytest.mark.parametrize("name", ["gml", "gexf", "graphml", "json"])
def test_files_of_networkx(tmp_path, name):
    graph = networkx.DiGraph()
    graph.add_edge("Ann", "Bob", calls=3, weight=0.5)
    graph.add_edge("Cy", "Bob", calls=4, weight=1.5)
    path = tmp_path / f"graph.{name}"
    if name == "json":
        path.write_text(json.dumps(networkx.node_link_data(graph)))
    else:
        getattr(networkx, f"write_{name}")(graph, path)
    found = graphveil.read(path, keep_edge_attributes=["calls", "weight"], direction="keep")
    assert plain(found) == [("Ann", "Bob", 3, 0.5, "forward"), ("Bob", "Cy", 4, 1.5, "backward")]


def test_other_libraries():
    graph = with_values()
    for again in (
        Graph.from_networkx(graph.to_networkx(), keep_edge_attributes=list(graph.edge_attributes)),
        Graph.from_igraph(graph.to_igraph(), keep_edge_attributes=list(graph.edge_attributes)),
    ):
        assert plain(again) == plain(graph)
    frame = pandas.DataFrame(
        {"a": [1, 2], "b": [2, 3], "w": [1.5, None], "day": pandas.to_datetime(["2024-01-01"] * 2)}
    )
    for again in (
        Graph.from_pandas(frame, keep_edge_attributes=["w", "day"]),
        Graph.from_polars(polars.from_pandas(frame), keep_edge_attributes=["w", "day"]),
    ):
        assert plain(again) == [("1", "2", 1.5, "2024-01-01"), ("2", "3", None, "2024-01-01")]


def test_convert_carries_them(calls, tmp_path):
    options = "--keep-edge-attribute", "calls,date=last", "--direction", "keep"
    done = graphveil_process("convert", str(calls), str(tmp_path / "calls.graphml"), *options)
    assert "calls (sum), date (last)" in done.stderr
    again = graphveil.read(tmp_path / "calls.graphml", keep_edge_attributes=["calls", "date", "direction"])
    assert plain(again)[0] == ("Ann", "Bob", 5, "2024-05-01", "both")


def test_spark_refuses_them_by_name(calls):
    done = graphveil_process("audit", str(calls), "--engine", "spark", "--keep-edge-attribute", "calls")
    assert "--keep-edge-attribute is not available with --engine spark" in done.stderr
