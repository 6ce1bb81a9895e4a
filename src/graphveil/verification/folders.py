"""Check a published folder from the outside, with its public part alone.

The graph file is read strictly and recounted. What the certificate says of it must be what is counted, the files must
be those that it names, by their SHA-256, and the report must be able to do nothing but be read. What cannot be checked
from the outside is named. The pages beside the graph prove nothing, whatever they say; this recount does.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphveil import words
from graphveil.errors import GraphveilError, InputError, VerificationError
from graphveil.goals import GOALS, NMF, Goal, Goals
from graphveil.records import plain
from graphveil.verification.attackers import EVERY, FORMER, OF_ATTRIBUTES, OF_DIRECTION, OF_EDGE_ATTRIBUTES
from graphveil.verification.attributes import (
    counted_of,
    problems_of_attributes,
    unseen_generalizations,
    what_holds_of_attributes,
)
from graphveil.verification.documents import SECOND_SCHEMA, Certificate
from graphveil.verification.edge_cells import DIRECTION
from graphveil.verification.facts import Facts, facts_of, ks_of
from graphveil.verification.graph_files import GraphFileRead
from graphveil.verification.harmless import is_harmless
from graphveil.verification.people import read_published
from graphveil.verification.releases import both_releases
from graphveil.verification.safe_files import (
    FILES,
    as_json,
    is_folder,
    odd_file,
    public_files,
    read_bytes,
    read_json,
    sha256_of_page,
)

INSPECTION_SCHEMA = "graphveil/inspection/3"
SPARK_MARKER = "_PUBLISHED"
OWNERS_WORD = "how many people were exposed before the reduction"
SUPPRESSED = "how many people or friendships lost single values of attributes"
UNCHECKED = (
    "how many friendships and people were changed",
    "title, contact, license and day of publication",
    "which version of graphveil wrote it",
    "what report.html and README.md say",
)
AT_LEAST = {  # attackers that a certificate must have figures of, whatever else is counted
    *("mutual-friends", "degree", "edge-degrees", "edge-degrees-and-mutual-friends"),
    *("several-friendships", "mutual-friends-around"),
}
GUARANTEES_AT_LEAST = {"k-NMF", "k-degree", "spread"}


@dataclass(frozen=True)
class Found:
    """One guarantee in a folder that was checked."""

    guarantee: str
    promised: float | None
    achieved: float | None

    def in_words(self) -> tuple[str, str]:
        """What is given and what was achieved; over both releases these are sizes of groups."""
        level = GOALS.get(self.guarantee, NMF).level_in_words
        return (
            "–" if self.promised is None else level(self.promised),
            "any" if self.achieved is None else level(self.achieved),
        )


@dataclass(frozen=True, repr=False)
class Inspection:
    """What a check of a published folder found; true in a boolean context if nothing is wrong."""

    vertices: int | None  # None where the graph could not be read
    edges: int | None
    guarantees: tuple[Found, ...]
    inside: bool  # whether the private part was checked too
    problems: tuple[str, ...]
    unchecked: tuple[str, ...]  # what is said in the folder but could not be checked
    notes: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.problems

    def __repr__(self) -> str:
        return f"Inspection({'holds' if self else 'fails: ' + '; '.join(self.problems)})"

    def _repr_html_(self) -> str:
        from graphveil.pages import render

        levels = [(each.guarantee, *each.in_words()) for each in self.guarantees]
        return render("notebook/inspection.html", found=self, levels=levels)

    @property
    def proven(self) -> str:
        """The guarantees as they were recounted, in a few words."""
        given = [each for each in self.guarantees if each.promised is not None]
        return "; ".join(f"{each.guarantee} {each.in_words()[0]}" for each in given)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/certificate.md."""
        return {"schema": INSPECTION_SCHEMA, "holds": bool(self), **plain(self)}


@dataclass(frozen=True)
class Checked:
    """What was found from the outside, and what was read for it; no graph and certificate where they are damaged."""

    inspection: Inspection
    certificate: Certificate | None = None
    graph: GraphFileRead | None = field(default=None, repr=False)


