"""`look_up`: one person or one friendship, what exposes them, and the people around."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.errors import GraphError, ParameterError
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.graph import Graph
from graphveil.records import plain as as_json
from graphveil.risk.answering import finding_in_words
from graphveil.risk.auditing import Finding
from graphveil.stopping import stoppable
from graphveil.words import plain

MOST_PEOPLE = 18  # more cannot be told apart in a drawing


@dataclass(frozen=True)
class Surroundings:
    """Some people around one or two others."""

    # Their labels; those in question first, then friends of both, then friends of one
    people: tuple[Any, ...]
    centre: int  # how many of them are in question, 1 or 2
    friendships: tuple[tuple[int, int], ...]  # pairs of places among the people, the lower first, sorted
    mutual: int | None  # how many mutual friends the two in question have; None for one person
    left_out: int  # friends of those in question who are not among the people


def vertices_named(graph: Graph, labels: Iterable[Hashable]) -> list[int]:
    """The numbers of the vertices with these labels; a number may be given as text.

    >>> vertices_named(Graph.from_edges([(10, 20), (20, 30)]), [30, "10"])
    [2, 0]
    """
    wanted = [_as_label(graph, label) for label in labels]
    places = dict.fromkeys(wanted)
    found = {label: number for number, label in enumerate(graph.labels.tolist()) if label in places}
    for label in wanted:
        if label not in found:
            raise GraphError(f"there is nobody with the id {plain(label, 40)!r} in this graph. Check the id.")
    return [found[label] for label in wanted]


def _as_label(graph: Graph, label: Hashable) -> Hashable:
    numbers = graph.labels.dtype.kind == "i"
    return int(label) if numbers and isinstance(label, str) and label.lstrip("-").isdecimal() else label


def surroundings(graph: Graph, vertices: Sequence[int], *, most: int = MOST_PEOPLE) -> Surroundings:
    """The friends of one vertex or of the two ends of an edge, and who of them are friends.

    At most ``most`` people, those in question included; mutual friends are taken first.

    >>> graph = Graph.from_edges([("Ann", "Bob"), ("Ann", "Cem"), ("Bob", "Cem"), ("Cem", "Dora")])
    >>> around = surroundings(graph, vertices_named(graph, ["Ann", "Bob"]))
    >>> around.people, around.friendships, around.mutual, around.left_out
    (('Ann', 'Bob', 'Cem'), ((0, 1), (0, 2), (1, 2)), 1, 0)
    """
    friends = [_friends(graph, vertex) for vertex in vertices]
    shared, everybody = set.intersection(*friends), set.union(*friends) - set(vertices)
    order = sorted(everybody, key=lambda vertex: (vertex not in shared, vertex))
    people = [*vertices, *order[: max(most - len(vertices), 0)]]
    return Surroundings(
        people=tuple(graph.labels[people].tolist()),
        centre=len(vertices),
        friendships=tuple(sorted(_among(graph, people))),
        mutual=len(shared) if len(vertices) == 2 else None,
        left_out=len(everybody) - (len(people) - len(vertices)),
    )


def _friends(graph: Graph, vertex: int) -> set[int]:
    start, neighbours, _ = graph.adjacency
    return set(neighbours[start[vertex] : start[vertex + 1]].tolist())


def _among(graph: Graph, people: list[int]) -> Iterable[tuple[int, int]]:
    place = {vertex: i for i, vertex in enumerate(people)}
    for vertex, i in place.items():
        for j in (place[friend] for friend in _friends(graph, vertex) if friend in place):
            if i < j:
                yield i, j


SCHEMA = "graphveil/look-up/1"


@dataclass(frozen=True, repr=False)
class LookUp:
    """What `look_up` found. It names people, so `repr` is short."""

    finding: Finding
    around: Surroundings

    def __repr__(self) -> str:
        return f"LookUp({finding_in_words(self.finding)})"

    def __str__(self) -> str:
        """In a sentence, with names."""
        who = " and ".join(plain(label, 60) for label in self.finding.labels)
        return f"{who}: {finding_in_words(self.finding)}."

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings."""
        return {"schema": SCHEMA, **as_json(self)}


@stoppable()
def look_up(graph: GraphLike, people: Hashable | Sequence[Hashable], *, most: int = MOST_PEOPLE) -> LookUp:
    """Look up one person, or the friendship of two: how large their group is, and who is around.

    Parameters
    ----------
    graph
        The graph, or anything that `graphveil.as_graph` takes
    people
        One id, or a list of two whose friendship is looked up
    most
        How many people around to name, those in question included; mutual friends come first

    Raises
    ------
    GraphError
        Where an id is not in the graph, or the two are not friends

    Examples
    --------
    >>> from graphveil import look_up
    >>> friends = [("Ann", "Bob"), ("Ann", "Cem"), ("Bob", "Cem"), ("Cem", "Dora")]
    >>> print(look_up(friends, "Cem"))
    Cem: 3 friends, the only person like this.
    >>> found = look_up(friends, ["Ann", "Bob"])
    >>> print(found)
    Ann and Bob: 1 mutual friend, one of 3 friendships.
    >>> found.around.people
    ('Ann', 'Bob', 'Cem')
    """
    graph = as_graph(graph)
    wanted = list(people) if isinstance(people, list | tuple) else [people]
    if not 1 <= len(set(wanted)) == len(wanted) <= 2:
        raise ParameterError(f"people must be one id or two different ones, not {len(wanted)}.")
    vertices = vertices_named(graph, wanted)
    finding = _person(graph, vertices[0]) if len(vertices) == 1 else _friendship(graph, vertices)
    return LookUp(finding, surroundings(graph, vertices, most=most))


def _person(graph: Graph, vertex: int) -> Finding:
    degree = int(graph.degrees[vertex])
    size = int(np.count_nonzero(graph.degrees == degree))
    return Finding(tuple(graph.labels[[vertex]].tolist()), {"degree": degree}, size)


def _friendship(graph: Graph, vertices: Sequence[int]) -> Finding:
    labels = tuple(graph.labels[list(vertices)].tolist())
    found = np.flatnonzero((graph.edges == sorted(vertices)).all(axis=1))
    if not len(found):
        first, second = (plain(label, 40) for label in labels)
        raise GraphError(f"{first} and {second} are not friends in this graph. Look up one of them alone.")
    counts = graph.mutual_friends
    number = int(counts[found[0]])
    return Finding(labels, {"mutual_friends": number}, int(np.count_nonzero(counts == number)))
