"""Commands of Click, made from the rows of `graphveil.cli.options`.

``--help`` lists the options of a command under their groups; ``--help-all`` has those of reading and of Spark too. With
``--config`` a command takes options from a file.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click

from graphveil.cli.option import RARE, Option
from graphveil.cli.options import own

EXIT_CODES = """\b
Exit codes: 0 fine, 1 the graph fails the check,
2 usage or input error, 130 interrupted."""

Function = Callable[..., None]


def command(name: str) -> Callable[[Function], click.Command]:
    """Make a function the command of that name, with its options from the table."""
    return click.command(name, cls=_Command, epilog=EXIT_CODES)


def as_decorator(row: Option) -> Callable[[Function], Function]:
    """What gives a function one option."""
    given, how = _declared(row)
    return click.option(*given, cls=_Option, **how)


def _declared(row: Option) -> tuple[list[str], dict[str, Any]]:
    """What Click wants to know of an option."""
    more: dict[str, Any] = {"multiple": True, "callback": _joined} if row.kind.several else {}
    if row.name == "config":
        more = {"callback": _take_config, "is_eager": True, "expose_value": False}
    if row.kind.lazy:
        more = {"shell_complete": _completions}
    if row.kind.form == "yes or no":
        more["default"] = row.default and row.parse(row.default)
    elif row.default is not None:
        more["default"] = [row.default] if row.kind.several else row.default
    flags = [row.flags] if "/" in row.flags else row.flags.split()
    return [*flags, row.name], {"row": row, "required": row.required, **more}


def _type(row: Option) -> Any:
    """What Click makes a value with: the row's own parser, if it has no better one."""
    if row.kind.form in ("tick", "yes or no"):
        return click.BOOL
    if row.kind.form == "path":
        return click.Path()
    if row.kind.choices and not row.kind.lazy:
        return click.Choice(tuple(row.kind.choices()))
    return str if row.kind.several else row.parse


def _completions(_: click.Context, option: click.Parameter, start: str) -> list[str]:
    assert isinstance(option, _Option)
    assert option.row.kind.choices
    return [name for name in option.row.kind.choices() if name.startswith(start)]


def _joined(_: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> tuple[Any, ...]:
    """The values of ``-k 5,25 -k 50`` together."""
    assert isinstance(option, _Option)
    if option.row.kind.metavar == "ID":  # of a person, and may have a comma
        return texts
    found: tuple[Any, ...] = option.row.parse(",".join(texts)) if texts else ()
    return found


def _take_config(context: click.Context, _: click.Parameter, path: str | None) -> None:
    """Let a file of options speak before the defaults do."""
    if path:
        from graphveil.cli.config import options_in

        rows = {each.row.name: each.row for each in context.command.params if isinstance(each, _Option)}
        context.default_map = options_in(path, rows)


class _Option(click.Option):
    """An option that knows its row."""

    def __init__(self, given: Any, *, row: Option, **how: Any) -> None:
        if row.kind.form == "tick":
            how["is_flag"] = True
        super().__init__(given, metavar=row.kind.metavar, type=_type(row), **how)
        self.row = row

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """With default and range, which Click would write in its own way."""
        self.help = self.row.in_words()
        return super().get_help_record(ctx)


class _Command(click.Command):
    """Has the options of its rows, made when they are needed, and lists them in groups."""

    _complete = False

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if not self._complete:
            made = [_Option(given, **how) for given, how in map(_declared, own(self.name or ""))]
            self.params, self._complete = [*made, *self.params], True
        found = super().get_params(ctx)
        return [*found, _HELP_ALL] if any(_group(each) in RARE for each in found) else found

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for each in self.get_params(ctx):
            if isinstance(each, click.Option) and (record := each.get_help_record(ctx)):
                groups.setdefault(_group(each), []).append(record)
        for heading, records in groups.items():
            if heading not in RARE or ctx.meta.get(_WHOLE):
                with formatter.section(heading):
                    formatter.write_dl(records)


_WHOLE = "graphveil.whole_help"


def _group(parameter: click.Parameter) -> str:
    return parameter.row.group if isinstance(parameter, _Option) else "Options"


def whole_help(context: click.Context) -> str:
    """The help page of a command with the options that ``--help`` leaves out."""
    context.meta[_WHOLE] = True
    return context.get_help()


def _show_all(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        print(whole_help(context))
        context.exit()


_HELP_ALL = click.Option(
    ["--help-all"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_all,
    help="Also show the options for reading FILE and for Spark.",
)


def print_json(document: Any) -> None:
    """For machines, on standard output."""
    print(json.dumps(document, indent=2))


def was_given(name: str) -> bool:
    """Whether the running command got an option of that name, typed or from a file."""
    source = click.get_current_context().get_parameter_source(name)
    return source is not click.core.ParameterSource.DEFAULT


def given_options() -> dict[str, Any]:
    """What the running command got, by names of arguments, without defaults."""
    return {name: value for name, value in click.get_current_context().params.items() if was_given(name)}
