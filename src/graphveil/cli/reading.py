"""The options of every command that reads a graph, and what is said about the reading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli.streams import note
from graphveil.cli.terminal import stage

if TYPE_CHECKING:
    from graphveil.graph import Cleaning, Graph

__all__ = ["Source", "reads_a_graph"]

Command = Callable[..., None]


@dataclass(frozen=True)
class Source:
    """A file with a graph, and how to read it."""

    file: Path
    format: str | None
    delimiter: str | None
    columns: str | None
    header: bool | None
    undirected: bool
    strict: bool

    def read(self) -> Graph:
        """Read the graph; what was merged or dropped is told on standard error."""
        from graphveil import read

        with stage(f"Reading {self.file}"):
            graph = read(self.file)
        if graph.cleaning:
            note(in_words(graph.cleaning))
        return graph


def reads_a_graph(*, format_option: str = "--format") -> Callable[[Command], Command]:
    """Give a command the argument FILE and the options of reading; it gets them as a `Source`, before all else.

    A command that writes has a ``--format`` of its own and names the one of FILE otherwise.
    """
    parameters = (
        click.argument("file", type=click.Path(path_type=Path)),
        click.option(
            format_option, "format", metavar="NAME", help="Format of FILE, if it is not plain from the file."
        ),
        click.option(
            "--delimiter",
            metavar="TEXT",
            help="What stands between columns, if it is not plain from the file.",
        ),
        click.option(
            "--columns", metavar="A,B", help="The two columns that make an edge, by name or number from 1."
        ),
        click.option("--header/--no-header", default=None, help="Whether the first line names the columns."),
        click.option(
            "--undirected", is_flag=True, help="Take a graph that is declared directed as undirected."
        ),
        click.option(
            "--strict", is_flag=True, help="Refuse self-loops and repeated edges instead of dropping them."
        ),
    )

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_source(**given: Any) -> None:
            command(Source(**{field.name: given.pop(field.name) for field in fields(Source)}), **given)

        for parameter in reversed(parameters):
            parameter(with_source)
        return with_source

    return decorate


def in_words(cleaning: Cleaning) -> str:
    """What was done to make the graph simple.

    Examples
    --------
    >>> from graphveil import Cleaning
    >>> in_words(Cleaning(self_loops=1, reciprocal=214_078))
    'merged 214,078 reciprocal pairs, dropped 1 self-loop'
    """
    parts = (
        ("merged", cleaning.reciprocal, "reciprocal pair"),
        ("merged", cleaning.duplicates, "repeated edge"),
        ("dropped", cleaning.self_loops, "self-loop"),
    )
    return ", ".join(f"{did} {number:,} {what}{'s' * (number != 1)}" for did, number, what in parts if number)
