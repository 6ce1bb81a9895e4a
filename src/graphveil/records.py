"""Between dataclasses and JSON: `plain` writes a tree of dataclasses, `load` reads one strictly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

Record = TypeVar("Record")


def plain(value: Any) -> Any:
    """Dataclasses and mappings as dicts, tuples as lists; whatever JSON has no word for as its `str`.

    >>> plain({"labels": ("Ed", 7, ("a", 1.5)), "group": frozenset()})
    {'labels': ['Ed', 7, ['a', 1.5]], 'group': 'frozenset()'}
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return str(value)


def load(kind: type[Record], value: Any, place: str = "it") -> Record:
    """A record from what JSON gives; nothing may be missing, nothing more may be there, every type must be right.

    A `ValueError` names the first place that is wrong.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Pair:
    ...     name: str
    ...     sizes: tuple[int, ...]
    >>> load(Pair, {"name": "a", "sizes": [1, 2]})
    Pair(name='a', sizes=(1, 2))
    >>> load(Pair, {"name": "a", "sizes": [1, True]})
    Traceback (most recent call last):
    ValueError: it.sizes[1] is not of the right type
    """
    if not isinstance(value, dict):
        raise ValueError(f"{place} is not of the right type")
    hints: dict[str, Any] = _hints(kind)  # type: ignore[arg-type]
    if unknown := sorted(value.keys() ^ hints.keys()):
        raise ValueError(f"{place}.{unknown[0]} is {'missing' if unknown[0] in hints else 'unknown'}")
    return kind(**{name: _load(hint, value[name], f"{place}.{name}") for name, hint in hints.items()})


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


def _load(kind: Any, value: Any, place: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (UnionType, Union):
        return _load_one_of(arguments, value, place)
    if origin is Literal and any(type(value) is type(each) and value == each for each in arguments):
        return value
    if origin is tuple and isinstance(value, list):
        return _load_items(arguments, value, place)
    if origin is dict and isinstance(value, dict):
        return {name: _load(arguments[1], item, f"{place}.{name}") for name, item in value.items()}
    if is_dataclass(kind):
        return load(kind, value, place)  # type: ignore[arg-type]
    if _is_scalar(kind, value):
        return value
    raise ValueError(f"{place} is not of the right type")


def _is_scalar(kind: Any, value: Any) -> bool:
    """Whether a value is of a type; True is no number, and a float is finite."""
    if kind is Any:
        return True
    if kind is float:
        return type(value) is int or (type(value) is float and isfinite(value))
    return type(value) is kind


def _load_one_of(kinds: tuple[Any, ...], value: Any, place: str) -> Any:
    if value is None and NoneType in kinds:
        return None
    (kind,) = (each for each in kinds if each is not NoneType)  # documents know no other unions
    return _load(kind, value, place)


def _load_items(kinds: tuple[Any, ...], value: list[Any], place: str) -> tuple[Any, ...]:
    each = kinds[:1] * len(value) if kinds[1:] == (...,) else kinds
    if len(each) != len(value):
        raise ValueError(f"{place} is not of the right length")
    return tuple(
        _load(kind, item, f"{place}[{i}]") for i, (kind, item) in enumerate(zip(each, value, strict=True))
    )
