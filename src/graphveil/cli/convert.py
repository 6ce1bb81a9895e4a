"""``graphveil convert``: write a graph in another format."""

from __future__ import annotations

from dataclasses import replace

import click

from graphveil.cli.engine import also_on_spark
from graphveil.cli.options import EXIT_CODES
from graphveil.cli.reading import Source, attribute_names, reads_a_graph
from graphveil.cli.writing import check_target, force_option, write_graph
from graphveil.formats.table import WRITABLE, WritableFormat

__all__ = ["convert"]


@click.command(epilog=EXIT_CODES)
@click.option(
    "--to",
    "--format",
    "--output-format",
    "to",
    type=click.Choice(tuple(WRITABLE)),
    help="Format of OUT.  [default: by its name]",
)
@click.option(
    "--keep-vertex-attribute",
    "keep",
    metavar="NAMES",
    multiple=True,
    callback=attribute_names,
    help="Write these attributes of people too (a,b), in GraphML or GML.",
)
@force_option
@reads_a_graph(format_option="--from")
@click.argument("out", type=click.Path())
@also_on_spark("convert")
def convert(source: Source, out: str, to: WritableFormat | None, keep: tuple[str, ...], force: bool) -> None:
    """Write a graph in another format.

    Nothing is anonymized: the real ids stay. Attributes are dropped unless you keep them by name.

    \b
    Examples:
      graphveil convert friends.csv friends.graphml
      graphveil convert mails.csv.gz mails.parquet --columns from,to
      graphveil convert friends.graphml friends.gml --keep-vertex-attribute age
    """
    check_target(out, force=force, source=source.file)
    source = replace(source, options={**source.options, "keep_vertex_attributes": keep})
    write_graph(source.read_with_cautions(), out, to)
