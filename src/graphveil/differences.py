"""What two graphs of the same people have in common: which vertex is which, and which edges differ."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError
from graphveil.graph import Graph
from graphveil.words import percent

__all__ = ["differences", "match"]

FEW = 20  # edges below which chance decides how many two graphs share
CORRESPONDING = (
    0.25  # of the edges must be kept, beyond what chance keeps, for the ids to mean the same people
)


def match(before: Graph, after: Graph) -> Graph:
    """The published graph with the vertices of the original first, in the same order, and new ones after them.

    Raises
    ------
    GraphError
        If a vertex of the original is missing in the published graph. Also if the edges are so different that the same
        id cannot mean the same person, as with pseudonyms 0…n−1.

    Examples
    --------
    >>> before = Graph.from_edges([("Ann", "Bob")])
    >>> match(before, Graph.from_edges([("Zoe", "Bob"), ("Bob", "Ann")])).labels.tolist()
    ['Ann', 'Bob', 'Zoe']
    """
    same = np.array_equal(before.labels, after.labels[: before.n])
    matched = after if same else _in_order(before, after)
    if min(before.m, after.m) >= FEW:
        _check_correspondence(before, matched)
    return matched


def _check_correspondence(before: Graph, after: Graph) -> None:
    """Refuse ids that do not mean the same people: then no more edges are kept than between random vertices."""
    from graphveil.kernels.pairs import lacking

    kept = 1 - float(np.mean(lacking(before.edges, after.edges)))
    chance = after.m / (after.n * (after.n - 1) / 2)
    if kept - chance < CORRESPONDING * (1 - chance):
        raise GraphError(
            f"the ids of the two graphs do not correspond: only {percent(kept)} of the friendships of the original are "
            "in the published graph. If it is under pseudonyms, give the published folder with its private part "
            "(in Python also private=)."
        )


def _in_order(before: Graph, after: Graph) -> Graph:
    old = before.labels.tolist()
    place = {label: number for number, label in enumerate(old)}
    names = after.labels.tolist()
    if missing := place.keys() - set(names):
        example = next(label for label in old if label in missing)
        raise GraphError(
            f"the published graph lacks {len(missing):,} of the {before.n:,} people of the original, such as id "
            f"{example!r}. If it is under pseudonyms, give the published folder with its private part (in Python also "
            "private=)."
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
