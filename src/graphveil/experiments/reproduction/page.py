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
    "figure-07-betweenness": "Figure 7, {name}: vertices by betweenness, in bins of a quarter of a decade. The insets "
    "enlarge frequencies from 0 to 100, as in the paper. Vertices that lie on no shortest path between others are left "
    "out: {between_nobody:,.0f} of {vertices:,} in the original.",
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
        "The last column says for each graph in how many seeds the test holds. It also gives the median and the range "
        "of the deciding figure, and the result of the first seed.",
        _statements([each for each in verdicts if each.statement.of_the_paper]),
        "### The same with graphveil's own KDA",
        "graphveil's KDA plans the degrees first and joins vertices that both need edges. It is not the paper's "
        "KDA, so these rows do not count above.",
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
        "This page repeats Section IV of Sun, Yu, Kong, Fu, *Privacy preserving social network publication against "
        "mutual friend attacks* (2013). It puts each statement of the paper beside what graphveil finds. This command "
        "wrote it:\n\n"
        f"```console\n$ {command}\n```\n\n"
        "The status of a statement is computed from the figures, by the test beside it and by the rule below. "
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
        f"\n\nMissing: {sizes}. The paper's extractions of ACM and Cora are not public, so their rows of Table I "
        "cannot be tested. If you have one, give it to the command. The command recognizes it by its size."
    )
    return "\n".join(rows) + (missing if absent else "")


def _how(studies: Sequence[Study], seeds: Sequence[int]) -> str:
    seeded = f"seed {seeds[0]}" if len(seeds) == 1 else f"the seeds {seeds[0]} to {seeds[-1]}"
    slow = [each.name for each in studies if each.edges > LARGE and len(seeds) > WRITTEN_SEEDS]
    written = (
        f" KDA as written is slow, so it runs under the first {WRITTEN_SEEDS} seeds on {' and '.join(slow)}."
    )
    return (
        f"Everything is anonymized with {seeded}. Figures and tables give medians over the seeds. Clustering is "
        "exact. Path lengths and betweenness are exact on small graphs, and on larger ones under the first seed "
        f"where the table says so. Otherwise they are measured from {SOURCES} sources, as a difference to the "
        f"original from the same sources.{written if slow else ''} The paper does not say which algorithm made the "
        "k-NMF graphs of Figures 9 to 11. Here it is ADD&DEL, and KDA and Liu–Terzi start from that graph. "
        "Distances between distributions of betweenness are Kolmogorov–Smirnov distances over the vertices of the "
        "original."
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
    return f"**{name}** ({outcome.word}{beside}): {counted}; {figure.replace('%', ' %')}; {outcome.evidence}"


def _table_i(studies: Sequence[Study]) -> str:
    blocks = [
        "How many vertices violate k-degree anonymity, and how many edges violate k-NMF anonymity. By the paper's "
        "definition a value violates if *fewer than* k have it. The figures of its table result if *at most* k have it."
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
