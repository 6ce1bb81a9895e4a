"""Sort keys by counting: each pass counts how often a digit occurs and moves every key to its place.

The first pass cuts the keys by their highest digit into buckets that fit the caches. The others sort each bucket from
its lowest digit upwards. All passes are stable. The result does not depend on how the work is shared: threads own
ranges of keys in the first pass and ranges of buckets in the others.
"""

from __future__ import annotations

from graphveil.kernels._jit import jit


@jit
def count_digits(keys, shift, counts):
    """Count the keys of each bucket, ``key >> shift``; ``counts`` comes as zeros."""
    for i in range(len(keys)):
        counts[keys[i] >> shift] += 1


@jit
def move_to_buckets(keys, shift, place, moved):
    """Write each key to the next place of its bucket."""
    for i in range(len(keys)):
        bucket = keys[i] >> shift
        moved[place[bucket]] = keys[i]
        place[bucket] += 1


@jit
def _count_all_digits(keys, first, last, bits, counts):
    """Count every digit of a bucket's keys in one scan, and turn the counts into places."""
    passes, mask = counts.shape[0], (1 << bits) - 1
    counts[:] = 0
    for i in range(first, last):
        key = keys[i]
        for digit in range(passes):
            counts[digit, key & mask] += 1
            key >>= bits
    for digit in range(passes):
        place = first
        for value in range(mask + 1):
            count = counts[digit, value]
            counts[digit, value] = place
            place += count


@jit
def sort_buckets(keys, other, bounds, bits, counts):
    """Sort each bucket by its lower digits of ``bits`` bits; ``counts`` has a row for each digit.

    The keys move between both arrays and end in ``other`` if the number of digits is odd.
    """
    passes, mask = counts.shape[0], (1 << bits) - 1
    for bucket in range(len(bounds) - 1):
        first, last = bounds[bucket], bounds[bucket + 1]
        if first == last:
            continue
        _count_all_digits(keys, first, last, bits, counts)
        source, target = keys, other
        for digit in range(passes):
            shift = digit * bits
            for i in range(first, last):
                key = source[i]
                value = (key >> shift) & mask
                target[counts[digit, value]] = key
                counts[digit, value] += 1
            source, target = target, source
