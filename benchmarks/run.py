"""All benchmarks, one after the other, into benchmarks/results.md and docs/figures/growth.svg.

    make bench                               # everything, within 40 minutes on two cores
    make bench-quick                         # under three minutes; prints, and leaves all files alone
    python benchmarks/run.py --sections Degrees Reading    # these anew, in the place of what results.md has of them
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
    "Native limits": ["native.py --sizes 4000000"],
    "Reading": ["reading.py"],
    "Anonymizing": [
        "anonymizing.py growth",
        "anonymizing.py families",
        "anonymizing.py oracle --graphs ca-GrQc",
        "anonymizing.py edits",
    ],
    "Odd shapes and large files": ["shapes.py odd --limit 120", "shapes.py large"],
    "Degrees": ["degree.py growth"],
    "Utility": ["utility.py distances", "utility.py betweenness", "utility.py clustering"],
    "Publishing": ["publishing.py"],
    "Start-up": ["startup.py --repeats 1"],
}
QUICK = {
    "Mutual friends of every edge": ["counting.py --what orders --edges 200000 --families town hyperbolic"],
    "Reading": ["reading.py --what orders --edges 400000 --families hyperbolic"],
    "Anonymizing": [
        "anonymizing.py growth --largest 5 --methods add-del plan",
        "anonymizing.py edits --graphs ca-GrQc",
    ],
    "Degrees": ["degree.py growth"],
    "Utility": ["utility.py betweenness --graphs ego-facebook"],
    "Start-up": ["startup.py --repeats 1 --only anonymize"],
}
PACKAGES = (
    *("graphveil", "numpy", "numba", "scipy", "pyarrow", "igraph"),
    *("networkx", "networkit", "python-graphblas", "duckdb", "pandas", "polars"),
)

PAGE = """# Benchmark results

Made by `make bench`, which sets up an environment of its own: to repeat a table, take `.bench-venv/bin/python` for
`python`. Seconds are medians (lowest–highest) by the clock; *processor* are seconds of the processor, all threads
together. `benchmarks/families.py` makes the four families of graphs: towns, hyperbolic, R-MAT, and a real graph of its
own size (com-dblp). *Shuffled* means random ids and edges in random order; *sorted* keeps the generator's order.

{machine}

{summary}"""
COMPARED = (  # works, the text above their tables, and which columns have graphveil and the nearest other library
    ("from pairs to mutual friends, 4M edges", "Building and counting, 4,000,000 edges", "both", "nearest"),
    ("reading integers, 4M edges", "Reading integers, 4,000,000 edges", "graphveil", "the better"),
    ("reading names, 4M edges", "Reading names, 4,000,000 edges", "graphveil", "the better"),
)

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
        text = "".join(found[title] for title in FULL if title in found)
        page = PAGE.format(machine=machine(), summary=summary(text)) + text
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
    with plots.panels(1, width=3.2, height=3.6) as (figure, (axes,)):
        for look, (method, *cells, _, power) in zip(plots.looks(len(rows)), rows, strict=True):
            points = [(x, y) for x, y in zip(sizes, map(number, cells), strict=True) if y is not None]
            axes.loglog(
                *zip(*points, strict=True),
                color=look.colour,
                marker=look.mark,
                label=f"{method}: m^{power} at last",
            )
        axes.set(xlabel="edges m", ylabel="seconds", title="Anonymizing at k = 25")
    stem.parent.mkdir(parents=True, exist_ok=True)
    for path in plots.save(figure, stem):
        if path.suffix == ".png":
            path.unlink()


def summary(page: str) -> str:
    """The families on which graphveil gains least and most over the nearest library, a row for each kind of work."""
    lines = ["| graphveil beside the nearest other library | worst | best |", "|---|---|---|"]
    for work, mark, ours, rival in COMPARED:
        if mark not in page:
            continue
        titles, *rows = rows_after(page, mark)
        known = [dict(zip(titles, cells, strict=True)) for cells in rows]
        known = [cells for cells in known if cells[rival].endswith("×")]
        known.sort(key=lambda cells: number(cells[rival]) or 0)
        shown = [
            f"{cells[rival]} as fast ({cells['family']}, {cells['order']}: {cells[ours].split(' ')[0]} s)"
            for cells in (known[0], known[-1])
        ]
        lines.append(f"| {work} | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n\n"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true")
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
    if not options.figure:
        measure(options.sections, options.results)
    page = options.results.read_text(encoding="utf-8")
    if options.figure or "Anonymizing" in options.sections:
        draw_growth(page, options.growth)


if __name__ == "__main__":
    main()
