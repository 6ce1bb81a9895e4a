"""Where the attributes of friendships stand in a published graph file: taken out, so that the bare graph is left.

What is left must be exactly the file of a graph without them, which `graph_files` checks. So nothing can hide between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import VerificationError
from graphveil.verification.safe_files import armour, unarmour
from graphveil.words import plain

Cells = list[tuple[bytes, ...]]  # of each friendship, empty where a value is missing
Without = Callable[[bytes, Sequence[str]], tuple[bytes, Cells]]  # of a file and the names of attributes

DIRECTION = "direction"
WAYS = {"forward": 1, "backward": 2, "both": 3}  # of a friendship: to its higher end, to its lower end, both
NUMBER = re.compile(rb"-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?|-?inf|true|false")
INTEGER = re.compile(rb"0|-?[1-9][0-9]*")
TRUTH = {b"true", b"false"}
QUOTED = re.compile(r'[ \t\r\n",;|{]|^[#%\ufeff]|^$')  # texts in quotation marks, where not all are
SOURCE, TARGET = b"source", b"target"


def ways_of(marks: NDArray[np.int64], values: Sequence[str]) -> NDArray[np.int64]:
    """Which way each friendship leads, from the mark of each and the values by their marks, which begin with 1."""
    return np.array([0, *(WAYS.get(each, 0) for each in values)], np.int64)[marks]


# ---------------------------------------------------------------------- tables


def of_table(delimiter: str) -> Without:
    """Columns behind the two ends, under a header that names them; in a blank-separated table NA is missing."""
    between = delimiter.encode()
    cell = rb'((?:"(?:[^"]|"")*+")|[^"\r\n%s]*+)' % re.escape(between)
    has_header = delimiter != " "  # without attributes

    def without(data: bytes, names: Sequence[str]) -> tuple[bytes, Cells]:
        head = between.join((SOURCE, TARGET, *map(_named, names))) + b"\n"
        found = re.match(head, data)
        if found is None:
            return b"", []
        row = re.compile(rb"([0-9]+)%b([0-9]+)" % between + (between + cell) * len(names) + b"\n")
        rows = row.findall(data, found.end())
        written = b"".join([between.join(each) + b"\n" for each in rows])
        if not data.startswith(written, found.end()):
            return b"", []
        rest = data[found.end() + len(written) :]
        if has_header:  # a person without friends has nothing in all other columns
            rest = re.sub(
                rb"^([0-9]+%b)%b\n" % (between, between * len(names)), rb"\1\n", rest, flags=re.MULTILINE
            )
        bare = b"".join([each[0] + between + each[1] + b"\n" for each in rows])
        cells = [each[2:] for each in rows]
        if not has_header:
            cells = [tuple([b"" if each == b"NA" else each for each in row]) for row in cells]
        return (SOURCE + between + TARGET + b"\n") * has_header + bare + rest, cells

    return without


def _named(name: str) -> bytes:
    """A pattern for the name of a column."""
    shown = armour(name)
    return re.escape(in_quotes(shown) if QUOTED.search(shown) else shown.encode())


# ---------------------------------------------------------------------- how values are spelled


def in_quotes(text: str) -> bytes:
    """A text in quotation marks."""
    return b'"%b"' % text.replace('"', '""').encode()


def _in_quotes_if_need_be(text: str) -> bytes:
    shown = text.encode()
    return in_quotes(text) if QUOTED.search(text) or NUMBER.fullmatch(shown) else shown


def _in_gml(text: str) -> bytes:
    """A text as GML has it, with entities that are only where they need to be."""
    whole = re.sub("&#([0-9]+);", lambda entity: chr(int(entity[1])), text)
    return b'"%b"' % re.sub('[^ -~]|[&"]', lambda each: f"&#{ord(each[0])};", whole).encode()


def by_arrow(number: float) -> str:
    """A fraction as Arrow writes it.

    >>> by_arrow(2.0), by_arrow(1e-5), by_arrow(1e-7), by_arrow(1e16)
    ('2', '0.00001', '1e-7', '1e+16')
    """
    if number == 0 or 1e-6 <= abs(number) < 1e10 or np.isinf(number):
        return np.format_float_positional(number, trim="-")
    return np.format_float_scientific(number, trim="-", exp_digits=1)


@dataclass(frozen=True)
class Spelling:
    """The one way in which a format has a text and a fraction."""

    text: Callable[[str], bytes] = in_quotes
    number: Callable[[float], str] = repr
    in_armour: bool = False  # because spreadsheets open it


TABLE = Spelling(_in_quotes_if_need_be, in_armour=True)
SPELLINGS = {
    "edgelist": TABLE,
    "csv": TABLE,
    "tsv": TABLE,
    "graphml": Spelling(),  # its texts get quotation marks when they are read
    "gml": Spelling(_in_gml),
}


def check_cells(file: str, cells: Sequence[bytes], spelling: Spelling) -> list[str]:
    """The texts of distinct cells of one column: all of one type, each spelled as graphveil spells it."""
    numbers = sum(NUMBER.fullmatch(each) is not None for each in cells)
    if numbers not in (0, len(cells)):
        raise _damaged(file, "a column has both texts and numbers")
    try:
        texts = [
            each[1:-1].decode().replace('""', '"') if each.startswith(b'"') else each.decode()
            for each in cells
        ]
        as_written = (
            _are_numbers(cells, spelling.number)
            if numbers
            else all(text and spelling.text(text) == each for each, text in zip(cells, texts, strict=True))
        )
    except (ValueError, OverflowError):
        raise _damaged(file, "a text is not in UTF-8, or none at all") from None
    if not as_written:
        raise _damaged(file, "a value of a column is spelled in another way")
    if numbers or not spelling.in_armour:
        return texts
    bare = [unarmour(text) for text in texts]
    if list(map(armour, bare)) != texts:
        raise _damaged(file, "a spreadsheet could take a cell for a formula")
    return bare


def _are_numbers(cells: Sequence[bytes], spelled: Callable[[float], str]) -> bool:
    """Whether all are truth values, all are whole, or all are fractions, as they are written."""
    if not TRUTH.isdisjoint(cells):
        return TRUTH.issuperset(cells)
    return all(map(INTEGER.fullmatch, cells)) or all(spelled(float(each)).encode() == each for each in cells)


def _damaged(file: str, what: str) -> VerificationError:
    return VerificationError(f"{file} is not what graphveil writes: {plain(what, 300)}")


# ---------------------------------------------------------------------- GraphML and GML

TEXT_IN_XML = rb"(?:[^<>&\"'\x00-\x1f]|&(?:amp|lt|gt|quot|apos|#9|#10|#13);)+"
IN_XML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\t": "&#9;", "\n": "&#10;"}
KINDS_IN_XML = {
    b"long": rb"-?[0-9]+",
    b"double": rb"-?(?:inf|[0-9]+(?:\.[0-9]+)?e[-+]?[0-9]+|[0-9]+\.[0-9]+)",
    b"boolean": rb"true|false",
    b"string": TEXT_IN_XML,
}
VALUE_IN_GML = rb"(?:-?[0-9]+|[-+.0-9einfa]+|\"(?:[ !#-%'-~]|&#[0-9]+;)*\")"


def keys_in_graphml(names: Sequence[str], of: str) -> bytes:
    """A pattern for the lines that declare attributes of nodes or edges, with a group for the kind of each."""
    escaped = ["".join(IN_XML.get(each, each) for each in name).replace("\r", "&#13;") for name in names]
    return b"".join(
        b'<key id="%c%d" for="%b" attr\\.name="%b" attr\\.type="(%b)"/>\n'
        % (
            b"d" if of == "node" else b"e",
            number,
            of.encode(),
            re.escape(name).encode(),
            b"|".join(KINDS_IN_XML),
        )
        for number, name in enumerate(escaped)
    )


def values_in_graphml(kinds: Sequence[bytes], letter: str) -> bytes:
    """A pattern for the values of one node or edge, each in a group of its own."""
    values = (
        b'(?:<data key="%c%d">(%b)</data>)?' % (letter.encode(), number, KINDS_IN_XML[kind])
        for number, kind in enumerate(kinds)
    )
    return b"".join(values)


def with_quotes(rows: Cells, kinds: Sequence[bytes]) -> Cells:
    """The values of nodes or edges, texts in quotation marks."""
    texts = [kind == b"string" for kind in kinds]
    return [
        tuple([b'"%b"' % each if text and each else each for each, text in zip(row, texts, strict=True)])
        for row in rows
    ]


def of_graphml(data: bytes, names: Sequence[str]) -> tuple[bytes, Cells]:
    """Edges with an element for each value, declared before the graph begins."""
    graph = b'<graph edgedefault="undirected">\n'
    head = re.search(keys_in_graphml(names, "edge") + graph, data)
    if head is None:
        return b"", []
    kinds = head.groups()
    values = values_in_graphml(kinds, "e")
    edge = re.compile(rb'^<edge source="([0-9]+)" target="([0-9]+)">' + values + rb"</edge>$", re.MULTILINE)
    rest = data[head.end() :]
    bare = edge.sub(rb'<edge source="\1" target="\2"/>', rest)
    cells = with_quotes([each[2:] for each in edge.findall(rest)], kinds)
    return data[: head.start()] + graph + bare, cells


def of_gml(data: bytes, names: Sequence[str]) -> tuple[bytes, Cells]:
    """Edges with a key for each value."""
    values = rb"".join(rb"(?: %b (%b))?" % (re.escape(name).encode(), VALUE_IN_GML) for name in names)
    edge = re.compile(rb"^  edge \[ source ([0-9]+) target ([0-9]+)" + values + rb" \]$", re.MULTILINE)
    return edge.sub(rb"  edge [ source \1 target \2 ]", data), [each[2:] for each in edge.findall(data)]


WITHOUT: dict[str, Without] = {
    "edgelist": of_table(" "),
    "csv": of_table(","),
    "tsv": of_table("\t"),
    "graphml": of_graphml,
    "gml": of_gml,
}
