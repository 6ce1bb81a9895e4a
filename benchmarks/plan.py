"""The method plan beside the paper's methods: edges changed and time; and one run drawn.

    python benchmarks/plan.py changes                       # five real graphs, k = 5 … 100, five seeds
    python benchmarks/plan.py changes --graphs ca-GrQc --k 25 --seeds 1
    python benchmarks/plan.py changes --keep-edges          # additions only, beside ADD with GreedyGroup
    python benchmarks/plan.py changes --seeds 1 --graphs cora-coauthor-apex com-dblp town-50k random-12k
    python benchmarks/plan.py utility                       # what both methods leave of the graph
    python benchmarks/plan.py prices                        # edits by the plan that a descent begins with
    python benchmarks/plan.py figure docs/figures/plan-run.svg

`changes` prints medians over the seeds as a Markdown table: edges added and deleted by the paper's method and by plan,
each a median by itself, the ratio of the totals, and processor seconds once compiled. Every result was recounted, and
none has new vertices.
`utility` prints how far the published graphs are from the original, medians over k and seeds: average clustering,
average path length, degrees (earth mover's distance), and the share of the top 1 % by betweenness that is lost.
`prices` prints the edits of one descent for each kind of plan, the better of two seeds; "–" where none ended.
`figure` draws how violating edges and edits move over one run. The real graphs are found through GRAPHVEIL_DATA or in
../shared/data.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

import igraph
import numpy as np

import graphveil
from graphveil.goals import NMF
from graphveil.methods.plan.search import Schedule, Search
from graphveil.methods.plan.step_costs import StepCosts
from graphveil.methods.result import Result
from graphveil.methods.run import Progress
from graphveil.methods.workspace import Workspace

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from real_graphs import data_folder

GRAPHS = ("ca-GrQc", "ca-HepTh", "ego-facebook", "loc-brightkite", "email-Enron")
KS = (5, 10, 25, 50, 100)
HOUR = 3600.0
FIGURE = ("loc-brightkite", 25, 7)  # graph, k, seed


def random_graph() -> graphveil.Graph:
    """Every pair of 500 vertices is joined with probability 0.1: no core, no tail."""
    u, v = np.triu_indices(500, 1)
    chosen = np.random.default_rng(1).random(len(u)) < 0.1
    return graphveil.Graph.from_arrays(u[chosen], v[chosen], n=500)


def forest_fire(n: int, seed: int) -> graphveil.Graph:
    """A graph that grows like a forest fire (Leskovec, Kleinberg, Faloutsos, KDD 2005): hubs around a dense core."""
    igraph.set_random_number_generator(random.Random(seed))
    fire = igraph.Graph.Forest_Fire(n, fw_prob=0.37, bw_factor=0.32, directed=False).simplify()
    u, v = np.array(fire.get_edgelist()).T
    return graphveil.Graph.from_arrays(u, v, n=fire.vcount())


def communities() -> graphveil.Graph:
    """Communities of many sizes with hubs (Lancichinetti, Fortunato, Radicchi, Phys. Rev. E 2008): a long thin tail."""
    import networkx  # in the environment of `make test`

    drawn = networkx.LFR_benchmark_graph(
        3_000, 2.5, 1.5, 0.2, average_degree=14, max_degree=150, min_community=30, seed=10
    )
    return graphveil.Graph.from_edges([(u, v) for u, v in drawn.edges if u != v])


MADE_UP = {
    "town-50k": lambda: graphveil.generate(edges=50_000, seed=3),
    "random-12k": random_graph,
    "forest-fire": lambda: forest_fire(5_000, seed=1),
    "forest-fire-2": lambda: forest_fire(8_000, seed=2),
    "lfr-3k": communities,
}


def graph_named(name: str) -> graphveil.Graph:
    if name in MADE_UP:
        return MADE_UP[name]()
    folder = data_folder()
    if folder is None:
        sys.exit("The real graphs are missing: set GRAPHVEIL_DATA to their folder.")
    path = folder / f"{name}.txt.gz"
    if not path.exists():
        sys.exit(f"{path} is missing; besides the graphs of that folder there are {', '.join(MADE_UP)}.")
    return graphveil.read(path)


# ---------------------------------------------------------------------- the table


def changes(graphs: list[str], ks: list[int], seeds: int, *, keep_edges: bool) -> None:
    paper, options = ("add-greedy", {"keep_edges": True}) if keep_edges else ("add-del", {})
    options["budget"] = HOUR  # so that the table does not depend on the machine
    for method, more in ((paper, {}), ("plan", options)):
        graphveil.anonymize(graphveil.generate(edges=5_000, seed=1), k=10, method=method, seed=1, **more)
    print(f"| graph | k | {paper} | plan | ratio | {paper} s | plan s |\n|---|---|---|---|---|---|---|")
    for name in graphs:
        graph = graph_named(name)
        for k in ks:
            theirs = [timed(graph, k, seed, method=paper) for seed in range(1, seeds + 1)]
            ours = [timed(graph, k, seed, method="plan", **options) for seed in range(1, seeds + 1)]
            totals = [median(result.changed for result, _ in runs) for runs in (theirs, ours)]
            spent = [median(spent for _, spent in runs) for runs in (theirs, ours)]
            ratio = f"{totals[1] / totals[0]:.2f}" if totals[0] else "–"
            print(
                f"| {name} | {k} | {parts(theirs)} | {parts(ours)} | {ratio} "
                f"| {spent[0]:.1f} | {spent[1]:.1f} |",
                flush=True,
            )


def timed(graph: graphveil.Graph, k: int, seed: int, **how: object) -> tuple[Result, float]:
    start = time.process_time()
    result = graphveil.anonymize(graph, k, seed=seed, **how)
    assert not len(result.new_vertices)
    return result, time.process_time() - start


def parts(runs: list[tuple[Result, float]]) -> str:
    total, added, deleted = (
        median(size(result) for result, _ in runs)
        for size in (
            lambda result: result.changed,
            lambda result: len(result.added),
            lambda result: len(result.deleted),
        )
    )
    return f"{total:g} (+{added:g} −{deleted:g})"


# ---------------------------------------------------------------------- utility

LOSSES = {
    "clustering": lambda now: abs(measure(now, "average_clustering").difference),
    "path length": lambda now: abs(measure(now, "average_path_length").difference),
    "degrees": lambda now: measure(now, "degree_earth_mover").value,
    "top 1 % lost": lambda now: 1 - measure(now, "betweenness_top").value,
}


def measure(now: graphveil.Utility, name: str) -> Any:
    return next(one for one in (*now.measures, *now.agreements) if one.name == name)


def utility(graphs: list[str], ks: list[int], seeds: int) -> None:
    print(f"| graph | method | {' | '.join(LOSSES)} |\n|---|---|{'---|' * len(LOSSES)}")
    for name in graphs:
        graph = graph_named(name)
        for method in ("add-del", "plan"):
            runs = product(ks, range(1, seeds + 1))
            published = (graphveil.anonymize(graph, k, method=method, seed=seed).graph for k, seed in runs)
            found = [graphveil.utility(graph, after) for after in published]
            losses = [median(loss(now) for now in found) for loss in LOSSES.values()]
            print(f"| {name} | {method} | {' | '.join(f'{loss:.2g}' for loss in losses)} |", flush=True)


# ---------------------------------------------------------------------- the prices

KINDS = [(name, k) for name in ("loc-brightkite", "email-Enron") for k in (10, 25)]


def prices() -> None:
    schedules = {named(plan[0].edge): plan for plan in search_in(KINDS[0][0], 10, 1).schedules()}
    print(f"| graph | k | {' | '.join(schedules)} |\n|---|---|{'---|' * len(schedules)}")
    for name, k in KINDS:
        searches = [search_in(name, k, seed) for seed in (1, 2)]
        edits = [shortest(searches, plan) for plan in schedules.values()]
        print(f"| {name} | {k} | {' | '.join(edits)} |", flush=True)


def search_in(name: str, k: int, seed: int) -> Search:
    return Search(Workspace(graph_named(name)), (NMF(k),), np.random.default_rng(seed))


def named(costs: StepCosts) -> str:
    changed = [
        f"{name} {value}" for name, value in costs._asdict().items() if value != getattr(StepCosts(), name)
    ]
    return ", ".join(changed) or "plain"


def shortest(searches: list[Search], schedule: Schedule) -> str:
    ended = []
    for search in searches:
        search.go_to({})
        if search.descend(schedule):
            ended.append(len(search.edits))
    return f"{min(ended):,}" if ended else "–"


# ---------------------------------------------------------------------- the figure


def figure(path: Path) -> None:
    name, k, seed = FIGURE
    told: list[Progress] = []
    graphveil.anonymize(graph_named(name), k, method="plan", seed=seed, progress=told.append)
    points = [(now.changed, now.violating) for now in told if now.phase == "search"]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(drawing(points, f"plan on {name}, k = {k}"), encoding="utf-8")
    print(
        f"{path}: {len(points):,} looks at the search, {min(c for c, v in points if not v):,} edits at the end"
    )


def drawing(points: list[tuple[int, int]], title: str) -> str:
    """Two panels, one above the other, over the rounds of the search: violating edges, and edits."""
    width, height, left, gap = 720, 170, 60, 50
    total = 40 + 2 * (height + gap)
    rows = (("violating edges", "#D55E00", 1), ("edits", "#0072B2", 0))
    panels = []
    for row, (what, colour, place) in enumerate(rows):
        values = [point[place] for point in points]
        top, most, step = (
            40 + row * (height + gap),
            max(values),
            (width - left - 20) / max(len(values) - 1, 1),
        )
        line = " ".join(
            f"{left + i * step:.1f},{top + height * (1 - v / most):.1f}" for i, v in enumerate(values)
        )
        panels += [
            f'<text x="{left}" y="{top - 8}">{what}</text>',
            f'<path d="M{left} {top}V{top + height}H{width - 20}" fill="none" stroke="#888"/>',
            f'<text x="{left - 6}" y="{top + 5}" text-anchor="end">{most:,}</text>',
            f'<text x="{left - 6}" y="{top + height}" text-anchor="end">0</text>',
            f'<polyline points="{line}" fill="none" stroke="{colour}"/>',
        ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" width="{width}" role="img"',
            f' aria-label="{title}: violating edges and edits over the run" font-family="sans-serif" font-size="13">',
            '<rect width="100%" height="100%" fill="#fff"/>',
            f'<text x="{left}" y="16" font-weight="bold">{title}</text>',
            *panels,
            f'<text x="{width - 20}" y="{total - 28}" text-anchor="end">rounds of the search →</text></svg>\n',
        ]
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    table = commands.add_parser("changes")
    table.add_argument("--keep-edges", action="store_true")
    losses = commands.add_parser("utility")
    for command, seeds in ((table, 5), (losses, 1)):
        command.add_argument("--seeds", type=int, default=seeds)
        command.add_argument("--graphs", nargs="+", default=list(GRAPHS))
        command.add_argument("--k", nargs="+", type=int, default=list(KS))
    commands.add_parser("prices")
    commands.add_parser("figure").add_argument("path", type=Path)
    given = parser.parse_args()
    if given.command == "figure":
        figure(given.path)
    elif given.command == "prices":
        prices()
    elif given.command == "utility":
        utility(given.graphs, given.k, given.seeds)
    else:
        changes(given.graphs, given.k, given.seeds, keep_edges=given.keep_edges)
