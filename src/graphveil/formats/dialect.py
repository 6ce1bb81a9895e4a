"""How a text edge list is written: its delimiter, its header, which two columns hold the ids.

Nothing is guessed that the caller has said. What is left is read off the first rows:

- a delimiter must cut half of the rows or more into the same number of columns, at least two; a tab wins over any
  other, and of the rest the one whose first two fields show no trace of another;
- the first row is a header if it names the two ends of an edge (``source,target``, ``from,to``, …), or if its ids are
  no integers while all that follow are, or if a further column is a number everywhere but in the first row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import InputError, ParameterError
from graphveil.words import plain

__all__ = [
    "Dialect",
    "choose_columns",
    "could_be_names",
    "first_rows",
    "may_pass_for_names",
    "names_two_ends",
    "sniff_delimiter",
]

BLANKS = 0  # the delimiter of lists whose columns are parted by runs of blanks
NAMES = {BLANKS: "blanks", 9: "tabs", 44: "commas", 59: "semicolons", 124: "vertical bars"}
SAMPLE = 200  # rows that are looked at

# Pairs of column names that mean the two ends of an edge, as letters and digits only.
ENDS = (
    ("source", "target"),
    ("src", "dst"),
    ("src", "dest"),
    ("source", "destination"),
    ("from", "to"),
    ("sourceid", "targetid"),
    ("fromid", "toid"),
    ("fromnodeid", "tonodeid"),
    ("fromnode", "tonode"),
    ("follower", "followee"),
)
# Pairs that mean it too, but might as well be the first edge: believed only if nothing like them occurs again.
POSSIBLE_ENDS = re.compile(
    r"(?P<stem>[a-z]{2,})(?:1 (?P=stem)2|a (?P=stem)b)|user friend|person friend|sender receiver"
)


@dataclass(frozen=True)
class Dialect:
    """How the bytes are to be cut; `skip` is where the data begins, and in which line."""

    delimiter: int
    quote: int
    comments: NDArray[np.uint8]
    skip: tuple[int, int] = (0, 1)

    def after(self, row: Row) -> Dialect:
        """The same dialect for what comes behind a row."""
        return replace(self, skip=row.after)


@dataclass(frozen=True)
class Row:
    """A row as it was cut, the line it begins in, and where the next one begins, in which line."""

    fields: list[str]
    quoted: list[bool]
    width: int  # columns, even if not all fields are given
    line: int
    after: tuple[int, int]


def first_rows(
    data: NDArray[np.uint8], dialect: Dialect, count: int, most_fields: int | None = None
) -> list[Row]:
    """The first rows with data, up to one whose quotation marks are wrong, and the first fields of each."""
    from graphveil.kernels.text import next_field, next_row

    rows: list[Row] = []
    slices = np.zeros((2, 3), np.int64)
    after = dialect.skip
    delimiter, quote, comments = dialect.delimiter, dialect.quote, dialect.comments
    while len(rows) < count:
        columns, line, *after = next_row(data, *after, delimiter, quote, comments, 0, 1, slices)
        if columns <= 0:
            break
        fields, quoted = [], []
        position = slices[0, 0] - (slices[0, 2] != 0)
        for _ in range(columns if most_fields is None else min(columns, most_fields)):
            start, end, kind, position, _ = next_field(data, position, delimiter, quote)
            fields.append(data[start:end].tobytes().decode(errors="replace"))
            quoted.append(bool(kind))
        rows.append(Row(fields, quoted, int(columns), int(line), (int(after[0]), int(after[1]))))
    return rows


def sniff_delimiter(path: str, data: NDArray[np.uint8], dialect: Dialect, hint: int | None) -> int:
    """The delimiter that fits the first rows; ``hint`` is what the file's name suggests."""
    fitting, clean = [], []
    within_names = _only_quoted(data, dialect)
    for delimiter in (9, 44, 59, 124, BLANKS):
        if delimiter not in (hint, BLANKS) and chr(delimiter) in within_names:
            continue
        rows = first_rows(data, replace(dialect, delimiter=delimiter), SAMPLE, most_fields=2)
        widths = Counter(row.width for row in rows)
        width, frequency = max(widths.items(), key=lambda item: item[1], default=(0, 0))
        if width < 2 or 2 * frequency < len(rows):
            continue
        ids = [field for row in rows for field in row.fields]
        quoted = [is_quoted for row in rows for is_quoted in row.quoted]
        if delimiter == 9:
            if 2 * sum(map(bool, ids)) > len(ids):
                return 9
            continue  # tabs in a row are blanks
        fitting.append(delimiter)
        traces = set(" \t,;|") - {chr(delimiter)}
        pure = (known or traces.isdisjoint(field) for field, known in zip(ids, quoted, strict=True))
        if 2 * sum(pure) > len(ids):
            clean.append(delimiter)
    choices = clean or [delimiter for delimiter in fitting if delimiter != BLANKS]
    if len(choices) > 1:
        if hint in fitting:
            return hint
        problem = "its columns might be parted by " + " or by ".join(NAMES[choice] for choice in choices)
        raise InputError(path, problem, remedy="Name the one (--delimiter).")
    return choices[0] if choices else BLANKS


