"""Changes of an earlier release, carried over to a newer graph; the oracle is dicts of sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphveil
from graphveil.errors import GraphError
from graphveil.graph import Graph
from graphveil.methods.carrying import Earlier, carry

PEOPLE = 9
pairs = st.sets(
    st.tuples(st.integers(0, PEOPLE), st.integers(0, PEOPLE)).filter(lambda p: p[0] < p[1]), max_size=18
)


def graph_of(edges: set[tuple[int, int]], people: list[int]) -> Graph:
    place = {label: number for number, label in enumerate(people)}
    ends = np.array([(place[u], place[v]) for u, v in edges], np.int64).reshape(-1, 2)
    return Graph.from_arrays(ends[:, 0], ends[:, 1], n=len(people), labels=np.array(people))


def by_label(graph: Graph) -> set[frozenset[int]]:
    return {frozenset(graph.labels[list(edge)].tolist()) for edge in graph.edges.tolist()}


@given(pairs, pairs, pairs, st.sets(st.integers(0, PEOPLE), max_size=3), st.randoms())
def test_what_was_changed_stays_unless_the_world_caught_up(real, published, newer, left, chance):
    old_people, new_people = list(range(PEOPLE + 1)), [p for p in range(PEOPLE + 4) if p not in left]
    chance.shuffle(new_people)
    newer = {edge for edge in newer if not left & set(edge)}
    added, deleted = published - real, real - published
    release = Earlier(
        graph_of(published, old_people),
        len(old_people),
        np.array(sorted(added), np.int64).reshape(-1, 2),
        np.array(sorted(deleted), np.int64).reshape(-1, 2),
    )
    carried = carry(graph_of(newer, new_people), release)
    stay = {edge for edge in added if not left & set(edge)}
    gone = {edge for edge in deleted if not left & set(edge)}
    assert by_label(carried.graph) == {frozenset(edge) for edge in (newer | stay) - (gone & newer)}
    fixed = {frozenset(carried.graph.labels[pair].tolist()) for pair in carried.fixed}
    assert fixed == {frozenset(edge) for edge in (stay - newer) | (gone & newer)}
    assert carried.left == len(added | deleted) - len(stay | gone)
    assert carried.caught_up == len(stay & newer) + len(gone - newer)
    for vertex, earlier in enumerate(carried.earlier):
        label = carried.graph.labels[vertex]
        assert earlier == (label if label <= PEOPLE else -1)


def test_dummy_people_stay_with_their_friends():
    published = Graph.from_edges([(0, 1), (1, 2), (0, 3), (1, 3)])
    release = Earlier(published, 3, np.array([[0, 3], [1, 3]]), np.empty((0, 2), np.int64))
    carried = carry(Graph.from_edges([(0, 1), (1, 2), (2, 7)]), release)
    assert carried.graph.n == 5
    assert carried.earlier.tolist() == [0, 1, 2, -1, 3]
    assert {tuple(edge) for edge in carried.graph.edges.tolist()} == {(0, 1), (1, 2), (2, 3), (0, 4), (1, 4)}


def test_other_ids_are_refused():
    town = graphveil.generate(edges=300, seed=4)
    release = Earlier(town, town.n, np.empty((0, 2), np.int64), np.empty((0, 2), np.int64))
    elsewhere = Graph(town.edges, town.n, town.labels + 100_000)
    with pytest.raises(GraphError, match="the ids are not those of the earlier release"):
        carry(elsewhere, release)
    shuffled = Graph(town.edges, town.n, np.random.default_rng(1).permutation(town.labels))
    with pytest.raises(GraphError, match="do not mean the people of the earlier release"):
        carry(shuffled, release)
