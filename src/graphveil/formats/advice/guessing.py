"""How a text is cut, where the caller does not say: its delimiter, its comments, and whether it has a header.

A delimiter must cut half of the first rows or more into the same number of columns, at least two. Tabs win over any
other. Of the rest the one is taken whose first two fields show no trace of another. Blanks are the last choice: names
hold blanks, and in a file called .csv, or under a header with commas, they are never taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import InputError, ParameterError, warn
from graphveil.formats.advice.column_names import find_ends, is_header, words_of
from graphveil.formats.advice.vocabulary import NO, YES
from graphveil.formats.dialect import BLANKS, NAMES, Dialect, Row, first_rows
from graphveil.formats.parsed import INTEGER, File
from graphveil.words import plain

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


USUAL = "#%"
LOOKED_AT = 1000  # comments
LONGEST = 1000  # bytes of a comment that are looked at


def marks_of(file: File) -> str:
    """The characters that open a comment."""
    return USUAL if file.how.comments is None else file.how.comments


def count_comments(file: File) -> int:
    """How many lines are comments; of very many those within quotation marks count too."""
    found = len(list(_comments(file)))
    return (
        found if found < LOOKED_AT else sum(file.raw.count(b"\n" + mark.encode()) for mark in marks_of(file))
    )


def ask_for_comments(file: File, dialect: Dialect, rows: Sequence[Row]) -> None:
    """Refuse a comment that has as many columns as the rows, unless the caller said what comments begin with.

    Above the rows it may name the columns, so there it must share an id with the rows, or with another such line.
    """
    if file.how.comments is not None or not rows:
        return
    width = Counter(row.width for row in rows).most_common(1)[0][0]
    ids, written = {field for row in rows for field in row.fields[:2]}, set[str]()
    for start in _comments(file):
        content = file.raw[start : start + LONGEST].splitlines()[0]
        if dialect.delimiter == BLANKS and content[1:2].isspace():
            continue  # a word in prose
        cut = replace(dialect, comments=np.empty(0, np.uint8), skip=(0, 1))
        row = next(iter(first_rows(np.frombuffer(content, np.uint8), cut, 1)), None)
        if row is None or not row.width == width > 1 or not all(row.fields):
            continue
        fields = [row.fields[0][1:].strip(), *row.fields[1:]]
        above = start < rows[0].after[0]
        shared = not ids.isdisjoint(fields) or not written.isdisjoint(row.fields)
        written.update(row.fields[:2])
        if is_header(fields) or find_ends(fields) or (above and not shared):
            continue
        problem = f"{plain(content.decode(errors='replace'), 40)} begins as a comment, and has {width} columns as a row"
        remedy = 'If it is a row, say comments="". If it is a comment, say comments="#%".'
        line = file.raw.count(b"\n", 0, start) + 1
        raise InputError(file.path, problem, line=line, remedy=remedy)


def _comments(file: File) -> Iterator[int]:
    """Where the first comments begin; a line within quotation marks is none."""
    marks = marks_of(file).encode()
    if not any(bytes([mark]) in file.raw for mark in marks):  # found far sooner than with a line end before
        return
    quoted = place = 0
    for found in islice(re.finditer(rb"(?:\A|\n)[" + re.escape(marks) + rb"]", file.raw), LOOKED_AT):
        quoted += file.raw.count(b'"', place, found.start()) if file.how.quotes else 0
        place = found.start()
        if quoted % 2 == 0:
            yield found.end() - 1


def shows_header(rows: list[Row], ids: Sequence[str | int]) -> bool | None:
    """Whether the first row is a header, where the first rows can tell; by columns without ids, if not by its words."""
    if rows and (is_header(rows[0].fields) or _is_index_header(rows)):
        return True
    if len(rows) < 2 or rows[0].width != rows[1].width:
        return None
    for place, name in enumerate(rows[0].fields):
        below = [row.fields[place] for row in rows[1:] if place < row.width]
        if place in ids or not name:
            continue
        if (_is_number(below[0]) and not _is_number(name)) or _is_other(name, below):
            return True
    return None


def _is_index_header(rows: list[Row]) -> bool:
    """Whether pandas wrote the row: nothing above the index, and a name above each column."""
    first, *names = rows[0].fields
    return not first and len(names) > 1 and all(names) and len(rows) > 1 and rows[1].fields[0] == "0"


def _is_other(name: str, below: Sequence[str]) -> bool:
    """Whether all values of a column have a digit or an @, or say yes or no, and its first does not."""
    if name.lower() not in YES | NO and {each.lower() for each in below} <= YES | NO:
        return True
    return (
        len(below) > 5 and not re.search("[0-9@]", name) and all(re.search("[0-9@]", each) for each in below)
    )


def _is_number(field: str) -> bool:
    return re.fullmatch(r"[+-]?[0-9]+(?:[.,][0-9]*)?(?:[eE][+-]?[0-9]+)?", field) is not None


def could_be_header(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the ids of the first row name columns, judged by those of the second row."""
    if not find_ends(first):
        return False
    stems = {word for name in first for word in words_of(name) if len(word) > 1}
    below = {re.sub(r"[^a-z]", "", field.lower())[: len(stem)] for field in second for stem in stems}
    return not stems & below


def ask_for_header(path: str, line: int, ids: Sequence[str], *, few: bool) -> None:
    """The first line may name the columns or two people: say how it is taken, or refuse to guess."""
    first, second = (plain(name, 40) for name in ids)
    remedy = "Say header=True if this line names the columns, and header=False if it does not."
    if not few:
        problem = f"a header, or a friendship of {first} and {second}, who have no other"
        raise InputError(path, problem, line=line, remedy=remedy)
    words = f"taken for a friendship of {first} and {second}, who have no other"
    warn(f"{plain(path)}, line {line}: {words}. {remedy}")
