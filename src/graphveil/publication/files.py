"""Whether a folder holds what graphveil publishes and nothing else: only that is ever replaced."""

from __future__ import annotations

from pathlib import Path

from graphveil.errors import GraphveilError
from graphveil.verification.folders import is_part
from graphveil.verification.safe_files import is_folder, public_files, read_json

SCHEMAS = {f"graphveil/{kind}/{number}" for kind in ("certificate", "run") for number in (2, 3)}
PRIVATE = {"changes.csv", "pseudonyms.csv", "report.html", "run.json"}


def noted_files(format: str, *, panel: bool = False) -> set[str]:
    """The files whose SHA-256 is noted in ``private/run.json``: all but itself."""
    private = {f"private/{name}" for name in PRIVATE - {"run.json"}}
    return private | {f"public/{name}" for name in public_files(format, panel=panel)}


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
        format = document["graph"]["format"]
        panel = bool((document.get("after") or {}).get("panel"))
        if document["schema"] not in SCHEMAS or _files_in(public) != public_files(format, panel=panel):
            return False
        if names == {"public"}:  # the private part was locked away
            return True
        run = read_json(private / "run.json")
        return (
            names == {"public", "private"}
            and run["schema"] in SCHEMAS
            and set(run["files"]) == noted_files(format, panel=panel)
            and _files_in(private) == PRIVATE
        )
    except (GraphveilError, OSError, LookupError, TypeError):
        return False


def _files_in(folder: Path) -> set[str] | None:
    """The names in a folder, if nothing in it is a folder or a link, and it is none itself."""
    inner = list(folder.iterdir())
    plain = is_folder(folder) and all(path.is_file() and not path.is_symlink() for path in inner)
    return {path.name for path in inner} if plain else None
