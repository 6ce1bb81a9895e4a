"""Two columns of a text as arrays, block by block, with the kernels of `graphveil.kernels.text`.

Short texts go through the same functions as plain Python (`graphveil.formats.dialect.scanner`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import InputError
from graphveil.formats.dialect import Dialect, first_rows, scanner
from graphveil.repeated import taken, typed_texts
from graphveil.words import plain

BLOCK = 1 << 14  # rows
MOST_BAD = 10  # rows that may be skipped beside as many as are good
CANONICAL = re.compile(rb"0|-?[1-9][0-9]{0,18}")  # what the kernel takes for an integer
DOUBLED = 2  # as in the kernel: a field in quotation marks, with doubled ones inside


@dataclass(frozen=True)
class Text:
    """A text, how it is written, and which two columns of it are wanted."""

    path: str
    data: NDArray[np.uint8]
    dialect: Dialect
    columns: tuple[int, int] = (0, 1)
    ragged: bool = False  # the number of columns may change from line to line
    guessed: bool = False  # the delimiter was found out, not named
    skip_bad_rows: bool = False


@dataclass(frozen=True)
class Ids:
    """The ids in the two columns: integers, or the numbers of names."""

    text: Text
    pairs: NDArray[Any]
    lone: NDArray[Any]
    width: int  # columns of every line
    names: NDArray[Any] | None = None
    skipped: tuple[int, ...] = ()  # lines of bad rows


class _Rows:
    """A walk over the rows of a text."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.scan, self.data = scanner(text.data)
        self.position, self.line = text.dialect.skip
        self.width = -1 if text.ragged else 0
        self.good, self.skipped = 0, list[int]()

    def plain(self, pairs: NDArray[np.int64], count: int) -> int:
        """Put the pairs of lines that begin with two plain integers behind ``count`` others; the new count."""
        if isinstance(self.data, bytes):  # as plain Python it is not faster than `blocks`
            return count
        how = self.text.dialect.delimiter, self.text.dialect.quote
        rows, self.position, self.width = self.scan.plain_rows(
            self.data, self.position, *how, self.width, pairs, count
        )
        self.line += rows - count
        self.good += rows - count
        return int(rows)

    def blocks(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Slices and lines of the rows, in blocks; an error at the first line that is not as it should be."""
        dialect = self.text.dialect
        how = dialect.delimiter, dialect.quote, dialect.comments, *self.text.columns
        slices, lines = np.empty((BLOCK, 6), np.int64), np.empty(BLOCK, np.int64)
        status = self.scan.MORE
        while status == self.scan.MORE:
            status, rows, self.position, self.line, self.width, columns = self.scan.cut_rows(
                self.data, self.position, self.line, *how, self.width, slices, lines
            )
            self.good += rows
            if status < 0:
                self._skip(int(lines[rows]), status, columns)
                status = self.scan.MORE
            yield slices[:rows], lines[:rows]

    def _skip(self, line: int, status: int, columns: int) -> None:
        """Leave a bad row out, if that is wanted; an error if not, or if most rows are bad."""
        self.skipped.append(line)
        broken = status in (self.scan.UNCLOSED, self.scan.TRAILING)  # nobody knows where the next row begins
        if not self.text.skip_bad_rows or broken or len(self.skipped) > self.good + MOST_BAD:
            raise _what_is_wrong(self.text, line, status, columns, self.width)

    def integers(self, slices: NDArray[np.int64], values: NDArray[np.int64]) -> bool:
        """Write the ids of a block of rows as integers; whether all are such."""
        if not isinstance(self.data, bytes):
            return bool(self.scan.parse_integers(self.data, slices, values))
        for side in (0, 1):
            spans = slices[:, 3 * side : 3 * side + 2].tolist()
            words = [self.data[start:end] if start >= 0 else b"0" for start, end in spans]
            if not all(map(CANONICAL.fullmatch, words)):
                return False
            try:
                values[:, side] = list(map(int, words))
            except OverflowError:
                return False
        return True


def read_integers(text: Text) -> Ids | None:
    """The ids as integers; None if one of them is not the canonical decimal of a number of 64 bits."""
    if _begins_with_names(text):
        return None
    walk = _Rows(text)
    pairs = np.empty((_most_lines(walk, text.dialect.skip[0]), 2), np.int64)
    fast = text.columns == (0, 1)
    count = walk.plain(pairs, 0) if fast else 0
    lone = [np.empty(0, np.int64)]
    for slices, _ in walk.blocks():
        values = np.empty((len(slices), 2), np.int64)
        if not walk.integers(slices, values):
            return None
        paired = slices[:, 3] >= 0
        new = int(np.count_nonzero(paired))
        pairs[count : count + new] = values[paired]
        lone.append(values[~paired, 0])
        count = walk.plain(pairs, count + new) if fast else count + new
    return Ids(text, pairs[:count], np.concatenate(lone), walk.width, skipped=tuple(walk.skipped))


def _begins_with_names(text: Text) -> bool:
    """Whether an id of the first row is no integer, which is seen sooner than by cutting a block of rows."""
    rows = first_rows(text.data, text.dialect, 1)
    ids = [rows[0].fields[column] for column in text.columns if column < rows[0].width] if rows else []
    return any(name and not CANONICAL.fullmatch(name.encode()) for name in ids)


def _most_lines(walk: _Rows, begin: int) -> int:
    if isinstance(walk.data, bytes):
        return walk.data.count(b"\n", begin) + walk.data.count(b"\r", begin) + 1
    return int(walk.scan.count_lines(walk.data[begin:]))


def read_names(text: Text) -> Ids:
    """The ids as names, numbered as they first appear, row by row."""
    walk = _Rows(text)
    names: Names | FewNames = FewNames() if isinstance(walk.data, bytes) else Names()
    pairs, lone = [np.empty((0, 2), np.int32)], [np.empty(0, np.int32)]
    for slices, lines in walk.blocks():
        numbers = names.number(walk.data, slices, lines, text.dialect.quote)
        paired = slices[:, 3] >= 0
        pairs.append(numbers[paired])
        lone.append(numbers[~paired, 0])
    labels = names.decode(text.path)
    return Ids(text, np.concatenate(pairs), np.concatenate(lone), walk.width, labels, tuple(walk.skipped))


def line_of_pair(text: Text, pair: int) -> int | None:
    """The line that gives a pair, counted from 0."""
    for slices, lines in _Rows(text).blocks():
        paired = np.flatnonzero(slices[:, 3] >= 0)
        if pair < len(paired):
            return int(lines[paired[pair]])
        pair -= len(paired)
    return None


def line_of_lone(text: Text) -> int | None:
    """The first line without a second id."""
    for slices, lines in _Rows(text).blocks():
        if len(lone := np.flatnonzero(slices[:, 3] < 0)):
            return int(lines[lone[0]])
    return None


def line_of_no_integer(text: Text) -> int | None:
    """The first line with an id that is no integer."""
    walk, value = _Rows(text), np.empty((1, 2), np.int64)
    for slices, lines in walk.blocks():
        for row, line in enumerate(lines.tolist()):
            if not walk.integers(slices[row : row + 1], value):
                return int(line)
    return None


def zero_fields(text: Text, column: int, rows: int) -> NDArray[np.bool_]:
    """Which rows have the number zero in a column; an error where there is no number."""
    walk = _Rows(replace(text, columns=(0, column)))
    zero, count = np.zeros(rows, bool), 0
    for slices, lines in walk.blocks():
        wrong = walk.scan.are_zero(walk.data, slices, zero[count:])
        if wrong >= 0:
            raise InputError(
                text.path, "a value that is no number", line=int(lines[wrong]), remedy="Correct it."
            )
        count += len(slices)
    return zero


def read_cells(ids: Ids, column: int) -> NDArray[Any]:
    """The values in a further column, one for each pair: numbers or texts, None where a cell is empty."""
    text = replace(ids.text, columns=(ids.text.columns[0], column))
    walk, paired = _Rows(text), _Rows(ids.text)
    names: Names | FewNames = FewNames() if isinstance(walk.data, bytes) else Names()
    numbers = [np.empty(0, np.int32)]
    with_lone = paired.blocks() if len(ids.lone) else None
    for slices, lines in walk.blocks():
        given = slices[:, 3] >= 0
        both = np.ascontiguousarray(slices[:, [3, 4, 5, 3, 4, 5]])
        found = np.where(given, names.number(walk.data, both, lines, text.dialect.quote)[:, 0], -1)
        numbers.append(found if with_lone is None else found[next(with_lone)[0][:, 3] >= 0])
    texts = names.decode(text.path)
    rows = np.concatenate(numbers)

    def complain(value: int, problem: str, remedy: str) -> InputError:
        line = line_of_pair(ids.text, int(np.argmax(rows == value)))
        return InputError(text.path, problem, line=line, remedy=remedy)

    return taken(typed_texts(texts, complain), rows)


class Names:
    """Distinct names, their bytes one behind another in a pool, and a hash table to find them by."""

    def __init__(self) -> None:
        self.count = 0
        self.pool = np.empty(1 << 12, np.uint8)
        self.offsets = np.zeros(1 << 8, np.int64)
        self.lines = np.zeros(1 << 8, np.int64)
        self.table = np.full(1 << 10, -1, np.int64)

    def number(
        self, data: NDArray[np.uint8], slices: NDArray[np.int64], lines: NDArray[np.int64], quote: int = 0
    ) -> NDArray[np.int32]:
        """The numbers of the names in a block of rows."""
        from graphveil.kernels.text import number_names

        self._make_room(slices)
        numbers = np.empty((len(slices), 2), np.int32)
        self.count = number_names(
            data, slices, lines, quote,
            self.pool, self.offsets, self.lines, self.table, self.count, numbers,
        )  # fmt: skip
        return numbers

    def _make_room(self, slices: NDArray[np.int64]) -> None:
        from graphveil.kernels.text import twice_as_large

        self.pool = _with_room(
            self.pool, self.offsets[self.count] + int((slices[:, 1::3] - slices[:, 0::3]).sum())
        )
        self.offsets = _with_room(self.offsets, self.count + 2 * len(slices) + 1)
        self.lines = _with_room(self.lines, self.count + 2 * len(slices))
        while 2 * len(self.table) < 3 * (self.count + 2 * len(slices)):
            self.table = twice_as_large(self.table)

    def decode(self, path: str) -> NDArray[Any]:
        """The names as strings."""
        pool = self.pool[: self.offsets[self.count]].tobytes()
        return _decode(path, pool, self.offsets[: self.count + 1].tolist(), self.lines)


class FewNames:
    """The same for a short text, in a dictionary."""

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}
        self.lines: list[int] = []

    def number(
        self, data: bytes, slices: NDArray[np.int64], lines: NDArray[np.int64], quote: int = 0
    ) -> NDArray[np.int32]:
        """The numbers of the names in a block of rows."""
        found = [
            (self._number(data, span[:3], line, quote), self._number(data, span[3:], line, quote))
            for span, line in zip(slices.tolist(), lines.tolist(), strict=True)
        ]
        return np.array(found, np.int32).reshape(-1, 2)

    def _number(self, data: bytes, span: list[int], line: int, quote: int) -> int:
        start, end, kind = span
        if start < 0:
            return -1
        name = data[start:end]
        if kind == DOUBLED:
            mark = bytes([quote])
            name = name.replace(2 * mark, mark)
        number = self.numbers.setdefault(name, len(self.lines))
        if number == len(self.lines):
            self.lines.append(line)
        return number

    def decode(self, path: str) -> NDArray[Any]:
        """The names as strings."""
        offsets = [0, *accumulate(map(len, self.numbers))]
        return _decode(path, b"".join(self.numbers), offsets, self.lines)


def _decode(path: str, pool: bytes, offsets: list[int], lines: Sequence[int] | NDArray[Any]) -> NDArray[Any]:
    """Names that stand one behind another in a pool, each first seen in one of the lines, as strings."""
    labels = np.empty(len(offsets) - 1, object)
    if pool.isascii():  # one byte a character: cut the decoded text
        text = pool.decode("ascii")
        labels[:] = [text[start:end] for start, end in pairwise(offsets)]
        return labels
    for number, (start, end) in enumerate(pairwise(offsets)):
        try:
            labels[number] = pool[start:end].decode()
        except UnicodeDecodeError:
            problem = f"a name that is not in UTF-8 ({plain(pool[start:end], 40)})"
            remedy = 'Name the encoding of the file (encoding="latin1").'
            raise InputError(path, problem, line=int(lines[number]), remedy=remedy) from None
    return labels


def _with_room(array: NDArray[Any], size: int) -> NDArray[Any]:
    if size <= len(array):
        return array
    larger = np.empty(max(size, 2 * len(array)), array.dtype)
    larger[: len(array)] = array
    return larger


def _what_is_wrong(text: Text, line: int, status: int, columns: int, width: int) -> InputError:
    kernel, _ = scanner(text.data)
    close = "Close it, double it if it belongs to a name, or take it as a letter (quotes=False)."
    number = f"{columns} column{'s' * (columns != 1)}"
    name_it = "name the delimiter (delimiter=)."
    if text.guessed:
        name_it = f"{name_it[:-1]}: the columns are taken to be separated by {text.dialect.words}."
    problem, remedy = {
        kernel.UNCLOSED: ("a quotation mark is opened and never closed", close),
        kernel.TRAILING: ("something follows a closing quotation mark", close),
        kernel.RAGGED: (
            f"{number} where the lines before have {width}",
            f"Correct the line, or {name_it}"
            + (" If a line lists a person and several friends, give one line for each pair." * (width > 2)),
        ),
        kernel.NARROW: (
            f"{number}, too few for the two ends of an edge",
            f"Correct the line, choose other columns (columns=), or {name_it}",
        ),
        kernel.MISSING: ("the first id is missing", "Fill it in, or skip such rows (skip_bad_rows=True)."),
        kernel.LONE: ("one id where two are expected", f"Separate all columns in the same way, or {name_it}"),
    }[status]
    return InputError(text.path, problem, line=line, remedy=remedy)
