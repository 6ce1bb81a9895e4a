"""GraphML (U. Brandes, M. Eiglsperger, J. Lerner: GraphML Primer, http://graphml.graphdrawing.org/primer).

An XML parser says whether the file is well-formed, and reads the declarations up to the first node; nodes and edges
are then found in the bytes by a kernel. Only vertex attributes that are to be kept are read element by element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError, InputError
from graphveil.formats.encoding import attribute_texts, edge_chunks, names_of
from graphveil.formats.parsed import Parsed, known_attributes, typed, with_integers, without_entities
from graphveil.formats.rows import BLOCK, Names, check_declared
from graphveil.graph import Graph
from graphveil.words import plain

__all__ = ["graphml_chunks", "read_graphml"]

ENCODING = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["'][^>]*\?>""")
LINE_END = re.compile(r"\r\n|[\r\n\t]")  # one blank each, in the value of an attribute
NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
CASTS: dict[str, Any] = {
    "int": int,
    "long": int,
    "float": float,
    "double": float,
    "boolean": lambda text: text.strip().lower() in ("true", "1"),
}


def read_graphml(path: str, raw: bytes, keep: Sequence[str] = ()) -> Parsed:
    """Read the nodes and edges of a GraphML file, and the vertex attributes to ``keep``."""
    raw = _in_utf8(path, raw)
    _check_well_formed(path, raw)
    head = _read_head(path, raw)
    labels, pairs, directed, lines = _nodes_and_edges(path, np.frombuffer(raw, np.uint8))
    for_nodes = [key.name for key in head.keys if key.domain in ("node", "all")]
    dropped = known_attributes(path, for_nodes, keep)
    return with_integers(
        Parsed(
            labels,
            pairs,
            directed=head.directed or directed,
            edge_attributes=tuple(key.name for key in head.keys if key.domain in ("edge", "all")),
            vertex_attributes=_values(path, raw, head.keys, labels, keep) if keep else {},
            dropped_vertex_attributes=dropped,
            line_of=lambda pair: int(lines[pair]),
        )
    )


def _in_utf8(path: str, raw: bytes) -> bytes:
    """The text in UTF-8, whatever encoding it declares."""
    declared = ENCODING.match(raw)
    encoding = declared[1].decode() if declared else "utf-8"
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    try:
        text = raw.decode(encoding)
    except (LookupError, UnicodeError):
        raise InputError(
            path, f"its text is not in {encoding}", remedy="Correct the declared encoding."
        ) from None
    return ENCODING.sub(b"", text.removeprefix("\ufeff").encode(), count=1)


def _check_well_formed(path: str, raw: bytes) -> None:
    parser = expat.ParserCreate()

    def refuse_definitions(_: str, __: str | None, ___: str | None, has_internal_subset: bool) -> None:
        if has_internal_subset:
            problem = "it carries a document type definition, which is not safe to read"
            raise InputError(path, problem, line=parser.CurrentLineNumber, remedy="Remove the definition.")

    parser.StartDoctypeDeclHandler = refuse_definitions
    try:
        parser.Parse(raw, True)
    except expat.ExpatError as error:
        problem = f"this is no well-formed XML ({expat.errors.messages[error.code]})"
        raise InputError(path, problem, line=error.lineno, remedy="Check that the file is whole.") from None


@dataclass
class _Key:
    id: str
    name: str
    domain: str
    type: str
    default: str | None = None


@dataclass
class _Head:
    """What a file declares before its first node."""

    is_graphml: bool = False
    directed: bool = False
    has_graph: bool = False
    keys: list[_Key] = field(default_factory=list)


class _HeadEndError(Exception):
    """Ends the parser's run at the first node."""


