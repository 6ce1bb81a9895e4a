"""The file browser: it lists folders of this machine and never takes a file anywhere."""

from __future__ import annotations

import os
from dataclasses import dataclass

from graphveil.words import plain

MOST = 500  # entries of a folder that are shown


@dataclass(frozen=True)
class Listing:
    """A folder."""

    # Paths; the parent of the root is None
    folder: str
    parent: str | None
    # Name as shown, path, and whether it is a folder; folders first. The path is empty where it is not UTF-8:
    # no page could name it
    entries: tuple[tuple[str, str, bool], ...] = ()
    left_out: int = 0  # how many more there are
    problem: str = ""  # why it cannot be listed


def listing(path: str, want: str = "file") -> Listing:
    """What a folder holds; of a file the folder it is in, of nothing the home folder.

    Where a ``"folder"`` is wanted, files are left out.
    """
    folder = os.path.abspath(os.path.expanduser(path or "~"))
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
    parent = os.path.dirname(folder) if os.path.dirname(folder) != folder else None
    try:
        with os.scandir(folder) as found:
            entries = [
                (each.name, each.path if _speakable(each.path) else "", each.is_dir())
                for each in found
                if not each.name.startswith(".")
            ]
    except OSError as error:
        return Listing(folder, parent, problem=f"{folder}: {error.strerror}")
    wanted = [entry for entry in entries if entry[2] or want == "file"]
    wanted.sort(key=lambda entry: (not entry[2], entry[0].casefold()))
    shown = tuple((plain(name, 80), path, is_folder) for name, path, is_folder in wanted[:MOST])
    return Listing(folder, parent, shown, len(wanted) - len(shown))


def _speakable(text: str) -> bool:
    """Whether a text can be written as UTF-8."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)
