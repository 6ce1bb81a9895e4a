"""A sign of life for commands that run many cells, and what becomes of these after Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import click

from graphveil.cli import INTERRUPTED
from graphveil.cli.streams import complain, note
from graphveil.words import counted


def all_cores() -> int:
    """The number of cores that this process may use."""
    import numba

    return int(numba.config.NUMBA_NUM_THREADS)


@contextmanager
def folder_of_cells(path: str, made_by: str) -> Iterator[None]:
    """See to the folder before anything is read, and leave none behind if nothing came of it."""
    from graphveil.experiments.cells import open_folder

    new = not Path(path).exists()
    folder = open_folder(path, made_by=made_by)
    try:
        yield
    except BaseException:
        with suppress(OSError):  # where there is something in it
            (folder / "cells").rmdir()
            if new:
                folder.rmdir()
        raise


@contextmanager
def keeping_cells(
    context: click.Context, folder: str, what: str
) -> Iterator[tuple[Callable[[int, int], None], Callable[[str, float], None]]]:
    """Show how many cells are done; after Ctrl-C say how many are kept.

    Gives two functions. The first is called with the numbers of finished cells and of all cells. The second is called
    before that, with what is being measured of the original and the finished share of it.
    """
    finished = total = 0
    with ExitStack() as stack:
        draw = stack.enter_context(_bar(what)) if sys.stderr.isatty() else None

        def told(now: int, of: int) -> None:
            nonlocal finished, total
            if now and not finished and not total:
                note(f"{counted(now, 'cell')} of {of:,} found in {folder}")
            finished, total = now, of
            if draw:
                draw(what, now, of)

        def measuring(now: str, share: float) -> None:
            if draw:
                words = f"{what}, first {now} of the original" + (f" {share:.0%}" if share else "")
                draw(words, finished, total)

        try:
            yield told, measuring
        except KeyboardInterrupt:
            stack.close()
            if not finished:
                raise
            words = f"interrupted; {finished:,} of {counted(total, 'cell')} are kept in {folder}, "
            context.exit(complain(words + "and the same command continues from there", INTERRUPTED))


@contextmanager
def _bar(what: str) -> Iterator[Callable[[str, int, int], None]]:
    from rich import progress

    from graphveil.cli.terminal import live_progress, words_column

    columns = (
        words_column(),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
    )
    with live_progress(*columns) as live, live:
        task = live.add_task(what, total=None)
        yield lambda words, now, of: live.update(task, description=words, completed=now, total=of)
