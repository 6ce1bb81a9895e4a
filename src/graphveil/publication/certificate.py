"""What a published graph guarantees and what it does not, as facts that everybody can count again.

The certificate has two parts. `describe` reads the first off the published graph alone, so `graphveil verify` can
confirm every word of it. Only the owner can count the second: the changes. docs/certificate.md has the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass
from threading import Thread
from typing import TypeVar

import numpy as np

from graphveil._version import __version__
from graphveil.errors import VerificationError
from graphveil.goals import goal_named
from graphveil.graph import Graph
from graphveil.publication.documents import (
    CERTIFICATE_SCHEMA,
    AttackerFigures,
    Certificate,
    Changes,
    DataSet,
    GraphFile,
    KeptAttribute,
    Statement,
    Tool,
)
from graphveil.publication.made_up import SAYS_LITTLE, mostly_made_up
from graphveil.publication.verdict import SIMILAR
from graphveil.risk.auditing import Attacker, Audit, audit
from graphveil.risk.guarantees import Guarantee, guarantee_against
from graphveil.verification import Verification, recheck
from graphveil.words import counted, percent

__all__ = ["Described", "certificate", "describe", "describe_counted", "sizes_promised"]

Answer = TypeVar("Answer")

NOT_GUARANTEED = (
    "There is no guarantee against an attacker who knows more than that. The section on attackers counts how far some "
    "of them get. With several of a person's friendships, with larger parts of the network, or with accounts that were "
    "created before the data was collected, people may still be identified.",
    SIMILAR,
    "{friendships} and {people} in this graph are in the original too. Neither that two people are friends nor that a "
    "person is part of the network is hidden: this is not differential privacy.",
    "If another version of the same network is published, the two can be compared, and together they may give away "
    "more than this certificate says.",
    "This certificate is not signed. It says what can be counted in the graph file, not who published it.",
)
KEPT = (
    "Attributes of people were kept at the owner's request. Attributes can identify people, whatever the graph is "
    "like, and no guarantee covers them. Dummy people have the attributes of others, chosen at random."
)
WARNING = (
    "Kept at the owner's request. It can identify people, alone or with the graph; no guarantee covers it."
)


@dataclass(frozen=True)
class Described:
    """All that a certificate says about the graph alone."""

    vertices: int
    edges: int
    guarantees: tuple[Statement, ...]
    attackers: tuple[AttackerFigures, ...]


def describe(graph: Graph, promises: Mapping[Guarantee, float]) -> Described:
    """All that the certificate says about the graph alone, verified by an independent recount.

    Parameters
    ----------
    graph
        As published
    promises
        The level of each guarantee that is given

    Examples
    --------
    >>> from graphveil import Graph
    >>> square = Graph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> described = describe(square, {Guarantee.NMF: 2})
    >>> [(each.guarantee, each.promised, each.achieved) for each in described.guarantees]
    [('k-NMF', 2, 4), ('k-degree', None, 4), ('spread', None, 0.5)]
    """
    levels = {
        each: promises.get(each, 1) for each in Guarantee
    }  # a size or a share of 1 holds in every graph
    recount = _beside(lambda: recheck(graph, [goal_named(each, level) for each, level in levels.items()]))
    found = audit(graph, sizes_promised(promises), top=0)
    return describe_counted(
        found, recount.result(), dict(enumerate(np.bincount(graph.degrees).tolist())), promises
    )


def sizes_promised(promises: Mapping[Guarantee, float]) -> list[int]:
    """Each k that is guaranteed: what attackers find is counted for these.

    Examples
    --------
    >>> sizes_promised({Guarantee.NMF: 25, Guarantee.DEGREE: 10, Guarantee.SPREAD: 0.5})
    [10, 25]
    """
    return sorted({int(level) for each, level in promises.items() if each.terms.bounds == "size"}) or [1]


def describe_counted(
    found: Audit, checked: Verification, degrees: Mapping[int, int], promises: Mapping[Guarantee, float]
) -> Described:
    """The same of a graph that was counted elsewhere, in two ways.

    Parameters
    ----------
    found
        The audit, for every guaranteed k
    checked
        The independent recount of all guarantees
    degrees
        How many vertices have each degree
    promises
        The level of each guarantee that is given
    """
    _agree(found, checked)
    sizes = {"mutual-friends": dict(found.histogram), "degree": degrees}
    return Described(
        checked.vertices,
        checked.edges,
        tuple(_state(each, promises.get(each), checked, found, sizes) for each in Guarantee),
        tuple(map(_without_names, found.attackers)),
    )


def _agree(found: Audit, checked: Verification) -> None:
    """Two ways of counting must say the same, or none of them is trusted."""
    for attacker in found.attackers:
        guarantee = guarantee_against(attacker.name)
        if guarantee is not None and checked[guarantee].achieved != attacker.smallest_group:
            raise VerificationError(f"audit and recount disagree about {guarantee}. Please report this.")
    spread, naming = checked[Guarantee.SPREAD].achieved, found[Guarantee.SPREAD.terms.attacker].naming
    if naming is not None and (spread or 0.0) != naming.largest_share:
        raise VerificationError("audit and recount disagree about the spread. Please report this.")


def _state(
    guarantee: Guarantee,
    promised: float | None,
    checked: Verification,
    found: Audit,
    sizes: Mapping[str, Mapping[int, int]],
) -> Statement:
    attacker = guarantee.terms.attacker
    groups = sizes.get(attacker) if guarantee.terms.bounds == "size" else None
    return Statement(
        guarantee=guarantee,
        knows=found[attacker].knows,
        promised=promised,
        achieved=checked[guarantee].achieved,
        group_sizes=None if groups is None else {str(value): size for value, size in groups.items() if size},
    )


def _without_names(attacker: Attacker) -> AttackerFigures:
    return AttackerFigures(**{name: vars(attacker)[name] for name in AttackerFigures.__dataclass_fields__})


def _beside(work: Callable[[], Answer]) -> Future[Answer]:
    """Work on the other core, in a thread that Ctrl-C does not wait for."""
    answer: Future[Answer] = Future()
    context = copy_context()

    def run() -> None:
        try:
            answer.set_result(context.run(work))
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=run, daemon=True).start()
    return answer


def certificate(
    described: Described,
    *,
    file: str,
    format: str,
    sha256: str,
    changes: Changes,
    attributes: Sequence[str],
    data_set: DataSet,
) -> Certificate:
    """The certificate of a graph that `describe` has described, all but the lines on report and README."""
    return Certificate(
        schema=CERTIFICATE_SCHEMA,
        tool=Tool("graphveil", __version__),
        data_set=data_set,
        graph=GraphFile(file, format, sha256, described.vertices, described.edges),
        guarantees=described.guarantees,
        changes=changes,
        vertex_attributes=tuple(KeptAttribute(name, WARNING) for name in attributes),
        attackers=described.attackers,
        limits=tuple(_limits(described, changes, attributes)),
        report=None,
        readme=None,
    )


def _limits(described: Described, changes: Changes, attributes: Sequence[str]) -> list[str]:
    """What is guaranteed and what is not, in plain words."""
    vertices, edges = described.vertices, described.edges
    true = {
        "friendships": f"{edges - changes.edges_added:,} of {counted(edges, 'friendship')}",
        "people": f"{vertices - changes.vertices_added:,} of {counted(vertices, 'person', 'people')}",
    }
    return [
        *(_guaranteed(each) for each in described.guarantees),
        *([SAYS_LITTLE] if mostly_made_up(vertices, edges, changes) else []),
        *([KEPT] if attributes else []),
        *(sentence.format(**true) for sentence in NOT_GUARANTEED),
    ]


def _guaranteed(each: Statement) -> str:
    guarantee = Guarantee(each.guarantee)
    if each.promised is not None:
        return (
            f"Guaranteed ({guarantee}, {guarantee.level(each.promised)}): {guarantee.in_words(each.promised)}"
        )
    return f"Not guaranteed: {guarantee}. This graph happens to have {_achieved(guarantee, each.achieved)}."


def _achieved(guarantee: Guarantee, level: float | None) -> str:
    """A level that nobody relies on, rounded as everywhere else."""
    if level is None:
        return "any"
    return guarantee.level(level) if guarantee.terms.bounds == "size" else percent(level)
