"""A published graph in parts: a folder in the place of its file, as `graphveil.spark` writes it.

The parts in the order of their names, one after the other, are the graph as one file would hold it. So one machine
joins them, where they fit, and goes on as with one file. A stranger's parts are held against the same bounds as a
stranger's file, before anything of them is read or copied.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from graphveil.errors import InputError, VerificationError
from graphveil.formats.memory_limit import allowed, check_claim, check_filled
from graphveil.publication.files import open_regular
from graphveil.words import plain

if TYPE_CHECKING:
    import pyarrow

__all__ = ["as_one_file", "parts_of"]

COLUMNS = ["source", "target"]
BY_SPARK = b"org.apache.spark."  # how the names of what Spark notes in a file begin
NAME = re.compile(r"part-[0-9A-Za-z._-]+", re.ASCII)
CHUNK = 1 << 20


def parts_of(folder: Path) -> list[Path]:
    """The parts of a graph in their order; refuses a folder with anything else in it."""
    parts = sorted(folder.iterdir())
    for part in parts:
        if part.is_symlink() or not part.is_file() or not NAME.fullmatch(part.name):
            raise VerificationError(f"{_shown(part)} does not belong there: it is no part of the graph")
    return parts


@contextmanager
def as_one_file(path: Path, format: str) -> Iterator[Path]:
    """The file itself or, of a graph in parts, a file that holds them all, which is gone afterwards."""
    if path.is_symlink() or not path.is_dir():
        yield path
        return
    with TemporaryDirectory() as folder:
        whole = Path(folder, path.name)
        try:
            (_join_tables if format == "parquet" else _join_text)(parts_of(path), whole)
        except InputError as error:
            raise VerificationError(f"{plain(path.name)}: {error.problem}") from None
        yield whole


def _shown(part: Path) -> str:
    return plain(f"{part.parent.name}/{part.name}", 120)


def _join_text(parts: list[Path], whole: Path) -> None:
    sizes = check_filled(whole.name, parts)
    with whole.open("wb") as sink:
        for part, size in zip(parts, sizes, strict=True):
            with open_regular(part) as source:
                while size and (chunk := source.read(min(size, CHUNK))):  # no more than was there at first
                    size -= sink.write(chunk)


def _join_tables(parts: list[Path], whole: Path) -> None:
    """Join Parquet files that hold two columns of integers and nothing else."""
    import pyarrow
    import pyarrow.parquet

    from graphveil.formats.parquet import PER_ROW, rows_of

    rows = sum(rows_of([_opened(part)]) for part in parts)  # one open file at a time
    size = sum(check_filled(whole.name, parts))
    check_claim(whole.name, f"its parts declare {rows:,} rows", PER_ROW * rows, allowed(size, None))
    schema = pyarrow.schema([(name, pyarrow.int64()) for name in COLUMNS])
    tables = [_table(part, schema) for part in parts]
    joined = pyarrow.concat_tables(tables) if tables else schema.empty_table()
    pyarrow.parquet.write_table(joined.combine_chunks(), whole, compression="zstd")


def _opened(part: Path) -> Any:
    """A part, opened, of which the columns are known but nothing is read."""
    import pyarrow

    from graphveil.formats.parquet import open_parquet

    try:
        file = open_parquet(part.name, os.fspath(part))
    except InputError as error:
        raise VerificationError(f"{_shown(part)}: {error.problem}") from None
    found = file.schema_arrow
    more = [key for key in found.metadata or {} if not key.startswith(BY_SPARK)]
    if found.names != COLUMNS or more or not all(map(pyarrow.types.is_integer, found.types)):
        raise VerificationError(f"{_shown(part)}: there is more in it than the graph")
    return file


def _table(part: Path, schema: pyarrow.Schema) -> pyarrow.Table:
    import pyarrow

    try:
        table = _opened(part).read().replace_schema_metadata(None).cast(schema)
        table.validate()
        return table
    except (pyarrow.ArrowException, OSError) as error:
        reason = plain((str(error).splitlines() or [""])[0], 200)
        raise VerificationError(f"{_shown(part)} cannot be read: {reason}") from None
