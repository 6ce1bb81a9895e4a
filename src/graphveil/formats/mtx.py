"""Matrix Market (R. Boisvert, R. Pozo, K. Remington: The Matrix Market exchange formats, NISTIR 5935, 1996).

The matrix is the adjacency matrix, an edge wherever an entry is not zero; row i is the vertex i - 1. A symmetric matrix
is an undirected graph; any other declares itself directed. SciPy's reader is not used: it ends the whole program at
some damaged files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError, InputError
from graphveil.formats.advice.unsupported import reject_binary
from graphveil.formats.dialect import BLANKS, Dialect
from graphveil.formats.encoding import edge_chunks, without_attributes, without_edge_attributes
from graphveil.formats.parsed import File, Parsed, known_attributes
from graphveil.formats.rows import Text, line_of_no_integer, line_of_pair, read_integers, zero_fields
from graphveil.graph import Graph

UNDIRECTED = ("symmetric", "skew-symmetric", "hermitian")
VALUES = {"pattern": 0, "integer": 1, "real": 1, "double": 1, "complex": 2}  # numbers behind row and column
SIZE = re.compile(
    rb"(?:[ \t\r]*(?:%[^\n]*+)?\n)*+[ \t]*([0-9]{1,15})[ \t]+([0-9]{1,15})(?:[ \t]+([0-9]{1,15}))?[ \t\r]*(?:\n|\Z)"
)
PERCENT = np.frombuffer(b"%", np.uint8)
PER_VERTEX = 64  # bytes that a vertex takes in a graph, roughly


@dataclass(frozen=True)
class _Header:
    """What the first lines declare, and where the entries begin."""

    layout: str
    field: str
    symmetry: str
    n: int
    entries: int
    body: tuple[int, int]  # place and line


def read(file: File) -> Parsed:
    """Read an adjacency matrix."""
    known_attributes(file.path, (), file.how.keep)
    reject_binary(file.path, file.raw)
    header = _header(file)
    what = f"it declares {header.n:,} vertices"
    file.claim(what, PER_VERTEX * header.n, header.body[1] - 1)
    text = Text(
        file.path, np.frombuffer(file.raw, np.uint8), Dialect(BLANKS, 0, PERCENT, header.body), guessed=False
    )
    pairs = _dense(file, header) if header.layout == "array" else _sparse(text, header)
    return Parsed(
        np.arange(header.n, dtype=np.int64),
        pairs.astype(np.int32),
        directed=header.symmetry not in UNDIRECTED,
        edge_attributes=() if header.field == "pattern" else ("weight",),
        line_of=lambda pair: line_of_pair(text, pair) if header.layout == "coordinate" else None,
    )


def _header(file: File) -> _Header:
    end = file.raw.find(b"\n") + 1
    words = file.raw[:end].decode(errors="replace").lower().split()
    if (
        len(words) != 5
        or words[:2] != ["%%matrixmarket", "matrix"]
        or words[2] not in ("coordinate", "array")
        or words[3] not in VALUES
        or words[4] not in (*UNDIRECTED, "general")
    ):
        remedy = "It begins with, for example: %%MatrixMarket matrix coordinate pattern symmetric"
        raise InputError(file.path, "this is no header of a Matrix Market file", line=1, remedy=remedy)
    size = SIZE.match(file.raw, end)
    if size is None or (size[3] is None) != (words[2] == "array"):
        remedy = "It has the numbers of rows, columns and entries: 3 3 2"
        raise InputError(file.path, "the line with the size of the matrix is missing or wrong", remedy=remedy)
    rows, columns = int(size[1]), int(size[2])
    if rows != columns:
        problem = f"an adjacency matrix is square, and this one is {rows}×{columns}"
        raise InputError(file.path, problem, remedy="Is it the matrix of a graph?")
    line = file.raw.count(b"\n", 0, size.end()) + 1
    return _Header(words[2], words[3], words[4], rows, int(size[3] or 0), (size.end(), line))


def _sparse(text: Text, header: _Header) -> NDArray[np.int64]:
    """The entries of a list of positions that are not zero."""
    ids = read_integers(text)
    if ids is None or len(ids.lone):
        line = line_of_no_integer(text) if ids is None else None
        problem = "an entry has two whole numbers, row and column, and this has not"
        raise InputError(text.path, problem, line=line, remedy="Correct the entry.")
    expected = 2 + VALUES[header.field]
    if len(ids.pairs) and ids.width != expected:
        problem = (
            f"an entry of a {header.field} matrix has {expected} columns, and here they have {ids.width}"
        )
        raise InputError(text.path, problem, line=header.body[1], remedy="Correct the header or the entries.")
    if len(ids.pairs) != header.entries:
        problem = f"{header.entries:,} entries are declared, and there are {len(ids.pairs):,}"
        raise InputError(text.path, problem, remedy="Check that the file is whole.")
    outside = ((ids.pairs < 1) | (ids.pairs > header.n)).any(axis=1)
    if outside.any():
        line = line_of_pair(text, int(np.argmax(outside)))
        problem = f"rows and columns have the numbers 1 to {header.n}"
        raise InputError(text.path, problem, line=line, remedy="Correct the entry.")
    zero = np.ones(len(ids.pairs), bool)
    for column in range(2, expected):
        zero &= zero_fields(text, column, len(ids.pairs))
    return (ids.pairs[~zero] if expected > 2 else ids.pairs) - 1


def _dense(file: File, header: _Header) -> NDArray[np.int64]:
    """The positions of the values that are not zero: column by column, the lower half of a symmetric matrix."""
    half = header.symmetry in UNDIRECTED
    least = 1 if header.symmetry == "skew-symmetric" else 0  # rows below the diagonal
    n, parts = header.n, VALUES[header.field] or 1
    words = file.raw[header.body[0] :].split()
    expected = parts * (n * (n + 1) // 2 - least * n if half else n * n)
    if len(words) != expected:
        problem = f"the matrix has {expected:,} values, and there are {len(words):,}"
        raise InputError(file.path, problem, remedy="Check that the file is whole.")
    try:
        values = np.array([float(word) for word in words]).reshape(-1, parts).any(axis=1)
    except ValueError:
        raise InputError(file.path, "a value that is no number", remedy="Correct the matrix.") from None
    if half:
        columns, rows = np.triu_indices(n, least)
    else:
        columns, rows = np.divmod(np.arange(n * n), max(n, 1))
    return np.stack((rows[values], columns[values]), axis=1).astype(np.int64).reshape(-1, 2)


def chunks(graph: Graph) -> Iterator[bytes]:
    """The lower triangle of the adjacency matrix, as a pattern."""
    without_attributes(graph, "Matrix Market")
    without_edge_attributes(graph, "Matrix Market")
    if graph.labels.dtype.kind != "i" or not np.array_equal(graph.labels, np.arange(graph.n)):
        raise GraphError(
            "Matrix Market holds no labels, only the numbers 0…n−1. Choose another format, or number the vertices "
            "first (in Python, with graph.with_labels())."
        )
    yield b"%%MatrixMarket matrix coordinate pattern symmetric\n"
    yield f"{graph.n} {graph.n} {graph.m}\n".encode()
    numbers = [str(vertex + 1).encode() for vertex in range(graph.n)]
    yield from edge_chunks(graph.edges[:, ::-1], numbers, (b"", b" ", b"\n"))
