"""Find people again by the shape of the graph alone: the attack of somebody who holds a similar graph.

The attacker has a graph with names and the published one, and no names for the latter. Three steps:

1. *Landmarks.* The 400 vertices of highest degree in each graph get a signature: degree, neighbours and paths of two
   edges by degree in powers of two, edges by mutual friends in powers of two. Two vertices that are nearest to
   each other by signature, clearly ahead of the next, are matched.
2. *Propagation* (A. Narayanan, V. Shmatikov: De-anonymizing social networks, IEEE S&P 2009). Matched neighbours vote
   for a candidate, see `graphveil.kernels.matching`. A pair is matched if each is the best candidate of the other and
   the second best is well behind; how far behind is relaxed in rounds, and each round goes on until it is stable.
   A match that the votes on both sides contradict is given up.
3. *A check that needs no names.* Propagation is run twice, each time from another half of the landmarks. Right
   matches are found both times, wrong ones differ. If most of the pairs agree, they are the start of a last run.
   Its matches must have more friendships in both graphs than a tree has edges, or nearly all of those there are.
   Otherwise the attacker believes nothing: in unrelated graphs hardly any pair agrees, or only those around one hub.

If one graph is denser than the other, as when the published one is a sample, all numbers differ by more than people do.
So the numbers of the attacker's graph can be scaled to another density: degrees by s, mutual friends by s², triangles
by s³, as if that share of its edges had been drawn. No edge has to be given up for this.

Vertices are numbers here, and nothing is said about who is who: the caller has to shuffle them.

Deviations from the paper: no known people are needed; votes are weighted by mutual friends and by traits; the
eccentricity is the ratio of the second best score to the best, not their difference in standard deviations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.kernels._jit import patient
from graphveil.mutual import mutual_friends
from graphveil.stopping import check

LANDMARKS = 400
AHEAD = 0.9  # the nearest landmark is matched if its distance is below this share of the next one's
ROUNDS = (0.3, 0.5, 0.7, 0.85)  # largest score of the second best, as a share of the best
MANY_VOTES = 9  # above it the second best may come closer, as the square root of the votes
STABLE = 0.001  # a round ends when it changes no more than this share of the matches
STEPS = 30  # of a round at most
AT_ONCE = 100_000  # vertices in one call of the kernel; a stop is heard between two
AGREEMENT = 0.7  # share of the people matched from both halves of the landmarks who must be matched alike
LEAST = 5  # number of people who must be matched alike
# Friendships in both graphs for each match, or as a share of those between matched people
BORNE_OUT = (1.5, 0.95)

Told = Callable[[float], None]
Numbers = NDArray[np.int32]


@dataclass(frozen=True)
class Matching:
    """What the attacker believes."""

    image: Numbers  # the published vertex of each vertex of the attacker's graph, −1 for none
    # Share of the people matched from both halves of the landmarks who are matched alike; None without any
    agreement: float | None


@dataclass(frozen=True)
class _Side:
    """One of the two graphs, and what each of its vertices would be matched with."""

    graph: Graph
    scale: float  # of its density
    image: Numbers  # of every vertex in the other graph, −1 where it has none yet
    best: Numbers
    support: Numbers
    first: NDArray[np.float64]
    second: NDArray[np.float64]
    stale: NDArray[np.bool_]  # a neighbour's match changed, so its candidates must be scored again
    room: dict[str, NDArray[Any]] = field(repr=False)

    @classmethod
    def of(cls, graph: Graph, other: Graph, scale: float = 1.0) -> _Side:
        import numba

        tasks, n = numba.get_num_threads(), graph.n
        return cls(
            graph=graph,
            scale=scale,
            image=np.full(n, -1, np.int32),
            best=np.full(n, -1, np.int32),
            support=np.zeros(n, np.int32),
            first=np.zeros(n),
            second=np.zeros(n),
            stale=np.ones(n, bool),
            room={
                "score": np.zeros((tasks, other.n)),
                "votes": np.zeros((tasks, other.n), np.int32),
                "seen": np.empty((tasks, other.n), np.int32),
            },
        )

    @cached_property
    def counts(self) -> Numbers:
        return mutual_friends(self.graph)

    @cached_property
    def ties(self) -> NDArray[np.float32]:
        """1 + mutual friends of every edge, by slot of the adjacency."""
        ties: NDArray[np.float32] = 1 + (self.scale**2 * self.counts[self.graph.adjacency[2]]).astype(
            np.float32
        )
        return ties

    @cached_property
    def traits(self) -> NDArray[np.float32]:
        """Degree, root of the triangles, and geometric mean of the neighbours' degrees; all plus one."""
        (u, v), degrees, n = self.graph.edges.T, self.graph.degrees, self.graph.n
        triangles = (np.bincount(u, self.counts, n) + np.bincount(v, self.counts, n)) / 2
        logs = np.log1p(self.scale * degrees)
        around = (np.bincount(u, logs[v], n) + np.bincount(v, logs[u], n)) / np.maximum(degrees, 1)
        columns = 1 + self.scale * degrees, np.sqrt(1 + self.scale**3 * triangles), np.exp(around)
        return np.column_stack(columns).astype(np.float32)

    @cached_property
    def discount(self) -> NDArray[np.float64]:
        discount: NDArray[np.float64] = 1 / np.sqrt(np.maximum(self.graph.degrees, 1))
        return discount

    def clear(self, ratio: float) -> NDArray[np.bool_]:
        """Whether the best candidate of each vertex is ahead of the second; many votes need less of a lead."""
        lead = (1 - ratio) * np.minimum(1, np.sqrt(MANY_VOTES / np.maximum(self.support, 1)))
        clear: NDArray[np.bool_] = self.second < (1 - lead) * self.first
        return clear

    def contradicted(self) -> NDArray[np.bool_]:
        """Whether another candidate is better than the match of each vertex."""
        contradicted: NDArray[np.bool_] = (self.best >= 0) & (self.best != self.image)
        return contradicted


