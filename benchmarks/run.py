"""All benchmarks, one after the other, into benchmarks/results.md.

    make bench          # everything, about half an hour on two cores
    make bench-quick    # under three minutes; prints, and leaves results.md alone

Each benchmark is a script of its own that prints its tables; this one only calls them and notes machine, versions
and commit.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent

FULL = {
    "Mutual friends of every edge": [["counting.py"]],
    "Reading": [["reading.py"]],
    "Anonymizing": [
        ["anonymizing.py", "oracle"],
        ["anonymizing.py", "growth"],
        ["anonymizing.py", "edits"],
        ["anonymizing.py", "changes"],
    ],
    "Degrees": [["degree.py"]],
    "Utility": [["utility.py", "distances"], ["utility.py", "betweenness"], ["utility.py", "whole"]],
    "Publishing": [["publishing.py"]],
    "Start-up": [["startup.py"]],
}
QUICK = {
    "Mutual friends of every edge": [
        [
            "counting.py",
            "--graphs",
            "town-0.2M",
            "--only",
            "graphveil",
            "networkit",
            "networkx",
            "--repeats",
            "1",
        ]
    ],
    "Reading": [["reading.py", "--edges", "400000", "--files", "integers"]],
    "Anonymizing": [["anonymizing.py", "growth", "--largest", "6"], ["anonymizing.py", "edits"]],
    "Start-up": [["startup.py"]],
}
PACKAGES = ("graphveil", "numpy", "numba", "networkit", "igraph", "networkx", "pandas", "polars", "duckdb")


def machine() -> str:
    """The processor, the packages and the commit that the figures are of."""
    versions = []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True)
    return (
        f"{datetime.date.today()}, commit {commit.stdout.strip() or 'unknown'}, {platform.machine()}, "
        f"{os.cpu_count()} cores, Python {platform.python_version()}, {', '.join(versions)}."
    )


def tables(sections: dict[str, list[list[str]]]) -> str:
    """What every script prints, under the heading of its section."""
    parts = []
    for title, scripts in sections.items():
        parts.append(f"## {title}")
        print(f"\n{parts[-1]}", flush=True)
        for script in scripts:
            started = time.perf_counter()
            ran = subprocess.run(
                [sys.executable, HERE / script[0], *script[1:]], capture_output=True, text=True
            )
            text = ran.stdout.strip() if ran.returncode == 0 else f"Failed: {ran.stderr.strip()[-300:]}"
            parts.append(f"`python benchmarks/{' '.join(script)}`\n\n{text}")
            print(f"\n{parts[-1]}\n\n({time.perf_counter() - started:.0f} s)", flush=True)
    return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    print(machine())
    text = tables(QUICK if options.quick else FULL)
    if not options.quick:
        page = f"# Benchmark results\n\nMade by `make bench`. {machine()}\n\n{text}\n"
        (HERE / "results.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
