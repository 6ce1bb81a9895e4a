"""What a published graph keeps of the attributes of friendships, and whether they tell which ones were added.

A number becomes the weighted degree of people: the sum over their friendships. A published class stands for its middle,
``60 or more`` and ``below 20`` for their bound. A date becomes a time series: the share of the friendships in each
period, as long as the published values say it.

Added friendships have values of others. An attacker may still look for values that are rare for the mutual-friend
count, or rare around the two people. The AUC of both is the probability that an original friendship looks more common
than an added one: 0.5 is chance. Far below it the opposite rule tells them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphveil.attributes import column_of
from graphveil.attributes.proposing import together
from graphveil.differences import pair_keys
from graphveil.graph import Graph
from graphveil.measures.agreement import kolmogorov_smirnov, rank_agreement, total_variation
from graphveil.measures.detection import auc

if TYPE_CHECKING:
    from graphveil.measures.table import Both

NUMBER = r"(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)"
RANGE = re.compile(rf"{NUMBER} to (?:below )?{NUMBER}")
BOUND = re.compile(rf"(?:below {NUMBER}|{NUMBER} or more)")
PERIOD = re.compile(r"\d{4}(-\d\d(-\d\d.*)?)?|\d{3}0s")
DAY = re.compile(r"\d{4}-\d\d-\d\d.*")
WORDS = {
    "weighted_degree_distance": "weighted degrees: Kolmogorov–Smirnov",
    "weighted_degree_rank": "weighted degrees: rank agreement",
    "time_series_distance": "time series: total variation",
    "added_edges_values_in_group": "added edges detected, values for a mutual-friend count",
    "added_edges_values_around": "added edges detected, values around two people",
}
Figure = tuple[str, float | None, float]  # name, value, and what a perfect result has


def figures_of_attributes(both: Both) -> Iterator[Figure]:
    """The figures of all attributes of friendships that both graphs have."""
    before, new = both.before.graph, both.new.graph
    for name, values in before.edge_attributes.items():
        if name in new.edge_attributes:
            yield from _of_numbers(name, both, values, new.edge_attributes[name])
            yield from _of_dates(name, values, new.edge_attributes[name])
    if new.edge_attributes and len(both.added):
        yield from _detection(new, both.added)


def number_of(value: Any) -> float | None:
    """The number that a value or a class of numbers stands for; NaN where it is missing, None for anything else.

    >>> number_of(7), number_of("10 to 19"), number_of("60 or more"), number_of("since May")
    (7.0, 14.5, 60.0, None)
    """
    if value is None:
        return np.nan
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, str):
        return None
    if found := RANGE.fullmatch(value):
        return (float(found[1]) + float(found[2])) / 2
    found = BOUND.fullmatch(value)
    return float(found[1] or found[2]) if found else None


def _each(values: NDArray[Any], of: Callable[[Any], Any]) -> list[Any] | None:
    """Something of each value, each distinct one seen once; None where one has none."""
    column = column_of("", values)
    found = [of(value) for value in column.values]
    return None if None in found else [found[code] for code in column.codes.tolist()]


def _of_numbers(name: str, both: Both, old: NDArray[Any], new: NDArray[Any]) -> Iterator[Figure]:
    numbers = [each for values in (old, new) if (each := _each(values, number_of)) is not None]
    if len(numbers) < 2 or not all(np.isfinite(each or [np.nan]).any() for each in numbers):
        return
    graphs = both.before.graph, both.new.graph
    weighted = [
        np.bincount(graph.edges.T.ravel(), np.tile(np.nan_to_num(each), 2), graph.n)
        for graph, each in zip(graphs, numbers, strict=True)
    ]
    yield f"weighted_degree_distance:{name}", kolmogorov_smirnov(*weighted), 0.0
    yield f"weighted_degree_rank:{name}", rank_agreement(weighted[0], weighted[1][: graphs[0].n]), 1.0


def _of_dates(name: str, old: NDArray[Any], new: NDArray[Any]) -> Iterator[Figure]:
    days, periods = (_each(values, partial(_only, known)) for values, known in ((old, DAY), (new, PERIOD)))
    if days is None or periods is None or not any(days) or not any(periods):
        return
    length = min(len(each.removesuffix("0s")) for each in periods if each)
    shown = [[each[:length] for each in some if each] for some in (days, periods)]
    places = {each: place for place, each in enumerate(sorted({*shown[0], *shown[1]}))}
    counts = [np.array([places[each] for each in some]) for some in shown]
    yield f"time_series_distance:{name}", total_variation(*counts), 0.0


def _only(pattern: re.Pattern[str], value: Any) -> Any:
    """A value of this form, empty for a missing one, None for any other."""
    if value is None:
        return ""
    return value if isinstance(value, str) and pattern.fullmatch(value) else None


def _detection(graph: Graph, added: NDArray[np.int32]) -> Iterator[Figure]:
    """How common the values of each friendship are where they stand; an added one should not stand out."""
    values = together((column_of(*each).marks for each in graph.edge_attributes.items()), graph.m)
    groups = together([values, graph.mutual_friends], graph.m)
    is_added = np.isin(pair_keys(graph.edges, graph.n), pair_keys(added, graph.n))
    alike, of_count = (np.bincount(each)[each] - 1 for each in (groups, graph.mutual_friends))
    same = alike / np.maximum(of_count, 1)
    at_person = graph.edges.astype(np.int64) * (int(values.max(initial=0)) + 1) + values[:, None]
    _, place, times = np.unique(at_person, return_inverse=True, return_counts=True)
    around = times[place.reshape(-1, 2)].sum(axis=1) - 2
    others = graph.degrees[graph.edges].sum(axis=1) - 2
    for name, score in (("in_group", same), ("around", around / np.maximum(others, 1))):
        yield (
            f"added_edges_values_{name}",
            auc(np.round(score[~is_added], 12), np.round(score[is_added], 12)),
            0.5,
        )
