"""What the plans of a search pay for each kind of step, and how much each goal weighs (docs/plan.md)."""

from __future__ import annotations

from typing import NamedTuple

NEVER = 1 << 40  # the cost of deleting an item or adding one where that is not planned
FORBIDDEN = 1 << 20  # the cost of lowering an item where it may not fall
FEW = 16  # a k for which all plans are looked at
MARGIN = 8  # the part of k by which more edges may cross a boundary than a single group needs


class StepCosts(NamedTuple):
    """What a plan pays to move an item by one: an edge by its mutual friends, or a vertex by its degree."""

    rise: int = 1  # to raise it
    fall: int = 1  # to lower it
    drop: int = NEVER  # to delete it
    come: int = NEVER  # to add an edge between two people without mutual friends, by which no other moves
    free: int = 0  # lowering edges from below this count costs nothing
    toll: int = 0  # for every boundary between two counts that any edge crosses

    def crossing(self, k: int) -> tuple[int, int]:
        """How many edges a plan may move over one boundary, upwards and downwards.

        A group that lacks members gets them from below, or gives its own away downwards, whichever costs less: together
        these are k. A plan that moves more joins several small groups; some more are allowed for these.

        >>> StepCosts().crossing(100), StepCosts(fall=4).crossing(100), StepCosts(fall=4, free=9).crossing(100)
        ((62, 62), (92, 32), (100, 100))
        """
        if self.free or k < FEW:
            return k, k
        up, more = k * self.fall // (self.rise + self.fall), k // MARGIN
        return min(up + more, k), min(k - up + more, k)


class Stage(NamedTuple):
    """What a search aims at for a while."""

    edge: StepCosts = StepCosts()
    degree: StepCosts = StepCosts()
    weights: tuple[int, int] = (1, 1)  # of what is left of mutual friends and of degrees
    if_exposed: bool = False  # passed over where every edge is in a group that is large enough

    def upwards(self) -> Stage:
        """The same where edges only come."""
        return self._replace(
            edge=StepCosts(fall=FORBIDDEN, come=1), degree=self.degree._replace(fall=FORBIDDEN)
        )
