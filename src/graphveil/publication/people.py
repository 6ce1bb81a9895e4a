"""Which attributes of people are published, how coarse, and the table of people beside graphs that do not hold them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.attributes import Proposal, column_of, propose
from graphveil.attributes.proposing import way_out
from graphveil.errors import ParameterError, VerificationError
from graphveil.formats.vertices import people_table
from graphveil.graph import Graph
from graphveil.records import plain as as_record
from graphveil.verification.documents import AttributeGroups, KeptAttribute, NotedFile
from graphveil.verification.people import FIRST_COLUMN, read_people
from graphveil.verification.safe_files import FILES, PEOPLE, WITHIN, armour, people_file
from graphveil.words import counted, listed, percent, plain


@dataclass(frozen=True)
class Wishes:
    """What was asked for of attributes; the fields are parameters of `graphveil.publish`."""

    keep_vertex_attributes: tuple[str, ...] = ()
    keep_identifying: bool = False
    generalize: Any = None
    group_rare: Any = None
    suppress: float = 0.0
    sensitive: tuple[str, ...] = ()
    l_diversity: int = 1

    def how(self) -> dict[str, Any]:
        """The parameters of `graphveil.attributes.propose`."""
        return {name: value for name, value in vars(self).items() if not name.startswith("keep_")}

    def record(self) -> dict[str, Any]:
        """What run.json notes of it, if anything is kept."""
        return as_record(self.how()) if self.keep_vertex_attributes else {}


@dataclass(frozen=True)
class Kept:
    """The attributes as they are published, for the people of the input; and what was asked for."""

    proposal: Proposal
    wishes: Wishes

    @property
    def values(self) -> Mapping[str, NDArray[Any]]:
        return self.proposal.values

    def attributes(self) -> tuple[KeptAttribute, ...]:
        """What the certificate says of each."""
        choices = {each.name: each for each in self.proposal.choices}
        return tuple(KeptAttribute(name, choices[name].publicly) for name in self.values)

    def groups(self, diversity: dict[str, int]) -> AttributeGroups:
        """What the certificate says of the groups of people."""
        wanted, proposal = self.wishes, self.proposal
        asked = wanted.l_diversity if wanted.l_diversity > 1 else None
        return AttributeGroups(
            k=proposal.k if proposal else None,
            sensitive=tuple(name for name in wanted.sensitive if name in self.values),
            l_diversity=asked if proposal else None,
            diversity=diversity,
            suppressed_people=proposal.suppressed_people,
            suppressed_values=proposal.suppressed_values,
        )


def kept_attributes(graph: Graph, wishes: Wishes, *, k: int, format: str) -> Kept | None:
    """The attributes as they would be published; complains, before any work, of what cannot be or identifies people."""
    if format not in FILES:
        raise ParameterError(f"there is no format {format!r}; choose one of {', '.join(FILES)}.")
    if not wishes.keep_vertex_attributes:
        for name, value in wishes.how().items():
            if value and value != getattr(Wishes(), name):
                raise ParameterError(
                    f"{name}= is for attributes of people, and none is kept. Keep one, or leave it out."
                )
        return None
    given = _attributes_of(graph, wishes.keep_vertex_attributes)
    proposal = propose(given, k, **wishes.how(), labels=graph.labels)
    if not proposal and not wishes.keep_identifying:
        raise ParameterError(
            _refusal(wishes, proposal, way_out(proposal, given, **wishes.how(), labels=graph.labels))
        )
    _check_format(graph, proposal.values, format)
    return Kept(proposal, wishes)


def _attributes_of(graph: Graph, names: Sequence[str]) -> dict[str, NDArray[Any]]:
    """The values of some vertex attributes."""
    for name in names:
        if name not in graph.vertex_attributes:
            raise ParameterError(
                f"the input has no vertex attribute {name!r}, or it was not kept when it was read."
            )
        if column_of(name, graph.vertex_attributes[name]).values in ((None,), ()):
            raise ParameterError(f"nobody has a value of the vertex attribute {name!r}: do not keep it.")
    return {name: graph.vertex_attributes[name] for name in names}


def _check_format(graph: Graph, values: Mapping[str, NDArray[Any]], format: str) -> None:
    """Refuse what the graph file, or the table of people, cannot hold."""
    from graphveil.formats.table import WRITABLE

    if format in WITHIN:
        nobody_is_friends = Graph(graph.edges[:0], graph.n, vertex_attributes=values)
        deque(WRITABLE[format].chunks(nobody_is_friends), maxlen=0)
    else:
        people_table(people_file(format), [], dict.fromkeys(values, np.empty(0)), first=FIRST_COLUMN)


def _refusal(wishes: Wishes, proposal: Proposal, better: Proposal) -> str:
    """How many people the attributes identify, and the least that helps, as options."""
    people = counted(proposal.people, "person", "people")
    names = ", ".join(plain(each.name, 40) for each in proposal.choices)
    alike = " or of fewer sensitive values than asked for" if wishes.l_diversity > 1 else ""
    start = (
        f"{names}: {proposal.exposed:,} of {people} are in a group of fewer than {proposal.k:,} with the same values"
        f"{alike}, which can identify them."
    )
    if not better:
        return f"{start} No coarser values help: leave them out, or publish them all the same (keep_identifying=True)."
    asked = [f"{name}={value!r}" for name, value in better.parameters().items()]
    left_out = [plain(each.name, 40) for each in better.choices if each.dropped]
    ways = [f"use {', '.join(asked)}"] * bool(asked) + [f"leave out {listed(left_out)}"] * bool(left_out)
    way = " and ".join(ways)
    unsure = "" if better.optimal else ", and less may do, for not all choices were tried"
    return (
        f"{start} {way[:1].upper()}{way[1:]}: this loses {percent(better.loss)} of the detail{unsure}. Or publish them "
        "all the same (keep_identifying=True)."
    )


# ---------------------------------------------------------------------- the table


def write_people(
    public: Path, format: str, values: Mapping[str, NDArray[Any]], n: int
) -> tuple[NotedFile, Any]:
    """Write the table of people, in the order of the pseudonyms, and read it back as everybody would."""
    path = public / people_file(format)
    shown = values
    if path.name != PEOPLE[1]:
        shown = {armour(name): _in_armour(column) for name, column in values.items()}
    path.write_bytes(people_table(path.name, np.arange(n), shown, first=FIRST_COLUMN))
    path.chmod(0o644)
    marks, digest, _ = read_people(path, list(values), n)
    for read, (name, written) in zip(marks, values.items(), strict=True):
        if not _same_groups(read, column_of(name, written).marks):
            raise VerificationError(f"{path.name} read back is not what was written. Nothing was published.")
    return NotedFile(path.name, digest), marks


def _same_groups(some: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two rows of numbers are equal in the same places, and 0 in the same places."""
    size = int(some.max(initial=0)) + 1, int(other.max(initial=0)) + 1
    pairs = len(np.unique(some * size[1] + other))
    numbers = len(np.unique(some)), len(np.unique(other))
    return numbers == (pairs, pairs) and np.array_equal(some == 0, other == 0)


def _in_armour(values: NDArray[Any]) -> Any:
    """Texts in armour, each distinct one once; numbers as they are."""
    column = column_of("", values)
    distinct = [armour(value) if isinstance(value, str) else value for value in column.values]
    return np.array(distinct, object)[column.codes]
