"""The k-degree anonymization of Liu and Terzi, which the paper compares its own with.

K. Liu, E. Terzi: Towards identity anonymization on graphs, SIGMOD 2008. There are three steps:

1. The cheapest k-anonymous degree sequence d̂ above the graph's own d (`graphveil.methods.degrees`).
2. Supergraph: join the vertices by their missing degrees d̂ − d, and keep every old edge.
3. Probing: if the sequence cannot be realised that way, add noise to small degrees and start again.

Deviation: their noise raises one vertex in each probe. Here a probe raises a random number of the lowest vertices,
from one to the number of edges that were left without a second end. Each of these edges needs one more vertex. So
in the end there is no more noise, but a large graph needs tens of probes instead of tens of thousands. Vertices
that can rise without dragging others along come first. It ends on every graph, because the noise only grows, up to
the complete graph. After `PATIENCE` probes it grows faster.
"""

from __future__ import annotations

from itertools import count

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import UnreachableError
from graphveil.graph import Graph
from graphveil.methods.degrees import (
    DegreeChange,
    Progress,
    anonymous_degrees,
    fewest_edges,
    raise_lowest,
    shuffled_by_degree,
)

PATIENCE = 1000  # probes after which the noise may be twice as much, then three times, and so on


def liu_terzi(
    graph: Graph, k: int, rng: np.random.Generator, progress: Progress | None = None
) -> DegreeChange:
    """Edges that make every degree occur at least k times. Mutual friends are not looked after.

    ``progress`` gets the edges that found both their ends, and all that are wanted.

    >>> import numpy as np
    >>> from graphveil import Graph
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> liu_terzi(path, 5, np.random.default_rng(7)).added.tolist()
    [[0, 4]]
    """
    if 0 < graph.n < k:
        raise UnreachableError(
            f"{graph.n} vertices cannot share every degree with {k - 1} others. Choose k up to {graph.n}."
        )
    wanted = graph.degrees.copy()
    for probe in count(1):
        order = shuffled_by_degree(wanted, rng)
        targets = anonymous_degrees(wanted, order, k)
        added, unmatched = realise(graph, targets - graph.degrees, order, rng)
        if progress:
            progress(len(added), len(added) + unmatched)
        if not unmatched:
            break
        noise = int(rng.integers(1, unmatched + 1)) * (1 + probe // PATIENCE)
        raise_lowest(targets, wanted, noise, k, rng)
    added = added[np.argsort(added[:, 0] * np.int64(graph.n) + added[:, 1])]
    return DegreeChange(added, 0, fewest_edges(graph.degrees, k), probe)


def realise(
    graph: Graph, missing: NDArray[np.int64], order: NDArray[np.int64], rng: np.random.Generator
) -> tuple[NDArray[np.int32], int]:
    """Supergraph, by two orders of service: the edges it finds, and how many edges lack a second end.

    The vertex that misses most first takes the fewest edges, but may leave over hubs that are neighbours. A random
    order, which is Liu and Terzi's, seldom does.
    """
    from graphveil.kernels.joining import supergraph

    start, neighbours, _ = graph.adjacency
    added, left = supergraph(start, neighbours, missing, order, np.empty(0, np.int64))
    unmatched = int(left.sum())
    if unmatched:
        others, left = supergraph(start, neighbours, missing, order, rng.permutation(graph.n))
        added, unmatched = min((added, unmatched), (others, int(left.sum())), key=lambda found: found[1])
    return added, unmatched
