"""The least coarse values with which every combination of attributes belongs to at least k people.

Each attribute has levels, so a choice is a point of a lattice. Coarser in one attribute, a group of people only grows:
what is enough at one point is enough at all points above it, and what is not is not at any point below. The search
goes along paths through the lattice and halves them, as in F. Kohlmayer, F. Prasser, C. Eckert, A. Kemper, K. A. Kuhn:
Flash: efficient, stable and optimal k-anonymity (PASSAT 2012), the search of ARX, and looks at a point only where its
loss can still be the least. Above `LARGEST` points it goes up from the bottom by the best next step, and says so.

The loss of a value is the share of the attribute's other values that it can no longer be told from; that of an
attribute is the mean over all people, a missing value counting as 1; that of a choice is the mean over the attributes.
People whom the levels leave in groups that are too small lose single values, as few as a search among combinations
finds. The groups are then counted again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, product
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphveil.attributes.hierarchies import (
    Column,
    Ladder,
    column_of,
    generalise,
    ladder_of,
    more_freely,
    wishes_for,
)
from graphveil.errors import ParameterError
from graphveil.parameters import whole_number
from graphveil.words import plain

LARGEST = 50_000  # points of a lattice that is searched whole
MOST_TRIED = 50  # points at which the suppression of single values is tried
MOST_BLANKED = 12  # attributes of which all combinations are tried to be left blank
DENSE = 4  # numbers per row up to which groups are counted in a table, not sorted

Codes = NDArray[np.int64]
Labels = Sequence[Any] | NDArray[Any] | Callable[[int], str] | None  # of people, or what to call a row


@dataclass(frozen=True)
class Choice:
    """What becomes of one attribute."""

    name: str  # of the attribute
    # The level, and the coarsest that there is
    level: int
    levels: int
    # The parameter and the value that ask for exactly this; None where values stay as they are
    option: tuple[str, Any] | None
    dropped: bool  # whether it is left out
    # How many different values there are
    before: int
    after: int
    # Mean share of the other values from which a value can no longer be told, missing ones counting as 1
    loss: float
    publicly: str = ""  # what everybody is told of it; nothing where values stay as they are
    sensitive: bool = False  # whether it was named so: it stays as it is, and no group is formed by it


@dataclass(frozen=True)
class Proposal:
    """What becomes of all attributes, and what that is worth."""

    choices: tuple[Choice, ...]  # one for each attribute
    k: int  # the least size of a group that was asked for
    # How many people there are, in how many groups with the same values, and how many are in the smallest
    people: int
    groups: int
    smallest_group: int | None
    exposed: int  # people in groups of fewer than k, or with too few different sensitive values
    # Who lost values, and how many values
    suppressed_people: int
    suppressed_values: int
    diversity: Mapping[str, int | None]  # of each sensitive attribute: the fewest different values in a group
    loss: float  # mean over the attributes that no one called sensitive
    optimal: bool  # whether no other choice of levels loses less; else the search was greedy
    values: Mapping[str, NDArray[Any]] = field(repr=False)  # what would be published, by attribute

    def __bool__(self) -> bool:
        return not self.exposed

    @property
    def changed(self) -> tuple[Choice, ...]:
        """The attributes whose values do not stay as they are."""
        return tuple(each for each in self.choices if each.option or each.dropped)

    def parameters(self) -> dict[str, dict[str, Any]]:
        """The parameters ``generalize`` and ``group_rare`` that ask for exactly this."""
        found: dict[str, dict[str, Any]] = {}
        for each in self.choices:
            if each.option and not each.dropped:
                found.setdefault(each.option[0], {})[each.name] = each.option[1]
        return found


def propose(
    attributes: Mapping[str, ArrayLike],
    k: int,
    *,
    generalize: Mapping[str, Any] | str | None = "auto",
    group_rare: Mapping[str, str] | None = None,
    suppress: float = 0.0,
    sensitive: Sequence[str] = (),
    l_diversity: int = 1,
    labels: Labels = None,
    within: NDArray[Any] | None = None,
) -> Proposal:
    """The least coarse values with which every combination of attributes belongs to at least k people.

    ``attributes`` has by name a value for each person; None where one is missing. ``generalize``, by attribute: a
    width for classes of numbers, ``"day"``, ``"month"``, ``"year"`` or ``"decade"``, a CSV file with a hierarchy
    (``"cities.csv"``: the least of its levels that is enough, ``"cities.csv:2"``: this one), or ``"auto"``. The word
    alone stands for all. ``group_rare`` names values that fewer than k people have; ``"Other:40"`` those of fewer
    than 40. ``suppress`` is the largest share of the people who may lose single values. Attributes that are
    ``sensitive`` stay as they are, form no group, and have ``l_diversity`` different values in each. ``labels`` says
    what to call people in messages. ``within`` has a number for each row, such as a mutual-friend count, by which
    groups are formed too.

    >>> found = propose({"age": [20, 21, 32, 33], "sex": ["f", "f", "m", "m"]}, k=2)
    >>> found.smallest_group, found.parameters(), round(found.loss, 2)
    (2, {'generalize': {'age': 2}}, 0.17)
    >>> found.values["age"].tolist()
    ['20 to 21', '20 to 21', '32 to 33', '32 to 33']
    """
    k, diverse = whole_number("k", k, least=1), whole_number("l_diversity", l_diversity, least=1)
    if not 0 <= suppress < 1:
        raise ParameterError(f"suppress must be a share from 0 to below 1, not {suppress!r}.")
    columns = columns_of(attributes, labels)
    open_, secret = _parted(columns, sensitive)
    if diverse > 1 and not secret:
        raise ParameterError("l_diversity is for sensitive attributes. Name one (sensitive=).")
    names = [each.name for each in open_]
    wishes, rare = wishes_for(names, generalize), wishes_for(names, group_rare)
    ladders = [ladder_of(each, wishes[each.name], rare[each.name], k) for each in open_]
    lattice = _Lattice(open_, ladders, secret, k, diverse, suppress, _numbered(within))
    return lattice.best(list(attributes))


def way_out(proposal: Proposal, attributes: Mapping[str, ArrayLike], **asked: Any) -> Proposal:
    """The proposal where all attributes may become coarser than was asked for, or be left out."""
    within = _numbered(asked.pop("within", None))
    open_, secret = _parted(columns_of(attributes, asked.pop("labels", None)), asked["sensitive"])
    names = [each.name for each in open_]
    wishes, rare = wishes_for(names, asked["generalize"]), wishes_for(names, asked["group_rare"])
    ladders = [
        more_freely(ladder_of(each, wishes[each.name], rare[each.name], proposal.k), each, proposal.k)
        for each in open_
    ]
    lattice = _Lattice(open_, ladders, secret, proposal.k, asked["l_diversity"], asked["suppress"], within)
    return lattice.best(list(attributes))


def columns_of(attributes: Mapping[str, ArrayLike], labels: Labels = None) -> list[Column]:
    """The attributes with each distinct value once."""
    where = labels if labels is None or callable(labels) else lambda row: f"person {plain(labels[row], 40)}"
    return [column_of(name, values, where) for name, values in attributes.items()]


def _numbered(within: NDArray[Any] | None) -> tuple[NDArray[Any], ...]:
    """Numbers from 0 on without gaps, where there are any."""
    return () if within is None else (np.unique(within, return_inverse=True)[1].ravel(),)


def _parted(columns: list[Column], sensitive: Sequence[str]) -> tuple[list[Column], list[Column]]:
    """Those that groups are formed by, and the sensitive ones."""
    names = {each.name for each in columns}
    for name in sensitive:
        if name not in names:
            raise ParameterError(f"{plain(name, 40)} is called sensitive, and it is not kept. Keep it too.")
    secret = [each for each in columns if each.name in sensitive]
    return [each for each in columns if each.name not in sensitive], secret


# ---------------------------------------------------------------------- groups


def together(columns: Iterable[NDArray[Any]], rows: int) -> Codes:
    """A number for each row, the same for the same codes in all columns, without gaps in their order."""
    codes, number = np.zeros(rows, np.int64), 1
    for column in columns:
        base = int(column.max(initial=0)) + 1
        codes, number = codes * base + column, number * base
        if number > DENSE * rows:
            codes = np.unique(codes, return_inverse=True)[1].ravel()
            number = int(codes.max(initial=0)) + 1
    there = np.zeros(number, np.int64)
    there[codes] = 1
    return (np.cumsum(there) - 1)[codes]


def different_values(groups: Codes, marks: NDArray[Any], number: int) -> Codes:
    """How many different values each of the groups has, without what is missing."""
    base = int(marks.max(initial=0)) + 1
    return np.bincount(np.unique((groups * base + marks)[marks > 0]) // base, minlength=number)


@dataclass(frozen=True)
class _Rows:
    """Rows with a number for each value, 0 where it is missing, and how many people have each row."""

    marks: tuple[NDArray[Any], ...]
    secret: tuple[NDArray[Any], ...]
    within: tuple[NDArray[Any], ...]  # one where groups are formed by a number too
    people: Codes

    def groups(self, blank: Sequence[NDArray[np.bool_]]) -> Codes:
        """The group of each row, once some values are missing."""
        left = [np.where(gone, 0, each) for each, gone in zip(self.marks, blank, strict=True)]
        return together([*left, *self.within], len(self.people))

    def exposed(self, groups: Codes, k: int, diverse: int) -> NDArray[np.bool_]:
        """Which rows are in groups that are too small, or too much alike."""
        sizes = np.bincount(groups, self.people)
        small = sizes < k
        for marks in self.secret if diverse > 1 else ():
            small |= different_values(groups, marks, len(sizes)) < diverse
        return small[groups]


@dataclass
class _Lattice:
    """All choices of levels for some columns."""

    columns: list[Column]
    ladders: list[Ladder]
    secret: list[Column]
    k: int
    diverse: int
    suppress: float
    within: tuple[NDArray[Any], ...] = ()
    drop: bool = True  # whether attributes may be left out that their ladders say so of

    @cached_property
    def rows(self) -> _Rows:
        """Each combination of values once."""
        marks = [each.marks for each in (*self.columns, *self.secret)] + list(self.within)
        groups = together(marks, self.people)
        first = np.empty(int(groups.max(initial=-1)) + 1, np.int64)
        first[groups[::-1]] = np.arange(len(groups))[::-1]
        few = tuple(each[first] for each in marks)
        sizes = np.bincount(groups, minlength=len(first))
        open_, all_ = len(self.columns), len(self.columns) + len(self.secret)
        return _Rows(few[:open_], few[open_:all_], few[all_:], sizes)

    @property
    def people(self) -> int:
        return len((*self.columns, *self.secret)[0].codes) if self.columns or self.secret else 0

    @property
    def allowed(self) -> int:
        """How many people may lose values."""
        return int(self.suppress * self.people)

    @cached_property
    def steps(self) -> list[list[Column]]:
        """Of each attribute the column at each of its levels, at last left out where it may be.

        A level on which all values are in one class says no more than to leave the attribute out.
        """
        found = []
        for column, ladder in zip(self.columns, self.ladders, strict=True):
            levels = [
                generalise(column, ladder.rule, level) for level in range(ladder.least, ladder.most + 1)
            ]
            while ladder.droppable and len(levels) > 1 and len(levels[-1].values) < 2:
                levels.pop()
            left_out = column.joined([None] * len(column.values))
            found.append(levels + [left_out] * (ladder.droppable and self.drop))
        return found

    @cached_property
    def maps(self) -> list[list[NDArray[np.int32]]]:
        """Of each attribute the number of the class of each different row, at each of its levels."""
        found = []
        for column, steps, marks in zip(self.columns, self.steps, self.rows.marks, strict=True):
            of_value = np.zeros(len(column.values) + 1, np.int64)
            of_value[column.marks] = column.codes
            found.append([step.marks[column.places][of_value[marks]] for step in steps])
        return found

    @cached_property
    def losses(self) -> list[list[float]]:
        """Of each attribute the loss at each level."""
        return [
            [loss_of(column, step) for step in steps]
            for column, steps in zip(self.columns, self.steps, strict=True)
        ]

    def loss(self, point: Sequence[int]) -> float:
        """The mean over all attributes."""
        each = [losses[level] for losses, level in zip(self.losses, point, strict=True)]
        return sum(each) / len(each) if each else 0.0

    def exposed(self, point: Sequence[int]) -> int:
        """People in groups that are too small."""
        codes = [levels[level] for levels, level in zip(self.maps, point, strict=True)]
        groups = together([*codes, *self.rows.within], len(self.rows.people))
        return int(self.rows.people[self.rows.exposed(groups, self.k, self.diverse)].sum())

    def enough(self, point: Sequence[int]) -> bool:
        return self.exposed(point) <= self.allowed

    # -------------------------------------------------------------- the search

    def best(self, order: list[str]) -> Proposal:
        """The point that loses least, as a proposal; the coarsest one where none is enough.

        Attributes are left out only where there is no other way: somebody asked to keep them.
        """
        if self.drop and any(each.droppable for each in self.ladders):
            found = replace(self, drop=False).best(order)
            if found:
                return found
        heights = [len(steps) for steps in self.steps]
        optimal = prod(heights) <= LARGEST
        top = tuple(height - 1 for height in heights)
        if not self.enough(top):
            return self.at(top, order, optimal=True)
        if not optimal:
            return self.at(self._greedy(top), order, optimal=False)
        return self._search(list(product(*map(range, heights))), order)

    def _search(self, points: list[tuple[int, ...]], order: list[str]) -> Proposal:
        """Look at the points by their loss; what is known of one tells of those above or below."""
        places = np.array(points, np.int64).reshape(len(points), -1)
        losses = np.array([self.loss(point) for point in points])
        known = np.zeros(len(points), np.int8)  # 1 where it is enough, −1 where not
        best, tried = None, 0
        for place in np.lexsort((np.arange(len(points)), losses)).tolist():
            if best is not None and (losses[place] >= best.loss or tried >= MOST_TRIED):
                break
            if known[place] == 0:
                self._halve(places, place, known)
            if known[place] > 0:
                found, tried = self.at(points[place], order, optimal=True), tried + 1
                best = found if found and (best is None or found.loss < best.loss) else best
        best = best or self.at(points[-1], order, optimal=True)
        return replace(best, optimal=tried < MOST_TRIED)

    def _halve(self, places: NDArray[np.int64], start: int, known: NDArray[np.int8]) -> None:
        """Find where a path from a point up to the top begins to be enough."""
        path, at, top = [places[start]], places[start].copy(), places[-1]
        while (at < top).any():
            at = at.copy()
            at[int(np.argmax(at < top))] += 1
            path.append(at)
        low, high = 0, len(path)
        while low < high:
            middle = (low + high) // 2
            point = path[middle]
            if self.enough(point.tolist()):
                known[(places >= point).all(axis=1)], high = 1, middle
            else:
                known[(places <= point).all(axis=1)], low = -1, middle + 1

    def _greedy(self, top: tuple[int, ...]) -> tuple[int, ...]:
        """Up by the step that frees most people for its loss; then down again where that is enough too."""
        point, exposed = [0] * len(top), self.exposed([0] * len(top))
        while exposed > self.allowed:
            worth = []
            for place in range(len(top)):
                if point[place] < top[place]:
                    higher = [level + (other == place) for other, level in enumerate(point)]
                    found, loss = self.exposed(higher), self.loss(higher) - self.loss(point)
                    worth.append(((exposed - found) / max(loss, 1e-12), -place, higher, found))
            _, _, point, exposed = max(worth)
        for place in sorted(range(len(top)), key=lambda each: -self.losses[each][point[each]]):
            while point[place] and self.enough(
                [level - (other == place) for other, level in enumerate(point)]
            ):
                point[place] -= 1
        return tuple(point)

    # -------------------------------------------------------------- one point

    def at(self, point: Sequence[int], order: list[str], *, optimal: bool) -> Proposal:
        """What a point is worth, once single values are suppressed; the groups are counted over all people."""
        steps = [steps[level] for steps, level in zip(self.steps, point, strict=True)]
        secret = tuple(each.marks for each in self.secret)
        whole = _Rows(
            tuple(each.marks for each in steps), secret, self.within, np.ones(self.people, np.int64)
        )
        blank = self._blanked(whole)
        groups = whole.groups(blank)
        sizes = np.bincount(groups)
        exposed = int(np.count_nonzero(whole.exposed(groups, self.k, self.diverse)))
        lost = [
            float(np.mean(np.where(gone, 1.0, _losses(column, step)[step.codes]))) if self.people else 0.0
            for column, step, gone in zip(self.columns, steps, blank, strict=True)
        ]
        choices = {each.name: each for each in self._choices(point, steps, lost)}
        values = {each.name: _blank(each.rows(), gone) for each, gone in zip(steps, blank, strict=True)}
        values |= {each.name: each.rows() for each in self.secret}
        return Proposal(
            choices=tuple(choices[name] for name in order),
            k=self.k,
            people=self.people,
            groups=len(sizes),
            smallest_group=int(sizes.min()) if len(sizes) else None,
            exposed=exposed,
            suppressed_people=int(np.count_nonzero(np.any(blank, axis=0))) if blank else 0,
            suppressed_values=int(sum(map(np.count_nonzero, blank))),
            diversity={
                each.name: int(different_values(groups, each.marks, len(sizes)).min()) if len(sizes) else None
                for each in self.secret
            },
            loss=sum(lost) / len(lost) if lost else 0.0,
            optimal=optimal,
            values={name: values[name] for name in order if not choices[name].dropped},
        )

    def _choices(self, point: Sequence[int], steps: list[Column], lost: list[float]) -> Iterable[Choice]:
        rows = zip(self.columns, self.ladders, self.steps, point, steps, lost, strict=True)
        for column, ladder, levels, place, step, loss in rows:
            level = ladder.least + place
            dropped = ladder.droppable and self.drop and place == len(levels) - 1
            rule = ladder.rule if level and not dropped else None
            option, words = (rule.option(level), rule.publicly(level)) if rule else (None, "")
            sizes = len(column.values), len(step.values)
            yield Choice(column.name, level, ladder.most, option, dropped, *sizes, loss, words)
        for each in self.secret:
            yield Choice(
                each.name, 0, 0, None, False, len(each.values), len(each.values), 0.0, sensitive=True
            )

    def _blanked(self, rows: _Rows) -> list[NDArray[np.bool_]]:
        """Which values are suppressed: for people in groups that are too small, as few as can be found.

        People who are exposed leave the same attributes blank, one by one, then two by two, and stay so where that puts
        them into a group that is large enough, alone or with people of before. The groups that they leave were too
        small already. Whoever is left in the end loses all values, with as many from the largest group as are missing.
        """
        blank = [np.zeros(self.people, bool) for _ in rows.marks]
        exposed = rows.exposed(rows.groups(blank), self.k, self.diverse) if blank else np.zeros(0, bool)
        if not 0 < np.count_nonzero(exposed) <= self.allowed:
            return blank
        some = [place for place, marks in enumerate(rows.marks) if marks.any()]
        for names in _subsets(some):
            trial = [gone | (exposed & (place in names)) for place, gone in enumerate(blank)]
            rest = exposed & rows.exposed(rows.groups(trial), self.k, self.diverse)
            for place in names:
                blank[place] |= exposed & ~rest
            exposed = rest
            if not exposed.any():
                break
        if exposed.any():
            self._blank_whole(rows, blank, exposed)
        blank = [gone & (marks > 0) for gone, marks in zip(blank, rows.marks, strict=True)]
        enough = np.count_nonzero(np.any(blank, axis=0)) <= self.allowed
        return blank if enough else [np.zeros_like(gone) for gone in blank]

    def _blank_whole(self, rows: _Rows, blank: list[NDArray[np.bool_]], exposed: NDArray[np.bool_]) -> None:
        """Take all values from those who are left, and from as many of the largest group as k needs.

        Where groups are formed by a number too, this is done for each number.
        """
        groups, everybody = rows.groups(blank), exposed.copy()
        number = rows.within[0] if rows.within else np.zeros(len(exposed), np.int64)
        for each in np.unique(number[exposed]).tolist():
            here = number == each
            missing = self.k - int(np.count_nonzero(exposed & here))
            sizes = np.bincount(groups[here & ~exposed], minlength=1)
            spare = np.flatnonzero((groups == np.argmax(sizes)) & here & ~exposed)[
                : max(0, int(sizes.max()) - self.k)
            ]
            everybody[spare[:missing] if missing <= len(spare) else here] |= missing > 0
        for gone in blank:
            gone |= everybody


def loss_of(column: Column, step: Column) -> float:
    """The mean loss of a column that became a coarser one."""
    return float((_losses(column, step) * step.sizes).sum() / max(len(step.codes), 1))


def _losses(column: Column, step: Column) -> NDArray[np.float64]:
    """Of each class the share of the other values that it stands for; all, of an attribute that is left out."""
    values = np.bincount(step.codes[column.places], minlength=len(step.values)).astype(float)
    if step.values == (None,) != column.values:
        return np.ones(1)
    return (values - 1) / max(len(column.values) - 1, 1)


def _subsets(places: Sequence[int]) -> Iterable[tuple[int, ...]]:
    """Which attributes are left blank: one, then two, then more; all together at last."""
    sizes = range(1, len(places) + 1) if len(places) <= MOST_BLANKED else (1, len(places))
    return (names for size in sizes for names in combinations(places, size))


def _blank(values: NDArray[Any], gone: NDArray[np.bool_]) -> NDArray[Any]:
    """The values without those that are suppressed."""
    if not gone.any():
        return values
    found = values.astype(object)
    found[gone] = None
    return found
