"""How far each attacker gets in a published graph, counted again from the definitions, in plain NumPy.

Nothing is shared with `graphveil.risk`, whose audit counts the same by other means: no kernel, no compiled code. A new
attacker is one row here and one there. Rows stay when the audit drops an attacker: old certificates have figures of it.
"""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.recounting import Recount
from graphveil.stopping import check
from graphveil.verification.documents import AttackerFigures, Exposure, Naming

Integers = NDArray[np.signedinteger[Any]]

Target = Literal["edge", "vertex"]
Groups = Callable[[Recount], "Integers | Several"]  # a group number per target, or groups that overlap

NONE = np.iinfo(np.int64).max
CHUNK = 2_000_000  # combinations listed at a time, about 60 bytes each


@dataclass(frozen=True)
class Several:
    """Groups of which a person may be in several: the people who are in any, the smallest of each, and how many."""

    people: Integers
    smallest: Integers
    groups: int


def alike(*columns: Integers) -> Integers:
    """A group number for each row of the columns, the same for the same numbers."""
    groups = columns[0].astype(np.int64)
    for column in columns[1:]:
        groups = np.unique(groups * (int(column.max(initial=0)) + 1) + column, return_inverse=True)[1]
    return groups


def _in_any_order(ends: Integers) -> tuple[Integers, Integers]:
    """Numbers of the two ends of each edge, the larger one first."""
    return np.maximum(*ends.T), np.minimum(*ends.T)


def degrees_of_edges(counted: Recount) -> Integers:
    """A group number for each edge, by the degrees of its ends in any order."""
    return alike(*_in_any_order(counted.degrees[counted.edges]))


def attributes(counted: Recount) -> Integers:
    """The group number of each person by attributes, where these are published."""
    assert counted.attributes is not None
    return counted.attributes


def edge_attributes(counted: Recount) -> Integers:
    """The group number of each friendship by attributes, where these are published."""
    assert counted.edge_attributes is not None
    return counted.edge_attributes


def in_and_out(counted: Recount) -> Integers:
    """A group number for each person, by how many friendships lead to the person and how many away."""
    assert counted.ways is not None
    lower, higher = counted.edges.T
    to_higher, to_lower = (counted.ways & way > 0 for way in (1, 2))
    into, out = (
        np.bincount(higher[one], minlength=counted.n) + np.bincount(lower[other], minlength=counted.n)
        for one, other in ((to_higher, to_lower), (to_lower, to_higher))
    )
    return alike(into, out)


def triangles(counted: Recount) -> Integers:
    """How many pairs of friends of each person are friends."""
    twice = np.bincount(counted.edges.ravel(), np.repeat(counted.mutual_friends, 2), counted.n)
    return twice.astype(np.int64) // 2


def at_people(counted: Recount) -> tuple[Integers, Integers, Integers]:
    """Every edge from both ends: a person, the friend, and how many mutual friends they have."""
    people, friends = (
        np.concatenate((counted.edges[:, side], counted.edges[:, 1 - side])) for side in (0, 1)
    )
    return people.astype(np.int64), friends, np.tile(counted.mutual_friends, 2)


def around(counted: Recount, numbers: Integers) -> Integers:
    """A group number for each person, by the numbers of all friendships of the person."""
    people, counts = counted.edges.T.ravel(), np.tile(numbers, 2)
    rows = counts[np.lexsort((counts, people))].tobytes()
    end = counts.itemsize * np.cumsum(counted.degrees)
    by_degree = np.argsort(counted.degrees, kind="stable")
    groups, total = np.zeros(counted.n, np.int64), 0
    for same in np.split(by_degree, np.flatnonzero(np.diff(counted.degrees[by_degree])) + 1):
        check()
        seen: dict[bytes, int] = {}
        first = end[same] - counts.itemsize * counted.degrees[same]
        for person, start, stop in zip(same.tolist(), first.tolist(), end[same].tolist(), strict=True):
            groups[person] = total + seen.setdefault(rows[start:stop], len(seen))
        total += len(seen)
    return groups


