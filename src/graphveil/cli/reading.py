"""Options of every command that reads a graph, and what is reported about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli.streams import note
from graphveil.cli.terminal import announce_compilation, stage
from graphveil.formats.table import FORMATS
from graphveil.words import plain

if TYPE_CHECKING:
    from graphveil.graph import Graph

__all__ = ["Source", "attribute_names", "names_or_numbers", "reads_a_graph"]

DEFAULTS = {  # None for the others
    "quotes": True,
    "undirected": False,
    "strict": False,
    "project": False,
    "skip_bad_rows": False,
}

Command = Callable[..., None]


@dataclass(frozen=True)
class Source:
    """A file with a graph, and how to read it."""

    file: str
    options: Mapping[str, Any]  # of `graphveil.read`

    def read(self) -> Graph:
        """Read the graph; report on standard error which columns were taken and what was merged or dropped."""
        from graphveil import read

        announce_compilation()
        with stage(f"Reading {plain(self.file)}"):
            graph = read(self.file, **self.options)
        if _columns_were_chosen(graph):
            note(str(graph.reading))
        for line in graph.reading.notes if graph.reading is not None else ():
            note(line)
        if graph.cleaning:
            note(str(graph.cleaning))
        return graph

    def read_with_cautions(self) -> Graph:
        """Read the graph, and warn of what does not look like friendships."""
        from graphveil import cautions

        graph = self.read()
        graph.cautioned = True
        for caution in cautions(graph):
            note(f"graphveil: warning: {caution}")
        return graph

    def arguments(self, format_option: str) -> list[str]:
        """The options of reading as they are typed, those left out that are the defaults."""
        given = {name: value for name, value in self.options.items() if value != DEFAULTS.get(name)}
        words = []
        for name, value in given.items():
            option = format_option if name == "format" else f"--{name.replace('_', '-')}"
            if isinstance(value, bool):
                words.append(option if value else f"--no-{name}")
            else:
                words += [option, value if isinstance(value, str) else ",".join(map(str, value))]
        return words


def _columns_were_chosen(graph: Graph) -> bool:
    """Whether the file has columns with names, or more than two."""
    columns = graph.reading.columns if graph.reading is not None else None
    return columns is not None and (
        columns != ("column 1", "column 2") or bool(graph.cleaning.edge_attributes)
    )


def reads_a_graph(*, format_option: str = "--format", metavar: str = "FILE") -> Callable[[Command], Command]:
    """Give a command the argument FILE and the options of reading; it gets them as a `Source`, before all else.

    A command that writes has a ``--format`` of its own and names the one of FILE otherwise.
    """
    file = click.argument("file", metavar=metavar, type=click.Path())
    options = {
        "format": click.option(
            format_option,
            "--input-format",
            "format",
            type=click.Choice(tuple(FORMATS)),
            help="Format of FILE.  [default: detected]",
        ),
        "delimiter": click.option(
            "--delimiter",
            metavar="TEXT",
            callback=_tab,
            help="Character between columns.  [default: detected]",
        ),
        "columns": click.option(
            "--columns",
            metavar="A,B",
            callback=names_or_numbers,
            help="The two columns with the ids, by name or number from 0.  [default: by their names]",
        ),
        "header": click.option(
            "--header/--no-header",
            default=None,
            help="Whether the first line names the columns.  [default: detected]",
        ),
        "comments": click.option(
            "--comments",
            metavar="CHARS",
            help="Characters that begin a comment line.  [default: #%, but a comment like a row is refused]",
        ),
        "quotes": click.option(
            "--quotes/--no-quotes", default=True, help="Whether names may be in quotation marks."
        ),
        "encoding": click.option(
            "--encoding", metavar="NAME", help="Encoding of FILE, such as latin1.  [default: UTF-8 or UTF-16]"
        ),
        "vertices": click.option(
            "--vertices",
            metavar="PEOPLE",
            type=click.Path(),
            help="Read the attributes of people from this second file (CSV).",
        ),
        "project": click.option(
            "--project",
            is_flag=True,
            help="Take FILE as memberships and join the people of the first column who share one.",
        ),
        "max_memory": click.option(
            "--max-memory",
            metavar="SIZE",
            help="Memory that FILE may claim by compression or declarations, such as 8GB.",
        ),
        "undirected": click.option("--undirected", is_flag=True, help="Take a directed graph as undirected."),
        "skip_bad_rows": click.option(
            "--skip-bad-rows",
            is_flag=True,
            help="Leave out rows without the first id or with too few columns.",
        ),
        "strict": click.option(
            "--strict", is_flag=True, help="Refuse a file in which anything would be merged or dropped."
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


def attribute_names(_: click.Context, __: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Names of attributes, given one by one or with commas between."""
    return tuple(part.strip() for name in names for part in name.split(",") if part.strip())


def names_or_numbers(_: click.Context, __: click.Parameter, text: str | None) -> list[str | int] | None:
    """Columns, as in ``from,to`` or ``0,3``."""
    if text is None:
        return None
    return [int(name) if name.isdecimal() else name for name in (part.strip() for part in text.split(","))]
