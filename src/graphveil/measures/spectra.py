"""The largest eigenvalues of adjacency and Laplacian, and eigenvector centrality.

The largest eigenvalue of the adjacency matrix sets how easily something spreads, that of the Laplacian (degrees on
the diagonal minus adjacency) is bounded by the degrees of neighbours. By ARPACK (scipy.sparse.linalg.eigsh) from a
fixed start; small graphs by a dense solver.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph

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
