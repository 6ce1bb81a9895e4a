"""A published graph against its original: what changed, what was kept, and what of it can be told apart."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import differences, match
from graphveil.errors import ParameterError
from graphveil.graph import Graph
from graphveil.measures.attributes import figures_of_attributes
from graphveil.measures.betweenness import BINS, binned
from graphveil.measures.profiling import Measuring, Profile, profile
from graphveil.measures.sampling import Estimate
from graphveil.measures.table import AGREEMENTS, Both, Row, in_words
from graphveil.notebooks import also_say, how_far, long_work
from graphveil.stopping import stoppable
from graphveil.words import percent

SCHEMA = "graphveil/utility/1"


@dataclass(frozen=True)
class Measure:
    """One figure of both graphs."""

    name: str
    # The figures; None where they are not defined
    before: float | None
    after: float | None
    difference: float | None  # after − before
    exact: bool  # whether both are exact
    # Standard error of the difference, the two samples taken as independent, so no less than that of either
    # figure; 0 where exact, None where it is not known
    error: float | None


@dataclass(frozen=True)
class Agreement:
    """One figure that compares the graphs; ``unchanged`` is what it would be if nothing had been changed."""

    name: str
    value: float | None
    unchanged: float | None
    exact: bool
    error: float | None


@dataclass(frozen=True)
class Distribution:
    """Share of the vertices, edges or pairs at each value, for drawing."""

    name: str
    of: str
    values: tuple[float, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]


def _cell(value: float | None) -> str:
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


@dataclass(frozen=True, repr=False)
class Utility:
    """What `utility` found. ``to_dict`` gives it in the documented schema, ready for JSON.

    ``result["average_clustering"]`` gives a measure or an agreement by name.
    """

    vertices: tuple[int, int]  # before and after
    edges: tuple[int, int]
    new_vertices: int
    added: int
    deleted: int
    changed_percent: float | None  # edges added and deleted, of the edges before
    quick: bool
    seed: int
    betweenness_sources: tuple[int, int]
    betweenness_error: (
        float  # root of the mean squared standard error of a vertex, as a share of the mean; 0 where exact
    )
    measures: tuple[Measure, ...]
    agreements: tuple[Agreement, ...]
    distributions: tuple[Distribution, ...]

    def __getitem__(self, name: str) -> Measure | Agreement:
        """The measure or agreement of that name."""
        figures: dict[str, Measure | Agreement] = {found.name: found for found in self.measures}
        figures |= {found.name: found for found in self.agreements}
        return figures[name]

    def __repr__(self) -> str:
        changed = f"{self._changed()} of the friendships changed"
        return f"Utility({self.added:,} added, {self.deleted:,} deleted, {changed})"

    def _changed(self) -> str:
        return "–" if self.changed_percent is None else percent(self.changed_percent / 100)

    def _repr_html_(self) -> str:
        """Two small tables for notebooks."""
        from graphveil.pages import in_notebook

        figures = [(in_words(m.name), _cell(m.before), _cell(m.after)) for m in self.measures]
        compared = [(in_words(a.name), _cell(a.value), _cell(a.unchanged)) for a in self.agreements]
        caption = f"{self.added:,} friendships added, {self.deleted:,} deleted: {self._changed()} of all"
        return in_notebook(
            (caption, ("", "before", "after"), figures),
            ("How far the two agree", ("", "value", "if unchanged"), compared),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/utility.md."""
        from graphveil.records import plain

        return {"schema": SCHEMA, **plain(self)}


@long_work("measuring")
@stoppable()
def utility(
    before: Graph | Profile,
    after: Graph,
    *,
    quick: bool = False,
    seed: int = 7,
    progress: Measuring | None = None,
) -> Utility:
    """As `graphveil.utility`, of two graphs under the same ids."""
    progress = also_say(progress, how_far)
    if isinstance(before, Graph):
        before = profile(before, quick=quick, seed=seed, progress=_of("the original", progress))
    elif (before.quick, before.seed) != (bool(quick), seed):
        raise ParameterError(
            "the profile of the original was made with another quick or seed. Use the same for both."
        )
    after, measuring = match(before.graph, after), _of("the published graph", progress)
    new = profile(after, quick=quick, seed=seed, like=before, progress=measuring)
    added, deleted = differences(before.graph, new.graph)
    if progress:
        progress("how far the two agree", 0.0)
    both = Both(before, new, added, deleted)
    agreements = (
        *(_agreement(row, both) for row in AGREEMENTS),
        *(Agreement(name, value, best, True, 0.0) for name, value, best in figures_of_attributes(both)),
    )
    if progress:
        progress("everything", 1.0)
    return Utility(
        vertices=(before.graph.n, new.graph.n),
        edges=(before.graph.m, new.graph.m),
        new_vertices=new.graph.n - before.graph.n,
        added=len(added),
        deleted=len(deleted),
        changed_percent=100 * (len(added) + len(deleted)) / before.graph.m if before.graph.m else None,
        quick=before.quick,
        seed=before.seed,
        betweenness_sources=(before.betweenness.sources, new.betweenness.sources),
        betweenness_error=max(before.betweenness.relative_error, new.betweenness.relative_error),
        measures=tuple(_measure(name, before.measures[name], new.measures[name]) for name in before.measures),
        agreements=agreements,
        distributions=_distributions(before, new),
    )


def _of(which: str, progress: Measuring | None) -> Measuring | None:
    return progress and (lambda what, share: progress(f"{what} of {which}", share))


def _measure(name: str, before: Estimate, after: Estimate) -> Measure:
    defined = before.value is not None and after.value is not None
    difference = after.value - before.value if defined else None  # type: ignore[operator]
    error = hypot(before.error, after.error)
    return Measure(name, before.value, after.value, difference, error == 0, None if isnan(error) else error)


def _agreement(row: Row, both: Both) -> Agreement:
    found = row.value(both)
    exact = found.error == 0 and not found.sampled
    return Agreement(
        row.name, found.value, row.unchanged(both), exact, None if isnan(found.error) else found.error
    )


def _distributions(before: Profile, new: Profile) -> tuple[Distribution, ...]:
    def shares(old: NDArray[Any], later: NDArray[Any]) -> list[NDArray[np.float64]]:
        length = max(len(old), len(later))
        return [np.pad(count, (0, length - len(count))) / max(count.sum(), 1) for count in (old, later)]

    def of_counts(name: str, of: str, old: NDArray[Any], later: NDArray[Any]) -> Distribution:
        both = shares(old, later)
        values = np.flatnonzero(both[0] + both[1])
        return Distribution(
            name, of, *(tuple(part.tolist()) for part in (values, *(s[values] for s in both)))
        )

    between = shares(binned(before.share_between), binned(new.share_between))
    return (
        of_counts("degree", "vertices", np.bincount(before.graph.degrees), np.bincount(new.graph.degrees)),
        of_counts(
            "mutual_friends", "edges", np.bincount(before.mutual_friends), np.bincount(new.mutual_friends)
        ),
        of_counts("distance", "connected pairs", before.distances.histogram, new.distances.histogram),
        Distribution("betweenness", "vertices", BINS, *(tuple(part.tolist()) for part in between)),
    )
