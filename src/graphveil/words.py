"""Numbers and names in words, for terminals and pages alike."""

from __future__ import annotations

from collections.abc import Sequence


def plain(text: object, longest: int | None = None) -> str:
    """The text with everything that is no visible character escaped, and cut where it is too long.

    >>> print(plain("Eve\\x1b[2J\\u202e"), plain("Maximilian", longest=5))
    Eve\\x1b[2J\\u202e Maxi…
    """
    whole = str(text)
    start = whole if longest is None else whole[: longest + 1]
    shown = "".join(
        c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in start
    )
    return shown if longest is None or len(shown) <= longest else shown[: longest - 1] + "…"


def counted(number: int, one: str, many: str = "") -> str:
    """A number and its noun.

    >>> counted(1, "person", "people"), counted(1234, "friendship")
    ('1 person', '1,234 friendships')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def listed(names: Sequence[str]) -> str:
    """Names as in a sentence.

    >>> listed(["age"]), listed(["age", "town", "sex"])
    ('age', 'age, town and sex')
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def size(vertices: int, edges: int) -> str:
    """How large a graph is."""
    return f"{counted(vertices, 'person', 'people')}, {counted(edges, 'friendship')}"


def percent(share: float) -> str:
    """A share with two digits that say something; just below the whole, two of what is missing.

    >>> [percent(share) for share in (0, 1e-9, 0.00041, 0.0277, 0.5, 0.999999, 1, 1.33)]
    ['0 %', '<0.001 %', '0.041 %', '2.8 %', '50 %', '99.99 %', '100 %', '133 %']
    """
    if share in (0, 1):
        return f"{share:.0%}".replace("%", " %")
    if share < 1e-5:
        return "<0.001 %"
    hundredths = min(100 * share, 99.99) if share < 1 else max(100 * share, 100.01)
    if hundredths >= 101:
        return f"{hundredths:,.0f} %"
    return f"{hundredths:.2f} %" if hundredths > 99 else f"{hundredths:.2g} %"
