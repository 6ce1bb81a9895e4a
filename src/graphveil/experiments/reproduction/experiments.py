"""The experiments of Section IV on one graph: every figure that its table and plots need.

Clustering is exact. Path lengths and betweenness are exact on small graphs, and on larger ones under the first seed.
Otherwise they come from sampled sources: the difference to the original, from the same sources in both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from graphveil.differences import differences
from graphveil.errors import UnreachableError
from graphveil.experiments.cells import Cells, Record, fingerprint, run_cells
from graphveil.experiments.reproduction import paper
from graphveil.graph import Graph
from graphveil.measures.agreement import kolmogorov_smirnov
from graphveil.measures.betweenness import Betweenness, betweenness, compare
from graphveil.measures.distances import distances
from graphveil.measures.profiling import triangle_measures
from graphveil.measures.sampling import Estimate
from graphveil.methods import anonymize
from graphveil.mutual import mutual_friends
from graphveil.risk.auditing import audit

__all__ = ["BINS", "DEGREE_METHODS", "NMF_METHODS", "ORIGINAL", "Point", "Study", "study"]

SCHEMA = "graphveil/reproduction/2"
ORIGINAL, KDA, KDA_PAPER = "original", "kda", "kda-paper"
LIU_TERZI: Final = "liu-terzi"
NMF_METHODS = ("add-intuit", "add-greedy", "add-del")
DEGREE_METHODS = (KDA_PAPER, KDA, LIU_TERZI)
NMF_METHOD: Final = "add-del"  # of the graph that those start from
EXACT = 1e9  # vertices × edges up to which everything is exact under the first seed
SMALL = 5e7  # … under every seed
SOURCES = 128  # of path lengths and betweenness otherwise
LARGE, WRITTEN_SEEDS = (
    100_000,
    3,
)  # edges above which KDA as written, which is slow, runs under this many seeds
# Lower bounds of the bins of betweenness, as a share of all pairs of vertices: 0, then quarters of a decade.
BINS = (0.0, *(10.0 ** np.arange(-10, 0.25, 0.25)).tolist())


@dataclass(frozen=True)
class Point:
    """One version of a graph, measured; with several seeds, the medians, and the distribution under the first.

    Attributes
    ----------
    edges, new_vertices, changed
        Sizes, and edges changed against the original
    triangles, clustering, path_length
        Of this version
    mean_betweenness
        Of a vertex, as a share of all pairs
    betweenness
        Number of vertices in each of `BINS`
    distance, distance_error
        Kolmogorov–Smirnov distance of the betweenness to that of the original
    """

    edges: float
    new_vertices: float
    changed: float
    triangles: float
    clustering: float
    path_length: float
    mean_betweenness: float
    betweenness: tuple[float, ...]
    distance: float
    distance_error: float


@dataclass(frozen=True)
class Study:
    """All that was measured on one graph.

    Attributes
    ----------
    name
        For people
    graph
        The graph of the paper that it is, None for any other
    vertices, edges
        Its size
    violating
        By k, vertices by degree and edges by mutual friends: at most k, as Table I counts, and fewer than k
    nmf_k
        Of the graph that the degrees are made anonymous in
    sources, error
        Of betweenness, as `graphveil.measures.betweenness` has them
    points
        By method and k; ("original", 0) for the graph itself. Those out of reach are missing
    stands_for
        The graph of the paper that it counts beside, because that one is not public
    seeds
        The points under each seed
    """

    name: str
    graph: str | None
    vertices: int
    edges: int
    violating: dict[int, tuple[int, int, int, int]]
    nmf_k: int
    sources: int
    error: float
    points: dict[tuple[str, int], Point]
    stands_for: str | None = None
    seeds: dict[int, dict[tuple[str, int], Point]] = field(default_factory=dict)

    def under_each_seed(self) -> list[Study]:
        """The study as it would be with one seed alone, for each of them."""
        return [replace(self, points=points, seeds={}) for points in self.seeds.values()] or [self]

    @property
    def original(self) -> Point:
        """The graph itself."""
        return self.points[ORIGINAL, 0]

    @property
    def nmf_graph(self) -> Point | None:
        """The graph that Figures 9 to 11 start from."""
        return self.points.get((NMF_METHOD, self.nmf_k))

    def ks(self, *methods: str) -> list[int]:
        """The k at which all of these methods have a result."""
        return [k for k in paper.K if all((method, k) in self.points for method in methods)]


@dataclass(frozen=True)
class _Subject:
    """What every cell needs."""

    graph: Graph
    nmf_k: int
    paths: float  # average path length of the original
    sampled_paths: float
    sampled_betweenness: Betweenness
    betweenness: Betweenness | None  # exact


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

    Examples
    --------
    >>> from graphveil import generate
    >>> found = study("town", generate(edges=300, seed=4))
    >>> found.ks("add-del"), found.original.new_vertices
    ([5, 10, 15, 20, 25, 30, 50, 100], 0.0)
    """
    bare = Graph(graph.edges, graph.n)
    which = paper.which_graph(graph.n, graph.m)
    nmf_k = paper.NMF_K.get(which or "", 25)
    subject = {"experiment": SCHEMA, "graph": fingerprint(bare), "nmf_k": nmf_k, "sources": SOURCES}
    seeds = range(seed, seed + repeats)
    size = graph.n * graph.m
    cells: list[Record] = [{"method": ORIGINAL, "k": 0, "seed": seed, "sampled": size > EXACT}]
    cells += [
        {"method": method, "k": k, "seed": each, "sampled": size > (EXACT if each == seed else SMALL)}
        for each in seeds
        for method in (*NMF_METHODS, *DEGREE_METHODS)
        for k in paper.K
        if method != KDA_PAPER or graph.m <= LARGE or each < seed + WRITTEN_SEEDS
    ]
    prepare = partial(_prepare, bare, nmf_k, size <= EXACT)
    found = run_cells(cells, _measure, prepare, Cells(folder, subject), jobs=jobs, told=told)
    return Study(
        name=name,
        graph=which,
        vertices=graph.n,
        edges=graph.m,
        violating=_violating(bare),
        nmf_k=nmf_k,
        sources=int(found[0]["sources"]),
        error=float(found[0]["error"]),
        points=_points(cells, found),
        stands_for=paper.STAND_INS.get((graph.n, graph.m)),
        seeds=_by_seed(cells, found, seeds),
    )


