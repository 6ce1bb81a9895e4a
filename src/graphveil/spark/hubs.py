"""Change a tail whose people have too many friends for the driver: one part after another, none larger than it holds.

An exposed edge (h, w) of a hub rises when somebody who knows w becomes a friend of h. Somebody with few friends does
this and little else. So an edit here joins or parts a *helper*, who has few friends, and a hub or another helper; never
two hubs. It changes only edges of the helper, and edges of the hub to friends of helpers (methods/plan/subgraph.py says
why). These are the part. Of all other edges of a hub the counts stay what they are, and are not pulled.

The hubs are the ends of exposed edges. As many as fit make a part, and the search lowers in it what is left in the
whole graph. Then the next ones follow, in the graph as it is by then. The driver keeps the edges that were changed;
everything else stays where it is. So parts fit whatever the graph, as long as its exposed edges themselves do.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphveil.methods.plan.potential import PARTLY, WHOLLY, OutOfTime
from graphveil.methods.plan.subgraph import lower_on_part

if TYPE_CHECKING:
    from graphveil.spark.tail import Edges, Whole

# From one turn to the next: how many times dearer it is to lower an edge than to raise it, and of the edges that the
# driver holds, one in how many is a helper's.
FALLS = (1, 1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64)
SHARES = (3, 2, 4)
GONE = -1  # the count of an edge that was deleted

Vertices = NDArray[np.int64]


class Changed:
    """A graph that lies elsewhere, after changes: the edges that they touched are here."""

    def __init__(self, whole: Whole, sizes: NDArray[np.int64]) -> None:
        self.whole, self.sizes = whole, sizes
        self.toggled = np.empty((0, 2), np.int64)
        self.pulled = self.editable = 0  # edges and vertices of the largest part
        self._ends, self._counts = np.empty((0, 2), np.int64), np.empty(0, np.int64)
        self.hubs = np.empty(0, np.int64)  # ends of edges that are or were exposed
        self._asked: Vertices | None = None

    def exposed(self, k: int) -> Edges:
        """The edges whose mutual-friend count occurs fewer than k times."""
        rare = np.flatnonzero((self.sizes > 0) & (self.sizes < k))
        return self._now(self.whole.exposed(rare), lambda _, counts: np.isin(counts, rare))

    def touching(self, vertices: Vertices) -> Edges:
        """The edges with an end among the vertices."""
        if self._asked is not vertices:  # part after part asks for the same
            self._asked, self._found = vertices, self.whole.touching(vertices)
        return self._now(self._found, lambda ends, _: np.isin(ends, vertices).any(axis=1))

    def between(self, some: Vertices, others: Vertices) -> Edges:
        """The edges from some vertices to others."""
        return self._now(self.whole.between(some, others), lambda ends, _: joins(ends, some, others))

    def _now(self, found: Edges, fits: Callable[[NDArray[np.int64], NDArray[np.int64]], Any]) -> Edges:
        """Edges of the graph as it was, as they are now."""
        same = ~np.isin(_keys(found.ends), _keys(self._ends))
        there = self._counts != GONE
        changed = there & fits(self._ends, self._counts)
        return type(found)(
            np.concatenate((found.ends[same], self._ends[changed])),
            np.concatenate((found.counts[same], self._counts[changed])),
        )

    def change(self, before: Edges, after: Edges, toggled: NDArray[np.int64]) -> None:
        """Note what edits made of a part, whose edges came in ascending order."""
        length = max(len(self.sizes), int(after.counts.max(initial=0)) + 1)
        more, fewer = (np.bincount(each.counts, minlength=length) for each in (after, before))
        self.sizes = np.pad(self.sizes, (0, length - len(self.sizes))) + more - fewer
        was, now = _keys(before.ends), _keys(after.ends)
        place = np.minimum(np.searchsorted(was, now), len(was) - 1)
        new = (was[place] != now) | (before.counts[place] != after.counts)
        gone = before.ends[~np.isin(was, now)]
        ends = np.concatenate((after.ends[new], gone))
        counts = np.concatenate((after.counts[new], np.full(len(gone), GONE)))
        same = ~np.isin(_keys(self._ends), _keys(ends))
        self._ends = np.concatenate((self._ends[same], ends))
        self._counts = np.concatenate((self._counts[same], counts))
        pairs, times = np.unique(np.concatenate((self.toggled, toggled)), axis=0, return_counts=True)
        self.toggled = pairs[times % 2 == 1]

    def exposed_edges(self, k: int) -> int:
        """How many edges have a mutual-friend count that occurs fewer than k times."""
        return int(self.sizes[self.sizes < k].sum())

    def is_anonymous(self, k: int) -> bool:
        """Whether every mutual-friend count that occurs, occurs k times."""
        return not self.exposed_edges(k)

    def are_edges(self, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which of some pairs that edits touched are edges now."""
        return np.isin(_keys(pairs), _keys(self._ends[self._counts != GONE]))


