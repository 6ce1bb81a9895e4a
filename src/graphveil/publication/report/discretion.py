"""What of the original may be shown, and how finely.

Attackers read the public page too. They have the published graph and its certificate. The page adds figures of the
original, and each of them is an equation that the true changes must solve. So the page shows no figure that depends
on a few people:

- Only figures over the whole graph: those of `MEASURES` and `AGREEMENTS` that are marked as such. There is no
  largest value, no diameter and no eigenvalue (the largest of the Laplacian is close to the largest number of
  friends).
- Figures are rounded to a step that is larger than the effect of k people or friendships.
- Distributions are in ranges that hold at least k of the original each. The outermost ranges are open.
- Nothing that depends on the true changes. This excludes who is found by the simulated attack, because it would
  tell an attacker how far to trust a single candidate. It also excludes how well added friendships can be detected.

The owner's page has no such limits. Both are made by the same code, from a `Discretion`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

from graphveil.publication.documents import AttackerFigures, Certificate
from graphveil.publication.report.gathering import Findings
from graphveil.risk.auditing import Attacker, Naming
from graphveil.risk.guarantees import Guarantee
from graphveil.words import percent

__all__ = ["OPEN", "Bins", "Discretion", "Kept", "Named", "Pair", "Risk", "View", "towards_everybody", "view"]

MOST_DECIMALS = 3
TOP = 0.01  # share of the people whose agreement is measured as that of the top


@dataclass(frozen=True)
class Discretion:
    """How finely the original is shown.

    Attributes
    ----------
    public
        Whether only figures over the whole graph are shown
    least
        How many friendships or people a figure has to be about
    decimals
        Digits after the point that shares are rounded to, other figures likewise; None to show nothing
    """

    public: bool
    least: int
    decimals: int | None

    @property
    def step(self) -> float:
        """What shares are rounded to."""
        assert self.decimals is not None
        return 10.0**-self.decimals

    def round(self, value: float, scale: float = 1.0) -> float:
        """The value to as many digits as may be shown, of a figure that is at most about ``scale``."""
        assert self.decimals is not None
        return float(round(value / scale, self.decimals) * scale)

    def share(self, share: float, of: int | None = None) -> tuple[float, str]:
        """A share, of so many of the original where that is known, as a number to draw and in words."""
        assert self.decimals is not None
        digits = max(self.decimals - 2, 0)
        if not self.public:
            return share, percent(share)
        rounded = self.round(share)
        if rounded == 0 or (of and share * of < self.least - 0.5):
            rounded, words = 0.0, f"under {self.step:.{digits}%}"
        elif rounded == 1 or (of and (1 - share) * of < self.least - 0.5):
            rounded, words = 1.0, f"over {1 - self.step:.{digits}%}"
        else:
            words = f"{rounded:.{digits}%}"
        return rounded, words.replace("%", " %")

    def span(self, share: float, of: int | None = None) -> tuple[float, str]:
        """A share as `share` rounds it, in words as all that it may be: it stands beside one that is not rounded.

        Examples
        --------
        >>> towards_everybody(5, 120, 400).span(0.12), towards_everybody(25, 56_739, 212_945).span(0.12)
        ((0.1, '5–15 %'), (0.12, '11.95–12.05 %'))
        """
        rounded, words = self.share(share, of)
        if not self.public or rounded in (0, 1):
            return rounded, words
        assert self.decimals is not None
        digits = max(self.decimals - 1, 0)
        low, high = (100 * (rounded + side * self.step / 2) for side in (-1, 1))
        return rounded, f"{low:.{digits}f}–{high:.{digits}f} %"

    def beside(self, other: float, rounded: float, words: str) -> tuple[float, str]:
        """A rounded share, drawn as the exact one beside it where rounding alone may be the difference."""
        reach = self.step if rounded in (0, 1) else self.step / 2
        return (other if self.public and abs(other - rounded) <= reach else rounded), words

    def figure(self, value: float, scale: float = 1.0) -> tuple[float, str]:
        """A figure, as a number to draw and in words."""
        assert self.decimals is not None
        if not self.public and float(value).is_integer():
            return value, f"{value:,.0f}"
        rounded = self.round(value, scale) + 0.0  # no negative zero
        return rounded, f"{rounded:,.{max(self.decimals - round(log10(scale)), 0)}f}"


OPEN = Discretion(public=False, least=1, decimals=4)


def towards_everybody(k: int, vertices: int, edges: int) -> Discretion:
    """The discretion for the public page of an original of that size.

    Examples
    --------
    >>> towards_everybody(25, 56_739, 212_945).decimals, towards_everybody(5, 120, 400).decimals
    (3, 1)
    >>> towards_everybody(5, 20, 40).decimals is None
    True
    """
    crowds = min(vertices, edges) / k
    decimals = min(floor(log10(crowds)), MOST_DECIMALS) if crowds >= 1 else 0
    return Discretion(public=True, least=k, decimals=decimals or None)


# ---------------------------------------------------------------------- what a page shows


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
class Bins:
    """Shares of friendships, people or pairs by ranges of values; each as a number to draw and in words."""

    title: str
    what: str
    of: str
    ranges: tuple[str, ...]
    before: tuple[tuple[float, str], ...]
    after: tuple[tuple[float, str], ...]


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
        tuple(_all_bins(certificate, found, discretion)),
    )


# ---------------------------------------------------------------------- risk


def _risks(certificate: Certificate, found: Findings, discretion: Discretion) -> Iterable[Risk]:
    """Those against whom there is a guarantee first, then the others."""
    sizes = {
        each.terms.attacker: int(level)
        for each, level in certificate.promises.items()
        if each.terms.bounds == "size"
    }
    if (
        not certificate.changes
    ):  # what everybody can count in the published graph is no secret of the original
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
        knows=after.knows,
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

    def both(say: Callable[[Naming], str]) -> tuple[str, str]:
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

# By name: title, meaning, scale (None: open upwards from 0), and whether it is one over the whole graph.
MEASURES: dict[str, tuple[str, str, tuple[float, float] | None, bool]] = {
    "average_clustering": ("Clustering", "share of a person's friends who are friends, on average", (0, 1), True),
    "transitivity": ("Transitivity", "share of all friends of friends who are friends", (0, 1), True),
    "assortativity": ("Assortativity", "do people with many friends know each other?", (-1, 1), True),
    "largest_component": ("Largest component", "share of the people who are connected to most", (0, 1), True),
    "average_path_length": ("Path length", "steps between two people, on average", None, True),
    "effective_diameter": ("Effective diameter", "steps that nine of ten pairs are within", None, True),
    "average_coreness": ("Coreness", "how dense people's surroundings are, on average", None, True),
    "diameter": ("Diameter", "the most steps between two people", None, False),
    "components": ("Components", "parts without a connection", None, False),
    "degeneracy": ("Degeneracy", "coreness of the densest part", None, False),
    "largest_betweenness": ("Largest betweenness", "share of the pairs one person lies between", (0, 1), False),
    "adjacency_eigenvalue_1": ("Adjacency eigenvalue", "the largest", None, False),
    "laplacian_eigenvalue_1": ("Laplacian eigenvalue", "the largest", None, False),
}  # fmt: skip


def _pairs(certificate: Certificate, found: Findings, discretion: Discretion) -> Iterable[Pair]:
    if found.utility is None:
        before = _transitivity(found.group_sizes)
        after = _transitivity(_group_sizes(certificate))
        figures = {"transitivity": (before, after, 0.0)}
    else:
        figures = {each.name: (each.before, each.after, each.error or 0.0) for each in found.utility.measures}
    for name, (title, meaning, bounds, overall) in MEASURES.items():
        before, after, error = figures.get(name, (None, None, 0.0))
        if before is None or after is None or not discretion.decimals or (discretion.public and not overall):
            continue
        most = max(abs(before), abs(after))
        scale = 1.0 if bounds else 10.0 ** ceil(log10(max(most, 1)))
        low, high = bounds or (0.0, _round_up(most))
        yield Pair(
            title,
            meaning,
            discretion.figure(before, scale),
            discretion.figure(after, scale),
            low,
            high,
            f"± {error:.2g}" if error else "",
        )


def _group_sizes(certificate: Certificate) -> dict[Guarantee, Mapping[Any, int]]:
    """Of the published graph, by guarantee."""
    return {
        Guarantee(each.guarantee): each.group_sizes
        for each in certificate.guarantees
        if each.group_sizes is not None
    }


def _transitivity(group_sizes: Mapping[Guarantee, Mapping[Any, int]]) -> float | None:
    """From the group sizes alone: each triangle has three edges, each of which counts its third corner."""
    triples = sum(int(count) * size for count, size in group_sizes[Guarantee.NMF].items())
    paths = sum(
        int(degree) * (int(degree) - 1) // 2 * size for degree, size in group_sizes[Guarantee.DEGREE].items()
    )
    return triples / paths if paths else None


def _round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50, …"""
    if value <= 0:
        return 1.0
    power = 10.0 ** floor(log10(value))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= value))


