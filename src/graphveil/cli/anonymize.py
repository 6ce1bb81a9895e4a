"""``graphveil anonymize``: from a file to a published folder."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli import FAILED, INTERRUPTED
from graphveil.cli.engine import also_on_spark
from graphveil.cli.live import live_line
from graphveil.cli.options import EXIT_CODES, crowds
from graphveil.cli.reading import Source, attribute_names, reads_a_graph
from graphveil.cli.streams import complain, note
from graphveil.cli.utility import suggest_quick
from graphveil.errors import ParameterError, VerificationError
from graphveil.formats.table import WRITABLE
from graphveil.parameters import warn_of_guessable_seed
from graphveil.words import counted, percent

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from rich.table import Table

    from graphveil.graph import Graph
    from graphveil.methods import Result
    from graphveil.publication.documents import Certificate, Statement
    from graphveil.publication.staging import Target
    from graphveil.risk.guarantees import Guarantee

__all__ = ["anonymize", "summary"]


class MethodOption(click.Option):
    """Takes its help from the table of methods, which is loaded only when it is shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from graphveil.methods import METHODS

        self.help = "; ".join(f"{name}: {row.words}" for name, row in METHODS.items()) + "."
        return super().get_help_record(ctx)


def _methods(_: click.Context, __: click.Parameter, start: str) -> list[str]:
    from graphveil.methods import METHODS

    return [name for name in METHODS if name.startswith(start)]


def _seconds(_: click.Context, __: click.Parameter, text: str | None) -> float | None:
    return None if text is None else seconds(text)


def seconds(text: str) -> float:
    """The seconds in 90, 90s, 1.5m or 1h."""
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = (text[:-1], units[text[-1]]) if text[-1:] in units else (text, 1)
    try:
        found = float(number) * unit
    except ValueError:
        found = 0
    if isfinite(found) and found > 0:
        return found
    raise ParameterError(f"--budget takes a time above 0, such as 90s, 5m or 1h, not {text!r}.")


@click.command(epilog=EXIT_CODES)
@crowds(
    "-k",
    default="25",
    least=2,
    help="Smallest size of a group; several as -k 5,25 give a folder for each.",
)
@click.option(
    "--method",
    metavar="NAME",
    default="plan",
    show_default=True,
    shell_complete=_methods,
    cls=MethodOption,
)
@click.option(
    "--degree-k",
    metavar="K",
    type=click.IntRange(min=2),
    help="Also give every degree to at least K people.",
)
@click.option(
    "--degree-method",
    metavar="NAME",
    type=click.Choice(("plan", "kda", "kda-paper")),
    help="How to reach --degree-k: plan searches for both guarantees at once; kda is the paper's second step; "
    "kda-paper is that step as written.  [default: plan with --method plan, else kda]",
)
@click.option(
    "--spread",
    metavar="SHARE",
    type=float,
    help="Also let nobody be part of more than this share of a group, such as 0.5, with plan.",
)
@click.option(
    "--keep-edges",
    is_flag=True,
    help="Only add friendships, with plan. (add-greedy and add-intuit never delete any.)",
)
@click.option(
    "--budget",
    metavar="TIME",
    callback=_seconds,
    help="Stop the search of plan after this time, as 90s or 1h, and take the best so far.  [default: 5m]",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    help="Random seed. Keep it secret.  [default: random]",
)
@click.option("-o", "--output", metavar="OUT", required=True, type=click.Path(), help="The folder to write.")
@click.option(
    "--format",
    "--output-format",
    "to",
    type=click.Choice(tuple(WRITABLE)),
    default="edgelist",
    show_default=True,
    help="Format of the published graph.",
)
@click.option(
    "--keep-vertex-attribute",
    "keep",
    metavar="NAMES",
    multiple=True,
    callback=attribute_names,
    help="Publish these attributes of people too (a,b).",
)
@click.option(
    "--keep-identifying",
    is_flag=True,
    help="Publish attributes even if fewer than K people share somebody's values.",
)
@click.option(
    "--report",
    type=click.Choice(("brief", "quick", "full")),
    help="How much the reports measure; full takes minutes.  [default: brief]",
)
@click.option("--title", metavar="TEXT", default="", help="Title of the data set, for report and README.md.")
@click.option("--contact", metavar="TEXT", default="", help="Whom to ask about the data set.")
@click.option("--license", metavar="TEXT", default="", help="License of the data set, such as CC-BY-4.0.")
@click.option(
    "--force", is_flag=True, help="Replace OUT, if it holds what graphveil has published and nothing else."
)
@reads_a_graph(format_option="--from")
@click.pass_context
@also_on_spark("anonymize")
def anonymize(
    context: click.Context,
    /,
    source: Source,
    k: tuple[int, ...],
    output: str,
    force: bool,
    keep: tuple[str, ...],
    keep_identifying: bool,
    seed: int | None,
    to: str,
    report: str | None,
    title: str,
    contact: str,
    license: str,
    **how: Any,
) -> None:
    """Change a graph until it can be published, and publish it.

    Adds and deletes a few friendships until every mutual-friend count belongs to at least K friendships. OUT/public
    is for everybody: the graph under pseudonyms, a certificate, a report. OUT/private is secret: who is who, what was
    changed, the seed. Nothing appears before it was verified by an independent recount.

    \b
    Examples:
      graphveil anonymize friends.csv -k 25 -o out
      graphveil anonymize friends.graphml -k 25 --format graphml -o out
      graphveil anonymize friends.txt.gz -k 5,25 --method add-greedy -o out
      graphveil anonymize friends.csv -k 25 --degree-k 10 --spread 0.5 -o out
    """
    from graphveil.goals import NMF
    from graphveil.methods import METHODS
    from graphveil.publication.made_up import check_k
    from graphveil.publication.staging import check_target
    from graphveil.publication.writing import check_attributes

    target = check_target(output, force=force, source=None if source.file == "-" else source.file)
    how = _checked(how)
    warn_of_guessable_seed(seed)
    source = replace(source, options={**source.options, "keep_vertex_attributes": keep})
    try:
        graph = source.read_with_cautions()
        check_k(graph.m, max(k) if NMF in METHODS[how["method"]].goals else None)
        if report == "full":
            suggest_quick(graph, "--report quick")
        check_attributes(graph, keep, k=max(k), format=to, keep_identifying=keep_identifying)
        results = _anonymize_for_each(graph, k, seed=secrets.randbits(128) if seed is None else seed, **how)
        _say_what_is_unprotected(results)
        said = {"title": title, "contact": contact, "license": license}
        options = {"format": to, "report": report, "data_set": said, "keep_vertex_attributes": keep}
        _publish(results, target, source, several=len(k) > 1, **options)
        if keep:
            note(f"{', '.join(keep)}: attributes can identify people. No guarantee covers them.")
        if len(results) > 1:
            note(
                "Publish only one of these folders: several versions of a graph can be compared with each other."
            )
        note(f"published {output}")
        if results[-1].interrupted:
            context.exit(complain(_what_was_cut_short(results, k, output), INTERRUPTED))
    except VerificationError as error:
        context.exit(complain(f"error: {error}", FAILED))
    except KeyboardInterrupt:
        if target.is_as_found:
            raise
        context.exit(complain(f"interrupted, when {output} was published already", INTERRUPTED))


