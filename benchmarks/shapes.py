"""Graphs that are not like a town, and graphs as large as a machine takes.

    python benchmarks/shapes.py odd       # a hub, a clique, two sides without a triangle: seconds beside a town's
    python benchmarks/shapes.py large     # audit and verify as commands on files of 10⁶ and 10⁷ edges

`odd`: counting costs a step for every edge and for every pair of edges that leave a vertex towards higher degrees,
of which a clique has the most; `ns a step` says whether a shape costs more than its steps, or less, as where a tightly
knit part is counted by rows of bits. Each graph has a process of its own; plan, the slowest, runs once. `large` runs
the commands as a user would, reading included, with their kernels compiled; for `anonymize` see anonymizing.py.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from common import answer_for_apart, apart, header, peak_memory, rounded, row, spread, timed, uncounted

K = 25

# ---------------------------------------------------------------------- odd shapes


def town(edges: int) -> np.ndarray:
    from graphveil import generate

    return generate(edges=edges, seed=4).edges


def hub() -> np.ndarray:
    """A town in which somebody knows 100,000 others."""
    edges = town(900_000) + 1
    others = np.arange(1, 100_001)
    return np.concatenate((edges, np.column_stack((np.zeros_like(others), others))))


def clique() -> np.ndarray:
    return np.column_stack(np.triu_indices(3_000, 1))


def clique_in_town() -> np.ndarray:
    """3,000 people of a town know each other besides."""
    return np.concatenate((town(1_000_000), clique()))


def two_sides() -> np.ndarray:
    """A million random pairs between two sides of 100,000: no triangle, every count is 0."""
    ends = np.random.default_rng(4).integers(0, 100_000, (1_000_000, 2))
    ends[:, 1] += 100_000
    return ends


SHAPES: dict[str, Callable[[], np.ndarray]] = {
    "town of 10⁶": lambda: town(1_000_000),
    "hub of degree 10⁵": hub,
    "two sides, no triangle": two_sides,
    "clique of 3,000": clique,
    "the clique in the town": clique_in_town,
    "town of 4.5·10⁶": lambda: town(4_500_000),
}
STEPS: dict[str, Callable[[Any], Any]] = {
    "counting": lambda graph: _graphveil().mutual_friends(graph),
    "audit": lambda graph: _graphveil().audit(graph, k=[5, K]),
    "verify": lambda graph: _graphveil().verify(graph, k=K),
    "add-greedy": lambda graph: _graphveil().anonymize(graph, K, method="add-greedy", seed=1),
    "add-del": lambda graph: _graphveil().anonymize(graph, K, method="add-del", seed=1),
    "plan": lambda graph: _graphveil().anonymize(graph, K, method="plan", seed=1),
}


def _graphveil() -> Any:
    import graphveil

    return graphveil


def measure_shape(shape: str, *steps: str) -> dict[str, Any]:
    small = _graphveil().generate(edges=5_000, seed=1)
    _graphveil().mutual_friends(_graphveil().generate(edges=200_000, seed=1))
    pairs = SHAPES[shape]()
    graph = _graphveil().Graph.from_arrays(pairs[:, 0], pairs[:, 1])
    del pairs
    seconds = {}
    for name in steps:
        step = STEPS[name]
        step(small)
        repeats = 1 if name == "plan" else 3
        seconds[name] = timed(lambda step=step: step(uncounted(graph)), repeats=repeats, keep=False)[1].clock
    return {"edges": graph.m, "steps": steps_of_counting(graph), "seconds": seconds, "peak": peak_memory()}


def steps_of_counting(graph: Any) -> int:
    """Edges, and pairs of edges that leave a vertex towards the end that comes later by degree."""
    rank = np.empty(graph.n, np.int64)
    rank[np.argsort(graph.degrees, kind="stable")] = np.arange(graph.n)
    ends = np.sort(rank[graph.edges], axis=1)
    leaving = np.bincount(ends[:, 0], minlength=graph.n)
    return graph.m + int(leaving[ends[:, 1]].sum())


def odd(names: list[str], limit: float) -> None:
    print(f"Seconds, k = {K}")
    header("graph", "edges", "steps", "counting", "ns a step", *list(STEPS)[1:], "peak MB")
    for name in names:
        first, *others = STEPS
        found = apart("shapes.py", "shape", name, *[step for step in STEPS if step != "plan"], limit=limit)
        plan = apart("shapes.py", "shape", name, "plan", limit=limit)  # the slowest: it may fail alone
        if isinstance(found, str):
            row(name, found, *[""] * (len(STEPS) + 3))
            continue
        seconds = found["seconds"] | ({} if isinstance(plan, str) else plan["seconds"])
        nanoseconds = np.median(seconds[first]) / found["steps"] * 1e9
        times = [rounded(np.median(seconds[step])) if step in seconds else plan for step in others]
        size = f"{found['edges']:,}", f"{found['steps']:,}"
        row(name, *size, spread(seconds[first]), rounded(nanoseconds), *times, f"{found['peak']:,.0f}")


# ---------------------------------------------------------------------- large files


def measure_command(*arguments: str) -> dict[str, Any]:
    """A command as a user gives it, in this process, which does nothing else."""
    from graphveil.cli import main as graphveil

    with contextlib.redirect_stdout(io.StringIO()):
        code, times = timed(lambda: graphveil(list(arguments)), repeats=1)
    if code not in (0, 1):  # 1: the graph fails the check, which takes as long
        raise SystemExit(f"graphveil {arguments[0]} ended with {code}")
    return {"seconds": times.seconds, "peak": peak_memory()}


def large(sizes: list[int]) -> None:
    print("Whole commands on files: seconds, reading included, compiled before")
    header("edges", "command", "seconds", "peak MB")
    with tempfile.TemporaryDirectory() as name:
        for size in [5_000, *sizes]:  # the first compiles
            path = Path(name) / f"town-{size}.txt"
            apart("shapes.py", "command", "generate", "--edges", size, "--seed", 4, "-o", path)
            for command in (["audit", path], ["verify", path, "-k", 1]):
                found = apart("shapes.py", "command", *command)
                cells = (
                    [found, ""]
                    if isinstance(found, str)
                    else [rounded(found["seconds"]), f"{found['peak']:,.0f}"]
                )
                if size in sizes:
                    row(f"{size:,}", f"`graphveil {command[0]}`", *cells)
            path.unlink()


def measure(what: str, *arguments: str) -> dict[str, Any]:
    return measure_shape(*arguments) if what == "shape" else measure_command(*arguments)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["odd", "large"])
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--limit", type=float, default=400, help="odd: seconds that a graph may take")
    options = parser.parse_args()
    if options.what == "odd":
        odd(options.shapes, options.limit)
    else:
        large(options.sizes)


if __name__ == "__main__":
    answer_for_apart(measure) or main()
