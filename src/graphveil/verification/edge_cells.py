"""Where the attributes of friendships stand in a published graph file: taken out, so that the bare graph is left.

What is left must be exactly the file of a graph without them, which `graph_files` checks. So nothing can hide between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

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
    """A pattern for the name of a column, in quotation marks or not."""
    shown = armour(name)
    quoted = '"' + shown.replace('"', '""') + '"'
    return b"(?:%b|%b)" % (re.escape(shown.encode()), re.escape(quoted.encode()))


def check_cells(file: str, cells: Sequence[bytes], *, in_table: bool) -> list[str]:
    """The texts of distinct cells of one column; in a table no spreadsheet takes one for a formula."""
    try:
        shown = [
            each[1:-1].decode().replace('""', '"') if each.startswith(b'"') else each.decode()
            for each in cells
        ]
    except UnicodeDecodeError:
        raise _damaged(file, "a text is not in UTF-8") from None
    for each, text in zip(cells, shown, strict=True):
        if in_table and not NUMBER.fullmatch(each) and armour(unarmour(text)) != text:
            raise _damaged(file, "a spreadsheet could take a cell for a formula")
    return shown


def _damaged(file: str, what: str) -> VerificationError:
    return VerificationError(f"{file} is not what graphveil writes: {plain(what, 300)}")


# ---------------------------------------------------------------------- GraphML and GML

TEXT_IN_XML = rb"(?:[^<>&\"'\t\n\r]|&(?:amp|lt|gt|quot|apos|#9|#10|#13);)*"
IN_XML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "\t": "&#9;", "\n": "&#10;"}
VALUE_IN_GML = rb"(?:-?[0-9]+|[-+.0-9einfa]+|\"(?:[ !#-%'-~]|&#[0-9]+;)*\")"


def keys_in_graphml(names: Sequence[str], of: str) -> bytes:
    """A pattern for the lines that declare attributes of nodes or edges."""
    escaped = ["".join(IN_XML.get(each, each) for each in name).replace("\r", "&#13;") for name in names]
    kinds = rb"(?:long|double|boolean|string)"
    return b"".join(
        b'<key id="%c%d" for="%b" attr\\.name="%b" attr\\.type="%b"/>\n'
        % (b"d" if of == "node" else b"e", number, of.encode(), re.escape(name).encode(), kinds)
        for number, name in enumerate(escaped)
    )


def values_in_graphml(number: int, letter: str) -> bytes:
    """A pattern for the values of one node or edge, each in a group of its own."""
    values = (
        b'(?:<data key="%c%d">(%b)</data>)?' % (letter.encode(), each, TEXT_IN_XML) for each in range(number)
    )
    return b"".join(values)


def of_graphml(data: bytes, names: Sequence[str]) -> tuple[bytes, Cells]:
    """Edges with an element for each value, declared before the graph begins."""
    graph = b'<graph edgedefault="undirected">\n'
    head = re.search(keys_in_graphml(names, "edge") + graph, data)
    if head is None:
        return b"", []
    values = values_in_graphml(len(names), "e")
    edge = re.compile(rb'^<edge source="([0-9]+)" target="([0-9]+)">' + values + rb"</edge>$", re.MULTILINE)
    rest = data[head.end() :]
    bare = edge.sub(rb'<edge source="\1" target="\2"/>', rest)
    return data[: head.start()] + graph + bare, [each[2:] for each in edge.findall(rest)]


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
