"""Results as records, the people around somebody, and the changes to expect: what pages need of the library."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

import graphveil
from conftest import small_graphs
from graphveil import Graph
from graphveil.methods.keeping import result_from_record, result_to_record
from graphveil.methods.predicting import predict_changes
from graphveil.risk.lookup import surroundings, vertices_named


@pytest.fixture(scope="module")
def town() -> Graph:
    """A town in which something has to be changed."""
    return graphveil.generate(edges=600, seed=4)


@pytest.mark.parametrize(
    "how", [{"method": "add-del"}, {"method": "add-greedy", "degree_k": 3}, {"method": "liu-terzi"}]
)
def test_record_gives_the_same_result_again(town, how):
    result = graphveil.anonymize(town, 5, seed=2**100 + 7, **how)
    record = json.loads(json.dumps(result_to_record(result)))
    again = result_from_record(record, town)
    assert again.graph == result.graph
    assert result_to_record(again) == result_to_record(result)
    assert (again.added == result.added).all()
    assert list(again.promises) == list(result.promises)
    assert [type(name) for name in again.promises] == [type(name) for name in result.promises]


def test_record_of_another_graph_is_refused(town):
    record = result_to_record(graphveil.anonymize(town, 5, method="add-del", seed=2**100))
    with pytest.raises(graphveil.GraphError, match="another graph"):
        result_from_record(record, graphveil.generate(edges=601, seed=4))
    with pytest.raises(graphveil.GraphError, match="no record"):
        result_from_record({}, town)


def test_record_that_was_tampered_with_is_refused(town):
    record = result_to_record(graphveil.anonymize(town, 5, method="add-greedy", seed=2**100))
    assert record["added"]["values"]
    record["added"] = {"shape": [0, 2], "values": []}
    with pytest.raises(graphveil.VerificationError):
        result_from_record(record, town)


@given(small_graphs())
@settings(max_examples=40)
def test_surroundings_are_those_of_the_definition(graph):
    friends = {v: {int(a + b - v) for a, b in graph.edges if v in (a, b)} for v in range(graph.n)}
    pairs = {frozenset(map(int, edge)) for edge in graph.edges}
    u, v = map(int, graph.edges[0])
    for asked in ([u], [u, v]):
        found = surroundings(graph, asked, most=6)
        people = vertices_named(graph, found.people)
        around = set.union(*(friends[each] for each in asked)) - set(asked)
        assert people[: len(asked)] == asked
        assert set(people[len(asked) :]) <= around
        assert len(people) + found.left_out == len(asked) + len(around)
        drawn = {frozenset((people[i], people[j])) for i, j in found.friendships}
        assert drawn == {pair for pair in pairs if pair <= set(people)}
    assert found.mutual == len(friends[u] & friends[v])


def test_somebody_who_is_not_there_is_refused():
    with pytest.raises(graphveil.GraphError, match="nobody with the id 'Eve'"):
        vertices_named(Graph.from_edges([("Ann", "Bob")]), ["Eve"])


@pytest.mark.parametrize("method", ["add-del", "add-intuit"])
def test_an_estimate_is_what_the_chosen_method_needed_in_other_runs(town, method):
    found = predict_changes(town, 5, method=method)
    needed = {graphveil.anonymize(town, 5, method=method, seed=seed).changed for seed in (7, 8, 9)}
    assert found.method == method
    assert set(found.changes) <= needed
    assert found.share == max(found.changes) / town.m
