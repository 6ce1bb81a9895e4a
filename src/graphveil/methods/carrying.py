"""Carry the changes of an earlier release over to a newer graph of the same network.

An attacker who has two releases sees which friendships vanished and which are new. A fake friendship of last year that
vanishes without a reason is recognised. So what was added stays, and what was deleted stays deleted, unless the real
world caught up: the added friendship really came, the deleted one really ended, or one of the two people left.

The search then starts from the carried graph, and the carried pairs are fixed: no method may change them back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import CORRESPONDING, FEW, pair_keys
from graphveil.errors import GraphError
from graphveil.graph import Graph
from graphveil.methods.workspace import labels_with_new
from graphveil.words import counted, percent

Pairs = NDArray[np.int64]


@dataclass(frozen=True)
class Earlier:
    """An earlier release, as only its owner knows it."""

    published: Graph  # the published graph under the ids of its input, dummy people last
    people: int  # how many of its vertices are real
    # Pairs of its vertex numbers
    added: Pairs
    deleted: Pairs
    # Of its vertices
    pseudonyms: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    certificate: str = ""  # SHA-256 of its certificate
    folder: Path | None = None  # where it was published
    # Of what attributes were published then, or in a release before it: people, friendships
    kept: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Carried:
    """A newer graph with the changes of an earlier release."""

    # Where the search starts: the newer graph with the carried changes, carried dummy people last
    graph: Graph
    # Pairs of its vertices that stay as they are: carried additions are edges, carried deletions are not
    fixed: Pairs
    earlier: NDArray[np.int64]  # for each vertex its number in the earlier release, −1 for those who joined
    # How many earlier changes the real world caught up with, and how many ended because somebody left
    caught_up: int
    left: int
    release: Earlier | None = None  # the earlier release itself

    def before(self, n: int) -> NDArray[np.int64]:
        """For each of n vertices of the result its number in the earlier release, −1 for who is new."""
        new = np.full(n - len(self.earlier), -1, np.int64)
        return np.concatenate((self.earlier, new))

    @property
    def additions(self) -> int:
        """How many of the pairs that stay are friendships that were added."""
        return int(
            np.isin(pair_keys(self.fixed, self.graph.n), pair_keys(self.graph.edges, self.graph.n)).sum()
        )

    def in_words(self) -> str:
        """What became of the earlier changes."""
        return (
            f"{counted(len(self.fixed), 'change')} of the earlier release stay, the network caught up with "
            f"{self.caught_up:,}, and {self.left:,} ended because somebody left"
        )


def carry(newer: Graph, release: Earlier) -> Carried:
    """The newer graph with all changes of an earlier release that can stay.

    >>> last_year = Graph.from_edges([("Ann", "Bob"), ("Bob", "Cy"), ("Ann", "Cy")])
    >>> release = Earlier(last_year, 3, np.array([[0, 2]]), np.empty((0, 2), np.int64))
    >>> carried = carry(Graph.from_edges([("Bob", "Cy"), ("Cy", "Dee"), ("Ann", "Bob")]), release)
    >>> [carried.graph.labels[pair].tolist() for pair in carried.fixed]
    [['Cy', 'Ann']]
    """
    now = _numbers_now(newer, release)
    _check_correspondence(newer, release, now)
    n = newer.n + int(release.published.n - release.people)
    real = pair_keys(newer.edges, n)
    added, added_left = _still_there(release.added, now)
    deleted, deleted_left = _still_there(release.deleted, now)
    plus, minus = pair_keys(added, n), pair_keys(deleted, n)
    carried_plus, carried_minus = np.setdiff1d(plus, real), np.intersect1d(minus, real)
    keys = np.setdiff1d(np.union1d(real, carried_plus), carried_minus)
    ends = _pairs(keys, n)
    labels = labels_with_new(newer.labels, n - newer.n)
    graph = Graph.from_arrays(ends[:, 0], ends[:, 1], n=n, labels=labels)
    earlier = np.full(n, -1, np.int64)
    earlier[now[now >= 0]] = np.flatnonzero(now >= 0)
    fixed = _pairs(np.union1d(carried_plus, carried_minus), n)
    caught_up = len(plus) + len(minus) - len(fixed)
    return Carried(graph, fixed, earlier, caught_up, added_left + deleted_left, release)


def _numbers_now(newer: Graph, release: Earlier) -> NDArray[np.int64]:
    """For each vertex of the earlier release its number in the newer graph, −1 for who left; dummy people stay."""
    place = {label: number for number, label in enumerate(newer.labels.tolist())}
    old: list[Any] = release.published.labels[: release.people].tolist()
    people = [place.get(label, -1) for label in old]
    dummies = range(newer.n, newer.n + release.published.n - release.people)
    return np.array([*people, *dummies], np.int64)


def _check_correspondence(newer: Graph, release: Earlier, now: NDArray[np.int64]) -> None:
    """Refuse ids that do not mean the same people: few are in both, or their friendships are others."""
    kinds = [graph.labels.dtype.kind == "i" for graph in (release.published, newer)]
    if release.people and newer.n and kinds[0] != kinds[1]:
        then, today = ("numbers" if kind else "text" for kind in kinds)
        raise GraphError(
            f"the ids of the earlier release are {then}, and those of this graph are {today}. Use the ids of that "
            "time, or publish without after=."
        )
    people = now[: release.people]
    stayed = int(np.count_nonzero(people >= 0))
    if (release.people >= FEW or not stayed) and stayed < CORRESPONDING * release.people:
        raise GraphError(
            f"the ids are not those of the earlier release: only {stayed:,} of its "
            f"{counted(release.people, 'person', 'people')} are in this graph. Use the ids of that time, or publish "
            "without after=."
        )
    added = pair_keys(release.added, release.published.n)
    was = release.published.edges.astype(np.int64)
    was = was[~np.isin(pair_keys(was, release.published.n), added)]
    both, _ = _still_there(was, now)
    if len(both) < FEW:
        return
    kept = float(
        np.isin(pair_keys(both, newer.n + len(now)), pair_keys(newer.edges, newer.n + len(now))).mean()
    )
    if kept < CORRESPONDING:
        raise GraphError(
            f"the ids do not mean the people of the earlier release: only {percent(kept)} of the friendships of those "
            "who are in both are still there. Use the ids of that time, or publish without after=."
        )


def _still_there(pairs: Pairs, now: NDArray[np.int64]) -> tuple[Pairs, int]:
    """Pairs of the earlier release in today's numbers, without those of which one end left; and how many those are."""
    ends = now[pairs.astype(np.int64)].reshape(-1, 2)
    stay = (ends >= 0).all(axis=1)
    return ends[stay], int(np.count_nonzero(~stay))


def _pairs(keys: NDArray[np.int64], n: int) -> Pairs:
    return np.stack(np.divmod(keys, max(n, 1)), axis=1)
