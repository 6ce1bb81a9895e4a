"""All benchmarks, one after the other, into benchmarks/results.md and docs/figures/growth.svg.

    make bench                               # everything, about three quarters of an hour on two cores
    make bench-quick                         # under three minutes; prints, and leaves results and figure alone
    python benchmarks/run.py --sections Degrees Reading    # these anew, in the place of what results.md has of them
    python benchmarks/run.py --readme        # no measuring: the small table for the README, from results.md
    python benchmarks/run.py --figure        # no measuring: the figure, from results.md

Each benchmark is a script of its own that prints its tables; this one calls them and notes machine and versions,
and for each script commit, day and how long it took. What it draws and shortens, it takes from the tables.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from common import HERE, memory_of_machine

RESULTS = HERE / "results.md"
FIGURE = HERE.parent / "docs" / "figures" / "growth"

FULL = {
    "Mutual friends of every edge": ["counting.py"],
    "Native limits": ["native.py --sizes 200000 4000000"],
    "Reading": ["reading.py --only graphveil pandas pandas+factorize polars igraph networkx"],
    "Anonymizing": ["anonymizing.py oracle", "anonymizing.py growth", "anonymizing.py edits"],
    "Odd shapes and large files": ["shapes.py odd", "shapes.py large"],
    "Degrees": ["degree.py growth"],
    "Utility": [
        "utility.py distances --in-full",
        "utility.py betweenness --graphs ca-GrQc",
        "utility.py clustering",
    ],
    "Publishing": ["publishing.py"],
    "Start-up": ["startup.py --repeats 2"],
}
QUICK = {
    "Mutual friends of every edge": ["counting.py --graphs town-0.2M --only graphveil networkit networkx"],
    "Reading": ["reading.py --edges 400000 --files integers --only graphveil pandas polars"],
    "Anonymizing": [
        "anonymizing.py growth --largest 5 --methods add-del plan",
        "anonymizing.py edits --graphs ca-GrQc",
    ],
    "Degrees": ["degree.py growth"],
    "Utility": ["utility.py clustering --graphs loc-brightkite"],
    "Start-up": ["startup.py --repeats 1 --only anonymize"],
}
PACKAGES = (
    *("graphveil", "numpy", "numba", "scipy", "pyarrow", "igraph"),
    *("networkx", "networkit", "python-graphblas", "duckdb", "pandas", "polars"),
)

PAGE = """# Benchmark results

Made by `make bench`, which sets up an environment of its own: to repeat a table, take `.bench-venv/bin/python` for
`python`. Seconds are medians (lowest–highest) by the clock; *processor* are seconds of the processor, all threads
together. {machine}

"""

# ---------------------------------------------------------------------- measuring


def machine() -> str:
    """The processor and the packages."""
    versions = []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"{name} not installed")
    return (
        f"{processor()}, {os.cpu_count()} cores, {memory_of_machine() / 1024:.0f} GB, {platform.system()}, "
        f"Python {platform.python_version()}, {', '.join(versions)}; "
        f"{said('g++', '--version').split(chr(10))[0] or 'no g++'}."
    )


def said(*command: str) -> str:
    try:
        return subprocess.run(command, cwd=HERE, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def commit() -> str:
    """What the figures are of."""
    changed = "+" if said("git", "status", "--porcelain", "--", "../src") else ""
    return (said("git", "rev-parse", "--short", "HEAD") or "unknown") + changed


def processor() -> str:
    """Its name where the system tells it."""
    facts = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.+)", facts.read_text()) if facts.exists() else None
    return named.group(1) if named else platform.machine()


def tables(sections: dict[str, list[str]]) -> Iterator[str]:
    """What every script prints, under the heading of its section, one section after the other."""
    for title, scripts in sections.items():
        parts = [f"## {title}"]
        print(f"\n{parts[-1]}", flush=True)
        for script in scripts:
            started = time.perf_counter()
            name, *arguments = script.split()
            ran = subprocess.run([sys.executable, HERE / name, *arguments], capture_output=True, text=True)
            text = ran.stdout.strip()
            if ran.returncode:
                text += f"\n\nFailed: {ran.stderr.strip()[-300:]}"
            made = f"{time.perf_counter() - started:.0f} s on {datetime.date.today()}, commit {commit()}"
            parts.append(f"`python benchmarks/{script}` ({made})\n\n{text}")
            print(f"\n{parts[-1]}", flush=True)
        yield "\n\n".join(parts)


def measure(titles: list[str], path: Path) -> None:
    """Write the tables of some sections into the results; other sections stay, and what is done if it ends early."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    found = {title: text for text, title in re.findall(r"^(## (.+?)\n.*?)(?=^## |\Z)", old, re.S | re.M)}
    for section, title in zip(tables({title: FULL[title] for title in titles}), titles, strict=True):
        found[title] = section + "\n\n"
        page = PAGE.format(machine=machine()) + "".join(found[title] for title in FULL if title in found)
        path.write_text(page.rstrip() + "\n", encoding="utf-8")


# ---------------------------------------------------------------------- from the tables


def rows_after(page: str, mark: str) -> list[list[str]]:
    """The first table after a text: its cells, row by row, titles first."""
    lines = page[page.index(mark) + len(mark) :].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    end = next((i for i in range(first, len(lines)) if not lines[i].startswith("|")), len(lines))
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[first:end]]
    return [rows[0], *rows[2:]]


