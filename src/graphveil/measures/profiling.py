"""Everything that is measured of one graph alone; a comparison needs two of these."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.measures.betweenness import Betweenness, betweenness
from graphveil.measures.communities import agreement, several_communities
from graphveil.measures.distances import Distances, distances
from graphveil.measures.sampling import Estimate
from graphveil.measures.table import FIGURES
from graphveil.mutual import mutual_friends
from graphveil.parameters import whole_number

COUNT = 3  # eigenvalues of each kind
DENSE = 128  # vertices up to which all eigenvalues are found at once


@dataclass(frozen=True)
class Spectrum:
    """Largest eigenvalues, descending, as many as there are up to three, and the leading eigenvector."""

    # Eigenvalues
    adjacency: tuple[float, ...]
    laplacian: tuple[float, ...]
    # Of every vertex, the size of its entry in the leading eigenvector of the adjacency, of length 1
    centrality: NDArray[np.float64]


def spectrum(graph: Graph) -> Spectrum:
    """The largest eigenvalues of a graph.

    >>> from graphveil import Graph
    >>> found = spectrum(Graph.from_edges([(0, 1), (0, 2), (1, 2)]))
    >>> [round(value, 9) for value in found.adjacency + found.laplacian]
    [2.0, -1.0, -1.0, 3.0, 3.0, 0.0]
    """
    from scipy.sparse import diags_array

    # A vertex without edges only adds a zero to each spectrum, and ARPACK stumbles over a matrix of mostly zeros.
    touched = np.flatnonzero(graph.degrees)
    matrix = graph.to_scipy().astype(np.float64)[touched][:, touched]
    isolated = graph.n - len(touched)
    adjacency, vector = _largest(matrix, isolated)
    laplacian, _ = _largest(diags_array(graph.degrees[touched].astype(np.float64)) - matrix, isolated)
    centrality = np.zeros(graph.n)
    centrality[touched] = np.abs(vector)
    return Spectrum(adjacency, laplacian, centrality)


def _largest(matrix: Any, isolated: int) -> tuple[tuple[float, ...], NDArray[np.float64]]:
    """The largest eigenvalues of a matrix to which so many rows of zeros belong, and the leading eigenvector."""
    from scipy.sparse.linalg import eigsh

    size = matrix.shape[0]
    if size <= DENSE:
        values, vectors = np.linalg.eigh(matrix.toarray())
    else:
        start = np.random.default_rng(0).standard_normal(size)
        values, vectors = eigsh(matrix, k=COUNT, which="LA", v0=start)
    order = np.argsort(-values, kind="stable")
    everything = np.sort(np.concatenate((values, np.zeros(min(isolated, COUNT)))))[::-1]
    leading = vectors[:, order[0]] if size else np.zeros(0)
    return tuple(everything[:COUNT].tolist()), leading


# Called with what is being measured, and the share of it that is done.
Measuring = Callable[[str, float], None]

# By quick or not: vertices × edges up to which betweenness is exact, its sources above that, those of distances.
EXACT_BETWEENNESS = {False: 3e8, True: 2e7}
BETWEENNESS_SOURCES = {False: 500, True: 128}
DISTANCE_SOURCES = {False: None, True: 1024}


@dataclass(frozen=True)
class Profile:
    """What `profile` measured of one graph."""

    # What was measured, and how
    graph: Graph
    quick: bool
    seed: int
    mutual_friends: NDArray[np.int32]  # of every edge
    # What was found of each
    distances: Distances
    betweenness: Betweenness
    spectrum: Spectrum
    pagerank: NDArray[np.float64]  # of every vertex
    communities: tuple[NDArray[Any], ...]  # of every vertex, its number, as each of several seeds finds them
    structure: dict[str, Estimate]  # figures from igraph

    @cached_property
    def measures(self) -> dict[str, Estimate]:
        """The single figures of the table of measures, by name."""
        return {row.name: row.value(self) for row in FIGURES}

    @cached_property
    def triangles(self) -> dict[str, Estimate]:
        """Clustering."""
        return triangle_measures(self.graph, self.mutual_friends)

    @cached_property
    def community_noise(self) -> float | None:
        """Agreement of the communities with those that other seeds find in the same graph."""
        return agreement(self.communities, self.communities)

    @property
    def share_between(self) -> NDArray[np.float64]:
        """Betweenness of every vertex as a share of all pairs of other vertices."""
        return self.betweenness.values / max((self.graph.n - 1) * (self.graph.n - 2) / 2, 1)


def profile(
    graph: Graph,
    *,
    quick: bool = False,
    seed: int = 7,
    like: Profile | None = None,
    progress: Measuring | None = None,
) -> Profile:
    """Measure one graph; give the result to `graphveil.utility` in place of an original that is compared often.

    ``quick`` samples what takes time quadratic in the graph. With ``like``, the profile of the original, whose vertices
    come first in this graph, the samples are drawn alike.

    >>> found = profile(Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3)]))
    >>> round(found.measures["average_clustering"].value, 3)
    0.583
    """
    seed = whole_number("seed", seed, least=0)
    quick = bool(quick)
    measuring = progress or (lambda *_: None)
    counts = mutual_friends(graph)
    far = distances(
        graph, sources=DISTANCE_SOURCES[quick], seed=seed, told=partial(measuring, "path lengths")
    )
    small = graph.n * graph.m <= EXACT_BETWEENNESS[quick]
    between = betweenness(
        graph,
        sources=None if small else BETWEENNESS_SOURCES[quick],
        seed=seed,
        order=like.betweenness.order if like else None,
        told=partial(measuring, "betweenness"),
    )
    measuring("eigenvalues", 0.0)
    spectral = spectrum(graph)
    measuring("communities", 0.0)
    bare = as_igraph(graph)
    return Profile(
        graph=graph,
        quick=quick,
        seed=seed,
        mutual_friends=counts,
        distances=far,
        betweenness=between,
        spectrum=spectral,
        pagerank=np.array(bare.pagerank() if graph.n else []),
        communities=several_communities(bare, seed),
        structure=_structure_measures(graph, bare),
    )


def as_igraph(graph: Graph) -> Any:
    """An `igraph.Graph` without labels."""
    import igraph

    return igraph.Graph(n=graph.n, edges=graph.edges)


def triangle_measures(graph: Graph, counts: NDArray[np.int32]) -> dict[str, Estimate]:
    """Clustering from the mutual friends: a vertex is in half as many triangles as its edges have mutual friends."""
    u, v = graph.edges.T
    twice_triangles = np.bincount(u, counts, graph.n) + np.bincount(v, counts, graph.n)
    wedges = graph.degrees * (graph.degrees - 1)
    local = twice_triangles / np.maximum(wedges, 1)
    return {
        "average_clustering": Estimate(float(local.mean()) if graph.n else None),
        "transitivity": Estimate(float(twice_triangles.sum() / wedges.sum()) if wedges.any() else None),
    }


def _structure_measures(graph: Graph, bare: Any) -> dict[str, Estimate]:
    sizes = bare.connected_components().sizes()
    coreness = np.array(bare.coreness() if graph.n else [], np.int64)
    assortativity = bare.assortativity_degree(directed=False) if graph.m else np.nan
    return {
        "assortativity": Estimate(None if isnan(assortativity) else assortativity),
        "components": Estimate(len(sizes)),
        "largest_component": Estimate(max(sizes) / graph.n if graph.n else None),
        "degeneracy": Estimate(int(coreness.max()) if graph.n else None),
        "average_coreness": Estimate(float(coreness.mean()) if graph.n else None),
    }
