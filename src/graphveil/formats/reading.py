"""`read`: a graph from a file of any known format."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError, InputError, ParameterError, warn
from graphveil.formats.advice.not_edge_lists import refuse_braces, refuse_rounded
from graphveil.formats.compression import read_bytes
from graphveil.formats.memory_limit import allowed, check_claim, parse_size
from graphveil.formats.parquet import parts_of
from graphveil.formats.parsed import File, Options, Parsed
from graphveil.formats.table import FORMATS, FormatName, format_of
from graphveil.formats.vertices import add_vertices
from graphveil.graph import Graph
from graphveil.notebooks import long_work
from graphveil.origin import Caution, Reading
from graphveil.repeated import DIRECTION, plain_column, resolve, values_of_edges
from graphveil.sorting import simplify
from graphveil.words import counted, plain

UNDIRECTED_BY_WORD = ("graphml", "gml", "gexf", "pajek", "mtx")  # formats that say whether edges are directed


@long_work("reading")
def read(
    path: str | os.PathLike[str],
    *,
    format: FormatName | None = None,
    delimiter: str | None = None,
    columns: Sequence[str | int] | None = None,
    header: bool | None = None,
    undirected: bool = False,
    strict: bool = False,
    keep_vertex_attributes: Sequence[str] = (),
    keep_edge_attributes: Sequence[str] = (),
    direction: Literal["drop", "keep"] = "drop",
    comments: str | None = None,
    quotes: bool = True,
    encoding: str | None = None,
    vertices: str | os.PathLike[str] | None = None,
    project: bool = False,
    max_memory: int | str | None = None,
    skip_bad_rows: bool = False,
) -> Graph:
    """Read a graph from a file.

    Self-loops are dropped. Repeated edges and both directions of a pair become one edge. Attributes are dropped unless
    you name them. `Graph.cleaning` counts all this. `Graph.reading` says how the file was read: its delimiter, the
    columns with the ids, an example.

    Parameters
    ----------
    path
        The file, plain or compressed (gzip, bzip2, xz, zstd); a folder of Parquet files; ``-`` for standard input
    format
        A name from the table in docs/formats.md. Default: detected by the content and the name of the file
    delimiter
        Of an edge list; ``" "`` for runs of blanks; default: detected by the first lines
    columns
        The two columns of an edge list or a Parquet table that hold the ids, by name or by position from 0.
        Default: chosen by their names
    header
        Whether the first line of an edge list names the columns. Default: detected
    undirected
        Read a directed graph as undirected. Otherwise a directed graph is refused
    strict
        Refuse a file in which anything would be dropped or merged, and name the first such line
    keep_vertex_attributes
        Names of vertex attributes to keep in `Graph.vertex_attributes`
    keep_edge_attributes
        Names of edge attributes to keep in `Graph.edge_attributes`. ``"date=first"`` names the rule where an edge is
        repeated: sum, min, max, first, last or count. Default: numbers are added up, of dates the first is taken,
        other values must agree
    direction
        ``"keep"`` takes a directed graph as undirected, and puts into the edge attribute ``direction`` whether an edge
        leads ``forward``, from its first end to the second, ``backward`` or ``both`` ways
    comments
        Characters that open a comment line of an edge list. Default: ``#`` and ``%``, but a comment with as many
        columns as the rows is refused, for it may be a row whose first id begins so
    quotes
        Whether names in an edge list may be in quotation marks (RFC 4180). Otherwise the marks are part of the names
    encoding
        Of a text that is not in UTF-8 or UTF-16, such as ``"latin1"``
    vertices
        A second file, CSV or TSV, with a row for each vertex: its id and its attributes
    project
        Take the file as memberships (person, club): join the people of the first column that share one
    max_memory
        What a file may claim, by compression or by a number that it declares, as in ``"8GB"``; by default
        30 times its size, and 256 MB for any file
    skip_bad_rows
        Leave out rows of a table that are not as the others: without the first id, or with another number of columns.
        `Graph.reading.skipped` lists their lines

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
    keep = tuple(keep_vertex_attributes)
    if strict and skip_bad_rows:
        raise ParameterError("strict=True refuses bad rows, and skip_bad_rows=True skips them. Choose one.")
    own = () if vertices is not None else keep, skip_bad_rows, tuple(keep_edge_attributes)
    how = Options(delimiter, columns, header, comments, quotes, *own)
    keeps_direction = direction == "keep"
    _check_edge_attributes(how, direction, project=project)
    file = open_file(path, how, format=format, encoding=encoding, max_memory=max_memory)
    try:
        parsed = FORMATS[file.format].read(file)
        if keeps_direction and not parsed.directed and file.format in UNDIRECTED_BY_WORD:
            remedy = "Read it without direction."
            raise InputError(file.path, "the file says that its edges have no direction", remedy=remedy)
        if parsed.directed and not (undirected or keeps_direction or project):
            remedy = "To take every edge as undirected, say so (undirected=True)."
            raise InputError(file.path, "the file declares its graph directed", remedy=remedy)
        if project:
            parsed = onto_people(parsed, file)
        elif re.match(rb"%\s*bip\b", file.raw):  # KONECT
            problem = "the first line says bip: the two columns number two kinds of things, such as people and clubs"
            remedy = "Join people who share one (project=True), or drop this line if these are friendships."
            raise InputError(file.path, problem, line=1, remedy=remedy)
        if vertices is not None:
            parsed = add_vertices(parsed, os.fspath(vertices), keep, how, file.allowed)
        if (undirected or keeps_direction) and parsed.reading is not None:  # said by the caller
            parsed = replace(parsed, reading=replace(parsed.reading, direction=""))
        return _simple(file, parsed, strict=strict, direction=keeps_direction)
    except MemoryError:
        raise InputError(
            file.path, "there is not enough memory for it", remedy="Use a larger machine."
        ) from None


