"""From ids of any kind to vertex numbers 0…n−1: integers in ascending order, all others as they first appear."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pyarrow

PIECE = 1 << 18  # rows that a thread hashes at a time
WORTH_NUMBERING = 400_000  # integers; below, NumPy sorts them before a kernel is loaded
WORTH_HASHING = 500_000  # edges; below, Arrow numbers their names as fast, and without a kernel


def number_ids(ids: Any, extra: Any = ()) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Distinct ids as an array of labels, and the number of each given id among them.

    Integers are sorted; other ids are numbered as they first appear, ``extra`` ones last.
    """
    extra = extra if isinstance(extra, np.ndarray) else list(extra)
    integers = _as_int64(ids), _as_int64(extra)
    if integers[0] is not None and integers[1] is not None:
        return _number_integers(integers[0], integers[1])
    if isinstance(ids, np.ndarray):
        ids = ids.tolist()
    number: dict[Hashable, int] = {}
    numbers = np.fromiter((number.setdefault(i, len(number)) for i in ids), np.int32, len(ids))
    for i in extra:
        number.setdefault(i, len(number))
    return as_labels(list(number)), numbers


def as_labels(ids: list[Any]) -> NDArray[Any]:
    """Labels as int64 where they are integers that fit, else as an array of Python objects."""
    integers = _as_int64(ids)
    if integers is not None:
        return integers
    return np.fromiter(ids, object, len(ids))


def _as_int64(ids: Any) -> NDArray[np.int64] | None:
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu":
        fits = ids.dtype != np.uint64 or not len(ids) or ids.max() < 2**63
        return ids.astype(np.int64, copy=False) if fits else None
    if isinstance(ids, list) and all(type(i) is int or isinstance(i, np.integer) for i in ids):
        try:
            return np.array(ids, np.int64)
        except OverflowError:
            return None
    return None


