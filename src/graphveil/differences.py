"""What two graphs of the same people have in common: which vertex is which, and which edges differ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError
from graphveil.graph import Graph

__all__ = ["differences", "match"]


def match(before: Graph, after: Graph) -> Graph:
    """The published graph with the vertices of the original first, in the same order, and new ones after them.

    Raises
    ------
    GraphError
        Where a vertex of the original has no namesake in the published graph.

    Examples
    --------
    >>> before = Graph.from_edges([("Ann", "Bob")])
    >>> match(before, Graph.from_edges([("Zoe", "Bob"), ("Bob", "Ann")])).labels.tolist()
    ['Ann', 'Bob', 'Zoe']
    """
    if np.array_equal(before.labels, after.labels[: before.n]):
        return after
    old = before.labels.tolist()
    place = {label: number for number, label in enumerate(old)}
    names = after.labels.tolist()
    if missing := place.keys() - set(names):
        example = next(label for label in old if label in missing)
        raise GraphError(
            f"the published graph lacks {len(missing):,} of the {before.n:,} people of the original, such as id "
            f"{example!r}. Give it under the original ids, not under pseudonyms, or the folder with its private "
            "part."
        )
    new = (name for name in names if name not in place)
    place |= {name: before.n + i for i, name in enumerate(new)}
    number = np.fromiter((place[name] for name in names), np.int64, after.n)
    labels = np.empty_like(after.labels)
    labels[number] = after.labels
    u, v = number[after.edges].T
    return Graph.from_arrays(u, v, n=after.n, labels=labels)


def differences(before: Graph, after: Graph) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Edges of ``after`` that ``before`` lacks, and the other way round."""
    from graphveil.kernels.pairs import lacking

    added = after.edges[lacking(after.edges, before.edges)]
    deleted = before.edges[lacking(before.edges, after.edges)]
    return added, deleted
