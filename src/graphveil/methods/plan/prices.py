"""What a plan of the search pays for each kind of step, and the plans that a descent begins with (docs/plan.md)."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["FALLS", "FIRST", "FORBIDDEN", "MORE", "NEVER", "Prices"]

NEVER = 1 << 40  # the price of deleting an edge or adding one where that is not planned
FORBIDDEN = 1 << 20  # the price of lowering an edge where none may be deleted
FEW = 16  # a k for which all plans are looked at
MARGIN = 8  # the part of k by which more edges may cross a boundary than a single group needs
FALLS = (1, 2, 4, 8, 16, 32, 64)  # prices of lowering an edge by one in the plans after the first


class Prices(NamedTuple):
    """What the plan pays to move an edge by one."""

    rise: int = 1  # to raise it
    fall: int = 1  # to lower it
    drop: int = NEVER  # to delete it
    come: int = NEVER  # to add one between two people without mutual friends, by which no other moves
    free: int = 0  # lowering edges from below this count costs nothing
    toll: int = 0  # for every boundary between two counts that any edge crosses

    def crossing(self, k: int) -> tuple[int, int]:
        """How many edges a plan may move over one boundary, upwards and downwards.

        A group that lacks members gets them from below, or gives its own away downwards, whichever costs less: together
        these are k. A plan that moves more joins several small groups; some more are allowed for these.

        Examples
        --------
        >>> Prices().crossing(100), Prices(fall=4).crossing(100), Prices(fall=4, free=9).crossing(100)
        ((62, 62), (92, 32), (100, 100))
        """
        if self.free or k < FEW:
            return k, k
        up, more = k * self.fall // (self.rise + self.fall), k // MARGIN
        return min(up + more, k), min(k - up + more, k)


# Plans to begin a descent with. Which of them leads to the shortest solution differs from graph to graph, by a factor
# of two and more: whether the edges far above the others are lowered, deleted or joined is decided here.
FIRST = (
    Prices(),
    Prices(drop=20),
    Prices(toll=3),
    Prices(drop=20, toll=3),
    Prices(drop=10),
    Prices(rise=3, fall=2),
    Prices(drop=3),
)
MORE = (  # in a graph with few vertices
    Prices(drop=2),
    Prices(drop=1),
    Prices(toll=1),
    Prices(rise=3),
    Prices(rise=3, drop=10),
    Prices(rise=3, drop=5),
    Prices(rise=3, drop=3),
    Prices(rise=3, toll=2),
    Prices(rise=3, drop=10, toll=3),
    Prices(rise=8, drop=4),
    Prices(rise=8, drop=2),
    Prices(rise=20, drop=5),
)
