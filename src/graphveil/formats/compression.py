"""A file's bytes, whatever it is compressed with: known by its first bytes when read, by its name when written."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import sys
import zlib
from pathlib import Path
from typing import Any

from graphveil.errors import InputError

__all__ = ["SUFFIXES", "compress", "read_bytes"]

SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}
MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
ARCHIVES = {b"PK\x03\x04": "zip", b"7z\xbc\xaf\x27\x1c": "7-Zip", b"Rar!": "RAR"}


def read_bytes(path: str) -> bytes:
    """All bytes of a file, decompressed; ``-`` is the standard input."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(path, "there is no such file or folder", remedy="Check the path.") from None
    except IsADirectoryError:
        raise InputError(path, "this is a folder", remedy="Name a file in it.") from None
    except PermissionError:
        raise InputError(
            path, "no permission to read this file", remedy="Check its owner and mode."
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(path, f"it cannot be read ({error})") from None
    for magic, name in ARCHIVES.items():
        if data.startswith(magic):
            raise InputError(path, f"this is a {name} archive", remedy="Unpack it and name a file from it.")
    for magic, name in MAGIC.items():
        if data.startswith(magic):
            return _decompress(path, data, name)
    return data


def _decompress(path: str, data: bytes, name: str) -> bytes:
    try:
        if name == "gzip":
            return gzip.decompress(data)
        if name == "bzip2":
            return bz2.decompress(data)
        if name == "xz":
            return lzma.decompress(data)
        return _decompress_zstd(data)
    except (EOFError, ValueError) as error:
        problem = f"the {name} data ends too early ({error})"
        raise InputError(path, problem, remedy="The file is truncated: copy or download it again.") from None
    except (OSError, zlib.error, lzma.LZMAError) as error:
        problem = f"the {name} data is damaged or truncated ({error})"
        raise InputError(path, problem, remedy="Copy or download the file again.") from None


def _decompress_zstd(data: bytes) -> bytes:
    import pyarrow

    with pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd") as stream:
        content: bytes = stream.read()
    return content


def compress(sink: Any, name: str | None) -> Any:
    """A stream that compresses what is written to it into ``sink``, the same bytes for the same content each time."""
    if name == "gzip":
        return gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=sink, mtime=0)
    if name == "bzip2":
        return bz2.BZ2File(sink, "wb")
    if name == "xz":
        return lzma.LZMAFile(sink, "wb", preset=1)  # much faster than the default, and a third larger
    if name == "zstd":
        import pyarrow

        # It closes what it writes to, so it gets a handle of its own.
        return pyarrow.CompressedOutputStream(os.fdopen(os.dup(sink.fileno()), "wb"), "zstd")
    return sink
