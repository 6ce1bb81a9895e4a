"""The groups that published attributes form, of people and of friendships, counted again.

No code is shared with what makes values coarser or writes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from graphveil.recounting import Recount
from graphveil.verification.attackers import alike
from graphveil.verification.coarser import coarse
from graphveil.verification.documents import AttributeGroups, Certificate, KeptAttribute
from graphveil.verification.edge_cells import DIRECTION
from graphveil.verification.facts import Facts
from graphveil.verification.graph_files import GraphFileRead, Marks, Values
from graphveil.words import plain

Kept = Sequence[KeptAttribute]
# Of each attribute a number for each person or friendship, 0 where there is no value
Columns = Sequence[Marks]
TIES = "attributes of friendships"


def counted_of(
    graph: GraphFileRead, of_people: Kept, of_friendships: Kept, sensitive: Sequence[str]
) -> Recount:
    """A published graph to be counted, with the groups that its attributes form."""
    people = groups_of(graph.people, of_people, sensitive)
    friendships = groups_of(graph.friendships, of_friendships, sensitive)
    ways = None if DIRECTION in sensitive else graph.ways
    return Recount(graph.edges, graph.n, people, friendships, ways)


def groups_of(columns: Columns, kept: Kept, sensitive: Sequence[str]) -> Marks | None:
    """A group number for each row by the attributes that are not sensitive; None where none is published."""
    both = zip(kept, columns, strict=True) if columns else ()
    open_ = [marks for each, marks in both if each.name not in sensitive]
    return alike(np.zeros(len(open_[0]), np.int64), *open_) if open_ else None


def diversity(columns: Columns, kept: Kept, sensitive: Sequence[str]) -> dict[str, int]:
    """Of each sensitive attribute the fewest different values in a group; missing ones are none."""
    groups = groups_of(columns, kept, sensitive)
    found = {}
    for each, marks in zip(kept, columns, strict=True) if columns else ():
        if each.name in sensitive:
            group = np.zeros(len(marks), np.int64) if groups is None else groups
            base = int(marks.max(initial=0)) + 1
            pairs = np.unique((group * base + marks)[marks > 0])
            number = int(group.max(initial=-1)) + 1
            found[each.name] = int(np.bincount(pairs // base, minlength=number).min(initial=base))
    return found


@dataclass(frozen=True)
class Side:
    """What a certificate says of attributes of people, or of friendships, and what was read of them."""

    words: str
    of: str
    attackers: tuple[str, str]  # who knows the values; who knows a mutual-friend count too
    kept: Kept
    groups: AttributeGroups | None
    columns: Columns
    values: Values
    rows: int


def sides(stated: Certificate, graph: GraphFileRead) -> tuple[Side, Side]:
    """People, and friendships."""
    of_people, of_ties = stated.attribute_groups, stated.edge_attribute_groups
    both = ("edge-attributes", "edge-attributes-and-mutual-friends")
    people, ties = stated.vertex_attributes, stated.edge_attributes
    read = graph.values
    return (
        Side("attributes", "people", ("attributes", ""), people, of_people, graph.people, read, graph.n),
        Side(TIES, "friendships", both, ties, of_ties, graph.friendships, read, len(graph.edges)),
    )


def problems_of_attributes(stated: Certificate, graph: GraphFileRead, facts: Facts) -> list[str]:
    """What a certificate says of the groups of people and friendships, and is not so."""
    return [problem for side in sides(stated, graph) for problem in _problems(side, facts)]


def _problems(side: Side, facts: Facts) -> Iterator[str]:
    given = side.groups
    for each in side.kept:
        if (seen := coarse(each.generalization)) and not all(map(seen, side.values.get(each.name, ()))):
            shown = f"{plain(each.name, 40)}, {plain(each.generalization, 100)}"
            yield f"{side.words}: a value is another than certificate.json says ({shown})"
    if given is None:
        if side.kept and side.of == "friendships":
            yield "certificate.json is damaged: it names attributes of friendships, and says nothing of their groups"
        return
    sizes = {each.name: each.smallest_group for each in facts.attackers}
    for attacker, k in zip(side.attackers, (given.k, given.k_with_mutual_friends), strict=True):
        if k is not None and attacker not in sizes:
            yield f"certificate.json: it guarantees {k:,} of groups that {side.of} do not form"
        elif k is not None and (smallest := sizes[attacker]) is not None and smallest < k:
            too = " and mutual-friend count" if attacker == side.attackers[1] else ""
            yield f"{side.words}{too}: only groups of {smallest:,} {side.of} hold, and not of {k:,}"
    counted = diversity(side.columns, side.kept, given.sensitive)
    if counted != given.diversity:
        yield f"certificate.json: what it says of the {side.words} is not what the files give"
    for name, fewest in counted.items():
        if given.l_diversity is not None and fewest < given.l_diversity and side.rows:
            values = f"{fewest} different values of {plain(name, 40)}"
            yield f"{side.words}: a group has only {values}, and not {given.l_diversity}"


def unseen_generalizations(stated: Certificate) -> list[str]:
    """What is said of how values became coarser, and cannot be seen in them."""
    return [
        f"how {plain(each.name, 40)} became coarser ({plain(each.generalization, 100)})"
        for each in (*stated.vertex_attributes, *stated.edge_attributes)
        if each.generalization and coarse(each.generalization) is None
    ]


def what_holds_of_attributes(stated: Certificate) -> list[str]:
    """The groups in words, where attributes are published: of a certificate that was recounted."""
    groups = {"attributes": stated.attribute_groups, "edge-attributes": stated.edge_attribute_groups}
    sizes = {figures.name: figures.smallest_group for figures in stated.attackers}
    return [
        _in_words(TIES if attacker == "edge-attributes" else attacker, given, sizes[attacker])
        for attacker, given in groups.items()
        if given is not None and attacker in sizes
    ]


def _in_words(words: str, given: AttributeGroups, smallest: int | None) -> str:
    guaranteed = f"k = {given.k} guaranteed" if given.k is not None else "nothing guaranteed"
    if given.k_with_mutual_friends is not None:
        guaranteed += ", also together with the mutual-friend count"
    fewest = [f"{number:,} different values of {plain(name, 40)}" for name, number in given.diversity.items()]
    each = f"; each has {' and '.join(fewest)} or more" if fewest else ""
    return f"{words}: {guaranteed}, the smallest group with the same values has {smallest or 0:,}{each}"
