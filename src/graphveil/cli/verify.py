"""``graphveil verify``: does a published graph keep its guarantee?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli import FAILED
from graphveil.cli.commands import command, print_json
from graphveil.cli.reading import Source, also_on_spark, reads_a_graph
from graphveil.cli.streams import note
from graphveil.cli.terminal import stage
from graphveil.errors import ParameterError
from graphveil.words import size

if TYPE_CHECKING:
    from graphveil.goals import Goals
    from graphveil.graph import Graph
    from graphveil.verification.folders import Inspection


@command("verify")
@reads_a_graph()
@click.pass_context
@also_on_spark("verify")
def verify(
    context: click.Context,
    /,
    source: Source,
    original: str | None,
    after: str | None,
    as_json: bool,
    **levels: Any,
) -> None:
    """Verify that a published graph keeps its guarantee.

    A graph is k-NMF anonymous if every mutual-friend count belongs to at least K friendships, or to none. The recount
    shares no code with the rest of graphveil. The exit code is 0 only if everything holds, for the largest K given.

    FILE may be a folder that graphveil has published, or the graph in one. Then its certificate says what is
    guaranteed, and everything that can be counted again is verified. With --original, the public and the private part
    together must also give the input again.

    \b
    Examples:
      graphveil verify published.txt -k 25
      graphveil verify out
      graphveil verify out --original friends.csv
      graphveil verify out-2027 --after out-2026/public
      graphveil verify published.graphml -k 25 --degree-k 10 --spread 0.5 --json
    """
    from graphveil.goals import GOALS
    from graphveil.verification.folders import published_folder

    wanted = {name: _levels(levels.get(kind.parameter)) for name, kind in GOALS.items()}
    wanted = {name: given for name, given in wanted.items() if given}
    if (folder := published_folder(source.file)) is not None:
        if context.get_parameter_source("k") is click.core.ParameterSource.DEFAULT:
            wanted.pop("k-NMF")
        _verify_folder(context, folder, source, original, after, _strictest(wanted), as_json=as_json)
        return
    for flag, given_path in (("--original", original), ("--after", after)):
        if given_path is not None:
            raise ParameterError(f"{flag} is for published folders, and {source.file} is none.")
    from graphveil.verification.graphs import recheck

    graph = source.read()
    with stage("Counting again"):
        checked = recheck(graph, _strictest(wanted))
    if as_json:
        print_json(checked.to_dict())
    else:
        from graphveil.cli import show

        show.verification(checked, {str(each): given for each, given in wanted.items()})
    if not checked:
        context.exit(FAILED)


def _levels(given: Any) -> tuple[float, ...]:
    """The levels that an option was given."""
    return given if isinstance(given, tuple) else () if given is None else (given,)


def _strictest(wanted: Mapping[str, Sequence[float]]) -> Goals:
    """Each guarantee at the hardest level that was asked for."""
    from graphveil.goals import GOALS, goal_named

    return tuple(goal_named(name, GOALS[name].strictest(given)) for name, given in wanted.items())


def _verify_folder(
    context: click.Context,
    place: Path,
    source: Source,
    original: str | None,
    after: str | None,
    asked: Goals,
    *,
    as_json: bool,
) -> None:
    """Verify one publication, or the several of a folder with one for each k."""
    from graphveil.verification.folders import publications

    found = {}
    for folder in publications(place):
        graph = None if original is None else _as_recorded(replace(source, file=original), folder).read()
        with stage(f"Counting {folder} again"):
            found[folder] = _check(folder, asked, graph, after)
    if as_json:
        documents = [inspection.to_dict() for inspection in found.values()]
        print_json(documents[0] if len(documents) == 1 else documents)
    else:
        for folder, inspection in found.items():
            _show(folder, inspection, asked)
    if not all(found.values()):
        context.exit(FAILED)


def _check(folder: Path, asked: Goals, graph: Graph | None, after: str | None) -> Inspection:
    """From the outside, which needs little more than this package of verification; else from the inside too."""
    if graph is None:
        from graphveil.verification.folders import check_public

        return check_public(folder, asked, after).inspection
    from graphveil.publication.checking import check

    return check(folder, asked=asked, original=graph, after=after)


def _as_recorded(source: Source, folder: Path) -> Source:
    """The input with the options that it was published with, by private/run.json, where no others are given."""
    from graphveil.errors import GraphveilError
    from graphveil.verification.folders import public_part
    from graphveil.verification.safe_files import read_json

    if source.arguments("--format"):
        return source
    try:
        run = read_json(public_part(folder).resolve().parent / "private" / "run.json")
        recorded = {name: value for name, value in run["reading"].items() if name in source.options}
    except (GraphveilError, KeyError, TypeError, AttributeError):
        return source  # what is wrong with it is said by the check
    return replace(source, options={**source.options, **recorded})


def _show(folder: Path, found: Inspection, asked: Goals) -> None:
    from rich.text import Text

    from graphveil.cli.terminal import console

    out = console()
    pages = "What report.html and README.md say proves nothing"
    if found.vertices is not None and found.edges is not None:
        proof = f"{pages}; this recount of the graph does: {found.proven}." if found else f"{pages}."
        out.print(Text.assemble((f"{folder}: {size(found.vertices, found.edges)}.", "bold"), f" {proof}"))
    else:
        out.print(Text.assemble((f"{folder}: the graph was not counted.", "bold"), f" {pages}."))
    for each in found.guarantees:
        if each.promised is not None:
            promised, achieved = each.in_words()
            out.print(f"{each.guarantee}: {promised} guaranteed, {achieved} achieved")
    by_name = {each.guarantee: each for each in found.guarantees}
    for goal in asked:  # what is asked for and fails is among the problems
        if (found_level := by_name.get(goal.name)) and goal.kept(found_level.achieved):
            out.print(
                Text.assemble(
                    ("holds  ", "bold green"), f"{goal}, as asked for: {found_level.in_words()[1]} achieved"
                )
            )
    for problem in found.problems:
        out.print(Text.assemble(("fails  ", "bold red"), problem))
    for text in found.notes:
        note(text)
    if found:
        more = ", and public and private part together give the input" if found.inside else ""
        out.print(Text.assemble(("holds  ", "bold green"), f"the graph is what the certificate says{more}"))
        note(f"not checked: {'; '.join(found.unchecked)}")
