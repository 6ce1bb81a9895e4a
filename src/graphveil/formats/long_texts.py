"""What the texts of a Parquet column take when each stands in its row.

A column may have a list of different texts, and numbers into it. So a file of 5 KB can hold a million rows with a text
of 5,000 characters each. The longest text of the list and the number of rows bound what such a column takes. Only if
that is more than allowed, the exact size is counted, without making the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from graphveil.formats.parsed import File

__all__ = ["check_texts"]


def check_texts(file: File, sources: Sequence[Any], names: Sequence[str]) -> None:
    """Refuse columns whose texts take more memory than is allowed; their files are given by path or by content."""
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
