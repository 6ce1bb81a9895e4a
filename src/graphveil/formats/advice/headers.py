"""Whether the first row of a table names its columns, where the caller does not say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphveil.errors import InputError, warn
from graphveil.formats.advice.column_names import find_ends, is_header, words_of
from graphveil.formats.dialect import Row
from graphveil.words import plain


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
    """Whether all values of a column have a digit or an @, and its first does not."""
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
