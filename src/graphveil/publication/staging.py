"""A folder that appears whole or not at all.

It is made in a folder beside its place (mode 0700, a name that nobody can guess), flushed to the disk, and moved into
place by one rename. A folder that is to be replaced is moved aside first and removed last; a run that dies between
the two moves leaves the old folder aside, and the next run puts it back.

Of several runs to the same place at the same time one succeeds, with ``--force`` too: a run replaces only what was
there when it began. The two moves are made under a lock of the folder around, so that no other run comes between.

The folder aside is locked as long as its run lives, and the system drops the lock of a process however it ends. So
whatever a run that was killed has left is known by having no lock, and the next run to the same place removes it.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import secrets
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from graphveil.errors import GraphveilError, PublicationError, warn
from graphveil.stopping import check
from graphveil.verification.folders import is_part
from graphveil.verification.safe_files import is_folder, public_files, read_json

DAY = 86_400


@dataclass(frozen=True)
class Target:
    """A place that was checked: ``path`` is the real one, ``given`` as the user wrote it."""

    path: Path
    given: str | os.PathLike[str]
    force: bool
    found: tuple[int, int] | None  # which folder was there at that time

    @property
    def is_as_found(self) -> bool:
        """Whether the same folder is there as when the place was checked, or none as then."""
        return _identity(self.path) == self.found


def check_target(
    folder: str | os.PathLike[str], *, force: bool = False, source: str | os.PathLike[str] | None = None
) -> Target:
    """The place to publish at, or an error where it is plain beforehand that nothing can be published there.

    What a run to the same place has left that was killed is cleared up first.
    """
    target = Path(os.path.realpath(folder))
    if not target.name:
        raise PublicationError(f"{folder}: this is the root of the file system. Name a new folder.")
    if not target.parent.is_dir():
        raise PublicationError(f"{folder}: there is no folder {target.parent}. Make it first.")
    _clear_what_is_left(target)
    if target.exists() and not target.is_dir():
        raise PublicationError(f"{folder}: this is a file. Name a new folder.")
    if target.exists() and not force:
        raise PublicationError(
            f"{folder}: it exists already. Name another folder, or replace it (force=True)."
        )
    if source is not None and Path(os.path.realpath(source)).is_relative_to(target):
        raise PublicationError(
            f"{folder}: the input {source} is in it, so it is not replaced. Name another folder."
        )
    _check_replaceable(target, folder)
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise PublicationError(
            f"{folder}: nothing can be written into {target.parent}. Check its mode and owner."
        )
    return Target(target, folder, force, _identity(target))


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells one folder of this name from another."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _check_replaceable(target: Path, folder: str | os.PathLike[str]) -> None:
    if target.exists() and not is_publication(target):
        raise PublicationError(
            f"{folder}: there is something in it that graphveil has not published, or something is missing, so it is "
            "not replaced. Name another folder, or remove it yourself."
        )


@contextmanager
def staging(
    folder: str | os.PathLike[str] | Target,
    *,
    force: bool = False,
    source: str | os.PathLike[str] | None = None,
) -> Iterator[Path]:
    """A new folder to fill; when the block ends it takes its place, when the block fails it is gone.

    A `Target` was checked before and is not checked again.
    """
    target = folder if isinstance(folder, Target) else check_target(folder, force=force, source=source)
    try:
        aside, lock = _make_aside(target.path)
        try:
            new = public_folder(aside / "new")
            yield new
            for path in (*new.rglob("*"), new):
                _forget_the_hour(path)
                _flush(path)
            check()  # for the last time: from here on it is published
            _move_in(new, target, aside / "old")
        finally:
            _clear(aside, target.path)
            os.close(lock)
    except OSError as error:
        raise PublicationError(_in_words(target.given, error)) from None
    except PublicationError as error:
        if isinstance(error.__context__, OSError):  # one of `graphveil.write`, which names the folder aside
            raise PublicationError(_in_words(target.given, error.__context__)) from None
        raise


def private_folder(path: Path) -> Path:
    """A new folder for its owner only."""
    path.mkdir(0o700)
    path.chmod(0o700)  # the umask may have taken even the owner's rights
    return path


def public_folder(path: Path) -> Path:
    """A new folder for everybody to read."""
    path.mkdir(0o755)
    path.chmod(0o755)
    return path


def private_file(path: Path) -> TextIO:
    """A new file that nobody but its owner could read at any time."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    os.fchmod(handle, 0o600)
    return os.fdopen(handle, "w", encoding="utf-8", newline="")


# ---------------------------------------------------------------------- the folder aside


