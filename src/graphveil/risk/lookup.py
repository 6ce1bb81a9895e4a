"""`look_up`: one person or one friendship, what exposes them, and the people around."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphveil.errors import GraphError, ParameterError
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.graph import Graph
from graphveil.records import plain as as_json
from graphveil.risk.answering import finding_in_words
from graphveil.risk.auditing import Finding
from graphveil.risk.surroundings import MOST_PEOPLE, Surroundings, surroundings, vertices_named
from graphveil.stopping import stoppable
from graphveil.words import plain

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
