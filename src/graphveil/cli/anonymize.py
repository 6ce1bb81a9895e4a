"""``graphveil anonymize``: from a file to a published folder."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli import FAILED, INTERRUPTED
from graphveil.cli.commands import command, given_options, print_json, was_given
from graphveil.cli.options import levels_of, options_of
from graphveil.cli.reading import DEFAULTS, Source, also_on_spark, reads_a_graph
from graphveil.cli.streams import complain, note
from graphveil.cli.utility import suggest_quick
from graphveil.errors import ParameterError, VerificationError
from graphveil.formats.shortage import ANONYMIZE
from graphveil.parameters import warn_of_guessable_seed
from graphveil.words import counted

if TYPE_CHECKING:
    from graphveil.goals import Goals
    from graphveil.graph import Graph
    from graphveil.methods.result import Result
    from graphveil.methods.run import Progress
    from graphveil.publication.again import Pseudonyms
    from graphveil.publication.documents import AttackRecord
    from graphveil.publication.publishing import Publication
    from graphveil.verification.documents import Certificate

SCHEMA = "graphveil/anonymization/1"


@command("anonymize")
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
    seed: int | None,
    to: str,
    report: str | None,
    pseudonyms: Pseudonyms,
    as_json: bool,
    save_config: str | None,
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
      graphveil anonymize friends.csv -k off --friendship-k 5 -o out
      graphveil anonymize friends.csv -k 25 --reduce degree-and-triangles=5 --max-changes 5% -o out
      graphveil anonymize friends-2027.csv --after out-2026 -k 25 -o out-2027
    """
    from graphveil.cli.attributes import show_kept
    from graphveil.cli.summary import unprotected
    from graphveil.cli.terminal import stage
    from graphveil.goals import NMF, goals_of, sizes_of
    from graphveil.methods.table import METHODS, method_options
    from graphveil.publication.again import carried_over, check_apart, check_kept_again, check_pseudonyms
    from graphveil.publication.attributes import Wishes
    from graphveil.publication.keeping import kept_attributes
    from graphveil.publication.publishing import publish_together
    from graphveil.publication.staging import check_target
    from graphveil.publication.weighing import check_k
    from graphveil.verification.documents import DataSet

    wishes = Wishes.of(how)
    said = DataSet(*(how.pop(name) for name in ("title", "contact", "license")))
    file = None if source.file == "-" else source.file
    target = check_target(output, force=force, source=file)
    check_pseudonyms(pseudonyms, first=how["after"] is None)
    if how["after"] is not None:
        check_apart(how["after"], output)
    goals, ks = goals_of(levels_of(how)), k or (None,)
    if was_given("max_changes") and not how["reduce"]:
        raise ParameterError(
            "there is nothing to reduce. Leave --max-changes out, or name an attacker with --reduce."
        )
    method_options(how["method"], keep_edges=how["keep_edges"], budget=how["budget"])
    warn_of_guessable_seed(seed)
    seed = secrets.randbits(128) if seed is None else seed
    if save_config:
        _save(save_config, seed, force=force)
    source = replace(
        source, options={**source.options, "keep_vertex_attributes": wishes.keep_vertex_attributes}
    )
    try:
        graph = source.read_with_cautions(ANONYMIZE)
        check_k(graph.m, max(k) if k and NMF in METHODS[how["method"]].goals else None)
        if report == "full":
            suggest_quick(graph, "--report quick")
        least = max(k or sizes_of(goals))
        wishes = replace(wishes, keep_edge_attributes=tuple(graph.edge_attributes))
        if wishes.names and how["after"] is not None:
            check_kept_again(wishes, carried_over(graph, how["after"]))
        of_counts = bool(k) and NMF in METHODS[how["method"]].goals
        kept = kept_attributes(graph, wishes, k=least, format=to, of_counts=of_counts)
        results = _anonymize_for_each(graph, ks, goals, seed=seed, **how)
        for words in filter(None, map(unprotected, results)):
            note(f"graphveil: warning: {words}")
        options = {"format": to, "report": report, "data_set": said, "kept": kept, "pseudonyms": pseudonyms}
        with stage("Writing, reading back and recounting") as told:
            published = publish_together(
                results,
                target,
                several=len(k) > 1,
                source=file,
                reading=as_recorded(source.options),
                progress=told,
                **options,
            )
        _show(results, published, output, as_json=as_json)
        show_kept(kept, published[-1].certificate)
        if len(results) > 1:
            note(
                "Publish only one of these folders: several versions of a graph can be compared with each other."
            )
        note(f"published {output}")
        if results[-1].interrupted:
            context.exit(complain(_what_was_cut_short(results, ks, output), INTERRUPTED))
    except VerificationError as error:
        context.exit(complain(f"error: {error}", FAILED))
    except KeyboardInterrupt:
        if target.is_as_found:
            raise
        context.exit(complain(f"interrupted, when {output} was published already", INTERRUPTED))


