"""Graphs from files and into files.

The bytes come in decompressed (`compression`), the format is told by content or name (`formats`), and the reader of
that format hands over vertices and pairs (`parsed`), which `read` makes a simple graph, counting what it dropped.
`write` goes the other way and replaces a file only when the new one is whole (`atomic`).
"""

from graphveil.formats.reading import read
from graphveil.formats.writing import write

__all__ = ["read", "write"]
