"""What a certificate says, weighed: the figures that words in any language are made of.

So much of a graph may be new that it has little to do with the original. The guarantee holds whatever that costs. The
owner is told before publishing, and readers are told in the report.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphveil.errors import ParameterError
from graphveil.goals import NMF, Spread, level_of
from graphveil.verification.documents import (
    AttackerFigures,
    AttributeGroups,
    Certificate,
    Changes,
    EarlierRelease,
    KeptAttribute,
)
from graphveil.verification.releases import GUARANTEED, OF_PEOPLE
from graphveil.words import counted

MOST_EDGES, MOST_PEOPLE = 0.5, 0.1  # shares that may be new without a warning
MOST = 0.5  # a share of the people, or of a group, above which the advice is to share under an agreement


def check_k(edges: int, k: float | None) -> None:
    """Refuse to publish a graph with a k above the number of its friendships; None where no k-NMF is guaranteed.

    Then no group of the original is large enough, and every group needs added friendships. `graphveil.anonymize` can do
    that, but what it gives is not the owner's network any more.

    >>> check_k(300, 25)
    >>> check_k(300, 301)
    Traceback (most recent call last):
    graphveil.errors.ParameterError: k = 301 is too large: the graph has 300 friendships. Choose k up to 300, ...
    """
    if k is None or k <= edges or not edges:
        return
    problem = f"k = {k:,} is too large: the graph has {counted(edges, 'friendship')}"
    if edges < 2:
        raise ParameterError(f"{problem}. This graph is too small to be published.")
    raise ParameterError(
        f"{problem}. Choose k up to {edges:,}, better far below: every group needs k of them."
    )


def is_distorted(vertices: int, edges: int, changes: Changes) -> bool:
    """Whether more than half of the friendships or a tenth of the people in a graph are not in the original.

    >>> changes = Changes(edges_added=30, edges_deleted=9, vertices_added=2)
    >>> [is_distorted(20, edges, changes) for edges in (59, 60)], is_distorted(19, 60, changes)
    ([True, False], True)
    """
    return changes.edges_added > MOST_EDGES * edges or changes.vertices_added > MOST_PEOPLE * vertices


def original_edges(certificate: Certificate) -> int:
    changes = certificate.changes
    return certificate.graph.edges - changes.edges_added + changes.edges_deleted


def worst_attackers(certificate: Certificate) -> list[AttackerFigures]:
    """Attackers against whom there is no guarantee and to whom somebody is exposed, the worst first."""
    guaranteed = guaranteed_against(certificate).keys()
    k = certificate.k
    exposing = [
        each
        for each in certificate.attackers
        if each.name not in guaranteed and each.exposures and each.exposure(k).people
    ]
    return sorted(exposing, key=lambda each: -each.exposure(k).people)  # a stable sort: ties as in the table


def identifying(certificate: Certificate) -> list[AttackerFigures]:
    """The attackers who know published attributes alone, where these identify people: published at the owner's word."""
    return [each for each in worst_attackers(certificate) if each.name in ("attributes", "edge-attributes")]


def guaranteed_against(certificate: Certificate) -> dict[str, int]:
    """The attackers against whom there is a least size of groups, and this size."""
    sizes: dict[str, int] = {}
    for goal in certificate.goals:
        for attacker in (goal.attacker, *goal.also_against) if goal.bounds == "size" else ():
            sizes[attacker] = max(int(goal.level), sizes.get(attacker, 0))
    people, ties = certificate.attribute_groups, certificate.edge_attribute_groups
    given = {
        "attributes": people.k if people else None,
        "edge-attributes": ties.k if ties else None,
        "edge-attributes-and-mutual-friends": ties.k_with_mutual_friends if ties else None,
    }
    k = certificate.k  # of several k, attributes are published for the largest
    return sizes | {attacker: k for attacker, least in given.items() if least is not None and least >= k}


@dataclass(frozen=True)
class Kept:
    """The attributes of people, or of friendships, that a certificate names."""

    of: str  # "people" or "friendships"
    groups: AttributeGroups
    attributes: tuple[KeptAttribute, ...]

    @property
    def known(self) -> list[str]:
        """Those by which groups are formed."""
        return [each.name for each in self.attributes if each.name not in self.groups.sensitive]

    @property
    def not_diverse(self) -> list[str]:
        """Sensitive attributes that a group gives away, where nothing is guaranteed."""
        diverse = self.groups.l_diversity is not None
        return [name for name, fewest in self.groups.diversity.items() if fewest < 2 and not diverse]


def kept_of(certificate: Certificate) -> tuple[Kept, ...]:
    """The attributes of people and of friendships, where there are any."""
    sides = (
        ("people", certificate.attribute_groups, certificate.vertex_attributes),
        ("friendships", certificate.edge_attribute_groups, certificate.edge_attributes),
    )
    return tuple(Kept(of, groups, kept) for of, groups, kept in sides if groups is not None)


def named_by_a_count(certificate: Certificate) -> float | None:
    """The share of the friendships with one count that one person is part of, where it is large and not bounded."""
    share = certificate[Spread.name].achieved
    return (
        share if level_of(certificate.goals, Spread) is None and share is not None and share > MOST else None
    )


def says_nothing(certificate: Certificate) -> bool:
    """Whether k-NMF is guaranteed of a graph in which no two friends have a mutual friend."""
    counts = certificate[NMF.name].group_sizes or {}
    return level_of(certificate.goals, NMF) is not None and set(counts) == {"0"}


def exposed_in_both(after: EarlierRelease) -> dict[str, float]:
    """The shares of friendships and people that both releases expose, where that is not ruled out by a guarantee."""
    joint, guarantees = after.joint, {"friendships": GUARANTEED, "people": OF_PEOPLE}
    return {
        each: joint[f"{each}_exposed"] / joint[each]
        for each, guarantee in guarantees.items()
        if joint.get(each) and guarantee not in joint
    }
