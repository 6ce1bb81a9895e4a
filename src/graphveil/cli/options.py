"""Options that several commands have."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from graphveil.cli.reading import Command
from graphveil.parameters import whole_numbers

__all__ = ["EXIT_CODES", "crowds", "json_option", "print_json"]

EXIT_CODES = """\b
Exit codes: 0 fine, 1 the graph fails the check,
2 usage or input error, 130 interrupted."""


def _whole_numbers(
    least: int, _: click.Context, option: click.Parameter, texts: tuple[str, ...]
) -> tuple[int, ...]:
    """The numbers in ``-k 5,25 -k 50``, ascending."""
    parts = [part.strip() for text in texts for part in text.split(",")]
    name = option.opts[0].lstrip("-")
    return whole_numbers(name, [_number(part) for part in parts], least=least) if parts else ()


def _number(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:
        return text


def crowds(
    *names: str, help: str, default: str | None = None, least: int = 1
) -> Callable[[Command], Command]:
    """An option that takes one or several k of at least so many."""
    return click.option(
        *names,
        multiple=True,
        metavar="K",
        default=[default] if default else None,
        callback=partial(_whole_numbers, least),
        help=f"{help}  [default: {default}]" if default else help,
    )


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON only.")


def print_json(document: Any) -> None:
    """For machines, on standard output."""
    print(json.dumps(document, indent=2))
