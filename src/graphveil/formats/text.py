"""Edge lists as text.

Ids are integers only if every one of them is the canonical decimal of a number of 64 bits, so that 007 and 7 stay
two people; otherwise all are names. Integers put the vertices in ascending order, names in that of their appearance.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from graphveil.errors import InputError, ParameterError
from graphveil.formats.dialect import (
    BLANKS,
    Dialect,
    Row,
    choose_columns,
    could_be_names,
    first_rows,
    names_two_ends,
    sniff_delimiter,
)
from graphveil.formats.parsed import INTEGER, Parsed
from graphveil.formats.rows import Ids, Text, line_of_pair, read_integers, read_names
from graphveil.numbering import number_ids
from graphveil.words import plain

__all__ = ["EDGELESS", "read_edge_list", "reject_binary"]

EDGELESS = b"# graphveil: no edges"  # opens a list without edges, which would else be taken for a mistake

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
    """Read a list of edges; what the caller leaves open is found out as `graphveil.formats.dialect` tells."""
    reject_binary(path, raw)
    data = np.frombuffer(raw, np.uint8)
    start = (len(BOM), 1) if raw.startswith(BOM) else (0, 1)
    if not comments.isascii():
        raise ParameterError(f"comments open with ASCII characters, not with {comments!r}")
    marks = np.frombuffer(comments.encode(), np.uint8)
    dialect = Dialect(_delimiter_byte(delimiter), ord('"') if quotes else 0, marks, start)
    if delimiter is None:
        dialect = replace(dialect, delimiter=sniff_delimiter(path, data, dialect, HINTS.get(format)))
    rows = first_rows(data, dialect, 2)
    if header is None:
        header = True if any(isinstance(column, str) for column in columns or ()) else _shows_header(rows)
    chosen = (0, 1)
    if rows:
        chosen = choose_columns(path, rows[0].fields, columns, header=bool(header), line=rows[0].line)
    ids, header = _read_ids(Text(path, data, dialect, chosen), rows, header)
    if not len(ids.pairs) and not raw[start[0] :].startswith(EDGELESS):
        raise _without_edges(path, raw, ids, rows)
    labels, numbers = (
        (ids.names, ids.pairs) if ids.names is not None else number_ids(ids.pairs.ravel(), ids.lone)
    )
    names = rows[0].fields if header else [f"column {position + 1}" for position in range(ids.width)]
    return Parsed(
        labels,
        numbers.reshape(-1, 2),
        edge_attributes=() if columns else tuple(names[c] for c in range(ids.width) if c not in chosen),
        line_of=lambda pair: line_of_pair(ids.text, pair),
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


def _read_ids(text: Text, rows: list[Row], header: bool | None) -> tuple[Ids, bool]:
    """The ids, and whether the first row is a header, where that was open."""
    if not rows or header is False:
        return read_integers(text) or read_names(text), False
    below = replace(text, dialect=text.dialect.after(rows[0]))
    if header:
        return _under(rows[0], read_integers(below) or read_names(below)), True
    ids = [[row.fields[c] for c in text.columns] for row in rows if max(text.columns) < row.width]
    if not ids or any(map(INTEGER.fullmatch, ids[0])):
        return read_integers(text) or read_names(text), False
    integers = read_integers(below)
    if integers is not None and len(integers.pairs):
        return _under(rows[0], integers), True
    names = read_names(text)
    if len(ids) == 2 and could_be_names(*ids) and not (names.pairs[1:] < 2).any():
        return _under(rows[0], read_names(below)), True
    if max(text.columns) < rows[0].width and len(names.pairs) > 1 and not (names.pairs[1:] < 2).any():
        first, second = (plain(name, 40) for name in ids[0])
        warnings.warn(
            f"{plain(text.path)}, line {rows[0].line}: taken for a friendship of {first} and {second}, who have no "
            "other. Say --header if this line names the columns, and --no-header if it does not.",
            stacklevel=2,
        )
    return names, False


def _under(header: Row, ids: Ids) -> Ids:
    if len(ids.pairs) and ids.width != header.width:
        problem = f"the header names {header.width} columns, and the lines below have {ids.width}"
        remedy = "Correct the header, or name the delimiter (--delimiter)."
        raise InputError(ids.text.path, problem, line=header.line, remedy=remedy)
    return ids


def _shows_header(rows: list[Row]) -> bool | None:
    """Whether the first row is a header, where two rows can tell."""
    if rows and names_two_ends(rows[0].fields):
        return True
    if len(rows) == 2 and rows[0].width == rows[1].width:
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
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter.isalnum() or delimiter in '"\0':
        raise ParameterError(
            f"a delimiter is one ASCII character, no letter and no digit, not {delimiter!r}. Turn it into one first, "
            r"for example with: sed 's/::/\t/g'"
        )
    return ord(delimiter)


def _without_edges(path: str, raw: bytes, ids: Ids, rows: list[Row]) -> InputError:
    remedy = "Check how it was made."
    if not raw:
        return InputError(path, "the file is empty", remedy=remedy)
    if not rows:
        return InputError(path, "there are only comments and blank lines", remedy=remedy)
    if not len(ids.lone):
        return InputError(path, "there is a header and no edge below it", remedy=remedy)
    return InputError(
        path,
        "no line has two ids",
        line=rows[0].line,
        remedy="Name the delimiter (--delimiter), or check the file.",
    )
