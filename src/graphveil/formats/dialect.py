"""How a text edge list is cut into rows and fields."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLANKS = 0  # the delimiter of lists whose columns are separated by runs of blanks
NAMES = {BLANKS: "blanks", 9: "tabs", 44: "commas", 59: "semicolons", 124: "vertical bars"}
FEW_BYTES = 1 << 19  # of a text that is read before Numba would be loaded and its kernels compiled


def scanner(data: NDArray[np.uint8]) -> tuple[Any, Any]:
    """The functions of `graphveil.kernels.text` for a text, and its bytes as they take them.

    Short texts are scanned by plain Python, which takes bytes faster than an array.
    """
    if len(data) <= FEW_BYTES:
        from graphveil.kernels._jit import interpreted

        return interpreted("text"), data.tobytes()
    from graphveil.kernels import text

    return text, data


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

    @property
    def words(self) -> str:
        """The delimiter in words."""
        return NAMES.get(self.delimiter) or repr(chr(self.delimiter))


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
    scan, text = scanner(data)
    rows: list[Row] = []
    slices = np.zeros((2, 3), np.int64)
    after = dialect.skip
    delimiter, quote, comments = dialect.delimiter, dialect.quote, dialect.comments
    while len(rows) < count:
        columns, line, *after = scan.next_row(text, *after, delimiter, quote, comments, 0, 1, slices)
        if columns <= 0:
            break
        fields, quoted = [], []
        position = slices[0, 0] - (slices[0, 2] != 0)
        for _ in range(columns if most_fields is None else min(columns, most_fields)):
            start, end, kind, position, _ = scan.next_field(text, position, delimiter, quote)
            field = data[start:end].tobytes().decode(errors="replace")
            fields.append(field.replace('""', '"') if kind == scan.DOUBLED else field)
            quoted.append(bool(kind))
        rows.append(Row(fields, quoted, int(columns), int(line), (int(after[0]), int(after[1]))))
    return rows
