"""How all figures look: quiet axes, one colour and one mark for each series, told apart also without colours.

The colours are those of M. Okabe and K. Ito (Color universal design, 2008), which people with any kind of colour
vision can tell apart. Every figure is written as SVG, for the web, and as PNG, for slides and papers; the same
figures give the same bytes. Matplotlib is used without pyplot, so nothing is global and no window can open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from io import BytesIO
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ORIGINAL = "original"
COLOURS = ("#D55E00", "#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
MARKS = ("o", "s", "^", "D", "v", "P")
STYLE = files(__package__) / "figures.mplstyle"


@dataclass(frozen=True)
class Look:
    """Colour, mark and line of one series."""

    colour: str
    mark: str = ""
    line: str = "-"

    @property
    def drawn(self) -> dict[str, Any]:
        """As Matplotlib calls it."""
        return {"color": self.colour, "marker": self.mark, "linestyle": self.line}


REFERENCE = Look("#767676", line="--")  # of the original


@dataclass(frozen=True)
class Series:
    """A line: its name, its points, and how far they spread where they are means."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    look: Look
    low: Sequence[float] = ()
    high: Sequence[float] = ()


@dataclass(frozen=True)
class Panel:
    """One pair of axes: title, what the axes show, the lines, and a level to compare them with."""

    title: str
    x_label: str
    y_label: str
    series: Sequence[Series]
    reference: float | None = None
    zero: bool = False  # whether the axis begins at 0


def looks(count: int) -> list[Look]:
    """As many looks as there are series; colours come again only with another line."""
    lines = [line for line in ("-", "--", ":", "-.") for _ in COLOURS]
    every = zip(cycle(COLOURS), cycle(MARKS), cycle(lines), strict=False)
    return [Look(*each) for each in islice(every, count)]


def style() -> AbstractContextManager[None]:
    """Everything that is drawn in this block looks as it should."""
    from matplotlib.style import context

    return context(str(STYLE))


@contextmanager
def panels(
    count: int, *, columns: int = 3, width: float = 2.4, height: float = 2.2
) -> Iterator[tuple[Figure, list[Axes]]]:
    """A figure and its axes, row by row under one legend; width and height of one in inches."""
    from matplotlib.figure import Figure

    columns = min(columns, count)
    rows = -(-count // columns)
    with style():
        figure = Figure(figsize=(width * max(columns, 2), height * rows + 0.3), layout="constrained")
        axes = list(figure.subplots(rows, columns, squeeze=False).flat)
        yield figure, axes[:count]
        for place in axes[count:]:
            place.set_visible(False)
        _legend(figure, axes[:count])


def small_multiples(shown: Sequence[Panel], **how: Any) -> Figure:
    """Panels beside each other; the rest is as of `panels`."""
    with panels(len(shown), **how) as (figure, axes):
        for place, panel in zip(axes, shown, strict=True):
            draw_panel(place, panel)
    return figure


def draw_panel(axes: Axes, panel: Panel) -> None:
    """Draw one panel; the x axis is logarithmic and has its ticks where the points are.

    Where all points are at one x, they stand side by side instead.
    """
    if panel.reference is not None:
        axes.axhline(panel.reference, **REFERENCE.drawn, label=ORIGINAL, zorder=1)
    places = sorted({x for series in panel.series for x in series.x})
    if len(places) == 1:
        _side_by_side(axes, panel.series)
        axes.set_xlabel(f"{panel.x_label} = {places[0]:g}")
    else:
        _lines(axes, panel.series)
        _ticks_at(axes, places)
        axes.set_xlabel(panel.x_label)
    axes.set_title(panel.title)
    axes.set_ylabel(panel.y_label)
    if panel.zero:
        axes.set_ylim(bottom=0)


def _lines(axes: Axes, several: Iterable[Series]) -> None:
    for series in several:
        look = series.look
        if series.low:
            axes.fill_between(series.x, series.low, series.high, color=look.colour, alpha=0.18, linewidth=0)
        axes.plot(series.x, series.y, **look.drawn, label=series.name)


def _side_by_side(axes: Axes, several: Sequence[Series]) -> None:
    """One point for each series, where all would be in the same place; no difference below 1 % looks like one."""
    for place, series in enumerate(several):
        look = series.look
        if series.low:
            axes.vlines([place], series.low, series.high, color=look.colour, alpha=0.4)
        axes.plot([place] * len(series.x), series.y, **look.drawn | {"linestyle": ""}, label=series.name)
    axes.set_xlim(-0.5, len(several) - 0.5)
    axes.set_xticks([])
    low, high = axes.get_ylim()
    middle, least = (low + high) / 2, 0.01 * max(abs(low), abs(high))
    if high - low < least:
        axes.set_ylim(middle - least / 2, middle + least / 2)


def _ticks_at(axes: Axes, values: Sequence[float]) -> None:
    """Ticks at these values; of those that would touch each other, only some with a number."""
    from matplotlib.ticker import FixedLocator, NullFormatter

    axes.set_xscale("log")
    named, last = [], 0.0
    for value in values:
        if value >= 1.4 * last:
            named.append(value)
            last = value
    axes.set_xticks(named, [f"{value:g}" for value in named])
    axes.xaxis.set_minor_locator(FixedLocator([value for value in values if value not in named]))
    axes.xaxis.set_minor_formatter(NullFormatter())


def _legend(figure: Figure, axes: Iterable[Axes]) -> None:
    """One legend for all panels, above them; the original comes first."""
    named: dict[str, Any] = {ORIGINAL: None}
    for each in axes:
        handles, names = each.get_legend_handles_labels()
        named |= dict(zip(names, handles, strict=True))
    named = {name: handle for name, handle in named.items() if handle is not None}
    figure.legend(named.values(), named.keys(), loc="outside upper left", ncols=min(len(named), 5))


def save(figure: Figure, stem: Path, *, private: bool = False) -> list[Path]:
    """Write a figure as SVG and as PNG; a private one for its owner only."""
    from graphveil.formats.atomic import write_whole

    written = []
    for kind, metadata in (("svg", {"Date": None, "Creator": None}), ("png", {"Software": None})):
        sink = BytesIO()
        with style():
            figure.savefig(sink, format=kind, dpi=200, metadata=metadata)
        written.append(stem.with_name(f"{stem.name}.{kind}"))
        write_whole(str(written[-1]), [sink.getvalue()], private=private)
    return written
