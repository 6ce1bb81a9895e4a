"""What attackers see: the signatures by which the search groups people and friendships.

A signature is local: a change of one friendship alters those of its two ends, of their friendships and of their mutual
friends only. A new attacker is a row here and a line in `signature_of_person` or `signature_of_pair` of
`graphveil.kernels.reduce`, which say the same for one person or friendship.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.graph import Graph
from graphveil.risk.attackers import ATTACKERS, Model
from graphveil.risk.grouping import Seen


@dataclass(frozen=True)
class Signature:
    """What one attacker sees."""

    attacker: str  # its name in the table of attackers
    kind: str  # the name of its number in `graphveil.kernels.reduce`

    @property
    def model(self) -> Model:
        """The row of the audit, by which the result is counted."""
        return next(model for model in ATTACKERS if model.name == self.attacker)

    def exposed(self, graph: Graph, k: int) -> NDArray[np.bool_]:
        """Which people or friendships are in a group below k."""
        groups = self.model.groups
        assert groups is not None
        seen = Seen(graph, graph.mutual_friends)
        _, group, sizes = np.unique(groups(seen), return_inverse=True, return_counts=True)
        below: NDArray[np.bool_] = (sizes < k)[group]
        return below

    def people(self, graph: Graph, exposed: NDArray[np.bool_]) -> int:
        """How many people are exposed, by themselves or by a friendship of theirs."""
        if self.model.target == "vertex":
            return int(exposed.sum())
        return len(np.unique(graph.edges[exposed]))


SIGNATURES = (
    Signature("degree", "DEGREE"),
    Signature("degree-and-triangles", "DEGREE_AND_TRIANGLES"),
    Signature("mutual-friends-around", "COUNTS_AROUND"),
    Signature("mutual-friends", "COUNT"),
    Signature("edge-degrees", "DEGREES"),
    Signature("edge-degrees-and-mutual-friends", "DEGREES_AND_COUNT"),
)


def signature_named(attacker: str) -> Signature:
    """The row of an attacker, or an error that names all there are.

    >>> signature_named("degree-and-triangles").model.target
    'vertex'
    """
    for signature in SIGNATURES:
        if signature.attacker == attacker:
            return signature
    known = ", ".join(signature.attacker for signature in SIGNATURES)
    raise ParameterError(f"nothing can be reduced for the attacker {attacker!r}. Choose one of {known}.")


def number_of(signature: Signature) -> int:
    """The number of its kind in the kernel."""
    from graphveil.kernels import reduce as kernel

    number: Any = getattr(kernel, signature.kind)
    return int(number)
