"""Publish from Spark: the graph under pseudonyms in parts, its certificate and report, and what is to be locked away.

The same input, k and seed give the same graph, whatever the number of workers, parts and retries: vertices are numbered
by the order of their ids, the search sees them in that order, and pseudonyms are ranks of a keyed hash.
"""

from __future__ import annotations

import hashlib
import platform
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil._version import __version__
from graphveil.errors import ParameterError, VerificationError
from graphveil.goals import Goals, goal_named, goals_of, sizes_of
from graphveil.origin import Cleaning
from graphveil.parameters import whole_number
from graphveil.publication import tables
from graphveil.publication.certificate import certificate, facts_counted_elsewhere
from graphveil.publication.readme import readme
from graphveil.publication.words import knows, limits, verdict
from graphveil.spark import workers
from graphveil.spark.auditing import audit_of
from graphveil.spark.counting import WORKER_MEMORY, Counted, counted, keyed_hash
from graphveil.spark.frames import ranked
from graphveil.spark.joins import RECOUNTS, recheck
from graphveil.spark.reading import read_edges, write_rows
from graphveil.spark.storage import Storage, new_folder
from graphveil.spark.tail import MOST_PULLED, TailEdits, edit_tail
from graphveil.verification.documents import Certificate, Changes, DataSet, NotedFile
from graphveil.verification.facts import Facts
from graphveil.verification.folders import broken
from graphveil.verification.safe_files import DANGER, FILES, armour, as_json, digest_of_parts

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FORMATS = ("parquet", "edgelist")
RUN_SCHEMA = "graphveil/spark-run/1"
EDGES_A_FILE = 10_000_000
BUDGET = 300.0  # seconds


@dataclass(frozen=True)
class SparkPublication:
    """What `anonymize` published.

    Attributes
    ----------
    folder
        ``public`` in it is for everybody, ``private`` is to be locked away
    certificate
        What is guaranteed and what is not
    added, deleted
        Number of edges
    cleaning
        What was dropped and merged when the graph was read
    notes
        What the owner should know about the run
    """

    folder: str
    certificate: Certificate
    added: int
    deleted: int
    cleaning: Cleaning
    notes: tuple[str, ...]


def anonymize(
    edges: DataFrame,
    k: int,
    folder: str,
    *,
    format: str = "parquet",
    seed: int | None = None,
    degree_k: int | None = None,
    keep_edges: bool = False,
    budget: float = BUDGET,
    parts: int | None = None,
    worker_memory: int = WORKER_MEMORY,
    most_pulled: int = MOST_PULLED,
    source: str | None = None,
    data_set: DataSet | None = None,
) -> SparkPublication:
    """Make a graph on Spark anonymous with few changes, verify it by an independent recount and publish it.

    Parameters
    ----------
    edges, parts, worker_memory
        As in `graphveil.spark.mutual_friends`
    k
        How many edges at least share each mutual-friend count afterwards; 2 or more
    folder
        A folder that is not there yet, on a file system that driver and workers see
    format
        Of the graph, ``"parquet"`` or ``"edgelist"``; it is written in parts
    seed
        Random seed, a secret; by default random
    degree_k
        How many vertices at least share each degree afterwards as well; by default degrees are left as they are
    keep_edges
        Only add edges
    budget
        Seconds after which the search on the driver takes the best solution so far
    most_pulled
        How many edges the driver may hold
    source
        Where the edges come from, noted in the private part
    data_set
        Title, contact and license, for certificate and README

    Raises
    ------
    UnreachableError
        if the search finds no solution; nothing is published
    VerificationError
        if what was written does not keep the guarantee; nothing is published
    """
    k = whole_number("k", k, least=2)
    if degree_k is not None:
        degree_k = whole_number("degree_k", degree_k, least=2)
    goals = goals_of({"k": k, "degree_k": degree_k})
    seed = secrets.randbits(128) if seed is None else whole_number("seed", seed, least=0)
    if format not in FORMATS:
        raise ParameterError(
            f"Spark publishes {' or '.join(FORMATS)}, not {format}. Choose one of them (format=)."
        )
    sizing: dict[str, Any] = {"parts": parts, "worker_memory": worker_memory}
    spark = edges.sparkSession
    with new_folder(spark, folder, source) as storage, counted(edges, **sizing) as graph:
        how: dict[str, Any] = {"degree_k": degree_k, "keep_edges": keep_edges, "budget": budget}
        edits = edit_tail(graph, k, seed=seed, most_pulled=most_pulled, **how)
        run = _Run(k, seed, format, source, data_set or DataSet(), sizing | how, goals)
        document = _write(graph, edits, run, storage)
    return SparkPublication(
        folder, document, len(edits.added), len(edits.deleted), graph.cleaning, edits.notes
    )


@dataclass(frozen=True)
class _Run:
    """What a run was asked for."""

    k: int
    seed: int
    format: str
    source: str | None
    data_set: DataSet
    options: dict[str, Any]
    goals: Goals


