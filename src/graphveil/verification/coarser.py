"""Whether published values are as coarse as a certificate says: of classes and of dates, which can be seen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date

Seen = Callable[[str], bool]

NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?"
CLASSES = re.compile(rf"classes of ({NUMBER})(?:, below ({NUMBER}))?(?:, ({NUMBER}) or more)?")
CLASS = re.compile(rf"({NUMBER}) to (below )?({NUMBER})")
WHOLE = re.compile("0|-?[1-9][0-9]*")
DATES = {  # what is added to make a day of it
    "day": (r"\d{4}-\d\d-\d\d", ""),
    "month": (r"\d{4}-\d\d", "-01"),
    "year": (r"\d{4}", "-01-01"),
    "decade": (r"\d{3}0s", ""),
}
CLOSE = 1e-9  # of a number of which twelve digits are written


def coarse(generalization: str) -> Seen | None:
    """Whether a value is as coarse as these words say; None where that cannot be seen in a value.

    >>> ten = coarse("classes of 10, 60 or more")
    >>> [ten(each) for each in ("0 to 9", "60 or more", "5 to 14", "17", "10 to 29")]
    [True, True, False, False, False]
    >>> coarse("month")("2026-11"), coarse("month")("2026-11-19"), coarse("level 2 of a hierarchy")
    (True, False, None)
    """
    if generalization in DATES:
        return lambda value: _is_date(value, *DATES[generalization])
    found = CLASSES.fullmatch(generalization)
    if generalization.startswith("classes of ") and (found is None or not 0 < float(found[1]) < math.inf):
        return lambda value: False
    if found is None:
        return None
    width = float(found[1])
    outer = {f"below {found[2]}"} if found[2] else set()
    outer |= {f"{found[3]} or more"} if found[3] else set()
    return lambda value: value in outer or _is_class(value, width)


def _is_date(value: str, pattern: str, rest: str) -> bool:
    if re.fullmatch(pattern, value, re.ASCII) is None:
        return False
    try:
        return bool(date.fromisoformat(value + rest)) if "s" not in value else True
    except ValueError:
        return False


def _is_class(value: str, width: float) -> bool:
    """Whether it is a class from a multiple of the width to below the next, spelled as graphveil spells it."""
    if width == 1 and WHOLE.fullmatch(value):
        return True
    found = CLASS.fullmatch(value)
    if found is None:
        return False
    low, high = float(found[1]), float(found[3])
    if found[2]:
        spelled = (f"{low:.12g}", f"{high:.12g}") == (found[1], found[3])
    else:
        spelled = all(map(WHOLE.fullmatch, (found[1], found[3])))
        high += 1
    largest = max(abs(low), abs(high), width)
    if not spelled or math.isinf(largest):
        return False
    return (
        abs(high - low - width) <= CLOSE * largest
        and abs(low - round(low / width) * width) <= CLOSE * largest
    )
