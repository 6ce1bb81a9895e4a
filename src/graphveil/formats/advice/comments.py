"""Lines that begin with # or %: comments, or rows whose first id begins so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from graphveil.errors import InputError
from graphveil.formats.advice.column_names import find_ends, is_header
from graphveil.formats.dialect import BLANKS, Dialect, Row, first_rows
from graphveil.formats.parsed import File
from graphveil.words import plain

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

    Above the rows it may name the columns, so there it must have an id of the rows too.
    """
    if file.how.comments is not None or not rows:
        return
    width = Counter(row.width for row in rows).most_common(1)[0][0]
    ids = {field for row in rows for field in row.fields[:2]}
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
        if is_header(fields) or find_ends(fields) or (above and not ids.intersection(fields)):
            continue
        problem = f"{plain(content.decode(errors='replace'), 40)} begins as a comment, and has {width} columns as a row"
        remedy = 'If it is a row, say comments="". If it is a comment, say comments="#%".'
        line = file.raw.count(b"\n", 0, start) + 1
        raise InputError(file.path, problem, line=line, remedy=remedy)


def _comments(file: File) -> Iterator[int]:
    """Where the first comments begin; a line within quotation marks is none."""
    marks = marks_of(file).encode()
    if not any(b"\n" + bytes([mark]) in file.raw or file.raw[:1] == bytes([mark]) for mark in marks):
        return
    quoted = place = 0
    for found in islice(re.finditer(rb"(?:\A|\n)[" + re.escape(marks) + rb"]", file.raw), LOOKED_AT):
        quoted += file.raw.count(b'"', place, found.start()) if file.how.quotes else 0
        place = found.start()
        if quoted % 2 == 0:
            yield found.end() - 1