def _check_edge_attributes(how: Options, direction: str, *, project: bool) -> None:
    """Refuse, before any work, what does not go together."""
    if direction not in ("drop", "keep"):
        raise ParameterError(f"direction must be drop or keep, not {direction!r}.")
    if project and (how.keep_edges or direction == "keep"):
        raise ParameterError("memberships have no attributes of friendships. Leave these, or project=, out.")
    if direction == "keep" and DIRECTION in how.keep_edges:
        raise ParameterError('direction="keep" makes an attribute of this name. Keep one of the two.')


def open_file(
    path: str | os.PathLike[str],
    how: Options,
    *,
    format: str | None = None,
    encoding: str | None = None,
    max_memory: int | str | None = None,
) -> File:
    """The content of a file, decompressed and in UTF-8, and the format that it is in."""
    name = os.fspath(path)
    if format is not None and format not in FORMATS:
        raise ParameterError(f"there is no format {format!r}; known are {', '.join(FORMATS)}")
    most = None if max_memory is None else parse_size(max_memory)
    if os.path.isdir(name) and (parts := parts_of(name)):
        size = sum(part.stat().st_size for part in parts)
        return File(name, b"", "parquet", how, allowed(size, most))
    raw, bound, digest, size = read_bytes(name, most)
    raw, recoded = _in_utf8(name, raw, encoding)
    file = File(name, raw, format or format_of(name, raw), how, bound, recoded, digest)
    if len(raw) > size:  # a file that is not compressed justifies what it takes
        claim = len(raw) + FORMATS[file.format].memory(raw)
        check_claim(name, "reading it expands it", claim, bound if most else 2 * bound)
    return file


def _in_utf8(path: str, raw: bytes, encoding: str | None) -> tuple[bytes, str | None]:
    """The text in UTF-8 if it is in UTF-16, or in an encoding that was named."""
    if encoding is None:
        if not raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            return raw, None
        encoding = "utf-16"
    try:
        return raw.decode(encoding).removeprefix("\ufeff").encode(), "utf-8"
    except LookupError:
        raise ParameterError(
            f"there is no encoding {encoding!r}; usual ones are latin1, cp1252, utf-16"
        ) from None
    except (UnicodeError, ValueError):
        raise InputError(
            path, f"its text is not in {encoding}", remedy='Name another encoding (encoding="latin1").'
        ) from None


def _simple(file: File, parsed: Parsed, *, strict: bool, direction: bool = False) -> Graph:
    edges, counts = simplify(parsed.pairs, len(parsed.labels))
    if strict and counts:
        raise _first_offence(file.path, parsed)
    values, rules, others = _edge_values(file, parsed, direction)
    cleaning = replace(
        counts,
        edge_attributes=others,
        vertex_attributes=parsed.dropped_vertex_attributes,
        rules=tuple(rules.items()),
    )
    if strict and cleaning:
        problem = f"reading would have {cleaning}, which strict=True does not allow"
        raise InputError(file.path, problem, remedy="Name what to keep, or read it without strict=True.")
    if strict and _befriended(parsed)[parsed.empty].any():
        problem = "the cell for the second id is empty"
        remedy = "Fill it in, drop the line, or read the file without strict=True: then it is a person without friends."
        raise InputError(file.path, problem, line=parsed.line_of_empty(), remedy=remedy)
    refuse_rounded(file, parsed)
    refuse_braces(file, parsed)
    reading = replace(parsed.reading or Reading(file.path, file.format), sha256=file.sha256)
    if len(parsed.empty):
        reading = replace(reading, cautions=(*reading.cautions, _of_empty_cells(parsed)))
    own = parsed.labels, cleaning, parsed.vertex_attributes, reading, values
    return Graph(edges, len(parsed.labels), *own)


