"""The two columns of an edge list as sets of ids: how many there are in each, and how many in both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from graphveil.formats.advice.column_names import ChooseColumns

__all__ = ["check_columns", "counted_sides"]

MOMENT = re.compile(
    r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}(?:[T ].*)?|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][0-9]{2,4}(?:[T ].*)?"
    r"|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]+)?"
)
FRACTION = re.compile(r"[+-]?[0-9]+[.,][0-9]+")


def counted_sides(pairs: NDArray[np.int32], n: int) -> tuple[int, int, int]:
    """Distinct ids in the first column, in the second, and in both."""
    first, second = np.zeros(n, bool), np.zeros(n, bool)
    first[pairs[:, 0]] = True
    second[pairs[:, 1]] = True
    return int(first.sum()), int(second.sum()), int((first & second).sum())


def check_columns(path: str, rows: Sequence[Sequence[str]], line: int) -> None:
    """Refuse a table without header whose first two columns are no ids, but times or fractions, or share none where
    two others share many.
    """
    width = min(map(len, rows))
    if width < 3:
        return
    columns = [{row[place] for row in rows} for place in range(min(width, 12))]
    unlikely = [_is_no_id(values) for values in columns]
    pairs = [
        pair for pair in combinations(range(len(columns)), 2) if not unlikely[pair[0]] | unlikely[pair[1]]
    ]
    shared = {pair: len(columns[pair[0]] & columns[pair[1]]) for pair in pairs}
    better = [pair for pair in pairs if pair != (0, 1) and shared[pair] > 2 and len(columns[pair[0]]) > 5]
    behind = _is_weight_first(columns, shared) or _is_beside(rows, columns, shared)
    if behind or any(unlikely[:2]) or (better and len(rows) > 5 and not shared.get((0, 1), 0)):
        better = [(1, 2), (0, 1)] if behind else better
        choices = (
            better
            if behind
            else sorted(better or pairs or [(0, 1)], key=lambda pair: -shared.get(pair, 0))[:3]
        )
        problem = "the first two columns do not look like the two ends of an edge"
        remedy = "Choose the columns, counted from 0, for example with " + " or ".join(
            f"columns=[{first}, {second}]" for first, second in choices
        )
        raise ChooseColumns(path, problem, line=line, remedy=f"{remedy}.")


def _is_weight_first(columns: Sequence[set[str]], shared: Mapping[tuple[int, int], int]) -> bool:
    """Whether the first column has few whole numbers, and the two behind it have many ids in common."""
    if len(columns) != 3 or not all(value.isdecimal() for value in columns[0]):
        return False
    few, *ids = map(len, columns)
    common = shared.get((1, 2), 0)
    return 2 * few <= min(ids) and 2 * common >= min(ids) and common > max(5, shared.get((0, 1), 0))


def _is_beside(
    rows: Sequence[Sequence[str]], columns: Sequence[set[str]], shared: Mapping[tuple[int, int], int]
) -> bool:
    """Whether the first column numbers the rows, or is a time that never falls, and the two behind it share ids."""
    firsts = [row[0] for row in rows]
    if len(rows) <= 5 or not all(value.isdecimal() for value in firsts):
        return False
    numbers = list(map(int, firsts))
    steps = [after - before for before, after in pairwise(numbers)]
    common = shared.get((1, 2), 0)
    if 4 * common < min(len(columns[1]), len(columns[2])) or common < 3:
        return False
    rows_numbered = all(step == 1 for step in steps) and 2 * len(columns[0] & columns[1]) < len(columns[0])
    many = 2 * len(columns[2]) >= len(columns[1])  # weights have few values
    a_time = many and min(steps) >= 0 and 10 * shared.get((0, 1), 0) < common
    return rows_numbered or a_time


def _is_no_id(values: set[str]) -> bool:
    """Whether all values are moments in time, or all are fractions."""
    return all(map(MOMENT.fullmatch, values)) or all(map(FRACTION.fullmatch, values))
