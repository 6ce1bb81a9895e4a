"""Attributes of friendships: those of added ones, how coarse all are, and how they are written.

An added friendship gets all values of one of the input, the donor, because a mixture of several might be one that no
friendship has. The donor has the same mutual-friend count in the published graph and shares a person with it, where
there is one; else the same count anywhere; else the nearest count. So the values fit the place. A direction is the one
that the donor has as seen from the person they share: who follows others goes on following. Where they share none, it
is drawn at random.

Values are made coarser when the published friendships are known, so that groups are counted over these. Deletions may
have left fewer than k of a group that was large enough in the input. Then values become coarser than was asked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.attributes import Proposal, column_of, propose
from graphveil.attributes.proposing import way_out
from graphveil.differences import pair_keys
from graphveil.errors import ParameterError, VerificationError, warn
from graphveil.graph import Graph
from graphveil.methods.result import Result
from graphveil.publication.attributes import (
    FRIENDSHIPS,
    Part,
    Values,
    Wishes,
    chosen,
    in_armour,
    proposed,
    same_groups,
)
from graphveil.publication.made_up import replaced_copies
from graphveil.publication.pseudonyms import numbers
from graphveil.repeated import DIRECTION, turned
from graphveil.verification.graph_files import GraphFileRead
from graphveil.verification.safe_files import HOLDING
from graphveil.words import counted, listed, plain

TABLES = ("edgelist", "csv", "tsv")  # formats that a spreadsheet opens


def check_friendships(graph: Graph, wishes: Wishes, *, k: int, format: str, of_counts: bool) -> None:
    """Refuse, before any work, what cannot be published, or identifies people in the input already.

    ``of_counts`` is whether mutual-friend counts belong to k friendships, without which no joint guarantee can hold.
    """
    if not wishes.keep_edge_attributes:
        return
    if format not in HOLDING:
        raise ParameterError(
            f"{format} does not hold attributes of friendships. Choose another format, such as format='csv'."
        )
    if wishes.with_mutual_friends and not of_counts:
        raise ParameterError(
            "with_mutual_friends= needs a guarantee for mutual-friend counts. Ask for k too."
        )
    where = _where(graph)
    given = chosen(graph.edge_attributes, wishes.keep_edge_attributes, "edge")
    found = proposed(given, wishes, k, where, FRIENDSHIPS)
    few = {name: values[:1] for name, values in found.values.items()}
    deque(_written(Graph(graph.edges[:1], graph.n, edge_attributes=few), format), maxlen=0)


def _where(graph: Graph) -> Callable[[int], str]:
    """What to call a friendship of the input in messages."""

    def where(row: int) -> str:
        first, second = (plain(end, 40) for end in graph.labels[graph.edges[row]])
        return f"the friendship of {first} and {second}"

    return where


@dataclass(frozen=True)
class Rows:
    """Where the values of each published friendship come from: a row of the input, turned or not, or a donor."""

    donors: NDArray[np.int64]
    turned: NDArray[np.bool_]
    added: NDArray[np.bool_]  # whether that is a donor's row
    counts: NDArray[np.int32]  # mutual friends of each published friendship

    def of(self, name: str, values: NDArray[Any]) -> NDArray[Any]:
        """The values of an attribute in the order of the published friendships."""
        taken: NDArray[Any] = values[self.donors]
        return turned(taken, self.turned) if name == DIRECTION else taken


def rows_of(result: Result, pseudonyms: NDArray[np.int64]) -> Rows:
    """The published friendships in the order of their pseudonyms."""
    graph, original = result.graph, result.original
    ends = pseudonyms[graph.edges]
    order = np.argsort(pair_keys(ends, graph.n))
    donors = donors_of(graph, original, result.seed)
    turning = (ends[:, 0] > ends[:, 1]) ^ turned_from(graph, original.edges[donors], result.seed)
    added = (original.edges[donors] != graph.edges).any(axis=1)
    return Rows(donors[order], turning[order], added[order], graph.mutual_friends[order])


def turned_from(graph: Graph, donors: NDArray[np.int32], seed: int) -> NDArray[np.bool_]:
    """For each friendship whether it leads from its second person where its donor leads from the first.

    >>> turned_from(Graph.from_edges([(0, 1), (1, 2)]), np.array([[0, 1], [0, 1]]), seed=7).tolist()
    [False, True]
    """
    same = (graph.edges == donors).any(axis=1)
    crossed = (graph.edges == donors[:, ::-1]).any(axis=1)
    random = numbers(graph, seed, "directions of friendships", graph.m) % np.uint64(2) == 1
    turning: NDArray[np.bool_] = np.where(same | crossed, crossed, random)
    return turning


def donors_of(graph: Graph, original: Graph, seed: int) -> NDArray[np.int64]:
    """For each friendship of the new graph the one of the original that it has its values from, itself if it can.

    >>> square = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> donors_of(Graph.from_edges([(0, 1), (0, 3), (1, 2), (2, 3)]), square, seed=7).tolist()
    [0, 2, 1, 2]
    """
    old, new = pair_keys(original.edges, graph.n), pair_keys(graph.edges, graph.n)
    place = np.minimum(np.searchsorted(old, new), max(len(old) - 1, 0))
    known = old[place] == new if len(old) else np.zeros(len(new), bool)
    kept, added = np.flatnonzero(known), np.flatnonzero(~known)
    if len(added) and not len(kept):
        raise ParameterError("no friendship of the input is left, so none has attributes. Do not keep them.")
    if len(added):
        random = numbers(graph, seed, "donors of friendships", len(added))
        place[added] = place[kept[_drawn(graph, kept, added, random)]]
    return place


def _drawn(
    graph: Graph, kept: NDArray[np.int64], added: NDArray[np.int64], random: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """For each added friendship one of those that were kept, by its number among these.

    Those that were kept are sorted by person and count, from both ends, and by count alone. So candidates stand side
    by side.
    """
    counts = graph.mutual_friends.astype(np.int64)
    base = int(counts.max()) + 1
    people = graph.edges[kept].T.ravel() * np.int64(base) + np.tile(counts[kept], 2)
    at_people, by_count = np.argsort(people, kind="stable"), np.argsort(counts[kept], kind="stable")
    people, sorted_counts = people[at_people], counts[kept][by_count]
    values = np.unique(sorted_counts)
    after = np.clip(np.searchsorted(values, counts[added]), 0, len(values) - 1)
    before = np.maximum(after - 1, 0)
    lower = np.abs(values[before] - counts[added]) <= np.abs(values[after] - counts[added])
    nearest = values[np.where(lower & (values[after] != counts[added]), before, after)]

    first, size = [], []
    wanted = [graph.edges[added, side] * np.int64(base) + counts[added] for side in (0, 1)]
    for keys, among in ((wanted[0], people), (wanted[1], people), (nearest, sorted_counts)):
        begins, ends = (np.searchsorted(among, keys, side) for side in ("left", "right"))
        first.append(begins)
        size.append(ends - begins)
    around = size[0] + size[1]
    nearby = (random % np.maximum(around, 1).astype(np.uint64)).astype(np.int64)
    anywhere = (random % np.maximum(size[2], 1).astype(np.uint64)).astype(np.int64)
    of_first = nearby < size[0]
    place = np.where(of_first, first[0] + nearby, first[1] + nearby - size[0])
    found: NDArray[np.int64] = np.where(
        around > 0, at_people[np.clip(place, 0, len(people) - 1)] % len(kept), by_count[first[2] + anywhere]
    )
    return found


def kept_friendships(
    result: Result, wishes: Wishes, k: int | None, pseudonyms: NDArray[np.int64]
) -> Part | None:
    """The attributes of friendships as they are published, in the order of the published friendships."""
    if not wishes.keep_edge_attributes:
        return None
    rows = rows_of(result, pseudonyms)
    given = chosen(result.original.edge_attributes, wishes.keep_edge_attributes, "edge")
    values = {name: rows.of(name, column) for name, column in given.items()}
    for name in set(wishes.sensitive) & set(values):
        random = numbers(result.graph, result.seed, f"values of {name}", int(rows.added.sum()))
        values[name] = replaced_copies(name, values[name], rows.added, random)
    how = {**wishes.how(list(values)), "within": rows.counts if wishes.with_mutual_friends else None}
    found = propose(values, k or result.k, **how)
    if not found and not wishes.keep_identifying:
        found = _coarser(found, values, how)
    if left_out := [plain(each.name, 40) for each in found.choices if each.dropped]:
        warn(
            f"attributes of friendships: {listed(left_out)} cannot be published, for even the coarsest combinations "
            f"belong to fewer than {found.k:,} friendships."
        )
    return Part(found, wishes, joint=wishes.with_mutual_friends) if found.values else None


def _coarser(found: Proposal, values: Values, how: dict[str, Any]) -> Proposal:
    """Coarser values than were asked for, where those leave groups of fewer than k."""
    better = way_out(found, values, **how)
    if not better:
        raise ParameterError(
            f"attributes of friendships: {found.exposed:,} of {counted(found.people, *FRIENDSHIPS)} are in groups of "
            f"fewer than {found.k:,} after the changes, and no coarser values help. Do not keep them, or publish them "
            "all the same (keep_identifying=True)."
        )
    before = {each.name: each.option for each in found.choices}
    more = [each for each in better.choices if not each.dropped and each.option != before[each.name]]
    if words := [f"{plain(each.name, 40)} ({each.publicly})" for each in more]:
        warn(
            f"attributes of friendships: {found.exposed:,} of {counted(found.people, *FRIENDSHIPS)} would be in groups "
            f"of fewer than {found.k:,} after the changes, so values are coarser than asked for: {listed(words)}."
        )
    return better


# ---------------------------------------------------------------------- the graph file


def with_attributes(graph: Graph, values: Values, format: str) -> Graph:
    """The graph with the values of its edges, as the format shows them."""
    shown = in_armour(values) if format in TABLES else values
    return Graph(graph.edges, graph.n, vertex_attributes=graph.vertex_attributes, edge_attributes=shown)


def _written(graph: Graph, format: str) -> Any:
    from graphveil.formats.table import WRITABLE

    return WRITABLE[format].chunks(with_attributes(graph, graph.edge_attributes, format))


def check_written(published: GraphFileRead, values: Values, file: str) -> None:
    """Refuse a file in which other friendships have the same values than in what was written."""
    for read, (name, written) in zip(published.friendships, values.items(), strict=True):
        if not same_groups(read, column_of(name, written).marks):
            raise VerificationError(f"{file} read back is not what was written. Nothing was published.")
