"""Whether the work on a file takes more memory than there is, told from its size and first rows before it is read."""

from __future__ import annotations

import os
import re

from graphveil.formats.memory_limit import in_words

SAMPLE = 1 << 16  # bytes of a text from which the length of its rows is told
COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PAR1")
AN_EDGE = 4  # bytes of it in a compressed file, about
AUDIT, ANONYMIZE = 90, 130  # bytes an edge that these commands take


def available_memory() -> int | None:
    """Bytes that this process may still take, by the machine and the container; None where that cannot be told."""
    found = (
        _number_in("/proc/meminfo", r"MemAvailable:\s+(\d+)", 1024),
        _number_in("/sys/fs/cgroup/memory.max", r"(\d+)"),
    )
    return min((each for each in found if each is not None), default=None)


def _number_in(path: str, pattern: str, unit: int = 1) -> int | None:
    try:
        with open(path, encoding="ascii") as file:
            match = re.search(pattern, file.read())
    except OSError:
        return None
    return int(match[1]) * unit if match else None


def edges_in(path: str) -> int:
    """About how many edges a file has; 0 where it is none."""
    if not os.path.isfile(path):
        return 0
    size = os.stat(path).st_size
    with open(path, "rb") as file:
        start = file.read(SAMPLE)
    if start.startswith(COMPRESSED):
        return size // AN_EDGE
    rows = start.count(b"\n")
    return size * rows // (start.rindex(b"\n") + 1) if rows else 0


def shortage(path: str, an_edge: int) -> str | None:
    """What to say where the work on a file takes more memory than there is, with so many bytes for an edge.

    >>> shortage("missing.txt", AUDIT) is None
    True
    """
    free, edges = available_memory(), edges_in(path)
    if free is None or edges * an_edge <= free:
        return None
    return (
        f"{path} has about {edges:,} friendships. They take about {in_words(edges * an_edge)} of memory here, and "
        f"{in_words(free)} are free. Take a larger machine, or Apache Spark, which works in parts: --engine spark."
    )
