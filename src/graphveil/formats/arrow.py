"""Names of a text edge list, cut and numbered by Arrow, which takes half the time of our own kernels.

Arrow's reader knows neither comments nor runs of blanks, trims nothing and forgives misplaced quotation marks. So it is
asked only where none of these occurs, and whatever it complains about is read row by row, which names the line.
"""

from __future__ import annotations

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
    content = data.tobytes() if len(data) >= SMALL else b""
    if not content or text.ragged or not _is_plain(content, text):
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
            pyarrow.BufferReader(content),
            arrow.ReadOptions(column_names=names, block_size=1 << 24),
            arrow.ParseOptions(
                delimiter=chr(text.dialect.delimiter or 32),
                quote_char='"' if text.dialect.quote else False,
                newlines_in_values=bool(text.dialect.quote) and b'"' in content,
            ),
            arrow.ConvertOptions(
                column_types=dict.fromkeys(chosen, pyarrow.large_string()),
                include_columns=chosen,
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
                null_values=[""],
            ),
        )
        sources, targets = (table.column(name).combine_chunks() for name in chosen)
        if sources.null_count:
            return None
        lone = targets.is_null().to_numpy(zero_copy_only=False) if targets.null_count else None
        if lone is not None:
            targets = pyarrow.compute.coalesce(targets, sources)
        labels, pairs = number_columns(sources, targets)
    except (pyarrow.ArrowException, UnicodeError):
        return None
    if text.dialect.delimiter != BLANKS and (b" " in content or b"\t" in content) and _has_margins(labels):
        return None
    if lone is None:
        return Ids(text, pairs, pairs[:0, 0], width, labels)
    return Ids(text, pairs[~lone], pairs[lone, 0], width, labels)


def _has_margins(labels: NDArray[Any]) -> bool:
    """Whether a name begins or ends with a blank, which our kernels do not count."""
    return any(label[:1] in " \t" or label[-1:] in " \t" for label in labels if label)


def _is_plain(content: bytes, text: Text) -> bool:
    """Whether Arrow reads the text as our own kernels do."""
    if b"\r" in content and content.count(b"\r") != content.count(b"\r\n"):
        return False
    marks = [bytes([mark]) for mark in text.dialect.comments]
    if any(mark in content and (content.startswith(mark) or b"\n" + mark in content) for mark in marks):
        return False
    data = np.frombuffer(content, np.uint8)
    if text.dialect.delimiter == BLANKS and (b"\t" in content or not _blanks_are_single(data)):
        return False
    return not text.dialect.quote or _quotes_are_plain(data, text.dialect.delimiter or 32)


def _blanks_are_single(data: NDArray[np.uint8]) -> bool:
    """Whether each blank is alone, within a line."""
    blanks = np.flatnonzero(data == 32)
    if not len(blanks) or blanks[0] == 0 or blanks[-1] == len(data) - 1:
        return False
    around = np.concatenate((data[blanks - 1], data[blanks + 1]))
    return not bool(((around == 32) | (around == 10) | (around == 13)).any())


def _quotes_are_plain(data: NDArray[np.uint8], delimiter: int) -> bool:
    """Whether each quotation mark opens a field or closes it, in turn, and none is doubled."""
    marks = np.flatnonzero(data == ord('"'))
    if not len(marks):
        return True
    if len(marks) % 2:
        return False
    outside = np.array([delimiter, 10, 13], np.uint8)
    opening, closing = marks[0::2], marks[1::2]
    before = data[opening[opening > 0] - 1]
    after = data[closing[closing < len(data) - 1] + 1]
    return bool(np.isin(before, outside).all() and np.isin(after, outside).all())
