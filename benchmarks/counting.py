"""Mutual friends of every edge: graphveil beside other libraries, on four families of graphs, in one run.

    python benchmarks/counting.py                       # 4 million edges in both orders, and 100,000 with all libraries
    python benchmarks/counting.py --what orders --edges 30000000 --families town

Every library works in a process of its own, gets the same m×2 array of distinct pairs, builds its graph (`build`) and
counts (`count`). The families and their two orders are those of families.py. `agrees` says whether all found how many
edges have 1, 2, 3 … mutual friends.

A library that takes longer than the limit on one graph is stopped, and the table says so. `graphveil.verification` is
the second, independent count that `graphveil verify` trusts.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import tempfile
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from common import answer_for_apart, apart, header, peak_memory, ratio, rounded, row, spread, timed
from families import FAMILIES, ORDERS, save

EDGES = 4_000_000
FEW = 100_000  # for the slow libraries
ENOUGH = 6.0  # seconds after which a library does not begin again

# ---------------------------------------------------------------------- the libraries: build a graph, then count


def graphveil_build(edges: np.ndarray, n: int) -> Any:
    from graphveil import Graph

    return Graph.from_arrays(edges[:, 0], edges[:, 1], n=n)


def graphveil_count(graph: Any) -> np.ndarray:
    from graphveil import mutual_friends

    return mutual_friends(graph)


def verify_count(graph: Any) -> np.ndarray:
    from graphveil.recounting import recount

    return recount(graph.edges, graph.n)


def networkit_build(edges: np.ndarray, n: int) -> Any:
    import networkit

    ends = edges[:, 0].astype(np.uint64), edges[:, 1].astype(np.uint64)
    return networkit.GraphFromCoo(ends, n=n, edgesIndexed=True)  # numbered as they are given


def networkit_count(graph: Any) -> np.ndarray:
    import networkit

    score = networkit.sparsification.TriangleEdgeScore(graph)
    score.run()
    return np.asarray(score.scores())


def igraph_build(edges: np.ndarray, n: int) -> Any:
    import igraph

    return igraph.Graph(n=n, edges=edges)


def igraph_count(graph: Any) -> np.ndarray:
    import scipy.sparse

    ends = np.array(graph.get_edgelist())
    corners = np.array(graph.list_triangles()).reshape(-1, 3)
    sides = np.concatenate([corners[:, pair] for pair in ([0, 1], [0, 2], [1, 2])])
    n = graph.vcount()
    shape = (n, n)
    over = scipy.sparse.coo_array(
        (np.ones(len(sides)), (sides.min(axis=1), sides.max(axis=1))), shape
    ).tocsr()
    return np.asarray(over[ends.min(axis=1), ends.max(axis=1)]).ravel()


def networkx_build(edges: np.ndarray, n: int) -> Any:
    import networkx

    return networkx.Graph(edges.tolist())


def networkx_count(graph: Any) -> np.ndarray:
    friends = {vertex: set(graph[vertex]) for vertex in graph}
    return np.array([len(friends[u] & friends[v]) for u, v in graph.edges])


def scipy_build(edges: np.ndarray, n: int) -> Any:
    import scipy.sparse

    both = np.concatenate((edges, edges[:, ::-1]))
    return scipy.sparse.coo_array((np.ones(len(both), np.int32), (both[:, 0], both[:, 1])), (n, n)).tocsr()


def scipy_count(matrix: Any) -> np.ndarray:
    import scipy.sparse

    rows = 5_000  # at a time: the whole product would not fit into memory
    parts = []
    for start in range(0, matrix.shape[0], rows):
        some = matrix[start : start + rows]
        parts.append(scipy.sparse.triu((some @ matrix).multiply(some), k=start + 1).data)
    return np.concatenate(parts)


def graphblas_build(edges: np.ndarray, n: int) -> Any:
    import graphblas

    both = np.concatenate((edges, edges[:, ::-1]))
    return graphblas.Matrix.from_coo(both[:, 0], both[:, 1], 1, nrows=n, ncols=n, dtype="INT32")


def graphblas_count(matrix: Any) -> np.ndarray:
    from graphblas import semiring

    upper = matrix.select("triu").new()
    counts = semiring.plus_pair(matrix @ matrix).new(mask=upper.S)
    return counts.to_coo()[2]


def duckdb_build(edges: np.ndarray, n: int) -> Any:
    import duckdb

    u, v = np.ascontiguousarray(edges.min(axis=1)), np.ascontiguousarray(edges.max(axis=1))
    connection = duckdb.connect()
    connection.register("given", {"u": u, "v": v})
    connection.execute("CREATE TABLE edge AS SELECT u, v FROM given")
    connection.execute(
        "CREATE TABLE friend AS SELECT u AS a, v AS b FROM edge UNION ALL SELECT v, u FROM edge"
    )
    return connection


def duckdb_count(connection: Any) -> np.ndarray:
    query = """
        SELECT count(*) AS counts FROM edge
        JOIN friend AS x ON x.a = edge.u JOIN friend AS y ON y.a = edge.v AND y.b = x.b
        GROUP BY edge.u, edge.v
    """
    return connection.execute(query).fetchnumpy()["counts"]


LIBRARIES: dict[str, tuple[str, Callable[..., Any], Callable[..., np.ndarray]]] = {
    "graphveil": ("numba", graphveil_build, graphveil_count),
    "networkit": ("networkit", networkit_build, networkit_count),
    "graphblas": ("graphblas", graphblas_build, graphblas_count),
    "graphveil.verification": ("numpy", graphveil_build, verify_count),
    "duckdb": ("duckdb", duckdb_build, duckdb_count),
    "scipy": ("scipy", scipy_build, scipy_count),
    "igraph": ("igraph", igraph_build, igraph_count),
    "networkx": ("networkx", networkx_build, networkx_count),
}
FAST = ("graphveil", "networkit", "graphblas")

# ---------------------------------------------------------------------- measuring


def measure(library: str, path: str) -> dict[str, Any]:
    """Times, peak memory and what was found, of one library on one graph; runs in its own process."""
    _, build, count = LIBRARIES[library]
    edges = np.load(path)
    n = int(edges.max()) + 1
    count(build(np.random.default_rng(4).integers(0, 20_000, (120_000, 2), edges.dtype), 20_000))
    building = []

    def both() -> np.ndarray:
        graph, spent = timed(lambda: build(edges, n), repeats=1)
        building.append(spent.seconds)
        return count(graph)

    counts, times = timed(both, keep=False, enough=ENOUGH)
    return {
        "build": building,
        "both": times.clock,
        "processor": times.processor,
        "peak": peak_memory(),
        "found": fingerprint(counts),
    }


def fingerprint(counts: np.ndarray) -> str:
    """Of how many edges have 1, 2, 3 … mutual friends: some libraries leave out the zeros, all have their own order."""
    return hashlib.sha256(np.bincount(np.asarray(counts, np.int64))[1:].tobytes()).hexdigest()


def found_by(library: str, path: Path, limit: float) -> dict[str, Any] | str:
    """What `measure` finds, or why there is nothing."""
    if importlib.util.find_spec(LIBRARIES[library][0]) is None:
        return "not installed"
    return apart("counting.py", library, path, limit=limit)


def agree(found: Iterable[dict[str, Any] | str]) -> str:
    return "yes" if len({each["found"] for each in found if not isinstance(each, str)}) == 1 else "NO"


def seconds(found: dict[str, Any]) -> float:
    return float(np.median(found["both"]))


def compare_orders(families: list[str], edges: int, limit: float) -> None:
    """A row for each family and order: the parts of graphveil, and the peers that keep up."""
    print(
        f"Building and counting, {edges:,} edges (real: its own): seconds, and those of others as times graphveil's"
    )
    parts = "build", "count", "both", "processor", "peak MB"
    header("family", "order", "vertices", "edges", *parts, *FAST[1:], "nearest", "agrees")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.npy"
        for family, order in product(families, ORDERS):
            save(family, edges, order, path, distinct=True)
            pairs = np.load(path, mmap_mode="r")
            found = [found_by(library, path, limit) for library in FAST]
            ours, *others = found
            if isinstance(ours, str):
                row(family, order, ours, *[""] * (len(parts) + len(FAST) + 2))
                continue
            counting = np.subtract(ours["both"], ours["build"])
            peers = [each for each in others if not isinstance(each, str)]
            row(
                *(family, order, f"{pairs.max() + 1:,}", f"{len(pairs):,}"),
                *(rounded(np.median(ours["build"])), rounded(np.median(counting)), spread(ours["both"])),
                *(rounded(np.median(ours["processor"])), f"{ours['peak']:,.0f}"),
                *(each if isinstance(each, str) else ratio(seconds(each), seconds(ours)) for each in others),
                ratio(min(map(seconds, peers)), seconds(ours)) if peers else "",
                agree(found),
            )


def compare_libraries(families: list[str], edges: int, limit: float) -> None:
    """A row for each library, a column for each family."""
    print(f"\nAll libraries, {edges:,} edges in random order: seconds, and times graphveil's")
    cells: dict[str, list[str]] = {library: [] for library in LIBRARIES}
    agreed = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.npy"
        for family in families:
            save(family, edges, "shuffled", path, distinct=True)
            found = {library: found_by(library, path, limit) for library in LIBRARIES}
            agreed.append(agree(found.values()))
            ours = found["graphveil"]
            for library, each in found.items():
                if isinstance(each, str) or isinstance(ours, str):
                    cells[library].append(str(each) if isinstance(each, str) else rounded(seconds(each)))
                else:
                    times = ratio(seconds(each), seconds(ours))
                    cells[library].append(f"{rounded(seconds(each))} ({times})")
    header("library", *families)
    for library in LIBRARIES:
        row(library, *cells[library])
    row("agree", *agreed)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--what", nargs="+", choices=["orders", "libraries"], default=["orders", "libraries"])
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--edges", type=int, default=EDGES, help="of the comparison of orders")
    parser.add_argument("--few", type=int, default=FEW, help="edges of the comparison of all libraries")
    parser.add_argument(
        "--limit", type=float, default=30, help="seconds that a library may take on one graph"
    )
    options = parser.parse_args()
    if "orders" in options.what:
        compare_orders(options.families, options.edges, options.limit)
    if "libraries" in options.what:
        families = [name for name in options.families if name != "real"]  # which has a size of its own
        compare_libraries(families, options.few, options.limit)


if __name__ == "__main__":
    answer_for_apart(measure) or main()
