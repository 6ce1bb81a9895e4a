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
from graphveil.goals import Goals, goal_named, in_order
from graphveil.graph import Graph
from graphveil.publication.certificate import share_before
from graphveil.publication.documents import RUN_SCHEMA, AttackRecord, RunRecord
from graphveil.publication.pseudonyms import draw
from graphveil.publication.staging import noted_files
from graphveil.publication.tables import ChangedPairs, WhoIsWho, read_changes, read_who_is_who
from graphveil.records import load
from graphveil.verification.documents import Certificate, Changes, Reduction
from graphveil.verification.graph_files import GraphFileRead
from graphveil.verification.safe_files import PANEL, PEOPLE, read_json, sha256

SECOND_SCHEMA = "graphveil/run/2"


def problems_of_private_part(
    folder: Path,
    published: GraphFileRead,
    certificate: Certificate,
    original: Graph,
    pseudonyms: NDArray[np.int64] | None = None,
) -> list[str]:
    """What is wrong with the private part, or between it and the public one.

    ``pseudonyms`` are those that the seed gives, where they have been drawn already.
    """
    private = folder / "private"
    try:
        run = Run.read(private)
        problems = [
            *_altered(folder, run, {f"public/{certificate.graph.file}": published.sha256}),
            *_other_run(run, certificate, original),
        ]
        part = PrivatePart.read(private, published, run)
        if part.counts() != certificate.changes:
            problems.append("certificate.json: the numbers of changes are not those of private/changes.csv")
        drawn = draw(part.anonymized, run.seed) if pseudonyms is None else pseudonyms
        if not np.array_equal(drawn, part.who.pseudonyms):
            problems.append("private/pseudonyms.csv: these are not the pseudonyms that the seed gives")
        problems += _differences(part.original(), original)
        if not all(_before(each, original, certificate.k) == each.before for each in certificate.reductions):
            problems.append("certificate.json: the shares before the reduction are not those of the input")
    except GraphveilError as error:
        return [str(error)]
    return problems


@dataclass(frozen=True)
class Run:
    """What has to be known of private/run.json to check the rest; of schema 2 or 3."""

    seed: int
    integers: bool
    goals: Goals
    files: dict[str, str]
    document: dict[str, Any]

    @property
    def attack(self) -> AttackRecord | None:
        """The simulated attack, where one was made."""
        found = self.document.get("attack")
        return load(AttackRecord, found) if found else None

    @classmethod
    def read(cls, private: Path) -> Run:
        """Read a file that may be damaged."""
        document = read_json(private / "run.json")
        try:
            schema = document["schema"]
            if schema == RUN_SCHEMA:
                load(RunRecord, {"attributes": {}} | document, "run.json")  # which came later
            files, given = document["files"], document["goals" if schema == RUN_SCHEMA else "promises"]
            digests = isinstance(files, dict) and all(isinstance(digest, str) for digest in files.values())
            if (
                schema in (RUN_SCHEMA, SECOND_SCHEMA)
                and digests
                and set(files) - {f"public/{name}" for name in (PANEL, *PEOPLE)}
                == noted_files(document["format"])
            ):
                goals = in_order(goal_named(name, level) for name, level in given.items())
                integers = document["input"]["ids"] == "integers"
                return cls(int(document["seed"]), integers, goals, files, document)
        except (KeyError, TypeError, ValueError, AttributeError, GraphveilError):
            pass
        raise VerificationError("private/run.json is damaged: it lacks what every run has")


def _other_run(run: Run, certificate: Certificate, original: Graph) -> list[str]:
    """Where private/run.json tells of another run than the certificate and the input."""
    from graphveil.methods.table import METHODS

    document = run.document
    levels = {each.parameter: each.level for each in run.goals}
    try:
        agree = {
            "method": document["method"] in METHODS,
            "goals": run.goals == certificate.asked,
            "format": document["format"] == certificate.graph.format,
            "keep_vertex_attributes": document["keep_vertex_attributes"]
            == [each.name for each in certificate.vertex_attributes],
            "input": (document["input"]["vertices"], document["input"]["edges"]) == (original.n, original.m),
            "versions": document["versions"]["graphveil"] == certificate.tool.version,
            # Schema 2 has the levels a second time; k is that of the method.
            "k": "k" not in document or document["k"] in levels.values(),
            "degree_k": "degree_k" not in document or document["degree_k"] == levels.get("degree_k"),
            "spread": "spread" not in document or document["spread"] == levels.get("spread"),
        }
    except (KeyError, TypeError):
        return ["private/run.json is damaged: it lacks what every run has"]
    return [
        f"private/run.json: what it says under {name!r} does not fit the rest"
        for name, agrees in agree.items()
        if not agrees
    ]


def _before(stated: Reduction, original: Graph, k: int) -> float | None:
    """The share of a reduction that only the owner can count."""
    from graphveil.methods.reduce.reducing import Wish, reductions

    counted = reductions(original, original, [Wish(stated.attacker, stated.k)])[0]
    return share_before(original, k, counted.people_before)


@dataclass(frozen=True)
class PrivatePart:
    """The published graph with its vertices in the order of the input, and the private tables."""

    anonymized: Graph
    who: WhoIsWho
    changes: ChangedPairs

    @classmethod
    def read(cls, private: Path, published: GraphFileRead, run: Run | None = None) -> PrivatePart:
        """Read the tables, which may be damaged, and put the published graph in the order of the input."""
        run = run or Run.read(private)
        who = read_who_is_who(private / "pseudonyms.csv", integers=run.integers)
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


def _altered(folder: Path, run: Run, known: Mapping[str, str]) -> list[str]:
    """The files whose SHA-256 is another one than noted; those of some are known."""
    return [
        f"{name} is not as it was published: its SHA-256 is another one"
        for name, digest in run.files.items()
        if not digest or (known.get(name) or sha256(folder / name)) != digest
    ]


def as_published(private: Path, name: str) -> Path:
    """The path of a file in the private folder, if it is the one that was published by its SHA-256 in run.json."""
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
