"""What Section IV of the paper says, one statement at a time, as questions about our figures; and how it is judged.

A test turns the figures of a graph into questions, each with the region in which the statement puts the answer. Where
the paper uses a word for a size ("slightly"), the test says which number it takes it for. The statements of Figures 9
to 11 are tested on KDA as the paper describes it, and once more on graphveil's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphveil.experiments.reproduction import paper
from graphveil.experiments.reproduction.experiments import NMF_METHODS, Point, Study
from graphveil.experiments.reproduction.statistics import (
    Interval,
    Question,
    difference,
    known,
    linear,
    mean,
    rank_trend,
)
from graphveil.words import percent

__all__ = ["NAMES", "RULE", "STATEMENTS", "STATUSES", "WORDS", "Outcome", "Statement", "Verdict", "judge"]

NAMES = {
    "add-intuit": "ADD-Int",
    "add-greedy": "ADD-Gre",
    "add-del": "ADD&DEL",
    "kda-paper": "KDA",
    "kda": "graphveil's KDA",
    "liu-terzi": "Liu–Terzi",
}
SIZABLE = (
    0.01  # of the edges at k = 100: the three graphs of the paper's own table lie above it (1.2 to 1.9 %)
)
CLUSTERING_SLIGHTLY = 0.05  # share of the original value: hard to see in a plot that begins at 0
PATHS_VERY_CLOSE = 0.01  # as thin as a line of such a plot
DEGREES_A_LITTLE = 0.10  # share of the value of the k-NMF graph: seen in such a plot, but small
CLEAR_TREND = 0.5  # rank correlation: more than that is seen without a ruler
VERY_SIMILAR = 0.10  # Kolmogorov–Smirnov: at most a tenth of the vertices are shifted over any value
SIMILAR_PLOTS = 0.95  # correlation: nine tenths of the variance are common
ERROR = 0.05  # probability that any interval of a statement on a graph misses the true value

RULE = (
    "A statement about a graph is a set of comparisons, such as one for each k. Each has an estimate and an interval. "
    f"All intervals of one statement on one graph hold together with probability {percent(1 - ERROR)} (Bonferroni). "
    "A comparison is *confirmed* if its interval lies where the statement puts it, *contradicted* if it lies outside, "
    "and *open* otherwise. The statement **holds** on the graph if all comparisons are confirmed. It **fails** if some "
    "are contradicted and none is confirmed. It is **open** if all are open, else it **holds in part**. The status "
    "follows from the paper's own graphs that the statement is about: **reproduced** if it holds on all, **not "
    "reproduced** if it fails on all, **open** if it is open on all, else **reproduced in part**. Another extraction "
    "of the same source decides nothing. If none of these graphs is here, the statement is **not testable**."
)
WORDS = ("holds", "holds in part", "open", "fails")
STATUSES = ("reproduced", "reproduced in part", "open", "not reproduced", "not testable")

Test = Callable[[Study], list[Question]]
Measure = Callable[[Point], float]


@dataclass(frozen=True)
class Statement:
    """What the paper says, about which of its graphs, how it is tested, and how an estimate is printed.

    ``of_the_paper`` is False for the same about graphveil's own KDA, which the tally leaves out.
    """

    place: str
    says: str
    about: tuple[str, ...]
    read_as: str
    test: Test
    shows: str
    of_the_paper: bool = True


@dataclass(frozen=True)
class Outcome:
    """The answers on one graph: where, the interval, and 1 for confirmed, -1 for contradicted, 0 for open."""

    answers: tuple[tuple[str, Interval, int], ...]

    def count(self, answer: int) -> int:
        """How many comparisons were answered so."""
        return sum(each == answer for *_, each in self.answers)

    @property
    def word(self) -> str:
        """One of `WORDS`."""
        yes, no = self.count(1), self.count(-1)
        if yes == len(self.answers):
            return "holds"
        return "holds in part" if yes else "fails" if no else "open"


@dataclass(frozen=True)
class Verdict:
    """One of `STATUSES`, what was found on each graph, and the paper's graphs that are not here."""

    statement: Statement
    status: str
    outcomes: dict[str, Outcome]
    deciding: tuple[str, ...]
    missing: tuple[str, ...]


