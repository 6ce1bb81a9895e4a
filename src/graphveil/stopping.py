"""One way to stop: a request that long work looks for between its steps.

Ctrl-C, a page or another thread only make a request. The work calls `check` between two kernel calls and ends there
by raising `Stopped`. So nothing ends in the middle of compiled code, an import or a destructor, where Python would
crash or forget the exception. A second Ctrl-C, before the first one was answered, is Python's own:
KeyboardInterrupt at once, wherever the program is.

Two things cannot be stopped before they end by themselves: one compilation by Numba and one iteration of igraph's
communities. docs/stopping.md says how long they take.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from threading import current_thread, main_thread
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)


class Stopped(KeyboardInterrupt):
    """The work ended because it was asked to."""


class Stop:
    """A request to stop that any thread may make: ``anonymize(graph, 25, stop=token)`` and ``token.request()``.

    ``told`` is called at every request; within a signal handler if Ctrl-C makes it.

    >>> token = Stop()
    >>> token.request()
    >>> token.requested
    True
    """

    def __init__(self, told: Callable[[], object] | None = None) -> None:
        self.requested = False  # and not answered yet
        self._told = told

    def request(self) -> None:
        """Ask the work to stop at its next step."""
        self.requested = True
        if self._told:
            self._told()

    def answer(self) -> None:
        """Take the request as fulfilled."""
        self.requested = False


class Termination(Stop):
    """A request to end: nothing fulfils it, so a search that was cut short does not go on with what it has."""

    signal = 0  # that made it

    def answer(self) -> None:
        """Leave the request as it is."""


_tokens: ContextVar[tuple[Stop, ...]] = ContextVar("tokens", default=())


def check() -> None:
    """Raise `Stopped` if the work around this call was asked to stop.

    >>> token = Stop()
    >>> with stoppable(token):
    ...     check()
    ...     token.request()
    ...     try:
    ...         check()
    ...     except Stopped:
    ...         print("stopped")
    ...     answer()
    stopped
    """
    if any(token.requested for token in _tokens.get()):
        raise Stopped


def answer() -> None:
    """Take the request as fulfilled: what follows runs on until the next one."""
    for token in _tokens.get():
        token.answer()


@contextmanager
def stoppable(
    stop: Stop | None = None, *, ctrl_c: Stop | None = None, to_the_end: bool = False
) -> Iterator[None]:
    """Work that `check` stops, as a block or a decorator.

    The outermost block in the main thread listens to Ctrl-C, if nobody but Python did, and makes its request to
    ``ctrl_c``. A request that nobody noticed is raised at the end of the block that its token belongs to. With
    ``to_the_end`` nothing but the end of the process follows, so Ctrl-C does nothing after the block.
    """
    own = [] if stop is None else [stop]
    handler = None
    if current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        heard = ctrl_c or Stop()
        own.append(heard)
        handler = _listener(heard)
    try:
        with _listening(handler, to_the_end), _current(own):
            yield
    except Exception:
        _raise_unnoticed(own)
        raise
    _raise_unnoticed(own)


def _listener(token: Stop) -> Callable[[int, FrameType | None], None]:
    def request(signum: int, frame: FrameType | None) -> None:
        if token.requested:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.default_int_handler(signum, frame)
        token.request()

    return request


@contextmanager
def _listening(handler: Callable[[int, FrameType | None], None] | None, to_the_end: bool) -> Iterator[None]:
    if handler is not None:
        signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        # Else the caller has a handler of its own
        if handler is not None and signal.getsignal(signal.SIGINT) is handler:
            signal.signal(signal.SIGINT, signal.SIG_IGN if to_the_end else signal.default_int_handler)


@contextmanager
def _current(own: Sequence[Stop]) -> Iterator[None]:
    before = _tokens.set((*_tokens.get(), *own))
    try:
        yield
    finally:
        _tokens.reset(before)


def _raise_unnoticed(own: Sequence[Stop]) -> None:
    if any(token.requested for token in own):
        raise Stopped


@contextmanager
def terminable() -> Iterator[Termination]:
    """A token for `stoppable` that SIGTERM and SIGHUP make requests to, if nobody else listens; a second ends at once.

    SIGHUP comes when a terminal is closed. Under nohup it stays ignored.
    """
    token, process = Termination(), os.getpid()

    def request(signum: int, frame: FrameType | None) -> None:
        if os.getpid() != process:  # a fork has the handler too
            os._exit(128 + signum)
        if token.requested:
            raise Stopped
        token.signal = signum
        token.request()

    free = (each for each in ENDING if signal.getsignal(each) is signal.SIG_DFL)
    heard = list(free) if current_thread() is main_thread() else []
    for each in heard:
        signal.signal(each, request)
    try:
        yield token
    finally:
        for each in heard:
            if signal.getsignal(each) is request:
                signal.signal(each, signal.SIG_DFL)


@contextmanager
def deaf_processes() -> Iterator[None]:
    """Processes that are started in this block never hear Ctrl-C: the process that started them decides.

    They inherit the blocked signal. A Ctrl-C during the block reaches this process at its end.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
