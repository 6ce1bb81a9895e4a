"""``graphveil statement``: one page on a publication for a data-protection officer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphveil.cli.commands import command
from graphveil.cli.streams import note, place
from graphveil.cli.writing import check_target

if TYPE_CHECKING:
    from graphveil.publication.stating import Language


@command("statement")
@click.argument("out", type=click.Path())
def statement(out: str, language: Language, format: str, output: str | None, force: bool) -> None:
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
    from graphveil.formats.atomic import write_whole

    if output is not None:
        check_target(output, force=force)
    found = statement(out, language=language)
    text = found.html() if format == "html" else found.markdown()
    if output is None:
        print(text, end="")
        return
    write_whole(output, [text.encode()], private=True)
    note(f"wrote {place(output)}: for whoever decides, not for everybody")
