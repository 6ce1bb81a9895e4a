"""Changing the tail of a graph that lies elsewhere: here it lies on this machine, and every effect is recounted."""

from __future__ import annotations

import numpy as np
import pytest

import graphveil
from graphveil import Graph
from graphveil.errors import UnreachableError
from graphveil.spark.hubs import lower_hubs
from graphveil.spark.tail import Edges, TailEdits, edit_tail
from graphveil.spark.workers import HELPERS


class OnThisMachine:
    """A graph as `graphveil.spark.tail.Whole` sees it."""

    def __init__(self, graph):
        self.graph = graph
        self.counts = graphveil.mutual_friends(graph).astype(np.int64)
        self.histogram = np.bincount(self.counts)
        self.degree_histogram = np.bincount(graph.degrees)
        self.pulled = 0

    def exposed(self, values):
        return self._some(np.isin(self.counts, values))

    def with_degrees(self, degrees):
        return np.flatnonzero(np.isin(self.graph.degrees, degrees))

    def with_few_friends(self, vertices, least, most):
        degrees = self.graph.degrees[vertices]
        return vertices[(degrees >= least) & (degrees <= most)]

    def touching(self, vertices):
        return self._pulled(np.isin(self.graph.edges, vertices).any(axis=1))

    def _pulled(self, chosen):
        self.pulled = max(self.pulled, int(chosen.sum()))
        return self._some(chosen)

    def number_touching(self, vertices):
        return int(np.isin(self.graph.edges, vertices).any(axis=1).sum())

    def between(self, some, others):
        return self._pulled(self._between(some, others))

    def number_between(self, some, others):
        return np.array([self._between([vertex], others).sum() for vertex in some], np.int64)

    def _between(self, some, others):
        some, others = np.isin(self.graph.edges, some), np.isin(self.graph.edges, others)
        return some[:, 0] & others[:, 1] | some[:, 1] & others[:, 0]

    def helpers(self, vertices, room):
        known = np.isin(self.graph.edges, vertices)
        ends = np.concatenate((self.graph.edges[known[:, 0], 1], self.graph.edges[known[:, 1], 0]))
        number, degrees = np.bincount(ends, minlength=self.graph.n), self.graph.degrees
        found = np.flatnonzero((number > 0) & (degrees <= room // HELPERS))
        found = found[np.lexsort((found, -number[found], -number[found] / degrees[found]))]
        return np.sort(found[np.cumsum(degrees[found]) <= room])

    def strangers(self, number, least, most, seed):
        fitting = np.flatnonzero((self.graph.degrees >= least) & (self.graph.degrees <= most))
        return np.sort(np.random.default_rng(seed).permutation(fitting)[:number])

    def _some(self, chosen):
        return Edges(self.graph.edges[chosen].astype(np.int64), self.counts[chosen])


def changed(graph, edits):
    edges = set(map(tuple, graph.edges.tolist()))
    added, deleted = (set(map(tuple, pairs.tolist())) for pairs in (edits.added, edits.deleted))
    assert not added & edges
    assert deleted <= edges
    ends = np.array(sorted(edges - deleted | added))
    return Graph.from_arrays(ends[:, 0], ends[:, 1], n=graph.n)


def test_the_whole_graph_is_anonymous_after_changes_of_a_part(shared_graph):
    graph = graphveil.read(shared_graph("loc-brightkite")).with_labels()
    whole = OnThisMachine(graph)
    edits = edit_tail(whole, 25, seed=3)
    assert graphveil.verify(changed(graph, edits), 25)
    assert whole.pulled == edits.pulled == 135_030
    assert len(edits.added) + len(edits.deleted) <= 1.5 * 232  # as plan needs on one machine, docs/plan.md


def test_both_guarantees_hold_in_the_whole_graph_after_changes_of_a_part(shared_graph):
    graph = graphveil.read(shared_graph("ca-GrQc")).with_labels()
    whole = OnThisMachine(graph)
    edits = edit_tail(whole, 25, degree_k=25, seed=3)
    assert graphveil.verify(changed(graph, edits), 25, 25)
    assert whole.pulled < graph.m
    assert "people with exposed degrees" in edits.notes[-1]


def test_people_without_friends_get_some_if_they_are_few(town):
    lonely = Graph(town.edges, town.n + 2)
    edits = edit_tail(OnThisMachine(lonely), 5, degree_k=5, seed=3)
    assert graphveil.verify(changed(lonely, edits), 5, 5)


def test_degrees_alone_may_be_what_is_exposed():
    ring_and_star = Graph.from_edges(
        [(i, (i + 1) % 40) for i in range(40)] + [(40, i) for i in range(0, 40, 4)]
    )
    graph = Graph.from_edges([(40, 41), *ring_and_star.edges.tolist()])
    assert graphveil.verify(graph, 5)
    edits = edit_tail(OnThisMachine(graph), 5, degree_k=5, seed=3)
    assert graphveil.verify(changed(graph, edits), 5, 5)


@pytest.fixture(scope="module")
def town():
    return graphveil.generate(600, seed=4)


def test_a_bound_on_what_is_pulled_is_kept_and_said(town):
    free = OnThisMachine(town)
    edit_tail(free, 5, seed=3)
    bound = free.pulled - 1
    bounded = OnThisMachine(town)
    edits = edit_tail(bounded, 5, seed=3, most_pulled=bound)
    assert graphveil.verify(changed(town, edits), 5)
    assert bounded.pulled <= bound
    assert f"more than {bound:,} friendships" in edits.notes[0]
    assert "all their friends" not in edits.notes[-1]


def test_hubs_are_changed_in_parts_that_fit(town):
    whole = OnThisMachine(town)
    edits = edit_tail(whole, 5, seed=3, most_pulled=100)
    assert graphveil.verify(changed(town, edits), 5)
    assert max(whole.pulled, edits.pulled) <= 100
    assert "hubs" in edits.notes[-1]
    kept = lower_hubs(whole, whole.histogram, 5, 3, 100, None, keep_edges=True)
    assert len(kept.toggled)
    assert kept.are_edges(kept.toggled).all()


def test_parts_are_followed_exactly(town):
    whole = OnThisMachine(town)
    found = lower_hubs(whole, whole.histogram, 30, 3, 150, None, keep_edges=False)
    assert max(whole.pulled, found.pulled) <= 150
    there = found.are_edges(found.toggled)
    now = changed(town, TailEdits(found.toggled[there], found.toggled[~there], 0, 0, ()))
    assert len(found.toggled)
    assert np.array_equal(np.trim_zeros(found.sizes, "b"), np.bincount(graphveil.mutual_friends(now)))
    assert np.all(now.degrees[town.degrees > 0])


def test_no_solution_is_an_error_that_says_what_was_tried(town):
    with pytest.raises(UnreachableError, match="not pulled, more than 10 friendships"):
        edit_tail(OnThisMachine(town), 5, seed=3, most_pulled=10)
    with pytest.raises(UnreachableError, match="the graph has 600 edges"):
        edit_tail(OnThisMachine(town), 20_000, seed=3)
    with pytest.raises(UnreachableError, match="degree k = 20,000 is out of reach"):
        edit_tail(OnThisMachine(town), 5, degree_k=20_000, seed=3)


def test_nothing_is_changed_where_nothing_is_exposed():
    clique = Graph.from_arrays(*np.triu_indices(8, 1))
    edits = edit_tail(OnThisMachine(clique), 28, seed=1)
    assert not len(edits.added)
    assert not len(edits.deleted)


def test_the_same_seed_gives_the_same_changes(town):
    first, again = (edit_tail(OnThisMachine(town), 5, seed=5) for _ in range(2))
    assert np.array_equal(first.added, again.added)
    assert np.array_equal(first.deleted, again.deleted)
