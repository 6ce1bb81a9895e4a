"""Results in words and tables, for people. Machines take ``--json``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from graphveil.cli.terminal import console, histogram, table
from graphveil.words import counted, percent, plain, size

if TYPE_CHECKING:
    from rich.table import Table

    from graphveil.risk.auditing import Adversary, Audit
    from graphveil.verification import Check, Verification

__all__ = ["audit", "verification"]

LONGEST_LABEL = 32
MOST_CLASSES = 10
WORDS = {"mutual_friends": "mutual friend", "degree": "friend"}


def audit(found: Audit) -> None:
    """The audit of a graph: its histogram, what each adversary finds, who is exposed most, and the answer."""
    out = console()
    out.print(size(found.vertices, found.edges), style="bold")
    if found.edges:
        out.print("\nMutual friends of two friends (bars on a logarithmic scale)")
        out.print(histogram(found.histogram, found.k[-1], out, at_most=found.at_most))
    out.print("What can be found in it when the names are gone, by what somebody knows")
    out.print(_exposures(found))
    for adversary in found.adversaries:
        if adversary.promised and adversary.most_exposed:
            out.print(f"Most exposed to somebody who knows {adversary.knows}")
            out.print(_most_exposed(adversary))
    out.print(_answer(found))


def _exposures(found: Audit) -> Table:
    few = "at most k" if found.at_most else "fewer than k"
    headings = (
        "who knows …",
        "smallest\ncrowd",
        "mean\nrisk",
        "k",
        f"among\n{few}",
        "share",
        "people\nconcerned",
    )
    return table(headings, (_exposure(adversary) for adversary in found.adversaries))


def _exposure(adversary: Adversary) -> tuple[str, ...]:
    """The figures of one adversary; in the last four columns one line for each k."""
    smallest = "–" if adversary.smallest_class is None else f"{adversary.smallest_class:,}"
    by_k = [
        (f"{each.k:,}", f"{each.exposed:,}", percent(each.share), f"{each.people:,}")
        for each in adversary.exposures
    ]
    lines = ("\n".join(column) for column in zip(*by_k, strict=True))
    return adversary.knows, smallest, percent(adversary.mean_probability), *lines


def _most_exposed(adversary: Adversary) -> Table:
    rows = (
        (
            " – ".join(plain(label, LONGEST_LABEL) for label in finding.labels),
            ", ".join(counted(number, WORDS[name]) for name, number in finding.knowledge.items()),
            f"{finding.class_size:,}",
        )
        for finding in adversary.most_exposed
    )
    return table(("who", "given away by", "crowd"), rows, words=(0, 1))


def _answer(found: Audit) -> Text:
    worst, k = found["mutual-friends"].exposures[-1], found.k[-1]
    if not worst.exposed:
        return Text(f"At k = {k:,} no friendship is given away by its number of mutual friends.", "green")
    few = f"at most {k:,}" if found.at_most else f"fewer than {k:,}"
    return Text(
        f"At k = {k:,}: {worst.exposed:,} of {found.edges:,} friendships ({percent(worst.share)}) have a number of "
        f"mutual friends that {few} friendships have. They concern {counted(worst.people, 'person', 'people')}.",
        "yellow",
    )


def verification(checked: Verification, crowds: Sequence[int], degree_crowds: Sequence[int]) -> None:
    """What a check found, one line for each k, and the classes that are too small."""
    out = console()
    out.print(size(checked.vertices, checked.edges), style="bold")
    for check, what, whom, each_k in (
        (checked.mutual_friends, "number of mutual friends", ("friendship", "friendships"), crowds),
        (checked.degrees, "number of friends", ("person", "people"), degree_crowds),
    ):
        if check is not None:
            for k in each_k:
                out.print(_verdict(check, what, whom, k))
            if not check.holds:
                out.print(_too_small(check, what, whom[1]))
    if checked.cleaning:
        out.print(
            Text(
                f"This is about the graph that remains: {checked.cleaning}. The file has more in it.",
                "yellow",
            )
        )


def _verdict(check: Check, what: str, whom: tuple[str, str], k: int) -> Text:
    if check.achieved is None or check.achieved >= k:
        words = f"k = {k:,}: every {what} occurs on at least {counted(k, *whom)}"
        return Text.assemble(("holds  ", "bold green"), words)
    small = sum(each.size < k for each in check.too_small)
    values = f"{what} occurs" if small == 1 else f"{what.replace('number', 'numbers')} occur"
    return Text.assemble(
        ("fails  ", "bold red"), f"k = {k:,}: {small:,} {values} on fewer than {k:,} {whom[1]}"
    )


def _too_small(check: Check, what: str, where: str) -> Table:
    rarest = sorted(check.too_small, key=lambda each: (each.size, each.value))
    rows = [(f"{each.value:,}", f"{each.size:,}") for each in rarest[:MOST_CLASSES]]
    if len(rarest) > MOST_CLASSES:
        rows.append((f"and {len(rarest) - MOST_CLASSES:,} more", ""))
    return table((what, where), rows)
