"""What a comparison found: its cells, and the choices that they are repeats of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import Any, Literal

from graphveil.methods.reduce.reducing import USUAL_K
from graphveil.records import plain
from graphveil.words import percent, size

Aim = Literal["fewest-changes", "least-risk"]
USEFUL = 0.95  # usefulness that is enough, unless something else is said
ATTACKER = "degree-and-triangles"  # of the frontier, unless another is named

SCHEMA = "graphveil/comparison/4"
# What an unchanged graph has; None where it is what the original has.
AGREEMENTS = {
    "average_clustering": None,
    "average_path_length": None,
    "betweenness_rank": 1.0,
    "communities": None,
}
CLEAR = 0.5  # agreement of the communities of an unchanged graph below which there are none to keep
CAPPED = ("betweenness_rank", "communities")  # agreements of which more is never a loss


@dataclass(frozen=True)
class Cell:
    """One anonymization of the graph, measured."""

    # As given to `graphveil.anonymize`
    method: str
    k: int
    degree_k: int | None
    seed: int
    promises: dict[str, int]  # the k of each model that the result keeps, ``"k-NMF"`` or ``"k-degree"``
    problem: str | None  # why there is no result, None where there is one
    figures: dict[str, float | None]  # by name, see docs/compare.md
    seconds: float  # how long anonymizing took
    notes: Sequence[str] = ()  # what should be known about the run, for example that its budget ended it
    # Levels of further guarantees that were asked for, by their parameter, such as ``{"spread": 0.5}``
    further: Mapping[str, float] = field(default_factory=dict)
    reduce: str | None = None  # this and the next as given to `graphveil.anonymize`
    max_changes: float | None = None


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
    def further(self) -> Mapping[str, float]:
        """Further guarantees that were asked for."""
        return self.cells[0].further

    @property
    def max_changes(self) -> float | None:
        """The budget of a reduction, where something was to be reduced."""
        return self.cells[0].max_changes

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
class Point:
    """What a choice changes, and whom it leaves exposed to one attacker."""

    method: str
    k: int
    degree_k: int | None
    further: Mapping[str, float]
    max_changes: float | None
    changed: float  # friendships added and deleted, as a share of the original ones
    exposed: float  # share of the people in groups below the k of the comparison, or with a friendship in one
    best: bool  # whether no other choice has as few changes and as few people exposed


def points(choices: Iterable[Choice], attacker: str) -> tuple[Point, ...]:
    """Changes against people exposed to an attacker, the fewest changes first; measured, not guaranteed."""
    measured = [
        (changed / 100, exposed, choice)
        for choice in choices
        if (changed := choice.mean("changed_percent")) is not None
        and (exposed := choice.mean(exposed_name(attacker))) is not None
    ]
    found, least = list[Point](), math.inf
    for changed, exposed, each in sorted(measured, key=lambda row: row[:2]):
        about = each.method, each.k, each.degree_k, each.further, each.max_changes
        found.append(Point(*about, changed, exposed, best=exposed < least))
        least = min(least, exposed)
    return tuple(found)


def named(choice: Choice | Point, *, with_degrees: bool = True) -> str:
    """A method with its further guarantees and its reduction, without its k."""
    levels = {"degree_k": choice.degree_k} if choice.degree_k and with_degrees else {}
    words = [f"{name.replace('_', ' ')} {level:g}" for name, level in {**levels, **choice.further}.items()]
    if choice.max_changes is not None:
        words.append(f"reduced within {percent(choice.max_changes)}")
    return ", ".join((choice.method, *words))


def exposed_name(attacker: str) -> str:
    """The figure that says whom a choice leaves exposed to an attacker.

    >>> exposed_name("edge-degrees")
    'exposed_edge_degrees'
    """
    return f"exposed_{attacker.replace('-', '_')}"


def usefulness(choice: Choice) -> float:
    """How much of the original a choice keeps, from 0 to 1.

    The mean of four agreements: average clustering, average path length, betweenness ranks, communities. Communities
    that agree better than those of an unchanged graph do are chance of the finder, neither a gain nor a loss. Where the
    finder hardly agrees with itself on the unchanged graph, there are no communities to keep, and they do not count.
    """
    found = [value for name in AGREEMENTS if (value := _agreement(choice, name)) is not None]
    return sum(found) / len(found) if found else 0.0


def remaining_risk(choice: Choice) -> tuple[float, str]:
    """What the best-informed attacker is expected to find, as a share, and the attacker's name in the figures."""
    names = dict.fromkeys(
        name for cell in choice.cells for name in cell.figures if name.endswith("_expected")
    )
    found = [(choice.mean(name) or 0.0, name) for name in names]
    return max(found, default=(0.0, ""))


