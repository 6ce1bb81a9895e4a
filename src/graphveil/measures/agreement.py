"""How alike two distributions are, and how alike two rankings of the same vertices.

Total variation is the share of the vertices (or edges) that would have to take another value. It shows many small
changes. The earth mover's distance says how far they would have to move on average. It shows a few large ones. Both
are meant for counts. Values that are hardly ever equal, as betweenness, get the Kolmogorov–Smirnov distance, which
needs no bins.
"""

from __future__ import annotations

from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

TOP = 0.01  # share of the vertices that count as the most central
DIGITS = 10  # values that agree in so many digits tie: what is left is rounding

Values = NDArray[Any]


def _shares(before: Values, after: Values) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Share of each count 0, 1, 2, … in both; None where one of them is empty."""
    if not len(before) or not len(after):
        return None
    length = int(max(before.max(), after.max())) + 1
    return np.bincount(before, minlength=length) / len(before), np.bincount(after, minlength=length) / len(
        after
    )


def total_variation(before: Values, after: Values) -> float | None:
    """Half the summed differences of the shares of each count, from 0 to 1.

    >>> total_variation(np.array([1, 1, 2, 3]), np.array([1, 1, 1, 3]))
    0.25
    """
    shares = _shares(before, after)
    return None if shares is None else float(np.abs(shares[0] - shares[1]).sum() / 2)


def earth_mover(before: Values, after: Values) -> float | None:
    """How far a count has to move on average to turn one distribution into the other.

    >>> earth_mover(np.array([1, 1, 2, 3]), np.array([1, 1, 2, 7]))
    1.0
    """
    shares = _shares(before, after)
    return None if shares is None else float(np.abs(np.cumsum(shares[0] - shares[1])).sum())


def kolmogorov_smirnov(before: Values, after: Values) -> float | None:
    """Largest difference of the shares of values up to some value, from 0 to 1.

    >>> kolmogorov_smirnov(np.array([0.5, 1.5, 2.5, 3.5]), np.array([0.5, 0.5, 0.5, 3.5]))
    0.5
    """
    if not len(before) or not len(after):
        return None
    places = _round(np.concatenate((before, after)))
    halves = np.sort(places[: len(before)]), np.sort(places[len(before) :])
    up_to = [np.searchsorted(values, places, side="right") / len(values) for values in halves]
    return float(np.abs(up_to[0] - up_to[1]).max())


def rank_agreement(before: Values, after: Values) -> float | None:
    """Spearman's rank correlation, ties sharing their mean rank; None where all values are equal.

    >>> rank_agreement(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 15.0]))
    0.5
    """
    from scipy.stats import rankdata

    ranks = [rankdata(_round(values)) for values in (before, after)]
    ranks = [rank - rank.mean() if len(rank) else rank for rank in ranks]
    spread = float(np.sqrt((ranks[0] @ ranks[0]) * (ranks[1] @ ranks[1])))
    return float(ranks[0] @ ranks[1]) / spread if spread > 0 else None


def number_at_top(n: int) -> int:
    """How many of n vertices are the highest 1 %."""
    return ceil(TOP * n)


def top_agreement(before: Values, after: Values) -> float | None:
    """Share of the highest 1 % (at least one) of the vertices that are the highest 1 % in both; ties by number.

    >>> top_agreement(np.arange(200), np.arange(200) % 199)
    0.5
    """
    if not len(before):
        return None
    count = number_at_top(len(before))
    highest = [np.argsort(-_round(values), kind="stable")[:count] for values in (before, after)]
    return len(np.intersect1d(highest[0], highest[1])) / count


def _round(values: Values) -> NDArray[np.float64]:
    """Values to a number of digits below the largest, so that ties are ties again."""
    values = values.astype(np.float64)
    scale = float(np.abs(values).max(initial=0.0))
    return np.round(values / scale, DIGITS) if scale > 0 else values
