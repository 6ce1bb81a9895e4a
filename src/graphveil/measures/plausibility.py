"""Can an attacker detect what was changed: added edges among original ones, deleted pairs among strangers?

The attacker sees the published graph only. A pair is scored by how similar the neighbourhoods of its ends are,
which predicts friendship well (D. Liben-Nowell, J. Kleinberg: The link-prediction problem for social networks,
2007). The scores are Jaccard's share of common neighbours, and Adamic and Adar's sum of 1 / log(degree) over them.

The AUC says how well a score separates two kinds of pairs. It is the probability that a pair of the first kind
scores higher than one of the second, where ties count half. 0.5 is chance. Far above it, added edges look out of
place. Far below, they look better than real ones, which an attacker who knows the method can use too.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import pair_keys
from graphveil.graph import Graph
from graphveil.measures.sampling import Estimate

SCORES = ("jaccard", "adamic_adar")
WEDGES = 100_000  # drawn to find pairs at distance 2

Pairs = NDArray[np.int32]


def added_edges(after: Graph, added: Pairs) -> dict[str, Estimate]:
    """By score, the probability that an original edge scores higher than an added one in the published graph."""
    key = after.n
    is_added = np.isin(pair_keys(after.edges, key), pair_keys(added, key))
    scores = _scores(after, after.edges)
    return {name: Estimate(_auc(score[~is_added], score[is_added])) for name, score in scores.items()}


def deleted_pairs(after: Graph, deleted: Pairs, seed: int) -> dict[str, Estimate]:
    """By score, the probability that a deleted pair scores higher than a pair of strangers with a common friend.

    Strangers are drawn evenly from all pairs at distance 2 that were no edge before, so the figure has an error.
    """
    strangers = pairs_at_distance_two(after, np.random.default_rng(seed))
    key = after.n
    strangers = strangers[~np.isin(pair_keys(strangers, key), pair_keys(deleted, key))]
    ours, theirs = _scores(after, deleted), _scores(after, strangers)
    return {name: sampled_auc(ours[name], theirs[name]) for name in SCORES}


def _scores(graph: Graph, pairs: Pairs) -> dict[str, NDArray[np.float64]]:
    from graphveil.kernels.similarity import common_neighbours

    start, neighbours, _ = graph.adjacency
    degrees = graph.degrees
    weight = 1 / np.log(np.maximum(degrees, 2))  # a common neighbour has two neighbours at least
    common, adamic_adar = common_neighbours(start, neighbours, weight, pairs)
    either = degrees[pairs[:, 0]] + degrees[pairs[:, 1]] - common
    return {"jaccard": common / np.maximum(either, 1), "adamic_adar": np.round(adamic_adar, 12)}


def _auc(higher: NDArray[np.float64], lower: NDArray[np.float64]) -> float | None:
    """Probability that one of ``higher`` exceeds one of ``lower``, ties counting half."""
    return float(_placements(higher, lower).mean()) if len(higher) and len(lower) else None


def _placements(of: NDArray[np.float64], among: NDArray[np.float64]) -> NDArray[np.float64]:
    """For each value, the share of the others below it, ties counting half."""
    among = np.sort(among)
    below, not_above = (np.searchsorted(among, of, side=side) for side in ("left", "right"))
    placements: NDArray[np.float64] = (below + not_above) / (2 * len(among))
    return placements


def sampled_auc(all_of: NDArray[np.float64], sample: NDArray[np.float64]) -> Estimate:
    """AUC against a sample, whose share in the variance is that of its placements (E. DeLong et al. 1988)."""
    value = _auc(all_of, sample)
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
    strangers = ends[~np.isin(pair_keys(ends, graph.n), pair_keys(graph.edges, graph.n))]
    common, _ = common_neighbours(start, neighbours, np.zeros(graph.n), strangers)
    kept: Pairs = strangers[random.random(len(strangers)) * common < 1]
    return kept
