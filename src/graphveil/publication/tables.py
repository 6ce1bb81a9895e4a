"""The owner's two tables, as CSV: who is who, and what was changed.

Ids come back exactly, whatever they contain, and no spreadsheet takes one for a formula. `armour` puts an
apostrophe before each place where a formula could begin, and `unarmour` removes it. Such a place is the start of an
id. Some spreadsheets cut cells at semicolons, tabs or bars, and quoted cells at line ends. So the places after
these count too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError, InputError
from graphveil.graph import Graph
from graphveil.verification.safe_files import armour, read_bytes, unarmour

FROM_INPUT, NEW = "input", "new"
ADDED, DELETED, NEW_VERTEX = "add-edge", "delete-edge", "add-vertex"
WHO_IS_WHO = ["id", "pseudonym", "origin"]
CHANGES = ["change", "source", "target"]
LARGEST_TABLE = 1 << 36  # bytes


def id_column(graph: Graph) -> Any:
    """What stands for each vertex in the tables: its id as a number, or as text in armour."""
    import pyarrow

    if graph.labels.dtype.kind == "i":
        return pyarrow.array(graph.labels)
    from graphveil.formats.encoding import names_of

    try:
        return pyarrow.array([armour(name) for name in names_of(graph)], pyarrow.string())
    except UnicodeEncodeError as error:
        raise GraphError(f"the label {error.object!r} is not text: it has a lone surrogate.") from None


def who_is_who_table(ids: Any, pseudonyms: NDArray[np.int64], old: int) -> list[Any]:
    """The columns of pseudonyms.csv, in the order of the input, of which the first ``old`` vertices are."""
    import pyarrow

    return [ids, pyarrow.array(pseudonyms), pyarrow.array([FROM_INPUT] * old + [NEW] * (len(ids) - old))]


def changes_table(
    ids: Any, added: NDArray[Any], deleted: NDArray[Any], new_vertices: NDArray[Any]
) -> list[Any]:
    """The columns of changes.csv."""
    import pyarrow

    kinds = [NEW_VERTEX] * len(new_vertices) + [ADDED] * len(added) + [DELETED] * len(deleted)
    sources = np.concatenate((new_vertices, added[:, 0], deleted[:, 0])).astype(np.int64)
    targets = np.concatenate((new_vertices, added[:, 1], deleted[:, 1])).astype(np.int64)
    no_target = np.arange(len(kinds)) < len(new_vertices)
    return [
        pyarrow.array(kinds, pyarrow.string()),
        ids.take(pyarrow.array(sources)),
        ids.take(pyarrow.array(targets, mask=no_target)),
    ]


def write_table(sink: TextIO, header: Sequence[str], columns: Sequence[Any]) -> None:
    """A table in which all text is quoted and numbers are not."""
    import pyarrow
    from pyarrow import csv as arrow

    sink.flush()
    arrow.write_csv(pyarrow.table(columns, names=header), sink.buffer)


@dataclass(frozen=True)
class WhoIsWho:
    """The table of pseudonyms, in the order of the input."""

    ids: NDArray[Any]  # int64, or str as Python objects
    pseudonyms: NDArray[np.int64]
    new: NDArray[np.bool_]

    @property
    def old(self) -> int:
        """Number of vertices of the input; they come first."""
        return int(np.count_nonzero(~self.new))


@dataclass(frozen=True)
class ChangedPairs:
    """The table of changes, as pairs of vertex numbers in the order of the input."""

    added: NDArray[np.int64]
    deleted: NDArray[np.int64]
    new_vertices: NDArray[np.int64]


def read_who_is_who(path: Path, *, integers: bool = False) -> WhoIsWho:
    """Read pseudonyms.csv; refuses a table that is not one pseudonym 0…n−1 for each of n different ids."""
    import pyarrow.compute

    ids, pseudonyms, origins = _columns(path, WHO_IS_WHO)
    new = pyarrow.compute.equal(origins, NEW).to_numpy()
    if not np.array_equal(new, pyarrow.compute.not_equal(origins, FROM_INPUT).to_numpy()):
        raise InputError(path, f"an origin is neither {FROM_INPUT} nor {NEW}")
    table = WhoIsWho(_ids(path, ids, integers), _integers(path, pseudonyms), new)
    n = len(table.ids)
    if not np.array_equal(np.sort(table.pseudonyms), np.arange(n)):
        raise InputError(path, f"the pseudonyms are not the numbers 0…{n - 1}, each once")
    if np.any(table.new[:-1] & ~table.new[1:]):
        raise InputError(path, "a dummy person comes before a person of the input")
    in_order = np.sort(table.ids)
    if (in_order[1:] == in_order[:-1]).any():
        raise InputError(path, "an id occurs twice")
    return table


def read_changes(path: Path, who: WhoIsWho) -> ChangedPairs:
    """Read changes.csv; refuses an id that is nobody's."""
    kinds, sources, targets = (column.to_pylist() for column in _columns(path, CHANGES))
    targets = [
        source if kind == NEW_VERTEX else target
        for kind, source, target in zip(kinds, sources, targets, strict=True)
    ]
    try:
        ids = list(map(int if who.ids.dtype.kind == "i" else unarmour, (*sources, *targets)))
        concerned = set(ids)
        number = {name: vertex for vertex, name in enumerate(who.ids.tolist()) if name in concerned}
        pairs = np.array([number[name] for name in ids], np.int64).reshape(2, -1).T
    except (KeyError, TypeError, ValueError):
        raise InputError(path, "a change names an unknown id") from None
    added, deleted, new = (pairs[np.array(kinds) == kind] for kind in (ADDED, DELETED, NEW_VERTEX))
    if len(added) + len(deleted) + len(new) < len(pairs):
        raise InputError(path, "a change is of no known kind")
    return ChangedPairs(added, deleted, new[:, 0])


def _columns(path: Path, header: list[str]) -> list[Any]:
    """The columns of a table as Arrow arrays of text; Arrow, because a list for each row takes ten times as long."""
    import pyarrow
    from pyarrow import csv as arrow

    try:
        data = read_bytes(path, LARGEST_TABLE)
        table = arrow.read_csv(
            pyarrow.BufferReader(data),
            read_options=arrow.ReadOptions(use_threads=False, block_size=len(data) + 1),
            parse_options=arrow.ParseOptions(newlines_in_values=True),
            convert_options=arrow.ConvertOptions(column_types=dict.fromkeys(header, pyarrow.string())),
        )
        names = table.column_names
    except OSError as error:
        raise InputError(path, f"it cannot be read ({error.strerror})") from None
    except (pyarrow.ArrowException, UnicodeDecodeError):
        raise InputError(path, "this is not a CSV file, or it is damaged") from None
    if names != header:
        raise InputError(path, f"the columns are not {', '.join(header)}")
    return list(table.columns)


def _ids(path: Path, column: Any, integers: bool) -> NDArray[Any]:
    if integers:
        return _integers(path, column)
    names = np.empty(len(column), object)
    names[:] = [unarmour(text) for text in column.to_pylist()]
    return names


def _integers(path: Path, column: Any) -> NDArray[np.int64]:
    import pyarrow

    try:
        numbers: NDArray[np.int64] = column.cast(pyarrow.int64()).to_numpy()
    except pyarrow.ArrowException:
        raise InputError(path, "there is a word where a number should be") from None
    return numbers
