"""Vertices with their attributes in a second file: a table with a row for each, as Gephi and many surveys keep it."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError, InputError, warn
from graphveil.formats.advice.column_names import words_of
from graphveil.formats.advice.guessing import sniff_delimiter
from graphveil.formats.advice.unsupported import reject_binary
from graphveil.formats.advice.vocabulary import ATTRIBUTES
from graphveil.formats.compression import read_bytes
from graphveil.formats.dialect import BLANKS, Dialect
from graphveil.formats.memory_limit import check_claim
from graphveil.formats.parquet import open_parquet, rows_of
from graphveil.formats.parsed import INTEGER, Options, Parsed, known_attributes, with_integers
from graphveil.graph import Graph
from graphveil.numbering import as_array, typed
from graphveil.words import counted, plain

PER_CELL = 100  # bytes, roughly


def add_vertices(parsed: Parsed, path: str, keep: Sequence[str], how: Options, bound: int) -> Parsed:
    """The graph with the vertices of a second file, those without edges among them, and their attributes to keep."""
    header, columns = _table(path, bound)
    column = _id_column(path, header, columns, {str(label) for label in parsed.labels.tolist()})
    there = [name for place, name in enumerate(header) if place != column]
    dropped = known_attributes(path, there, keep)
    place_of = {str(id): place for place, id in enumerate(columns[column])}
    parsed, unknown = _joined(parsed, list(place_of))
    if unknown:
        warn(
            f"{plain(path)}: {counted(unknown, 'person', 'people')} with edges are not in it, and have no attributes."
        )
    places = [place_of.get(str(label)) for label in parsed.labels.tolist()]
    attributes = {}
    for name in keep:
        values = columns[header.index(name)]
        attributes[name] = _typed([None if place is None else values[place] for place in places])
    return replace(parsed, vertex_attributes=attributes, dropped_vertex_attributes=dropped)


def with_people(graph: Graph, people: Any, *, id: str | int = 0) -> Graph:
    """The same graph with the attributes of a pandas or polars frame that has a row for each vertex.

    Parameters
    ----------
    graph
        The graph
    people
        The frame; vertices that it lacks have no values
    id
        Its column with the labels, by name or position; all others are attributes

    Examples
    --------
    >>> import pandas
    >>> graph = Graph.from_edges([("Ann", "Bob"), ("Bob", "Cy")])
    >>> people = pandas.DataFrame({"name": ["Cy", "Ann"], "age": [40, 31]})
    >>> with_people(graph, people).vertex_attributes["age"].tolist()
    [31, None, 40]
    """
    names = list(people.columns)
    column = names[id] if isinstance(id, int) else id
    place_of = {label: place for place, label in enumerate(people[column].to_list())}
    if len(place_of) < len(people) or not place_of.keys() <= set(graph.labels.tolist()):
        twice = "has an id twice" if len(place_of) < len(people) else "names people who are not in the graph"
        raise GraphError(
            f"the frame {twice} in the column {plain(column, 40)}. Correct it, or name another (id=)."
        )
    places = [place_of.get(label) for label in graph.labels.tolist()]
    attributes = {}
    for name in names:
        if name != column:
            values = as_array(people[name]).to_pylist()
            found = [None if place is None else values[place] for place in places]
            attributes[str(name)] = typed([None if value != value else value for value in found])
    return Graph(graph.edges, graph.n, graph.labels, graph.cleaning, attributes, graph.reading)


def people_table(path: str, ids: Any, values: Mapping[str, NDArray[Any]], *, first: str = "id") -> bytes:
    """A table of people: as Parquet or CSV, by its name; in CSV all texts are in quotation marks."""
    import pyarrow
    from pyarrow import csv as arrow
    from pyarrow import parquet

    if first in values:
        raise GraphError(
            f"the attribute {first} has the name of the first column of {plain(path)}. Rename it."
        )
    sink = pyarrow.BufferOutputStream()
    try:
        columns = [pyarrow.array(each, from_pandas=True) for each in (ids, *values.values())]
    except pyarrow.ArrowException:
        raise GraphError("an attribute has both numbers and texts. Make them one or the other.") from None
    table = pyarrow.table(columns, names=[first, *values])
    if path.endswith((".parquet", ".pq")):
        parquet.write_table(table, sink, compression="zstd")
    else:
        arrow.write_csv(table, sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _table(path: str, bound: int) -> tuple[list[str], list[list[Any]]]:
    """The header and the columns of a CSV, TSV or Parquet file."""
    raw, *_ = read_bytes(path, bound)
    if raw.startswith(b"PAR1"):
        opened = open_parquet(path, raw)
        check_claim(
            path, "its rows take", PER_CELL * rows_of([opened]) * len(opened.schema_arrow.names), 2 * bound
        )
        table = opened.read()
        return table.column_names, [as_array(column).to_pylist() for column in table.columns]
    cells = sum(map(raw.count, (b"\n", b"\r", b",", b";", b"\t")))
    check_claim(path, f"it has up to {cells:,} cells", PER_CELL * cells, 2 * bound)
    reject_binary(path, raw)
    dialect = Dialect(
        0, ord('"'), np.empty(0, np.uint8), (3, 1) if raw.startswith(b"\xef\xbb\xbf") else (0, 1)
    )
    delimiter = sniff_delimiter(path, np.frombuffer(raw, np.uint8), dialect, "csv")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            path, "a text that is not in UTF-8", line=line, remedy="Convert it to UTF-8."
        ) from None
    try:
        reader = csv.reader(
            io.StringIO(text, newline=""), delimiter=" " if delimiter == BLANKS else chr(delimiter)
        )
        header = [name.strip() for name in next(reader, [])]
        rows = []
        for row in reader:
            if any(row):
                if len(row) != len(header):
                    problem = f"{len(row)} columns where the header has {len(header)}"
                    raise InputError(path, problem, line=reader.line_num, remedy="Correct the line.")
                rows.append([field.strip() for field in row])
    except csv.Error as error:
        raise InputError(
            path, f"this is no CSV ({error})", line=reader.line_num, remedy="Correct the line."
        ) from None
    if not rows:
        raise InputError(
            path, "there is no row below the header", remedy="It has an id and attributes for each vertex."
        )
    return header, list(map(list, zip(*rows, strict=True)))


def _id_column(path: str, header: list[str], columns: list[list[Any]], labels: set[str]) -> int:
    """The column with the ids: the one in which most of them are ids of the graph."""
    hits = [
        0 if ATTRIBUTES & set(words_of(name)) else len(set(map(str, column)) & labels)
        for name, column in zip(header, columns, strict=True)
    ]
    best = max(range(len(header)), key=lambda place: hits[place])
    if 2 * hits[best] < min(len(columns[0]), len(labels)):
        shown = ", ".join(plain(name, 40) for name in header[:12])
        problem = f"no column has the ids of the graph; there are {shown}"
        raise InputError(path, problem, remedy="Check that both files use the same ids.")
    seen: set[str] = set()
    for number, id in enumerate(map(str, columns[best])):
        if id in seen:
            problem = f"{plain(id, 40)} is there twice in the column {plain(header[best], 40)}"
            raise InputError(path, problem, remedy=f"Drop one of them (row {number + 1}).")
        seen.add(id)
    return best


def _joined(parsed: Parsed, ids: list[str]) -> tuple[Parsed, int]:
    """The graph with the labels of both files, integers if all are, and how many only the edges name."""
    old = [str(label) for label in parsed.labels.tolist()]
    names = list(dict.fromkeys((*old, *ids)))
    joined = replace(parsed, labels=np.fromiter(names, object, len(names)))
    return with_integers(joined) if parsed.labels.dtype.kind == "i" else joined, len(set(old) - set(ids))


def _typed(values: list[Any]) -> NDArray[Any]:
    """Texts as whole numbers or fractions if all are such; None where empty."""
    filled = [value for value in values if value]
    if not all(isinstance(value, str) for value in filled):
        return typed(values)
    for cast in (int, float):
        try:
            if filled and (cast is float or all(map(INTEGER.fullmatch, filled))):
                return typed([cast(value) if value else None for value in values])
        except ValueError:
            pass
    return typed([value or None for value in values])
