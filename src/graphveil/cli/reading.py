"""The options of every command that reads a graph, and what is said about the reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli.streams import note
from graphveil.cli.terminal import announce_compilation, stage
from graphveil.words import plain

if TYPE_CHECKING:
    from graphveil.graph import Graph

__all__ = ["FORMATS", "Source", "names_or_numbers", "reads_a_graph"]

DEFAULTS = {"comments": "#%", "quotes": True, "undirected": False, "strict": False}  # None for the others
FORMATS = (
    "edgelist",
    "csv",
    "tsv",
    "parquet",
    "graphml",
    "gml",
    "pajek",
    "mtx",
)  # those of `graphveil.formats`

Command = Callable[..., None]


@dataclass(frozen=True)
class Source:
    """A file with a graph, and how to read it."""

    file: str
    options: Mapping[str, Any]  # of `graphveil.read`

    def read(self) -> Graph:
        """Read the graph; what was merged or dropped is told on standard error."""
        from graphveil import read

        announce_compilation()
        with stage(f"Reading {plain(self.file)}"):
            graph = read(self.file, **self.options)
        if graph.cleaning:
            note(str(graph.cleaning))
        return graph

    def arguments(self, format_option: str) -> list[str]:
        """The options of reading as they are typed, those left out that are the defaults."""
        given = {name: value for name, value in self.options.items() if value != DEFAULTS.get(name)}
        words = []
        for name, value in given.items():
            option = format_option if name == "format" else f"--{name}"
            if isinstance(value, bool):
                words.append(option if value else f"--no-{name}")
            else:
                words += [option, value if isinstance(value, str) else ",".join(map(str, value))]
        return words


def reads_a_graph(*, format_option: str = "--format", metavar: str = "FILE") -> Callable[[Command], Command]:
    """Give a command the argument FILE and the options of reading; it gets them as a `Source`, before all else.

    A command that writes has a ``--format`` of its own and names the one of FILE otherwise.
    """
    file = click.argument("file", metavar=metavar, type=click.Path())
    options = {
        "format": click.option(
            format_option,
            "format",
            type=click.Choice(FORMATS),
            help="Format of FILE, if it is not plain from the file.",
        ),
        "delimiter": click.option(
            "--delimiter",
            metavar="TEXT",
            callback=_tab,
            help="The character between columns; found out by default.",
        ),
        "columns": click.option(
            "--columns",
            metavar="A,B",
            callback=names_or_numbers,
            help="The two ends of an edge, by name or number from 0.",
        ),
        "header": click.option(
            "--header/--no-header",
            default=None,
            help="Whether the first line names columns; found out by default.",
        ),
        "comments": click.option(
            "--comments",
            metavar="CHARS",
            default=DEFAULTS["comments"],
            show_default=True,
            help="What a comment line begins with.",
        ),
        "quotes": click.option(
            "--quotes/--no-quotes", default=True, help="Whether names may stand in quotes."
        ),
        "undirected": click.option("--undirected", is_flag=True, help="Take a directed graph as undirected."),
        "strict": click.option(
            "--strict", is_flag=True, help="Refuse to read where anything is merged or dropped."
        ),
    }

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_source(file: str, **given: Any) -> None:
            command(Source(file, {name: given.pop(name) for name in options}), **given)

        for parameter in reversed((file, *options.values())):
            parameter(with_source)
        return with_source

    return decorate


def _tab(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    r"""A tab is hard to type, so ``\t`` stands for one."""
    return "\t" if text == r"\t" else text


def names_or_numbers(_: click.Context, __: click.Parameter, text: str | None) -> list[str | int] | None:
    """Columns, as in ``from,to`` or ``0,3``."""
    if text is None:
        return None
    return [int(name) if name.isdecimal() else name for name in (part.strip() for part in text.split(","))]
