"""The words for a publication: each sentence that a report, README.md or the terminal says of it, from its figures.

All is made from the certificate alone, so these places say the same. No sentence is ever compared with another or
decides anything: a later release may change every one of them. Shares are rounded by `graphveil.words.percent`
everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphveil.goals import GOALS, NMF, Degree, Goal, Goals, Spread, level_of
from graphveil.publication.weighing import (
    MOST,
    exposed_in_both,
    identifying,
    is_distorted,
    kept_of,
    named_by_a_count,
    original_edges,
    says_nothing,
    worst_attackers,
)
from graphveil.repeated import DIRECTION
from graphveil.risk.answering import exposed_in_words
from graphveil.risk.attackers import ATTACKERS, OF_ATTRIBUTES, OF_DIRECTION, OF_EDGE_ATTRIBUTES
from graphveil.verification.documents import (
    AttackerFigures,
    Certificate,
    Changes,
    EarlierRelease,
    Reduction,
    Statement,
)
from graphveil.verification.releases import GUARANTEED, OF_PEOPLE, Joint
from graphveil.words import counted, listed, percent, plain

if TYPE_CHECKING:
    from graphveil.publication.documents import AttackRecord

SIMILAR = (  # true of every graph: nobody can be told apart in a complete one, and a poor copy finds few
    "An attacker who holds a nearly complete copy, such as an older version of the graph, may identify many people; "
    "no k stops this. Share under an agreement if that matters."
)
MEASURE = "The owner can measure this attack with graphveil attack."
BEFORE_YOU_PUBLISH = (
    "Before you publish"  # the page of the manual with the checklist; reports load nothing, so by name
)
UNCHANGED = "unchanged, only pseudonymized"
ATTACKED = "A simulated attack, for the owner only"
MEASURED = "Measured, not guaranteed"
IDENTIFYING = "Attributes identify people"
BOTH = "With the earlier release, measured, not guaranteed"
WORST = 2  # attackers named in the verdict
SEVERAL = "two"  # friendships that the attacker who combines them knows
FORMER = {  # attackers of former releases, in whose certificates they are
    "friend-degrees": "how many friends a person and one of their friends have, but not who of them has how many"
}
ONE_OF = {"friendships": "friendship", "people": "person"}

DISTORTED = (
    "So much of this graph was added that what is measured on it says little about the original network."
)
ATTRIBUTES = (
    "Attributes of people were kept at the owner's request. Together with friendships they identify more people than "
    "alone, and no guarantee covers that; the section on attackers counts it. Dummy people have the attributes of "
    "people with about as many friends, chosen at random."
)
EDGE_ATTRIBUTES = (
    "Attributes of friendships were kept at the owner's request. Together with friendships they identify more people "
    "than alone; the section on attackers counts it. An added friendship has all values of one that has the same "
    "number of mutual friends, of one of its people where there is such a one."
)
DIRECTED = (
    "The direction of friendships is published as an attribute. How many friendships lead to a person, and how many "
    "away, is not guaranteed to be shared with anybody; the section on attackers counts it."
)
MORE_KNOWLEDGE = (
    "There is no guarantee against an attacker who knows more than that. The section on attackers counts how far some "
    "of them get. With several of a person's friendships, with larger parts of the network, or with accounts that were "
    "created before the data was collected, people may still be identified."
)
TRUE_PARTS = (
    "{friendships} and {people} in this graph are in the original too. Neither that two people are friends nor that a "
    "person is part of the network is hidden: this is not differential privacy."
)
OTHER_VERSIONS = (
    "If another version of the same network is published, the two can be compared, and together they may give away "
    "more than this certificate says."
)
JOINT = ("k", "friendships", "friendships_exposed", "people", "people_exposed", "vanished", "appeared")
KEPT = "This network was published before, and every change of that release was kept that could be."
SAME = (
    "Pseudonyms are the same: panel.csv says who is who in both releases, so everybody can follow people from one to "
    "the next."
)
FRESH = (
    "Pseudonyms are fresh, but many people can be linked from one release to the next by structure alone; the owner "
    "can measure it."
)
NOT_SIGNED = (
    "The certificate is not signed. It says what can be counted in the graph file, not who published it."
)


def knows(attacker: str) -> str:
    """What an attacker knows, after "an attacker who knows"; its name, where it is not known here.

    >>> knows("degree"), knows("the-future")
    ('how many friends a person has', 'the-future')
    """
    rows = (*ATTACKERS, *OF_ATTRIBUTES, *OF_EDGE_ATTRIBUTES, *OF_DIRECTION)
    row = next((each for each in rows if each.name == attacker), None)
    return FORMER.get(attacker, attacker) if row is None else row.knows.format(several=SEVERAL)


@dataclass(frozen=True)
class Verdict:
    """What a data owner has to know."""

    guaranteed: tuple[str, ...]  # one sentence for each guarantee
    cost: str  # how much was changed
    # One sentence for each attacker against whom there is less risk, and no guarantee
    reduced: tuple[str, ...]
    not_guaranteed: tuple[str, ...]  # the worst figures of this graph, one sentence each
    advice: str  # what to do
    identifying: tuple[
        str, ...
    ] = ()  # one sentence on attributes that were published although they identify people
    both: str = ""  # what this release and the earlier one give away together
    attack: str = ""  # what a simulated attack found; for the owner alone

    @property
    def opening(self) -> tuple[tuple[str, str], ...]:
        """The verdict as short paragraphs, each with its heading; what was only measured has one of its own."""
        return (
            *([(IDENTIFYING, " ".join(self.identifying))] if self.identifying else []),
            ("Guaranteed", " ".join(self.guaranteed)),
            ("Cost", self.cost),
            *([(MEASURED, " ".join(self.reduced))] if self.reduced else []),
            *([(BOTH, self.both)] if self.both else []),
            (
                "Not guaranteed",
                " ".join((*self.not_guaranteed, SIMILAR, *([] if self.attack else [MEASURE]))),
            ),
            *([(ATTACKED, self.attack)] if self.attack else []),
        )


def as_option(goal: Goal) -> str:
    """How to ask for a guarantee on the command line.

    >>> as_option(Spread(0.5))
    'use --spread 0.5'
    """
    return f"use {goal.option()} {goal.level}"


def verdict(
    certificate: Certificate, *, asking: Callable[[Goal], str] = as_option, attack: AttackRecord | None = None
) -> Verdict:
    """The verdict on a certified graph; ``asking`` says how the reader asks for one more guarantee.

    ``attack`` is what was simulated, where the reader is the owner.
    """
    after = certificate.after
    return Verdict(
        guaranteed=(
            *(each.in_words() for each in certificate.goals),
            *attributes_guaranteed(certificate),
            *(joint_guarantee(after) if after else ()),
        ),
        cost=cost(certificate),
        reduced=tuple(reduced(each, range_before(certificate, each)) for each in certificate.reductions),
        not_guaranteed=tuple(not_guaranteed(certificate)),
        advice=_advice(certificate, asking),
        identifying=tuple(attributes_that_identify(certificate)),
        both=both_releases(after, certificate.k) if after else "",
        attack=attacked(attack) if attack else "",
    )


# ---------------------------------------------------------------------- what was changed


def cost(certificate: Certificate) -> str:
    """What was changed, in one or two sentences."""
    changes, friendships = certificate.changes, original_edges(certificate)
    if not changes:
        return f"The graph is {UNCHANGED}: the original already had the guarantee."
    return (
        f"{counted(changes.edges_added, 'friendship')} added{_of(changes.edges_added, friendships)} and "
        f"{changes.edges_deleted:,} deleted{_of(changes.edges_deleted, friendships)}; {_dummies(changes)}."
    )


def changed(certificate: Certificate) -> str:
    """The same for who computes with the graph, and what to expect of it."""
    changes = certificate.changes
    if not changes:
        return f"The graph is {UNCHANGED}."
    number, friendships = changes.edges_added + changes.edges_deleted, original_edges(certificate)
    people = certificate.graph.vertices - changes.vertices_added
    return (
        f"{counted(changes.edges_added, 'friendship')} added, {changes.edges_deleted:,} deleted, "
        f"{counted(changes.vertices_added, 'dummy person', 'dummy people')} added: "
        f"{percent(number / friendships) if friendships else '0 %'} of the original friendships, or "
        f"{2 * number / people if people else 0.0:.2g} changes per person on average. Only the owner knows which ones. "
        f"{_expect(certificate, number / friendships if friendships else 0.0)}"
    )


def _expect(certificate: Certificate, share: float) -> str:
    """What figures measured on the graph are worth, by how much of it was changed."""
    if sentence := distortion(certificate):
        return sentence
    if share > 0.1:
        return "Expect averages over the whole graph to be different too: compare them with the report."
    return "Expect averages over the whole graph to hold, and single friendships to be wrong now and then."


def distortion(certificate: Certificate) -> str:
    """A warning, where most of a graph was made."""
    graph = certificate.graph
    return DISTORTED if is_distorted(graph.vertices, graph.edges, certificate.changes) else ""


def exact_numbers(certificate: Certificate) -> str:
    """Which numbers of the original are given exactly."""
    changes, graph = certificate.changes, certificate.graph
    people = graph.vertices - changes.vertices_added
    return (
        f"The numbers of the changes are exact. So are those of the original, which follow from them: "
        f"{counted(people, 'person', 'people')} and {counted(original_edges(certificate), 'friendship')}."
    )


def warning(goals: Goals, vertices: int, edges: int, changes: Changes) -> str:
    """What to say before such a graph is published."""
    asked = " and ".join(f"{each.name} with {each.level_in_words(each.level)}" for each in goals)
    return (
        f"{asked} adds {changes.edges_added:,} of {counted(edges, 'friendship')} and "
        f"{changes.vertices_added:,} of {counted(vertices, 'person', 'people')} to be published. What is measured "
        "on such a graph says little about yours: choose a smaller k."
    )


def _of(part: int, whole: int) -> str:
    return f" ({percent(part / whole)})" if part and whole else ""


def _dummies(changes: Changes) -> str:
    if not changes.vertices_added:
        return "no dummy people"
    return f"{counted(changes.vertices_added, 'dummy person', 'dummy people')} added"


# ---------------------------------------------------------------------- what was reduced, and what an attack found


def range_before(certificate: Certificate, each: Reduction) -> str:
    """All that a rounded share may be: it stands beside one that is not rounded. Nothing where none is said."""
    from graphveil.publication.report.discretion import towards_everybody  # reports have words too

    if each.before is None:
        return ""
    people = certificate.graph.vertices - certificate.changes.vertices_added
    discretion = towards_everybody(certificate.k, people, original_edges(certificate))
    return discretion.span(each.before)[1] if discretion.decimals else f"about {percent(each.before)}"


def reduced(each: Reduction, before: str) -> str:
    """How many people were exposed to an attacker before and after, of which nothing is guaranteed.

    >>> print(reduced(Reduction("degree", 5, 0.46, 0.19), "45.5–46.5 %"))
    People exposed to an attacker who knows how many friends a person has, at k = 5: 45.5–46.5 % before, 19 % after.
    """
    before = before or "not said of so small a graph"
    return (
        f"People exposed to an attacker who knows {knows(each.attacker)}, at k = {each.k:,}: {before} before, "
        f"{percent(each.after)} after."
    )


def attacked(found: AttackRecord) -> str:
    """What a simulated attack found, for the owner alone: it tells an attacker how far to trust a match.

    >>> from graphveil.publication.documents import AttackRecord
    >>> print(attacked(AttackRecord(0.1, 0.44, 1.0, None)))
    An attacker who holds a copy of this graph with 90 % of its friendships identifies 44 % of the people.
    """
    linked = ""
    if found.linked is not None:
        linked = (
            f" An attacker who holds the earlier release finds {percent(found.linked)} of its people in this one by "
            "structure alone, whatever their pseudonyms."
        )
    scaled = ""
    if (times := f"{found.scaled_to:.2g}") != "1":
        scaled = f", after scaling the numbers of the copy by {times},"
    return (
        f"An attacker who holds a copy of this graph with {percent(1 - found.missing)} of its friendships{scaled} "
        f"identifies {percent(found.share)} of the people.{linked}"
    )


# ---------------------------------------------------------------------- what is guaranteed and what is not


def limits(certificate: Certificate) -> list[str]:
    """What is guaranteed and what is not, point by point."""
    graph, changes = certificate.graph, certificate.changes
    true_parts = TRUE_PARTS.format(
        friendships=f"{graph.edges - changes.edges_added:,} of {counted(graph.edges, 'friendship')}",
        people=f"{graph.vertices - changes.vertices_added:,} of {counted(graph.vertices, 'person', 'people')}",
    )
    return [
        *map(_guaranteed, certificate.guarantees),
        *filter(None, [distortion(certificate)]),
        *([ATTRIBUTES] if certificate.vertex_attributes else []),
        *([EDGE_ATTRIBUTES] if certificate.edge_attributes else []),
        *([DIRECTED] if DIRECTION in {each.name for each in certificate.edge_attributes} else []),
        *(MORE_KNOWLEDGE, f"{SIMILAR} {MEASURE}", true_parts),
        *(
            [*joint_guarantee(certificate.after), both_releases(certificate.after, certificate.k)]
            if certificate.after
            else []
        ),
        *(OTHER_VERSIONS, NOT_SIGNED),
    ]


def joint_guarantee(after: EarlierRelease) -> Iterator[str]:
    """What is guaranteed over this release and the earlier one, if that was asked for."""
    k = after.joint.get(GUARANTEED)
    if k is None:
        return
    yield (
        f"Over this release and the earlier one (joint k = {k:,g}): an attacker who has both and knows only the "
        "mutual-friend counts of a friendship in both years can identify the friendship with probability at most "
        f"1/{k:,g}, if it is in both."
    )
    if OF_PEOPLE in after.joint:
        yield (
            "One who knows only a person's number of friends in both years can identify the person with probability "
            f"at most 1/{k:,g}."
        )


def both_releases(after: EarlierRelease, k: int) -> str:
    """What an attacker gets who has this release and the earlier one, where nothing is guaranteed.

    ``k`` is that of the other figures: of both releases together they may be counted at another one.

    >>> joint = {"k": 5, "friendships": 200, "friendships_exposed": 9, "people": 50, "people_exposed": 20}
    >>> words = both_releases(EarlierRelease("", "same", joint | {"vanished": 3, "appeared": 8}, None), 5)
    >>> "4.5 % of the friendships in groups below k = 5" in words, "panel.csv" in words
    (True, True)
    """
    joint = {name: after.joint.get(name, 0) for name in JOINT}
    known = {
        "friendships": "the mutual-friend counts of a friendship in both years",
        "people": "a person's number of friends in both years",
    }
    other_k = "" if joint["k"] == k else f" (the joint k; the other figures are counted at k = {k:,})"
    said = [
        f"An attacker who has both releases and knows {known[each]} finds {percent(share)} of the {each} in groups "
        f"below k = {joint['k']:,g}{other_k}."
        for each, share in exposed_in_both(after).items()
    ]
    came_and_went = (
        f"Between people who are in both, {counted(int(joint['vanished']), 'friendship')} vanished and "
        f"{joint['appeared']:,g} appeared."
    )
    return " ".join((KEPT, *said, came_and_went, SAME if after.pseudonyms == "same" else FRESH))


def _guaranteed(each: Statement) -> str:
    goal = GOALS[each.guarantee]
    if each.promised is not None:
        given = goal(each.promised)
        by = f", because {each.implied_by} brings it with it" if each.implied_by else ""
        return f"Guaranteed ({given}{by}): {given.in_words()}"
    return f"Not guaranteed: {goal.name}. This graph happens to have {_achieved(goal, each.achieved)}."


def _achieved(goal: type[Goal], level: float | None) -> str:
    """A level that nobody relies on, rounded as everywhere else."""
    if level is None:
        return "any"
    return goal.level_in_words(level) if goal.bounds == "size" else percent(level)


def recounted(each: Statement) -> str:
    """What the recount found, after "the recount found that"."""
    goal = GOALS[each.guarantee]
    if each.achieved is None:
        return f"there are no {goal.of}"
    if goal.bounds == "share":
        return f"the largest share is {percent(each.achieved)}"
    return f"the smallest group has {each.achieved:,} {goal.of if each.achieved != 1 else ONE_OF[goal.of]}"


def recounted_together(each: Joint) -> str:
    """What the recount found over both releases, after "the recount found that".

    >>> recounted_together(Joint("joint mutual friends", "friendships", 2, 7))
    'the smallest group over both releases has 7 friendships'
    """
    if each.smallest is None:
        return f"there are no {each.of} in both releases"
    return f"the smallest group over both releases has {each.smallest:,} {each.of}"


def attributes_guaranteed(certificate: Certificate) -> Iterator[str]:
    """What is guaranteed of the attributes of people, and of those of friendships."""
    for kept in kept_of(certificate):
        k, one = kept.groups.k, ONE_OF[kept.of]
        if k is not None and kept.known:
            joint = kept.groups.k_with_mutual_friends is not None
            too = ", also together with its mutual-friend count," if joint else ""
            names = listed([plain(name, 40) for name in kept.known])
            every, these = ("combination", "these values") if len(kept.known) > 1 else ("value", "this value")
            yield (
                f"Every {every} of {names}{too} belongs to at least {k:,} {kept.of}. An attacker who knows only "
                f"{these} of a {one} identifies the {one} with probability at most 1/{k:,}."
            )
        if kept.groups.l_diversity is not None:
            secret = listed([plain(name, 40) for name in kept.groups.sensitive])
            yield f"In every such group there are at least {kept.groups.l_diversity:,} different values of {secret}."


def attributes_that_identify(certificate: Certificate) -> Iterator[str]:
    """What to say first, where attributes were published that identify people: other attackers may expose as many."""
    k, people = certificate.k, certificate.graph.vertices
    for each in identifying(certificate):
        of_friendships = " of friendships" * (each.name == "edge-attributes")
        exposed = exposed_in_words(each.exposure(k).people, people, k, knows(each.name))
        yield f"Attributes{of_friendships} were published although they identify people: {exposed}"


def not_guaranteed(certificate: Certificate) -> list[str]:
    """The worst figures of this graph in words: two attackers, and a person who is easily named."""
    k, people = certificate.k, certificate.graph.vertices
    sentences = [
        exposed_in_words(each.exposure(k).people, people, k, knows(each.name))
        for each in worst_attackers(certificate)[:WORST]
    ]
    sentences += [
        f"In a group of {kept.of} with the same attributes all have the same {plain(name, 40)}."
        for kept in kept_of(certificate)
        for name in kept.not_diverse
    ]
    if (share := named_by_a_count(certificate)) is not None:
        sentences.append(
            f"One person is part of {percent(share)} of the friendships with the same mutual-friend count, so an "
            f"attacker who knows this count names that person with probability {percent(share)}."
        )
    if not sentences:
        sentences.append(
            f"At k = {k:,} nobody is exposed to the attackers that were counted, but an attacker with a similar graph "
            "may still find people."
        )
    if says_nothing(certificate):
        sentences.append(
            "No two friends have a mutual friend, so the k-NMF guarantee says nothing about this graph."
        )
    return sentences


def _advice(certificate: Certificate, asking: Callable[[Goal], str]) -> str:
    """What to do with the folders, and which options would give more protection."""
    worst = worst_attackers(certificate)
    share = worst[0].exposure(certificate.k).people_share if worst else 0.0
    if distortion(certificate):
        advice = "Choose a smaller k: little in this graph is from the original. As it is, share it under an agreement."
    elif share > MOST:
        advice = "Most people are exposed to a better informed attacker: share public/ under an agreement, not openly."
    elif worst:
        advice = "Put public/ on your site only if you accept these risks; else share it under an agreement."
    else:
        advice = "Put public/ on your site only if nobody else holds a similar graph; else share it under an agreement."
    return " ".join((advice, *_more_protection(certificate, worst, asking), "Lock private/ away."))


def _more_protection(
    certificate: Certificate, worst: list[AttackerFigures], asking: Callable[[Goal], str]
) -> Iterator[str]:
    """The guarantees that can still be asked for, where they would help."""
    asked, k = certificate.goals, certificate.k
    if level_of(asked, NMF) is None:
        return
    degrees = any(each.name == Degree.attacker for each in worst)
    if degrees and level_of(asked, Degree) is None and k <= certificate.graph.vertices:
        yield f"Against an attacker who knows how many friends a person has, {asking(Degree(k))}."
    if named_by_a_count(certificate) is not None:
        yield f"Against naming one person by a mutual-friend count, {asking(Spread(MOST))}."
