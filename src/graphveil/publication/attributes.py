"""Which attributes are published, how coarse, and what the certificate says of them.

People and friendships follow the same rules: all that have the same values form a group, and every group has k of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.attributes import Proposal, column_of, propose
from graphveil.attributes.hierarchies import wishes_for
from graphveil.attributes.proposing import way_out
from graphveil.errors import ParameterError
from graphveil.records import plain as as_record
from graphveil.verification.documents import AttributeGroups, KeptAttribute
from graphveil.verification.safe_files import armour
from graphveil.words import counted, listed, percent, plain

Values = Mapping[str, NDArray[Any]]
PEOPLE, FRIENDSHIPS = ("person", "people"), ("friendship", "friendships")


@dataclass(frozen=True)
class Wishes:
    """What was asked for of attributes; the fields are parameters of `graphveil.publish`."""

    keep_vertex_attributes: tuple[str, ...] = ()
    keep_identifying: bool = False
    generalize: Any = None
    group_rare: Any = None
    suppress: float = 0.0
    sensitive: tuple[str, ...] = ()
    l_diversity: int = 1
    keep_edge_attributes: tuple[str, ...] = ()
    with_mutual_friends: bool = False

    @classmethod
    def of(cls, given: dict[str, Any]) -> Wishes:
        """Take the wishes out of what a command got; None stands for the default."""
        known = [(each.name, given.pop(each.name, None)) for each in fields(cls)]
        return cls(**{name: value for name, value in known if value is not None})

    @property
    def names(self) -> tuple[str, ...]:
        """All attributes that are kept, of people and of friendships."""
        return (*self.keep_vertex_attributes, *self.keep_edge_attributes)

    def how(self, names: Sequence[str]) -> dict[str, Any]:
        """The parameters of `graphveil.attributes.propose` for some of the attributes."""
        sensitive = tuple(name for name in self.sensitive if name in names)
        given = {"generalize": self.generalize, "group_rare": self.group_rare}
        open_ = [name for name in self.names if name not in self.sensitive]
        wishes = {key: wishes_for(open_, value) for key, value in given.items()}
        return {
            **{
                key: {name: wish for name, wish in found.items() if name in names}
                for key, found in wishes.items()
            },
            "suppress": self.suppress,
            "sensitive": sensitive,
            "l_diversity": self.l_diversity if sensitive else 1,
        }

    def record(self) -> dict[str, Any]:
        """What run.json notes of it, if anything is kept."""
        apart = {"keep_vertex_attributes", "keep_identifying"}  # of which run.json has its own account
        apart |= set() if self.keep_edge_attributes else {"keep_edge_attributes", "with_mutual_friends"}
        noted = {name: value for name, value in vars(self).items() if name not in apart}
        return as_record(noted) if self.names else {}

    def check(self) -> None:
        """Refuse wishes that are for nothing, and names that mean two things."""
        if not self.names:
            for name, value in vars(self).items():
                if not name.startswith("keep_") and value and value != getattr(Wishes(), name):
                    raise ParameterError(
                        f"{name}= is for attributes, and none is kept. Keep one, or leave it out."
                    )
        if self.with_mutual_friends and not self.keep_edge_attributes:
            raise ParameterError(
                "with_mutual_friends= is for attributes of friendships, and none is kept. Leave it out."
            )
        if both := set(self.keep_vertex_attributes) & set(self.keep_edge_attributes):
            raise ParameterError(
                f"people and friendships both have an attribute {plain(min(both), 40)}. Rename one of them."
            )
        for name in self.sensitive:
            if self.names and name not in self.names:
                raise ParameterError(
                    f"{plain(name, 40)} is called sensitive, and it is not kept. Keep it too."
                )
        if self.names and self.l_diversity > 1 and not self.sensitive:
            raise ParameterError("l_diversity is for sensitive attributes. Name one (sensitive=).")


@dataclass(frozen=True)
class Part:
    """The attributes of people, or those of friendships, as they are published."""

    proposal: Proposal
    wishes: Wishes
    joint: bool = False  # whether a group has one mutual-friend count too

    @property
    def values(self) -> Values:
        return self.proposal.values

    @property
    def sensitive(self) -> tuple[str, ...]:
        return tuple(name for name in self.wishes.sensitive if name in self.values)

    def attributes(self) -> tuple[KeptAttribute, ...]:
        """What the certificate says of each."""
        choices = {each.name: each for each in self.proposal.choices}
        return tuple(KeptAttribute(name, choices[name].publicly) for name in self.values)

    def groups(self, diversity: dict[str, int]) -> AttributeGroups:
        """What the certificate says of the groups."""
        proposal, asked = self.proposal, self.wishes.l_diversity
        k = proposal.k if proposal and len(self.sensitive) < len(self.values) else None
        return AttributeGroups(
            k=k,
            k_with_mutual_friends=k if self.joint else None,
            sensitive=self.sensitive,
            l_diversity=asked if proposal and asked > 1 and self.sensitive else None,
            diversity=diversity,
            suppressed=proposal.suppressed_people,
            suppressed_values=proposal.suppressed_values,
        )


def proposed(given: Values, wishes: Wishes, k: int, labels: Any, of: tuple[str, str]) -> Proposal:
    """The attributes as they would be published; refuses those that identify people, and names a way out."""
    how = wishes.how(list(given))
    proposal = propose(given, k, **how, labels=labels)
    if not proposal and not wishes.keep_identifying:
        better = way_out(proposal, given, **how, labels=labels)
        raise ParameterError(_refusal(how["l_diversity"], proposal, better, of))
    return proposal


def chosen(there: Values, names: Sequence[str], of: str, labels: Any = None) -> dict[str, NDArray[Any]]:
    """The values of some attributes."""
    for name in names:
        if name not in there:
            raise ParameterError(
                f"the input has no {of} attribute {name!r}, or it was not kept when it was read."
            )
        if column_of(name, there[name], labels).values in ((None,), ()):
            raise ParameterError(f"nobody has a value of the {of} attribute {name!r}: do not keep it.")
    return {name: there[name] for name in names}


def _refusal(l_diversity: int, proposal: Proposal, better: Proposal, of: tuple[str, str]) -> str:
    """How many people the attributes identify, and the least that helps, as options."""
    names = ", ".join(plain(each.name, 40) for each in proposal.choices)
    alike = " or of fewer sensitive values than asked for" if l_diversity > 1 else ""
    start = (
        f"{names}: {proposal.exposed:,} of {counted(proposal.people, *of)} are in a group of fewer than "
        f"{proposal.k:,} with the same values{alike}, which can identify them."
    )
    if not better:
        return f"{start} No coarser values help: leave them out, or publish them all the same (keep_identifying=True)."
    asked = [f"{name}={value!r}" for name, value in better.parameters().items()]
    left_out = [plain(each.name, 40) for each in better.choices if each.dropped]
    ways = [f"use {', '.join(asked)}"] * bool(asked) + [f"leave out {listed(left_out)}"] * bool(left_out)
    way = " and ".join(ways)
    unsure = "" if better.optimal else ", and less may do, for not all choices were tried"
    return (
        f"{start} {way[:1].upper()}{way[1:]}: this loses {percent(better.loss)} of the detail{unsure}. Or publish them "
        "all the same (keep_identifying=True)."
    )


def same_groups(some: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two rows of numbers are equal in the same places, and 0 in the same places."""
    size = int(some.max(initial=0)) + 1, int(other.max(initial=0)) + 1
    pairs = len(np.unique(some * size[1] + other))
    numbers = len(np.unique(some)), len(np.unique(other))
    return numbers == (pairs, pairs) and np.array_equal(some == 0, other == 0)


def in_armour(values: Values) -> dict[str, Any]:
    """Names and texts of which no spreadsheet takes one for a formula; numbers as they are."""
    return {armour(name): _in_armour(column) for name, column in values.items()}


def _in_armour(values: NDArray[Any]) -> Any:
    """Each distinct text once."""
    column = column_of("", values)
    distinct = [armour(value) if isinstance(value, str) else value for value in column.values]
    return np.array(distinct, object)[column.codes]
