"""Spread: nobody is part of more than a share of the friendships with one mutual-friend count."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from graphveil.goals.goal import Goal
from graphveil.recounting import Check, Recount, at_most
from graphveil.words import percent


class Spread(Goal):
    """No person is an end of more than that share of the friendships with one mutual-friend count."""

    name = "spread"
    parameter = "spread"
    attacker = "mutual-friends"
    bounds: ClassVar[Literal["size", "share"]] = "share"
    what = "mutual friends"
    of: ClassVar[Literal["friendships", "people"]] = "friendships"
    sentence = (
        "An attacker who knows only how many mutual friends two friends have can name a person with "
        "probability at most {level}: nobody is part of more than {level} of the friendships with one count."
    )

    def out_of_reach(self, vertices: int) -> str | None:
        """The vertices cannot lie on less than 2 of n edges each, on average, of any group."""
        if self.level >= 2 / vertices:
            return None
        least = math.ceil(200 / vertices) / 100
        return (
            f"spread={self.level:g} is out of reach: with {vertices:,} vertices, one lies on "
            f"{percent(2 / vertices)} of a group at least. Choose a spread of {least:g} or more."
        )

    def check(self, counted: Recount) -> Check:
        """The share of each group that touches one person."""
        return at_most(self.name, counted.mutual_friends, counted.edges, self.level)
