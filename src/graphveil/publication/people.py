"""Attributes of people: as they are published, and the table beside graphs that do not hold them."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import numpy as np

from graphveil.attributes import column_of
from graphveil.errors import VerificationError
from graphveil.formats.vertices import people_table
from graphveil.graph import Graph
from graphveil.publication.attributes import (
    PEOPLE,
    Part,
    Values,
    Wishes,
    chosen,
    in_armour,
    proposed,
    same_groups,
)
from graphveil.verification.documents import NotedFile
from graphveil.verification.people import FIRST_COLUMN, read_people
from graphveil.verification.safe_files import PEOPLE as TABLES
from graphveil.verification.safe_files import WITHIN, people_file


def kept_people(graph: Graph, wishes: Wishes, *, k: int, format: str) -> Part | None:
    """The attributes of people as they would be published; refuses what cannot be, or identifies people."""
    if not wishes.keep_vertex_attributes:
        return None
    given = chosen(graph.vertex_attributes, wishes.keep_vertex_attributes, "vertex")
    part = Part(proposed(given, wishes, k, graph.labels, PEOPLE), wishes)
    _check_format(graph, part.values, format)
    return part


def _check_format(graph: Graph, values: Values, format: str) -> None:
    """Refuse what the graph file, or the table of people, cannot hold."""
    from graphveil.formats.table import WRITABLE

    if format in WITHIN:
        nobody_is_friends = Graph(graph.edges[:0], graph.n, vertex_attributes=values)
        deque(WRITABLE[format].chunks(nobody_is_friends), maxlen=0)
    else:
        people_table(people_file(format), [], dict.fromkeys(values, np.empty(0)), first=FIRST_COLUMN)


def write_people(public: Path, format: str, values: Values, n: int) -> tuple[NotedFile, Any]:
    """Write the table of people, in the order of the pseudonyms, and read it back as everybody would."""
    path = public / people_file(format)
    shown = values if path.name == TABLES[1] else in_armour(values)
    path.write_bytes(people_table(path.name, np.arange(n), shown, first=FIRST_COLUMN))
    path.chmod(0o644)
    marks, digest, *_ = read_people(path, list(values), n)
    for read, (name, written) in zip(marks, values.items(), strict=True):
        if not same_groups(read, column_of(name, written).marks):
            raise VerificationError(f"{path.name} read back is not what was written. Nothing was published.")
    return NotedFile(path.name, digest), marks
