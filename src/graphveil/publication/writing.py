"""Write both parts of a publication into an empty folder, and read them back."""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphveil._version import __version__
from graphveil.errors import VerificationError, warn
from graphveil.graph import Graph
from graphveil.methods.result import Result
from graphveil.publication import tables
from graphveil.publication.again import KEPT_BEFORE, Pseudonyms, joint_figures
from graphveil.publication.attributes import Part
from graphveil.publication.certificate import certificate, reductions_in
from graphveil.publication.documents import RUN_SCHEMA, AttackRecord, Input, RunRecord
from graphveil.publication.friendships import check_written, kept_friendships, with_attributes
from graphveil.publication.keeping import Kept
from graphveil.publication.people import write_people
from graphveil.publication.private_part import problems_of_private_part
from graphveil.publication.pseudonyms import draw, fill_in, hide
from graphveil.publication.readme import readme
from graphveil.publication.report import findings, private_page, public_page
from graphveil.publication.report.gathering import Findings, checked_level
from graphveil.publication.staging import private_file, private_folder, public_folder
from graphveil.publication.weighing import is_distorted
from graphveil.publication.words import warning
from graphveil.verification.attributes import counted_of, diversity, problems_of_attributes
from graphveil.verification.documents import Certificate, Changes, DataSet, EarlierRelease, NotedFile
from graphveil.verification.facts import Facts, facts_of, ks_of
from graphveil.verification.folders import broken
from graphveil.verification.graph_files import GraphFileRead, read_graph
from graphveil.verification.releases import panel_text
from graphveil.verification.safe_files import FILES, PANEL, WITHIN, as_json, sha256

if TYPE_CHECKING:
    from graphveil.measures.profiling import Measuring

VERSIONS_OF = ("numba", "numpy", "pyarrow", "scipy")


def write_publication(
    result: Result,
    folder: Path,
    *,
    format: str = "edgelist",
    kept: Kept | None = None,
    source: str | os.PathLike[str] | None = None,
    reading: Mapping[str, Any] | None = None,
    report: str | None = None,
    data_set: DataSet | None = None,
    progress: Measuring | None = None,
    pseudonyms: Pseudonyms = "fresh",
) -> tuple[Certificate, AttackRecord | None]:
    """Write the two folders of a publication; its certificate, and the attack that was simulated.

    The parameters are those of `publish`.

    Whoever calls it has seen to it that the attributes may be published (`kept_attributes`).
    """
    level = checked_level(report)
    warn_of_distortion(result)
    public, private = public_folder(folder / "public"), private_folder(folder / "private")
    drawn = draw(result.graph, result.seed)
    kept = kept or Kept()
    of_friendships = kept_friendships(result, kept.wishes, kept.k, drawn)
    graph, people = write_graph(result, drawn, public, format, kept.people, of_friendships)
    data_set = data_set or DataSet()
    data_set = replace(data_set, published=data_set.published or today())
    document = certify(result, graph, format, data_set, kept.people, of_friendships)
    document = replace(document, people=people, after=write_after(result, drawn, pseudonyms, public))
    found = findings(result, document, level, progress)
    document = write_pages(result, document, found, public, private)
    write_text(public / "certificate.json", as_json(document.to_dict()))
    write_tables(result, drawn, private)
    run = RunRecord(
        schema=RUN_SCHEMA,
        method=result.method,
        goals=dict(result.promises),
        degree_method=result.degree_method,
        options=dict(result.options),
        notes=tuple(result.notes),
        seed=str(result.seed),
        format=format,
        keep_vertex_attributes=tuple(each.name for each in document.vertex_attributes),
        attributes=kept.wishes.record() | _kept_before(result),
        reading=_as_read(result.original, reading),
        data_set=data_set,
        input=describe_input(result.original, source),
        attack=found.attack,
        versions={"graphveil": __version__, "python": platform.python_version()}
        | {name: version(name) for name in VERSIONS_OF},
        files={
            f"{path.parent.name}/{path.name}": graph.sha256
            if path == public / FILES[format]
            else sha256(path)
            for path in sorted((*public.iterdir(), *private.iterdir()))
        },
    )
    with private_file(private / "run.json") as sink:
        sink.write(as_json(run.to_dict()))
    if problems := problems_of_private_part(folder, graph, document, result.original, drawn):
        raise VerificationError(f"reading back what was written: {problems[0]}. Nothing was published.")
    return document, found.attack


