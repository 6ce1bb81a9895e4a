"""The kernels of kernels/scan.py, with the arrays that they fill. It loads them, so it is imported late."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels import scan as kernels
from graphveil.kernels.plan import Marginals
from graphveil.kernels.scan import BIG, LARGEST_GAIN, MOST_OF_A_COUNT, NONE


class Scans:
    """The scans of one graph, which has n vertices: room to work in is made once, for a scan may be short."""

    def __init__(self, n: int) -> None:
        self._n = n
        self._start, self._wanting = np.empty(n + 2, np.int64), np.empty(n, np.bool_)
        self._tally = np.zeros(LARGEST_GAIN + 1, np.int64)
        self._sums, self._touched = np.full((n, 2), BIG), np.empty(n, np.int32)
        self._edge_to = np.full(n, NONE, np.int32)

    def scan(
        self, state: Any, m: Marginals, deletable: int, editable: NDArray[np.int8], room: int, shift: int
    ) -> NDArray[np.int32]:
        """The pairs whose toggle lowers the potential most by the sum of marginals, fewer than 2 × room of them.

        Edges with numbers below ``deletable`` stay, and the vertices of a pair may be joined. ``shift`` says with
        which vertex to begin.
        """
        pairs, estimate = np.empty((2 * room, 2), np.int32), np.empty(2 * room, np.int64)
        scratch = self._tally, self._sums, self._touched, self._edge_to
        hot = self._hot(state, m)
        found = kernels.scan(_graph(state), m, deletable, editable, shift, hot, pairs, estimate, *scratch)
        return pairs[:found].copy()

    def common_friends(
        self, state: Any, m: Marginals, edges: NDArray[np.int64], editable: NDArray[np.int8], probe: int
    ) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Two vertices for each edge that would raise it by becoming a friend of both ends, and the estimated costs."""
        n = self._n
        friend, cost = np.full((len(edges), 2), NONE, np.int32), np.full((len(edges), 2), BIG)
        kernels.common_friends(
            _graph(state),
            m,
            edges,
            editable,
            probe,
            self._hot(state, m),
            friend,
            cost,
            np.full((2, n, 2), BIG),
            np.empty((2, n), np.int32),
            np.zeros((2, n), np.int32),
            np.empty(n, np.int32),
            np.zeros(n, np.bool_),
        )
        return friend, cost

    def _hot(self, state: Any, m: Marginals) -> kernels.Hot:
        """Room for the hot edges."""
        counts = min(len(m.up), len(state.size))
        moving = (m.up[:counts] != 0) | (m.down[:counts] != 0)
        most = int(np.minimum(state.size[:counts][moving], MOST_OF_A_COUNT).sum())
        rows = np.empty((2, 2 * most), np.int32)
        return kernels.Hot(self._start, rows[0], rows[1], self._wanting, np.empty(most, np.int32))


def _graph(state: Any) -> kernels.Graph:
    s = state
    return kernels.Graph(s.start, s.length, s.vertex, s.edge, s.ends, s.count, s.later, s.first, s.size)
