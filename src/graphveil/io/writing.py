"""`write`: a graph into a file, the same bytes for the same graph each time, whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError, ParameterError
from graphveil.graph import Graph
from graphveil.io.atomic import write_whole
from graphveil.io.dialect import may_pass_for_names
from graphveil.io.formats import EXTENSIONS, FORMATS, suffixes
from graphveil.io.text import EDGELESS, INTEGER

__all__ = ["write"]

CHUNK = 1 << 18  # edges that become text at a time
NEEDS_QUOTES = re.compile(r'[ \t\r\n",;|]|^[#%\ufeff]|^$')


def write(graph: Graph, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write a graph to a file, compressed if its name ends in .gz, .bz2, .xz or .zst.

    The file appears when it is whole: a run that is cut short leaves what was there before. Vertices without edges
    are kept. Reading the file gives the same graph back; in edge lists names come in the order of their appearance.

    Parameters
    ----------
    graph : the graph
    path : the file; ``-`` for the standard output
    format : as in `graphveil.read`; by default what the file's name says

    Raises
    ------
    GraphError
        if the format cannot hold the labels
    PublicationError
        if the file cannot be written

    Examples
    --------
    >>> import tempfile, pathlib, graphveil
    >>> file = pathlib.Path(tempfile.mkdtemp(), "friends.csv")
    >>> graphveil.write(graphveil.Graph.from_edges([("Alice", "Bob")], vertices=["Carl"]), file)
    >>> file.read_text()
    'source,target\\nAlice,Bob\\nCarl,\\n'
    """
    name = os.fspath(path)
    extension, compression = suffixes(name)
    chosen = format or EXTENSIONS.get(extension)
    if chosen is None and name == "-":
        chosen = "edgelist"
    if chosen not in FORMATS:
        known = ", ".join(FORMATS)
        raise ParameterError(f"{name}: its name tells no format that is known. Name one of {known}.")
    write_whole(name, WRITERS[chosen](graph), compression)


def names_of(graph: Graph) -> list[str]:
    """The labels as text, each different."""
    if graph.labels.dtype.kind == "i":
        return list(map(str, graph.labels.tolist()))
    names = []
    for label in graph.labels.tolist():
        if isinstance(label, bool) or not isinstance(label, str | int):
            kind = type(label).__name__
            raise GraphError(f"the label {label!r} is of type {kind}: only integers and names can be written")
        names.append(str(label))
    if len(set(names)) < len(names):
        raise GraphError("two labels are the same as text, a number and a name. Rename one of them.")
    return names


def edge_chunks(
    edges: NDArray[np.int32], names: list[bytes], around: tuple[bytes, bytes, bytes]
) -> Iterator[bytes]:
    """The edges as text, with what stands before, between and after the two names of each."""
    from graphveil.kernels.text import join_pairs

    lengths = np.fromiter(map(len, names), np.int64, len(names))
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    pool = np.frombuffer(b"".join(names), np.uint8)
    pieces = [np.frombuffer(piece, np.uint8) for piece in around]
    fixed = sum(map(len, around))
    for first in range(0, len(edges), CHUNK):
        part = edges[first : first + CHUNK]
        text = np.empty(int(lengths[part].sum()) + fixed * len(part), np.uint8)
        join_pairs(part, pool, offsets, *pieces, text)
        yield text.tobytes()


def encode_names(names: list[str], format: str) -> list[bytes]:
    """In UTF-8; refuses what is no text at all, and zero bytes, which every reader takes for binary data."""
    for name in names:
        if "\0" in name:
            raise GraphError(f"the label {name!r} has a zero character, which {format} cannot hold")
    try:
        return [name.encode() for name in names]
    except UnicodeEncodeError as error:
        raise GraphError(f"the label {error.object!r} is no text: it has a lone surrogate") from None


def _edge_list(delimiter: str, header: bool) -> Callable[[Graph], Iterator[bytes]]:
    def chunks(graph: Graph) -> Iterator[bytes]:
        names = names_of(graph)
        quoted = [
            '"' + name.replace('"', '""') + '"' if NEEDS_QUOTES.search(name) else name for name in names
        ]
        texts = encode_names(quoted, "an edge list")
        if not graph.m:
            yield EDGELESS + b"\n"
        if header:
            yield f"source{delimiter}target\n".encode()
        elif graph.m and _passes_for_header(graph, names):
            yield texts[graph.edges[0, 0]] + b"\n"
        yield from edge_chunks(graph.edges, texts, (b"", delimiter.encode(), b"\n"))
        after = b"\n" if delimiter == " " else delimiter.encode() + b"\n"
        yield b"".join(texts[v] + after for v in np.flatnonzero(graph.degrees == 0).tolist())

    return chunks


def _passes_for_header(graph: Graph, names: list[str]) -> bool:
    """Whether the first edge might be taken for a header; a line with its first id alone prevents that."""
    if graph.labels.dtype.kind == "i":
        return False
    return may_pass_for_names(*(names[v] for v in graph.edges[0])) or any(map(INTEGER.fullmatch, names))


WRITERS: dict[str, Callable[[Graph], Iterator[bytes]]] = {
    "edgelist": _edge_list(" ", header=False),
    "csv": _edge_list(",", header=True),
    "tsv": _edge_list("\t", header=True),
}
