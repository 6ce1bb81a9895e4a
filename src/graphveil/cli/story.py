"""The story of the mutual friend attack, told on two graphs (``graphveil demo``).

The first is small enough to follow by eye and agrees with the introduction of Sun, Yu, Kong, Fu 2013. Alice and Bob
have the mutual friends Carl, Dell, Ed and Frank. In the graph without names, D and E are Alice and Bob. The paper's
drawing is not in its source, so the other friendships are invented. The second is a generated town, which is
audited, anonymized, published and verified.

Each chapter is a function that prints its part; `tell` goes through `CHAPTERS`.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from graphveil.cli import show
from graphveil.cli.terminal import console, stage, table
from graphveil.graph import Graph
from graphveil.mutual import mutual_friends

if TYPE_CHECKING:
    from rich.console import Console

FRIENDSHIPS = """
    Alice Bob, Alice Carl, Alice Dell, Alice Ed, Alice Frank, Alice Grace,
    Bob Carl, Bob Dell, Bob Ed, Bob Frank, Carl Dell, Carl Grace, Ed Heidi, Frank Heidi
"""
PSEUDONYMS = {
    "Alice": "D", "Bob": "E", "Carl": "B", "Dell": "G", "Ed": "H", "Frank": "A", "Grace": "F", "Heidi": "C",
}  # fmt: skip
TOWN_EDGES, TOWN_SEED = 12_000, 4
SEED = 2**100  # fixed, so that the story is the same every time
K = 25
PROSE_WIDTH = 80


def tell(folder: Path) -> None:
    """Print the whole story; the town is published into the folder."""
    out = console()
    for number, (title, chapter) in enumerate(CHAPTERS, 1):
        out.print(f"{number}. {title}\n", style="bold")
        chapter(out, folder)
        out.print("")


def friends() -> Graph:
    """Eight friends, by name.

    >>> friends()
    Graph(n=8, m=14)
    """
    return Graph.from_edges([tuple(pair.split()) for pair in FRIENDSHIPS.split(",")])


def without_names() -> Graph:
    """The same eight, under letters that say nothing."""
    pairs = [tuple(PSEUDONYMS[name] for name in pair.split()) for pair in FRIENDSHIPS.split(",")]
    return Graph.from_edges(sorted(pairs))


def _attack(out: Console, _: Path) -> None:
    _say(
        out,
        "Alice and Bob are friends, and everybody can see on their pages whom they both know: Carl, Dell, Ed and "
        "Frank. The network they are in is about to be published. The names are removed, each person becomes "
        "a letter. Is that enough?",
    )
    counts = _friendships_by_count(without_names())
    rows = [
        (f"{count}", ", ".join(pairs), f"{len(pairs)}")
        for count, pairs in sorted(counts.items(), reverse=True)
    ]
    out.print(table(("mutual friends", "friendships without names", "how many"), rows, words=(0, 1)))
    (four,), (three,) = counts[4], counts[3]
    (alice,) = set(four.split("–")) & set(three.split("–"))
    bob, carl = (pair.replace(alice, "").strip("–") for pair in (four, three))
    _say(
        out,
        f"Alice and Bob have four mutual friends, and only one friendship in the graph has four: {four}. Here they "
        f"are, though we cannot say yet who is who. Alice and Carl have three, and again there is only one: {three}. "
        f"Alice is in both, so {alice} is Alice, {bob} is Bob and {carl} is Carl. Three people are found again, and "
        "all it took was counting.",
    )


def _friendships_by_count(graph: Graph) -> dict[int, list[str]]:
    by_count = defaultdict(list)
    for pair, count in zip(graph.labels[graph.edges].tolist(), mutual_friends(graph).tolist(), strict=True):
        by_count[count].append("–".join(sorted(pair)))
    return {count: sorted(pairs) for count, pairs in by_count.items()}


def _audit_town(out: Console, _: Path) -> None:
    from graphveil.generation import generate
    from graphveil.risk.auditing import audit

    _say(
        out,
        "Does that happen in a large graph too? Here is a generated town, and what attackers can find in it.",
    )
    with stage("Auditing the town"):
        found = audit(generate(TOWN_EDGES, TOWN_SEED), k=[5, 25], top=3)
    out.print("")
    show.audit(found)
    out.print("")
    _say(
        out,
        "Most people are in large groups. People with many friends are not, and attackers look for those.",
    )


def _publish_town(out: Console, folder: Path) -> None:
    from graphveil.cli.summary import summary
    from graphveil.generation import generate
    from graphveil.methods.anonymizing import anonymize
    from graphveil.publication.checking import check
    from graphveil.publication.publishing import publish

    _say(
        out,
        f"Now friendships are changed until every mutual-friend count belongs to at least {K} of them. People get "
        "pseudonyms, and an independent recount verifies the written file before anything appears.",
    )
    town = generate(TOWN_EDGES, TOWN_SEED)
    with stage("Anonymizing and publishing the town"):
        result = anonymize(town, K, seed=SEED)
        if result.interrupted:
            raise KeyboardInterrupt
        publish(result, folder, force=True)
    out.print("")
    out.print(summary([result]))
    _say(
        out,
        f"{folder}/public is for everybody: the graph, a certificate, a report. {folder}/private is "
        "secret: who is who, and what was changed. (A real run draws its own secret seed.)",
    )
    inside = check(folder, original=town)
    assert inside, "the demo's publication does not hold"
    out.print("")
    _say(
        out,
        "The public part was verified, and both parts together give the input again, edge by edge. "
        f"Next: {_program()} audit YOUR-FILE",
    )


def _program() -> str:
    """How to call graphveil from here: by its path, where the shell would not find it."""
    if shutil.which("graphveil"):
        return "graphveil"
    called = Path(sys.argv[0])
    return os.path.relpath(called) if called.name == "graphveil" else f"{sys.executable} -m graphveil"


def _say(out: Console, text: str) -> None:
    out.print(text, width=min(out.width, PROSE_WIDTH))


CHAPTERS = (("Alice and Bob", _attack), ("A whole town", _audit_town), ("The town, veiled", _publish_town))