def check_public(
    folder: str | os.PathLike[str], asked: Goals = (), after: str | os.PathLike[str] | None = None
) -> Checked:
    """Check the public part of a folder that `graphveil.publish` wrote, as `graphveil.verify` does."""
    public = public_part(Path(folder))
    try:
        document = read_json(public / "certificate.json")
        stated = Certificate.of(document)
        if stated.graph.format not in FILES or stated.graph.file != FILES[stated.graph.format]:
            raise VerificationError(
                "certificate.json is damaged: it names an unknown format, or another file"
            )
        graph = read_published(public, stated)
        facts = facts_about(graph, stated)
    except GraphveilError as error:
        if isinstance(error, InputError):
            raise
        return Checked(Inspection(None, None, (), False, (str(error),), (), ()))
    problems = [
        *broken(facts, (*stated.goals, *asked)),
        *wrong_files(public, stated),
        *disagreements(public, stated, graph, facts),
        *problems_of_attributes(stated, graph, facts),
    ]
    both = both_releases(public, stated, graph, None if after is None else public_part(Path(after)))
    problems += both.problems
    notes = [f"public/{each}" for each in graph.notes] + what_holds_of_attributes(stated)
    if (
        document["schema"] != SECOND_SCHEMA
        and read_bytes(public / "certificate.json") != as_json(document).encode()
    ):
        notes.append(
            "public/certificate.json is not written as graphveil writes it; what it says was checked"
        )
    inspection = Inspection(
        facts.vertices,
        facts.edges,
        (
            *(Found(each.guarantee, each.promised, each.achieved) for each in facts.guarantees),
            *(Found(each.name, each.k, each.smallest) for each in both.guarantees),
        ),
        False,
        tuple(dict.fromkeys(problems)),
        (
            *UNCHECKED,
            *([OWNERS_WORD] if stated.reductions else []),
            *([SUPPRESSED] if _lost_values(stated) else []),
            *unseen_generalizations(stated),
            *unknown_attackers(stated),
            *both.unchecked,
        ),
        (*notes, *others_in(public)),
    )
    return Checked(inspection, stated, graph)


def broken(facts: Facts, goals: Iterable[Goal]) -> list[str]:
    """The guarantees that a graph does not keep, by what was counted."""
    achieved = {each.guarantee: each.achieved for each in facts.guarantees}
    return [
        f"{each.name}: only {each.level_in_words(found)} holds, and not {each.level_in_words(each.level)}"
        for each in goals
        if (found := achieved[each.name]) is not None and not each.kept(found)
    ]


def facts_about(graph: GraphFileRead, stated: Certificate) -> Facts:
    """All that a certificate can say of a graph, attackers of former times among them where it has figures of these."""
    counted = counted_of(graph, stated.vertex_attributes, stated.edge_attributes, stated.sensitive)
    former = [each.name for each in stated.attackers if each.name in FORMER]
    return facts_of(counted, stated.asked, ks_of(stated.goals, stated.reductions), former)


def _lost_values(stated: Certificate) -> bool:
    return any(
        each.suppressed_values for each in (stated.attribute_groups, stated.edge_attribute_groups) if each
    )


def unknown_attackers(stated: Certificate) -> list[str]:
    """What cannot be counted again because a later release is needed for it."""
    named = (*(each.name for each in stated.attackers), *(each.attacker for each in stated.reductions))
    return [
        f"the attacker {words.plain(name, 40)}, which this release does not know"
        for name in dict.fromkeys(named)
        if name not in EVERY
    ]


def disagreements(public: Path, stated: Certificate, graph: GraphFileRead, facts: Facts) -> list[str]:
    """Where a certificate says anything else than what is counted; attackers unknown here are left out."""
    counted = {each.name: each for each in facts.attackers}
    levels = {each.guarantee: each for each in facts.guarantees}
    shares = {(each.name, at.k): at.people_share for each in facts.attackers for at in each.exposures}
    agree = {
        "graph": (stated.graph.sha256, stated.graph.vertices, stated.graph.edges)
        == (graph.sha256, facts.vertices, facts.edges),
        "guarantees": levels.keys() & GUARANTEES_AT_LEAST <= {each.guarantee for each in stated.guarantees}
        and all(plain(each) == plain(levels[each.guarantee]) for each in stated.guarantees),
        "changes": stated.changes.edges_added <= facts.edges
        and stated.changes.vertices_added <= facts.vertices,
        "reductions": all(
            shares.get((each.attacker, each.k)) == each.after
            for each in stated.reductions
            if each.attacker in counted
        ),
        "attackers": counted.keys() & at_least_of(stated) <= {each.name for each in stated.attackers}
        and all(same(each, counted[each.name]) for each in stated.attackers if each.name in counted),
        "report": stated.report is not None
        and vars(stated.report) == {"file": "report.html", "sha256": sha256_of_page(public / "report.html")},
        "readme": stated.readme is not None
        and vars(stated.readme) == {"file": "README.md", "sha256": sha256_of_page(public / "README.md")},
    }
    return [
        f"certificate.json: what it says under {name!r} is not what the files give"
        for name, agrees in agree.items()
        if not agrees
    ]


