"""A result as plain JSON, and back: what was changed and how, without the graph it was changed from.

Whoever has the original can publish the result later, in another process or on another day. What comes back is
recounted, so a record that was tampered with is refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import pair_keys
from graphveil.errors import GraphError
from graphveil.goals import Goal, goal_named
from graphveil.graph import Graph
from graphveil.methods.result import Result, recount
from graphveil.methods.workspace import labels_with_new

SCHEMA = "graphveil/result/2"
REBUILT = ("graph", "original", "new_vertices", "carried")


def result_to_record(result: Result) -> dict[str, Any]:
    """Everything of a result but its two graphs, as dicts, lists, numbers and strings. Keep it as secret as they are.

    >>> import graphveil
    >>> town = graphveil.generate(edges=200, seed=4)
    >>> record = result_to_record(graphveil.anonymize(town, k=3, seed=7))
    >>> result_from_record(record, town).promises
    {'k-NMF': 3}
    """
    parts = {each.name: getattr(result, each.name) for each in fields(result) if each.name not in REBUILT}
    return {
        "schema": SCHEMA,
        "original": _digest(result.original),
        "dummies": len(result.new_vertices),
        **{name: _encoded(value) for name, value in parts.items()},
    }


def result_from_record(record: Mapping[str, Any], original: Graph) -> Result:
    """The result that a record was made of, with its guarantees recounted."""
    if record.get("schema") != SCHEMA:
        raise GraphError(f"this is no record of a result: its schema is not {SCHEMA}.")
    if record["original"] != _digest(original):
        raise GraphError("the result was made from another graph. Read the same file, or run it again.")
    hints = get_type_hints(Result)
    parts = {each.name: _decoded(hints[each.name], record[each.name]) for each in _stored(record)}
    graph = _changed(original, parts["added"], parts["deleted"], int(record["dummies"]))
    recount(graph, parts["goals"])
    new = np.arange(original.n, graph.n, dtype=np.int32)
    return Result(graph=graph, original=original, new_vertices=new, **parts)


def _stored(record: Mapping[str, Any]) -> list[Any]:
    return [each for each in fields(Result) if each.name not in REBUILT and each.name in record]


def _digest(graph: Graph) -> str:
    return hashlib.sha256(b"%d\n" % graph.n + graph.edges.astype("<i4").tobytes()).hexdigest()


def _changed(original: Graph, added: NDArray[Any], deleted: NDArray[Any], dummies: int) -> Graph:
    """The original without the deleted edges, with the added ones and the dummy people."""
    n = original.n + dummies
    keep = ~np.isin(pair_keys(original.edges, n), pair_keys(deleted, n))
    ends = np.concatenate((original.edges[keep], added.astype(np.int32)))
    labels = labels_with_new(original.labels, dummies)
    return Graph.from_arrays(ends[:, 0], ends[:, 1], n=n, labels=labels)


def _encoded(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "values": value.ravel().tolist()}
    if isinstance(value, Goal):
        return {"guarantee": value.name, "level": value.level}
    if is_dataclass(value):
        return {each.name: _encoded(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple | list):
        return [_encoded(one) for one in value]
    if isinstance(value, Mapping):
        return {str(name): _encoded(one) for name, one in value.items()}
    return value


def _decoded(hint: Any, value: Any) -> Any:
    """The value as its type asks for it."""
    kinds = get_args(hint)
    if value is None:
        return None
    if get_origin(hint) in (Union, UnionType):
        return _decoded(next(kind for kind in kinds if kind is not type(None)), value)
    if get_origin(hint) is np.ndarray:
        return np.array(value["values"], get_args(kinds[1])[0]).reshape(value["shape"])
    if get_origin(hint) is tuple:
        return tuple(_decoded(kinds[0], one) for one in value)
    if hint is Goal:
        return goal_named(value["guarantee"], value["level"])
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        return hint(**{name: _decoded(hints[name], one) for name, one in value.items()})  # type: ignore[operator]
    return value
