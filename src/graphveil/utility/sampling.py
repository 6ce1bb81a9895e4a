"""A value and how far it may be off, and how to find that out by leaving out one group at a time.

M. H. Quenouille (1956) and J. W. Tukey (1958): when a figure comes from equally large random groups, its standard
error follows from how it varies as each group in turn is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

__all__ = ["Estimate", "jackknife"]


@dataclass(frozen=True)
class Estimate:
    """A value, None where it is not defined, and its standard error, 0 where it is exact."""

    value: float | None
    error: float = 0.0


def jackknife(value: float | None, without_group: Sequence[float | None], sampled: float) -> Estimate:
    """The value with its standard error, from the values without each group and the share that was sampled.

    Examples
    --------
    >>> jackknife(2.0, [1.5, 2.0, 2.5], sampled=0.0)
    Estimate(value=2.0, error=0.5773502691896257)
    """
    others = [other for other in without_group if other is not None]
    if value is None or len(others) < 2:
        return Estimate(value)
    return Estimate(value, sqrt((1 - sampled) * (len(others) - 1) * float(np.var(others))))
