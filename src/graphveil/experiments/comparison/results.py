"""What a comparison found: its cells, and the choices that they are repeats of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

from graphveil.records import plain

__all__ = ["Cell", "Choice", "Comparison"]

SCHEMA = "graphveil/comparison/2"


@dataclass(frozen=True)
class Cell:
    """One anonymization of the graph, measured.

    Attributes
    ----------
    method, k, degree_k, seed
        As given to `graphveil.anonymize`
    promises
        The k of each model that the result keeps, ``"k-NMF"`` or ``"k-degree"``
    problem
        Why there is no result, None where there is one
    figures
        By name, see docs/compare.md
    seconds
        How long anonymizing took
    notes
        What should be known about the run, for example that its budget ended it
    """

    method: str
    k: int
    degree_k: int | None
    seed: int
    promises: dict[str, int]
    problem: str | None
    figures: dict[str, float | None]
    seconds: float
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Choice:
    """A method at one k, over all seeds."""

    method: str
    k: int
    degree_k: int | None
    cells: tuple[Cell, ...]

    @property
    def problem(self) -> str | None:
        """Why there is no result."""
        return self.cells[0].problem

    @property
    def promises(self) -> dict[str, int]:
        """What a result keeps."""
        return self.cells[0].promises

    @property
    def notes(self) -> tuple[str, ...]:
        """What should be known about the runs."""
        return tuple(dict.fromkeys(note for cell in self.cells for note in cell.notes))

    def values(self, name: str) -> list[float]:
        """One figure for every seed that has it."""
        found = (cell.figures.get(name) for cell in self.cells)
        return [value for value in found if value is not None]

    def mean(self, name: str) -> float | None:
        """One figure, averaged over the seeds; None where it is not defined."""
        return fmean(values) if (values := self.values(name)) else None

    def difference(self, name: str) -> float | None:
        """How far a measure of the graph has moved from the original, averaged over the seeds."""
        after, before = self.mean(name), self.mean(f"{name}_before")
        return None if after is None or before is None else after - before


@dataclass(frozen=True)
class Comparison:
    """What `compare` found. ``to_dict`` gives it in the documented schema, ready for JSON."""

    vertices: int
    edges: int
    k: tuple[int, ...]
    methods: tuple[str, ...]
    degree_k: tuple[int, ...]
    seeds: tuple[int, ...]
    quick: bool
    cells: tuple[Cell, ...]
    recommendation: tuple[str, ...] = ()

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The cells, those that differ only in their seed put together, in the order of methods and k."""
        together: dict[tuple[str, int, int | None], list[Cell]] = {}
        for cell in self.cells:
            together.setdefault((cell.method, cell.k, cell.degree_k), []).append(cell)
        return tuple(Choice(*key, tuple(cells)) for key, cells in together.items())

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/compare.md.

        Seconds are left out: the same graph and parameters give the same document.
        """
        document: dict[str, Any] = {"schema": SCHEMA, **plain(self)}
        for cell in document["cells"]:
            del cell["seconds"]
        return document
