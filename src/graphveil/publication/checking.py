"""Check a published folder: from the outside, with its public part alone, and from the inside, with the private one.

Outside, the graph file is read, counted afresh, and written again: it must be the same bytes, and everything that the
certificate says about it must come out the same. What nobody can tell from the outside is named. Inside, public and
private together must give the input again, exactly, and the pseudonyms must be those that the seed gives.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphveil import words
from graphveil._version import __version__
from graphveil.errors import InputError, VerificationError
from graphveil.graph import Graph
from graphveil.publication.certificate import MODELS, Claim, certificate, describe, version_of
from graphveil.publication.files import is_part, public_files, read_json, sha256
from graphveil.publication.inside import Inside, other_run, problems_inside, readable_by_others
from graphveil.records import plain

__all__ = [
    "Inspection",
    "as_written",
    "broken",
    "check",
    "publications",
    "read_published",
    "reconstruct",
    "under_original_ids",
]


UNCHECKED_OUTSIDE = (
    "how many friendships and people were changed",
    "which version of graphveil wrote it",
    "what report.html says beyond the certificate",
)
UNCHECKED_INSIDE = ("by which method and options it was made",)  # to see that, run it again


@dataclass(frozen=True)
class Inspection:
    """What `check` found; true in a boolean context if nothing is wrong."""

    vertices: int | None  # None where the graph could not be read
    edges: int | None
    privacy: tuple[dict[str, Any], ...]  # promised, asked for and achieved, by model
    inside: bool  # whether the private part was checked too
    problems: tuple[str, ...]
    unchecked: tuple[str, ...]  # what is said in the folder but could not be checked
    notes: tuple[str, ...]

    def __bool__(self) -> bool:
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/certificate.md."""
        return {"schema": "graphveil/inspection/1", "holds": bool(self), **plain(self)}


def check(
    folder: str | os.PathLike[str],
    *,
    k: int | None = None,
    degree_k: int | None = None,
    original: Graph | None = None,
) -> Inspection:
    """Check a folder that `graphveil.publish` wrote.

    Parameters
    ----------
    folder : the folder, or its public part alone
    k, degree_k : check these too; what the certificate promises is checked in any case
    original : the input; if given, the private part is checked too, and must reproduce it

    Raises
    ------
    InputError : if there is no certificate, or no private part to compare the original with
    """
    public = _public_part(Path(folder))
    inside = original is not None
    if inside and not (public.parent / "private").is_dir():
        raise InputError(
            public.parent / "private",
            "the private part is not there, and without it the input cannot be compared",
            remedy="Put it back beside the public part, or verify without --original.",
        )
    try:
        document = read_json(public / "certificate.json")
        claim = Claim.of(document)
        graph = read_published(public / claim.file, claim.format, claim.attributes)
    except VerificationError as error:
        return Inspection(None, None, (), inside, (str(error),), (), ())
    described = describe(graph, claim.promises)
    problems = [
        *broken(described, k=k, degree_k=degree_k),
        *_wrong_files(public, claim),
        *_disagreements(public, document, claim, described),
    ]
    notes = []
    if not as_written(public / claim.file, graph, claim.format):
        if claim.format == "parquet" and (writer := _other_writer(public / claim.file, graph)):
            notes.append(
                f"public/{claim.file}: its rows are right; its bytes are those of {writer}, not compared"
            )
        else:
            problems.append(
                f"public/{claim.file} is not what graphveil writes for this graph: there is more in it{_by(document)}"
            )
    if original is not None:
        problems += problems_inside(public.parent, graph, document, original)
        problems += other_run(public.parent / "private" / "run.json", document, claim, original)
        notes += readable_by_others(public.parent / "private")
    return Inspection(
        graph.n,
        graph.m,
        tuple(_brief(described)),
        inside,
        tuple(dict.fromkeys(problems)),
        UNCHECKED_INSIDE if inside else UNCHECKED_OUTSIDE,
        tuple(notes),
    )


def broken(described: Mapping[str, Any], *, k: int | None = None, degree_k: int | None = None) -> list[str]:
    """The promises, and the further k asked for, that a described graph does not keep."""
    return [
        f"{each['model']}: only k = {each['achieved']:,} holds, and not {wanted:,}"
        for each, asked in zip(described["privacy"], (k, degree_k), strict=True)
        for wanted in sorted({each["promised"] or 1, asked or 1})
        if each["achieved"] is not None and each["achieved"] < wanted
    ]


def reconstruct(folder: str | os.PathLike[str]) -> Graph:
    """The graph that was given to `graphveil.anonymize`, from a published folder with its private part.

    Raises
    ------
    VerificationError : if public and private part do not fit together
    """
    return _read_inside(Path(folder)).original()


def under_original_ids(folder: str | os.PathLike[str]) -> Graph:
    """The published graph with the ids of the input in place of pseudonyms, from a folder with its private part.

    Raises
    ------
    VerificationError : if public and private part do not fit together
    """
    inside = _read_inside(Path(folder))
    return Graph(inside.anonymized.edges, inside.anonymized.n, inside.who.ids)


def promises_of(folder: str | os.PathLike[str]) -> dict[str, int]:
    """The k that a certificate promises against each adversary, by the adversary's name."""
    claim = Claim.of(read_json(_public_part(Path(folder)) / "certificate.json"))
    return {MODELS[model]: k for model, k in claim.promises.items()}


