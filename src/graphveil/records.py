"""From a tree of dataclasses to what JSON knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

__all__ = ["plain"]


def plain(value: Any) -> Any:
    """Dataclasses and mappings as dicts, tuples as lists; whatever JSON has no word for as its `str`.

    Examples
    --------
    >>> plain({"labels": ("Ed", 7, ("a", 1.5)), "class": frozenset()})
    {'labels': ['Ed', 7, ['a', 1.5]], 'class': 'frozenset()'}
    """
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return str(value)
