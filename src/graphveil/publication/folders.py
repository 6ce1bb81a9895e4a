"""Read a published folder: its graph, and the input again with the help of the private part."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np

from graphveil import words
from graphveil.errors import InputError, VerificationError
from graphveil.graph import Graph
from graphveil.publication.claims import Claim
from graphveil.publication.files import is_part, open_regular, read_json
from graphveil.publication.inside import Inside

__all__ = [
    "digest_of",
    "guaranteed_sizes",
    "is_folder",
    "odd_file",
    "other_writer",
    "public_part",
    "publications",
    "read_published",
    "reconstruct",
    "under_original_ids",
]


def publications(folder: str | os.PathLike[str]) -> list[Path]:
    """The folder itself, or those in it where ``graphveil anonymize`` wrote one for each k."""
    whole = any((Path(folder) / name).exists() for name in ("public", "certificate.json"))
    inner = [] if whole else list(filter(is_part, Path(folder).glob("k*")))
    inner.sort(key=lambda path: (len(path.name), path.name))  # k5 before k25
    return inner or [Path(folder)]


def public_part(folder: Path) -> Path:
    for public in (folder / "public", folder):
        if (public / "certificate.json").is_file() and (public == folder or is_folder(public)):
            return public
    raise InputError(
        folder, "this is not a published folder: it has no certificate", remedy="Check the path."
    )


def is_folder(path: Path) -> bool:
    """Whether it is a folder and no link to one."""
    return path.is_dir() and not path.is_symlink()


def odd_file(path: Path) -> str:
    """What is odd about a file, if it is not a regular one."""
    try:
        open_regular(path).close()
    except OSError as error:
        return (
            "it is a link or not a regular file"
            if error.errno is None or path.is_symlink()
            else str(error.strerror)
        )
    return ""


def read_published(path: Path, format: Any, attributes: tuple[str, ...] = ()) -> Graph:
    """A graph whose labels are the pseudonyms 0…n−1, in that order."""
    from graphveil.formats import read

    if problem := odd_file(path):
        raise VerificationError(f"{path.name}: {problem}")
    try:
        graph = read(path, format=format, keep_vertex_attributes=attributes)
    except InputError as error:
        raise VerificationError(f"the graph cannot be read: {error}") from None
    if graph.labels.dtype.kind != "i" or not np.array_equal(graph.labels, np.arange(graph.n)):
        raise VerificationError(f"{path.name}: its vertices are not the pseudonyms 0…{graph.n - 1}")
    return graph


def digest_of(graph: Graph, format: str) -> str:
    """The SHA-256 of the file that `graphveil.write` makes of a graph.

    A file with this digest holds the graph and nothing else: no line twice, no comment, no further column, no other
    compression.
    """
    from graphveil.formats.table import WRITABLE

    digest = hashlib.sha256()
    for chunk in WRITABLE[format].chunks(graph):
        digest.update(chunk)
    return digest.hexdigest()


def other_writer(path: Path, graph: Graph) -> str | None:
    """The library that wrote a Parquet file, if it is another one than here but the table is the same."""
    import pyarrow
    from pyarrow.parquet import ParquetFile

    from graphveil.formats.parquet import chunks

    found = ParquetFile(path)
    expected = ParquetFile(pyarrow.BufferReader(b"".join(chunks(graph))))
    writer: str = found.metadata.created_by
    same = found.schema_arrow.equals(
        expected.schema_arrow, check_metadata=True
    )  # else do not read other columns
    same = same and found.read().equals(expected.read(), check_metadata=True)
    return words.plain(writer, 60) if same and writer != expected.metadata.created_by else None


def guaranteed_sizes(folder: str | os.PathLike[str]) -> dict[str, int]:
    """The k that a certificate guarantees against each attacker, by the attacker's name."""
    claim = Claim.of(read_json(public_part(Path(folder)) / "certificate.json"))
    sizes = {each: level for each, level in claim.promises.items() if each.terms.bounds == "size"}
    return {each.terms.attacker: int(level) for each, level in sizes.items()}


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


def _read_inside(folder: Path) -> Inside:
    public = public_part(folder)
    claim = Claim.of(read_json(public / "certificate.json"))
    published = read_published(public / claim.file, claim.format)
    return Inside.read(public.parent / "private", published)