def _kept_before(result: Result) -> dict[str, Any]:
    """What run.json notes of attributes in earlier releases, if there were any."""
    release = result.carried and result.carried.release
    return {KEPT_BEFORE: sorted(release.kept)} if release and release.kept else {}


def write_graph(
    result: Result,
    pseudonyms: NDArray[np.int64],
    public: Path,
    format: str,
    of_people: Part | None,
    of_friendships: Part | None,
) -> tuple[GraphFileRead, NotedFile | None]:
    """Write the graph under its pseudonyms, with what is kept; what a reader gets, and the table of people."""
    from graphveil.formats.atomic import write_whole
    from graphveil.formats.table import WRITABLE

    path, within = public / FILES[format], format in WITHIN
    values, sensitive = (of_people.values, of_people.sensitive) if of_people else ({}, ())
    values = fill_in(result.graph, result.seed, values, pseudonyms, sensitive)
    on_edges = of_friendships.values if of_friendships else {}
    graph, digest = hide(result.graph, pseudonyms, values if within else None), hashlib.sha256()

    def chunks() -> Iterator[bytes]:
        for chunk in WRITABLE[format].chunks(with_attributes(graph, on_edges, format)):
            digest.update(chunk)
            yield chunk

    write_whole(os.fspath(path), chunks(), None)
    path.chmod(0o644)
    published = read_graph(path, format, tuple(values) if within else (), tuple(on_edges))
    if (
        published.sha256 != digest.hexdigest()
        or published.n != graph.n
        or not np.array_equal(published.edges, graph.edges)
    ):
        raise VerificationError(f"{path.name} read back is not what was written. Nothing was published.")
    check_written(published, on_edges, path.name)
    if within or not values:
        return published, None
    people, marks = write_people(public, format, values, graph.n)
    return replace(published, people=marks), people


def certify(
    result: Result,
    graph: GraphFileRead,
    format: str,
    data_set: DataSet,
    of_people: Part | None = None,
    of_friendships: Part | None = None,
) -> Certificate:
    """The certificate of a graph that was read back, by an independent recount, if it keeps its guarantees."""
    ks = ks_of(result.goals, result.reductions)
    parts = of_people, of_friendships
    kept = [part.attributes() if part else () for part in parts]
    secret = [name for part in parts if part for name in part.sensitive]
    facts = facts_of(counted_of(graph, kept[0], kept[1], secret), result.goals, ks)
    if problems := broken(facts, result.goals):
        raise VerificationError(
            f"the recount of the written graph says {problems[0]}. Nothing was published."
        )
    check_agreement(result.graph, facts)
    document = certificate(
        facts,
        file=FILES[format],
        format=format,
        sha256=graph.sha256,
        changes=changes_of(result),
        kept=kept,
        groups=[
            part.groups(diversity(columns, names, secret)) if part else None
            for part, columns, names in zip(parts, (graph.people, graph.friendships), kept, strict=True)
        ],
        data_set=data_set,
        reductions=reductions_in(facts, result),
    )
    if problems := problems_of_attributes(document, graph, facts):
        raise VerificationError(f"{problems[0]}. Nothing was published.")
    return document


def check_agreement(graph: Graph, facts: Facts) -> None:
    """Two ways of counting must say the same, or none of them is trusted."""
    counts: dict[str, NDArray[Any]] = {"k-NMF": graph.mutual_friends, "k-degree": graph.degrees}
    for each in facts.guarantees:
        if each.guarantee in counts:
            sizes = np.bincount(counts[each.guarantee])
            if {str(v): int(sizes[v]) for v in np.flatnonzero(sizes).tolist()} != each.group_sizes:
                raise VerificationError(
                    f"search and recount disagree about {each.guarantee}. Please report this."
                )


