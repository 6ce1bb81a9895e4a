"""Charts as SVG for reports, the studio and notebooks: axes with gridlines, and marks on them.

They take their colours from the page. Before and after differ in shape as well as in colour: before is hollow, after is
solid. Every mark has a title that says what it stands for; a browser shows it, and the studio reads it aloud.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from graphveil.pages.svg import Markup, join, markup

LEFT, RIGHT, TOP, BOTTOM = 52, 20, 12, 34  # room for the labels of the axes
SHARP = 128  # groups of this size and more may share a dot with groups nearly as large


@dataclass(frozen=True)
class Axis:
    """From values to shares of an axis, with the values that are written beside it."""

    words: str  # what is measured
    # The values at both ends
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]  # values and their words
    plus: int | None = None  # added before a logarithm is taken; None on an axis that is not logarithmic

    def at(self, value: float) -> float:
        """The share of the axis."""
        if self.plus is not None:
            low, high = log10(self.low + self.plus), log10(self.high + self.plus)
            return (log10(value + self.plus) - low) / (high - low)
        return (value - self.low) / (self.high - self.low)


def sizes(words: str, most: float) -> Axis:
    """How many there are, from 1, logarithmic.

    >>> axis = sizes("friendships", 1000)
    >>> axis.at(10), [words for _, words in axis.ticks][-1]
    (0.3333333333333333, '1,000')
    """
    powers = range(floor(log10(most) + 1e-9) + 1)
    return Axis(
        words, 1, most, [(10**p, f"{10**p:,}" if p < 4 else f"10{_raised(p)}") for p in powers], plus=0
    )


def counts(words: str, most: float) -> Axis:
    """Numbers from 0, logarithmic."""
    written = (0, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000)
    return Axis(words, 0, most + 1, [(each, f"{each:,}") for each in written if each <= most + 1], plus=1)


def linear(
    words: str, values: Iterable[float], *, share: bool = False, of: tuple[float, float] | None = None
) -> Axis:
    """An axis around some values whose ends and ticks are round.

    >>> [words for _, words in linear("risk", [0.113, 0.148], share=True).ticks]
    ['11 %', '12 %', '13 %', '14 %', '15 %']
    """
    found = [*values] or [0.0, 1.0]
    least, most = of or (min(found), max(found))
    step = _round((most - least) / 4 or max(abs(most) / 10, 0.01))
    first, last = floor(least / step + 1e-9), ceil(most / step - 1e-9)
    last += first == last
    decimals = max(0, -floor(log10(step * (100 if share else 1)) + 1e-9))
    ticks = [(n * step, _written(n * step, decimals, share)) for n in range(first, last + 1)]
    return Axis(words, ticks[0][0], ticks[-1][0], ticks)


def _round(step: float) -> float:
    """The next of 1, 2, 5, 10, 20, … times a power of ten."""
    power = 10.0 ** floor(log10(step))
    return next(part * power for part in (1, 2, 5, 10) if part * power >= step * 0.999)


def _written(value: float, decimals: int, share: bool) -> str:
    return f"{100 * value:.{decimals}f} %" if share else f"{value:,.{decimals}f}"


def _raised(power: int) -> str:
    return str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


@dataclass(frozen=True)
class Frame:
    """Two axes and the room between them."""

    across: Axis
    up: Axis
    width: int = 320
    height: int = 200

    def x(self, value: float) -> float:
        """Where a value lies from left to right."""
        return round(LEFT + (self.width - LEFT - RIGHT) * self.across.at(value), 2)

    def y(self, value: float) -> float:
        """Where a value lies from top to bottom."""
        return round(self.height - BOTTOM - (self.height - TOP - BOTTOM) * self.up.at(value), 2)

    def svg(self, words: str, *marks: Markup, name: str = "") -> Markup:
        """The chart; the words are for those who do not see it."""
        return markup(
            '<svg class="chart{large}"{name} viewBox="0 0 {width} {height}" role="img" aria-label="{words}">'
            "{grid}{axes}{marks}</svg>",
            large=" large" if self.width > 320 else "",
            name=markup(' id="{name}"', name=name) if name else "",
            width=self.width,
            height=self.height,
            words=words,
            grid=join(self._grid()),
            axes=self._axes(),
            marks=join(marks),
        )

    def _grid(self) -> Iterator[Markup]:
        right, bottom = self.width - RIGHT, self.height - BOTTOM
        for value, words in self.up.ticks:
            yield markup('<path class="grid" d="M{a} {y}H{b}"/>', a=LEFT, b=right, y=self.y(value))
            yield _text(LEFT - 5, round(self.y(value) + 4, 2), "end", words)
        for value, words in self.across.ticks:
            yield markup('<path class="grid" d="M{x} {a}V{b}"/>', a=TOP, b=bottom, x=self.x(value))
            yield _text(self.x(value), bottom + 14, "middle", words)

    def _axes(self) -> Markup:
        bottom, right = self.height - BOTTOM, self.width - RIGHT
        return markup(
            '<path class="axis" d="M{left} {top}V{bottom}H{right}"/>{across}'
            '<text transform="translate(13 {half}) rotate(-90)" text-anchor="middle">{up}</text>',
            left=LEFT,
            top=TOP,
            bottom=bottom,
            right=right,
            across=_text((LEFT + right) / 2, self.height - 4, "middle", self.across.words),
            half=(bottom + TOP) / 2,
            up=self.up.words,
        )

    def dot(self, kind: str, across: float, up: float, words: str, key: object) -> Markup:
        """A dot; its title says what it stands for, its key what a script may look for."""
        r = 4 if kind.startswith("before") else 3
        return markup(
            '<circle class="{kind}" cx="{x}" cy="{y}" r="{r}" data-label="{key}"><title>{words}</title></circle>',
            kind=kind, x=self.x(across), y=self.y(up), r=r, key=key, words=words,
        )  # fmt: skip

    def line(self, kind: str, points: Iterable[tuple[float, float]]) -> Markup:
        """A line through points."""
        path = "L".join(f"{self.x(across)} {self.y(up)}" for across, up in points)
        return markup('<path class="line {kind}" d="M{path}"/>', kind=kind, path=path) if path else Markup("")


def _text(x: float, y: float, anchor: str, words: str) -> Markup:
    return markup(
        '<text x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>', x=x, y=y, anchor=anchor, words=words
    )


# ---------------------------------------------------------------------- sizes of groups


def group_frame(groups: Mapping[str, Mapping[int, int]], k: int, *, what: str, of: str) -> Frame:
    """The same axes for all graphs, with room for a line at k."""
    values = [value for each in groups.values() for value in each]
    most = [size for each in groups.values() for size in each.values()]
    return Frame(
        counts(f"number of {what}", max(values, default=0)),
        sizes(of, max([*most, 10 * k, 1_000]) * 1.2),
        460,
        250,
    )


def group_chart(
    groups: Mapping[str, Mapping[int, int]], k: int, *, what: str, of: str, name: str = ""
) -> Markup:
    """A dot for each number that occurs: how many have it, and a line at k that no dot should be below.

    ``groups`` has by ``"Before"``, ``"After"`` or ``"Now"`` how many have each number; ``name`` is the chart's id in
    its page.
    """
    frame = group_frame(groups, k, what=what, of=of)
    right = frame.width - RIGHT
    return frame.svg(
        f"{of.capitalize()} for each number of {what}, both axes logarithmic. {_in_words(groups, k)}",
        *(_dots(frame, when, each, k, what, of, len(groups) > 1) for when, each in groups.items()),
        markup('<line class="limit" x1="{a}" x2="{b}" y1="{y}" y2="{y}"/>', a=LEFT, b=right, y=frame.y(k)),
        markup(
            '<text class="limit" x="{x}" y="{y}">k = {k:,}</text>', x=LEFT + 6, y=round(frame.y(k) + 13, 2), k=k
        ),
        name=name,
    )  # fmt: skip


def _in_words(groups: Mapping[str, Mapping[int, int]], k: int) -> str:
    small = {when: sum(size < k for size in each.values()) for when, each in groups.items()}
    return " ".join(
        f"{when}: {len(each):,} numbers occur, {f'{small[when]:,}' if small[when] else 'none'} of them below k = {k:,}."
        for when, each in groups.items()
    )


def _dots(
    frame: Frame, when: str, groups: Mapping[int, int], k: int, what: str, of: str, named: bool
) -> Markup:
    """Dots that would lie on each other are one, so that a chart stays small whatever the graph."""
    spots: dict[tuple[float, float], list[tuple[int, int]]] = {}
    for value, size in sorted(groups.items()):
        spot = frame.x(value) // 2, size if size < SHARP else -(frame.y(size) // 2)
        spots.setdefault(spot, []).append((value, size))
    kind = "before" if when == "Before" else "after"
    said = f"{when}: " if named else ""
    return join(
        frame.dot(
            f"{kind} small" if some[0][1] < k else kind,
            some[len(some) // 2][0],
            some[0][1],
            said + _group(some, what, of),
            some[0][0],
        )
        for some in spots.values()
    )


def _group(some: Sequence[tuple[int, int]], what: str, of: str) -> str:
    """What a dot stands for: “17 mutual friends: 1 friendship”."""
    first, last = some[0][0], some[-1][0]
    least, most = min(size for _, size in some), max(size for _, size in some)
    value = _count(first, what) if first == last else f"{first:,} to {last:,} {what}"
    size = _count(least, of) if least == most else f"{least:,} to {most:,} {of}"
    return f"{value}: {size}{' each' if first != last else ''}"


def _count(number: int, plural: str) -> str:
    one = {"people": "person"}.get(plural, plural[:-1])
    return f"{number:,} {one if number == 1 else plural}"


# ---------------------------------------------------------------------- costs and gains


@dataclass(frozen=True)
class Point:
    """Something that was tried: what it costs and gains, whether nothing beats it, its name, more words and its key."""

    across: float
    up: float
    best: bool
    name: str
    words: str
    key: object


def frontier_chart(points: Sequence[Point], across: str, up: str, *, name: str = "") -> Markup:
    """A dot for each point on axes of shares, and a line through those that no other beats, which are named."""
    frame = Frame(
        linear(across, [each.across for each in points], share=True),
        linear(up, [each.up for each in points], share=True),
        460,
        250,
    )
    best = sorted((each for each in points if each.best), key=lambda each: each.across)
    ordered = [*(each for each in points if not each.best), *best]
    return frame.svg(
        f"{up.capitalize()} by {across}. " + "; ".join(f"{each.name}: {each.words}" for each in points),
        frame.line("", [(each.across, each.up) for each in best]),
        *(
            frame.dot(
                "after" if each.best else "before",
                each.across,
                each.up,
                f"{each.name}: {each.words}",
                each.key,
            )
            for each in ordered
        ),
        *_names(frame, best, points),
        name=name,
    )


def _names(frame: Frame, named: Sequence[Point], points: Sequence[Point]) -> Iterator[Markup]:
    """Names beside their dots, where there is room."""
    taken = [(frame.x(each.across) - 5, frame.x(each.across) + 5, frame.y(each.up) + 4) for each in points]
    right, bottom = frame.width, frame.height - BOTTOM
    for each in named:
        x, y, long = frame.x(each.across), frame.y(each.up), 6.0 * len(each.name)
        spots = [
            (x + a, x + a + long, y + b)
            for a, b in ((7, 14), (7, 4), (-7 - long, -5), (-7 - long, 4), (7, -7))
        ]
        for start, end, height in spots:
            inside = start > LEFT and end < right and TOP + 6 < height < bottom - 2
            if inside and not any(start < b and end > a and abs(height - h) < 11 for a, b, h in taken):
                taken.append((start, end, height))
                yield _text(round(start, 1), round(height, 1), "start", each.name)
                break


def lines_chart(series: Mapping[str, Sequence[tuple[float, float, str]]], across: str, up: str) -> Markup:
    """A line for each name, both axes logarithmic, with a place for 0 below; every point is across, up and words."""
    points = [point for each in series.values() for point in each]
    ks = sorted({across for across, _, _ in points})
    shares = [up for _, up, _ in points if up > 0] or [1.0]
    nothing = any(up <= 0 for _, up, _ in points)
    low, high = (
        floor(log10(min(shares))) - nothing,
        max(ceil(log10(max(shares))), floor(log10(min(shares))) + 1),
    )
    written = ["0 %" if nothing and n == low else f"{10.0**n:g} %" for n in range(low, high + 1)]
    for_names = min(
        0.5, (7 * max(map(len, series)) + 16) / (460 - LEFT - RIGHT)
    )  # of the axis, beside the ends
    reach = (max(ks[-1], 1.5 * ks[0]) / ks[0]) ** (1 / (1 - for_names))
    frame = Frame(
        Axis(across, ks[0], ks[0] * reach, [(k, f"{k:,}") for k in ks], plus=0),
        Axis(
            up, 10.0**low, 10.0**high, [(10.0 ** (low + i), words) for i, words in enumerate(written)], plus=0
        ),
        460,
        250,
    )
    ends: list[float] = []
    marks: list[Markup] = []
    for number, (name, several) in enumerate(series.items()):
        shown = [(a, max(b, 10.0**low), words) for a, b, words in sorted(several)]
        marks.append(frame.line(f"line-{number}", [(a, b) for a, b, _ in shown]))
        marks += [frame.dot(f"dot line-{number}", a, b, words, name) for a, b, words in shown]
        end = frame.y(shown[-1][1]) + 4
        while any(abs(other - end) < 12 for other in ends):
            end += 3
        ends.append(end)
        marks.append(_text(frame.x(shown[-1][0]) + 8, end, "start", name))
    words = "; ".join(words for _, _, words in points)
    return frame.svg(f"{up} by {across}, both axes logarithmic. {words}", *marks)