def judge(statement: Statement, studies: Sequence[Study]) -> Verdict:
    """Ask the questions of a statement on every graph."""
    outcomes = {}
    for study in studies:
        questions = statement.test(study)
        answers = [(q.at, *q.answer(ERROR / len(questions))) for q in questions]
        if answers:
            outcomes[study.name] = Outcome(tuple(answers))
    deciding = [each for each in studies if each.name in outcomes and each.graph in statement.about]
    words = {outcomes[each.name].word for each in deciding}
    of_one_word = {"holds": "reproduced", "fails": "not reproduced", "open": "open"}
    status = of_one_word.get(words.pop(), STATUSES[1]) if len(words) == 1 else STATUSES[1]
    here = {each.graph for each in studies}
    return Verdict(
        statement,
        status if deciding else "not testable",
        outcomes,
        tuple(each.name for each in deciding),
        tuple(name for name in statement.about if name not in here),
    )


# ---------------------------------------------------------------------- what is measured


def _off(name: str) -> Measure:
    return lambda point: abs(point.moved(name))


def _changed(point: Point) -> float:
    return point.changed


def _distance(point: Point) -> float:
    return point.distance


# ---------------------------------------------------------------------- how it is tested


def _smaller(winner: str, others: Sequence[str], measure: Measure, ks: Sequence[int] = paper.K) -> Test:
    """The winner has the smaller figure than each other, at every k."""

    def test(study: Study) -> list[Question]:
        return [
            Question(
                f"k = {k}, {NAMES[winner]} − {NAMES[other]}",
                difference(
                    [measure(p) for p in study.runs[winner, k]], [measure(p) for p in study.runs[other, k]]
                ),
                below=0,
            )
            for k in study.ks(winner, *others)
            if k in ks
            for other in others
        ]

    return test


def _within(methods: Sequence[str], measure: Measure, bound: float, ks: Sequence[int] = paper.K) -> Test:
    """The mean figure of every method at every k is within a bound on either side."""

    def test(study: Study) -> list[Question]:
        return [
            Question(
                f"k = {k}, {NAMES[method]}", mean([measure(p) for p in study.runs[method, k]]), -bound, bound
            )
            for method in methods
            for k in study.ks(method)
            if k in ks
        ]

    return test


def _share_moved(name: str) -> Measure:
    return lambda point: point.moved(name) / point.start[name] if point.start[name] else 0.0


def _trend(methods: Sequence[str], measure: Measure, sign: int) -> Test:
    """Over all runs a figure rises (or falls) with k, for each method."""

    def test(study: Study) -> list[Question]:
        questions = []
        for method in methods:
            pairs = [(k, measure(p)) for k in study.ks(method) for p in study.runs[method, k]]
            if len(study.ks(method)) >= 3:
                found = rank_trend(*zip(*pairs, strict=True))
                region = {"above": CLEAR_TREND} if sign > 0 else {"below": -CLEAR_TREND}
                questions.append(Question(NAMES[method], found, **region))
        return questions

    return test


def _none(methods: Sequence[str], measure: Measure) -> Test:
    """No run has any."""

    def test(study: Study) -> list[Question]:
        return [
            Question(
                f"k = {k}, {NAMES[method]}, {len(study.runs[method, k])} runs",
                known(max(abs(measure(p)) for p in study.runs[method, k])),
                below=0.5,
            )
            for method in methods
            for k in study.ks(method)
        ]

    return test


def _only(name: str, test: Test) -> Test:
    """What is said of one graph, for a reason that others do not share."""
    return lambda study: test(study) if study.graph == name else []


def _table_i(name: str) -> Test:
    """All figures of Table I: how many are the same."""

    def test(study: Study) -> list[Question]:
        if study.graph != name:
            return []
        pairs = zip(paper.TABLE_I[name], study.violating.values(), strict=True)
        same = sum(a == b for row, found in pairs for a, b in zip(row, found[:2], strict=True))
        return [
            Question(f"of {2 * len(paper.K)} figures the same", known(same), above=2 * len(paper.K) - 0.5)
        ]

    return test


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


