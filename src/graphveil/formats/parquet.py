"""Parquet tables: two columns of ids, integers or strings; a row with the first id only is a vertex without edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphveil.errors import InputError
from graphveil.formats.dialect import choose_columns
from graphveil.formats.encoding import encode_names, names_of, without_attributes
from graphveil.formats.parsed import Parsed
from graphveil.graph import Graph
from graphveil.numbering import as_array, number_columns

if TYPE_CHECKING:
    import pyarrow

__all__ = ["parquet_chunks", "read_parquet"]


def read_parquet(path: str, raw: bytes, columns: Sequence[str | int] | None) -> Parsed:
    """Read two columns of a table, by default those that name the ends of an edge, else the first two."""
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(raw))
        names = file.schema_arrow.names
        if len(names) < 2:
            remedy = "Two are needed, one for each end of an edge."
            raise InputError(
                path, f"the table has {len(names)} column{'s' * (len(names) != 1)}", remedy=remedy
            )
        chosen = choose_columns(path, names, columns, header=True, line=None)
        table = file.read(columns=[names[position] for position in chosen])
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        problem = f"this is no whole Parquet file ({reason})"
        raise InputError(path, problem, remedy="Copy it or make it again.") from None
    sources, targets = (_ids(path, table, names[position]) for position in chosen)
    if sources.null_count:
        row = int(np.argmax(sources.is_null().to_numpy(zero_copy_only=False)))
        raise InputError(
            path, f"row {row + 1} has no {names[chosen[0]]}", remedy="Fill it in, or drop the row."
        )
    lone = targets.is_null().to_numpy(zero_copy_only=False)
    labels, pairs = number_columns(sources, _filled(path, sources, targets))
    return Parsed(
        labels,
        pairs[~lone],
        edge_attributes=() if columns else tuple(name for name in names if name not in table.column_names),
    )


def _ids(path: str, table: pyarrow.Table, name: str) -> pyarrow.Array:
    """A column as integers or as strings."""
    import pyarrow

    column = as_array(table.column(name))
    types = pyarrow.types
    if types.is_integer(column.type) or types.is_null(column.type):
        return column
    if types.is_string(column.type) or types.is_large_string(column.type):
        return column.cast(pyarrow.large_string())
    problem = f"the column {name} is of type {column.type}"
    raise InputError(
        path, problem, remedy="Ids are integers or strings: choose other columns, or convert it."
    )


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


def parquet_chunks(graph: Graph) -> Iterator[bytes]:
    """The edges as two columns ``source`` and ``target``; a vertex without edges is a row without target."""
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
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.table(columns), sink, compression="zstd")
    yield sink.getvalue().to_pybytes()
