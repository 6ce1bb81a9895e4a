"""Friendship anonymity: nobody is told apart by the degrees of both ends of a friendship.

After C.-H. Tai, P. S. Yu, D.-N. Yang, M.-S. Chen: Privacy-preserving social network publication against friendship
attacks, KDD 2011. They count friendships; here different people are counted as well. Twenty-five friendships
with the degrees (700, 1) protect nobody if one person of degree 700 has them all.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.goals.goal import Goal, way_out
from graphveil.recounting import Check, FailingGroup, Recount
from graphveil.words import counted as number

NO_FRIENDS = (0, 0)  # the group of all who have none


class Friendship(Goal):
    """Every ordered pair of degrees that occurs among friends, occurs at k people and on k friendships.

    For each pair (d1, d2), at least k different people of degree d1 have a friend of degree d2, and at least k
    friendships have these two degrees. People without friends are none, or at least k. So every degree is shared by k
    people: k-degree is implied.
    """

    name = "friendship"
    parameter = "friendship_k"
    attacker = "friendship-degrees"
    also_against: ClassVar[tuple[str, ...]] = ("edge-degrees",)
    what = "friends of two friends"
    of: ClassVar[Literal["friendships", "people"]] = "people"
    implies: ClassVar[tuple[str, ...]] = ("k-degree",)
    sentence = (
        "An attacker who knows only how many friends each of two friends has can identify either of them, or the "
        "friendship, with probability at most 1/{level}."
    )

    @classmethod
    def group_in_words(cls, value: Any) -> str:
        """What the members of one group have in common.

        >>> Friendship.group_in_words((12, 3))
        '12 friends and a friend with 3 friends'
        >>> Friendship.group_in_words((0, 0))
        'no friends'
        """
        own, other = value
        return f"{number(own, 'friend')} and a friend with {number(other, 'friend')}" if own else "no friends"

    def out_of_reach(self, vertices: int) -> str | None:
        """More people than there are; a complete graph serves all others, if it has so many friendships."""
        most = vertices if vertices > 2 else 1
        if self.level <= most:
            return None
        there = number(vertices, "vertex is", "vertices are")
        return f"friendship k={self.level:,} is out of reach: only {there} there. {way_out(most, 'a friendship k')}"

    def check(self, counted: Recount) -> Check:
        """The sizes of the groups: of people by both degrees, and not more than there are friendships with them."""
        pairs, sizes = groups_of_people(counted.edges, counted.degrees)
        small = sizes < self.level
        return Check(
            guarantee=self.name,
            wanted=self.level,
            holds=not small.any(),
            achieved=int(sizes.min()) if len(sizes) else None,
            failing=tuple(
                FailingGroup((own, other), size)
                for (own, other), size in zip(pairs[small].tolist(), sizes[small].tolist(), strict=True)
            ),
        )


def groups_of_people(
    edges: NDArray[np.int32], degrees: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The ordered pairs of degrees that occur, ascending, and the size of the group of each.

    >>> star = np.array([[0, 1], [0, 2], [0, 3]])
    >>> pairs, sizes = groups_of_people(star, np.array([3, 1, 1, 1, 0]))
    >>> pairs.tolist(), sizes.tolist()
    ([[0, 0], [1, 3], [3, 1]], [1, 3, 1])
    """
    people = np.concatenate((edges[:, 0], edges[:, 1])).astype(np.int64)
    friends = np.concatenate((edges[:, 1], edges[:, 0]))
    base = int(degrees.max(initial=0)) + 1
    keys, place = np.unique(degrees[people] * base + degrees[friends], return_inverse=True)
    different = np.unique(place * len(degrees) + people) // max(len(degrees), 1)
    own, other = np.divmod(keys, base)
    ends = np.bincount(place, minlength=len(keys))
    friendships = np.where(own == other, ends // 2, ends)
    sizes = np.minimum(np.bincount(different, minlength=len(keys)), friendships)
    pairs = np.stack((own, other), axis=1)
    if lonely := int(np.count_nonzero(degrees == 0)):
        pairs, sizes = np.insert(pairs, 0, NO_FRIENDS, axis=0), np.insert(sizes, 0, lonely)
    return pairs, sizes
