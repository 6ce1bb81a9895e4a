"""k-degree anonymity (Liu & Terzi 2008): every degree that occurs, occurs on k vertices or more."""

from __future__ import annotations

from typing import ClassVar, Literal

from graphveil.goals.goal import Goal, way_out
from graphveil.recounting import Check, Recount, at_least
from graphveil.words import counted as number


class Degree(Goal):
    """Every number of friends that occurs, occurs at at least k people."""

    name = "k-degree"
    parameter = "degree_k"
    attacker = "degree"
    what = "friends"
    of: ClassVar[Literal["friendships", "people"]] = "people"
    sentence = (
        "An attacker who knows only how many friends a person has can identify the person with probability "
        "at most 1/{level}."
    )

    def out_of_reach(self, vertices: int) -> str | None:
        """More vertices than there are."""
        if self.level <= vertices:
            return None
        there = number(vertices, "vertex is", "vertices are")
        return f"degree k={self.level:,} is out of reach: only {there} there to share a degree. {way_out(vertices)}"

    def check(self, counted: Recount) -> Check:
        """The sizes of the groups."""
        return at_least(self.name, counted.degrees, int(self.level))
