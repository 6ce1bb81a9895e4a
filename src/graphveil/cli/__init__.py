"""The command line: what is typed comes in, an exit code goes out, and an error is one line.

Click reads the arguments and writes the help pages, as plain text. Everything that works or draws is loaded by the
command that needs it, so that ``--help`` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphveil.errors import GraphveilError

if TYPE_CHECKING:
    from graphveil.stopping import Stop

__all__ = ["main"]

FINE, FAILED, WRONG, BUG, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 70, 130, 141
COMPLETION = "_GRAPHVEIL_COMPLETE"  # a shell that completes a command line asks through this variable


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Without arguments it is the one that was typed, and the process is expected to end with it.

    >>> main(["--version"])  # doctest: +ELLIPSIS
    graphveil ...
    0
    """
    try:
        from graphveil.stopping import terminable

        with terminable() as termination:
            code = _guarded(arguments, termination)
    except KeyboardInterrupt:  # before or after the work, where nobody listens
        return INTERRUPTED
    return 128 + termination.signal if termination.requested and code == INTERRUPTED else code


def _guarded(arguments: Sequence[str] | None, termination: Stop) -> int:
    """Run one command; whatever ends it becomes one line and an exit code."""
    from graphveil.cli import streams
    from graphveil.stopping import Stop, stoppable

    code = None
    try:
        streams.prepare()
        with stoppable(termination, ctrl_c=Stop(streams.say_stopping), to_the_end=arguments is None):
            code = _run(sys.argv[1:] if arguments is None else arguments)
            sys.stdout.flush()
        return code
    except GraphveilError as error:
        return streams.complain(f"error: {error}", WRONG)
    except KeyboardInterrupt:
        if code == INTERRUPTED:
            return code  # the command has said so itself
        what = "nothing was written" if code is None else "when all was done already"
        return streams.complain(f"interrupted, {what}", INTERRUPTED)
    # Rich turns a broken pipe into the latter; nothing else leaves that way
    except (BrokenPipeError, SystemExit):
        streams.abandon_output()
        return BROKEN_PIPE
    except MemoryError:
        return streams.complain("error: this graph needs more memory than this machine gives", WRONG)
    except OSError as error:
        streams.abandon_output()
        return streams.complain(f"error: {error.filename or 'output'}: {error.strerror or error}", WRONG)
    except Exception:
        return streams.confess(BUG)


def _run(arguments: Sequence[str]) -> int:
    import click

    from graphveil.cli.app import graphveil

    if question := os.environ.get(COMPLETION):
        from click.shell_completion import shell_complete

        return shell_complete(graphveil, {}, "graphveil", COMPLETION, question)
    try:
        with graphveil.make_context("graphveil", list(arguments)) as context:
            graphveil.invoke(context)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.UsageError as error:
        words = " ".join(error.format_message().split())
        words = words if words.endswith(("?", ".")) else f"{words}."
        command = error.ctx.command_path if error.ctx else "graphveil"
        raise GraphveilError(f"{words} See: {command} --help") from None
    return FINE
