"""The live line of an anonymization: where it stands, and what Ctrl-C would do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphveil.words import counted

if TYPE_CHECKING:
    from graphveil.methods import Progress


@contextmanager
def live_line(k: int) -> Iterator[Callable[[Progress], None] | None]:
    """A function to be called with the progress of a run, which it shows on a terminal; None elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich import progress

    from graphveil.cli.terminal import live_progress, words_column

    with live_progress(progress.SpinnerColumn(), words_column(), progress.TimeElapsedColumn()) as live, live:
        task = live.add_task(f"k = {k:,}", total=None)
        best = None

        def show(now: Progress) -> None:
            nonlocal best
            if now.phase not in ("degrees", "reduction") and not now.violating:
                best = now.changed if best is None else min(best, now.changed)
            live.update(task, description=f"k = {k:,}: {_words(now, best)}")

        yield show


def _words(now: Progress, best: int | None) -> str:
    """One line that fits into 80 columns with the spinner and the clock."""
    if now.phase == "search":
        ctrl_c = "" if best is None else f" (Ctrl-C takes {best:,})"
        return f"searching, {now.violating:,} exposed, {now.changed:,} changed{ctrl_c}"
    if now.phase == "reduction":
        return f"reducing, {now.violating:,} exposed, {now.changed:,} changed"
    if now.phase == "degrees":
        return f"{now.violating:,} people exposed by their number of friends"
    return f"{counted(now.groups, 'group')}, {now.violating:,} exposed, {now.changed:,} changed"
