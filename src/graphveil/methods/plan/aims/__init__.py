"""The goals of the search of `plan`, each with its potential (docs/plan.md)."""

from __future__ import annotations

from graphveil.goals import Degree, Spread, level_of
from graphveil.methods.plan.aims.degree import Degrees
from graphveil.methods.plan.aims.nmf import MutualFriends
from graphveil.methods.plan.aims.spread import SpreadMutualFriends
from graphveil.methods.plan.potential import Potential


def aims_on(graph: Potential) -> tuple[MutualFriends, Degrees | None]:
    """What the goals of a search ask of mutual friends, and of degrees."""
    share, degree_k = level_of(graph.goals, Spread), level_of(graph.goals, Degree)
    mutual = MutualFriends(graph, graph.k) if share is None else SpreadMutualFriends(graph, graph.k, share)
    return mutual, None if degree_k is None else Degrees(graph, int(degree_k))
