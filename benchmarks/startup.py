"""How long a command takes before and beside its work: help, the first run ever, the second.

    python benchmarks/startup.py
    python benchmarks/startup.py --repeats 1 --only audit anonymize

Seconds of whole processes, by the clock and of the processor. `first` compiles its kernels into an empty cache folder,
`again` finds them there; each first run has a folder of its own.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from common import Times, header, rounded, row, spread, timed


def run(arguments: list[str], cache: Path) -> tuple[float, float]:
    """Seconds of one graphveil process: by the clock, and of the processor."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-m", "graphveil", *arguments]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _, times = timed(
        lambda: subprocess.run(command, env=environment, check=True, capture_output=True), repeats=1
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return times.seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def several(arguments: list[str], caches: list[Path]) -> Times:
    """One run for each cache folder."""
    clock, processor = zip(*(run(arguments, cache) for cache in caches), strict=True)
    return Times(list(clock), list(processor))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="these commands, and help")
    options = parser.parse_args()
    repeats = options.repeats
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        town, out = str(here / "town.txt"), str(here / "out")
        run(["generate", "--edges", "5000", "--seed", "4", "-o", town], here / "other")
        commands = {
            "--help": ["--help"],
            "audit --help": ["audit", "--help"],
            "audit": ["audit", town],
            "anonymize": ["anonymize", town, "-k", "10", "--force", "-o", out],
            "anonymize --method add-del": [
                *("anonymize", town, "-k", "10", "--method", "add-del", "--force", "-o", out)
            ],
            "verify": ["verify", town, "-k", "1"],
        }
        print("Whole commands on a graph of 5,000 edges: seconds (lowest–highest); processor seconds")
        header("command", "first", "again", "first, processor", "again, processor")
        for name, arguments in commands.items():
            if options.only and name not in (*options.only, "--help"):
                continue
            caches = [here / f"{name}-{i}".replace(" ", "-") for i in range(repeats)]
            cold, warm = several(arguments, caches), several(arguments, caches)
            work = (rounded(sorted(times.processor)[repeats // 2]) for times in (cold, warm))
            row(f"`graphveil {name}`", spread(cold.clock), spread(warm.clock), *work)


if __name__ == "__main__":
    main()
