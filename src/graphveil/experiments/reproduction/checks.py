"""How statements are tested: makers of tests, and the thresholds with their reasons.

Every test gives None on a graph that lacks the figures it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import StatisticsError, correlation

from graphveil.experiments.reproduction import paper
from graphveil.experiments.reproduction.experiments import DEGREE_METHODS, NMF_METHODS, Point, Study
from graphveil.experiments.reproduction.judging import Finding, Test
from graphveil.words import percent

__all__ = [
    "NAMES",
    "beats",
    "changed",
    "clustering",
    "distance",
    "from_nmf_graph",
    "largest_path_difference",
    "least_sensitive",
    "nmf_graph",
    "no_new_triangles",
    "no_new_vertices",
    "original",
    "path_length",
    "plots_alike",
    "similar_betweenness",
    "sizable",
    "stays_within",
    "table_i",
    "trend",
    "with_edges_added",
]

NAMES = {
    "add-intuit": "ADD-Int",
    "add-greedy": "ADD-Gre",
    "add-del": "ADD&DEL",
    "kda-paper": "KDA",
    "kda": "graphveil's KDA",
    "liu-terzi": "Liu–Terzi",
}
SIZABLE = (
    0.01  # of the edges at k = 100: all three graphs of the paper's own table lie above it (1.2 to 1.9 %)
)
CLEAR_TREND = 0.83  # rank correlation over eight k: chance gives as much in fewer than 1 of 100 series
CLUSTERING_SLIGHTLY = 0.05  # share of the original value: hard to see in a plot that begins at 0
PATHS_VERY_CLOSE = 0.01  # as thin as a line of such a plot
DEGREES_A_LITTLE = 0.10  # share of the value of the k-NMF graph: seen in such a plot, but small
VERY_SIMILAR = 0.10  # Kolmogorov–Smirnov: at most a tenth of the vertices are shifted over any value
SIMILAR_PLOTS = 0.95  # correlation: nine tenths of the variance are common
LITTLE = 0.5  # of the other method's change

Measure = Callable[[Study, str, int], float]


# ---------------------------------------------------------------------- what is measured


def clustering(study: Study, method: str, k: int) -> float:
    """Difference of the clustering coefficient to the original."""
    return abs(study.points[method, k].clustering - study.original.clustering)


def path_length(study: Study, method: str, k: int) -> float:
    """Difference of the average path length to the original."""
    return abs(study.points[method, k].path_length - study.original.path_length)


def changed(study: Study, method: str, k: int) -> float:
    """Edges changed."""
    return study.points[method, k].changed


def distance(study: Study, method: str, k: int) -> float:
    """Distance of the distribution of betweenness to the original."""
    return study.points[method, k].distance


def from_nmf_graph(name: str) -> Measure:
    """Difference of a figure to that of the graph that KDA and Liu–Terzi start from."""

    def measure(study: Study, method: str, k: int) -> float:
        assert study.nmf_graph is not None
        moved: float = getattr(study.points[method, k], name) - getattr(study.nmf_graph, name)
        return abs(moved)

    return measure


def original(study: Study) -> Point:
    """The graph itself."""
    return study.original


def nmf_graph(study: Study) -> Point | None:
    """The graph that KDA and Liu–Terzi start from."""
    return study.nmf_graph


def rank_correlation(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Spearman's coefficient; 0 where one of the two does not vary.

    Examples
    --------
    >>> rank_correlation([5, 10, 100], [0.1, 0.3, 0.2])
    0.5
    """
    return _pearson(_ranks(xs), _ranks(ys))


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def _pearson(xs: Sequence[float], ys: Sequence[float]) -> float:
    try:
        return round(correlation(xs, ys), 12)
    except StatisticsError:
        return 0.0


# ---------------------------------------------------------------------- how it is tested


