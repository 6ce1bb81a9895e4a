"""What of the original may be shown, and how finely.

The public page is read by attackers too. They have the published graph and its certificate; what the page adds are
figures of the original, and each of them is an equation that the true changes must solve. So the page shows none
that a few people could have made what it is:

- only figures over the whole graph, those of `MEASURES` and `AGREEMENTS` that are marked as such; no largest value, no
  diameter, no eigenvalue (the largest of the Laplacian is close to the largest number of friends of a person);
- rounded to a step that k of the people or friendships are less than, so that no one of them shows;
- distributions in ranges that hold at least k of the original each; the outermost ranges are open;
- nothing that takes the true changes to know: neither who is found by the simulated attack (it would tell an
  attacker how far to trust a lone candidate) nor how well added friendships can be told from others.

The owner's page has no such limits. Both are made by the same code, from a `Discretion`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Any

from graphveil.publication.report.findings import Findings
from graphveil.risk.auditing import VIEWS
from graphveil.words import percent

__all__ = ["OPEN", "Bins", "Discretion", "Kept", "Pair", "Risk", "View", "towards_everybody", "view"]

MOST_DECIMALS = 3
TOP = 0.01  # share of the people whose agreement is measured as that of the top


@dataclass(frozen=True)
class Discretion:
    """How finely the original is shown.

    Attributes
    ----------
    public : whether only figures over the whole graph are shown
    least : how many friendships or people a figure has to be about
    decimals : digits after the point that shares are rounded to, other figures likewise; None to show nothing
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
    """One adversary: how many hide among fewer than k from him, and what his chance is on average."""

    name: str
    knows: str
    k: int
    promised: bool
    whom: str
    before: tuple[float, str] | None
    after: tuple[float, str]
    smallest: tuple[str, str]
    chance: tuple[str, str]


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


def view(certificate: Mapping[str, Any], found: Findings, discretion: Discretion) -> View:
    """What a page may show of the findings."""
    return View(
        discretion,
        tuple(_risks(certificate, found, discretion)),
        tuple(_pairs(certificate, found, discretion)),
        tuple(_kept(found, discretion)),
        tuple(_all_bins(certificate, found, discretion)),
    )


# ---------------------------------------------------------------------- risk


WHOM = {"edge": "friendships", "vertex": "people"}
ORDER = [adversary.name for adversary in VIEWS]


def _risks(certificate: Mapping[str, Any], found: Findings, discretion: Discretion) -> Iterable[Risk]:
    """Those that are promised to be withstood first, then the others."""
    main = max(each["promised"] or 1 for each in certificate["privacy"])
    risks = [
        _risk_by_model(each, found, discretion, each["promised"] or main) for each in certificate["privacy"]
    ]
    done = {risk.name for risk in risks}
    risks += [
        _risk_beyond(each, found, discretion, main)
        for each in certificate["residual_risk"]
        if each["name"] not in done
    ]
    return sorted(risks, key=lambda risk: (not risk.promised, ORDER.index(risk.name)))


def _risk_by_model(each: Mapping[str, Any], found: Findings, discretion: Discretion, k: int) -> Risk:
    """From the class sizes of both graphs, which there are in every report."""
    sizes = [list(found.class_sizes[each["model"]].values()), list(each["class_sizes"].values())]
    adversary = next(known for known in VIEWS if known.knows == each["knows"])
    before, after = (
        (sum(size for size in some if size < k), sum(some), len(some), min(some, default=None))
        for some in sizes
    )
    return _risk(adversary.name, each, k, WHOM[adversary.target], before, after, discretion)


def _risk_beyond(each: Mapping[str, Any], found: Findings, discretion: Discretion, k: int) -> Risk:
    def figures(it: Mapping[str, Any], exposed: int) -> tuple[int, int, int, int | None]:
        return exposed, it["targets"], it["classes"], it["smallest_class"]

    exposed = next(exposure["exposed"] for exposure in each["exposures"] if exposure["k"] == k)
    before = None
    if found.audit:
        adversary = found.audit[each["name"]]
        was = next(exposure.exposed for exposure in adversary.exposures if exposure.k == k)
        before = figures(vars(adversary), was)
    return _risk(each["name"], each, k, WHOM[each["target"]], before, figures(each, exposed), discretion)


def _risk(
    name: str,
    each: Mapping[str, Any],
    k: int,
    whom: str,
    before: tuple[int, int, int, int | None] | None,
    after: tuple[int, int, int, int | None],
    discretion: Discretion,
) -> Risk:
    """Figures are: exposed, targets, classes, smallest class. The published graph is shown as it is."""
    exposed, targets, classes, smallest = after
    shown, chance, crowd = None, "–", "–"
    if before is not None and discretion.decimals and before[1]:
        shown = discretion.share(before[0] / before[1], before[1])
        chance = discretion.share(before[2] / before[1], before[1])[1]
        crowd = _crowd(before[3], discretion)
    return Risk(
        name=name,
        knows=each["knows"],
        k=k,
        promised=bool(each.get("promised")),
        whom=whom,
        before=shown,
        after=OPEN.share(exposed / targets, targets) if targets else (0.0, "–"),
        smallest=(crowd, "–" if smallest is None else f"{smallest:,}"),
        chance=(chance, OPEN.share(classes / targets, targets)[1] if targets else "–"),
    )


def _crowd(smallest: int | None, discretion: Discretion) -> str:
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


def _pairs(certificate: Mapping[str, Any], found: Findings, discretion: Discretion) -> Iterable[Pair]:
    if found.utility is None:
        before = _transitivity(found.class_sizes)
        after = _transitivity({each["model"]: each["class_sizes"] for each in certificate["privacy"]})
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


def _transitivity(class_sizes: Mapping[str, Mapping[Any, int]]) -> float | None:
    """From the class sizes alone: each triangle has three edges, each of which counts its third corner."""
    triples = sum(int(count) * size for count, size in class_sizes["k-NMF"].items())
    paths = sum(
        int(degree) * (int(degree) - 1) // 2 * size for degree, size in class_sizes["k-degree"].items()
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


def _all_bins(certificate: Mapping[str, Any], found: Findings, discretion: Discretion) -> Iterable[Bins]:
    if not discretion.decimals:
        return
    after = {each["model"]: each["class_sizes"] for each in certificate["privacy"]}
    for model, title, what, of in (
        ("k-NMF", "Mutual friends", "mutual friends", "friendships"),
        ("k-degree", "Friends", "friends", "people"),
    ):
        both = [_shares(found.class_sizes[model]), _shares(after[model])]
        doubling = [0.0, *(2.0**i for i in range(31))]
        total = sum(found.class_sizes[model].values())
        yield from _bins(title, what, of, both, doubling, _whole, total, discretion)
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
