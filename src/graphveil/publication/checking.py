"""Check a published folder: from the outside, with its public part alone, and from the inside, with the private one.

Outside, the graph file is read, recounted and written again. The bytes must be the same, and every statement of the
certificate must be confirmed. What cannot be checked from the outside is named. Inside, public and private part
together must give the input again, exactly, and the pseudonyms must be those that the seed gives.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeGuard

from graphveil import words
from graphveil._version import __version__
from graphveil.errors import InputError, VerificationError
from graphveil.graph import Graph
from graphveil.publication import first_schema
from graphveil.publication.certificate import Described, certificate, describe
from graphveil.publication.claims import Claim
from graphveil.publication.documents import Certificate, Changes, NotedFile, Tool
from graphveil.publication.files import (
    public_files,
    read_bytes,
    read_json,
    sha256,
)
from graphveil.publication.folders import (
    digest_of,
    is_folder,
    odd_file,
    other_writer,
    public_part,
    read_published,
)
from graphveil.publication.harmless import is_harmless
from graphveil.publication.inside import other_run, problems_inside, readable_by_others
from graphveil.publication.parts import as_one_file
from graphveil.publication.readme import readme
from graphveil.records import plain
from graphveil.risk.guarantees import Guarantee

__all__ = ["Inspection", "broken", "check"]


UNCHECKED_OUTSIDE = (
    "how many friendships and people were changed",
    "title, contact, license and day of publication",
    "which version of graphveil wrote it",
    "what report.html says beyond the certificate",
)
NO_CHANGES = Changes(0, 0, 0)
UNCHECKED_INSIDE = ("by which method and options it was made",)  # to see that, run it again


@dataclass(frozen=True)
class Found:
    """One guarantee in a folder that was checked."""

    guarantee: str
    knows: str
    promised: float | None
    achieved: float | None


@dataclass(frozen=True, repr=False)
class Inspection:
    """What `check` found; true in a boolean context if nothing is wrong."""

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

        return render(
            "notebook/inspection.html", found=self, levels=[_levels(each) for each in self.guarantees]
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/certificate.md."""
        return {"schema": "graphveil/inspection/2", "holds": bool(self), **plain(self)}


def _levels(each: Found) -> tuple[str, str, str]:
    guarantee = Guarantee(each.guarantee)
    promised = "–" if each.promised is None else guarantee.level(each.promised)
    return guarantee, promised, "any" if each.achieved is None else guarantee.level(each.achieved)


def check(
    folder: str | os.PathLike[str],
    *,
    asked: Mapping[Guarantee, float] | None = None,
    original: Graph | None = None,
) -> Inspection:
    """Check a folder that `graphveil.publish` wrote.

    Parameters
    ----------
    folder
        The folder, or its public part alone
    asked
        Guarantees to check too; what the certificate guarantees is checked in any case
    original
        The input; if given, the private part is checked too, and must reproduce it

    Raises
    ------
    InputError : if there is no certificate, or no private part to compare the original with
    """
    public = public_part(Path(folder))
    inside = original is not None
    if inside and not is_folder(public.parent / "private"):
        raise InputError(
            public.parent / "private",
            "the private part is not there, and without it the input cannot be compared",
            remedy="Put it back beside the public part, or verify without --original.",
        )
    try:
        document = read_json(public / "certificate.json")
        claim = Claim.of(document)
        if inside and is_folder(public / claim.file):
            raise InputError(
                public / claim.file,
                "this graph is in parts, as Spark publishes it, and its private part cannot be compared here",
                remedy="Verify without --original.",
            )
        with as_one_file(public / claim.file, claim.format) as whole:
            graph = read_published(whole, claim.format, claim.attributes)
            written = sha256(whole) == digest_of(graph, claim.format)
            writer = other_writer(whole, graph) if claim.format == "parquet" and not written else None
    except VerificationError as error:
        return Inspection(None, None, (), inside, (str(error),), (), ())
    described = describe(graph, claim.promises)
    problems = [
        *broken(described, asked),
        *_wrong_files(public, claim),
        *_disagreements(public, document, claim, described),
    ]
    notes = []
    if not written:
        if writer:
            notes.append(
                f"public/{claim.file}: its rows are right; its bytes are those of {writer}, not compared"
            )
        else:
            problems.append(
                f"public/{claim.file} is not what graphveil writes for this graph: there is more in it{_by(claim)}"
            )
    if original is not None:
        problems += problems_inside(public.parent, graph, claim.changes, original)
        run = public.parent / "private" / "run.json"
        problems += other_run(run, claim.promises, claim.format, claim.attributes, claim.version, original)
        notes += readable_by_others(public.parent / "private")
    return Inspection(
        graph.n,
        graph.m,
        tuple(
            Found(each.guarantee, each.knows, each.promised, each.achieved) for each in described.guarantees
        ),
        inside,
        tuple(dict.fromkeys(problems)),
        UNCHECKED_INSIDE if inside else UNCHECKED_OUTSIDE,
        tuple(notes),
    )


