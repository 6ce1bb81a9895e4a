"""``graphveil convert``: write a graph in another format."""

from __future__ import annotations

from dataclasses import replace

import click

from graphveil.cli.commands import command
from graphveil.cli.engine import also_on_spark
from graphveil.cli.reading import Source, reads_a_graph
from graphveil.cli.writing import check_target, write_graph
from graphveil.formats.table import WritableFormat


@command("convert")
@reads_a_graph(format_option="--from")
@click.argument("out", type=click.Path())
@also_on_spark("convert")
def convert(
    source: Source, out: str, to: WritableFormat | None, keep_vertex_attributes: tuple[str, ...], force: bool
) -> None:
    """Write a graph in another format.

    Nothing is anonymized: the real ids stay. Attributes are dropped unless you keep them by name.

    \b
    Examples:
      graphveil convert friends.csv friends.graphml
      graphveil convert mails.csv.gz mails.parquet --columns from,to
      graphveil convert friends.graphml friends.gml --keep-vertex-attribute age
    """
    check_target(out, force=force, source=source.file)
    source = replace(source, options={**source.options, "keep_vertex_attributes": keep_vertex_attributes})
    write_graph(source.read_with_cautions(), out, to)
