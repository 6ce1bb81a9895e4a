"""What a number given by a user must be."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

from graphveil.errors import ParameterError, warn

GUESSABLE = 2**64  # smaller seeds can be tried one after the other


def whole_number(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """The value as an int, or a `ParameterError` that names the parameter and its range.

    >>> whole_number("k", 25, least=1)
    25
    >>> whole_number("k", 0, least=1)
    Traceback (most recent call last):
    graphveil.errors.ParameterError: k must be a whole number of at least 1, not 0.
    """
    wanted = f"of at least {least:,}" if most is None else f"from {least:,} to {most:,}"
    try:
        number = index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or number < least or (most is not None and number > most):
        raise ParameterError(f"{name} must be a whole number {wanted}, not {value!r}.")
    return number


def whole_numbers(name: str, values: Any, *, least: int) -> tuple[int, ...]:
    """One number or several, as distinct ints in ascending order.

    >>> whole_numbers("k", [25, 5, 25], least=1), whole_numbers("k", 5, least=1)
    ((5, 25), (5,))
    """
    several = isinstance(values, Iterable) and not isinstance(values, str | bytes)
    numbers = sorted({whole_number(name, value, least=least) for value in (values if several else [values])})
    if not numbers:
        raise ParameterError(f"{name} needs at least one whole number.")
    return tuple(numbers)


def warn_of_guessable_seed(seed: int | None) -> None:
    """Warn, before anything is published, of a seed that can be found by trying; None is drawn at random.

    >>> warn_of_guessable_seed(2**100 + 7)
    """
    if seed is not None and seed < GUESSABLE:
        warn(
            f"the seed can be guessed ({seed.bit_length()} bits; {GUESSABLE.bit_length()} are safe). Anyone who "
            "has it and the original graph can undo the pseudonyms. Leave the seed out to publish, and keep it secret."
        )


def proportion(name: str, value: Any) -> float:
    """The value as a float above 0 and up to 1, or a `ParameterError`.

    >>> proportion("spread", 0.5)
    0.5
    >>> proportion("spread", 50)
    Traceback (most recent call last):
    graphveil.errors.ParameterError: spread must be a share above 0 and up to 1, such as 0.5, not 50.
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1:
        return float(value)
    raise ParameterError(f"{name} must be a share above 0 and up to 1, such as 0.5, not {value!r}.")
