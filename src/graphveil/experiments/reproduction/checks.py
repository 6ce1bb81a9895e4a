"""How the statements are tested: from the figures of a graph to questions, with the region the statement asks for.

Where the paper uses a word for a size ("slightly"), a threshold says which number it is taken for. A test gives no
question on a graph that lacks the figures it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from graphveil.experiments.reproduction import paper
from graphveil.experiments.reproduction.experiments import NMF_METHODS, Point, Study
from graphveil.experiments.reproduction.statistics import (
    Question,
    difference,
    known,
    linear,
    mean,
    rank_trend,
)

NAMES = {
    "add-intuit": "ADD-Int",
    "add-greedy": "ADD-Gre",
    "add-del": "ADD&DEL",
    "kda-paper": "KDA",
    "kda": "graphveil's KDA",
    "liu-terzi": "Liu–Terzi",
}
SIZABLE = 0.01  # of the edges at k = 100: all three graphs of the paper's table lie above it
SLIGHTLY = 0.05  # share of the original clustering: hard to see in a plot that begins at 0
VERY_CLOSE = 0.01  # share of the original path length: as thin as a line of such a plot
A_LITTLE = 0.10  # share of the value of the k-NMF graph: seen in such a plot, but small
CLEAR_TREND = 0.5  # rank correlation: more than that is seen without a ruler
VERY_SIMILAR = 0.10  # Kolmogorov–Smirnov: at most a tenth of the vertices are shifted over any value
SIMILAR_PLOTS = 0.95  # correlation: nine tenths of the variance are common
THRESHOLDS = {name: value for name, value in globals().items() if name.isupper() and isinstance(value, float)}

Test = Callable[[Study], list[Question]]
Measure = Callable[[Point], float]
ADD = ("add-greedy", "add-intuit")

# ---------------------------------------------------------------------- what is measured


def _off(name: str) -> Measure:
    return lambda point: abs(point.moved(name))


def _share_moved(name: str) -> Measure:
    return lambda point: point.moved(name) / point.start[name] if point.start[name] else 0.0


def _changed(point: Point) -> float:
    return point.changed


def _distance(point: Point) -> float:
    return point.distance


# ---------------------------------------------------------------------- how it is tested


def _smaller(winner: str, others: Sequence[str], measure: Measure, ks: Sequence[int] = paper.K) -> Test:
    """The winner has the smaller figure than each other, at every k."""
    return lambda study: [
        Question(
            f"k = {k}, {NAMES[winner]} − {NAMES[other]}",
            difference(*([measure(p) for p in study.runs[method, k]] for method in (winner, other))),
            below=0,
        )
        for k in study.ks(winner, *others)
        if k in ks
        for other in others
    ]


def _within(methods: Sequence[str], measure: Measure, bound: float, ks: Sequence[int] = paper.K) -> Test:
    """The mean figure of every method at every k is within a bound on either side."""
    return lambda study: [
        Question(
            f"k = {k}, {NAMES[method]}", mean([measure(p) for p in study.runs[method, k]]), -bound, bound
        )
        for method in methods
        for k in study.ks(method)
        if k in ks
    ]


def _trend(methods: Sequence[str], measure: Measure, sign: int) -> Test:
    """Over all runs a figure rises (or falls) with k, for each method."""
    region = {"above": CLEAR_TREND} if sign > 0 else {"below": -CLEAR_TREND}

    def question(study: Study, method: str) -> Question:
        pairs = [(k, measure(p)) for k in study.ks(method) for p in study.runs[method, k]]
        return Question(NAMES[method], rank_trend(*zip(*pairs, strict=True)), **region)

    return lambda study: [question(study, method) for method in methods if len(study.ks(method)) >= 3]


def _none(methods: Sequence[str], measure: Measure) -> Test:
    """No run has any."""
    return lambda study: [
        Question(
            f"k = {k}, {NAMES[method]}, {len(study.runs[method, k])} runs",
            known(max(abs(measure(p)) for p in study.runs[method, k])),
            below=0.5,
        )
        for method in methods
        for k in study.ks(method)
    ]


def _only(name: str, test: Test) -> Test:
    """What is said of one graph, for a reason that others do not share."""
    return lambda study: test(study) if study.graph == name else []


def _table_i(name: str) -> Test:
    """All figures of Table I: how many are the same."""

    def test(study: Study) -> list[Question]:
        pairs = zip(paper.TABLE_I[name], study.violating.values(), strict=True)
        same = sum(a == b for row, found in pairs for a, b in zip(row, found[:2], strict=True))
        every = 2 * len(paper.K)
        return [Question(f"of {every} figures the same", known(same), above=every - 0.5)]

    return _only(name, test)


def _sizable(study: Study) -> list[Question]:
    edges = [by_definition for *_, by_definition in study.violating.values()]
    share = edges[-1] / max(study.edges, 1)
    grows = all(low <= high for low, high in pairwise(edges))
    words = f"{edges[0]:,} edges at k = {paper.K[0]}, {edges[-1]:,} at k = {paper.K[-1]}"
    return [Question(words, known(share if grows and edges[0] else 0.0), above=SIZABLE - 1e-9)]


def _plots_alike(study: Study) -> list[Question]:
    points = [p for (method, _), runs in study.runs.items() if method in NMF_METHODS for p in runs]
    if not points:
        return []
    found = linear([p.path_length for p in points], [p.mean_betweenness for p in points])
    return [Question(f"over {len(points)} graphs", found, above=SIMILAR_PLOTS)]


def _least_sensitive(study: Study) -> list[Question]:
    """ADD with GreedyGroup drifts from the original with k; ADD&DEL by less than half of that."""
    ks = study.ks("add-del", "add-greedy")
    if len(ks) < 3:
        return []
    first = {m: study.median(m, ks[0], _distance) for m in ("add-del", "add-greedy")}
    drift = {m: [p.distance - first[m] for p in study.runs[m, ks[-1]]] for m in first}
    half = difference(drift["add-del"], [value / 2 for value in drift["add-greedy"]])
    words = f"drift to k = {ks[-1]}, ADD&DEL − half of ADD-Gre"
    return [*_trend(("add-greedy",), _distance, +1)(study), Question(words, half, below=0)]


# ---------------------------------------------------------------------- by the keys of statements.md


def tests_of() -> dict[str, Test]:
    """The tests of Table I and Figures 5 to 8."""
    clustering, path_length = _off("clustering"), _off("path_length")
    return {
        **{f"table-i-{name}": _table_i(name) for name in paper.GRAPHS},
        "sizable": _sizable,
        "cc-up": _trend(NMF_METHODS, lambda p: p.clustering, +1),
        "cc-down": _trend(NMF_METHODS, lambda p: p.clustering, -1),
        "cc-slightly": _within(NMF_METHODS, _share_moved("clustering"), SLIGHTLY),
        "cc-best": _smaller("add-del", ADD, clustering),
        "cc-greedy": _smaller("add-greedy", ("add-intuit",), clustering),
        "apl-close": _within(("add-del",), _share_moved("path_length"), VERY_CLOSE),
        "apl-best": _smaller("add-del", ADD, path_length),
        "apl-largest": _within(NMF_METHODS, lambda p: p.moved("path_length"), paper.LARGEST_PATH_DIFFERENCE),
        "plots": _plots_alike,
        "bc-best": _smaller("add-del", ("add-greedy",), _distance),
        "bc-sensitive": _least_sensitive,
        "bc-25": _smaller("add-del", ADD, _distance, ks=(25,)),
        "vertices": _none(NMF_METHODS, lambda p: p.new_vertices),
        "fewest": _smaller("add-del", ADD, _changed),
        "greedy": _smaller("add-greedy", ("add-intuit",), _changed),
    }


def tests_of_degrees(method: str) -> dict[str, Test]:
    """The tests of Figures 9 to 11, for one of the two KDA."""
    path_length = _off("path_length")
    return {
        "kda-triangles": _none((method,), lambda p: p.moved("triangles")),
        "kda-cc-down": _trend((method,), lambda p: p.moved("clustering"), -1),
        "kda-cc-little": _within((method,), _share_moved("clustering"), A_LITTLE),
        "kda-apl-down": _trend((method,), lambda p: p.moved("path_length"), -1),
        "kda-apl-little": _within((method,), _share_moved("path_length"), A_LITTLE),
        "kda-cc-best": _smaller(method, ("liu-terzi",), _off("clustering")),
        "kda-apl-classic": _smaller("liu-terzi", (method,), path_length),
        "kda-apl-large": _only("ACM", _smaller(method, ("liu-terzi",), path_length)),
        "kda-bc": _within((method,), _distance, VERY_SIMILAR, paper.BETWEENNESS_K),
    }
