"""``graphveil generate``: a graph that resembles a network of friends."""

from __future__ import annotations

import click

from graphveil.cli.options import EXIT_CODES
from graphveil.cli.terminal import announce_compilation, stage
from graphveil.cli.writing import check_target, force_option, write_graph
from graphveil.formats.table import WRITABLE, WritableFormat

__all__ = ["generate"]


@click.command(epilog=EXIT_CODES)
@click.option("--edges", metavar="N", default=1_000_000, show_default=True, help="Number of friendships.")
@click.option(
    "--seed",
    metavar="N",
    default=4,
    show_default=True,
    help="Random seed. The same seed gives the same graph.",
)
@click.option("-o", "--output", metavar="FILE", required=True, type=click.Path(), help="The file to write.")
@click.option(
    "--format",
    "to",
    type=click.Choice(tuple(WRITABLE)),
    metavar="NAME",
    help="Format of FILE.  [default: by its name]",
)
@force_option
def generate(edges: int, seed: int, output: str, to: WritableFormat | None, force: bool) -> None:
    """Generate a random graph that resembles a network of friends.

    A few people have very many friends, and a few friendships have very many mutual friends. Everybody has a friend.

    \b
    Examples:
      graphveil generate --edges 1000000 --seed 4 -o town.txt.gz
    """
    from graphveil import generate

    check_target(output, force=force)
    announce_compilation()
    with stage(f"Generating {edges:,} friendships"):
        graph = generate(edges, seed)
    write_graph(graph, output, to)
