"""Ctrl-C that ends a command or a call, is never lost and never crashes the process.

Python code may run where nobody can bear an exception. When compiled code returns an array, Numba calls a Python
function of its own, `_numba_unpickle`, and does not expect it to fail: Ctrl-C during a long kernel would raise
KeyboardInterrupt exactly there, and the process would die of a segmentation fault or go on as if nothing had happened.
While it compiles a kernel or loads one from the disk, it has registries half filled, and a later compilation would fail
of them. And what is raised in a destructor is printed and forgotten.

So an interruption that arrives at such a moment waits until the code around it goes on, which a trace function on that
frame tells. One that was raised where Python forgets it all the same (weak references, callbacks) is raised again.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

__all__ = ["safe_interrupts"]

MUST_NOT_FAIL = {"_numba_unpickle", "_compile_for_args", "__del__"}


@contextmanager
def safe_interrupts(*, to_the_end: bool = False) -> Iterator[None]:
    """Ctrl-C raises KeyboardInterrupt in this block, but not where it would crash the process or be lost.

    With ``to_the_end`` nothing but the end of the process follows, in which Python would die of the signal although
    the work is done. So Ctrl-C does nothing from then on.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or current_thread() is not main_thread():
        yield  # somebody else has decided what Ctrl-C does
        return
    forgotten = sys.unraisablehook

    def not_forgotten(failure: UnraisableHookArgs) -> None:
        if failure.exc_type is KeyboardInterrupt:
            _raise_when_it_goes_on(sys._getframe(1))
        else:
            forgotten(failure)

    sys.unraisablehook = not_forgotten
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN if to_the_end else before)
        sys.unraisablehook = forgotten


def _interrupt(_: int, frame: FrameType | None) -> None:
    if frame is None or _may_fail(frame) is frame:
        raise KeyboardInterrupt
    _raise_when_it_goes_on(frame)


def _may_fail(frame: FrameType) -> FrameType:
    """This frame, or the one around all that must not fail."""
    around, outer = frame, frame.f_back
    while outer is not None:
        if frame.f_code.co_name in MUST_NOT_FAIL:
            around = outer
        frame, outer = outer, outer.f_back
    return around


def _raise_when_it_goes_on(frame: FrameType) -> None:
    _may_fail(frame).f_trace = _raise
    sys.settrace(lambda *_: None)  # without a global trace function nobody asks the one of the frame


def _raise(*_: Any) -> None:
    sys.settrace(None)
    raise KeyboardInterrupt
