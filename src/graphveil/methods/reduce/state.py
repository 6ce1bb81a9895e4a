"""The arrays of `graphveil.kernels.reduce`, built from a graph and the original that its changes are counted from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import differences
from graphveil.errors import ParameterError
from graphveil.graph import Graph

if TYPE_CHECKING:
    from graphveil.kernels.reduce import State

SLACK = 16  # friends that anybody may get more, and half as many again as there are
MOST_FRIENDS = 1 << 18  # twice as many fit into a signature


class Row(NamedTuple):
    """What the search counts: a kind of signature, the least size of its groups, and what a small one weighs."""

    kind: int
    least: int
    weight: int = 0  # 0: a guarantee


NOTHING = np.empty(0, np.int64)
NO_PAIRS = NOTHING.reshape(0, 2)


class Then(NamedTuple):
    """What has to stay as it is because of an earlier release, and what an attacker knows of that release."""

    frozen: NDArray[np.int64] = NO_PAIRS  # pairs that no move touches
    counts: NDArray[np.int64] = (
        NOTHING  # for each edge of the original its mutual friends then, −1 for a new one
    )
    degrees: NDArray[np.int64] = NOTHING  # for each person the friends then, −1 for who was not there


NO_RELEASE = Then()


def state_of(
    graph: Graph,
    original: Graph,
    rows: Sequence[Row],
    most: int,
    seed: int,
    share: float = 1.0,
    *,
    keep_edges: bool = False,
    then: Then = NO_RELEASE,
) -> State:
    """The groups of a graph that may differ from the original by so many changes at most."""
    from graphveil.kernels import reduce as kernel

    degree = graph.degrees.astype(np.int64)
    friends_from, friend, edge = graph.adjacency
    if degree.max(initial=0) >= MOST_FRIENDS:
        raise ParameterError(
            f"one person has {int(degree.max()):,} friends, and the search takes up to {MOST_FRIENDS - 1:,}. "
            "Leave reduce= out."
        )
    room = np.minimum(degree + degree // 2 + SLACK, graph.n) + kernel.LONGEST
    start = np.concatenate(([0], np.cumsum(room)))
    slots = np.repeat(start[:-1] - friends_from[:-1], degree) + np.arange(len(friend))
    longest = int(room.max(initial=0)) + 2
    changes = np.concatenate(differences(original, graph)).astype(np.int64)
    edges = graph.m + max(most, len(changes)) + kernel.LONGEST
    rng = np.random.default_rng(seed)
    mutual = graph.mutual_friends.astype(np.int64)
    random_of = rng.integers(kernel.MASK, size=longest)
    people = np.zeros((graph.n + 1, 7), np.int64)
    people[:, kernel.START] = start
    people[: original.n, kernel.FIRST] = original.adjacency[0][:-1]
    people[original.n :, kernel.FIRST] = original.adjacency[0][-1]
    people[:-1, kernel.LENGTH] = people[:-1, kernel.SEEN] = degree
    people[:, kernel.THEN] = -1
    people[: len(then.degrees), kernel.THEN] = then.degrees
    people[:-1, kernel.TRIANGLES] = _sum_around(graph, mutual) // 2
    people[:-1, kernel.AROUND] = _sum_around(graph, random_of[mutual]) & kernel.MASK
    state = kernel.State(
        people=people,
        friend=_scattered(friend, slots, start[-1]),
        edge=_scattered(edge, slots, start[-1]),
        edges=np.stack((_scattered(mutual, np.arange(graph.m), edges), np.arange(edges)), axis=1),
        counts=np.stack((random_of, np.zeros_like(random_of)), axis=1),
        before=original.adjacency[1].astype(np.int64),
        then=then.counts[original.adjacency[2]] if len(then.counts) else then.counts,
        groups=kernel.Groups(
            table=_table(graph.n, edges + len(then.frozen), rows),
            rows=np.array([(*row, 0) for row in rows], np.int64),
            totals=np.zeros(16, np.int64),
        ),
        share=share,
        changes=np.zeros((edges - graph.m, 2), np.int64),
        exposed=np.zeros(graph.n * len(rows), np.int64),
        common=np.zeros((3, longest), np.int64),
        touched=np.zeros(20 * kernel.LONGEST * longest, np.int64),
        move=np.zeros((kernel.LONGEST, 2), np.int64),
    )
    _begin(state.groups.totals, graph.m, most, rows, rng)
    state.groups.totals[kernel.KEEP] = keep_edges
    kernel.fill(state)
    kernel.note(state, changes)
    kernel.freeze(state, then.frozen)
    return state


def _begin(
    totals: NDArray[np.int64], edges: int, most: int, rows: Sequence[Row], rng: np.random.Generator
) -> None:
    from graphveil.kernels import reduce as kernel

    kinds = {row.kind for row in rows}
    totals[kernel.EDGES], totals[kernel.MOST_CHANGES] = edges, most
    totals[kernel.FIRST_DIE : kernel.SECOND_DIE + 1] = rng.integers(1, 2_147_483_398, size=2)
    totals[kernel.OF_PEOPLE] = min(kinds) <= kernel.COUNTS_AROUND
    totals[kernel.OF_TRIANGLES] = bool(kinds & {kernel.DEGREE_AND_TRIANGLES, kernel.COUNTS_AROUND})
    totals[kernel.OF_PAIRS] = max(kinds) > kernel.COUNTS_AROUND
    totals[kernel.OF_DEGREES] = bool(
        kinds & {kernel.DEGREES, kernel.DEGREES_AND_COUNT, kernel.FRIEND_DEGREES}
    )


def _scattered(values: NDArray[Any], slots: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    scattered = np.zeros(length, np.int64)
    scattered[slots] = values
    return scattered


def _sum_around(graph: Graph, of_edges: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sums of a number per friendship around each person; sums of large ones wrap, which a mask undoes."""
    sums = np.zeros(graph.n, np.int64)
    np.add.at(sums, graph.edges.ravel(), np.repeat(of_edges, 2))
    return sums


def _table(n: int, edges: int, rows: Sequence[Row]) -> NDArray[np.int64]:
    """An empty hash table that stays less than half full."""
    from graphveil.kernels import reduce as kernel

    many = {kernel.FRIEND_DEGREES: 4, kernel.SPREAD: 3}
    keys = edges + sum(max(n, many.get(row.kind, 1) * edges) for row in rows)
    table = np.zeros((1 << (2 * keys).bit_length(), 2), np.int64)
    table[:, kernel.KEY] = kernel.EMPTY
    return table
