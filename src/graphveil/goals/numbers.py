"""The guarantees about one number: k-NMF, k-degree and spread."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from graphveil.goals.goal import Goal, way_out
from graphveil.recounting import Check, Recount, at_least, at_most
from graphveil.words import counted as number
from graphveil.words import percent


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
        problem = f"degree k={self.level:,} is out of reach: only {there} there to share a degree."
        return f"{problem} {way_out(vertices, 'a degree k')}"

    def check(self, counted: Recount) -> Check:
        """The sizes of the groups."""
        return at_least(self.name, counted.degrees, int(self.level))


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
