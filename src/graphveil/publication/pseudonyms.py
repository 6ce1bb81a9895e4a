"""Pseudonyms that carry nothing: a random order of the vertices, drawn from the secret seed.

SHAKE-256 over the seed and the graph gives a number of 64 bits for each vertex. The rank of this number is the
pseudonym. Why not the generator that the methods use?

- An attacker who knows some pseudonyms must not be able to compute the rest. A statistical generator can be
  continued from a part of its output (C. Bouillaguet, F. Martinez, J. Sauvage: Practical seed-recovery for the PCG
  pseudo-random number generator, ToSC 2020). A cryptographic one cannot.
- Its stream is separate from the one that decides which edges change.
- Two publications have no common order, not even those of one graph under the same seed with different k. With a
  common order an attacker could compare them, and the edges in which they differ are the changed ones.
- The same seed gives the same bytes whatever the version of NumPy.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.publication.made_up import replaced_copies

DONORS = 25  # people of about the same degree, of whom a dummy person gets the attributes of one


def draw(graph: Graph, seed: int) -> NDArray[np.int64]:
    """The pseudonym of each vertex: the numbers 0…n−1 in an order that only the seed tells.

    >>> from graphveil import Graph
    >>> draw(Graph.from_edges([(0, 1), (1, 2), (2, 3)]), seed=7).tolist()
    [3, 1, 2, 0]
    """
    pseudonyms = np.empty(graph.n, np.int64)
    pseudonyms[np.argsort(numbers(graph, seed, "pseudonyms", graph.n), kind="stable")] = np.arange(graph.n)
    return pseudonyms


def hide(
    graph: Graph, pseudonyms: NDArray[np.int64], attributes: Mapping[str, NDArray[Any]] | None = None
) -> Graph:
    """The graph with pseudonyms for labels and as its order, its edges sorted by them."""
    ends = pseudonyms[graph.edges]
    edges = Graph.from_arrays(ends[:, 0], ends[:, 1], n=graph.n).edges
    return Graph(edges, graph.n, vertex_attributes=attributes)


def fill_in(
    graph: Graph,
    seed: int,
    attributes: Mapping[str, NDArray[Any]],
    pseudonyms: NDArray[np.int64],
    sensitive: Sequence[str] = (),
) -> dict[str, NDArray[Any]]:
    """Attributes of the input's vertices as those of all published ones, in the order of the pseudonyms.

    A new vertex has none, and a gap would give it away. So it gets those of one vertex, all of the same one, because
    a mixture of several might be one that no person has. It is drawn from those of the input with as many neighbours,
    or from the `DONORS` with the nearest numbers, because attributes and degrees belong together. Of sensitive
    attributes, which may be exact, it gets no copy that stands out.
    """
    old = len(next(iter(attributes.values()), ()))
    donors = _donors(graph, seed, old) if attributes else np.empty(0, np.int64)
    order, new = np.argsort(pseudonyms), np.arange(old + len(donors)) >= old
    filled = {name: np.concatenate((values, values[donors])) for name, values in attributes.items()}
    for name in sensitive:
        random = numbers(graph, seed, f"values of {name}", len(donors))
        filled[name] = replaced_copies(name, filled[name], new, random)
    return {name: values[order] for name, values in filled.items()}


def _donors(graph: Graph, seed: int, old: int) -> NDArray[np.int64]:
    """For each new vertex one of the old ones."""
    random = numbers(graph, seed, "donors", graph.n - old)
    by_degree = np.argsort(graph.degrees[:old], kind="stable")
    degrees, wanted = graph.degrees[by_degree], graph.degrees[old:]
    first, last = (np.searchsorted(degrees, wanted, side) for side in ("left", "right"))
    more = np.maximum(DONORS - (last - first), 0)
    first = np.clip(first - more // 2, 0, max(old - DONORS, 0))
    last = np.clip(np.maximum(last, first + DONORS), 1, old)
    chosen: NDArray[np.int64] = by_degree[
        first + (random % np.maximum(last - first, 1).astype(np.uint64)).astype(np.int64)
    ]
    return chosen


def numbers(graph: Graph, seed: int, purpose: str, count: int) -> NDArray[np.uint64]:
    """So many random numbers of 64 bits for one purpose."""
    stream = hashlib.shake_256(f"graphveil 1 {purpose} {seed} {graph.n} {graph.m}\n".encode())
    stream.update(graph.edges.astype("<i4").tobytes())
    return np.frombuffer(stream.digest(8 * count), "<u8")
