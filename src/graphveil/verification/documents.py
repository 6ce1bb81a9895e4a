"""The certificate of a published graph, as a typed document: figures and parameters, no sentences.

`graphveil.publication.words` makes sentences of it. They are never compared, so a later release may say all of it in
other words. Its JSON Schema is in ``graphveil/schemas``; docs/certificate.md explains the fields. Certificates of
schema 2, by graphveil 0.2, are read for ever: `_as_third_schema` leaves out their sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Literal

from graphveil.errors import ParameterError, VerificationError
from graphveil.goals import GOALS, Goals, goal_named, in_order, largest_k
from graphveil.records import load, plain

CERTIFICATE_SCHEMA: Final = "graphveil/certificate/3"
SECOND_SCHEMA: Final = "graphveil/certificate/2"
# Fields that came after the schema, as they are without attributes
LATER: Final[dict[str, Any]] = {
    "attribute_groups": None,
    "edge_attributes": [],
    "edge_attribute_groups": None,
}


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
    promised
        The guaranteed k or share; None if nothing is guaranteed
    implied_by
        The guarantee that brings this one with it; None where it was asked for itself
    achieved
        The best that holds by recount; None where there is no group
    group_sizes
        From each value to the number of edges or vertices that have it; None where groups have no such value
    """

    guarantee: str
    promised: float | None
    implied_by: str | None
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
class Reduction:
    """One attacker against whom less risk was asked for, short of a guarantee."""

    attacker: str  # by name, as among the attackers
    k: int  # exposed is whom fewer than k people (or friendships) match
    # Share of the people who are exposed in the original: the owner's word, rounded so that it tells nothing
    # about a few people; None of so small an original that it would
    before: float | None
    after: float  # the same share in the published graph, which everybody can count


@dataclass(frozen=True)
class NotedFile:
    """A file and its SHA-256."""

    file: str
    sha256: str


@dataclass(frozen=True)
class EarlierRelease:
    """An earlier publication of the same network, which was taken into account."""

    sha256: str  # of its certificate
    pseudonyms: Literal["same", "fresh"]  # whether people kept their pseudonyms
    joint: dict[str, float]  # what was counted of both together at the guaranteed k, by name
    panel: NotedFile | None  # the table that says who is who in both; None where pseudonyms are fresh


@dataclass(frozen=True)
class KeptAttribute:
    """An attribute of people or friendships that was published, and how its values became coarser, if they did."""

    name: str
    generalization: str


@dataclass(frozen=True)
class AttributeGroups:
    """What holds of the groups of people, or friendships, with the same values of all that is not sensitive."""

    k: int | None  # how many every group has at least; None where that was not asked for
    # The same of friendships with the same values and the same mutual-friend count
    k_with_mutual_friends: int | None
    sensitive: tuple[str, ...]  # attributes that no group is formed by
    # How many different values of each sensitive attribute every group has at least; None where not asked for
    l_diversity: int | None
    # Of each sensitive attribute the fewest different values in a group, as counted
    diversity: dict[str, int]
    # How many lost single values, and how many values: the owner's word
    suppressed: int
    suppressed_values: int


@dataclass(frozen=True)
class Exposure:
    """What is exposed at one k: friendships or people, and people that are an end of one."""

    k: int
    exposed: int
    share: float
    people: int
    people_share: float


@dataclass(frozen=True)
class Naming:
    """Whom groups of friendships name, see `graphveil.risk.auditing.Naming`."""

    largest_share: float
    people_named: int
    people_in_smallest_group: int | None


@dataclass(frozen=True)
class AttackerFigures:
    """How far one attacker gets in the published graph."""

    name: str
    target: Literal["edge", "vertex"]
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


