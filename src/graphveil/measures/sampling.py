"""A value and its error, estimated by leaving out one group at a time.

This is the jackknife of M. H. Quenouille (1956) and J. W. Tukey (1958). A figure comes from equally large random
groups. It is computed again without each group in turn. How much it varies gives its standard error. How far its
mean moves gives its bias. An agreement of noisy rankings, for example, is too low by more than it varies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from graphveil.stopping import check

Told = Callable[[float], None]  # called with the share of the work that is done


@dataclass(frozen=True)
class Estimate:
    """A value, None where it is not defined, and its standard error: 0 where it is exact, NaN where it is not known.

    ``sampled`` marks a value that is not exact although its error was found to be 0.
    """

    value: float | None
    error: float = 0.0
    sampled: bool = field(default=False, repr=False)


def jackknife(value: float | None, without_group: Sequence[float | None], sampled: float) -> Estimate:
    """The value with the root of its mean squared error, that is of its variance and its squared bias.

    ``without_group`` has the figure without each group in turn. Where all of the population is sampled, there is no
    error.

    >>> jackknife(2.0, [1.5, 2.0, 2.5], sampled=0.0)
    Estimate(value=2.0, error=0.5773502691896257)
    """
    others = np.array([other for other in without_group if other is not None])
    if value is None or len(others) < 2:
        return Estimate(value)
    variance = (len(others) - 1) * float(np.var(others))
    bias = (len(others) - 1) * (float(np.mean(others)) - value)
    return Estimate(value, sqrt((1 - sampled) * (variance + bias**2)))


def slices(number: int, length: int, told: Told | None) -> Iterator[slice]:
    """Consecutive slices of so many things; before each the work can be stopped, and is told how far it is.

    Compiled code cannot be stopped until it returns, so long work calls it slice by slice.

    >>> list(slices(5, 2, None))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 6, None)]
    """
    for first in range(0, number, length):
        check()
        if told:
            told(first / number)
        yield slice(first, first + length)
