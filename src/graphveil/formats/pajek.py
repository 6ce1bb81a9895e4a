"""Pajek networks (W. de Nooy, A. Mrvar, V. Batagelj: Exploratory Social Network Analysis with Pajek).

Sections begin with an asterisk. ``*Vertices n`` may be followed by lines with a number from 1 to n, a label and
coordinates; ``*Edges`` by pairs of numbers, and ``*Arcs`` by directed ones, both with weights behind. A vertex
without label is named by its number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError, InputError
from graphveil.formats.dialect import BLANKS, Dialect, first_rows
from graphveil.formats.encoding import edge_chunks, encode_names, names_of, without_attributes
from graphveil.formats.parsed import Parsed, known_attributes, typed, with_integers
from graphveil.formats.rows import Text, line_of_no_integer, line_of_pair, read_integers
from graphveil.formats.text import BOM, reject_binary
from graphveil.graph import Graph
from graphveil.words import plain

__all__ = ["pajek_chunks", "read_pajek"]

SECTION = re.compile(rb"^[ \t]*\*[ \t]*([A-Za-z]+)([^\r\n]*)(?:\r\n?|\n|\Z)", re.MULTILINE)
VERTEX = re.compile(r'\s*([0-9]+)(?:\s+(?:"([^"]*)"|([^\s"]+))(?:\s+(.*))?)?\s*')
COORDINATES = ("x", "y", "z")
PERCENT = np.frombuffer(b"%", np.uint8)


def read_pajek(path: str, raw: bytes, keep: Sequence[str] = ()) -> Parsed:
    """Read the network in a Pajek file, and the coordinates to ``keep``."""
    reject_binary(path, raw)
    raw = raw.removeprefix(BOM)
    labels: NDArray[Any] | None = None
    values: dict[str, NDArray[Any]] = {}
    sections: list[tuple[Text, NDArray[np.int32]]] = []
    directed = weighted = False
    headings = list(SECTION.finditer(raw))
    ends = [heading.start() for heading in headings[1:]]
    for heading, end in zip(headings, [*ends, len(raw)], strict=False):
        name, line = heading[1].decode().lower(), raw.count(b"\n", 0, heading.start()) + 1
        if name == "vertices" and labels is None:
            labels, values = _vertices(path, heading[2], raw[heading.end() : end], line)
        elif name in ("edges", "arcs") and labels is not None:
            data = np.frombuffer(raw[:end], np.uint8)
            text = Text(path, data, Dialect(BLANKS, 0, PERCENT, (heading.end(), line + 1)), ragged=True)
            pairs = _pairs(text, len(labels))
            directed |= name == "arcs" and len(pairs) > 0
            weighted |= any(row.width > 2 for row in first_rows(data, text.dialect, 1))
            sections.append((text, pairs))
        elif name != "network":
            problem = f"the section *{heading[1].decode()} cannot be read here"
            remedy = "One network of *Vertices, *Edges and *Arcs can: drop the rest."
            raise InputError(path, problem, line=line, remedy=remedy)
    if labels is None:
        raise InputError(path, "there is no section *Vertices", remedy="Is it a Pajek network?")

    def line_of(pair: int) -> int | None:
        for text, pairs in sections:
            if pair < len(pairs):
                return line_of_pair(text, pair)
            pair -= len(pairs)
        return None

    dropped = known_attributes(path, list(values), keep)
    return with_integers(
        Parsed(
            labels,
            np.concatenate([np.empty((0, 2), np.int32), *(pairs for _, pairs in sections)]),
            directed=directed,
            edge_attributes=("weight",) if weighted else (),
            vertex_attributes={name: values[name] for name in keep},
            dropped_vertex_attributes=dropped,
            line_of=line_of,
        )
    )


def _vertices(
    path: str, heading: bytes, lines: bytes, first: int
) -> tuple[NDArray[Any], dict[str, NDArray[Any]]]:
    """The labels of the vertices, and their coordinates if they have any."""
    words = heading.split()
    if not words or not words[0].isdigit():
        raise InputError(
            path, "*Vertices without their number", line=first, remedy="Add it, as in: *Vertices 12"
        )
    labels = [str(number + 1) for number in range(int(words[0]))]
    rest: dict[int, list[str]] = {}
    for line, content in enumerate(re.split(rb"\r\n?|\n", lines), first + 1):
        if not content.strip() or content.lstrip().startswith(b"%"):
            continue
        try:
            vertex = VERTEX.fullmatch(content.decode())
        except UnicodeDecodeError:
            remedy = "Convert the file to UTF-8, for example with: iconv -f LATIN1 -t UTF-8"
            raise InputError(path, "a label that is no text in UTF-8", line=line, remedy=remedy) from None
        if vertex is None or not 1 <= int(vertex[1]) <= len(labels):
            remedy = 'A vertex has a number and a label, as in: 1 "Alice"'
            problem = f"this is no vertex with a number from 1 to {len(labels)}"
            raise InputError(path, problem, line=line, remedy=remedy)
        number = int(vertex[1]) - 1
        if vertex[2] is not None or vertex[3]:
            labels[number] = vertex[3] or vertex[2]
        if vertex[4]:
            rest[number] = vertex[4].split()
    values = _coordinates(rest, len(labels))
    if len(set(labels)) < len(labels):  # labels that name nobody are an attribute, and numbers are the names
        values["label"] = np.fromiter(labels, object, len(labels))
        labels = [str(number + 1) for number in range(len(labels))]
    return np.fromiter(labels, object, len(labels)), values


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


def pajek_chunks(graph: Graph) -> Iterator[bytes]:
    """Vertices with their labels, and edges between their numbers."""
    without_attributes(graph, "Pajek")
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
    yield from edge_chunks(graph.edges, numbers, (b"", b" ", b"\n"))
