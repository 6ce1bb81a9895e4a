"""Reading an edge list: graphveil beside other libraries, in one run.

    python benchmarks/reading.py                          # 4M edges: integers and names, plain and gzip
    python benchmarks/reading.py --edges 30000000 --files integers --only graphveil pandas polars
    python benchmarks/reading.py --formats                # graphveil alone: every format, written and read

Every library works in a process of its own and reads the file from its name. `gives` tells what it returns: `graph`
is a simple graph with vertices numbered 0…n−1, as graphveil reads it; `table` is what stands in the file, no vertex
numbered and no pair merged; `numbers` are numbered vertices, no pair merged. The graph is made by
`graphveil.generate`, so nothing is downloaded. Files: integers close together, integers spread over 62 bits, names.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from common import answer_for_apart, apart, header, peak_memory, ratio, rounded, row, spread, timed

FILES = ("integers", "far-integers", "names")
USUAL = ("integers", "names")

# ---------------------------------------------------------------------- the libraries


def graphveil_read(path: str) -> Any:
    import graphveil

    return graphveil.read(path)


def pandas_read(path: str) -> Any:
    import pandas

    return pandas.read_csv(path, sep=" ", header=None)


def pandas_numbers(path: str) -> Any:
    import pandas

    frame = pandas.read_csv(path, sep=" ", header=None)
    return pandas.factorize(frame.to_numpy().ravel())


def polars_read(path: str) -> Any:
    import polars

    return polars.read_csv(path, separator=" ", has_header=False)


def pyarrow_read(path: str) -> Any:
    import pyarrow.csv

    options = pyarrow.csv.ReadOptions(column_names=["source", "target"])
    return pyarrow.csv.read_csv(path, options, pyarrow.csv.ParseOptions(delimiter=" "))


def igraph_read(path: str) -> Any:
    import igraph

    return igraph.Graph.Read_Ncol(path, directed=False).simplify()


def networkx_read(path: str) -> Any:
    import networkx

    return networkx.read_edgelist(path)


def networkit_read(path: str) -> Any:
    import networkit

    return networkit.graphio.EdgeListReader(" ", 0, "#", False).read(path)


LIBRARIES: dict[str, tuple[Callable[[str], Any], str]] = {
    "graphveil": (graphveil_read, "graph"),
    "pandas": (pandas_read, "table"),
    "pandas+factorize": (pandas_numbers, "numbers"),
    "polars": (polars_read, "table"),
    "pyarrow": (pyarrow_read, "table"),
    "networkit": (networkit_read, "graph"),
    "igraph": (igraph_read, "graph"),
    "networkx": (networkx_read, "graph"),
}
NO_GZIP = ("igraph", "networkit")

# ---------------------------------------------------------------------- measuring


def measure(library: str, path: str, small: str) -> dict[str, Any]:
    """Times and peak memory of one library on one file; runs in its own process."""
    read, _ = LIBRARIES[library]
    read(small)
    _, times = timed(lambda: read(path), keep=False)
    return {"seconds": times.clock, "processor": times.processor, "peak": peak_memory()}


def make_files(folder: Path, edges: int, wanted: list[str]) -> list[Path]:
    """The graph in each of the wanted ways, plain and compressed."""
    from graphveil import Graph, generate, write

    graph = generate(edges=edges, seed=4)
    random = np.random.default_rng(4)
    labels: dict[str, Any] = {
        "integers": None,
        "far-integers": random.choice(2**62, graph.n, replace=False) if "far-integers" in wanted else None,
        "names": [f"person.{number:x}" for number in range(graph.n)] if "names" in wanted else None,
    }
    paths = []
    for name in wanted:
        named = graph.with_labels(labels[name])
        for path in (folder / f"{name}.txt", folder / f"{name}.txt.gz"):
            write(named, path)
            paths.append(path)
        small = Graph.from_edges(named.labels[graph.edges[:1000]].tolist())
        write(small, folder / f"small-{name}.txt")
        write(small, folder / f"small-{name}.txt.gz")
    return paths


def compare(edges: int, files: list[str], libraries: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in make_files(folder, edges, files):
            print(f"\n{path.name}: {edges:,} edges, {path.stat().st_size / 1e6:,.0f} MB; seconds")
            header("library", "seconds", "times graphveil", "processor", "peak MB", "gives")
            ours = None
            for library in libraries:
                found = why_not(library, path) or apart(
                    "reading.py", library, path, folder / f"small-{path.name}"
                )
                if isinstance(found, str):
                    row(library, found, "", "", "", "")
                    continue
                ours = ours or found
                row(
                    library,
                    spread(found["seconds"]),
                    ratio(np.median(found["seconds"]), np.median(ours["seconds"])),
                    rounded(np.median(found["processor"])),
                    f"{found['peak']:,.0f}",
                    LIBRARIES[library][1],
                )


def why_not(library: str, path: Path) -> str | None:
    """Why a library is left out."""
    if importlib.util.find_spec(library.split("+")[0]) is None:
        return "not installed"
    return "reads no gzip" if path.suffix == ".gz" and library in NO_GZIP else None


def all_formats(edges: int) -> None:
    """Write and read every format."""
    import graphveil

    graph = graphveil.generate(edges=edges, seed=4)
    small = graphveil.generate(edges=1000, seed=4)
    endings = [
        "txt",
        "csv",
        "tsv",
        "txt.gz",
        "txt.bz2",
        "txt.xz",
        "txt.zst",
        "parquet",
        "graphml",
        "gml",
        "net",
        "mtx",
    ]
    print(f"{edges:,} edges; seconds")
    header("format", "write", "read", "MB")
    with tempfile.TemporaryDirectory() as folder:
        for ending in endings:
            path = Path(folder, f"graph.{ending}")
            graphveil.write(small, path)
            graphveil.read(path)
            times = [time.perf_counter()]
            graphveil.write(graph, path)
            times.append(time.perf_counter())
            assert graphveil.read(path) == graph
            times.append(time.perf_counter())
            write, read = np.diff(times)
            row(ending, rounded(write), rounded(read), f"{path.stat().st_size / 1e6:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edges", type=int, default=4_000_000)
    parser.add_argument("--files", nargs="+", choices=FILES, default=list(USUAL))
    parser.add_argument("--only", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument("--formats", action="store_true", help="graphveil alone, every format")
    given = parser.parse_args()
    if given.formats:
        all_formats(given.edges)
    else:
        compare(given.edges, given.files, given.only)


if __name__ == "__main__":
    answer_for_apart(measure) or main()