def _agreement(choice: Choice, name: str) -> float | None:
    """One agreement, 1 where nothing has moved."""
    value = choice.mean(name)
    unchanged = AGREEMENTS[name] or choice.mean(
        "communities_unchanged" if name == "communities" else f"{name}_before"
    )
    if value is None or not unchanged or (name == "communities" and unchanged < CLEAR):
        return None
    ratio = value / unchanged
    return max(0.0, 1 - abs((min(ratio, 1.0) if name in CAPPED else ratio) - 1))


@dataclass(frozen=True, repr=False)
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
    further: Mapping[str, float] = field(default_factory=dict)
    aim: Aim = "fewest-changes"
    useful: float = USEFUL
    friendship_k: tuple[int, ...] = ()
    max_changes: tuple[float, ...] = ()
    attacker: str = ATTACKER
    exposed_k: int = USUAL_K
    exposed_before: float | None = None
    frontier: tuple[Point, ...] = ()

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The cells, those that differ only in their seed put together, in the order of methods and k."""
        together: dict[tuple[Any, ...], list[Cell]] = {}
        for cell in self.cells:
            key = cell.method, cell.k, cell.degree_k, tuple(cell.further.items()), cell.max_changes
            together.setdefault(key, []).append(cell)
        return tuple(
            Choice(cells[0].method, cells[0].k, cells[0].degree_k, tuple(cells))
            for cells in together.values()
        )

    def __repr__(self) -> str:
        """Short, and without the seeds."""
        tried = f"{len(self.methods)} × {len(self.k)}"
        advice = self.recommendation[0] if self.recommendation else ""
        return f"Comparison({size(self.vertices, self.edges)}; methods × k: {tried}; {advice})"

    def _repr_html_(self) -> str:
        """A small table for notebooks, and which choice to take."""
        from graphveil.pages import in_notebook

        headings = ("method", "k", *["degree k"] * bool(self.degree_k), *FIGURES)
        rows = [_row(choice, bool(self.degree_k)) for choice in self.choices]
        caption = f"Methods compared on {size(self.vertices, self.edges)}"
        return in_notebook((caption, headings, rows), notes=self.recommendation[:2])

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/compare.md.

        Seconds are left out: the same graph and parameters give the same document.
        """
        document: dict[str, Any] = {"schema": SCHEMA, **plain(self)}
        for cell in document["cells"]:
            del cell["seconds"]
        return document


FIGURES = ("friendships changed", "dummy people", "usefulness", "found by the best-informed attacker")


def _row(choice: Choice, with_degrees: bool) -> list[str]:
    """What a notebook shows of a choice: its parameters, and `FIGURES`."""
    degrees = ["–" if choice.degree_k is None else f"{choice.degree_k:,}"] * with_degrees
    parameters = [choice.method, f"{choice.k:,}", *degrees]
    if choice.problem:
        return [*parameters, *["–"] * len(FIGURES)]
    return [
        *parameters,
        percent((choice.mean("changed_percent") or 0.0) / 100),
        f"{round(choice.mean('new_vertices') or 0):,}",
        percent(usefulness(choice)),
        percent(remaining_risk(choice)[0]),
    ]
