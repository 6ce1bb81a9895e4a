"""What the files of a publication are called, and how to read them safely.

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

from graphveil.errors import InputError, VerificationError

LARGEST = 64 << 20  # bytes of a certificate, report or record of a run
FILES = {  # by format
    "edgelist": "graph.txt",
    "csv": "graph.csv",
    "tsv": "graph.tsv",
    "parquet": "graph.parquet",
    "graphml": "graph.graphml",
    "gml": "graph.gml",
    "pajek": "graph.net",
    "mtx": "graph.mtx",
}
PANEL = "panel.csv"
WITHIN = ("graphml", "gml")  # formats whose file has the attributes of people in it
HOLDING = ("edgelist", "csv", "tsv", "parquet", *WITHIN)  # and of friendships
PEOPLE = ("people.csv", "people.parquet")

# Where a cell may begin, before what makes it a formula, what hides that (blanks, quotes), or what armour adds.
DANGER = re.compile(r"(?:^|(?<=[;|\t\r\n\v\f\x85\u2028\u2029]))(?=[=+\-@＝＋－＠\s'\"])")
ARMOUR = re.compile(r"(^|[;|\t\r\n\v\f\x85\u2028\u2029])'")


def people_file(format: str) -> str:
    """The table of people beside a graph in that format."""
    return PEOPLE[format == "parquet"]


def public_files(format: str, *, panel: bool = False, people: bool = False) -> set[str]:
    """The names of the files in ``public/``: a panel says who is who in an earlier release, a table has attributes."""
    names = {FILES[format], "certificate.json", "report.html", "README.md"}
    return names | ({PANEL} if panel else set()) | ({people_file(format)} if people else set())


def armour(text: str) -> str:
    """The text with an apostrophe wherever a spreadsheet might begin to read a formula.

    >>> armour("=cmd()"), armour("'quoted'"), armour("a;@b"), armour("Alice")
    ("'=cmd()", "''quoted'", "a;'@b", 'Alice')
    """
    return DANGER.sub("'", text)


def unarmour(text: str) -> str:
    """What `armour` was given.

    >>> unarmour("'=cmd()"), unarmour("a;'@b")
    ('=cmd()', 'a;@b')
    """
    return ARMOUR.sub(r"\1", text) if "'" in text else text


def is_folder(path: Path) -> bool:
    """Whether it is a folder and no link to one."""
    return path.is_dir() and not path.is_symlink()


def odd_file(path: Path) -> str:
    """What is odd about a file, if it is not a regular one."""
    try:
        open_regular(path).close()
    except OSError as error:
        odd = error.errno is None or path.is_symlink()
        return "it is a link or not a regular file" if odd else str(error.strerror)
    return ""


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
    if is_folder(path):
        return digest_of_parts({part.name: sha256(part) for part in path.iterdir()})
    try:
        with open_regular(path) as source:
            return hashlib.file_digest(source, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""


def sha256_of_page(path: Path) -> str:
    """The SHA-256 of a page; of one that is not there, or larger than any that graphveil writes, nothing."""
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest()
    except OSError:
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
