"""Strict readers for the graph files that graphveil publishes: nothing is guessed, and nothing more may be in them.

A published graph has the pseudonyms 0…n−1 and its edges in ascending order, so there is one way to write it in each
format. A text file is read loosely, as the numbers in it. Then the graph that these give is written again, and the
bytes must be the same: no comment, no further column, no line twice, no compression.

A Parquet file is a container, in which a library may put more than a table. Where its bytes are not those that the
library here writes, the rows are compared and the container is said not to be checked. A folder of parts, as Spark
publishes a graph, is the graph that the parts give one after the other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from os import fstat
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import VerificationError
from graphveil.verification.edge_cells import (
    DIRECTION,
    SPELLINGS,
    VALUE_IN_GML,
    WITHOUT,
    Cells,
    Spelling,
    check_cells,
    keys_in_graphml,
    values_in_graphml,
    ways_of,
    with_quotes,
)
from graphveil.verification.safe_files import digest_of_parts, is_folder, open_regular
from graphveil.words import plain

Edges = NDArray[np.int64]
Marks = NDArray[np.int64]
Values = dict[str, list[str]]  # of each attribute by their marks, which begin with 1

CHUNK = 1 << 16  # lines made at a time
ANY_FILE, TIMES = 256 << 20, 30  # bytes that any file may take, and times its size on the disk
LONELY = 1 << 22  # people without friends, whom a matrix declares by one number
COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"PK\x03\x04")
PART = re.compile(r"part-[0-9]{5}\.(?:txt|parquet)", re.ASCII)
EDGELESS = b"# graphveil: no edges\n"
ONLY_DIGITS = bytes(each if chr(each).isdecimal() and each < 128 else 32 for each in range(256))


@dataclass(frozen=True)
class GraphFileRead:
    """A published graph as it was read: ``edges`` ascending, each with its lower end first."""

    n: int
    edges: NDArray[np.int32]
    sha256: str
    notes: tuple[str, ...] = ()
    # Of each attribute a number for each vertex, or for each edge, 0 where there is no value
    people: tuple[Marks, ...] = ()
    friendships: tuple[Marks, ...] = ()
    ways: Marks | None = (
        None  # which way each edge leads, see `edge_cells.WAYS`; None where that is not published
    )
    values: Values = field(default_factory=dict)


def read_graph(
    path: Path, format: str, attributes: Sequence[str] = (), of_edges: Sequence[str] = ()
) -> GraphFileRead:
    """Read a published graph that may come from a stranger; refuse what graphveil would not write."""
    if is_folder(path):
        return _read_parts(path, format)
    data = bytes_of(path)
    digest = hashlib.sha256(data).hexdigest()
    if format == "parquet":
        return _read_table(path.name, [data], digest, of_edges)
    return _read_text(path.name, data, format, attributes, of_edges, digest)


def _read_text(
    name: str, data: bytes, format: str, attributes: Sequence[str], of_edges: Sequence[str], digest: str
) -> GraphFileRead:
    layout = LAYOUTS[format]
    if data.startswith(COMPRESSED):
        raise VerificationError(f"{name} is compressed, and graphveil publishes no compressed graph")
    bare, cells = WITHOUT[format](data, of_edges) if of_edges else (data, [])
    bare, rows = layout.without_attributes(bare, attributes) if attributes else (bare, [])
    n, edges = layout.parse(name, bare)
    _check(name, n, edges)
    place = 0
    for chunk in layout.render(n, edges):
        if not bare.startswith(chunk, place):
            raise _more(name)
        place += len(chunk)
    if place != len(bare):
        raise _more(name)
    if of_edges and len(cells) != len(edges):
        raise _more(name)
    spelling = SPELLINGS.get(format, Spelling())
    friendships, values = columns_of(name, cells, of_edges, spelling)
    people, others = columns_of(name, [row[1:] for row in rows], attributes if rows else (), spelling)
    ways = None
    if DIRECTION in of_edges:
        ways = ways_of(friendships[list(of_edges).index(DIRECTION)], values[DIRECTION])
    return GraphFileRead(
        n, edges.astype(np.int32), digest, (), people, friendships, ways, {**values, **others}
    )


def marks_of(cells: Iterable[bytes], number: dict[bytes, int] | None = None) -> Marks:
    """A number for each cell, the same for the same bytes, 0 where there are none; ``number`` collects which."""
    number = {} if number is None else number
    number[b""] = 0
    return np.fromiter((number.setdefault(cell, len(number)) for cell in cells), np.int64)


def columns_of(
    file: str, rows: Cells, names: Sequence[str], spelling: Spelling
) -> tuple[tuple[Marks, ...], Values]:
    """Of each attribute the marks of people or edges, and its values."""
    found, values = [], Values()
    for place, name in enumerate(names):
        number: dict[bytes, int] = {}
        found.append(marks_of((row[place] for row in rows), number))
        values[name] = check_cells(file, list(number)[1:], spelling)
    return tuple(found), values


def _more(name: str) -> VerificationError:
    return VerificationError(f"{name} is not what graphveil writes for this graph: there is more in it")


def _check(name: str, n: int, edges: Edges) -> None:
    """Refuse edges that are not those of a simple graph on 0…n−1, in ascending order."""
    keys = edges[:, 0] * n + edges[:, 1]
    if n >= 2**31 or (edges[:, 0] >= edges[:, 1]).any() or (edges < 0).any() or (edges >= n).any():
        raise VerificationError(f"{name}: its vertices are not the pseudonyms 0…{n - 1}, or an edge is none")
    if (np.diff(keys) <= 0).any():
        raise VerificationError(f"{name}: its edges are not in ascending order, each once")


def bytes_of(path: Path) -> bytes:
    """What is in a regular file that is not mostly holes."""
    try:
        with open_regular(path) as source:
            found = fstat(source.fileno())
            if found.st_size > max(ANY_FILE, TIMES * 512 * found.st_blocks):
                raise VerificationError(f"{path.name}: most of its {found.st_size:,} bytes are holes")
            return source.read(found.st_size)
    except OSError as error:
        odd = error.errno is None or path.is_symlink()
        what = "it is a link or not a regular file" if odd else error.strerror
        raise VerificationError(f"{path.name}: {what}") from None


# ---------------------------------------------------------------------- text


Rows = list[tuple[bytes, ...]]  # the number of a vertex, then its attributes


@dataclass(frozen=True)
class Layout:
    """How one format is read and written: ``parse`` is loose, ``render`` is exact."""

    parse: Callable[[str, bytes], tuple[int, Edges]]
    render: Callable[[int, Edges], Iterator[bytes]]
    without_attributes: Callable[[bytes, Sequence[str]], tuple[bytes, Rows]] = lambda data, _: (data, [])


def _numbers(data: bytes) -> Edges:
    """All numbers in a text."""
    digits = data.translate(ONLY_DIGITS)
    return np.fromstring(digits, np.int64, sep=" ") if digits.strip() else np.empty(0, np.int64)


def _pairs(name: str, data: bytes) -> Edges:
    numbers = _numbers(data)
    if len(numbers) % 2:
        raise _more(name)
    return numbers.reshape(-1, 2)


def _written(
    edges: Edges, before: str, between: str, after: str, *, first: int = 0, swapped: bool = False
) -> Iterator[bytes]:
    """A line for each edge, its ends counted from ``first``."""
    for start in range(0, len(edges), CHUNK):
        part = (edges[start : start + CHUNK, ::-1] if swapped else edges[start : start + CHUNK]) + first
        yield "".join([f"{before}{u}{between}{v}{after}" for u, v in part.tolist()]).encode()


def _listed(n: int, line: Callable[[int], str]) -> Iterator[bytes]:
    """A line for each vertex."""
    for start in range(0, n, CHUNK):
        yield "".join(map(line, range(start, min(n, start + CHUNK)))).encode()


def _edge_list(delimiter: str, header: bytes) -> Layout:
    """Edges, and then each vertex without edges: alone in its line, or with nothing for its friend."""
    alone = "\n" if delimiter == " " else f"{delimiter}\n"

    def parse(name: str, data: bytes) -> tuple[int, Edges]:
        rows = data.removeprefix(EDGELESS).removeprefix(header)
        m = rows.count(delimiter.encode()) - (0 if delimiter == " " else rows.count(alone.encode()))
        numbers = _numbers(rows)
        n = int(numbers.max(initial=-1)) + 1
        if 2 * m > len(numbers) or n > len(numbers):
            raise VerificationError(
                f"{name}: there is more in it than graphveil writes, or its vertices are not the pseudonyms 0…n−1"
            )
        return n, numbers[: 2 * m].reshape(-1, 2)

    def render(n: int, edges: Edges) -> Iterator[bytes]:
        yield header if len(edges) else EDGELESS + header
        yield from _written(edges, "", delimiter, "\n")
        isolated = np.flatnonzero(np.bincount(edges.ravel(), minlength=n) == 0)
        yield "".join([f"{vertex}{alone}" for vertex in isolated.tolist()]).encode()

    return Layout(parse, render)


GRAPHML = b'<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
UNDIRECTED = b'<graph edgedefault="undirected">\n'


def _parse_graphml(name: str, data: bytes) -> tuple[int, Edges]:
    nodes, edge, edges = data.partition(b"<edge ")
    return nodes.count(b"<node "), _pairs(name, edge + edges)


def _render_graphml(n: int, edges: Edges) -> Iterator[bytes]:
    yield GRAPHML + UNDIRECTED
    yield from _listed(n, lambda vertex: f'<node id="{vertex}"/>\n')
    yield from _written(edges, '<edge source="', '" target="', '"/>\n')
    yield b"</graph>\n</graphml>\n"


def _graphml_without_attributes(data: bytes, names: Sequence[str]) -> tuple[bytes, Rows]:
    """The same file without attributes, where it declares those that the certificate names and no others; and these."""
    head = re.compile(re.escape(GRAPHML) + keys_in_graphml(names, "node") + re.escape(UNDIRECTED)).match(data)
    if head is None:
        return b"", []
    values = values_in_graphml(head.groups(), "d")
    node = re.compile(rb'^<node id="([0-9]+)">' + values + rb"</node>$", flags=re.MULTILINE)
    rest = data[head.end() :]
    rows = with_quotes(node.findall(rest), (b"", *head.groups()))
    return GRAPHML + UNDIRECTED + node.sub(rb'<node id="\1"/>', rest), rows


def _parse_gml(name: str, data: bytes) -> tuple[int, Edges]:
    nodes, edge, edges = data.partition(b"\n  edge [")
    return nodes.count(b"\n  node [ id "), _pairs(name, edge + edges)


def _render_gml(n: int, edges: Edges) -> Iterator[bytes]:
    yield b"graph [\n  directed 0\n"
    yield from _listed(n, lambda vertex: f'  node [ id {vertex} label "{vertex}" ]\n')
    yield from _written(edges, "  edge [ source ", " target ", " ]\n")
    yield b"]\n"


def _gml_without_attributes(data: bytes, names: Sequence[str]) -> tuple[bytes, Rows]:
    values = rb"".join(rb"(?: %s (%s))?" % (re.escape(name).encode(), VALUE_IN_GML) for name in names)
    node = re.compile(rb'^  node \[ id ([0-9]+) label "\1"' + values + rb" \]$", flags=re.MULTILINE)
    return node.sub(rb'  node [ id \1 label "\1" ]', data), node.findall(data)


def _parse_pajek(name: str, data: bytes) -> tuple[int, Edges]:
    nodes, _, edges = data.partition(b"\n*Edges\n")
    return max(nodes.count(b"\n"), 0), _pairs(name, edges) - 1


def _render_pajek(n: int, edges: Edges) -> Iterator[bytes]:
    yield f"*Vertices {n}\n".encode()
    yield from _listed(n, lambda vertex: f'{vertex + 1} "{vertex}"\n')
    yield b"*Edges\n"
    yield from _written(edges, "", " ", "\n", first=1)


MATRIX = b"%%MatrixMarket matrix coordinate pattern symmetric\n"


def _parse_matrix(name: str, data: bytes) -> tuple[int, Edges]:
    sizes, _, edges = data.removeprefix(MATRIX).partition(b"\n")
    declared = _numbers(sizes[:100])
    if len(declared) != 3 or declared[0] > LONELY + len(data):
        raise VerificationError(f"{name}: it declares no size that fits what is in it")
    return int(declared[0]), _pairs(name, edges)[:, ::-1] - 1


def _render_matrix(n: int, edges: Edges) -> Iterator[bytes]:
    yield MATRIX + f"{n} {n} {len(edges)}\n".encode()
    yield from _written(edges, "", " ", "\n", first=1, swapped=True)


LAYOUTS = {
    "edgelist": _edge_list(" ", b""),
    "csv": _edge_list(",", b"source,target\n"),
    "tsv": _edge_list("\t", b"source\ttarget\n"),
    "graphml": Layout(_parse_graphml, _render_graphml, _graphml_without_attributes),
    "gml": Layout(_parse_gml, _render_gml, _gml_without_attributes),
    "pajek": Layout(_parse_pajek, _render_pajek),
    "mtx": Layout(_parse_matrix, _render_matrix),
}


# ---------------------------------------------------------------------- tables, and graphs in parts

COLUMNS = ["source", "target"]
BY_SPARK = b"org.apache.spark."  # how the names of what Spark notes in a file begin
PER_ROW = 32  # bytes of memory


def _read_parts(folder: Path, format: str) -> GraphFileRead:
    """A graph in parts; refuses a folder with anything else in it."""
    parts = sorted(folder.iterdir())
    for part in parts:
        if part.is_symlink() or not part.is_file() or not PART.fullmatch(part.name):
            shown = plain(f"{folder.name}/{part.name}", 120)
            raise VerificationError(f"{shown} does not belong there: it is no part of the graph")
    contents = [bytes_of(part) for part in parts]
    digests = {
        part.name: hashlib.sha256(data).hexdigest() for part, data in zip(parts, contents, strict=True)
    }
    if format == "parquet":
        return _read_table(folder.name, contents, digest_of_parts(digests))
    return _read_text(folder.name, b"".join(contents), format, (), (), digest_of_parts(digests))


def _read_table(name: str, contents: list[bytes], digest: str, of_edges: Sequence[str] = ()) -> GraphFileRead:
    """Two columns of integers: edges, and then each vertex without edges with nothing for its friend.

    Behind them stand the attributes of edges, which are in one file.
    """
    import pyarrow

    try:
        opened = [_opened(name, data, [*COLUMNS, *of_edges]) for data in contents]
        tables = _tables(name, contents, opened)
        if not all(pyarrow.types.is_integer(kind) for each in tables for kind in each.schema.types[:2]):
            raise VerificationError(f"{name}: there is more in it than the graph")
        columns = [[each.column(place) for each in tables] for place in (0, 1)]
        n, edges = _edges_of(name, *([_array(each) for each in column] for column in columns))
    except (pyarrow.ArrowException, OSError, MemoryError) as error:
        raise _unreadable(name, error) from None
    _check(name, n, edges)
    own = [marks_of_column(name, each) for each in tables[0].columns[2:]] if of_edges else []
    if any(marks[len(edges) :].any() for marks, _ in own):
        raise _more(name)
    friendships = tuple(marks[: len(edges)] for marks, _ in own)
    values = {each: texts for each, (_, texts) in zip(of_edges, own, strict=True)}
    ways = None
    if DIRECTION in of_edges:
        ways = ways_of(friendships[list(of_edges).index(DIRECTION)], values[DIRECTION])
    note = _container(
        name, contents, opened, _table_bytes(tables[0]) if of_edges else _written_graph(n, edges)
    )
    notes = (note,) if note else ()
    return GraphFileRead(n, edges.astype(np.int32), digest, notes, (), friendships, ways, values)


def marks_of_column(name: str, column: Any) -> tuple[Marks, list[str]]:
    """A number for each value of a column of a table, 0 where one is missing, and the values as texts."""
    import pyarrow
    import pyarrow.compute

    kinds, kind = pyarrow.types, column.type
    if not any(
        each(kind) for each in (kinds.is_integer, kinds.is_floating, kinds.is_string, kinds.is_boolean)
    ):
        raise VerificationError(f"{name} is not what graphveil writes: a column is neither numbers nor texts")
    encoded = column.combine_chunks().dictionary_encode()
    indices = pyarrow.compute.fill_null(pyarrow.compute.add(encoded.indices.cast(pyarrow.int64()), 1), 0)
    values = encoded.dictionary.to_pylist()
    if any(value == "" or value != value for value in values):
        raise VerificationError(f"{name} is not what graphveil writes: a value is missing in another way")
    return indices.to_numpy(), list(map(str, values))


def table_of(name: str, data: bytes, columns: Sequence[str]) -> tuple[Any, str]:
    """The table in a Parquet file that has these columns and nothing else, and what to say of the container."""
    import pyarrow

    try:
        opened = [_opened(name, data, columns)]
        table = _tables(name, [data], opened)[0]
    except (pyarrow.ArrowException, OSError, MemoryError) as error:
        raise _unreadable(name, error) from None
    return table, _container(name, [data], opened, _table_bytes(table))


def _unreadable(name: str, error: Exception) -> VerificationError:
    reason = plain((str(error).splitlines() or ["out of memory"])[0], 200)
    return VerificationError(f"{name} cannot be read: {reason}")


def _tables(name: str, contents: list[bytes], opened: list[Any]) -> list[Any]:
    """What is in open files, where they do not declare more than their sizes can hold."""
    rows = sum(map(_declared_rows, opened))
    if PER_ROW * rows > max(ANY_FILE, TIMES * sum(map(len, contents))):
        raise VerificationError(f"{name} declares {rows:,} rows, which its size does not hold")
    tables = [each.read().replace_schema_metadata(None) for each in opened]
    for each in tables:
        each.validate()
    return tables


def _opened(name: str, data: bytes, columns: Sequence[str]) -> Any:
    """An open Parquet file that declares the columns and nothing else that is not Spark's."""
    import pyarrow
    from pyarrow.parquet import ParquetFile

    file = ParquetFile(pyarrow.BufferReader(data))
    schema = file.schema_arrow
    more = [key for key in schema.metadata or {} if not key.startswith(BY_SPARK)]
    if schema.names != list(columns) or more:
        raise VerificationError(f"{name}: there is more in it than the graph")
    return file


