"""In how small a group each attacker finds each person."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.risk.attackers import ATTACKERS, Model
from graphveil.risk.grouping import Seen

Integers = NDArray[np.signedinteger[Any]]


def smallest_groups(graph: Graph, friendships: int = 2) -> dict[str, Integers]:
    """For each attacker the size of the smallest group that a person is in, or one of their friendships; 0 without any.

    >>> graph = Graph.from_edges([("Alice", "Bob"), ("Alice", "Carl"), ("Bob", "Carl"), ("Carl", "Dell")])
    >>> found = smallest_groups(graph)
    >>> found["degree"].tolist(), found["mutual-friends"].tolist()
    ([2, 2, 1, 1], [3, 3, 1, 1])
    """
    seen = Seen(graph, graph.mutual_friends)
    return {model.name: _of_people(model, seen, friendships) for model in ATTACKERS}


def _of_people(model: Model, seen: Seen, friendships: int) -> Integers:
    if model.memberships is not None:
        found = model.memberships(seen, friendships)
        sizes = np.zeros(seen.graph.n, np.int64)
        sizes[found.people] = found.smallest
        return sizes
    assert model.groups is not None
    groups = model.groups(seen)
    own = np.bincount(groups)[groups]
    return own if model.target == "vertex" else _smallest_of_friendships(own, seen.graph)


def _smallest_of_friendships(sizes: Integers, graph: Graph) -> Integers:
    smallest = np.full(graph.n, graph.m + 1)
    for end in graph.edges.T:
        np.minimum.at(smallest, end, sizes)
    smallest[graph.degrees == 0] = 0
    return smallest