# ---------------------------------------------------------------------- the statements

EVERY_GRAPH = ("ACM", "Cora", "Brightkite")
ADD = ("add-greedy", "add-intuit")
TREND = "rank correlation with k over all runs"
KS = "Kolmogorov–Smirnov distance to the original"
RHO, SHARE, COUNT, SMALL_NUMBER = "{:+.2f}", "{:+.2%}", "{:,.0f}", "{:+.2g}"


def _degrees(method: str) -> Iterator[Statement]:
    """The statements about KDA, of the paper or ours."""
    kda, place, of_the_paper = NAMES[method], "Figures 9–11", method == "kda-paper"

    def says(
        place: str, words: str, read_as: str, test: Test, shows: str, about: Sequence[str] = EVERY_GRAPH
    ) -> Statement:
        return Statement(place, words, tuple(about), read_as, test, shows, of_the_paper)

    yield says(
        place,
        f"{kda} forms no new triangle",
        "as many triangles as in the k-NMF graph, in every run",
        _none((method,), lambda p: p.moved("triangles")),
        COUNT,
    )
    for name, word in (("clustering", "CC"), ("path_length", "the APL")):
        yield says(
            place,
            f"Under {kda}, {word} decreases as k increases",
            f"{TREND} is below -{CLEAR_TREND}",
            _trend((method,), lambda p, name=name: p.moved(name), -1),  # type: ignore[misc]
            RHO,
        )
        yield says(
            place,
            f"Under {kda}, {word} changes by a little bit",
            f"at every degree k by less than {percent(DEGREES_A_LITTLE)} of that of the k-NMF graph",
            _within((method,), _share_moved(name), DEGREES_A_LITTLE),
            SHARE,
        )
    yield says(
        place,
        f"{kda} keeps CC better than the classic k-degree anonymization",
        "its difference to the k-NMF graph is smaller than Liu–Terzi's at every degree k",
        _smaller(method, ("liu-terzi",), _off("clustering")),
        SMALL_NUMBER,
    )
    yield says(
        "Figures 10, 11",
        f"The classic k-degree anonymization performs a little better than {kda} on APL",
        "Liu–Terzi's difference to the k-NMF graph is the smaller one at every degree k",
        _smaller("liu-terzi", (method,), _off("path_length")),
        SMALL_NUMBER,
        ("Cora", "Brightkite"),
    )
    yield says(
        "Figure 9",
        f"On ACM, where the APL is large, {kda} performs better on it",
        "its difference to the k-NMF graph is smaller than Liu–Terzi's at every degree k",
        _only("ACM", _smaller(method, ("liu-terzi",), _off("path_length"))),
        SMALL_NUMBER,
        ("ACM",),
    )
    yield says(
        place,
        f"Under {kda} the distributions of betweenness are very similar to those of the original",
        f"at degree k = 10, 20, 30 the {KS} is below {VERY_SIMILAR}",
        _within((method,), _distance, VERY_SIMILAR, paper.BETWEENNESS_K),
        "{:.3f}",
    )


