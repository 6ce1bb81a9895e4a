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
from typing import TYPE_CHECKING

from graphveil.cli.streams import note
from graphveil.compiling import Compilation, watch_compilation

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn
    from rich.table import Table

PATIENCE = 1.5  # seconds without a sign of life
COMPILING = (
    "Compiling what is used for the first time, once: about {seconds:.0f} s. Ahead of time: graphveil compile"
)
KERNELS = {"anonymize": 18, "attack": 7, "compare": 20, "demo": 18, "utility": 13}  # that commands need
FEW_KERNELS = 5  # that the other commands need
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
    few = f"in groups of {k:,} or fewer" if at_most else f"exposed at k = {k:,}"
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
    from rich.progress import SpinnerColumn, TimeElapsedColumn

    with live_progress(SpinnerColumn(), words_column(), TimeElapsedColumn()) as progress:
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


# ---------------------------------------------------------------------- live lines, which tell of compiling too

_live: list[Progress] = []  # lines that show where the work stands, or will soon
_compilation: Compilation | None = None  # once it is announced
_kernels = FEW_KERNELS  # that this command needs


@contextmanager
def live_progress(*columns: ProgressColumn) -> Iterator[Progress]:
    """A live line on standard error, not started yet, and gone after the block."""
    from rich.progress import Progress

    progress = Progress(*columns, console=console(stderr=True), transient=True)
    _live.append(progress)
    try:
        yield progress
    finally:
        progress.stop()
        _live.remove(progress)


def words_column() -> ProgressColumn:
    """The column that says what is being done; while Numba compiles, that, with a bar and an estimate."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Words(ProgressColumn):
        def render(self, task: Task) -> Text:
            compiling = _compilation is not None and _compilation.now
            return Text(_how_far_compiled() if compiling else task.description)

    return Words()


def _how_far_compiled() -> str:
    """One line that fits into 80 columns with a spinner and the clock."""
    assert _compilation is not None
    share, seconds = _compilation.estimate(_kernels)
    full, empty = "█░" if console(stderr=True).encoding.startswith("utf") else "#."
    bar = full * round(20 * share) + empty * (20 - round(20 * share))
    return f"Compiling, only this time {bar} about {max(seconds, 1):.0f} s left"


@cache
def announce_compilation() -> None:
    """Say so, once, when Numba has to compile; what it finds in its cache is loaded without a word.

    A live line tells of it by itself.
    """
    import click

    global _compilation, _kernels
    context = click.get_current_context(silent=True)
    _kernels = KERNELS.get(context.info_name or "", FEW_KERNELS) if context else FEW_KERNELS
    said = False

    def tell(now: bool) -> None:
        nonlocal said
        if now and not said and not _live:
            said = True
            assert _compilation is not None
            note(COMPILING.format(seconds=max(_compilation.estimate(_kernels)[1], 1)))

    _compilation = watch_compilation(tell)
