"""Standard output and standard error: safe to write to, one line for each thing to say.

Labels and file names come from strangers, so whatever could steer a terminal (control characters, marks that turn
the direction of writing) is shown as an escape such as ``\\x1b``.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from contextlib import suppress
from io import TextIOWrapper
from typing import Any

from graphveil.cli.spelling import as_typed
from graphveil.words import plain

LONGEST_WORD, LONGEST_LINE = 300, 2_000


def prepare() -> None:
    """Never fail on a stream that is closed or a character that it cannot show; one line for a warning."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    warnings.simplefilter("default", UserWarning)  # said, whatever PYTHONWARNINGS holds
    warnings.showwarning = _show_warning


def note(text: str) -> None:
    """One line beside the result, on standard error."""
    print(_cut(plain(as_typed(text))), file=sys.stderr, flush=True)


def _cut(text: str) -> str:
    """A text with what is too long in it cut in the middle: a name of 10,000 letters hides what is to be said.

    >>> _cut("no " + "x" * 900 + " here") == "no " + "x" * 149 + "…" + "x" * 150 + " here"
    True
    """
    words = re.sub(rf"\S{{{LONGEST_WORD + 1},}}", lambda word: _middle(word[0], LONGEST_WORD), text)
    return _middle(words, LONGEST_LINE) if len(words) > LONGEST_LINE else words


def _middle(text: str, longest: int) -> str:
    half = longest // 2
    return f"{text[: half - 1]}…{text[-half:]}"


def place(path: str) -> str:
    """Where something was written to, in words."""
    return "to the standard output" if path == "-" else path


def complain(text: str, code: int) -> int:
    """Say what went wrong and hand the exit code back."""
    note(f"graphveil: {text}")
    return code


def confess(code: int) -> int:
    """An exception that nobody foresaw is shown whole, with a word on where it belongs."""
    import traceback

    traceback.print_exc()
    return complain(
        "this is a bug in graphveil and not your fault. Please report it with the lines above and the output of "
        "`graphveil --version`; read them first, they may name people of your graph.",
        code,
    )


def say_stopping() -> None:
    """Answer Ctrl-C at once, while the work goes on to its next step; safe in a signal handler.

    On a terminal the line takes the place of the live one, which is drawn again below it.
    """
    words = "stopping … (Ctrl-C again: at once)\n"
    with suppress(OSError, ValueError):
        terminal = sys.stderr.fileno()
        line = f"\r\x1b[2K{words}" if os.isatty(terminal) else words
        os.write(terminal, line.encode(sys.stderr.encoding, "replace"))


def abandon_output() -> None:
    """Nobody reads the output any more: throw away what is left, so that Python's last flush finds no broken pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # standard output is closed, or no file at all
        pass
    finally:
        os.close(nowhere)


_said: set[str] = set()


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    if str(message) not in _said:
        _said.add(str(message))
        note(f"graphveil: warning: {message}")
