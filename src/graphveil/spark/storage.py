"""A folder that counts as published only when all of it is written, here or on a file system of the cluster.

On a path of this machine (or one that is mounted on all of them) the folder is made aside and moved into place by one
rename, as `graphveil.publication.staging` does. Elsewhere (hdfs://, s3a://, file://) there may be no such rename: there
the files are written one after the other, and a marker file last. Without the marker nothing is published.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from graphveil.errors import EngineError, PublicationError
from graphveil.publication.staging import private_file, private_folder, public_folder, staging

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MARKER = "_PUBLISHED"


class Storage(Protocol):
    """A folder to fill, with ``public`` and ``private`` in it."""

    def path(self, name: str) -> str:
        """The path of a file in it, for Spark."""

    def write(self, name: str, text: str) -> None:
        """Write a small file."""

    def tidy(self, name: str) -> list[str]:
        """Give the files in a folder that Spark wrote plain names, in their order; returns the names."""


@contextmanager
def new_folder(spark: SparkSession, folder: str, source: str | None) -> Iterator[Storage]:
    """A new folder to fill; if the block fails, nothing of it is published."""
    if "://" in folder:
        with _elsewhere(spark, folder) as storage:
            yield storage
        return
    local = source if source is not None and os.path.exists(source) else None
    with staging(folder, source=local) as new:
        public_folder(new / "public")
        private_folder(new / "private")
        here = Here(new)
        yield here
        here.write(MARKER, "")


class Here:
    """A folder on this machine."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: str) -> str:
        return (self._folder / name).as_uri()

    def write(self, name: str, text: str) -> None:
        file = self._folder / name
        if name.startswith("private/"):
            with private_file(file) as sink:
                sink.write(text)
        else:
            file.write_text(text, encoding="utf-8", newline="\n")
            file.chmod(0o644)

    def tidy(self, name: str) -> list[str]:
        folder = self._folder / name
        for path in folder.iterdir():
            if not path.name.startswith("part-"):
                path.unlink()  # checksums, which Hadoop keeps beside its files
        parts = sorted(path.name for path in folder.iterdir())
        for part in parts:
            (folder / part).rename(folder / _plain_name(part))
        for path in folder.iterdir():
            path.chmod(0o600 if name.startswith("private/") else 0o644)
        folder.chmod(0o700 if name.startswith("private/") else 0o755)
        return [_plain_name(part) for part in parts]


@contextmanager
def _elsewhere(spark: SparkSession, folder: str) -> Iterator[Storage]:
    jvm = getattr(spark, "_jvm", None)
    if jvm is None:
        raise EngineError(
            f"{folder}: with remote= the folder must be one that this machine sees, such as /mnt/out."
        )
    path = jvm.org.apache.hadoop.fs.Path(folder)
    system = path.getFileSystem(spark._jsc.hadoopConfiguration())
    if system.exists(path):
        raise PublicationError(f"{folder}: it exists already. Name another folder.")
    storage = Elsewhere(jvm, system, folder)
    try:
        system.mkdirs(path)
        yield storage
        storage.write(MARKER, "")
    except BaseException:
        system.delete(path, True)
        raise


class Elsewhere:
    """A folder on a file system that Spark knows."""

    def __init__(self, jvm: Any, system: Any, folder: str) -> None:
        self._jvm, self._system, self._folder = jvm, system, folder.rstrip("/")

    def path(self, name: str) -> str:
        return f"{self._folder}/{name}"

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(self.path(name))

    def write(self, name: str, text: str) -> None:
        stream = self._system.create(self._path(name), False)
        stream.write(text.encode())
        stream.close()

    def tidy(self, name: str) -> list[str]:
        names = [status.getPath().getName() for status in self._system.listStatus(self._path(name))]
        parts = sorted(each for each in names if each.startswith("part-"))
        for part in parts:
            plain = f"{name}/{_plain_name(part)}"
            if not self._system.rename(self._path(f"{name}/{part}"), self._path(plain)):
                raise PublicationError(f"{self.path(plain)}: it could not be named. Nothing was published.")
        return [_plain_name(part) for part in parts]


def _plain_name(part: str) -> str:
    """part-00007-9f1c….snappy.parquet without what changes from run to run.

    Examples
    --------
    >>> _plain_name("part-00007-9f1c2a-c000.snappy.parquet"), _plain_name("part-00000-77-c000.txt")
    ('part-00007.parquet', 'part-00000.txt')
    """
    return f"{part[:10]}.{part.rpartition('.')[2]}"
