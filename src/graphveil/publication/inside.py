"""The private part of a publication: what it says about the public one, and whether both together give the input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import pair_keys
from graphveil.errors import GraphveilError, InputError, VerificationError
from graphveil.graph import Graph
from graphveil.publication.documents import RUN_SCHEMA, Changes, RunRecord
from graphveil.publication.files import noted_files, read_json, sha256
from graphveil.publication.pseudonyms import draw
from graphveil.publication.tables import ChangedPairs, WhoIsWho, read_changes, read_who_is_who
from graphveil.records import load
from graphveil.risk.guarantees import Guarantee

__all__ = ["Inside", "Run", "as_published", "other_run", "problems_inside", "readable_by_others"]


def problems_inside(folder: Path, published: Graph, changes: Changes | None, original: Graph) -> list[str]:
    """What is wrong with the private part, or between it and the public one, whose certificate tells the changes."""
    try:
        run = Run.read(folder / "private")
        problems = _altered(folder, run)
        inside = Inside.read(folder / "private", published)
        if inside.counts() != changes:
            problems.append("certificate.json: the numbers of changes are not those of private/changes.csv")
        if not np.array_equal(draw(inside.anonymized, run.seed), inside.who.pseudonyms):
            problems.append("private/pseudonyms.csv: these are not the pseudonyms that the seed gives")
        problems += _differences(inside.original(), original)
    except GraphveilError as error:
        return [str(error)]
    return problems


@dataclass(frozen=True)
class Run:
    """What has to be known of private/run.json to check the rest; of schema 1 or 2."""

    seed: int
    integers: bool
    files: dict[str, str]
    document: dict[str, Any]

    @classmethod
    def read(cls, private: Path) -> Run:
        """Read a file that may be damaged."""
        document = read_json(private / "run.json")
        try:
            schema, format = document["schema"], document["format"]
            if schema == RUN_SCHEMA:
                load(RunRecord, document, "run.json")
            files = load_files(document["files"])
            integers = document["input"]["ids"] == "integers"
            if schema in (RUN_SCHEMA, "graphveil/run/1") and set(files) == noted_files(format, schema):
                return cls(int(document["seed"]), integers, files, document)
        except (KeyError, TypeError, ValueError):
            pass
        raise VerificationError("private/run.json is damaged: it lacks what every run has")


def load_files(files: Any) -> dict[str, str]:
    """Names and SHA-256 of files."""
    if not isinstance(files, dict) or not all(isinstance(digest, str) for digest in files.values()):
        raise ValueError("no names and digests")
    return files


def other_run(
    path: Path,
    promises: Mapping[Guarantee, float],
    format: str,
    attributes: tuple[str, ...],
    version: str | None,
    original: Graph,
) -> list[str]:
    """Where private/run.json tells of another run than the certificate and the input."""
    from graphveil.methods import METHODS

    try:
        run = Run.read(path.parent).document
        method = METHODS.get(run["method"])
        agree = {
            "method": method is not None,
            "k": method is None or promises.get(Guarantee(method.goals[0].name)) == run["k"],
            "degree_k": promises.get(Guarantee.DEGREE) == run["degree_k"],
            "spread": promises.get(Guarantee.SPREAD) == run.get("spread"),
            "promises": run["promises"] == dict(promises),
            "format": run["format"] == format,
            "keep_vertex_attributes": tuple(run["keep_vertex_attributes"]) == attributes,
            "input": (run["input"]["vertices"], run["input"]["edges"]) == (original.n, original.m),
            "versions": run["versions"]["graphveil"] == version,
        }
    except GraphveilError as error:
        return [str(error)]
    except (KeyError, TypeError):
        return ["private/run.json is damaged: it lacks what every run has"]
    return [
        f"private/run.json: what it says under {name!r} does not fit the rest"
        for name, agrees in agree.items()
        if not agrees
    ]


@dataclass(frozen=True)
class Inside:
    """The published graph with its vertices in the order of the input, and the private tables."""

    anonymized: Graph
    who: WhoIsWho
    changes: ChangedPairs

    @classmethod
    def read(cls, private: Path, published: Graph) -> Inside:
        who = read_who_is_who(private / "pseudonyms.csv", integers=Run.read(private).integers)
        changes = read_changes(private / "changes.csv", who)
        if len(who.ids) != published.n:
            raise VerificationError(
                f"private/pseudonyms.csv names {len(who.ids):,} people, and {published.n:,} are published"
            )
        ends = np.argsort(who.pseudonyms)[published.edges]
        anonymized = Graph.from_arrays(ends[:, 0], ends[:, 1], n=published.n)
        return cls(anonymized, who, changes)

    def counts(self) -> Changes:
        """The numbers of changes."""
        changes = self.changes
        return Changes(len(changes.added), len(changes.deleted), len(changes.new_vertices))

    def original(self) -> Graph:
        """Undo the changes."""
        n, old = self.anonymized.n, self.who.old
        now, added, deleted = (
            pair_keys(pairs, n) for pairs in (self.anonymized.edges, self.changes.added, self.changes.deleted)
        )
        kept = np.delete(now, _places(added, now))
        before = np.sort(np.concatenate((kept, deleted)))
        edges = np.stack(np.divmod(before, max(n, 1)), axis=1)
        if (
            len(kept) + len(added) != len(now)
            or (before[1:] == before[:-1]).any()
            or len(_places(deleted, now))
            or (edges >= old).any()
            or not np.array_equal(self.changes.new_vertices, np.arange(old, n))
        ):
            raise VerificationError("private/changes.csv does not fit the published graph")
        return Graph(edges.astype(np.int32), old, self.who.ids[:old])


def _places(some: NDArray[np.int64], ascending: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where some numbers stand among others, for those that do."""
    places = np.searchsorted(ascending, some)
    inside = places < len(ascending)
    places, some = places[inside], some[inside]
    found: NDArray[np.int64] = places[ascending[places] == some]
    return found


