"""Names of a text edge list, cut and numbered by Arrow, which takes half the time of our own kernels.

Arrow's reader knows neither comments nor runs of blanks, trims nothing and forgives misplaced quotation marks. So it is
asked only where none of these occurs, and whatever it complains about is read row by row, which names the line.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.formats.dialect import BLANKS, first_rows
from graphveil.formats.rows import Ids, Text
from graphveil.numbering import number_columns

SMALL = 1 << 16  # bytes; below, loading Arrow takes longer than reading


def names_by_arrow(text: Text) -> Ids | None:
    """The ids as names; None where they must be read row by row."""
    data = text.data[text.dialect.skip[0] :]
    if len(data) < SMALL or text.ragged or not _is_plain(data, text):
        return None
    rows = first_rows(text.data, text.dialect, 1)
    width = rows[0].width if rows else 0
    if width <= max(text.columns):
        return None
    import pyarrow.compute
    from pyarrow import csv as arrow

    names = [str(position) for position in range(width)]
    chosen = [names[position] for position in text.columns]
    try:
        table = arrow.read_csv(
            pyarrow.BufferReader(pyarrow.py_buffer(data)),
            arrow.ReadOptions(column_names=names, block_size=1 << 24),
            arrow.ParseOptions(
                delimiter=chr(text.dialect.delimiter or 32),
                quote_char='"' if text.dialect.quote else False,
                newlines_in_values=bool(text.dialect.quote) and _has(data, b'"'),
            ),
            arrow.ConvertOptions(
                column_types=dict.fromkeys(chosen, pyarrow.large_string()),
                include_columns=chosen,
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
                null_values=[""],
            ),
        )
        sources, targets = (table.column(name) for name in chosen)
        del table
        if sources.null_count:
            return None
        lone = targets.is_null().to_numpy() if targets.null_count else None
        if lone is not None:
            targets = pyarrow.compute.coalesce(targets, sources)
        labels, pairs = number_columns(sources, targets)
    except (pyarrow.ArrowException, UnicodeError):
        return None
    if text.dialect.delimiter != BLANKS and _has(data, b" ", b"\t") and _has_margins(labels):
        return None
    if lone is None:
        return Ids(text, pairs, pairs[:0, 0], width, labels)
    return Ids(text, pairs[~lone], pairs[lone, 0], width, labels)


def _has_margins(labels: NDArray[Any]) -> bool:
    """Whether a name begins or ends with a blank, which our kernels do not count."""
    return any(label[:1] in " \t" or label[-1:] in " \t" for label in labels if label)


def _has(data: NDArray[np.uint8], *pieces: bytes) -> bool:
    """Whether a text has one of these pieces; a regular expression finds them without a copy of it."""
    return any(re.search(re.escape(piece), data.data) for piece in pieces)


def _is_plain(data: NDArray[np.uint8], text: Text) -> bool:
    """Whether Arrow reads the text as our own kernels do."""
    if _has(data, b"\r") and re.search(rb"\r(?!\n)", data.data):
        return False
    marks = [bytes([mark]) for mark in text.dialect.comments]
    if any(_has(data, mark) and (_has(data[:1], mark) or _has(data, b"\n" + mark)) for mark in marks):
        return False
    if text.dialect.delimiter == BLANKS and (_has(data, b"\t") or not _blanks_are_single(data)):
        return False
    if not text.dialect.quote or not _has(data, b'"'):
        return True
    return _quotes_are_plain(data, text.dialect.delimiter or 32)


def _blanks_are_single(data: NDArray[np.uint8]) -> bool:
    """Whether each blank is alone, within a line."""
    at_the_ends = _has(data[:1], b" ") or _has(data[-1:], b" ")
    return not at_the_ends and not _has(data, b"  ", b" \n", b" \r", b"\n ", b"\r ")


def _quotes_are_plain(data: NDArray[np.uint8], delimiter: int) -> bool:
    """Whether each quotation mark opens a field or closes it, in turn, and none is doubled."""
    marks = np.flatnonzero(data == ord('"'))
    if len(marks) % 2:
        return False
    outside = np.array([delimiter, 10, 13], np.uint8)
    opening, closing = marks[0::2], marks[1::2]
    before = data[opening[opening > 0] - 1]
    after = data[closing[closing < len(data) - 1] + 1]
    return bool(np.isin(before, outside).all() and np.isin(after, outside).all())
