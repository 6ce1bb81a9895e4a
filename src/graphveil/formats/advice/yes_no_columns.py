"""Rows that say of themselves that they are no friendships: a column of yes and no, weights of zero, refusals.

A table of all pairs would otherwise become a graph in which everybody knows everybody.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice

from graphveil.errors import InputError
from graphveil.formats.advice.column_names import ready_made, words_of
from graphveil.formats.advice.vocabulary import ENDED, IDS, NO, REFUSALS, STATUS, WEIGHTS, YES
from graphveil.formats.dialect import BLANKS, Row
from graphveil.formats.parsed import File
from graphveil.formats.rows import Text
from graphveil.origin import Caution
from graphveil.words import plain

EMPTY = frozenset(["", "na", "nan", "null", "none"])
ZERO = re.compile(r"[+-]?0+(?:[.,]0*)?")
NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]*)?(?:[eE][+-]?[0-9]+)?")
SAYS_NO, SAYS_YES = "says no, or is 0, in some rows", "says yes, or is 1, in some rows"
MOST_ROWS = 20_000  # that are looked at, if the first say only yes
MOST_BYTES = 4_000_000  # of these


def denied_rows(file: File, text: Text, rows: Sequence[Row], *, header: bool) -> tuple[Caution, ...]:
    """Refuse a list of edges of which some rows are none; a caution if the caller chose the columns."""
    below = [row.fields for row in rows[header:]]
    width = rows[0].width if rows else 0
    names = rows[0].fields if header else [""] * width
    for place in range(width):
        if place in text.columns or (header and not names[place].strip()):  # pandas gives its index no name
            continue
        shown = plain(names[place], 40) if header else f"{place + 1}"
        cells = {row[place] for row in below if place < len(row)}
        if said := denial(names[place], cells, whole=partial(_cells, file, text, place)):
            problem = f"the column {shown} {said}: these may be no friendships"
            if file.how.columns is None:
                choice = ready_made(rows[0].fields, text.columns) if header else "columns=[0, 1]"
                remedy = f"Drop these rows. If every row is a friendship, choose the columns ({choice})."
                no = _says_yes if said == SAYS_YES else _says_no
                line = next((row.line for row in rows[header:] if no(row, place)), None)
                raise InputError(file.path, problem, line=line, remedy=remedy)
            return (Caution("refusals", f"{problem[0].upper()}{problem[1:]}.", "Drop these rows."),)
        if caution := _refusal(shown, words_of(names[place]), cells):
            return (caution,)
    return ()


def _says_no(row: Row, place: int) -> bool:
    """Whether this row says of itself that it is no friendship."""
    said = row.fields[place].strip().lower() if place < len(row.fields) else ""
    return said in NO | REFUSALS or ZERO.fullmatch(said) is not None


def _says_yes(row: Row, place: int) -> bool:
    """The same where the column says what has ended."""
    return place < len(row.fields) and row.fields[place].strip().lower() in YES


def denial(name: str, cells: Iterable[str], whole: Callable[[], Iterable[str]] | None = None) -> str:
    """How a column says that some rows are no friendships; empty if it does not.

    It says no of some rows and yes of others, has weights of which some are 0, or says that some rows were refused or
    wait for an answer. ``whole`` gives more cells, and is asked only if these leave it open.

    >>> denial("friends", ["yes", "no"]), denial("friends", ["yes"]), denial("weight", ["3", "0"])
    ('says no, or is 0, in some rows', '', 'says no, or is 0, in some rows')
    >>> denial("status", ["accepted", "pending"]), denial("since", ["0", "2019"]), denial("id", ["0", "1"])
    ('says pending in some rows', '', '')
    >>> denial("deleted", ["0", "1"])
    'says yes, or is 1, in some rows'
    """
    words = set(words_of(name))
    if words & IDS:
        return ""
    values = _said(cells)
    if values and values <= NO | YES:
        seen = values if values & NO or whole is None else _said(whole())
        said = SAYS_YES if words & ENDED else SAYS_NO
        return said if seen & NO and seen & YES else ""
    if values and (words & WEIGHTS or not name) and all(map(NUMBER.fullmatch, values)):
        seen = values if any(map(ZERO.fullmatch, values)) or whole is None else _said(whole())
        return SAYS_NO if any(map(ZERO.fullmatch, seen)) else ""
    if values & REFUSALS or words & STATUS:
        seen = values if values & REFUSALS or whole is None else _said(whole())
        refused = seen & REFUSALS
        return f"says {min(refused)} in some rows" if refused and (seen - refused or words & STATUS) else ""
    return ""


def _said(cells: Iterable[str]) -> set[str]:
    return {cell.strip().lower() for cell in cells} - EMPTY


def _refusal(shown: str, words: tuple[str, ...], cells: Iterable[str]) -> Caution | None:
    """A caution if a column names friendships that were refused, ended or are negative."""
    said = _said(cells)
    refused = sorted(said & REFUSALS)
    negative = {"rating", "sign", "sentiment", *WEIGHTS}.intersection(words) and any(
        NUMBER.fullmatch(each) and each.startswith("-") for each in said
    )
    if refused:
        says = refused[0]
    elif ENDED.intersection(words) and said:
        says = "when some friendships ended"
    elif negative:
        says = "that some rows are negative"
    else:
        return None
    message = f"The column {shown} says {says}, but every row is read as a friendship."
    return Caution("refusals", message, "Drop the rows that are no friendships.")


def _cells(file: File, text: Text, place: int) -> set[str]:
    """The values of a column in many rows, cut in the simplest way; it need not be exact."""
    lines = islice(file.raw[:MOST_BYTES].decode("utf-8", "replace").splitlines(), MOST_ROWS)
    delimiter = text.dialect.delimiter
    cut = map(str.split, lines) if delimiter == BLANKS else csv.reader(lines, delimiter=chr(delimiter))
    return {row[place] for row in cut if place < len(row)}
