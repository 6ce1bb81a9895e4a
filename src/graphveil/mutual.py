"""Mutual friends of every edge (Definition 1 of Sun, Yu, Kong, Fu 2013)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.notebooks import long_work
from graphveil.stopping import stoppable


@long_work("counting mutual friends")
@stoppable()
def mutual_friends(graph: GraphLike) -> NDArray[np.int32]:
    """Number of mutual friends of the two ends of every edge, in the order of `Graph.edges`; read-only.

    A `Graph` counts them once and keeps them.

    Parameters
    ----------
    graph
        The graph, or anything that `graphveil.as_graph` takes

    Examples
    --------
    >>> from graphveil import Graph, mutual_friends
    >>> mutual_friends(Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3)])).tolist()
    [1, 1, 1, 0]
    """
    return as_graph(graph).mutual_friends
