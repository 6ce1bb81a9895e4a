"""``graphveil audit``: how exposed is a graph?"""

from __future__ import annotations

from graphveil.cli.commands import command, print_json
from graphveil.cli.engine import also_on_spark
from graphveil.cli.reading import Source, reads_a_graph
from graphveil.cli.terminal import stage


@command("audit")
@reads_a_graph()
@also_on_spark("audit")
def audit(
    source: Source,
    k: tuple[int, ...],
    at_most: bool,
    top: int,
    friendships: int,
    within: float | None,
    who: tuple[str, ...],
    as_json: bool,
) -> None:
    """Say how exposed a graph is.

    Each of eight attackers knows another thing. For each, the audit counts how many friendships or people are in
    groups of fewer than K, the size of the smallest group, and how likely they are to be found. For attackers who know
    something about a friendship, it also says how likely they name a person.

    \b
    Examples:
      graphveil audit friends.csv
      graphveil audit friends.txt.gz -k 5,10,25
      graphveil audit mails.csv --columns from,to --json > audit.json
      graphveil audit friends.csv --within 1.5
      graphveil audit friends.csv --who Ann --who Bob
    """
    from graphveil import audit, look_up
    from graphveil.cli import show

    graph = source.read_with_cautions()
    if who:
        person = look_up(graph, who)
        if as_json:
            print_json(person.to_dict())
        else:
            show.looked_up(person)
        return
    with stage("Counting mutual friends"):
        found = audit(graph, k, at_most=at_most, top=top, friendships=friendships, within=within)
    if as_json:
        print_json(found.to_dict())
    else:
        show.audit(found)
