"""The strict reader for the table of people.

In CSV there is one way to write a table: a row for each pseudonym 0…n−1, texts in quotation marks and in armour against
formulas, numbers without, nothing where a value is missing. No code is shared with what writes it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from graphveil.errors import VerificationError
from graphveil.verification.documents import Certificate
from graphveil.verification.edge_cells import Spelling, by_arrow, in_quotes
from graphveil.verification.graph_files import (
    GraphFileRead,
    Marks,
    Values,
    bytes_of,
    columns_of,
    marks_of_column,
    read_graph,
    table_of,
)
from graphveil.verification.safe_files import HOLDING, PEOPLE, WITHIN, armour, people_file
from graphveil.words import plain

FIRST_COLUMN = "pseudonym"
IN_CSV = Spelling(in_quotes, by_arrow, in_armour=True)
CELL = re.compile(rb'(?:"(?:[^"]|"")+"|[^",\n]*)[,\n]')


def read_published(public: Path, stated: Certificate) -> GraphFileRead:
    """The graph that a certificate names, with the attributes of people, wherever they are."""
    names = [each.name for each in stated.vertex_attributes]
    of_edges = [each.name for each in stated.edge_attributes]
    if of_edges and stated.graph.format not in HOLDING:
        raise VerificationError(
            "certificate.json is damaged: it names attributes of friendships, and no file that has them"
        )
    graph = read_graph(public / stated.graph.file, stated.graph.format, names, of_edges)
    if stated.people is None:
        if names and stated.graph.format not in WITHIN:
            raise VerificationError(
                "certificate.json is damaged: it names attributes, and no table that has them"
            )
        return graph
    if stated.people.file != people_file(stated.graph.format) or stated.graph.format in WITHIN or not names:
        raise VerificationError(
            "certificate.json is damaged: it names another table of people than is published"
        )
    people, digest, notes, values = read_people(public / stated.people.file, names, graph.n)
    if digest != stated.people.sha256:
        raise VerificationError(
            f"{stated.people.file} is not as it was published: its SHA-256 is another one"
        )
    return replace(graph, people=people, notes=(*graph.notes, *notes), values={**graph.values, **values})


def read_people(
    path: Path, names: Sequence[str], n: int
) -> tuple[tuple[Marks, ...], str, tuple[str, ...], Values]:
    """Of each attribute a number for each person, 0 where a value is missing; the SHA-256; what to say of it; values.

    Raises
    ------
    VerificationError : if it is not the table of n people with these attributes that graphveil writes
    """
    data = bytes_of(path)
    read = _read_parquet if path.name == PEOPLE[1] else _read_csv
    columns, values, notes = read(path.name, data, [FIRST_COLUMN, *names], n)
    return columns, hashlib.sha256(data).hexdigest(), notes, values


Read = tuple[tuple[Marks, ...], Values, tuple[str, ...]]


def _read_csv(name: str, data: bytes, names: list[str], n: int) -> Read:
    header = ",".join('"' + armour(each).replace('"', '""') + '"' for each in names) + "\n"
    rows = data.removeprefix(header.encode())
    cells, width = CELL.findall(rows), len(names)
    ends = [b","] * (width - 1) + [b"\n"]
    if (
        len(rows) == len(data)
        or len(cells) != n * width
        or sum(map(len, cells)) != len(rows)
        or any({cell[-1:] for cell in cells[place::width]} - {end} for place, end in enumerate(ends))
        or cells[0::width] != [b"%d," % person for person in range(n)]
    ):
        raise _damaged(
            name, f"it has not one row for each of the pseudonyms 0…{n - 1}, under {', '.join(names)}"
        )
    columns = [[cell[:-1] for cell in cells[place::width]] for place in range(1, width)]
    people = list(zip(*columns, strict=True))
    return (*columns_of(name, people, names[1:], IN_CSV), ())


def _read_parquet(name: str, data: bytes, names: list[str], n: int) -> Read:
    import pyarrow

    table, note = table_of(name, data, names)
    pseudonyms = table.column(0)
    if (
        not pyarrow.types.is_integer(pseudonyms.type)
        or pseudonyms.null_count
        or not np.array_equal(pseudonyms.to_numpy(), np.arange(n))
    ):
        raise _damaged(name, f"it has not one row for each of the pseudonyms 0…{n - 1}, in this order")
    columns = [marks_of_column(name, column) for column in table.columns[1:]]
    values = {each: texts for each, (_, texts) in zip(names[1:], columns, strict=True)}
    return tuple(marks for marks, _ in columns), values, (note,) if note else ()


def _damaged(name: str, what: str) -> VerificationError:
    return VerificationError(f"{name} is not what graphveil writes: {plain(what, 300)}")
