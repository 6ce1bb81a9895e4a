"""GEXF, the format of Gephi (https://gexf.net).

A node's label names the vertex if every node has one and no two are the same; otherwise its id does. Nodes within
nodes are read as nodes; times, colours and positions are dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import InputError
from graphveil.formats.parsed import File, Parsed, known_attributes, number_declared, with_integers
from graphveil.formats.xml import Column, Parser, Texts, cells, incomplete, local_name, parse, parser_for
from graphveil.numbering import typed

CASTS: dict[str, Any] = {
    **dict.fromkeys(("integer", "int", "long", "short", "byte"), int),
    **dict.fromkeys(("float", "double"), float),
    "boolean": lambda text: text.strip().lower() in ("true", "1"),
}
DRAWING = ("color", "position", "size", "shape", "thickness")


@dataclass
class _Found:
    has_graph: bool = False
    directed: bool = False
    columns: dict[tuple[str, str], Column] = field(default_factory=dict)  # by class and id
    nodes: list[str] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)
    ends: list[str] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # of the edges
    weights: Texts = field(default_factory=dict)
    drawing: set[str] = field(default_factory=set)
    values: dict[tuple[str, str], Texts] = field(default_factory=dict)  # by class and id of the attribute


def read(file: File) -> Parsed:
    """Read the nodes and edges of a GEXF file, and the vertex attributes to keep."""
    found, parser = _Found(), parser_for(file)
    _collect(file, parser, found)
    parse(file, parser)
    if not found.has_graph:
        raise InputError(file.path, "there is no gexf element with a graph", remedy="Is it a GEXF file?")
    labels = found.labels
    named = None not in labels and len(set(labels)) == len(labels)
    there = [column.name for (whose, _), column in found.columns.items() if whose == "node"]
    if not named and any(label is not None for label in labels):
        there.append("label")
    dropped = known_attributes(file.path, [*there, *sorted(found.drawing)], file.how.keep)
    of_edges = [column.name for (whose, _), column in found.columns.items() if whose == "edge"]
    of_edges = ["weight"] * bool(found.weights) + of_edges
    return with_integers(
        Parsed(
            np.fromiter(labels if named else found.nodes, object, len(labels)),
            number_declared(file.path, found.nodes, found.ends, found.lines.__getitem__),
            directed=found.directed,
            edge_attributes=tuple(of_edges),
            edge_values={
                name: _edge_values(file.path, found, name) for name in file.how.wanted.intersection(of_edges)
            },
            vertex_attributes={name: _values(file.path, found, name) for name in file.how.keep},
            dropped_vertex_attributes=dropped,
            line_of=found.lines.__getitem__,
        )
    )


def _collect(file: File, parser: Parser, found: _Found) -> None:
    """Set the handlers of a parser."""
    text: list[str] = []
    whose = [""]  # class of the attributes that are being declared
    column: list[Column] = []
    within: list[str | int] = []  # ids of the open nodes; for an edge its number

    def start(element: str, attributes: dict[str, str]) -> None:
        text.clear()
        match local_name(element):
            case "node":
                if "id" not in attributes:
                    raise incomplete(file, parser, "a node without id")
                found.nodes.append(attributes["id"])
                found.labels.append(attributes.get("label"))
                within.append(attributes["id"])
            case "edge":
                _edge(file, parser, found, attributes)
                within.append(len(found.lines) - 1)
            case "graph":
                found.has_graph = True
                found.directed |= attributes.get("defaultedgetype") == "directed"
            case "attributes":
                whose[0] = attributes.get("class", "node")
            case "attribute":
                id = attributes.get("id", "")
                column[:] = [Column(attributes.get("title", id), attributes.get("type", "string"))]
                found.columns[whose[0], id] = column[0]
            case "attvalue" if within:
                of = "node" if isinstance(within[-1], str) else "edge"
                id = attributes.get("for", attributes.get("id", ""))
                value = attributes.get("value", ""), parser.CurrentLineNumber
                found.values.setdefault((of, id), {})[within[-1]] = value
            case name if name in DRAWING and within and isinstance(within[-1], str):
                found.drawing.add(name)

    def end(element: str) -> None:
        match local_name(element):
            case "node" | "edge":
                within.pop()
            case "default" if column:
                column[0].default = "".join(text)

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = text.append


def _edge(file: File, parser: Parser, found: _Found, attributes: dict[str, str]) -> None:
    try:
        found.ends += attributes["source"], attributes["target"]
    except KeyError:
        raise incomplete(file, parser, "an edge without source or target") from None
    if "weight" in attributes:
        found.weights[len(found.lines)] = attributes["weight"], parser.CurrentLineNumber
    found.lines.append(parser.CurrentLineNumber)
    found.directed |= attributes.get("type") == "directed"


def _values(path: str, found: _Found, name: str) -> NDArray[Any]:
    """The values of a vertex attribute, in the order of the nodes."""
    columns = {id: column for (whose, id), column in found.columns.items() if whose == "node"}
    id = next((id for id, column in columns.items() if column.name == name), None)
    if id is None:
        if name == "label":
            return typed(found.labels)
        raise InputError(path, f"{name} belongs to a drawing and cannot be kept", remedy="Leave it out.")
    return typed(cells(path, columns[id], CASTS, found.values.get(("node", id), {}), found.nodes))


def _edge_values(path: str, found: _Found, name: str) -> list[Any]:
    """The values of an edge attribute, in the order of the edges; a weight may be one of its own."""
    edges = range(len(found.lines))
    for (of, id), column in found.columns.items():
        if of == "edge" and column.name == name:
            return cells(path, column, CASTS, found.values.get((of, id), {}), edges)
    return cells(path, Column("weight", "double", "1.0"), CASTS, found.weights, edges)
