"""A comparison as files: JSON and CSV for machines, figures for people."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from graphveil.experiments.comparison.results import Choice, Comparison, attack_name, named, points
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
    figures = {
        "frontier": _frontier(comparison, series, look_of),
        "utility": small_multiples(_utility_panels(series, look_of)),
        "attacks": small_multiples(_attack_panels(series, look_of)),
    }
    return [path for name, each in figures.items() for path in save(each, folder / name, private=True)]


def _frontier(comparison: Comparison, series: dict[str, list[Choice]], look_of: dict[str, Look]) -> Figure:
    """People exposed to the attacker against changes: towards the lower left is better; the line is the frontier."""
    from graphveil.experiments.plots import REFERENCE, panels

    best = [each for each in comparison.frontier if each.best]
    with panels(1, width=2.7, height=3.6) as (figure, (axes,)):
        axes.step(
            [100 * each.changed for each in best],
            [100 * each.exposed for each in best],
            where="post",
            **REFERENCE.drawn,
            label="frontier",
        )
        for name, choices in series.items():
            look, found = look_of[name], points(choices, comparison.attacker)
            places = [(100 * each.changed, 100 * each.exposed) for each in found]
            axes.plot(*zip(*places, strict=True), **look.drawn | {"linestyle": ""}, label=name)
            for each, place in zip(found, places, strict=True):
                axes.annotate(f"k = {each.k:,}", place, xytext=(3, 3), textcoords="offset points", fontsize=6)
        axes.set_title(f"Changes against people exposed to {comparison.attacker}")
        axes.set_xlabel("friendships changed, %")
        axes.set_ylabel(f"people exposed (fewer than {comparison.exposed_k:,} match), %")
        axes.set_xscale("symlog", linthresh=0.1)
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
    return figure


def _utility_panels(series: dict[str, list[Choice]], look_of: dict[str, Look]) -> list[Panel]:
    original = next(iter(series.values()))[0].mean
    rows: list[tuple[str, str, str, float | None]] = [
        ("Edges changed", "% of the edges", "changed_percent", None),
        ("Clustering", "average coefficient", "average_clustering", original("average_clustering_before")),
        ("Path length", "average, in steps", "average_path_length", original("average_path_length_before")),
        ("Betweenness", "rank agreement", "betweenness_rank", 1.0),
        ("Communities", "adjusted mutual inform.", "communities", original("communities_unchanged")),
        ("Added edges told apart", "AUC (0.5 is guessing)", "added_edges_adamic_adar", 0.5),
    ]
    return [_panel(series, look_of, *row, zero=row[-1] is None) for row in rows]


def _attack_panels(series: dict[str, list[Choice]], look_of: dict[str, Look]) -> list[Panel]:
    found = []
    for model in PARTITIONS:
        title, name = model.name.replace("-", " ").capitalize(), attack_name(model.name)
        before = next(iter(series.values()))[0].mean(f"{name}_before")
        found.append(_panel(series, look_of, title, "found, expected", name, before, zero=True))
    return found


def _panel(
    series: dict[str, list[Choice]],
    look_of: dict[str, Look],
    title: str,
    label: str,
    figure: str,
    reference: float | None,
    zero: bool,
) -> Panel:
    """One figure over k, as means; where there are several seeds, with the least and the most."""
    from graphveil.experiments.plots import Panel, Series

    lines = []
    for name, choices in series.items():
        found = [(choice.k, values) for choice in choices if (values := choice.values(figure))]
        each = [(k, fmean(values), min(values), max(values)) for k, values in found]
        ks, mean, low, high = zip(*each, strict=True) if each else ((),) * 4
        several = any(len(values) > 1 for _, values in found)
        lines.append(Series(name, ks, mean, look_of[name], low if several else (), high if several else ()))
    return Panel(title, "k", label, lines, reference, zero)
