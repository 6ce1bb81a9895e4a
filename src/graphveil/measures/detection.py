"""Can an attacker detect what was changed: added edges among original ones, deleted pairs among strangers?

The attacker sees the published graph only. A pair is scored by how similar the neighbourhoods of its ends are (D.
Liben-Nowell, J. Kleinberg: The link-prediction problem for social networks, 2007): by Jaccard's share of common
neighbours, and by Adamic and Adar's sum of 1 / log(degree) over them. The AUC is the probability that a pair of the
first kind scores higher than one of the second, where ties count half. 0.5 is chance. Far above it, added edges look
out of place. Far below, they look better than real ones, which an attacker who knows the method can use too.

A trained attacker uses several features of a pair, in which the edge itself does not count:

- mutual friends, Adamic and Adar's sum, Jaccard's share;
- paths of three edges (each closes a cycle of four);
- the shortest alternative path (two, three or more edges);
- both degrees;
- the edge's betweenness in a small ball: for how many pairs of friends of its two ends it is a shortest way.

The classifiers are logistic regressions with the fixed coefficients in ``coefficients.json``, one for
each kind of change. ``python tools/train_plausibility.py`` fits them on generated graphs, anonymized by each kind
of method. So they were trained on the changes of other graphs, cost nothing here, and give the same figure every
time. The certificate names the guarantees, so the attacker knows what kind of change to look for: the best
classifier counts.

The rule "no mutual friend, and another path of three edges" finds edges that were added to raise degrees.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import pair_keys
from graphveil.graph import Graph
from graphveil.measures.sampling import Estimate, slices

# By kind of change and family of methods: mean, spread and coefficient of each feature.
CLASSIFIERS: dict[str, dict[str, list[list[float]]]] = json.loads(
    (files(__package__) / "coefficients.json").read_text("utf-8")
)
SCORES = ("jaccard", "adamic_adar")
WEDGES = 100_000  # drawn to find pairs at distance 2
AT_ONCE = 20_000  # pairs in one call of a kernel
SCALE = ((0.6, "hardly"), (0.75, "to some extent"), (0.9, "well"), (1.01, "almost always"))
FEW = 10  # changes; an AUC of fewer says little, and is put into no words

Pairs = NDArray[np.int32]
Values = NDArray[np.float64]


def without(pairs: Pairs, others: Pairs, n: int) -> Pairs:
    """The pairs that are not among the others, of vertices below n."""
    left: Pairs = pairs[~np.isin(pair_keys(pairs, n), pair_keys(others, n))]
    return left


def added_edges(after: Graph, added: Pairs) -> dict[str, Estimate]:
    """By score, the probability that an original edge scores higher than an added one in the published graph."""
    original, ours = _scores(after, without(after.edges, added, after.n)), _scores(after, added)
    return {name: Estimate(auc(original[name], ours[name])) for name in SCORES}


def deleted_pairs(after: Graph, deleted: Pairs, seed: int) -> dict[str, Estimate]:
    """By score, the probability that a deleted pair scores higher than a pair of strangers with a common friend.

    Strangers are drawn evenly from all pairs at distance 2 that were no edge before, so the figure has an error.
    """
    strangers = without(pairs_at_distance_two(after, np.random.default_rng(seed)), deleted, after.n)
    ours, theirs = _scores(after, deleted), _scores(after, strangers)
    return {name: sampled_auc(ours[name], theirs[name]) for name in SCORES}


def _scores(graph: Graph, pairs: Pairs) -> dict[str, Values]:
    common, adamic_adar = _in_common(graph, pairs)
    either = graph.degrees[pairs].sum(axis=1) - common
    return {"jaccard": common / np.maximum(either, 1), "adamic_adar": adamic_adar}


def _in_common(graph: Graph, pairs: Pairs) -> tuple[NDArray[np.int64], Values]:
    """Of each pair the common neighbours, and Adamic and Adar's sum over them."""
    from graphveil.kernels.similarity import common_neighbours

    start, neighbours, _ = graph.adjacency
    weight = 1 / np.log(np.maximum(graph.degrees, 2))  # a common neighbour has two neighbours at least
    common, adamic_adar = common_neighbours(start, neighbours, weight, pairs)
    return common, np.round(adamic_adar, 12)


def auc(higher: Values, lower: Values) -> float | None:
    """Probability that one of ``higher`` exceeds one of ``lower``, ties counting half."""
    return float(_placements(higher, lower).mean()) if len(higher) and len(lower) else None


def _placements(of: Values, among: Values) -> Values:
    """For each value, the share of the others below it, ties counting half."""
    among = np.sort(among)
    below, not_above = (np.searchsorted(among, of, side=side) for side in ("left", "right"))
    placements: Values = (below + not_above) / (2 * len(among))
    return placements


def sampled_auc(all_of: Values, sample: Values) -> Estimate:
    """AUC against a sample, whose share in the variance is that of its placements (E. DeLong et al. 1988)."""
    value = auc(all_of, sample)
    if value is None or len(sample) < 2:
        return Estimate(value)
    return Estimate(value, sqrt(float(_placements(sample, all_of).var(ddof=1)) / len(sample)))


