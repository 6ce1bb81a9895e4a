"""How exposed is a graph? What each of five adversaries can tell apart in it, counted exactly.

An adversary knows one thing about an edge or a vertex. Everything of which he would know the same forms a
class, and he finds the one he looks for in a class of s members with probability 1/s. An edge or a vertex
is *exposed* at k when its class has fewer than k members (Definitions 3 and 4 of Sun, Yu, Kong, Fu 2013).

The first two adversaries are those the anonymizers promise to withstand: the number of mutual friends of an edge
(the paper's) and the degree of a vertex (K. Liu, E. Terzi: Towards identity anonymization on graphs, SIGMOD
2008). The other three know more: the two degrees of an edge (C.-H. Tai, P. S. Yu, D.-N. Yang, M.-S. Chen:
Privacy-preserving social network publication against friendship attacks, KDD 2011), those together with its
mutual friends, and all the counts of mutual friends around a vertex, which several edges of one victim reveal
together (Section I of the paper). Nothing is promised against these; they are counted so that nobody
believes in more protection than there is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.graph import Graph
from graphveil.mutual import mutual_friends
from graphveil.parameters import whole_number, whole_numbers
from graphveil.records import plain
from graphveil.stopping import stoppable

__all__ = ["Adversary", "Audit", "Exposure", "Finding", "audit"]

SCHEMA = "graphveil/audit/1"

Integers = NDArray[np.signedinteger[Any]]
Knowledge = dict[str, Any]


@dataclass(frozen=True)
class Exposure:
    """What is exposed at one k."""

    k: int
    exposed: int  # edges or vertices in classes that are too small
    share: float  # of all edges or vertices
    people: int  # ends of exposed edges, or exposed vertices
    people_share: float  # of all vertices


@dataclass(frozen=True)
class Finding:
    """One exposed edge or vertex."""

    labels: tuple[Any, ...]  # of the two ends of an edge, or of the vertex
    knowledge: Knowledge  # what the adversary has to know
    class_size: int


@dataclass(frozen=True)
class Adversary:
    """What somebody with one kind of knowledge can tell apart."""

    name: str
    knows: str
    target: Literal["edge", "vertex"]
    promised: bool  # whether an anonymizer promises to withstand this one
    targets: int
    classes: int
    smallest_class: int | None  # the k that the graph already has; None where there is nothing to find
    highest_probability: float
    mean_probability: float
    exposures: tuple[Exposure, ...]  # one for each k, ascending
    most_exposed: tuple[Finding, ...]


@dataclass(frozen=True)
class Audit:
    """What `audit` found. ``to_dict`` gives it in the documented schema, ready for JSON."""

    vertices: int
    edges: int
    triangles: int
    k: tuple[int, ...]
    at_most: bool
    adversaries: tuple[Adversary, ...]
    histogram: tuple[tuple[int, int], ...]  # (mutual friends, number of edges with that many), ascending

    def __getitem__(self, name: str) -> Adversary:
        """The adversary of that name."""
        return next(adversary for adversary in self.adversaries if adversary.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/audit-schema.md."""
        return {"schema": SCHEMA, **plain(self)}


