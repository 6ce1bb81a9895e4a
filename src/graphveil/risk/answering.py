"""What an audit found, in sentences that the command line, the studio and notebooks share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphveil.goals import GOALS
from graphveil.risk.auditing import Attacker, Audit, Finding
from graphveil.words import counted, percent, plain

MOST = 5  # friendships whose attributes are shown


def answer(found: Audit, k: int | None = None) -> str:
    """How many friendships their mutual-friend counts expose, at one k of the audit; by default the largest.

    >>> from graphveil import Graph, audit
    >>> graph = Graph.from_edges([("Alice", "Bob"), ("Alice", "Carl"), ("Bob", "Carl"), ("Carl", "Dell")])
    >>> print(answer(audit(graph, k=2)).split(": fewer")[0])
    At k = 2: 1 of 4 friendships (25 %) is exposed
    >>> print(answer(audit(graph, k=1)))
    At k = 1 no friendship is exposed by its mutual-friend count.
    """
    k = found.k[-1] if k is None else k
    exposure = found["mutual-friends"].exposures[found.k.index(k)]
    if not exposure.exposed:
        return f"At k = {k:,} no friendship is exposed by its mutual-friend count."
    few = f"at most {k:,}" if found.at_most else f"fewer than {k:,}"
    are, belong = ("is", "It belongs") if exposure.exposed == 1 else ("are", "They belong")
    return (
        f"At k = {k:,}: {exposure.exposed:,} of {found.edges:,} friendships ({percent(exposure.share)}) {are} exposed: "
        f"{few} have the same mutual-friend count. {belong} to {counted(exposure.people, 'person', 'people')}."
    )


def exposed_in_words(exposed: int, people: int, k: int, knows: str) -> str:
    """How many people are exposed to an attacker.

    >>> exposed_in_words(1, 80, 25, "how many friends a person has")
    '1 of 80 people (1.2 %) is exposed at k = 25 to an attacker who knows how many friends a person has.'
    """
    return (
        f"{exposed:,} of {counted(people, 'person', 'people')} ({percent(exposed / people)}) "
        f"{'is' if exposed == 1 else 'are'} exposed at k = {k:,} to an attacker who knows {knows}."
    )


def reduced_in_words(knows: str, k: int, before: int, after: int) -> str:
    """How many people were exposed to an attacker before and after changes were spent on it.

    >>> reduced_in_words("how many friends a person has", 5, 46, 19)
    'People exposed at k = 5 to an attacker who knows how many friends a person has: 46 before, 19 after.'
    """
    return (
        f"People exposed at k = {k:,} to an attacker who knows {knows}: {before:,} before, {after:,} after."
    )


def roughly_in_words(within: float) -> str:
    """How well an attacker knows a number who knows it to within a factor.

    >>> roughly_in_words(1.5), roughly_in_words(2), roughly_in_words(1.2)
    ('knows it to within half as much again', 'knows it to within twice as much', 'knows it to within a factor of 1.2')
    """
    known = {1.5: "half as much again", 2.0: "twice as much"}
    return f"knows it to within {known.get(within, f'a factor of {within:g}')}"


def worst(found: Audit) -> str:
    """The attacker to whom most people are exposed at the largest k, and what to do about it.

    >>> from graphveil import Graph, audit
    >>> graph = Graph.from_edges([("Alice", "Bob"), ("Alice", "Carl"), ("Bob", "Carl"), ("Carl", "Dell")])
    >>> print(worst(audit(graph, k=2)).split(". ")[0])
    Worst: 4 of 4 people (100 %) are exposed at k = 2 to an attacker who knows how many friends each of two friends has
    >>> worst(audit(graph, k=1))
    'At k = 1 nobody is exposed to these attackers. Against one with a similar graph: graphveil attack.'
    """
    k = found.k[-1]
    exposing = [each for each in found.attackers if each.exposures[-1].people]
    if not exposing:
        return f"At k = {k:,} nobody is exposed to these attackers. Against one with a similar graph: graphveil attack."
    first = max(exposing, key=lambda each: each.exposures[-1].people)
    sentence = exposed_in_words(first.exposures[-1].people, found.vertices, k, first.knows)
    return f"Worst: {sentence} {_remedy(found, exposing)}"


def _remedy(found: Audit, exposing: Sequence[Attacker]) -> str:
    """Which attackers can be stopped, and what to do about the others."""
    k, most = found.k[-1], {"friendships": found.edges, "people": found.vertices}
    wanted = [GOALS[each.guarantee] for each in exposing if each.guarantee]
    guarantees = [each for each in wanted if max(k, 2) <= most[each.of]]
    left = any(not each.guarantee for each in exposing)
    options = " ".join(f"{each.option()} {max(k, 2)}" for each in guarantees)
    stop = f"graphveil anonymize {options} stops attackers who know only one such number. " if options else ""
    if len(guarantees) < len(wanted):
        stop += f"The graph is too small for a guarantee with k = {k:,}; choose a smaller k. "
    others = "the others" if wanted else "them"
    share = f"No k stops {others}: share the graph under an agreement if they matter." if left else ""
    return f"What to do: {stop}{share}".strip()


def finding_in_words(finding: Finding) -> str:
    """What exposes one person or one friendship.

    >>> print(finding_in_words(Finding(("Ann", "Bob"), {"mutual_friends": 17}, 1)))
    17 mutual friends, the only friendship like this
    >>> print(finding_in_words(Finding(("Ann",), {"degree": 4}, 12)))
    4 friends, one of 12 people
    """
    one, many = ("friendship", "friendships") if len(finding.labels) == 2 else ("person", "people")
    size = finding.group_size
    group = f"the only {one} like this" if size == 1 else f"one of {size:,} {many}"
    return f"{knowledge_in_words(finding.knowledge)}, {group}"


def knowledge_in_words(knowledge: Mapping[str, Any]) -> str:
    """What an attacker has to know.

    >>> knowledge_in_words({"degrees": [3, 9], "mutual_friends": 1})
    '3 and 9 friends, 1 mutual friend'
    >>> knowledge_in_words({"degree": 4, "triangles": 2})
    '4 friends, 2 pairs of friends who are friends'
    """
    each = (*knowledge.get("attributes", ()), *knowledge.get("edge_attributes", ()))
    parts = [
        ", ".join(f"{plain(name, 40)} {plain(value, 40)}" for name, value in one.items() if value is not None)
        for one in each[:MOST]
    ]
    parts += [f"{len(each) - MOST:,} more"] * (len(each) > MOST)
    if "degree" in knowledge:
        parts.append(counted(knowledge["degree"], "friend"))
    if "in_and_out_degree" in knowledge:
        parts.append("{:,} friendships to and {:,} from the person".format(*knowledge["in_and_out_degree"]))
    if "triangles" in knowledge:
        parts.append(f"{counted(knowledge['triangles'], 'pair')} of friends who are friends")
    for name, what in (("degrees", "friends"), ("several_mutual_friends", "mutual friends")):
        if name in knowledge:
            parts.append(" and ".join(f"{number:,}" for number in knowledge[name]) + f" {what}")
    if "mutual_friends" in knowledge:
        parts.append(counted(knowledge["mutual_friends"], "mutual friend"))
    return ", ".join(parts) or "a row of mutual-friend counts"
