"""Edge lists as text: two columns of ids, cut and parsed by the kernel in `graphveil.kernels.text`.

Ids are integers only if every one of them is the canonical decimal of a number of 64 bits, so that 007 and 7 stay
two people; otherwise all are names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import InputError, ParameterError
from graphveil.graph import number_ids
from graphveil.io.dialect import (
    BLANKS,
    Dialect,
    Row,
    choose_columns,
    could_be_names,
    first_rows,
    names_two_ends,
    sniff_delimiter,
)
from graphveil.io.parsed import Parsed

__all__ = ["EDGELESS", "INTEGER", "read_edge_list", "reject_binary"]

EDGELESS = b"# graphveil: no edges"  # opens a list without edges, which would else be taken for a mistake
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
HINTS = {"csv": 44, "tsv": 9}
BOM = b"\xef\xbb\xbf"


def read_edge_list(
    path: str,
    raw: bytes,
    format: str,
    *,
    delimiter: str | None,
    columns: Sequence[str | int] | None,
    header: bool | None,
    comments: str,
    quotes: bool,
) -> Parsed:
    """Read a list of edges; what the caller leaves open is found out as `graphveil.io.dialect` tells."""
    reject_binary(path, raw)
    text = _Text(path, np.frombuffer(raw, np.uint8), raw.count(b"\n") + raw.count(b"\r") + 1)
    start = (len(BOM), 1) if raw.startswith(BOM) else (0, 1)
    marks = np.frombuffer(comments.encode(), np.uint8)
    dialect = Dialect(_delimiter_byte(delimiter), ord('"') if quotes else 0, marks, start)
    if delimiter is None:
        dialect = replace(dialect, delimiter=sniff_delimiter(path, text.data, dialect, HINTS.get(format)))
    rows = first_rows(text.data, dialect, 2)
    if header is None:
        header = True if any(isinstance(column, str) for column in columns or ()) else _shows_header(rows)
    chosen = choose_columns(path, rows[0], columns, bool(header)) if rows else (0, 1)
    scan, header = _scan_all(text, dialect, chosen, rows, header)
    if not scan.rows and not raw[start[0] :].startswith(EDGELESS):
        raise _without_edges(path, raw, scan, rows)
    labels, numbers = _number(path, scan)
    width = len(rows[0].fields) if rows else 2
    names = rows[0].fields if header else [f"column {position + 1}" for position in range(width)]
    return Parsed(
        labels,
        numbers[0::2],
        numbers[1::2],
        edge_attributes=() if columns else tuple(names[c] for c in range(scan.width) if c not in chosen),
        line_of=lambda pair: _scan(text, scan.dialect, chosen, scan.integers, pair + 1).line,
    )


def reject_binary(path: str, raw: bytes) -> None:
    """Refuse what is no text in UTF-8 at first sight."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        remedy = "Convert it first, for example with: iconv -f UTF-16 -t UTF-8"
        raise InputError(path, "the text is in UTF-16, not in UTF-8", remedy=remedy)
    if (zero := raw.find(b"\0")) >= 0:
        remedy = "It may be a binary file, or text in UTF-16: convert it to text in UTF-8."
        line = raw.count(b"\n", 0, zero) + 1
        raise InputError(path, "a zero byte, which no text contains", line=line, remedy=remedy)


@dataclass(frozen=True)
class _Text:
    path: str
    data: NDArray[np.uint8]
    lines: int  # at most so many


@dataclass(frozen=True)
class _Scan:
    """What the kernel found."""

    dialect: Dialect
    integers: bool
    pairs: NDArray[np.int64]
    status: int
    rows: int
    lone: int
    width: int
    columns: int
    line: int
    comments: int
    pool: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    lines: NDArray[np.int64]


def _scan(
    text: _Text, dialect: Dialect, chosen: tuple[int, int], integers: bool, limit: int | None = None
) -> _Scan:
    from graphveil.kernels.text import scan

    pairs = np.empty((text.lines, 2), np.int64)
    how = *dialect.skip, dialect.delimiter, dialect.quote, dialect.comments, *chosen
    found = scan(text.data, *how, integers, text.lines if limit is None else limit, pairs)
    return _Scan(dialect, integers, pairs, *found)


