"""The record of a run, as a typed document: with it, the same command gives the same bytes again. It is a secret.

The certificate is in `graphveil.verification.documents`. Each has a JSON Schema in ``graphveil/schemas``;
docs/certificate.md explains the fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from graphveil.records import plain
from graphveil.verification.documents import DataSet

RUN_SCHEMA: Final = "graphveil/run/3"


@dataclass(frozen=True)
class Input:
    """The original, so that it can be recognized."""

    sha256: str
    vertices: int
    edges: int
    ids: Literal["integers", "text"]


@dataclass(frozen=True)
class AttackRecord:
    """What an attacker with a similar graph finds in the published one. It is a secret of the owner."""

    missing: float  # share of the friendships that the copy of the attacker lacks
    share: float  # of the people, those who were identified
    # By what the attacker multiplied the numbers of the copy, to be as dense as the published graph
    scaled_to: float
    # Of the people of the earlier release, those whom an attacker with that release finds; None without one
    linked: float | None


@dataclass(frozen=True)
class RunRecord:
    """How a publication was made."""

    schema: Literal["graphveil/run/3"]
    method: str
    goals: dict[str, float]
    degree_method: str | None
    options: dict[str, Any]
    notes: tuple[str, ...]
    seed: str
    format: str
    keep_vertex_attributes: tuple[str, ...]
    attributes: dict[str, Any]
    reading: dict[str, Any]
    data_set: DataSet
    input: Input
    attack: AttackRecord | None
    versions: dict[str, str]
    files: dict[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/certificate.md."""
        document: dict[str, Any] = plain(self)
        return document