def _number_integers(
    ids: NDArray[np.int64], extra: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    if len(extra):
        labels, numbers = _number_integers(np.concatenate((ids, extra)), extra[:0])
        return labels, numbers[: len(ids)]
    numbers = np.empty(len(ids), np.int32)
    if not len(ids):
        return np.empty(0, np.int64), numbers
    if len(ids) < WORTH_NUMBERING:
        few, places = np.unique(ids, return_inverse=True)
        return few, places.astype(np.int32).ravel()
    from graphveil.kernels.pairs import number_dense, number_sparse

    low, high = int(ids.min()), int(ids.max())
    if high - low < 4 * len(ids) + 1024:
        return number_dense(ids, low, np.zeros(high - low + 1, bool), numbers), numbers
    labels = number_sparse(ids, numbers)
    order = np.argsort(labels)
    return labels[order], rank_of(order)[numbers]


def rank_of(order: NDArray[np.int64]) -> NDArray[np.int32]:
    """The place of each number 0…n−1 in an order of them."""
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank


def number_columns(
    sources: pyarrow.Array | pyarrow.ChunkedArray, targets: pyarrow.Array | pyarrow.ChunkedArray
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The same for two Arrow columns without nulls, as labels and an m×2 array of numbers.

    Names become Python objects once each, not once an edge.
    """
    import pyarrow

    columns = [sources, targets]
    first, second = map(_integers_of, columns)
    if first is not None and second is not None:
        labels, numbers = number_ids(np.stack((first, second), axis=1).ravel())
    elif all(map(_is_text, columns)):
        columns = [column.cast(pyarrow.large_string()) for column in columns]
        found = _number_by_hash(columns) if len(sources) >= WORTH_HASHING else None
        if found is not None:
            return found
        encoded = pyarrow.concat_arrays(map(as_array, columns)).dictionary_encode()
        numbers = encoded.indices.to_numpy().reshape(2, -1).T.ravel()
        labels, numbers = _by_appearance(encoded.dictionary.to_numpy(zero_copy_only=False), numbers)
    else:
        pairs = zip(sources.to_pylist(), targets.to_pylist(), strict=True)
        labels, numbers = number_ids([end for pair in pairs for end in pair])
    return labels, numbers.reshape(-1, 2)


class _Piece(NamedTuple):
    """Some rows of a column."""

    side: int
    rows: slice
    names: pyarrow.Array


def _pieces(columns: Sequence[pyarrow.Array | pyarrow.ChunkedArray]) -> Iterator[_Piece]:
    """The columns cut into pieces, one column after the other: threads then write to other lines of the cache."""
    for side, column in enumerate(columns):
        first = 0
        for chunk in getattr(column, "chunks", [column]):
            for start in range(0, len(chunk), PIECE):
                names = chunk.slice(start, PIECE)
                yield _Piece(side, slice(first, first + len(names)), names)
                first += len(names)


def _number_by_hash(
    columns: Sequence[pyarrow.Array | pyarrow.ChunkedArray],
) -> tuple[NDArray[Any], NDArray[np.int32]] | None:
    """The same for many names: hashes are numbered, then every name is compared with the one that it was taken for.

    None if two names have the same hash.
    """

    from graphveil.kernels.names import are_names, first_places, hash_names
    from graphveil.kernels.pairs import number_sparse

    codes = np.empty((len(columns[0]), 2), np.int64)
    numbers = np.empty((len(columns[0]), 2), np.int32)
    pieces = list(_pieces(columns))

    def hashed(piece: _Piece) -> None:
        hash_names(*_bytes_and_offsets(piece.names), codes[piece.rows, piece.side])

    def verified(piece: _Piece) -> bool:
        return bool(are_names(*_bytes_and_offsets(piece.names), numbers[piece.rows, piece.side], *known))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(hashed, pieces))
        places = np.empty(len(number_sparse(codes.ravel(), numbers.ravel())), np.int64)
        first_places(numbers.ravel(), places)
        names = _names_at(pieces, places)
        known = _bytes_and_offsets(names)
        if not all(pool.map(verified, pieces)):
            return None
    return names.to_numpy(zero_copy_only=False), numbers


def _names_at(pieces: Sequence[_Piece], places: NDArray[np.int64]) -> pyarrow.Array:
    """The names at some places, row by row and in each first the source; the places ascend."""
    import pyarrow

    row, side = np.divmod(places, 2)
    of_side = [np.flatnonzero(side == each) for each in range(2)]
    found, order = [], []
    for piece in pieces:
        those = of_side[piece.side]
        first, end = np.searchsorted(row[those], (piece.rows.start, piece.rows.stop))
        found.append(piece.names.take(pyarrow.array(row[those[first:end]] - piece.rows.start)))
        order.append(those[first:end])
    place = np.empty(len(places), np.int64)
    place[np.concatenate(order)] = np.arange(len(places))
    return pyarrow.concat_arrays(found).take(pyarrow.array(place))


def _bytes_and_offsets(column: pyarrow.Array) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The memory of a large_string array."""
    _, offsets, data = column.buffers()
    places = np.frombuffer(offsets, np.int64)[column.offset : column.offset + len(column) + 1]
    return np.frombuffer(data or b"", np.uint8), places


def as_array(column: Any) -> pyarrow.Array:
    """A column of a frame or table as one Arrow array of plain values."""
    import pyarrow

    array = column if isinstance(column, pyarrow.Array | pyarrow.ChunkedArray) else pyarrow.array(column)
    if isinstance(array, pyarrow.ChunkedArray):
        array = array.combine_chunks()
    if pyarrow.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if pyarrow.types.is_string_view(array.type):
        array = array.cast(pyarrow.large_string())
    return array


def _integers_of(column: pyarrow.Array | pyarrow.ChunkedArray) -> NDArray[np.int64] | None:
    import pyarrow

    if pyarrow.types.is_integer(column.type):
        return _as_int64(as_array(column).to_numpy(zero_copy_only=False))
    if not pyarrow.types.is_floating(column.type):
        return None
    # R has no other numbers in data frames, and pandas makes them of integers with a gap: 1.0 is the person 1.
    values = as_array(column).to_numpy(zero_copy_only=False)
    whole = (np.abs(values) < 2**53) & (values == np.trunc(values))
    return values.astype(np.int64) if whole.all() else None


def _is_text(column: pyarrow.Array) -> bool:
    import pyarrow

    return bool(pyarrow.types.is_string(column.type) or pyarrow.types.is_large_string(column.type))


def _by_appearance(
    labels: NDArray[Any], numbers: NDArray[np.int32]
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Number labels anew, in the order in which they appear among the numbers; all do."""
    first = np.empty(len(labels), np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]  # the last value written is the first place
    order = np.argsort(first)
    return labels[order], rank_of(order)[numbers]


def typed(values: Sequence[Any]) -> NDArray[Any]:
    """Values as an array of integers, numbers or truth values if all are such, else of objects; None where missing."""
    kinds = {type(value) for value in values}
    if values and kinds in ({int}, {float}, {int, float}, {bool}):
        array = np.array(values)
        if array.dtype.kind in ("ib" if float not in kinds else "f"):
            return array
    return np.fromiter(values, object, len(values))