def at_least_of(stated: Certificate) -> set[str]:
    """The attackers that a certificate must have figures of."""
    known = {each.name for each in stated.edge_attributes} - set(stated.sensitive)
    return (
        AT_LEAST
        | (OF_ATTRIBUTES.keys() if stated.attribute_groups else set())
        | (OF_EDGE_ATTRIBUTES.keys() if known else set())
        | (OF_DIRECTION.keys() if DIRECTION in known else set())
    )


def same(some: Any, other: Any) -> bool:
    """Whether two records have the same values, numbers of the same type among them."""
    return repr(some) == repr(other)


def wrong_files(public: Path, stated: Certificate) -> list[str]:
    """Files that are missing, that do not belong there, and pages that could do more than be read."""
    people = stated.people is not None
    expected = public_files(stated.graph.format, panel=_has_panel(stated), people=people)
    found = {path.name for path in public.iterdir()}
    problems = [f"public/{name} is missing" for name in sorted(expected - found)]
    problems += [
        f"public/{words.plain(name, 100)} does not belong there: nothing says what is in it, so do not publish it"
        for name in sorted(found - expected)
    ]
    problems += [
        f"public/{name}: {problem}"
        for name in sorted(expected & found)
        if not (name == stated.graph.file and is_folder(public / name))  # a graph in parts
        and (problem := odd_file(public / name))
    ]
    if "report.html" in found and not is_harmless(_content(public / "report.html")):
        problems.append("public/report.html is not by graphveil: it may run code or load what is elsewhere")
    return problems


def _has_panel(stated: Certificate) -> bool:
    return stated.after is not None and stated.after.panel is not None


def _content(path: Path) -> bytes:
    """What is in a file; nothing, if it cannot be read."""
    try:
        return read_bytes(path)
    except OSError:
        return b""


# ---------------------------------------------------------------------- which folder


def public_part(folder: Path) -> Path:
    """The folder for everybody, given itself or the one around it."""
    for public in (folder / "public", folder):
        if (public / "certificate.json").is_file() and (public == folder or is_folder(public)):
            return public
    raise InputError(
        folder, "this is not a published folder: it has no certificate", remedy="Check the path."
    )


def published_folder(path: str | os.PathLike[str]) -> Path | None:
    """The folder that a path is about: itself, or the one around a graph file with a certificate beside it.

    None for any other file.
    """
    place = Path(path)
    if place.is_dir():
        return place
    beside = place.name in FILES.values() and (place.parent / "certificate.json").is_file()
    return place.parent if beside else None


def read_certificate(folder: str | os.PathLike[str]) -> Certificate:
    """The certificate in a published folder."""
    return Certificate.of(read_json(public_part(Path(folder)) / "certificate.json"))


def is_part(folder: Path) -> bool:
    """Whether the name is one that a publication for one of several k gets."""
    return re.fullmatch(r"k[1-9][0-9]*", folder.name, re.ASCII) is not None and is_folder(folder)


def publications(folder: str | os.PathLike[str]) -> list[Path]:
    """The folder itself, or those in it where ``graphveil anonymize`` wrote one for each k."""
    whole = any((Path(folder) / name).exists() for name in ("public", "certificate.json"))
    inner = [] if whole else list(filter(is_part, Path(folder).glob("k*")))
    inner.sort(key=lambda path: (len(path.name), path.name))  # k5 before k25
    return inner or [Path(folder)]


def others_in(public: Path) -> list[str]:
    """What lies beside a publication and was not looked at."""
    around = public.resolve().parent
    if public.name != "public":
        return []
    places = [(around, {"public", "private", SPARK_MARKER})]
    if is_part(around) and not (around.parent / "public").exists():
        places.append((around.parent, {each.name for each in around.parent.iterdir() if is_part(each)}))
    return [
        f"{words.plain(path.name, 100)} beside it was not checked"
        for place, known in places
        for path in sorted(place.iterdir())
        if path.name not in known
    ]
