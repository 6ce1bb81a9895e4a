"""The charts that only reports have: ranges before and after, and a figure on its scale."""

from __future__ import annotations

from graphveil.pages.chart import Axis, Frame, group_chart, linear
from graphveil.pages.svg import Markup, join, markup
from graphveil.publication.report.bins import Bins
from graphveil.publication.report.viewing import Pair

__all__ = ["distribution_chart", "group_chart", "scale_chart"]


def distribution_chart(bins: Bins) -> Markup:
    """Two bars for each range, before and after."""
    both = (("before", bins.before), ("after", bins.after))
    most = max(share for _, shares in both for share, _ in shares) or 1.0
    every = -(-len(bins.ranges) // 6)  # labels of six ranges at most, so that they do not run into each other
    labels = [(i + 0.5, name) for i, name in enumerate(bins.ranges) if i % every == 0]
    frame = Frame(
        Axis(bins.what, 0, len(bins.ranges), labels),
        linear(f"share of {bins.of}", [], share=True, of=(0, most)),
        height=180,
    )
    words = "; ".join(
        f"{name}: {before[1]}, then {after[1]}"
        for name, before, after in zip(bins.ranges, bins.before, bins.after, strict=True)
    )
    return frame.svg(
        f"{bins.title}: share of {bins.of} by {bins.what}, before and after. {words}",
        *(
            _bar(frame, kind, i + 0.12 + 0.4 * side, shares[i][0], f"{name}, {kind}: {shares[i][1]}")
            for i, name in enumerate(bins.ranges)
            for side, (kind, shares) in enumerate(both)
        ),
    )


def _bar(frame: Frame, kind: str, start: float, share: float, words: str) -> Markup:
    left, top = frame.x(start), frame.y(share)
    return markup(
        '<rect class="{kind}" x="{x}" y="{y}" width="{width:.2f}" height="{tall:.2f}"><title>{words}</title></rect>',
        kind=kind, x=left, y=top, width=frame.x(start + 0.36) - left, tall=frame.y(0) - top, words=words,
    )  # fmt: skip


def scale_chart(pair: Pair) -> Markup:
    """A line with a ring where the figure was and a dot where it is."""
    width, y = 320, 16

    def x(value: float) -> str:
        return f"{12 + (width - 24) * (value - pair.low) / (pair.high - pair.low):.1f}"

    ends = ((pair.low, "start"), (pair.high, "end"))
    return markup(
        '<svg class="chart" viewBox="0 0 {width} 44" role="img" aria-label="{words}">'
        '<line class="axis" x1="12" x2="{right}" y1="{y}" y2="{y}"/>{ends}'
        '<circle class="after" cx="{after}" cy="{y}" r="5"/>'
        '<circle class="before" cx="{before}" cy="{y}" r="8"/></svg>',
        width=width,
        words=f"{pair.title}: {pair.before[1]} before, {pair.after[1]} after, "
        f"on a scale from {pair.low:g} to {pair.high:g}.",
        right=width - 12,
        y=y,
        ends=join(
            markup(
                '<text x="{x}" y="{y}" text-anchor="{anchor}">{value:g}</text>',
                x=x(value), y=y + 22, anchor=anchor, value=value,
            )
            for value, anchor in ends
        ),
        after=x(pair.after[0]),
        before=x(pair.before[0]),
    )  # fmt: skip
