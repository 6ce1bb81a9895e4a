"""What the files of a publication are called, and whether a folder holds these and no others."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphveil.errors import GraphveilError, InputError, VerificationError
from graphveil.formats.table import WRITABLE

__all__ = [
    "CERTIFICATE_SCHEMA",
    "FILES",
    "PRIVATE",
    "RUN_SCHEMA",
    "as_json",
    "is_part",
    "is_publication",
    "noted_files",
    "public_files",
    "read_json",
    "sha256",
]

CERTIFICATE_SCHEMA = "graphveil/certificate/1"
RUN_SCHEMA = "graphveil/run/1"
FILES = {name: f"graph{row.extensions[0]}" for name, row in WRITABLE.items()}
PRIVATE = {"changes.csv", "pseudonyms.csv", "report.html", "run.json"}


def public_files(format: str) -> set[str]:
    """The names of the files in ``public/``."""
    return {FILES[format], "certificate.json", "report.html"}


def noted_files(format: str) -> set[str]:
    """The files whose SHA-256 is noted in ``private/run.json``: all but itself."""
    private = {f"private/{name}" for name in PRIVATE - {"run.json"}}
    return private | {f"public/{name}" for name in public_files(format)}


def is_part(folder: Path) -> bool:
    """Whether the name is one that a publication for one of several k gets."""
    return re.fullmatch(r"k[1-9][0-9]*", folder.name, re.ASCII) is not None and _is_real_folder(folder)


def is_publication(folder: Path) -> bool:
    """Whether there is nothing in it but what `publish` writes: one publication, or one for each k."""
    inner = list(folder.iterdir())
    return all(is_part(one) and _is_one_publication(one) for one in inner) or _is_one_publication(folder)


def _is_one_publication(folder: Path) -> bool:
    """Whether it holds the public part, and no more than the private one besides, by names and schemas."""
    public, private = folder / "public", folder / "private"
    names = {path.name for path in folder.iterdir()}
    try:
        document = read_json(public / "certificate.json")
        expected = public_files(document["graph"]["format"])
        if document["schema"] != CERTIFICATE_SCHEMA or _files_in(public) != expected:
            return False
        if names == {"public"}:  # the private part was locked away
            return True
        run = read_json(private / "run.json")
        return (
            names == {"public", "private"}
            and run["schema"] == RUN_SCHEMA
            and set(run["files"]) == noted_files(document["graph"]["format"])
            and _files_in(private) == PRIVATE
        )
    except (GraphveilError, OSError, LookupError, TypeError):
        return False


def _files_in(folder: Path) -> set[str] | None:
    """The names in a folder, if nothing in it is a folder or a link, and it is none itself."""
    inner = list(folder.iterdir())
    plain = _is_real_folder(folder) and all(path.is_file() and not path.is_symlink() for path in inner)
    return {path.name for path in inner} if plain else None


def _is_real_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def sha256(path: Path) -> str:
    """The SHA-256 of a file; of one that is not there, nothing."""
    try:
        with path.open("rb") as source:
            return hashlib.file_digest(source, "sha256").hexdigest()
    except OSError:
        return ""


def as_json(document: Mapping[str, Any]) -> str:
    """For people too; plain ASCII, so that no character in it can turn a terminal or a line around."""
    return json.dumps(document, indent=2) + "\n"


def read_json(path: Path) -> Any:
    """What a JSON file says; refuses one that says two things under one name, of which programs pick either."""
    try:
        return json.loads(path.read_bytes(), object_pairs_hook=_each_once)
    except OSError as error:
        raise InputError(path, f"it cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise VerificationError(f"{path.name} is damaged: it is no JSON") from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise VerificationError("a JSON file is damaged: it has one name twice in the same place")
    return document
