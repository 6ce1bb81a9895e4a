"""GML (M. Himsolt: GML, a portable graph file format, University of Passau 1997).

Keys, each followed by a number, a string or a list in brackets. A node's label names the vertex if every node has one
and no two are the same; otherwise its id does.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np

from graphveil.errors import GraphError, InputError
from graphveil.formats.advice.unsupported import reject_binary
from graphveil.formats.encoding import around, cells_of, edge_chunks, names_of, tails_of
from graphveil.formats.parsed import (
    INTEGER,
    File,
    Parsed,
    known_attributes,
    number_declared,
    with_integers,
    without_entities,
)
from graphveil.graph import Graph
from graphveil.numbering import typed
from graphveil.words import plain

TOKEN = re.compile(r'(?:\s++|#[^\n]*+)*+(?:"([^"]*+)"|([\[\]])|([^\s\[\]"]++)|(\Z)|(.))', re.DOTALL)
STRING, BRACKET, WORD, END, BROKEN = 1, 2, 3, 4, 5
# Nodes and edges as most files have them: whole runs of them are cut by one expression, not token by token.
PLAIN_WORD = r"[^\s\[\]\"#]++"
NODE_PATTERN = rf'\s*+node\s*+\[\s*+id\s++({PLAIN_WORD})\s++label\s++"([^"]*+)"\s*+\]'
EDGE_PATTERN = rf"\s*+edge\s*+\[\s*+source\s++({PLAIN_WORD})\s++target\s++({PLAIN_WORD})\s*+\]"
NODE, EDGE = re.compile(NODE_PATTERN), re.compile(EDGE_PATTERN)
NODES, EDGES = (
    re.compile(f"(?:{pattern.replace('(', '(?:').replace('(?:?', '(?')})++")
    for pattern in (NODE_PATTERN, EDGE_PATTERN)
)


NO_LABEL = (None, False)


@dataclass
class _Found:
    """What the file holds."""

    directed: bool = False
    nodes: list[str] = field(default_factory=list)
    # Of each node: text, and if it is a string
    labels: list[tuple[str | None, bool]] = field(default_factory=list)
    node_keys: dict[str, None] = field(default_factory=dict)
    lists: list[dict[str, tuple[str, bool]]] = field(default_factory=list)  # of each node, if they are wanted
    ends: list[str] = field(default_factory=list)  # source and target of each edge, one after the other
    # First edge, place, and if more edges may follow
    runs: list[tuple[int, int, bool]] = field(default_factory=list)
    edge_keys: dict[str, None] = field(default_factory=dict)
    # Of each edge, if they are wanted
    edge_lists: list[dict[str, tuple[str, bool]]] = field(default_factory=list)


def read(file: File) -> Parsed:
    """Read the nodes and edges of a GML file, and the vertex attributes to keep."""
    reject_binary(file.path, file.raw)
    text = _text(file)
    found = _Scan(file.path, text, bool(file.how.keep), bool(file.how.keep_edges)).graph()
    names = [without_entities(label) if label and is_string else label for label, is_string in found.labels]
    named = None not in names and len(set(names)) == len(names)
    keys = {key: None for key in found.node_keys if key not in ("id", "label")}
    if not named and any(name is not None for name in names):
        keys["label"] = None
    dropped = known_attributes(file.path, list(keys), file.how.keep)
    return with_integers(
        Parsed(
            np.fromiter(names if named else found.nodes, object, len(names)),
            number_declared(file.path, found.nodes, found.ends, lambda edge: _line_of(text, found, edge)),
            directed=found.directed,
            edge_attributes=tuple(found.edge_keys),
            edge_values={
                name: _values(found.edge_lists, name)
                for name in file.how.wanted.intersection(found.edge_keys)
            },
            vertex_attributes={name: typed(_values(found.lists, name)) for name in file.how.keep},
            dropped_vertex_attributes=dropped,
            line_of=lambda pair: _line_of(text, found, pair),
        )
    )


def _text(file: File) -> str:
    try:
        return file.raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = file.raw.count(b"\n", 0, error.start) + 1
        remedy = 'Name its encoding (encoding="latin1").'
        raise InputError(file.path, "a text that is not in UTF-8", line=line, remedy=remedy) from None


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _line_of(text: str, found: _Found, edge: int) -> int:
    """The line of an edge, found by cutting its run again."""
    first, place, is_run = found.runs[bisect_right(found.runs, (edge, len(text), True)) - 1]
    for number, match in enumerate(EDGE.finditer(text, place) if is_run else (), first):
        if number == edge:
            return _line(text, match.start(1))
    return _line(text, place)


class _Scan:
    """A walk over the tokens of a text."""

    def __init__(self, path: str, text: str, keep_all: bool, keep_edges: bool) -> None:
        self.path, self.text, self.place, self.found = path, text, 0, _Found()
        self.keep_all = keep_all  # values of all keys of nodes; else those of ids and labels only
        self.keep_edges = keep_edges  # the same for edges

    def token(self) -> tuple[int, str]:
        """Kind and text of the next token."""
        match = TOKEN.match(self.text, self.place)
        assert match is not None  # the last two alternatives match wherever the others do not
        self.place = match.end()
        kind = match.lastindex or BROKEN
        return kind, match[kind]

    def wrong(self, problem: str, remedy: str) -> InputError:
        return InputError(self.path, problem, line=_line(self.text, self.place), remedy=remedy)

    def not_closed(self) -> InputError:
        return self.wrong("a list or a string has no end", "Check that the file is whole.")

    def graph(self) -> _Found:
        """Find the list of the graph and read it."""
        while True:
            kind, key = self.token()
            if kind != WORD:
                raise self.wrong("there is no graph in it", "A GML file begins with: graph [")
            kind, value = self.token()
            if value == "[" and kind == BRACKET:
                if key.lower() == "graph":
                    return self.elements()
                self.skip()

    def skip(self) -> None:
        """Go behind the bracket that closes an open list."""
        depth = 1
        while depth:
            kind, token = self.token()
            if kind in (END, BROKEN):
                raise self.not_closed()
            if kind == BRACKET:
                depth += 1 if token == "[" else -1

    def elements(self) -> _Found:
        """Read nodes and edges up to the end of the graph."""
        found = self.found
        while True:
            self.plain_nodes()
            self.plain_edges()
            kind, key = self.token()
            if kind == BRACKET and key == "]":
                return found
            self.element(kind, key)

    def plain_nodes(self) -> None:
        """Read a run of nodes that have an id and a label and nothing else."""
        run = NODES.match(self.text, self.place)
        if run is not None:
            nodes = NODE.findall(run[0])
            self.found.nodes += [id for id, _ in nodes]
            self.found.labels += [(label, True) for _, label in nodes]
            if self.keep_all:
                self.found.lists += [{"label": (label, True)} for _, label in nodes]
            self.place = run.end()

    def plain_edges(self) -> None:
        """Read a run of edges that have a source and a target and nothing else."""
        run = EDGES.match(self.text, self.place)
        if run is not None:
            self.found.runs.append((len(self.found.ends) // 2, self.place, True))
            edges = EDGE.findall(run[0])
            self.found.ends += chain.from_iterable(edges)
            if self.keep_edges:
                self.found.edge_lists += [{}] * len(edges)
            self.place = run.end()

    def element(self, kind: int, key: str) -> None:
        """Read one key of the graph and its value."""
        if kind != WORD:
            raise self.malformed(kind)
        place = self.place
        kind, value = self.token()
        if kind == BRACKET and value == "[":
            if key == "node":
                self.node()
            elif key == "edge":
                self.edge(place)
            else:
                self.skip()
        elif kind not in (WORD, STRING):
            raise self.malformed(kind)
        elif key == "directed":
            self.found.directed |= value != "0"

    def malformed(self, kind: int) -> InputError:
        if kind in (END, BROKEN):
            return self.not_closed()
        return self.wrong("a key or a value is missing", "Check the brackets and quotation marks before.")

    def values(self) -> dict[str, tuple[str, bool]]:
        """The keys of an open list with their values; those of lists within it are empty strings."""
        values: dict[str, tuple[str, bool]] = {}
        while True:
            kind, key = self.token()
            if kind == BRACKET and key == "]":
                return values
            if kind != WORD:
                raise self.malformed(kind)
            kind, value = self.token()
            if kind == BRACKET and value == "[":
                self.skip()
                values.setdefault(key, ("", True))
            elif kind in (WORD, STRING):
                values[key] = value, kind == STRING
            else:
                raise self.malformed(kind)

    def node(self) -> None:
        values = self.values()
        if "id" not in values:
            raise self.wrong("a node without id", "Complete it.")
        self.found.nodes.append(values["id"][0])
        self.found.labels.append(values.get("label", NO_LABEL))
        if values.keys() - self.found.node_keys.keys():
            self.found.node_keys |= dict.fromkeys(values)
        if self.keep_all:
            self.found.lists.append(values)

    def edge(self, place: int) -> None:
        values = self.values()
        if "source" not in values or "target" not in values:
            raise self.wrong("an edge without source or target", "Complete it.")
        self.found.runs.append((len(self.found.ends) // 2, place, False))
        self.found.ends += values.pop("source")[0], values.pop("target")[0]
        if values.keys() - self.found.edge_keys.keys():
            self.found.edge_keys |= dict.fromkeys(values)
        if self.keep_edges:
            self.found.edge_lists.append(values)


def _values(lists: list[dict[str, tuple[str, bool]]], name: str) -> list[Any]:
    """The values of a key in the lists of nodes or edges."""
    return [_value(*each[name]) if name in each else None for each in lists]


def _value(text: str, is_string: bool) -> Any:
    if is_string:
        return without_entities(text)
    if INTEGER.fullmatch(text):
        return int(text)
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


def chunks(graph: Graph) -> Iterator[bytes]:
    """An undirected graph whose nodes have the numbers 0…n−1 as ids, and the labels as labels."""
    labels = [_escaped(name) for name in names_of(graph)]
    columns = []
    for name, _, values in cells_of(graph.vertex_attributes, "vertex", TEXTS):
        columns.append((_key(name, "id", "label"), values.to_pylist()))
    yield b"graph [\n  directed 0\n"
    for vertex, label in enumerate(labels):
        more = "".join(f" {name} {values[vertex]}" for name, values in columns if values[vertex] is not None)
        yield f'  node [ id {vertex} label "{label}"{more} ]\n'.encode()
    numbers = [str(vertex).encode() for vertex in range(graph.n)]
    pieces = [
        around(texts, f" {_key(name, 'source', 'target')} ", "")
        for name, _, texts in cells_of(graph.edge_attributes, "edge", TEXTS)
    ]
    tails = tails_of(pieces) if pieces else None
    yield from edge_chunks(graph.edges, numbers, (b"  edge [ source ", b" target ", b" ]\n"), tails)
    yield b"]\n"


def _key(name: str, *taken: str) -> str:
    """The name of an attribute, if GML can hold it."""
    if not KEY.fullmatch(name) or name in taken:
        raise GraphError(
            f"GML takes letters and digits as the name of an attribute, not {plain(name, 40)}. Rename it."
        )
    return name


def _escaped(text: str) -> str:
    """In ASCII, as GML wants it; anything else, quotation marks and ampersands as entities."""
    if re.search("[\0\ud800-\udfff]", text):
        raise GraphError(f"{plain(text, 40)} has a character that is no text. Rename it.")
    return re.sub('[^ -~]|[&"]', lambda character: f"&#{ord(character[0])};", text)
