"""A file's bytes, whatever it is compressed with: known by its first bytes when read, by its name when written."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import os
import stat
import sys
import zlib
from pathlib import Path
from typing import Any

from graphveil.errors import InputError
from graphveil.formats.advice.unsupported import refuse_by_content, refuse_by_name
from graphveil.formats.memory_limit import RAISE, allowed, check_filled

MAGIC = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd"}
CHUNK = 1 << 22


def read_bytes(path: str, max_memory: int | None = None) -> tuple[bytes, int, str, int]:
    """All bytes of a file, decompressed, how many it may claim, its SHA-256 and its size; ``-`` is standard input."""
    refuse_by_name(path)
    data = _read_all(path, max_memory)
    size, digest = len(data), hashlib.sha256(data).hexdigest()
    bound = allowed(size, max_memory)
    for magic, name in MAGIC.items():
        if data.startswith(magic):
            data = _decompress(path, data, name, bound)
            break
    refuse_by_content(path, data)
    return data, bound, digest, size


def _read_all(path: str, max_memory: int | None) -> bytes:
    try:
        if path == "-":
            return sys.stdin.buffer.read()
        mode = os.stat(path).st_mode
        if stat.S_ISCHR(mode) and not os.path.samefile(path, "/dev/stdin"):
            raise InputError(path, "this is a device, not a file", remedy="Name a file.")
        if stat.S_ISREG(mode):
            check_filled(path, [path], max_memory)
        return Path(path).read_bytes()
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


def _decompress(path: str, data: bytes, name: str, bound: int) -> bytes:
    try:
        with _opened(data, name) as stream:
            return _read_within(path, stream, name, bound)
    except (EOFError, ValueError) as error:
        problem = f"the {name} data ends too early ({error})"
        raise InputError(path, problem, remedy="The file is truncated: copy or download it again.") from None
    except (OSError, zlib.error, lzma.LZMAError) as error:
        problem = f"the {name} data is damaged or truncated ({error})"
        raise InputError(path, problem, remedy="Copy or download the file again.") from None


def _opened(data: bytes, name: str) -> Any:
    if name == "zstd":
        import pyarrow

        return pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "zstd")
    opened: dict[str, Any] = {"gzip": gzip.open, "bzip2": bz2.open, "xz": lzma.open}
    return opened[name](io.BytesIO(data))


def _read_within(path: str, stream: Any, name: str, bound: int) -> bytes:
    chunks, size = [], 0
    while chunk := stream.read(CHUNK):
        size += len(chunk)
        if size > bound:
            problem = f"the {name} data is larger than {bound / 2**20:,.0f} MB when it is decompressed"
            raise InputError(path, problem, remedy=RAISE)
        chunks.append(chunk)
    return b"".join(chunks)


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
