"""The formats and how a file shows which one it is in."""

from __future__ import annotations

import re
from pathlib import PurePath

from graphveil.formats.compression import SUFFIXES

__all__ = ["EXTENSIONS", "FORMATS", "format_of", "suffixes"]

FORMATS = {
    "edgelist": "edge list, ids parted by blanks",
    "csv": "edge list, ids parted by commas",
    "tsv": "edge list, ids parted by tabs",
    "parquet": "Apache Parquet",
    "graphml": "GraphML",
    "gml": "GML",
    "pajek": "Pajek",
    "mtx": "Matrix Market",
}
EXTENSIONS = {
    ".txt": "edgelist",
    ".edgelist": "edgelist",
    ".edges": "edgelist",
    ".el": "edgelist",
    ".ncol": "edgelist",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".graphml": "graphml",
    ".gml": "gml",
    ".net": "pajek",
    ".paj": "pajek",
    ".mtx": "mtx",
    ".mm": "mtx",
}
# What only one format begins with; it counts more than the name.
OPENINGS = {
    "parquet": re.compile(rb"PAR1"),
    "mtx": re.compile(rb"%%MatrixMarket", re.IGNORECASE),
    "graphml": re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:\?xml|!DOCTYPE|!--|graphml)", re.IGNORECASE),
    "pajek": re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|%[^\r\n]*[\r\n])*\*(?:network|vertices)\b", re.IGNORECASE),
    "gml": re.compile(
        rb"(?:\s|#[^\r\n]*[\r\n])*(?:(?:Creator|Version|Comment)\s[^\r\n]*\s+)*graph\s*\[", re.IGNORECASE
    ),
}


def suffixes(path: str) -> tuple[str, str | None]:
    """The extension that tells the format, in lower case, and the compression behind it, if any.

    Examples
    --------
    >>> suffixes("friends.CSV.gz")
    ('.csv', 'gzip')
    """
    parts = [suffix.lower() for suffix in PurePath(path).suffixes]
    compression = SUFFIXES.get(parts[-1]) if parts else None
    if compression:
        parts.pop()
    return (parts[-1] if parts else ""), compression


def format_of(path: str, content: bytes) -> str:
    """The format of a file: by its first bytes, else by its name, else an edge list."""
    head = content[:4096]
    for name, opening in OPENINGS.items():
        if opening.match(head):
            return name
    return EXTENSIONS.get(suffixes(path)[0], "edgelist")
