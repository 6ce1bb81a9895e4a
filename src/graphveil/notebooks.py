"""A sign of life in notebooks: below the cell, one line says what a long call does and for how long.

There is a line only where a Jupyter kernel runs the code. It appears when a call takes longer than `PATIENCE`, changes
every second, and is empty when the call is over.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from threading import Event, Thread
from typing import Any

from graphveil.compiling import watch_compilation

Listener = Callable[..., None]

PATIENCE = 1.5  # seconds before the line appears
OFTEN = 1.0  # seconds between two changes
COMPILING = "compiling what is used for the first time (once)"

_line: ContextVar[dict[str, str] | None] = ContextVar("line", default=None)


@contextmanager
def long_work(what: str) -> Iterator[None]:
    """Work that may take long ("anonymizing"), as a block or a decorator; within another one, it belongs to that."""
    if has_line() or not _in_kernel():
        yield
        return
    line = {"what": what, "now": ""}
    _compilation()
    over, before = Event(), _line.set(line)
    thread = Thread(target=_show, args=(line, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        _line.reset(before)


def has_line() -> bool:
    """Whether the work around this call is shown in a notebook."""
    return _line.get() is not None


def say(words: str) -> None:
    """Say where the work stands, if anybody is shown."""
    if (line := _line.get()) is not None:
        line["now"] = words


def also_say(listener: Listener | None, words: Callable[..., str]) -> Listener | None:
    """A listener that hears what the given one does, and says it in a notebook."""
    if not has_line():
        return listener

    def both(*now: Any) -> None:
        say(words(*now))
        if listener is not None:
            listener(*now)

    return both


def how_far(what: str, share: float) -> str:
    """What is being measured, and how far it is.

    >>> how_far("betweenness", 0.25), how_far("betweenness", 0)
    ('betweenness, 25 %', 'betweenness')
    """
    return f"{what}, {100 * share:.0f} %" if 0 < share < 1 else what


_compilation = cache(watch_compilation)


def _in_kernel() -> bool:
    """Whether a Jupyter kernel runs this code; without loading anything."""
    if "ipykernel" not in sys.modules or "IPython" not in sys.modules:
        return False
    return hasattr(sys.modules["IPython"].get_ipython(), "kernel")


def _show(line: dict[str, str], over: Event) -> None:
    """Keep the line up to date until the work is over; in a thread of its own, for kernels do not return."""
    started = time.monotonic()
    handle: Any = None
    if over.wait(PATIENCE):
        return
    from IPython.display import display

    while True:
        content = {"text/plain": _in_words(line, time.monotonic() - started)}
        if handle is None:
            handle = display(content, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            handle.update(content, raw=True)
        if over.wait(OFTEN):
            break
    # Pages that are made of notebooks show no empty box for an empty piece of HTML.
    handle.update({"text/plain": "", "text/html": ""}, raw=True)


def _in_words(line: dict[str, str], seconds: float) -> str:
    now = COMPILING if _compilation().now else line["now"]
    return f"graphveil: {line['what']}{': ' * bool(now)}{now}, {seconds:.0f} s"
