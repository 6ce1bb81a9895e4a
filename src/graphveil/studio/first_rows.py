"""What the page Open shows of a file: its first rows, and warnings with the choices that settle them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from graphveil.studio.forms import in_form, reading_form
from graphveil.words import plain

if TYPE_CHECKING:
    from graphveil.formats.advice.previewing import Preview

LONGEST_CELL = 40
MOST_COLUMNS = 12
OF_PREVIEW = (
    "path",
    "format",
    "encoding",
    "max_memory",
    "delimiter",
    "columns",
    "header",
    "comments",
    "quotes",
)
OFFERS: dict[str, list[tuple[str, dict[str, Any]]]] = {  # what to click instead of typing an option
    "header=": [
        ("The first line names the columns", {"header": "yes"}),
        ("The first line is data", {"header": "no"}),
    ],
    "undirected=": [("Take it as undirected", {"undirected": True})],
    "project=": [("Join people who share a membership", {"project": True})],
}

Arguments = Mapping[str, Any]


def first_rows(arguments: Arguments) -> dict[str, Any]:
    """The first rows, the columns taken, and why the file would be refused."""
    from graphveil import preview

    found = preview(**{name: value for name, value in arguments.items() if name in OF_PREVIEW})
    rows = [[plain(cell, LONGEST_CELL) for cell in row[:MOST_COLUMNS]] for row in found.rows]
    warnings = [_refused(found, arguments)] if found.problem and found.candidates else []
    return {
        "caption": _caption(found),
        "columns": [plain(name, LONGEST_CELL) for name in found.names[:MOST_COLUMNS]],
        "rows": rows,
        "taken": list(found.positions or ()),
        "form": _form(arguments) if len(found.names) > 1 else None,
        "warnings": warnings,
    }


def _caption(found: Preview) -> str:
    if found.columns is None:
        return "The first rows"
    parted = f"; columns are separated by {found.delimiter}" if found.delimiter else ""
    names = " and ".join(plain(name, LONGEST_CELL) for name in found.columns)
    return f"The first rows. People are taken from {names}{parted}."


def _refused(found: Preview, arguments: Arguments) -> dict[str, Any]:
    """The reason, and each pair of columns that may be meant."""
    choices = []
    for pair, places in list(zip(found.candidates, found.places, strict=True))[:6]:
        label = " and ".join(plain(name, LONGEST_CELL) for name in pair)
        if pair[0] == pair[1]:
            label = f"columns {places[0] + 1} and {places[1] + 1}, {label}"
        choices.append([f"Take {label}", _form(arguments, columns=f"{places[0]},{places[1]}")])
    return {"text": in_form(found.problem or ""), "choices": choices}


def warned(text: str, arguments: Arguments) -> dict[str, Any]:
    """A sentence of the library, with a choice for each option that it names."""
    choices = [
        [label, _form(arguments, **changed)]
        for option, offers in OFFERS.items()
        if re.search(rf"\b{option}", text)
        for label, changed in offers
        if {name: _form(arguments)[name] for name in changed} != changed
    ]
    choices += [
        [f"Read it as {encoding}", _form(arguments, encoding=encoding)]
        for encoding in re.findall(r'encoding="([\w-]+)"', text)
    ]
    return {"text": in_form(text), "choices": choices}


def skipping(text: str, lines: Sequence[int], arguments: Arguments) -> dict[str, Any]:
    """Why a file was refused for some of its rows, with the choice to leave these out."""
    few = ", ".join(f"{line:,}" for line in lines[:5]) + (", …" if len(lines) > 5 else "")
    which = (
        f"Skip this row (line {few})" if len(lines) == 1 else f"Skip these {len(lines):,} rows (lines {few})"
    )
    return {"text": in_form(text), "choices": [[which, _form(arguments, skip_bad_rows=True)]]}


def _form(arguments: Arguments, **changed: Any) -> dict[str, Any]:
    """What the form of the page would hold with something changed."""
    ticks = dict.fromkeys(("undirected", "project", "skip_bad_rows"), False)
    return {**ticks, "header": "", **reading_form(arguments), **changed}
