"""Reading an edge list: graphveil beside other libraries, on four families of graphs, in one run.

    python benchmarks/reading.py                    # 4M edges in both orders: integers and names, beside numbering
    python benchmarks/reading.py --what libraries   # all libraries on 400,000 edges, plain and gzip
    python benchmarks/reading.py --what formats     # graphveil alone: every format, written and read

Every library works in a process of its own and reads the file from its name. `gives` tells what it returns: `graph`
is a simple graph with vertices numbered 0…n−1, as graphveil reads it; `table` is what stands in the file, no vertex
numbered and no pair merged; `numbers` are numbered vertices, no pair merged. The rivals of graphveil are those that
number. `polars+numbers` casts names to categories and ranks integers: its fastest ways, before joins and enumerations.
`pandas+factorize` reads by Arrow, names as Arrow's strings. The families and their orders are those of families.py.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import shutil
import tempfile
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from common import answer_for_apart, apart, header, peak_memory, ratio, rounded, row, spread, timed
from families import FAMILIES, ORDERS, save

WHAT = ["orders", "libraries", "formats"]
FILES = ("integers", "far-integers", "names")
USUAL = ("integers", "names")
EDGES = 4_000_000
FEW = 400_000  # for the slow libraries

# ---------------------------------------------------------------------- the libraries


def graphveil_read(path: str) -> Any:
    import graphveil

    return graphveil.read(path)


def pandas_read(path: str) -> Any:
    import pandas

    return pandas.read_csv(path, sep=" ", header=None)


def pandas_numbers(path: str) -> Any:
    import pandas

    frame = pandas.read_csv(path, sep=" ", header=None, engine="pyarrow", dtype_backend="pyarrow")
    if pandas.api.types.is_integer_dtype(frame.dtypes[0]):
        return pandas.factorize(np.concatenate((frame[0].to_numpy(), frame[1].to_numpy())))
    return pandas.factorize(pandas.concat((frame[0], frame[1])))


def polars_read(path: str) -> Any:
    import polars

    return polars.read_csv(path, separator=" ", has_header=False)


def polars_numbers(path: str) -> Any:
    import polars

    frame = polars.read_csv(path, separator=" ", has_header=False)
    if frame.dtypes[0] == polars.String:
        numbered = frame.with_columns(polars.all().cast(polars.Categorical))
        return [numbered.to_series(side).to_physical().to_numpy() for side in (0, 1)]
    both = polars.concat((frame.to_series(0), frame.to_series(1)))
    return both.rank("dense").to_numpy()


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
    "polars+numbers": (polars_numbers, "numbers"),
    "pyarrow": (pyarrow_read, "table"),
    "networkit": (networkit_read, "graph"),
    "igraph": (igraph_read, "graph"),
    "networkx": (networkx_read, "graph"),
}
NO_GZIP = ("igraph", "networkit")
RIVALS = ("polars+numbers", "pandas+factorize")

# ---------------------------------------------------------------------- measuring


def measure(library: str, path: str, small: str) -> dict[str, Any]:
    """Times and peak memory of one library on one file; runs in its own process."""
    read, _ = LIBRARIES[library]
    read(small)
    _, times = timed(lambda: read(path), repeats=3, keep=False)
    return {"seconds": times.clock, "processor": times.processor, "peak": peak_memory()}


def labels_of(kind: str, n: int) -> list[str]:
    if kind == "names":
        return [f"person.{number:x}" for number in range(n)]
    if kind == "far-integers":
        return list(map(str, np.random.default_rng(4).choice(2**62, n, replace=False).tolist()))
    return list(map(str, range(n)))


def write_pairs(pairs: np.ndarray, kind: str, path: Path) -> None:
    """The pairs in their order, one in a line; `graphveil.write` would sort them."""
    labels = labels_of(kind, int(pairs.max()) + 1)
    with path.open("w") as file:
        for part in np.array_split(pairs, len(pairs) // 100_000 + 1):
            file.writelines(f"{labels[u]} {labels[v]}\n" for u, v in part.tolist())


def make_file(folder: Path, kind: str, family: str, edges: int, order: str) -> Path:
    """A file of one graph; beside it a small one, to wake up with."""
    array, path = folder / "edges.npy", folder / f"{kind}.txt"
    save(family, edges, order, array)
    pairs = np.load(array, mmap_mode="r")
    write_pairs(pairs, kind, path)
    write_pairs(pairs[:1000] % 100, kind, small_of(path))
    return path


def small_of(path: Path) -> Path:
    return path.with_name(f"small-{path.name}")


def found_by(library: str, path: Path) -> dict[str, Any] | str:
    """What `measure` finds, or why there is nothing."""
    return why_not(library, path) or apart("reading.py", library, path, small_of(path))


def seconds(found: dict[str, Any]) -> float:
    return float(np.median(found["seconds"]))


def compare_orders(kinds: list[str], families: list[str], edges: int) -> None:
    """A row for each family and order: graphveil beside the libraries that number the vertices too."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            print(f"\nReading {kind}, {edges:,} edges (real: its own): seconds")
            header(
                "family",
                "order",
                "MB",
                "graphveil",
                "processor",
                "peak MB",
                *RIVALS,
                "the better",
                "polars, table",
            )
            for family, order in product(families, ORDERS):
                path = make_file(Path(folder), kind, family, edges, order)
                ours, *rivals, table = (found_by(each, path) for each in ("graphveil", *RIVALS, "polars"))
                if isinstance(ours, str):
                    row(family, order, "", ours, *[""] * (len(RIVALS) + 4))
                    continue
                better = [seconds(each) for each in rivals if not isinstance(each, str)]
                row(
                    *(family, order, f"{path.stat().st_size / 1e6:,.0f}"),
                    *(spread(ours["seconds"]), rounded(np.median(ours["processor"])), f"{ours['peak']:,.0f}"),
                    *(each if isinstance(each, str) else rounded(seconds(each)) for each in rivals),
                    ratio(min(better), seconds(ours)) if better else "",
                    table if isinstance(table, str) else rounded(seconds(table)),
                )


