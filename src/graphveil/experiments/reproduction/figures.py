"""Figures 5 to 11 of the paper, from our figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from graphveil.experiments.plots import (
    REFERENCE,
    Look,
    Panel,
    Series,
    draw_panel,
    legend,
    looks,
    new_figure,
    save,
    small_multiples,
    style,
)
from graphveil.experiments.reproduction import paper
from graphveil.experiments.reproduction.experiments import BINS, NMF_METHODS, Point, Study
from graphveil.experiments.reproduction.statements import NAMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw", "file_name"]

_LOOKS = looks(6)
LOOK_OF = {
    "add-intuit": _LOOKS[4],
    "add-greedy": _LOOKS[1],
    "add-del": _LOOKS[0],
    "kda-paper": _LOOKS[2],
    "kda": _LOOKS[5],
    "liu-terzi": _LOOKS[3],
}
SHADES = [Look("#BFA6D9"), Look("#7E57A8"), Look("#35124F")]  # of one method at three k, from light to dark
ZOOM = 100  # vertices: the paper's insets enlarge frequencies from 0 to 100

Line = tuple[str, Point | None, Look]


def draw(studies: Sequence[Study], folder: Path) -> dict[str, Path]:
    """Write all figures as SVG and PNG; gives the path of each SVG by what it shows."""
    figures: dict[str, Figure] = {
        "figure-05-clustering": _by_k(studies, "clustering", "average clustering coefficient"),
        "figure-06-path-length": _by_k(studies, "path_length", "average path length (steps)"),
        "figure-08-edges-changed": _changes(studies),
    }
    for study in studies:
        figures[f"figure-07-betweenness-{file_name(study)}"] = _distributions(study)
        if study.nmf_graph is not None:
            figures[f"figure-09-11-degrees-{file_name(study)}"] = _degrees(study, study.nmf_graph)
    folder.mkdir(exist_ok=True)
    return {name: save(figure, folder / name)[0] for name, figure in sorted(figures.items())}


def file_name(study: Study) -> str:
    """The name of a graph as a part of a file name.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> file_name(SimpleNamespace(name="Cora stand-in"))
    'cora-stand-in'
    """
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in study.name.lower()).strip("-")


# ---------------------------------------------------------------------- Figures 5, 6 and 8


def _by_k(studies: Sequence[Study], name: str, label: str) -> Figure:
    panels = []
    for study in studies:
        series = [_series(study, method, name) for method in NMF_METHODS]
        panels.append(Panel(study.name, "k", label, series, getattr(study.original, name)))
    return small_multiples(panels, height=2.4)


def _changes(studies: Sequence[Study]) -> Figure:
    panels = []
    for study in studies:
        series = [_series(study, method, "changed", 100 / max(study.edges, 1)) for method in NMF_METHODS]
        panels.append(Panel(study.name, "k", "edges added and deleted (%)", series, zero=True))
    return small_multiples(panels, height=2.4)


def _series(study: Study, method: str, name: str, scale: float = 1) -> Series:
    ks = study.ks(method)
    values = [scale * getattr(study.points[method, k], name) for k in ks]
    return Series(NAMES[method], ks, values, LOOK_OF[method])


# ---------------------------------------------------------------------- Figure 7


def _distributions(study: Study) -> Figure:
    """ADD&DEL at several k, ADD with GreedyGroup at several k, and all methods at k = 25."""
    original: Line = ("original", study.original, REFERENCE)
    parts: list[tuple[str, list[Line]]] = [
        (NAMES[method], [original, *_at_several_k(study, method)]) for method in ("add-del", "add-greedy")
    ]
    at_25 = [(NAMES[m], study.points.get((m, 25)), _without_mark(LOOK_OF[m])) for m in NMF_METHODS]
    parts.append(("k = 25", [original, *at_25]))
    with style():
        figure, axes = new_figure(1, 3, height=3.0)
        for place, (title, lines) in zip(axes, parts, strict=True):
            _draw_distribution(place, title, lines)
        legend(figure, axes)
    return figure


def _at_several_k(study: Study, method: str) -> list[Line]:
    ks = paper.SHOWN_K
    return [(f"k = {k}", study.points.get((method, k)), look) for k, look in zip(ks, SHADES, strict=True)]


def _without_mark(look: Look) -> Look:
    return Look(look.colour)


def _draw_distribution(axes: Axes, title: str, lines: Sequence[Line]) -> None:
    """Vertices by betweenness in the lower half, and above it the same enlarged where there are few."""
    from matplotlib.ticker import MaxNLocator

    highest = _draw_frequencies(axes, lines)
    ticks = MaxNLocator(3).tick_values(0, highest)
    axes.set_title(title)
    axes.set_xlabel("betweenness (share of all pairs)")
    axes.set_ylabel("vertices in a bin")
    axes.set_yticks(ticks, [f"{tick:,.0f}" for tick in ticks])
    axes.set_ylim(0, 2.3 * max(highest, 1))
    inset = axes.inset_axes((0.17, 0.55, 0.83, 0.43))
    _draw_frequencies(inset, lines)
    inset.set_ylim(0, ZOOM)
    inset.set_yticks([0, ZOOM // 2, ZOOM])
    inset.tick_params(labelsize=6, pad=1.5)
    inset.set_xticks(inset.get_xticks(), [])


def _draw_frequencies(axes: Axes, lines: Sequence[Line]) -> float:
    """One line for each version of a graph, without those who lie between nobody; gives the largest frequency."""
    shown = [(name, point.betweenness, look) for name, point, look in lines if point is not None]
    used = [place for place in range(1, len(BINS)) if any(counts[place] for _, counts, _ in shown)] or [1]
    places = range(used[0], used[-1] + 1)
    for name, counts, look in shown:
        heights = [counts[place] for place in places]
        on_top = 3 if look is REFERENCE else 2
        axes.plot(
            places,
            heights,
            color=look.colour,
            linestyle=look.line,
            linewidth=1.1,
            label=name,
            zorder=on_top,
        )
    decades = [place for place in places if (place - 1) % 8 == 0]
    axes.set_xticks(decades, [f"$10^{{{(place - 1) // 4 - 10}}}$" for place in decades])
    return max((counts[place] for _, counts, _ in shown for place in places), default=1.0)


# ---------------------------------------------------------------------- Figures 9 to 11


def _degrees(study: Study, start: Point) -> Figure:
    """KDA and Liu–Terzi on the k-NMF graph: clustering, path length, and the distribution of betweenness."""
    with style():
        figure, axes = new_figure(1, 3, height=3.0)
        for place, name, title, label in (
            (axes[0], "clustering", "Clustering", "average clustering coefficient"),
            (axes[1], "path_length", "Path length", "average path length (steps)"),
        ):
            lines = [_series(study, method, name) for method in ("kda-paper", "kda", "liu-terzi")]
            level = getattr(start, name)
            place.axhline(level, color="#555555", linestyle=":", label=f"{study.nmf_k}-NMF graph", zorder=1)
            draw_panel(place, Panel(title, "degree k", label, lines, getattr(study.original, name)))
        original: Line = ("original", study.original, REFERENCE)
        ks = zip(paper.BETWEENNESS_K, SHADES, strict=True)
        by_k = [(f"KDA, k = {k}", study.points.get(("kda-paper", k)), look) for k, look in ks]
        _draw_distribution(axes[2], "Betweenness under KDA", [original, *by_k])
        legend(figure, axes)
    return figure
