"""What runs on Spark's workers: plain functions over Arrow batches, with no word of Spark in them.

An edge travels as one number, its *key*: smaller end, larger end, and 1 in the last bit if the larger end came first.
Keys are sorted and cut into two columns of 32 bits, the first as differences, which compress to almost nothing. A
block of edges is one row of a table, not one row an edge: that is what makes this cheaper than joins.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.int64]

LOOPS, LONE = (
    -1,
    -2,
)  # the blocks of edges that join a vertex to itself, and of vertices given without an edge
HELPERS = 10  # of which the driver has room for more than so many: none has too many friends (hubs.py)
CHUNK = 1_000_000  # pairs that are sorted at a time
MIXER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: spreads neighbouring numbers over all colours


# ---------------------------------------------------------------------------- keys and blocks


def keys_of(sources: NDArray[Any], targets: NDArray[Any]) -> Keys:
    """The key of each pair of vertex numbers below 2^31."""
    low, high = np.minimum(sources, targets).astype(np.int64), np.maximum(sources, targets).astype(np.int64)
    keys: Keys = low << 32 | high << 1 | (sources > targets)
    return keys


def ends_of(keys: Keys) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The smaller and the larger end of each key."""
    return keys >> 32, (keys & 0xFFFFFFFF) >> 1


def encode(keys: Keys) -> tuple[bytes, bytes]:
    """Sorted keys as two columns of bytes."""
    smaller = np.diff(keys >> 32, prepend=0).astype("<u4")
    return smaller.tobytes(), (keys & 0xFFFFFFFF).astype("<u4").tobytes()


def decode(smaller: Any, larger: Any) -> Keys:
    """What `encode` was given."""
    keys = np.cumsum(np.frombuffer(smaller, "<u4"), dtype=np.int64)
    keys <<= 32
    keys |= np.frombuffer(larger, "<u4")
    return keys


def colour(vertices: NDArray[np.int64], p: int) -> NDArray[np.int64]:
    """One of p colours for each vertex."""
    return ((vertices.astype(np.uint64) * MIXER) >> np.uint64(33)).astype(np.int64) % p


def block_of(keys: Keys, p: int) -> NDArray[np.int64]:
    """The block of the two colours of each edge: i·p + j for colours i ≤ j."""
    low, high = (colour(ends, p) for ends in ends_of(keys))
    return np.minimum(low, high) * p + np.maximum(low, high)


def blocks_of(batches: Iterator[Any], p: int) -> Iterator[Any]:
    """Pairs of vertex numbers as rows of block and keys; a pair without a target is a vertex without edges."""
    waiting: list[tuple[NDArray[np.int64], Keys]] = []
    number = 0
    for batch in batches:
        block, keys = _pairs_in(batch, p)
        waiting.append((block, keys))
        number += len(keys)
        if number >= CHUNK:
            yield _sorted_blocks(waiting)
            waiting, number = [], 0
    if number:
        yield _sorted_blocks(waiting)


def _pairs_in(batch: Any, p: int) -> tuple[NDArray[np.int64], Keys]:
    lone = batch.column(1).is_null().to_numpy(zero_copy_only=False)
    sources = batch.column(0).to_numpy().astype(np.int64)
    targets = batch.column(1).fill_null(0).to_numpy().astype(np.int64)
    targets[lone] = sources[lone]
    keys = keys_of(sources, targets)
    block = block_of(keys, p)
    block[sources == targets] = LOOPS
    block[lone] = LONE
    return block, keys


def _sorted_blocks(waiting: list[tuple[NDArray[np.int64], Keys]]) -> Any:
    """One row for each block that occurs."""
    block = np.concatenate([each for each, _ in waiting])
    keys = np.concatenate([each for _, each in waiting])
    order = np.argsort(block, kind="stable")
    block, keys = block[order], keys[order]
    first = np.flatnonzero(np.diff(block, prepend=LONE - 1))
    rows = [encode(np.sort(part)) for part in np.split(keys, first[1:])]
    return _batch(block=block[first].astype(np.int32), smaller=_column(rows, 0), larger=_column(rows, 1))


