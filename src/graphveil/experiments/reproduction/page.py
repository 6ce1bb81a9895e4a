"""The page that puts the paper's statements beside ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from graphveil.experiments.reproduction import paper
from graphveil.experiments.reproduction.experiments import (
    LARGE,
    NMF_METHODS,
    SMALL,
    SOURCES,
    WRITTEN_SEEDS,
    Study,
)
from graphveil.experiments.reproduction.figures import file_name
from graphveil.experiments.reproduction.judging import RULE, STATUSES, Outcome, Verdict
from graphveil.experiments.reproduction.statements import NAMES

__all__ = ["page"]

CAPTIONS = {
    "figure-05-clustering": "Figure 5: average clustering coefficient. The axis does not begin at 0.",
    "figure-06-path-length": "Figure 6: average path length over connected pairs. The axis does not begin at 0.",
    "figure-07-betweenness": "Figure 7, {name}: vertices by betweenness, in bins of a quarter of a decade; the insets "
    "enlarge frequencies from 0 to 100, as the paper's do. Left out are the vertices that lie between nobody, in the "
    "original {between_nobody:,.0f} of {vertices:,}.",
    "figure-08-edges-changed": "Figure 8: edges added and deleted, in per cent of the original ones.",
    "figure-09-11-degrees": "Figures 9 to 11, {name}: degrees made anonymous in its {nmf_k}-NMF graph.",
}


def page(
    studies: Sequence[Study],
    verdicts: Sequence[Verdict],
    figures: Mapping[str, Path],
    *,
    command: str,
    seeds: Sequence[int],
) -> str:
    """The page in Markdown; the figures are expected in ``figures/`` beside it."""
    parts = [
        "# The paper's evaluation, repeated",
        _introduction(verdicts, command),
        _by_graph(studies, verdicts),
        "## The rule",
        RULE,
        "## The graphs",
        _graphs(studies),
        _how(studies, seeds),
        "## Statements",
        "Each cell says in how many seeds the test holds, the median and the range of the figure that decides, and "
        "what the first seed gave.",
        _statements([each for each in verdicts if each.statement.of_the_paper]),
        "### The same with graphveil's own KDA",
        "graphveil's KDA plans the degrees first and joins vertices that both need edges. It is not the paper's, so "
        "these rows are not in the tally.",
        _statements([each for each in verdicts if not each.statement.of_the_paper]),
        "## Table I",
        _table_i(studies),
        "## Edges changed",
        _changes(studies),
        "## Figures",
        *(_figure(name, path, studies) for name, path in figures.items()),
    ]
    return "\n\n".join(parts) + "\n"


def _introduction(verdicts: Sequence[Verdict], command: str) -> str:
    said = [verdict for verdict in verdicts if verdict.statement.of_the_paper]
    counts = Counter(verdict.status for verdict in said)
    tally = ", ".join(f"{counts[status]} {status}" for status in STATUSES)
    return (
        "Section IV of Sun, Yu, Kong, Fu, *Privacy preserving social network publication against mutual friend "
        "attacks* (2013): its table, its figures and what it says about them, beside what graphveil finds. This page "
        "was written by\n\n"
        f"```console\n$ {command}\n```\n\n"
        "and each status below was computed from the figures by the test that stands beside it and the rule below. "
        f"Of {len(said)} statements: **{tally}**."
    )


def _by_graph(studies: Sequence[Study], verdicts: Sequence[Verdict]) -> str:
    """How many statements hold on each graph, whether it decides them or not."""
    words = ("holds", "depends on the seed", "fails")
    rows = ["| statements tested on | hold | depend on the seed | fail |", "|---|---|---|---|"]
    for each in studies:
        counts = Counter(
            verdict.outcomes[each.name].word
            for verdict in verdicts
            if verdict.statement.of_the_paper and each.name in verdict.outcomes
        )
        rows.append(f"| {each.name} | " + " | ".join(str(counts[word]) for word in words) + " |")
    return "\n".join(rows)


def _graphs(studies: Sequence[Study]) -> str:
    rows = [
        "| graph | vertices | edges | which graph of the paper | path lengths and betweenness |",
        "|---|---|---|---|---|",
    ]
    for each in studies:
        off = max(point.distance_error for point in each.points.values())
        how = f"from {each.sources:,} sources; distances are off by {off:.1g} at most"
        if not each.error:
            how = "exact" if each.vertices * each.edges <= SMALL else "exact under the first seed"
        which = each.graph or (f"stands in for {each.stands_for}" if each.stands_for else "none")
        rows.append(f"| {each.name} | {each.vertices:,} | {each.edges:,} | {which} | {how} |")
    absent = [name for name in paper.GRAPHS if name not in {each.graph for each in studies}]
    sizes = ", ".join(
        f"{name} ({paper.GRAPHS[name][0]:,} vertices, {paper.GRAPHS[name][1]:,} edges)" for name in absent
    )
    missing = (
        f"\n\nNot among them: {sizes}. The paper's extractions of ACM and Cora are not public, so their "
        "rows of Table I cannot be tested. Give one to the command if you have it: it is recognized by its size."
    )
    return "\n".join(rows) + (missing if absent else "")


def _how(studies: Sequence[Study], seeds: Sequence[int]) -> str:
    seeded = f"seed {seeds[0]}" if len(seeds) == 1 else f"the seeds {seeds[0]} to {seeds[-1]}"
    slow = [each.name for each in studies if each.edges > LARGE and len(seeds) > WRITTEN_SEEDS]
    written = (
        f" On {' and '.join(slow)} KDA as written, which is slow, runs under the first {WRITTEN_SEEDS} seeds."
    )
    return (
        f"Everything is anonymized with {seeded}. Clustering is exact. Path lengths and betweenness are exact on small "
        "graphs, and on larger ones under the first seed where the table says so. Otherwise both are measured from "
        f"{SOURCES} sources, as a difference to the original from the same sources."
        f"{written if slow else ''} Figures and tables below give medians over the seeds. The paper does not say which "
        "algorithm made the k-NMF graphs of Figures 9 to 11; here it is ADD&DEL, and KDA and Liu–Terzi start from that "
        "graph. Distances between distributions of betweenness are Kolmogorov–Smirnov distances over the vertices of "
        "the original."
    )


def _statements(verdicts: Sequence[Verdict]) -> str:
    rows = ["| | the paper says | tested as | status | found |", "|---|---|---|---|---|"]
    for verdict in verdicts:
        said = verdict.statement
        rows.append(
            f"| {said.place} | {said.says} | {said.read_as} | **{verdict.status}** | {_found(verdict)} |"
        )
    return "\n".join(rows)


def _found(verdict: Verdict) -> str:
    parts = [_on_graph(verdict, name, outcome) for name, outcome in verdict.outcomes.items()]
    if verdict.missing:
        parts.append(f"{' and '.join(verdict.missing)}: not public")
    return "<br>".join(parts)


def _on_graph(verdict: Verdict, name: str, outcome: Outcome) -> str:
    shows = verdict.statement.shows.format
    figure = shows(outcome.middle)
    if shows(outcome.least) != shows(outcome.most):
        form = "{" + verdict.statement.shows.partition("{")[2].partition("}")[0] + "}"
        figure += f" (median; from {form.format(outcome.least)} to {form.format(outcome.most)})"
    beside = "" if name in verdict.deciding else ", beside"
    counted = f"holds in {outcome.held} of {outcome.seeds} seeds"
    return f"**{name}** ({outcome.word}{beside}): {counted}; {figure}; {outcome.evidence}"


def _table_i(studies: Sequence[Study]) -> str:
    blocks = [
        "Vertices that violate k-degree anonymity and edges that violate k-NMF anonymity. By the paper's definition "
        "a value violates if *fewer than* k have it; the figures in its table come out when *at most* k have it."
    ]
    for each in studies:
        theirs = paper.TABLE_I.get(each.graph or "", ())
        head = "| k | at most k: vertices | edges | " + ("paper: vertices | edges | " if theirs else "")
        rows = [f"**{each.name}**", "", head + "fewer than k: vertices | edges |"]
        rows.append("|---" * (rows[2].count("|") - 1) + "|")
        for place, (k, found) in enumerate(each.violating.items()):
            figures = [*found[:2], *(theirs[place] if theirs else ()), *found[2:]]
            rows.append(f"| {k} | " + " | ".join(f"{figure:,}" for figure in figures) + " |")
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks)


def _changes(studies: Sequence[Study]) -> str:
    names = " | ".join(f"{NAMES[method]}" for method in NMF_METHODS)
    rows = [f"| graph | k | {names} |", "|---" * (len(NMF_METHODS) + 2) + "|"]
    for each in studies:
        for k in each.ks(*NMF_METHODS):
            changed = (each.points[method, k].changed for method in NMF_METHODS)
            figures = " | ".join(
                f"{number:,.0f} ({100 * number / max(each.edges, 1):.2g} %)" for number in changed
            )
            rows.append(f"| {each.name} | {k} | {figures} |")
    return "\n".join(rows)


def _figure(name: str, path: Path, studies: Sequence[Study]) -> str:
    stem = next(start for start in CAPTIONS if name.startswith(start))
    of = next((each for each in studies if name.endswith(f"-{file_name(each)}")), studies[0])
    between_nobody = of.original.betweenness[0]
    caption = CAPTIONS[stem].format(
        name=of.name, nmf_k=of.nmf_k, vertices=of.vertices, between_nobody=between_nobody
    )
    return f"![{caption}](figures/{path.name})\n\n{caption}"
