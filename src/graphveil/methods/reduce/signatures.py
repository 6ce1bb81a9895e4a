"""What attackers see: the signatures by which the search groups people and friendships.

A signature is local: a change of one friendship alters those of its two ends, of their friendships and of their mutual
friends only. A new attacker is a row here and a line in `signature_of_person` or `signature_of_pair` of
`graphveil.kernels.reduce`, which say the same for one person or friendship.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.graph import Graph
from graphveil.risk.attackers import ATTACKERS as AUDITED
from graphveil.risk.attackers import Integers

__all__ = ["SIGNATURES", "Signature", "signature_named"]


@dataclass(frozen=True)
class Signature:
    """What one attacker sees.

    Attributes
    ----------
    attacker
        Its name in the table of attackers
    kind
        The name of its number in `graphveil.kernels.reduce`
    target
        What it looks for
    groups
        From graph and mutual-friend counts to a number per person or friendship, the same for the same signature
    """

    attacker: str
    kind: str
    target: Literal["edge", "vertex"]
    groups: Callable[[Graph, Integers], Integers]

    def exposed(self, graph: Graph, k: int) -> NDArray[np.bool_]:
        """Which people or friendships are in a group below k."""
        _, group, sizes = np.unique(
            self.groups(graph, graph.mutual_friends), return_inverse=True, return_counts=True
        )
        below: NDArray[np.bool_] = (sizes < k)[group]
        return below

    def people(self, graph: Graph, exposed: NDArray[np.bool_]) -> int:
        """How many people are exposed, by themselves or by a friendship of theirs."""
        if self.target == "vertex":
            return int(exposed.sum())
        return len(np.unique(graph.edges[exposed]))


def degree_and_triangles(graph: Graph, counts: Integers) -> Integers:
    """One number per person for the number of friends and the triangles at the person."""
    triangles = np.zeros(graph.n, np.int64)
    np.add.at(triangles, graph.edges.ravel(), np.repeat(counts.astype(np.int64), 2))
    return triangles // 2 * max(graph.n, 1) + graph.degrees


def _audited(attacker: str, kind: str) -> Signature:
    """A row whose groups are those of the audit."""
    model = next(model for model in AUDITED if model.name == attacker)
    assert model.groups is not None
    return Signature(attacker, kind, model.target, model.groups)


SIGNATURES = (
    _audited("degree", "DEGREE"),
    Signature("degree-and-triangles", "DEGREE_AND_TRIANGLES", "vertex", degree_and_triangles),
    _audited("mutual-friends-around", "COUNTS_AROUND"),
    _audited("mutual-friends", "COUNT"),
    _audited("edge-degrees", "DEGREES"),
    _audited("edge-degrees-and-mutual-friends", "DEGREES_AND_COUNT"),
)


def signature_named(attacker: str) -> Signature:
    """The row of an attacker, or an error that names all there are.

    Examples
    --------
    >>> signature_named("degree-and-triangles").target
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
