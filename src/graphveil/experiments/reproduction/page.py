"""The page that puts the paper's statements beside ours: the tables in ``page.md``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from math import isfinite
from pathlib import Path
from string import Template

import numpy as np

from graphveil.experiments.reproduction import paper
from graphveil.experiments.reproduction.checks import NAMES
from graphveil.experiments.reproduction.experiments import MIDDLE, NMF_METHODS, SMALL, SOURCES, Study
from graphveil.experiments.reproduction.figures import file_name
from graphveil.experiments.reproduction.statements import RULE, STATUSES, WORDS, Outcome, Statement, Verdict
from graphveil.experiments.reproduction.statistics import Interval

SIGNS = {"holds": "✓", "holds in part": "(✓)", "open": "?", "fails": "✗"}
RUNS = "Median and quartiles of the runs."
CAPTIONS = {
    "property-1": "Property 1: edges with at least so many mutual friends, and the fits to the tail.",
    "figure-05": f"Figure 5: difference of the average clustering coefficient to the original. {RUNS}",
    "figure-06": f"Figure 6: difference of the average path length to the original. {RUNS}",
    "figure-07": "Figure 7, {name}: difference of the cumulative distribution of betweenness to the original.",
    "figure-08": f"Figure 8: edges added and deleted, in per cent of the original ones. {RUNS}",
    "figure-09-11": "Figures 9 to 11, {name}: degrees made anonymous in its {nmf_k}-NMF graph. Differences to that "
    "graph; betweenness as in Figure 7.",
}


def page(
    studies: Sequence[Study], verdicts: Sequence[Verdict], figures: Mapping[str, Path], *, command: str
) -> str:
    """The page in Markdown; the figures are expected in ``figures/`` beside it."""
    ours = [each for each in verdicts if not each.statement.of_the_paper]
    theirs = [each for each in verdicts if each.statement.of_the_paper]
    counts = Counter(verdict.status for verdict in theirs)
    absent = [name for name in paper.GRAPHS if name not in {each.graph for each in studies}]
    sizes = " and ".join(
        "{} ({:,} vertices, {:,} edges)".format(name, *paper.GRAPHS[name]) for name in absent
    )
    return Template(
        files(__package__).joinpath("page.md").read_text("utf-8").replace("$ ", "$$ ")
    ).substitute(
        command=command,
        number=len(theirs),
        tally=", ".join(f"{counts[status]} {status}" for status in STATUSES),
        rule=RULE,
        graphs=_graphs(studies),
        sources=SOURCES,
        small=f"{SMALL:,}",
        middle=f"{MIDDLE:,}",
        missing=f" Not here: {sizes}. A graph of this size is recognized." if absent else "",
        statements=_statements(theirs, studies),
        generalize=_generalize(theirs, studies),
        ours=_generalize(ours, studies),
        power_laws=_power_laws(studies),
        table_i=_table_i(studies),
        changes=_changes(studies),
        figures="\n\n".join(_figure(name, path, studies) for name, path in figures.items()),
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _graphs(studies: Sequence[Study]) -> str:
    rows = []
    for each in studies:
        which = each.graph or (f"beside {each.stands_for}" if each.stands_for else "none")
        seeds = (
            str(max(map(each.seeds, group))) for group in (NMF_METHODS, ("kda-paper",), ("kda", "liu-terzi"))
        )
        ks = ", ".join(map(str, each.ks(*NMF_METHODS))) or "–"
        rows.append([each.name, f"{each.vertices:,}", f"{each.edges:,}", which, ks, *seeds])
    head = (
        "graph",
        "vertices",
        "edges",
        "of the paper",
        "k",
        "seeds: ADD, ADD&DEL",
        "KDA",
        "others for degrees",
    )
    return _table(head, rows)


def _statements(verdicts: Sequence[Verdict], studies: Sequence[Study]) -> str:
    rows = []
    for verdict in verdicts:
        said = verdict.statement
        beside = [
            each.name for each in studies if each.stands_for in said.about and each.name in verdict.outcomes
        ]
        found = [_on_graph(said, name, verdict.outcomes[name]) for name in verdict.deciding]
        found += [_on_graph(said, name, verdict.outcomes[name], ", beside") for name in beside]
        if verdict.missing:
            found.append(f"{' and '.join(verdict.missing)}: not here")
        rows.append([said.place, said.says, said.read_as, f"**{verdict.status}**", "<br>".join(found)])
    return _table(("", "the paper says", "tested as", "status", "found"), rows)


def _on_graph(said: Statement, name: str, outcome: Outcome, beside: str = "") -> str:
    """The word, the tally, and one comparison of the worst and one of the best answer, with their intervals."""
    answers = sorted(outcome.answers, key=lambda each: each[2])
    tally = f"{outcome.count(1)} of {len(answers)} confirmed, {outcome.count(-1)} contradicted"
    shown = answers if len(answers) < 3 else (answers[0], answers[-1])
    figures = "; ".join(f"{at}: {_interval(said.shows, found)}" for at, found, _ in shown)
    return f"**{name}**{beside} ({outcome.word}): {tally}; {figures}".replace("%", " %")


def _interval(shows: str, found: Interval) -> str:
    middle, low, high = (shows.format(value) for value in (found.estimate, found.low, found.high))
    if found.low == found.high:
        return middle
    return f"{middle} [{low}, {high}]" if isfinite(found.low) else f"{middle} [too few runs]"


def _generalize(verdicts: Sequence[Verdict], studies: Sequence[Study]) -> str:
    """One row for each statement that was tested, if not on figures that the paper gives for one graph."""
    rows = []
    for verdict in verdicts:
        words = [
            verdict.outcomes[each.name].word if each.name in verdict.outcomes else "" for each in studies
        ]
        counts = Counter(filter(None, words))
        if counts and not verdict.statement.says.startswith("So many"):
            tally = ", ".join(f"{counts[word]} {word}" for word in WORDS if counts[word])
            rows.append([verdict.statement.says, *(SIGNS.get(word, "") for word in words), tally])
    return _table(("statement", *(each.name for each in studies), "graphs"), rows)


def _power_laws(studies: Sequence[Study]) -> str:
    rows = []
    for each in studies:
        if each.tail is None:
            rows.append([each.name, *["–"] * 6, "too few edges"])
            continue
        ratios = [f"{r.ratio:+.1f} (p = {r.p:.2g}): {r.word}" for r in each.tail.rivals.values()]
        figures = (f"{each.tail.edges:,}", f"{100 * each.tail.share:.2g} %", f"{each.tail.exponent:.2f}")
        rows.append([each.name, str(each.tail.least), *figures, *ratios, f"**{each.tail.word}**"])
    counts = Counter(each.tail.word for each in studies if each.tail)
    head = (
        "graph",
        "x_min",
        "edges in the tail",
        "of those with any",
        "exponent",
        "log-normal",
        "exponential",
        "better",
    )
    tally = ", ".join(f"{word} on {number}" for word, number in counts.most_common())
    return f"{_table(head, rows)}\n\nWhich fits better: {tally}."


def _table_i(studies: Sequence[Study]) -> str:
    blocks = []
    for each in studies:
        theirs = paper.TABLE_I.get(each.graph or "", ())
        head = ["k", "at most k: vertices", "edges", *(["paper: vertices", "edges"] if theirs else [])]
        rows = []
        for place, (k, found) in enumerate(each.violating.items()):
            figures = [*found[:2], *(theirs[place] if theirs else ()), *found[2:]]
            rows.append([str(k), *(f"{figure:,}" for figure in figures)])
        blocks.append(f"**{each.name}**\n\n" + _table((*head, "fewer than k: vertices", "edges"), rows))
    return "\n\n".join(blocks)


def _changes(studies: Sequence[Study]) -> str:
    rows = []
    for each in studies:
        for k in each.ks(*NMF_METHODS):
            runs = [[p.changed for p in each.runs[method, k]] for method in NMF_METHODS]
            rows.append([each.name, str(k), *(_spread(of, each.edges) for of in runs)])
    return _table(("graph", "k", *(NAMES[method] for method in NMF_METHODS)), rows)


def _spread(values: Sequence[int], edges: int) -> str:
    middle = float(np.median(values))
    return f"{middle:,.0f} ({100 * middle / max(edges, 1):.2g} %), {min(values):,}–{max(values):,}"


def _figure(name: str, path: Path, studies: Sequence[Study]) -> str:
    stem = next(start for start in CAPTIONS if name.startswith(start))
    of = next((each for each in studies if name.endswith(f"-{file_name(each)}")), studies[0])
    caption = CAPTIONS[stem].format(name=of.name, nmf_k=of.nmf_k)
    return f"![{caption}](figures/{path.name})\n\n{caption}"
