"""Pajek networks (W. de Nooy, A. Mrvar, V. Batagelj: Exploratory Social Network Analysis with Pajek).

Sections begin with an asterisk. ``*Vertices n`` may be followed by lines with a number from 1 to n, a label and
coordinates; ``*Edges`` by pairs of numbers, and ``*Arcs`` by directed ones, both with weights behind. A vertex
without label is named by its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError, InputError
from graphveil.formats.advice.unsupported import reject_binary
from graphveil.formats.dialect import BLANKS, Dialect, first_rows
from graphveil.formats.encoding import (
    around,
    cells_of,
    edge_chunks,
    encode_names,
    names_of,
    without_attributes,
    without_edge_attributes,
)
from graphveil.formats.parsed import File, Parsed, known_attributes, with_integers
from graphveil.formats.rows import Ids, Text, line_of_no_integer, line_of_pair, read_cells, read_integers
from graphveil.graph import Graph
from graphveil.numbering import typed
from graphveil.words import plain

SECTION = re.compile(rb"^[ \t]*\*[ \t]*([A-Za-z]+)([^\r\n]*)(?:\r\n?|\n|\Z)", re.MULTILINE)
VERTEX = re.compile(r'\s*([0-9]{1,10})(?:\s+(?:"([^"]*)"|([^\s"]+))(?:\s+(.*))?)?\s*')
COORDINATES = ("x", "y", "z")
PERCENT = np.frombuffer(b"%", np.uint8)
PER_VERTEX = 200  # bytes that a vertex with a name takes, roughly


def read(file: File) -> Parsed:
    """Read the network in a Pajek file, and the coordinates to keep."""
    reject_binary(file.path, file.raw)
    raw = file.raw.removeprefix(b"\xef\xbb\xbf")
    data = np.frombuffer(raw, np.uint8)
    labels: NDArray[Any] | None = None
    values: dict[str, NDArray[Any]] = {}
    sections: list[tuple[Text, NDArray[np.int32]]] = []
    weights: list[NDArray[Any]] = []
    directed = weighted = False
    for name, heading, end, line in _sections(raw):
        if name == "vertices" and labels is None:
            labels, values = _vertices(file, heading[2], raw[heading.end() : end], line)
        elif name in ("edges", "arcs") and labels is not None:
            dialect = Dialect(BLANKS, 0, PERCENT, (heading.end(), line + 1))
            text = Text(file.path, data[:end], dialect, ragged=True)
            pairs = _pairs(text, len(labels))
            directed |= name == "arcs" and len(pairs) > 0
            has_weights = any(row.width > 2 for row in first_rows(data[:end], dialect, 1))
            weighted |= has_weights
            if "weight" in file.how.wanted:
                ids = Ids(text, pairs, pairs[:0, 0], 0)
                weights.append(read_cells(ids, 2) if has_weights else np.ones(len(pairs), np.int64))
            sections.append((text, pairs))
        elif name != "network":
            problem = f"the section *{heading[1].decode()} cannot be read here"
            remedy = "Only *Vertices, *Edges and *Arcs can. Save it so from Pajek, one network in a file."
            raise InputError(file.path, problem, line=line, remedy=remedy)
    if labels is None:
        raise InputError(file.path, "there is no section *Vertices", remedy="Is it a Pajek network?")

    def line_of(pair: int) -> int | None:
        for text, pairs in sections:
            if pair < len(pairs):
                return line_of_pair(text, pair)
            pair -= len(pairs)
        return None

    dropped = known_attributes(file.path, list(values), file.how.keep)
    return with_integers(
        Parsed(
            labels,
            np.concatenate([np.empty((0, 2), np.int32), *(pairs for _, pairs in sections)]),
            directed=directed,
            edge_attributes=("weight",) if weighted else (),
            edge_values={"weight": np.concatenate(weights)} if weights and weighted else {},
            vertex_attributes={name: values[name] for name in file.how.keep},
            dropped_vertex_attributes=dropped,
            line_of=line_of,
        )
    )


def _sections(raw: bytes) -> Iterator[tuple[str, re.Match[bytes], int, int]]:
    """Name, heading, end and line of each section."""
    headings = list(SECTION.finditer(raw))
    ends = [*(heading.start() for heading in headings[1:]), len(raw)]
    line = place = 0
    for heading, end in zip(headings, ends, strict=False):
        line += raw.count(b"\n", place, heading.start())
        place = heading.start()
        yield heading[1].decode().lower(), heading, end, line + 1


def _vertices(
    file: File, heading: bytes, lines: bytes, first: int
) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """The labels of the vertices, and their coordinates if they have any."""
    words = heading.split()
    if not words or not re.fullmatch(rb"[0-9]{1,15}", words[0]):
        raise InputError(
            file.path, "*Vertices without their number", line=first, remedy="Add it, as in: *Vertices 12"
        )
    n = int(words[0])
    file.claim(f"it declares {n:,} vertices", PER_VERTEX * n, first)
    labels = [str(number + 1) for number in range(n)]
    rest: dict[int, list[str]] = {}
    for line, content in enumerate(re.split(rb"\r\n?|\n", lines), first + 1):
        if content.strip() and not content.lstrip().startswith(b"%"):
            number, label, words_behind = _vertex(file.path, content, n, line)
            labels[number] = labels[number] if label is None else label
            if words_behind:
                rest[number] = words_behind
    values = _coordinates(rest, n)
    if len(set(labels)) < n:  # labels that name nobody are an attribute, and numbers are the names
        values["label"] = np.fromiter(labels, object, n)
        labels = [str(number + 1) for number in range(n)]
    return np.fromiter(labels, object, n), values


def _vertex(path: str, content: bytes, n: int, line: int) -> tuple[int, str | None, list[str]]:
    """Number from 0, label, and the words behind it."""
    try:
        vertex = VERTEX.fullmatch(content.decode())
    except UnicodeDecodeError:
        remedy = 'Name its encoding (encoding="latin1").'
        raise InputError(path, "a label that is not in UTF-8", line=line, remedy=remedy) from None
    if vertex is None or not 1 <= int(vertex[1]) <= n:
        remedy = 'A vertex has a number and a label, as in: 1 "Alice"'
        problem = f"this is no vertex with a number from 1 to {n}"
        raise InputError(path, problem, line=line, remedy=remedy)
    label = vertex[3] or vertex[2]
    return int(vertex[1]) - 1, label, (vertex[4] or "").split()


def _coordinates(rest: dict[int, list[str]], n: int) -> dict[str, NDArray[Any]]:
    """What follows the labels: up to three numbers, then words for a drawing."""
    values: dict[str, list[Any]] = {}
    for number, words in rest.items():
        for name, word in zip((*COORDINATES, "shape"), words, strict=False):
            value: float | str = word
            if name != "shape":
                try:
                    value = float(word)
                except ValueError:
                    name = "shape"
            values.setdefault(name, [None] * n)[number] = value
            if name == "shape":
                break
    return {name: typed(column) for name, column in values.items()}


def _pairs(text: Text, n: int) -> NDArray[np.int32]:
    ids = read_integers(text)
    if ids is None:
        problem = "an edge joins two vertices by their numbers, and this is none"
        raise InputError(text.path, problem, line=line_of_no_integer(text), remedy="Correct the edge.")
    if len(ids.lone):
        raise InputError(
            text.path, "a line of *Edges or *Arcs has one number only", remedy="Complete the edge."
        )
    outside = ((ids.pairs < 1) | (ids.pairs > n)).any(axis=1)
    if outside.any():
        line = line_of_pair(text, int(np.argmax(outside)))
        raise InputError(
            text.path, f"vertices have the numbers 1 to {n}", line=line, remedy="Correct the edge."
        )
    return (ids.pairs - 1).astype(np.int32)


def chunks(graph: Graph) -> Iterator[bytes]:
    """Vertices with their labels, and edges between their numbers."""
    without_attributes(graph, "Pajek")
    _only_a_weight(graph)
    names = names_of(graph)
    if unfit := next((name for name in names if re.search('["\r\n]', name)), None):
        raise GraphError(
            f"Pajek cannot hold quotation marks and line ends, as in the label {plain(unfit, 40)}. Rename it."
        )
    yield f"*Vertices {graph.n}\n".encode()
    lines = (b'%d "%s"\n' % (number, name) for number, name in enumerate(encode_names(names), 1))
    yield b"".join(lines)
    yield b"*Edges\n"
    numbers = [str(vertex + 1).encode() for vertex in range(graph.n)]
    weights = [texts for *_, texts in cells_of(graph.edge_attributes, "edge", {"long": str, "double": repr})]
    tails = around(weights[0], " ", "") if weights else None
    yield from edge_chunks(graph.edges, numbers, (b"", b" ", b"\n"), tails)


def _only_a_weight(graph: Graph) -> None:
    values = list(graph.edge_attributes.values())
    numbers = len(values) == 1 and values[0].dtype.kind in "iuf"
    if not (numbers and set(graph.edge_attributes) == {"weight"}):
        without_edge_attributes(graph, "Pajek, which takes numbers as weight,")
