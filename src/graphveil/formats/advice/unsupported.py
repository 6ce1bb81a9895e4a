"""Files that are refused at first sight, with the reason and the way out."""

from __future__ import annotations

import re
from typing import Any

from graphveil.errors import InputError
from graphveil.formats.table import known, suffixes

PICKLE = (
    "this is a pickle, which can run any program when it is opened, so it is not read",
    "Open it where it was made and save the graph as GraphML, for example with networkx.write_graphml or "
    'igraph\'s graph.save("graph.graphml").',
)
UNPACK = "Unpack it and name a file from it."
SAVE_AS_CSV = "Save the sheet with the edges as CSV."
BY_EXTENSION = {
    **dict.fromkeys((".pkl", ".pickle", ".gpickle", ".p", ".picklez"), PICKLE),
    ".adjlist": (
        "this is an adjacency list, each line of which holds a person and several friends",
        "Write a list of edges, for example with networkx.write_edgelist.",
    ),
    **dict.fromkeys(
        (".lgl", ".dl", ".tgf"),
        ("this format is not read", "Write a list of edges or GraphML with the program that made it."),
    ),
    ".mbox": ("these are e-mails", "Export sender and recipient of each as CSV, one line for each pair."),
    **dict.fromkeys((".xlsx", ".xls", ".ods"), ("this is a spreadsheet", SAVE_AS_CSV)),
}
CONTACTS = (
    "this lists the contacts of one person, which is not a network",
    "Give a list of pairs: who knows whom.",
)
CONTACT_KEYS = frozenset(
    (
        "friends",
        "friends_v2",
        "followers",
        "following",
        "contacts",
        "relationships_following",
        "relationships_followers",
    )
)
OPENINGS = (
    (re.compile(rb"\s*window\.YTD\."), CONTACTS),  # of Twitter
    (re.compile(rb'(?:\xef\xbb\xbf)?"?Notes:"?\s*\r?\n'), CONTACTS),  # of LinkedIn
    (re.compile(rb"(?:\xef\xbb\xbf)?First Name,Last Name,"), CONTACTS),
    (
        re.compile(rb"\s*nodedef ?>", re.IGNORECASE),
        ("this is a GDF file, of GUESS or Gephi", "Open it in Gephi and export it as GEXF or GraphML."),
    ),
    (
        re.compile(rb"\s*dl\s+n\s*=", re.IGNORECASE),
        ("this is a DL file, of UCINET", "Save it as Pajek or as a list of edges."),
    ),
    (
        re.compile(rb"\s*<(?:!doctype\s+html|html[\s>]|table[\s>])", re.IGNORECASE),
        ("this is a web page", "Export the table with the edges as CSV."),
    ),
    (
        re.compile(
            rb"(?:\s|--[^\n]*\n|/\*.{,150}?\*/)*+(?:INSERT INTO|(?:CREATE|DROP) TABLE)\b", re.I | re.S
        ),
        ("these are commands in SQL", "Export the table with the edges as CSV."),
    ),
    (re.compile(rb"\x80[\x02-\x05](?:[\x95cC}\]]|.{0,40}(?:networkx|igraph))", re.DOTALL), PICKLE),
    (re.compile(rb"PK\x03\x04"), ("this is a zip archive or a spreadsheet", f"{UNPACK} {SAVE_AS_CSV}")),
    (re.compile(rb"7z\xbc\xaf\x27\x1c"), ("this is a 7-Zip archive", UNPACK)),
    (re.compile(rb"Rar!"), ("this is a RAR archive", UNPACK)),
    (
        re.compile(rb"SQLite format 3\0"),
        ("this is a SQLite database", "Export the table with the edges as CSV."),
    ),
    (re.compile(rb"\x93NUMPY"), ("this is a NumPy array", "In Python: Graph.from_edges(numpy.load(file)).")),
    (re.compile(rb"\x89HDF\r\n"), ("this is an HDF5 file", "Export the edges as CSV or Parquet.")),
    (re.compile(rb"ARROW1|FEA1"), ("this is an Arrow or Feather file", "Save the table as Parquet.")),
    (re.compile(rb"%PDF-"), ("this is a PDF document", "Export the edges as CSV.")),
    (
        re.compile(rb"\s*(?:strict\s+)?(?:di)?graph\b[^\[\n{]*\{", re.IGNORECASE),
        ("this is a graph in the DOT language", "Convert it to GML with Graphviz: gv2gml graph.dot"),
    ),
)


def refuse_by_name(path: str) -> None:
    """Refuse a file whose extension says enough; it is not even opened."""
    reason = BY_EXTENSION.get(suffixes(path)[0])
    if reason is not None:
        raise InputError(path, reason[0], remedy=reason[1])


def refuse_by_content(path: str, data: bytes) -> None:
    """Refuse a file that begins as no graph does."""
    head = data[:200]
    for opening, (problem, remedy) in OPENINGS:
        if opening.match(head):
            raise InputError(path, problem, remedy=remedy)


def refuse_contacts(path: str, document: Any) -> None:
    """Refuse the lists that networks export: the friends or followers of one person."""
    if isinstance(document, dict) and (
        "string_list_data" in document or (document and CONTACT_KEYS.issuperset(document))
    ):
        raise InputError(path, CONTACTS[0], remedy=CONTACTS[1])


def reject_binary(path: str, raw: bytes) -> None:
    """Refuse what is no text at first sight."""
    if (zero := raw.find(b"\0")) >= 0:
        line = raw.count(b"\n", 0, zero) + 1
        if encoding := _in_two_bytes(raw[:400]):
            problem, remedy = (
                "this looks like UTF-16",
                f'Name the encoding of the file (encoding="{encoding}").',
            )
            raise InputError(path, problem, line=line, remedy=remedy)
        remedy = f"It may be a binary file. These formats can be read: {known()}."
        raise InputError(path, "a zero byte, which no text contains", line=line, remedy=remedy)


def _in_two_bytes(head: bytes) -> str | None:
    """The encoding of a text in which every second byte is zero."""
    zeros = [part.count(0) / max(len(part), 1) for part in (head[::2], head[1::2])]
    if min(zeros) == 0 and max(zeros) > 0.8:
        return "utf-16-be" if zeros[0] else "utf-16-le"
    return None
