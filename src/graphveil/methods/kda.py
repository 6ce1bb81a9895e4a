"""KDA: a k₂-NMF anonymous graph becomes k₁-degree anonymous too, and keeps every count of mutual friends.

Section 3.4 of Sun, Yu, Kong, Fu 2013. New edges join only vertices at distance three or more. So no triangle
arises, every old edge keeps its count, and every new edge has none.

The paper goes through the vertices from the highest degree down, and raises each to the degree of its group. Here
the degrees are planned first: the cheapest k₁-anonymous sequence above the present one
(`graphveil.methods.degrees`). Vertices that miss edges are then joined with each other, if they are far enough
apart. Hubs seldom are. The other end of a hub's new edge gets a raise that it does not need. So a vertex is chosen
whose group can spare one member and whose next group is full. Then nothing else has to move. Distances come from a
walk of two steps around one vertex.

What the paper leaves open, and the answer:

- *New edges have no mutual friends, and that group needs k₂ edges too.* If the graph has fewer, further raises of
  low degrees are planned until there are enough, or no edge is added at all.
- *An edge raises two degrees, so the last vertices may find no partner; hubs may have no room.* Then a vertex gives
  back what it got, and a new round plans again from the degrees reached. One round takes other vertices in place of
  those that failed. They are no neighbours of each other, so they can be joined. Another round raises some low
  degrees.
- *No two vertices may be far enough apart.* Only then new vertices come in. They are far from everything, and take
  what is missing. If the rounds still do not end, every missing edge gets a new vertex of degree one. Pairs of new
  vertices fill this group and the group of edges without mutual friends. This needs no condition, so there is
  always an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import differences
from graphveil.graph import Graph
from graphveil.methods.degrees import (
    NO_CHANGE,
    DegreeChange,
    Progress,
    anonymous_degrees,
    fewest_edges,
    raise_lowest,
    shuffled_by_degree,
)
from graphveil.mutual import mutual_friends

STARTS = 3  # how often to begin afresh before new vertices come in
ROUNDS = 16  # plans after the first one, each on top of what was reached
PATIENCE = 3  # rounds in a row that do not bring the end nearer


@dataclass(frozen=True)
class Goal:
    """What is asked for."""

    graph: Graph  # extended by isolated vertices where it has fewer than k
    k: int
    least: int  # how many edges must be added if any are
    rng: np.random.Generator
    progress: Progress | None

    def reached(self, graph: Graph) -> bool:
        """Whether every degree and the edges without mutual friends are safe."""
        return unsafe(graph.degrees, self.k) == 0 and self.short_of(graph) == 0

    def short_of(self, graph: Graph) -> int:
        """How many more edges without mutual friends are needed."""
        added = graph.m - self.graph.m
        return max(self.least - added, 0) if added else 0


@dataclass(frozen=True)
class Round:
    """What one plan came to."""

    graph: Graph
    target: NDArray[np.int64]  # the degrees that were planned
    stuck: NDArray[np.int64]  # vertices that did not get there


def kda(
    graph: Graph,
    degree_k: int,
    nmf_k: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
    start: Callable[[Goal], Graph] = attrgetter("graph"),
) -> DegreeChange:
    """Edges that make every degree occur at least ``degree_k`` times and change no mutual friends.

    The graph is ``nmf_k``-NMF anonymous. ``progress`` gets the vertices of safe degree, and all vertices. ``start``
    may add edges to begin with.

    >>> import numpy as np
    >>> from graphveil import Graph
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> kda(path, 5, 4, np.random.default_rng(7)).added.tolist()
    [[0, 4]]
    """
    if not unsafe(graph.degrees, degree_k):
        return NO_CHANGE
    without_friends = int(np.count_nonzero(mutual_friends(graph) == 0))
    extended = Graph(graph.edges, max(graph.n, degree_k))
    goal = Goal(extended, degree_k, max(nmf_k - without_friends, 0), rng, progress)
    best, rounds = finish(goal, start(goal))
    added, _ = differences(graph, best)
    return DegreeChange(added, best.n - graph.n, fewest_edges(extended.degrees, degree_k), rounds)


def finish(goal: Goal, start: Graph) -> tuple[Graph, int]:
    """Go on from a start until the goal is reached, which is always; the graph, and how many rounds it took."""
    best, rounds = start, 0
    for _ in range(STARTS):
        if goal.reached(best):
            return best, rounds
        best, used = settle(goal, start, spare_from=None)
        rounds += used
    if goal.reached(best):
        return best, rounds
    natural, used = settle(goal, start, spare_from=0)
    apart, more = settle(goal, start, spare_from=1)
    finished = [close(goal, last) for last in (natural, apart, goal.graph)]
    return min(finished, key=lambda last: (last.n, last.m)), rounds + used + more


def unsafe(degrees: NDArray[np.int64], k: int) -> int:
    """How many vertices share their degree with fewer than k − 1 others."""
    sizes = np.bincount(degrees)
    return int(sizes[sizes < k].sum())


def extend(graph: Graph, pairs: NDArray[Any], n: int) -> Graph:
    """The graph with further edges and n vertices."""
    edges = np.concatenate((graph.edges, pairs))
    return Graph.from_arrays(edges[:, 0], edges[:, 1], n=n)


# ---------------------------------------------------------------------------- rounds


def settle(goal: Goal, start: Graph, spare_from: int | None) -> tuple[Graph, int]:
    """Plan and join, round after round, until the goal is reached or comes no nearer.

    ``spare_from`` is the round from which on new vertices may come in. Returns the graph and how many rounds it took.
    """
    graph, wanted = start, start.degrees.copy()
    fewest, patience = len(wanted) + 1, PATIENCE
    for number in range(ROUNDS):
        last = join_as_planned(goal, graph, wanted, spare=spare_from is not None and number >= spare_from)
        graph = last.graph
        left = unsafe(graph.degrees, goal.k)
        if goal.progress:
            goal.progress(graph.n - left, graph.n)
        if goal.reached(graph):
            break
        patience = PATIENCE if left < fewest else patience - 1
        if patience == 0:
            break
        fewest = min(fewest, left)
        wanted = graph.degrees.copy()
        if not left:
            raise_lowest(wanted.copy(), wanted, 2 * goal.short_of(graph), goal.k, goal.rng)
        elif len(last.stuck) and number % 2 == 0:
            substitute(goal, last, wanted)
        elif len(last.stuck):
            raise_lowest(np.maximum(last.target, wanted), wanted, len(last.stuck), goal.k, goal.rng)
    return graph, number + 1


def join_as_planned(goal: Goal, graph: Graph, wanted: NDArray[np.int64], *, spare: bool) -> Round:
    """One round: the cheapest anonymous degrees that are at least ``wanted``, and the edges towards them."""
    from graphveil.kernels.joining import join_far

    order = shuffled_by_degree(wanted, goal.rng)
    target = anonymous_degrees(wanted, order, goal.k)
    missing = target - graph.degrees
    reserve = np.zeros(int(missing.sum()) if spare else 0, np.int64)
    start, neighbours, _ = graph.adjacency
    planned = np.append(target, reserve)
    pairs, left = join_far(
        np.append(start, start[-1] + reserve),
        neighbours,
        np.append(missing, reserve),
        planned,
        np.bincount(target, minlength=len(planned) + 2),
        goal.k,
        order,
        goal.rng.integers(0, 2**31, len(planned)),
        graph.n,
    )
    n = graph.n + int(np.count_nonzero(planned[graph.n :]))  # spare vertices are used from the first on
    return Round(extend(graph, pairs, n), target, np.flatnonzero(left))


def substitute(goal: Goal, last: Round, wanted: NDArray[np.int64]) -> None:
    """Want the degrees at which vertices got stuck from others, that are nobody's neighbours there; in place."""
    from graphveil.kernels.joining import pick_apart

    start, neighbours, _ = last.graph.adjacency
    degrees = last.graph.degrees
    order = shuffled_by_degree(degrees, goal.rng)
    for degree in np.unique(last.target[last.stuck])[::-1]:
        members = np.flatnonzero(degrees == degree)
        candidates = order[(degrees[order] < degree) & (wanted[order] < degree)]
        picked = pick_apart(start, neighbours, candidates, members, max(goal.k - len(members), 0))
        wanted[picked] = degree


# ---------------------------------------------------------------------------- the last resort


def close(goal: Goal, graph: Graph) -> Graph:
    """Give every missing edge a new vertex of its own, and fill the groups of these by pairs of new vertices.

    Old vertices come to their planned degrees, which are anonymous. The new ones all have degree one, and there
    are as many as it takes; so are the edges without mutual friends.
    """
    if goal.reached(graph):
        return graph
    order = np.argsort(-graph.degrees, kind="stable")
    target = anonymous_degrees(graph.degrees, order, goal.k)
    stubs = np.repeat(np.arange(graph.n), target - graph.degrees)
    leaves = graph.n + np.arange(len(stubs))
    with_one = int(np.count_nonzero(target == 1)) + len(leaves)
    edges = graph.m + len(stubs) - goal.graph.m
    pairs = max(goal.least - edges, 0)
    if pairs or len(leaves):
        pairs = max(pairs, (goal.k - with_one + 1) // 2)
    couples = (graph.n + len(leaves) + np.arange(2 * pairs)).reshape(-1, 2)
    new = np.concatenate((np.stack((stubs, leaves), axis=1), couples))
    return extend(graph, new, graph.n + len(leaves) + 2 * pairs)
