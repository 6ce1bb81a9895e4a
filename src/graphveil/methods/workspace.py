"""The graph while it is being changed: the only mutable thing.

An edit keeps three things up to date: every mutual-friend count, the groups of edges with the same count, and the
open edges. Its time depends on the neighbourhoods of the two ends, never on the graph. A journal undoes edits
exactly.

The paper marks single edges "anonymized". Here a *count* is sealed: every edge that has it is final, and an edge that
reaches it later belongs to the group at no cost. ADD does so when a group starts. ADD&DEL marks single edges while it
lowers some, and seals the count then.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.kernels._jit import patient
from graphveil.mutual import mutual_friends
from graphveil.numbering import as_labels

ALIVE, OPEN, SLOTS, EDGES, TURN = 0, 1, 2, 3, 4  # places in State.totals
SPARE = 1024  # room for growth beyond an eighth


class Workspace:
    """A graph under change, with its mutual-friend counts.

    ``extra`` is added to the count of each edge, for mutual friends outside the graph. ``rng`` decides the order of
    edges that have the same count and came to it at the same time; without it the numbers of the vertices, so the
    file, decide.

    >>> from graphveil import Graph
    >>> from graphveil.methods.workspace import Workspace
    >>> workspace = Workspace(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    >>> here = workspace.checkpoint()
    >>> edge = workspace.add_edge(0, 2)
    >>> workspace.count(edge), workspace.class_sizes()
    (1, {0: 1, 1: 3})
    >>> workspace.undo_to(here)
    >>> workspace.class_sizes()
    {0: 3}
    """

    def __init__(
        self, graph: Graph, extra: NDArray[np.int64] | None = None, *, rng: np.random.Generator | None = None
    ) -> None:
        from graphveil.kernels import workspace as kernels

        self._kernels = kernels
        self._original, self._extra = graph, extra
        self._journal: list[tuple[str, int]] = []
        self._edits = 0
        self._n = graph.n
        self._touched = 0
        self._state = _state_of(graph, kernels, extra, rng)

    def again(self) -> Workspace:
        """The same graph before any change, without a generator of its own."""
        return Workspace(self._original, self._extra)

    # ------------------------------------------------------------------ what it is

    @property
    def original(self) -> Graph:
        """The graph it started from."""
        return self._original

    @property
    def n(self) -> int:
        """Number of vertices, new ones included."""
        return self._n

    @property
    def m(self) -> int:
        """Number of edges."""
        return int(self._state.totals[ALIVE])

    @property
    def open_edges(self) -> int:
        """Number of edges whose count is not sealed."""
        return int(self._state.totals[OPEN])

    @property
    def edits(self) -> int:
        """How many edges were added and deleted so far, undone ones aside."""
        return self._edits

    def violating(self, k: int) -> int:
        """How many edges are exposed: in a group of fewer than k."""
        size = self._state.size
        return int(size[size < k].sum())

    @property
    def state(self) -> Any:
        """The arrays, for kernels. They are replaced when they grow: do not keep them over an edit."""
        return self._state

    def ends(self, edge: int) -> tuple[int, int]:
        """The two vertices of an edge."""
        u, v = self._state.ends[edge]
        return int(u), int(v)

    def count(self, edge: int) -> int:
        """Mutual friends of an edge."""
        return int(self._state.count[edge])

    def edge_between(self, u: int, v: int) -> int | None:
        """The edge (u, v), if there is one."""
        edge = self._kernels.edge_between(self._state, u, v)
        return None if edge < 0 else int(edge)

    def class_size(self, count: int) -> int:
        """How many edges have this many mutual friends."""
        return int(self._state.size[count]) if count < len(self._state.size) else 0

    def class_sizes(self) -> dict[int, int]:
        """Every count that occurs, and on how many edges."""
        counts = np.flatnonzero(self._state.size)
        return dict(zip(counts.tolist(), self._state.size[counts].tolist(), strict=True))

    def is_sealed(self, count: int) -> bool:
        """Whether edges with this count are final."""
        return count < len(self._state.sealed) and bool(self._state.sealed[count])

    def highest_open(self) -> int | None:
        """The largest count of an open edge."""
        size, sealed = self._state.size, self._state.sealed
        counts = np.flatnonzero((size > 0) & ~sealed)
        return int(counts[-1]) if len(counts) else None

    def mean_of_highest(self, k: int) -> int:
        """Rounded mean of the k largest counts of open edges."""
        size = np.where(self._state.sealed, 0, self._state.size)[::-1]
        taken = np.diff(np.minimum(np.cumsum(size), k), prepend=0)[::-1]
        return int(2 * (taken @ np.arange(len(taken))) + k) // (2 * k)

    def first_edge(self, count: int) -> int:
        """The edge that came to this count last; there must be one. `rng` decides between those that came together."""
        return int(self._state.first[count])

    # ------------------------------------------------------------------ edits

    def add_edge(self, u: int, v: int) -> int:
        """Add the edge (u, v), which must not exist; returns its number."""
        assert u != v, "an edge has two ends"
        edge = int(self._state.totals[EDGES])
        self._make_room(u, v)
        self._state.totals[EDGES] += 1
        self._touched = self._kernels.add_edge(self._state, edge, u, v)
        self._record("add", edge)
        return edge

    def delete_edge(self, edge: int) -> None:
        """Take an edge out."""
        self._touched = self._kernels.delete_edge(self._state, edge)
        self._record("delete", edge)

    def _record(self, action: str, edge: int) -> None:
        self._journal.append((action, edge))
        self._edits += 1

    def add_vertex(self) -> int:
        """A new vertex without edges; returns its number."""
        if self._n == len(self._state.start):
            self._grow_vertices()
        self._n += 1
        self._journal.append(("vertex", self._n - 1))
        return self._n - 1

    def seal(self, count: int) -> None:
        """Declare every edge with this count, now and later, final."""
        self._grow_counts(count)
        if not self._state.sealed[count]:
            self._state.sealed[count] = True
            self._state.totals[OPEN] -= self._state.size[count]
            self._journal.append(("seal", count))

    def last_common_neighbours(self) -> NDArray[np.int32]:
        """The common neighbours of the two ends of the edge that was added or deleted last."""
        common: NDArray[np.int32] = self._state.common[0, : self._touched].copy()
        return common

    # ------------------------------------------------------------------ going back

    def checkpoint(self) -> int:
        """A point in the journal to come back to with `undo_to`."""
        return len(self._journal)

    def undo_to(self, checkpoint: int) -> None:
        """Undo every edit since the checkpoint, the last one first."""
        while len(self._journal) > checkpoint:
            action, what = self._journal.pop()
            getattr(self, f"_undo_{action}")(what)

    def additions_since(self, checkpoint: int) -> list[tuple[int, int] | None]:
        """The edges added since the checkpoint in their order, with None for each new vertex."""
        recent = self._journal[checkpoint:]
        assert all(action != "delete" for action, _ in recent)
        return [self.ends(what) if action == "add" else None for action, what in recent if action != "seal"]

    def replay(self, additions: list[tuple[int, int] | None]) -> None:
        """Do again what `additions_since` told."""
        for pair in additions:
            if pair is None:
                self.add_vertex()
            else:
                self.add_edge(*pair)

    def _undo_add(self, edge: int) -> None:
        self._kernels.delete_edge(self._state, edge)
        self._state.totals[EDGES] -= 1
        self._edits -= 1

    def _undo_delete(self, edge: int) -> None:
        self._kernels.add_edge(self._state, edge, *self.ends(edge))
        self._edits -= 1

    def _undo_vertex(self, vertex: int) -> None:
        self._n = vertex

    def _undo_seal(self, count: int) -> None:
        self._state.sealed[count] = False
        self._state.totals[OPEN] += self._state.size[count]

    # ------------------------------------------------------------------ what came out

    def to_graph(self) -> Graph:
        """The graph as it is now: labels and order of the original, new vertices last."""
        m, used = self._original.m, self._state.totals[EDGES]
        alive = self._state.count[:used] >= 0
        rows = self._state.ends[:used].view(np.int64)[:, 0]  # a pair in one number is faster to move
        kept, added = rows[:m][alive[:m]], rows[m:][alive[m:]]
        keys = _keys(added, self._n)
        order = np.argsort(keys)
        edges = np.insert(kept, np.searchsorted(_keys(kept, self._n), keys[order]), added[order])
        labels = labels_with_new(self._original.labels, self._n - self._original.n)
        return Graph(edges.view(np.int32), self._n, labels)

    # ------------------------------------------------------------------ room

    def _make_room(self, u: int, v: int) -> None:
        s = self._state
        if s.totals[EDGES] == len(s.count):
            self._grow_edges()
        for vertex in (u, v):
            if self._state.length[vertex] == self._state.room[vertex]:
                self._relocate(vertex)
        smaller, larger = sorted((int(s.length[u]), int(s.length[v])))
        if larger + 1 > s.common.shape[1]:
            self._state = self._state._replace(common=np.empty((3, 2 * larger + 2), np.int32))
        # The new edge's count stays below the smaller degree, any other rises by one, and kernels look one ahead.
        highest_used = len(s.size) if s.size[-1] or s.size[-2] or s.size[-3] else 0
        if max(smaller + 2, highest_used) >= len(s.size):
            self._grow_counts(max(smaller + 2, highest_used))

    def _grow_vertices(self) -> None:
        s, more = self._state, self._n // 8 + SPARE
        self._state = s._replace(
            start=np.concatenate((s.start, np.zeros(more, np.int64))),
            length=np.concatenate((s.length, np.zeros(more, np.int32))),
            room=np.concatenate((s.room, np.zeros(more, np.int32))),
            mark=np.concatenate((s.mark, np.full(more, -1, np.int32))),
            place=np.concatenate((s.place, np.full(more, -1, np.int32))),
        )

    def _grow_edges(self) -> None:
        s, more = self._state, len(self._state.count) // 2 + SPARE
        self._state = s._replace(
            ends=np.concatenate((s.ends, np.empty((more, 2), np.int32))),
            count=np.concatenate((s.count, np.full(more, -1, np.int32))),
            later=np.concatenate((s.later, np.empty(more, np.int32))),
            earlier=np.concatenate((s.earlier, np.empty(more, np.int32))),
        )

    def _relocate(self, vertex: int) -> None:
        s = self._state
        room = max(8, 2 * int(s.length[vertex]))
        if s.totals[SLOTS] + room > len(s.vertex):
            more = len(s.vertex) // 2 + room
            s = self._state = s._replace(
                vertex=np.concatenate((s.vertex, np.empty(more, np.int32))),
                edge=np.concatenate((s.edge, np.empty(more, np.int32))),
            )
        old, new, length = s.start[vertex], s.totals[SLOTS], s.length[vertex]
        for row in (s.vertex, s.edge):
            row[new : new + length] = row[old : old + length]
        s.start[vertex], s.room[vertex] = new, room
        s.totals[SLOTS] += room

    def _grow_counts(self, count: int) -> None:
        s = self._state
        more = 2 * count + 2 - len(s.size)
        if count >= len(s.size):
            self._state = s._replace(
                first=np.concatenate((s.first, np.full(more, -1, np.int32))),
                size=np.concatenate((s.size, np.zeros(more, np.int64))),
                sealed=np.concatenate((s.sealed, np.zeros(more, bool))),
            )


def _state_of(
    graph: Graph, kernels: Any, extra: NDArray[np.int64] | None, rng: np.random.Generator | None
) -> Any:
    counts = mutual_friends(graph) if extra is None else mutual_friends(graph) + extra
    n, m = graph.n, graph.m
    slots, spare_edges = 2 * m + m // 4 + SPARE, m // 8 + SPARE
    start, vertex, edge = np.zeros(n + 2, np.int64), np.empty(slots, np.int32), np.empty(slots, np.int32)
    patient("adjacency").compressed_rows(graph.edges, start, vertex, edge)
    degrees = np.diff(start[:-1]).astype(np.int32)
    highest = int(counts.max()) if m else 0
    longest = int(degrees.max()) if n else 0
    state = kernels.State(
        start=start[:n],
        length=degrees,
        room=degrees.copy(),
        vertex=vertex,
        edge=edge,
        ends=np.concatenate((graph.edges, np.empty((spare_edges, 2), np.int32))),
        count=np.full(m + spare_edges, -1, np.int32),
        later=np.empty(m + spare_edges, np.int32),
        earlier=np.empty(m + spare_edges, np.int32),
        first=np.full(highest + 64, -1, np.int32),
        size=np.zeros(highest + 64, np.int64),
        sealed=np.zeros(highest + 64, bool),
        totals=np.array([0, 0, 2 * m, m, 0 if rng is None else rng.integers(1, 2**31 - 1)], np.int64),
        common=np.empty((3, longest + SPARE), np.int32),
        mark=np.full(n, -1, np.int32),
        place=np.full(n, -1, np.int32),
    )
    order = np.arange(m - 1, -1, -1) if rng is None else rng.permutation(m)
    kernels.link_all(state, counts, order)
    return state


def _keys(rows: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """Numbers that sort as the pairs of vertices below n do, whose bytes the rows are."""
    ends = rows.view(np.int32).reshape(-1, 2)
    keys: NDArray[np.int64] = ends[:, 0] * np.int64(n)
    keys += ends[:, 1]
    return keys


def labels_with_new(labels: NDArray[Any], new: int) -> NDArray[Any]:
    """The labels, then for each new vertex one that no other has."""
    if not new:
        return labels
    n = len(labels) + new
    if labels.dtype.kind == "i":
        # The numbers above all others, or where those would not fit, the lowest from 0 on that are free.
        above = int(labels.max()) + 1 if len(labels) else 0
        fits = 0 <= above < 2**62
        fresh = np.arange(above, above + new) if fits else np.setdiff1d(np.arange(n), labels)[:new]
        return np.concatenate((labels, fresh))
    taken = set(labels.tolist())
    names = (name for name in (f"new {i}" for i in range(1, n + 1)) if name not in taken)
    return as_labels([*labels.tolist(), *itertools.islice(names, new)])
