"""A published graph against its original: what changed, what was kept, and what of it can be told apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import hypot, isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import differences, match
from graphveil.errors import ParameterError
from graphveil.graph import Graph
from graphveil.measures.agreement import (
    earth_mover,
    kolmogorov_smirnov,
    number_at_top,
    rank_agreement,
    top_agreement,
    total_variation,
)
from graphveil.measures.betweenness import compare
from graphveil.measures.communities import adjusted_mutual_information
from graphveil.measures.plausibility import added_edges, deleted_pairs
from graphveil.measures.profile import Measuring, Profile, profile
from graphveil.measures.sampling import Estimate
from graphveil.stopping import stoppable

__all__ = ["Agreement", "Distribution", "Measure", "Utility", "utility"]

SCHEMA = "graphveil/utility/1"

Statistic = Callable[[NDArray[Any], NDArray[Any]], float | None]


@dataclass(frozen=True)
class Measure:
    """One figure of both graphs.

    Attributes
    ----------
    before, after : the figures; None where they are not defined
    difference : after − before
    exact : whether both are exact
    error : standard error of the difference, the two samples taken as independent, so no less than that of either
        figure; 0 where exact, None where it is not known
    """

    name: str
    before: float | None
    after: float | None
    difference: float | None
    exact: bool
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


@dataclass(frozen=True)
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

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/utility.md."""
        from graphveil.records import plain

        return {"schema": SCHEMA, **plain(self)}


@stoppable()
def utility(
    before: Graph | Profile,
    after: Graph,
    *,
    quick: bool = False,
    seed: int = 7,
    progress: Measuring | None = None,
) -> Utility:
    """What a published graph keeps of its original.

    Parameters
    ----------
    before : the original, or its `Profile`, which spares measuring it again
    after : the published graph under the labels of the original; it may have further vertices
    quick : sample what takes time quadratic in the graph
    seed : for everything sampled and for the communities
    progress : called with what is being measured, and the share of it that is done; at the end with the share 1

    Raises
    ------
    GraphError
        Where a vertex of the original is missing in the published graph.

    Examples
    --------
    >>> from graphveil import Graph, utility
    >>> before = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> kept = utility(before, Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]))
    >>> kept.added, kept.changed_percent, round(kept["average_path_length"].difference, 3)
    (1, 25.0, -0.167)
    """
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
    agreements = *_agreements(before, new), *_tell_tales(new, added, deleted)
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


def _agreements(before: Profile, new: Profile) -> list[Agreement]:
    """Where the graphs are compared vertex by vertex, the new vertices are left out."""
    n = before.graph.n
    exact_paths = before.distances.exact and new.distances.exact
    between = before.betweenness, new.betweenness

    def of_betweenness(name: str, unchanged: float, statistic: Statistic, step: float = 0.0) -> Agreement:
        found = compare(*between, lambda old, later: statistic(old, later[:n]), step=step)
        return Agreement(
            f"betweenness_{name}", found.value, unchanged, all(b.exact for b in between), found.error
        )

    def of_counts(name: str, old: NDArray[Any], later: NDArray[Any]) -> list[Agreement]:
        return [
            Agreement(f"{name}_total_variation", total_variation(old, later), 0.0, True, 0.0),
            Agreement(f"{name}_earth_mover", earth_mover(old, later), 0.0, True, 0.0),
        ]

    def of_top(name: str, old: NDArray[Any], later: NDArray[Any], exact: bool = True) -> Agreement:
        return Agreement(f"{name}_top", top_agreement(old, later[:n]), 1.0, exact, 0.0 if exact else None)

    return [
        *of_counts("degree", before.graph.degrees, new.graph.degrees),
        *of_counts("mutual_friends", before.mutual_friends, new.mutual_friends),
        of_betweenness("kolmogorov_smirnov", 0.0, kolmogorov_smirnov),
        of_betweenness("rank", 1.0, rank_agreement),
        of_betweenness("top", 1.0, top_agreement, step=1 / max(number_at_top(n), 1)),
        of_top("pagerank", before.pagerank, new.pagerank),
        of_top("eigenvector", before.spectrum.centrality, new.spectrum.centrality),
        of_top("closeness", before.distances.closeness, new.distances.closeness, exact_paths),
        Agreement(
            "communities",
            adjusted_mutual_information(before.communities, new.communities[:n]),
            before.community_noise,
            True,
            0.0,
        ),
    ]


def _tell_tales(new: Profile, added: NDArray[np.int32], deleted: NDArray[np.int32]) -> list[Agreement]:
    """How well the changes can be told from what was there."""
    kinds = {
        "added_edges": added_edges(new.graph, added),
        "deleted_pairs": deleted_pairs(new.graph, deleted, new.seed),
    }
    return [
        Agreement(f"{kind}_{score}", auc.value, 0.5, auc.error == 0, auc.error)
        for kind, by_score in kinds.items()
        for score, auc in by_score.items()
    ]


def _distributions(before: Profile, new: Profile) -> tuple[Distribution, ...]:
    def of_counts(name: str, of: str, old: NDArray[Any], later: NDArray[Any]) -> Distribution:
        length = max(len(old), len(later))
        shares = [np.pad(count, (0, length - len(count))) / max(count.sum(), 1) for count in (old, later)]
        values = np.flatnonzero(shares[0] + shares[1])
        return Distribution(
            name, of, *(tuple(part.tolist()) for part in (values, *(s[values] for s in shares)))
        )

    return (
        of_counts("degree", "vertices", np.bincount(before.graph.degrees), np.bincount(new.graph.degrees)),
        of_counts(
            "mutual_friends", "edges", np.bincount(before.mutual_friends), np.bincount(new.mutual_friends)
        ),
        of_counts("distance", "connected pairs", before.distances.histogram, new.distances.histogram),
        _betweenness_distribution(before.share_between, new.share_between),
    )


def _betweenness_distribution(old: NDArray[np.float64], later: NDArray[np.float64]) -> Distribution:
    """Vertices by betweenness, as a share of all pairs, in steps of a quarter of a decade; the first is below all."""
    lower = np.concatenate(([0.0], 10.0 ** np.arange(-10, 0.25, 0.25)))
    shares = [
        np.bincount(np.searchsorted(lower, values, side="right") - 1, minlength=len(lower))
        / max(len(values), 1)
        for values in (old, later)
    ]
    return Distribution("betweenness", "vertices", *(tuple(part.tolist()) for part in (lower, *shares)))
