"""What two graphs of the same people have in common: which vertex is which, and which edges differ."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError
from graphveil.graph import Graph
from graphveil.kernels._jit import patient
from graphveil.words import percent

FEW = 20  # edges below which chance decides how many two graphs share
CORRESPONDING = (
    0.25  # of the edges must be kept, beyond what chance keeps, for the ids to mean the same people
)


def pair_keys(pairs: NDArray[Any], n: int) -> NDArray[np.int64]:
    """One number for each pair of vertices below n, whichever end comes first; they sort as the pairs do.

    >>> pair_keys(np.array([[0, 1], [3, 2]]), 10).tolist()
    [1, 23]
    """
    keys: NDArray[np.int64] = pairs.min(axis=1).astype(np.int64) * n
    keys += pairs.max(axis=1)
    return keys


def match(before: Graph, after: Graph) -> Graph:
    """The published graph with the vertices of the original first, in the same order, and new ones after them.

    A vertex that is missing is an error. So are edges so different that the same id cannot mean the same person, as
    with pseudonyms 0…n−1.

    >>> before = Graph.from_edges([("Ann", "Bob")])
    >>> match(before, Graph.from_edges([("Zoe", "Bob"), ("Bob", "Ann")])).labels.tolist()
    ['Ann', 'Bob', 'Zoe']
    """
    place = _by_label(before, after)
    _refuse_missing(before, place, most=0)
    matched = _in_order(after, place)
    _check_correspondence(before.edges, matched)
    return matched


def places(before: Graph, after: Graph) -> NDArray[np.int64]:
    """The vertex of the published graph that each vertex of the original is, −1 for people who are gone.

    Refused where most people are gone, or where the same id cannot mean the same person, as in `match`.

    >>> before = Graph.from_edges([("Ann", "Bob"), ("Bob", "Cem")])
    >>> places(before, Graph.from_edges([("Zoe", "Bob"), ("Bob", "Ann")])).tolist()
    [2, 1, -1]
    """
    place = _by_label(before, after)
    _refuse_missing(before, place, most=int((1 - CORRESPONDING) * before.n))
    ends = place[before.edges]
    u, v = ends[(ends >= 0).all(axis=1)].T
    _check_correspondence(Graph.from_arrays(u, v, n=after.n).edges, after)
    return place


def _check_correspondence(edges: NDArray[np.int32], after: Graph) -> None:
    """Refuse ids that do not mean the same people: then no more edges are kept than between random vertices."""
    if min(len(edges), after.m) < FEW:
        return
    kept = 1 - float(np.mean(patient("pairs").lacking(edges, after.edges)))
    chance = after.m / (after.n * (after.n - 1) / 2)
    if kept - chance < CORRESPONDING * (1 - chance):
        raise GraphError(
            f"the ids of the two graphs do not correspond: only {percent(kept)} of the friendships of the original are "
            "in the published graph. If it is under pseudonyms, give the published folder with its private part "
            "(in Python also private=)."
        )


def _by_label(before: Graph, after: Graph) -> NDArray[np.int64]:
    """The vertex of the published graph with the label of each vertex of the original, −1 where there is none."""
    if np.array_equal(before.labels, after.labels[: before.n]):
        return np.arange(before.n)
    number = {label: vertex for vertex, label in enumerate(after.labels.tolist())}
    return np.fromiter((number.get(label, -1) for label in before.labels.tolist()), np.int64, before.n)


def _refuse_missing(before: Graph, place: NDArray[np.int64], *, most: int) -> None:
    missing = np.flatnonzero(place < 0)
    if len(missing) > most:
        (example,) = before.labels[missing[:1]].tolist()
        raise GraphError(
            f"the published graph lacks {len(missing):,} of the {before.n:,} people of the original, such as id "
            f"{example!r}. If it is under pseudonyms, give the published folder with its private part (in Python also "
            "private=)."
        )


def _in_order(after: Graph, place: NDArray[np.int64]) -> Graph:
    """The graph with these vertices first."""
    if np.array_equal(place, np.arange(len(place))):
        return after
    new = np.ones(after.n, bool)
    new[place] = False
    order = np.concatenate((place, np.flatnonzero(new)))
    number = np.empty(after.n, np.int64)
    number[order] = np.arange(after.n)
    return after.renumbered(number, after.labels[order])


def differences(before: Graph, after: Graph) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Edges of ``after`` that ``before`` lacks, and the other way round."""
    added = after.edges[patient("pairs").lacking(after.edges, before.edges)]
    deleted = before.edges[patient("pairs").lacking(before.edges, after.edges)]
    return added, deleted
