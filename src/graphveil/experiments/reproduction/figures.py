"""Property 1 and Figures 5 to 11 of the paper, from our figures: as differences, where lines would coincide."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphveil.experiments.plots import (
    REFERENCE,
    Look,
    Panel,
    Series,
    draw_panel,
    looks,
    panels,
    save,
    small_multiples,
)
from graphveil.experiments.reproduction import paper
from graphveil.experiments.reproduction.checks import NAMES
from graphveil.experiments.reproduction.experiments import NMF_METHODS, Point, Study
from graphveil.measures.betweenness import BINS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LOOKS = looks(6)
LOOK_OF = {
    "add-intuit": _LOOKS[4],
    "add-greedy": _LOOKS[1],
    "add-del": _LOOKS[0],
    "kda-paper": _LOOKS[2],
    "kda": _LOOKS[5],
    "liu-terzi": _LOOKS[3],
}
SHADES = [  # of one method at three k, told apart by the line too
    Look("#9A7BC0", line=":"),
    Look("#7E57A8", line="--"),
    Look("#35124F"),
]
FITS = {"power law": Look("#D55E00"), "log-normal": Look("#0072B2", line="--"), "exponential": REFERENCE}
PAGE: dict[str, Any] = {
    "columns": 2,
    "width": 3.6,
    "height": 2.7,
}  # inches: the width of a page with type of nine points

Line = tuple[str, Sequence[Point], Look]


def draw(studies: Sequence[Study], folder: Path) -> dict[str, Path]:
    """Write all figures as SVG and PNG; gives the path of each SVG by what it shows."""
    run = [each for each in studies if each.ks(*NMF_METHODS)]
    figures: dict[str, Figure] = {"property-1-power-law": _power_laws(studies)}
    if run:
        figures |= {
            "figure-05-clustering": _by_k(run, lambda p: p.moved("clustering"), "difference of CC"),
            "figure-06-path-length": _by_k(
                run, lambda p: p.moved("path_length"), "difference of APL (steps)"
            ),
            "figure-08-edges-changed": _by_k(run, lambda p: p.changed, "edges changed (%)", of_edges=True),
        }
    for study in run:
        if study.graph or study.stands_for or len(run) == 1:
            figures[f"figure-07-betweenness-{file_name(study)}"] = _distributions(study)
        if study.ks("liu-terzi"):
            figures[f"figure-09-11-degrees-{file_name(study)}"] = _degrees(study)
    folder.mkdir(exist_ok=True)
    return {name: save(figure, folder / name)[0] for name, figure in sorted(figures.items())}


def file_name(study: Study) -> str:
    """The name of a graph as a part of a file name.

    >>> from types import SimpleNamespace
    >>> file_name(SimpleNamespace(name="Cora stand-in"))
    'cora-stand-in'
    """
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in study.name.lower()).strip("-")


# ---------------------------------------------------------------------- Figures 5, 6 and 8


def _by_k(
    studies: Sequence[Study], of: Callable[[Point], float], label: str, *, of_edges: bool = False
) -> Figure:
    shown = []
    for study in studies:
        scale = 100 / max(study.edges, 1) if of_edges else 1
        series = [_series(study, method, of, scale) for method in NMF_METHODS]
        shown.append(Panel(study.name, "k", label, series, None if of_edges else 0.0, zero=of_edges))
    return small_multiples(shown, **PAGE)


def _series(study: Study, method: str, of: Callable[[Point], float], scale: float = 1) -> Series:
    """Medians over the runs, with their quartiles."""
    ks = study.ks(method)
    rows = [np.percentile([scale * of(p) for p in study.runs[method, k]], (25, 50, 75)).tolist() for k in ks]
    low, middle, high = zip(*rows, strict=True) if rows else ((), (), ())
    return Series(NAMES[method], ks, middle, LOOK_OF[method], low, high)


# ---------------------------------------------------------------------- Figure 7


def _distributions(study: Study) -> Figure:
    """ADD&DEL at several k, ADD with GreedyGroup at several k, and all methods at k = 25."""
    parts: list[tuple[str, Sequence[Line]]] = []
    for method in ("add-del", "add-greedy"):
        ks = zip(paper.SHOWN_K, SHADES, strict=True)
        parts.append((NAMES[method], [(f"k = {k}", study.at(method, k), look) for k, look in ks]))
    of_all = [(NAMES[m], study.at(m, 25), Look(LOOK_OF[m].colour)) for m in NMF_METHODS]
    parts.append(("all at k = 25", of_all))
    with panels(3, **PAGE) as (figure, axes):
        for place, (title, lines) in zip(axes, parts, strict=True):
            _draw_cumulative(place, title, study.original, lines)
        axes[1].sharey(axes[0])
        axes[0].autoscale_view()
    return figure


def _cumulative(point: Point) -> NDArray[np.float64]:
    """The share of vertices, in per cent, whose betweenness is below the end of each bin."""
    counts = np.array(point.betweenness, float)
    shares: NDArray[np.float64] = 100 * counts.cumsum() / max(counts.sum(), 1)
    return shares


def _draw_cumulative(axes: Axes, title: str, original: Point, lines: Sequence[Line]) -> None:
    """How far the cumulative distribution is from the original one, as medians over the runs."""
    before = _cumulative(original)
    used = np.flatnonzero((before > before[0]) & (before < 100)) if before[-1] else np.array([1])
    first, last = (max(int(used[0]) - 1, 0), int(used[-1]) + 1) if len(used) else (0, len(BINS) - 1)
    ends = [*BINS[1:], 10**0.25][first : last + 1]
    axes.axhline(0, **REFERENCE.drawn, label="original", zorder=1)
    for name, points, look in lines:
        if len(points):
            middle = np.median([_cumulative(p) - before for p in points], axis=0)[first : last + 1]
            axes.plot(ends, middle, **look.drawn, label=name)
    axes.set_xscale("log")
    axes.set_title(title)
    axes.set_xlabel("betweenness (share of all pairs)")
    axes.set_ylabel("vertices below it,\ndifference (% points)")


# ---------------------------------------------------------------------- Figures 9 to 11


def _degrees(study: Study) -> Figure:
    """KDA and Liu–Terzi on the k-NMF graph: clustering, path length, betweenness, edges added."""
    methods = ("kda-paper", "kda", "liu-terzi")
    wholes: tuple[tuple[str, str, Callable[[Point], float]], ...] = (
        ("Clustering", "difference of CC", lambda p: p.moved("clustering")),
        ("Path length", "difference of APL (steps)", lambda p: p.moved("path_length")),
        ("Edges", "edges added (%)", lambda p: 100 * p.moved("edges") / max(p.start["edges"], 1)),
    )
    by_k = [
        (f"KDA, k = {k}", study.at("kda-paper", k), look)
        for k, look in zip(paper.BETWEENNESS_K, SHADES, strict=True)
        if study.at("kda-paper", k)
    ]
    with panels(4 if by_k else 3, **PAGE) as (figure, axes):
        for place, (title, label, of) in zip(axes, wholes, strict=False):
            lines = [_series(study, method, of) for method in methods if study.ks(method)]
            draw_panel(place, Panel(title, "degree k", label, lines))
            place.axhline(0, color="#555555", linestyle=":", label=f"{study.nmf_k}-NMF graph", zorder=1)
        if by_k:
            _draw_cumulative(axes[3], "Betweenness under KDA", study.original, by_k)
    return figure


# ---------------------------------------------------------------------- Property 1


def _power_laws(studies: Sequence[Study]) -> Figure:
    """The share of edges with at least so many mutual friends, and the distributions fitted to the tail."""
    with panels(len(studies), **PAGE) as (figure, axes):
        for place, study in zip(axes, studies, strict=True):
            _draw_tail(place, study)
    return figure


def _draw_tail(axes: Axes, study: Study) -> None:
    axes.set_title(study.name)
    axes.set_xlabel("mutual friends")
    axes.set_ylabel("edges with as many or more")
    if study.tail is None:
        return
    counts, survival = study.tail.counts, study.tail.survival
    shown = _thinned(counts)
    axes.plot(
        shown, np.interp(shown, counts, survival["edges"]), ".", color="#35124F", markersize=3, label="edges"
    )
    for name, look in FITS.items():
        x = counts[len(counts) - len(survival[name]) :]
        axes.plot(_thinned(x), np.interp(_thinned(x), x, survival[name]), **look.drawn, label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(0.5 * min(survival["edges"]), 1.5)


def _thinned(counts: Sequence[int]) -> NDArray[np.int64]:
    """At most a hundred of the counts, as far from each other on a logarithmic axis: figures stay small."""
    wanted = np.geomspace(counts[0], counts[-1], 100)
    near: NDArray[np.int64] = np.array(counts)[np.unique(np.searchsorted(counts, wanted - 1e-9))]
    return near
