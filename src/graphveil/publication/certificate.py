"""The certificate of a graph that was counted: what the graph file shows, and what only its owner can count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphveil._version import __version__
from graphveil.errors import VerificationError
from graphveil.goals import GOALS, Goals, goal_against, largest_k
from graphveil.publication.report.discretion import towards_everybody
from graphveil.risk.auditing import Audit
from graphveil.verification.documents import (
    CERTIFICATE_SCHEMA,
    AttackerFigures,
    AttributeGroups,
    Certificate,
    Changes,
    DataSet,
    Exposure,
    GraphFile,
    KeptAttribute,
    Naming,
    Reduction,
    Statement,
    Tool,
)
from graphveil.verification.facts import Facts, with_implied
from graphveil.verification.graphs import Verification

if TYPE_CHECKING:
    from graphveil.graph import Graph
    from graphveil.methods.result import Result


def certificate(
    facts: Facts,
    *,
    file: str,
    format: str,
    sha256: str,
    changes: Changes,
    kept: Sequence[Sequence[KeptAttribute]] = ((), ()),
    groups: Sequence[AttributeGroups | None] = (None, None),
    data_set: DataSet,
    reductions: Sequence[Reduction] = (),
) -> Certificate:
    """The certificate of a graph of which the facts were counted, all but the lines on report and README.

    ``kept`` and ``groups`` are those of people, and those of friendships.
    """
    return Certificate(
        schema=CERTIFICATE_SCHEMA,
        tool=Tool("graphveil", __version__),
        data_set=data_set,
        graph=GraphFile(file, format, sha256, facts.vertices, facts.edges),
        guarantees=facts.guarantees,
        changes=changes,
        reductions=tuple(reductions),
        after=None,
        vertex_attributes=tuple(kept[0]),
        people=None,
        attribute_groups=groups[0],
        edge_attributes=tuple(kept[1]),
        edge_attribute_groups=groups[1],
        attackers=facts.attackers,
        report=None,
        readme=None,
    )


def reductions_in(facts: Facts, result: Result) -> tuple[Reduction, ...]:
    """What was reduced: before, as coarsely as the public page says it; after, as everybody counts it."""
    shares = {(each.name, at.k): at.people_share for each in facts.attackers for at in each.exposures}
    original, k = result.original, largest_k(result.goals)
    return tuple(
        Reduction(
            attacker=each.attacker,
            k=each.k,
            before=share_before(original, k, each.people_before),
            after=shares[each.attacker, each.k],
        )
        for each in result.reductions
    )


def share_before(original: Graph, k: int, people: int) -> float | None:
    """A share of the people of the original, for everybody who knows what is guaranteed at k."""
    discretion = towards_everybody(k, original.n, original.m)
    if discretion.decimals is None or not original.n:
        return None
    return discretion.share(people / original.n, original.n)[0]


def facts_counted_elsewhere(
    found: Audit, checked: Verification, degrees: Mapping[int, int], goals: Goals
) -> Facts:
    """The facts about a graph that was counted on several machines, in two ways that must agree."""
    for attacker in found.attackers:
        kind = goal_against(attacker.name)
        if (
            kind is not None
            and (check := checked.get(kind.name))
            and check.achieved != attacker.smallest_group
        ):
            raise VerificationError(f"audit and recount disagree about {kind.name}. Please report this.")
    sizes: dict[str, dict[int, int]] = {"mutual-friends": dict(found.histogram), "degree": dict(degrees)}
    given = with_implied(goals)
    statements = []
    for kind in (GOALS[each.guarantee] for each in checked.checks):
        goal, implied_by = given.get(kind.name, (None, None))
        groups = sizes.get(kind.attacker) if kind.bounds == "size" else None
        statements.append(
            Statement(
                kind.name,
                None if goal is None else goal.level,
                implied_by,
                checked[kind.name].achieved,
                None if groups is None else {str(value): size for value, size in groups.items() if size},
            )
        )
    return Facts(checked.vertices, checked.edges, tuple(statements), tuple(map(_figures, found.attackers)))


def _figures(attacker: Any) -> AttackerFigures:
    """An attacker of the audit, without the names that it found."""
    return AttackerFigures(
        **{
            name: getattr(attacker, name)
            for name in AttackerFigures.__dataclass_fields__
            if name not in ("exposures", "naming")
        },
        exposures=tuple(Exposure(**vars(each)) for each in attacker.exposures),
        naming=None if attacker.naming is None else Naming(**vars(attacker.naming)),
    )
