"""GML (M. Himsolt: GML, a portable graph file format, University of Passau 1997).

A kernel finds the nodes and edges. A node's label names the vertex if every node has one and no two are the same;
otherwise its id does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError, InputError
from graphveil.formats.encoding import attribute_texts, edge_chunks, names_of
from graphveil.formats.parsed import INTEGER, Parsed, known_attributes, typed, with_integers, without_entities
from graphveil.formats.rows import BLOCK, Names, check_declared
from graphveil.formats.text import BOM, reject_binary
from graphveil.graph import Graph
from graphveil.words import plain

__all__ = ["gml_chunks", "read_gml"]

MAX_KEYS = 1000  # so many names of attributes are told apart


def read_gml(path: str, raw: bytes, keep: Sequence[str] = ()) -> Parsed:
    """Read the nodes and edges of a GML file, and the vertex attributes to ``keep``."""
    reject_binary(path, raw)
    data = np.frombuffer(raw, np.uint8)
    found = _nodes_and_edges(path, data)
    labels = np.empty(len(found.ids), object)
    labels[found.nodes] = [_text(path, data, *place) for place in found.labels.tolist()]
    named = None not in labels and len(set(labels)) == len(labels)
    keys = found.node_keys if named or not (found.labels >= 0).any() else [*found.node_keys, "label"]
    dropped = known_attributes(path, keys, keep)
    order = np.argsort(found.nodes)
    return with_integers(
        Parsed(
            labels if named else found.ids,
            found.pairs,
            directed=found.directed,
            edge_attributes=tuple(found.edge_keys),
            vertex_attributes={name: _values(path, data, found.starts[order], name) for name in keep},
            dropped_vertex_attributes=dropped,
            line_of=lambda pair: int(found.lines[pair]),
        )
    )


@dataclass(frozen=True)
class _Found:
    ids: NDArray[Any]
    nodes: NDArray[np.int32]  # which id each node has
    starts: NDArray[np.int64]  # where the list of each node begins
    labels: NDArray[np.int64]  # start, end and kind of each node's label, or -1
    pairs: NDArray[np.int32]
    lines: NDArray[np.int64]  # of the edges
    node_keys: list[str]
    edge_keys: list[str]
    directed: bool


def _nodes_and_edges(path: str, data: NDArray[np.uint8]) -> _Found:
    from graphveil.kernels import markup

    names, directed = Names(), np.zeros(1, np.int64)
    slices, (lines, starts) = np.empty((BLOCK, 6), np.int64), np.empty((2, BLOCK), np.int64)
    is_edge, keys = np.empty(BLOCK, bool), np.zeros((2, MAX_KEYS, 2), np.int64)
    blocks: list[tuple[NDArray[Any], ...]] = []
    position, line = _enter_graph(path, data)
    status = markup.MORE
    while status == markup.MORE:
        status, rows, position, line = markup.cut_gml(
            data, position, line, markup.WORDS, slices, lines, starts, is_edge, keys[0], keys[1], directed
        )
        if status < 0:
            raise _what_is_wrong(path, status, int(lines[rows]))
        edge, node = is_edge[:rows], ~is_edge[:rows]
        labels = slices[:rows][node, 3:]
        slices[:rows][node, 3:] = -1
        numbers = names.number(data, slices[:rows], lines[:rows])
        blocks.append((numbers[node, 0], starts[:rows][node], labels, numbers[edge], lines[:rows][edge]))
    nodes, starts, labels, pairs, lines = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    ids = names.decode(path)
    check_declared(path, ids, nodes, names.lines)
    node_keys, edge_keys = (
        [_text(path, data, start, end, 0) or "" for start, end in which[1 : which[0, 0] + 1].tolist()]
        for which in keys
    )
    return _Found(ids, nodes, starts, labels, pairs, lines, node_keys, edge_keys, bool(directed[0]))


def _enter_graph(path: str, data: NDArray[np.uint8]) -> tuple[int, int]:
    """Where the list of the graph begins, and in which line."""
    from graphveil.kernels.markup import OPEN, WORD, gml_skip, gml_token

    position, line = (len(BOM) if data[: len(BOM)].tobytes() == BOM else 0), 1
    while position >= 0:
        token, start, end, position, line = gml_token(data, position, line)
        if token != WORD:
            break
        is_graph = data[start:end].tobytes().lower() == b"graph"
        token, _, _, position, line = gml_token(data, position, line)
        if token == OPEN and is_graph:
            return position, line
        if token == OPEN:
            position, line = gml_skip(data, position, line)
    raise InputError(path, "there is no graph in it", line=line, remedy="A GML file begins with: graph [")


def _what_is_wrong(path: str, status: int, line: int) -> InputError:
    from graphveil.kernels import markup

    problem, remedy = {
        markup.INCOMPLETE: ("a node without id, or an edge without source or target", "Complete it."),
        markup.MALFORMED: ("a key or a value is missing", "Check the brackets and quotation marks before."),
        markup.UNCLOSED: ("a list or a string has no end", "Check that the file is whole."),
    }[status]
    return InputError(path, problem, line=line, remedy=remedy)


def _text(path: str, data: NDArray[np.uint8], start: int, end: int, kind: int) -> str | None:
    if start < 0:
        return None
    try:
        text = data[start:end].tobytes().decode()
    except UnicodeDecodeError:
        line = int(np.count_nonzero(data[:start] == 10)) + 1
        remedy = "Convert the file to UTF-8, for example with: iconv -f LATIN1 -t UTF-8"
        raise InputError(path, "a string that is no text in UTF-8", line=line, remedy=remedy) from None
    return without_entities(text) if kind else text


def _values(path: str, data: NDArray[np.uint8], starts: NDArray[np.int64], name: str) -> NDArray[Any]:
    """The values of a key in the lists of the nodes."""
    from graphveil.kernels.markup import CLOSE, OPEN, STRING, gml_skip, gml_token

    values: list[Any] = []
    for position in starts.tolist():
        value = None
        while True:
            token, start, end, position, _ = gml_token(data, position, 0)
            if token == CLOSE:
                break
            is_wanted = data[start:end].tobytes() == name.encode()
            token, start, end, position, _ = gml_token(data, position, 0)
            if token == OPEN:
                position, _ = gml_skip(data, position, 0)
            elif is_wanted:
                value = _text(path, data, start, end, token == STRING)
                value = _number(value) if token != STRING else value
        values.append(value)
    return typed(values)


def _number(text: str | None) -> Any:
    if text is None or INTEGER.fullmatch(text):
        return text if text is None else int(text)
    try:
        return float(text)
    except ValueError:
        return text


KEY = re.compile("[A-Za-z][A-Za-z0-9]*")
TEXTS: dict[str, Any] = {
    "long": str,
    "double": repr,
    "boolean": lambda value: str(int(value)),
    "string": lambda value: f'"{_escaped(value)}"',
}


def gml_chunks(graph: Graph) -> Iterator[bytes]:
    """An undirected graph whose nodes have the numbers 0…n−1 as ids, and the labels as labels."""
    labels = [_escaped(name) for name in names_of(graph)]
    columns = []
    for name, _, values in attribute_texts(graph, TEXTS):
        if not KEY.fullmatch(name) or name in ("id", "label"):
            raise GraphError(
                f"GML takes letters and digits as the name of an attribute, not {plain(name, 40)}. Rename it."
            )
        columns.append((name, values))
    yield b"graph [\n  directed 0\n"
    for vertex, label in enumerate(labels):
        more = "".join(f" {name} {values[vertex]}" for name, values in columns if values[vertex] is not None)
        yield f'  node [ id {vertex} label "{label}"{more} ]\n'.encode()
    numbers = [str(vertex).encode() for vertex in range(graph.n)]
    yield from edge_chunks(graph.edges, numbers, (b"  edge [ source ", b" target ", b" ]\n"))
    yield b"]\n"


def _escaped(text: str) -> str:
    """In ASCII, as GML wants it; anything else, quotation marks and ampersands as entities."""
    if re.search("[\0\ud800-\udfff]", text):
        raise GraphError(f"{plain(text, 40)} has a character that is no text. Rename it.")
    return re.sub('[^ -~]|[&"]', lambda character: f"&#{ord(character[0])};", text)
