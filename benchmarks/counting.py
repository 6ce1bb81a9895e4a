"""Mutual friends of every edge: graphveil beside other libraries, in one run.

    python benchmarks/counting.py                       # 0.2, 4 and 30 million edges, all libraries that are installed
    python benchmarks/counting.py --graphs town-4M --only graphveil networkit

Every library works in a process of its own, gets the same m×2 array of edges, builds its graph (`build`) and counts
(`count`). `processor` are the processor seconds of both. The graphs are made by `graphveil.generate`, so nothing is
downloaded. `agrees` says whether how many edges have 1, 2, 3 … mutual friends is what graphveil found.

A library is left out of a graph, and the table says so, when its time on the graph before, times the growth in edges,
is over the limit, or its memory over that of the machine. `graphveil.verify` is the second, independent count that
`graphveil verify` trusts.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from common import (
    answer_for_apart,
    apart,
    header,
    memory_of_machine,
    peak_memory,
    ratio,
    rounded,
    row,
    save_town,
    spread,
    timed,
)

GRAPHS = {"town-0.2M": 200_000, "town-4M": 4_000_000, "town-30M": 30_000_000}

# ---------------------------------------------------------------------- the libraries: build a graph, then count


def graphveil_build(edges: np.ndarray, n: int) -> Any:
    from graphveil import Graph

    return Graph.from_arrays(edges[:, 0], edges[:, 1], n=n)


def graphveil_count(graph: Any) -> np.ndarray:
    from graphveil import mutual_friends

    return mutual_friends(graph)


def verify_count(graph: Any) -> np.ndarray:
    from graphveil.verification import recount

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
    "graphveil.verification": ("numpy", graphveil_build, verify_count),
    "networkit": ("networkit", networkit_build, networkit_count),
    "graphblas": ("graphblas", graphblas_build, graphblas_count),
    "duckdb": ("duckdb", duckdb_build, duckdb_count),
    "igraph": ("igraph", igraph_build, igraph_count),
    "networkx": ("networkx", networkx_build, networkx_count),
    "scipy": ("scipy", scipy_build, scipy_count),
}

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

    counts, times = timed(both, keep=False)
    return {
        "build": building,
        "both": times.clock,
        "processor": times.processor,
        "peak": peak_memory(),
        "found": fingerprint(counts),
        "edges": len(edges),
    }


def fingerprint(counts: np.ndarray) -> str:
    """Of how many edges have 1, 2, 3 … mutual friends: some libraries leave out the zeros, all have their own order."""
    return hashlib.sha256(np.bincount(np.asarray(counts, np.int64))[1:].tobytes()).hexdigest()


def compare(name: str, libraries: list[str], limit: float, before: dict[str, dict[str, Any]]) -> None:
    """One table; ``before`` holds what was measured on a smaller graph, and then what is on this one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.npy"
        save_town(GRAPHS[name], path)
        edges = np.load(path, mmap_mode="r")
        print(f"\n{name}: {edges.max() + 1:,} vertices, {len(edges):,} edges; seconds")
        header("library", "build", "count", "both", "times graphveil", "processor", "peak MB", "agrees")
        ours = None
        for library in libraries:
            found = why_not(library, len(edges), limit, before) or apart(
                "counting.py", library, path, limit=limit
            )
            if isinstance(found, str):
                row(library, found, *[""] * 6)
                before.pop(library, None)
                continue
            before[library] = found
            ours = ours or found
            show(library, found, ours)


def why_not(library: str, edges: int, limit: float, before: dict[str, dict[str, Any]]) -> str | None:
    """Why a library is left out."""
    if importlib.util.find_spec(LIBRARIES[library][0]) is None:
        return "not installed"
    if library not in before:
        return None
    growth = edges / before[library]["edges"]
    seconds, memory = np.median(before[library]["both"]) * growth, before[library]["peak"] * growth
    if seconds > limit or memory > memory_of_machine():
        return f"left out: at least {seconds:.0f} s and {memory / 1024:.0f} GB from its row above"
    return None


def show(library: str, found: dict[str, Any], ours: dict[str, Any]) -> None:
    counting = np.subtract(found["both"], found["build"])
    row(
        library,
        rounded(np.median(found["build"])),
        rounded(np.median(counting)),
        spread(found["both"]),
        ratio(np.median(found["both"]), np.median(ours["both"])),
        rounded(np.median(found["processor"])),
        f"{found['peak']:,.0f}",
        "yes" if found["found"] == ours["found"] else "NO",
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--graphs", nargs="+", choices=GRAPHS, default=list(GRAPHS))
    parser.add_argument("--only", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument(
        "--limit", type=float, default=120, help="seconds that a library may take on one graph"
    )
    options = parser.parse_args()
    before: dict[str, dict[str, Any]] = {}
    for name in options.graphs:
        compare(name, options.only, options.limit, before)


if __name__ == "__main__":
    answer_for_apart(measure) or main()
