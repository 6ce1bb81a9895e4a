"""Anonymize a graph on Spark by changing its tail on the driver: only a part of it travels.

The edges whose mutual-friend count occurs fewer than k times are the tail. Vertices around it may be ends of changes.
The driver pulls every edge that touches one of these, with its count in the whole graph; `plan_on_part` then searches
with everything outside fixed, and exactly (methods/plan/subgraph.py says why). What is pulled has a bound, and of two
neighbourhoods the largest one that fits is taken. Where the search finds nothing in it, people with few friends and far
from the tail are taken in: an exposed edge can be raised by a stranger who becomes a friend of both ends. Where none
fits, the tail is changed in parts that do (hubs.py).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import UnreachableError
from graphveil.methods.plan.aims.degree import steps_of_degrees
from graphveil.methods.plan.subgraph import PartEdits, plan_on_part
from graphveil.spark.hubs import lower_hubs
from graphveil.words import counted

MOST_PULLED = 5_000_000  # edges: about 2 GB on the driver
STRANGERS = 500  # people taken in where the neighbourhood is not enough
STRANGER_DEGREES = (2, 12)  # how many friends they may have: few, so that little is pulled
HELPERS = (
    4  # times the steps that degrees have to go: strangers, and friends of people with an exposed degree
)

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

    @property
    def degree_histogram(self) -> NDArray[np.int64]:
        """How many vertices have 0, 1, 2 … friends."""

    def exposed(self, values: NDArray[np.int64]) -> Edges:
        """The edges with these mutual-friend counts."""

    def with_degrees(self, degrees: NDArray[np.int64]) -> Vertices:
        """The vertices with these degrees, in ascending order."""

    def with_few_friends(self, vertices: Vertices, least: int, most: int) -> Vertices:
        """Those of the vertices whose degree lies between two bounds, in ascending order."""

    def number_touching(self, vertices: Vertices) -> int:
        """How many edges have an end among the vertices."""

    def touching(self, vertices: Vertices) -> Edges:
        """The edges with an end among the vertices."""

    def between(self, some: Vertices, others: Vertices) -> Edges:
        """The edges from some vertices to others."""

    def number_between(self, some: Vertices, others: Vertices) -> NDArray[np.int64]:
        """How many edges lead from each of some vertices, in ascending order, to others."""

    def helpers(self, vertices: Vertices, room: int) -> Vertices:
        """Friends of the vertices with so many edges in all, first those who have few friends besides."""

    def strangers(self, number: int, least: int, most: int, seed: int) -> Vertices:
        """So many vertices with a degree between two bounds, by the seed and nothing else."""


@dataclass(frozen=True)
class Tail:
    """What is exposed."""

    edges: Edges
    people: Vertices  # with an exposed degree
    helpers: int  # how many others are to help them, of each kind

    @property
    def ends(self) -> Vertices:
        """The ends of exposed edges."""
        return np.unique(self.edges.ends)


@dataclass(frozen=True)
class TailEdits:
    """Changes that make a graph anonymous, as pairs of vertex numbers in ascending order."""

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
    degree_k: int | None = None,
    keep_edges: bool = False,
    budget: float | None = None,
    most_pulled: int = MOST_PULLED,
) -> TailEdits:
    """Search for few changes of the tail; parameters as in `graphveil.spark.anonymize`."""
    sizes, people = graph.histogram, np.empty(0, np.int64) if degree_k is None else graph.degree_histogram
    none = np.empty((0, 2), np.int64)
    if not len(_rare(sizes, k)) and (degree_k is None or not len(_rare(people, degree_k))):
        return TailEdits(none, none, 0, 0, ())
    _refuse_beyond_reach("k", k, counted(int(sizes.sum()), "edge"), int(sizes.sum()))
    if degree_k is not None:
        _refuse_beyond_reach(
            "degree k", degree_k, counted(int(people.sum()), "vertex", "vertices"), int(people.sum())
        )
    end = None if budget is None else time.monotonic() + budget
    notes: list[str] = []
    tail = _tail(graph, sizes, people, k, degree_k)
    for name, editable in _neighbourhoods(graph, tail, most_pulled, notes, seed):
        part = graph.touching(editable)
        half = end and (time.monotonic() + end) / 2  # what comes after this needs time too
        try:
            found = _search(part, editable, sizes, people, k, degree_k, seed, keep_edges, half)
        except UnreachableError:
            notes.append(f"no solution among {counted(len(editable), 'person', 'people')}: {name}")
            continue
        notes.append(
            f"changes were searched among {counted(len(editable), 'person', 'people')} ({name}), with "
            f"{counted(len(part.counts), 'friendship')} on the driver"
        )
        if found.stopped:
            notes.append(
                "the search was stopped by its budget, and the same seed may give another graph next time"
            )
        return TailEdits(found.added, found.deleted, len(editable), len(part.counts), tuple(notes))
    if degree_k is None:
        changed = lower_hubs(graph, sizes, k, seed, most_pulled, end, keep_edges=keep_edges)
        if changed.is_anonymous(k):
            notes.append(
                f"changes were searched in parts, among hubs and people with few friends, with at most "
                f"{counted(changed.pulled, 'friendship')} on the driver"
            )
            there = changed.are_edges(changed.toggled)
            pairs = changed.toggled[there], changed.toggled[~there]
            return TailEdits(*pairs, changed.editable, changed.pulled, tuple(notes))
        notes.append(f"{counted(changed.exposed_edges(k), 'friendship')} left exposed: hubs, part by part")
    wanted = f"{k:,}-NMF anonymous" + (f" and {degree_k:,}-degree anonymous" if degree_k else "")
    raise UnreachableError(
        f"no {wanted} graph was found ({'; '.join(notes)}). Choose a smaller k, or allow more edges on the "
        "driver (most_pulled in Python)."
    )


def _refuse_beyond_reach(name: str, k: int, there_are: str, number: int) -> None:
    if number < k:
        raise UnreachableError(
            f"{name} = {k:,} is out of reach: the graph has {there_are}. Choose a smaller {name}, or use "
            "graphveil without Spark."
        )


def _rare(sizes: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """The values that occur, but fewer than k times."""
    return np.flatnonzero((sizes > 0) & (sizes < k))


def _tail(
    graph: Whole, sizes: NDArray[np.int64], people: NDArray[np.int64], k: int, degree_k: int | None
) -> Tail:
    edges = graph.exposed(_rare(sizes, k))
    if degree_k is None:
        return Tail(edges, np.empty(0, np.int64), 0)
    steps = steps_of_degrees(people, degree_k)
    return Tail(edges, graph.with_degrees(_rare(people, degree_k)), max(STRANGERS, HELPERS * steps))


def _neighbourhoods(
    graph: Whole, tail: Tail, most: int, notes: list[str], seed: int
) -> Iterator[tuple[str, Vertices]]:
    """Vertices that may be ends of changes: the largest neighbourhood that fits, and then the same with strangers."""
    helpers = _helpers(graph, tail, most, seed)
    around_ends = [
        ("the ends of exposed friendships and all their friends", _with_friends),
        ("the ends of exposed friendships and their mutual friends", _with_mutual),
    ]
    if tail.helpers:
        around_ends.append(("the ends of exposed friendships", lambda graph, tail, most: tail.ends))
    for name, around in around_ends:
        vertices = around(graph, tail, most)
        if vertices is not None and tail.helpers:
            vertices, name = np.union1d(vertices, helpers), f"{name}, people with exposed degrees and helpers"
        if vertices is None or graph.number_touching(vertices) > most:
            notes.append(f"not pulled, more than {most:,} friendships: {name}")
            continue
        yield name, vertices
        number = max(STRANGERS, 2 * tail.helpers)
        more = np.union1d(vertices, graph.strangers(number, *STRANGER_DEGREES, seed))
        if graph.number_touching(more) <= most:
            yield f"{name}, and {number:,} people far from them", more
        return


def _helpers(graph: Whole, tail: Tail, most: int, seed: int) -> Vertices:
    """People with exposed degrees, some of their friends who have few friends, and as many strangers."""
    if not tail.helpers or graph.number_touching(tail.people) > most:
        return tail.people
    friends = np.setdiff1d(graph.touching(tail.people).ends, tail.people)
    some = graph.with_few_friends(friends, 1, STRANGER_DEGREES[1])
    some = np.random.default_rng(seed).permutation(some)[: tail.helpers]
    strangers = graph.strangers(tail.helpers, *STRANGER_DEGREES, seed)
    return np.unique(np.concatenate((tail.people, some, strangers)))


def _with_friends(graph: Whole, tail: Tail, most: int) -> Vertices | None:
    """The ends of exposed edges and all their neighbours, unless there are too many to look at."""
    if graph.number_touching(tail.ends) > most:
        return None
    return np.unique(graph.touching(tail.ends).ends)


def _with_mutual(graph: Whole, tail: Tail, most: int) -> Vertices | None:
    """The ends of exposed edges and the mutual friends of both ends of each."""
    if graph.number_touching(tail.ends) > most:
        return None
    exposed = tail.ends
    ends = graph.touching(exposed).ends
    both = np.concatenate((ends, ends[:, ::-1]))
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    start = np.searchsorted(both[:, 0], exposed)
    stop = np.searchsorted(both[:, 0], exposed, side="right")
    friends = {int(v): both[a:b, 1] for v, a, b in zip(exposed, start, stop, strict=True)}
    mutual = [np.intersect1d(friends[u], friends[v], assume_unique=True) for u, v in tail.edges.ends.tolist()]
    return np.unique(np.concatenate((exposed, *mutual)))


def _search(
    part: Edges,
    editable: Vertices,
    sizes: NDArray[np.int64],
    people: NDArray[np.int64],
    k: int,
    degree_k: int | None,
    seed: int,
    keep_edges: bool,
    end: float | None,
) -> PartEdits:
    """The search on the part, whose vertices are numbered in ascending order; edits of the whole graph."""
    vertices = np.union1d(part.ends, editable)
    found = plan_on_part(
        np.searchsorted(vertices, part.ends),
        part.counts,
        sizes - np.bincount(part.counts, minlength=len(sizes)),
        np.isin(vertices, editable, assume_unique=True),
        k,
        seed=seed,
        degree_k=degree_k,
        degrees=people,
        keep_edges=keep_edges,
        time_is_up=lambda: end is not None and time.monotonic() > end,
    )
    return found._replace(added=vertices[found.added], deleted=vertices[found.deleted])
