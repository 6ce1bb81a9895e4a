"""One value for each edge: those of repeated edges become one by a stated rule, before anything else.

A column has a value for each row of the data. It becomes an array with a value for each edge. Rules are ``sum``,
``min``, ``max``, ``count`` (rows with a value), ``first`` and ``last``: the earliest and latest date, or the first and
last row of anything else. Without a rule numbers are added up, of dates the first is taken; others must agree.

The direction is such a column too: ``forward`` leads from the first end of the edge to the second, ``backward`` from
the second to the first, and ``both`` was there both ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphError
from graphveil.words import plain

RULES = ("sum", "min", "max", "first", "last", "count")
DIRECTION = "direction"
WAYS = ("forward", "backward", "both")
ISO = r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$"
DATE = r"^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([T ].*)?$"
NUMBER, WHOLE = r"^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$", r"^(0|-?[1-9]\d{0,18})$"
MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "None")
MOSTLY = 0.9  # a share of numbers among texts that makes the others look like mistakes

Complain = Callable[[int, str, str], Exception]  # row, problem, remedy


@dataclass(frozen=True)
class Kept:
    """An edge attribute to keep: its column, the rule for repeated edges ("" for that of its type), its name."""

    column: str
    rule: str
    name: str


@dataclass(frozen=True)
class Encoded:
    """A column as numbers of its distinct values, which are ascending; −1 where nothing is."""

    codes: NDArray[np.int64]
    values: NDArray[Any]

    @property
    def kind(self) -> str:
        """``number``, ``date`` or ``text``."""
        if self.values.dtype.kind in "iuf":
            return "number"
        return "date" if len(self.values) and _all_match(self.values, ISO) else "text"

    def decode(self, codes: NDArray[np.int64]) -> NDArray[Any]:
        """Values from their numbers."""
        return taken(self.values, codes)


def taken(values: NDArray[Any], codes: NDArray[Any]) -> NDArray[Any]:
    """The values at some places, None at −1."""
    if len(codes) and codes.min() < 0:
        values = np.concatenate((values.astype(object), np.full(1, None, object)))
    found: NDArray[Any] = values[codes]
    return found


def possible_columns(keep: Iterable[str]) -> frozenset[str]:
    """The columns that could be meant by attributes to keep, such as ``calls`` or ``date=first``."""
    return frozenset(part for name in keep for part in (name, name.rpartition("=")[0]) if part)


def resolve(keep: Sequence[str], there: Iterable[str]) -> tuple[Kept, ...]:
    """What is to be kept of the columns that are there; an error if one is not.

    >>> resolve(["date=first", "date=last"], ["calls", "date"])
    (Kept(column='date', rule='first', name='date_first'), Kept(column='date', rule='last', name='date_last'))
    >>> resolve(["calls"], ["calls", "date"])
    (Kept(column='calls', rule='', name='calls'),)
    """
    known = list(there)
    asked = [(name, "") if name in known else name.rpartition("=")[::2] for name in keep]
    for (column, rule), name in zip(asked, keep, strict=True):
        if column not in known or (rule and rule not in RULES):
            shown = ", ".join(plain(each, 40) for each in known) or "none"
            what = f"{rule!r} is no rule. Choose one of {', '.join(RULES)}"
            missing = f"no edge attribute is named {(column or rule or name)!r}. There are: {shown}"
            raise GraphError(f"{what if column in known else missing}.")
    columns = [column for column, _ in asked]
    return tuple(
        Kept(column, rule, f"{column}_{rule}" if rule and columns.count(column) > 1 else column)
        for column, rule in dict.fromkeys(asked)
    )


# ---------------------------------------------------------------------- columns


def plain_column(values: Any, complain: Complain) -> NDArray[Any]:
    """Values as an array of integers, numbers or truth values, else of objects: texts, and None where missing.

    ``values`` is a list, or a column of NumPy, Arrow, pandas or polars. Dates become texts as 2024-05-31.
    """
    import pyarrow

    from graphveil.numbering import as_array

    try:
        column = as_array(values) if not isinstance(values, list) else pyarrow.array(values, from_pandas=True)
        return _plain(column)
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
        each = list(values)
        first = next((type(value) for value in each if value is not None), None)
        row = next((row for row, value in enumerate(each) if type(value) not in (first, type(None))), 0)
        problem = f"the value {plain(each[row], 40)} is of another type than those before"
        raise complain(row, problem, "Make all of them numbers, or all texts or dates.") from None


def _plain(column: Any) -> NDArray[Any]:
    import pyarrow
    from pyarrow import compute

    kind = column.type
    if pyarrow.types.is_timestamp(kind):
        days = compute.equal(compute.floor_temporal(column, unit="day"), column)
        whole = compute.all(days).as_py() is not False
        column = compute.strftime(column, format="%Y-%m-%d" if whole else "%Y-%m-%dT%H:%M:%S")
    elif pyarrow.types.is_date(kind):
        column = column.cast(pyarrow.string())
    elif pyarrow.types.is_decimal(kind):
        column = column.cast(pyarrow.float64())
    elif pyarrow.types.is_null(kind):
        return np.full(len(column), None, object)
    elif pyarrow.types.is_nested(kind):
        raise TypeError
    if pyarrow.types.is_floating(column.type):
        column = compute.if_else(compute.is_nan(column), None, column)
    if not column.null_count:
        return np.asarray(column.to_numpy(zero_copy_only=False))
    whole = pyarrow.types.is_integer(column.type)  # which would come as fractions where some are missing
    filled = column.fill_null(0) if whole else column
    found: NDArray[Any] = filled.to_numpy(zero_copy_only=False).astype(object)
    found[column.is_null().to_numpy(zero_copy_only=False)] = None
    return found


def typed_texts(texts: NDArray[Any], complain: Callable[[int, str, str], Exception]) -> NDArray[Any]:
    """Distinct texts of a file as whole numbers, numbers or texts, all of one type; None where nothing is.

    ``complain`` gets the place of a text that is not as the others.
    """
    import pyarrow
    from pyarrow import compute

    column = pyarrow.array(texts, pyarrow.large_string())
    missing = compute.is_in(column, pyarrow.array(MISSING, pyarrow.large_string()))
    column = compute.if_else(missing, None, column)
    for pattern, kind in ((WHOLE, pyarrow.int64()), (NUMBER, pyarrow.float64())):
        matching = compute.match_substring_regex(column, pattern)
        if compute.all(matching).as_py() is not False and column.null_count < len(column):
            try:
                return _plain(column.cast(kind))
            except pyarrow.ArrowInvalid:
                continue
    odd = compute.invert(matching).fill_null(False).to_numpy(zero_copy_only=False)
    if 0 < odd.sum() <= (1 - MOSTLY) * (len(column) - column.null_count):
        row = int(odd.argmax())
        problem = f"the value {plain(texts[row], 40)} is no number, and nearly all others are"
        raise complain(row, problem, "Correct it, or leave it empty where it is missing.")
    return _plain(column)


def encode(values: NDArray[Any], complain: Complain) -> Encoded:
    """The column as numbers of its distinct values; refuses dates in several spellings, and mixed types."""
    import pyarrow

    if not len(values):
        return Encoded(np.empty(0, np.int64), values)
    try:
        found = pyarrow.array(values, from_pandas=True).dictionary_encode()
    except (pyarrow.ArrowException, TypeError):
        found = pyarrow.array(plain_column(values.tolist(), complain)).dictionary_encode()
    if found.null_count == len(found):
        return Encoded(np.full(len(values), -1), values[:0])
    distinct = found.dictionary.to_numpy(zero_copy_only=False)
    order = np.argsort(distinct, kind="stable")
    rank = np.empty(len(order) + 1, np.int64)
    rank[order], rank[-1] = np.arange(len(order)), -1
    encoded = Encoded(rank[found.indices.fill_null(-1).to_numpy(zero_copy_only=False)], distinct[order])
    if distinct.dtype.kind == "O":
        _refuse_spellings(encoded, complain)
    return encoded


def _all_match(texts: NDArray[Any], pattern: str) -> bool:
    import pyarrow
    from pyarrow import compute

    column = pyarrow.array(texts)
    if not pyarrow.types.is_string(column.type) and not pyarrow.types.is_large_string(column.type):
        return False
    return bool(compute.all(compute.match_substring_regex(column, pattern)).as_py())


def _refuse_spellings(column: Encoded, complain: Complain) -> None:
    """Refuse dates that are written in several ways, because nobody knows which of them is earlier."""
    import pyarrow
    from pyarrow import compute

    if not len(column.values) or not _all_match(column.values, DATE):
        return
    years = compute.replace_substring_regex(pyarrow.array(column.values), r"\d{4}", "Y")
    shapes = np.asarray(compute.replace_substring_regex(years, r"\d+", "d").to_numpy(zero_copy_only=False))
    there = np.flatnonzero(column.codes >= 0)
    shape, place, times = np.unique(shapes[column.codes[there]], return_inverse=True, return_counts=True)
    if len(shape) > 1:
        usual = place == times.argmax()
        row, other = int(there[np.argmin(usual)]), column.values[column.codes[there[np.argmax(usual)]]]
        shown = plain(column.values[column.codes[row]], 40)
        problem = f"the date {shown} is written in another way than {plain(other, 40)}"
        raise complain(row, problem, "Write all dates as 2024-05-31.")


# ---------------------------------------------------------------------- from rows to edges


@dataclass(frozen=True)
class Rows:
    """The rows of the data by the edge that they are about: their places, and where those of each edge begin."""

    order: NDArray[np.int64]
    first: NDArray[np.int64]

    @property
    def repeated(self) -> bool:
        """Whether an edge has several rows."""
        return len(self.order) > len(self.first)

    @classmethod
    def of(cls, pairs: NDArray[np.int32], n: int) -> Rows:
        """The rows of each edge, in the order of the data; edges ascend, loops are left out."""
        u, v = pairs[:, 0].astype(np.int64), pairs[:, 1].astype(np.int64)
        keys = np.minimum(u, v) * n + np.maximum(u, v)
        if (u != v).all() and (np.diff(keys) > 0).all():
            return cls(np.arange(len(keys)), np.arange(len(keys)))
        some = np.flatnonzero(u != v)
        order = some[np.argsort(keys[some], kind="stable")]
        return cls(order, np.flatnonzero(np.diff(keys[order], prepend=-1)))


def values_of_edges(
    pairs: NDArray[np.int32],
    n: int,
    columns: Mapping[str, NDArray[Any]],
    kept: Sequence[Kept],
    complain: Complain,
    *,
    direction: bool = False,
) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """The values of each edge, ascending, and the rules by which repeated ones became one, where there are any."""
    rows = Rows.of(pairs, n)
    encoded = {each.column: encode(columns[each.column], complain) for each in kept}
    if rows.repeated and not direction:
        rows = _once(rows, pairs, list(encoded.values()))
    values, rules = {}, {}
    for each in kept:
        column = encoded[each.column]
        rule = each.rule or {"number": "sum", "date": "first"}.get(column.kind, "")
        if rows.repeated or rule == "count":
            values[each.name] = _merged(column, rule, rows, each, complain)
            rules[each.name] = rule or "the same in all rows"
        else:
            values[each.name] = columns[each.column][rows.order]
        if each.column == DIRECTION and set(column.values) <= set(WAYS):
            values[each.name] = turned(values[each.name], (pairs[:, 0] > pairs[:, 1])[rows.order[rows.first]])
    if direction:
        values[DIRECTION] = _ways(pairs, rows)
    return values, rules if rows.repeated else {}


def turned(ways: NDArray[Any], at: NDArray[np.bool_]) -> NDArray[Any]:
    """Directions where the ends of some edges have changed places."""
    new = ways.copy()
    new[at & (ways == "forward")], new[at & (ways == "backward")] = "backward", "forward"
    return new


def _ways(pairs: NDArray[np.int32], rows: Rows) -> NDArray[Any]:
    """Which way the rows of each edge lead."""
    up = (pairs[:, 0] < pairs[:, 1])[rows.order]
    forward, backward = (
        (np.logical_or.reduceat(way, rows.first) for way in (up, ~up)) if len(up) else (up, up)
    )
    return np.array(WAYS, object)[np.where(forward & backward, 2, backward.astype(np.int64))]


def _once(rows: Rows, pairs: NDArray[np.int32], columns: list[Encoded]) -> Rows:
    """Without the rows the other way where each edge is in the data both ways, with the same values."""
    edge = np.repeat(np.arange(len(rows.first)), np.diff(np.append(rows.first, len(rows.order))))
    up = (pairs[:, 0] < pairs[:, 1])[rows.order]
    if 2 * np.count_nonzero(up) != len(up):
        return rows
    keys = [column.codes[rows.order] for column in reversed(columns)] + [edge]
    forth, back = (np.stack([key[way] for key in keys]) for way in (up, ~up))
    if not np.array_equal(forth[:, np.lexsort(forth)], back[:, np.lexsort(back)]):
        return rows
    return Rows(rows.order[up], np.flatnonzero(np.diff(edge[up], prepend=-1)))


def _merged(column: Encoded, rule: str, rows: Rows, kept: Kept, complain: Complain) -> NDArray[Any]:
    """One value for each edge, by the rule."""
    codes, first = column.codes[rows.order], rows.first
    there = codes >= 0
    if rule == "count":
        return np.add.reduceat(there.astype(np.int64), first) if len(codes) else codes
    if not len(column.values):
        return np.full(len(first), None, object)
    if rule == "sum":
        return _sum(column, codes, first, rows, kept, complain)
    none = len(column.values)
    if rule in ("first", "last") and column.kind != "date":
        place = np.arange(len(codes))
        chosen = (
            np.minimum.reduceat(np.where(there, place, len(codes) - 1), first)
            if rule == "first"
            else np.maximum.reduceat(np.where(there, place, -1), first)
        )
        ends = np.append(first[1:], len(codes))
        inside = (chosen >= first) & (chosen < ends)
        return column.decode(np.where(inside, codes[np.where(inside, chosen, 0)], -1))
    least = np.minimum.reduceat(np.where(there, codes, none), first)
    most = np.maximum.reduceat(codes, first)
    least = np.where(most < 0, -1, least)
    if rule == "" and (least != most).any():
        edge = int(np.argmax(least != most))
        first_of, stop = first[edge], np.append(first, len(codes))[edge + 1]
        other = first_of + int(np.argmax(codes[first_of:stop] != codes[first_of]))
        one, another = (plain(value, 40) for value in column.values[[least[edge], most[edge]]])
        raise complain(
            int(rows.order[other]),
            f"a repeated edge has {one} and {another} as its {plain(kept.column, 40)}",
            f"Say which counts: {kept.column}=first, or another of {', '.join(RULES[1:])}.",
        )
    return column.decode(most if rule in ("max", "last") else least)


def _sum(
    column: Encoded,
    codes: NDArray[np.int64],
    first: NDArray[np.int64],
    rows: Rows,
    kept: Kept,
    complain: Complain,
) -> NDArray[Any]:
    if column.kind != "number":
        row = int(rows.order[np.argmax(codes >= 0)])
        problem = f"{plain(kept.column, 40)} has texts, which cannot be added up"
        raise complain(row, problem, f"Choose another rule: {kept.column}=first.")
    numbers = np.append(column.values, np.zeros(1, column.values.dtype))[codes]
    whole = numbers.dtype.kind != "f"
    if whole and float(np.abs(numbers.astype(np.float64)).sum()) >= 2**63:
        numbers = numbers.astype(np.float64)
    total = np.add.reduceat(numbers, first)
    nothing = ~np.logical_or.reduceat(codes >= 0, first)
    if not nothing.any():
        return total
    total = total.astype(object)
    total[nothing] = None
    return total