def _declared_rows(file: Any) -> int:
    """As a whole or in its parts, whichever is more: by either, they could be read."""
    inner = sum(file.metadata.row_group(place).num_rows for place in range(file.metadata.num_row_groups))
    return int(max(file.metadata.num_rows, inner))


def _array(column: Any) -> NDArray[np.int64]:
    """A column as numbers, −1 where nothing is."""
    import pyarrow

    filled: NDArray[np.int64] = column.cast(pyarrow.int64()).fill_null(-1).to_numpy()
    return filled


def _edges_of(name: str, sources: list[Edges], targets: list[Edges]) -> tuple[int, Edges]:
    """The edges of both columns, after which the vertices without edges must come."""
    both = np.stack([np.concatenate([*each, np.empty(0, np.int64)]) for each in (sources, targets)], axis=1)
    m = int(np.count_nonzero(both[:, 1] >= 0))
    edges, rest = both[:m], both[m:]
    n = int(both.max(initial=-1)) + 1
    if (
        n > 2 * len(both)
        or both[:, 0].min(initial=0) < 0
        or (rest[:, 1] != -1).any()
        or edges.min(initial=0) < 0
    ):
        raise VerificationError(f"{name}: its vertices are not the pseudonyms 0…n−1")
    isolated = np.flatnonzero(np.bincount(edges.ravel(), minlength=n) == 0)
    if not np.array_equal(rest[:, 0], isolated):
        raise VerificationError(f"{name}: its vertices are not the pseudonyms 0…{n - 1}")
    return n, edges


