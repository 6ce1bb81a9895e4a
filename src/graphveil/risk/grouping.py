"""Groups over whole graphs: numbered, sorted and counted in few passes and little memory.

NumPy's `unique` makes several copies, and without counts it hashes, which on millions of keys is slower than sorting.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["edges_of_people", "is_first", "rank", "runs"]

Integers = NDArray[np.signedinteger[Any]]

TABLE = 4  # entries of a table for each key; beyond, the keys are sorted
BLOCK = 1 << 20  # keys looked at together


def rank(keys: Integers) -> Integers:
    """The rank of each key, none negative, among the distinct keys, from 0.

    Examples
    --------
    >>> rank(np.array([7, 3, 7, 2**40])).tolist(), rank(np.array([7, 3, 7, 4])).tolist()
    ([1, 0, 1, 2], [2, 0, 2, 1])
    """
    if not len(keys):
        return keys
    highest = int(keys.max())
    if highest >= TABLE * len(keys):
        return np.unique(keys, return_inverse=True)[1]
    occurs = np.zeros(highest + 1, bool)
    occurs[keys] = True
    place = np.cumsum(occurs, dtype=np.int32)
    place -= 1
    return place[keys].astype(np.int64)


def edges_of_people(edges: Integers, kinds: Integers, *, by_kind: bool) -> NDArray[np.int64]:
    """Each end of each edge with the kind of the edge, as ``person << 32 | kind`` or the other way round, sorted."""
    m = len(edges)
    keys = np.empty(2 * m, np.int64)
    for side in (0, 1):
        half = keys[side * m : (side + 1) * m]
        half[:] = kinds if by_kind else edges[:, side]
        half <<= 32
        half |= edges[:, side] if by_kind else kinds
    keys.sort()
    return keys


def is_first(keys: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each of the sorted keys differs from the one before."""
    first = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first


def runs(
    keys: NDArray[np.int64], block: int = BLOCK
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Distinct keys of sorted ones, and how often each occurs: block by block.

    Examples
    --------
    >>> [(some.tolist(), times.tolist()) for some, times in runs(np.array([1, 1, 1, 4, 5, 5]), block=2)]
    [([1], [3]), ([4, 5], [1, 2])]
    """
    begin = 0
    while begin < len(keys):
        last = min(begin + block, len(keys)) - 1
        end = int(np.searchsorted(keys, keys[last], side="right"))  # no key is in two blocks
        some = keys[begin:end]
        starts = np.flatnonzero(is_first(some))
        yield some[starts], np.diff(starts, append=len(some))
        begin = end
