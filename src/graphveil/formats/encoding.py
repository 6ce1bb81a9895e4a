"""Labels and edges as bytes, for the writers of all text formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError
from graphveil.graph import Graph
from graphveil.words import plain

ARROW_KINDS = {
    "is_integer": "long", "is_floating": "double", "is_boolean": "boolean",
    "is_string": "string", "is_large_string": "string", "is_null": "string",
}  # fmt: skip
CHUNK = 1 << 18  # edges that become text at a time
FEW_EDGES = 1 << 18  # that plain Python writes as fast as a kernel is loaded


def names_of(graph: Graph) -> list[str]:
    """The labels as text, each different."""
    if graph.labels.dtype.kind == "i":
        return list(map(str, graph.labels.tolist()))
    names = []
    for label in graph.labels.tolist():
        if isinstance(label, bool) or not isinstance(label, str | int):
            kind = type(label).__name__
            raise GraphError(
                f"the label {plain(label, 40)} is of type {kind}: only integers and names can be written"
            )
        names.append(str(label))
    if len(set(names)) < len(names):
        raise GraphError("two labels are the same as text, a number and a name. Rename one of them.")
    return names


def edge_chunks(
    edges: NDArray[np.int32], names: list[bytes], around: tuple[bytes, bytes, bytes], tails: Any = None
) -> Iterator[bytes]:
    """The edges as text, with what stands before, between and after the two names of each.

    ``tails`` are texts of Arrow with the attributes of each edge, which stand behind its names.
    """
    if tails is not None:
        yield from _with_tails(edges, names, around, tails)
        return
    if len(edges) <= FEW_EDGES:  # written before a kernel would be loaded
        before, between, after = around
        yield b"".join([before + names[u] + between + names[v] + after for u, v in edges.tolist()])
        return
    from graphveil.kernels.text import join_pairs

    lengths = np.fromiter(map(len, names), np.int64, len(names))
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    pool = np.frombuffer(b"".join(names), np.uint8)
    pieces = [np.frombuffer(piece, np.uint8) for piece in around]
    fixed = sum(map(len, around))
    for first in range(0, len(edges), CHUNK):
        part = np.array(edges[first : first + CHUNK], order="C")
        text = np.empty(int(lengths[part].sum()) + fixed * len(part), np.uint8)
        join_pairs(part, pool, offsets, *pieces, text)
        yield text.tobytes()


def _with_tails(
    edges: NDArray[np.int32], names: list[bytes], around: tuple[bytes, bytes, bytes], tails: Any
) -> Iterator[bytes]:
    import pyarrow
    from pyarrow import compute

    ends, kind = (
        pyarrow.array([name.decode() for name in names], pyarrow.large_string()),
        pyarrow.large_string(),
    )
    before, between, after = (pyarrow.scalar(piece.decode(), kind) for piece in around)
    for first in range(0, len(edges), CHUNK):
        u, v = (ends.take(pyarrow.array(edges[first : first + CHUNK, side])) for side in (0, 1))
        tail = tails.slice(first, CHUNK)
        lines = compute.binary_join_element_wise(before, u, between, v, tail, after, pyarrow.scalar("", kind))
        yield _bytes_of(lines)


def _bytes_of(texts: Any) -> bytes:
    """Texts of Arrow, one behind another."""
    _, offsets, data = texts.buffers()
    end = np.frombuffer(offsets, np.int64)[texts.offset + len(texts)]
    return bytes(memoryview(data)[:end]) if data is not None else b""


Writers = Mapping[str, Callable[[Any], str]]  # for each of ``long``, ``double``, ``boolean`` and ``string``


def cells_of(
    attributes: Mapping[str, NDArray[Any]], of: str, write: Writers
) -> Iterator[tuple[str, str, Any]]:
    """Name and kind of each attribute of an edge or vertex, and its values as texts of Arrow, null where missing.

    Each distinct value is written once.
    """
    import pyarrow

    for name, values in attributes.items():
        what = f"the {of} attribute {plain(name, 40)} has values"
        try:
            found = pyarrow.array(values, from_pandas=values.dtype.kind == "O").dictionary_encode()
        except pyarrow.ArrowException:
            raise GraphError(f"{what} of several types. Make them one or the other.") from None
        distinct = found.dictionary
        kinds = (kind for is_of, kind in ARROW_KINDS.items() if getattr(pyarrow.types, is_of)(distinct.type))
        kind = next(kinds, None)
        if kind is None:
            raise GraphError(f"{what} that are neither numbers nor strings. Make them one or the other.")
        written = [None if value is None else write[kind](value) for value in distinct.to_pylist()]
        yield name, kind, pyarrow.array(written, pyarrow.large_string()).take(found.indices)


def tails_of(pieces: list[Any], separator: str = "", missing: str = "") -> Any:
    """The attributes of each edge as one text, each behind a separator; ``missing`` where there is none."""
    import pyarrow
    from pyarrow import compute

    texts = (pyarrow.scalar(text, pyarrow.large_string()) for text in ("", separator))
    first, between = texts
    return compute.binary_join_element_wise(
        first, *pieces, between, null_handling="replace", null_replacement=missing
    )


def around(texts: Any, before: str, after: str) -> Any:
    """Texts of Arrow with something before and after each; null where there is none."""
    import pyarrow
    from pyarrow import compute

    kind = pyarrow.large_string()
    pieces = pyarrow.scalar(before, kind), texts, pyarrow.scalar(after, kind), pyarrow.scalar("", kind)
    return compute.binary_join_element_wise(*pieces)


def without_edge_attributes(graph: Graph, format: str) -> None:
    """Refuse a graph whose edges have attributes."""
    if graph.edge_attributes:
        names = ", ".join(plain(name, 40) for name in graph.edge_attributes)
        raise GraphError(
            f'{format} does not hold these edge attributes ({names}). Choose CSV (format="csv"), or drop them.'
        )


def without_attributes(graph: Graph, format: str) -> None:
    """Refuse a graph whose vertices have attributes."""
    if graph.vertex_attributes:
        names = ", ".join(graph.vertex_attributes)
        raise GraphError(
            f'{format} holds no vertex attributes ({names}). Choose GraphML or GML (format="graphml"), or write '
            'them into a file of their own (people="people.csv").'
        )


def encode_names(names: list[str]) -> list[bytes]:
    """In UTF-8; refuses what is no text, and zero characters, which mark binary data."""
    try:
        encoded = [name.encode() for name in names]
    except UnicodeEncodeError as error:
        raise GraphError(f"the label {plain(error.object, 40)} is no text: it has a lone surrogate") from None
    if any(b"\0" in name for name in encoded):
        raise GraphError("a label has a zero character, which no text file can hold. Rename that vertex.")
    return encoded