@dataclass(frozen=True, repr=False)
class Certificate:
    """What a published graph guarantees and what it does not, as facts that everybody can count again.

    ``certificate["k-NMF"]`` is the `Statement` on that guarantee.
    """

    schema: Literal["graphveil/certificate/3"]
    tool: Tool
    data_set: DataSet
    graph: GraphFile
    guarantees: tuple[Statement, ...]
    changes: Changes
    reductions: tuple[Reduction, ...]
    after: EarlierRelease | None
    vertex_attributes: tuple[KeptAttribute, ...]
    people: NotedFile | None
    attribute_groups: AttributeGroups | None
    edge_attributes: tuple[KeptAttribute, ...]
    edge_attribute_groups: AttributeGroups | None
    attackers: tuple[AttackerFigures, ...]
    report: NotedFile | None
    readme: NotedFile | None

    def __getitem__(self, guarantee: str) -> Statement:
        """The statement on that guarantee."""
        return next(each for each in self.guarantees if each.guarantee == guarantee)

    def __repr__(self) -> str:
        return f"Certificate({self.graph.file}: {', '.join(map(str, self.goals))})"

    @property
    def goals(self) -> Goals:
        """The guarantees that are given, those that others imply among them."""
        return _goals(self.guarantees)

    @property
    def asked(self) -> Goals:
        """The guarantees that were asked for themselves."""
        return _goals(each for each in self.guarantees if each.implied_by is None)

    @property
    def promises(self) -> dict[str, float]:
        """The level of each guarantee by its name."""
        return {each.name: each.level for each in self.goals}

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The attributes that no group is formed by."""
        groups = self.attribute_groups, self.edge_attribute_groups
        return tuple(name for each in groups if each for name in each.sensitive)

    @property
    def k(self) -> int:
        """The largest k that is guaranteed, by which exposure is counted."""
        return largest_k(self.goals)

    @classmethod
    def of(cls, document: Any) -> Certificate:
        """A certificate that may be damaged, or made by somebody who means no good."""
        schema = document.get("schema") if isinstance(document, dict) else None
        if schema not in (CERTIFICATE_SCHEMA, SECOND_SCHEMA):
            raise VerificationError(
                f"certificate.json follows no schema that is known here ({CERTIFICATE_SCHEMA} or before). A later "
                "release of graphveil may know it."
            )
        try:
            current = document if schema == CERTIFICATE_SCHEMA else _as_third_schema(document)
            current = LATER | current
            certificate = load(cls, current, "certificate.json")
            certificate._check_values()
        except (ValueError, ParameterError) as error:
            raise VerificationError(f"certificate.json is damaged: {error}") from None
        except (KeyError, TypeError, AttributeError):
            problem = "it lacks what every certificate has"
            raise VerificationError(f"certificate.json is damaged: {problem}") from None
        return certificate

    def _check_values(self) -> None:
        """Refuse what has the right type and still cannot be."""
        names = [each.guarantee for each in self.guarantees]
        if unknown := [name for name in names if name not in GOALS]:
            raise ValueError(f"it states {unknown[0]!r}, which is no guarantee that is known here")
        if len(set(names)) < len(names) or not self.goals:
            raise ValueError("it states no guarantee, or one of them twice")
        if len({each.name for each in self.attackers}) < len(self.attackers):
            raise ValueError("it has one attacker twice")
        if self.data_set.published and not _is_day(self.data_set.published):
            raise ValueError(f"its date of publication, {self.data_set.published!r:.40}, is none")
        kept = [each.name for each in (*self.vertex_attributes, *self.edge_attributes)]
        if len(set(kept)) < len(kept):
            raise ValueError("it has one attribute twice")
        _check_groups(self.attribute_groups, self.vertex_attributes)
        _check_groups(self.edge_attribute_groups, self.edge_attributes)
        if len({each.attacker for each in self.reductions}) < len(self.reductions):
            raise ValueError("it has one reduction twice")
        if any(each.k < 1 for each in self.reductions):
            raise ValueError("a k is less than 1")
        if any(not 0 <= (each.before or 0) <= 1 for each in self.reductions):
            raise ValueError("a share of the people is none")
        if min(vars(self.changes).values()) < 0:
            raise ValueError("a number of changes is negative")

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/certificate.md."""
        document: dict[str, Any] = plain(self)
        return document


def _check_groups(groups: AttributeGroups | None, kept: tuple[KeptAttribute, ...]) -> None:
    """Refuse what cannot be said of the groups that some attributes form."""
    if groups is None:
        return
    names, secret = {each.name for each in kept}, set(groups.sensitive)
    if not names:
        raise ValueError("it states groups by attributes, and no attribute")
    if len(secret) < len(groups.sensitive) or not secret <= names:
        raise ValueError("it calls an attribute sensitive twice, or one that it has not")
    of_groups = groups.k, groups.k_with_mutual_friends
    if of_groups != (None, None) and secret == names:
        raise ValueError("it guarantees groups by attributes, and all attributes are sensitive")
    if groups.l_diversity is not None and not secret:
        raise ValueError("it guarantees different sensitive values, and no attribute is sensitive")
    if any(each is not None and each < 1 for each in (*of_groups, groups.l_diversity)):
        raise ValueError("a number that it guarantees is less than 1")
    if min(groups.suppressed, groups.suppressed_values) < 0 or groups.suppressed > groups.suppressed_values:
        raise ValueError("a number of suppressed values is none")


def _goals(statements: Iterable[Statement]) -> Goals:
    stated = ((each.guarantee, each.promised) for each in statements)
    return in_order(goal_named(name, level) for name, level in stated if level is not None)


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _as_third_schema(document: Mapping[str, Any]) -> dict[str, Any]:
    """A certificate by graphveil 0.2 without its sentences."""
    kept = {name: value for name, value in document.items() if name != "limits"}
    return kept | {
        "schema": CERTIFICATE_SCHEMA,
        "guarantees": [_without(each, "knows") | {"implied_by": None} for each in document["guarantees"]],
        "vertex_attributes": [
            _without(each, "warning") | {"generalization": ""} for each in document["vertex_attributes"]
        ],
        "attackers": [_without(each, "knows", "guarantee") for each in document["attackers"]],
        "reductions": [],
        "after": None,
        "people": None,
    }


def _without(record: Mapping[str, Any], *sentences: str) -> dict[str, Any]:
    """A record without some texts, which must be there."""
    rest = dict(record)
    for name in sentences:
        rest.pop(name)
    return rest
