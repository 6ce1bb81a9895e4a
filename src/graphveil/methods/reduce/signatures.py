"""What attackers see in a graph: the signatures by which the search groups people and friendships.

A signature is local: a change of one friendship alters those of the two ends, of their friendships and of their mutual
friends only. A new attacker is one row here, with its number in `graphveil.kernels.reduce`, where
`signature_of_person` or `signature_of_pair` says the same for one person or one friendship.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph

Integers = NDArray[np.signedinteger[Any]]
