"""Results in words and tables, for people. Machines take ``--json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from graphveil.cli.terminal import console, histogram, table
from graphveil.goals import GOALS
from graphveil.risk.answering import answer, knowledge_in_words, roughly_in_words, worst
from graphveil.words import counted, percent, plain, size

if TYPE_CHECKING:
    from rich.table import Table

    from graphveil.recounting import Check
    from graphveil.risk.auditing import Attacker, Audit
    from graphveil.risk.lookup import LookUp
    from graphveil.verification.graphs import Verification

LONGEST_LABEL = 32
MOST_GROUPS = 10


def audit(found: Audit) -> None:
    """The audit of a graph: its histogram, what each attacker finds, who is exposed most, and the answer."""
    out = console()
    out.print(size(found.vertices, found.edges), style="bold")
    if found.edges:
        out.print("\nMutual friends of two friends (bars on a logarithmic scale)")
        out.print(histogram(found.histogram, found.k[-1], out, at_most=found.at_most))
    out.print("What can be found when the names are removed, by what the attacker knows")
    out.print(_exposures(found))
    if found.within is not None:
        out.print(f"Last column: the attacker {roughly_in_words(found.within)}.")
    out.print("People named by an attacker who knows something about a friendship")
    out.print(_named(found))
    for attacker in found.attackers:
        if attacker.guarantee and attacker.most_exposed:
            out.print(f"Most exposed to an attacker who knows {attacker.knows}")
            out.print(_most_exposed(attacker))
    out.print(_answer(found))
    exposed = any(each.exposures[-1].people for each in found.attackers)
    out.print(Text(worst(found), "bold yellow" if exposed else "green"))


def _exposures(found: Audit) -> Table:
    few = "at most k" if found.at_most else "fewer than k"
    headings = (
        "the attacker knows …", "smallest\ngroup", "mean\nprobability", "k", f"in groups of\n{few}", "share",
        "people\nexposed",
    )  # fmt: skip
    if found.within is None:
        return table(headings, map(_exposure, found.attackers))
    rows = ((*_exposure(each), _roughly(each)) for each in found.attackers)
    return table((*headings, f"people exposed,\nknown to\nwithin × {found.within:g}"), rows)


def _exposure(attacker: Attacker) -> tuple[str, ...]:
    """The figures of one attacker; in the last four columns one line for each k."""
    smallest = "–" if attacker.smallest_group is None else f"{attacker.smallest_group:,}"
    by_k = [
        (f"{each.k:,}", f"{each.exposed:,}", percent(each.share), f"{each.people:,}")
        for each in attacker.exposures
    ]
    lines = ("\n".join(column) for column in zip(*by_k, strict=True))
    return attacker.knows, smallest, percent(attacker.mean_probability), *lines


def _roughly(attacker: Attacker) -> str:
    """People exposed to an attacker who knows it roughly, one line for each k."""
    return "–" if attacker.roughly is None else "\n".join(f"{each.people:,}" for each in attacker.roughly)


def _named(found: Audit) -> Table:
    headings = (
        "the attacker knows …",
        "highest probability\nof naming a person",
        "people named with\nmore than 1/2",
        "people in the\nsmallest group",
    )
    rows = (
        (
            attacker.knows,
            percent(attacker.naming.largest_share),
            f"{attacker.naming.people_named:,}",
            f"{attacker.naming.people_in_smallest_group or 0:,}",
        )
        for attacker in found.attackers
        if attacker.naming is not None
    )
    return table(headings, rows)


def _most_exposed(attacker: Attacker) -> Table:
    rows = (
        (
            " – ".join(plain(label, LONGEST_LABEL) for label in finding.labels),
            knowledge_in_words(finding.knowledge),
            f"{finding.group_size:,}",
        )
        for finding in attacker.most_exposed
    )
    return table(("who", "exposed by", "group"), rows, words=(0, 1))


def _answer(found: Audit) -> Text:
    safe = not found["mutual-friends"].exposures[-1].exposed
    return Text(answer(found), "green" if safe else "yellow")


def looked_up(found: LookUp) -> None:
    """One person or friendship: what exposes them, and who is around."""
    out = console()
    out.print(str(found))
    friends = [plain(label, LONGEST_LABEL) for label in found.around.people[found.around.centre :]]
    more = [f"{found.around.left_out:,} more"] * bool(found.around.left_out)
    out.print(f"Friends: {', '.join(friends + more) or 'none'}")


def verification(checked: Verification, wanted: Mapping[str, Sequence[float]]) -> None:
    """What a check found, one line for each k or share, and the groups that fail."""
    out = console()
    out.print(size(checked.vertices, checked.edges), style="bold")
    for check in checked.checks:
        for level in wanted[check.guarantee]:
            out.print(_verdict(check, level))
        if not check.holds:
            out.print(_failing(check))
    if checked.cleaning:
        out.print(
            Text(
                f"This is about the graph that remains: {checked.cleaning}. The file has more in it.",
                "yellow",
            )
        )


def _verdict(check: Check, level: float) -> Text:
    goal = GOALS[check.guarantee](level)
    holds = goal.kept(check.achieved)
    mark = ("holds  ", "bold green") if holds else ("fails  ", "bold red")
    if goal.bounds == "size":
        few = sum(each.size < level for each in check.failing)
        words = f"{counted(few, 'number')} of {goal.what} shared by fewer than {level:,} {goal.of}"
        if holds:
            words = f"every number of {goal.what} is shared by at least {level:,} {goal.of}"
        elif not few:
            words = f"only {goal.level_in_words(check.achieved or 0)} holds"
    else:
        achieved = percent(check.achieved or 0.0)
        words = f"the largest share of a group of {goal.of} that touches one person is {achieved}"
    return Text.assemble(mark, f"{goal}: {words}")


def _failing(check: Check) -> Table:
    goal = GOALS[check.guarantee]
    rarest = sorted(check.failing, key=lambda each: (-(each.share or 0.0), each.size, each.value))
    rows = [
        (
            goal.group_in_words(each.value).removesuffix(f" {goal.what}"),
            f"{each.size:,}",
            *([] if each.share is None else [percent(each.share)]),
        )
        for each in rarest[:MOST_GROUPS]
    ]
    if len(rarest) > MOST_GROUPS:
        rows.append((f"and {len(rarest) - MOST_GROUPS:,} more", ""))
    shares = ["largest share"] if goal.bounds == "share" else []
    return table((goal.what, goal.of, *shares), rows)
