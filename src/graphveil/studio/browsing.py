"""The file browser: it lists folders of this machine and never takes a file anywhere."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from graphveil.words import plain

MOST = 500  # entries of a folder that are shown


@dataclass(frozen=True)
class Entry:
    """A file or a folder; the path is empty where it is not UTF-8: no page could name it."""

    name: str
    path: str
    is_folder: bool
    size: str = ""
    changed: str = ""


@dataclass(frozen=True)
class Listing:
    """A folder."""

    folder: str  # its path
    # The folders it lies in, from the root on, and itself: names and paths
    above: tuple[tuple[str, str], ...] = ()
    entries: tuple[Entry, ...] = ()  # what is in it, folders first
    left_out: int = 0  # how many more there are
    problem: str = ""  # why it cannot be listed


def listing(path: str, want: str = "file") -> Listing:
    """What a folder holds; of a file the folder it is in, of nothing the home folder.

    Parameters
    ----------
    path
        What was typed so far
    want
        ``"file"`` or ``"folder"``; with the latter files are left out
    """
    folder = folder_of(path)
    whole = Path(folder)
    above = tuple((each.name or each.anchor, str(each)) for each in (*reversed(whole.parents), whole))
    try:
        with os.scandir(folder) as found:
            wanted = [
                each for each in found if not each.name.startswith(".") and (want == "file" or each.is_dir())
            ]
    except OSError as error:
        return Listing(folder, above, problem=f"{folder}: {error.strerror}")
    wanted.sort(key=lambda each: (not each.is_dir(), each.name.casefold()))
    return Listing(folder, above, tuple(map(_entry, wanted[:MOST])), max(len(wanted) - MOST, 0))


def folder_of(path: str) -> str:
    """The folder that a path names or begins with."""
    folder = os.path.abspath(os.path.expanduser(path or "~"))
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    return folder


def _entry(found: os.DirEntry[str]) -> Entry:
    path = found.path if speakable(found.path) else ""
    name, is_folder = plain(found.name, 80), found.is_dir()
    try:
        about = found.stat()
    except OSError:  # a link to nowhere
        return Entry(name, path, is_folder)
    changed = time.strftime("%Y-%m-%d", time.localtime(about.st_mtime))
    return Entry(name, path, is_folder, "" if is_folder else in_bytes(about.st_size), changed)


def in_bytes(size: int) -> str:
    """The size of a file.

    >>> in_bytes(12), in_bytes(12_345), in_bytes(1_234_567_890)
    ('12 B', '12.3 kB', '1.2 GB')
    """
    power = min((len(str(size)) - 1) // 3, 4)
    return f"{size / 1000**power:,.{1 if power else 0}f} {('B', 'kB', 'MB', 'GB', 'TB')[power]}"


def dropped(name: str, size: int, folders: Iterable[str]) -> list[str]:
    """The files of that name and size in some folders: a browser does not tell where a dropped file lies."""
    paths = (os.path.join(folder_of(folder), os.path.basename(name)) for folder in folders)
    return [path for path in dict.fromkeys(paths) if os.path.isfile(path) and os.path.getsize(path) == size]


def speakable(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)
