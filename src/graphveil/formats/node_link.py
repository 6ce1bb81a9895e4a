"""JSON: node-link data of networkx and D3, elements of Cytoscape, and plain lists of pairs.

``{"nodes": [{"id": …}], "links": [{"source": …, "target": …}]}``, with ``edges`` for ``links`` as networkx writes it
since version 3.4. Ends are ids of nodes; where nodes have no ids, as in D3 before version 4, ends are positions in the
list, and a node's ``name`` is its label if no two are the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import InputError
from graphveil.formats.advice.column_names import choose_columns, direction_of, find_ends, is_header
from graphveil.formats.advice.unsupported import refuse_contacts, reject_binary
from graphveil.formats.advice.yes_no_columns import denial
from graphveil.formats.parsed import (
    File,
    Parsed,
    counted_sides,
    known_attributes,
    number_declared,
    with_integers,
)
from graphveil.numbering import as_labels, number_ids, typed
from graphveil.origin import Reading
from graphveil.words import plain

SAMPLE = 200  # records that are looked at
NOBODY = (None, "")
SHAPES = (
    'Known are {"nodes": […], "links": […]}, the elements of Cytoscape, lists of pairs, records with two ids, and '
    "an object with a list of friends for each person."
)
Several = (list, tuple, set, frozenset, dict)
NAMES = ("name", "label")


def read(file: File) -> Parsed:
    """Read the nodes and edges of a JSON file, and the vertex attributes to keep."""
    document = _document(file)
    if isinstance(document, list):
        return _of_neo4j(file, document) if _is_of_neo4j(document) else _pairs(file, document)
    if isinstance(document, dict):
        if isinstance(document.get("graph"), dict) and "nodes" in document["graph"]:
            document = document["graph"]
        elements = document.get("elements", document)
        if isinstance(elements, dict):
            nodes, edges = elements.get("nodes"), elements.get("links", elements.get("edges"))
            if isinstance(nodes, list) and isinstance(edges, list):
                directed = any(document.get(key) is True for key in ("directed", "is_directed"))
                return _nodes_and_edges(file, _unwrapped(nodes), _unwrapped(edges), directed)
        refuse_contacts(file.path, document)
        if (records := records_of(document)) is not None:
            return _pairs(file, records)
        if (found := neighbours_of(document)) is not None:
            return _of_neighbours(file, *found)
    raise InputError(file.path, "no graph is found in this JSON", remedy=SHAPES)


def _is_of_neo4j(document: list[Any]) -> bool:
    """Whether these are the JSON lines of Neo4j: nodes, and relationships between a start and an end."""
    kinds = {each.get("type") for each in document if isinstance(each, dict) and "id" in each}
    return bool(kinds) and kinds <= {"node", "relationship"}


def _of_neo4j(file: File, document: list[Any]) -> Parsed:
    edges = [each for each in document if each["type"] == "relationship"]
    ends = [
        _id(file.path, end, "an end") for each in edges for end in _ends(file.path, each, ("start", "end"))
    ]
    nodes = [_id(file.path, each["id"], "a node") for each in document if each["type"] == "node"]
    known_attributes(file.path, (), file.how.keep)
    labels, numbers = number_ids(ends, nodes)
    kinds = {str(each.get("label")) for each in edges}
    return Parsed(
        labels,
        numbers.reshape(-1, 2).astype(np.int32),
        edge_attributes=("label",) * (len(kinds) > 1)
        + ("properties",) * any("properties" in e for e in edges),
        dropped_vertex_attributes=("properties",) * any("properties" in each for each in document),
        reading=Reading(
            file.path,
            file.format,
            chosen=False,
            direction="relationships of Neo4j lead from a start to an end",
        ),
    )


def _of_neighbours(file: File, pairs: list[tuple[Any, Any]], people: list[Any]) -> Parsed:
    """Each person with a list of friends."""
    known_attributes(file.path, (), file.how.keep)
    ends = [str(_id(file.path, end, "an end")) for pair in pairs for end in pair]  # keys of JSON are texts
    labels, numbers = number_ids(ends, people)
    return with_integers(Parsed(labels, numbers.reshape(-1, 2).astype(np.int32)))


def _document(file: File) -> Any:
    reject_binary(file.path, file.raw)
    try:
        return json.loads(file.raw.removeprefix(b"\xef\xbb\xbf"))
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and (records := _lines(file.raw)) is not None:
            return records
        raise InputError(
            file.path,
            f"this is no JSON ({error.msg})",
            line=error.lineno,
            remedy="Check that the file is whole.",
        ) from None
    except (ValueError, RecursionError):
        problem = "this JSON is nested too deep, has too long a number, or is not in UTF-8"
        raise InputError(file.path, problem, remedy=SHAPES) from None


def _lines(raw: bytes) -> list[Any] | None:
    """The records of JSON Lines, one in each line; None if it is something else."""
    try:
        return [json.loads(line) for line in raw.removeprefix(b"\xef\xbb\xbf").splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return None


def _unwrapped(elements: list[Any]) -> list[Any]:
    """The elements themselves; Cytoscape keeps what matters of each under ``data``."""
    return [
        each["data"] if isinstance(each, dict) and isinstance(each.get("data"), dict) else each
        for each in elements
    ]


def _nodes_and_edges(file: File, nodes: list[Any], edges: list[Any], directed: bool) -> Parsed:
    dicts = [node if isinstance(node, dict) else {"id": node} for node in nodes]
    has_from = any(isinstance(edge, dict) and "from" in edge and "source" not in edge for edge in edges)
    between = ("from", "to") if has_from else ("source", "target")  # as vis.js has it
    ends = [end for edge in edges for end in _ends(file.path, edge, between)]
    by_id = any("id" in node for node in dicts)
    ids: list[Any]
    if by_id:
        ids = [_id(file.path, node.get("id"), "a node without id, or with an id") for node in dicts]
        ends = [_id(file.path, end, "an edge with an end") for end in ends]
        label_key = "id"
    else:
        ids = list(range(len(dicts)))
        ends = [_position(file.path, end, len(dicts)) for end in ends]
        label_key = next((key for key in NAMES if _tells_apart(dicts, key)), "")
    labels = [node[label_key] for node in dicts] if label_key else ids
    pairs = number_declared(file.path, ids, ends, lambda _: None)
    there = dict.fromkeys(key for node in dicts for key in node if key != label_key)
    dropped = known_attributes(file.path, list(there), file.how.keep)
    keys = dict.fromkeys(key for edge in edges if isinstance(edge, dict) for key in edge)
    _refuse_denials(file, edges, [key for key in keys if key not in between])
    return Parsed(
        as_labels(labels),
        pairs,
        directed=directed,
        edge_attributes=tuple(key for key in keys if key not in (*between, "id", "key", "index")),
        edge_values=_edge_values(file, edges, keys),
        vertex_attributes={name: _values(file.path, dicts, name) for name in file.how.keep},
        dropped_vertex_attributes=dropped,
    )


def _edge_values(file: File, edges: list[Any], keys: Iterable[str]) -> dict[str, list[Any]]:
    """The values of the wanted fields, one for each edge."""
    return {
        key: [each.get(key) if isinstance(each, dict) else None for each in edges]
        for key in file.how.wanted.intersection(keys)
    }


def _refuse_denials(file: File, edges: list[Any], keys: list[str]) -> None:
    """Refuse edges of which some say that they are none, unless the caller chose the fields."""
    for key in [] if file.how.columns else keys:
        values = {str(edge[key]) for edge in edges if isinstance(edge, dict) and key in edge}
        if said := denial(key, values):
            problem = f"the field {plain(key, 40)} {said}: these may be no friendships"
            raise InputError(file.path, problem, remedy="Drop these edges, or the field.")


def _ends(path: str, edge: Any, keys: tuple[str, str] = ("source", "target")) -> tuple[Any, Any]:
    """Source and target of an edge; D3 may have put whole nodes in their place."""
    if isinstance(edge, dict) and keys[0] in edge and keys[1] in edge:
        first, second = edge[keys[0]], edge[keys[1]]
    elif isinstance(edge, list) and len(edge) == 2:
        first, second = edge
    else:
        raise InputError(path, f"{plain(edge, 60)} is no edge with {keys[0]} and {keys[1]}", remedy=SHAPES)
    return tuple(end.get("id", end) if isinstance(end, dict) else end for end in (first, second))


def _id(path: str, value: Any, what: str) -> int | str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        problem = f"{what} that is neither an integer nor a string ({plain(json.dumps(value), 40)})"
        raise InputError(path, problem, remedy="Give every node an integer or a string as id.")
    if isinstance(value, str) and not _is_text(value):
        raise InputError(
            path, f"an id is no text: it has a lone surrogate ({plain(value, 40)})", remedy="Rename it."
        )
    return value


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _position(path: str, end: Any, count: int) -> int:
    if isinstance(end, bool) or not isinstance(end, int) or not 0 <= end < count:
        problem = f"nodes have no ids, and {plain(end, 40)} is no position among {count} nodes"
        raise InputError(path, problem, remedy="Give every node an id.")
    return end


def _tells_apart(nodes: list[dict[str, Any]], key: str) -> bool:
    values = [node.get(key) for node in nodes]
    return all(isinstance(value, str) and _is_text(value) for value in values) and len(set(values)) == len(
        values
    )


def _values(path: str, nodes: Sequence[dict[str, Any]], name: str) -> NDArray[Any]:
    values = [node.get(name) for node in nodes]
    if any(isinstance(value, list | dict) for value in values):
        problem = f"the vertex attribute {plain(name, 40)} has lists or objects as values"
        raise InputError(path, problem, remedy="Only numbers, texts and truth values can be kept.")
    return typed(values)


def _pairs(file: File, document: list[Any]) -> Parsed:
    known_attributes(file.path, (), file.how.keep)
    if not document:
        raise InputError(file.path, "the list is empty", remedy=SHAPES)
    refuse_contacts(file.path, document[0])
    keys = list(dict.fromkeys(key for edge in document if isinstance(edge, dict) for key in edge))
    chosen, directed, direction = ("source", "target"), False, ""
    if len(keys) > 1:
        below = [
            [str(edge.get(key, "")) for key in keys] for edge in document[:SAMPLE] if isinstance(edge, dict)
        ]
        places, directed = choose_columns(
            file.path, keys, file.how.columns, header=True, line=None, below=below
        )
        chosen, direction = (keys[places[0]], keys[places[1]]), direction_of(keys, places)
    pairs = [_ends(file.path, edge, chosen) for edge in document]
    empty = [place for place, pair in enumerate(pairs) if pair[0] in NOBODY] if file.how.skip_bad_rows else []
    kept = [pair for pair in pairs if pair[0] not in NOBODY] if empty else pairs
    labels, numbers = number_ids([_id(file.path, end, "an end") for pair in kept for end in pair])
    numbers = numbers.reshape(-1, 2).astype(np.int32)
    _refuse_denials(file, document, [key for key in keys if key not in chosen])
    return Parsed(
        labels,
        numbers,
        directed=directed,
        edge_attributes=tuple(key for key in keys if key not in chosen),
        edge_values=_edge_values(
            file, [each for each, pair in zip(document, pairs, strict=True) if pair[0] not in NOBODY], keys
        )
        if file.how.wanted
        else {},
        reading=Reading(
            file.path,
            file.format,
            columns=chosen if keys else None,
            chosen=file.how.columns is not None,
            example=(str(labels[numbers[0, 0]]), str(labels[numbers[0, 1]])) if len(numbers) else None,
            sides=counted_sides(numbers, len(labels)),
            skipped=tuple(place + 1 for place in empty),
            direction=direction,
        ),
    )


def records_of(document: Mapping[Any, Any]) -> list[Any] | None:
    """A table as one record for each row; None if this is no table.

    >>> records_of({"source": {"0": "Ann"}, "target": {"0": "Bob"}})
    [{'source': 'Ann', 'target': 'Bob'}]
    >>> records_of({"Ann": ["Bob"]})
    """
    columns, data = document.get("columns"), document.get("data", ())
    if isinstance(columns, list) and isinstance(data, list):
        return [dict(zip(columns, row, strict=False)) for row in data if isinstance(row, list)]
    if _are_records(data):
        return list(data)  # with a schema
    names, values = list(document), list(document.values())
    if len(names) == 1 and _are_records(values[0]):
        return list(values[0])
    if len(names) < 2:
        return None
    if all(isinstance(each, list) for each in values):
        rows = zip(*values, strict=False)
        return [dict(zip(names, row, strict=True)) for row in rows] if _name_columns(names) else None
    if not all(isinstance(each, dict) and each and each.keys() == values[0].keys() for each in values):
        return None
    index = list(values[0])
    numbered = list(map(str, index)) == list(map(str, range(len(index)))) and not str(names[0]).isdecimal()
    if _name_columns(names) or numbered:
        return [{name: column[row] for name, column in document.items()} for row in index]
    return values if _name_columns(index) else None


def _name_columns(names: list[Any]) -> bool:
    texts = list(map(str, names))
    return bool(find_ends(texts)) or is_header(texts)


def _are_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, dict) for each in value)


def neighbours_of(document: Mapping[Any, Any]) -> tuple[list[tuple[Any, Any]], list[Any]] | None:
    """Pairs and people where each person has a list of friends; None if this is something else.

    >>> neighbours_of({"Ann": ["Bob"], "Cy": []})
    ([('Ann', 'Bob')], ['Ann', 'Cy'])
    """
    if not document or not all(isinstance(friends, Several) for friends in document.values()):
        return None
    pairs = [(person, friend) for person, friends in document.items() for friend in friends]
    if any(isinstance(friend, dict | list | bool | float | None) for _, friend in pairs):
        return None
    return pairs, list(document)
