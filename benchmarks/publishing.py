"""Writing and verifying a published folder, beside the anonymization it follows.

    python benchmarks/publishing.py                     # a generated town of a million friendships
    python benchmarks/publishing.py com-dblp.txt.gz     # any file that graphveil reads
    python benchmarks/publishing.py --format parquet --rounds 5

Anonymization and publication take turns, so that a busy machine slows both. The publication counts mutual friends,
degrees and three more attackers again, on two cores where there are two.
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
    parser.add_argument("--methods", nargs="+", default=["add-del", "plan"])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    graph = graphveil.read(options.file) if options.file else graphveil.generate(edges=1_000_000, seed=4)
    print(f"{graph.n:,} people, {graph.m:,} friendships, k = {options.k}, {options.format}: seconds")
    header("method", "anonymize", "publish", "publish / anonymize")
    for method in options.methods:
        anonymized, published = turns(graph, options.rounds, method=method, k=options.k, form=options.format)
        row(method, anonymized, published, ratio(published.seconds, anonymized.seconds))


def turns(graph: graphveil.Graph, rounds: int, *, method: str, k: int, form: str) -> tuple[Times, Times]:
    """Seconds of anonymizations and of the publications that follow them."""
    anonymized, published = Times([], []), Times([], [])
    for turn in range(rounds + 1):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "out")
            result, first = timed(lambda: graphveil.anonymize(graph, k, method=method, seed=7), repeats=1)
            _, second = timed(
                lambda out=out, result=result: graphveil.publish(result, out, format=form), repeats=1
            )
        if turn > 0:  # the first one compiles
            anonymized.clock.extend(first.clock)
            published.clock.extend(second.clock)
    return anonymized, published


if __name__ == "__main__":
    main()
