"""Memberships (person, club) as a graph of people: two are joined if they share a club."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import warn
from graphveil.formats.memory_limit import check_claim
from graphveil.formats.parsed import File, Parsed
from graphveil.words import counted

PER_PAIR = 40  # bytes that a pair of members takes while it becomes an edge


def onto_people(parsed: Parsed, file: File) -> Parsed:
    """The graph of those in the first column; a club of s people gives s(s-1)/2 edges.

    Labels of clubs, and the vertex attributes of all, go.
    """
    people = _people(parsed)
    number = np.full(len(parsed.labels), -1, np.int32)
    number[people] = np.arange(len(people), dtype=np.int32)
    member, club = _memberships(parsed.pairs)
    sizes = np.unique(club, return_counts=True)[1]
    count = int((sizes * (sizes - 1) // 2).sum())
    what = f"the projection has up to {counted(count, 'pair')} of people who share one of {counted(len(sizes), 'club')}"
    check_claim(file.path, what, PER_PAIR * count, max(file.allowed, 2**31))
    pairs = _once(_all_pairs(number[member], sizes))  # two people may share several clubs
    warn(
        f"projected {counted(len(club), 'membership')} in {counted(len(sizes), 'club')} onto "
        f"{counted(len(people), 'person', 'people')}: {counted(len(pairs), 'pair')} share a club. "
        f"The largest club has {counted(int(sizes.max(initial=0)), 'member')}. "
        "Large clubs make everybody a friend of everybody."
    )
    labels: NDArray[Any] = parsed.labels[people]
    reading = None if parsed.reading is None else replace(parsed.reading, sides=None)
    return replace(
        parsed,
        labels=labels,
        pairs=pairs,
        directed=False,
        vertex_attributes={name: values[people] for name, values in parsed.vertex_attributes.items()},
        line_of=lambda pair: None,
        empty=number[parsed.empty],
        reading=reading,
    )


def _people(parsed: Parsed) -> NDArray[np.int64]:
    """Who is in the first column or alone; people and clubs may have the same ids, and a club is not a person."""
    person, club = np.zeros(len(parsed.labels), bool), np.zeros(len(parsed.labels), bool)
    person[parsed.pairs[:, 0]] = person[parsed.empty] = True
    club[parsed.pairs[:, 1]] = True
    return np.flatnonzero(person | ~club)


def _once(pairs: NDArray[np.int32]) -> NDArray[np.int32]:
    """The pairs without repetition; the lower number comes first in each."""
    keys = np.unique(pairs[:, 0].astype(np.int64) << 32 | pairs[:, 1])
    return np.stack((keys >> 32, keys & 0xFFFFFFFF), axis=1).astype(np.int32)


def _memberships(pairs: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Member and club of each membership, once each, club by club."""
    once = np.unique(pairs[:, 1].astype(np.int64) << 32 | pairs[:, 0])
    return (once & 0xFFFFFFFF).astype(np.int32), (once >> 32).astype(np.int32)


def _all_pairs(members: NDArray[np.int32], sizes: NDArray[np.int64]) -> NDArray[np.int32]:
    """All pairs within runs of these sizes."""
    ends = np.repeat(np.cumsum(sizes), sizes)
    partners = ends - np.arange(len(members)) - 1
    first = np.repeat(np.arange(len(members)), partners)
    starts = np.cumsum(partners) - partners
    second = first + 1 + np.arange(len(first)) - np.repeat(starts, partners)
    return np.stack((members[first], members[second]), axis=1)
