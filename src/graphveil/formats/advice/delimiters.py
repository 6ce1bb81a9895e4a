"""Which character separates the columns of a text, where the caller does not say.

A delimiter must cut half of the first rows or more into the same number of columns, at least two. Tabs win over any
other. Of the rest the one is taken whose first two fields show no trace of another. Blanks are the last choice: names
hold blanks, and in a file called .csv, or under a header with commas, they are never taken.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import InputError, ParameterError
from graphveil.formats.advice.column_names import find_ends
from graphveil.formats.dialect import BLANKS, NAMES, Dialect, Row, first_rows
from graphveil.formats.parsed import INTEGER

SAMPLE = 200  # rows that are looked at
TAB, COMMA = 9, 44
HARD = (TAB, COMMA, 59, 124)


@dataclass(frozen=True)
class _Fit:
    """How well a delimiter cuts the first rows."""

    delimiter: int
    rows: list[Row]

    @property
    def fits(self) -> bool:
        """Whether half of the rows or more have the same number of columns, at least two."""
        widths = Counter(row.width for row in self.rows)
        width, frequency = max(widths.items(), key=lambda item: item[1], default=(0, 0))
        return width >= 2 and 2 * frequency >= len(self.rows) and not self._cuts_decimals

    @property
    def ids(self) -> list[tuple[str, bool]]:
        """The first two fields of all rows, and whether they are quoted."""
        return [field for row in self.rows for field in zip(row.fields, row.quoted, strict=True)]

    @property
    def _cuts_decimals(self) -> bool:
        """Whether these are decimal commas behind columns that are separated by blanks."""
        below = [row.fields for row in self.rows[-(len(self.rows) - 1) or None :] if len(row.fields) == 2]
        return (
            self.delimiter == COMMA
            and bool(below)
            and all(
                re.search(r"[ ;][0-9]+$", first) and re.match("[0-9]+$", second) for first, second in below
            )
        )

    def is_clean(self) -> bool:
        """Whether most ids have no trace of another delimiter; blanks are none within a name."""
        traces = {chr(other) for other in HARD} - {chr(self.delimiter)}
        pure = [quoted or (traces.isdisjoint(field) and "{" not in field) for field, quoted in self.ids]
        return 2 * sum(pure) > len(pure)

    def joins_integers(self) -> bool:
        """Whether most ids are whole numbers."""
        return 2 * sum(bool(INTEGER.fullmatch(field)) for field, _ in self.ids) > len(self.ids)

    def has_blanks(self) -> bool:
        """Whether an id holds blanks that no quotation marks protect."""
        return any(" " in field and not quoted for field, quoted in self.ids)


def sniff_delimiter(path: str, data: NDArray[np.uint8], dialect: Dialect, format: str) -> int:
    """The delimiter that fits the first rows; the format is what the file's name suggests."""
    hint = {"csv": COMMA, "tsv": TAB}.get(format)
    within_names = _only_quoted(data, dialect) if format == "edgelist" else set()
    fits, ragged = {}, [COMMA if format == "csv" else BLANKS]
    for delimiter in (*HARD, BLANKS):
        if delimiter in (hint, BLANKS) or chr(delimiter) not in within_names:
            rows = first_rows(data, replace(dialect, delimiter=delimiter), SAMPLE, most_fields=2)
            if (fit := _Fit(delimiter, rows)).fits:
                fits[delimiter] = fit
            elif delimiter != BLANKS and 2 * sum(row.width > 1 for row in rows) > len(rows):
                ragged.insert(0, delimiter)
    if TAB in fits:
        if 2 * sum(bool(field) for field, _ in fits[TAB].ids) > len(fits[TAB].ids):
            return TAB
        del fits[TAB]  # tabs in a row are blanks
    told = _header_tells(data, dialect)
    if told in fits:
        return told
    blanks = fits.pop(BLANKS, None)
    if format == "csv" or told is not None:
        blanks = None
    choices = [delimiter for delimiter, fit in fits.items() if fit.is_clean()]
    if blanks and blanks.is_clean() and choices and all(fits[choice].has_blanks() for choice in choices):
        choices = [BLANKS] if blanks.joins_integers() else [*choices, BLANKS]
    elif not choices:
        choices = [BLANKS] if blanks and blanks.is_clean() else list(fits)
    if len(choices) > 1:
        if hint in fits:
            return hint
        problem = "its columns might be separated by " + " or by ".join(NAMES[choice] for choice in choices)
        raise InputError(path, problem, remedy="Name the delimiter (delimiter=).")
    return choices[0] if choices else ragged[0]


def _header_tells(data: NDArray[np.uint8], dialect: Dialect) -> int | None:
    """Which of commas, semicolons and bars cuts the first row into names of columns."""
    for delimiter in HARD[1:]:
        rows = first_rows(data, replace(dialect, delimiter=delimiter), 1)
        if rows and rows[0].width >= 2 and find_ends(rows[0].fields):
            return delimiter
    return None


def _only_quoted(data: NDArray[np.uint8], dialect: Dialect) -> set[str]:
    """The characters that only occur within quotes if blanks separate the first rows: they belong to names."""
    rows = first_rows(data, replace(dialect, delimiter=BLANKS), SAMPLE, most_fields=2)
    if 2 * sum(row.width >= 2 for row in rows) < len(rows):
        return set()
    inside, outside = set[str](), set[str]()
    for row in rows:
        for field, known in zip(row.fields, row.quoted, strict=True):
            (inside if known else outside).update(field)
    return inside - outside


def delimiter_byte(delimiter: str) -> int:
    """The byte of a delimiter that was named."""
    if delimiter == "" or (delimiter.isspace() and delimiter != "\t"):
        return BLANKS
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter.isalnum() or delimiter in '"\0':
        raise ParameterError(
            f"a delimiter is one ASCII character, no letter and no digit, not {delimiter!r}. Turn it into one first, "
            r"for example with: sed 's/::/\t/g'"
        )
    return ord(delimiter)
