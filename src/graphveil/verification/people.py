"""Strict readers for the table of people, and what can be counted in it: the groups of people with the same values.

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
from graphveil.verification.attackers import alike
from graphveil.verification.documents import Certificate
from graphveil.verification.facts import Facts
from graphveil.verification.graph_files import GraphFileRead, Marks, bytes_of, marks_of, read_graph, table_of
from graphveil.verification.safe_files import PEOPLE, WITHIN, armour, people_file, unarmour
from graphveil.words import plain

FIRST_COLUMN = "pseudonym"
CELL = re.compile(rb'(?:"(?:[^"]|"")+"|[^",\n]*)[,\n]')
NUMBER = re.compile(rb"-?[0-9]+|[-+.0-9einf]+|true|false")


def read_published(public: Path, stated: Certificate) -> GraphFileRead:
    """The graph that a certificate names, with the attributes of people, wherever they are."""
    names = [each.name for each in stated.vertex_attributes]
    graph = read_graph(public / stated.graph.file, stated.graph.format, names)
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
    people, digest, notes = read_people(public / stated.people.file, names, graph.n)
    if digest != stated.people.sha256:
        raise VerificationError(
            f"{stated.people.file} is not as it was published: its SHA-256 is another one"
        )
    return replace(graph, people=people, notes=(*graph.notes, *notes))


def read_people(path: Path, names: Sequence[str], n: int) -> tuple[tuple[Marks, ...], str, tuple[str, ...]]:
    """Of each attribute a number for each person, 0 where a value is missing; the SHA-256; and what to say of the file.

    Raises
    ------
    VerificationError : if it is not the table of n people with these attributes that graphveil writes
    """
    data = bytes_of(path)
    read = _read_parquet if path.name == PEOPLE[1] else _read_csv
    columns, notes = read(path.name, data, [FIRST_COLUMN, *names], n)
    return tuple(columns), hashlib.sha256(data).hexdigest(), notes


def _read_csv(name: str, data: bytes, names: list[str], n: int) -> tuple[list[Marks], tuple[str, ...]]:
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
    for column in columns:
        _check_cells(name, set(column) - {b""})
    return [marks_of(column) for column in columns], ()


def _check_cells(name: str, cells: set[bytes]) -> None:
    """All of them texts that no spreadsheet takes for a formula, or all of them numbers."""
    texts = {cell for cell in cells if cell.startswith(b'"')}
    if (texts and texts != cells) or (not texts and not all(map(NUMBER.fullmatch, cells))):
        raise _damaged(name, "a column has both texts and numbers, or neither")
    try:
        shown = [cell[1:-1].decode().replace('""', '"') for cell in texts]
    except UnicodeDecodeError:
        raise _damaged(name, "a text is not in UTF-8") from None
    if any(armour(unarmour(text)) != text for text in shown):
        raise _damaged(name, "a spreadsheet could take a cell for a formula")


def _read_parquet(name: str, data: bytes, names: list[str], n: int) -> tuple[list[Marks], tuple[str, ...]]:
    import pyarrow
    import pyarrow.compute

    table, note = table_of(name, data, names)
    kinds = pyarrow.types
    if not all(
        kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_string(kind) or kinds.is_boolean(kind)
        for kind in table.schema.types
    ):
        raise _damaged(name, "a column is neither numbers nor texts")
    pseudonyms = table.column(0)
    if pseudonyms.null_count or not np.array_equal(pseudonyms.to_numpy(), np.arange(n)):
        raise _damaged(name, f"it has not one row for each of the pseudonyms 0…{n - 1}, in this order")
    columns = []
    for column in table.columns[1:]:
        encoded = column.combine_chunks().dictionary_encode()
        indices = pyarrow.compute.fill_null(pyarrow.compute.add(encoded.indices.cast(pyarrow.int64()), 1), 0)
        columns.append(indices.to_numpy())
    return columns, (note,) if note else ()


def _damaged(name: str, what: str) -> VerificationError:
    return VerificationError(f"{name} is not what graphveil writes: {plain(what, 300)}")


# ---------------------------------------------------------------------- groups


def groups_of(graph: GraphFileRead, names: Sequence[str], sensitive: Sequence[str]) -> Marks | None:
    """A group number for each person by the attributes that are not sensitive; None where none is published."""
    both = zip(names, graph.people, strict=True) if graph.people else ()
    open_ = [marks for name, marks in both if name not in sensitive]
    return alike(np.zeros(graph.n, np.int64), *open_) if open_ else None


def diversity(graph: GraphFileRead, names: Sequence[str], sensitive: Sequence[str]) -> dict[str, int]:
    """Of each sensitive attribute the fewest different values in a group; missing ones are none."""
    groups = groups_of(graph, names, sensitive)
    groups = np.zeros(graph.n, np.int64) if groups is None else groups
    number = int(groups.max(initial=-1)) + 1
    found = {}
    for name, marks in zip(names, graph.people, strict=True) if graph.people else ():
        if name in sensitive:
            base = int(marks.max(initial=0)) + 1
            pairs = np.unique((groups * base + marks)[marks > 0])
            found[name] = int(np.bincount(pairs // base, minlength=number).min(initial=base))
    return found


def problems_of_people(stated: Certificate, graph: GraphFileRead, facts: Facts) -> list[str]:
    """What a certificate says of the groups of people, and is not so."""
    given = stated.attribute_groups
    if given is None:
        return []
    problems = []
    smallest = next((each.smallest_group for each in facts.attackers if each.name == "attributes"), None)
    if given.k is not None and smallest is not None and smallest < given.k:
        problems.append(f"attributes: only groups of {smallest:,} people hold, and not of {given.k:,}")
    counted = diversity(graph, [each.name for each in stated.vertex_attributes], given.sensitive)
    if counted != given.diversity:
        problems.append("certificate.json: what it says under 'attribute_groups' is not what the files give")
    for name, fewest in counted.items():
        if given.l_diversity is not None and fewest < given.l_diversity and graph.n:
            values = f"{fewest} different values of {plain(name, 40)}"
            problems.append(f"attributes: a group has only {values}, and not {given.l_diversity}")
    return problems


def what_holds_of_people(stated: Certificate, facts: Facts) -> list[str]:
    """The groups of people, in words, where attributes are published."""
    given = stated.attribute_groups
    figures = next((each for each in facts.attackers if each.name == "attributes"), None)
    if given is None or figures is None:
        return []
    guaranteed = f"k = {given.k} guaranteed" if given.k is not None else "nothing guaranteed"
    fewest = [f"{number:,} different values of {plain(name, 40)}" for name, number in given.diversity.items()]
    each = f"; each has {' and '.join(fewest)} or more" if fewest else ""
    return [
        f"attributes: {guaranteed}, the smallest group with the same values has {figures.smallest_group or 0:,}{each}"
    ]
