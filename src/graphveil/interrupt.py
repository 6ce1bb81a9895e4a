"""Ctrl-C that ends a command or a call, is never lost and never crashes the process.

Python code may run where nobody can bear an exception. When compiled code returns an array, Numba calls a Python
function of its own, `_numba_unpickle`, and does not expect it to fail: Ctrl-C during a long kernel would raise
KeyboardInterrupt exactly there, and the process would die of a segmentation fault or go on as if nothing had happened.
While it compiles a kernel or loads one from the disk, it has registries half filled, and a later compilation would fail
of them, as later calls would of a module that is half imported. And what is raised in a destructor is printed and
forgotten.

So an interruption that arrives at such a moment waits until the code around it goes on, which a trace function on that
frame tells. One that was raised where Python forgets it all the same (weak references, callbacks) is repeated.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator
from threading import current_thread, main_thread
from types import FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

__all__ = ["safe_interrupts"]

MUST_NOT_FAIL = {"_numba_unpickle", "_compile_for_args", "_find_and_load", "__del__", "_not_forgotten"}


class safe_interrupts(ContextDecorator):  # noqa: N801 – used as a function
    """Ctrl-C does what it does (raises KeyboardInterrupt, as a rule), but not where that is lost or a crash.

    With ``to_the_end`` nothing but the end of the process follows, in which Python would die of the signal although
    the work is done. So Ctrl-C does nothing from then on.
    """

    def __init__(self, *, to_the_end: bool = False) -> None:
        self._to_the_end = to_the_end
        self._in_charge = False  # whether Ctrl-C comes to this object
        self._open = False  # not while it takes charge or gives it back: then Ctrl-C waits
        self._waits = False
        self._tracer: Any = None  # of a debugger, say
        self._usual: Callable[[int, FrameType | None], Any] = signal.default_int_handler
        self._forgotten: Callable[[UnraisableHookArgs], Any] = sys.unraisablehook
        self._outside: FrameType | None = None

    def _recreate_cm(self) -> safe_interrupts:
        """For each call of a function that this decorates."""
        return safe_interrupts(to_the_end=self._to_the_end)

    def __enter__(self) -> None:
        usual = signal.getsignal(signal.SIGINT)
        taken = isinstance(getattr(usual, "__self__", None), safe_interrupts)
        if taken or not callable(usual) or current_thread() is not main_thread():
            return  # safe already, or it is ignored, or it does not come here
        self._usual, self._forgotten, self._outside = usual, sys.unraisablehook, sys._getframe(1)
        signal.signal(signal.SIGINT, self._interrupt)
        sys.unraisablehook = self._not_forgotten
        self._in_charge = self._open = True
        if self._waits:
            self.__exit__()

    def __exit__(self, *_: object) -> None:
        self._open = False
        if not self._in_charge:
            return
        self._in_charge = False
        if sys.unraisablehook == self._not_forgotten:  # and nobody has put another there in the meantime
            sys.unraisablehook = self._forgotten
        if self._tracer is not None and sys.gettrace() is None:
            sys.settrace(self._tracer)
        if signal.getsignal(signal.SIGINT) == self._interrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN if self._to_the_end else self._usual)
        if self._waits and not self._to_the_end:
            self._usual(signal.SIGINT, sys._getframe())

    def _interrupt(self, signum: int, frame: FrameType | None) -> None:
        if not self._open or any(self._is_leaving(each) for each in self._frames(frame)):
            self._waits = True
        elif frame is None or (around := self._may_fail(frame)) is frame:
            self._usual(signum, frame)
        else:
            self._interrupt_when_it_goes_on(around)

    def _not_forgotten(self, failure: UnraisableHookArgs) -> None:
        if issubclass(failure.exc_type, KeyboardInterrupt):
            self._interrupt_when_it_goes_on(self._may_fail(sys._getframe(1)))
        else:
            self._forgotten(failure)

    def _frames(self, frame: FrameType | None) -> Iterator[FrameType]:
        """This frame and those around it that began in the block."""
        while frame is not None and frame is not self._outside:
            yield frame
            frame = frame.f_back

    def _is_leaving(self, frame: FrameType) -> bool:
        """Whether this is the end of the block, which may be interrupted before its first instruction."""
        return frame.f_code is safe_interrupts.__exit__.__code__ and frame.f_locals["self"] is self

    def _may_fail(self, frame: FrameType) -> FrameType:
        """This frame, or the one around all that must not fail."""
        around = frame
        for each in self._frames(frame):
            if each.f_code.co_name in MUST_NOT_FAIL and each.f_back is not None:
                around = each.f_back
        return around

    def _interrupt_when_it_goes_on(self, frame: FrameType) -> None:
        def interrupt(*_: object) -> None:
            frame.f_trace_opcodes = False
            sys.settrace(None)
            self._usual(signal.SIGINT, frame)

        self._tracer = sys.gettrace() or self._tracer
        frame.f_trace = interrupt
        frame.f_trace_opcodes = True  # in the next instruction, since the next line may be in another block
        sys.settrace(lambda *_: None)  # without a global trace function nobody asks the one of the frame
