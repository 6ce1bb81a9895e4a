"""Files that are either whole or not there."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from graphveil.errors import PublicationError
from graphveil.formats.compression import compress


def write_whole(
    path: str | os.PathLike[str],
    chunks: Iterable[bytes] | str,
    compression: str | None = None,
    *,
    private: bool = False,
) -> None:
    """Write the chunks, or a text in UTF-8, into a file beside ``path``, flush it to the disk and give it its name.

    Readers see the old file or the new one, never a part. ``-`` and whatever is no regular file (a pipe, /dev/null)
    are written to directly. A private file is for its owner only (0600).
    """
    path = os.fspath(path)
    if isinstance(chunks, str):
        chunks = (chunks.encode(),)
    if path == "-":
        _fill(sys.stdout.buffer, chunks, compression)
        return
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as sink:
                _fill(sink, chunks, compression)
        else:
            _replace(target, chunks, compression, private)
    except OSError as error:
        reason = error.strerror or str(error)
        raise PublicationError(f"{path}: it could not be written ({reason}), so nothing was.") from None


def _replace(target: Path, chunks: Iterable[bytes], compression: str | None, private: bool) -> None:
    aside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.tmp")
    try:
        with aside.open("xb") as sink:
            if private:
                os.fchmod(sink.fileno(), 0o600)
            _fill(sink, chunks, compression)
            os.fsync(sink.fileno())
        aside.replace(target)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise
    _flush_folder(target.parent)


def _fill(sink: BinaryIO, chunks: Iterable[bytes], compression: str | None) -> None:
    stream = compress(sink, compression)
    for chunk in chunks:
        stream.write(chunk)
    if stream is not sink:
        stream.close()
    sink.flush()


def _flush_folder(folder: Path) -> None:
    """Make the new name last as well; where folders cannot be flushed (Windows) there is nothing to do."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