def _keys(ends: NDArray[np.int64]) -> NDArray[np.int64]:
    return ends[:, 0] << 32 | ends[:, 1]


def joins(ends: NDArray[np.int64], some: Vertices, others: Vertices) -> NDArray[np.bool_]:
    """Which edges join one of some vertices and one of others."""
    first, second = np.isin(ends, some), np.isin(ends, others)
    return first[:, 0] & second[:, 1] | first[:, 1] & second[:, 0]


def lower_hubs(
    whole: Whole,
    sizes: NDArray[np.int64],
    k: int,
    seed: int,
    most: int,
    end: float | None,
    *,
    keep_edges: bool,
) -> Changed:
    """Change the graph until it is k-NMF anonymous or time is up, with at most so many edges on the driver."""
    changed = Changed(whole, sizes)

    def time_is_up() -> bool:
        return end is not None and time.monotonic() > end

    try:
        for turn, fall in enumerate(FALLS):
            parts = _parts(changed, k, most, most // SHARES[turn % len(SHARES)])
            for hubs, helpers in parts:
                how = {"seed": seed + turn, "keep_edges": keep_edges, "time_is_up": time_is_up}
                _lower(changed, hubs, helpers, k, most, fall=None if len(parts) == 1 else fall, **how)
                if changed.is_anonymous(k):
                    return changed
    except OutOfTime:
        pass
    return changed


def _parts(changed: Changed, k: int, most: int, room: int) -> list[tuple[Vertices, Vertices]]:
    """Hubs whose edges fit at once, and the helpers; where there is room, hubs of edges that were exposed before."""
    exposed = changed.exposed(k)
    if len(exposed.counts) > most:
        return []
    ends = np.unique(exposed.ends)
    helpers = changed.whole.helpers(ends, room)
    own = changed.touching(helpers)
    asked, before = np.setdiff1d(ends, helpers), np.setdiff1d(changed.hubs, np.union1d(ends, helpers))
    changed.hubs = np.union1d(changed.hubs, ends)
    hubs = np.concatenate((asked, before))
    near = np.setdiff1d(np.concatenate((own.ends.ravel(), hubs)), helpers)
    numbers, free = changed.whole.number_between(hubs, near), most - len(own.counts)
    parts: list[list[int]] = [[]]
    filled = 0
    for place in np.flatnonzero(numbers <= free).tolist():
        if filled + numbers[place] > free:
            if place >= len(asked):
                break
            parts.append([])
            filled = 0
        parts[-1].append(place)
        filled += numbers[place]
    return [(np.sort(hubs[part]), helpers) for part in parts]


def _lower(changed: Changed, hubs: Vertices, helpers: Vertices, k: int, most: int, **how: Any) -> None:
    """Search in one part, and note what was changed."""
    own = changed.touching(helpers)
    near = np.setdiff1d(np.concatenate((own.ends.ravel(), hubs)), helpers)
    others = changed.between(hubs, near)
    while len(own.counts) + len(others.counts) > most and len(hubs):  # by edges that were added since
        hubs = hubs[: len(hubs) // 2]
        kept = joins(others.ends, hubs, near)
        others = type(others)(others.ends[kept], others.counts[kept])
    if len(own.counts) > most:
        return
    ends, first = np.unique(np.concatenate((own.ends, others.ends)), axis=0, return_index=True)
    before = type(own)(ends, np.concatenate((own.counts, others.counts))[first])
    vertices = np.unique(np.concatenate((ends.ravel(), hubs, helpers)))
    editable = PARTLY * np.isin(vertices, hubs) + WHOLLY * np.isin(vertices, helpers)
    changed.pulled = max(changed.pulled, len(ends))
    changed.editable = max(changed.editable, len(hubs) + len(helpers))
    inside = np.bincount(before.counts, minlength=len(changed.sizes))
    found = lower_on_part(
        np.searchsorted(vertices, ends),
        before.counts,
        changed.sizes - inside,
        editable.astype(np.int8),
        k,
        **how,
    )
    changed.change(before, type(own)(vertices[found.edges], found.counts), vertices[found.toggled])
