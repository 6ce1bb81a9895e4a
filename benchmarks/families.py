"""Four families of graphs that the benchmarks share, with ids and edges in random order, or sorted.

- `town`: `graphveil.generate`, for which graphveil was tuned
- `hyperbolic`: a threshold random graph of hyperbolic geometry, in its form with weights on a circle (Bringmann,
  Keusch, Lengler: Geometric inhomogeneous random graphs, 2019): power-law degrees with large hubs, many triangles
- `R-MAT`: Chakrabarti, Zhan, Faloutsos: R-MAT, a recursive model for graph mining, 2004, with the parameters of
  Graph500: a dense core, repeated edges and loops among the pairs
- `real`: com-dblp, a real graph, of its own size

Everything is made here by NumPy, so nothing is downloaded but the real graph.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from common import HERE, real_graph

SEED = 4
ORDERS = ("shuffled", "sorted")
EXPONENT = 2.5  # of the power law of hyperbolic degrees
GRAPH500 = (0.57, 0.19, 0.19)  # the chance of each quadrant of the matrix but the last
MEAN_DEGREE = 16  # of hyperbolic and R-MAT


def town(edges: int) -> np.ndarray:
    from graphveil import generate

    return generate(edges=edges, seed=SEED).edges


def hyperbolic(edges: int) -> np.ndarray:
    """Vertices on a circle, joined if they are closer than the product of their weights allows.

    Vertices of about the same weight form a layer. Of two layers only pairs within the reach of their largest weights
    are looked at.
    """
    random = np.random.default_rng(SEED)
    n = 2 * edges // MEAN_DEGREE
    weight = np.minimum((1 - random.random(n)) ** (-1 / (EXPONENT - 1)), n / 4)
    place = np.sort(random.random(n))
    layer = np.log2(weight).astype(np.int64)
    scale = MEAN_DEGREE / (
        2 * weight.mean() ** 2 * n
    )  # the mean degree is about 2 · scale · n · (mean weight)²
    members = [np.flatnonzero(layer == each) for each in range(layer.max() + 1)]
    parts = [np.empty((0, 2), np.int64)]
    for a, small in enumerate(members):
        for b, large in enumerate(members[a:], a):
            if not len(small) or not len(large):
                continue
            reach = min(scale * 2.0 ** (a + b + 2), 0.5)
            around = np.concatenate((place[large] - 1, place[large], place[large] + 1))
            first = np.searchsorted(around, place[small] - reach)
            found = np.searchsorted(around, place[small] + reach) - first
            u = np.repeat(small, found)
            slot = np.arange(len(u)) - np.repeat(np.cumsum(found) - found, found) + np.repeat(first, found)
            v = large[slot % len(large)]
            distance = np.abs(place[u] - place[v])
            near = np.minimum(distance, 1 - distance) < scale * weight[u] * weight[v]
            keep = near & (u < v if a == b else u != v)
            parts.append(np.column_stack((u[keep], v[keep])))
    return np.concatenate(parts)


def rmat(edges: int) -> np.ndarray:
    random = np.random.default_rng(SEED)
    u, v = np.zeros((2, edges), np.int64)
    first, second, third = np.cumsum(GRAPH500)
    for _ in range(int(np.log2(2 * edges / MEAN_DEGREE))):
        quadrant = random.random(edges)
        u, v = 2 * u + (quadrant >= second), 2 * v
        v += ((quadrant >= first) & (quadrant < second)) | (quadrant >= third)
    return np.column_stack((u, v))


def real(edges: int) -> np.ndarray:
    return real_graph("com-dblp").edges


FAMILIES: dict[str, Callable[[int], np.ndarray]] = {
    "town": town,
    "hyperbolic": hyperbolic,
    "R-MAT": rmat,
    "real": real,
}


def shuffled(pairs: np.ndarray) -> np.ndarray:
    """The same pairs under other ids, in random order and direction."""
    random = np.random.default_rng(SEED)
    pairs = random.permutation(int(pairs.max()) + 1).astype(np.int32)[pairs]
    pairs = pairs[random.permutation(len(pairs))]
    turned = random.random(len(pairs)) < 0.5
    pairs[turned] = pairs[turned, ::-1]
    return pairs


def in_order(pairs: np.ndarray) -> np.ndarray:
    """The same pairs, each from its lower to its higher id, sorted."""
    pairs = np.sort(pairs, axis=1)
    return pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))].astype(np.int32)


def simple(pairs: np.ndarray) -> np.ndarray:
    """The distinct pairs of two different ids, and the ids that occur in them numbered anew."""
    pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1).astype(np.int64)
    keys = np.unique(pairs[:, 0] << 32 | pairs[:, 1])
    ends = np.column_stack((keys >> 32, keys & 0xFFFFFFFF))
    return (np.cumsum(np.bincount(ends.ravel()) > 0) - 1)[ends]


def make(family: str, edges: int, order: str, *, distinct: bool = False) -> np.ndarray:
    """The m×2 pairs of a graph of a family, about so many of them.

    Loops and repeated pairs may be among them, unless they must be distinct. `sorted` keeps the order of the ids that
    the generator gives, which often stand near to each other where vertices are joined.
    """
    pairs = FAMILIES[family](edges)
    if distinct:
        pairs = simple(pairs)
    return shuffled(pairs) if order == "shuffled" else in_order(pairs)


def save(family: str, edges: int, order: str, path: Path, *, distinct: bool = False) -> None:
    """Write the pairs as an array, by another process: its memory must not stay in this one."""
    command = [sys.executable, HERE / "families.py", family, str(edges), order, str(path)]
    subprocess.run([*command, "--distinct"] if distinct else command, check=True)


if __name__ == "__main__":
    np.save(sys.argv[4], make(sys.argv[1], int(sys.argv[2]), sys.argv[3], distinct="--distinct" in sys.argv))