def today() -> str:
    """The day of publication; SOURCE_DATE_EPOCH sets it, so that the same bytes can be made again."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.fromtimestamp(int(seconds), UTC) if seconds and seconds.isdigit() else datetime.now(UTC)
    return now.date().isoformat()


def changes_of(result: Result) -> Changes:
    """How much was changed."""
    return Changes(len(result.added), len(result.deleted), len(result.new_vertices))


def warn_of_distortion(result: Result) -> None:
    """Warn before a graph is published that has little to do with its original."""
    size = result.graph.n, result.graph.m
    if is_distorted(*size, changes_of(result)):
        warn(warning(result.goals, *size, changes_of(result)))


def write_pages(
    result: Result, document: Certificate, found: Findings, public: Path, private: Path
) -> Certificate:
    """Write the pages for everybody, note them in the certificate, and write the page for the owner."""
    write_text(public / "report.html", public_page(document, found))
    write_text(public / "README.md", readme(document))
    document = replace(
        document,
        report=NotedFile("report.html", sha256(public / "report.html")),
        readme=NotedFile("README.md", sha256(public / "README.md")),
    )
    with private_file(private / "report.html") as sink:
        sink.write(private_page(document, found, result))
    return document


def write_after(
    result: Result, drawn: NDArray[np.int64], pseudonyms: Pseudonyms, public: Path
) -> EarlierRelease | None:
    """What the certificate says of an earlier release, and the table of who is who where people may be followed."""
    if result.carried is None or (release := result.carried.release) is None:
        return None
    panel = None
    if pseudonyms == "same":
        before = result.carried.before(result.graph.n)
        both = np.flatnonzero(before >= 0)
        write_text(public / PANEL, panel_text(drawn[both], release.pseudonyms[before[both]]))
        panel = NotedFile(PANEL, sha256(public / PANEL))
    return EarlierRelease(release.certificate, pseudonyms, joint_figures(result), panel)


def write_tables(result: Result, pseudonyms: NDArray[np.int64], private: Path) -> None:
    """Write who is who and what was changed."""
    ids = tables.id_column(result.graph)
    with private_file(private / "pseudonyms.csv") as sink:
        columns = tables.who_is_who_table(ids, pseudonyms, result.original.n)
        tables.write_table(sink, tables.WHO_IS_WHO, columns)
    with private_file(private / "changes.csv") as sink:
        columns = tables.changes_table(ids, result.added, result.deleted, result.new_vertices)
        tables.write_table(sink, tables.CHANGES, columns)


def _as_read(original: Graph, options: Mapping[str, Any] | None) -> dict[str, Any]:
    """The options of reading, and the lines of rows that were left out because of them."""
    skipped = original.reading.skipped if original.reading is not None else ()
    left_out = {"skip_bad_rows": True, "skipped_lines": list(skipped)} if skipped else {}
    return {**(options or {}), **left_out}


def describe_input(graph: Graph, source: str | os.PathLike[str] | None) -> Input:
    """What the input was, so that it can be recognized."""
    return Input(
        sha256=_digest_of_input(graph, os.path.realpath(source)) if source is not None else "",
        vertices=graph.n,
        edges=graph.m,
        ids="integers" if graph.labels.dtype.kind == "i" else "text",
    )


def _digest_of_input(graph: Graph, source: str) -> str:
    """The SHA-256 of the bytes that were read, because the file may have changed since; else, of the file as it is."""
    reading = graph.reading
    if reading is not None and reading.sha256 and os.path.realpath(reading.file) == source:
        return reading.sha256
    return sha256(Path(source))


def write_text(path: Path, text: str) -> None:
    """A new file for everybody to read."""
    path.write_text(text, encoding="utf-8", newline="\n")
    path.chmod(0o644)
