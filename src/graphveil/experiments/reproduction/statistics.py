"""Estimates with intervals, for runs that nothing pairs.

Runs of two methods share no chance, even under the same seed: the same number means nothing to another method. So their
difference is the median of all pairwise differences (Hodges and Lehmann), with the interval of the rank-sum test (Mann
and Whitney). One sample has Student's interval of its mean. Correlations have Fisher's interval.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import atanh, inf, sqrt, tanh

import numpy as np


@dataclass(frozen=True)
class Interval:
    """An estimate, and the bounds within which the true value lies at the confidence asked for."""

    estimate: float
    low: float
    high: float


Estimator = Callable[[float], Interval]  # of the probability to err


@dataclass(frozen=True)
class Question:
    """One comparison: where, what was estimated, and the region in which the paper's statement puts it."""

    at: str
    estimator: Estimator
    above: float = -inf
    below: float = inf

    def answer(self, error: float) -> tuple[Interval, int]:
        """The interval, and 1 where it lies inside the region, -1 where it lies outside, 0 where it is open."""
        found = self.estimator(error)
        if self.above < found.low and found.high < self.below:
            return found, 1
        return found, -1 if found.high < self.above or found.low > self.below else 0


def difference(xs: Sequence[float], ys: Sequence[float]) -> Estimator:
    """How much larger the xs are than the ys.

    >>> difference([5, 6, 7, 8, 9], [1, 2, 3, 4, 5])(0.05)
    Interval(estimate=4.0, low=2.0, high=6.0)
    >>> difference([5], [1])(0.05)
    Interval(estimate=4.0, low=-inf, high=inf)
    """
    from scipy.stats import norm

    pairs = np.sort(np.subtract.outer(np.asarray(xs, float), np.asarray(ys, float)).ravel())
    m, n = len(xs), len(ys)

    def estimate(error: float) -> Interval:
        rank = m * n / 2 - norm.isf(error / 2) * sqrt(m * n * (m + n + 1) / 12)
        bounds = (-inf, inf) if rank < 0 else (float(pairs[int(rank)]), float(pairs[-int(rank) - 1]))
        return Interval(float(np.median(pairs)), *bounds)

    return estimate


def mean(xs: Sequence[float]) -> Estimator:
    """The mean of a sample.

    >>> mean([3, 3, 3])(0.05)
    Interval(estimate=3.0, low=3.0, high=3.0)
    """
    from scipy.stats import t

    def estimate(error: float) -> Interval:
        middle = float(np.mean(xs))
        if len(xs) < 2:
            return Interval(middle, -inf, inf)
        far = float(t.isf(error / 2, len(xs) - 1) * np.std(xs, ddof=1) / sqrt(len(xs)))
        return Interval(middle, middle - far, middle + far)

    return estimate


def known(value: float) -> Estimator:
    """A figure that no chance is in."""
    return lambda error: Interval(value, value, value)


def rank_trend(xs: Sequence[float], ys: Sequence[float]) -> Estimator:
    """Spearman's correlation, with the standard error of Bonett and Wright (2000)."""
    from scipy.stats import rankdata

    return _correlation(rankdata(xs), rankdata(ys), lambda r: 1 + r * r / 2)


def linear(xs: Sequence[float], ys: Sequence[float]) -> Estimator:
    """Pearson's correlation."""
    return _correlation(np.asarray(xs, float), np.asarray(ys, float), lambda r: 1.0)


def _correlation(xs: object, ys: object, variance: Callable[[float], float]) -> Estimator:
    from scipy.stats import norm

    a, b = np.asarray(xs, float), np.asarray(ys, float)

    def estimate(error: float) -> Interval:
        if np.ptp(a) == 0 or np.ptp(b) == 0 or len(a) < 5:
            return Interval(0.0, -1.0, 1.0)
        r = min(max(float(np.corrcoef(a, b)[0, 1]), -1 + 1e-9), 1 - 1e-9)
        far = float(norm.isf(error / 2)) * sqrt(variance(r) / (len(a) - 3))
        return Interval(r, tanh(atanh(r) - far), tanh(atanh(r) + far))

    return estimate
