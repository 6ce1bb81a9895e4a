"""How exposed is a graph, and whom does an attacker find: ``graphveil audit`` and ``graphveil attack``."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from graphveil.cli.commands import command, print_json
from graphveil.cli.reading import Source, also_on_spark, reads_a_graph
from graphveil.cli.terminal import stage
from graphveil.formats.shortage import AUDIT
from graphveil.words import percent, size

if TYPE_CHECKING:
    from rich.table import Table

    from graphveil.risk.reidentification import Reidentification


@command("audit")
@reads_a_graph()
@also_on_spark("audit")
def audit(
    source: Source, who: tuple[str, ...], keep_vertex_attributes: tuple[str, ...], as_json: bool, **asked: Any
) -> None:
    """Say how exposed a graph is.

    Each of eight attackers (eleven with attributes) knows another thing. For each, the audit counts how many
    friendships or people are in groups of fewer than K, the size of the smallest group, and how likely they are to be
    found. For attackers who know something about a friendship, it also says how likely they name a person.

    \b
    Examples:
      graphveil audit friends.csv
      graphveil audit friends.txt.gz -k 5,10,25
      graphveil audit mails.csv --columns from,to --json > audit.json
      graphveil audit friends.csv --within 1.5
      graphveil audit friends.csv --vertices people.csv --keep-vertex-attribute age,town
      graphveil audit friends.csv --who Ann --who Bob
    """
    from graphveil import audit, look_up
    from graphveil.cli import show

    source = replace(source, options={**source.options, "keep_vertex_attributes": keep_vertex_attributes})
    graph = source.read_with_cautions(AUDIT)
    if who:
        person = look_up(graph, who)
        if as_json:
            print_json(person.to_dict())
        else:
            show.looked_up(person)
        return
    with stage("Counting mutual friends"):
        found = audit(graph, **asked)
    if as_json:
        print_json(found.to_dict())
    else:
        show.audit(found)


@command("attack")
@reads_a_graph(metavar="ORIGINAL")
@click.argument("published", metavar="PUBLISHED", type=click.Path())
def attack(source: Source, published: str, missing: float, known: int, seed: int, as_json: bool) -> None:
    """Attack a published graph and count who is found.

    The attacker holds a similar graph with names: ORIGINAL without some of its friendships. It is matched with
    PUBLISHED by structure alone. The attackers of the audit, who know one thing each, are simulated as well.
    PUBLISHED is a published folder with its private part, or a graph under the ids of ORIGINAL. The options for reading
    apply to both files.

    \b
    Examples:
      graphveil attack friends.csv out
      graphveil attack friends.csv out --missing 0.3 --known 20
      graphveil attack before.txt.gz after.txt.gz --json > attack.json
    """
    from graphveil import attack

    original = source.read()
    graph = published if os.path.isdir(published) else replace(source, file=published).read()
    with stage("Attacking both graphs") as told:
        found = attack(original, graph, missing=missing, known=known, seed=seed, progress=told)
    if as_json:
        print_json(found.to_dict())
    else:
        _show(found)


def _show(found: Reidentification) -> None:
    from graphveil.cli.terminal import console
    from graphveil.cli.utility import simulated_attacks
    from graphveil.risk.reidentification import in_a_sentence

    out = console()
    out.print(size(found.people, found.friendships), style="bold")
    out.print("\nAn attacker who holds a similar graph, and matches it by structure alone")
    out.print(_matching(found))
    out.print(in_a_sentence(found))
    out.print("\nAttackers who know one thing about the original")
    out.print(simulated_attacks(found.simulated, None))


def _matching(found: Reidentification) -> Table:
    from graphveil.cli.terminal import table

    rows = (
        (
            name,
            f"{each.named:,}",
            f"{each.found:,}",
            *("–" if value is None else percent(value) for value in (each.share, each.precision)),
        )
        for name, each in (("bare pseudonyms", found.before), ("published", found.after))
    )
    headings = ("graph", "people\nnamed", "people\nfound", "share of\nall people", "share of\nthose named")
    return table(headings, rows)
