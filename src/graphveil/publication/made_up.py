"""Sensitive values of what was made up: added friendships and dummy people.

They have the values of a donor. Where most values occur once, such as exact amounts, a copy would stand out: it is in
the data twice. So a donor's value that nobody else has is replaced by one that is free, between it and a neighbour in
ascending order. Values that several have are copied. So as many values occur once as among true ones.

Free values are as round as most of the others: amounts in whole tens stay so, and have as many decimals. Texts have
nothing between them, so those of which most occur once are refused.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.attributes import column_of
from graphveil.errors import ParameterError
from graphveil.words import plain

MOST = 0.5
DAY = datetime(1970, 1, 1, tzinfo=UTC)
LENGTHS = len("2026-11-19"), len("2026-11-19T08:30"), len("2026-11-19T08:30:00")


def replaced_copies(
    name: str, values: NDArray[Any], made_up: NDArray[np.bool_], random: NDArray[np.uint64]
) -> NDArray[Any]:
    """The values of an attribute, with free ones where those that were made up copy one that only one row has.

    ``random`` has a number for each row that was made up.

    >>> replaced_copies("pay", np.array([10, 20, 70, 20]), np.arange(4) > 2, np.array([10], np.uint64)).tolist()
    [10, 20, 70, 40]
    """
    column = column_of(name, values)
    times = np.bincount(column.codes[~made_up], minlength=len(column.values))
    there = np.array([value is not None for value in column.values])
    once = (times == 1) & there
    copies = np.flatnonzero(made_up & once[column.codes])
    if not len(copies) or once.sum() < MOST * times[there].sum():
        return values
    distinct = [value for value in column.values if value is not None]
    scale = _scale_of(distinct)
    donors = [column.values[code] for code in column.codes[copies]]
    drawn = _free(scale, donors, _of(random, made_up, copies)) if scale else None
    if scale is None or drawn is None:
        raise ParameterError(
            f"{plain(name, 40)}: most of its values occur once, and there are none between them for added friendships "
            "and dummy people. Copies would give these away. Leave the attribute out."
        )
    new = values.copy()
    for row, number in zip(copies.tolist(), drawn, strict=True):
        new[row] = scale.value(number)
    return new


def _of(random: NDArray[np.uint64], made_up: NDArray[np.bool_], rows: NDArray[np.int64]) -> list[int]:
    """The random numbers of some rows that were made up."""
    return list(map(int, random[(np.cumsum(made_up) - 1)[rows]]))


@dataclass(frozen=True)
class Scale:
    """Values as whole numbers, of which most are a multiple of the step away from the origin."""

    numbers: list[int]  # ascending
    number: Callable[[Any], int]
    value: Callable[[int], Any]
    step: int
    origin: int


def _scale_of(values: Sequence[Any]) -> Scale | None:
    """Numbers by their last decimal, dates and times by the second; None for texts."""
    if all(type(each) in (int, float) and math.isfinite(each) for each in values):
        number, value = _of_numbers(values)
    elif all(isinstance(each, str) and len(each) == len(values[0]) in LENGTHS for each in values):
        number, value = _second, partial(_time, like=values[0])
    else:
        return None
    try:
        numbers = [number(each) for each in values]
    except ValueError:
        return None
    if list(map(value, numbers)) != list(values):
        return None
    return Scale(sorted(numbers), number, value, *_step_of(sorted(numbers)))


def _of_numbers(values: Sequence[Any]) -> tuple[Callable[[Any], int], Callable[[int], Any]]:
    unit = 10 ** max(0, *(-int(Decimal(repr(each)).as_tuple().exponent) for each in values))
    whole = all(type(each) is int for each in values)
    return (
        lambda each: int(Fraction(repr(each)) * unit),
        lambda each: each if whole else float(Fraction(each, unit)),
    )


def _time(second: int, like: str) -> str:
    return (DAY + timedelta(seconds=second)).isoformat(like[10:11] or "T")[: len(like)]


def _second(value: str) -> int:
    return round((datetime.fromisoformat(value).replace(tzinfo=UTC) - DAY).total_seconds())


def _step_of(numbers: Sequence[int]) -> tuple[int, int]:
    """The largest step that most of the numbers keep, and a number to count from."""
    common, tens = math.gcd(*(each - numbers[0] for each in numbers)) or 1, 1
    while sum(each % (10 * tens) == 0 for each in numbers) >= MOST * len(numbers) and tens <= abs(
        numbers[-1]
    ):
        tens *= 10
    return max((common, numbers[0]), (tens, 0))


def _free(scale: Scale, donors: Sequence[Any], random: Sequence[int]) -> list[int] | None:
    """For each donor a number of its own that no value has, near it where there is room; None where there is none."""
    begins, rooms = [], []
    for low, high in pairwise(scale.numbers):
        first = (low - scale.origin) // scale.step + 1
        begins.append(first)
        rooms.append(-((scale.origin - high) // scale.step) - first)
    if sum(rooms) < len(donors):
        return None
    inside = _gaps([_place(scale, each, bit) for each, bit in zip(donors, random, strict=True)], rooms)
    drawn = [0] * len(donors)
    for gap, rows in inside.items():
        for i, row in enumerate(rows):  # each in a part of its own
            low, high = (part * rooms[gap] // len(rows) for part in (i, i + 1))
            drawn[row] = scale.origin + (begins[gap] + low + (random[row] >> 1) % (high - low)) * scale.step
    return drawn


def _place(scale: Scale, donor: Any, random: int) -> int:
    """The gap below or above a value."""
    place = bisect_left(scale.numbers, scale.number(donor)) - (random & 1)
    return min(max(place, 0), len(scale.numbers) - 2)


def _gaps(wanted: Sequence[int], rooms: Sequence[int]) -> dict[int, list[int]]:
    """Who is in which gap: the one that was wanted, or the next with room, from the last one on to the first."""
    left, following = list(rooms), list(range(1, len(rooms) + 1))
    inside: dict[int, list[int]] = {}

    def next_open(gap: int) -> int:
        passed = []
        while gap < len(left) and not left[gap]:
            passed.append(gap)
            gap = following[gap]
        for each in passed:
            following[each] = gap
        return gap

    for row, gap in enumerate(wanted):
        found = next_open(gap)
        found = next_open(0) if found == len(left) else found
        left[found] -= 1
        inside.setdefault(found, []).append(row)
    return inside