def beats(
    winner: str, others: Sequence[str], measure: Measure, *, ks: Sequence[int] = (), mostly: bool = False
) -> Test:
    """The winner alone has the smallest figure at every k, or at more than half of them. Value: where it wins."""

    def test(study: Study) -> Finding | None:
        at = [k for k in study.ks(winner, *others) if not ks or k in ks]
        if not at or (winner in DEGREE_METHODS and study.nmf_graph is None):
            return None
        lost = [k for k in at if any(measure(study, o, k) <= measure(study, winner, k) for o in others)]
        shown = lost[:2] or [at[0], at[-1]]
        figures = [
            f"k = {k}: " + ", ".join(f"{NAMES[m]} {_number(measure(study, m, k))}" for m in (winner, *others))
            for k in dict.fromkeys(shown)
        ]
        if len(lost) > len(shown):
            figures.append(f"k = {', '.join(map(str, lost[len(shown) :]))}")
        words = ("not at " if lost else "") + "; ".join(figures)
        holds = not lost or (mostly and 2 * len(lost) < len(at))
        return Finding(holds, (len(at) - len(lost)) / len(at), words)

    return test


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2g}"


def stays_within(
    methods: Sequence[str], name: str, share: float, base: Callable[[Study], Point | None]
) -> Test:
    """A figure of every version is off by no more than a share of that of the base. Value: the largest share."""

    def test(study: Study) -> Finding | None:
        level = base(study)
        off = {
            (method, k): getattr(point, name) / getattr(level, name) - 1
            for (method, k), point in study.points.items()
            if level is not None and method in methods and getattr(level, name)
        }
        if level is None or not off:
            return None
        method, k = max(off, key=lambda key: abs(off[key]))
        words = f"the largest difference is {100 * off[method, k]:+.2g} % ({NAMES[method]}, k = {k})"
        too_far = sorted(k for (_, k), value in off.items() if abs(value) > share)
        if too_far:
            words += f"; it is too large from k = {too_far[0]} on"
        return Finding(not too_far, off[method, k], words)

    return test


def with_edges_added(test: Test, *methods: str) -> Test:
    """The same test; its evidence also says how many edges the degrees cost, which explains much."""

    def telling(study: Study) -> Finding | None:
        found, ks, start = test(study), study.ks(*methods), study.nmf_graph
        if found is None or start is None or not ks:
            return found
        costs = (
            f"{NAMES[method]} adds "
            + " and ".join(
                f"{percent((study.points[method, k].edges - start.edges) / start.edges)} of the edges at k = {k}"
                for k in (ks[0], ks[-1])
            )
            for method in methods
        )
        return Finding(found.holds, found.value, f"{found.evidence}; {', '.join(costs)}")

    return telling


def trend(methods: Sequence[str], name: str, sign: int) -> Test:
    """A figure rises (or falls) with k over the whole series, for each method. Value: the weakest correlation."""

    def test(study: Study) -> Finding | None:
        ks = study.ks(*methods)
        if len(ks) < 3:
            return None
        series = {m: [getattr(study.points[m, k], name) for k in ks] for m in methods}
        found = {m: rank_correlation(ks, values) for m, values in series.items()}
        words = ", ".join(
            f"{NAMES[m]} {values[0]:.4f} → {values[-1]:.4f} (ρ = {found[m]:+.2f})"
            for m, values in series.items()
        )
        weakest = min(sign * value for value in found.values())
        return Finding(weakest >= CLEAR_TREND, sign * weakest, f"from k = {ks[0]} to {ks[-1]}: {words}")

    return test


def table_i(name: str) -> Test:
    """All figures of Table I. Value: the share of them that are the same."""

    def test(study: Study) -> Finding | None:
        if study.graph != name:
            return None
        pairs = zip(paper.TABLE_I[name], study.violating.values(), strict=True)
        same = sum(
            theirs == ours for row, found in pairs for theirs, ours in zip(row, found[:2], strict=True)
        )
        of = 2 * len(paper.K)
        return Finding(same == of, same / of, f"{same} of {of} figures are the same")

    return test