def match_people(
    mine: Graph,
    published: Graph,
    known: NDArray[np.integer[Any]] | None = None,
    *,
    scale: float = 1.0,
    told: Told | None = None,
) -> Matching:
    """Match the vertices of two similar graphs by structure alone.

    ``known`` has rows (vertex of ``mine``, vertex of ``published``) that the attacker knows from the start. The
    numbers of ``mine`` are scaled to ``scale`` of its density: above 1 where it is the thinner one.
    """
    a, b = _Side.of(mine, published, scale), _Side.of(published, mine)
    sure = np.empty((0, 2), np.int64) if known is None else np.asarray(known, np.int64)
    pairs = np.column_stack(landmarks(a, b))
    one = _spread(a, b, pairs[0::2], sure, ROUNDS, partial(_part, told, 0))
    other = _spread(a, b, pairs[1::2], sure, ROUNDS, partial(_part, told, 1))
    same, agreement = _agreement(one, other, sure)
    if len(same) < LEAST or agreement is None or agreement < AGREEMENT:
        return Matching(_only(sure, mine.n), agreement)
    start = np.column_stack((same, one[same]))
    image = _spread(a, b, start, sure, ROUNDS[-2:], partial(_part, told, 2))
    believed = _is_borne_out(mine, published, image)
    return Matching(image if believed else _only(sure, mine.n), agreement)


def _agreement(
    one: Numbers, other: Numbers, sure: NDArray[np.int64]
) -> tuple[NDArray[np.int64], float | None]:
    """Who is matched alike twice, apart from those known from the start; and their share of those matched twice."""
    twice = (one >= 0) & (other >= 0)
    twice[sure[:, 0]] = False
    same = np.flatnonzero(twice & (one == other))
    return same, len(same) / int(np.count_nonzero(twice)) if twice.any() else None


def _is_borne_out(mine: Graph, published: Graph, image: Numbers) -> bool:
    """Whether enough friendships between matched people are in both graphs."""
    ends = image[mine.edges]
    u, v = ends[(ends >= 0).all(axis=1)].T
    expected = Graph.from_arrays(u, v, n=published.n).edges
    held = len(expected) - int(np.count_nonzero(patient("pairs").lacking(expected, published.edges)))
    each, share = BORNE_OUT
    return held >= each * int(np.count_nonzero(image >= 0)) or held >= share * len(expected)


def _part(told: Told | None, number: int, share: float) -> None:
    if told:
        told((number + share) / 3)


def _only(sure: NDArray[np.int64], n: int) -> Numbers:
    image = np.full(n, -1, np.int32)
    image[sure[:, 0]] = sure[:, 1]
    return image


def _spread(
    a: _Side, b: _Side, pairs: NDArray[Any], sure: NDArray[np.int64], rounds: Sequence[float], told: Told
) -> Numbers:
    """Match from these pairs on, and forget all others; returns the image of every vertex of a."""
    for side in (a, b):
        side.image[:] = -1
        side.best[:] = -1
        side.stale[:] = True
    _link(a, b, *pairs.T)
    _link(a, b, *sure.T)
    for number, ratio in enumerate(rounds):
        for _ in range(STEPS):
            told(number / len(rounds))
            if _step(a, b, ratio, sure) <= STABLE * np.count_nonzero(a.image >= 0):
                break
    return a.image.copy()


# ---------------------------------------------------------------------- landmarks