def _write(graph: Counted, edits: TailEdits, run: _Run, storage: Storage) -> Certificate:
    """Write both folders and return the certificate, if what was written keeps the guarantee."""
    who = pseudonyms(graph, edits, run).persist()
    rows = published_rows(graph, edits, who)
    file = FILES[run.format]
    write_rows(rows, storage.path(f"public/{file}"), run.format)
    names = storage.tidy(f"public/{file}")
    described = _described(graph, edits, run, storage)
    document = certificate(
        described,
        file=file,
        format=run.format,
        sha256=digest_of_parts(_digests(rows.sparkSession, storage.path(f"public/{file}"), names)),
        changes=Changes(len(edits.added), len(edits.deleted), 0),
        data_set=run.data_set,
    )
    _write_private(graph, edits, who, run, storage)
    who.unpersist()
    return _write_pages(document, storage)


def _digests(spark: SparkSession, folder: str, names: Sequence[str]) -> dict[str, str]:
    """The SHA-256 of each part, by its name; the workers read them."""
    files = spark.read.format("binaryFile").load(folder)
    found = files.selectExpr("substring_index(path, '/', -1) name", "sha2(content, 256) digest").collect()
    digests = {row.name: row.digest for row in found}
    if sorted(digests) != sorted(names):
        raise VerificationError("the parts read back are not those written. Nothing was published.")
    return digests


# ---------------------------------------------------------------------------- the graph


def pseudonyms(graph: Counted, edits: TailEdits, run: _Run) -> DataFrame:
    """Every vertex and its pseudonym 0…n−1: the rank of a hash whose key only the seed tells.

    The changes are part of the key. So two publications share no order, not even those of one graph under the same seed
    with different k: laid side by side they would show which edges differ.
    """
    changes = hashlib.sha256(np.concatenate((edits.added, [[-1, -1]], edits.deleted)).astype("<i8").tobytes())
    key = f"pseudonyms {run.seed} {run.k} {changes.hexdigest()} {int(graph.histogram.sum())}"
    hashed = graph.degrees.select("vertex", keyed_hash(key, "vertex").alias("hash"))
    return ranked(hashed, "hash", graph.pairs.rows, "pseudonym").select("vertex", "pseudonym")


