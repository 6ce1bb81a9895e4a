"""What can be done with a published folder: ``graphveil verify OUT`` and ``graphveil restore``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphveil.cli import FAILED
from graphveil.cli.options import EXIT_CODES, print_json
from graphveil.cli.reading import Source, names_or_numbers
from graphveil.cli.streams import note, place
from graphveil.cli.terminal import stage
from graphveil.words import counted, size

if TYPE_CHECKING:
    from graphveil.publish import Inspection

__all__ = ["restore", "verify_folder"]


def verify_folder(
    context: click.Context,
    source: Source,
    original: str | None,
    k: Sequence[int],
    degree_k: Sequence[int],
    *,
    as_json: bool,
) -> None:
    """Check one publication, or the several of a folder with one for each k."""
    from graphveil.publish import check, publications

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


@click.command(epilog=EXIT_CODES)
@click.option(
    "--columns",
    metavar="A,B",
    default="0",
    show_default=True,
    callback=names_or_numbers,
    help="Those that hold pseudonyms, by name or number from 0.",
)
@click.option(
    "--delimiter",
    metavar="TEXT",
    help=r"The character between columns, \t for a tab; a comma, in .tsv files a tab.",
)
@click.option(
    "--header/--no-header", default=None, help="Whether the first row names columns; found out by default."
)
@click.option("--exact", is_flag=True, help="Write ids as they are, also those that look like a formula.")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(), help="Where to; by default RESULTS.restored.csv."
)
@click.argument("private", type=click.Path())
@click.argument("results", type=click.Path())
def restore(
    private: str,
    results: str,
    columns: list[str | int],
    delimiter: str | None,
    header: bool | None,
    exact: bool,
    output: str | None,
) -> None:
    """Put your ids back into results.

    RESULTS is a CSV file that somebody has computed on the published graph. Its pseudonyms become the ids of your
    input; people who are not in your input, because graphveil added them, become "(new vertex 17)". Ids that a
    spreadsheet would take for a formula get an apostrophe in front, unless --exact. Nothing is overwritten.

    \b
    Examples:
      graphveil restore out/private ranks.csv
      graphveil restore out/private pairs.tsv --columns from,to -o pairs-by-id.tsv
    """
    from graphveil.publish import restore

    stem, extension = os.path.splitext(results)
    output = output or f"{stem}.restored{extension}"
    with stage(f"Restoring {results}"):
        restored = restore(
            private, results, output, columns=columns, delimiter=delimiter, header=header, exact=exact
        )
    new = (
        f", of them {counted(restored.new_vertices, 'new vertex', 'new vertices')}"
        if restored.new_vertices
        else ""
    )
    first = (
        f"; the first row was taken for {'a header' if restored.header else 'data'}" if header is None else ""
    )
    note(f"wrote {place(output)}: {counted(restored.rows, 'row')}{new}{first}")
