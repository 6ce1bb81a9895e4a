"""The owner's two tables, as CSV: who is who, and what was changed.

Ids are written so that they come back exactly, whatever they contain, and so that no spreadsheet takes one for a
formula: `armour` puts an apostrophe before each place where a cell could begin to be one, `unarmour` takes it away.
Such places are the start of an id and, because some spreadsheets cut cells at semicolons, tabs or bars and quoted cells
at line ends, whatever follows one of those.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import InputError
from graphveil.graph import Graph

__all__ = [
    "Changes",
    "WhoIsWho",
    "armour",
    "change_rows",
    "fields",
    "read_changes",
    "read_who_is_who",
    "rows_of",
    "unarmour",
    "who_is_who_rows",
    "write_rows",
]

FROM_INPUT, NEW = "input", "new"
ADDED, DELETED, NEW_VERTEX = "add-edge", "delete-edge", "add-vertex"
WHO_IS_WHO_HEADER = ["id", "pseudonym", "origin"]
CHANGES_HEADER = ["change", "source", "target"]

# Where a cell may begin, followed by what makes it a formula, by what hides that, or by what armour itself adds.
DANGER = re.compile(r"(?:^|(?<=[;|\t\r\n\v\f\x85\u2028\u2029]))(?=[=+\-@＝＋－＠\s'])")
ARMOUR = re.compile(r"(^|[;|\t\r\n\v\f\x85\u2028\u2029])'")


def armour(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet might begin to read a formula.

    Examples
    --------
    >>> armour("=cmd()"), armour("'quoted'"), armour("a;@b"), armour("Alice")
    ("'=cmd()", "''quoted'", "a;'@b", 'Alice')
    """
    return DANGER.sub("'", text)


def unarmour(text: str) -> str:
    """What `armour` was given.

    Examples
    --------
    >>> unarmour("'=cmd()"), unarmour("a;'@b")
    ('=cmd()', 'a;@b')
    """
    return ARMOUR.sub(r"\1", text)


def fields(graph: Graph) -> list[Any]:
    """What stands for each vertex in the tables: its id as a number, or as text in armour."""
    if graph.labels.dtype.kind == "i":
        numbers: list[Any] = graph.labels.tolist()
        return numbers
    from graphveil.io.writing import names_of

    return [armour(name) for name in names_of(graph)]


def write_rows(sink: TextIO, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table in which all text is quoted and numbers are not."""
    writer = csv.writer(sink, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


def who_is_who_rows(
    ids: Sequence[Any], pseudonyms: NDArray[np.int64], old: int
) -> Iterator[tuple[Any, int, str]]:
    """A row for each vertex, in the order of the input; the first ``old`` ones are the input's."""
    origins = [FROM_INPUT] * old + [NEW] * (len(ids) - old)
    return zip(ids, pseudonyms.tolist(), origins, strict=True)


def change_rows(
    ids: Sequence[Any], added: NDArray[Any], deleted: NDArray[Any], new_vertices: NDArray[Any]
) -> Iterator[tuple[str, Any, Any]]:
    """A row for each change."""
    for vertex in new_vertices.tolist():
        yield NEW_VERTEX, ids[vertex], ""
    for change, pairs in ((ADDED, added), (DELETED, deleted)):
        for u, v in pairs.tolist():
            yield change, ids[u], ids[v]


@dataclass(frozen=True)
class WhoIsWho:
    """The table of pseudonyms, in the order of the input."""

    ids: list[str]
    pseudonyms: NDArray[np.int64]
    new: NDArray[np.bool_]

    @property
    def old(self) -> int:
        """Number of vertices of the input; they come first."""
        return int(np.count_nonzero(~self.new))


@dataclass(frozen=True)
class Changes:
    """The table of changes, as pairs of vertex numbers in the order of the input."""

    added: NDArray[np.int64]
    deleted: NDArray[np.int64]
    new_vertices: NDArray[np.int64]


def read_who_is_who(path: Path) -> WhoIsWho:
    """Read pseudonyms.csv; refuses a table that is not one pseudonym 0…n−1 for each of n different ids."""
    ids, texts, origins = _columns(path, WHO_IS_WHO_HEADER)
    try:
        pseudonyms = np.array([int(text) for text in texts], np.int64)
    except (ValueError, OverflowError):
        raise InputError(path, "a pseudonym is no number") from None
    new = np.array([origin == NEW for origin in origins], bool)
    if set(origins) - {FROM_INPUT, NEW} or np.any(new[:-1] & ~new[1:]):
        raise InputError(
            path, f"vertices are not first those of origin {FROM_INPUT!r}, then those of {NEW!r}"
        )
    if not np.array_equal(np.sort(pseudonyms), np.arange(len(ids))):
        raise InputError(path, f"the pseudonyms are not the numbers 0…{len(ids) - 1}, each once")
    if len(set(ids)) < len(ids):
        raise InputError(path, "an id occurs twice")
    return WhoIsWho([unarmour(text) for text in ids], pseudonyms, new)


def read_changes(path: Path, ids: Sequence[str]) -> Changes:
    """Read changes.csv; refuses an id that is not among ``ids``."""
    number = {name: vertex for vertex, name in enumerate(ids)}
    kinds, sources, targets = _columns(path, CHANGES_HEADER)
    found: dict[str, list[list[int]]] = {ADDED: [], DELETED: [], NEW_VERTEX: []}
    for row, (kind, *ends) in enumerate(zip(kinds, sources, targets, strict=True), 1):
        try:
            names = ends[:1] if kind == NEW_VERTEX else ends
            found[kind].append([number[unarmour(name)] for name in names])
        except KeyError:
            raise InputError(path, f"change {row} is of no known kind or names an unknown id") from None
    numbers = {kind: np.array(rows, np.int64) for kind, rows in found.items()}
    return Changes(
        numbers[ADDED].reshape(-1, 2), numbers[DELETED].reshape(-1, 2), numbers[NEW_VERTEX].ravel()
    )


def _columns(path: Path, header: list[str]) -> tuple[list[str], ...]:
    with rows_of(path) as rows:
        if next(rows, None) != header:
            raise InputError(path, f"the first line is not {','.join(header)}")
        columns: list[list[str]] = [[] for _ in header]
        for row in rows:
            if len(row) != len(header):
                raise InputError(path, f"a row has {len(row)} columns and not {len(header)}")
            for column, text in zip(columns, row, strict=True):
                column.append(text)
    return tuple(columns)


@contextmanager
def rows_of(path: Path, delimiter: str = ",") -> Iterator[Iterator[list[str]]]:
    """The rows of a CSV file; fields may be of any length, which Python does not allow by itself."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        with open(path, encoding="utf-8", errors="surrogatepass", newline="") as source:
            yield csv.reader(source, delimiter=delimiter, strict=True)
    except csv.Error as error:
        raise InputError(path, f"this is no CSV ({error})") from None
    except UnicodeDecodeError:
        raise InputError(path, "this is no text in UTF-8") from None
    except OSError as error:
        raise InputError(path, f"it cannot be read ({error.strerror})") from None
    finally:
        csv.field_size_limit(limit)
