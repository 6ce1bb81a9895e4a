"""What every reader hands over: vertices, pairs as the file gives them, and what it says about itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Parsed"]


@dataclass(frozen=True)
class Parsed:
    """A file's content, not yet made simple."""

    labels: NDArray[Any]
    pairs: NDArray[np.int32]  # two columns of vertex numbers
    directed: bool = False  # the file declares itself so
    edge_attributes: tuple[str, ...] = ()  # names of those that are dropped
    vertex_attributes: Mapping[str, NDArray[Any]] = field(default_factory=dict)  # those that are kept
    dropped_vertex_attributes: tuple[str, ...] = ()
    line_of: Callable[[int], int | None] = lambda pair: None  # the line that gives a pair
