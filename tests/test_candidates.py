"""The compiled scans of BFSEA and edge-deletion against the conditions of the paper, on graphs with random seals."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import oracle_anonymize as plain
from graphveil import Graph
from graphveil.kernels.workspace import weakest_triangle_edge
from graphveil.methods.add import merging_is_cheaper
from graphveil.methods.bfsea import candidates_by_hop
from graphveil.methods.run import Run
from graphveil.methods.workspace import Workspace


@st.composite
def sealed_graphs(draw):
    """A graph, the sealed counts, and the highest of its open edges as the one to change."""
    n = draw(st.integers(4, 11))
    pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, min_size=2))
    slow = plain.PlainGraph(n, edges)
    slow.values = draw(st.sets(st.integers(0, 6), max_size=3))
    assume(slow.open_edges())
    workspace = Workspace(Graph.from_arrays([u for u, _ in edges], [v for _, v in edges], n=n))
    for value in slow.values:
        workspace.seal(value)
    return slow, workspace, slow.open_edges()[0]


def as_scores(candidates):
    alive = np.flatnonzero(~candidates.dead)
    return {
        int(candidates.vertex[i]): {
            x: int(candidates.score[i, side])
            for side, x in enumerate((candidates.u, candidates.v))
            if candidates.missing[i, side]
        }
        for i in alive
    }


@settings(max_examples=400)
@given(sealed_graphs(), st.integers(1, 6))
def test_candidates_and_their_upkeep_follow_conditions_a_to_c(case, extra):
    slow, workspace, (u, v) = case
    run = Run(workspace, 2, np.random.default_rng(0))
    edge = workspace.edge_between(u, v)
    target = slow.count[u, v] + extra
    expected_levels = plain.hops(slow, u, v)
    for hop, candidates in candidates_by_hop(run, u, v):
        if hop > 2:
            break  # later levels depend on what was closed before
        level = next(expected_levels)
        expected = {
            w: plain.score(slow, u, v, w)
            for w in level
            if plain.score(slow, u, v, w) and plain.admissible(slow, u, v, w)
        }
        assert as_scores(candidates) == expected
        while workspace.count(edge) < target and not workspace.is_sealed(workspace.count(edge)):
            best = candidates.best(target)
            usable = {w: s for w, s in expected.items() if plain.fits(slow, s, target)}
            assert (best is None) == (not usable)
            if best is None:
                break
            w = int(candidates.vertex[best])
            assert sum(usable[w].values()) == max(sum(s.values()) for s in usable.values())
            candidates.close_triangle(best)
            for x in expected.pop(w):
                slow.add(w, x)
            # Dynamic removal: who was admissible stays a candidate only while still admissible.
            expected = {
                other: plain.score(slow, u, v, other)
                for other in expected
                if plain.admissible(slow, u, v, other)
            }
            if not workspace.is_sealed(workspace.count(edge)):
                assert as_scores(candidates) == expected
        assert {plain.key(*pair): c for pair, c in slow.count.items()} == {
            workspace.ends(e): workspace.count(e)
            for e in range(len(workspace.state.count))
            if workspace.state.count[e] >= 0
        }
        if workspace.count(edge) >= target or workspace.is_sealed(workspace.count(edge)):
            return


@settings(max_examples=300)
@given(sealed_graphs(), st.data())
def test_edge_deletion_takes_the_weakest_tie_that_may_go(case, data):
    slow, workspace, (u, v) = case
    slow.marked = set(data.draw(st.lists(st.sampled_from(sorted(slow.count)), max_size=2)))
    marked = np.zeros(len(workspace.state.count), bool)
    marked[[workspace.edge_between(*edge) for edge in slow.marked]] = True
    expected = plain.weakest(slow, u, v)
    found = int(weakest_triangle_edge(workspace.state, u, v, marked))
    assert (found == -1) == (expected is None)
    if expected is not None:
        assert workspace.count(found) == slow.count[expected]
        workspace.delete_edge(found)
        slow.delete(*workspace.ends(found))
        assert workspace.count(workspace.edge_between(u, v)) == slow.count[u, v]


@settings(max_examples=300)
@given(sealed_graphs(), st.integers(2, 6))
def test_costs_and_mean_of_the_open_sequence(case, k):
    slow, workspace, _ = case
    counts = [slow.count[edge] for edge in slow.open_edges()]
    assume(len(counts) >= 2 * k)
    value = counts[0] + 1
    merge = (value - counts[0]) + plain.group_cost(counts[1 : k + 1])
    new = plain.group_cost(counts[:k])
    run = Run(workspace, k, np.random.default_rng(0))
    assert merging_is_cheaper(run, value) == (merge < new)
    assert workspace.mean_of_highest(k) == int(sum(counts[:k]) / k + 0.5)
