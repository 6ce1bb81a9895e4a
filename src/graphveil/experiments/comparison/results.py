"""What a comparison found: its cells, the frontier, and which choice to take.

The rule, stated where the result is shown:

1. A choice is *useful* if it keeps the usefulness that was asked for, 95 % by default, see `usefulness`.
2. At each k, all choices give the same guarantee. Take the useful one with the fewest changes. With the aim
   ``least-risk``, take the useful one with the least remaining risk instead, see `remaining_risk`. Choices within
   `EQUAL` of the least are equal, and the one with the fewest changes wins.
3. Of these, take the largest k; with the aim ``least-risk`` the one with the least remaining risk.

Changes that happen to confuse an attacker are not protection, so by default risk decides nothing. Only choices with the
k-NMF guarantee are recommended.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from statistics import fmean
from typing import Any, Literal

from graphveil.goals import NMF, Friendship
from graphveil.methods.reduce.reducing import USUAL_K
from graphveil.records import plain
from graphveil.words import counted, percent, size

Aim = Literal["fewest-changes", "least-risk"]
USEFUL = 0.95  # usefulness that is enough, unless something else is said
ATTACKER = "degree-and-triangles"  # of the frontier, unless another is named
EQUAL = 0.01  # remaining risks that differ by no more are equal
USUAL = "plan"  # of equal choices

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
class Choice(Cell):
    """A method at one k, over all seeds: its first cell, with the remarks about any, and all of them."""

    cells: tuple[Cell, ...] = ()

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> Choice:
        """The cells that differ only in their seed, put together."""
        notes = tuple(dict.fromkeys(note for cell in cells for note in cell.notes))
        return cls(**{**vars(cells[0]), "notes": notes}, cells=tuple(cells))

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


def attack_name(attacker: str) -> str:
    """The figure that says what an attacker is expected to find.

    >>> attack_name("edge-degrees")
    'attack_edge_degrees_expected'
    """
    return f"attack_{attacker.replace('-', '_')}_expected"


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
    further: Mapping[str, float] = field(default_factory=dict)
    aim: Aim = "fewest-changes"
    useful: float = USEFUL
    friendship_k: tuple[int, ...] = ()
    max_changes: tuple[float, ...] = ()
    attacker: str = ATTACKER
    exposed_k: int = USUAL_K

    @cached_property
    def recommendation(self) -> tuple[str, ...]:
        """Which choice to take and why, what each k costs and buys, and what no choice stops."""
        return recommend(self)

    @cached_property
    def frontier(self) -> tuple[Point, ...]:
        """What each choice changes, and whom it leaves exposed to the attacker."""
        return points(self.choices, self.attacker)

    @property
    def exposed_before(self) -> float | None:
        """Share of the people who are exposed to the attacker in the original."""
        name = f"{exposed_name(self.attacker)}_before"
        return next((cell.figures[name] for cell in self.cells if name in cell.figures), None)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The cells, those that differ only in their seed put together, in the order of methods and k."""
        together: dict[tuple[Any, ...], list[Cell]] = {}
        for cell in self.cells:
            key = cell.method, cell.k, cell.degree_k, tuple(cell.further.items()), cell.max_changes
            together.setdefault(key, []).append(cell)
        return tuple(map(Choice.of, together.values()))

    def __repr__(self) -> str:
        tried = f"{len(self.methods)} × {len(self.k)}"
        return (
            f"Comparison({size(self.vertices, self.edges)}; methods × k: {tried}; {self.recommendation[0]})"
        )

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
        derived = ("exposed_before", "frontier", "recommendation")
        document = {"schema": SCHEMA, **plain(self), **{name: plain(getattr(self, name)) for name in derived}}
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


# ---------------------------------------------------------------------- which choice to take


def recommend(comparison: Comparison) -> tuple[str, ...]:
    """Sentences: which choice to take and why, what each k costs and buys, and what no choice stops.

    >>> from graphveil import compare, generate
    >>> found = compare(generate(edges=400, seed=4), k=4, methods=["add-intuit", "add-del"])
    >>> found.recommendation[0]
    'Take add-intuit with k = 4.'
    """
    sentences: list[str] = []
    for demand in _demands(comparison):
        if choices := _guaranteed(comparison, *demand):
            sentences += _about(Rule(comparison.aim, comparison.useful), choices, *demand)
    sentences += [
        f"{each.method} at k = {each.k:,}: {each.problem}" for each in comparison.choices if each.problem
    ]
    return tuple(sentences) or (
        "None of these methods gives the guarantees asked for, so none is recommended.",
    )


def best_choice(comparison: Comparison) -> Choice | None:
    """What to publish, by the rule above; of several degree k and friendship k, with the largest."""
    several = [_guaranteed(comparison, *demand) for demand in _demands(comparison)]
    choices = next(filter(None, reversed(several)), None)
    return None if choices is None else Rule(comparison.aim, comparison.useful).take(choices)


def _demands(comparison: Comparison) -> Iterator[tuple[int | None, int | None]]:
    """Each degree k with each friendship k that was asked for."""
    return product(comparison.degree_k or (None,), comparison.friendship_k or (None,))


def _guaranteed(comparison: Comparison, degree_k: int | None, friendship_k: int | None) -> list[Choice]:
    """The choices with one degree k and one friendship k that can be recommended."""
    further = {**comparison.further} | ({Friendship.parameter: friendship_k} if friendship_k else {})
    return [
        choice
        for choice in comparison.choices
        if NMF.name in choice.promises
        and choice.degree_k == degree_k
        and choice.further == further
        and choice.max_changes is None
        and not choice.problem
    ]


