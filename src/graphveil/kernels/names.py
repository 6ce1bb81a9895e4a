"""Names in Arrow's layout, their bytes one behind another, hashed and compared."""

from __future__ import annotations

import numpy as np

from graphveil.kernels._jit import jit


@jit
def hash_names(data, offsets, codes):
    """A number of 63 bits for each name ``data[offsets[i]:offsets[i + 1]]``, from two hashes side by side.

    All products stay within 64 bits.
    """
    for i in range(len(codes)):
        left, right = np.int64(2166136261), np.int64(offsets[i + 1] - offsets[i])
        for pos in range(offsets[i], offsets[i + 1]):
            byte = np.int64(data[pos])
            left = ((left ^ byte) * 16777619) & 0xFFFFFFFF  # FNV-1a
            right = ((right + byte) * 0x5BD1E995) & 0x7FFFFFFF
        codes[i] = left << 31 ^ right


@jit
def first_places(numbers, places):
    """Where each number occurs first; they are numbered as they first appear."""
    count = 0
    for i in range(len(numbers)):
        if numbers[i] == count:
            places[count] = i
            count += 1


@jit
def are_names(data, offsets, numbers, pool, places):
    """Whether each name is the one that its number stands for, ``pool[places[number]:places[number + 1]]``.

    Indices are unsigned, because Numba asks of signed ones whether they count from the end, and the bytes of a name
    are compared without a branch: the processor then works on several names while it waits for memory.
    """
    one = np.uint64(1)
    for i in range(np.uint64(len(numbers))):
        start, number = np.uint64(offsets[i]), np.uint64(numbers[i])
        length = np.uint64(offsets[i + one]) - start
        place = np.uint64(places[number])
        if np.uint64(places[number + one]) - place != length:
            return False
        different = np.uint8(0)
        for pos in range(length):
            different |= data[start + pos] ^ pool[place + pos]
        if different:
            return False
    return True
