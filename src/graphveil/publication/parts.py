"""A published graph in parts: a folder in the place of its file, as `graphveil.spark` writes it.

The parts in the order of their names, one after the other, are the graph as one file would hold it. So one machine
joins them, where they fit, and goes on as with one file.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from graphveil.errors import VerificationError

__all__ = ["as_one_file", "parts_of"]

COLUMNS = ["source", "target"]
BY_SPARK = b"org.apache.spark."  # how the names of what Spark notes in a file begin


def parts_of(folder: Path) -> list[Path]:
    """The parts of a graph in their order; refuses a folder with anything else in it."""
    parts = sorted(folder.iterdir())
    for part in parts:
        if part.is_symlink() or not part.is_file() or not part.name.startswith("part-"):
            raise VerificationError(
                f"{folder.name}/{part.name} does not belong there: it is no part of the graph"
            )
    return parts


@contextmanager
def as_one_file(path: Path, format: str) -> Iterator[Path]:
    """The file itself or, of a graph in parts, a file that holds them all, which is gone afterwards."""
    if path.is_symlink() or not path.is_dir():
        yield path
        return
    with TemporaryDirectory() as folder:
        whole = Path(folder, path.name)
        (_join_tables if format == "parquet" else _join_text)(parts_of(path), whole)
        yield whole


def _join_text(parts: list[Path], whole: Path) -> None:
    with whole.open("wb") as sink:
        for part in parts:
            with part.open("rb") as source:
                shutil.copyfileobj(source, sink)


def _join_tables(parts: list[Path], whole: Path) -> None:
    """Join Parquet files that hold two columns of integers and nothing else."""
    import pyarrow
    import pyarrow.parquet

    schema = pyarrow.schema([(name, pyarrow.int64()) for name in COLUMNS])
    tables = []
    for part in parts:
        try:
            table = pyarrow.parquet.read_table(part)
            more = [key for key in table.schema.metadata or {} if not key.startswith(BY_SPARK)]
            if table.column_names != COLUMNS or more:
                raise VerificationError(f"{part.parent.name}/{part.name}: there is more in it than the graph")
            tables.append(table.replace_schema_metadata(None).cast(schema))
        except (pyarrow.ArrowException, OSError) as error:
            reason = str(error).splitlines()[0]
            raise VerificationError(f"{part.parent.name}/{part.name} cannot be read: {reason}") from None
    joined = pyarrow.concat_tables(tables) if tables else schema.empty_table()
    pyarrow.parquet.write_table(joined.combine_chunks(), whole, compression="zstd")
