"""What an option takes: how a text becomes a value, and what stands for it on a help page or in a form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import isfinite, nan
from typing import Any, Literal

from graphveil.errors import ParameterError
from graphveil.formats.table import FORMATS, WRITABLE
from graphveil.parameters import proportion, whole_number, whole_numbers

Parse = Callable[[str, str], Any]
Choices = Callable[[], Mapping[str, str]]


@dataclass(frozen=True)
class Kind:
    """What an option takes."""

    parse: Parse  # from the name for error messages and the text to the value, or a `ParameterError`
    metavar: str | None = None  # what stands for the value in a help page
    # The field that a page shows for it
    form: Literal["text", "number", "tick", "yes or no", "choice", "path"] = "text"
    choices: Choices | None = None  # the values to choose from, each with words
    lazy: bool = False  # whether they are loaded only when they are shown, and shown with their words
    several: bool = False  # whether the option may be given again, and takes several values with commas
    range: str = ""  # the range of a number, in words


def _integer(text: str) -> int | str:
    """A number in the digits 0 to 9; anything else as it is, to be complained about."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,4000}", text.strip()) else text


def _whole(least: int, most: int | None, name: str, text: str) -> int:
    return whole_number(name, _integer(text), least=least, most=most)


def _wholes(least: int, name: str, text: str) -> tuple[int, ...]:
    return whole_numbers(name, [_integer(part) for part in text.split(",")], least=least)


def _wholes_or_off(least: int, name: str, text: str) -> tuple[int, ...]:
    return () if text.strip() == "off" else _wholes(least, name, text)


def _share(name: str, text: str) -> float:
    """The share in 0.05 or 5%."""
    number, unit = (text[:-1], 100) if text.endswith("%") else (text, 1)
    try:
        return proportion(name, float(number) / unit)
    except ValueError:
        return proportion(name, text)  # which complains


def _bounded(fits: Callable[[float], bool], words: str, name: str, text: str) -> float:
    """A number that fits."""
    try:
        found = float(text)
    except ValueError:
        found = nan
    if fits(found):
        return found
    raise ParameterError(f"{name} must be {words}, not {text!r}.")


def _shares(name: str, text: str) -> tuple[float, ...]:
    """Several shares, as in 1%,5%."""
    return tuple(_share(name, part.strip()) for part in text.split(","))


def _seconds(name: str, text: str) -> float:
    """The seconds in 90, 90s, 1.5m or 1h."""
    units = {"s": 1, "m": 60, "h": 3600}
    number, unit = (text[:-1], units[text[-1]]) if text[-1:] in units else (text, 1)
    try:
        found = float(number) * unit
    except ValueError:
        found = 0
    if isfinite(found) and found > 0:
        return found
    raise ParameterError(f"{name} takes a time above 0, such as 90s, 5m or 1h, not {text!r}.")


def _text(_: str, text: str) -> str:
    return text


def _delimiter(_: str, text: str) -> str:
    r"""A tab is hard to type, so ``\t`` stands for one."""
    return "\t" if text == r"\t" else text


def _columns(_: str, text: str) -> list[str | int]:
    """Columns, as in ``from,to`` or ``0,3``."""
    parts = (part.strip() for part in text.split(","))
    return [int(part) if re.fullmatch("[0-9]+", part) else part for part in parts]


def _names(_: str, text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _pairs(name: str, text: str) -> tuple[str, ...]:
    """Texts such as age=5, or auto."""
    found = _names(name, text)
    for each in found:
        attribute, _, value = each.partition("=")
        if each != "auto" and not (attribute and value):
            raise ParameterError(f"{name} takes NAME=VALUE, such as age=5, not {each!r}.")
    return found


def _given(_: str, text: str) -> Any:
    return text in ("yes", "true")


def whole(least: int = 0, most: int | None = None, metavar: str = "N") -> Kind:
    """A whole number."""
    words = f"{least:,} or more" if most is None else f"{least:,} to {most:,}"
    return Kind(partial(_whole, least, most), metavar, "number", range=words if least or most else "")


def wholes(least: int) -> Kind:
    """Several k."""
    return Kind(partial(_wholes, least), "K", several=True)


def wholes_or_off(least: int) -> Kind:
    """Several k, or none at all."""
    return Kind(partial(_wholes_or_off, least), "K", several=True)


def _wishes(_: str, text: str) -> tuple[str, ...]:
    """Attackers whose risk is to be reduced, each with its k."""
    from graphveil.methods.reduce.reducing import Wish

    return tuple(str(Wish.of(part)) for part in text.split(",") if part.strip())


def choice(choices: Choices, metavar: str | None = None, *, lazy: bool = False) -> Kind:
    """One of a table."""
    return Kind(_text, metavar, "choice", choices, lazy)


def _methods() -> Mapping[str, str]:
    from graphveil.methods.table import METHODS

    return {name: row.words for name, row in METHODS.items()}


def _degree_methods() -> Mapping[str, str]:
    return {
        "plan": "searches for all guarantees at once",
        "kda": "a second step that only adds friendships",
        "kda-paper": "that step as the paper describes it",
    }


def _attackers() -> Mapping[str, str]:
    from graphveil.risk.attackers import ATTACKERS

    return {model.name: "knows " + model.knows.format(several="two") for model in ATTACKERS}


def _reports() -> Mapping[str, str]:
    return {
        "brief": "counts only",
        "quick": "also measures on samples",
        "full": "also measures exactly, which takes minutes",
    }


def text(metavar: str = "TEXT") -> Kind:
    """Anything."""
    return Kind(_text, metavar)


def path(metavar: str | None = None) -> Kind:
    """A file or folder."""
    return Kind(_text, metavar, "path")


FLAG = Kind(_given, form="tick")
SWITCH = Kind(_given, form="yes or no")
SHARE = Kind(_share, "SHARE")
SHARES = Kind(_shares, "SHARE", several=True)
SHARE_LEFT = Kind(
    partial(_bounded, lambda share: 0 <= share < 1, "a share from 0 up to less than 1, such as 0.1"), "SHARE"
)
FACTOR = Kind(
    partial(_bounded, lambda factor: 1 <= factor <= 10, "a factor from 1 to 10, such as 1.5"), "FACTOR"
)
WISHES = Kind(_wishes, "ATTACKER[=K]", several=True)
TIME = Kind(_seconds, "TIME")
PAIRS = Kind(_pairs, "NAME=VALUE", several=True)
NAMES = Kind(_names, "NAME", several=True)
IDS = Kind(_text, "ID", several=True)
COLUMNS = Kind(_columns, "A,B")
DELIMITER = Kind(_delimiter, "TEXT")
FORMAT_OF_FILE = choice(lambda: {name: row.words for name, row in FORMATS.items()})
FORMAT_TO_WRITE = choice(lambda: {name: row.words for name, row in WRITABLE.items()})
METHOD = choice(_methods, "NAME", lazy=True)
DEGREE_METHOD = choice(_degree_methods)
REPORT = choice(_reports)
LANGUAGE = choice(lambda: {"en": "English", "de": "German"})
PAGE = choice(lambda: {"md": "Markdown", "html": "a page for a browser"})
PSEUDONYMS = choice(lambda: {"fresh": "only you know who is who", "same": "a table says it to everybody"})
ATTACKER = choice(_attackers, "NAME", lazy=True)
AIM = choice(lambda: {"fewest-changes": "for a guarantee", "least-risk": "for a usefulness"})
WAYS = choice(lambda: {"drop": "a friendship is of both", "keep": "publish which way each friendship goes"})
ENGINE = choice(lambda: {"local": "on this machine", "spark": "on Apache Spark"})
