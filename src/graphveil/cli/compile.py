"""Prepare this machine: ``graphveil compile`` and ``graphveil completion``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli import COMPLETION
from graphveil.cli.commands import command
from graphveil.cli.streams import note
from graphveil.compiling import watch_compilation
from graphveil.formats.table import WRITABLE
from graphveil.words import counted

if TYPE_CHECKING:
    from graphveil.graph import Graph

SHARED = 120_000  # edges: enough for the kernels that work on several cores
KNIT = 500  # vertices of a clique: enough for the kernels of tightly knit graphs


@command("compile")
def compile_kernels() -> None:
    """Compile everything ahead of time.

    Use it when you build an image or prepare a course. It takes about half a minute, once for each installation. The
    compiled code is kept beside the package, or in the folder that NUMBA_CACHE_DIR names.

    \b
    Examples:
      graphveil compile
      NUMBA_CACHE_DIR=/srv/cache graphveil compile
    """
    from tempfile import TemporaryDirectory

    from graphveil.kernels._jit import compile_at_once
    from graphveil.stopping import check

    compile_at_once()
    started = monotonic()
    compiled = watch_compilation()
    with TemporaryDirectory() as folder:
        steps = list(_steps(Path(folder)))
        with _bar(len(steps)) as draw:
            for number, (words, work) in enumerate(steps):
                check()
                draw(words, number)
                work()
    if compiled.kernels:
        note(f"compiled {counted(compiled.kernels, 'kernel')} in {monotonic() - started:.0f} s")
    else:
        note("everything is compiled already")


def _steps(folder: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    """What to run so that every kernel is used, with words for each."""
    import numpy as np

    import graphveil
    from graphveil.counting import FEW
    from graphveil.methods.table import METHODS

    town = graphveil.generate(edges=600, seed=1)
    named = town.with_labels([f"n{i}" for i in range(town.n)])
    u, v = np.triu_indices(KNIT, 1)
    knit = graphveil.Graph.from_arrays(u, v)
    for format in WRITABLE:
        yield f"reading {format}", partial(_write_and_read, (town, named), folder, format)
    yield "counting", lambda: graphveil.audit(town)
    yield "counting", lambda: graphveil.mutual_friends(knit)
    yield "counting", lambda: graphveil.mutual_friends(graphveil.generate(edges=2 * FEW, seed=1))
    yield "counting on several cores", lambda: graphveil.audit(graphveil.generate(edges=SHARED, seed=1))
    from graphveil.goals import NMF

    name: Any
    for name, row in METHODS.items():
        degree_k = 3 if NMF in row.goals else None
        yield name, partial(graphveil.anonymize, town, 5, method=name, degree_k=degree_k, seed=1)
    yield "plan", lambda: graphveil.anonymize(town, 5, keep_edges=True, seed=1)
    result = graphveil.anonymize(town, 5, method="add-del", seed=2**100)
    yield "measuring", lambda: graphveil.utility(town, result.graph)
    yield "attacking", lambda: graphveil.simulate_attacks(town, result.graph)
    yield "publishing", lambda: graphveil.publish(result, folder / "out")


def _write_and_read(graphs: tuple[Graph, ...], folder: Path, format: Any) -> None:
    import graphveil
    from graphveil.errors import GraphveilError

    for number, graph in enumerate(graphs):
        path = folder / f"{format}-{number}"
        try:
            graphveil.write(graph, path, format=format)
        except GraphveilError:
            continue  # a format that is only read, or that does not hold names
        graphveil.read(path, format=format)


@contextmanager
def _bar(steps: int) -> Iterator[Callable[[str, int], None]]:
    if not sys.stderr.isatty():
        note("compiling: about half a minute, once …")
        yield lambda *_: None
        return
    from rich import progress

    from graphveil.cli.terminal import console

    columns = (
        progress.TextColumn("Compiling {task.description}", markup=False),
        progress.BarColumn(),
        progress.TimeElapsedColumn(),
        progress.TimeRemainingColumn(),
    )
    with progress.Progress(*columns, console=console(stderr=True), transient=True) as live:
        task = live.add_task("", total=steps)
        yield lambda words, done: live.update(task, description=words, completed=done)


@command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the shell completion script.

    \b
    Examples:
      graphveil completion bash >> ~/.bashrc
      graphveil completion zsh >> ~/.zshrc
      graphveil completion fish > ~/.config/fish/completions/graphveil.fish
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script is not None
    print(script(context.find_root().command, {}, "graphveil", COMPLETION).source())