def published_rows(graph: Counted, edits: TailEdits, who: DataFrame) -> DataFrame:
    """The changed graph under pseudonyms: rows of source < target in ascending order, then people without edges.

    The part of a row depends on nothing but its pseudonyms, and so does the content of each file.
    """
    from pyspark.sql import functions as f

    deleted = workers.keys_of(edits.deleted[:, 0], edits.deleted[:, 1])
    kept = graph.frame.mapInArrow(lambda batches: workers.edited(batches, deleted), "u int, v int")
    added = kept.sparkSession.createDataFrame([tuple(pair) for pair in edits.added.tolist()], "u int, v int")
    changed = kept.union(added)
    joined = changed.join(who.toDF("u", "a"), "u").join(who.toDF("v", "b"), "v")
    edges = joined.select(f.least("a", "b").alias("source"), f.greatest("a", "b").alias("target"))
    ends = changed.select("u").union(changed.select("v")).toDF("vertex").distinct()
    alone = who.join(ends, "vertex", "left_anti").select(
        f.col("pseudonym").alias("source"), f.lit(None).cast("long").alias("target")
    )
    n, m = who.count(), int(graph.histogram.sum()) + len(edits.added) - len(edits.deleted)
    files = max(1, -(-m // EDGES_A_FILE))
    part = f.when(f.col("target").isNull(), files - 1).otherwise(f.floor(f.col("source") * files / max(n, 1)))
    placed = edges.union(alone).withColumn("part", part.cast("int")).repartitionById(files, "part")
    last = f.col("target").isNull()
    return placed.sortWithinPartitions(last, "source", "target").drop("part")


def _described(graph: Counted, edits: TailEdits, run: _Run, storage: Storage) -> Facts:
    """What was written, read back and counted in two ways that share nothing."""
    spark = graph.frame.sparkSession
    levels = {each.name: each.level for each in run.goals}
    back = read_edges(spark, storage.path(f"public/{FILES[run.format]}"), format=run.format, header=False)
    checked = recheck(back, [goal_named(name, levels.get(name, 1)) for name in RECOUNTS])
    with counted(back, parts=graph.blocks.p) as published:
        found = audit_of(published, tuple(sizes_of(run.goals)), top=0)
        degrees = dict(published.degrees.groupBy("degree").count().collect())
    expected = (graph.degrees.count(), int(graph.histogram.sum()) + len(edits.added) - len(edits.deleted))
    if (checked.vertices, checked.edges) != expected or checked.cleaning:
        raise VerificationError("the graph read back is not what was written. Nothing was published.")
    described = facts_counted_elsewhere(found, checked, degrees, run.goals)
    if problems := broken(described, run.goals):
        raise VerificationError(
            f"the recount of the written graph says {problems[0]}. Nothing was published."
        )
    return described


# ---------------------------------------------------------------------------- what is beside it


def _write_pages(document: Certificate, storage: Storage) -> Certificate:
    """Write report, README and certificate."""
    from graphveil.pages import environment

    template = environment("graphveil.spark").get_template("spark-report.html")
    rows = [
        (
            knows(each.name),
            f"{each.groups:,}",
            f"{each.smallest_group or 0:,}",
            f"{each.exposure(document.k).people:,}",
        )
        for each in document.attackers
    ]
    page = template.render(
        certificate=document, verdict=verdict(document), limits=limits(document), rows=rows
    )
    storage.write("public/report.html", page)
    document = replace(document, report=NotedFile("report.html", _sha256(page)))
    text = readme(document)
    storage.write("public/README.md", text)
    document = replace(document, readme=NotedFile("README.md", _sha256(text)))
    storage.write("public/certificate.json", as_json(document.to_dict()))
    return document


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _write_private(graph: Counted, edits: TailEdits, who: DataFrame, run: _Run, storage: Storage) -> None:
    """Write who is who, what was changed, and how to do it again."""
    named = graph.pairs.with_ids(who, "vertex").selectExpr("vertex id", "pseudonym", "'input' origin")
    if dict(named.dtypes)["id"] == "string":
        named = named.selectExpr(f'regexp_replace(id, r"{_armour()}", "\'") id', "pseudonym", "origin")
    options = {"header": True, "quoteAll": True, "escape": '"'}
    named.write.options(**options).csv(storage.path("private/pseudonyms.csv"))
    storage.tidy("private/pseudonyms.csv")
    ends = np.unique(np.concatenate((edits.added, edits.deleted)))
    labels = graph.pairs.labels(ends.tolist())
    storage.write("private/changes.csv", _changes(edits, labels))
    storage.write("private/run.json", as_json(_record(graph, edits, run)))


def _armour() -> str:
    """The places where a spreadsheet might begin to read a formula, as `armour` finds them."""
    return "(?U)" + str(DANGER.pattern).replace('"', '\\"')


def _changes(edits: TailEdits, labels: Mapping[int, Any]) -> str:
    """The table of changes."""
    import pyarrow
    from pyarrow import csv

    def cells(ends: Sequence[int]) -> list[Any]:
        names = [labels[end] for end in ends]
        return [armour(name) if isinstance(name, str) else name for name in names]

    both = np.concatenate((edits.added, edits.deleted))
    kinds = [tables.ADDED] * len(edits.added) + [tables.DELETED] * len(edits.deleted)
    columns = [
        pyarrow.array(kinds, "string"),
        *(pyarrow.array(cells(both[:, end].tolist())) for end in (0, 1)),
    ]
    sink = BytesIO()
    csv.write_csv(pyarrow.table(columns, names=tables.CHANGES), sink)
    return sink.getvalue().decode()


def _record(graph: Counted, edits: TailEdits, run: _Run) -> dict[str, Any]:
    import pyspark

    return {
        "schema": RUN_SCHEMA,
        "method": "plan",
        "k": run.k,
        "seed": str(run.seed),
        "format": run.format,
        "options": run.options,
        "source": run.source,
        "input": {"vertices": graph.degrees.count(), "edges": int(graph.histogram.sum())},
        "colours": graph.blocks.p,
        "editable": edits.editable,
        "pulled": edits.pulled,
        "notes": list(edits.notes),
        "versions": {
            "graphveil": __version__,
            "python": platform.python_version(),
            "pyspark": pyspark.__version__,
            "spark": graph.frame.sparkSession.version,
        },
    }


# ---------------------------------------------------------------------------- converting


def convert(
    edges: DataFrame,
    folder: str,
    format: str = "parquet",
    *,
    parts: int | None = None,
    worker_memory: int = 0,
) -> tuple[int, int, Cleaning]:
    """Write a graph on Spark in another format, each edge once; how many vertices and edges, and what was dropped."""
    from graphveil.spark.blocks import make_blocks
    from graphveil.spark.frames import number, two_columns
    from graphveil.spark.reading import FORMATS as WRITABLE

    if format not in WRITABLE:
        raise ParameterError(f"Spark writes {', '.join(WRITABLE)}, not {format}. Choose one of them (to=).")
    pairs = number(two_columns(edges))
    blocks = make_blocks(pairs.frame, parts or max(1, min(64, pairs.rows // EDGES_A_FILE)))
    rows = blocks.of_edges.mapInArrow(lambda batches: workers.plain_edges_of(batches), "u int, v int")
    alone = blocks.degrees().where("degree = 0").selectExpr("vertex u", "int(null) v")
    named = pairs.with_ids(rows, "u", "v").union(pairs.with_ids(alone, "u").selectExpr("u", "null v"))
    write_rows(named.toDF("source", "target"), folder, format)
    counts = blocks.degrees().selectExpr("count(*)", "coalesce(sum(degree), 0)").collect()[0]
    cleaning = blocks.cleaning()
    blocks.frame.unpersist()
    return counts[0], counts[1] // 2, cleaning