def gather_block(rows: Any) -> Any:
    """All rows of one block as one, each edge once, with what was dropped to get there."""
    import pyarrow

    block = rows.column("block")[0].as_py()
    keys = np.concatenate(_keys_in(rows))
    keys.sort()
    directed = keys[np.diff(keys, prepend=-1) != 0]
    edges = directed[np.diff(directed >> 1, prepend=-1) != 0]
    counts = (len(edges), len(keys) - len(directed), len(directed) - len(edges))
    if block < 0:
        counts = (0, len(keys), 0)
    smaller, larger = encode(edges & ~1)
    return pyarrow.Table.from_batches(
        [
            _batch(
                block=np.array([block], np.int32),
                smaller=[smaller],
                larger=[larger],
                edges=np.array(counts[:1]),
                repeated=np.array(counts[1:2]),
                reciprocal=np.array(counts[2:]),
            )
        ]
    )


def _keys_in(rows: Any) -> list[Keys]:
    return [
        decode(smaller.as_buffer(), larger.as_buffer())
        for smaller, larger in zip(rows.column("smaller"), rows.column("larger"), strict=True)
    ]


def _column(rows: list[tuple[bytes, bytes]], place: int) -> list[bytes]:
    return [row[place] for row in rows]


def _batch(**columns: Any) -> Any:
    import pyarrow

    arrays = [pyarrow.array(column) for column in columns.values()]
    return pyarrow.RecordBatch.from_arrays(arrays, list(columns))


# ---------------------------------------------------------------------------- counting


def tasks(p: int) -> list[tuple[int, int]]:
    """Which block goes to which task, as pairs (task, block).

    Three colours i < j < k make a task of the three blocks between them, two colours i < j one of theirs and the one
    between. A task is the number of its colours in the base p + 1, the absent third one being p.
    """
    if p == 1:
        return [(_task(0, 0, 1, p), 0)]
    pairs = [(i, j) for j in range(p) for i in range(j)]
    of_two = [(_task(i, j, p, p), a * p + b) for i, j in pairs for a, b in ((i, i), (i, j), (j, j))]
    of_three = [
        (_task(i, j, k, p), a * p + b)
        for i, j in pairs
        for k in range(j + 1, p)
        for a, b in ((i, j), (i, k), (j, k))
    ]
    return of_two + of_three


def _task(i: int, j: int, k: int, p: int) -> int:
    return (i * (p + 1) + j) * (p + 1) + k


def _colours(task: int, p: int) -> tuple[int, int, int]:
    first_two, k = divmod(task, p + 1)
    return *divmod(first_two, p + 1), k


def count_task(rows: Any, p: int) -> Any:
    """The triangles over each edge that one task finds, an array for each block.

    Between three colours every triangle has an edge in each block. In a task of two colours i < j all triangles of its
    blocks are counted; those of one colour would be counted with every other colour, so they are taken out again
    unless this is the task of that colour and the lowest other one.
    """
    import pyarrow

    blocks = [block.as_py() for block in rows.column("block")]
    parts = _keys_in(rows)
    counts = np.split(mutual_friends_of(np.concatenate(parts)), np.cumsum([len(part) for part in parts])[:-1])
    low, high, third = _colours(rows.column("task")[0].as_py(), p)
    for place, block in enumerate(blocks):
        i, j = divmod(block, p)
        other = low + high - i
        if i == j and third == p and p > 1 and other != (0 if i else 1):
            counts[place] = counts[place] - mutual_friends_of(parts[place])
    found = [place for place, count in enumerate(counts) if count.any()]
    batches = [_counts(blocks[place], counts[place]) for place in found]
    empty = pyarrow.schema([("block", pyarrow.int32()), ("width", pyarrow.int32()), ("counts", "binary")])
    return pyarrow.Table.from_batches(batches, None if batches else empty)


