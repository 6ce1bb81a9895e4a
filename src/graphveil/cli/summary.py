"""Before and after: what each guarantee bounds, and the changes that were made for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphveil.cli.terminal import table
from graphveil.goals import NMF, Degree, Goal, Goals
from graphveil.mutual import mutual_friends
from graphveil.risk.attackers import ATTACKERS
from graphveil.risk.auditing import achieved
from graphveil.risk.grouping import Seen
from graphveil.verification.releases import Joint, guaranteed_together
from graphveil.words import counted, percent

if TYPE_CHECKING:
    from rich.table import Table

    from graphveil.graph import Graph
    from graphveil.methods.reduce.reducing import Reduction
    from graphveil.methods.result import Result
    from graphveil.verification.documents import EarlierRelease


def summary(results: Sequence[Result], after: Sequence[EarlierRelease | None] = ()) -> Table:
    """Before and after, a row for each k and each guarantee at its own level, with the changes made for it.

    ``after`` is what the certificates say of earlier releases; a guarantee over both has a row of its own. So has what
    was to be reduced without a guarantee, each at its own k, and mutual friends also where nothing is guaranteed about
    them.
    """
    rows = [_row(result, kind, level) for result in results for kind, level in _levels(result.goals)]
    rows += [_over_both(each) for both in after if both for each in guaranteed_together(both.joint)]
    rows += [_reduced(result, each) for result in results for each in result.reductions]
    headings = (
        "guarantee", "exposed", "achieved", "friendships\nadded", "friendships\ndeleted", "people\nadded",
    )  # fmt: skip
    return table(headings, rows)


def _levels(goals: Goals) -> list[tuple[type[Goal], float | None]]:
    """Each guarantee and its level; that of mutual friends may be implied, or None."""
    others = [(type(goal), goal.level) for goal in goals if type(goal) is not NMF]
    return [
        (NMF, next((goal.level for goal in goals if NMF.name in (goal.name, *goal.implies)), None)),
        *others,
    ]


def _row(result: Result, kind: type[Goal], level: float | None) -> tuple[str, ...]:
    """A guarantee before and after."""
    goal = kind(level or result.k)
    graphs = result.original, result.graph
    best = (achieved(graph, [goal])[0] for graph in graphs)
    words = " → ".join(
        "any" if each is None else kind.level_in_words(each).removeprefix("k = ") for each in best
    )
    exposed = " → ".join(f"{_exposed(graph, goal):,}" for graph in graphs) if kind.bounds == "size" else ""
    return str(goal) if level else f"{kind.name}: nothing", exposed, words, *_changes(result, kind)


def _reduced(result: Result, each: Reduction) -> tuple[str, ...]:
    """An attacker of ``reduce`` before and after."""
    name = f"no guarantee, measured: {each.attacker}, k = {each.k:,}"
    return name, f"{each.before:,} → {each.after:,}", "", *(f"with {result.goals[0].name}",) * 3


def _over_both(each: Joint) -> tuple[str, ...]:
    """A guarantee over this release and the earlier one, for which there is no before."""
    return f"{each.name}, k = {each.k:,}", "0", f"{each.smallest or 'any'}", *("with all others",) * 3


def _exposed(graph: Graph, goal: Goal) -> int:
    """How many are in groups of fewer than the guarantee asks for."""
    model = next(each for each in ATTACKERS if each.name == goal.attacker)
    seen = Seen(graph, mutual_friends(graph))
    if model.memberships is not None:
        return int((model.memberships(seen, 2).smallest < goal.level).sum())
    assert model.groups is not None
    sizes = np.bincount(model.groups(seen))
    return int(sizes[sizes < goal.level].sum())


def _changes(result: Result, kind: type[Goal]) -> tuple[str, ...]:
    """Friendships added, deleted and people added for one guarantee; together they are all changes."""
    first, degrees = type(result.goals[0]), result.degrees
    if kind is not first and not (kind is Degree and degrees):
        return (f"with {first.name}" if any(type(goal) is kind for goal in result.goals) else "",) * 3
    added, people = (0, 0)
    if degrees and first is not Degree:
        both = set(map(tuple, result.added.tolist())) & set(map(tuple, degrees.added.tolist()))
        added, people = len(both), degrees.new_vertices
    if kind is not first:
        return _with_shares(result, (added, 0, people))
    rest = len(result.added) - added, len(result.deleted), len(result.new_vertices) - people
    return _with_shares(result, rest)


def _with_shares(result: Result, numbers: tuple[int, int, int]) -> tuple[str, ...]:
    """Friendships added, friendships deleted and people added, with what share of the original that is."""
    wholes = max(result.original.m, 1), max(result.original.m, 1), max(result.original.n, 1)
    return tuple(
        f"{count:,} ({percent(count / whole)})" for count, whole in zip(numbers, wholes, strict=True)
    )


def unprotected(result: Result) -> str:
    """A warning if the mutual friend attack may still work on a result; else nothing."""
    if _levels(result.goals)[0][1] is not None:
        return ""
    return (
        f"{result.method} does not protect against mutual friend attacks: {_exposed(result.graph, NMF(result.k)):,} of "
        f"{counted(result.graph.m, 'friendship')} are exposed at k = {result.k:,}. To stop them, "
        f"{_remedy(result.method)}."
    )


def _remedy(method: str) -> str:
    from graphveil.methods.table import METHODS

    return "ask for -k too" if NMF in METHODS[method].goals else "use another method"
