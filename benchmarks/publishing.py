"""Writing and verifying a published folder, beside the anonymization it follows.

    python benchmarks/publishing.py                     # a generated town of a million friendships
    python benchmarks/publishing.py com-dblp.txt.gz     # any file that graphveil reads
    python benchmarks/publishing.py --format parquet --rounds 5

Anonymization and publication take turns, so that a busy machine slows both, and the best of each is shown together with
the processor time of all threads. The publication counts mutual friends, degrees and three more adversaries afresh,
on two cores where there are two.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import graphveil


def timed(work: Callable[[], Any]) -> tuple[float, float, Any]:
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - wall, time.process_time() - processor, result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", help="a graph; by default a generated one")
    parser.add_argument("-k", type=int, default=25)
    parser.add_argument("--format", default="edgelist")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    graph = graphveil.read(options.file) if options.file else graphveil.generate(edges=1_000_000, seed=4)
    times: dict[str, list[tuple[float, float]]] = {"anonymize": [], "publish": []}
    for _ in range(options.rounds + 1):  # the first round compiles
        with tempfile.TemporaryDirectory() as folder:
            *spent, result = timed(lambda: graphveil.anonymize(graph, options.k, seed=7))
            times["anonymize"].append(tuple(spent))
            out = Path(folder, "out")
            *spent, _ = timed(
                lambda out=out, result=result: graphveil.publish(result, out, format=options.format)
            )
            times["publish"].append(tuple(spent))
    print(f"{graph.n:,} people, {graph.m:,} friendships, k = {options.k}, {options.format}")
    best = {
        name: (min(w for w, _ in spent[1:]), min(p for _, p in spent[1:])) for name, spent in times.items()
    }
    for name, (wall, processor) in best.items():
        print(f"{name:10} {wall:7.2f} s   processor {processor:7.2f} s")
    ratios = [best["publish"][i] / best["anonymize"][i] for i in (0, 1)]
    print(f"publish / anonymize: {ratios[0]:.2f} on the clock, {ratios[1]:.2f} of the processor")


if __name__ == "__main__":
    main()