def _checked(how: dict[str, Any]) -> dict[str, Any]:
    """Complain about the method before anything is read."""
    from graphveil.methods import method_options

    method_options(how["method"], keep_edges=how["keep_edges"], budget=how["budget"])
    return {name: value for name, value in how.items() if value is not None}


def _anonymize_for_each(graph: Graph, ks: Sequence[int], **how: Any) -> list[Result]:
    from graphveil import anonymize

    results: list[Result] = []
    for k in ks:
        with live_line(k) as listener:
            results.append(anonymize(graph, k, progress=listener, **how))
        for words in results[-1].notes:
            note(f"k = {k:,}: {words}")
        if results[-1].interrupted:
            note("Publishing it now; Ctrl-C once more ends this with nothing written.")
            break
    return results


def _what_was_cut_short(results: Sequence[Result], ks: Sequence[int], output: str) -> str:
    left_out = ", ".join(f"{k:,}" for k in ks[len(results) :])
    return (
        f"interrupted: the search at k = {results[-1].k:,} was cut short, and what {output} holds of it is the best "
        "graph until then" + (f"; k = {left_out} was not run" if left_out else "")
    )


def _publish(
    results: Sequence[Result], target: Target, source: Source, *, several: bool, **options: Any
) -> None:
    """Write all results into one folder that appears as a whole, and say what became of the graph."""
    from graphveil.cli.terminal import console, stage
    from graphveil.cli.verdict import show_verdicts
    from graphveil.publication.documents import DataSet
    from graphveil.publication.staging import public_folder, staging
    from graphveil.publication.writing import write_publication

    file = None if source.file == "-" else source.file
    options |= {"source": file, "reading": as_recorded(source.options)}
    options["data_set"] = DataSet(**options["data_set"])
    certificates = []
    writing = stage("Writing, reading back and recounting")
    with writing as told, staging(target) as new:
        for result in results:
            folder = public_folder(new / f"k{result.k}") if several else new
            certificates.append(write_publication(result, folder, progress=told, **options))
    console().print(summary(results, certificates))
    show_verdicts(certificates)