def _scan_all(
    text: _Text, dialect: Dialect, chosen: tuple[int, int], rows: list[Row], header: bool | None
) -> tuple[_Scan, bool]:
    """Read as integers, or else as names; and settle whether the first row is a header where that is open."""
    if header and rows:
        return _scan_ids(text, dialect.after(rows[0]), chosen, len(rows[0].fields)), True
    ids = [[row.fields[c] for c in chosen] for row in rows if max(chosen) < len(row.fields)]
    if header is None and ids and not any(map(INTEGER.fullmatch, ids[0])):
        scan = _scan(text, dialect.after(rows[0]), chosen, integers=True)
        if scan.status == 0 and scan.rows:
            return scan, True
        scan = _scan_ids(text, dialect, chosen)
        if len(ids) == 2 and could_be_names(*ids) and not (scan.pairs[1 : scan.rows] < 2).any():
            return _scan_ids(text, dialect.after(rows[0]), chosen, len(rows[0].fields)), True
        return scan, False
    return _scan_ids(text, dialect, chosen), False


def _scan_ids(text: _Text, dialect: Dialect, chosen: tuple[int, int], width: int | None = None) -> _Scan:
    from graphveil.kernels import text as kernel

    scan = _scan(text, dialect, chosen, integers=True)
    if scan.status == kernel.NOT_INTEGER:
        scan = _scan(text, dialect, chosen, integers=False)
    if scan.status != kernel.DONE:
        raise _what_is_wrong(text.path, scan)
    if width is not None and scan.rows and scan.width != width:
        problem = f"the header names {width} columns, and the lines below have {scan.width}"
        raise InputError(
            text.path, problem, line=dialect.skip[1] - 1, remedy="Correct the header, or name the delimiter."
        )
    return scan


def _number(path: str, scan: _Scan) -> tuple[NDArray[Any], NDArray[np.int64]]:
    ids = scan.pairs[: scan.rows].ravel()
    if scan.integers:
        return number_ids(ids, scan.pairs[len(scan.pairs) - scan.lone :, 0])
    pool, offsets = scan.pool.tobytes(), scan.offsets.tolist()
    labels = np.empty(len(scan.lines), object)
    for number, (start, end) in enumerate(pairwise(offsets)):
        try:
            labels[number] = pool[start:end].decode()
        except UnicodeDecodeError:
            remedy = "Convert the file to UTF-8, for example with: iconv -f LATIN1 -t UTF-8"
            raise InputError(
                path,
                f"a name that is no text in UTF-8 ({pool[start:end]!r})",
                line=int(scan.lines[number]),
                remedy=remedy,
            ) from None
    return labels, ids


def _shows_header(rows: list[Row]) -> bool | None:
    """Whether the first row is a header, where two rows can tell."""
    if names_two_ends(rows[0].fields) if rows else False:
        return True
    if len(rows) == 2 and len(rows[0].fields) == len(rows[1].fields):
        further = zip(rows[0].fields[2:], rows[1].fields[2:], strict=True)
        if any(_is_number(below) and name and not _is_number(name) for name, below in further):
            return True
    return None


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _delimiter_byte(delimiter: str | None) -> int:
    if delimiter is None or delimiter == "" or (delimiter.isspace() and delimiter != "\t"):
        return BLANKS
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n\0':
        raise ParameterError(f"a delimiter is one ASCII character, not {delimiter!r}")
    return ord(delimiter)


def _what_is_wrong(path: str, scan: _Scan) -> InputError:
    from graphveil.kernels import text as kernel

    close = "Close it, double it if it belongs to a name, or read with quotes off."
    choose = "Correct the line, or name the delimiter."
    problem, remedy = {
        kernel.UNCLOSED: ("a quotation mark is opened and never closed", close),
        kernel.TRAILING: ("something follows a closing quotation mark", close),
        kernel.RAGGED: (f"{_columns(scan.columns)} where the lines before have {scan.width}", choose),
        kernel.NARROW: (
            f"it has {_columns(scan.columns)}, and others were asked for",
            "Choose the columns anew, or name the delimiter.",
        ),
        kernel.MISSING: ("the first id is missing", "Fill it in, or drop the line."),
        kernel.LONE: (
            "one id where two are expected",
            "Part all columns in the same way, or name the delimiter.",
        ),
    }[scan.status]
    return InputError(path, problem, line=scan.line, remedy=remedy)


def _columns(number: int) -> str:
    return f"{number} column{'s' * (number != 1)}"


def _without_edges(path: str, raw: bytes, scan: _Scan, rows: list[Row]) -> InputError:
    if not raw:
        return InputError(path, "the file is empty", remedy="Check how it was made.")
    if not rows:
        return InputError(path, "there are only comments and blank lines", remedy="Check how it was made.")
    if not scan.lone:
        return InputError(path, "there is a header and no edge below it", remedy="Check how it was made.")
    return InputError(
        path, "no line has two ids", line=rows[0].line, remedy="Name the delimiter, or check the file."
    )
