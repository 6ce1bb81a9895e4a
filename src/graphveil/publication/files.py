"""What the files of a publication are called, whether a folder holds these and no others, and how to read them safely.

A published folder may come from a stranger. So only regular files are opened: no links, no pipes, no devices, and no
more is read than such a file can hold.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping
from io import BufferedReader
from pathlib import Path
from typing import Any, NoReturn

from graphveil.errors import GraphveilError, InputError, VerificationError
from graphveil.formats.table import WRITABLE

__all__ = [
    "FILES",
    "PRIVATE",
    "as_json",
    "digest_of_parts",
    "is_part",
    "is_publication",
    "noted_files",
    "open_regular",
    "public_files",
    "read_bytes",
    "read_json",
    "sha256",
]

OLD_SCHEMAS = {"graphveil/certificate/1", "graphveil/run/1"}
SCHEMAS = OLD_SCHEMAS | {"graphveil/certificate/2", "graphveil/run/2"}
LARGEST = 64 << 20  # bytes of a certificate, report or record of a run
FILES = {name: f"graph{row.extensions[0]}" for name, row in WRITABLE.items()}
PRIVATE = {"changes.csv", "pseudonyms.csv", "report.html", "run.json"}


def public_files(format: str, schema: object = None) -> set[str]:
    """The names of the files in ``public/``; publications by graphveil 0.1 have no README.md."""
    more = set() if schema in OLD_SCHEMAS else {"README.md"}
    return {FILES[format], "certificate.json", "report.html"} | more


def noted_files(format: str, schema: object = None) -> set[str]:
    """The files whose SHA-256 is noted in ``private/run.json``: all but itself."""
    private = {f"private/{name}" for name in PRIVATE - {"run.json"}}
    return private | {f"public/{name}" for name in public_files(format, schema)}


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
        expected = public_files(document["graph"]["format"], document["schema"])
        if document["schema"] not in SCHEMAS or _files_in(public) != expected:
            return False
        if names == {"public"}:  # the private part was locked away
            return True
        run = read_json(private / "run.json")
        return (
            names == {"public", "private"}
            and run["schema"] in SCHEMAS
            and set(run["files"]) == noted_files(document["graph"]["format"], run["schema"])
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


def open_regular(path: Path) -> BufferedReader:
    """Open a file for reading if it is a regular one; a link, a pipe or a device is an `OSError`."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(None, "it is not a regular file")
    return os.fdopen(handle, "rb")


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """What is in a regular file of at most so many bytes; a larger one is an `OSError`."""
    with open_regular(path) as source:
        size = os.fstat(source.fileno()).st_size
        if size > most:
            raise OSError(None, f"it has more than {most:,} bytes")
        return source.read(size)


def digest_of_parts(digests: Mapping[str, str]) -> str:
    """One SHA-256 for a graph in parts, from that of each part by its name: that of ``sha256sum part-*``."""
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def sha256(path: Path) -> str:
    """The SHA-256 of a regular file or of a graph in parts; of one that is not there, nothing."""
    if path.is_dir() and not path.is_symlink():
        return digest_of_parts({part.name: sha256(part) for part in path.iterdir()})
    try:
        with open_regular(path) as source:
            return hashlib.file_digest(source, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""


def as_json(document: Mapping[str, Any]) -> str:
    """For people too; plain ASCII, so that no character in it can turn a terminal or a line around."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def read_json(path: Path) -> Any:
    """What a JSON file says; refuses one that says two things under one name, of which programs pick either."""
    try:
        return json.loads(read_bytes(path), object_pairs_hook=_each_once, parse_constant=_no_number)
    except OSError as error:
        raise InputError(path, f"it cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise VerificationError(f"{path.name} is damaged: it is no JSON") from None


def _no_number(_: str) -> NoReturn:
    raise ValueError  # NaN and Infinity, which JSON does not have


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) < len(pairs):
        raise VerificationError("a JSON file is damaged: it has one name twice in the same place")
    return document
