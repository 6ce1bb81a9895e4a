"""Ctrl-C that ends a command or a call and never crashes the process.

When compiled code returns an array, Numba calls a Python function of its own, `_numba_unpickle`, and does not expect
it to fail. Ctrl-C during a long kernel would raise KeyboardInterrupt exactly there, and the process would die of a
segmentation fault or go on as if nothing had happened. It is the same with the functions that llvmlite is called back
with when a kernel is loaded. So an interruption that arrives at such a moment waits until the caller goes on, which a
trace function on its frame tells.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

__all__ = ["safe_interrupts"]

MUST_NOT_FAIL = {"_numba_unpickle", "_raw_object_cache_getbuffer", "_raw_object_cache_notify"}


@contextmanager
def safe_interrupts(*, to_the_end: bool = False) -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt in this block, but not where Numba cannot bear it.

    With ``to_the_end`` nothing but the end of the process follows, in which Python would die of the signal although
    the work is done. So Ctrl-C does nothing from then on.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or current_thread() is not main_thread():
        yield  # somebody else has decided what Ctrl-C does
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN if to_the_end else before)


def _interrupt(_: int, frame: FrameType | None) -> None:
    while frame is not None and frame.f_code.co_name not in MUST_NOT_FAIL:
        frame = frame.f_back
    if frame is None or frame.f_back is None:
        raise KeyboardInterrupt
    frame.f_back.f_trace = _raise
    sys.settrace(lambda *_: None)  # without a global trace function nobody asks the one of the frame


def _raise(*_: Any) -> None:
    sys.settrace(None)
    raise KeyboardInterrupt
