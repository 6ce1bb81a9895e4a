"""``graphveil restore``: put your ids back into results."""

from __future__ import annotations

import os
from pathlib import Path

import click

from graphveil.cli.commands import command
from graphveil.cli.streams import note, place
from graphveil.cli.terminal import stage
from graphveil.errors import InputError
from graphveil.words import counted, plain


@command("restore")
@click.argument("private", type=click.Path())
@click.argument("results", type=click.Path())
def restore(
    private: str,
    results: str,
    columns: list[str | int] | None,
    delimiter: str | None,
    header: bool | None,
    exact: bool,
    output: str | None,
    graph: str | None,
) -> None:
    """Put your ids back into results.

    RESULTS is a CSV file with results about the published graph. Its pseudonyms become the ids of your input. Dummy
    people, whom graphveil added, become "(new vertex 17)". Cells that a spreadsheet would take for a formula get an
    apostrophe in front, unless --exact. Nothing is overwritten.

    \b
    Examples:
      graphveil restore out/private ranks.csv
      graphveil restore out/private ranks.csv --graph graph.txt
      graphveil restore out/private pairs.tsv --columns from,to -o pairs-by-id.tsv
    """
    from graphveil.publication import restore

    for path in (private, results):
        if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path) or Path(path).is_fifo()):
            raise InputError(path, "this is a device, not a file", remedy="Check the path.")
    stem, extension = os.path.splitext(results)
    output = output or f"{stem}.restored{extension}"
    with stage(f"Restoring {results}"):
        restored = restore(
            private,
            results,
            output,
            columns=columns,
            delimiter=delimiter,
            header=header,
            exact=exact,
            graph=graph,
        )
    new = (
        f", of them {counted(restored.new_vertices, 'new vertex', 'new vertices')}"
        if restored.new_vertices
        else ""
    )
    first = (
        f"; the first row was taken for {'a header' if restored.header else 'data'}" if header is None else ""
    )
    where = " and ".join(plain(name, 40) or "(no name)" for name in restored.columns)
    found = f"; pseudonyms were taken from the column {where}" if columns is None else ""
    sure = "" if graph else ". Pseudonyms do not tell their publication; to be sure, use --graph"
    note(f"wrote {place(output)}: {counted(restored.rows, 'row')}{new}{first}{found}")
    note(f"the names are those of {place(private)}: {counted(restored.people, 'person', 'people')}{sure}")
