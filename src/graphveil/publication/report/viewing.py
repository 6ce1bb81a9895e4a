"""What a page shows of the original, beside the published graph, under a `Discretion`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

from graphveil.goals import NMF, Degree
from graphveil.measures.table import AGREEMENTS, FIGURES, Row
from graphveil.publication.report.bins import Bins, all_bins, group_sizes
from graphveil.publication.report.discretion import OPEN, Discretion
from graphveil.publication.report.gathering import Findings
from graphveil.publication.weighing import guaranteed_against
from graphveil.publication.words import knows
from graphveil.risk.auditing import Attacker
from graphveil.risk.auditing import Naming as NamingBefore
from graphveil.verification.documents import AttackerFigures, Certificate, Naming
from graphveil.words import percent

TOP = 0.01  # share of the people whose agreement is measured as that of the top


@dataclass(frozen=True)
class Risk:
    """One attacker: how many people are exposed, and how likely a target is found; before and after."""

    name: str
    knows: str
    k: int
    guaranteed: bool
    before: tuple[float, str] | None
    after: tuple[float, str]
    smallest: tuple[str, str]
    chance: tuple[str, str]
    naming: Named | None


@dataclass(frozen=True)
class Named:
    """What an attacker of friendships learns about people, before and after, in words."""

    largest_share: tuple[str, str]
    people: tuple[str, str]
    in_smallest_group: tuple[str, str]


@dataclass(frozen=True)
class Pair:
    """One figure of both graphs, on a scale."""

    title: str
    meaning: str
    before: tuple[float, str]
    after: tuple[float, str]
    low: float
    high: float
    error: str = ""


@dataclass(frozen=True)
class Kept:
    """One figure that compares the graphs."""

    title: str
    meaning: str
    value: tuple[float, str]
    unchanged: str


@dataclass(frozen=True)
class View:
    """All that a page shows of the original, and what stands beside it."""

    discretion: Discretion
    risks: tuple[Risk, ...]
    pairs: tuple[Pair, ...]
    kept: tuple[Kept, ...]
    bins: tuple[Bins, ...]


def view(certificate: Certificate, found: Findings, discretion: Discretion) -> View:
    """What a page may show of the findings."""
    return View(
        discretion,
        tuple(_risks(certificate, found, discretion)),
        tuple(_pairs(certificate, found, discretion)),
        tuple(_kept(found, discretion)),
        tuple(all_bins(certificate, found, discretion)),
    )


# ---------------------------------------------------------------------- risk


def _risks(certificate: Certificate, found: Findings, discretion: Discretion) -> Iterable[Risk]:
    """Those against whom there is a guarantee first, then the others."""
    sizes = guaranteed_against(certificate)
    # What everybody can count in the published graph is no secret of the original, but finer attributes are
    no_attributes = certificate.attribute_groups is None and certificate.edge_attribute_groups is None
    if not certificate.changes and no_attributes:
        discretion = OPEN
    risks = [
        _risk(
            each, found.audit[each.name], sizes.get(each.name, certificate.k), discretion, each.name in sizes
        )
        for each in certificate.attackers
    ]
    return sorted(risks, key=lambda risk: not risk.guaranteed)  # a stable sort: else as in the table


def _risk(after: AttackerFigures, before: Attacker, k: int, discretion: Discretion, guaranteed: bool) -> Risk:
    """The published graph is shown as it is, the original with discretion: as a span, where that is needed."""
    now, was = after.exposure(k), next(each for each in before.exposures if each.k == k)
    shown, chance, smallest = None, "–", "–"
    if discretion.decimals and before.targets:
        people = round(was.people / was.people_share) if was.people_share else None
        shown = discretion.beside(now.people_share, *discretion.span(was.people_share, people))
        chance = discretion.span(before.mean_probability, before.targets)[1]
        smallest = _group(before.smallest_group, discretion)
    return Risk(
        name=after.name,
        knows=knows(after.name),
        k=k,
        guaranteed=guaranteed,
        before=shown,
        after=OPEN.share(now.people_share),
        smallest=(smallest, "–" if after.smallest_group is None else f"{after.smallest_group:,}"),
        chance=(chance, OPEN.share(after.mean_probability)[1] if after.targets else "–"),
        naming=_named(after, before, discretion),
    )


def _named(after: AttackerFigures, before: Attacker, discretion: Discretion) -> Named | None:
    """A few people make these figures, so those of the original are for its owner."""
    if after.naming is None or before.naming is None:
        return None
    was, now = before.naming, after.naming

    def both(say: Callable[[Naming | NamingBefore], str]) -> tuple[str, str]:
        return "–" if discretion.public else say(was), say(now)

    return Named(
        largest_share=both(lambda each: percent(each.largest_share)),
        people=both(lambda each: f"{each.people_named:,}"),
        in_smallest_group=both(lambda each: f"{each.people_in_smallest_group or 0:,}"),
    )


def _group(smallest: int | None, discretion: Discretion) -> str:
    if smallest is None:
        return "–"
    if not discretion.public:
        return f"{smallest:,}"
    few = smallest < discretion.least
    return f"under {discretion.least:,}" if few else f"{discretion.least:,} or more"


# ---------------------------------------------------------------------- single figures


def _pairs(certificate: Certificate, found: Findings, discretion: Discretion) -> Iterable[Pair]:
    if found.utility is None:
        before = _transitivity(found.group_sizes)
        after = _transitivity(group_sizes(certificate))
        figures = {"transitivity": (before, after, 0.0)}
    else:
        figures = {each.name: (each.before, each.after, each.error or 0.0) for each in found.utility.measures}
    for row in FIGURES:
        before, after, error = figures.get(row.name, (None, None, 0.0))
        if (
            before is None
            or after is None
            or not discretion.decimals
            or (discretion.public and not row.overall)
        ):
            continue
        most = max(abs(before), abs(after))
        scale = 1.0 if row.bounds else 10.0 ** ceil(log10(max(most, 1)))
        low, high = row.bounds or (-_round_up(most) if min(before, after) < 0 else 0.0, _round_up(most))
        both = discretion.figures(before, after, scale, row.bounds)
        yield Pair(*_titles(row), *both, low, high, f"± {error:.2g}" if error else "")


def _titles(row: Row) -> tuple[str, str]:
    """What a measure is called in reports, and what it means."""
    return row.title or row.words[0].upper() + row.words[1:], row.meaning or row.unit


def _transitivity(sizes: Mapping[str, Mapping[Any, int]]) -> float | None:
    """From the group sizes alone: each triangle has three edges, each of which counts its third corner."""
    triples = sum(int(count) * size for count, size in sizes[NMF.name].items())
    paths = sum(int(degree) * (int(degree) - 1) // 2 * size for degree, size in sizes[Degree.name].items())
    return triples / paths if paths else None


def _round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50, …"""
    if value <= 0:
        return 1.0
    power = 10.0 ** floor(log10(value))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= value))


def _kept(found: Findings, discretion: Discretion) -> Iterable[Kept]:
    if found.utility is None or not discretion.decimals:
        return
    figures = {each.name: each for each in found.utility.agreements}
    small_top = TOP * found.vertices < discretion.least
    for row in AGREEMENTS:
        each = figures[row.name]
        hidden = discretion.public and (not row.overall or (row.name.endswith("_top") and small_top))
        if each.value is None or hidden:
            continue
        mark = "–" if each.unchanged is None else discretion.figure(each.unchanged)[1]
        yield Kept(*_titles(row), discretion.figure(each.value), mark)
