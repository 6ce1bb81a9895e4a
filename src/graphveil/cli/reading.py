"""Options of every command that reads a graph, and of the machine it runs on; what is reported about the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli.commands import as_decorator
from graphveil.cli.kinds import ENGINE, text, whole
from graphveil.cli.option import ON_SPARK, Option
from graphveil.cli.options import reading, under
from graphveil.cli.streams import note
from graphveil.cli.terminal import announce_compilation, stage
from graphveil.errors import ParameterError
from graphveil.words import plain

if TYPE_CHECKING:
    from graphveil.graph import Graph

DEFAULTS = {  # None for the others
    "quotes": True,
    "undirected": False,
    "strict": False,
    "project": False,
    "skip_bad_rows": False,
    "direction": "drop",
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

    def read_with_cautions(self, an_edge: int = 0) -> Graph:
        """Read the graph, and warn of what does not look like friendships.

        Before, warn where the work with so many bytes for an edge will not fit into the memory.
        """
        from graphveil import cautions
        from graphveil.formats.shortage import shortage

        if too_large := shortage(self.file, an_edge):
            note(f"graphveil: warning: {too_large}")
        graph = self.read()
        graph.cautioned = True
        for caution in cautions(graph):
            note(f"graphveil: warning: {caution}")
        return graph

    def arguments(self, format_option: str) -> list[str]:
        """The options of reading as they are typed, those left out that are the defaults."""
        given = {name: value for name, value in self.options.items() if value not in (DEFAULTS.get(name), ())}
        flags = {row.name: row.flag for row in reading(format_option)}
        words = []
        for name, value in given.items():
            option = flags.get(name, f"--{name.replace('_', '-')}")
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
    options = {row.name: as_decorator(row) for row in reading(format_option)}

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_source(file: str, **given: Any) -> None:
            command(Source(file, {name: given.pop(name) for name in options}), **given)

        for option in reversed(options.values()):
            option(with_source)
        return file(with_source)

    return decorate


SPARK = under(
    ON_SPARK,
    Option(
        "--engine",
        ENGINE,
        "Work on this machine, or on Apache Spark if the graph does not fit into one.",
        "local",
    ),
    Option("--master", text("URL"), "With Spark: the cluster.", otherwise="this machine"),
    Option("--remote", text("URL"), "With Spark: a Spark Connect server, as sc://host."),
    Option(
        "--parts",
        whole(1, 200, "P"),
        "With Spark: number of colours.",
        otherwise="by the size of the graph and the workers' memory",
    ),
    Option("--worker-memory", text("SIZE"), "With Spark: memory for one Python worker.", "2g"),
)


@dataclass(frozen=True)
class Engine:
    """Where and how Spark runs."""

    master: str | None
    remote: str | None
    parts: int | None
    worker_memory: str


def also_on_spark(work: str) -> Callable[[Command], Command]:
    """Give a command the option ``--engine spark``, which calls a function of `graphveil.cli.cluster` instead.

    Stands between the command and `reads_a_graph`. The function gets what the command gets, and an `Engine` first.
    """
    options = {row.name: as_decorator(row) for row in SPARK}

    def decorate(command: Command) -> Command:
        @wraps(command)
        def on_either(*places: Any, engine: str, **given: Any) -> None:
            how = {name: given.pop(name) for name in options if name != "engine"}
            if engine == "spark":
                chosen = Engine(**how)
                getattr(import_module("graphveil.cli.cluster"), work)(chosen, *places, **given)
                return
            for name in ("master", "remote", "parts"):
                if how[name] is not None:
                    raise ParameterError(f"--{name} goes with --engine spark.")
            command(*places, **given)

        for parameter in reversed(options.values()):
            parameter(on_either)
        return on_either

    return decorate
