"""What the commands do with ``--engine spark``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli import FAILED, show
from graphveil.cli.commands import print_json, was_given
from graphveil.cli.options import levels_of
from graphveil.cli.reading import Engine, Source
from graphveil.cli.streams import complain, note
from graphveil.cli.terminal import stage
from graphveil.errors import ParameterError, VerificationError
from graphveil.words import counted as in_words

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from graphveil.origin import Cleaning

READING = (
    "format",
    "delimiter",
    "columns",
    "header",
    "comments",
    "quotes",
    "undirected",
)  # that Spark knows too
SPARK = ("config", "engine", "master", "remote", "parts", "worker_memory")


@contextmanager
def _edges(engine: Engine, source: Source, *known: str) -> Iterator[DataFrame]:
    """The edges of a path on Spark, with Spark's errors in one line."""
    from graphveil.spark.reading import read_edges
    from graphveil.spark.session import errors_in_words, session

    _refuse_all_but("file", *SPARK, *READING, *known)
    if source.file == "-":
        raise ParameterError("Spark reads no standard input: name a path.")
    with session(engine.master, engine.remote) as spark, errors_in_words(source.file):
        given = {name: source.options[name] for name in READING if source.options[name] is not None}
        yield read_edges(spark, _graph_in(source.file), **given)


def _graph_in(path: str) -> str:
    """The graph in a folder that was published, if the path is one."""
    from graphveil.verification.safe_files import FILES

    inner = [os.path.join(path, "public", file) for file in FILES.values()]
    return next((each for each in inner if os.path.exists(each)), path)


def _refuse_all_but(*names: str) -> None:
    """Complain about options that were given and that Spark does not offer, rather than pass them over."""
    for parameter in click.get_current_context().command.params:
        if parameter.name and parameter.name not in names and was_given(parameter.name):
            raise ParameterError(f"{max(parameter.opts, key=len)} is not available with --engine spark.")


def _sizing(engine: Engine) -> dict[str, Any]:
    from graphveil.spark.session import size_in_bytes

    return {"parts": engine.parts, "worker_memory": size_in_bytes(engine.worker_memory)}


def _say(cleaning: Cleaning) -> None:
    if cleaning:
        note(str(cleaning))


def audit(
    engine: Engine,
    source: Source,
    k: tuple[int, ...],
    who: tuple[str, ...],
    within: float | None,
    keep_vertex_attributes: tuple[str, ...],
    as_json: bool,
    **asked: Any,
) -> None:
    """``graphveil audit --engine spark``; ``who``, ``within`` and attributes are refused."""
    from graphveil.spark.auditing import audit_of
    from graphveil.spark.counting import counted

    with (
        _edges(engine, source, "k", "at_most", "top", "friendships", "as_json") as edges,
        stage("Counting mutual friends on Spark"),
        counted(edges, **_sizing(engine)) as graph,
    ):
        found, cleaning = audit_of(graph, k, **asked), graph.cleaning
    _say(cleaning)
    if as_json:
        print_json(found.to_dict())
    else:
        show.audit(found)


def verify(
    engine: Engine,
    context: click.Context,
    source: Source,
    as_json: bool,
    original: str | None = None,
    **levels: Any,
) -> None:
    """``graphveil verify --engine spark``."""
    from graphveil.goals import GOALS
    from graphveil.spark.joins import recheck

    kinds = {each.parameter: each for each in GOALS.values()}
    given = {kinds[name]: _as_tuple(level) for name, level in levels_of(levels).items()}
    if not any(given.values()):
        raise ParameterError("no guarantee is asked for; name one, such as k-NMF with -k 25.")
    with _edges(engine, source, "as_json", *kinds) as edges, stage("Counting again on Spark"):
        checked = recheck(edges, [kind(kind.strictest(several)) for kind, several in given.items()])
    _say(checked.cleaning)
    if as_json:
        print_json(checked.to_dict())
    else:
        show.verification(checked, {kind.name: several for kind, several in given.items()})
    if not checked:
        context.exit(FAILED)


def _as_tuple(levels: Any) -> tuple[float, ...]:
    return levels if isinstance(levels, tuple) else (levels,)


def convert(engine: Engine, source: Source, out: str, to: str | None, **_: Any) -> None:
    """``graphveil convert --engine spark``."""
    from graphveil.spark.publishing import convert

    with _edges(engine, source, "out", "to") as edges, stage(f"Writing {out} on Spark"):
        vertices, number, cleaning = convert(edges, out, to or "parquet", **_sizing(engine))
    _say(cleaning)
    note(f"wrote {out}: {in_words(vertices, 'person', 'people')}, {in_words(number, 'friendship')}")


def anonymize(
    engine: Engine,
    context: click.Context,
    source: Source,
    k: tuple[int, ...],
    output: str,
    to: str,
    seed: int | None,
    title: str = "",
    contact: str = "",
    license: str = "",
    **how: Any,
) -> None:
    """``graphveil anonymize --engine spark``."""
    from graphveil.cli.anonymize import show_verdicts
    from graphveil.spark.publishing import anonymize
    from graphveil.verification.documents import DataSet

    if len(k) != 1:
        raise ParameterError("one k at a time with --engine spark.")
    if how.get("method") != "plan":
        raise ParameterError("--engine spark searches with the method plan. Leave --method out.")
    known = _known(how)
    format = to if was_given("to") else "parquet"
    try:
        with _edges(engine, source, *KNOWN) as edges, stage("Anonymizing on Spark"):
            published = anonymize(
                edges,
                k[0],
                output,
                format=format,
                seed=seed,
                source=source.file,
                data_set=DataSet(title, contact, license),
                **known,
                **_sizing(engine),
            )
    except VerificationError as error:
        context.exit(complain(f"error: {error}", FAILED))
    _say(published.cleaning)
    for words in published.notes:
        note(words)
    note(
        f"{in_words(published.added, 'friendship')} added, {published.deleted:,} deleted, no dummy people; "
        f"published {output}: public/ is what may be published, private/ is to be locked away."
    )
    show_verdicts([(published.certificate, None)])


HOW = ("degree_k", "keep_edges", "budget")
KNOWN = ("k", "output", "to", "seed", "method", *HOW, "title", "contact", "license")


def _known(how: Mapping[str, Any]) -> dict[str, Any]:
    return {name: how[name] for name in HOW if how.get(name) is not None}