def _save(path: str, seed: int, *, force: bool) -> None:
    """Write the options of this run into a file, before the work; with the seed they give the same graph again."""
    from graphveil.cli.config import save_options
    from graphveil.cli.writing import check_target

    check_target(path, force=force)
    save_options(path, options_of("anonymize"), {**given_options(), "seed": seed})
    note(f"wrote {path}: keep it secret, for it holds the seed")


def _anonymize_for_each(graph: Graph, ks: Sequence[int | None], goals: Goals, **how: Any) -> list[Result]:
    from graphveil import anonymize
    from graphveil.goals import largest_k

    results: list[Result] = []
    for k in ks:
        with live_line(k or largest_k(goals)) as listener:
            results.append(anonymize(graph, k, goals=goals, progress=listener, **how))
        for words in results[-1].notes:
            note(f"k = {results[-1].k:,}: {words}")
        if results[-1].interrupted:
            note("Publishing it now; Ctrl-C once more ends this with nothing written.")
            break
    return results


def _what_was_cut_short(results: Sequence[Result], ks: Sequence[int | None], output: str) -> str:
    left_out = ", ".join(f"{k:,}" for k in ks[len(results) :])
    return (
        f"interrupted: the search at k = {results[-1].k:,} was cut short, and what {output} holds of it is the best "
        "graph until then" + (f"; k = {left_out} was not run" if left_out else "")
    )


RARE = {"encoding", "vertices", "project", "max_memory", "skip_bad_rows", "keep_edge_attributes", "direction"}


def as_recorded(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of reading that private/run.json records; those in `RARE` only where they were given."""
    return {
        name: value
        for name, value in options.items()
        if name != "keep_vertex_attributes" and (name not in RARE or (value and value != DEFAULTS.get(name)))
    }


def _show(results: Sequence[Result], published: Sequence[Publication], output: str, *, as_json: bool) -> None:
    """Say what became of the graph."""
    from graphveil.cli.summary import summary
    from graphveil.cli.terminal import console

    if as_json:
        found = [each.certificate.to_dict() for each in published]
        cut_short = results[-1].interrupted
        print_json({"schema": SCHEMA, "folder": output, "interrupted": cut_short, "certificates": found})
    else:
        console().print(summary(results, [each.certificate.after for each in published]))
        show_verdicts([(each.certificate, each.attack) for each in published])


WIDTH = 100


def show_verdicts(published: Sequence[tuple[Certificate, AttackRecord | None]]) -> None:
    """Print what is guaranteed, what it cost, what is not guaranteed, and what to do; for each k."""
    from rich.text import Text

    from graphveil.cli.terminal import console
    from graphveil.publication.words import ATTACKED, BOTH, IDENTIFYING, MEASURED, verdict

    out = console()
    red, styles = "bold red", {"Guaranteed": "bold green", MEASURED: "bold yellow", BOTH: "bold yellow"}
    styles |= {"Not guaranteed": red, ATTACKED: red, IDENTIFYING: red}
    for certificate, attack in published:
        words = verdict(certificate, attack=attack)
        if len(published) > 1:
            out.print(f"k = {certificate.k:,}", style="bold")
        for heading, sentences in (*words.opening, ("What to do", words.advice)):
            style = styles.get(heading, "bold")
            out.print(Text.assemble((f"{heading}. ", style), sentences), width=min(out.width, WIDTH))


@contextmanager
def live_line(k: int) -> Iterator[Callable[[Progress], None] | None]:
    """A function to be called with the progress of a run, which it shows on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress

    from graphveil.cli.terminal import live_progress, words_column

    with live_progress(progress.SpinnerColumn(), words_column(), progress.TimeElapsedColumn()) as live, live:
        task = live.add_task(f"k = {k:,}", total=None)
        best = None

        def show(now: Progress) -> None:
            nonlocal best
            if now.phase not in ("degrees", "reduction") and not now.violating:
                best = now.changed if best is None else min(best, now.changed)
            live.update(task, description=f"k = {k:,}: {_words(now, best)}")

        yield show


def _words(now: Progress, best: int | None) -> str:
    """One line that fits into 80 columns with the spinner and the clock."""
    if now.phase == "search":
        ctrl_c = "" if best is None else f" (Ctrl-C takes {best:,})"
        return f"searching, {now.violating:,} exposed, {now.changed:,} changed{ctrl_c}"
    if now.phase == "reduction":
        return f"reducing, {now.violating:,} exposed, {now.changed:,} changed"
    if now.phase == "degrees":
        return f"{now.violating:,} people exposed by their number of friends"
    return f"{counted(now.groups, 'group')}, {now.violating:,} exposed, {now.changed:,} changed"
