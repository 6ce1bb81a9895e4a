"""Property 1 of the paper: do mutual-friend counts follow a power law, at least in their tail?

After A. Clauset, C. R. Shalizi, M. E. J. Newman: Power-law distributions in empirical data, SIAM Review 51, 2009. The
discrete power law is fitted to all counts of at least x_min, by maximum likelihood. x_min is where the Kolmogorov–
Smirnov distance between data and fit is smallest. Then Vuong's likelihood-ratio test compares it with a log-normal and
an exponential distribution, fitted to the same tail.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import erfc, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST = 100  # edges that a tail must have: below, no alternative can be told apart
SIGNIFICANT = 0.1  # Clauset, Shalizi and Newman trust the sign of a ratio below this p

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rival:
    """Another distribution: Vuong's normalized log-likelihood ratio, above 0 where the power law fits better."""

    ratio: float
    p: float

    @property
    def word(self) -> str:
        """Which of the two fits better."""
        if self.p >= SIGNIFICANT:
            return "undecided"
        return "power law" if self.ratio > 0 else "rival"


@dataclass(frozen=True)
class Tail:
    """The counts of at least ``least``, and the distributions fitted to them.

    ``least`` is x_min, ``share`` that of the edges with mutual friends. ``survival`` is for the plot: by name, the
    share of edges with a count of at least x, for the last x in ``counts``.
    """

    least: int
    edges: int
    share: float
    exponent: float
    distance: float
    rivals: dict[str, Rival]
    counts: tuple[int, ...] = field(repr=False)
    survival: dict[str, tuple[float, ...]] = field(repr=False)

    @property
    def word(self) -> str:
        """``power law`` where no rival fits better and one fits worse, ``rival`` where one fits better."""
        words = {rival.word for rival in self.rivals.values()}
        return next((word for word in ("rival", "power law") if word in words), "undecided")


def tail_of(counts: NDArray[Any]) -> Tail | None:
    """The tail of mutual-friend counts; None where no tail is long enough.

    >>> rng = np.random.default_rng(1)
    >>> tail = tail_of(rng.zipf(2.5, 5000))
    >>> round(tail.exponent, 1), tail.word
    (2.5, 'power law')
    """
    values, sizes = np.unique(counts[counts > 0], return_counts=True)
    fits = [
        _power_law(values[at:].astype(float), sizes[at:])
        for at in range(len(values) - 1)
        if sizes[at:].sum() >= LEAST
    ]
    if not fits:
        return None
    at = min(range(len(fits)), key=lambda each: fits[each][1])
    exponent, distance = fits[at]
    x, n = values[at:].astype(float), sizes[at:]
    ours = _zeta_logs(x, exponent)
    others = {"log-normal": _log_normal(x, n), "exponential": _exponential(x, n)}
    start = n.sum() / sizes.sum()
    return Tail(
        least=int(x[0]),
        edges=int(n.sum()),
        share=float(start),
        exponent=exponent,
        distance=distance,
        rivals={name: _vuong(ours, logs, n) for name, (logs, _) in others.items()},
        counts=tuple(values.tolist()),
        survival={
            "edges": tuple((sizes[::-1].cumsum()[::-1] / sizes.sum()).tolist()),
            "power law": tuple((start * _zeta_survival(x, exponent)).tolist()),
            **{name: tuple((start * above).tolist()) for name, (_, above) in others.items()},
        },
    )


def _vuong(ours: Floats, theirs: Floats, n: NDArray[np.int64]) -> Rival:
    each, total = ours - theirs, int(n.sum())
    mean = float(each @ n) / total
    spread = sqrt(float((each - mean) ** 2 @ n) / total) or 1e-12
    ratio = mean * sqrt(total) / spread
    return Rival(ratio, erfc(abs(ratio) / sqrt(2)))


# ---------------------------------------------------------------------- the distributions, from x[0] on


def _power_law(x: Floats, n: NDArray[np.int64]) -> tuple[float, float]:
    """The exponent of maximum likelihood, and the Kolmogorov–Smirnov distance."""
    from scipy.optimize import minimize_scalar
    from scipy.special import zeta

    total, logs = n.sum(), float(n @ np.log(x))
    found = minimize_scalar(
        lambda a: total * log(zeta(a, x[0]) or 1e-300) + a * logs, bounds=(1.01, 50), method="bounded"
    )
    exponent = float(found.x)
    empirical = n[::-1].cumsum()[::-1] / total
    return exponent, float(np.abs(empirical - _zeta_survival(x, exponent)).max())


def _zeta_logs(x: Floats, exponent: float) -> Floats:
    from scipy.special import zeta

    logs: Floats = -exponent * np.log(x) - np.log(zeta(exponent, x[0]))
    return logs


def _zeta_survival(x: Floats, exponent: float) -> Floats:
    from scipy.special import zeta

    above: Floats = zeta(exponent, x) / zeta(exponent, x[0])
    return above


def _exponential(x: Floats, n: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Log-likelihood of each count, and the share of those at least as large."""
    further = float(n @ (x - x[0])) / n.sum()
    ratio = further / (1 + further)
    return np.log1p(-ratio) + (x - x[0]) * np.log(ratio), ratio ** (x - x[0])


def _log_normal(x: Floats, n: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """The same for a log-normal distribution, rounded to whole numbers."""
    from scipy.optimize import minimize
    from scipy.special import log_ndtr

    def log_above(at: Floats, mu: float, sigma: float) -> Floats:
        logs: Floats = log_ndtr(-(np.log(at - 0.5) - mu) / sigma)
        return logs

    def logs(mu: float, sigma: float) -> Floats:
        here, next_one = log_above(x, mu, sigma), log_above(x + 1, mu, sigma)
        found: Floats = here + np.log(-np.expm1(np.minimum(next_one - here, -1e-12))) - here[0]
        return found

    def cost(p: Floats) -> float:
        return -float(n @ logs(p[0], np.exp(p[1]))) if abs(p[1]) < 5 and abs(p[0]) < 200 else np.inf

    middle = float(n @ np.log(x)) / n.sum()
    spread = sqrt(float(n @ (np.log(x) - middle) ** 2) / n.sum())
    found = minimize(
        cost,
        np.array([middle, log(spread + 0.1)]),
        method="Nelder-Mead",
        options={"maxiter": 4000, "xatol": 1e-6, "fatol": 1e-6},
    )
    mu, sigma = float(found.x[0]), float(np.exp(found.x[1]))
    above = log_above(x, mu, sigma)
    return logs(mu, sigma), np.exp(above - above[0])
