"""Tables that could be cut into two ids a row, but are no lists of edges: refused, each with the way out.

They are recognized by their first rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np

from graphveil.errors import InputError
from graphveil.formats.advice.column_names import ChooseColumns, find_ends, ready_made
from graphveil.formats.parsed import File, Parsed

MOMENT = re.compile(
    r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[T ].*)?|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4}(?:[T ].*)?"
    r"|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]+)?"
)
FRACTION = re.compile(r"[+-]?[0-9]+[.,][0-9]+")
Rows = Sequence[Sequence[str]]

ABOVE = 10  # lines that may stand above a header
MESSAGE = re.compile(
    r"\W?[0-9]{1,4}[./-][0-9]{1,2}[./-][0-9]{2,4},? +[0-9]{1,2}[:.][0-9]{2}(?:[:.][0-9]{2})?(?: ?[AaPp]\.?[Mm]\.?)?"
    r"(?:\]| ?[-–]) *[^:]{1,60}:"
)
COUNTS = re.compile(r"(?:number of )?(?:nodes|vertices|edges|links)\s*[:=]\s*[0-9,]+", re.IGNORECASE)
ARROW = re.compile(r"<?[-=–—]+>?|[→↔]")
DRAWN = re.compile(r"[-=+:|]{2,}")
NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")
BETWEEN = re.compile(r"\s*[;,|]\s*")
ROUNDED = re.compile(r"-?[0-9](?:[.,][0-9]+)?[eE]\+[0-9]{2,3}")
PAIRS = "Give a list of edges, one line for each pair"
AS_THEY_ARE = "To take the ids as they are, choose the columns"
MATRIX = f"{PAIRS}, or write the matrix as Matrix Market, for example with scipy.io.mmwrite."


def refuse_lookalikes(
    path: str,
    rows: Rows,
    lines: Sequence[int],
    columns: tuple[int, int],
    *,
    header: bool | None,
    guessed: bool = True,
) -> None:
    """Refuse what is no list of edges, by its first rows, the line that each begins in, and the two columns to take.

    ``header`` is None where it is not known whether the first row names the columns.
    """
    below = rows[1:] if header else rows
    choice = ready_made(rows[0], columns) if header and rows else f"columns=[{columns[0]}, {columns[1]}]"
    if place := _place(rows, _is_drawn):
        problem, remedy = "a line of dashes: this is a table drawn for readers", "Export it as CSV."
    elif (place := _place(rows, _is_message)) is not None:
        problem = "this looks like a chat: each line has a time, a sender and a message, but no recipient"
        remedy = f"{PAIRS}."
    elif guessed and not header and (place := _header_below(rows)):
        problem = "this looks like the header, but lines stand above it"
        remedy = "Drop the lines above it, or say header=False if these are people."
    elif not header and _lists_neighbours(rows):
        problem, place = "each line seems to list a person and several friends", 0
        remedy = f'{PAIRS}, for example with networkx: write_edgelist(read_adjlist(file), "edges.txt").'
    elif not (header and find_ends(rows[0])) and (_is_matrix(below) or _is_named_matrix(rows)):
        problem, remedy, place = "this looks like an adjacency matrix", MATRIX, 0
    elif _in_brackets(below, columns):
        problem, place = "its edges are in brackets", 0
        remedy = (
            f'Write them as JSON, a list of pairs ([["Ann", "Bo"]]), or as CSV. {AS_THEY_ARE} ({choice}).'
        )
    elif _has_lists(below, columns):
        problem, place = "a cell holds several ids", 0
        remedy = f"{PAIRS}, for example with explode of pandas. {AS_THEY_ARE} ({choice})."
    elif not header and (place := _place(rows, _counts)) is not None:
        problem, remedy = (
            "this looks like the number of vertices or edges",
            "Drop the line, or begin it with #.",
        )
    elif _have_arrows(below):
        problem, place = "an arrow or a dash stands between the ids", 0
        remedy = "Choose the columns around it, for example columns=[0, 2]."
    elif not header and not find_ends(rows[0] if rows else ()) and _names_in_pieces(rows):
        problem, place = "each name seems to take several fields", 0
        remedy = "Put names in quotation marks, or only one tab or semicolon between the two of a line."
    else:
        return
    raise InputError(path, problem, line=lines[place], remedy=remedy)


def refuse_neighbour_lists(path: str, rows: Rows, line: int) -> None:
    """Refuse a table without header whose columns all hold ids: a person, and then several friends."""
    width = min(map(len, rows))
    if width < 3 or len(rows) <= 5:
        return
    columns = [{row[place] for row in rows} for place in range(min(width, 12))]
    ids = columns[0] | columns[1]
    if width == 3 and 2 * len(columns[2]) < len(ids):
        return  # more likely weights: they have few values
    if all(len(values) > 5 and 5 * len(values & ids) >= 4 * len(values) for values in columns[2:]):
        problem = "every column holds ids, so each line may list a person and several friends"
        remedy = f"{PAIRS}; or choose two columns, counted from 0 (columns=[0, 1] or columns=[1, 2])."
        raise ChooseColumns(path, problem, line=line, remedy=remedy)


def refuse_rounded(file: File, parsed: Parsed) -> None:
    """Refuse ids that a spreadsheet has rounded, such as 1.23E+11: different people have become one.

    Short ids such as 7E2 stay, because they may be hexadecimal. Spreadsheets and pandas write the plus sign.
    """
    if parsed.labels.dtype.kind != "O":
        return
    if b"+" not in file.raw:  # a single byte is found far sooner than two among many e
        return
    if b"E+" not in file.raw and b"e+" not in file.raw:
        return
    rounded = [place for place, label in enumerate(parsed.labels) if ROUNDED.fullmatch(str(label))]
    if rounded:
        first = parsed.labels[rounded[0]]
        problem = f"the id {first} was rounded by a spreadsheet or by R, which may merge different people"
        pairs = np.flatnonzero((parsed.pairs == rounded[0]).any(axis=1))
        line = parsed.line_of(int(pairs[0])) if len(pairs) else None
        remedy = "Format the column as text (in R: options(scipen = 99)), and export the original ids again."
        raise InputError(file.path, problem, line=line, remedy=remedy)


def refuse_braces(file: File, parsed: Parsed) -> None:
    """Refuse a person called {} without quotes, which networkx writes into a multiline adjacency list."""
    if parsed.labels.dtype.kind == "O" and re.search(rb'(?<!")\{\}', file.raw) and "{}" in parsed.labels:
        problem = "there is a person called {}: this may be a multiline adjacency list"
        raise InputError(file.path, problem, remedy=f"{PAIRS}, for example with networkx.write_edgelist.")


def _place(rows: Rows, fits: Callable[[Sequence[str]], bool]) -> int | None:
    """The first of the first rows that is so."""
    return next((place for place, row in enumerate(rows[:4]) if fits(row)), None)


def _counts(row: Sequence[str]) -> bool:
    """Whether a row says how many there are: Nodes: 3."""
    return COUNTS.fullmatch(" ".join(row)) is not None


def _have_arrows(rows: Rows) -> bool:
    """Whether each row has an arrow in its middle: Ann -> Bo."""
    return len(rows) > 1 and all(len(row) > 2 and ARROW.fullmatch(row[1]) for row in rows)


def _is_drawn(row: Sequence[str]) -> bool:
    filled = [field for field in row if field]
    return bool(filled) and all(map(DRAWN.fullmatch, filled))


def _is_message(row: Sequence[str]) -> bool:
    """Whether a row begins as in a chat: 12/03/20, 10:00 - Ann: hello."""
    return MESSAGE.match(" ".join(row)) is not None


def _names_in_pieces(rows: Rows) -> bool:
    """Whether each row has four or six words, as two names of two or three words have, and the rest never changes."""
    width = min(map(len, rows), default=0)
    if len(rows) < 3 or not 4 <= width == max(map(len, rows)) <= 9:
        return False
    columns = [[row[place] for row in rows] for place in range(width)]
    words = [_are_words(column) for column in columns]
    rest = [column for column, named in zip(columns, words, strict=True) if not named]
    return sum(words) in (4, 6) and all(len(set(column)) == 1 for column in rest)


def _are_words(fields: Sequence[str]) -> bool:
    """Whether fields are words, nearly all with a capital."""
    if any(not field or any(map(str.isdigit, field)) for field in fields):
        return False
    return sum(field[0].isupper() for field in fields) > 0.9 * len(fields)


def _lists_neighbours(rows: Rows) -> bool:
    """Whether every person has one line, and most that stand behind have one too."""
    firsts = {row[0].rstrip(":") for row in rows if row}
    others = [field.rstrip(",") for row in rows for field in row[1:]]
    widths = set(map(len, rows))
    if len(rows) < 3 or len(firsts) < len(rows) or max(widths) < 3 or not all(others):
        return False
    if len(widths) == 1 and any(field[-1:].isdecimal() for field in others):
        return False  # weights or times
    return sum(field in firsts for field in others) >= 0.6 * len(others)


def _header_below(rows: Rows) -> int | None:
    """The first row that names the two ends of an edge in plain words, below others that are narrower or have gaps."""
    for place, row in enumerate(rows[:ABOVE]):
        if any(ends.plain for ends in find_ends(row)):
            alone = place == 1 and list(rows[0]) == [row[0]]  # how `write` says that these are people
            return None if alone else place
        if len(row) > 1 and all(row):
            return None
    return None


def _is_matrix(rows: Rows) -> bool:
    """Whether there is a 0 or a 1 for each pair, or a symmetric table of numbers."""
    width = min(map(len, rows), default=0)
    if width < 3 or not (len(rows) == width or width > len(rows) > 100):
        return False
    if all(field in ("0", "1") for row in rows for field in row):
        return True
    if len(rows) != width or not all(NUMBER.fullmatch(field) for row in rows for field in row):
        return False
    return all(rows[i][j] == rows[j][i] for i in range(width) for j in range(i))


def _is_named_matrix(rows: Rows) -> bool:
    """Whether the first fields of the rows are the names of the columns, one after the other."""
    if len(rows) < 3 or len(rows[0]) < 3:
        return False
    names, below = rows[0][1:], rows[1:]
    return (
        len(set(map(len, below))) == 1
        and len(names) >= len(below)
        and all(row[0] == name for row, name in zip(below, names, strict=False))
        and all(len(field) < 2 or NUMBER.fullmatch(field) for row in below for field in row[1:])
    )


def _in_brackets(rows: Rows, columns: tuple[int, int]) -> bool:
    ids = [(row[columns[0]], row[columns[1]]) for row in rows if max(columns) < len(row)]
    enough = len(ids) > 1 or (bool(ids) and len(rows[0]) > 2)
    return enough and all(first[:1] in ("(", "[") and second[-1:] in (")", "]") for first, second in ids)


def _has_lists(rows: Rows, columns: tuple[int, int]) -> bool:
    """Whether two cells or more hold ids of others, with a comma, a semicolon or a bar between."""
    cells = [[BETWEEN.split(row[column].strip()) for row in rows if column < len(row)] for column in columns]
    single = {parts[0] for parts in (*cells[0], *cells[1]) if len(parts) == 1}
    several = [parts for parts in (*cells[0], *cells[1]) if len(parts) > 1]
    return sum(len(single.intersection(parts)) > 1 for parts in several) > 1


def check_columns(path: str, rows: Sequence[Sequence[str]], line: int) -> None:
    """Refuse a table without header whose first two columns are no ids, but times or fractions, or share none where
    two others share many.
    """
    width = min(map(len, rows))
    if width < 3:
        return
    columns = [{row[place] for row in rows} for place in range(min(width, 12))]
    unlikely = [_is_no_id(values) for values in columns]
    pairs = [
        pair for pair in combinations(range(len(columns)), 2) if not unlikely[pair[0]] | unlikely[pair[1]]
    ]
    shared = {pair: len(columns[pair[0]] & columns[pair[1]]) for pair in pairs}
    better = [pair for pair in pairs if pair != (0, 1) and shared[pair] > 2 and len(columns[pair[0]]) > 5]
    behind = _is_weight_first(columns, shared) or _is_beside(rows, columns, shared)
    if behind or any(unlikely[:2]) or (better and len(rows) > 5 and not shared.get((0, 1), 0)):
        better = [(1, 2), (0, 1)] if behind else better
        choices = (
            better
            if behind
            else sorted(better or pairs or [(0, 1)], key=lambda pair: -shared.get(pair, 0))[:3]
        )
        problem = "the first two columns do not look like the two ends of an edge"
        remedy = "Choose the columns, counted from 0, for example with " + " or ".join(
            f"columns=[{first}, {second}]" for first, second in choices
        )
        raise ChooseColumns(path, problem, line=line, remedy=f"{remedy}.")


def _is_weight_first(columns: Sequence[set[str]], shared: Mapping[tuple[int, int], int]) -> bool:
    """Whether the first column has few whole numbers, and the two behind it have many ids in common."""
    if len(columns) != 3 or not all(value.isdecimal() for value in columns[0]):
        return False
    few, *ids = map(len, columns)
    common = shared.get((1, 2), 0)
    return 2 * few <= min(ids) and 2 * common >= min(ids) and common > max(5, shared.get((0, 1), 0))


def _is_beside(
    rows: Sequence[Sequence[str]], columns: Sequence[set[str]], shared: Mapping[tuple[int, int], int]
) -> bool:
    """Whether the first column numbers the rows, or is a time that never falls, and the two behind it share ids."""
    firsts = [row[0] for row in rows]
    if len(rows) <= 5 or not all(value.isdecimal() for value in firsts):
        return False
    numbers = list(map(int, firsts))
    steps = [after - before for before, after in pairwise(numbers)]
    common = shared.get((1, 2), 0)
    if 4 * common < min(len(columns[1]), len(columns[2])) or common < 3:
        return False
    rows_numbered = all(step == 1 for step in steps) and 2 * len(columns[0] & columns[1]) < len(columns[0])
    many = 2 * len(columns[2]) >= len(columns[1])  # weights have few values
    a_time = many and min(steps) >= 0 and 10 * shared.get((0, 1), 0) < common
    return rows_numbered or a_time


def _is_no_id(values: set[str]) -> bool:
    """Whether all values are moments in time, or all are fractions."""
    return all(map(MOMENT.fullmatch, values)) or all(map(FRACTION.fullmatch, values))
