"""Distributions in ranges, each of which holds enough of the original to be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

from graphveil.goals import GOALS
from graphveil.publication.report.discretion import OPEN, Discretion
from graphveil.publication.report.gathering import Findings
from graphveil.verification.documents import Certificate

DECADES = [0.0, *(10.0**power for power in range(-8, 0))]
INFINITY = float("inf")


@dataclass(frozen=True)
class Bins:
    """Shares of friendships, people or pairs by ranges of values; each as a number to draw and in words."""

    title: str
    what: str
    of: str
    ranges: tuple[str, ...]
    before: tuple[tuple[float, str], ...]
    after: tuple[tuple[float, str], ...]


def group_sizes(certificate: Certificate) -> dict[str, Mapping[Any, int]]:
    """Of the published graph, by guarantee."""
    return {
        each.guarantee: each.group_sizes for each in certificate.guarantees if each.group_sizes is not None
    }


def all_bins(certificate: Certificate, found: Findings, discretion: Discretion) -> Iterable[Bins]:
    if not discretion.decimals:
        return
    after = group_sizes(certificate)
    for guarantee, sizes in found.group_sizes.items():
        goal = GOALS[guarantee]
        both = [_shares(sizes), _shares(after[guarantee])]
        doubling = [0.0, *(2.0**i for i in range(31))]
        total = sum(sizes.values())
        yield from _bins(
            goal.what.capitalize(), goal.what, goal.of, both, doubling, _whole, total, discretion
        )
    if found.utility is None:
        return
    drawn = {each.name: each for each in found.utility.distributions}
    for name, title, what, of, lower, label in (
        (
            "distance",
            "Steps between people",
            "steps",
            "connected pairs",
            [*map(float, range(1, 1000))],
            _whole,
        ),
        ("betweenness", "Betweenness", "share of all pairs", "people", DECADES, _decade),
    ):
        shown = drawn[name]
        both = [dict(zip(shown.values, shares, strict=True)) for shares in (shown.before, shown.after)]
        # No fewer pairs are connected than are friends
        total = found.vertices if of == "people" else found.edges
        yield from _bins(title, what, of, both, lower, label, total, discretion)


def _shares(sizes: Mapping[Any, int]) -> dict[float, float]:
    total = sum(sizes.values())
    return {float(value): size / total for value, size in sizes.items()}


def _bins(
    title: str,
    what: str,
    of: str,
    both: Sequence[Mapping[float, float]],
    lower: Sequence[float],
    label: Callable[[float, float | None], str],
    total: int,
    discretion: Discretion,
) -> Iterable[Bins]:
    """Put shares by value into ranges, and those together that hold too few of the original."""
    largest = max((value for shares in both for value in shares), default=0.0)
    starts = [start for start in lower if start <= largest]
    sums = [
        [sum(share for value, share in shares.items() if low <= value < high) for low, high in _spans(starts)]
        for shares in both
    ]
    firsts = together([share * total for share in sums[0]], discretion.least)
    if not firsts:
        return
    before, after = ([sum(part[a:b]) for a, b in _spans(firsts, len(starts))] for part in sums)
    edges = [starts[first] for first in firsts]
    yield Bins(
        title,
        what,
        of,
        tuple(label(low, None if high == INFINITY else high) for low, high in _spans(edges)),
        tuple(
            discretion.beside(now, *discretion.span(was, total))
            for was, now in zip(before, after, strict=True)
        ),
        tuple(map(OPEN.share, after)),
    )


def _spans(starts: Sequence[Any], end: Any = INFINITY) -> list[tuple[Any, Any]]:
    """Each start with the next one."""
    return list(zip(starts, [*starts[1:], end], strict=True)) if starts else []


def together(sizes: Sequence[float], least: int) -> list[int]:
    """Where ranges begin that hold at least so many each, from ranges that may hold fewer; none if all hold fewer.

    >>> together([90, 3, 20, 4, 0, 1, 2], least=5)
    [0, 2, 3]
    """
    starts: list[int] = []
    held = 0.0
    for place in reversed(range(len(sizes))):
        held += sizes[place]
        if held >= least - 0.5:
            starts.append(place)
            held = 0.0
    return [0, *starts[-2::-1]] if starts else []


def _whole(low: float, high: float | None) -> str:
    if high is None:
        return f"{low:,.0f}+"
    return f"{low:,.0f}" if high == low + 1 else f"{low:,.0f}–{high - 1:,.0f}"


def _decade(low: float, high: float | None) -> str:
    def power(value: float) -> str:
        digits = str(round(log10(value))).replace("-", "⁻")
        return "10" + digits.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))

    if high is None:
        return f"{power(low)}+" if low else "0+"
    return f"<{power(high)}" if low == 0 else f"{power(low)}+"
