"""`write`: a graph into a file, the same bytes for the same graph each time, whole or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator

import numpy as np

from graphveil.errors import ParameterError
from graphveil.formats.atomic import write_whole
from graphveil.formats.dialect import may_pass_for_names
from graphveil.formats.encoding import edge_chunks, encode_names, names_of, without_attributes
from graphveil.formats.formats import EXTENSIONS, FORMATS, suffixes
from graphveil.formats.gml import gml_chunks
from graphveil.formats.graphml import graphml_chunks
from graphveil.formats.mtx import matrix_market_chunks
from graphveil.formats.pajek import pajek_chunks
from graphveil.formats.parquet import parquet_chunks
from graphveil.formats.parsed import INTEGER
from graphveil.formats.text import EDGELESS
from graphveil.graph import Graph

__all__ = ["names_of", "write"]

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
        raise ParameterError(
            f"{name}: its name tells no format that is known. Name one (--format) of {known}."
        )
    write_whole(name, WRITERS[chosen](graph), compression)


def _edge_list(delimiter: str, header: bool) -> Callable[[Graph], Iterator[bytes]]:
    def chunks(graph: Graph) -> Iterator[bytes]:
        without_attributes(graph, "An edge list")
        names = names_of(graph)
        if graph.labels.dtype.kind == "i":
            texts = [name.encode() for name in names]
        else:
            quoted = (
                '"' + name.replace('"', '""') + '"' if NEEDS_QUOTES.search(name) else name for name in names
            )
            texts = encode_names(list(quoted))
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
    "parquet": parquet_chunks,
    "graphml": graphml_chunks,
    "gml": gml_chunks,
    "pajek": pajek_chunks,
    "mtx": matrix_market_chunks,
}
