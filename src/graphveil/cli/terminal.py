"""What people see: tables, the histogram of mutual friends, and a sign of life for long work.

On a terminal there are colours and a spinner; in a pipe or a file there is plain text and no spinner. The
consoles interpret neither markup nor emoji codes, because labels come from strangers.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from threading import Timer
from typing import TYPE_CHECKING, Any

from graphveil.cli.streams import note

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["announce_compilation", "console", "histogram", "stage", "table"]

PATIENCE = 1.5  # seconds without a sign of life
COMPILING = (
    "Compiling what is used here for the first time: 10 to 30 seconds, once. Ahead of time: graphveil compile"
)
PIPED_WIDTH = 160  # columns where there is no terminal to ask
NARROWEST = 72  # columns that tables need; a narrower terminal breaks the lines itself
LONGEST_BAR = 40


def console(*, stderr: bool = False) -> Console:
    """Standard output or standard error, for people."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else PIPED_WIDTH
    result = Console(file=stream, width=width, markup=False, emoji=False, highlight=False)
    result.width = max(result.width, NARROWEST)
    return result


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, words: Sequence[int] = (0,)) -> Table:
    """A table; columns in ``words`` are text and may be wrapped, the others are figures."""
    from rich import box
    from rich.table import Table

    result = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0))
    for position, heading in enumerate(headings):
        if position in words:
            result.add_column(heading, overflow="fold")
        else:
            result.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        result.add_row(*row)
    return result


def histogram(
    counts: Sequence[tuple[int, int]], k: int, terminal: Console, *, at_most: bool = False
) -> Table:
    """How many edges have how many mutual friends, and how many of those are exposed at k.

    The bars are on a logarithmic scale, for the few edges in the tail are the exposed ones.
    """
    block = "█" if terminal.encoding.startswith("utf") else "#"
    width = max(8, min(LONGEST_BAR, terminal.width - 56))
    binned = [
        (name, sum(sizes), sum(size for size in sizes if size < k + at_most)) for name, sizes in _bins(counts)
    ]
    scale = width / math.log1p(max((edges for _, edges, _ in binned), default=1))
    rows = [
        (name, block * max(1, round(scale * math.log1p(edges))), f"{edges:,}", f"{exposed:,}")
        for name, edges, exposed in binned
    ]
    few = f"among at most {k:,}" if at_most else f"among fewer than {k:,}"
    return table(("mutual friends", "", "friendships", few), rows, words=(0, 1))


def _bins(counts: Sequence[tuple[int, int]]) -> Iterator[tuple[str, list[int]]]:
    """Classes by value, put together as 0, 1, 2, 3, 4, 5–9, 10–19, 20–49, 50–99 and so on; no bin is empty."""
    binned: dict[tuple[int, int], list[int]] = {}
    for value, edges in counts:
        binned.setdefault(_bin(value), []).append(edges)
    for (first, last), sizes in binned.items():
        yield f"{first:,}" if first == last else f"{first:,}–{last:,}", sizes


def _bin(value: int) -> tuple[int, int]:
    """First and last value of the bin.

    Examples
    --------
    >>> [_bin(value) for value in (0, 4, 5, 19, 20, 730)]
    [(0, 0), (4, 4), (5, 9), (10, 19), (20, 49), (500, 999)]
    """
    if value < 5:
        return value, value
    decade = 10 ** (len(str(value)) - 1)
    first = max(step for step in (1, 2, 5) if step * decade <= value) * decade
    return first, {1: 2, 2: 5, 5: 10}[first // decade] * decade - 1


@contextmanager
def stage(what: str) -> Iterator[Callable[[str, float], None]]:
    """A spinner with the seconds that have passed, on a terminal, for work that takes longer than `PATIENCE`.

    Gives a function that may be called with what is being measured, and the share of it that is done; with the share
    1 the measuring is over.
    """
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    progress = Progress(*columns, console=console(stderr=True), transient=True)
    task = progress.add_task(what, total=None)

    def tell(measure: str, share: float) -> None:
        words = what if share >= 1 else f"Measuring {measure}" + (f", {share:.0%}" if share else "")
        progress.update(task, description=words)

    timer = Timer(PATIENCE, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield tell
    finally:
        timer.cancel()
        timer.join()
        progress.stop()


@cache
def announce_compilation() -> None:
    """Say so, once, when Numba has to compile; what it finds in its cache is loaded without a word."""
    from numba.core import event

    class Announcer(event.Listener):  # type: ignore[misc]
        said = False

        def on_start(self, _: Any) -> None:
            if not self.said:
                self.said = True
                note(COMPILING)

        def on_end(self, _: Any) -> None:
            pass

    event.register("numba:compile", Announcer())