def number(cell: str) -> float | None:
    """The figure at the beginning of a cell, if it is one."""
    found = re.match(r"[\d,.]+", cell)
    return float(found.group().replace(",", "")) if found else None


def draw_growth(page: str, stem: Path) -> None:
    """Seconds of every method over the size of the graph, both axes logarithmic."""
    from graphveil.experiments import plots

    titles, *rows = rows_after(page, "`python benchmarks/anonymizing.py growth`")
    sizes = [number(title) for title in titles[1:-2]]
    with plots.style():
        figure, (axes,) = plots.new_figure(1, 1, width=6.4, height=3.6)
        for look, (method, *cells, _, power) in zip(plots.looks(len(rows)), rows, strict=True):
            points = [(x, y) for x, y in zip(sizes, map(number, cells), strict=True) if y is not None]
            axes.loglog(
                *zip(*points, strict=True),
                color=look.colour,
                marker=look.mark,
                label=f"{method}: m^{power} at last",
            )
        axes.set(xlabel="edges m", ylabel="seconds", title="Anonymizing at k = 25")
        axes.legend()
    stem.parent.mkdir(parents=True, exist_ok=True)
    for path in plots.save(figure, stem):
        if path.suffix == ".png":
            path.unlink()


def readme_table(page: str) -> str:
    """What graphveil gains over the others, a row for each kind of work."""
    lines = ["| work | graphveil | the others, as times that |", "|---|---|---|"]
    for work, mark in (
        ("mutual friends of 4M edges", "town-4M:"),
        ("mutual friends of 30M edges", "town-30M:"),
        ("reading 4M edges, integers", "integers.txt: 4,000,000 edges"),
        ("reading 4M edges, names", "names.txt: 4,000,000 edges"),
        ("exact average path length of Brightkite", "Exact average path length of loc-brightkite"),
    ):
        titles, ours, *others = rows_after(page, mark)
        seconds = titles.index("both" if "both" in titles else "seconds")
        times = titles.index("times graphveil")
        rivals = [cells for cells in others if not cells[0].startswith("graphveil")]
        shown = [f"{cells[0]} {cells[times]}" for cells in rivals if cells[times].endswith("×")]
        lines.append(f"| {work} | {ours[seconds].split(' ')[0]} s | {', '.join(shown)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("--figure", action="store_true")
    parser.add_argument(
        "--sections", nargs="+", choices=FULL, default=list(FULL), help="some of the full run"
    )
    parser.add_argument("--results", type=Path, default=RESULTS, help="where the tables are, or go")
    parser.add_argument("--growth", type=Path, default=FIGURE, help="where the figure goes, without ending")
    options = parser.parse_args()
    if options.quick:
        print(machine())
        list(tables(QUICK))
        return
    if not (options.readme or options.figure):
        measure(options.sections, options.results)
    page = options.results.read_text(encoding="utf-8")
    if options.readme:
        print(readme_table(page))
    elif options.figure or "Anonymizing" in options.sections:
        draw_growth(page, options.growth)


if __name__ == "__main__":
    main()
