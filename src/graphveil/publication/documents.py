"""What is written beside a published graph, as typed documents: the certificate and the record of the run.

Each has a JSON Schema in ``graphveil/schemas``; docs/certificate.md explains the fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from graphveil.errors import VerificationError
from graphveil.records import load, plain
from graphveil.risk.auditing import Exposure, Naming
from graphveil.risk.guarantees import Guarantee

__all__ = [
    "CERTIFICATE_SCHEMA",
    "RUN_SCHEMA",
    "AttackerFigures",
    "Certificate",
    "Changes",
    "DataSet",
    "GraphFile",
    "Input",
    "KeptAttribute",
    "NotedFile",
    "RunRecord",
    "Statement",
    "Tool",
]

CERTIFICATE_SCHEMA: Final = "graphveil/certificate/2"
RUN_SCHEMA: Final = "graphveil/run/2"


@dataclass(frozen=True)
class Tool:
    """The program that wrote a document."""

    name: Literal["graphveil"]
    version: str


@dataclass(frozen=True)
class DataSet:
    """What the owner says about the data set; empty where nothing was said."""

    title: str = ""
    contact: str = ""
    license: str = ""
    published: str = ""  # the day, as 2026-11-18


@dataclass(frozen=True)
class GraphFile:
    """The published graph."""

    file: str
    format: str
    sha256: str
    vertices: int
    edges: int


@dataclass(frozen=True)
class Statement:
    """One guarantee: the level asked for, and what an independent recount found.

    Attributes
    ----------
    guarantee
        Its name
    knows
        What the attacker knows against whom it is made
    promised
        The guaranteed k or share; None if nothing is guaranteed
    achieved
        The best that holds by recount; None where there is no group
    group_sizes
        From each value to the number of edges or vertices that have it; None where groups have no such value
    """

    guarantee: str
    knows: str
    promised: float | None
    achieved: float | None
    group_sizes: dict[str, int] | None


@dataclass(frozen=True)
class Changes:
    """How much was changed."""

    edges_added: int
    edges_deleted: int
    vertices_added: int

    def __bool__(self) -> bool:
        return bool(self.edges_added or self.edges_deleted or self.vertices_added)


@dataclass(frozen=True)
class KeptAttribute:
    """An attribute of people that was published."""

    name: str
    warning: str


@dataclass(frozen=True)
class AttackerFigures:
    """How far one attacker gets in the published graph: an `Attacker` of the audit without names."""

    name: str
    knows: str
    target: Literal["edge", "vertex"]
    guarantee: str | None
    targets: int
    groups: int
    smallest_group: int | None
    highest_probability: float
    mean_probability: float
    exposures: tuple[Exposure, ...]
    naming: Naming | None

    def exposure(self, k: float) -> Exposure:
        """What is exposed at that k."""
        return next(each for each in self.exposures if each.k == k)


@dataclass(frozen=True)
class NotedFile:
    """A file and its SHA-256."""

    file: str
    sha256: str


@dataclass(frozen=True, repr=False)
class Certificate:
    """What a published graph guarantees and what it does not, as facts that everybody can count again.

    ``certificate["k-NMF"]`` is the `Statement` on that guarantee.
    """

    schema: Literal["graphveil/certificate/2"]
    tool: Tool
    data_set: DataSet
    graph: GraphFile
    guarantees: tuple[Statement, ...]
    changes: Changes
    vertex_attributes: tuple[KeptAttribute, ...]
    attackers: tuple[AttackerFigures, ...]
    limits: tuple[str, ...]
    report: NotedFile | None
    readme: NotedFile | None

    def __getitem__(self, guarantee: str) -> Statement:
        """The statement on that guarantee."""
        return next(each for each in self.guarantees if each.guarantee == guarantee)

    def __repr__(self) -> str:
        levels = ", ".join(f"{each} {each.level(level)}" for each, level in self.promises.items())
        return f"Certificate({self.graph.file}: {levels})"

    @property
    def promises(self) -> dict[Guarantee, float]:
        """The level of each guarantee that is given."""
        stated = {Guarantee(each.guarantee): each.promised for each in self.guarantees}
        return {guarantee: level for guarantee, level in stated.items() if level is not None}

    @property
    def k(self) -> int:
        """The largest k that is guaranteed, by which exposure is counted."""
        return largest_k(self.promises)

    @classmethod
    def of(cls, document: Any) -> Certificate:
        """A certificate that may be damaged, or made by somebody who means no good."""
        try:
            certificate = load(cls, document, "certificate.json")
            given = {Guarantee(each.guarantee): each.promised for each in certificate.guarantees}
            levels = {each: each.checked(level) for each, level in given.items() if level is not None}
        except ValueError as error:
            raise VerificationError(f"certificate.json is damaged: {error}") from None
        if not levels or len(given) < len(certificate.guarantees):
            raise VerificationError(
                "certificate.json is damaged: it states no guarantee, or one of them twice"
            )
        return certificate

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/certificate.md."""
        document: dict[str, Any] = plain(self)
        return document


def largest_k(promises: dict[Guarantee, float]) -> int:
    """The largest group size that is guaranteed; 1 if only shares are."""
    sizes = (int(level) for each, level in promises.items() if each.terms.bounds == "size")
    return max(sizes, default=1)


@dataclass(frozen=True)
class Input:
    """The original, so that it can be recognized."""

    sha256: str
    vertices: int
    edges: int
    ids: Literal["integers", "text"]


@dataclass(frozen=True)
class RunRecord:
    """How a publication was made: with this, the same command gives the same bytes again. It is a secret."""

    schema: Literal["graphveil/run/2"]
    method: str
    k: int
    degree_k: int | None
    degree_method: str | None
    spread: float | None
    options: dict[str, Any]
    notes: tuple[str, ...]
    promises: dict[str, float]
    seed: str
    format: str
    keep_vertex_attributes: tuple[str, ...]
    reading: dict[str, Any]
    data_set: DataSet
    input: Input
    versions: dict[str, str]
    files: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/certificate.md."""
        document: dict[str, Any] = plain(self)
        return document
