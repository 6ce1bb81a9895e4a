"""What of the original may be shown, and how finely.

Attackers read the public page too. They have the published graph and its certificate. The page adds figures of the
original, and each of them is an equation that the true changes must solve. So the page shows no figure that depends
on a few people:

- Only figures over the whole graph: those of the table of measures that are marked as such. There is no
  largest value, no diameter and no eigenvalue (the largest of the Laplacian is close to the largest number of
  friends).
- Figures are rounded to a step that is larger than the effect of k people or friendships.
- Distributions are in ranges that hold at least k of the original each. The outermost ranges are open.
- Nothing that depends on the true changes. This excludes who is found by the simulated attack, because it would
  tell an attacker how far to trust a single candidate. It also excludes how well added friendships can be detected.

The owner's page has no such limits. Both are made by the same code, from a `Discretion`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

from graphveil.words import percent

MOST_DECIMALS = 3


@dataclass(frozen=True)
class Discretion:
    """How finely the original is shown."""

    public: bool  # whether only figures over the whole graph are shown
    least: int  # how many friendships or people a figure has to be about
    # Digits after the point that shares are rounded to, other figures likewise; None to show nothing
    decimals: int | None

    @property
    def step(self) -> float:
        """What shares are rounded to."""
        assert self.decimals is not None
        return 10.0**-self.decimals

    def round(self, value: float, scale: float = 1.0) -> float:
        """The value to as many digits as may be shown, of a figure that is at most about ``scale``."""
        assert self.decimals is not None
        return float(round(value / scale, self.decimals) * scale)

    def share(self, share: float, of: int | None = None) -> tuple[float, str]:
        """A share, of so many of the original where that is known, as a number to draw and in words."""
        assert self.decimals is not None
        digits = max(self.decimals - 2, 0)
        if not self.public:
            return share, percent(share)
        rounded = self.round(share)
        if rounded == 0 or (of and share * of < self.least - 0.5):
            rounded, words = 0.0, f"under {self.step:.{digits}%}"
        elif rounded == 1 or (of and (1 - share) * of < self.least - 0.5):
            rounded, words = 1.0, f"over {1 - self.step:.{digits}%}"
        else:
            words = f"{rounded:.{digits}%}"
        return rounded, words.replace("%", " %")

    def span(self, share: float, of: int | None = None) -> tuple[float, str]:
        """A share as `share` rounds it, in words as all that it may be: it stands beside one that is not rounded.

        >>> towards_everybody(5, 120, 400).span(0.12), towards_everybody(25, 56_739, 212_945).span(0.12)
        ((0.1, '5–15 %'), (0.12, '11.95–12.05 %'))
        """
        rounded, words = self.share(share, of)
        if not self.public or rounded in (0, 1):
            return rounded, words
        assert self.decimals is not None
        digits = max(self.decimals - 1, 0)
        low, high = (100 * (rounded + side * self.step / 2) for side in (-1, 1))
        return rounded, f"{low:.{digits}f}–{high:.{digits}f} %"

    def beside(self, other: float, rounded: float, words: str) -> tuple[float, str]:
        """A rounded share, drawn as the exact one beside it where rounding alone may be the difference."""
        reach = self.step if rounded in (0, 1) else self.step / 2
        return (other if self.public and abs(other - rounded) <= reach else rounded), words

    def figure(self, value: float, scale: float = 1.0) -> tuple[float, str]:
        """A figure, as a number to draw and in words."""
        assert self.decimals is not None
        if not self.public and float(value).is_integer():
            return value, f"{value:,.0f}"
        rounded = self.round(value, scale) + 0.0  # no negative zero
        return rounded, f"{rounded:,.{max(self.decimals - round(log10(scale)), 0)}f}"

    def figures(
        self, before: float, after: float, scale: float, bounds: tuple[float, float] | None
    ) -> tuple[tuple[float, str], tuple[float, str]]:
        """A figure of both graphs: towards everybody the range of the first, and the second as everybody counts it.

        >>> towards_everybody(10, 300, 1600).figures(0.142, 0.158, 1.0, (0, 1))
        ((0.1, '0.05–0.15'), (0.158, '0.158'))
        """
        if not self.public:
            return self.figure(before, scale), self.figure(after, scale)
        assert self.decimals is not None
        rounded, half = self.round(before, scale), self.step * scale / 2
        low, high = rounded - half, rounded + half
        if bounds:
            low, high = max(low, bounds[0]), min(high, bounds[1])
        digits = max(self.decimals + 1 - round(log10(scale)), 0)
        words = f"{low:,.{digits}f}{' to ' if low < 0 else '–'}{high:,.{digits}f}"
        drawn = after if abs(after - rounded) <= half else rounded
        return (drawn, words), (after, f"{after:,.{digits + 1}f}")


OPEN = Discretion(public=False, least=1, decimals=4)


def towards_everybody(k: int, vertices: int, edges: int) -> Discretion:
    """The discretion for the public page of an original of that size.

    >>> towards_everybody(25, 56_739, 212_945).decimals, towards_everybody(5, 120, 400).decimals
    (3, 1)
    >>> towards_everybody(5, 20, 40).decimals is None
    True
    """
    crowds = min(vertices, edges) / k
    decimals = min(floor(log10(crowds)), MOST_DECIMALS) if crowds >= 1 else 0
    return Discretion(public=True, least=k, decimals=decimals or None)