# By name: title, meaning, and whether it may be shown to everybody; those of the top only if it is large enough.
AGREEMENTS: dict[str, tuple[str, str, bool]] = {
    "degree_total_variation": ("Numbers of friends", "share of the people who would have to have another number", True),
    "mutual_friends_total_variation": (
        "Numbers of mutual friends", "share of the friendships that would have to have another number", True,
    ),
    "betweenness_rank": ("Order by betweenness", "rank correlation", True),
    "betweenness_top": ("Top 1 % by betweenness", "share that stays", True),
    "pagerank_top": ("Top 1 % by PageRank", "share that stays", True),
    "eigenvector_top": ("Top 1 % by eigenvector centrality", "share that stays", True),
    "closeness_top": ("Top 1 % by closeness", "share that stays", True),
    "communities": ("Communities", "adjusted mutual information", True),
    "added_edges_jaccard": ("Added friendships, by Jaccard", "AUC of telling them from true ones", False),
    "added_edges_adamic_adar": ("Added friendships, by Adamic–Adar", "AUC of telling them from true ones", False),
    "deleted_pairs_jaccard": ("Deleted friendships, by Jaccard", "AUC of telling them from strangers", False),
    "deleted_pairs_adamic_adar": ("Deleted friendships, by Adamic–Adar", "AUC of telling them from strangers", False),
}  # fmt: skip


