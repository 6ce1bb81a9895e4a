"""Commands on a terminal, as a person would run them."""

from __future__ import annotations

import os
import pty
import subprocess


def on_a_terminal(
    command: list[object], *, output: bool = False, exit_code: int = 0, **environment: str
) -> bytes:
    """What a terminal of 80 columns gets from a command: its standard error, and its output if asked for."""
    terminal, inside = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        command,
        stdout=inside if output else subprocess.DEVNULL,
        stderr=inside,
        env={**variables, "TERM": "xterm-256color", "COLUMNS": "80", **environment},
    )
    os.close(inside)
    shown = b""
    try:
        while part := os.read(terminal, 65536):
            shown += part
    except OSError:  # how Linux says that nobody writes any more
        pass
    assert process.wait() == exit_code
    os.close(terminal)
    return shown
