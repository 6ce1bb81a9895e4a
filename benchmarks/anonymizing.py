"""Anonymizing: graphveil beside the plain-Python version of the paper, and how its cost grows with the graph.

    python benchmarks/anonymizing.py oracle     # each method and k beside tests/oracle_anonymize.py
    python benchmarks/anonymizing.py growth     # towns of 10⁵ … 10⁷ edges, in random order, at k = 25
    python benchmarks/anonymizing.py families   # four families of graphs, shuffled and sorted
    python benchmarks/anonymizing.py edits      # single edits of the workspace beside networkx with a recount
    python benchmarks/anonymizing.py changes    # edges changed on the real graphs, by method and k

plan has no plain version of its own: it is held against that of the paper's method with the same guarantee, ADD&DEL, or
ADD with GreedyGroup where every edge is kept. In `growth` and `families` every method has a process of its own for
every graph, which is given the pairs as an array; its peak memory is that of the whole process. `growth` also runs the
whole command `graphveil anonymize` on a file, publishing included.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from common import (
    answer_for_apart,
    apart,
    exponent,
    header,
    load_graph,
    peak_memory,
    ratio,
    real_graph,
    rounded,
    row,
    spread,
    timed,
    uncounted,
)
from families import FAMILIES, ORDERS, save

METHODS: dict[str, dict[str, Any]] = {
    "add-intuit": {"method": "add-intuit"},
    "add-greedy": {"method": "add-greedy"},
    "add-del": {"method": "add-del"},
    "plan": {"method": "plan"},
    "plan --keep-edges": {"method": "plan", "keep_edges": True},
}
BRIEF = {"plan --budget 20s": {"method": "plan", "budget": 20}}  # on some families plan searches for minutes
COMMAND = "the whole command"
K = 25
LIMIT = 60.0  # seconds that a method may take on one graph of a family
EDGES = 200_000  # of the families


def run(graph: Any, k: int, name: str, seed: int = 1) -> Any:
    import graphveil

    return graphveil.anonymize(graph, k, seed=seed, **(METHODS | BRIEF)[name])


def run_anew(graph: Any, k: int, name: str) -> Any:
    """With the count of mutual friends."""
    return run(uncounted(graph), k, name)


def warm_up(names: list[str]) -> None:
    """Compile every kernel, on a small graph and on one that is shared out among threads."""
    import graphveil

    for name in names:
        run(graphveil.generate(edges=5_000, seed=1), 10, name)
    graphveil.mutual_friends(graphveil.generate(edges=200_000, seed=1))


# ---------------------------------------------------------------------- beside the plain version


def plain_versions(graph: Any, k: int) -> dict[str, Callable[[], Any]]:
    """By method, its plain version or that of the method it begins from."""
    import oracle_anonymize as plain

    def fresh() -> plain.PlainGraph:
        return plain.PlainGraph(graph.n, graph.edges.tolist())

    greedy = {"add-greedy": lambda: plain.add(fresh(), k, greedy=True)}
    add_del = {"add-del": lambda: plain.add_del(fresh(), k)}
    return {"add-intuit": lambda: plain.add(fresh(), k, greedy=False), **greedy, **add_del}


def oracle(names: list[str], ks: list[int]) -> None:
    warm_up(list(METHODS))
    print(
        "Seconds of one anonymization (edges changed); plan has no plain version, its row has that of ADD&DEL or ADD"
    )
    header("graph", "k", "method", "graphveil", "plain Python", "ratio")
    for name in names:
        graph = real_graph(name)
        for k in ks:
            plainly = {method: timed(work, repeats=1) for method, work in plain_versions(graph, k).items()}
            plainly |= {"plan": plainly["add-del"], "plan --keep-edges": plainly["add-greedy"]}
            for method in METHODS:
                result, times = timed(partial(run_anew, graph, k, method), repeats=3)
                slow = plainly[method][1].seconds
                row(
                    name,
                    k,
                    method,
                    f"{times} ({result.changed:,})",
                    rounded(slow),
                    ratio(slow, times.seconds),
                )


# ---------------------------------------------------------------------- growth


def measure(name: str, path: str) -> dict[str, Any]:
    """One method on one graph, or the command on one file; runs in its own process."""
    if name == COMMAND:
        return measure_command(path)
    graph = load_graph(path)
    warm_up([name])
    result, times = timed(partial(run_anew, graph, K, name), repeats=3, keep=False)
    return {"seconds": times.clock, "changed": result.changed, "peak": peak_memory()}


def measure_command(path: str) -> dict[str, Any]:
    """`graphveil anonymize` as a user gives it, with its kernels compiled before."""
    from graphveil.cli import main as graphveil

    out = Path(path).with_suffix(".out")
    with contextlib.redirect_stdout(io.StringIO()):
        code, times = timed(lambda: graphveil(["anonymize", path, "-k", str(K), "-o", str(out)]), repeats=1)
    if code:
        raise SystemExit(f"graphveil anonymize ended with {code}")
    changed = len((out / "private" / "changes.csv").read_text().splitlines()) - 1  # below the header
    shutil.rmtree(out)
    return {"seconds": times.clock, "changed": changed, "peak": peak_memory()}


def measured(name: str, path: Path, limit: float) -> dict[str, Any] | str:
    """What `measure` finds; the command gets the same pairs as a text."""
    if name != COMMAND:
        return apart("anonymizing.py", name, path, limit=limit)
    text = path.with_suffix(".txt")
    np.savetxt(text, np.load(path), "%d")
    return apart("anonymizing.py", name, text, limit=limit)


def growth(powers: range, names: list[str]) -> None:
    sizes = [10**power for power in powers]
    found: dict[str, list[dict[str, Any] | str]] = {name: [] for name in names}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.npy"
        if COMMAND in names:
            save("town", 5_000, "shuffled", path)
            measured(COMMAND, path, 900)  # compiles
        for size in sizes:
            save("town", size, "shuffled", path)
            for name in names:
                found[name].append(measured(name, path, 900))
    print(f"Towns in random order at k = {K}: seconds")
    header("method", *(f"{size:,} edges" for size in sizes), "exponent", "of the last step")
    for name in names:
        cells = [each if isinstance(each, str) else spread(each["seconds"]) for each in found[name]]
        row(name, *cells, fitted(sizes, found[name]), fitted(sizes[-2:], found[name][-2:]))
    for what, title in (("changed", "Edges changed"), ("peak", "Peak memory of the process in MB")):
        print(f"\n{title}")
        header("method", *(f"{size:,} edges" for size in sizes))
        for name in names:
            row(name, *("" if isinstance(each, str) else f"{each[what]:,.0f}" for each in found[name]))


def families(kinds: list[str], edges: int, names: list[str]) -> None:
    """A row for each family and order."""
    print(f"About {edges:,} edges (real: its own) at k = {K}: seconds, and edges changed")
    header("family", "order", "edges", *names, "peak MB of the last")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "edges.npy"
        for family, order in product(kinds, ORDERS):
            save(family, edges, order, path, distinct=True)
            found = [measured(name, path, LIMIT) for name in names]
            cells = [
                each if isinstance(each, str) else f"{spread(each['seconds'])}, {each['changed']:,}"
                for each in found
            ]
            peak = "" if isinstance(found[-1], str) else f"{found[-1]['peak']:,.0f}"
            row(family, order, f"{len(np.load(path, mmap_mode='r')):,}", *cells, peak)


def fitted(sizes: list[int], found: list[dict[str, Any] | str]) -> str:
    """The exponent of growth, where there are figures."""
    pairs = [
        (size, np.median(each["seconds"]))
        for size, each in zip(sizes, found, strict=True)
        if not isinstance(each, str)
    ]
    return f"{exponent(*zip(*pairs, strict=True)):.2f}" if len(pairs) > 1 else ""


# ---------------------------------------------------------------------- edits


def edits(names: list[str]) -> None:
    """A random pair is joined, or parted where it is joined; then every count is right again."""
    import networkx

    from graphveil.methods.workspace import Workspace

    print("Edits a second, after each of which every count of mutual friends is right")
    header("graph", "workspace", "networkx with recount", "ratio")
    for name in names:
        graph = real_graph(name)
        drawn = np.random.default_rng(1).integers(0, graph.n, (20_000, 2)).tolist()
        pairs = [(u, v) for u, v in drawn if u != v]

        def with_workspace(workspace: Workspace, pairs: list[tuple[int, int]] = pairs) -> None:
            for u, v in pairs:
                edge = workspace.edge_between(u, v)
                if edge is None:
                    workspace.add_edge(u, v)
                else:
                    workspace.delete_edge(edge)

        with_workspace(Workspace(graph))
        workspaces = [Workspace(graph) for _ in range(3)]
        other = networkx.Graph(graph.edges.tolist())

        def with_networkx(pair: tuple[int, int], other: Any = other) -> None:
            (other.remove_edge if other.has_edge(*pair) else other.add_edge)(*pair)
            {(u, v): len(set(other[u]) & set(other[v])) for u, v in other.edges}

        ours = timed(lambda: with_workspace(workspaces.pop()), repeats=3, enough=60)[1].seconds  # noqa: B023
        waiting = iter(pairs)
        theirs = timed(lambda: with_networkx(next(waiting)), repeats=3)[1].seconds  # noqa: B023
        each = ours / len(pairs)
        row(name, f"{1 / each:,.0f}", rounded(1 / theirs), ratio(theirs, each))


# ---------------------------------------------------------------------- edges changed


def changes(names: list[str], ks: list[int], seeds: int) -> None:
    methods = [name for name in METHODS if not name.startswith("plan")]
    print(f"Edges changed, median of {seeds} seeds (new vertices); for plan see benchmarks/plan.py")
    header("graph", "k", *methods)
    for name in names:
        graph = real_graph(name)
        for k in ks:
            cells = []
            for method in methods:
                runs = [run(graph, k, method, seed) for seed in range(seeds)]
                middle = np.median([each.changed for each in runs])
                cells.append(f"{middle:,.0f} ({sum(len(each.new_vertices) for each in runs)})")
            row(name, k, *cells)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["oracle", "growth", "families", "edits", "changes"])
    parser.add_argument("--largest", type=int, default=7, help="growth: ten to this power edges")
    parser.add_argument(
        "--methods", nargs="+", choices=[*METHODS, *BRIEF, COMMAND], help="of growth, and of the families"
    )
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--edges", type=int, default=EDGES, help="of the families")
    parser.add_argument("--graphs", nargs="+", default=["ca-GrQc", "ca-HepTh"])
    parser.add_argument("-k", type=int, nargs="+", default=[5, 25, 100])
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    if options.what == "growth":
        growth(range(5, options.largest + 1), options.methods or [*METHODS, COMMAND])
    elif options.what == "families":
        families(options.families, options.edges, options.methods or ["add-greedy", "add-del", *BRIEF])
    elif options.what == "changes":
        changes(options.graphs, options.k, options.seeds)
    elif options.what == "edits":
        edits(options.graphs)
    else:
        oracle(options.graphs, options.k)


if __name__ == "__main__":
    answer_for_apart(measure) or main()