def compare_libraries(kinds: list[str], edges: int) -> None:
    """All libraries on a town in random order, plain and compressed."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            plain = make_file(Path(folder), kind, "town", edges, "shuffled")
            for path in (plain, compressed(plain)):
                print(f"\n{path.name}: {edges:,} edges, {path.stat().st_size / 1e6:,.0f} MB; seconds")
                header("library", "seconds", "times graphveil", "processor", "peak MB", "gives")
                ours = None
                for library, (_, gives) in LIBRARIES.items():
                    found = found_by(library, path)
                    if isinstance(found, str):
                        row(library, found, "", "", "", "")
                        continue
                    ours = ours or found
                    times = ratio(seconds(found), seconds(ours))
                    processor = rounded(np.median(found["processor"]))
                    row(library, spread(found["seconds"]), times, processor, f"{found['peak']:,.0f}", gives)


def compressed(path: Path) -> Path:
    """The same file by gzip, and its small one."""
    for each in (small_of(path), path):
        packed = each.with_name(f"{each.name}.gz")
        with each.open("rb") as source, gzip.open(packed, "wb", compresslevel=6) as target:
            shutil.copyfileobj(source, target)
    return packed


def why_not(library: str, path: Path) -> str | None:
    """Why a library is left out."""
    if importlib.util.find_spec(library.split("+")[0]) is None:
        return "not installed"
    if library == "networkit" and path.name.startswith("names"):
        return "reads no names"
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
    parser.add_argument(
        "--what", nargs="+", choices=["orders", "libraries", "formats"], default=["orders", "libraries"]
    )
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--files", nargs="+", choices=FILES, default=list(USUAL))
    parser.add_argument(
        "--edges", type=int, default=EDGES, help="of the comparison of orders, and of formats"
    )
    parser.add_argument("--few", type=int, default=FEW, help="edges of the comparison of all libraries")
    given = parser.parse_args()
    if "orders" in given.what:
        compare_orders(given.files, given.families, given.edges)
    if "libraries" in given.what:
        compare_libraries(given.files, given.few)
    if "formats" in given.what:
        all_formats(given.edges)


if __name__ == "__main__":
    answer_for_apart(measure) or main()
