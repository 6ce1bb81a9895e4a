"""Writing and verifying a published folder, beside the anonymization it follows.

    python benchmarks/publishing.py                     # a generated town of a million friendships
    python benchmarks/publishing.py com-dblp.txt.gz     # any file that graphveil reads
    python benchmarks/publishing.py --format parquet --rounds 5

Anonymization and publication take turns, so that a busy machine slows both. The publication counts mutual friends,
degrees and three more adversaries afresh, on two cores where there are two.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import graphveil
from common import Times, header, ratio, row, timed


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
    spent: dict[str, list[float]] = {"anonymize": [], "publish": []}
    for _ in range(options.rounds + 1):  # the first round compiles
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "out")
            result, times = timed(lambda: graphveil.anonymize(graph, options.k, seed=7), repeats=1)
            spent["anonymize"] += times.clock
            _, times = timed(
                lambda out=out, result=result: graphveil.publish(result, out, format=options.format),
                repeats=1,
            )
            spent["publish"] += times.clock
    warm = {name: Times(each[1:], []) for name, each in spent.items()}
    print(f"{graph.n:,} people, {graph.m:,} friendships, k = {options.k}, {options.format}: seconds")
    header("anonymize", "publish", "publish / anonymize")
    row(*warm.values(), ratio(warm["publish"].seconds, warm["anonymize"].seconds))


if __name__ == "__main__":
    main()
