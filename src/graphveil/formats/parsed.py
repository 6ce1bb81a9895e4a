"""What every reader hands over: vertices, pairs as the file gives them, and what it says about itself."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html.entities import html5
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import InputError
from graphveil.words import plain

__all__ = ["INTEGER", "Parsed", "known_attributes", "typed", "with_integers", "without_entities"]

ENTITY = re.compile(r"&(#[0-9]{1,9}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]*);")
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")  # canonical decimals; the longest may not fit 64 bits


@dataclass(frozen=True)
class Parsed:
    """A file's content, not yet made simple."""

    labels: NDArray[Any]
    pairs: NDArray[np.int32]  # two columns of vertex numbers
    directed: bool = False  # the file declares itself so
    edge_attributes: tuple[str, ...] = ()  # names of those that are dropped
    vertex_attributes: Mapping[str, NDArray[Any]] = field(default_factory=dict)  # those that are kept
    dropped_vertex_attributes: tuple[str, ...] = ()
    line_of: Callable[[int], int | None] = lambda pair: None  # the line that gives a pair


def with_integers(parsed: Parsed) -> Parsed:
    """The same with labels as integers, ascending, if each of them is a canonical decimal of 64 bits."""
    if not all(map(INTEGER.fullmatch, parsed.labels)):
        return parsed
    try:
        integers = np.fromiter(map(int, parsed.labels), np.int64, len(parsed.labels))
    except OverflowError:
        return parsed
    order = np.argsort(integers)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return replace(
        parsed,
        labels=integers[order],
        pairs=rank[parsed.pairs],
        vertex_attributes={name: values[order] for name, values in parsed.vertex_attributes.items()},
    )


def without_entities(text: str) -> str:
    """The text with ``&#235;``, ``&#xeb;`` and ``&euml;`` as the character they stand for."""
    return ENTITY.sub(_character, text) if "&" in text else text


def _character(entity: re.Match[str]) -> str:
    name = entity[1]
    if not name.startswith("#"):
        return html5.get(f"{name};", entity[0])
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return chr(code) if code < 0xD800 or 0xDFFF < code <= sys.maxunicode else entity[0]


def known_attributes(path: str, there: Sequence[str], keep: Sequence[str]) -> tuple[str, ...]:
    """Names of the vertex attributes that are not to be kept; an error if one to be kept is not there."""
    for name in keep:
        if name not in there:
            remedy = (
                f"There are: {', '.join(plain(name, 40) for name in there)}." if there else "There are none."
            )
            raise InputError(path, f"no vertex attribute is named {name!r}", remedy=remedy)
    return tuple(name for name in there if name not in keep)


def typed(values: Sequence[Any]) -> NDArray[Any]:
    """Values as an array of integers, numbers or truth values if all are such, else of objects; None where missing."""
    kinds = {type(value) for value in values}
    if values and kinds in ({int}, {float}, {int, float}, {bool}):
        array = np.array(values)
        if array.dtype.kind in "ifb":
            return array
    return np.fromiter(values, object, len(values))
