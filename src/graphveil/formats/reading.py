"""`read`: a graph from a file of any known format."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from graphveil.errors import InputError, ParameterError
from graphveil.formats.compression import read_bytes
from graphveil.formats.formats import FORMATS, format_of
from graphveil.formats.gml import read_gml
from graphveil.formats.graphml import read_graphml
from graphveil.formats.mtx import read_matrix_market
from graphveil.formats.pajek import read_pajek
from graphveil.formats.parquet import read_parquet
from graphveil.formats.parsed import Parsed, known_attributes
from graphveil.formats.text import read_edge_list
from graphveil.graph import Graph, simplify
from graphveil.words import plain

__all__ = ["read"]


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    delimiter: str | None = None,
    columns: Sequence[str | int] | None = None,
    header: bool | None = None,
    undirected: bool = False,
    strict: bool = False,
    keep_vertex_attributes: Sequence[str] = (),
    comments: str = "#%",
    quotes: bool = True,
) -> Graph:
    """Read a graph from a file.

    Self-loops are dropped, repeated edges and both directions of a pair become one edge, edge attributes (weights,
    times) are dropped, and vertex attributes are unless named. `Graph.cleaning` tells how much of it there was.

    Parameters
    ----------
    path : the file, plain or compressed (gzip, bzip2, xz, zstd); ``-`` for the standard input
    format : ``edgelist``, ``csv``, ``tsv``, ``parquet``, ``graphml``, ``gml``, ``pajek`` or ``mtx``; by default what
        the content and the file's name say
    delimiter : of an edge list; ``" "`` for runs of blanks; by default what fits the first lines
    columns : the two columns of an edge list or a Parquet table that hold the ids, by name or by position from 0
    header : whether the first line of an edge list names the columns; by default what it looks like
    undirected : take a graph that declares itself directed as undirected; otherwise it is refused
    strict : refuse, with the first offending line, where anything would be dropped or merged
    keep_vertex_attributes : names of vertex attributes to keep in `Graph.vertex_attributes`
    comments : characters that open a comment line of an edge list
    quotes : whether quotation marks in an edge list are marks (RFC 4180) and not part of the names

    Raises
    ------
    InputError
        if the file cannot be read as a graph; the message names file, line and remedy

    Examples
    --------
    >>> import tempfile, pathlib, graphveil
    >>> file = pathlib.Path(tempfile.mkdtemp(), "friends.csv")
    >>> _ = file.write_text("source,target,since\\nAlice,Bob,2009\\nBob,Alice,2011\\nBob,Carl,2010\\n")
    >>> graph = graphveil.read(file)
    >>> graph, list(graph.labels)
    (Graph(n=3, m=2), ['Alice', 'Bob', 'Carl'])
    >>> print(graph.cleaning)
    merged 1 reciprocal pair, dropped the edge attribute since
    """
    name = os.fspath(path)
    if format is not None and format not in FORMATS:
        raise ParameterError(f"there is no format {format!r}; known are {', '.join(FORMATS)}")
    raw = read_bytes(name)
    format = format or format_of(name, raw)
    keep = tuple(keep_vertex_attributes)
    if format in ("graphml", "gml", "pajek"):
        parsed = {"graphml": read_graphml, "gml": read_gml, "pajek": read_pajek}[format](name, raw, keep)
    else:
        known_attributes(name, (), keep)
        if format == "parquet":
            parsed = read_parquet(name, raw, columns)
        elif format == "mtx":
            parsed = read_matrix_market(name, raw)
        else:
            parsed = read_edge_list(
                name,
                raw,
                format,
                delimiter=delimiter,
                columns=columns,
                header=header,
                comments=comments,
                quotes=quotes,
            )
    return _simple(name, parsed, undirected=undirected, strict=strict)


def _simple(path: str, parsed: Parsed, *, undirected: bool, strict: bool) -> Graph:
    if parsed.directed and not undirected:
        remedy = "To take every edge as undirected, say so (--undirected)."
        raise InputError(path, "the file declares its graph directed", remedy=remedy)
    edges, counts = simplify(parsed.pairs)
    if strict and counts:
        raise _first_offence(path, parsed)
    cleaning = replace(
        counts,
        edge_attributes=parsed.edge_attributes,
        vertex_attributes=parsed.dropped_vertex_attributes,
    )
    if strict and cleaning:
        problem = f"reading would have {cleaning}, which --strict does not allow"
        raise InputError(path, problem, remedy="Name what to keep, or read it without --strict.")
    return Graph(edges, len(parsed.labels), parsed.labels, cleaning, parsed.vertex_attributes)


def _first_offence(path: str, parsed: Parsed) -> InputError:
    """The first pair that would be dropped or merged."""
    u, v = parsed.pairs[:, 0], parsed.pairs[:, 1]
    keys = np.minimum(u, v).astype(np.int64) << 32 | np.maximum(u, v)
    order = np.argsort(keys, kind="stable")
    again = order[1:][keys[order[1:]] == keys[order[:-1]]]
    pair = int(np.concatenate((again, np.flatnonzero(u == v))).min())
    ends = [plain(parsed.labels[end], 40) for end in parsed.pairs[pair]]
    if u[pair] == v[pair]:
        problem = f"an edge from {ends[0]} to itself"
    else:
        problem = f"the edge between {ends[0]} and {ends[1]} is there already"
    return InputError(
        path, problem, line=parsed.line_of(pair), remedy="Drop it, or read the file without --strict."
    )