def _kept(found: Findings, discretion: Discretion) -> Iterable[Kept]:
    if found.utility is None or not discretion.decimals:
        return
    figures = {each.name: each for each in found.utility.agreements}
    small_top = TOP * found.vertices < discretion.least
    for name, (title, meaning, overall) in AGREEMENTS.items():
        each = figures[name]
        hidden = discretion.public and (not overall or (name.endswith("_top") and small_top))
        if each.value is None or hidden:
            continue
        mark = "–" if each.unchanged is None else discretion.figure(each.unchanged)[1]
        yield Kept(title, meaning, discretion.figure(each.value), mark)


# ---------------------------------------------------------------------- distributions


def _all_bins(certificate: Certificate, found: Findings, discretion: Discretion) -> Iterable[Bins]:
    if not discretion.decimals:
        return
    after = _group_sizes(certificate)
    for guarantee, sizes in found.group_sizes.items():
        terms = guarantee.terms
        both = [_shares(sizes), _shares(after[guarantee])]
        doubling = [0.0, *(2.0**i for i in range(31))]
        total = sum(sizes.values())
        yield from _bins(
            terms.what.capitalize(), terms.what, terms.of, both, doubling, _whole, total, discretion
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
        total = (
            found.vertices if of == "people" else found.edges
        )  # no fewer pairs are connected than are friends
        yield from _bins(title, what, of, both, lower, label, total, discretion)


DECADES = [0.0, *(10.0**power for power in range(-8, 0))]


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
        tuple(discretion.share(share, total) for share in before),
        tuple(discretion.share(share) for share in after),
    )


INFINITY = float("inf")


def _spans(starts: Sequence[Any], end: Any = INFINITY) -> list[tuple[Any, Any]]:
    """Each start with the next one."""
    return list(zip(starts, [*starts[1:], end], strict=True)) if starts else []


def together(sizes: Sequence[float], least: int) -> list[int]:
    """Where ranges begin that hold at least so many each, from ranges that may hold fewer; none if all hold fewer.

    Examples
    --------
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
