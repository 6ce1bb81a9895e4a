"""`preview`: the first rows of a file and what would be made of them, before it is read."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphveil.errors import InputError
from graphveil.formats.advice.column_names import ChooseColumns, choose_columns, find_ends, pairs_by_values
from graphveil.formats.parquet import open_parquet, parts_of
from graphveil.formats.parsed import File, Options
from graphveil.formats.reading import open_file
from graphveil.formats.table import FORMATS, FormatName
from graphveil.formats.text import layout_of


@dataclass(frozen=True)
class Preview:
    """What a file looks like. It holds real ids, so `repr` is short."""

    file: str
    format: str | None  # None if it cannot even be opened
    delimiter: str | None = None  # in words; None where the format has none
    header: bool | None = (
        None  # whether the first line names the columns; None where only the whole file can tell
    )
    names: tuple[str, ...] = ()  # of the columns
    rows: tuple[tuple[str, ...], ...] = ()  # the first rows, without the header
    columns: tuple[str, str] | None = None  # the two that would be taken
    positions: tuple[int, int] | None = None  # the same, counted from 0
    candidates: tuple[tuple[str, str], ...] = ()  # pairs to choose from, the plainest first
    places: tuple[tuple[int, int], ...] = ()  # the same, counted from 0
    directed: bool = False  # it declares itself so, as far as the first rows tell
    problem: str | None = None  # why it would be refused, with the way out

    def __repr__(self) -> str:
        return f"Preview({self.file!r}, format={self.format!r}, columns={self.columns!r}, problem={self.problem!r})"


def preview(
    path: str | os.PathLike[str],
    *,
    rows: int = 5,
    format: FormatName | None = None,
    encoding: str | None = None,
    max_memory: int | str | None = None,
    delimiter: str | None = None,
    columns: Sequence[str | int] | None = None,
    header: bool | None = None,
    comments: str | None = None,
    quotes: bool = True,
) -> Preview:
    """Look at the first rows of a file; a file that would be refused is described with the reason, not refused.

    Parameters
    ----------
    path
        The file
    rows
        How many rows to show
    format, encoding, max_memory, delimiter, columns, header, comments, quotes
        As in `graphveil.read`

    Examples
    --------
    >>> import tempfile, pathlib, graphveil
    >>> file = pathlib.Path(tempfile.mkdtemp(), "calls.csv")
    >>> _ = file.write_text("timestamp,caller,callee\\n17,Ann,Bob\\n18,Bob,Carl\\n")
    >>> found = graphveil.preview(file)
    >>> found.columns, found.rows[0], found.delimiter
    (('caller', 'callee'), ('17', 'Ann', 'Bob'), 'commas')
    """
    how = Options(delimiter, columns, header, comments, quotes)
    name = os.fspath(path)
    try:
        file = open_file(path, how, format=format, encoding=encoding, max_memory=max_memory)
    except InputError as error:
        return Preview(name, None, problem=str(error))
    if not FORMATS[file.format].is_table:
        return Preview(name, file.format)
    return _of_parquet(file, rows) if file.format == "parquet" else _of_text(file, rows)


def _of_text(file: File, count: int) -> Preview:
    refusal = None
    try:
        layout = layout_of(file)
    except InputError as error:
        refusal = error
        try:  # cut it all the same, for whoever must choose the columns
            layout = layout_of(replace(file, how=replace(file.how, columns=(0, 1))))
        except InputError:
            return Preview(file.path, file.format, problem=str(refusal))
    names = tuple(layout.names) or tuple(layout.rows[0].fields if layout.rows else ())
    below = layout.rows[1:] if layout.header else layout.rows
    taken = layout.text.columns
    return Preview(
        file.path,
        file.format,
        layout.text.dialect.words,
        layout.header,
        names,
        tuple(tuple(row.fields) for row in below[:count]),
        None if refusal or max(taken) >= len(names) else (names[taken[0]], names[taken[1]]),
        None if refusal else taken,
        directed=layout.directed,
        problem=str(refusal) if refusal else None,
        **_candidates(names, [row.fields for row in below], bool(layout.header), refusal),
    )


def _of_parquet(file: File, count: int) -> Preview:
    parts = parts_of(file.path) if os.path.isdir(file.path) else []
    try:
        opened = open_parquet(file.path, parts[0] if parts else file.raw)
        batch = next(opened.iter_batches(batch_size=count), None)
        names = tuple(opened.schema_arrow.names)
    except (InputError, OSError, ValueError) as error:
        return Preview(file.path, "parquet", problem=str(error))
    cells = [column.to_pylist() for column in batch.columns] if batch is not None else []
    rows = tuple(tuple("" if cell is None else str(cell) for cell in row) for row in zip(*cells, strict=True))
    found = Preview(file.path, "parquet", None, True, names, rows, **_candidates(names, rows, True))
    try:
        taken, directed = choose_columns(file.path, names, file.how.columns, header=True, line=None)
    except InputError as error:
        return replace(found, problem=str(error))
    return replace(found, columns=(names[taken[0]], names[taken[1]]), positions=taken, directed=directed)


def _candidates(
    names: Sequence[str], rows: Sequence[Sequence[str]], header: bool, refusal: InputError | None = None
) -> dict[str, Any]:
    """Pairs of columns to choose from; none if the file is refused for another reason than its columns."""
    if refusal is not None and not isinstance(refusal, ChooseColumns):
        return {}
    pairs = [ends.columns for ends in find_ends(names)] if header else []
    pairs = pairs or pairs_by_values(len(names), rows)[:15]
    return {
        "candidates": tuple((names[first], names[second]) for first, second in pairs),
        "places": tuple(pairs),
    }