def _only_quoted(data: NDArray[np.uint8], dialect: Dialect) -> set[str]:
    """The characters that only occur within quotes if blanks part the first rows: they belong to names."""
    rows = first_rows(data, replace(dialect, delimiter=BLANKS), SAMPLE, most_fields=2)
    if 2 * sum(row.width >= 2 for row in rows) < len(rows):
        return set()
    inside, outside = set[str](), set[str]()
    for row in rows:
        for field, known in zip(row.fields, row.quoted, strict=True):
            (inside if known else outside).update(field)
    return inside - outside


def names_two_ends(fields: Sequence[str]) -> tuple[int, int] | None:
    """The columns whose names mean the two ends of an edge, if there are such."""
    words = [_letters(field) for field in fields]
    return next(((words.index(a), words.index(b)) for a, b in ENDS if a in words and b in words), None)


def may_pass_for_names(first: str, second: str) -> bool:
    """Whether two ids in the first row of a list might be taken for names of columns, whatever follows."""
    return bool(names_two_ends([first, second]) or could_be_names([first, second], []))


def could_be_names(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the two ids of the first row might be names of columns, judged by those of the second row."""
    match = POSSIBLE_ENDS.fullmatch(" ".join(map(_letters, first)))
    stem = match and match["stem"]
    return match is not None and not (stem and any(_letters(field).startswith(stem) for field in second))


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def choose_columns(
    path: str, fields: Sequence[str], columns: Sequence[str | int] | None, *, header: bool, line: int | None
) -> tuple[int, int]:
    """Positions of the two columns with the ids, in a file whose first row has these fields."""
    if columns is None:
        found = names_two_ends(fields) if header else None
        if found is None and header and not fields[0]:
            problem = "the first column has no name and may count the rows"
            raise InputError(
                path, problem, line=line, remedy="Choose the two columns with the ids (--columns)."
            )
        return found or (0, 1)
    if len(columns) != 2 or columns[0] == columns[1]:
        raise ParameterError(
            f"columns must be two different ones, by name or by position from 0, not {columns!r}"
        )
    first, second = (_position(path, fields, column, line) for column in columns)
    return first, second


def _position(path: str, fields: Sequence[str], column: str | int, line: int | None) -> int:
    if isinstance(column, str):
        if column not in fields:
            remedy = f"There are: {', '.join(plain(field, 40) for field in fields)}."
            raise InputError(path, f"no column is named {column!r}", line=line, remedy=remedy)
        return fields.index(column)
    if not 0 <= column < len(fields):
        problem = f"there is no column at position {column}, counted from 0, among {len(fields)}"
        raise InputError(
            path, problem, line=line, remedy="Choose others, or name the delimiter (--delimiter)."
        )
    return column
