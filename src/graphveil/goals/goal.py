"""What every guarantee is: a small frozen value that knows its level, its words and its recount."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from graphveil.parameters import proportion, whole_number
from graphveil.recounting import Check, Recount


@dataclass(frozen=True)
class Goal:
    """A guarantee at a level, such as ``NMF(25)``.

    A subclass is one guarantee. Its class attributes are the row that all others read.
    """

    level: float  # a k, or a share

    name: ClassVar[str]  # in documents
    # The friendly parameter of `graphveil.anonymize` and `graphveil.verify`; the option is named after it
    parameter: ClassVar[str]
    attacker: ClassVar[str]  # against whom it is made, by name in the table of attackers
    # Attackers who know no more than that, and so find no smaller groups
    also_against: ClassVar[tuple[str, ...]] = ()
    # What is counted, and of whom: "mutual friends", "friendships"
    what: ClassVar[str]
    of: ClassVar[Literal["friendships", "people"]]
    sentence: ClassVar[str]  # the guarantee in words, with ``{level}`` for k or the share
    # A least ``"size"`` of every group, or a largest ``"share"`` of it that touches one person
    bounds: ClassVar[Literal["size", "share"]] = "size"
    # Names of guarantees that hold at the same level wherever this one holds
    implies: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Refuse a level that is out of range."""
        check = proportion if self.bounds == "share" else whole_number
        object.__setattr__(self, "level", check(self.parameter, self.level, **self._range()))

    @classmethod
    def _range(cls) -> dict[str, int]:
        return {} if cls.bounds == "share" else {"least": 1}

    def __str__(self) -> str:
        return f"{self.name}, {self.level_in_words(self.level)}"

    @classmethod
    def option(cls) -> str:
        """The option of the command line."""
        name = cls.parameter.replace("_", "-")
        return f"-{name}" if len(name) == 1 else f"--{name}"

    @classmethod
    def loosest(cls) -> Goal:
        """The guarantee at the level that every graph keeps."""
        return cls(1)

    @classmethod
    def level_in_words(cls, level: float) -> str:
        """A k, or a share. Shares are rounded up: nobody may read more protection than there is.

        >>> from graphveil.goals import NMF, Spread
        >>> NMF.level_in_words(1000), Spread.level_in_words(0.5), Spread.level_in_words(1 / 3)
        ('k = 1,000', '50 %', '33.4 %')
        """
        if cls.bounds == "size":
            return f"k = {level:,}"
        return f"{math.ceil(1000 * level - 1e-9) / 10:g} %"

    @classmethod
    def strictest(cls, levels: Iterable[float]) -> float:
        """The hardest to keep of several levels."""
        return max(levels) if cls.bounds == "size" else min(levels)

    def kept(self, achieved: float | None) -> bool:
        """Whether what was achieved is as good as this; without any group, everything is."""
        if achieved is None:
            return True
        return achieved >= self.level if self.bounds == "size" else achieved <= self.level

    def in_words(self) -> str:
        """The guarantee as a sentence."""
        level = f"{self.level:,}" if self.bounds == "size" else self.level_in_words(self.level)
        return self.sentence.format(level=level)

    @classmethod
    def group_in_words(cls, value: Any) -> str:
        """What the members of one group have in common.

        >>> from graphveil.goals import Degree
        >>> Degree.group_in_words(17)
        '17 friends'
        """
        return f"{value:,} {cls.what}"

    def out_of_reach(self, vertices: int) -> str | None:
        """Why no graph with so many vertices can have it, and the way out; None where one can."""
        return None

    def check(self, counted: Recount) -> Check:
        """The independent recount."""
        raise AssertionError("each guarantee has its own recount")


def way_out(most: int, k: str = "k") -> str:
    """What to choose where at most so many can share a value."""
    return f"Choose {k} up to {most:,}." if most > 1 else "This graph is too small. Use a larger one."
