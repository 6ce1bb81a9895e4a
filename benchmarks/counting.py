"""Mutual friends of every edge: graphveil beside other libraries, in one run.

    python benchmarks/counting.py                       # all graphs, all libraries that are installed
    python benchmarks/counting.py --graphs town-4M --only graphveil networkit
    pip install networkit duckdb python-graphblas       # what graphveil itself does not need

Every library works in a process of its own, so that the peak of its memory is its own. It gets the same
m×2 array of edges, builds its graph (`build`) and counts (`count`). The best of three runs is shown, after a
small graph has woken up compilers and threads, together with the processor time of all threads, which
says more on a busy machine. The graphs are made by `graphveil.generate` and by hand, so nothing is downloaded.

`peak MB` is that of the whole process with Python, the library and the edges it was given; `of that work` is what
building and counting added to it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

# ---------------------------------------------------------------------- the graphs


def town(edges: int) -> np.ndarray:
    from graphveil import generate

    return generate(edges=edges, seed=4).edges


def hub() -> np.ndarray:
    """A town of 100,000 in which somebody knows everybody."""
    from graphveil import generate

    edges = generate(edges=400_000, seed=4).edges
    people = np.arange(1, edges.max() + 2)
    return np.concatenate((edges + 1, np.column_stack((np.zeros_like(people), people))))


def clique() -> np.ndarray:
    return np.column_stack(np.triu_indices(3_000, 1))


GRAPHS: dict[str, Callable[[], np.ndarray]] = {
    "town-0.2M": lambda: town(200_000),
    "town-4M": lambda: town(4_000_000),
    "town-10M": lambda: town(10_000_000),
    "hub": hub,
    "clique": clique,
}

# ---------------------------------------------------------------------- the libraries: build a graph, then count


def graphveil_build(edges: np.ndarray, n: int) -> Any:
    from graphveil import Graph

    return Graph.from_arrays(edges[:, 0], edges[:, 1], n=n)


def graphveil_count(graph: Any) -> np.ndarray:
    from graphveil import mutual_friends

    return mutual_friends(graph)


def verify_count(graph: Any) -> np.ndarray:
    from graphveil.verify import recount

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
    rows = 5_000
    parts = [
        (matrix[start : start + rows] @ matrix).multiply(matrix[start : start + rows]).sum(axis=1)
        for start in range(0, matrix.shape[0], rows)
    ]
    return (
        np.concatenate(parts) / 2
    )  # summed by vertex, which spares it the last lookup: enough for the check


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
    "graphveil.verify": ("numpy", graphveil_build, verify_count),
    "networkit": ("networkit", networkit_build, networkit_count),
    "graphblas": ("graphblas", graphblas_build, graphblas_count),
    "duckdb": ("duckdb", duckdb_build, duckdb_count),
    "igraph": ("igraph", igraph_build, igraph_count),
    "networkx": ("networkx", networkx_build, networkx_count),
    "scipy": ("scipy", scipy_build, scipy_count),
}

# ---------------------------------------------------------------------- measuring


def measure(library: str, path: str, repeats: int) -> dict[str, float]:
    """Seconds (best of the repeats) and peak memory of one library on one graph; runs in its own process."""
    _, build, count = LIBRARIES[library]
    edges = np.load(path)
    n = int(edges.max()) + 1
    count(build(np.random.default_rng(4).integers(0, 20_000, (120_000, 2), edges.dtype), 20_000))
    idle = peak_memory()
    runs = []
    for _ in range(repeats):
        started, worked = time.perf_counter(), time.process_time()
        graph = build(edges, n)
        built, built_work = time.perf_counter(), time.process_time()
        counts = count(graph)
        done, done_work = time.perf_counter(), time.process_time()
        runs.append(
            (built - started, done - built, done - started, done_work - built_work, done_work - worked)
        )
        total = int(counts.sum())
        del graph, counts
    best = np.min(runs, axis=0).tolist()
    names = ("build", "count", "both", "count_work", "both_work")
    peak = peak_memory()
    return {**dict(zip(names, best, strict=True)), "peak": peak, "added": peak - idle, "sum": total}


def peak_memory() -> float:
    """Of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def measure_apart(library: str, path: Path, repeats: int, limit: float) -> dict[str, float] | str:
    """The same in a fresh process; a word instead of figures when there are none."""
    if importlib.util.find_spec(LIBRARIES[library][0]) is None:
        return "not installed"
    command = [sys.executable, __file__, "--measure", library, str(path), "--repeats", str(repeats)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return f"more than {limit:.0f} s"
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["killed"])[-1][:60]
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--graphs", nargs="+", choices=GRAPHS, default=list(GRAPHS))
    parser.add_argument("--only", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--limit", type=float, default=120, help="seconds that a library may take on one graph"
    )
    parser.add_argument("--shuffle", action="store_true", help="give the edges in random order and direction")
    parser.add_argument("--make", nargs=2, metavar=("GRAPH", "FILE"), help=argparse.SUPPRESS)
    parser.add_argument("--measure", nargs=2, metavar=("LIBRARY", "FILE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(*options.measure, options.repeats)))
        return
    if options.make:
        make(*options.make, options.shuffle)
        return
    for name in options.graphs:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "edges.npy"
            # In another process too: a process inherits the peak memory of the one that starts it.
            again = ["--shuffle"] if options.shuffle else []
            subprocess.run([sys.executable, __file__, "--make", name, str(path), *again], check=True)
            print(HEADER)
            for library in options.only:
                show(library, measure_apart(library, path, options.repeats, options.limit))


def make(name: str, path: str, shuffle: bool) -> None:
    edges = GRAPHS[name]()
    np.save(path, shuffled(edges) if shuffle else edges)
    print(f"\n{name}: {edges.max() + 1:,} vertices, {len(edges):,} edges", flush=True)


def shuffled(edges: np.ndarray) -> np.ndarray:
    random = np.random.default_rng(4)
    edges = random.permutation(edges)
    turned = random.random(len(edges)) < 0.5
    edges[turned] = edges[turned, ::-1]
    return edges


COLUMNS = {
    "build s": "build",
    "count s": "count",
    "both s": "both",
    "count CPU s": "count_work",
    "both CPU s": "both_work",
    "peak MB": "peak",
    "of that work": "added",
}
HEADER = " " * 18 + "".join(f"{title:>13}" for title in COLUMNS)


def show(library: str, found: dict[str, float] | str) -> None:
    if isinstance(found, str):
        print(f"{library:18}  {found}", flush=True)
        return
    figures = "".join(
        f"{found[name]:13.{0 if name in ('peak', 'added') else 3}f}" for name in COLUMNS.values()
    )
    print(f"{library:18}{figures}   sum {found['sum']:,}", flush=True)


if __name__ == "__main__":
    main()