def pairs_at_distance_two(graph: Graph, random: np.random.Generator) -> Pairs:
    """Pairs of strangers with a common friend, each such pair equally likely.

    A random path of two edges finds a pair as often as it has common friends, so it is kept with one over their
    number.
    """
    from graphveil.kernels.similarity import common_neighbours

    start, neighbours, _ = graph.adjacency
    degrees = graph.degrees
    paths = np.cumsum(degrees * (degrees - 1))
    if not len(paths) or not paths[-1]:
        return np.empty((0, 2), np.int32)
    middle = np.searchsorted(paths, random.integers(0, paths[-1], WEDGES), side="right")
    first = random.integers(0, degrees[middle])
    second = random.integers(0, degrees[middle] - 1)
    second += second >= first
    ends = np.sort(neighbours[start[middle][:, None] + np.column_stack((first, second))], axis=1)
    strangers = without(ends, graph.edges, graph.n)
    common, _ = common_neighbours(start, neighbours, np.zeros(graph.n), strangers)
    kept: Pairs = strangers[random.random(len(strangers)) * common < 1]
    return kept


def features(graph: Graph, pairs: Pairs) -> Values:
    """A row of features for each pair, as if it were no edge."""
    import numba

    from graphveil.kernels.similarity import paths_of_three

    start, neighbours, _ = graph.adjacency
    common, adamic_adar = _in_common(graph, pairs)
    paths = np.zeros(len(pairs), np.int64)
    marks = np.zeros((numba.get_num_threads(), graph.n), np.int8)
    for part in slices(len(pairs), AT_ONCE, None):
        paths_of_three(start, neighbours, pairs[part], marks, paths[part])
    is_edge = np.isin(pair_keys(pairs, graph.n), pair_keys(graph.edges, graph.n))
    degrees = graph.degrees[pairs] - is_edge[:, None]
    fewer, more = degrees.min(axis=1), degrees.max(axis=1)
    either = np.maximum(fewer + more - common, 1)
    columns = (
        np.log1p(common),
        adamic_adar,
        common / either,
        np.log1p(paths),
        (common == 0) & (paths > 0),
        (common == 0) & (paths == 0),
        np.log1p(fewer),
        np.log1p(more),
        np.log1p(np.maximum(fewer * more - paths - common, 0)),
        common == 1,
    )
    return np.column_stack([np.asarray(column, np.float64) for column in columns])


@dataclass(frozen=True)
class Candidates:
    """Pairs of two kinds by their features: changed ones, and a sample of the others, each standing for so many."""

    changed: Values
    others: Values
    weight: float

    @property
    def share(self) -> float | None:
        """Share of the changed among all."""
        total = len(self.changed) + self.weight * len(self.others)
        return len(self.changed) / total if total else None


def scores(kind: str, family: str, rows: Values) -> Values:
    """The classifier's score of each row: the higher, the more likely changed."""
    mean, spread, coefficient = (np.array(part) for part in CLASSIFIERS[kind][family])
    result: Values = np.round((rows - mean) / spread @ coefficient, 9)
    return result


def best_auc(kind: str, pairs: Candidates) -> tuple[str | None, Estimate]:
    """The classifier that tells most, and its AUC: 0.5 is chance, 1 is always."""
    found = {
        family: sampled_auc(scores(kind, family, pairs.changed), scores(kind, family, pairs.others))
        for family in CLASSIFIERS[kind]
    }
    defined = {family: each for family, each in found.items() if each.value is not None}
    if not defined:
        return None, Estimate(None)
    best = max(defined, key=lambda family: defined[family].value or 0.0)
    exact = pairs.weight == 1
    return best, Estimate(defined[best].value, 0.0 if exact else defined[best].error)


def precision_at_top(kind: str, family: str | None, pairs: Candidates) -> float | None:
    """Share of changed pairs among the highest scores, of which as many are taken as there are changed pairs."""
    if family is None or not len(pairs.changed):
        return None
    score = np.concatenate([scores(kind, family, rows) for rows in (pairs.changed, pairs.others)])
    changed = np.arange(len(score)) < len(pairs.changed)
    weight = np.where(changed, 1.0, pairs.weight)
    values, tie = np.unique(-score, return_inverse=True)  # highest first; ties are taken in equal parts
    whole, right = np.bincount(tie, weight, len(values)), np.bincount(tie, changed, len(values))
    before = np.cumsum(whole) - whole
    part = np.clip((len(pairs.changed) - before) / whole, 0, 1)
    return float((part * right).sum() / len(pairs.changed))


def rule(pairs: Candidates) -> tuple[float | None, float | None]:
    """Precision and recall of "no mutual friend, and another path of three edges"."""
    hit, false = float(pairs.changed[:, 4].sum()), pairs.weight * float(pairs.others[:, 4].sum())
    precision = hit / (hit + false) if hit + false else None
    return precision, hit / len(pairs.changed) if len(pairs.changed) else None


def scale(auc: float) -> str:
    """How well changes can be detected, in words.

    >>> scale(0.52), scale(0.7), scale(0.97)
    ('hardly', 'to some extent', 'almost always')
    """
    return next(words for limit, words in SCALE if max(auc, 1 - auc) < limit)
