"""The search of `plan` on a part of a graph: its effects and its results against a recount of the whole."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphveil
import oracle
from conftest import small_graphs
from graphveil import Graph
from graphveil.goals import NMF
from graphveil.methods.plan.potential import WHOLLY, Part
from graphveil.methods.plan.search import Search
from graphveil.methods.plan.subgraph import _part, plan_on_part
from graphveil.methods.workspace import Workspace
from graphveil.mutual import mutual_friends

Edge = tuple[int, int]


def pulled(graph: Graph, chosen: set[int]) -> tuple[list[Edge], list[int], np.ndarray, list[bool], list[int]]:
    """What `plan_on_part` asks for, from the whole graph, and the vertex of each local number."""
    touching = [(min(u, v), max(u, v)) for u, v in graph.edges.tolist() if u in chosen or v in chosen]
    counts = dict(zip(map(tuple, graph.edges.tolist()), mutual_friends(graph).tolist(), strict=True))
    vertices = sorted({v for edge in touching for v in edge} | chosen)
    number = {vertex: i for i, vertex in enumerate(vertices)}
    rest = [count for edge, count in counts.items() if edge not in set(touching)]
    local = [(number[u], number[v]) for u, v in touching]
    return (
        local,
        [counts[edge] for edge in touching],
        np.bincount(np.array(rest, np.int64)),
        [v in chosen for v in vertices],
        vertices,
    )


def edited(graph: Graph, vertices: list[int], pairs: np.ndarray) -> list[Edge]:
    there = {(u, v) for u, v in graph.edges.tolist()}
    return sorted(there ^ {(vertices[u], vertices[v]) for u, v in pairs.tolist()})


@given(small_graphs(16), st.sets(st.integers(0, 3), min_size=2), st.randoms(use_true_random=False))
def test_effects_in_a_part_are_those_in_the_whole(graph: Graph, chosen: set[int], chance) -> None:
    local, counts, outside, editable, vertices = pulled(graph, chosen)
    search = Search(
        Workspace(*_part(local, counts, WHOLLY * np.array(editable, np.int8))),
        (NMF(2),),
        np.random.default_rng(1),
        part=Part(outside, WHOLLY * np.array(editable, np.int8)),
    )
    inside = [i for i, vertex in enumerate(vertices) if vertex in chosen]
    pairs = list(itertools.combinations(inside, 2))
    for pair in chance.sample(pairs, len(pairs)):
        search.toggle(pair)
        whole = edited(graph, vertices, np.array(list(search.edits)).reshape(-1, 2))
        expected = np.bincount(np.array(oracle.mutual_friends(graph.n, whole), np.int64))
        assert np.array_equal(np.trim_zeros(search.mutual.sizes, "b"), np.trim_zeros(expected, "b"))


@given(small_graphs(20), st.sets(st.integers(0, 19), min_size=6), st.integers(2, 4), st.booleans())
@settings(max_examples=40)
def test_the_whole_graph_is_anonymous(graph: Graph, chosen: set[int], k: int, keep_edges: bool) -> None:
    chosen = {vertex for vertex in chosen if vertex < graph.n}
    local, counts, outside, editable, vertices = pulled(graph, chosen)
    try:
        edits = plan_on_part(local, counts, outside, editable, k, seed=3, keep_edges=keep_edges)
    except graphveil.UnreachableError:
        return  # too few vertices may be edited
    toggled = np.concatenate((edits.added, edits.deleted))
    assert np.all(np.array(editable)[toggled])
    whole = edited(graph, vertices, toggled)
    assert oracle.is_k_nmf(graph.n, whole, k)
    assert len(whole) == graph.m + len(edits.added) - len(edits.deleted)
    assert not keep_edges or not len(edits.deleted)


def test_a_tail_is_enough(community: Graph) -> None:
    """The people of exposed friendships and their friends: as few changes as with the whole graph, or hardly more."""
    counts = mutual_friends(community)
    exposed = np.bincount(counts)[counts] < 10
    ends = set(community.edges[exposed].ravel().tolist())
    friends = oracle.neighbours(community.n, community.edges.tolist())
    chosen = ends.union(*(friends[v] for v in sorted(ends)[:20]))
    local, at, outside, editable, vertices = pulled(community, chosen)
    edits = plan_on_part(local, at, outside, editable, 10, seed=1)
    again = plan_on_part(local, at, outside, editable, 10, seed=1)
    toggled = np.concatenate((edits.added, edits.deleted))
    assert np.array_equal(toggled, np.concatenate((again.added, again.deleted)))
    assert oracle.is_k_nmf(community.n, edited(community, vertices, toggled), 10)
    assert len(toggled) <= 2 * graphveil.anonymize(community, 10, seed=1).changed


def test_nothing_to_do_is_nothing_done() -> None:
    edits = plan_on_part([(0, 1), (1, 2)], [0, 0], [5, 7], [True, True, False], 2, seed=1)
    assert not len(edits.added)
    assert not len(edits.deleted)


def test_edges_that_are_missing_in_the_part_are_noticed() -> None:
    """0 and 1 have two mutual friends in the whole graph; the part has only one of them."""
    with pytest.raises(graphveil.ParameterError, match="every edge that touches"):
        plan_on_part([(0, 1), (0, 2), (1, 2)], [2, 1, 1], [], [True, True, False], 2, seed=1)
    with pytest.raises(graphveil.ParameterError, match="each edge once"):
        plan_on_part([(0, 1), (1, 0)], [0, 0], [], [True, True], 2, seed=1)


def test_time_is_up_before_anything_is_found(community: Graph) -> None:
    everything = pulled(community, set(range(community.n)))[:4]
    with pytest.raises(graphveil.UnreachableError, match="in the time given"):
        plan_on_part(*everything, 25, seed=1, time_is_up=lambda: True)
