"""Sort many 64-bit keys by counting, on all cores: several times as fast as a comparison sort. It makes edges simple.

`graphveil.kernels.sorting` has the passes; here the work is cut and shared.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.origin import Cleaning

WORTH_COUNTING = 200_000  # keys; below, a comparison sort is as fast, and needs no kernel
BUCKET = 4_096  # keys: enough to outweigh the counters of a pass, and few enough for the nearest caches
BUCKET_BITS = 10  # at most: each bucket is written to at its own place in memory
DIGIT_BITS = 11  # likewise
TASKS_A_THREAD = 4  # so that a thread with large buckets does not keep the others waiting


def sort_keys(keys: NDArray[np.int64], bits: int) -> NDArray[np.int64]:
    """The keys, numbers below 2^bits, in ascending order; the given array is used as working space.

    >>> sort_keys(np.array([5, 3, 7, 3]), bits=3).tolist()
    [3, 3, 5, 7]
    """
    if len(keys) < WORTH_COUNTING:
        keys.sort()
        return keys
    import numba

    high = min((len(keys) // BUCKET).bit_length(), BUCKET_BITS, bits - 1)
    passes = -(-(bits - high) // DIGIT_BITS)
    low = -(-(bits - high) // passes)  # bits of a digit
    threads = numba.get_num_threads()
    if threads == 1:
        return _sort(keys, bits - high, (passes, low), 1, lambda work, *parts: list(map(work, *parts)))
    with ThreadPoolExecutor(threads) as pool:
        return _sort(
            keys, bits - high, (passes, low), threads, lambda work, *parts: list(pool.map(work, *parts))
        )


def _sort(
    keys: NDArray[np.int64],
    shift: int,
    digits: tuple[int, int],
    threads: int,
    share: Callable[..., list[Any]],
) -> NDArray[np.int64]:
    from graphveil.kernels.sorting import count_digits, move_to_buckets, sort_buckets

    passes, bits = digits
    parts = np.array_split(keys, threads)
    counts = np.zeros((threads, (int(keys.max()) >> shift) + 1), np.int64)
    share(lambda part, count: count_digits(part, shift, count), parts, counts)
    ends = counts.T.ravel().cumsum()  # bucket by bucket, thread by thread
    places = np.ascontiguousarray((ends - counts.T.ravel()).reshape(-1, threads).T)
    other = np.empty_like(keys)
    share(lambda part, place: move_to_buckets(part, shift, place, other), parts, places)
    bounds = np.concatenate((np.zeros(1, np.int64), ends[threads - 1 :: threads]))
    tasks = TASKS_A_THREAD * threads
    cuts = np.searchsorted(bounds, np.linspace(0, len(keys), tasks + 1)).tolist()
    cuts[0] = 0

    def finish(cut: tuple[int, int]) -> None:
        rows = np.empty((passes, 1 << bits), np.int64)
        sort_buckets(other, keys, bounds[cut[0] : cut[1] + 1], bits, rows)

    share(finish, pairwise(cuts))
    return keys if passes % 2 else other


def simplify(pairs: NDArray[np.int32], n: int) -> tuple[NDArray[np.int32], Cleaning]:
    """The distinct undirected edges among the pairs of vertices 0…n−1, sorted, and what was dropped to get there.

    Each pair becomes one 64-bit number: the lower end, the higher end, and the direction in the last bit. Sorted, the
    same edge stands side by side. Few pairs are left to NumPy, which needs no kernel.
    """
    bits = max(n - 1, 1).bit_length()
    if len(pairs) < WORTH_COUNTING:
        return _simplify_few(pairs, bits)
    from graphveil.kernels.pairs import pack, unpack

    keys = np.empty(len(pairs), np.int64)
    count, ascending = pack(pairs, bits, keys)
    keys = keys[:count]
    if not ascending:
        keys = sort_keys(keys, 2 * bits + 1)
    edges = keys.view(np.int32).reshape(-1, 2)
    m, duplicates, reciprocal = unpack(keys, bits, edges)
    cleaning = Cleaning(self_loops=len(pairs) - count, duplicates=duplicates, reciprocal=reciprocal)
    return edges[:m].copy() if m < len(pairs) else edges, cleaning


def _simplify_few(pairs: NDArray[np.int32], bits: int) -> tuple[NDArray[np.int32], Cleaning]:
    u, v = pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)
    keys = np.minimum(u, v) << (bits + 1) | np.maximum(u, v) << 1 | (u > v)
    keys = np.sort(keys[u != v])
    pair = keys >> 1
    new = np.ones(len(keys), bool)
    new[1:] = pair[1:] != pair[:-1]
    repeated = int(np.count_nonzero(keys[1:] == keys[:-1]))
    ends = pair[new]
    edges = np.empty((len(ends), 2), np.int32)
    edges[:, 0], edges[:, 1] = ends >> bits, ends & ((1 << bits) - 1)
    cleaning = Cleaning(
        self_loops=len(pairs) - len(keys), duplicates=repeated, reciprocal=len(keys) - len(ends) - repeated
    )
    return edges, cleaning
