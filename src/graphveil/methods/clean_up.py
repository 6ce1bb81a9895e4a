"""The clean-up operation (section 3.1.2 of the paper): the last fewer than 2k open edges.

The paper raises them all to one value by new vertices. Here that is the last resort. Several ways are tried from
the same state, and each is undone. The one with the fewest new vertices, then the fewest edits, is done again. The
ways:

- Raise the open edges by BFSEA to a common value: that of the lowest group above them, their own largest one, or a
  little more. New edges that stay open are raised in turn. If k open edges are left with the same count, they are a
  group as they are. Edges without mutual friends are filled up to k by edges between vertices at distance three or
  more, which make no triangle.
- Add new vertices. Joined to both ends of an edge they raise it by one. Cliques of new vertices fill a group of any
  value up to k. This touches no other edge, so it always ends.

A tiny graph under a large k becomes a complete graph instead, if that costs less: all its edges have the same
count.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels._jit import patient
from graphveil.methods.bfsea import raise_by_new_vertices, raise_edge
from graphveil.methods.run import Run

Way = Callable[[Run], bool]
WORTH_COMPLETING = 4  # missing edges per k up to which a complete graph is better than new vertices
HIGHER_VALUES = 4  # how far above their largest count a common value for the open edges is looked for


def clean_up(run: Run) -> None:
    """Bring every open edge into a group of at least k."""
    workspace = run.workspace
    if lacking(run):
        start = workspace.checkpoint()
        workspace.replay(min(_outcomes(run, start))[1])
    if completing_is_cheaper(run):
        workspace.undo_to(0)
        run.groups = []
        complete(run)
    for value in sorted(set(workspace.class_sizes()) - {group.value for group in run.groups}, reverse=True):
        workspace.seal(value)
        run.close_group(value)


def lacking(run: Run) -> set[int]:
    """The counts that occur on fewer than k edges."""
    return {value for value, size in run.workspace.class_sizes().items() if size < run.k}


def _outcomes(run: Run, start: int) -> Iterator[tuple[tuple[int, int, int], list[tuple[int, int] | None]]]:
    """The cost (new vertices, edges, order) and the edits of every way that ends well; the state stays as it is."""
    workspace = run.workspace
    n, m = workspace.n, workspace.m
    for order, way in enumerate(_ways(run)):
        done = way(run)
        cost = workspace.n - n, workspace.m - m, order
        additions = workspace.additions_since(start)
        workspace.undo_to(start)
        if done:
            yield cost, additions


def _ways(run: Run) -> Iterator[Way]:
    """The ways to end, the one that always works last."""
    workspace = run.workspace
    highest = workspace.highest_open()
    assert highest is not None
    groups = [value for value in workspace.class_sizes() if value > highest]  # all sealed
    values = range(highest, min([highest + HIGHER_VALUES, *groups]) + 1)
    for value in sorted({*values, *groups[:1]}):
        for pad in (True, False):
            yield partial(raise_all, value=value, pad=pad)
    yield use_new_vertices


def raise_all(run: Run, *, value: int, pad: bool) -> bool:
    """Raise open edges to the value by BFSEA until all edges are in groups of at least k."""
    workspace = run.workspace
    workspace.seal(value)
    limit = workspace.edits + 10 * run.k + 1000
    while workspace.edits < limit:
        lack = lacking(run)
        if not lack or (pad and lack == {0} and pad_zero(run)):
            return True
        highest = workspace.highest_open()
        if highest is None:
            return False
        if not raise_edge(run, workspace.first_edge(highest), value):
            return False
    return False


def pad_zero(run: Run) -> bool:
    """Bring the group of edges without mutual friends to k by joining vertices too distant for a triangle."""
    workspace = run.workspace
    start = workspace.checkpoint()
    before = -1
    while before < workspace.m:
        before = workspace.m
        for u in run.rng.permutation(workspace.n)[: 100 * run.k].tolist():
            distant = vertices_beyond_two(run, u)
            if len(distant):
                workspace.add_edge(u, int(run.rng.choice(distant)))
            if workspace.class_size(0) >= run.k:
                return True
    workspace.undo_to(start)
    return False


def vertices_beyond_two(run: Run, u: int) -> NDArray[np.intp]:
    """The vertices at distance three or more from u, those of other components included."""
    seen = np.zeros(run.workspace.n, bool)
    seen[u] = True
    level = np.array([u], np.int32)
    for _ in range(2):
        level = patient("workspace").next_level(run.workspace.state, level, seen)
    return np.flatnonzero(~seen)


def completing_is_cheaper(run: Run) -> bool:
    """Whether to join all pairs of the original graph instead of what was done."""
    workspace, original = run.workspace, run.workspace.original
    missing = original.n * (original.n - 1) // 2 - original.m
    new_vertices = workspace.n > original.n
    return workspace.edits > missing or (new_vertices and missing <= WORTH_COMPLETING * run.k)


def complete(run: Run) -> None:
    """Join every pair."""
    workspace = run.workspace
    for u, v in itertools.combinations(range(workspace.n), 2):
        if workspace.edge_between(u, v) is None:
            workspace.add_edge(u, v)


def use_new_vertices(run: Run) -> bool:
    """Raise open edges to the group above by new vertices; fill groups that have none above with new cliques."""
    workspace = run.workspace
    while (value := workspace.highest_open()) is not None:
        above = min((other for other in workspace.class_sizes() if other > value), default=None)
        if above is None or value <= 1:
            # New vertices leave edges of count one behind, so those are never raised by more of the same.
            workspace.seal(value)
            while workspace.class_size(value) < run.k:
                add_clique(run, value + 2)
        else:
            raise_by_new_vertices(run, workspace.first_edge(value), above)
    return True


def add_clique(run: Run, size: int) -> None:
    """A clique of new vertices, by itself: its edges have size − 2 mutual friends."""
    vertices = [run.workspace.add_vertex() for _ in range(size)]
    for u, v in itertools.combinations(vertices, 2):
        run.workspace.add_edge(u, v)
