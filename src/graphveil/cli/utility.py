"""``graphveil utility``: what a published graph keeps of its original, and what an attacker still finds in it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from graphveil.cli.commands import command, print_json
from graphveil.cli.reading import Source, reads_a_graph
from graphveil.cli.streams import note
from graphveil.cli.terminal import stage
from graphveil.words import counted, percent, size

if TYPE_CHECKING:
    from rich.table import Table

    from graphveil.graph import Graph
    from graphveil.measures.comparison import Utility
    from graphveil.risk.simulation import Attack

Guaranteed = dict[str, int] | None  # the k against each attacker, by name, where it is known
LONG = 1e11  # vertices × (vertices + edges): exact path lengths take about a minute of a core for each graph
SUSPICIOUS = 50  # per cent of the edges: who changes more has most likely compared two different graphs


@command("utility")
@reads_a_graph(metavar="BEFORE")
@click.argument("after", metavar="AFTER", type=click.Path())
def utility(source: Source, after: str, quick: bool, seed: int, as_json: bool) -> None:
    """Measure what a published graph keeps of its original.

    Compares clustering, path lengths, betweenness and more of both graphs, tests whether the changes can be detected,
    and simulates attackers who know the original. AFTER has the ids of BEFORE, or is a published folder with its
    private part. The options for reading apply to both files.

    \b
    Examples:
      graphveil utility friends.csv out
      graphveil utility before.txt.gz after.txt.gz --quick
      graphveil utility before.graphml after.graphml --json > utility.json
    """
    from graphveil import simulate_attacks, utility

    old = source.read()
    guaranteed: Guaranteed = None
    if os.path.isdir(after):
        new, guaranteed = _published(after)
    else:
        new = replace(source, file=after).read()
    if not quick:
        suggest_quick(old, "--quick")
    with stage("Measuring both graphs") as told:
        kept = utility(old, new, quick=quick, seed=seed, progress=told)
        attacks = simulate_attacks(old, new)
    if (kept.changed_percent or 0) > SUSPICIOUS:
        note(
            f"{kept.changed_percent:.0f} % of the edges differ. If AFTER is under pseudonyms, name the published "
            "folder instead, with its private part."
        )
    if as_json:
        print_json({**kept.to_dict(), "attacks": [attack.to_dict() for attack in attacks]})
    else:
        _show(kept, attacks, guaranteed)


def suggest_quick(graph: Graph, how: str) -> None:
    """Say so where exact path lengths take long, and how to sample them."""
    if graph.n * (graph.n + graph.m) > LONG:
        note(
            f"Exact path lengths between {counted(graph.n, 'person', 'people')} take minutes or more. "
            f"{how} samples them and says the error."
        )


def _published(folder: str) -> tuple[Graph, dict[str, int]]:
    """The graph of a published folder under its original ids, and the k guaranteed against each attacker."""
    from graphveil.publication.accepts_folders import one_publication
    from graphveil.publication.checking import guaranteed_sizes, under_original_ids

    path = one_publication(folder)
    with stage(f"Reading {folder}"):
        return under_original_ids(path), guaranteed_sizes(path)


# ---------------------------------------------------------------------- for people


def _show(kept: Utility, attacks: Sequence[Attack], guaranteed: Guaranteed) -> None:
    from graphveil.cli.terminal import console

    out = console()
    out.print(f"before: {size(kept.vertices[0], kept.edges[0])}", style="bold")
    out.print(f"after:  {size(kept.vertices[1], kept.edges[1])}", style="bold")
    changed = (
        ""
        if kept.changed_percent is None
        else f", {percent(kept.changed_percent / 100)} of the friendships changed"
    )
    out.print(f"{kept.added:,} added, {kept.deleted:,} deleted, {kept.new_vertices:,} dummy people{changed}")
    out.print("\nThe graph as a whole")
    out.print(_measures(kept))
    out.print("How far the two agree (AUC: 0.5 = chance, 1 = always, and 0 too, by the opposite rule)")
    out.print(_agreements(kept))
    for sentence in _detection(kept):
        out.print(sentence)
    out.print()
    if kept.betweenness_error:
        out.print(
            f"Betweenness from {kept.betweenness_sources[0]:,} sources: a vertex is off by "
            f"{kept.betweenness_error:.0%} of the mean betweenness.\n"
        )
    out.print("Simulated attackers who know one thing about the original")
    out.print(simulated_attacks(attacks, guaranteed))


def _measures(kept: Utility) -> Table:
    from graphveil.cli.terminal import table
    from graphveil.measures.table import in_words

    rows = (
        (
            in_words(each.name),
            figure(each.before),
            figure(each.after),
            figure(each.difference, signed=True),
            _error(each.error),
        )
        for each in kept.measures
    )
    return table(("", "before", "after", "difference", "±"), rows)


def _detection(kept: Utility) -> Iterator[str]:
    """How well an attacker can detect changes, in words."""
    from graphveil.measures.detection import FEW, scale

    found = {each.name: each for each in kept.agreements}
    for name, what, were, count in (
        ("added_edges", "added friendships", "added", kept.added),
        ("deleted_pairs", "deleted friendships", "deleted", kept.deleted),
    ):
        auc, top = found[f"{name}_classifier"].value, found[f"{name}_top_precision"]
        if auc is not None and count < FEW:
            yield (
                f"Can {what} be detected? With only {count:,} this cannot be said: AUC {auc:.2f} (0.5 = chance) "
                f"depends on single cases."
            )
        elif auc is not None:
            yield (
                f"Can {what} be detected? Beside one other pair, {scale(auc)}: AUC {auc:.2f} (0.5 = chance). Among "
                f"all pairs that could be, {_percent(top.value)} of the {count:,} most suspicious were {were} (chance: "
                f"{_percent(top.unchanged)})."
            )
    by_values = [
        max(each.value, 1 - each.value)
        for name, each in found.items()
        if name.startswith("added_edges_values_") and each.value is not None
    ]
    if by_values and kept.added >= FEW:
        yield (
            f"Can added friendships be detected by how common their values are? {scale(max(by_values)).capitalize()}: "
            f"AUC {max(by_values):.2f} (0.5 = chance), where common or rare values are taken, whichever tells more."
        )
    rule, recall = found["added_edges_rule_precision"], found["added_edges_rule_recall"].value
    if recall is not None and kept.added >= FEW:
        yield (
            f'The rule "no mutual friend, and another path of length 3" finds {percent(recall)} of the added '
            f"friendships. Of the friendships it finds, {_percent(rule.value)} were added (chance: "
            f"{_percent(rule.unchanged)})."
        )


def _percent(share: float | None) -> str:
    return "–" if share is None else percent(share)


def _agreements(kept: Utility) -> Table:
    from graphveil.cli.terminal import table
    from graphveil.measures.table import in_words

    rows = (
        (in_words(each.name), figure(each.value), figure(each.unchanged), _error(each.error))
        for each in kept.agreements
    )
    return table(("", "value", "if nothing\nhad changed", "±"), rows)


def simulated_attacks(attacks: Sequence[Attack], guaranteed: Guaranteed) -> Table:
    """What each attacker finds, and what is guaranteed against them, where that is known."""
    from graphveil.cli.terminal import table

    rows = (
        (
            each.knows,
            *([] if guaranteed is None else [_level(guaranteed.get(each.name))]),
            f"{each.before.certain:,}",
            f"{each.after.certain:,}",
            *(
                "–" if value is None else percent(value)
                for value in (each.before.expected, each.after.expected)
            ),
        )
        for each in attacks
    )
    headings = (
        "the attacker knows …", *([] if guaranteed is None else ["guaranteed"]), "certain\nbefore", "certain\nafter",
        "expected\nbefore", "expected\nafter",
    )  # fmt: skip
    return table(headings, rows)


def _level(k: int | None) -> str:
    return "no" if k is None else f"k = {k:,}"


def figure(value: float | None, *, signed: bool = False) -> str:
    """A number with four digits that say something.

    >>> figure(58228), figure(0.172345), figure(0.0012, signed=True), figure(1e-17), figure(None)
    ('58,228', '0.1723', '+0.0012', '0', '–')
    """
    if value is None:
        return "–"
    if abs(value) < 1e-12:
        return "0"
    sign = "+" if signed else ""
    return f"{value:{sign},}" if isinstance(value, int) else f"{value:{sign}.4g}"


def _error(error: float | None) -> str:
    """The error of a sampled figure; nothing where it is exact, a question mark where it is not known."""
    return "?" if error is None else f"{error:.1g}" if error else ""
