"""What becomes of attributes: each before and after, and the groups that they form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphveil.cli.streams import note
from graphveil.cli.terminal import console, table
from graphveil.words import counted, percent, plain

if TYPE_CHECKING:
    from graphveil.attributes import Choice, Proposal
    from graphveil.publication.keeping import Kept
    from graphveil.verification.documents import Certificate


def show_kept(kept: Kept, certificate: Certificate) -> None:
    """What became of attributes of people and of friendships, on standard error."""
    if kept.people:
        _show_people(kept.people.proposal)
    if certificate.edge_attribute_groups:
        from graphveil.verification.attributes import TIES, what_holds_of_attributes

        for kept_one in certificate.edge_attributes:
            note(f"{plain(kept_one.name, 40)}: {plain(kept_one.generalization, 300) or 'values as they are'}")
        for each in what_holds_of_attributes(certificate):
            if each.startswith(TIES):
                note(each)


def _show_people(found: Proposal) -> None:
    """A table of the attributes, and a line on the groups."""
    rows = [
        (
            plain(each.name, 40),
            f"{each.before:,}",
            "–" if each.dropped else f"{each.after:,}",
            _how(each),
            percent(each.loss),
        )
        for each in found.choices
    ]
    headings = ("attribute", "values\nbefore", "values\nafter", "how", "detail lost")
    console(stderr=True).print(table(headings, rows, words=(0, 3)))
    note(in_words(found))


def _how(choice: Choice) -> str:
    if choice.dropped:
        return "left out"
    return "sensitive, as it is" if choice.sensitive else choice.publicly or "as it is"


def in_words(found: Proposal) -> str:
    """The groups, what was suppressed, and what the search is worth."""
    people, groups = counted(found.people, "person", "people"), counted(found.groups, "group")
    parts = [
        f"attributes: {people} in {groups} with the same values, the smallest with {found.smallest_group or 0:,}"
    ]
    parts += [f"{found.exposed:,} in groups of fewer than {found.k:,}, which can identify people"] * bool(
        found.exposed
    )
    for name, fewest in found.diversity.items():
        parts.append(f"at least {counted(fewest or 0, 'different value')} of {plain(name, 40)} in each")
    if found.suppressed_people:
        lost = counted(found.suppressed_values, "value")
        parts.append(f"{counted(found.suppressed_people, 'person', 'people')} lost {lost}")
    if not found.optimal:
        parts.append("found step by step, so less generalization may do")
    return "; ".join(parts)
