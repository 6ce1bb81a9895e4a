"""``graphveil reproduce``: the paper's evaluation, repeated."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphveil.cli.cells import all_cores, folder_of_cells, keeping_cells
from graphveil.cli.commands import command
from graphveil.cli.reading import Source
from graphveil.cli.streams import note
from graphveil.errors import InputError, ParameterError

if TYPE_CHECKING:
    from graphveil.experiments.reproduction.statements import Verdict
    from graphveil.graph import Graph

# What the page calls them, and the names that the files go by.
GRAPHS = {
    "Brightkite": ("loc-brightkite.txt.gz", "loc-brightkite_edges.txt.gz"),
    "Cora stand-in": ("cora-coauthor-apex.txt.gz",),
    "ca-HepTh": ("ca-HepTh.txt.gz",),
    "ca-GrQc": ("ca-GrQc.txt.gz",),
    "ego-Facebook": ("ego-facebook.txt.gz", "facebook_combined.txt.gz"),
    "email-Enron": ("email-Enron.txt.gz",),
    "DBLP": ("com-dblp.txt.gz", "com-dblp.ungraph.txt.gz"),
}
GENERATED = "generated"  # of the size of the paper's ACM
WHERE = (
    "Brightkite is https://snap.stanford.edu/data/loc-brightkite_edges.txt.gz; put it into a folder and name that with "
    "--data or GRAPHVEIL_DATA, or name any graph as FILE."
)


@command("reproduce")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=click.Path())
@click.pass_context
def reproduce(
    context: click.Context,
    files: tuple[str, ...],
    data: str | None,
    seed: int,
    repeats: int,
    jobs: int | None,
    output: str,
) -> None:
    """Repeat the evaluation of the paper.

    Tests Property 1 and makes Table I and Figures 5 to 11, for Brightkite and six other graphs from DIR, for a
    generated one, and for every FILE. A page puts each statement of the paper beside what was found, with intervals.
    It says whether the statement is reproduced, and on how many graphs it holds. FOLDER gets reproduction.md,
    reproduction.json and figures/. Finished runs are kept there and not repeated.

    \b
    Examples:
      graphveil reproduce --data graphs -o reproduction
      graphveil reproduce friends.txt.gz -o reproduction
    """
    from graphveil.experiments.reproduction import paper, reproduce

    data = data or os.environ.get("GRAPHVEIL_DATA")
    paths = {**_of_the_paper(data, optional=bool(files)), **_given(files)}
    with folder_of_cells(output, "graphveil reproduce"):
        graphs: dict[str, Graph] = {name: Source(path, {}).read() for name, path in paths.items()}
        if not files:
            graphs[GENERATED] = paper.generated()
        counts: dict[str, tuple[int, int]] = {}
        with keeping_cells(context, output, "Reproducing") as (told, _):

            def progress(name: str, finished: int, cells: int) -> None:
                counts[name] = finished, cells
                told(sum(now for now, _ in counts.values()), sum(of for _, of in counts.values()))

            verdicts = reproduce(
                graphs,
                output,
                seed=seed,
                repeats=repeats,
                jobs=jobs or all_cores(),
                command=_command(files, seed, repeats, output),
                progress=progress,
            )
    _show(verdicts, [*graphs])
    note(f"wrote reproduction.md, reproduction.json and figures/ to {output}")


def _of_the_paper(data: str | None, *, optional: bool) -> dict[str, str]:
    """The files of the paper's graphs that are there; what is not is said, and where to get it."""
    found = {}
    for name, files in GRAPHS.items():
        here = [Path(data) / file for file in files if (Path(data) / file).is_file()] if data else []
        if here:
            found[name] = str(here[0])
        elif data:
            note(f"{name} is left out: there is no {files[0]} in {data}")
    if not found and not optional:
        if data:
            raise InputError(data, "none of the paper's graphs is here", remedy=WHERE)
        raise ParameterError(f"the paper's graphs are missing. {WHERE}")
    return found


def _given(files: Sequence[str]) -> dict[str, str]:
    names = {Path(file).name.split(".")[0] or file: file for file in files}
    if len(names) < len(files):
        raise ParameterError("two files have the same name, and the page could not tell them apart.")
    return names


def _command(files: Sequence[str], seed: int, repeats: int, output: str) -> str:
    """The command as the page shows it; where the data are is left out, because it is another place everywhere."""
    options = [f"--seed {seed}"] * (seed != 7) + [f"--repeats {repeats}"] * (repeats != 30)
    names = [shlex.quote(Path(file).name) for file in files]
    return " ".join(["graphveil reproduce", *names, *options, "-o", shlex.quote(Path(output).name)])


def _show(verdicts: Sequence[Verdict], names: Sequence[str]) -> None:
    """The status of each statement, and what it does on each graph."""
    from graphveil.cli.terminal import console, table
    from graphveil.experiments.reproduction.statements import STATUSES

    def word(verdict: Verdict, name: str) -> str:
        outcome = verdict.outcomes.get(name)
        return "–" if outcome is None else outcome.word

    out = console()
    rows = (
        (each.statement.place, each.statement.says, each.status, *(word(each, name) for name in names))
        for each in verdicts
    )
    out.print(table(("", "the paper says", "status", *names), rows, words=(0, 1)))
    said = [each for each in verdicts if each.statement.of_the_paper]
    for status, colour in zip(STATUSES, ("green", "cyan", "cyan", "yellow", "dim"), strict=True):
        out.print(f"{sum(each.status == status for each in said)} {status}", style=colour)
