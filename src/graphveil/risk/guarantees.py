"""The table of guarantees that a published graph can have, in words and as a check.

A new guarantee is one row here. If it needs code of its own (the groups of its attacker, its recount), that is one
file more. Everything else takes its names, words and checks from this table: verification, certificate, reports,
command line.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from graphveil.errors import ParameterError
from graphveil.parameters import proportion, whole_number
from graphveil.recounting import Check, Recount, at_least, at_most

__all__ = ["Guarantee", "Terms", "guarantee_against"]


@dataclass(frozen=True)
class Terms:
    """One row of the table.

    Attributes
    ----------
    name
        In documents
    parameter
        Of `graphveil.anonymize` and `graphveil.verify`; the option of the command line is named after it
    attacker
        Whom it is made against, by name in `graphveil.risk.attackers`
    bounds
        A least ``"size"`` of every group, or a largest ``"share"`` of it that touches one person
    what, of
        What is counted, and of whom: "mutual friends", "friendships"
    sentence
        The guarantee in words, with ``{level}`` for k or the share
    check
        The independent recount
    """

    name: str
    parameter: str
    attacker: str
    bounds: Literal["size", "share"]
    what: str
    of: Literal["friendships", "people"]
    sentence: str
    check: Callable[[Recount, Any], Check]


class Guarantee(StrEnum):
    """The guarantees; each member is the name in documents, its `Terms` are the row."""

    terms: Terms

    def __new__(cls, terms: Any) -> Guarantee:  # Any, so that a name gives its member too
        member = str.__new__(cls, terms.name)
        member._value_ = terms.name
        member.terms = terms
        return member

    NMF = Terms(
        name="k-NMF",
        parameter="k",
        attacker="mutual-friends",
        bounds="size",
        what="mutual friends",
        of="friendships",
        sentence="An attacker who knows only how many mutual friends two friends have can identify the friendship "
        "with probability at most 1/{level}.",
        check=lambda counted, k: at_least("k-NMF", counted.mutual_friends, k),
    )
    DEGREE = Terms(
        name="k-degree",
        parameter="degree_k",
        attacker="degree",
        bounds="size",
        what="friends",
        of="people",
        sentence="An attacker who knows only how many friends a person has can identify the person with probability "
        "at most 1/{level}.",
        check=lambda counted, k: at_least("k-degree", counted.degrees, k),
    )
    SPREAD = Terms(
        name="spread",
        parameter="spread",
        attacker="mutual-friends",
        bounds="share",
        what="mutual friends",
        of="friendships",
        sentence="An attacker who knows only how many mutual friends two friends have can name a person with "
        "probability at most {level}: nobody is part of more than {level} of the friendships with one count.",
        check=lambda counted, share: at_most("spread", counted.mutual_friends, counted.edges, share),
    )

    def __repr__(self) -> str:
        return repr(self.value)

    @property
    def option(self) -> str:
        """The option of the command line."""
        name = self.terms.parameter.replace("_", "-")
        return f"-{name}" if len(name) == 1 else f"--{name}"

    def checked(self, level: Any) -> float:
        """A k, or a share, as it will be used; else a `ParameterError`."""
        if self.terms.bounds == "size":
            return whole_number(self.terms.parameter, level, least=1)
        return proportion(self.terms.parameter, level)

    def level(self, level: float) -> str:
        """A k, or a share, in words. Shares are rounded up: nobody may read more protection than there is.

        Examples
        --------
        >>> Guarantee.NMF.level(1000), Guarantee.SPREAD.level(0.5), Guarantee.SPREAD.level(1 / 3)
        ('k = 1,000', '50 %', '33.4 %')
        """
        return (
            f"k = {level:,}" if self.terms.bounds == "size" else f"{math.ceil(1000 * level - 1e-9) / 10:g} %"
        )

    def strictest(self, levels: Iterable[float]) -> float:
        """The hardest to keep of several levels."""
        return max(levels) if self.terms.bounds == "size" else min(levels)

    def kept(self, achieved: float | None, wanted: float) -> bool:
        """Whether what was achieved is as good as what was wanted; without any group, everything is."""
        if achieved is None:
            return True
        return achieved >= wanted if self.terms.bounds == "size" else achieved <= wanted

    def in_words(self, level: float) -> str:
        """The guarantee as a sentence."""
        return self.terms.sentence.format(
            level=f"{level:,}" if self.terms.bounds == "size" else self.level(level)
        )

    @classmethod
    def of_parameter(cls, name: str) -> Guarantee:
        """The guarantee that a parameter asks for."""
        for each in cls:
            if each.terms.parameter == name:
                return each
        raise ParameterError(
            f"there is no guarantee {name!r}; choose {', '.join(g.terms.parameter for g in cls)}."
        )


def guarantee_against(attacker: str) -> Guarantee | None:
    """The guarantee that bounds the group sizes of an attacker, where there is one.

    Examples
    --------
    >>> guarantee_against("degree"), guarantee_against("edge-degrees")
    ('k-degree', None)
    """
    against = (each for each in Guarantee if each.terms.attacker == attacker and each.terms.bounds == "size")
    return next(against, None)
