"""The kernels beside the same algorithms in C++ (native.cpp), one thread each, and building beside a copy of memory.

Times are those of the processor. Building gets its pairs in random order, under random ids and in random direction, and
once sorted. Its peer in C++ are two counting sorts over the vertices.

    python benchmarks/native.py

Needs g++, which graphveil itself does not; without one it says so and ends. Both get the same pairs; what they find is
compared. `limit` is C++ compiled for this processor with -O3, or the copy of the pairs that NumPy makes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from common import (
    HERE,
    answer_for_apart,
    apart,
    header,
    load_graph,
    ratio,
    real_graph,
    row,
    save_town,
    spread,
    timed,
)
from families import FAMILIES, save

TIMES = 3
BUILDING = 4_000_000  # edges of the shuffled graphs


def measure(what: str, path: str) -> dict[str, Any]:
    """Times of graphveil on one graph, and what it found; runs in its own process, on one thread."""
    from graphveil import Graph, mutual_friends
    from graphveil.measures.distances import distances

    pairs = np.load(path)
    u, v = (np.ascontiguousarray(pairs[:, side]) for side in (0, 1))
    n = int(pairs.max()) + 1
    if what in ("count", "distances"):
        graph = load_graph(path)
    works = {
        "count": lambda: mutual_friends(Graph(graph.edges, n)).sum(dtype=np.int64),
        "distances": lambda: distances(graph).average.value,
        "build": lambda: Graph.from_arrays(u, v, n=n),
        "copy": lambda: np.column_stack((u, v)),
    }
    works[what]()
    found, times = timed(works[what], repeats=TIMES, enough=30)
    return {"seconds": times.processor, "found": number_for(found)}


def number_for(found: Any) -> float:
    """What is compared: of edges a sum that depends on their order."""
    edges = getattr(found, "edges", found)
    if np.ndim(edges) == 0:
        return float(found)
    place = np.arange(len(edges)) % 1000
    return float(place @ edges[:, 0].astype(np.int64) + edges[:, 1].sum(dtype=np.int64))


def run_native(program: Path, what: str, path: Path) -> dict[str, Any]:
    """The same of the C++ program."""
    pairs = np.load(path)
    raw = path.with_suffix(".bin")
    pairs.astype(np.int32).tofile(raw)
    command = [str(program), what, str(raw), str(pairs.max() + 1)]
    runs = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(TIMES)]
    return {"seconds": [run["seconds"] for run in runs], "found": runs[0]["found"]}


def compile_native(folder: Path) -> Path | None:
    compiler = shutil.which("g++")
    if compiler is None:
        return None
    program = folder / "native"
    subprocess.run(
        [compiler, "-std=c++17", "-O3", "-march=native", "-o", program, HERE / "native.cpp"], check=True
    )
    return program


def show(work: str, ours: dict[str, Any], limit: dict[str, Any]) -> None:
    same = abs(ours["found"] - limit["found"]) <= 1e-9 * abs(limit["found"])
    times = spread(ours["seconds"]), spread(limit["seconds"])
    row(work, *times, ratio(median(ours["seconds"]), median(limit["seconds"])), "yes" if same else "NO")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=[200_000, 4_000_000, 30_000_000])
    sizes = parser.parse_args().sizes
    os.environ["NUMBA_NUM_THREADS"] = "1"  # of the processes that measure
    print("Processor seconds on one thread")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = compile_native(folder)
        if program is None:
            print("\nThere is no g++ on this machine: nothing to compare with in C++.")
        header("work", "graphveil", "limit", "of the limit", "agrees")
        path = folder / "edges.npy"
        for size in sizes:
            save_town(size, path)
            if program:
                counts = apart("native.py", "count", path), run_native(program, "count", path)
                show(f"mutual friends, {size:,} edges", *counts)
            arrays = [apart("native.py", what, path) for what in ("build", "copy")]
            show(f"a graph from sorted arrays, {size:,} edges, beside copying them", *arrays)
        if program:
            for family in FAMILIES:
                save(family, BUILDING, "shuffled", path)
                builds = apart("native.py", "build", path), run_native(program, "build", path)
                show(f"a graph from shuffled arrays, {family}", *builds)
        if program:
            np.save(path, real_graph("loc-brightkite").edges)
            lengths = apart("native.py", "distances", path), run_native(program, "distances", path)
            show("average path length of Brightkite", *lengths)


if __name__ == "__main__":
    answer_for_apart(measure) or main()
