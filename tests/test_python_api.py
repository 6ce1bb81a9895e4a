"""Python as people write it: what the signatures say, what notebooks show, and what every function takes."""

from __future__ import annotations

import inspect
import types
import typing
import warnings

import networkx
import numpy as np
import pandas
import pytest

import graphveil
from graphveil import Graph, GraphError, anonymize, compare, mutual_friends, simulate_attacks
from graphveil.formats.table import FORMATS, WRITABLE
from graphveil.goals import Degree
from graphveil.methods.table import DEGREE_METHODS, METHODS
from graphveil.publication.report.gathering import LEVELS

SECRET = 2**100 + 1234567

# ---------------------------------------------------------------------- typed literals

TABLES = {
    ("read", "format"): set(FORMATS),
    ("preview", "format"): set(FORMATS),
    ("write", "format"): set(WRITABLE),
    ("publish", "format"): set(WRITABLE),
    ("publish", "report"): set(LEVELS),
    ("anonymize", "method"): set(METHODS),
    ("anonymize", "degree_method"): {
        *DEGREE_METHODS,
        *(name for name, row in METHODS.items() if Degree in row.goals[1:]),
    },
    ("compare", "methods"): {*METHODS, "all"},
}


def literals(annotation: object) -> set[str]:
    """The strings in an annotation, however deep."""
    if typing.get_origin(annotation) is typing.Literal:
        return set(typing.get_args(annotation))
    return set().union(*map(literals, typing.get_args(annotation)))


@pytest.mark.parametrize(("function", "parameter"), TABLES)
def test_a_signature_names_what_its_table_has(function, parameter):
    public = inspect.unwrap(getattr(graphveil, function))
    assert literals(typing.get_type_hints(public)[parameter]) == TABLES[function, parameter]


def test_a_parameter_of_that_kind_is_a_literal_everywhere():
    kinds = {"format", "report", "method", "methods", "degree_method"}
    for name in graphveil.__all__:
        public = getattr(graphveil, name)
        if isinstance(public, types.FunctionType):
            found = kinds & set(inspect.signature(public).parameters)
            assert {(name, each) for each in found} <= set(TABLES), name


# ---------------------------------------------------------------------- notebooks


@pytest.fixture(scope="module")
def town():
    graph = graphveil.generate(edges=300, seed=4)
    return graph.with_labels([f"Person-{i}" for i in range(graph.n)])


@pytest.fixture(scope="module")
def result(town):
    return anonymize(town, 5, method="add-del", degree_k=3, seed=SECRET)


def test_a_result_in_a_notebook_tells_numbers_and_no_secret(result):
    page = result._repr_html_()
    assert f"<td>{len(result.added):,}</td>" in page
    assert "k = 5" in page
    assert "k-degree" in page
    for secret in (str(SECRET), "Person-", *(str(pair) for pair in result.added.tolist())):
        assert secret not in page + repr(result)


def test_a_comparison_in_a_notebook_has_a_row_for_each_choice(town):
    found = compare(town, [3, 10**9], methods=["add-greedy", "add-del"], degree_k=2, seed=SECRET, quick=True)
    page = found._repr_html_()
    assert page.count("<tr>") == 1 + len(found.choices) == 5
    assert page.count("<td>–</td>") == 4 * 2  # nobody reaches the larger k
    assert found.recommendation[0] in page
    assert len(repr(found)) < 200
    for secret in (str(SECRET), "Person-"):
        assert secret not in page + repr(found)


def test_notes_and_names_are_no_markup(town):
    from graphveil.pages import in_notebook

    page = in_notebook(("<b>", ["<i>"], [["<u>", "<s>"]]), notes=["<script>alert(1)</script>"])
    assert not {"<b>", "<i>", "<u>", "<s>", "<script>"} & set(page.replace(">", "> ").split())


# ---------------------------------------------------------------------- what people have


@pytest.mark.filterwarnings("error")
def test_functions_take_what_people_have(tmp_path):
    pairs = [("Ann", "Bo"), ("Bo", "Cy"), ("Ann", "Cy"), ("Cy", "Di")]
    frame = pandas.DataFrame(pairs, columns=["from", "to"])
    frame.to_csv(tmp_path / "friends.csv", index=False)
    expected = [1, 1, 1, 0]
    for given in (pairs, networkx.Graph(pairs), frame, tmp_path / "friends.csv", Graph.from_edges(pairs)):
        assert sorted(mutual_friends(given), reverse=True) == expected
        assert {attack.before.certain for attack in simulate_attacks(given, given)} == {
            attack.before.certain
            for attack in simulate_attacks(Graph.from_edges(pairs), Graph.from_edges(pairs))
        }
        assert graphveil.cautions(given) == ()
        graphveil.write(given, tmp_path / "again.csv")
        assert graphveil.read(tmp_path / "again.csv").m == 4


def test_directed_and_weighted_follow_the_rules_of_the_command_line():
    directed = networkx.DiGraph([("Ann", "Bo")])
    weighted = networkx.Graph()
    weighted.add_edge("Ann", "Bo", weight=3)
    for function in (mutual_friends, lambda graph: simulate_attacks(graph, graph)):
        with pytest.raises(GraphError, match="directed"):
            function(directed)
        with pytest.warns(UserWarning, match="dropped the edge attribute weight"):
            function(weighted)


def test_attacks_are_simulated_on_a_published_folder(town, result, tmp_path):
    folder = graphveil.publish(result, tmp_path / "out").folder
    expected = simulate_attacks(town, result.graph)
    assert simulate_attacks(town, folder) == expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert simulate_attacks(town, folder / "public" / "graph.txt", private=folder / "private") == expected
    with pytest.raises(GraphError, match=r"private="):
        simulate_attacks(town, folder / "public" / "graph.txt")
    assert np.array_equal(mutual_friends(town), town.mutual_friends)
