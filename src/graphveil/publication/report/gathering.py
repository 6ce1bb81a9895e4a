"""All that the reports say of the original, and of the two graphs together.

The level decides how much is counted, because a report should not take longer than the run itself. Every report has
the audit of the original. `quick` and `full` add the simulated attacks and the usefulness.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphveilError, ParameterError
from graphveil.goals import NMF, Degree
from graphveil.graph import Graph
from graphveil.methods.result import Result
from graphveil.mutual import mutual_friends
from graphveil.publication.documents import AttackRecord
from graphveil.publication.report.drawing import Neighbourhood, neighbourhood
from graphveil.publication.words import attacked
from graphveil.risk.auditing import Audit, audit
from graphveil.verification.documents import Certificate
from graphveil.verification.facts import ks_of

if TYPE_CHECKING:
    from graphveil.measures.comparison import Utility
    from graphveil.measures.profiling import Measuring
    from graphveil.risk.simulation import Attack

ReportLevel = Literal["brief", "quick", "full"]
LEVELS: tuple[ReportLevel, ...] = get_args(ReportLevel)
EXPOSED = 10  # of the most exposed friendships and people are named to the owner


@dataclass(frozen=True)
class Findings:
    """What `findings` counted."""

    # How many the original has
    vertices: int
    edges: int
    # Of the original by guarantee, from each value to how many friendships or people have it
    group_sizes: Mapping[str, Mapping[int, int]]
    # Of the friendship of the original that its mutual-friend count exposes most
    neighbourhood: Neighbourhood | None
    audit: Audit  # of the original
    # Where the report is not brief
    attacks: tuple[Attack, ...] = ()
    utility: Utility | None = None
    attack: AttackRecord | None = None  # by an attacker with a similar graph; None where it would take long
    similar: str = ""  # the same in words, with more of it in a full report


def findings(
    result: Result, certificate: Certificate, level: str | None = None, progress: Measuring | None = None
) -> Findings:
    """Count what the reports of a result need, at one of `LEVELS`; by default brief."""
    before, after = result.original, result.graph
    level = checked_level(level) or "brief"
    counts = mutual_friends(before)
    sizes = {NMF.name: _group_sizes(counts), Degree.name: _group_sizes(before.degrees)}
    sizes_after = certificate[NMF.name].group_sizes or {}
    around = neighbourhood(result, counts, sizes_after, certificate.k)
    ks = ks_of(certificate.goals, certificate.reductions)
    attack = _attack(result, always=level == "full")
    similar = attacked(attack) if attack else ""
    open_, on_edges = (
        {each.name for each in kept} - set(certificate.sensitive)
        for kept in (certificate.vertex_attributes, certificate.edge_attributes)
    )
    audited = audit(before.with_attributes(open_, on_edges), ks, top=EXPOSED)
    found = Findings(before.n, before.m, sizes, around, audited, attack=attack, similar=similar)
    if level == "brief":
        return found
    from graphveil.measures.comparison import utility
    from graphveil.risk.reidentification import in_a_sentence, reidentify
    from graphveil.risk.simulation import simulate_attacks

    return replace(
        found,
        attacks=simulate_attacks(before, after),
        # Under its own fixed seed, never that of the result.
        utility=utility(before, after, quick=level == "quick", progress=progress),
        similar=in_a_sentence(reidentify(before, after)) if level == "full" and before.m else similar,
    )


def _attack(result: Result, *, always: bool) -> AttackRecord | None:
    """A simulated attack, where it takes less than half a minute or was asked for."""
    from graphveil.risk.reidentification import AFFORDABLE, MISSING, found_by_default

    if not result.original.m or not (always or result.original.m <= AFFORDABLE):
        return None
    found = found_by_default(result.original, result.graph)
    return (
        None if found.share is None else AttackRecord(MISSING, found.share, found.scaled_to, linked(result))
    )


def linked(result: Result) -> float | None:
    """Share of the people of the earlier release who are found in this one by structure alone; None without one."""
    from graphveil.risk.reidentification import reidentify

    if result.carried is None or result.carried.release is None:
        return None
    earlier, before = result.carried.release.published, result.carried.before(result.graph.n)
    labels = np.where(before >= 0, before, earlier.n + np.arange(result.graph.n))
    later = Graph(result.graph.edges, result.graph.n, labels)
    try:
        return reidentify(Graph(earlier.edges, earlier.n), later, missing=0.0).after.share
    except GraphveilError:  # too few are in both to tell
        return None


def checked_level(level: str | None) -> str | None:
    """The level, if there is such a one."""
    if level is not None and level not in LEVELS:
        raise ParameterError(f"there is no report {level!r}; choose one of {', '.join(LEVELS)}.")
    return level


def _group_sizes(values: NDArray[Any]) -> dict[int, int]:
    sizes = np.bincount(values)
    occurring = np.flatnonzero(sizes)
    return dict(zip(occurring.tolist(), sizes[occurring].tolist(), strict=True))
