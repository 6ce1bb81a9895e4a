"""Small charts as SVG, each with its text alternative. They take their colours from the page.

Before and after differ in shape as well as in colour: before is hollow, after is solid.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log10

from graphveil.pages.svg import Markup, join, markup
from graphveil.publication.report.bins import Bins
from graphveil.publication.report.viewing import Pair

WIDTH = 320
LEFT, RIGHT, TOP, BOTTOM = 52, 8, 10, 34  # room for the labels of the axes


def class_chart(sizes: Mapping[int, int], k: int, *, what: str, of: str, when: str) -> Markup:
    """A dot for each value that occurs: how many have it, and a line at k that no dot should be below."""
    height = 200
    across, up = log10(max(sizes, default=0) + 2), log10(max([*sizes.values(), 10 * k]))
    dots = {
        kind: "".join(
            f"M{_x(log10(value + 1) / across)} {_y(log10(size) / up, height)}h0"
            for value, size in sizes.items()
            if (size < k) == (kind == "small")
        )
        for kind in ("large", "small")
    }
    small = sum(size < k for size in sizes.values())
    verdict = f"{small:,} of them below it" if small else "none of them below it"
    line = _y(log10(k) / up, height)
    return _svg(
        height,
        f"{when}: {of} for each number of {what}, both axes logarithmic. {len(sizes):,} numbers occur; "
        f"a line marks k = {k:,}, {verdict}.",
        _axes(height, of, what),
        join(
            _tick_up(f"{10**power:,}" if power < 4 else f"10{_raised(power)}", power / up, height)
            for power in range(int(up) + 1)
        ),
        join(
            _tick_across(f"{value:,}", log10(value + 1) / across, height)
            for value in (0, 1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000)
            if log10(value + 1) <= across
        ),
        markup('<line class="limit" x1="{a}" x2="{b}" y1="{y}" y2="{y}"/>', a=LEFT, b=WIDTH - RIGHT, y=line),
        markup(
            '<text class="limit" x="{x}" y="{y:.1f}">k = {k:,}</text>', x=LEFT + 6, y=float(line) + 14, k=k
        ),
        *(markup('<path class="{kind}" d="{d}"/>', kind=kind, d=d) for kind, d in dots.items() if d),
    )  # fmt: skip


def distribution_chart(bins: Bins) -> Markup:
    """Two bars for each range, before and after."""
    height = 180
    most = max(share for share, _ in (*bins.before, *bins.after)) or 1.0
    wide = 1 / len(bins.ranges)
    bars = join(
        _bar(kind, (i + 0.12 + 0.4 * side) * wide, 0.36 * wide, shares[i][0] / most, height)
        for i in range(len(bins.ranges))
        for side, (kind, shares) in enumerate((("before", bins.before), ("after", bins.after)))
    )
    every = -(-len(bins.ranges) // 6)  # labels of six ranges at most, so that they do not run into each other
    return _svg(
        height,
        f"{bins.title}: share of {bins.of} by {bins.what}, before and after. "
        + "; ".join(
            f"{name}: {before[1]}, then {after[1]}"
            for name, before, after in zip(bins.ranges, bins.before, bins.after, strict=True)
        ),
        _axes(height, f"share of {bins.of}", bins.what),
        join(_tick_up(f"{most * part:.0%}", part, height) for part in (0, 0.5, 1)),
        join(
            _tick_across(name, (i + 0.5) * wide, height)
            for i, name in enumerate(bins.ranges)
            if i % every == 0
        ),
        bars,
    )


def scale_chart(pair: Pair) -> Markup:
    """A line with a ring where the figure was and a dot where it is."""
    height, y = 44, 16

    def x(value: float) -> str:
        return f"{12 + (WIDTH - 24) * (value - pair.low) / (pair.high - pair.low):.1f}"

    return _svg(
        height,
        f"{pair.title}: {pair.before[1]} before, {pair.after[1]} after, on a scale from {pair.low:g} to {pair.high:g}.",
        markup('<line class="axis" x1="12" x2="{b}" y1="{y}" y2="{y}"/>', b=WIDTH - 12, y=y),
        join(
            markup(
                '<text x="{x}" y="{y}" text-anchor="{anchor}">{value:g}</text>',
                x=x(value), y=y + 22, anchor=anchor, value=value,
            )
            for value, anchor in ((pair.low, "start"), (pair.high, "end"))
        ),
        markup('<circle class="after" cx="{x}" cy="{y}" r="5"/>', x=x(pair.after[0]), y=y),
        markup('<circle class="before" cx="{x}" cy="{y}" r="8"/>', x=x(pair.before[0]), y=y),
    )  # fmt: skip


# ---------------------------------------------------------------------- parts


def _svg(height: int, words: str, *parts: Markup) -> Markup:
    return markup(
        '<svg class="chart" viewBox="0 0 {width} {height}" role="img" aria-label="{words}">{parts}</svg>',
        width=WIDTH,
        height=height,
        words=words,
        parts=join(parts),
    )


def _x(share: float) -> str:
    return f"{LEFT + (WIDTH - LEFT - RIGHT) * share:.1f}"


def _y(share: float, height: int) -> str:
    return f"{height - BOTTOM - (height - TOP - BOTTOM) * share:.1f}"


def _axes(height: int, up: str, across: str) -> Markup:
    return markup(
        '<path class="axis" d="M{left} {top}V{bottom}H{right}"/>'
        '<text x="{middle}" y="{under}" text-anchor="middle">{across}</text>'
        '<text transform="translate(10 {half}) rotate(-90)" text-anchor="middle">{up}</text>',
        left=LEFT,
        top=TOP,
        bottom=height - BOTTOM,
        right=WIDTH - RIGHT,
        middle=(LEFT + WIDTH - RIGHT) / 2,
        under=height - 4,
        half=(height - BOTTOM + TOP) / 2,
        across=across,
        up=up,
    )


def _tick_up(words: str, share: float, height: int) -> Markup:
    return markup(
        '<text x="{x}" y="{y:.1f}" text-anchor="end">{words}</text>',
        x=LEFT - 5,
        y=float(_y(share, height)) + 4,
        words=words,
    )


def _tick_across(words: str, share: float, height: int) -> Markup:
    return markup(
        '<text x="{x}" y="{y}" text-anchor="middle">{words}</text>',
        x=_x(share),
        y=height - BOTTOM + 14,
        words=words,
    )


def _bar(kind: str, start: float, wide: float, share: float, height: int) -> Markup:
    return markup(
        '<rect class="{kind}" x="{x}" y="{y}" width="{width:.1f}" height="{tall:.1f}"/>',
        kind=kind,
        x=_x(start),
        y=_y(share, height),
        width=wide * (WIDTH - LEFT - RIGHT),
        tall=height - BOTTOM - float(_y(share, height)),
    )


def _raised(power: int) -> str:
    return str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