def broken(described: Described, asked: Mapping[Guarantee, float] | None = None) -> list[str]:
    """The guarantees, and the further ones asked for, that a described graph does not keep."""
    problems = []
    for each in described.guarantees:
        guarantee = Guarantee(each.guarantee)
        wanted = {each.promised, (asked or {}).get(guarantee)} - {None}
        problems += [
            f"{guarantee}: only {guarantee.level(each.achieved)} holds, and not {guarantee.level(level)}"
            for level in sorted(filter(None, wanted))
            if each.achieved is not None and not guarantee.kept(each.achieved, level)
        ]
    return problems


def _disagreements(
    public: Path, document: Mapping[str, Any], claim: Claim, described: Described
) -> list[str]:
    """Where certificate and README.md say anything else than the files do."""
    if claim.schema == first_schema.SCHEMA:
        expected, text = _old_certificate(public, claim, described), None
    else:
        made = _new_certificate(public, claim, described)
        expected, text = made.to_dict(), readme(made)
    names = expected.keys() | document.keys()
    problems = [
        f"certificate.json: what it says under {name!r} is not what the files give{_by(claim)}"
        for name in sorted(names)
        if _text(document.get(name)) != _text(expected.get(name))
    ]
    if text is not None and _content(public / "README.md") != text.encode():
        problems.append(f"public/README.md is not what graphveil writes for this graph{_by(claim)}")
    return problems


def _new_certificate(public: Path, claim: Claim, described: Described) -> Certificate:
    """The certificate that graphveil writes for such files."""
    made = certificate(
        described,
        file=claim.file,
        format=claim.format,
        sha256=sha256(public / claim.file),
        changes=claim.changes if _can_be(claim.changes, described) else NO_CHANGES,
        attributes=claim.attributes,
        data_set=claim.data_set,
    )
    return replace(
        made,
        tool=Tool("graphveil", claim.version or ""),
        report=NotedFile("report.html", _digest(public / "report.html")),
        readme=NotedFile("README.md", _digest(public / "README.md")),
    )


def _old_certificate(public: Path, claim: Claim, described: Described) -> dict[str, Any]:
    """The certificate that graphveil 0.1 wrote for such files."""
    changes = claim.changes if _can_be(claim.changes, described) else NO_CHANGES
    made = first_schema.expected(
        described,
        graph={"file": claim.file, "format": claim.format, "sha256": sha256(public / claim.file)},
        changes=changes,
        attributes=claim.attributes,
        report={"file": "report.html", "sha256": _digest(public / "report.html")},
    )
    return {**made, "tool": {"name": "graphveil", "version": claim.version}}


def _digest(path: Path) -> str:
    """The SHA-256 of a file that is not too large to be read; else nothing."""
    content = _content(path)
    return hashlib.sha256(content).hexdigest() if content else ""


def _content(path: Path) -> bytes:
    """What is in a file; nothing, if it cannot be read."""
    try:
        return read_bytes(path)
    except OSError:
        return b""


def _text(value: Any) -> str:
    """By which 1, 1.0 and true are three things."""
    return json.dumps(value, sort_keys=True)


def _can_be(changes: Changes | None, graph: Described) -> TypeGuard[Changes]:
    """Whether they could be true: nobody can have added more than there is."""
    return (
        changes is not None
        and min(changes.edges_added, changes.edges_deleted, changes.vertices_added) >= 0
        and changes.edges_added <= graph.edges
        and changes.vertices_added <= graph.vertices
    )


def _by(claim: Claim) -> str:
    """What to do about a difference that may be one between versions."""
    if claim.version in (None, __version__):
        return ""
    version = words.plain(claim.version, 20)
    return f"; if graphveil {version} wrote it, as it says, verify it with that and not {__version__}"


def _wrong_files(public: Path, claim: Claim) -> list[str]:
    """Files that are missing, that do not belong there, and pages that could do more than be read."""
    expected, found = public_files(claim.format, claim.schema), {path.name for path in public.iterdir()}
    problems = [f"public/{name} is missing" for name in sorted(expected - found)]
    problems += [
        f"public/{words.plain(name)} does not belong there: nothing says what is in it, so do not publish it"
        for name in sorted(found - expected)
    ]
    problems += [
        f"public/{name}: {problem}"
        for name in sorted(expected & found)
        if not (name == claim.file and is_folder(public / name))  # a graph in parts
        and (problem := odd_file(public / name))
    ]
    if "report.html" in found and not is_harmless(_content(public / "report.html")):
        problems.append("public/report.html is not by graphveil: it may run code or load what is elsewhere")
    return problems
