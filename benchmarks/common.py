"""What all benchmarks share: graphs, measuring, processes of their own, and tables.

Times are those of the clock, as the median of repeated runs with the fastest and the slowest in brackets, after a small
case has compiled and woken up what there is (`warm`; what the first run costs is measured by startup.py). Slow work is
repeated less often, see `timed`. Peak memory is that of a whole process with Python, libraries and input.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))  # for the oracle, and for the folder of the real graphs

REPEATS = 5
ENOUGH = 8.0  # seconds after which work is not repeated again
REAL_EDGES = {
    "ca-GrQc": 14_484,
    "ca-HepTh": 25_973,
    "cora-coauthor-apex": 25_006,
    "ego-facebook": 88_234,
    "email-Enron": 183_831,
    "loc-brightkite": 214_078,
    "com-dblp": 1_049_866,
}

# ---------------------------------------------------------------------- graphs


def real_graph(name: str) -> Any:
    """A real graph, found through GRAPHVEIL_DATA or in ../shared/data; a generated one of its size elsewhere."""
    import graphveil
    from real_graphs import data_folder

    folder = data_folder()
    if folder is None:
        print(f"({name} is not on this machine: a generated graph of its size takes its place.)\n")
        return graphveil.generate(edges=REAL_EDGES[name], seed=4)
    return graphveil.read(folder / f"{name}.txt.gz")


def save_town(edges: int, path: Path) -> None:
    """Write the pairs of a generated graph, by another process: its memory must not stay in this one."""
    code = "import sys, numpy, graphveil; e, p = sys.argv[1:]; "
    code += "numpy.save(p, graphveil.generate(edges=int(e), seed=4).edges)"
    subprocess.run([sys.executable, "-c", code, str(edges), str(path)], check=True)


def load_graph(path: str) -> Any:
    """A graph whose pairs were saved as an array."""
    import graphveil

    edges = np.load(path)
    return graphveil.Graph.from_arrays(edges[:, 0], edges[:, 1], n=int(edges.max()) + 1)


def uncounted(graph: Any) -> Any:
    """The same graph anew: a graph keeps its mutual friends once they are counted."""
    import graphveil

    return graphveil.Graph(graph.edges, graph.n)


# ---------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Times:
    """Seconds of repeated runs: by the clock, and of the processor, all threads together."""

    clock: list[float]
    processor: list[float]

    @property
    def seconds(self) -> float:
        """The median by the clock."""
        return median(self.clock)

    def __str__(self) -> str:
        return spread(self.clock)


def timed(
    work: Callable[[], Any], *, repeats: int = REPEATS, enough: float = ENOUGH, keep: bool = True
) -> tuple[Any, Times]:
    """The last result and the times of up to so many runs, but none begins after ``enough`` seconds.

    Without ``keep`` each result is forgotten before the next run, which a measurement of memory needs.
    """
    clock: list[float] = []
    processor: list[float] = []
    result = None
    while not clock or (len(clock) < repeats and sum(clock) < enough):
        if not keep:
            result = None
        before = time.perf_counter(), time.process_time()
        result = work()
        clock.append(time.perf_counter() - before[0])
        processor.append(time.process_time() - before[1])
    return result, Times(clock, processor)


def peak_memory() -> float:
    """Of this process so far, in MB.

    Linux: the high-water mark of the memory map, which begins anew with the program; `getrusage` would begin
    with that of the process that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(fields["VmHWM"].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def memory_of_machine() -> float:
    """In MB."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**20


def apart(script: str, *arguments: object, limit: float = 600) -> dict[str, Any] | str:
    """What ``measure(*arguments)`` of a script returns in a process of its own; a word where it returns nothing."""
    command = [sys.executable, str(HERE / script), "--measure", *map(str, arguments)]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return f"stopped after {limit:.0f} s"
    if run.returncode:
        return (run.stderr.strip().splitlines() or ["ended by the system"])[-1][:80]
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found


def answer_for_apart(measure: Callable[..., dict[str, Any]]) -> bool:
    """The other end of `apart`: whether this process was started by it, and has answered."""
    if sys.argv[1:2] != ["--measure"]:
        return False
    print(json.dumps(measure(*sys.argv[2:])))
    return True


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The power of the size with which the seconds grow: slope of the straight line through their logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


# ---------------------------------------------------------------------- tables


def rounded(value: float) -> str:
    """Three digits, at least; no more than three decimals."""
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2 if value >= 1 else 3}f}"


def spread(values: Sequence[float]) -> str:
    """Median, lowest and highest; alone where there is one."""
    if len(values) == 1:
        return f"{rounded(values[0])} (once)"
    return f"{rounded(median(values))} ({rounded(min(values))}–{rounded(max(values))})"


def ratio(other: float, ours: float) -> str:
    """How many times ours the other is."""
    return f"{rounded(other / ours)}×"


def header(*titles: str) -> None:
    """Begin a table."""
    print("\n| " + " | ".join(titles) + " |\n|" + "---|" * len(titles), flush=True)


def row(*cells: object) -> None:
    """Another row of it."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
