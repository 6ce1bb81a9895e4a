"""Objects of JSON and dictionaries of Python that hold edges: a list of friends for each person, or a table by columns.

Tables are known in the orientations that `DataFrame.to_json` and `to_dict` of pandas have.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphveil.formats.advice.column_names import find_ends, is_header

__all__ = ["neighbours_of", "records_of"]

Several = (list, tuple, set, frozenset, dict)


def records_of(document: Mapping[Any, Any]) -> list[Any] | None:
    """A table as one record for each row; None if this is no table.

    Examples
    --------
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

    Examples
    --------
    >>> neighbours_of({"Ann": ["Bob"], "Cy": []})
    ([('Ann', 'Bob')], ['Ann', 'Cy'])
    """
    if not document or not all(isinstance(friends, Several) for friends in document.values()):
        return None
    pairs = [(person, friend) for person, friends in document.items() for friend in friends]
    if any(isinstance(friend, dict | list | bool | float | None) for _, friend in pairs):
        return None
    return pairs, list(document)