@stoppable()
def audit(
    graph: GraphLike, k: int | Sequence[int] = (5, 25), *, at_most: bool = False, top: int = 10
) -> Audit:
    """How many edges and vertices each adversary finds among fewer than k.

    Parameters
    ----------
    graph : the graph as it would be published, or anything that `graphveil.as_graph` takes
    k : one or several sizes of the crowd to hide in, each at least 1
    at_most : also count classes of exactly k members as too small, as Table I of the paper does
    top : how many of the most exposed edges or vertices to name for each adversary. Smallest class first, then
        the larger numbers, then the order of the graph; only what is exposed at the largest k

    Examples
    --------
    >>> from graphveil import Graph, audit
    >>> graph = Graph.from_edges([("Alice", "Bob"), ("Alice", "Carl"), ("Bob", "Carl"), ("Carl", "Dell")])
    >>> found = audit(graph, k=2)["mutual-friends"]
    >>> found.smallest_class, found.mean_probability, found.most_exposed[0].labels
    (1, 0.5, ('Carl', 'Dell'))
    """
    graph = as_graph(graph)
    ks = whole_numbers("k", k, least=1)
    top = whole_number("top", top, least=0)
    counts = mutual_friends(graph)
    limits = [crowd + at_most for crowd in ks]
    edges_by_count = np.bincount(counts)
    values = np.flatnonzero(edges_by_count)
    return Audit(
        vertices=graph.n,
        edges=graph.m,
        triangles=int(counts.sum(dtype=np.int64)) // 3,
        k=ks,
        at_most=bool(at_most),
        adversaries=tuple(_examine(view, graph, counts, ks, limits, top) for view in VIEWS),
        histogram=tuple(zip(values.tolist(), edges_by_count[values].tolist(), strict=True)),
    )


# ---------------------------------------------------------------------- the five kinds of knowledge


@dataclass(frozen=True)
class View:
    """A kind of knowledge: how it puts edges or vertices into classes, and how to say it of one of them."""

    name: str
    knows: str
    target: Literal["edge", "vertex"]
    promised: bool
    classes: Callable[[Graph, Integers], Integers]  # from graph and counts to a class number per target
    knowledge: Callable[[Graph, Integers, int], Knowledge]


def _degrees_of_ends(graph: Graph) -> Integers:
    """One number per edge for the unordered pair of its ends' degrees."""
    a, b = graph.degrees[graph.edges[:, 0]], graph.degrees[graph.edges[:, 1]]
    return np.maximum(a, b) << 32 | np.minimum(a, b)


def _degrees_and_count(graph: Graph, counts: Integers) -> Integers:
    return rank(rank(_degrees_of_ends(graph)) << 32 | counts)


def _counts_around(graph: Graph, counts: Integers) -> Integers:
    """A class number per vertex, the same for the same multiset of counts on its edges.

    Each vertex has a row: its counts in descending order. In every round neighbours in a row are paired, and equal
    pairs get equal new names, which halves the rows until one name is left of each (R. M. Karp, R. E. Miller,
    A. L. Rosenberg: Rapid identification of repeated patterns in strings, trees and arrays, STOC 1972). It is exact,
    there is no hash in it, and names keep the order of the rows.
    """
    most = int(counts.max(initial=0))
    ends = np.concatenate((graph.edges[:, 0], graph.edges[:, 1])).astype(np.int64)
    slots = ends << 32 | (most - np.tile(counts, 2))
    slots.sort()
    names = most - (slots & 0xFFFFFFFF)
    row = np.flatnonzero(graph.degrees)
    length = graph.degrees[row]
    final = graph.degrees << 32
    while len(row):
        start = np.cumsum(length) - length
        single = length == 1
        final[row[single]] |= names[start[single]]
        row, start, length = row[~single], start[~single], length[~single]
        names, length = _pair(names, start, length)
    return rank(final)


def _pair(names: Integers, start: Integers, length: Integers) -> tuple[Integers, Integers]:
    """Rows of half the length, in which each pair of names has become one; an odd last one is paired with 0."""
    half = (length + 1) // 2
    left = np.arange(half.sum()) * 2 + np.repeat(start - 2 * (np.cumsum(half) - half), half)
    pairs = (names[left] + 1) << 32
    paired = left + 1 < np.repeat(start + length, half)
    pairs[paired] |= names[left[paired] + 1] + 1
    return rank(pairs), half


def rank(keys: Integers) -> Integers:
    """The rank of each key among the distinct keys, from 0."""
    if not len(keys):
        return keys
    return np.unique(keys, return_inverse=True)[1]


def _count_of_edge(_: Graph, counts: Integers, edge: int) -> Knowledge:
    return {"mutual_friends": int(counts[edge])}


