"""Ctrl-C that ends a command and never crashes it.

When compiled code returns an array, Numba calls a Python function of its own, `_numba_unpickle`, and does not expect it
to fail. Ctrl-C during a long kernel raises KeyboardInterrupt exactly there, and the process dies of a segmentation fault
(or goes on as if nothing had happened). So an interruption that arrives at that moment is put off by a few
milliseconds, until the result has been handed over.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer, current_thread, main_thread
from types import FrameType

__all__ = ["safe_interrupts"]

MOMENT = 0.005  # seconds


@contextmanager
def safe_interrupts() -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt in this block, but not where Numba cannot bear it."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or current_thread() is not main_thread():
        yield  # somebody else has decided what Ctrl-C does
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _interrupt(number: int, frame: FrameType | None) -> None:
    while frame is not None and frame.f_code.co_name != "_numba_unpickle":
        frame = frame.f_back
    if frame is None:
        raise KeyboardInterrupt
    again = Timer(MOMENT, os.kill, (os.getpid(), number))
    again.daemon = True
    again.start()