_SAID: tuple[tuple[str, str, tuple[str, ...], str, Test, str], ...] = (
    *(
        (
            "Table I",
            f"So many vertices of {name} violate k-degree anonymity, and so many edges k-NMF anonymity",
            (name,),
            "all 16 figures are the same, when a value violates if it occurs at most k times",
            _table_i(name),
            COUNT,
        )
        for name in EVERY_GRAPH
    ),
    (
        "Table I",
        "The number of edges violating k-NMF anonymity can be sizable for k from 5 to 100",
        EVERY_GRAPH,
        f"by the definition, some at k = 5, never fewer at a larger k, at least {percent(SIZABLE)} at k = 100",
        _sizable,
        "{:.2%}",
    ),
    (
        "Figure 5",
        "CC increases with k on ACM and Brightkite",
        ("ACM", "Brightkite"),
        f"for each of the three methods {TREND} is above {CLEAR_TREND}",
        _trend(NMF_METHODS, lambda p: p.clustering, +1),
        RHO,
    ),
    (
        "Figure 5",
        "CC decreases with k on Cora",
        ("Cora",),
        f"for each of the three methods {TREND} is below -{CLEAR_TREND}",
        _trend(NMF_METHODS, lambda p: p.clustering, -1),
        RHO,
    ),
    (
        "Figure 5",
        "CC deviates slightly from the original",
        EVERY_GRAPH,
        f"at every k, for every method, by less than {percent(CLUSTERING_SLIGHTLY)} of it",
        _within(NMF_METHODS, _share_moved("clustering"), CLUSTERING_SLIGHTLY),
        SHARE,
    ),
    (
        "Figure 5",
        "ADD&DEL keeps CC better than the two ADD algorithms",
        EVERY_GRAPH,
        "its difference to the original is the smaller one at every k",
        _smaller("add-del", ADD, _off("clustering")),
        SMALL_NUMBER,
    ),
    (
        "Figure 5",
        "ADD with GreedyGroup looks slightly better on CC than with IntuitGroup",
        EVERY_GRAPH,
        "its difference to the original is the smaller one at every k",
        _smaller("add-greedy", ("add-intuit",), _off("clustering")),
        SMALL_NUMBER,
    ),
    (
        "Figure 6",
        "The APL of ADD&DEL is very close to the original",
        EVERY_GRAPH,
        f"at every k within {percent(PATHS_VERY_CLOSE)} of it",
        _within(("add-del",), _share_moved("path_length"), PATHS_VERY_CLOSE),
        SHARE,
    ),
    (
        "Figure 6",
        "ADD&DEL preserves more of the APL than ADD",
        EVERY_GRAPH,
        "its difference to the original is the smaller one at every k",
        _smaller("add-del", ADD, _off("path_length")),
        SMALL_NUMBER,
    ),
    (
        "Figure 6",
        f"The differences of APL are very small; the largest is {paper.LARGEST_PATH_DIFFERENCE}, on Cora at k = 100",
        EVERY_GRAPH,
        f"every mean difference is below {paper.LARGEST_PATH_DIFFERENCE} steps",
        _within(NMF_METHODS, lambda p: p.moved("path_length"), paper.LARGEST_PATH_DIFFERENCE),
        "{:+.3f}",
    ),
    (
        "Figure 7",
        "Plots of the average betweenness are very similar to those of the APL",
        EVERY_GRAPH,
        f"over all runs the two correlate with more than {SIMILAR_PLOTS}",
        _plots_alike,
        "{:.3f}",
    ),
    (
        "Figure 7",
        "ADD&DEL keeps the distribution of betweenness better than ADD with GreedyGroup",
        ("Cora",),
        f"its {KS} is the smaller one at every k",
        _smaller("add-del", ("add-greedy",), _distance),
        SMALL_NUMBER,
    ),
    (
        "Figure 7",
        "ADD&DEL shows little sensitivity to k, while ADD with GreedyGroup degrades as k increases",
        ("Cora",),
        f"the {KS} of ADD with GreedyGroup rises with k (as in Figure 5); that of ADD&DEL moves less than half as far",
        _least_sensitive,
        SMALL_NUMBER,
    ),
    (
        "Figure 7",
        "At k = 25 ADD&DEL keeps the distribution of betweenness better than both ADD algorithms",
        ("Cora",),
        f"its {KS} is the smaller one",
        _smaller("add-del", ADD, _distance, ks=(25,)),
        SMALL_NUMBER,
    ),
    (
        "Figure 8",
        "No vertex is added in any case",
        EVERY_GRAPH,
        "none in any run of the three methods",
        _none(NMF_METHODS, lambda p: p.new_vertices),
        COUNT,
    ),
    (
        "Figure 8",
        "ADD&DEL changes the fewest edges",
        EVERY_GRAPH,
        "fewer than either ADD, at every k",
        _smaller("add-del", ADD, _changed),
        COUNT,
    ),
    (
        "Figure 8",
        "ADD with GreedyGroup adds fewer edges than with IntuitGroup",
        EVERY_GRAPH,
        "at every k",
        _smaller("add-greedy", ("add-intuit",), _changed),
        COUNT,
    ),
)
STATEMENTS = (*(Statement(*said) for said in _SAID), *_degrees("kda-paper"), *_degrees("kda"))