def as_recorded(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of reading that private/run.json records."""
    rare = (
        "encoding",
        "vertices",
        "project",
        "max_memory",
        "skip_bad_rows",
    )  # noted only where they were given
    left_out = {"keep_vertex_attributes", *(name for name in rare if not options.get(name))}
    return {name: value for name, value in options.items() if name not in left_out}


def summary(results: Sequence[Result], certificates: Sequence[Certificate]) -> Table:
    """Before and after, a row for each k and each model: the changes that its step made.

    Mutual friends have one also where nothing is promised about them.
    """
    from graphveil.cli.terminal import table
    from graphveil.mutual import mutual_friends
    from graphveil.risk.guarantees import Guarantee

    original = results[0].original
    before = {
        Guarantee.NMF: _class_sizes(mutual_friends(original)),
        Guarantee.DEGREE: _class_sizes(original.degrees),
    }
    rows = []
    for result, certificate in zip(results, certificates, strict=True):
        changes = _changes(result)
        for each in certificate.guarantees:
            model = Guarantee(each.guarantee)
            if model is Guarantee.SPREAD and each.promised:
                rows.append(_spread_row(original, each))
                continue
            k = int(each.promised or result.k)
            if model in changes and each.group_sizes is not None:
                after = [*each.group_sizes.values()]
                rows.append(
                    (
                        f"{model}, k = {k:,}" if each.promised else f"{model}: nothing",
                        f"{_exposed(before[model], k):,} → {_exposed(after, k):,}",
                        f"{_smallest(before[model])} → {_smallest(after)}",
                        *changes[model],
                    )
                )
    headings = (
        "guarantee",
        "exposed",
        "achieved",
        "friendships\nadded",
        "friendships\ndeleted",
        "people\nadded",
    )
    return table(headings, rows)


def _spread_row(original: Graph, state: Statement) -> tuple[str, ...]:
    """The row of a guaranteed spread: the largest share of a group that touches one person."""
    from graphveil.goals import Spread
    from graphveil.risk.auditing import achieved
    from graphveil.risk.guarantees import Guarantee

    before = achieved(original, [Spread(1)])[0]
    shares = " → ".join("any" if share is None else percent(share) for share in (before, state.achieved))
    return (f"{Guarantee.SPREAD}, {percent(state.promised or 1)}", "", shares, *("with k-NMF",) * 3)


def _class_sizes(values: NDArray[Any]) -> list[int]:
    import numpy as np

    sizes: list[int] = np.bincount(values).tolist()
    return [size for size in sizes if size]


def _smallest(sizes: Sequence[int]) -> str:
    """The k that holds; without any class every k does."""
    return f"{min(sizes):,}" if sizes else "any"


def _exposed(sizes: Sequence[int], k: int) -> int:
    """How many are in classes of fewer than k."""
    return sum(size for size in sizes if size < k)


def _changes(result: Result) -> dict[Guarantee, tuple[str, ...]]:
    """By model, the friendships added, deleted and the people added for its sake; together they are all changes."""
    from graphveil.risk.guarantees import Guarantee

    added = set(map(tuple, result.added.tolist()))
    for_degrees = set() if result.degrees is None else added & set(map(tuple, result.degrees.added.tolist()))
    people = 0 if result.degrees is None else result.degrees.new_vertices
    counts = {
        Guarantee.NMF: (len(added - for_degrees), len(result.deleted), len(result.new_vertices) - people)
    }
    if result.degrees is not None:
        counts[Guarantee.DEGREE] = (len(for_degrees), 0, people)
    elif Guarantee.DEGREE in result.promises:
        both = {Guarantee.NMF: _with_shares(result, counts[Guarantee.NMF])}
        return {**both, Guarantee.DEGREE: ("with k-NMF",) * 3}
    return {model: _with_shares(result, numbers) for model, numbers in counts.items()}


def _with_shares(result: Result, numbers: tuple[int, int, int]) -> tuple[str, ...]:
    """Friendships added, friendships deleted and people added, with what share of the original that is."""
    wholes = max(result.original.m, 1), max(result.original.m, 1), max(result.original.n, 1)
    return tuple(
        f"{count:,} ({percent(count / whole)})" for count, whole in zip(numbers, wholes, strict=True)
    )


def _say_what_is_unprotected(results: Sequence[Result]) -> None:
    """One line for each result that the mutual friend attack may still work on."""
    from graphveil.mutual import mutual_friends
    from graphveil.risk.guarantees import Guarantee

    for result in results:
        if Guarantee.NMF not in result.promises:
            exposed = _exposed(_class_sizes(mutual_friends(result.graph)), result.k)
            note(
                f"graphveil: warning: {result.method} does not protect against mutual friend attacks: {exposed:,} of "
                f"{counted(result.graph.m, 'friendship')} are exposed at k = {result.k:,}. To stop them, use "
                "another method."
            )