def _differences(rebuilt: Graph, original: Graph) -> list[str]:
    if not np.array_equal(rebuilt.labels, original.labels) and _as_text(rebuilt) != _as_text(original):
        if set(_as_text(rebuilt)) == set(_as_text(original)):
            return ["the people of the input are those of private/pseudonyms.csv, but in another order"]
        return ["the people of the input are not those of private/pseudonyms.csv"]
    if not np.array_equal(rebuilt.edges, original.edges):
        return ["public and private part together do not give the friendships of the input"]
    return []


def _as_text(graph: Graph) -> list[str]:
    return list(map(str, graph.labels.tolist()))


def _altered(folder: Path, run: Run) -> list[str]:
    return [
        f"{name} is not as it was published: its SHA-256 is another one"
        for name, digest in run.files.items()
        if sha256(folder / name) != digest or not digest
    ]


def as_published(private: Path, name: str) -> Path:
    """The path of a file in the private folder, if it is the one that was published by its SHA-256 in run.json.

    Raises
    ------
    InputError : if it is another one, or if this is no private folder
    """
    if not (private / "run.json").is_file():
        inner = private / "private"
        raise InputError(
            private,
            "this is not the private folder of a publication: it has no run.json",
            remedy=f"Did you mean {inner}?" if (inner / "run.json").is_file() else "Check the path.",
        )
    if Run.read(private).files.get(f"private/{name}") != sha256(private / name):
        raise InputError(
            private / name,
            "it is not as it was published: its SHA-256 is not the one in run.json",
            remedy="Take the private folder from a backup.",
        )
    return private / name


def readable_by_others(private: Path) -> list[str]:
    if any(path.stat().st_mode & 0o077 for path in (private, *private.iterdir())):
        return [f"others may read {private}; take that right from them with: chmod -R go= {private}"]
    return []
