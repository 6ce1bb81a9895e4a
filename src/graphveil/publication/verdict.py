"""The verdict on a publication in a few sentences: what is guaranteed, what it cost, what is not, what to do.

It is made from the certificate alone, so the end of a run, both reports and README.md say the same. Shares are rounded
by `graphveil.words.percent` everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graphveil.publication.documents import AttackerFigures, Certificate, Changes
from graphveil.risk.answering import exposed_in_words
from graphveil.risk.guarantees import Guarantee
from graphveil.words import counted, percent

__all__ = ["SIMILAR", "UNCHANGED", "Verdict", "as_option", "not_guaranteed", "verdict", "worst_attackers"]

SIMILAR = (  # true of every graph: nobody can be told apart in a complete one, and a poor copy finds few
    "An attacker who holds a nearly complete copy, such as an older version of the graph, may identify many people; "
    "no k stops this. The owner can measure it with graphveil attack. Share under an agreement if that matters."
)
UNCHANGED = "unchanged, only pseudonymized"
WORST = 2  # attackers named in the verdict
OPTIONS = {Guarantee.DEGREE: "degree-k", Guarantee.SPREAD: "spread"}
MOST = 0.5  # a share of the people, or of a group, above which the advice is to share under an agreement


@dataclass(frozen=True)
class Verdict:
    """What a data owner has to know.

    Attributes
    ----------
    guaranteed
        One sentence for each guarantee
    cost
        How much was changed
    not_guaranteed
        The worst figures of this graph, one sentence each
    advice
        What to do
    """

    guaranteed: tuple[str, ...]
    cost: str
    not_guaranteed: tuple[str, ...]
    advice: str

    @property
    def opening(self) -> tuple[tuple[str, str], ...]:
        """The verdict as three short paragraphs, each with its heading."""
        return (
            ("Guaranteed", " ".join(self.guaranteed)),
            ("Cost", self.cost),
            ("Not guaranteed", " ".join((*self.not_guaranteed, SIMILAR))),
        )


def as_option(guarantee: Guarantee, level: float) -> str:
    """How to ask for a guarantee on the command line.

    Examples
    --------
    >>> as_option(Guarantee.SPREAD, 0.5)
    'use --spread 0.5'
    """
    return f"use --{OPTIONS[guarantee]} {level}"


def verdict(certificate: Certificate, *, asking: Callable[[Guarantee, float], str] = as_option) -> Verdict:
    """The verdict on a certified graph.

    Parameters
    ----------
    certificate
        Of the graph
    asking
        How the reader asks for one more guarantee, in words
    """
    return Verdict(
        guaranteed=tuple(each.in_words(level) for each, level in certificate.promises.items()),
        cost=cost(certificate),
        not_guaranteed=tuple(not_guaranteed(certificate)),
        advice=_advice(certificate, asking),
    )


def cost(certificate: Certificate) -> str:
    """What was changed, in one or two sentences."""
    changes, graph = certificate.changes, certificate.graph
    if not changes:
        return f"The graph is {UNCHANGED}: the original already had the guarantee."
    friendships = graph.edges - changes.edges_added + changes.edges_deleted
    return (
        f"{counted(changes.edges_added, 'friendship')} added{_of(changes.edges_added, friendships)} and "
        f"{changes.edges_deleted:,} deleted{_of(changes.edges_deleted, friendships)}; {_dummies(changes)}."
    )


def _of(part: int, whole: int) -> str:
    return f" ({percent(part / whole)})" if part and whole else ""


def _dummies(changes: Changes) -> str:
    if not changes.vertices_added:
        return "no dummy people"
    return f"{counted(changes.vertices_added, 'dummy person', 'dummy people')} added"


def worst_attackers(certificate: Certificate) -> list[AttackerFigures]:
    """Attackers against whom there is no guarantee and to whom somebody is exposed, the worst first."""
    guaranteed = {each.terms.attacker for each in certificate.promises if each.terms.bounds == "size"}
    k = certificate.k
    exposing = [
        each
        for each in certificate.attackers
        if each.name not in guaranteed and each.exposures and each.exposure(k).people
    ]
    return sorted(exposing, key=lambda each: -each.exposure(k).people)  # a stable sort: ties as in the table


def not_guaranteed(certificate: Certificate) -> list[str]:
    """The worst figures of this graph in words: two attackers, and a person who is easily named."""
    k, people = certificate.k, certificate.graph.vertices
    sentences = [
        exposed_in_words(each.exposure(k).people, people, k, each.knows)
        for each in worst_attackers(certificate)[:WORST]
    ]
    share = certificate[Guarantee.SPREAD].achieved
    if Guarantee.SPREAD not in certificate.promises and share is not None and share > MOST:
        sentences.append(
            f"One person is part of {percent(share)} of the friendships with the same mutual-friend count, so an "
            f"attacker who knows this count names that person with probability {percent(share)}."
        )
    if not sentences:
        sentences.append(
            f"At k = {k:,} nobody is exposed to the attackers that were counted, but an attacker with a similar graph "
            "may still find people."
        )
    counts = certificate[Guarantee.NMF].group_sizes or {}
    if Guarantee.NMF in certificate.promises and set(counts) == {"0"}:
        sentences.append(
            "No two friends have a mutual friend, so the k-NMF guarantee says nothing about this graph."
        )
    return sentences


def _advice(certificate: Certificate, asking: Callable[[Guarantee, float], str]) -> str:
    """What to do with the folders, and which options would give more protection."""
    worst = worst_attackers(certificate)
    share = worst[0].exposure(certificate.k).people_share if worst else 0.0
    if share > MOST:
        advice = "Most people are exposed to a better informed attacker: share public/ under an agreement, not openly."
    elif worst:
        advice = "Put public/ on your site only if you accept these risks; else share it under an agreement."
    else:
        advice = "Put public/ on your site only if nobody else holds a similar graph; else share it under an agreement."
    return " ".join((advice, *_more_protection(certificate, worst, asking), "Lock private/ away."))


def _more_protection(
    certificate: Certificate, worst: list[AttackerFigures], asking: Callable[[Guarantee, float], str]
) -> Iterator[str]:
    """The guarantees that can still be asked for, where they would help."""
    asked, k = certificate.promises, certificate.k
    if Guarantee.NMF not in asked:
        return
    degrees = any(each.name == Guarantee.DEGREE.terms.attacker for each in worst)
    if degrees and Guarantee.DEGREE not in asked and k <= certificate.graph.vertices:
        yield f"Against an attacker who knows how many friends a person has, {asking(Guarantee.DEGREE, k)}."
    share = certificate[Guarantee.SPREAD].achieved
    if Guarantee.SPREAD not in asked and share is not None and share > MOST:
        yield f"Against naming one person by a mutual-friend count, {asking(Guarantee.SPREAD, MOST)}."
