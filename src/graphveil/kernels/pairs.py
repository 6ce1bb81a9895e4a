"""From pairs of ids to sorted simple edges, each step one pass over flat arrays."""

from __future__ import annotations

import numpy as np

from graphveil.kernels._jit import jit

BLOCK = 256  # ids that are looked up ahead


@jit
def number_dense(ids, low, seen, numbers):
    """Number integers by rank, with a table from ``low`` on; ``seen`` marks those that occur elsewhere.

    Returns the distinct integers, ascending.
    """
    for id in ids:
        seen[id - low] = True
    count = 0
    number = np.empty(len(seen), np.int32)
    for i in range(len(seen)):
        number[i] = count
        count += seen[i]
    distinct = np.empty(count, np.int64)
    for i in range(len(seen)):
        if seen[i]:
            distinct[number[i]] = low + i
    for i in range(len(ids)):
        numbers[i] = number[ids[i] - low]
    return distinct


@jit
def _first_slot(id, table):
    """A slot that depends on all bits of ``id``, by products that stay below 2^63."""
    mixed = (id & 0xFFFFFFFF) * 0x45D9F3B + ((id >> 32) & 0xFFFFFFFF) * 0x119DE1F3
    return (mixed ^ (mixed >> 24)) & (len(table) - 1)


@jit
def _slot_of(id, table, distinct):
    """Where a table with 2^k slots holds the number of ``id``, or the empty slot (-1) where it belongs."""
    slot = _first_slot(id, table)
    while table[slot] >= 0 and distinct[table[slot]] != id:
        slot = (slot + 1) & (len(table) - 1)
    return slot


@jit
def _read_ahead(ids, table, distinct, seen):
    """Read what looking the ids up begins with; ``seen`` keeps the compiler from leaving it out."""
    for i in range(len(ids)):
        seen[0] ^= distinct[max(table[_first_slot(ids[i], table)], 0)]


@jit
def number_sparse(ids, numbers):
    """Number integers as they first appear, with a hash table; returns the distinct ones in that order.

    A large table lies outside the caches. Reading ahead waits for many of its entries at the same time.
    """
    table = np.full(1 << 12, -1, np.int32)
    distinct = np.empty(1 << 11, np.int64)
    seen = np.zeros(1, np.int64)
    count = 0
    for i in range(len(ids)):
        if i % BLOCK == 0:
            _read_ahead(ids[i : i + BLOCK], table, distinct, seen)
        slot = _slot_of(ids[i], table, distinct)
        if table[slot] < 0:
            table[slot] = count
            distinct[count] = ids[i]
            count += 1
            if count == len(distinct):
                larger = np.empty(2 * count, np.int64)
                larger[:count] = distinct
                distinct = larger
                table = np.full(4 * count, -1, np.int32)
                for number in range(count):
                    table[_slot_of(distinct[number], table, distinct)] = number
                slot = _slot_of(ids[i], table, distinct)
        numbers[i] = table[slot]
    return distinct[:count].copy()


@jit
def pack(pairs, bits, keys):
    """Write each pair of different ends as one number: smaller end, larger end, and 1 if the larger came first.

    An end takes so many bits. Returns how many there are and whether they come in ascending order.
    """
    count, ascending, last = 0, True, np.int64(-1)
    for row in range(len(pairs)):
        u, v = np.int64(pairs[row, 0]), np.int64(pairs[row, 1])
        if u == v:
            continue
        key = (u << bits + 1 | v << 1) if u < v else (v << bits + 1 | u << 1 | 1)
        ascending &= key > last
        last = key
        keys[count] = key
        count += 1
    return count, ascending


@jit
def unpack(keys, bits, edges):
    """Write the distinct edges among sorted keys into ``edges``, which may share their memory.

    Returns how many there are, how many keys occur again, and how many edges occur in both directions.
    """
    count, repeated, reciprocal, last = 0, 0, 0, np.int64(-1)
    mask = (1 << bits) - 1
    for row in range(len(keys)):
        key = keys[row]
        if key == last:
            repeated += 1
        elif last >= 0 and key >> 1 == last >> 1:
            reciprocal += 1
        else:
            edges[count, 0], edges[count, 1] = key >> bits + 1, key >> 1 & mask
            count += 1
        last = key
    return count, repeated, reciprocal


@jit
def lacking(edges, others):
    """Which of the edges are not among the others, both sorted: a merge."""
    lacks = np.empty(len(edges), np.bool_)
    other = 0
    for row in range(len(edges)):
        u, v = edges[row, 0], edges[row, 1]
        while other < len(others) and (
            others[other, 0] < u or (others[other, 0] == u and others[other, 1] < v)
        ):
            other += 1
        lacks[row] = other == len(others) or others[other, 0] != u or others[other, 1] != v
    return lacks
