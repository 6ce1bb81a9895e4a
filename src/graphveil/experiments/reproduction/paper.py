"""What Section IV of the paper gives in figures: its graphs, its k, and Table I.

C. Sun, P. S. Yu, X. Kong, Y. Fu: Privacy preserving social network publication against mutual friend attacks, 2013.
"""

from __future__ import annotations

import numpy as np

from graphveil.generation import generate
from graphveil.graph import Graph

# Vertices and edges. Whoever has one of them finds it recognized by its size.
GRAPHS = {"ACM": (7_315, 16_203), "Cora": (14_076, 72_871), "Brightkite": (58_228, 214_078)}

# Another extraction of the same source as a graph of the paper, by its size: shown beside it, and decides nothing.
STAND_INS = {(14_622, 25_006): "Cora"}  # co-authors of Cora papers; a third of the edges

K = (5, 10, 15, 20, 25, 30, 50, 100)
FEWER_K = (5, 10, 25, 50, 100)  # on graphs that the paper does not have
DEGREE_K = (5, 10, 20, 30, 50)
SHOWN_K = (5, 25, 100)  # of the distributions in our Figure 7; the text does not say which it drew
BETWEENNESS_K = (10, 20, 30)  # degree k of the distributions in Figures 9 to 11
LARGEST_PATH_DIFFERENCE = 0.8  # on Cora at k = 100

# Each k, then for each of the graphs: vertices that violate k-degree anonymity, edges that violate k-NMF anonymity.
_TABLE = """
  5    54   28   141  106   266   93
 10    75   28   267  179   533  129
 15   103   43   408  277   705  285
 20   137   62   446  349   795  393
 25   162   62   584  488   891  598
 30   221   62   752  575  1088  762
 50   262   99  1142  733  1425 1297
100   526  226  1472 1350  2326 2578
"""
_ROWS = [tuple(map(int, row.split())) for row in _TABLE.strip().splitlines()]
TABLE_I = {name: tuple(row[1 + 2 * at : 3 + 2 * at] for row in _ROWS) for at, name in enumerate(GRAPHS)}


def which_graph(vertices: int, edges: int) -> str | None:
    """The graph of the paper that has this size.

    >>> which_graph(58_228, 214_078), which_graph(3, 3)
    ('Brightkite', None)
    """
    return next((name for name, size in GRAPHS.items() if size == (vertices, edges)), None)


def generated() -> Graph:
    """A sparse graph of about ACM's size, whose path lengths are large too: part of a larger generated one.

    >>> generated()
    Graph(n=7308, m=16203)
    """
    wanted = GRAPHS["ACM"][1]
    edges = generate(29_400).edges  # so many that this part of them touches as many vertices as ACM has
    u, v = edges[np.arange(wanted) * len(edges) // wanted].T
    _, numbers = np.unique((u, v), return_inverse=True)
    return Graph.from_arrays(*numbers.reshape(2, -1))
