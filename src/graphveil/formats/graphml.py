"""GraphML (U. Brandes, M. Eiglsperger, J. Lerner: GraphML Primer, http://graphml.graphdrawing.org/primer).

One pass of the standard library's XML parser. Nested graphs are read as one; hyperedges are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphveil.errors import GraphError, InputError
from graphveil.formats.encoding import around, cells_of, edge_chunks, names_of, tails_of
from graphveil.formats.parsed import File, Parsed, known_attributes, number_declared, with_integers
from graphveil.formats.xml import Column, Parser, Texts, cells, incomplete, local_name, parse, parser_for
from graphveil.graph import Graph
from graphveil.numbering import typed
from graphveil.words import plain

CASTS: dict[str, Any] = {
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "boolean": lambda text: text.strip().lower() in ("true", "1"),
}


@dataclass
class _Key(Column):
    id: str = ""
    domain: str = "all"


@dataclass
class _Found:
    """What the parser has come across."""

    is_graphml: bool = False
    has_graph: bool = False
    directed: bool = False
    keys: list[_Key] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)  # source and target of each edge, one after the other
    values: dict[str, Texts] = field(default_factory=dict)  # by key


def read(file: File) -> Parsed:
    """Read the nodes and edges of a GraphML file, and the vertex attributes to keep."""
    found, parser = _Found(), parser_for(file)
    parser.StartElementHandler = _collector(file, parser, found)
    _collect_texts(parser, found, keep_data=bool(file.how.keep or file.how.keep_edges))
    parse(file, parser)
    if not (found.is_graphml and found.has_graph):
        remedy = 'Is it a GraphML file? Name another format (format="gexf").'
        raise InputError(file.path, "there is no graphml element with a graph", remedy=remedy)
    for_nodes = [key.name for key in found.keys if key.domain in ("node", "all")]
    dropped = known_attributes(file.path, for_nodes, file.how.keep)
    return with_integers(
        Parsed(
            np.fromiter(found.nodes, object, len(found.nodes)),
            number_declared(file.path, found.nodes, found.ends, lambda edge: _line_of(file, edge)),
            directed=found.directed,
            edge_attributes=(
                of_edges := tuple(key.name for key in found.keys if key.domain in ("edge", "all"))
            ),
            edge_values={
                name: _values(file.path, found, name, "edge", range(len(found.ends) // 2))
                for name in file.how.wanted.intersection(of_edges)
            },
            vertex_attributes={
                name: typed(_values(file.path, found, name, "node", found.nodes)) for name in file.how.keep
            },
            dropped_vertex_attributes=dropped,
            line_of=lambda pair: _line_of(file, pair),
        )
    )


def _collector(file: File, parser: Parser, found: _Found) -> Any:
    """A handler for the start of elements."""

    def start(element: str, attributes: dict[str, str]) -> None:
        match local_name(element) if ":" in element else element:
            case "edge":
                try:
                    found.ends += attributes["source"], attributes["target"]
                except KeyError:
                    raise incomplete(file, parser, "an edge without source or target") from None
                if "directed" in attributes:
                    found.directed |= attributes["directed"] == "true"
            case "node":
                if "id" not in attributes:
                    raise incomplete(file, parser, "a node without id")
                found.nodes.append(attributes["id"])
            case "graph":
                found.has_graph = True
                found.directed |= attributes.get("edgedefault") == "directed"
            case "graphml":
                found.is_graphml = True
            case "key":
                found.keys.append(_key(attributes))
            case "hyperedge":
                remedy = "Only edges between two nodes can be read."
                raise InputError(file.path, "a hyperedge", line=parser.CurrentLineNumber, remedy=remedy)

    return start


def _key(attributes: dict[str, str]) -> _Key:
    id = attributes.get("id", "")
    kind = attributes.get("attr.type", "string")
    return _Key(attributes.get("attr.name", id), kind, id=id, domain=attributes.get("for", "all"))


def _collect_texts(parser: Parser, found: _Found, *, keep_data: bool) -> None:
    """Collect the defaults of keys, and the data of nodes if wanted, on top of what the parser does already."""
    text: list[str] = []
    within: list[str | int] = []  # ids of the open nodes; for an edge its number
    open_key = [""]
    collect = parser.StartElementHandler

    def start(element: str, attributes: dict[str, str]) -> None:
        collect(element, attributes)
        text.clear()
        match local_name(element):
            case "node":
                within.append(attributes["id"])
            case "edge":
                within.append(len(found.ends) // 2 - 1)
            case "data":
                open_key[0] = attributes.get("key", "")

    def end(element: str) -> None:
        match local_name(element):
            case "default" if found.keys:
                found.keys[-1].default = "".join(text)
            case "node" | "edge" if within:
                within.pop()
            case "data" if within:
                found.values.setdefault(open_key[0], {})[within[-1]] = "".join(text), parser.CurrentLineNumber

    if keep_data:
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.CharacterDataHandler = text.append


def _line_of(file: File, edge: int) -> int | None:
    """The line of an edge, found by parsing again."""
    parser, count, line = parser_for(file), [0], [0]

    def start(element: str, _: dict[str, str]) -> None:
        if local_name(element) == "edge":
            if count[0] == edge:
                line[0] = parser.CurrentLineNumber
            count[0] += 1

    parser.StartElementHandler = start
    parse(file, parser)
    return line[0] or None


def _values(path: str, found: _Found, name: str, of: str, places: Iterable[str | int]) -> list[Any]:
    """The values of an attribute of nodes or edges, in their order."""
    key = next(key for key in reversed(found.keys) if key.name == name and key.domain in (of, "all"))
    return cells(path, key, CASTS, found.values.get(key.id, {}), places)


FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
ESCAPES = {ord(character): f"&#{ord(character)};" for character in "\t\n\r"} | {
    ord(character): f"&{name};" for name, character in NAMED.items()
}
TEXTS: dict[str, Any] = {
    "long": str,
    "double": repr,
    "boolean": lambda value: str(value).lower(),
    "string": lambda value: _escaped(value),
}


def chunks(graph: Graph) -> Iterator[bytes]:
    """An undirected graph whose nodes have the labels as ids, with the attributes as data."""
    names = [_escaped(name).encode() for name in names_of(graph)]
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    keys, values = _declared(graph.vertex_attributes, "node")
    edge_keys, tails = _declared(graph.edge_attributes, "edge")
    yield keys + edge_keys + b'<graph edgedefault="undirected">\n'
    if values is None:
        yield b"".join(b'<node id="' + name + b'"/>\n' for name in names)
    else:
        rows = zip(names, values.to_pylist(), strict=True)
        yield b"".join(b'<node id="' + name + b'">' + data.encode() + b"</node>\n" for name, data in rows)
    after = b'"/>\n' if tails is None else b""
    tails = None if tails is None else around(tails, '">', "</edge>\n")
    yield from edge_chunks(graph.edges, names, (b'<edge source="', b'" target="', after), tails)
    yield b"</graph>\n</graphml>\n"


def _declared(attributes: Mapping[str, Any], of: str) -> tuple[bytes, Any]:
    """The lines that declare some attributes, and of each node or edge its data as one text of Arrow."""
    keys, pieces = [], []
    for number, (name, kind, texts) in enumerate(
        cells_of(attributes, "vertex" if of == "node" else of, TEXTS)
    ):
        key = f"{'d' if of == 'node' else 'e'}{number}"
        keys.append(f'<key id="{key}" for="{of}" attr.name="{_escaped(name)}" attr.type="{kind}"/>\n')
        pieces.append(around(texts, f'<data key="{key}">', "</data>"))
    return "".join(keys).encode(), tails_of(pieces) if pieces else None


def _escaped(text: str) -> str:
    if FORBIDDEN.search(text):
        raise GraphError(
            f"{plain(text, 40)} has a character that XML cannot hold. Rename it, or choose another format."
        )
    return text.translate(ESCAPES)
