"""The attack, simulated: what an attacker who knows the original counts finds in the published graph.

The attackers are those of `graphveil.audit`. Each knows one thing about a target in the original, for example the
number of mutual friends of two friends. This is not the exposure of an audit, which counts groups within one graph:
there the attacker knows the numbers of the graph that it looks in. The candidates are all edges (or vertices) of the
published graph with the same number. If the target is among c candidates, the attacker is right with probability 1/c.
If it is not, because its count changed or the edge was deleted, the attacker is wrong in any case. The simulation knows
the truth by the names of the vertices. The attacker does not.

A guarantee stops only its own attacker: k-NMF the one who knows mutual friends, k-degree the one who knows degrees.
The others show the remaining risk.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import places
from graphveil.goals import goal_against
from graphveil.graph import Graph
from graphveil.mutual import mutual_friends
from graphveil.notebooks import long_work
from graphveil.records import plain
from graphveil.risk.attackers import PARTITIONS
from graphveil.risk.grouping import Seen
from graphveil.stopping import stoppable

Integers = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True)
class Success:
    """The success of an attacker against all targets, one after the other."""

    certain: int  # targets that are the only candidate
    expected: float | None  # mean probability of picking the right one; None where there is no target
    misled: int  # targets for which the only candidate is a wrong one
    out_of_sight: int  # targets that are not among the candidates, those of ``misled`` included


@dataclass(frozen=True)
class Attack:
    """One attacker who knows the original, against the original without names, and against the published graph."""

    name: str
    knows: str
    target: Literal["edge", "vertex"]
    promised: bool  # whether some guarantee stops this attacker
    targets: int  # edges or vertices of the original
    before: Success
    after: Success

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, numbers and strings, as described in docs/utility.md."""
        result: dict[str, Any] = plain(self)
        return result


@long_work("simulating attacks")
@stoppable()
def simulate_attacks(before: Graph, after: Graph) -> tuple[Attack, ...]:
    """As `graphveil.simulate_attacks`, of two graphs under the same ids; who is in one of them only is never found.

    >>> bridge = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    >>> closed = Graph.from_edges([*bridge.edges.tolist(), (1, 3)])
    >>> attack = simulate_attacks(bridge, closed)[0]
    >>> attack.name, attack.before.certain, attack.after.certain
    ('mutual-friends', 1, 0)
    """
    place = places(before, after)
    both = Graph(np.concatenate((before.edges, after.edges + np.int32(before.n))), before.n + after.n)
    together = Seen(both, mutual_friends(both))
    place_of = {"edge": _edge_places(before, after, place), "vertex": place}
    attacks = []
    for model in PARTITIONS:
        assert model.groups is not None
        # In one graph that holds both, side by side, equal knowledge gets equal group numbers.
        known, seen = np.split(model.groups(together), [before.m if model.target == "edge" else before.n])
        attacks.append(
            Attack(
                name=model.name,
                knows=model.knows,
                target=model.target,
                promised=goal_against(model.name) is not None,
                targets=len(known),
                before=_success(known, known, np.arange(len(known))),
                after=_success(known, seen, place_of[model.target]),
            )
        )
    return tuple(attacks)


def _edge_places(before: Graph, after: Graph, place: Integers) -> Integers:
    """Row of each original edge among the published ones, −1 where it or an end of it is gone."""
    ends = np.sort(place[before.edges], axis=1)
    old, new = (edges[:, 0] * np.int64(after.n) + edges[:, 1] for edges in (ends, after.edges))
    row = np.searchsorted(new, old)
    return np.where((ends[:, 0] >= 0) & np.isin(old, new), row, -1)


def _success(known: Integers, seen: Integers, places: Integers) -> Success:
    """From the group that each target had, the published groups, and where among these each target is."""
    sizes = np.bincount(seen, minlength=int(known.max(initial=-1)) + 1)
    candidates = sizes[known]
    right = places >= 0
    right[right] = seen[places[right]] == known[right]
    return Success(
        certain=int(np.count_nonzero(right & (candidates == 1))),
        expected=float(np.mean(right / np.maximum(candidates, 1))) if len(known) else None,
        misled=int(np.count_nonzero(~right & (candidates == 1))),
        out_of_sight=int(np.count_nonzero(~right)),
    )
