"""The k-degree anonymization of Liu and Terzi, which the paper compares its own with.

Three steps (K. Liu, E. Terzi: Towards identity anonymization on graphs, SIGMOD 2008): the cheapest k-anonymous
degree sequence d̂ above the graph's own d (`graphveil.methods.degrees`); Supergraph, which joins the vertices by
their missing degrees d̂ − d and keeps every old edge; and Probing: where the sequence cannot be realised
that way, small degrees get some noise and it starts again.

Where we deviate: their noise raises one vertex a round. Ours raises as many of the lowest as there were
edges left without a second end, so that a large graph needs a few rounds and not thousands; vertices that can rise
without dragging others along come first. It ends on every graph, because the noise only grows and the
complete graph is the end of all of it.
"""

from __future__ import annotations

from itertools import count

import numpy as np

from graphveil.errors import UnreachableError
from graphveil.graph import Graph
from graphveil.methods.degrees import (
    DegreeChange,
    Grouping,
    Progress,
    anonymous_degrees,
    fewest_edges,
    raise_lowest,
    shuffled_by_degree,
)

__all__ = ["liu_terzi"]

PROBES = 16  # rounds after which the noise doubles


def liu_terzi(
    graph: Graph,
    k: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
    *,
    grouping: Grouping = "optimal",
) -> DegreeChange:
    """Edges that make every degree occur at least k times. Mutual friends are not looked after.

    Parameters
    ----------
    graph : any graph of at least k vertices
    k : how many vertices must share every degree
    rng : decides ties
    progress : called with the edges that found both their ends, and all that are wanted, after each round
    grouping : how the degree sequence is cut into groups

    Examples
    --------
    >>> import numpy as np
    >>> from graphveil import Graph
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> liu_terzi(path, 5, np.random.default_rng(7)).added.tolist()
    [[0, 4]]
    """
    from graphveil.kernels.joining import supergraph

    if 0 < graph.n < k:
        raise UnreachableError(
            f"{graph.n} vertices cannot share every degree with {k - 1} others. Choose k up to {graph.n}."
        )
    start, neighbours, _ = graph.adjacency
    wanted = graph.degrees.copy()
    for probe in count(1):
        order = shuffled_by_degree(wanted, rng)
        targets = anonymous_degrees(wanted, order, k, grouping)
        missing = targets - graph.degrees
        added, left = supergraph(start, neighbours, missing, order)
        unmatched = int(left.sum())
        if progress:
            progress(len(added), len(added) + unmatched)
        if not unmatched:
            break
        raise_lowest(targets, wanted, unmatched << (probe // PROBES), k, rng)
    added = added[np.argsort(added[:, 0] * np.int64(graph.n) + added[:, 1])]
    return DegreeChange(added, 0, fewest_edges(graph.degrees, k), probe)
