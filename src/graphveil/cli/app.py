"""The commands. Each reads its arguments, calls one function of graphveil, and shows what came out."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from graphveil._version import __version__
from graphveil.cli import COMPLETION, FAILED, WRONG
from graphveil.cli.anonymize import anonymize
from graphveil.cli.compare import compare
from graphveil.cli.options import EXIT_CODES, crowds, json_option, print_json
from graphveil.cli.published import restore, verify_folder
from graphveil.cli.reading import FORMATS, Source, reads_a_graph
from graphveil.cli.reproduce import reproduce
from graphveil.cli.streams import note, place
from graphveil.cli.terminal import announce_compilation, stage
from graphveil.cli.utility import utility
from graphveil.errors import ParameterError, PublicationError
from graphveil.words import size

if TYPE_CHECKING:
    from graphveil.graph import Graph

__all__ = ["graphveil"]


force_option = click.option("--force", is_flag=True, help="Replace a file of that name.")


class InOrder(click.Group):
    """Lists its commands in the order in which they are written down here."""

    def list_commands(self, _: click.Context) -> list[str]:
        return list(self.commands)


@click.group(
    cls=InOrder,
    invoke_without_command=True,
    epilog=EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="graphveil %(version)s", help="Show the version and exit.")
@click.pass_context
def graphveil(context: click.Context) -> None:
    """Publish social graphs that withstand mutual friend attacks.

    Two friends can be found again in a graph without names by how many friends they have in common. graphveil says
    how exposed a graph is, changes it until it is not, and checks whether a published one keeps its promise.

    \b
    Start here:
      graphveil demo                 the story in a minute
      graphveil audit friends.csv    how exposed is my graph?
      graphveil anonymize friends.csv -k 25 -o out
    """
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        context.exit(WRONG)


@graphveil.command(epilog=EXIT_CODES)
@crowds("-k", default="5,25", help="Size of the crowd to hide in; several as -k 5,25 or -k 5 -k 25.")
@click.option(
    "--at-most", is_flag=True, help="Crowds of exactly K are too small as well, as in the paper's Table I."
)
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="How many of the most exposed to name.",
)
@json_option
@reads_a_graph()
def audit(source: Source, k: tuple[int, ...], at_most: bool, top: int, as_json: bool) -> None:
    """Say how exposed a graph is.

    For each of five adversaries, who know different things: how many friendships or people hide among fewer than
    K, how small the smallest crowd is, and how likely they are to be found.

    \b
    Examples:
      graphveil audit friends.csv
      graphveil audit friends.txt.gz -k 5,10,25
      graphveil audit mails.csv --columns from,to --json > audit.json
    """
    from graphveil import audit

    graph = source.read()
    with stage("Counting mutual friends"):
        found = audit(graph, k, at_most=at_most, top=top)
    if as_json:
        print_json(found.to_dict())
    else:
        from graphveil.cli import show

        show.audit(found)


graphveil.add_command(anonymize)


@graphveil.command(epilog=EXIT_CODES)
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
        verify_folder(context, source, original, k if asked else (), degree_k, as_json=as_json)
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


graphveil.add_command(restore)
graphveil.add_command(utility)
graphveil.add_command(compare)
graphveil.add_command(reproduce)


@graphveil.command(epilog=EXIT_CODES)
@click.option(
    "--to",
    "--format",
    "to",
    type=click.Choice(FORMATS),
    help="Format of OUT, if it is not plain from its name.",
)
@click.option(
    "--keep-vertex-attribute",
    "keep",
    metavar="NAME",
    multiple=True,
    help="Write this attribute of people too; GraphML and GML hold them.",
)
@force_option
@reads_a_graph(format_option="--from")
@click.argument("out", type=click.Path())
def convert(source: Source, out: str, to: str | None, keep: tuple[str, ...], force: bool) -> None:
    """Write a graph in another format.

    Nothing is anonymized: the labels stay. Attributes are dropped unless kept by name.

    \b
    Examples:
      graphveil convert friends.csv friends.graphml
      graphveil convert mails.csv.gz mails.parquet --columns from,to
      graphveil convert friends.graphml friends.gml --keep-vertex-attribute age
    """
    _check_target(out, force=force, source=source.file)
    _write(replace(source, options={**source.options, "keep_vertex_attributes": keep}).read(), out, to)


@graphveil.command(epilog=EXIT_CODES)
@click.option("--edges", metavar="N", default=1_000_000, show_default=True, help="How many friendships.")
@click.option("--seed", metavar="N", default=4, show_default=True, help="The same seed gives the same graph.")
@click.option("-o", "--output", metavar="FILE", required=True, type=click.Path(), help="Where to.")
@click.option(
    "--format",
    "to",
    type=click.Choice(FORMATS),
    metavar="NAME",
    help="Format of FILE, if its name does not say it.",
)
@force_option
def generate(edges: int, seed: int, output: str, to: str | None, force: bool) -> None:
    """Make up a graph that resembles a network of friends.

    A few people have very many friends, and a few friends very many in common. Nobody is alone.

    \b
    Examples:
      graphveil generate --edges 1000000 --seed 4 -o town.txt.gz
    """
    from graphveil import generate

    _check_target(output, force=force)
    announce_compilation()
    with stage(f"Generating {edges:,} friendships"):
        graph = generate(edges, seed)
    _write(graph, output, to)


@graphveil.command(epilog=EXIT_CODES)
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(),
    help="Keep what the demo publishes in this folder.",
)
def demo(output: str | None) -> None:
    """Tell the story of the mutual friend attack.

    Alice and Bob are found again by their four mutual friends; then a whole town is audited, anonymized, published and
    checked.
    """
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from graphveil.demo import tell

    announce_compilation()
    if output:
        tell(Path(output))
    else:
        with TemporaryDirectory() as folder:
            tell(Path(folder, "out"))
        note("Both folders are gone now; to keep them: graphveil demo -o FOLDER")


@graphveil.command(epilog=EXIT_CODES)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what teaches a shell to complete commands.

    \b
    Examples:
      graphveil completion bash >> ~/.bashrc
      graphveil completion zsh >> ~/.zshrc
      graphveil completion fish > ~/.config/fish/completions/graphveil.fish
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None
    print(script(graphveil, {}, "graphveil", COMPLETION).source())


def _check_target(path: str, *, force: bool, source: str | None = None) -> None:
    """Refuse, before any work, to write over a file that is not to be replaced, and over the input in any case."""
    if not os.path.isfile(path):  # a pipe or a device has nothing to lose, and "-" is none
        return
    if source is not None and os.path.exists(source) and os.path.samefile(source, path):
        raise PublicationError(f"{path}: this is the input, which is not replaced. Name another file.")
    if not force:
        raise PublicationError(f"{path}: it exists already. Name another file, or replace it (--force).")


def _write(graph: Graph, path: str, file_format: str | None) -> None:
    from graphveil import write

    with stage(f"Writing {path}"):
        write(graph, path, format=file_format)
    note(f"wrote {place(path)}: {size(graph.n, graph.m)}")
