"""The table of formats: how a file shows which one it is in, what it can hold, who reads and who writes it.

A new format is one file with a reader (and a writer), and one row here. Readers and writers are named, not imported, so
that this table costs nothing to load.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from graphveil.formats.parsed import File, Parsed
    from graphveil.graph import Graph

# The names in the table below, for signatures.
FormatName = Literal["edgelist", "csv", "tsv", "parquet", "graphml", "gml", "pajek", "mtx", "gexf", "json"]
WritableFormat = Literal["edgelist", "csv", "tsv", "parquet", "graphml", "gml", "pajek", "mtx"]

COMPRESSIONS = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstd"}
BOM = rb"(?:\xef\xbb\xbf)?"


@dataclass(frozen=True)
class Format:
    """A row of the table."""

    name: str
    words: str
    extensions: tuple[str, ...]  # the first is that of a publication's graph
    reader: str  # module and function of this package: gets a File, gives a Parsed
    writer: str | None = None  # the same: gets a Graph, gives chunks of bytes
    opening: re.Pattern[bytes] | None = None  # what only this format begins with; counts more than the name
    is_table: bool = False  # rows of columns, two of which hold the ids
    # Bytes of memory for each of these while it is read
    takes: Mapping[bytes, int] = field(default_factory=dict)

    def read(self, file: File) -> Parsed:
        """What the file holds."""
        parsed: Parsed = _load(self.reader)(file)
        return parsed

    def memory(self, raw: bytes) -> int:
        """What reading takes beside the text itself, roughly."""
        return sum(raw.count(token) * size for token, size in self.takes.items())

    def chunks(self, graph: Graph) -> Iterator[bytes]:
        """The graph as bytes, in parts."""
        assert self.writer is not None
        chunks: Iterator[bytes] = _load(self.writer)(graph)
        return chunks


def _load(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    loaded: Callable[..., Any] = getattr(import_module(f"graphveil.formats.{module}"), function)
    return loaded


LINES = {b"\n": 150, b"\r": 150}
ELEMENTS = {b"<": 150}


def _table(name: str, words: str, *extensions: str, writer: str) -> Format:
    """A row for a text that holds a table."""
    return Format(name, words, extensions, "text:read", f"text:{writer}", is_table=True, takes=LINES)


ROWS = (
    _table(
        "edgelist", "edge list, columns separated by blanks",
        ".txt", ".edgelist", ".edges", ".el", ".ncol", writer="blank_separated",
    ),
    _table("csv", "CSV", ".csv", writer="comma_separated"),
    _table("tsv", "TSV", ".tsv", ".tab", writer="tab_separated"),
    Format(
        "parquet", "Apache Parquet", (".parquet", ".pq"), "parquet:read", "parquet:chunks",
        re.compile(rb"PAR1"), is_table=True,
    ),
    Format(
        "graphml", "GraphML", (".graphml",), "graphml:read", "graphml:chunks",
        re.compile(BOM + rb"\s*<(?:\?xml|!DOCTYPE|!--|graphml)", re.IGNORECASE), takes=ELEMENTS,
    ),
    Format(
        "gml", "GML", (".gml",), "gml:read", "gml:chunks",
        re.compile(
            BOM + rb"(?:\s|#[^\r\n]*[\r\n])*+(?:(?:Creator|Version|Comment)\s[^\r\n]*+\s++)*+graph\s*\[",
            re.IGNORECASE,
        ),
        takes={b"node": 250, b"edge": 100, b"[": 50},
    ),
    Format(
        "pajek", "Pajek", (".net", ".paj"), "pajek:read", "pajek:chunks",
        re.compile(BOM + rb"(?:\s|%[^\r\n]*[\r\n])*+\*(?:network|vertices)\b", re.IGNORECASE), takes=LINES,
    ),
    Format(
        "mtx", "Matrix Market", (".mtx", ".mm"), "mtx:read", "mtx:chunks",
        re.compile(rb"%%MatrixMarket", re.IGNORECASE), takes=LINES,
    ),
    Format(
        "gexf", "GEXF (Gephi)", (".gexf",), "gexf:read", None,
        re.compile(BOM + rb"\s*(?:<(?:\?|!--)[^>]*>\s*)*+<gexf\b", re.IGNORECASE), takes=ELEMENTS,
    ),
    Format(
        "json", "node-link JSON (networkx, D3, Cytoscape)", (".json", ".jsonl", ".ndjson"), "node_link:read", None,
        re.compile(BOM + rb'\s*(?:\{\s*["}]|\[\s*[\[{\]])'), takes={b"{": 250, b"[": 100, b",": 60},
    ),
)  # fmt: skip
FORMATS = {row.name: row for row in ROWS}
WRITABLE = {name: row for name, row in FORMATS.items() if row.writer}
EXTENSIONS = {extension: row.name for row in ROWS for extension in row.extensions}


def known() -> str:
    """All formats with their extensions, for messages."""
    return ", ".join(f"{row.words} ({row.extensions[0]})" for row in ROWS)


def suffixes(path: str) -> tuple[str, str | None]:
    """The extension that tells the format, in lower case, and the compression behind it, if any.

    >>> suffixes("friends.CSV.gz")
    ('.csv', 'gzip')
    """
    parts = [suffix.lower() for suffix in PurePath(path).suffixes]
    compression = COMPRESSIONS.get(parts[-1]) if parts else None
    if compression:
        parts.pop()
    return (parts[-1] if parts else ""), compression


def format_of(path: str, content: bytes) -> str:
    """The format of a file: by its first bytes, else by its name, else an edge list."""
    head = content[:4096]
    # Any XML passes for GraphML, so GEXF comes first
    for row in sorted(ROWS, key=lambda row: row.name != "gexf"):
        if row.opening is not None and row.opening.match(head):
            return row.name
    return EXTENSIONS.get(suffixes(path)[0], "edgelist")