def sizable(study: Study) -> Finding:
    """Enough edges violate k-NMF at the largest k, some at the smallest. Value: their share at the largest."""
    edges = [by_definition for *_, by_definition in study.violating.values()]
    share = edges[-1] / max(study.edges, 1)
    grows = all(low <= high for low, high in pairwise(edges))
    words = f"{edges[0]:,} edges at k = {paper.K[0]}, {edges[-1]:,} at k = {paper.K[-1]}"
    return Finding(edges[0] > 0 and grows and share >= SIZABLE, share, words)


def largest_path_difference(study: Study) -> Finding | None:
    """No path length is off by more than the paper's largest difference. Value: the largest one here."""
    off = {(m, k): path_length(study, m, k) for m in NMF_METHODS for k in study.ks(m)}
    if not off:
        return None
    method, k = max(off, key=lambda key: off[key])
    words = f"the largest difference is that of {NAMES[method]} at k = {k}"
    return Finding(off[method, k] <= paper.LARGEST_PATH_DIFFERENCE, off[method, k], words)


def plots_alike(study: Study) -> Finding | None:
    """Betweenness and path length move together. Value: their correlation."""
    points = [point for (method, _), point in study.points.items() if method in NMF_METHODS]
    if len(points) < 3:
        return None
    value = _pearson([p.path_length for p in points], [p.mean_betweenness for p in points])
    return Finding(value >= SIMILAR_PLOTS, value, f"over {len(points)} graphs")


def least_sensitive(study: Study) -> Finding | None:
    """ADD with GreedyGroup drifts from the original with k, ADD&DEL by less than half of that. Value: the ratio."""
    ks = study.ks("add-del", "add-greedy")
    if len(ks) < 3:
        return None
    series = {m: [distance(study, m, k) for k in ks] for m in ("add-del", "add-greedy")}
    spread = {m: max(values) - min(values) for m, values in series.items()}
    degrades = rank_correlation(ks, series["add-greedy"])
    ratio = spread["add-del"] / spread["add-greedy"] if spread["add-greedy"] else 1.0
    words = ", ".join(f"{NAMES[m]} {values[0]:.3f} → {values[-1]:.3f}" for m, values in series.items())
    words = f"from k = {ks[0]} to {ks[-1]}: {words}; ADD-Gre ρ = {degrades:+.2f}"
    return Finding(degrades >= CLEAR_TREND and ratio < LITTLE, ratio, words)


def no_new_vertices(study: Study) -> Finding | None:
    """No vertex is added. Value: how many were."""
    added = {key: point.new_vertices for key, point in study.points.items() if key[0] in NMF_METHODS}
    if not added:
        return None
    some = [f"{NAMES[m]} at k = {k}: {number:g}" for (m, k), number in added.items() if number]
    return Finding(not some, sum(added.values()), "; ".join(some) or f"none in {len(added)} graphs")


def no_new_triangles(method: str) -> Test:
    """As many triangles as before at every k. Value: at how many k there are others."""

    def test(study: Study) -> Finding | None:
        ks, start = study.ks(method), study.nmf_graph
        if not ks or start is None:
            return None
        more = [k for k in ks if study.points[method, k].triangles != start.triangles]
        words = f"{start.triangles:,.0f} triangles before and after" if not more else f"not at k = {more}"
        return Finding(not more, len(more), words)

    return test


def similar_betweenness(method: str) -> Test:
    """The distribution of betweenness stays close to the original. Value: the largest distance."""

    def test(study: Study) -> Finding | None:
        ks = [k for k in study.ks(method) if k in paper.BETWEENNESS_K]
        if not ks:
            return None
        far = {k: distance(study, method, k) for k in ks}
        words = ", ".join(f"k = {k}: {value:.3f}" for k, value in far.items())
        return Finding(max(far.values()) <= VERY_SIMILAR, max(far.values()), f"distance {words}")

    return test
