"""What a certificate claims, whoever wrote it and in whatever version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphveil.errors import VerificationError
from graphveil.publication import first_schema
from graphveil.publication.documents import CERTIFICATE_SCHEMA, Certificate, Changes, DataSet
from graphveil.publication.files import FILES
from graphveil.records import load
from graphveil.risk.guarantees import Guarantee

__all__ = ["Claim"]


@dataclass(frozen=True)
class Claim:
    """What a certificate of any schema claims, as far as it is needed to check the rest."""

    schema: str
    file: str
    format: str
    attributes: tuple[str, ...]
    promises: dict[Guarantee, float]
    changes: Changes | None
    data_set: DataSet
    version: str | None

    @classmethod
    def of(cls, document: Any) -> Claim:
        """Read a certificate that may be damaged, or made by somebody who means no good."""
        schema = document.get("schema") if isinstance(document, dict) else None
        if schema == CERTIFICATE_SCHEMA:
            return cls._second(Certificate.of(document))
        if schema == first_schema.SCHEMA:
            return cls._first(document)
        raise VerificationError(f"certificate.json does not follow the schema {CERTIFICATE_SCHEMA}")

    @classmethod
    def _second(cls, stated: Certificate) -> Claim:
        return cls(
            schema=stated.schema,
            file=_file_of(stated.graph.format),
            format=stated.graph.format,
            attributes=tuple(each.name for each in stated.vertex_attributes),
            promises=stated.promises,
            changes=stated.changes,
            data_set=stated.data_set,
            version=stated.tool.version,
        )

    @classmethod
    def _first(cls, document: Any) -> Claim:
        try:
            format = document["graph"]["format"]
            attributes = tuple(each["name"] for each in document["vertex_attributes"])
            changes = _loaded_changes(document.get("changes"))
        except (KeyError, TypeError):
            raise VerificationError(
                "certificate.json is damaged: it lacks what every certificate has"
            ) from None
        if not isinstance(format, str) or not all(isinstance(name, str) for name in attributes):
            raise VerificationError("certificate.json is damaged: it lacks what every certificate has")
        return cls(
            schema=first_schema.SCHEMA,
            file=_file_of(format),
            format=format,
            attributes=attributes,
            promises=first_schema.promises_of(document),
            changes=changes,
            data_set=DataSet(),
            version=_version_of(document),
        )


def _file_of(format: str) -> str:
    if format not in FILES:
        raise VerificationError("certificate.json is damaged: it names an unknown format")
    return FILES[format]


def _loaded_changes(changes: Any) -> Changes | None:
    try:
        return load(Changes, changes)
    except ValueError:
        return None


def _version_of(document: Mapping[str, Any]) -> str | None:
    """The version of graphveil that a certificate names, if it has the right form."""
    tool = document.get("tool")
    if not isinstance(tool, dict) or tool.keys() != {"name", "version"} or tool["name"] != "graphveil":
        return None
    return tool["version"] if isinstance(tool["version"], str) else None
