"""Parquet tables: two columns of ids, integers or strings; a row with the first id only is a vertex without edges.

A folder of Parquet files, as Spark writes one, is read as one table.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.errors import GraphError, InputError
from graphveil.formats.advice.column_names import choose_columns, direction_of, words_of
from graphveil.formats.advice.vocabulary import STATUS, WEIGHTS
from graphveil.formats.advice.yes_no_columns import denial
from graphveil.formats.encoding import encode_names, names_of, without_attributes
from graphveil.formats.parsed import File, Parsed, counted_sides, known_attributes
from graphveil.graph import Graph
from graphveil.numbering import as_array, number_columns
from graphveil.origin import Reading
from graphveil.words import plain

if TYPE_CHECKING:
    import pyarrow

MOST_PARTS = 100_000
PER_ROW = 32  # bytes that a row takes in a graph, roughly


def parts_of(folder: str) -> list[Path]:
    """The Parquet files in a folder and below it, in order; what begins with a dot or an underscore does not count."""
    found: list[Path] = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        names = (
            name for name in files if name.endswith((".parquet", ".pq")) and not name.startswith((".", "_"))
        )
        found += [Path(place, name) for name in names]
        if len(found) > MOST_PARTS:
            raise InputError(folder, f"there are more than {MOST_PARTS:,} files in it", remedy="Join some.")
    return sorted(found)


def open_parquet(path: str, source: Any) -> Any:
    """An open Parquet file, from its path or its bytes."""
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(
            pyarrow.BufferReader(source) if isinstance(source, bytes) else source
        )
        _ = file.schema_arrow.names, file.metadata.num_rows
        return file
    except (pyarrow.ArrowException, OSError, UnicodeError, MemoryError) as error:
        raise _damaged(path, error) from None


def read(file: File) -> Parsed:
    """Read two columns of a table, those that name the ends of an edge, or the only two."""
    import pyarrow

    known_attributes(file.path, (), file.how.keep)
    parts = parts_of(file.path) if os.path.isdir(file.path) else []
    opened = [open_parquet(str(part), part) for part in parts] or [open_parquet(file.path, file.raw)]
    names = opened[0].schema_arrow.names
    if any(each.schema_arrow.names != names for each in opened):
        raise InputError(file.path, "its files have different columns", remedy="Name one of them.")
    if len(names) < 2:
        remedy = "Two are needed, one for each end of an edge."
        raise InputError(
            file.path, f"the table has {len(names)} column{'s' * (len(names) != 1)}", remedy=remedy
        )
    chosen, directed = choose_columns(file.path, names, file.how.columns, header=True, line=None)
    rows = rows_of(opened)
    file.claim(f"it declares {rows:,} rows", PER_ROW * rows)
    try:
        if True in {_is_text(file.path, each, place) for each in opened for place in chosen}:
            _check_texts(file, parts or [file.raw], [names[place] for place in chosen])
        columns = [pyarrow.chunked_array(_column(opened, place)) for place in chosen]
        sources, targets = map(_ids, columns)
        if file.how.columns is None:
            _refuse_denials(file, parts or [file.raw], opened, chosen)
    except (pyarrow.ArrowException, OSError, UnicodeError, MemoryError) as error:
        raise _damaged(file.path, error) from None
    if not len(sources) == len(targets) == rows:
        raise _damaged(file.path, ValueError(f"a column does not have the {rows:,} rows that it declares"))
    values = {
        name: _values(file, parts or [file.raw], opened, place)
        for place, name in enumerate(names)
        if name in file.how.wanted and place not in chosen
    }
    return _parsed(file, sources, targets, names, chosen, directed, values)


def _values(file: File, sources: list[Any], opened: list[Any], place: int) -> pyarrow.Array:
    """A further column, if it has one value a row."""
    import pyarrow

    leaf = opened[0].schema_arrow.field(place)
    if any(pyarrow.types.is_nested(each.schema_arrow.field(place).type) for each in opened):
        problem = f"the column {plain(leaf.name, 40)} has lists or objects as values"
        raise InputError(
            file.path, problem, remedy="Only numbers, texts, dates and truth values can be kept."
        )
    _check_texts(file, sources, [leaf.name])
    return as_array(pyarrow.chunked_array(_column(opened, place)))


def rows_of(opened: list[Any]) -> int:
    """The rows that files declare, as a whole or in their parts, whichever is more: by either, they could be read."""
    rows = 0
    for found in (each.metadata for each in opened):
        inner = sum(found.row_group(place).num_rows for place in range(found.num_row_groups))
        rows += max(found.num_rows, inner)
    return rows


def _refuse_denials(file: File, sources: list[Any], opened: list[Any], chosen: tuple[int, int]) -> None:
    """Refuse a table of which a column says that some rows are no friendships."""
    import pyarrow

    for place, leaf in enumerate(opened[0].schema_arrow):
        if place in chosen or not (
            pyarrow.types.is_boolean(leaf.type) or (WEIGHTS | STATUS).intersection(words_of(leaf.name))
        ):
            continue
        if any(pyarrow.types.is_nested(each.schema_arrow.field(place).type) for each in opened):
            continue  # not one value a row
        _check_texts(file, sources, [leaf.name])
        values = pyarrow.chunked_array(_column(opened, place)).unique().to_pylist()
        if said := denial(leaf.name, map(str, values)):
            problem = f"the column {plain(leaf.name, 40)} {said}: these may be no friendships"
            remedy = "Drop these rows. If every row is a friendship, choose the columns (columns=)."
            raise InputError(file.path, problem, remedy=remedy)


def _column(opened: list[Any], place: int) -> list[Any]:
    """The chunks of a column, found by its position: names may occur twice."""
    chunks: list[Any] = []
    for each in opened:
        leaf = each.schema_arrow.field(place)
        same = [i for i, name in enumerate(each.schema_arrow.names) if name == leaf.name]
        table = each.read(columns=[leaf.name])
        chunks += table.column(same.index(place)).chunks or [table.column(same.index(place)).combine_chunks()]
    return chunks


def _parsed(
    file: File,
    sources: Any,
    targets: Any,
    names: list[str],
    chosen: tuple[int, int],
    directed: bool,
    values: dict[str, Any],
) -> Parsed:
    import pyarrow

    skipped: tuple[int, ...] = ()
    if sources.null_count and file.how.skip_bad_rows:
        missing = sources.is_null().to_numpy(zero_copy_only=False)
        skipped = tuple((np.flatnonzero(missing) + 1).tolist())
        good = pyarrow.array(~missing)
        sources, targets = sources.filter(good), targets.filter(good)
        values = {name: column.filter(good) for name, column in values.items()}
    if sources.null_count:
        row = int(np.argmax(sources.is_null().to_numpy(zero_copy_only=False)))
        problem = f"row {row + 1} has no {plain(names[chosen[0]], 40)}"
        raise InputError(file.path, problem, remedy="Fill it in, or skip such rows (skip_bad_rows=True).")
    lone = targets.is_null().to_numpy(zero_copy_only=False)
    labels, pairs = number_columns(sources, _filled(file.path, sources, targets))
    empty, pairs = pairs[lone, 0], pairs[~lone]
    return Parsed(
        labels,
        pairs,
        empty=empty,
        directed=directed,
        edge_attributes=tuple(name for place, name in enumerate(names) if place not in chosen),
        edge_values={
            name: column.filter(pyarrow.array(~lone)) if lone.any() else column
            for name, column in values.items()
        },
        line_of=lambda pair: int(np.flatnonzero(~lone)[pair]) + 1,
        reading=Reading(
            file.path,
            "parquet",
            None,
            (names[chosen[0]], names[chosen[1]]),
            file.how.columns is not None,
            (str(labels[pairs[0, 0]]), str(labels[pairs[0, 1]])) if len(pairs) else None,
            counted_sides(pairs, len(labels)),
            skipped=skipped,
            direction=direction_of(names, chosen),
        ),
    )


def _damaged(path: str, error: BaseException) -> InputError:
    reason = plain((str(error).splitlines() or ["out of memory"])[0].rstrip("."), 200)
    return InputError(path, f"this is no whole Parquet file ({reason})", remedy="Copy it or make it again.")


def _is_text(path: str, opened: Any, place: int) -> bool:
    """Whether the ids in a column are strings, and not integers; refuses other types before anything is read."""
    from pyarrow import types

    field = opened.schema_arrow.field(place)
    kind = field.type.value_type if types.is_dictionary(field.type) else field.type
    if types.is_integer(kind) or types.is_null(kind):
        return False
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return True
    problem = f"the column {plain(field.name, 40)} is of type {field.type}"
    raise InputError(
        path, problem, remedy="Ids are integers or strings: choose other columns, or convert it."
    )


def _ids(column: Any) -> pyarrow.Array:
    """A column as integers or as strings."""
    import pyarrow

    column = as_array(column)
    if pyarrow.types.is_integer(column.type) or pyarrow.types.is_null(column.type):
        return column
    column = column.cast(pyarrow.large_string())
    column.validate(full=True)
    return column


def _filled(path: str, sources: pyarrow.Array, targets: pyarrow.Array) -> pyarrow.Array:
    """Put the first id where the second is missing, so that such a row names one vertex."""
    import pyarrow
    import pyarrow.compute

    integers = [pyarrow.types.is_integer(column.type) for column in (sources, targets)]
    if pyarrow.types.is_null(targets.type):
        return sources
    if integers[0] != integers[1]:
        problem = "one column has integers, and the other has strings"
        raise InputError(path, problem, remedy="Make them the same.")
    return pyarrow.compute.if_else(targets.is_null(), sources, targets) if targets.null_count else targets


def _check_texts(file: File, sources: Sequence[Any], names: Sequence[str]) -> None:
    """Refuse columns whose texts take more memory than is allowed; their files are given by path or by content.

    A column may have a list of different texts, and numbers into it. So a file of 5 KB can hold a million rows with a
    text of 5,000 characters each. The longest text of the list and the number of rows bound what such a column takes.
    Only if that is more than allowed, the exact size is counted, without making the rows.
    """
    opened = [_numbered(source, names) for source in sources]
    if sum(_at_most(each, names) for each in opened) > file.allowed:
        size = sum(_exactly(each, names) for each in opened)
        file.claim("its rows repeat long texts", size)


def _numbered(source: Any, names: Sequence[str]) -> Any:
    """An open file that gives texts as numbers into a list."""
    import pyarrow
    import pyarrow.parquet

    content = pyarrow.BufferReader(source) if isinstance(source, bytes) else source
    return pyarrow.parquet.ParquetFile(content, read_dictionary=list(names))


def _at_most(opened: Any, names: Sequence[str]) -> int:
    """A bound by the first row of each row group, which comes with the list of the group."""
    from pyarrow import compute

    size = 0
    for group in range(opened.metadata.num_row_groups):
        batches = opened.iter_batches(1, row_groups=[group], columns=list(names), use_threads=False)
        first = islice(batches, 1)
        texts = [column.dictionary for batch in first for column in batch.columns if _is_numbered(column)]
        longest = sum(compute.max(compute.binary_length(each)).as_py() or 0 for each in texts)
        size += longest * opened.metadata.row_group(group).num_rows
    return size


def _exactly(opened: Any, names: Sequence[str]) -> int:
    from pyarrow import compute

    size = 0
    for name in names:
        for table_column in opened.read(columns=[name]).columns:
            for chunk in filter(_is_numbered, table_column.chunks):
                lengths = compute.binary_length(chunk.dictionary).cast("int64")
                size += compute.sum(lengths.take(chunk.indices)).as_py() or 0
    return size


def _is_numbered(column: Any) -> bool:
    from pyarrow import types

    if not types.is_dictionary(column.type):
        return False
    kind = column.type.value_type
    return bool(types.is_string(kind) or types.is_large_string(kind))


def chunks(graph: Graph) -> Iterator[bytes]:
    """The edges as two columns ``source`` and ``target``, then their attributes; a lone vertex has no target."""
    import pyarrow
    import pyarrow.parquet

    without_attributes(graph, "Parquet")
    if graph.labels.dtype.kind == "i":
        labels = pyarrow.array(graph.labels)
    else:
        names = names_of(graph)
        encode_names(names)
        labels = pyarrow.array(names, pyarrow.string())
    isolated = np.flatnonzero(graph.degrees == 0)
    sources, targets = (np.concatenate((graph.edges[:, which], isolated)) for which in range(2))
    columns = {
        "source": labels.take(pyarrow.array(sources)),
        "target": labels.take(pyarrow.array(targets, mask=np.arange(len(targets)) >= graph.m)),
    }
    for name, values in graph.edge_attributes.items():
        if name in columns:
            raise GraphError(f"the edge attribute {name} has the name of a column with the ids. Rename it.")
        nobody = pyarrow.nulls(len(isolated))
        known = pyarrow.array(values, from_pandas=True)
        columns[name] = pyarrow.concat_arrays([known, nobody.cast(known.type)])
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.table(columns), sink, compression="zstd")
    yield sink.getvalue().to_pybytes()