def _read_inside(folder: Path) -> Inside:
    public = _public_part(folder)
    claim = Claim.of(read_json(public / "certificate.json"))
    published = read_published(public / claim.file, claim.format)
    return Inside.read(public.parent / "private", published)


# ---------------------------------------------------------------------- outside


def publications(folder: str | os.PathLike[str]) -> list[Path]:
    """The folder itself, or those in it where ``graphveil anonymize`` wrote one for each k."""
    whole = any((Path(folder) / name).exists() for name in ("public", "certificate.json"))
    inner = [] if whole else list(filter(is_part, Path(folder).glob("k*")))
    inner.sort(key=lambda path: (len(path.name), path.name))  # k5 before k25
    return inner or [Path(folder)]


def _public_part(folder: Path) -> Path:
    for public in (folder / "public", folder):
        if (public / "certificate.json").is_file():
            return public
    raise InputError(folder, "this is no published folder: it has no certificate", remedy="Check the path.")


def _disagreements(
    public: Path, document: dict[str, Any], claim: Claim, described: Mapping[str, Any]
) -> list[str]:
    """Where the certificate says anything else than the files do."""
    file = {"file": claim.file, "format": claim.format, "sha256": sha256(public / claim.file)}
    changes = document.get("changes")
    expected = certificate(
        described,
        graph_file=file,
        changes=changes if _are_changes(changes, described) else None,
        attributes=claim.attributes,
    )
    expected["report"] = {"file": "report.html", "sha256": sha256(public / "report.html")}
    if version_of(document) is not None:
        expected["tool"] = document["tool"]
    names = expected.keys() | document.keys()
    return [
        f"certificate.json: what it says under {name!r} is not what the files give{_by(document)}"
        for name in sorted(names)
        if _text(document.get(name)) != _text(expected.get(name))
    ]


def _text(value: Any) -> str:
    """By which 1, 1.0 and true are three things."""
    return json.dumps(value, sort_keys=True)


def _are_changes(changes: Any, graph: Mapping[str, Any]) -> bool:
    """Whether they could be true: nobody can have added more than there is."""
    names = {"edges_added", "edges_deleted", "vertices_added"}
    return (
        isinstance(changes, dict)
        and changes.keys() == names
        and all(type(number) is int and number >= 0 for number in changes.values())
        and changes["edges_added"] <= graph["edges"]
        and changes["vertices_added"] <= graph["vertices"]
    )


def _by(document: Mapping[str, Any]) -> str:
    """What to do about a difference that may be one between versions."""
    version = version_of(document)
    if version in (None, __version__):
        return ""
    return f"; if graphveil {words.plain(version, 20)} wrote it, as it says, verify it with that and not {__version__}"


def _wrong_files(public: Path, claim: Claim) -> list[str]:
    """Files that are missing, that do not belong there, and a report that could do more than be read."""
    expected, found = public_files(claim.format), {path.name for path in public.iterdir()}
    problems = [f"public/{name} is missing" for name in sorted(expected - found)]
    problems += [
        f"public/{words.plain(name)} does not belong there: nothing says what is in it, so do not publish it"
        for name in sorted(found - expected)
    ]
    if "report.html" in found and not _is_harmless(public / "report.html"):
        problems.append(
            "public/report.html is not by graphveil: it may run scripts or load what is elsewhere"
        )
    return problems


def _is_harmless(page: Path) -> bool:
    try:
        content = page.read_bytes().lower()
    except OSError:
        return False
    return b"<script" not in content and b"default-src 'none'" in content


def as_written(path: Path, graph: Graph, format: str) -> bool:
    """Whether a file is, byte for byte, what `graphveil.write` makes of the graph that was read from it.

    So there is nothing in it besides that graph: no line twice, no comment, no further column, no other compression.
    """
    from graphveil.formats.table import WRITABLE

    digest = hashlib.sha256()
    for chunk in WRITABLE[format].chunks(graph):
        digest.update(chunk)
    return digest.hexdigest() == sha256(path)


def _other_writer(path: Path, graph: Graph) -> str | None:
    """The library that wrote a Parquet file, if it is another one than here but the table is the same."""
    import pyarrow
    from pyarrow.parquet import ParquetFile

    from graphveil.formats.parquet import chunks

    found = ParquetFile(path)
    expected = ParquetFile(pyarrow.BufferReader(b"".join(chunks(graph))))
    writer: str = found.metadata.created_by
    same = found.read().equals(expected.read(), check_metadata=True)
    return words.plain(writer, 60) if same and writer != expected.metadata.created_by else None


def read_published(path: Path, format: str, attributes: tuple[str, ...] = ()) -> Graph:
    """A graph whose labels are the pseudonyms 0…n−1, in that order."""
    from graphveil.formats import read

    try:
        graph = read(path, format=format, keep_vertex_attributes=attributes)
    except InputError as error:
        raise VerificationError(f"the graph cannot be read: {error}") from None
    if graph.labels.dtype.kind != "i" or not np.array_equal(graph.labels, np.arange(graph.n)):
        raise VerificationError(f"{path.name}: its vertices are not the pseudonyms 0…{graph.n - 1}")
    return graph


def _brief(described: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {key: each[key] for key in ("model", "knows", "promised", "achieved")}
        for each in described["privacy"]
    ]
