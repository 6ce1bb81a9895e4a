"""A comparison as files: JSON and CSV for machines, figures for people."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from graphveil.experiments.comparison.results import Choice, Comparison, named, points
from graphveil.formats.atomic import write_whole
from graphveil.goals import GOALS, Goal
from graphveil.risk.attackers import PARTITIONS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from graphveil.experiments.plots import Look, Panel


def write_comparison(comparison: Comparison, folder: str | Path) -> list[Path]:
    """Write ``comparison.json``, ``comparison.csv``, and three figures as SVG and PNG; return their paths.

    ``frontier`` shows changes against people exposed to one attacker, ``utility`` and ``attacks`` each by k. Only
    their owner can read them: they hold no label, but exact figures of the original.
    """
    folder = Path(folder)
    texts = {
        "comparison.json": json.dumps(comparison.to_dict(), indent=2) + "\n",
        "comparison.csv": as_csv(comparison),
    }
    for name, text in texts.items():
        write_whole(str(folder / name), [text.encode()], private=True)
    return [folder / name for name in texts] + _figures(comparison, folder)


PARAMETERS = ("method", "k", "degree_k", "max_changes", "seed")


def as_csv(comparison: Comparison) -> str:
    """One row for each cell; the columns are the parameters, the promises, and the figures by name."""
    names = list(dict.fromkeys(name for cell in comparison.cells for name in cell.figures))
    sink = StringIO()
    rows = csv.writer(sink, lineterminator="\n")
    rows.writerow([*PARAMETERS, *(_column(kind) for kind in GOALS.values()), "problem", "notes", *names])
    for cell in comparison.cells:
        promises = (cell.promises.get(each) for each in GOALS)
        figures = (cell.figures.get(name) for name in names)
        remarks = cell.problem, "; ".join(cell.notes)
        rows.writerow([*(getattr(cell, name) for name in PARAMETERS), *promises, *remarks, *figures])
    return sink.getvalue()


def _column(kind: type[Goal]) -> str:
    return f"promised_{'nmf_k' if kind.parameter == 'k' else kind.parameter}"


# ---------------------------------------------------------------------- figures


def _figures(comparison: Comparison, folder: Path) -> list[Path]:
    from graphveil.experiments.plots import looks, save, small_multiples

    series: dict[str, list[Choice]] = {}
    for choice in comparison.choices:
        if not choice.problem:
            series.setdefault(named(choice), []).append(choice)
    if not series:
        return []
    look_of = dict(zip(series, looks(len(series)), strict=True))
    panels = {"utility": _utility_panels(series, look_of), "attacks": _attack_panels(series, look_of)}
    return save(_frontier(comparison, series, look_of), folder / "frontier", private=True) + [
        path
        for name, each in panels.items()
        for path in save(small_multiples(each), folder / name, private=True)
    ]


def _frontier(comparison: Comparison, series: dict[str, list[Choice]], look_of: dict[str, Look]) -> Figure:
    """People exposed to the attacker against changes: towards the lower left is better; the line is the frontier."""
    from graphveil.experiments.plots import REFERENCE, legend, new_figure, style

    best = [each for each in comparison.frontier if each.best]
    with style():
        figure, (axes,) = new_figure(1, 1, width=5.4, height=3.6)
        axes.step(
            [100 * each.changed for each in best],
            [100 * each.exposed for each in best],
            where="post",
            color=REFERENCE.colour,
            linestyle=REFERENCE.line,
            label="frontier",
        )
        for name, choices in series.items():
            look, found = look_of[name], points(choices, comparison.attacker)
            places = [(100 * each.changed, 100 * each.exposed) for each in found]
            axes.plot(
                *zip(*places, strict=True), color=look.colour, marker=look.mark, linestyle="", label=name
            )
            for each, place in zip(found, places, strict=True):
                axes.annotate(f"k = {each.k:,}", place, xytext=(3, 3), textcoords="offset points", fontsize=6)
        axes.set_title(f"Changes against people exposed to {comparison.attacker}")
        axes.set_xlabel("friendships changed, %")
        axes.set_ylabel(f"people exposed (fewer than {comparison.exposed_k:,} match), %")
        axes.set_xscale("symlog", linthresh=0.1)
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        legend(figure, [axes])
    return figure


def _utility_panels(series: dict[str, list[Choice]], look_of: dict[str, Look]) -> list[Panel]:
    first = next(iter(series.values()))[0]
    original = {name: first.mean(f"{name}_before") for name in ("average_clustering", "average_path_length")}

    def panel(title: str, label: str, name: str, reference: float | None = None, zero: bool = False) -> Panel:
        return _panel(title, label, series, look_of, lambda choice: choice.values(name), reference, zero)

    return [
        panel("Edges changed", "% of the edges", "changed_percent", zero=True),
        panel("Clustering", "average coefficient", "average_clustering", original["average_clustering"]),
        panel("Path length", "average, in steps", "average_path_length", original["average_path_length"]),
        panel("Betweenness", "rank agreement", "betweenness_rank", 1.0),
        panel("Communities", "adjusted mutual inform.", "communities", first.mean("communities_unchanged")),
        panel("Added edges told apart", "AUC (0.5 is guessing)", "added_edges_adamic_adar", 0.5),
    ]


def _attack_panels(series: dict[str, list[Choice]], look_of: dict[str, Look]) -> list[Panel]:
    first = next(iter(series.values()))[0]

    def panel(attacker: str) -> Panel:
        name = f"attack_{attacker.replace('-', '_')}_expected"
        before = first.mean(f"{name}_before")

        def values(choice: Choice) -> list[float]:
            return [100 * value for value in choice.values(name)]

        reference = None if before is None else 100 * before
        title = attacker.replace("-", " ").capitalize()
        return _panel(title, "% found, expected", series, look_of, values, reference, zero=True)

    return [panel(model.name) for model in PARTITIONS]


def _panel(
    title: str,
    label: str,
    series: dict[str, list[Choice]],
    look_of: dict[str, Look],
    values: Callable[[Choice], list[float]],
    reference: float | None,
    zero: bool,
) -> Panel:
    from graphveil.experiments.plots import Panel, Series

    lines = []
    for name, choices in series.items():
        points = [(choice.k, found) for choice in choices if (found := values(choice))]
        several = any(len(found) > 1 for _, found in points)
        mean, low, high = (_each(how, points) for how in (lambda v: sum(v) / len(v), min, max))
        xs = [k for k, _ in points]
        lines.append(Series(name, xs, mean, look_of[name], low if several else (), high if several else ()))
    return Panel(title, "k", label, lines, reference, zero)


def _each(how: Callable[[list[float]], float], points: Iterable[tuple[int, list[float]]]) -> list[float]:
    return [how(found) for _, found in points]
