"""Commands on a terminal, as a person would run them."""

from __future__ import annotations

import os
import pty
import subprocess


def on_a_terminal(command: list[object]) -> bytes:
    """What a command shows on standard error if that is a terminal."""
    terminal, inside = pty.openpty()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=inside, env={**os.environ, "TERM": "xterm"}
    )
    os.close(inside)
    shown = b""
    try:
        while part := os.read(terminal, 4096):
            shown += part
    except OSError:  # how Linux says that nobody writes any more
        pass
    assert process.wait() == 0
    os.close(terminal)
    return shown
