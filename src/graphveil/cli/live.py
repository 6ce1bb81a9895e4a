"""The live line of an anonymization: where it stands, and what Ctrl-C would do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphveil.words import counted

if TYPE_CHECKING:
    from graphveil.anonymize import Progress

__all__ = ["live_line"]


@contextmanager
def live_line(k: int) -> Iterator[Callable[[Progress], None] | None]:
    """A function to be called with the progress of a run, which it shows on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress

    from graphveil.cli.terminal import console

    columns = (
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.TimeElapsedColumn(),
    )
    with progress.Progress(*columns, console=console(stderr=True), transient=True) as live:
        task = live.add_task(f"k = {k:,}", total=None)
        phase, most, done, best = "", 0, 0, None

        def show(now: Progress) -> None:
            nonlocal phase, most, done, best
            if now.phase != phase:
                phase, most, done = now.phase, now.violating, 0
            done = max(done, most - now.violating)  # an edit may expose others: the bar does not go back
            if phase != "degrees" and not now.violating:
                best = now.changed if best is None else min(best, now.changed)
            # Nobody knows how long a search takes, so its bar only shows that there is life in it. A full bar would
            # stop the clock, and other phases may follow.
            total = None if phase == "search" else most + 1
            live.update(task, description=f"k = {k:,}: {_words(now, best)}", total=total, completed=done)

        yield show


def _words(now: Progress, best: int | None) -> str:
    if now.phase == "search":
        so_far = "" if best is None else f", {best:,} so far"
        return f"searching for fewer changes{so_far} (Ctrl-C takes the best so far)"
    if now.phase == "degrees":
        return f"{now.violating:,} people exposed by their number of friends"
    return f"{counted(now.groups, 'group')}, {now.violating:,} exposed, {now.changed:,} changed"
