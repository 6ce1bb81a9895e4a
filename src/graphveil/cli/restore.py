"""Commands for the owner of a published folder: ``graphveil restore`` and ``graphveil statement``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli.commands import command
from graphveil.cli.streams import note, place
from graphveil.cli.terminal import stage
from graphveil.cli.writing import check_target
from graphveil.errors import InputError
from graphveil.words import counted, plain

if TYPE_CHECKING:
    from graphveil.publication.stating import Language, Page


@command("restore")
@click.argument("private", type=click.Path())
@click.argument("results", type=click.Path())
def restore(
    private: str,
    results: str,
    columns: list[str | int] | None,
    header: bool | None,
    output: str | None,
    graph: str | None,
    **how: Any,
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
    from graphveil.publication.restoring import restore

    for path in (private, results):
        if os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path) or Path(path).is_fifo()):
            raise InputError(path, "this is a device, not a file", remedy="Check the path.")
    stem, extension = os.path.splitext(results)
    output = output or f"{stem}.restored{extension}"
    with stage(f"Restoring {results}"):
        restored = restore(private, results, output, columns=columns, header=header, graph=graph, **how)
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


@command("statement")
@click.argument("out", type=click.Path())
def statement(out: str, language: Language, format: Page, output: str | None, force: bool) -> None:
    """State what was published, for whoever decides on it.

    OUT is a published folder with its private part. The statement says what was published, what is guaranteed and how
    that was checked, what was only reduced, what remains, and what a simulated attack found. It leaves room for the
    decision. It is not for everybody.

    \b
    Examples:
      graphveil statement out
      graphveil statement out --language de --format html -o stellungnahme.html
    """
    from graphveil import statement
    from graphveil.publication import save_statement

    if output is not None:
        check_target(output, force=force)
    found = statement(out, language=language)
    if output is None:
        print(found.html() if format == "html" else found.markdown(), end="")
        return
    save_statement(found, output, format=format, force=force)
    note(f"wrote {place(output)}: for whoever decides, not for everybody")
