"""``graphveil verify``: does a published graph keep its guarantee?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphveil.cli import FAILED
from graphveil.cli.options import EXIT_CODES, crowds, json_option, print_json
from graphveil.cli.reading import Source, reads_a_graph
from graphveil.cli.streams import note
from graphveil.cli.terminal import stage
from graphveil.errors import ParameterError
from graphveil.words import size

if TYPE_CHECKING:
    from graphveil.publication import Inspection

__all__ = ["verify"]


@click.command(epilog=EXIT_CODES)
@crowds(
    "-k",
    default="25",
    help="How many friendships must share each number of mutual friends; several as -k 5,25.",
)
@crowds("--degree-k", help="Check as well that this many people share each number of friends.")
@click.option(
    "--original",
    metavar="FILE",
    type=click.Path(),
    help="The input of a published folder: check its private part too.",
)
@json_option
@reads_a_graph()
@click.pass_context
def verify(
    context: click.Context,
    source: Source,
    k: tuple[int, ...],
    degree_k: tuple[int, ...],
    original: str | None,
    as_json: bool,
) -> None:
    """Check that a published graph keeps its promise.

    It is k-NMF anonymous if every number of mutual friends that occurs, occurs on at least K friendships. This is
    counted independently of everything else in graphveil. Exit code 0 only if it holds, for the largest K given.

    FILE may be a folder that graphveil has published. Then its certificate says which K it promises, and all that can
    be counted again is checked; with --original, that public and private part together give the input again.

    \b
    Examples:
      graphveil verify published.txt -k 25
      graphveil verify out
      graphveil verify out --original friends.csv
      graphveil verify published.graphml -k 25 --degree-k 10 --json
    """
    from graphveil import verify

    if os.path.isdir(source.file):
        asked = context.get_parameter_source("k") is not click.core.ParameterSource.DEFAULT
        _verify_folder(context, source, original, k if asked else (), degree_k, as_json=as_json)
        return
    if original is not None:
        raise ParameterError(f"--original is for published folders, and {source.file} is none.")
    graph = source.read()
    with stage("Counting afresh"):
        checked = verify(graph, max(k), max(degree_k, default=None))
    if as_json:
        print_json(checked.to_dict())
    else:
        from graphveil.cli import show

        show.verification(checked, k, degree_k)
    if not checked:
        context.exit(FAILED)


def _verify_folder(
    context: click.Context,
    source: Source,
    original: str | None,
    k: Sequence[int],
    degree_k: Sequence[int],
    *,
    as_json: bool,
) -> None:
    """Check one publication, or the several of a folder with one for each k."""
    from graphveil.publication import check, publications

    graph = None if original is None else replace(source, file=original).read()
    found = {}
    for folder in publications(source.file):
        with stage(f"Counting {folder} afresh"):
            found[folder] = check(
                folder, k=max(k, default=None), degree_k=max(degree_k, default=None), original=graph
            )
    if as_json:
        documents = [inspection.to_dict() for inspection in found.values()]
        print_json(documents[0] if len(documents) == 1 else documents)
    else:
        for folder, inspection in found.items():
            _show(folder, inspection)
    if not all(found.values()):
        context.exit(FAILED)


def _show(folder: Path, found: Inspection) -> None:
    from rich.text import Text

    from graphveil.cli.terminal import console

    out = console()
    if found.vertices is not None and found.edges is not None:
        out.print(f"{folder}: {size(found.vertices, found.edges)}", style="bold")
    for each in found.privacy:
        if each["promised"]:
            out.print(
                f"{each['model']}: k = {each['promised']:,} promised, {each['achieved'] or 'any'} achieved"
            )
    for problem in found.problems:
        out.print(Text.assemble(("fails  ", "bold red"), problem))
    for text in found.notes:
        note(text)
    if found:
        more = ", and public and private part together give the input" if found.inside else ""
        out.print(Text.assemble(("holds  ", "bold green"), f"the graph is what the certificate says{more}"))
        note(f"not checked: {'; '.join(found.unchecked)}")