def _violating(graph: Graph) -> dict[int, tuple[int, int, int, int]]:
    """Table I, by the paper's count and by its definition."""
    counts = [
        [each.exposed for each in audit(graph, paper.K, at_most=at_most, top=0)[name].exposures]
        for at_most in (True, False)
        for name in ("degree", "mutual-friends")
    ]
    return {k: tuple(row) for k, row in zip(paper.K, zip(*counts, strict=True), strict=True)}


def _points(cells: Sequence[Record], found: Sequence[Record]) -> dict[tuple[str, int], Point]:
    together: dict[tuple[str, int], list[Record]] = {}
    for cell, figures in zip(cells, found, strict=True):
        if figures["point"] is not None:
            together.setdefault((cell["method"], cell["k"]), []).append(figures["point"])
    return {key: _median(points) for key, points in together.items()}


def _median(points: Sequence[Record]) -> Point:
    def middle(name: str) -> Any:
        if name == "betweenness":
            return tuple(points[0][name])
        return float(np.median([point[name] for point in points]))

    return Point(**{each.name: middle(each.name) for each in fields(Point)})


def _by_seed(
    cells: Sequence[Record], found: Sequence[Record], seeds: Sequence[int]
) -> dict[int, dict[tuple[str, int], Point]]:
    """The points of each seed; the original is among all of them."""
    pairs = list(zip(cells, found, strict=True))
    return {
        seed: _points(
            *zip(*((c, f) for c, f in pairs if c["seed"] == seed or c["method"] == ORIGINAL), strict=True)
        )
        for seed in seeds
    }


# ---------------------------------------------------------------------- one cell


def _prepare(graph: Graph, nmf_k: int, exact: bool) -> _Subject:
    return _Subject(
        graph,
        nmf_k,
        distances(graph).average.value or 0.0,
        distances(graph, sources=SOURCES).average.value or 0.0,
        betweenness(graph, sources=SOURCES, seed=0),
        betweenness(graph) if exact else None,
    )


def _measure(subject: _Subject, cell: Record) -> Record:
    original = subject.betweenness or subject.sampled_betweenness
    about = {"sources": original.sources, "error": original.relative_error}
    try:
        graph = _version(subject, cell["method"], cell["k"], cell["seed"])
    except UnreachableError:
        return {**about, "point": None}
    return {**about, "point": asdict(_point(subject, graph, sampled=cell["sampled"]))}


def _version(subject: _Subject, method: Any, k: int, seed: int) -> Graph:
    """The graph after one method at one k; those for degrees start from an ADD&DEL graph."""
    graph, nmf_k = subject.graph, subject.nmf_k
    if method == ORIGINAL:
        return graph
    if method in (KDA, KDA_PAPER):
        return anonymize(graph, nmf_k, method=NMF_METHOD, degree_k=k, degree_method=method, seed=seed).graph
    if method == LIU_TERZI:
        start = anonymize(graph, nmf_k, method=NMF_METHOD, seed=seed).graph
        return anonymize(start, k, method=LIU_TERZI, seed=seed).graph
    return anonymize(graph, k, method=method, seed=seed).graph


def _paths_and_betweenness(
    subject: _Subject, graph: Graph, sampled: bool
) -> tuple[float, Betweenness, Estimate]:
    """The average path length, the betweenness and its distance to that of the original."""
    exact = None if sampled else subject.betweenness
    before = after = exact or subject.sampled_betweenness
    paths = subject.paths
    if graph is not subject.graph:
        sources = SOURCES if exact is None else None
        after = betweenness(graph, sources=sources, seed=0, order=before.order)
        paths = distances(graph, sources=sources).average.value or 0.0
        paths += subject.paths - subject.sampled_paths if sources else 0.0
    distance = compare(before, after, lambda old, new: kolmogorov_smirnov(old, new[: subject.graph.n]))
    return paths, after, distance


def _point(subject: _Subject, graph: Graph, *, sampled: bool) -> Point:
    paths, after, distance = _paths_and_betweenness(subject, graph, sampled)
    share = after.values / max((graph.n - 1) * (graph.n - 2) / 2, 1)
    counts = mutual_friends(graph)
    added, deleted = differences(subject.graph, graph)
    return Point(
        edges=graph.m,
        new_vertices=graph.n - subject.graph.n,
        changed=len(added) + len(deleted),
        triangles=int(counts.sum(dtype=np.int64)) // 3,
        clustering=triangle_measures(graph, counts)["average_clustering"].value or 0.0,
        path_length=paths,
        mean_betweenness=float(share.mean()) if graph.n else 0.0,
        betweenness=tuple(
            np.bincount(np.searchsorted(BINS, share, side="right") - 1, minlength=len(BINS)).tolist()
        ),
        distance=distance.value or 0.0,
        distance_error=distance.error,
    )
