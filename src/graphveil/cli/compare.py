"""``graphveil compare``: every method at every k, and which to take."""

from __future__ import annotations

import shlex
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli.cells import all_cores, folder_of_cells, keeping_cells
from graphveil.cli.commands import command, print_json
from graphveil.cli.options import guarantees, levels_of
from graphveil.cli.reading import Source, reads_a_graph
from graphveil.cli.streams import note
from graphveil.cli.utility import figure, suggest_quick
from graphveil.words import percent, plain, size

if TYPE_CHECKING:
    from rich.table import Table

    from graphveil.experiments.comparison.results import Choice, Comparison


@command("compare")
@reads_a_graph()
@click.pass_context
def compare(
    context: click.Context,
    /,
    source: Source,
    methods: str,
    quick: bool,
    jobs: int | None,
    output: str,
    as_json: bool,
    **how: Any,
) -> None:
    """Compare methods and K, and recommend one.

    Anonymizes the graph with every method at every K and measures what each result keeps. FOLDER gets comparison.json,
    comparison.csv and figures. It holds no label and no edge, but exact figures of the original: keep it private.
    Finished runs are kept there and not repeated.

    \b
    Examples:
      graphveil compare friends.csv -o comparison
      graphveil compare friends.txt.gz -k 5,25 --methods add-greedy,add-del --quick -o comparison
      graphveil compare friends.csv -k 25 --degree-k 5,10 --repeats 5 -o comparison
      graphveil compare friends.csv -k 5 --friendship-k 5 --max-changes 1%,5% --attacker degree -o comparison
    """
    from graphveil import compare
    from graphveil.experiments.comparison.comparing import chosen_methods
    from graphveil.experiments.comparison.files import write_comparison
    from graphveil.goals import goals_of

    goals = levels_of(how)
    names = chosen_methods(methods if methods == "all" else [name.strip() for name in methods.split(",")])
    with folder_of_cells(output, "graphveil compare"):
        graph = source.read_with_cautions()
        if not quick:
            suggest_quick(graph, "--quick")
        with keeping_cells(context, output, "Comparing") as (told, measuring):
            found = compare(
                graph,
                goals.pop("k"),
                methods=names,
                degree_k=goals.pop("degree_k", ()),
                friendship_k=goals.pop("friendship_k", ()),
                goals=goals_of(goals),
                quick=quick,
                folder=output,
                jobs=jobs or all_cores(),
                progress=told,
                measuring=measuring,
                **how,
            )
            paths = write_comparison(found, output)
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found, source)
    note(f"wrote {', '.join(path.name for path in paths)} to {output}: keep that folder private")


def _show(found: Comparison, source: Source) -> None:
    from graphveil.cli.terminal import console
    from graphveil.experiments.comparison.results import best_choice, named

    out = console()
    out.print(size(found.vertices, found.edges), style="bold")
    out.print("What each costs: differences to the original, or agreement with it")
    out.print(_table(found))
    for choice in found.choices:
        for words in choice.notes:
            out.print(f"* {named(choice)} at k = {choice.k:,}: {words}")
    if found.exposed_before is not None:
        out.print(_about_frontier(found))
        out.print(_frontier(found))
    for sentence in found.recommendation:
        out.print(sentence)
    if best := best_choice(found):
        out.print(f"\nNext: {_command(best, source)}", soft_wrap=True)


def _about_frontier(found: Comparison) -> str:
    from graphveil.risk.attackers import ATTACKERS

    model = next(each for each in ATTACKERS if each.name == found.attacker)
    return (
        f"Frontier: people exposed (fewer than {found.exposed_k:,} match) to an attacker who knows "
        f"{model.knows.format(several='two')}. No other choice has as few changes and as few people exposed. "
        "This is measured, not guaranteed."
    )


def _frontier(found: Comparison) -> Table:
    """The choices that no other beats in changes and in people exposed to the attacker."""
    from graphveil.cli.terminal import table
    from graphveil.experiments.comparison.results import named

    rows = [("the original", "–", "0 %", percent(found.exposed_before or 0.0))]
    rows += [
        (named(each), f"{each.k:,}", percent(each.changed), percent(each.exposed))
        for each in found.frontier
        if each.best
    ]
    return table(("choice", "k", "edges\nchanged", "people\nexposed"), rows)


def _command(best: Choice, source: Source) -> str:
    """What to type in order to publish the choice that was recommended."""
    free = next(
        name for number in count(1) if not Path(name := f"out{number if number > 1 else ''}").exists()
    )
    levels = {"k": best.k, "degree_k": best.degree_k, **best.further}
    goals = [
        word
        for row in guarantees("anonymize")
        if (level := levels.get(row.name)) is not None
        for word in (row.flag, str(level))
    ]
    words = (*goals, "--method", best.method, *source.arguments("--from"), "-o", free)
    return plain(shlex.join(("graphveil", "anonymize", source.file, *words)))


def _table(found: Comparison) -> Table:
    from graphveil.cli.terminal import table
    from graphveil.goals import Degree

    with_degrees = any(Degree.name in choice.promises for choice in found.choices)
    headings = (
        "method", "k", *(("degree\nk",) if with_degrees else ()), "edges\nchanged", "new\npeople", "cluste-\nring",
        "path\nlength", "between-\nness", "commu-\nnities",
    )  # fmt: skip
    return table(headings, (_row(choice, with_degrees) for choice in found.choices if not choice.problem))


def _row(choice: Choice, with_degrees: bool) -> tuple[str, ...]:
    from graphveil.experiments.comparison.results import named
    from graphveil.goals import NMF, Degree

    promised = [str(choice.promises.get(goal.name, "–")) for goal in (NMF, Degree)]
    return (
        named(choice, with_degrees=False) + (" *" if choice.notes else ""),
        *promised[: 1 + with_degrees],
        percent((choice.mean("changed_percent") or 0.0) / 100),
        f"{choice.mean('new_vertices') or 0:,.3g}",
        *(
            "–" if (moved := choice.difference(name)) is None else f"{moved:+.4f}"
            for name in ("average_clustering", "average_path_length")
        ),
        *(figure(choice.mean(name)) for name in ("betweenness_rank", "communities")),
    )
