"""Reading an edge list: graphveil beside other libraries, in one run.

    python benchmarks/reading.py                          # 4M edges; all files, all libraries that are installed
    python benchmarks/reading.py --edges 30000000 --files integers --only graphveil pandas
    python benchmarks/reading.py --formats                # graphveil alone: every format, written and read

Every library works in a process of its own, so that the peak of its memory is its own, and reads the file from its
name. What is asked for is told in the last column: `numbers` are vertices numbered 0…n−1 in a simple graph, as
graphveil reads it; `plain` is the table as it stands in the file, no vertex numbered and no pair merged. The best of
three runs is shown, after a small file has woken up compilers and threads, with the processor time of all threads,
which says more on a busy machine. The graph is made by `graphveil.generate`, so nothing is downloaded.

Files: integers close together, integers spread over 63 bits, names; each once as it is and once compressed by gzip.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

FILES = ("integers", "far-integers", "names")

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
    "graphveil": (graphveil_read, "numbers"),
    "pandas": (pandas_read, "plain"),
    "pandas+factorize": (pandas_numbers, "numbers"),
    "polars": (polars_read, "plain"),
    "pyarrow": (pyarrow_read, "plain"),
    "networkit": (networkit_read, "numbers"),
    "igraph": (igraph_read, "numbers"),
    "networkx": (networkx_read, "numbers"),
}
NO_GZIP = ("igraph", "networkit")
SLOW = ("igraph", "networkx", "networkit")  # one run is enough

# ---------------------------------------------------------------------- measuring


def peak_memory() -> float:
    """In MB; `getrusage` would also count the process that started this one."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


def measure(library: str, path: str, small: str) -> dict[str, float]:
    """Seconds (best of three) and peak memory of one library on one file; runs in its own process."""
    read, _ = LIBRARIES[library]
    read(small)
    wall, processor = [], []
    for _ in range(1 if library in SLOW else 3):
        before = time.perf_counter(), time.process_time()
        result = read(path)
        wall.append(time.perf_counter() - before[0])
        processor.append(time.process_time() - before[1])
        del result
    return {"seconds": min(wall), "processor": min(processor), "peak": peak_memory()}


def in_own_process(*arguments: str) -> dict[str, float] | str:
    command = [sys.executable, __file__, "--measure", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        return run.stderr.strip().splitlines()[-1][:60] if run.stderr.strip() else "ended by the system"
    result: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return result


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
            print(f"\n{path.name}: {edges:,} edges, {path.stat().st_size / 1e6:,.0f} MB")
            print(f"{'':18}{'seconds':>9}{'CPU':>9}{'peak MB':>9}")
            for library in libraries:
                module = library.split("+")[0]
                if not importlib.util.find_spec(module) or (path.suffix == ".gz" and library in NO_GZIP):
                    continue
                found = in_own_process(library, str(path), str(folder / f"small-{path.name}"))
                if isinstance(found, str):
                    print(f"{library:18}{found}")
                else:
                    figures = f"{found['seconds']:9.2f}{found['processor']:9.2f}{found['peak']:9.0f}"
                    print(f"{library:18}{figures}  {LIBRARIES[library][1]}", flush=True)


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
    print(f"{edges:,} edges{'write':>12}{'read':>9}{'MB':>9}   (seconds)")
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
            print(f"{ending:16}{write:9.2f}{read:9.2f}{path.stat().st_size / 1e6:9.1f}", flush=True)


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        print(json.dumps(measure(*sys.argv[2:])))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edges", type=int, default=4_000_000)
    parser.add_argument("--files", nargs="+", choices=FILES, default=list(FILES))
    parser.add_argument("--only", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument("--formats", action="store_true", help="graphveil alone, every format")
    given = parser.parse_args()
    if given.formats:
        all_formats(given.edges)
    else:
        compare(given.edges, given.files, given.only)


if __name__ == "__main__":
    main()
