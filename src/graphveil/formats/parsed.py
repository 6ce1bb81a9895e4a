"""What every reader gets, and what it hands over: vertices, pairs as the file gives them, what it says about itself."""

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
from graphveil.formats.memory_limit import check_claim
from graphveil.numbering import rank_of
from graphveil.origin import Reading
from graphveil.repeated import possible_columns
from graphveil.words import plain

ENTITY = re.compile(r"&(#[0-9]{1,9}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]*);")
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")  # canonical decimals; the longest may not fit 64 bits


@dataclass(frozen=True)
class Options:
    """What the caller of `graphveil.read` said about a file; most of it concerns tables only."""

    delimiter: str | None = None
    columns: Sequence[str | int] | None = None
    header: bool | None = None
    comments: str | None = None  # "#%" if nothing was said
    quotes: bool = True
    keep: tuple[str, ...] = ()  # vertex attributes
    skip_bad_rows: bool = False
    keep_edges: tuple[str, ...] = ()  # edge attributes, some with a rule as in date=first

    @property
    def wanted(self) -> frozenset[str]:
        """Columns that edge attributes to keep may be in."""
        return possible_columns(self.keep_edges)


@dataclass(frozen=True)
class File:
    """A file's content, decompressed."""

    path: str
    raw: bytes
    format: str
    how: Options
    allowed: int  # bytes of memory that it may claim
    encoding: str | None = None  # of the content, if it is not the file's own any more
    sha256: str = ""  # of the bytes that were read; nothing of a folder

    def claim(self, what: str, size: int, line: int | None = None) -> None:
        """Refuse a file that declares more than it may."""
        check_claim(self.path, what, size, self.allowed, line)


@dataclass(frozen=True)
class Parsed:
    """A file's content, not yet made simple."""

    labels: NDArray[Any]
    pairs: NDArray[np.int32]  # two columns of vertex numbers
    directed: bool = False  # the file declares itself so
    edge_attributes: tuple[str, ...] = ()  # names of all that there are
    # Of those that are wanted, one for each pair
    edge_values: Mapping[str, Any] = field(default_factory=dict)
    vertex_attributes: Mapping[str, NDArray[Any]] = field(default_factory=dict)  # those that are kept
    dropped_vertex_attributes: tuple[str, ...] = ()
    line_of: Callable[[int], int | None] = lambda pair: None  # the line that gives a pair
    # Vertices beside an empty cell
    empty: NDArray[np.int32] = field(default_factory=lambda: np.empty(0, np.int32))
    line_of_empty: Callable[[], int | None] = lambda: None  # the first line with an empty cell
    reading: Reading | None = None  # what a table's reader found out


def number_declared(
    path: str, nodes: Sequence[Any], ends: Sequence[Any], line_of: Callable[[int], int | None]
) -> NDArray[np.int32]:
    """The pairs as vertex numbers, from the ids of the nodes and, one after the other, of the edges' ends.

    Refuses a node that is there twice, and an edge to a node that is not there; ``line_of`` finds the line of an edge.
    """
    number = {node: place for place, node in enumerate(nodes)}
    if len(number) < len(nodes):
        seen: set[Any] = set()
        twice = next(node for node in nodes if node in seen or seen.add(node))  # type: ignore[func-returns-value]
        problem = f"the node {plain(twice, 40)} is there more than once"
        raise InputError(path, problem, remedy="Give each node one declaration.")
    try:
        return np.fromiter(map(number.__getitem__, ends), np.int32, len(ends)).reshape(-1, 2)
    except KeyError:
        place = next(place for place, end in enumerate(ends) if end not in number)
        problem = f"an edge ends at {plain(ends[place], 40)}, and there is no such node"
        remedy = "Give each node one declaration."
        raise InputError(path, problem, line=line_of(place // 2), remedy=remedy) from None


def counted_sides(pairs: NDArray[np.int32], n: int) -> tuple[int, int, int]:
    """Distinct ids in the first column, in the second, and in both."""
    first, second = np.zeros(n, bool), np.zeros(n, bool)
    first[pairs[:, 0]] = True
    second[pairs[:, 1]] = True
    return int(first.sum()), int(second.sum()), int((first & second).sum())


def with_integers(parsed: Parsed) -> Parsed:
    """The same with labels as integers, ascending, if each of them is a canonical decimal of 64 bits."""
    if not all(map(INTEGER.fullmatch, parsed.labels)):
        return parsed
    try:
        integers = np.fromiter(map(int, parsed.labels), np.int64, len(parsed.labels))
    except OverflowError:
        return parsed
    order = np.argsort(integers)
    return replace(
        parsed,
        labels=integers[order],
        pairs=rank_of(order)[parsed.pairs],
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
