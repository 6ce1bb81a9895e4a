"""Matrix Market (R. Boisvert, R. Pozo, K. Remington: The Matrix Market exchange formats, NISTIR 5935, 1996).

The matrix is the adjacency matrix, an edge wherever an entry is not zero; row i is the vertex i - 1. A symmetric matrix
is an undirected graph; any other declares itself directed.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from graphveil.errors import GraphError, InputError
from graphveil.formats.encoding import edge_chunks, without_attributes
from graphveil.formats.parsed import Parsed
from graphveil.graph import Graph

__all__ = ["matrix_market_chunks", "read_matrix_market"]

UNDIRECTED = ("symmetric", "skew-symmetric", "hermitian")


def read_matrix_market(path: str, raw: bytes) -> Parsed:
    """Read an adjacency matrix."""
    words = raw[: raw.find(b"\n") + 1].decode(errors="replace").lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        remedy = "It begins with, for example: %%MatrixMarket matrix coordinate pattern symmetric"
        raise InputError(path, "this is no header of a Matrix Market file", line=1, remedy=remedy)
    field, symmetry = words[3:]
    entries = _entries(path, raw)
    rows, columns = entries.shape
    if rows != columns:
        problem = f"an adjacency matrix is square, and this one is {rows}×{columns}"
        raise InputError(path, problem, remedy="Is it the matrix of a graph?")
    present = entries.data != 0
    if symmetry in UNDIRECTED:
        present &= entries.row >= entries.col  # the other half was filled in
    return Parsed(
        np.arange(rows, dtype=np.int64),
        np.stack((entries.row[present], entries.col[present]), axis=1).astype(np.int32),
        directed=symmetry not in UNDIRECTED,
        edge_attributes=() if field == "pattern" else ("weight",),
    )


def _entries(path: str, raw: bytes) -> Any:
    from scipy.io import mmread
    from scipy.sparse import coo_array

    try:
        return coo_array(mmread(io.BytesIO(raw)))
    except (ValueError, OverflowError, MemoryError) as error:
        line, problem = re.fullmatch(r"(?:Line (\d+): )?(.*?)\.?", str(error), re.DOTALL).groups()  # type: ignore[union-attr]
        problem = f"the matrix cannot be read ({problem})"
        where = int(line) if line else None
        raise InputError(path, problem, line=where, remedy="Check that the file is whole.") from None


def matrix_market_chunks(graph: Graph) -> Iterator[bytes]:
    """The lower triangle of the adjacency matrix, as a pattern."""
    without_attributes(graph, "Matrix Market")
    if graph.labels.dtype.kind != "i" or not np.array_equal(graph.labels, np.arange(graph.n)):
        raise GraphError(
            "Matrix Market holds no labels, only the numbers 0…n−1. Choose another format, or number the vertices "
            "first (in Python, with graph.with_labels())."
        )
    yield b"%%MatrixMarket matrix coordinate pattern symmetric\n"
    yield f"{graph.n} {graph.n} {graph.m}\n".encode()
    numbers = [str(vertex + 1).encode() for vertex in range(graph.n)]
    yield from edge_chunks(graph.edges[:, ::-1], numbers, (b"", b" ", b"\n"))
