"""Run the cells of an experiment, several at a time, and none of them twice.

A cell is a dict of parameters, and what comes out of it a dict of figures. Each finished cell becomes a file of its
own, which appears whole and says what it is a result of: graph, parameters, versions. Whoever runs the same
experiment again, after Ctrl-C or with a longer list of k, finds it there. A file that is damaged, or is the result of
anything else, is as good as none.

The processes are started afresh and not forked, because threads of compiled code do not survive a fork. What all cells
need is prepared once and handed to each process as it starts.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphveil._version import __version__
from graphveil.errors import GraphveilError, ParameterError, PublicationError
from graphveil.graph import Graph
from graphveil.stopping import check, deaf_processes

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

SCHEMA = "graphveil/cell/1"
PATIENCE = 0.2  # seconds without asking whether to stop
VERSIONS_OF = ("igraph", "numba", "numpy", "scipy")

Record = dict[str, Any]
Work = Callable[[Any, Record], Record]
Told = Callable[[int, int], None]


def fingerprint(graph: Graph) -> str:
    """The SHA-256 of a graph without its labels: the same for the same edges between the same numbers.

    >>> fingerprint(Graph.from_edges([("Ann", "Bob")])) == fingerprint(Graph.from_edges([(3, 7)]))
    True
    """
    return hashlib.sha256(b"%d\n" % graph.n + graph.edges.astype("<i4").tobytes()).hexdigest()


def open_folder(path: str | Path, *, made_by: str) -> Path:
    """The folder of an experiment: an empty one, one that has cells already, or a new one for its owner only."""
    folder = Path(path)
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        strange = any(folder.iterdir()) and not (folder / "cells").is_dir()
        if not strange:
            (folder / "cells").mkdir(0o700, exist_ok=True)
    except OSError as error:
        raise PublicationError(f"{folder}: {error.strerror or error}. Nothing was written.") from None
    if strange:
        raise ParameterError(
            f"{folder} holds other things than the results of {made_by}. Name another folder."
        )
    return folder


@dataclass(frozen=True)
class Cells:
    """Where finished cells are kept, and what of: ``subject`` is all that they have in common."""

    folder: Path | None
    subject: Mapping[str, Any]

    def load(self, cell: Record) -> Record | None:
        """The figures of a finished cell, None where there are none."""
        if self.folder is None:
            return None
        try:
            found = json.loads(self._path(cell).read_bytes())
            figures = found.pop("figures")
        except (OSError, ValueError, KeyError, AttributeError):
            return None
        return figures if found == self._identity(cell) and isinstance(figures, dict) else None

    def store(self, cell: Record, figures: Record) -> None:
        """Keep the figures of a finished cell."""
        from graphveil.formats.atomic import write_whole

        if self.folder is not None:
            text = json.dumps({**self._identity(cell), "figures": figures}, indent=1)
            write_whole(str(self._path(cell)), [text.encode()], private=True)

    def graphs(self) -> set[str]:
        """The fingerprints of the graphs that there are finished cells of."""
        found = set()
        for path in (self.folder / "cells").glob("*.json") if self.folder else ():
            with suppress(OSError, ValueError, KeyError, TypeError):
                found.add(str(json.loads(path.read_bytes())["subject"]["graph"]))
        return found

    def _identity(self, cell: Record) -> Record:
        versions = {**_versions(), "graphveil": __version__}
        return {"schema": SCHEMA, "subject": dict(self.subject), "cell": cell, "versions": versions}

    def _path(self, cell: Record) -> Path:
        assert self.folder is not None
        digest = hashlib.sha256(json.dumps(self._identity(cell), sort_keys=True).encode()).hexdigest()
        words = [v if isinstance(v, str) else f"{name}{v}" for name, v in cell.items() if v is not None]
        return self.folder / "cells" / f"{'-'.join(words)}-{digest[:12]}.json"


@cache
def _versions() -> dict[str, str]:
    return {**{name: version(name) for name in VERSIONS_OF}, "python": platform.python_version()}


def run_cells(
    cells: Sequence[Record],
    work: Work,
    prepare: Callable[[], Any],
    kept: Cells,
    *,
    jobs: int = 1,
    told: Told | None = None,
    finished: Callable[[Record, Record], None] | None = None,
) -> list[Record]:
    """The figures of every cell, from its file in ``kept`` where it has one.

    ``work`` stands at the top of a module and takes what ``prepare`` made, and a cell, to figures: all as JSON knows
    them. ``told`` gets the numbers of finished cells and of all, ``finished`` each cell with its figures.
    """
    found = {number: figures for number, cell in enumerate(cells) if (figures := kept.load(cell)) is not None}
    if finished:
        for number, figures in found.items():
            finished(cells[number], figures)
    open_cells = [number for number in range(len(cells)) if number not in found]
    if told:
        told(len(found), len(cells))
    if open_cells:
        shared = prepare()
        if told:
            told(len(found), len(cells))
        run = _in_processes if min(jobs, len(open_cells)) > 1 else _here
        for number, figures in run(work, shared, {number: cells[number] for number in open_cells}, jobs):
            kept.store(cells[number], figures)
            # As it will be read from the file the next time: numbers may not depend on that.
            found[number] = json.loads(json.dumps(figures))
            if finished:
                finished(cells[number], found[number])
            if told:
                told(len(found), len(cells))
    return [found[number] for number in range(len(cells))]


def _here(work: Work, shared: Any, cells: Mapping[int, Record], _: int) -> Iterator[tuple[int, Record]]:
    for number, cell in cells.items():
        check()
        yield number, work(shared, cell)


# ---------------------------------------------------------------------- in several processes


def _in_processes(
    work: Work, shared: Any, cells: Mapping[int, Record], jobs: int
) -> Iterator[tuple[int, Record]]:
    """Cells as they are finished; leaving early ends the processes."""
    from concurrent.futures import FIRST_COMPLETED, wait
    from concurrent.futures.process import BrokenProcessPool

    with _processes(work, shared, min(jobs, len(cells))) as pool:
        with deaf_processes():
            futures: dict[Future[Record], int] = {pool.submit(_work, cell): n for n, cell in cells.items()}
        try:
            while futures:
                check()
                done, _ = wait(futures, PATIENCE, FIRST_COMPLETED)
                for future in done:
                    yield futures.pop(future), future.result()
        except BrokenProcessPool:
            raise GraphveilError(
                "a process was ended from outside, perhaps for want of memory. Finished cells are kept; "
                "try again with fewer jobs."
            ) from None


@contextmanager
def _processes(work: Work, shared: Any, jobs: int) -> Iterator[ProcessPoolExecutor]:
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    import numba

    others = set(multiprocessing.active_children())
    threads = max(numba.get_num_threads() // jobs, 1)
    pool = ProcessPoolExecutor(
        jobs,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_process,
        initargs=(work, shared, threads),
    )
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.terminate()
        raise
    pool.shutdown()


_job: tuple[Work, Any]  # of this process: what to do, and with what


def _start_process(work: Work, shared: Any, threads: int) -> None:
    from threading import Thread

    import numba

    global _job
    _job = work, shared
    Thread(target=_follow_parent, daemon=True).start()
    numba.set_num_threads(threads)


def _follow_parent() -> None:
    """Do not work on for nobody, however the parent ended."""
    import multiprocessing
    import os

    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _work(cell: Record) -> Record:
    work, shared = _job
    return work(shared, cell)