def _read_head(path: str, raw: bytes) -> _Head:
    head, parser = _Head(), expat.ParserCreate()
    text: list[str] = []

    def start(element: str, attributes: dict[str, str]) -> None:
        text.clear()
        match _local(element):
            case "graphml":
                head.is_graphml = True
            case "key":
                id = attributes.get("id", "")
                domain, kind = attributes.get("for", "all"), attributes.get("attr.type", "string")
                head.keys.append(_Key(id, attributes.get("attr.name", id), domain, kind))
            case "graph":
                head.has_graph = True
                head.directed |= attributes.get("edgedefault") == "directed"
            case "node" | "edge":
                raise _HeadEndError

    def end(element: str) -> None:
        if _local(element) == "default" and head.keys:
            head.keys[-1].default = "".join(text)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text.append
    with suppress(_HeadEndError):
        parser.Parse(raw, True)
    if not (head.is_graphml and head.has_graph):
        raise InputError(path, "there is no graphml element with a graph", remedy="Is it a GraphML file?")
    return head


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _nodes_and_edges(
    path: str, data: NDArray[np.uint8]
) -> tuple[NDArray[Any], NDArray[np.int32], bool, NDArray[np.int64]]:
    """The ids of the nodes, the edges, whether one is declared directed, and the line of each."""
    from graphveil.kernels import markup

    names, found = Names(), np.zeros(1, np.int64)
    slices, lines = np.empty((BLOCK, 6), np.int64), np.empty(BLOCK, np.int64)
    pairs, nodes, edge_lines = [np.empty((0, 2), np.int32)], [np.empty(0, np.int32)], [np.empty(0, np.int64)]
    status, position, line = markup.MORE, 0, 1
    while status == markup.MORE:
        status, rows, position, line = markup.cut_graphml(
            data, position, line, markup.WORDS, slices, lines, found
        )
        if status < 0:
            problem, remedy = {
                markup.INCOMPLETE: ("a node without id, or an edge without source or target", "Complete it."),
                markup.HYPEREDGE: ("a hyperedge", "Only edges between two nodes can be read."),
            }[status]
            raise InputError(path, problem, line=int(lines[rows]), remedy=remedy)
        numbers = names.number(data, slices[:rows], lines[:rows])
        is_edge = slices[:rows, 3] >= 0
        pairs.append(numbers[is_edge])
        nodes.append(numbers[~is_edge, 0])
        edge_lines.append(lines[:rows][is_edge])
    # One id may be spelt in several ways, with and without entities.
    spelt = [_plain(name) for name in names.decode(path)]
    number = {label: number for number, label in enumerate(dict.fromkeys(spelt))}
    same = np.fromiter((number[name] for name in spelt), np.int32, len(spelt))
    labels, first_lines = np.fromiter(number, object, len(number)), np.empty(len(number), np.int64)
    first_lines[same[::-1]] = names.lines[: len(same)][::-1]
    check_declared(path, labels, same[np.concatenate(nodes)], first_lines)
    return labels, same[np.concatenate(pairs)], bool(found[0]), np.concatenate(edge_lines)


def _plain(value: str) -> str:
    """What an attribute's value in XML stands for."""
    return without_entities(LINE_END.sub(" ", value) if LINE_END.search(value) else value)


def _cast(path: str, key: _Key, text: str, line: int | None) -> Any:
    try:
        return CASTS.get(key.type, str)(text)
    except ValueError:
        problem = f"{text!r} is no value of type {key.type}, as {key.name} is declared"
        raise InputError(path, problem, line=line, remedy="Correct the value or the declaration.") from None


def _values(
    path: str, raw: bytes, keys: list[_Key], labels: NDArray[Any], keep: Sequence[str]
) -> dict[str, NDArray[Any]]:
    """The values of some vertex attributes, in the order of the labels."""
    wanted = {key.id: key for key in keys if key.name in keep and key.domain in ("node", "all")}
    found: dict[str, dict[str, Any]] = {key.name: {} for key in wanted.values()}
    text: list[str] = []
    open_elements: list[str | None] = []  # ids of nodes; None for an edge
    parser, open_key = expat.ParserCreate(), [""]

    def start(element: str, attributes: dict[str, str]) -> None:
        match _local(element):
            case "node":
                open_elements.append(attributes["id"])
            case "edge":
                open_elements.append(None)
            case "data":
                open_key[0] = attributes.get("key", "")
                text.clear()

    def end(element: str) -> None:
        match _local(element):
            case "node" | "edge":
                open_elements.pop()
            case "data" if (
                open_elements and (node := open_elements[-1]) is not None and open_key[0] in wanted
            ):
                key = wanted[open_key[0]]
                found[key.name][node] = _cast(path, key, "".join(text), parser.CurrentLineNumber)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text.append
    parser.Parse(raw, True)
    result = {}
    for key in wanted.values():
        default = None if key.default is None else _cast(path, key, key.default, None)
        result[key.name] = typed([found[key.name].get(label, default) for label in labels])
    return result


FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ESCAPES = {ord(character): f"&#{ord(character)};" for character in "\t\n\r"} | {
    ord(character): f"&{name};" for name, character in NAMED.items()
}
TEXTS: dict[str, Any] = {
    "long": str,
    "double": repr,
    "boolean": lambda value: str(value).lower(),
    "string": str,
}


def graphml_chunks(graph: Graph) -> Iterator[bytes]:
    """An undirected graph whose nodes have the labels as ids, with the vertex attributes as data."""
    names = [_escaped(name).encode() for name in names_of(graph)]
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    columns = []
    for number, (attribute, kind, values) in enumerate(attribute_texts(graph, TEXTS)):
        yield f'<key id="d{number}" for="node" attr.name="{_escaped(attribute)}" attr.type="{kind}"/>\n'.encode()
        columns.append((f'<data key="d{number}">'.encode(), values))
    yield b'<graph edgedefault="undirected">\n'
    if columns:
        for vertex, id in enumerate(names):
            data = (
                opening + _escaped(value).encode() + b"</data>"
                for opening, values in columns
                if (value := values[vertex]) is not None
            )
            yield b'<node id="' + id + b'">' + b"".join(data) + b"</node>\n"
    else:
        yield b"".join(b'<node id="' + name + b'"/>\n' for name in names)
    yield from edge_chunks(graph.edges, names, (b'<edge source="', b'" target="', b'"/>\n'))
    yield b"</graph>\n</graphml>\n"


def _escaped(text: str) -> str:
    if FORBIDDEN.search(text):
        raise GraphError(
            f"{plain(text, 40)} has a character that XML cannot hold. Rename it, or choose another format."
        )
    return text.translate(ESCAPES)