def _degree_of_vertex(graph: Graph, _: Integers, vertex: int) -> Knowledge:
    return {"degree": int(graph.degrees[vertex])}


def _degrees_of_edge(graph: Graph, _: Integers, edge: int) -> Knowledge:
    return {"degrees": sorted(graph.degrees[graph.edges[edge]].tolist())}


def _counts_of_vertex(graph: Graph, counts: Integers, vertex: int) -> Knowledge:
    start, _, edge = graph.adjacency
    around = counts[edge[start[vertex] : start[vertex + 1]]]
    values, numbers = np.unique(around, return_counts=True)
    return {"edges_by_mutual_friends": np.column_stack((values, numbers))[::-1].tolist()}


VIEWS = (
    View(
        "mutual-friends",
        "how many mutual friends two friends have",
        "edge",
        True,
        lambda graph, counts: counts,
        _count_of_edge,
    ),
    View(
        "degree",
        "how many friends a person has",
        "vertex",
        True,
        lambda graph, counts: graph.degrees,
        _degree_of_vertex,
    ),
    View(
        "edge-degrees",
        "how many friends each of two friends has",
        "edge",
        False,
        lambda graph, counts: rank(_degrees_of_ends(graph)),
        _degrees_of_edge,
    ),
    View(
        "edge-degrees-and-mutual-friends",
        "how many friends each of two friends has, and how many mutual ones",
        "edge",
        False,
        _degrees_and_count,
        lambda graph, counts, edge: (
            _degrees_of_edge(graph, counts, edge) | _count_of_edge(graph, counts, edge)
        ),
    ),
    View(
        "mutual-friends-around",
        "how many mutual friends a person has with each friend",
        "vertex",
        False,
        _counts_around,
        _counts_of_vertex,
    ),
)


# ---------------------------------------------------------------------- from classes to figures


def _examine(
    view: View, graph: Graph, counts: Integers, ks: Sequence[int], limits: Sequence[int], top: int
) -> Adversary:
    classes = view.classes(graph, counts)
    sizes = np.bincount(classes)
    occurring = sizes[sizes > 0]
    smallest = int(occurring.min()) if len(occurring) else None
    members = graph.edges if view.target == "edge" else np.arange(graph.n)[:, None]

    def exposure(k: int, limit: int) -> Exposure:
        small = (sizes < limit)[classes]
        touched = np.zeros(graph.n, bool)
        touched[members[small]] = True
        exposed, people = int(np.count_nonzero(small)), int(np.count_nonzero(touched))
        return Exposure(k, exposed, _ratio(exposed, len(classes)), people, _ratio(people, graph.n))

    def finding(target: int) -> Finding:
        return Finding(
            labels=tuple(graph.labels[members[target]].tolist()),
            knowledge=view.knowledge(graph, counts, target),
            class_size=int(sizes[classes[target]]),
        )

    return Adversary(
        name=view.name,
        knows=view.knows,
        target=view.target,
        promised=view.promised,
        targets=len(classes),
        classes=len(occurring),
        smallest_class=smallest,
        highest_probability=1 / smallest if smallest else 0.0,
        mean_probability=_ratio(len(occurring), len(classes)),
        exposures=tuple(exposure(k, limit) for k, limit in zip(ks, limits, strict=True)),
        most_exposed=tuple(finding(target) for target in _most_exposed(classes, sizes, limits[-1], top)),
    )


def _most_exposed(classes: Integers, sizes: Integers, limit: int, top: int) -> list[int]:
    """The first ``top`` targets in classes below the limit: smallest class, highest class number, first target."""
    small = np.flatnonzero((sizes > 0) & (sizes < limit))
    order = small[np.lexsort((-small, sizes[small]))][:top]  # no class is empty, so no more are needed
    place = np.full(len(sizes), -1)
    place[order] = np.arange(len(order))
    targets = np.flatnonzero(place[classes] >= 0)
    found: list[int] = targets[np.argsort(place[classes[targets]], kind="stable")][:top].tolist()
    return found


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