@dataclass(frozen=True)
class Rule:
    """How to choose: the aim, and the usefulness that has to be kept."""

    aim: Aim
    useful: float

    def keeps_enough(self, choice: Choice) -> bool:
        """Whether a choice is useful."""
        return usefulness(choice) >= self.useful

    def best(self, choices: Sequence[Choice]) -> dict[int, Choice]:
        """The choice to take at each k, ascending."""
        ks = sorted({each.k for each in choices})
        return {k: self._best_of([each for each in choices if each.k == k]) for k in ks}

    def _best_of(self, choices: Sequence[Choice]) -> Choice:
        useful = [each for each in choices if self.keeps_enough(each)]
        if not useful:
            return max(choices, key=lambda each: (usefulness(each), each.method == USUAL))
        return min(self.equal(useful), key=lambda each: (*_cost(each), each.method != USUAL))

    def equal(self, useful: Sequence[Choice]) -> list[Choice]:
        """The choices among which the changes decide: all, or those with the least remaining risk, or nearly."""
        if self.aim == "fewest-changes":
            return list(useful)
        least = min(remaining_risk(each)[0] for each in useful)
        return [each for each in useful if remaining_risk(each)[0] <= least + EQUAL]

    def take(self, choices: Sequence[Choice]) -> Choice:
        """The choice to publish."""
        best = self.best(choices)
        useful = [each for each in best.values() if self.keeps_enough(each)]
        if not useful:
            return best[min(best)]
        return min(self.equal(useful), key=lambda each: -each.k)


def _cost(choice: Choice) -> tuple[float, float]:
    return choice.mean("changed_percent") or 0.0, choice.mean("new_vertices") or 0.0


# ---------------------------------------------------------------------- in words


def _about(
    rule: Rule, choices: Sequence[Choice], degree_k: int | None, friendship_k: int | None
) -> Iterator[str]:
    """What is to be said of the choices with one degree k and one friendship k."""
    taken, best = rule.take(choices), rule.best(choices)
    others = "".join(
        f" and {name} k = {k:,}" for name, k in (("degree", degree_k), ("friendship", friendship_k)) if k
    )
    yield f"Take {taken.method} with k = {taken.k:,}{others}."
    yield _why(rule, taken, choices)
    for choice in best.values():
        yield _what_it_buys(choice, [each for each in choices if each.k == choice.k])
    yield from _told_apart(best[max(best)])
    yield (
        "No choice stops an attacker who holds a similar graph. Share under an agreement if that matters "
        "(graphveil attack measures it)."
    )


def _why(rule: Rule, taken: Choice, choices: Sequence[Choice]) -> str:
    enough = percent(rule.useful)
    if not rule.keeps_enough(taken):
        return (
            f"Why: no choice keeps {enough} usefulness. This one keeps the most at the smallest k, "
            f"{percent(usefulness(taken))}. Consider a smaller k."
        )
    if rule.aim == "least-risk":
        return (
            f"Why: of the choices that keep {enough} usefulness, this one leaves the least remaining risk"
            + (f", within {100 * EQUAL:g} percentage point, at the largest k with the fewest changes.")
        )
    useful = [each for each in choices if each.k == taken.k and rule.keeps_enough(each)]
    fewest = f" At this k, {taken.method} changes the least." if len(useful) > 1 else ""
    return f"Why: k = {taken.k:,} is the largest k tried that keeps {enough} usefulness.{fewest}"


def _what_it_buys(choice: Choice, same_k: Sequence[Choice]) -> str:
    people = round(choice.mean("new_vertices") or 0)
    dummies = f" and {counted(people, 'dummy person', 'dummy people')}" if people else ""
    others = sorted((each for each in same_k if each is not choice), key=_cost)
    beside = ", ".join(f"{each.method} {_changed(each)}" for each in others)
    return (
        f"k = {choice.k:,} with {choice.method}: an attacker who knows one mutual-friend count identifies a "
        f"friendship with probability at most 1/{choice.k:,}. "
        f"It costs {_changed(choice)} of the friendships changed{dummies}"
        + (f" ({beside})" if beside else "")
        + f" and keeps {percent(usefulness(choice))} usefulness."
        + _still_found(choice)
    )


def _still_found(choice: Choice) -> str:
    risk, name = remaining_risk(choice)
    if not name:
        return ""
    before = choice.mean(f"{name}_before") or 0.0
    attacker = name.removeprefix("attack_").removesuffix("_expected").replace("_", " ")
    return (
        f" The best-informed attacker ({attacker}) still finds {percent(risk)} (before: {percent(before)})."
    )


def _told_apart(choice: Choice) -> Iterator[str]:
    """How well the better of two scores tells added from original edges; far below 0.5 tells as well as far above."""
    found = [choice.mean(f"added_edges_{score}") for score in ("jaccard", "adamic_adar")]
    chances = [max(value, 1 - value) for value in found if value is not None]
    if chances:
        yield (
            f"At k = {choice.k:,}, added friendships can be told from original ones with AUC {max(chances):.2f} "
            "(0.5 = not at all)."
        )


def _changed(choice: Choice) -> str:
    return percent((choice.mean("changed_percent") or 0.0) / 100)
