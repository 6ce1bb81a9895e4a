"""Commands that write one graph into one file: ``graphveil convert`` and ``graphveil generate``."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from graphveil.cli.commands import command
from graphveil.cli.reading import Source, also_on_spark, reads_a_graph
from graphveil.cli.streams import note, place
from graphveil.cli.terminal import announce_compilation, stage
from graphveil.errors import PublicationError
from graphveil.formats.table import WritableFormat
from graphveil.words import size

if TYPE_CHECKING:
    from graphveil.formats.table import WritableFormat
    from graphveil.graph import Graph


def check_target(path: str, *, force: bool, source: str | None = None) -> None:
    """Refuse, before any work, to write over a file that is not to be replaced, and over the input in any case."""
    if not os.path.isfile(path):  # a pipe or a device has nothing to lose, and "-" is none
        return
    if source is not None and os.path.exists(source) and os.path.samefile(source, path):
        raise PublicationError(f"{path}: this is the input, which is not replaced. Name another file.")
    if not force:
        raise PublicationError(f"{path}: it exists already. Name another file, or replace it (--force).")


def write_graph(
    graph: Graph, path: str, file_format: WritableFormat | None, people: str | None = None
) -> None:
    from graphveil import write

    with stage(f"Writing {path}"):
        write(graph, path, format=file_format, people=people)
    note(f"wrote {place(path)}: {size(graph.n, graph.m)}")


@command("generate")
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


@command("convert")
@reads_a_graph(format_option="--from")
@click.argument("out", type=click.Path())
@also_on_spark("convert")
def convert(
    source: Source,
    out: str,
    to: WritableFormat | None,
    keep_vertex_attributes: tuple[str, ...],
    people: str | None,
    force: bool,
) -> None:
    """Write a graph in another format.

    Nothing is anonymized: the real ids stay. Attributes are dropped unless you keep them by name.

    \b
    Examples:
      graphveil convert friends.csv friends.graphml
      graphveil convert mails.csv.gz mails.parquet --columns from,to
      graphveil convert friends.graphml friends.gml --keep-vertex-attribute age
      graphveil convert friends.graphml friends.csv --keep-vertex-attribute age --people people.csv
      graphveil convert calls.csv calls.graphml --keep-edge-attribute calls,date=first
    """
    for path in filter(None, (out, people)):
        check_target(path, force=force, source=source.file)
    source = replace(source, options={**source.options, "keep_vertex_attributes": keep_vertex_attributes})
    write_graph(source.read_with_cautions(), out, to, people)
