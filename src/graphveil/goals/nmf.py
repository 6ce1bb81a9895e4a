"""k-NMF anonymity (Sun, Yu, Kong, Fu 2013): every mutual-friend count that occurs, occurs on k edges or more."""

from __future__ import annotations

from typing import ClassVar, Literal

from graphveil.goals.goal import Goal, way_out
from graphveil.recounting import Check, Recount, at_least
from graphveil.words import counted as number


class NMF(Goal):
    """Every mutual-friend count that occurs, occurs on at least k friendships."""

    name = "k-NMF"
    parameter = "k"
    attacker = "mutual-friends"
    what = "mutual friends"
    of: ClassVar[Literal["friendships", "people"]] = "friendships"
    sentence = (
        "An attacker who knows only how many mutual friends two friends have can identify the friendship "
        "with probability at most 1/{level}."
    )

    def out_of_reach(self, vertices: int) -> str | None:
        """More edges than there are pairs."""
        pairs = vertices * (vertices - 1) // 2
        if self.level <= pairs:
            return None
        most = number(pairs, "edge")
        return (
            f"k={self.level:,} is out of reach: {vertices:,} vertices have at most {most}. {way_out(pairs)}"
        )

    def check(self, counted: Recount) -> Check:
        """The sizes of the groups."""
        return at_least(self.name, counted.mutual_friends, int(self.level))
