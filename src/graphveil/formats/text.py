"""Edge lists as text.

Ids are integers only if every one of them is the canonical decimal of a number of 64 bits, so that 007 and 7 stay
two people; otherwise all are names. Integers put the vertices in ascending order, names in that of their appearance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError, InputError, ParameterError
from graphveil.formats.advice.column_names import (
    choose_columns,
    declare_direction,
    direction_of,
    find_ends,
    may_pass_for_header,
)
from graphveil.formats.advice.guessing import (
    ask_for_comments,
    ask_for_header,
    could_be_header,
    count_comments,
    delimiter_byte,
    marks_of,
    shows_header,
    sniff_delimiter,
)
from graphveil.formats.advice.not_edge_lists import check_columns, refuse_lookalikes, refuse_neighbour_lists
from graphveil.formats.advice.unsupported import reject_binary
from graphveil.formats.advice.yes_no_columns import denied_rows
from graphveil.formats.arrow import names_by_arrow
from graphveil.formats.dialect import BLANKS, Dialect, Row, first_rows
from graphveil.formats.encoding import (
    cells_of,
    edge_chunks,
    encode_names,
    names_of,
    tails_of,
    without_attributes,
)
from graphveil.formats.parsed import INTEGER, File, Parsed, counted_sides, known_attributes
from graphveil.formats.rows import (
    Ids,
    Text,
    line_of_lone,
    line_of_pair,
    read_cells,
    read_integers,
    read_names,
)
from graphveil.graph import Graph
from graphveil.numbering import number_ids
from graphveil.origin import Caution, Reading

EDGELESS = b"# graphveil: no edges"  # opens a list without edges, which would else be taken for a mistake
EXCEL = re.compile(rb"sep=([,;|\t])[ \t]*\r?\n", re.IGNORECASE)  # what Excel takes for a hint, and writes
BOM = b"\xef\xbb\xbf"
SAMPLE = 200  # rows that are looked at
MANY = 10  # edges, among which a first one that touches no other is unlikely


@dataclass(frozen=True)
class Layout:
    """How a text is cut, and its first rows."""

    text: Text
    rows: list[Row]  # the first, a header among them
    header: bool | None  # None where only the whole text can tell
    directed: bool  # the columns' names, or what Gephi writes into the column Type, say so

    @property
    def names(self) -> list[str]:
        """What the columns are called."""
        if self.header and self.rows:
            return self.rows[0].fields
        return [f"column {position + 1}" for position in range(self.rows[0].width if self.rows else 0)]


def read(file: File) -> Parsed:
    """Read a list of edges; what the caller leaves open is found out from the first rows."""
    known_attributes(file.path, (), file.how.keep)
    layout = layout_of(file)
    try:
        return _read(file, layout)
    except InputError:
        emptied = _without_empty_rows(file.raw, layout.text.dialect.delimiter)
        if emptied == file.raw:
            raise
    file = replace(file, raw=emptied)
    return _read(file, layout_of(file))


def _without_empty_rows(raw: bytes, delimiter: int) -> bytes:
    """The text without the delimiters of rows that have nothing else, as spreadsheets leave them at the end."""
    if delimiter == BLANKS:
        return raw
    between = re.escape(bytes([delimiter]))
    return re.sub(rb"(?m)^[ \t]*+(?:" + between + rb"[ \t]*+)++(?=\r?$)", b"", raw)


def _read(file: File, layout: Layout) -> Parsed:
    text, rows = layout.text, layout.rows
    ids, header = _read_ids(text, rows[:2], layout.header)
    layout = replace(layout, header=header)
    if not len(ids.pairs) and EDGELESS not in file.raw[: len(BOM) + len(EDGELESS)]:
        raise _without_edges(file, ids, layout)
    labels, numbers = (
        (ids.names, ids.pairs) if ids.names is not None else number_ids(ids.pairs.ravel(), ids.lone)
    )
    pairs = numbers.reshape(-1, 2)
    lone = ids.lone if ids.names is not None else np.searchsorted(labels, ids.lone).astype(np.int32)
    names = layout.names if header else [f"column {position + 1}" for position in range(ids.width)]
    chosen = [names[column] if column < len(names) else f"column {column + 1}" for column in text.columns]
    if ids.names is not None and len(labels) == 2 < min(len(pairs), ids.width) and file.how.columns is None:
        raise InputError(
            file.path,
            "every line has the same two ids",
            line=rows[0].line,
            remedy="Choose other columns (columns=), or check the file.",
        )
    guessed = file.how.header is None
    if header and guessed and (again := _place_of(chosen, labels, pairs)) is not None:
        raise InputError(
            file.path,
            "the header is there again, as if it were a friendship",
            line=line_of_pair(ids.text, again),
            remedy="Drop the header lines within the file, or say header=True if these are people.",
        )
    return Parsed(
        labels,
        pairs,
        directed=layout.directed or (header and declare_direction(names, text.columns)),
        edge_attributes=tuple(name for place, name in enumerate(names) if place not in text.columns),
        edge_values={
            name: read_cells(ids, place)
            for place, name in enumerate(names)
            if name in file.how.wanted and place not in text.columns
        },
        line_of=lambda pair: line_of_pair(ids.text, pair),
        empty=lone[:0] if text.dialect.delimiter == BLANKS else lone,  # between blanks there is no empty cell
        line_of_empty=lambda: line_of_lone(ids.text),
        reading=Reading(
            file.path,
            file.format,
            text.dialect.words,
            (chosen[0], chosen[1]),
            file.how.columns is not None,
            (str(labels[pairs[0, 0]]), str(labels[pairs[0, 1]])) if len(pairs) else None,
            counted_sides(pairs, len(labels)),
            denied_rows(file, text, rows, header=header) + _of_default_header(file, layout),
            comments=count_comments(file),
            skipped=ids.skipped,
            direction=_direction(file, names, text.columns, header=header),
        ),
    )


def _direction(file: File, names: Sequence[str], columns: tuple[int, int], *, header: bool) -> str:
    """What says that edges lead from one end to the other, without a word on whether they do."""
    if re.match(rb"%\s*asym\b", file.raw):  # KONECT
        return "the first line says asym"
    return direction_of(names, columns) if header else ""


def _of_default_header(file: File, layout: Layout) -> tuple[Caution, ...]:
    """A caution if the first friendship is 0,1, which pandas writes above columns without names."""
    rows, guessed = layout.rows, file.how.header is None
    blanks = layout.text.dialect.delimiter == BLANKS
    if not guessed or layout.header or blanks or len(rows) < 2 or rows[0].fields != ["0", "1"]:
        return ()
    if rows[1].fields[0] == "0":  # as in a sorted list
        return ()
    message = (
        "The first line is 0,1, as pandas writes above columns without names. It is read as a friendship."
    )
    return (Caution("default-header", message, "If it names the columns, say so (header=True)."),)


def _place_of(names: Sequence[str], labels: NDArray[Any], pairs: NDArray[np.int32]) -> int | None:
    """The place of the first pair with these names."""
    if labels.dtype.kind != "O":
        return None
    ends = [np.flatnonzero(labels == name) for name in names]
    if not all(map(len, ends)):
        return None
    found = np.flatnonzero((pairs[:, 0] == ends[0][0]) & (pairs[:, 1] == ends[1][0]))
    return int(found[0]) if len(found) else None


def layout_of(file: File) -> Layout:
    """How the text is cut, which columns hold the ids, and whether there is a header where the first rows can tell."""
    reject_binary(file.path, file.raw)
    how = file.how
    if how.comments is not None and not how.comments.isascii():
        raise ParameterError(f"comments open with ASCII characters, not with {how.comments!r}")
    data = np.frombuffer(file.raw, np.uint8)
    dialect = _dialect(file, data)
    rows = first_rows(data, dialect, SAMPLE)
    header = how.header
    if header is None:
        named = any(isinstance(column, str) for column in how.columns or ())
        header = True if named else shows_header(rows, how.columns or (0, 1))
    columns, directed = (0, 1), False
    if rows:
        line = rows[0].line
        fields = [row.fields for row in rows]
        matter = _names_matter(rows, header)
        if how.columns is None:
            lines = [row.line for row in rows]
            likely = _likely(fields[0], matter)
            refuse_lookalikes(file.path, fields, lines, likely, header=header, guessed=how.header is None)
        columns, directed = choose_columns(
            file.path, fields[0], how.columns, header=matter, line=line, below=fields[1:]
        )
        if not header and how.columns is None:
            check_columns(file.path, fields, line)
            refuse_neighbour_lists(file.path, fields, line)
    ask_for_comments(file, dialect, rows)
    text = Text(
        file.path, data, dialect, columns, guessed=how.delimiter is None, skip_bad_rows=how.skip_bad_rows
    )
    return Layout(text, rows, header, directed or bool(header and _gephi_says_directed(file, rows)))


def _likely(first: Sequence[str], names_matter: bool) -> tuple[int, int]:
    """The two columns that the first row's names suggest."""
    found = find_ends(first) if names_matter else []
    return found[0].columns if found else (0, 1)