def landmarks(a: _Side, b: _Side) -> tuple[Numbers, Numbers]:
    """Vertices of high degree that are plainly each other's nearest by signature, in both graphs."""
    (here, signature), (there, other) = _signatures(a), _signatures(b)
    if min(len(here), len(there)) < 2:
        return here[:0], there[:0]
    distance = np.array([np.abs(row - other).sum(axis=1) for row in signature])
    nearest, back = distance.argmin(axis=1), distance.argmin(axis=0)
    two = np.partition(distance, 1, axis=1)
    plain = (back[nearest] == np.arange(len(here))) & (two[:, 0] < AHEAD * two[:, 1])
    return here[plain], there[nearest[plain]]


def _signatures(side: _Side) -> tuple[Numbers, NDArray[np.float64]]:
    """The vertices of highest degree and their signatures, relative to the mean: a copy with gaps has less of all."""
    graph, scale, n = side.graph, side.scale, side.graph.n
    top = np.argsort(-graph.degrees, kind="stable")[:LANDMARKS].astype(np.int32)
    sizes = _doublings(scale * graph.degrees)
    by_degree = np.eye(sizes.max(initial=0) + 1)[sizes]
    adjacency = scale * graph.to_scipy().astype(np.float64)
    around = adjacency @ by_degree if n else by_degree
    beyond = adjacency[top] @ around if n else by_degree
    doublings = _doublings(scale**2 * side.counts + 1)
    width = int(doublings.max(initial=0)) + 1
    by_mutual = sum(
        np.bincount(end * np.int64(width) + doublings, minlength=n * width) for end in graph.edges.T
    )
    mutual = scale * np.asarray(by_mutual, np.float64).reshape(n, width)[top]
    parts = (
        _padded(2 * np.log1p(scale * graph.degrees[top])[:, None], 1),
        _padded(np.log1p(around[top]), 32),
        _padded(np.log1p(beyond) / 2, 32),
        _padded(np.log1p(mutual), 32),
    )
    signature = np.concatenate(parts, axis=1)
    return top, signature - signature.mean(axis=0) if len(top) else signature


def _doublings(values: NDArray[Any]) -> NDArray[np.int64]:
    """The power of two at or below each value, as its exponent; 0 for 0."""
    exponents: NDArray[np.int64] = np.frexp(np.maximum(values, 1).astype(np.float64))[1].astype(np.int64) - 1
    return exponents


def _padded(columns: NDArray[np.float64], width: int) -> NDArray[np.float64]:
    return np.pad(columns, ((0, 0), (0, width - columns.shape[1])))


# ---------------------------------------------------------------------- propagation


def _step(a: _Side, b: _Side, ratio: float, sure: NDArray[np.int64]) -> int:
    """Score what is stale, match who agrees, give up what both sides contradict; returns how many matches changed."""
    _propose(a, b)
    _propose(b, a)
    before = a.image.copy(), b.image.copy()
    u = np.flatnonzero((a.best >= 0) & a.clear(ratio))
    w = a.best[u]
    agreed = (b.best[w] == u) & b.clear(ratio)[w]
    u, w = u[agreed], w[agreed]
    doubtful = a.contradicted()
    doubtful[u] = False
    doubtful[doubtful] = (a.image >= 0)[doubtful] & b.contradicted()[a.image[doubtful]]
    b.image[a.image[doubtful]] = -1
    a.image[doubtful] = -1
    _link(a, b, u, w)
    _link(a, b, *sure.T)
    for side, old in zip((a, b), before, strict=True):
        side.stale[:] = _beside(side.graph, side.image != old)
    return int(np.count_nonzero(a.image != before[0]))


def _link(a: _Side, b: _Side, u: NDArray[Any], w: NDArray[Any]) -> None:
    """Match u with w, pair by pair, and part both from whom they were matched with."""
    for side, other, vertices in ((a, b, u), (b, a, w)):
        partners = side.image[vertices]
        other.image[partners[partners >= 0]] = -1
    a.image[u], b.image[w] = w, u


def _beside(graph: Graph, changed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether a neighbour of each vertex changed."""
    start, neighbours, _ = graph.adjacency
    beside = np.zeros(graph.n, bool)
    beside[neighbours[np.repeat(changed, np.diff(start))]] = True
    return beside


def _propose(side: _Side, other: _Side) -> None:
    from graphveil.kernels.matching import propose

    start, near, _ = side.graph.adjacency
    other_start, other_near, _ = other.graph.adjacency
    stale = np.flatnonzero(side.stale)
    tasks = len(side.room["score"])

    def some(first: int, task: int) -> None:
        propose(
            start, near, side.ties, side.traits, other_start, other_near, other.ties, other.traits,
            side.image, other.discount, np.ascontiguousarray(stale[first + task : first + AT_ONCE : tasks]),
            side.room["score"][task], side.room["votes"][task], side.room["seen"][task],
            side.best, side.first, side.second, side.support,
        )  # fmt: skip

    with ThreadPoolExecutor(tasks) as pool:
        for first in range(0, len(stale), AT_ONCE):
            check()
            list(pool.map(partial(some, first), range(tasks)))