def _edge_values(
    file: File, parsed: Parsed, direction: bool
) -> tuple[dict[str, NDArray[Any]], dict[str, str], tuple[str, ...]]:
    """The values of each edge, the rules for repeated ones, and the names of the attributes that are dropped."""
    chosen = FORMATS[file.format].is_table and file.how.columns  # the caller knows that there are others
    dropped = () if chosen else parsed.edge_attributes
    if not file.how.keep_edges and not direction:
        return {}, {}, dropped

    def complain(row: int, problem: str, remedy: str) -> InputError:
        return InputError(file.path, problem, line=parsed.line_of(row), remedy=remedy)

    try:
        kept = resolve(file.how.keep_edges, dict.fromkeys((*parsed.edge_values, *parsed.edge_attributes)))
    except GraphError as error:
        problem, _, remedy = str(error).partition(". ")
        raise InputError(file.path, problem, remedy=remedy) from None
    if lacking := [each.column for each in kept if each.column not in parsed.edge_values]:
        problem = (
            f"the edge attribute {plain(lacking[0], 40)} cannot be read from {FORMATS[file.format].words}"
        )
        raise InputError(file.path, problem, remedy="Leave it out, or convert the file.")
    columns = {each.column: plain_column(parsed.edge_values[each.column], complain) for each in kept}
    found = values_of_edges(parsed.pairs, len(parsed.labels), columns, kept, complain, direction=direction)
    return *found, tuple(name for name in dropped if name not in columns)


def _of_empty_cells(parsed: Parsed) -> Caution:
    """What became of the rows without a second id."""
    rows, others = len(parsed.empty), int(_befriended(parsed)[parsed.empty].sum())
    message = (
        f"{counted(rows, 'row has', 'rows have')} no second id, which is read as a person without friends"
    )
    message += f"; {others:,} of these people have friends in other rows." if others else "."
    return Caution(
        "empty-cells", message, "If friendships are missing, fill them in (strict=True refuses such rows)."
    )


def _befriended(parsed: Parsed) -> NDArray[np.bool_]:
    """Who has a friend in any row."""
    befriended = np.zeros(len(parsed.labels), bool)
    befriended[parsed.pairs] = True
    return befriended


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
        path, problem, line=parsed.line_of(pair), remedy="Drop it, or read the file without strict=True."
    )


PER_PAIR = 40  # bytes that a pair of members takes while it becomes an edge


def onto_people(parsed: Parsed, file: File) -> Parsed:
    """The graph of those in the first column; a club of s people gives s(s-1)/2 edges.

    Labels of clubs, and the vertex attributes of all, go.
    """
    people = _people(parsed)
    number = np.full(len(parsed.labels), -1, np.int32)
    number[people] = np.arange(len(people), dtype=np.int32)
    member, club = _memberships(parsed.pairs)
    sizes = np.unique(club, return_counts=True)[1]
    count = int((sizes * (sizes - 1) // 2).sum())
    what = f"the projection has up to {counted(count, 'pair')} of people who share one of {counted(len(sizes), 'club')}"
    check_claim(file.path, what, PER_PAIR * count, max(file.allowed, 2**31))
    pairs = _once(_all_pairs(number[member], sizes))  # two people may share several clubs
    warn(
        f"projected {counted(len(club), 'membership')} in {counted(len(sizes), 'club')} onto "
        f"{counted(len(people), 'person', 'people')}: {counted(len(pairs), 'pair')} share a club. "
        f"The largest club has {counted(int(sizes.max(initial=0)), 'member')}. "
        "Large clubs make everybody a friend of everybody."
    )
    labels: NDArray[Any] = parsed.labels[people]
    reading = None if parsed.reading is None else replace(parsed.reading, sides=None)
    return replace(
        parsed,
        labels=labels,
        pairs=pairs,
        directed=False,
        vertex_attributes={name: values[people] for name, values in parsed.vertex_attributes.items()},
        line_of=lambda pair: None,
        empty=number[parsed.empty],
        reading=reading,
    )


def _people(parsed: Parsed) -> NDArray[np.int64]:
    """Who is in the first column or alone; people and clubs may have the same ids, and a club is not a person."""
    person, club = np.zeros(len(parsed.labels), bool), np.zeros(len(parsed.labels), bool)
    person[parsed.pairs[:, 0]] = person[parsed.empty] = True
    club[parsed.pairs[:, 1]] = True
    return np.flatnonzero(person | ~club)


def _once(pairs: NDArray[np.int32]) -> NDArray[np.int32]:
    """The pairs without repetition; the lower number comes first in each."""
    keys = np.unique(pairs[:, 0].astype(np.int64) << 32 | pairs[:, 1])
    return np.stack((keys >> 32, keys & 0xFFFFFFFF), axis=1).astype(np.int32)


def _memberships(pairs: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Member and club of each membership, once each, club by club."""
    once = np.unique(pairs[:, 1].astype(np.int64) << 32 | pairs[:, 0])
    return (once & 0xFFFFFFFF).astype(np.int32), (once >> 32).astype(np.int32)


def _all_pairs(members: NDArray[np.int32], sizes: NDArray[np.int64]) -> NDArray[np.int32]:
    """All pairs within runs of these sizes."""
    ends = np.repeat(np.cumsum(sizes), sizes)
    partners = ends - np.arange(len(members)) - 1
    first = np.repeat(np.arange(len(members)), partners)
    starts = np.cumsum(partners) - partners
    second = first + 1 + np.arange(len(first)) - np.repeat(starts, partners)
    return np.stack((members[first], members[second]), axis=1)
