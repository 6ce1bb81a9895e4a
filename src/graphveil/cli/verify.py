"""``graphveil verify``: does a published graph keep its guarantee?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli import FAILED
from graphveil.cli.commands import command, print_json
from graphveil.cli.engine import also_on_spark
from graphveil.cli.reading import Source, reads_a_graph
from graphveil.cli.streams import note
from graphveil.cli.terminal import stage
from graphveil.errors import ParameterError
from graphveil.words import size

if TYPE_CHECKING:
    from graphveil.publication import Inspection
    from graphveil.risk.guarantees import Guarantee

__all__ = ["verify"]


@command("verify")
@reads_a_graph()
@click.pass_context
@also_on_spark("verify")
def verify(
    context: click.Context,
    /,
    source: Source,
    original: str | None,
    as_json: bool,
    **levels: Any,
) -> None:
    """Verify that a published graph keeps its guarantee.

    A graph is k-NMF anonymous if every mutual-friend count belongs to at least K friendships, or to none. The recount
    shares no code with the rest of graphveil. The exit code is 0 only if everything holds, for the largest K given.

    FILE may be a folder that graphveil has published. Then its certificate says what is guaranteed, and everything
    that can be counted again is verified. With --original, the public and the private part together must also give
    the input again.

    \b
    Examples:
      graphveil verify published.txt -k 25
      graphveil verify out
      graphveil verify out --original friends.csv
      graphveil verify published.graphml -k 25 --degree-k 10 --spread 0.5 --json
    """
    from graphveil.goals import goal_named
    from graphveil.risk.guarantees import Guarantee
    from graphveil.verification import recheck

    wanted = {each: _levels(levels.get(each.terms.parameter)) for each in Guarantee}
    wanted = {each: given for each, given in wanted.items() if given}
    if os.path.isdir(source.file):
        if context.get_parameter_source("k") is click.core.ParameterSource.DEFAULT:
            wanted.pop(Guarantee.NMF)
        _verify_folder(context, source, original, wanted, as_json=as_json)
        return
    if original is not None:
        raise ParameterError(f"--original is for published folders, and {source.file} is none.")
    graph = source.read()
    with stage("Counting again"):
        checked = recheck(graph, [goal_named(each, each.strictest(given)) for each, given in wanted.items()])
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


def _verify_folder(
    context: click.Context,
    source: Source,
    original: str | None,
    wanted: Mapping[Guarantee, Sequence[float]],
    *,
    as_json: bool,
) -> None:
    """Verify one publication, or the several of a folder with one for each k."""
    from graphveil.publication import check, publications

    graph = None if original is None else replace(source, file=original).read()
    asked = {each: each.strictest(given) for each, given in wanted.items()}
    found = {}
    for folder in publications(source.file):
        with stage(f"Counting {folder} again"):
            found[folder] = check(folder, asked=asked, original=graph)
    if as_json:
        documents = [inspection.to_dict() for inspection in found.values()]
        print_json(documents[0] if len(documents) == 1 else documents)
    else:
        for folder, inspection in found.items():
            _show(folder, inspection, asked)
    if not all(found.values()):
        context.exit(FAILED)


def _show(folder: Path, found: Inspection, asked: Mapping[Guarantee, float]) -> None:
    from rich.text import Text

    from graphveil.cli.terminal import console
    from graphveil.risk.guarantees import Guarantee

    out = console()
    if found.vertices is not None and found.edges is not None:
        out.print(f"{folder}: {size(found.vertices, found.edges)}", style="bold")
    for each in found.guarantees:
        if each.promised is not None:
            guarantee = Guarantee(each.guarantee)
            achieved = "any" if each.achieved is None else guarantee.level(each.achieved)
            out.print(f"{guarantee}: {guarantee.level(each.promised)} guaranteed, {achieved} achieved")
    for each in found.guarantees:  # what is asked for and fails is among the problems
        guarantee = Guarantee(each.guarantee)
        wanted = asked.get(guarantee)
        if wanted is not None and guarantee.kept(each.achieved, wanted):
            achieved = "any" if each.achieved is None else guarantee.level(each.achieved)
            words = f"{guarantee}, {guarantee.level(wanted)}, as asked for: {achieved} achieved"
            out.print(Text.assemble(("holds  ", "bold green"), words))
    for problem in found.problems:
        out.print(Text.assemble(("fails  ", "bold red"), problem))
    for text in found.notes:
        note(text)
    if found:
        more = ", and public and private part together give the input" if found.inside else ""
        out.print(Text.assemble(("holds  ", "bold green"), f"the graph is what the certificate says{more}"))
        note(f"not checked: {'; '.join(found.unchecked)}")