def _names_matter(rows: list[Row], header: bool | None) -> bool:
    """Whether the first row tells the columns: it is a header, or may be one that names them."""
    if header is None:
        return len(rows) > 1 and rows[0].width > 2 and bool(find_ends(rows[0].fields))
    return header


def _dialect(file: File, data: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> Dialect:
    start, line = (len(BOM), 1) if file.raw.startswith(BOM) else (0, 1)
    delimiter = file.how.delimiter
    excel = EXCEL.match(file.raw, start)
    if excel is not None:
        start, line = excel.end(), 2
        delimiter = delimiter or excel[1].decode()
    marks = np.frombuffer(marks_of(file).encode(), np.uint8)
    dialect = Dialect(0, ord('"') if file.how.quotes else 0, marks, (start, line))
    byte = (
        sniff_delimiter(file.path, data, dialect, file.format)
        if delimiter is None
        else delimiter_byte(delimiter)
    )
    return replace(dialect, delimiter=byte)


def _gephi_says_directed(file: File, rows: list[Row]) -> bool:
    """Whether the column Type says Directed in any row, as Gephi writes it."""
    if not rows or "type" not in map(str.lower, rows[0].fields):
        return False
    return re.search(rb'[\t,;| "]directed["\t,;|\r\n ]', file.raw, re.IGNORECASE) is not None


def _read_ids(text: Text, rows: list[Row], header: bool | None) -> tuple[Ids, bool]:
    """The ids, and whether the first row is a header, where that was open."""
    if not rows or header is False:
        return read_integers(text) or _names(text), False
    below = replace(text, dialect=text.dialect.after(rows[0]))
    if header:
        return _under(rows[0], read_integers(below) or _names(below)), True
    ids = [[row.fields[c] for c in text.columns] for row in rows if max(text.columns) < row.width]
    if not ids or any(map(INTEGER.fullmatch, ids[0])):
        return read_integers(text) or _names(text), False
    integers = read_integers(below)
    if integers is not None and len(integers.pairs):
        return _under(rows[0], integers), True
    names = _names(text)
    lonely = len(names.pairs) > 1 and not (names.pairs[1:] < len(set(ids[0]))).any()
    if lonely and len(ids) == 2 and could_be_header(*ids):
        return _under(rows[0], _names(below)), True
    if lonely and max(text.columns) < rows[0].width:
        ask_for_header(text.path, rows[0].line, ids[0], few=len(names.pairs) < MANY)
    return names, False


def _names(text: Text) -> Ids:
    """Names by Arrow where it is known to read the same as our kernels, else row by row."""
    return names_by_arrow(text) or read_names(text)


def _under(header: Row, ids: Ids) -> Ids:
    if len(ids.pairs) and ids.width != header.width:
        problem = f"the header names {header.width} columns, and the lines below have {ids.width}"
        remedy = "Give the header a name for each column, or name the delimiter (delimiter=)."
        raise InputError(ids.text.path, problem, line=header.line, remedy=remedy)
    return ids


def _without_edges(file: File, ids: Ids, layout: Layout) -> InputError:
    path, rows = file.path, layout.rows
    remedy = "Check how it was made."
    if not file.raw:
        return InputError(path, "the file is empty", remedy=remedy)
    if not rows:
        remedy = 'If these lines are rows, say comments="".'
        return InputError(path, "there are only comments and blank lines", remedy=remedy)
    if not len(ids.lone):
        return InputError(path, "there is a header and no edge below it", remedy=remedy)
    remedy = "Name the delimiter (delimiter=), or check the file."
    if "::" in rows[0].fields[0]:
        remedy = r"Its delimiter :: is two characters: replace it by a tab, for example with sed 's/::/\t/g'."
    return InputError(path, "no line has two ids", line=rows[0].line, remedy=remedy)


# ---------------------------------------------------------------------- writing

HEADERS = (("source", "target"), ("from", "to"), ("source_id", "target_id"), ("from_id", "to_id"))
NEEDS_QUOTES = re.compile(r'[ \t\r\n",;|{]|^[#%\ufeff]|^$')
LIKE_A_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?|-?inf|true|false")


def blank_separated(graph: Graph) -> Iterator[bytes]:
    """A line for each edge, its ids separated by a blank."""
    return _edge_list(graph, " ", header=False)


def comma_separated(graph: Graph) -> Iterator[bytes]:
    """CSV with the header ``source,target``."""
    return _edge_list(graph, ",", header=True)


def tab_separated(graph: Graph) -> Iterator[bytes]:
    """TSV with the header ``source`` and ``target``."""
    return _edge_list(graph, "\t", header=True)


def _edge_list(graph: Graph, delimiter: str, *, header: bool) -> Iterator[bytes]:
    without_attributes(graph, "An edge list")
    names = names_of(graph)
    if graph.labels.dtype.kind == "i":
        texts = [name.encode() for name in names]
    else:
        texts = encode_names(list(map(_quoted, names)))
    if not graph.m:
        yield EDGELESS + b"\n"
    attributes = {name: cells for name, _, cells in cells_of(graph.edge_attributes, "edge", CELLS)}
    if header or attributes:
        columns = [*_header_for(graph, names), *map(_quoted, attributes)]
        if len(set(columns)) < len(columns):
            raise GraphError("an edge attribute has the name of a column with the ids. Rename it.")
        yield f"{delimiter.join(columns)}\n".encode()
    elif graph.m and _passes_for_header(graph, names):
        yield texts[graph.edges[0, 0]] + b"\n"
    tails = None
    if attributes:
        missing = "NA" if delimiter == " " else ""
        tails = tails_of(list(attributes.values()), delimiter, missing)
    yield from edge_chunks(graph.edges, texts, (b"", delimiter.encode(), b"\n"), tails)
    after = b"\n" if delimiter == " " else delimiter.encode() * (1 + len(attributes)) + b"\n"
    yield b"".join(texts[v] + after for v in np.flatnonzero(graph.degrees == 0).tolist())


def _quoted(text: str) -> str:
    return _in_quotes(text) if NEEDS_QUOTES.search(text) else text


def _in_quotes(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


CELLS: dict[str, Callable[[Any], str]] = {
    "long": str,
    "double": repr,
    "boolean": lambda value: str(value).lower(),
    # So texts and numbers can be told apart
    "string": lambda text: _in_quotes(text) if LIKE_A_NUMBER.fullmatch(text) else _quoted(text),
}


def _header_for(graph: Graph, names: list[str]) -> tuple[str, str]:
    """Names of the two columns that are not those of two people."""
    if graph.labels.dtype.kind == "i":
        return HEADERS[0]
    people = set(names)
    return next((header for header in HEADERS if not people.issuperset(header)), HEADERS[0])


def _passes_for_header(graph: Graph, names: list[str]) -> bool:
    """Whether the first edge might be taken for a header; a line with its first id alone prevents that."""
    if graph.labels.dtype.kind == "i":
        return False
    first = graph.edges[0]
    return (
        may_pass_for_header([names[v] for v in first])
        or bool((graph.degrees[first] == 1).all())
        or any(map(INTEGER.fullmatch, names))
    )
