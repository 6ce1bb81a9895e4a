"""How much memory a file may claim that it does not fill itself: by compression, by a number, or by holes in it.

A file of 36 bytes can declare a billion vertices, 2 MB of gzip can hold 2 GB of zeros, and a sparse file of 8 TB takes
no place on the disk. So a claim is held against
`allowed`: what the caller set, else 30 times the size of the file, and 256 MB for any file. Real edge lists compress
to about a fifth.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence

from graphveil.errors import InputError, ParameterError
from graphveil.words import plain

ANY_FILE = 256 * 2**20
TIMES = 30
UNITS = {"": 1, "b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
RAISE = 'If you trust the file, allow more (max_memory="8GB").'


def parse_size(size: int | str) -> int:
    """A number of bytes, as in ``8GB``, ``500 MB`` or ``1073741824``.

    >>> parse_size("8GB"), parse_size("0.5 MiB"), parse_size(12)
    (8589934592, 524288, 12)
    """
    if isinstance(size, int) and not isinstance(size, bool) and size > 0:
        return size
    match = re.fullmatch(
        r"\s*([0-9]{1,15}(?:\.[0-9]{1,9})?)\s*([kmgt]?)(?:i?b)?\s*", str(size), re.IGNORECASE
    )
    if match is None or float(match[1]) == 0:
        raise ParameterError(f"a size of memory is, for example, 8GB or 500MB, not {plain(size, 40)}")
    return int(float(match[1]) * UNITS[match[2].lower()])


def allowed(size: int, max_memory: int | None) -> int:
    """The bytes that a file of this size may claim."""
    return max_memory if max_memory is not None else max(ANY_FILE, TIMES * size)


def check_claim(path: str, what: str, claim: int, allowed: int, line: int | None = None) -> None:
    """Refuse a claim of more bytes than are allowed."""
    if claim > allowed:
        problem = f"{what}, which takes {in_words(claim)} of memory; {in_words(allowed)} are allowed"
        raise InputError(path, problem, line=line, remedy=RAISE)


def check_filled(
    path: str, parts: Sequence[str | os.PathLike[str]], max_memory: int | None = None
) -> list[int]:
    """The sizes of a file or its parts; refuses one that claims too much by holes, as a sparse file does."""
    sizes = [os.stat(part).st_size for part in parts]
    size = sum(sizes)
    if size > allowed(0, max_memory):
        filled = sum(map(_filled, parts))
        what = f"{size - filled:,} of its {size:,} bytes are holes"
        check_claim(path, what, size - filled, allowed(filled, max_memory))
    return sizes


def _filled(path: str | os.PathLike[str]) -> int:
    """The bytes of a file that are no holes; all of them where the file system cannot tell."""
    with open(path, "rb") as file:
        place = filled = 0
        try:
            while True:
                start = os.lseek(file.fileno(), place, os.SEEK_DATA)
                place = os.lseek(file.fileno(), start, os.SEEK_HOLE)
                filled += place - start
        except OSError as error:
            return filled if error.errno == errno.ENXIO else os.fstat(file.fileno()).st_size


def in_words(size: int) -> str:
    """A number of bytes, as people say it."""
    unit, name = next(
        ((2**p, n) for p, n in ((40, "TB"), (30, "GB"), (20, "MB")) if size >= 2**p), (1, "bytes")
    )
    return f"{size / unit:,.3g} {name}" if unit > 1 else f"{size:,} bytes"