def mutual_friends_of(keys: Keys) -> NDArray[np.int32]:
    """The mutual friends of each edge in the graph of these edges, by the kernel that counts on one machine."""
    import numba

    from graphveil.graph import Graph
    from graphveil.mutual import mutual_friends
    from graphveil.numbering import number_ids

    numba.set_num_threads(1)  # Spark runs as many tasks as there are cores
    ids = np.stack(ends_of(keys), axis=1).ravel()
    labels, numbers = number_ids(ids)
    del ids
    return mutual_friends(
        Graph(numbers.reshape(-1, 2), len(labels))
    )  # which counts whatever the order of the rows


def _counts(block: int, counts: NDArray[np.int32]) -> Any:
    """An array of counts in as few bytes as hold them."""
    width = next(width for width in (1, 2, 4) if counts.max(initial=0) < 1 << 8 * width)
    return _batch(
        block=np.array([block], np.int32),
        width=np.array([width], np.int32),
        counts=[counts.astype(f"<u{width}").tobytes()],
    )


def add_counts(rows: Any) -> Any:
    """The edges of a block, in a row of their own, with the sum of all counts of its other rows."""
    import pyarrow

    total, edges = None, None
    for row in range(rows.num_rows):
        smaller, larger, width, counts = (
            rows.column(name)[row] for name in ("smaller", "larger", "width", "counts")
        )
        if smaller.is_valid:
            edges = smaller.as_buffer(), larger.as_buffer()
        else:
            some = np.frombuffer(counts.as_buffer(), f"<u{width.as_py()}")
            total = some.astype(np.int32) if total is None else total + some
    assert edges is not None, "a block without edges was counted"
    total = np.zeros(edges[0].size // 4, np.int32) if total is None else total
    summed = _counts(rows.column("block")[0].as_py(), total)
    batch = pyarrow.RecordBatch.from_arrays(
        [summed["block"], *(pyarrow.array([each.to_pybytes()]) for each in edges), *summed.columns[1:]],
        ["block", "smaller", "larger", "width", "counts"],
    )
    return pyarrow.Table.from_batches([batch])


# ---------------------------------------------------------------------------- from counted blocks to rows


def counted_in(batch: Any) -> Iterator[tuple[Keys, NDArray[np.int32]]]:
    """Keys and counts of every block in a batch."""
    for row in range(batch.num_rows):
        smaller, larger, width, counts = (
            batch.column(name)[row] for name in ("smaller", "larger", "width", "counts")
        )
        numbers = np.frombuffer(counts.as_buffer(), f"<u{width.as_py()}").astype(np.int32)
        yield decode(smaller.as_buffer(), larger.as_buffer()), numbers


def edges_of(batches: Iterator[Any]) -> Iterator[Any]:
    """One row for each edge: its ends, the smaller one first, and its mutual friends."""
    for batch in batches:
        for keys, counts in counted_in(batch):
            for first in range(0, len(keys), CHUNK):
                u, v = ends_of(keys[first : first + CHUNK])
                yield _batch(
                    u=u.astype(np.int32), v=v.astype(np.int32), mutual_friends=counts[first : first + CHUNK]
                )


def plain_edges_of(batches: Iterator[Any]) -> Iterator[Any]:
    """One row for each edge of blocks that are not counted: its ends, the smaller one first."""
    for batch in batches:
        for keys in _keys_in(batch):
            u, v = ends_of(keys)
            yield _batch(u=u.astype(np.int32), v=v.astype(np.int32))


def edited(batches: Iterator[Any], deleted: Keys) -> Iterator[Any]:
    """One row for each edge that is not deleted: its ends, the smaller one first."""
    for batch in batches:
        for keys, _ in counted_in(batch):
            kept = keys[~np.isin(keys, deleted)]
            for first in range(0, len(kept), CHUNK):
                u, v = ends_of(kept[first : first + CHUNK])
                yield _batch(u=u.astype(np.int32), v=v.astype(np.int32))


def degrees_of(batches: Iterator[Any]) -> Iterator[Any]:
    """For each block the vertices that occur in it, and on how many of its edges; on none in the blocks below 0."""
    for batch in batches:
        for row, block in enumerate(batch.column("block")):
            smaller, larger = (batch.column(name)[row].as_buffer() for name in ("smaller", "larger"))
            ends = ends_of(decode(smaller, larger))
            vertices, degrees = np.unique(np.concatenate(ends), return_counts=True)
            degrees = degrees if block.as_py() >= 0 else np.zeros_like(degrees)
            yield _batch(vertex=vertices.astype(np.int32), degree=degrees)


def histogram_of(batches: Iterator[Any]) -> Iterator[Any]:
    """For each block how many of its edges have each number of mutual friends."""
    for batch in batches:
        for _, counts in counted_in(batch):
            values, numbers = np.unique(counts, return_counts=True)
            yield _batch(mutual_friends=values, edges=numbers)


def exposed_edges_of(batches: Iterator[Any], values: NDArray[np.int64]) -> Iterator[Any]:
    """The edges whose mutual-friend count is one of the values, as `edges_of` gives them."""
    for batch in batches:
        for keys, counts in counted_in(batch):
            yield _rows(keys, counts, np.isin(counts, values))


def touching(batches: Iterator[Any], vertices: NDArray[np.int32]) -> Iterator[Any]:
    """The edges with an end among the vertices, as `edges_of` gives them."""
    for batch in batches:
        for keys, counts in counted_in(batch):
            smaller, larger = (np.isin(ends, vertices) for ends in ends_of(keys))
            yield _rows(keys, counts, smaller | larger)


def between(batches: Iterator[Any], some: NDArray[np.int32], others: NDArray[np.int32]) -> Iterator[Any]:
    """The edges from some vertices to others, as `edges_of` gives them."""
    for batch in batches:
        for keys, counts in counted_in(batch):
            forwards, backwards = _leading(keys, some, others)
            yield _rows(keys, counts, forwards | backwards)


def numbers_between(
    batches: Iterator[Any], some: NDArray[np.int32], others: NDArray[np.int32]
) -> Iterator[Any]:
    """For each block how many of its edges lead from each of some vertices to others."""
    for batch in batches:
        for keys, _ in counted_in(batch):
            forwards, backwards = _leading(keys, some, others)
            low, high = ends_of(keys)
            yield _numbers(np.concatenate((low[forwards], high[backwards])))


def friends_of(batches: Iterator[Any], vertices: NDArray[np.int32]) -> Iterator[Any]:
    """For each block the vertices that its edges join to some vertices, and how many of these each."""
    for batch in batches:
        for keys, _ in counted_in(batch):
            low, high = ends_of(keys)
            yield _numbers(np.concatenate((high[np.isin(low, vertices)], low[np.isin(high, vertices)])))


def _leading(
    keys: Keys, some: NDArray[np.int32], others: NDArray[np.int32]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which edges lead from one of some vertices to one of others: from the smaller end, and from the larger one."""
    low, high = ends_of(keys)
    return (np.isin(low, some) & np.isin(high, others), np.isin(high, some) & np.isin(low, others))


def _numbers(vertices: NDArray[np.int64]) -> Any:
    """Every vertex and how often it occurs."""
    distinct, numbers = np.unique(vertices, return_counts=True)
    return _batch(vertex=distinct.astype(np.int32), number=numbers)


def among(batches: Iterator[Any], vertices: NDArray[np.int32]) -> Iterator[Any]:
    """The rows of some vertices."""
    import pyarrow

    for batch in batches:
        yield batch.filter(pyarrow.array(np.isin(batch.column("vertex").to_numpy(), vertices)))


def _rows(keys: Keys, counts: NDArray[np.int32], chosen: NDArray[np.bool_]) -> Any:
    u, v = ends_of(keys[chosen])
    return _batch(u=u.astype(np.int32), v=v.astype(np.int32), mutual_friends=counts[chosen])
