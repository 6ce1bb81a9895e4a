"""Anonymize a graph on Spark by changing its tail on the driver: only a part of it travels.

The edges whose mutual-friend count occurs fewer than k times are the tail. Vertices around it may be ends of changes.
The driver pulls every edge that touches one of these, with its count in the whole graph; `plan_on_part` then searches
with everything outside fixed, and exactly (methods/plan/partial.py says why). What is pulled has a bound, and of three
neighbourhoods the largest one that fits is taken. Where the search finds nothing in it, people with few friends and far
from the tail are taken in: an exposed edge can be raised by a stranger who becomes a friend of both ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import UnreachableError
from graphveil.methods.plan.partial import plan_on_part
from graphveil.words import counted

__all__ = ["MOST_PULLED", "Edges", "TailEdits", "Whole", "edit_tail"]

MOST_PULLED = 5_000_000  # edges: about 2 GB on the driver
STRANGERS = 500  # people taken in where the neighbourhood is not enough
STRANGER_DEGREES = (2, 12)  # how many friends they may have: few, so that little is pulled

Vertices = NDArray[np.int64]


@dataclass(frozen=True)
class Edges:
    """Some edges with their mutual friends in the whole graph."""

    ends: NDArray[np.int64]  # a row for each edge
    counts: NDArray[np.int64]


class Whole(Protocol):
    """What has to be known of a graph that lies elsewhere."""

    @property
    def histogram(self) -> NDArray[np.int64]:
        """How many edges have 0, 1, 2 … mutual friends."""

    def exposed(self, values: NDArray[np.int64]) -> Edges:
        """The edges with these mutual-friend counts."""

    def number_touching(self, vertices: Vertices) -> int:
        """How many edges have an end among the vertices."""

    def touching(self, vertices: Vertices) -> Edges:
        """The edges with an end among the vertices."""

    def strangers(self, number: int, least: int, most: int, seed: int) -> Vertices:
        """So many vertices with a degree between two bounds, by the seed and nothing else."""


@dataclass(frozen=True)
class TailEdits:
    """Changes that make a graph k-NMF anonymous, as pairs of vertex numbers in ascending order."""

    added: NDArray[np.int64]
    deleted: NDArray[np.int64]
    editable: int  # vertices that were allowed to be ends of changes
    pulled: int  # edges
    notes: tuple[str, ...]


def edit_tail(
    graph: Whole,
    k: int,
    *,
    seed: int,
    keep_edges: bool = False,
    budget: float | None = None,
    most_pulled: int = MOST_PULLED,
) -> TailEdits:
    """Search for few changes of the tail; parameters as in `graphveil.spark.anonymize`."""
    sizes = graph.histogram
    values = np.flatnonzero((sizes > 0) & (sizes < k))
    none = np.empty((0, 2), np.int64)
    if not len(values):
        return TailEdits(none, none, 0, 0, ())
    if sizes.sum() < k:
        raise UnreachableError(
            f"k = {k:,} is out of reach: the graph has {counted(int(sizes.sum()), 'edge')}. Choose a smaller k, or use "
            "graphveil without --engine spark."
        )
    end = None if budget is None else time.monotonic() + budget
    notes: list[str] = []
    for name, editable in _neighbourhoods(graph, values, most_pulled, notes, seed):
        part = graph.touching(editable)
        try:
            added, deleted, stopped = _search(part, editable, sizes, k, seed, keep_edges, end)
        except UnreachableError:
            notes.append(f"no solution among {counted(len(editable), 'person', 'people')}: {name}")
            continue
        notes.append(
            f"changes were searched among {counted(len(editable), 'person', 'people')} ({name}), with "
            f"{counted(len(part.counts), 'friendship')} on the driver"
        )
        if stopped:
            notes.append(
                "the search was stopped by its budget, and the same seed may give another graph next time"
            )
        return TailEdits(added, deleted, len(editable), len(part.counts), tuple(notes))
    raise UnreachableError(
        f"no {k:,}-NMF anonymous graph was found ({'; '.join(notes)}). Choose a smaller k, or allow more edges on the "
        "driver (most_pulled in Python)."
    )


def _neighbourhoods(
    graph: Whole, values: NDArray[np.int64], most: int, notes: list[str], seed: int
) -> Iterator[tuple[str, Vertices]]:
    """Vertices that may be ends of changes: the largest neighbourhood that fits, and then the same with strangers."""
    exposed = graph.exposed(values)
    tail = np.unique(exposed.ends)
    for name, vertices in (
        ("the ends of exposed friendships and all their friends", _with_friends(graph, tail, most)),
        (
            "the ends of exposed friendships and their mutual friends",
            _with_mutual(graph, exposed, tail, most),
        ),
        ("the ends of exposed friendships", tail),
    ):
        pulled = most + 1 if vertices is None else graph.number_touching(vertices)
        if vertices is None or pulled > most:
            notes.append(f"not pulled, more than {most:,} friendships: {name}")
            continue
        yield name, vertices
        more = np.union1d(vertices, graph.strangers(STRANGERS, *STRANGER_DEGREES, seed))
        if graph.number_touching(more) <= most:
            yield f"{name}, and {STRANGERS:,} people far from them", more
        return


def _with_friends(graph: Whole, tail: Vertices, most: int) -> Vertices | None:
    """The tail and all its neighbours, unless there are too many to look at."""
    if graph.number_touching(tail) > most:
        return None
    return np.unique(graph.touching(tail).ends)


def _with_mutual(graph: Whole, exposed: Edges, tail: Vertices, most: int) -> Vertices | None:
    """The tail and the mutual friends of the ends of each of its edges."""
    if graph.number_touching(tail) > most:
        return None
    ends = graph.touching(tail).ends
    both = np.concatenate((ends, ends[:, ::-1]))
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    start = np.searchsorted(both[:, 0], tail)
    stop = np.searchsorted(both[:, 0], tail, side="right")
    friends = {int(v): both[a:b, 1] for v, a, b in zip(tail, start, stop, strict=True)}
    mutual = [np.intersect1d(friends[u], friends[v], assume_unique=True) for u, v in exposed.ends.tolist()]
    return np.unique(np.concatenate((tail, *mutual)))


def _search(
    part: Edges,
    editable: Vertices,
    sizes: NDArray[np.int64],
    k: int,
    seed: int,
    keep_edges: bool,
    end: float | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """The search on the part, whose vertices are numbered in ascending order."""
    vertices, places = np.unique(part.ends, return_inverse=True)
    outside = sizes - np.bincount(part.counts, minlength=len(sizes))
    found = plan_on_part(
        places.reshape(-1, 2),
        part.counts,
        outside,
        np.isin(vertices, editable, assume_unique=True),
        k,
        seed=seed,
        keep_edges=keep_edges,
        time_is_up=lambda: end is not None and time.monotonic() > end,
    )
    return vertices[found.added], vertices[found.deleted], found.stopped
