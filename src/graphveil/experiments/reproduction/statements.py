"""What Section IV of the paper says, one statement at a time, and a test of each against our figures.

A statement is about some of the paper's graphs. It is *reproduced* if its test holds on all of those that we have,
*not reproduced* if it fails on one of them, and *not testable* if we have none. What other graphs show is reported
beside, and decides nothing. Where the paper uses a word for a size ("slightly"), the test says which number it
takes it for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import correlation

from graphveil.experiments.reproduction import paper
from graphveil.experiments.reproduction.experiments import DEGREE_METHODS, NMF_METHODS, Point, Study
from graphveil.words import percent

__all__ = ["STATEMENTS", "Finding", "Statement", "Verdict", "judge"]

EVERY_GRAPH = ("ACM", "Cora", "Brightkite")
NAMES = {
    "add-intuit": "ADD-Int",
    "add-greedy": "ADD-Gre",
    "add-del": "ADD&DEL",
    "kda": "KDA",
    "liu-terzi": "Liu–Terzi",
}
CLUSTERING_SLIGHTLY = 0.05  # share of the original value
PATHS_VERY_CLOSE = 0.01
DEGREES_A_LITTLE = 0.10  # share of the value of the k-NMF graph
VERY_SIMILAR = 0.10  # Kolmogorov–Smirnov distance of two distributions
SIMILAR_PLOTS = 0.95  # correlation

Measure = Callable[[Study, str, int], float]


@dataclass(frozen=True)
class Finding:
    """Whether a statement holds on one graph, and the figures that say so."""

    holds: bool
    evidence: str


Test = Callable[[Study], Finding | None]


@dataclass(frozen=True)
class Statement:
    """What the paper says, about which of its graphs, and how it is tested.

    A test gives None where it does not apply.
    """

    place: str
    says: str
    about: tuple[str, ...]
    read_as: str
    test: Test


@dataclass(frozen=True)
class Verdict:
    """``reproduced``, ``not reproduced`` or ``not testable``, and what was found on each graph, by its name."""

    statement: Statement
    status: str
    missing: tuple[str, ...]  # graphs of the paper that it is about and that we do not have
    findings: dict[str, Finding]


def judge(statement: Statement, studies: Sequence[Study]) -> Verdict:
    """Test a statement on every graph; those of the paper decide."""
    found = {each.name: (each, finding) for each in studies if (finding := statement.test(each)) is not None}
    deciding = [finding for each, finding in found.values() if each.graph in statement.about]
    had = {each.graph for each, _ in found.values()}
    holds = all(finding.holds for finding in deciding)
    return Verdict(
        statement,
        "not testable" if not deciding else "reproduced" if holds else "not reproduced",
        tuple(name for name in statement.about if name not in had),
        {name: finding for name, (_, finding) in found.items()},
    )


# ---------------------------------------------------------------------- what is measured


def _clustering(study: Study, method: str, k: int) -> float:
    return abs(study.points[method, k].clustering - study.original.clustering)


def _path_length(study: Study, method: str, k: int) -> float:
    return abs(study.points[method, k].path_length - study.original.path_length)


def _changed(study: Study, method: str, k: int) -> float:
    return study.points[method, k].changed


def _betweenness(study: Study, method: str, k: int) -> float:
    return study.points[method, k].distance


def _from_nmf_graph(name: str) -> Measure:
    def measure(study: Study, method: str, k: int) -> float:
        assert study.nmf_graph is not None
        moved: float = getattr(study.points[method, k], name) - getattr(study.nmf_graph, name)
        return abs(moved)

    return measure


# ---------------------------------------------------------------------- how it is tested


def _beats(
    winner: str, others: Sequence[str], measure: Measure, *, ks: Sequence[int] = (), mostly: bool = False
) -> Test:
    """The winner alone has the smallest figure at every k, or at more than half of them."""

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
        words = (
            f"at {len(at) - len(lost)} of {len(at)} k" + ("; not at " if lost else "; ") + "; ".join(figures)
        )
        return Finding(not lost or (mostly and 2 * len(lost) < len(at)), words)

    return test


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.2g}"


def _stays_within(
    methods: Sequence[str], name: str, share: float, base: Callable[[Study], Point | None]
) -> Test:
    """A figure of every version is off by no more than a share of that of the base."""

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
        return Finding(not too_far, words)

    return test


def _with_edges_added(test: Test) -> Test:
    """The same test; its evidence also says how many edges the degrees cost, which explains much."""

    def telling(study: Study) -> Finding | None:
        found, ks, start = test(study), study.ks(*DEGREE_METHODS), study.nmf_graph
        if found is None or start is None or not ks:
            return found
        costs = (
            f"{NAMES[method]} adds "
            + " and ".join(
                f"{percent((study.points[method, k].edges - start.edges) / start.edges)} of the edges at k = {k}"
                for k in (ks[0], ks[-1])
            )
            for method in DEGREE_METHODS
        )
        return Finding(found.holds, f"{found.evidence}; {', '.join(costs)}")

    return telling


def _trend(methods: Sequence[str], name: str, sign: int) -> Test:
    """A figure is higher (or lower) at the largest k than at the smallest, for each method."""

    def test(study: Study) -> Finding | None:
        ks = study.ks(*methods)
        if len(ks) < 2:
            return None
        ends = {m: tuple(getattr(study.points[m, k], name) for k in (ks[0], ks[-1])) for m in methods}
        words = ", ".join(f"{NAMES[m]} {first:.4f} → {last:.4f}" for m, (first, last) in ends.items())
        holds = all(sign * (last - first) > 0 for first, last in ends.values())
        return Finding(holds, f"from k = {ks[0]} to {ks[-1]}: {words}")

    return test


def _table_i(name: str) -> Test:
    def test(study: Study) -> Finding | None:
        if study.graph != name:
            return None
        pairs = zip(paper.TABLE_I[name], study.violating.values(), strict=True)
        same = sum(
            theirs == ours for row, found in pairs for theirs, ours in zip(row, found[:2], strict=True)
        )
        return Finding(same == 2 * len(paper.K), f"{same} of {2 * len(paper.K)} figures are the same")

    return test


def _sizable(study: Study) -> Finding:
    edges = [by_definition for *_, by_definition in study.violating.values()]
    grows = all(low <= high for low, high in pairwise(edges))
    share = 100 * edges[-1] / max(study.edges, 1)
    words = f"{edges[0]:,} edges at k = {paper.K[0]}, {edges[-1]:,} ({share:.2g} %) at k = {paper.K[-1]}"
    return Finding(edges[0] > 0 and grows, words)


def _largest_path_difference(study: Study) -> Finding | None:
    off = {(m, k): _path_length(study, m, k) for m in NMF_METHODS for k in study.ks(m)}
    if not off:
        return None
    method, k = max(off, key=lambda key: off[key])
    words = f"the largest difference is {off[method, k]:.3f} ({NAMES[method]}, k = {k})"
    return Finding(off[method, k] <= paper.LARGEST_PATH_DIFFERENCE, words)


def _plots_alike(study: Study) -> Finding | None:
    points = [point for (method, _), point in study.points.items() if method in NMF_METHODS]
    if len(points) < 3:
        return None
    value = correlation([p.path_length for p in points], [p.mean_betweenness for p in points])
    return Finding(value >= SIMILAR_PLOTS, f"correlation {value:.3f} over {len(points)} graphs")


def _sensitivity(study: Study) -> Finding | None:
    ks = study.ks("add-del", "add-greedy")
    if len(ks) < 2:
        return None
    grown = {m: tuple(_betweenness(study, m, k) for k in (ks[0], ks[-1])) for m in ("add-del", "add-greedy")}
    words = ", ".join(f"{NAMES[m]} {first:.3f} → {last:.3f}" for m, (first, last) in grown.items())
    moved = {m: last - first for m, (first, last) in grown.items()}
    holds = moved["add-greedy"] > 0 and abs(moved["add-del"]) < moved["add-greedy"]
    return Finding(holds, f"from k = {ks[0]} to {ks[-1]}: {words}")


def _no_new_vertices(study: Study) -> Finding | None:
    added = {key: point.new_vertices for key, point in study.points.items() if key[0] in NMF_METHODS}
    if not added:
        return None
    some = [f"{NAMES[m]} at k = {k}: {number:g}" for (m, k), number in added.items() if number]
    return Finding(not some, "; ".join(some) or f"none in {len(added)} graphs")


def _no_new_triangles(study: Study) -> Finding | None:
    ks, start = study.ks("kda"), study.nmf_graph
    if not ks or start is None:
        return None
    more = [k for k in ks if study.points["kda", k].triangles != start.triangles]
    words = f"{start.triangles:,.0f} triangles before and after" if not more else f"not at k = {more}"
    return Finding(not more, words)


def _similar_betweenness(study: Study) -> Finding | None:
    ks = [k for k in study.ks("kda") if k in paper.BETWEENNESS_K]
    if not ks:
        return None
    far = {k: _betweenness(study, "kda", k) for k in ks}
    words = ", ".join(f"k = {k}: {value:.3f}" for k, value in far.items())
    return Finding(max(far.values()) <= VERY_SIMILAR, f"distance {words}")


def _original(study: Study) -> Point:
    return study.original


def _nmf_graph(study: Study) -> Point | None:
    return study.nmf_graph


# ---------------------------------------------------------------------- the statements

ADD = ("add-greedy", "add-intuit")
SAME_FIGURES = "all 16 figures are the same, when a value violates if it occurs at most k times"

STATEMENTS = (
    *(
        Statement(
            "Table I",
            f"So many vertices of {name} violate k-degree anonymity, and so many edges k-NMF anonymity",
            (name,),
            SAME_FIGURES,
            _table_i(name),
        )
        for name in EVERY_GRAPH
    ),
    Statement(
        "Table I",
        "The number of edges violating k-NMF anonymity can be sizable for k from 5 to 100",
        EVERY_GRAPH,
        "there are some at k = 5, by the definition, and never fewer at a larger k",
        _sizable,
    ),
    Statement(
        "Figure 5",
        "CC increases with k on ACM and Brightkite",
        ("ACM", "Brightkite"),
        "for each of the three methods it is higher at k = 100 than at k = 5",
        _trend(NMF_METHODS, "clustering", +1),
    ),
    Statement(
        "Figure 5",
        "CC decreases with k on Cora",
        ("Cora",),
        "for each of the three methods it is lower at k = 100 than at k = 5",
        _trend(NMF_METHODS, "clustering", -1),
    ),
    Statement(
        "Figure 5",
        "CC deviates slightly from the original",
        EVERY_GRAPH,
        f"at every k and for every method by at most {percent(CLUSTERING_SLIGHTLY)} of it",
        _stays_within(NMF_METHODS, "clustering", CLUSTERING_SLIGHTLY, _original),
    ),
    Statement(
        "Figure 5",
        "ADD&DEL keeps CC better than the two ADD algorithms",
        EVERY_GRAPH,
        "its difference to the original is the smallest at every k",
        _beats("add-del", ADD, _clustering),
    ),
    Statement(
        "Figure 5",
        "ADD with GreedyGroup looks slightly better on CC than with IntuitGroup",
        EVERY_GRAPH,
        "its difference to the original is the smaller one at more than half of the k",
        _beats("add-greedy", ("add-intuit",), _clustering, mostly=True),
    ),
    Statement(
        "Figure 6",
        "The APL of ADD&DEL is very close to the original",
        EVERY_GRAPH,
        f"at every k within {percent(PATHS_VERY_CLOSE)} of it",
        _stays_within(("add-del",), "path_length", PATHS_VERY_CLOSE, _original),
    ),
    Statement(
        "Figure 6",
        "ADD&DEL preserves more of the APL than ADD",
        EVERY_GRAPH,
        "its difference to the original is the smallest at every k",
        _beats("add-del", ADD, _path_length),
    ),
    Statement(
        "Figure 6",
        f"The differences of APL are very small; the largest is {paper.LARGEST_PATH_DIFFERENCE}, on Cora at k = 100",
        EVERY_GRAPH,
        f"none is above {paper.LARGEST_PATH_DIFFERENCE}",
        _largest_path_difference,
    ),
    Statement(
        "Figure 7",
        "Plots of the average betweenness are very similar to those of the APL",
        EVERY_GRAPH,
        f"over all methods and k the two correlate with at least {SIMILAR_PLOTS}",
        _plots_alike,
    ),
    Statement(
        "Figure 7",
        "ADD&DEL keeps the distribution of betweenness better than ADD with GreedyGroup",
        ("Cora",),
        "its Kolmogorov–Smirnov distance to the original is the smaller one at every k",
        _beats("add-del", ("add-greedy",), _betweenness),
    ),
    Statement(
        "Figure 7",
        "ADD&DEL shows little sensitivity to k, while ADD with GreedyGroup degrades as k increases",
        ("Cora",),
        "from k = 5 to k = 100 the distance of ADD with GreedyGroup grows, and that of ADD&DEL moves less",
        _sensitivity,
    ),
    Statement(
        "Figure 7",
        "At k = 25 ADD&DEL keeps the distribution of betweenness better than both ADD algorithms",
        ("Cora",),
        "its Kolmogorov–Smirnov distance to the original is the smallest",
        _beats("add-del", ADD, _betweenness, ks=(25,)),
    ),
    Statement(
        "Figure 8",
        "No vertex is added in any case",
        EVERY_GRAPH,
        "none by any of the three methods at any k",
        _no_new_vertices,
    ),
    Statement(
        "Figure 8",
        "ADD&DEL changes the fewest edges",
        EVERY_GRAPH,
        "at every k",
        _beats("add-del", ADD, _changed),
    ),
    Statement(
        "Figure 8",
        "ADD with GreedyGroup adds fewer edges than with IntuitGroup",
        EVERY_GRAPH,
        "at every k",
        _beats("add-greedy", ("add-intuit",), _changed),
    ),
    Statement(
        "Figures 9–11",
        "KDA forms no new triangle",
        EVERY_GRAPH,
        "at every degree k there are as many triangles as in the k-NMF graph",
        _no_new_triangles,
    ),
    Statement(
        "Figures 9–11",
        "Under KDA, CC decreases as k increases",
        EVERY_GRAPH,
        "it is lower at degree k = 100 than at 5",
        _trend(("kda",), "clustering", -1),
    ),
    Statement(
        "Figures 9–11",
        "… by a little bit",
        EVERY_GRAPH,
        f"at every degree k by at most {percent(DEGREES_A_LITTLE)} of that of the k-NMF graph",
        _with_edges_added(_stays_within(("kda",), "clustering", DEGREES_A_LITTLE, _nmf_graph)),
    ),
    Statement(
        "Figures 9–11",
        "KDA keeps CC better than the classic k-degree anonymization",
        EVERY_GRAPH,
        "its difference to the k-NMF graph is smaller than Liu–Terzi's at every degree k",
        _with_edges_added(_beats("kda", ("liu-terzi",), _from_nmf_graph("clustering"))),
    ),
    Statement(
        "Figures 9–11",
        "Under KDA, the APL decreases as k increases",
        EVERY_GRAPH,
        "it is lower at degree k = 100 than at 5",
        _trend(("kda",), "path_length", -1),
    ),
    Statement(
        "Figures 9–11",
        "… by a little bit",
        EVERY_GRAPH,
        f"at every degree k by at most {percent(DEGREES_A_LITTLE)} of that of the k-NMF graph",
        _with_edges_added(_stays_within(("kda",), "path_length", DEGREES_A_LITTLE, _nmf_graph)),
    ),
    Statement(
        "Figures 10, 11",
        "The classic k-degree anonymization performs a little better than KDA on APL",
        ("Cora", "Brightkite"),
        "Liu–Terzi's difference to the k-NMF graph is the smaller one at every degree k",
        _with_edges_added(_beats("liu-terzi", ("kda",), _from_nmf_graph("path_length"))),
    ),
    Statement(
        "Figure 9",
        "Where the APL is large, KDA performs better on it",
        ("ACM",),
        "its difference to the k-NMF graph is smaller than Liu–Terzi's at every degree k",
        _beats("kda", ("liu-terzi",), _from_nmf_graph("path_length")),
    ),
    Statement(
        "Figures 9–11",
        "Under KDA the distributions of betweenness are very similar to those of the original",
        EVERY_GRAPH,
        f"at degree k = 10, 20, 30 their Kolmogorov–Smirnov distance is at most {VERY_SIMILAR}",
        _similar_betweenness,
    ),
)
