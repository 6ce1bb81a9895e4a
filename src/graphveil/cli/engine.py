"""The options that run a command on Apache Spark instead of this machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from typing import Any

from graphveil.cli.commands import as_decorator
from graphveil.cli.options import SPARK
from graphveil.cli.reading import Command
from graphveil.errors import ParameterError


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
