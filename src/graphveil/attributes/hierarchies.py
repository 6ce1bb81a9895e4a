"""Coarser values: classes of numbers, hierarchies from a file, days as months and years, rare values under one name.

A `Column` holds each distinct value once, and a number per row for which one it is. A `Rule` says how these values
become coarser: level 0 leaves them, and each level joins whole classes of the one before. So a group of people with the
same classes only grows from level to level, on which the search for the least level rests (P. Samarati: Protecting
respondents' identities in microdata release, IEEE TKDE 2001). A missing value, None, is a class of its own.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphveil.errors import GraphError, InputError, ParameterError
from graphveil.words import counted, plain

Classes = list[Hashable | None]  # for each distinct value of a column the class that it is in
DATE_PARTS = {"day": 10, "month": 7, "year": 4, "decade": 3}  # characters of 2026-11-19 that are left
TIMES = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?")
NUMBERS = (int, float)
LARGEST = 64 << 20  # bytes of a file with a hierarchy
TAIL = 0.02  # share of the rows at either end that the width of classes is not made for
RANGE = re.compile(r"([^:]+):([^:]*)\.\.([^:]*)")  # of a width and bounds, as 10:1930..2000


@dataclass(frozen=True, eq=False)
class Column:
    """A column in which each distinct value is held once."""

    name: str  # of the attribute
    values: tuple[Any, ...]  # the distinct values; None where one is missing
    codes: NDArray[np.int32]  # for each row the place of its value
    where: Callable[[int], str] = field(repr=False)  # what to call a row in messages

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """How many rows have each value."""
        return np.bincount(self.codes, minlength=len(self.values))

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """The first row that has each value."""
        first = np.zeros(len(self.values), np.int64)
        first[self.codes[::-1]] = np.arange(len(self.codes))[::-1]
        return first

    @cached_property
    def marks(self) -> NDArray[np.int32]:
        """For each row a number for its value, 0 where it is missing."""
        there = np.array([value is not None for value in self.values], np.int32)
        return ((np.arange(len(there), dtype=np.int32) + 1) * there)[self.codes]

    def first(self, value: int) -> str:
        """Where a value stands first, for messages."""
        return self.where(int(self.places[value]))

    def rows(self) -> NDArray[Any]:
        """The value of each row: an array of numbers where all are, else of objects."""
        from graphveil.numbering import typed

        return typed(self.values)[self.codes] if self.values else np.empty(0, object)

    def joined(self, classes: Classes) -> Column:
        """The same with a class for each distinct value."""
        number: dict[Hashable, int] = {}
        codes = np.array([number.setdefault(each, len(number)) for each in classes], np.int32)
        return Column(self.name, tuple(number), codes[self.codes] if len(codes) else self.codes, self.where)


def column_of(name: str, values: ArrayLike, where: Callable[[int], str] | None = None) -> Column:
    """A column of values of one type, in which None, NaN and empty texts are missing; dates become texts.

    >>> column = column_of("city", ["Bonn", None, "Rome", "Bonn"])
    >>> column.values, column.codes.tolist()
    (('Bonn', None, 'Rome'), [0, 1, 2, 0])
    """
    import pyarrow

    given = values if isinstance(values, np.ndarray) else _objects(values)
    where = where or (lambda row: f"row {row + 1}")
    try:
        array = pyarrow.array(given, from_pandas=True)
        if pyarrow.types.is_temporal(array.type):
            array = array.cast(pyarrow.string())
        encoded = array.dictionary_encode(null_encoding="encode")
    except (pyarrow.ArrowException, UnicodeEncodeError):
        raise GraphError(_mixed(name, given, where)) from None
    found = [None if value == "" else value for value in encoded.dictionary.to_pylist()]
    column = Column(name, tuple(found), encoded.indices.to_numpy().astype(np.int32), where)
    if any(not isinstance(value, str | int | float | bool | None) for value in found):
        raise GraphError(_mixed(name, given, where))
    return column if found.count(None) < 2 else column.joined(found)


def _objects(values: Any) -> NDArray[Any]:
    listed = list(values)
    return np.fromiter(listed, object, len(listed))


def _mixed(name: str, values: NDArray[Any], where: Callable[[int], str]) -> str:
    """Which row has a value of another type than those before."""
    kinds = {bool: "truth values", int: "numbers", float: "numbers", str: "texts"}
    first = None
    for row, value in enumerate(values.tolist()):
        kind = kinds.get(type(value))
        if value is not None and (kind is None or kind != (first := first or kind)):
            return (
                f"{plain(name, 40)}: {plain(repr(value), 40)} ({where(row)}) among {first or 'other values'}. Make all "
                "of them numbers or all of them texts."
            )
    return f"{plain(name, 40)}: its values are neither numbers nor texts. Make them one or the other."


# ---------------------------------------------------------------------- rules


@dataclass(frozen=True)
class Rule(ABC):
    """How the values of one attribute become coarser, level by level."""

    @abstractmethod
    def levels(self, column: Column) -> int:
        """The coarsest level."""

    @abstractmethod
    def classes(self, column: Column, level: int) -> Classes:
        """The class of each distinct value at a level from 1."""

    @abstractmethod
    def option(self, level: int) -> tuple[str, Any]:
        """The parameter, and its value, by which exactly this level is asked for."""

    def publicly(self, level: int) -> str:
        """The level as a parameter for everybody, without the paths of the owner."""
        return str(self.option(level)[1])


Bounds = tuple[
    float | None, float | None
]  # below the one, and from the other on, all values are in one class


@dataclass(frozen=True)
class Widths(Rule):
    """Numbers in classes of a width, which doubles from level to level; rare small and large values in one class each.

    >>> column = column_of("birth_year", [1980, 1984, 1987, None])
    >>> generalise(column, Widths(5), 1).rows().tolist()
    ['1980 to 1984', '1980 to 1984', '1985 to 1989', None]
    >>> generalise(column, Widths(5), 2).rows().tolist()
    ['1980 to 1989', '1980 to 1989', '1980 to 1989', None]
    >>> calls = column_of("calls", [1, 2, 3, 17, 250])
    >>> generalise(calls, Widths(2, ((None, 4),)), 1).rows().tolist()
    ['0 to 1', '2 to 3', '2 to 3', '4 or more', '4 or more']
    """

    width: float
    bounds: tuple[Bounds, ...] = ()  # by level; those of the last one for all above

    def levels(self, column: Column) -> int:
        if len(self.bounds) > 1:
            return len(self.bounds)
        numbers = _numbers_of(column)
        spread = float(numbers.max() - numbers.min()) if len(numbers) else 0.0
        return 1 + max(0, math.ceil(math.log2(max(spread, self.width) / self.width)))

    def classes(self, column: Column, level: int) -> Classes:
        _numbers_of(column)
        width, (low, high) = self.at(level), self.bounds_at(level)
        return [
            None
            if value is None
            else f"below {low:.12g}"
            if low is not None and value < low
            else f"{high:.12g} or more"
            if high is not None and value >= high
            else _class_of(value, width)
            for value in column.values
        ]

    def at(self, level: int) -> float:
        """The width at a level."""
        return self.width * 2.0 ** (level - 1) if level > 1 else self.width

    def bounds_at(self, level: int) -> Bounds:
        """The bounds at a level, where classes begin."""
        low, high = self.bounds[min(level, len(self.bounds)) - 1] if self.bounds else (None, None)
        width = self.at(level)
        return (
            None if low is None else math.ceil(round(low / width, 9)) * width,
            None if high is None else math.floor(round(high / width, 9)) * width,
        )

    def option(self, level: int) -> tuple[str, Any]:
        width, (low, high) = self.at(level), self.bounds_at(level)
        if low is None and high is None:
            return "generalize", int(width) if float(width).is_integer() else width
        ends = ("" if end is None else f"{end:.12g}" for end in (low, high))
        return "generalize", f"{width:.12g}:{'..'.join(ends)}"

    def publicly(self, level: int) -> str:
        low, high = self.bounds_at(level)
        ends = (
            f"below {low:.12g}" if low is not None else "",
            f"{high:.12g} or more" if high is not None else "",
        )
        return ", ".join((f"classes of {self.at(level):.12g}", *filter(None, ends)))


def _numbers_of(column: Column) -> NDArray[Any]:
    """The values that are there, all of them numbers."""
    for place, value in enumerate(column.values):
        number = isinstance(value, NUMBERS) and not isinstance(value, bool) and math.isfinite(value)
        if value is not None and not number:
            raise ParameterError(
                f"{plain(column.name, 40)}: {plain(repr(value), 40)} ({column.first(place)}) is no number, and classes "
                "of a width are for numbers. Correct the value, or name a file with a hierarchy."
            )
    return np.array([value for value in column.values if value is not None])


def _class_of(value: float, width: float) -> str | float:
    """The class from a multiple of the width to below the next."""
    low = math.floor(round(value / width, 9)) * width
    if isinstance(value, int) and float(width).is_integer():
        return value if width == 1 else f"{int(low)} to {int(low + width) - 1}"
    return f"{low:.12g} to below {low + width:.12g}"


def widths_for(column: Column, least: int = 1) -> Widths | None:
    """Classes of 1, 2 or 5 times a power of ten, eight or more of them over the range; None where there is none.

    Where fewer than ``least`` rows are in the first or the last class, the range is that of nearly all values, and rare
    ones beyond it are in one class; of four times as many rows from level to level.
    """
    numbers = _numbers_of(column)
    if not len(numbers) or not 0 < float(numbers.max() - numbers.min()) < math.inf:
        return None
    there = np.array([value is not None for value in column.values])
    order, sizes = np.argsort(numbers), column.sizes[there]
    ascending, below = numbers[order], np.cumsum(sizes[order])
    plain_ = Widths(_width_for(float(ascending[-1] - ascending[0]), whole=numbers.dtype.kind == "i"))
    if _bounds(ascending, below, plain_.width, least) == (None, None):
        return plain_
    ends = np.searchsorted(below, (TAIL * below[-1], (1 - TAIL) * below[-1]))
    spread = float(ascending[ends[1]] - ascending[ends[0]]) or float(ascending[-1] - ascending[0])
    width, found = _width_for(spread, whole=numbers.dtype.kind == "i"), list[Bounds]()
    for level in range(plain_.levels(column)):
        bounds = _bounds(ascending, below, width * 2.0**level, least * 4**level)
        if bounds is None:
            break
        found.append(bounds)
    return Widths(width, tuple(found)) if found else plain_


def _width_for(spread: float, *, whole: bool) -> float:
    tens = 10.0 ** math.floor(math.log10(spread / 8))
    width = max(each * tens for each in (1, 2, 5) if each * tens <= spread / 8 or each == 1)
    return max(round(width), 2) if whole else width


def _bounds(ascending: NDArray[Any], below: NDArray[np.int64], width: float, least: int) -> Bounds | None:
    """Where the classes between the rare small and the rare large values begin and end; None where they have no room.

    ``below`` is how many rows have each number or less. A bound is None where the outer class has enough rows itself.
    """
    total = int(below[-1])
    from_each = total - np.concatenate((np.zeros(1, np.int64), below[:-1]))  # rows with this number or more
    if total < 2 * least:
        return None
    inner = ascending[int(np.searchsorted(below, least))], ascending[np.count_nonzero(from_each >= least) - 1]
    places = (math.floor(round(float(each) / width, 9)) for each in (ascending[0], *inner, ascending[-1]))
    first, low, high, last = places
    if low >= high:
        return None
    return (low + 1) * width if low > first else None, high * width if high < last else None


@dataclass(frozen=True)
class Dates(Rule):
    """Days, or points in time, as days, months, years, decades.

    >>> column = column_of("since", ["2024-11-19", "2024-11-02T10:30"])
    >>> [generalise(column, Dates(), level).rows().tolist() for level in (1, 2, 4)]
    [['2024-11-19', '2024-11-02'], ['2024-11', '2024-11'], ['2020s', '2020s']]
    """

    first: str = "day"

    def levels(self, column: Column) -> int:
        return len(self._parts)

    @property
    def _parts(self) -> list[str]:
        names = list(DATE_PARTS)
        return names[names.index(self.first) :]

    def classes(self, column: Column, level: int) -> Classes:
        part = self._parts[level - 1]
        tail = "0s" if part == "decade" else ""
        days = [None if value is None else day_of(column, place) for place, value in enumerate(column.values)]
        return [None if day is None else day[: DATE_PARTS[part]] + tail for day in days]

    def option(self, level: int) -> tuple[str, Any]:
        return "generalize", self._parts[level - 1]


def day_of(column: Column, place: int) -> str:
    """The day of a date or time, as 2026-11-19."""
    value = column.values[place]
    found = TIMES.fullmatch(value) if isinstance(value, str) else None
    try:
        return date.fromisoformat(found[1] if found else "").isoformat()
    except ValueError:
        raise ParameterError(
            f"{plain(column.name, 40)}: {plain(repr(value), 40)} ({column.first(place)}) is no date such as "
            "2026-11-19. Correct the value."
        ) from None


@dataclass(frozen=True)
class Rare(Rule):
    """Values of fewer than so many rows under one name, and of four times as many from level to level.

    While the name itself has fewer, the next rarest values join it.

    >>> column = column_of("department", ["A", "A", "A", "B", "C"])
    >>> generalise(column, Rare("Other", 2), 1).rows().tolist()
    ['A', 'A', 'A', 'Other', 'Other']
    """

    name: str
    least: int

    def levels(self, column: Column) -> int:
        ratio = max(int(column.sizes.max(initial=0)), self.least) / self.least
        return 1 + math.ceil(math.log(ratio, 4))

    def classes(self, column: Column, level: int) -> Classes:
        there = [place for place, value in enumerate(column.values) if value is not None]
        by_size = sorted(there, key=lambda place: (column.sizes[place], str(column.values[place])))
        sizes = column.sizes[by_size]
        rare = int(np.searchsorted(sizes, self.at(level)))
        enough = int(np.searchsorted(np.cumsum(sizes), self.at(level))) + 1
        joined = set(by_size[: max(rare, enough)]) if rare else set()
        return [self.name if place in joined else value for place, value in enumerate(column.values)]

    def at(self, level: int) -> int:
        """How many rows a value needs at a level to stay."""
        return int(self.least * 4 ** (level - 1))

    def option(self, level: int) -> tuple[str, Any]:
        return "group_rare", f"{self.name}:{self.at(level)}"

    def publicly(self, level: int) -> str:
        return f"{self.name} for values that occur fewer than {self.at(level)} times"


@dataclass(frozen=True)
class Tree(Rule):
    """A hierarchy from a file: a row for each value, then its class, then coarser ones."""

    path: str
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]

    def levels(self, column: Column) -> int:
        return len(self.rows[0]) - 1

    def classes(self, column: Column, level: int) -> Classes:
        row_of = {row[0]: row for row in self.rows}
        for place, value in enumerate(column.values):
            if value is not None and str(value) not in row_of:
                people = counted(int(column.sizes[place]), "row has", "rows have")
                problem = (
                    f"it has no row for {plain(str(value), 40)}, which {people} for {plain(column.name, 40)}, first "
                    f"{column.first(place)}"
                )
                raise InputError(self.path, problem, remedy="Add a row with the value and its classes.")
        return [None if value is None else row_of[str(value)][level] for value in column.values]

    def option(self, level: int) -> tuple[str, Any]:
        return "generalize", f"{self.path}:{level}"

    def publicly(self, level: int) -> str:
        return f"level {level} of a hierarchy"


def read_hierarchy(path: str | os.PathLike[str], name: str = "") -> Tree:
    """A hierarchy from a CSV file with commas, semicolons or tabs; a first row that names the attribute is left out.

    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "cities.csv")
    >>> _ = file.write_text("Bonn,West,Germany\\nKiel,North,Germany\\nRome,Lazio,Italy\\n")
    >>> generalise(column_of("city", ["Rome", "Kiel"]), read_hierarchy(file), 2).rows().tolist()
    ['Italy', 'Germany']
    """
    file = os.fspath(path)
    rows = list(_lines_of(file))
    if rows and rows[0][1][0].lower() in ({name.lower()} - {""}) | {"value", "level 0", "level0"}:
        del rows[0]
    if not rows:
        raise InputError(
            file, "there is no row in it", remedy="Each row has a value, then its coarser classes."
        )
    width, seen = len(rows[0][1]), dict[str, int]()
    parents: list[dict[str, tuple[str, int]]] = [{} for _ in range(width)]
    for line, row in rows:
        _check_row(file, line, row, width)
        if row[0] in seen:
            problem = f"{plain(row[0], 40)} is there already, in line {seen[row[0]]}"
            raise InputError(file, problem, line=line, remedy="Keep one of the two rows.")
        seen[row[0]] = line
        for level in range(1, width - 1):
            parent, before = parents[level].setdefault(row[level], (row[level + 1], line))
            if parent != row[level + 1]:
                problem = (
                    f"{plain(row[level], 40)} belongs to {plain(row[level + 1], 40)}, and in line {before} to "
                    f"{plain(parent, 40)}"
                )
                raise InputError(file, problem, line=line, remedy="Each class belongs to one coarser class.")
    return Tree(file, tuple(tuple(row) for _, row in rows), tuple(line for line, _ in rows))


def _check_row(file: str, line: int, row: list[str], width: int) -> None:
    """Refuse a row that is too short or long, has a gap, or comes back to a class that it has left."""
    if len(row) != width or width < 2:
        problem = f"{counted(len(row), 'column')} where the first row has {width}"
        problem = problem if width > 1 else "one column, and a hierarchy has two or more"
        raise InputError(file, problem, line=line, remedy="Each row has a value, then its coarser classes.")
    if not all(row):
        raise InputError(file, "a cell is empty", line=line, remedy="Fill it in.")
    for place, name in enumerate(row):
        if name in row[:place] and row[place - 1] != name:
            problem = f"{plain(name, 40)} becomes {plain(row[place - 1], 40)} and comes back"
            raise InputError(
                file, problem, line=line, remedy="A coarser class has another name than a finer one."
            )


def _lines_of(file: str) -> list[tuple[int, list[str]]]:
    """The rows of a CSV file that are not empty, each with its line."""
    try:
        with open(file, "rb") as source:
            raw = source.read(LARGEST + 1)
        if len(raw) > LARGEST:
            raise InputError(file, f"it has more than {LARGEST:,} bytes", remedy="Is it a hierarchy?")
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise InputError(file, f"it cannot be read ({error.strerror})", remedy="Check the path.") from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            file, "a text that is not in UTF-8", line=line, remedy="Convert it to UTF-8."
        ) from None
    first = text.partition("\n")[0]
    delimiter = Counter(each for each in first if each in ",;\t").most_common(1)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter[0][0] if delimiter else ",")
    try:
        return [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(row)]
    except csv.Error as error:
        raise InputError(
            file, f"this is no CSV ({error})", line=reader.line_num, remedy="Correct it."
        ) from None


def generalise(column: Column, rule: Rule | None, level: int) -> Column:
    """The column at a level of a rule; level 0 leaves it."""
    return column if rule is None or level == 0 else column.joined(rule.classes(column, level))


# ---------------------------------------------------------------------- what was asked for


@dataclass(frozen=True)
class Ladder:
    """The levels that one column may be brought to."""

    rule: Rule | None = None  # none where there is none: the column stays, or is left out
    # The levels among which the least that is enough is searched
    least: int = 0
    most: int = 0
    droppable: bool = False  # whether the attribute may be left out where no level is enough


def ladder_of(column: Column, wish: Any, rare: str | None, k: int) -> Ladder:
    """What a wish allows: ``None`` (leave it), ``"auto"``, a width, a part of a date, or a file, perhaps with a level.

    ``rare`` is the name for rare values, perhaps with the least number of rows, as ``Other:40``; else that is k.
    """
    if rare is not None and wish not in (None, "auto"):
        problem = "generalize and group_rare are both asked for. Choose one"
        raise ParameterError(f"{plain(column.name, 40)}: {problem}.")
    if rare is not None:
        name, least = _split(rare)
        rule = Rare(name, least or k)
        return Ladder(rule, 1, rule.levels(column) if wish else 1, bool(wish))
    if wish is None:
        return Ladder()
    if wish == "auto":
        guess = _guessed(column, k)
        return Ladder(guess, 0, guess.levels(column) if guess else 0, droppable=True)
    asked, level = _rule(column, wish)
    if level is None:
        return Ladder(asked, 1, asked.levels(column))
    if not 1 <= level <= asked.levels(column):
        raise ParameterError(f"{asked.option(level)[1]}: there are the levels 1 to {asked.levels(column)}.")
    return Ladder(asked, level, level)


def more_freely(ladder: Ladder, column: Column, k: int) -> Ladder:
    """The same with all levels from the least on, and with the attribute left out."""
    if ladder.rule is None:
        return ladder_of(column, "auto", None, k)
    return Ladder(ladder.rule, ladder.least, ladder.rule.levels(column), droppable=True)


def _rule(column: Column, wish: Any) -> tuple[Rule, int | None]:
    """The rule, and the level if one was named."""
    text = os.fspath(wish) if isinstance(wish, str | os.PathLike) else None
    if text in DATE_PARTS:
        return Dates(text), 1
    ends: list[float | None] = []
    try:
        ranged = RANGE.fullmatch(text or "")
        width = float(ranged[1] if ranged else wish if text is None else text)
        ends = [float(end) if end else None for end in ranged.groups()[1:]] if ranged else []
    except (TypeError, ValueError):
        width = None
    if width is None and text is not None:
        path, level = _split(text)
        return read_hierarchy(path, column.name), level
    if width is None or isinstance(wish, bool) or not 0 < width < math.inf:
        raise ParameterError(
            f"{plain(column.name, 40)} is generalized by a width above 0 (10, or 10:20..90 with bounds), "
            f"{', '.join(DATE_PARTS)}, a CSV file with a hierarchy, or auto, and not by {wish!r}."
        )
    if any(end is not None and not math.isfinite(end) for end in ends):
        raise ParameterError(f"{plain(column.name, 40)}: the bounds in {wish} must be numbers.")
    bounds = ((ends[0], ends[1]),) if any(end is not None for end in ends) else ()
    return Widths(int(width) if width.is_integer() else width, bounds), 1


def _split(text: str) -> tuple[str, int | None]:
    """A name and the whole number behind its last colon, if there is one."""
    name, colon, number = text.rpartition(":")
    return (name, int(number)) if colon and re.fullmatch("[0-9]{1,9}", number) else (text, None)


def _guessed(column: Column, k: int) -> Rule | None:
    """Widths for numbers, parts of dates for dates, rare values for texts."""
    kinds = {type(value) for value in column.values if value is not None}
    if kinds and kinds <= set(NUMBERS):
        return widths_for(column, k)
    if kinds == {str} and all(value is None or TIMES.fullmatch(value) for value in column.values):
        return Dates()
    return Rare("Other", k) if kinds == {str} else None


def wishes_for(names: Sequence[str], wishes: Any) -> dict[str, Any]:
    """A wish for each attribute, from ``"auto"`` for all, from a mapping, or as typed: ``["age=5", "city=auto"]``.

    >>> wishes_for(["age", "city"], {"age": 5}), wishes_for(["age", "city"], ["age=5", "auto"])
    ({'age': 5, 'city': None}, {'age': '5', 'city': 'auto'})
    """
    if wishes is None or wishes == "auto":
        return dict.fromkeys(names, wishes)
    if not isinstance(wishes, Mapping):
        wishes = [each.partition("=")[::2] if "=" in each else ("*", each) for each in wishes]
    found = dict(wishes)
    rest = found.pop("*", None)
    for name in found:
        if name not in names:
            shown = ", ".join(plain(each, 40) for each in names) or "none"
            raise ParameterError(
                f"{plain(name, 40)} is not among the attributes that are kept. There are: {shown}."
            )
    return {name: found.get(name, rest) for name in names}