def _container(name: str, contents: list[bytes], opened: list[Any], expected: bytes) -> str:
    """What to say of a container whose bytes are not those that are written here; refuses one that should have them."""
    import pyarrow
    from pyarrow.parquet import ParquetFile

    if contents == [expected]:
        return ""
    writer = str(opened[0].metadata.created_by) if opened else "nobody"
    one_of_ours = writer == ParquetFile(pyarrow.BufferReader(expected)).metadata.created_by
    if one_of_ours and len(contents) == 1:  # parts are cut where their writer likes
        raise _more(name)
    return (
        f"{name}: its rows are right; the container around them, by {plain(writer, 60)}, was not checked and may hold "
        "more"
    )


def _written_graph(n: int, edges: Edges) -> bytes:
    """The graph as one file, as it is published from one machine."""
    import pyarrow

    isolated = np.flatnonzero(np.bincount(edges.ravel(), minlength=n) == 0)
    sources, targets = (np.concatenate((edges[:, side], isolated)) for side in (0, 1))
    mask = np.arange(len(targets)) >= len(edges)
    return _table_bytes(
        pyarrow.table([pyarrow.array(sources), pyarrow.array(targets, mask=mask)], names=COLUMNS)
    )


def _table_bytes(table: Any) -> bytes:
    """A table as one file of the library here."""
    import pyarrow
    import pyarrow.parquet

    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, compression="zstd")
    data: bytes = sink.getvalue().to_pybytes()
    return data