def people_in(groups: Integers, people: Integers, n: int) -> Integers:
    """How many different people are in each group."""
    return np.bincount(np.unique(groups * n + people) // max(n, 1))


def several(people: Integers, sizes: Integers, groups: int, n: int) -> Several:
    """From the size of a group of some person, over and over, to the smallest of each person."""
    smallest = np.full(n, NONE)
    np.minimum.at(smallest, people, sizes)
    found = np.flatnonzero(smallest < NONE)
    return Several(found, smallest[found], groups)


def degrees_with_a_friend(counted: Recount) -> Several:
    """By the own degree and that of one friend, in this order; friendships count where they are fewer than people."""
    people, friends, _ = at_people(counted)
    groups, edges = alike(counted.degrees[people], counted.degrees[friends]), degrees_of_edges(counted)
    different, friendships = people_in(groups, people, counted.n), np.bincount(edges)
    sizes = np.minimum(different[groups], np.tile(friendships[edges], 2))
    return several(people, sizes, len(different), counted.n)


def degrees_of_a_friendship(counted: Recount) -> Several:
    """By the own degree and that of one friend, in any order, as graphveil 0.2 had it."""
    people, groups = at_people(counted)[0], np.tile(degrees_of_edges(counted), 2)
    different = people_in(groups, people, counted.n)
    return several(people, different[groups], len(different), counted.n)


def two_friendships(counted: Recount) -> Several:
    """By the mutual-friend counts with two friends.

    A slot is a person and one of the counts that this person has. Each is combined with those after it of the same
    person, and with itself where the person has the count twice. All combinations that begin with the same count are
    listed at once, so every group is whole.
    """
    people, _, counts = at_people(counted)
    base = int(counts.max(initial=0)) + 1
    slots, times = np.unique(people * base + counts, return_counts=True)
    person, value = np.divmod(slots, base)
    first = np.arange(len(slots)) + (times < 2)
    number = np.cumsum(np.bincount(person, minlength=counted.n))[person] - first
    by_value = np.argsort(value, kind="stable")
    before = np.append(0, np.cumsum(number[by_value]))
    begins = np.append(0, np.cumsum(np.bincount(value)))  # where each value begins among the slots
    smallest, groups, at = np.full(counted.n, NONE), 0, 0
    while at < len(begins) - 1:
        check()
        stop = max(at + 1, int(np.searchsorted(before[begins], before[begins[at]] + CHUNK, side="right")) - 1)
        some = by_value[begins[at] : begins[stop]]
        left, listed = np.repeat(some, number[some]), np.cumsum(number[some])
        right = np.arange(len(left)) + np.repeat(first[some] - listed + number[some], number[some])
        _, group, sizes = np.unique(
            value[left] * base + value[right], return_inverse=True, return_counts=True
        )
        np.minimum.at(smallest, person[left], sizes[group])
        groups, at = groups + len(sizes), stop
    found = np.flatnonzero(smallest < NONE)
    return Several(found, smallest[found], groups)


# By name, in the order of documents: what is looked for, and its groups.
ATTACKERS: dict[str, tuple[Target, Groups]] = {
    "mutual-friends": ("edge", lambda counted: counted.mutual_friends),
    "degree": ("vertex", lambda counted: counted.degrees),
    "edge-degrees": ("edge", degrees_of_edges),
    "friendship-degrees": ("vertex", degrees_with_a_friend),
    "edge-degrees-and-mutual-friends": (
        "edge",
        lambda counted: alike(degrees_of_edges(counted), counted.mutual_friends),
    ),
    "degree-and-triangles": ("vertex", lambda counted: alike(counted.degrees, triangles(counted))),
    "several-friendships": ("vertex", two_friendships),
    "mutual-friends-around": ("vertex", lambda counted: around(counted, counted.mutual_friends)),
}
OF_ATTRIBUTES: dict[str, tuple[Target, Groups]] = {  # where attributes of people are published
    "attributes": ("vertex", lambda counted: attributes(counted)),
    "attributes-and-degree": ("vertex", lambda counted: alike(attributes(counted), counted.degrees)),
    "attributes-of-friends-and-mutual-friends": (
        "edge",
        lambda counted: alike(*_in_any_order(attributes(counted)[counted.edges]), counted.mutual_friends),
    ),
}
OF_EDGE_ATTRIBUTES: dict[str, tuple[Target, Groups]] = {  # where attributes of friendships are published
    "edge-attributes": ("edge", lambda counted: edge_attributes(counted)),
    "edge-attributes-and-mutual-friends": (
        "edge",
        lambda counted: alike(edge_attributes(counted), counted.mutual_friends),
    ),
    "edge-attributes-around": ("vertex", lambda counted: around(counted, edge_attributes(counted))),
}
OF_DIRECTION: dict[str, tuple[Target, Groups]] = {"in-and-out-degree": ("vertex", in_and_out)}
FORMER: dict[str, tuple[Target, Groups]] = {"friend-degrees": ("vertex", degrees_of_a_friendship)}
EVERY = ChainMap(ATTACKERS, OF_ATTRIBUTES, OF_EDGE_ATTRIBUTES, OF_DIRECTION, FORMER)


def attackers_of(counted: Recount) -> tuple[str, ...]:
    """The attackers who know something that is published, by name."""
    return (
        *ATTACKERS,
        *(OF_ATTRIBUTES if counted.attributes is not None else ()),
        *(OF_EDGE_ATTRIBUTES if counted.edge_attributes is not None else ()),
        *(OF_DIRECTION if counted.ways is not None else ()),
    )


def figures_of(counted: Recount, name: str, ks: Iterable[int]) -> AttackerFigures:
    """How far one attacker gets: over the size of the (smallest) group of each target."""
    check()
    target, find = EVERY[name]
    found, named = find(counted), None
    if isinstance(found, Several):
        smallest, groups, targets = found.smallest, found.groups, found.people[:, None]
        mean = _mean(smallest)
    else:
        sizes = np.bincount(found)
        smallest, groups = sizes[found], int(np.count_nonzero(sizes))
        targets = counted.edges if target == "edge" else np.arange(counted.n)[:, None]
        mean = groups / len(targets) if len(targets) else 0.0
        named = _naming(found, sizes, counted.edges) if target == "edge" else None
    least = int(smallest.min()) if len(smallest) else None
    return AttackerFigures(
        name=name,
        target=target,
        targets=len(targets),
        groups=groups,
        smallest_group=least,
        highest_probability=1 / least if least else 0.0,
        mean_probability=mean,
        exposures=tuple(_exposure(k, smallest, targets, counted.n) for k in ks),
        naming=named,
    )


def _exposure(k: int, smallest: Integers, targets: Integers, n: int) -> Exposure:
    small = smallest < k
    people = len(np.unique(targets[small]))
    exposed = int(np.count_nonzero(small))
    return Exposure(
        k, exposed, exposed / len(targets) if len(targets) else 0.0, people, people / n if n else 0.0
    )


def _mean(sizes: Integers) -> float:
    """Mean probability of finding targets in groups of these sizes, in an order that rounding does not notice."""
    occurring, numbers = np.unique(sizes, return_counts=True)
    return math.fsum((numbers / occurring).tolist()) / len(sizes) if len(sizes) else 0.0


def _naming(groups: Integers, sizes: Integers, edges: Integers) -> Naming:
    """Whom groups of edges name: how many edges of its group each end is on."""
    if not len(edges):
        return Naming(0.0, 0, None)
    keys, times = np.unique(
        np.concatenate([(groups.astype(np.int64) << 32) | edges[:, side] for side in (0, 1)]),
        return_counts=True,
    )
    group, person = keys >> 32, keys & 0xFFFFFFFF
    people = np.bincount(group, minlength=len(sizes))
    return Naming(
        largest_share=float((times / sizes[group]).max()),
        people_named=len(np.unique(person[2 * times > sizes[group]])),
        people_in_smallest_group=int(people[sizes == sizes[sizes > 0].min()].min()),
    )