def _prefix(target: Path) -> str:
    return f".graphveil-{hashlib.sha256(os.fsencode(target.name)).hexdigest()[:12]}-"


def _make_aside(target: Path) -> tuple[Path, int]:
    while True:
        aside = target.parent / (_prefix(target) + secrets.token_hex(8))
        aside.mkdir(0o700)
        try:
            aside.chmod(0o700)  # the umask may have taken even the owner's rights
            lock = os.open(aside, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue  # another run took it for a dead one before it was locked
        with suppress(OSError):  # a file system without locks: then nobody else can lock it either
            fcntl.flock(lock, fcntl.LOCK_EX)
        if aside.exists():  # else, again, another run took it for a dead one
            return aside, lock
        os.close(lock)


def _clear_what_is_left(target: Path) -> None:
    """Remove what runs to the same place have left that surely are dead."""
    for aside in sorted(target.parent.glob(_prefix(target) + "*")):
        try:
            lock = os.open(aside, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue  # gone by now, a link, or somebody else's
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_ours(lock):
                _clear(aside, target)
                warn(f"removed {aside}, which a run that was killed had left.")
        except OSError:
            pass  # alive, or on a file system without locks
        finally:
            os.close(lock)


def _is_ours(folder: int) -> bool:
    """Whether an open folder is what `_make_aside` makes: in a folder that others write to, they may plant any."""
    found = os.fstat(folder)
    return (
        found.st_uid == os.geteuid()
        and stat.S_IMODE(found.st_mode) == 0o700
        and set(os.listdir(folder)) <= {"new", "old"}
    )


def _clear(aside: Path, target: Path) -> None:
    """Remove the folder aside; what was to be replaced goes back if nothing took its place."""
    if (aside / "old").exists() and not target.exists():
        os.rename(aside / "old", target)
    shutil.rmtree(aside, ignore_errors=True)


# ---------------------------------------------------------------------- the last steps


def _forget_the_hour(path: Path) -> None:
    """Archives carry the times of files: leave nothing finer than the day."""
    today = int(time.time()) // DAY * DAY
    os.utime(path, (today, today))


def _move_in(new: Path, target: Target, old: Path) -> None:
    with _alone_in(target.path.parent):
        if target.force and not target.is_as_found:
            raise FileExistsError(errno.EEXIST, "another run was faster")
        if target.force and target.found:
            _check_replaceable(target.path, target.given)  # again, because hours may have passed
            os.rename(target.path, old)
        os.rename(new, target.path)  # fails where there is a folder that is not empty
    with suppress(OSError):  # it is in place, and not every file system can flush a folder
        _flush(target.path.parent)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep other runs from moving anything here; on a file system without locks, do without."""
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _in_words(folder: str | os.PathLike[str], error: OSError) -> str:
    if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
        return f"{folder}: another run has just published there, so this one did not. Name another folder."
    if error.errno in (errno.EXDEV, errno.EBUSY):
        return f"{folder}: this is the root of another file system. Name a new folder inside it."
    if error.errno == errno.ENOENT and Path(folder).parent.is_dir():  # as in /proc
        return f"{folder}: no folder can be made in {Path(folder).parent}. Nothing was published."
    return f"{folder}: {error.strerror or error}. Nothing was published."


SCHEMAS = {f"graphveil/{kind}/{number}" for kind in ("certificate", "run") for number in (2, 3)}
PRIVATE = {"changes.csv", "pseudonyms.csv", "report.html", "run.json"}


def noted_files(format: str, *, panel: bool = False, people: bool = False) -> set[str]:
    """The files whose SHA-256 is noted in ``private/run.json``: all but itself."""
    private = {f"private/{name}" for name in PRIVATE - {"run.json"}}
    return private | {f"public/{name}" for name in public_files(format, panel=panel, people=people)}


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
        more = {
            "panel": bool((document.get("after") or {}).get("panel")),
            "people": bool(document.get("people")),
        }
        if document["schema"] not in SCHEMAS or _files_in(public) != public_files(format, **more):
            return False
        if names == {"public"}:  # the private part was locked away
            return True
        run = read_json(private / "run.json")
        return (
            names == {"public", "private"}
            and run["schema"] in SCHEMAS
            and set(run["files"]) == noted_files(format, **more)
            and _files_in(private) == PRIVATE
        )
    except (GraphveilError, OSError, LookupError, TypeError):
        return False


def _files_in(folder: Path) -> set[str] | None:
    """The names in a folder, if nothing in it is a folder or a link, and it is none itself."""
    inner = list(folder.iterdir())
    plain = is_folder(folder) and all(path.is_file() and not path.is_symlink() for path in inner)
    return {path.name for path in inner} if plain else None
