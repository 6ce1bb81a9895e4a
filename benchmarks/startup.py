"""How long a command takes before and beside its work: help, the first run ever, the second.

    python benchmarks/startup.py

Processor seconds of whole processes. The first run compiles its kernels into an empty cache folder, the second finds
them there.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def processor_seconds(*arguments: str, cache: Path) -> float:
    """User and system time of one graphveil process and its threads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    subprocess.run(
        [sys.executable, "-m", "graphveil", *arguments], env=environment, check=True, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        town, cache = here / "town.txt", here / "cache"
        processor_seconds("generate", "--edges", "5000", "--seed", "4", "-o", str(town), cache=here / "other")
        commands = {
            "--help": ["--help"],
            "audit --help": ["audit", "--help"],
            "audit, 5,000 edges": ["audit", str(town)],
            "anonymize, 5,000 edges": [
                "anonymize",
                str(town),
                "-k",
                "10",
                "--force",
                "-o",
                str(here / "out"),
            ],
            "verify, 5,000 edges": ["verify", str(town), "-k", "1"],
        }
        print("Processor seconds of whole commands\n\n| command | first run | second run |\n|---|---|---|")
        for name, arguments in commands.items():
            own = cache / name.split(",")[0].replace(" ", "-")
            first, second = (processor_seconds(*arguments, cache=own) for _ in range(2))
            print(f"| {name} | {first:.2f} | {second:.2f} |", flush=True)


if __name__ == "__main__":
    main()
