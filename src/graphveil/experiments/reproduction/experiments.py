"""The experiments of Section IV on one graph: every figure that its table and plots need.

Clustering is exact. Path lengths and betweenness come from sampled sources, the same in every version of a graph, so
the sample hardly moves a difference. The small graphs run under all seeds; the larger ones cost more, and run under
fewer, at fewer k.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from graphveil.differences import differences
from graphveil.errors import UnreachableError
from graphveil.experiments.cells import Cells, Record, fingerprint, run_cells
from graphveil.experiments.reproduction import paper
from graphveil.experiments.reproduction.power_law import Tail, tail_of
from graphveil.graph import Graph
from graphveil.measures.agreement import kolmogorov_smirnov
from graphveil.measures.betweenness import Betweenness, betweenness, binned
from graphveil.measures.distances import distances
from graphveil.measures.profiling import triangle_measures
from graphveil.methods.anonymizing import anonymize
from graphveil.mutual import mutual_friends
from graphveil.risk.auditing import audit

SCHEMA = "graphveil/reproduction/3"
ORIGINAL, KDA, KDA_PAPER = "original", "kda", "kda-paper"
LIU_TERZI: Final = "liu-terzi"
NMF_METHODS = ("add-intuit", "add-greedy", "add-del")
DEGREE_METHODS = (KDA_PAPER, KDA, LIU_TERZI)
NMF_METHOD: Final = "add-del"  # of the graph that those start from
SOURCES = 128  # of path lengths and betweenness
SMALL = 30_000  # edges up to which all seeds run
MIDDLE = 100_000  # edges above which degrees are left alone, where the paper does not have the graph
LARGE = 500_000  # edges above which nothing is anonymized: the graph is only counted


@dataclass(frozen=True)
class Point:
    """One version of a graph, measured.

    ``changed`` counts edges against the original, ``betweenness`` the vertices in each of `BINS`. ``mean_betweenness``
    is that of a vertex, as a share of all pairs; ``distance`` the Kolmogorov–Smirnov distance of the betweenness to
    that of the original. ``start`` has figures of the graph it was made from: the original, or for the methods for
    degrees a k-NMF graph.
    """

    edges: int
    new_vertices: int
    changed: int
    triangles: int
    clustering: float
    path_length: float
    mean_betweenness: float
    betweenness: tuple[int, ...]
    distance: float
    start: dict[str, float]

    def moved(self, name: str) -> float:
        """How far a figure is from that of the start."""
        return float(getattr(self, name) - self.start[name])


@dataclass(frozen=True)
class Study:
    """All that was measured on one graph.

    ``graph`` is the graph of the paper that it is, ``stands_for`` the one it is another extraction of. ``violating``
    has for each k the vertices by degree and the edges by mutual friends: at most k, as Table I counts, and fewer.
    ``nmf_k`` is that of the graph that the degrees are made anonymous in. ``runs`` has by method and k one point for
    each seed; those out of reach are missing.
    """

    name: str
    graph: str | None
    stands_for: str | None
    vertices: int
    edges: int
    violating: dict[int, tuple[int, int, int, int]]
    nmf_k: int
    original: Point
    runs: dict[tuple[str, int], list[Point]]
    tail: Tail | None = None

    def ks(self, *methods: str) -> list[int]:
        """The k at which all of these methods have a result."""
        return [k for k in paper.K if all(self.runs.get((method, k)) for method in methods)]

    def at(self, method: str, k: int) -> list[Point]:
        """The runs of a method at one k, none where there are none."""
        return self.runs.get((method, k), [])

    def seeds(self, method: str) -> int:
        """Under how many seeds a method ran."""
        return max((len(points) for (name, _), points in self.runs.items() if name == method), default=0)

    def median(self, method: str, k: int, of: Callable[[Point], float]) -> float:
        """The median over the runs."""
        return float(np.median([of(point) for point in self.runs[method, k]]))


@dataclass
class _Subject:
    """What every cell needs."""

    graph: Graph
    nmf_k: int
    betweenness: Betweenness
    start: dict[str, float]
    starts: dict[int, tuple[Graph, dict[str, float]]] = field(default_factory=dict)  # k-NMF graphs by seed


def study(
    name: str,
    graph: Graph,
    *,
    seed: int = 7,
    repeats: int = 1,
    folder: Path | None = None,
    jobs: int = 1,
    told: Callable[[int, int], None] | None = None,
) -> Study:
    """Run all experiments on one graph; finished cells are kept in the folder and not run again.

    >>> from graphveil import generate
    >>> found = study("town", generate(edges=300, seed=4))
    >>> found.ks("add-del"), found.original.new_vertices
    ([5, 10, 25, 50, 100], 0)
    """
    bare = Graph(graph.edges, graph.n)
    which = paper.which_graph(graph.n, graph.m)
    nmf_k = 20 if graph.n < paper.GRAPHS["Cora"][0] else 25
    subject = {"experiment": SCHEMA, "graph": fingerprint(bare), "nmf_k": nmf_k, "sources": SOURCES}
    cells = _cells(graph, which, seed, repeats)
    found = run_cells(
        cells, _measure, partial(_prepare, bare, nmf_k), Cells(folder, subject), jobs=jobs, told=told
    )
    runs: dict[tuple[str, int], list[Point]] = {}
    for cell, figures in zip(cells, found, strict=True):
        if figures["point"] is not None:
            point = Point(**{**figures["point"], "betweenness": tuple(figures["point"]["betweenness"])})
            runs.setdefault((cell["method"], cell["k"]), []).append(point)
    (original,) = runs.pop((ORIGINAL, 0))
    return Study(
        name=name,
        graph=which,
        stands_for=paper.STAND_INS.get((graph.n, graph.m)),
        vertices=graph.n,
        edges=graph.m,
        violating=_violating(bare),
        nmf_k=nmf_k,
        original=original,
        runs=runs,
        tail=tail_of(mutual_friends(bare)),
    )


def _cells(graph: Graph, which: str | None, seed: int, repeats: int) -> list[Record]:
    """What to run: all k on the paper's graphs and their stand-ins, fewer k and fewer seeds where it costs more."""
    known = which or paper.STAND_INS.get((graph.n, graph.m))
    small = graph.m <= SMALL
    few = -(-repeats * 7 // 30)  # of 30 seeds 7: the fewest that can tell two methods apart at eight k
    if small:
        for_nmf, for_degrees, as_written = repeats, -(-repeats // 3), -(-repeats // 3)
    else:
        for_nmf = few if graph.m <= LARGE else 0
        for_degrees = for_nmf if known or graph.m <= MIDDLE else 0
        as_written = -(-for_degrees // 2) if known else 0  # it searches the graph for every vertex it raises
    ks = paper.K if known else paper.FEWER_K if small else paper.SHOWN_K
    degree_ks = paper.DEGREE_K if small else paper.BETWEENNESS_K
    plan = dict.fromkeys(NMF_METHODS, (ks, for_nmf))
    plan |= dict.fromkeys((KDA, LIU_TERZI), (degree_ks, for_degrees))
    plan[KDA_PAPER] = (degree_ks, as_written)
    cells: list[Record] = [{"method": ORIGINAL, "k": 0, "seed": seed}]
    for method, (at, seeds) in plan.items():
        cells += [{"method": method, "k": k, "seed": seed + i} for i in range(seeds) for k in at]
    return cells


def _violating(graph: Graph) -> dict[int, tuple[int, int, int, int]]:
    """Table I, by the paper's count and by its definition."""
    counts = [
        [each.exposed for each in audit(graph, paper.K, at_most=at_most, top=0)[name].exposures]
        for at_most in (True, False)
        for name in ("degree", "mutual-friends")
    ]
    return {k: tuple(row) for k, row in zip(paper.K, zip(*counts, strict=True), strict=True)}


# ---------------------------------------------------------------------- one cell


def _prepare(graph: Graph, nmf_k: int) -> _Subject:
    return _Subject(graph, nmf_k, betweenness(graph, sources=SOURCES, seed=0), _figures(graph))


def _measure(subject: _Subject, cell: Record) -> Record:
    try:
        graph, start = _version(subject, cell["method"], cell["k"], cell["seed"])
    except UnreachableError:
        return {"point": None}
    return {"point": asdict(_point(subject, graph, start))}


def _version(subject: _Subject, method: Any, k: int, seed: int) -> tuple[Graph, dict[str, float]]:
    """The graph after one method at one k, and the figures of what it started from."""
    if method == ORIGINAL:
        return subject.graph, subject.start
    if method in NMF_METHODS:
        return anonymize(subject.graph, k, method=method, seed=seed).graph, subject.start
    if seed not in subject.starts:
        start = anonymize(subject.graph, subject.nmf_k, method=NMF_METHOD, seed=seed).graph
        subject.starts[seed] = start, _figures(start)
    start, figures = subject.starts[seed]
    if method == LIU_TERZI:
        return anonymize(start, k, method=LIU_TERZI, seed=seed).graph, figures
    after = anonymize(
        subject.graph, subject.nmf_k, method=NMF_METHOD, degree_k=k, degree_method=method, seed=seed
    )
    return after.graph, figures


def _figures(graph: Graph) -> dict[str, float]:
    counts = mutual_friends(graph)
    return {
        "edges": graph.m,
        "triangles": int(counts.sum(dtype=np.int64)) // 3,
        "clustering": triangle_measures(graph, counts)["average_clustering"].value or 0.0,
        "path_length": distances(graph, sources=SOURCES).average.value or 0.0,
    }


def _point(subject: _Subject, graph: Graph, start: dict[str, float]) -> Point:
    n, before = subject.graph.n, subject.betweenness
    unchanged = graph is subject.graph
    after = before if unchanged else betweenness(graph, sources=SOURCES, seed=0, order=before.order)
    share = after.values / max((graph.n - 1) * (graph.n - 2) / 2, 1)
    added, deleted = differences(subject.graph, graph)
    figures = subject.start if unchanged else _figures(graph)
    return Point(
        edges=graph.m,
        new_vertices=graph.n - n,
        changed=len(added) + len(deleted),
        triangles=int(figures["triangles"]),
        clustering=figures["clustering"],
        path_length=figures["path_length"],
        mean_betweenness=float(share.mean()) if graph.n else 0.0,
        betweenness=tuple(binned(share).tolist()),
        distance=kolmogorov_smirnov(before.values, after.values[:n]) or 0.0,
        start=start,
    )
