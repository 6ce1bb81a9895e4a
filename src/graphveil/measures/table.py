"""The one table of measures: everything that is compared between an original and a published graph.

A new measure is a new row, and a file if it is a new idea. `graphveil.utility`, its command, the reports and the
comparison of methods read this table; none of them names the measures one by one unless it shows a choice of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.measures.agreement import (
    earth_mover,
    kolmogorov_smirnov,
    number_at_top,
    rank_agreement,
    top_agreement,
    total_variation,
)
from graphveil.measures.attributes import WORDS
from graphveil.measures.betweenness import compare
from graphveil.measures.communities import agreement
from graphveil.measures.detection import (
    WEDGES,
    Candidates,
    added_edges,
    best_auc,
    deleted_pairs,
    features,
    pairs_at_distance_two,
    precision_at_top,
    rule,
    without,
)
from graphveil.measures.sampling import Estimate
from graphveil.words import plain

if TYPE_CHECKING:
    from graphveil.measures.profiling import Profile

MOST = 20_000  # original edges whose features are computed; drawn at random where there are more

Statistic = Callable[[NDArray[Any], NDArray[Any]], float | None]


@dataclass(frozen=True)
class Both:
    """The profiles of both graphs, and the edges in which they differ."""

    before: Profile
    new: Profile
    added: NDArray[np.int32]
    deleted: NDArray[np.int32]

    @cached_property
    def added_by_score(self) -> dict[str, Estimate]:
        return added_edges(self.new.graph, self.added)

    @cached_property
    def deleted_by_score(self) -> dict[str, Estimate]:
        return deleted_pairs(self.new.graph, self.deleted, self.new.seed)

    @cached_property
    def added_candidates(self) -> Candidates:
        """Features of the added edges, and of original ones."""
        graph = self.new.graph
        original = without(graph.edges, self.added, graph.n)
        drawn = np.random.default_rng(self.new.seed).permutation(len(original))[:MOST]
        some = original[np.sort(drawn)]
        return Candidates(
            features(graph, self.added), features(graph, some), len(original) / max(len(some), 1)
        )

    @cached_property
    def deleted_candidates(self) -> Candidates:
        """Features of the deleted pairs, and of pairs that never were friends but have a mutual friend."""
        graph, degrees = self.new.graph, self.new.graph.degrees
        drawn = pairs_at_distance_two(graph, np.random.default_rng(self.new.seed))
        strangers = without(drawn, self.deleted, graph.n)
        some = strangers[:MOST]
        pairs = len(strangers) / WEDGES * float((degrees * (degrees - 1)).sum()) / 2
        weight = pairs / max(len(some), 1)
        return Candidates(features(graph, self.deleted), features(graph, some), weight)

    @cached_property
    def added_detected(self) -> tuple[str | None, Estimate]:
        return best_auc("added", self.added_candidates)

    @cached_property
    def deleted_detected(self) -> tuple[str | None, Estimate]:
        return best_auc("deleted", self.deleted_candidates)


@dataclass(frozen=True)
class Row:
    """One measure."""

    name: str  # in JSON and Python
    words: str  # where people read it
    unit: str  # of the figure
    value: Callable[[Any], Estimate]  # from a `Profile`, or from `Both` where it compares the two graphs
    # What a perfect result has: the figure of the original ("same"), or a number; a function where it depends
    # on the graphs
    best: Literal["same"] | float | Callable[[Both], float | None] = "same"
    # The least report that has it; "brief" ones need no more than degrees and mutual friends
    level: Literal["brief", "quick"] = "quick"
    # In reports: the title and what it means, by default as elsewhere; the scale, by default open upwards from 0
    title: str = ""
    meaning: str = ""
    bounds: tuple[float, float] | None = None
    # Whether it is a figure over the whole graph, which the report for everybody may round and show
    overall: bool = False

    def unchanged(self, both: Both) -> float | None:
        """What the figure would be if nothing had been changed."""
        return self.best(both) if callable(self.best) else None if self.best == "same" else float(self.best)


# ---------------------------------------------------------------------- one figure of each graph


def _eigenvalues(kind: str, place: int) -> Callable[[Profile], Estimate]:
    def value(found: Profile) -> Estimate:
        values = getattr(found.spectrum, kind)
        return Estimate(values[place] if place < len(values) else None)

    return value


def _diameter(found: Profile) -> Estimate:
    return Estimate(found.distances.diameter, 0.0 if found.distances.exact else nan)


def _largest_betweenness(found: Profile) -> Estimate:
    n, between = found.graph.n, found.betweenness
    if n < 3:
        return Estimate(None)
    highest = int(np.argmax(between.values))
    pairs = (n - 1) * (n - 2) / 2
    return Estimate(float(between.values[highest] / pairs), float(between.errors[highest] / pairs))


FIGURES = (
    Row("average_clustering", "average clustering", "share", lambda p: p.triangles["average_clustering"],
        level="brief",
        title="Clustering", meaning="share of a person's friends who are friends, on average",
        bounds=(0, 1), overall=True),
    Row("transitivity", "transitivity", "share", lambda p: p.triangles["transitivity"], level="brief",
        title="Transitivity", meaning="share of all friends of friends who are friends", bounds=(0, 1), overall=True),
    Row("average_path_length", "average path length", "steps", lambda p: p.distances.average,
        title="Path length", meaning="steps between two people, on average", overall=True),
    Row("diameter", "diameter", "steps", _diameter,
        title="Diameter", meaning="the most steps between two people"),
    Row("effective_diameter", "effective diameter", "steps", lambda p: p.distances.effective_diameter,
        title="Effective diameter", meaning="steps that nine of ten pairs are within", overall=True),
    Row("assortativity", "assortativity", "correlation", lambda p: p.structure["assortativity"],
        title="Assortativity", meaning="do people with many friends know each other?", bounds=(-1, 1), overall=True),
    Row("components", "components", "number", lambda p: p.structure["components"],
        title="Components", meaning="parts without a connection"),
    Row("largest_component", "share in the largest component", "share", lambda p: p.structure["largest_component"],
        title="Largest component", meaning="share of the people who are connected to most",
        bounds=(0, 1), overall=True),
    Row("degeneracy", "largest coreness", "number", lambda p: p.structure["degeneracy"],
        title="Degeneracy", meaning="coreness of the densest part"),
    Row("average_coreness", "average coreness", "number", lambda p: p.structure["average_coreness"],
        title="Coreness", meaning="how dense people's surroundings are, on average", overall=True),
    *(
        Row(f"{kind}_eigenvalue_{i + 1}", f"eigenvalue of the {name}, no. {i + 1}", "number", _eigenvalues(kind, i))
        for kind, name in (("adjacency", "adjacency"), ("laplacian", "Laplacian"))
        for i in range(3)
    ),
    Row("largest_betweenness", "largest betweenness", "share of all pairs", _largest_betweenness,
        title="Largest betweenness", meaning="share of the pairs one person lies between", bounds=(0, 1)),
)  # fmt: skip


# ---------------------------------------------------------------------- one figure that compares the two


def _counts(statistic: Statistic, of: Callable[[Profile], NDArray[Any]]) -> Callable[[Both], Estimate]:
    return lambda both: Estimate(statistic(of(both.before), of(both.new)))


def _betweenness(
    statistic: Statistic, step: Callable[[int], float] = lambda n: 0.0
) -> Callable[[Both], Estimate]:
    """Where the graphs are compared vertex by vertex, the new vertices are left out."""

    def value(both: Both) -> Estimate:
        n, between = both.before.graph.n, (both.before.betweenness, both.new.betweenness)
        found = compare(*between, lambda old, later: statistic(old, later[:n]), step=step(n))
        return Estimate(found.value, found.error, sampled=not all(each.exact for each in between))

    return value


def _top(of: Callable[[Profile], NDArray[Any]]) -> Callable[[Both], Estimate]:
    return lambda both: Estimate(top_agreement(of(both.before), of(both.new)[: both.before.graph.n]))


def _closeness(both: Both) -> Estimate:
    found = _top(lambda p: p.distances.closeness)(both)
    exact = both.before.distances.exact and both.new.distances.exact
    return found if exact else Estimate(found.value, nan)


def _communities(both: Both) -> Estimate:
    return Estimate(agreement(both.before.communities, both.new.communities))


def _precision(kind: Literal["added", "deleted"]) -> Callable[[Both], Estimate]:
    def value(both: Both) -> Estimate:
        pairs: Candidates = getattr(both, f"{kind}_candidates")
        family = getattr(both, f"{kind}_detected")[0]
        return Estimate(precision_at_top(kind, family, pairs), sampled=pairs.weight != 1)

    return value


def _rule(which: int) -> Callable[[Both], Estimate]:
    return lambda both: Estimate(
        rule(both.added_candidates)[which], sampled=both.added_candidates.weight != 1
    )


AGREEMENTS = (
    Row("degree_total_variation", "degrees: total variation", "share of the people",
        _counts(total_variation, lambda p: p.graph.degrees), 0.0, "brief",
        title="Numbers of friends", meaning="share of the people who would have to have another number", overall=True),
    Row("degree_earth_mover", "degrees: earth mover's distance", "friends",
        _counts(earth_mover, lambda p: p.graph.degrees), 0.0, "brief"),
    Row("mutual_friends_total_variation", "mutual friends: total variation", "share of the friendships",
        _counts(total_variation, lambda p: p.mutual_friends), 0.0, "brief",
        title="Numbers of mutual friends", meaning="share of the friendships that would have to have another number",
        overall=True),
    Row("mutual_friends_earth_mover", "mutual friends: earth mover's distance", "mutual friends",
        _counts(earth_mover, lambda p: p.mutual_friends), 0.0, "brief"),
    Row("betweenness_kolmogorov_smirnov", "betweenness: Kolmogorov–Smirnov", "share of the people",
        _betweenness(kolmogorov_smirnov), 0.0),
    Row("betweenness_rank", "betweenness: rank agreement", "correlation", _betweenness(rank_agreement), 1.0,
        title="Order by betweenness", meaning="rank correlation", overall=True),
    Row("betweenness_top", "betweenness: top 1 % kept", "share",
        _betweenness(top_agreement, lambda n: 1 / max(number_at_top(n), 1)), 1.0,
        title="Top 1 % by betweenness", meaning="share that stays", overall=True),
    Row("pagerank_top", "PageRank: top 1 % kept", "share", _top(lambda p: p.pagerank), 1.0,
        title="Top 1 % by PageRank", meaning="share that stays", overall=True),
    Row("eigenvector_top", "eigenvector: top 1 % kept", "share", _top(lambda p: p.spectrum.centrality), 1.0,
        title="Top 1 % by eigenvector centrality", meaning="share that stays", overall=True),
    Row("closeness_top", "closeness: top 1 % kept", "share", _closeness, 1.0,
        title="Top 1 % by closeness", meaning="share that stays", overall=True),
    Row("communities", "communities: mutual information", "share", _communities,
        lambda both: both.before.community_noise,
        title="Communities", meaning="adjusted mutual information", overall=True),
    Row("added_edges_jaccard", "added edges detected, Jaccard", "AUC",
        lambda both: both.added_by_score["jaccard"], 0.5,
        title="Added friendships, by Jaccard", meaning="AUC of telling them from true ones"),
    Row("added_edges_adamic_adar", "added edges detected, Adamic–Adar", "AUC",
        lambda both: both.added_by_score["adamic_adar"], 0.5,
        title="Added friendships, by Adamic–Adar", meaning="AUC of telling them from true ones"),
    Row("deleted_pairs_jaccard", "deleted edges detected, Jaccard", "AUC",
        lambda both: both.deleted_by_score["jaccard"], 0.5,
        title="Deleted friendships, by Jaccard", meaning="AUC of telling them from strangers"),
    Row("deleted_pairs_adamic_adar", "deleted edges detected, Adamic–Adar", "AUC",
        lambda both: both.deleted_by_score["adamic_adar"], 0.5,
        title="Deleted friendships, by Adamic–Adar", meaning="AUC of telling them from strangers"),
    Row("added_edges_classifier", "added edges detected, classifier", "AUC", lambda both: both.added_detected[1], 0.5),
    Row("added_edges_top_precision", "added edges among the classifier's top", "share", _precision("added"),
        lambda both: both.added_candidates.share),
    Row("added_edges_rule_precision", "no mutual friend, path of 3: precision", "share", _rule(0),
        lambda both: both.added_candidates.share),
    Row("added_edges_rule_recall", "no mutual friend, path of 3: recall", "share", _rule(1)),
    Row("deleted_pairs_classifier", "deleted edges detected, classifier", "AUC",
        lambda both: both.deleted_detected[1], 0.5),
    Row("deleted_pairs_top_precision", "deleted edges among the classifier's top", "share", _precision("deleted"),
        lambda both: both.deleted_candidates.share),
)  # fmt: skip

_WORDS = {row.name: row.words for row in (*FIGURES, *AGREEMENTS)} | WORDS


def in_words(name: str) -> str:
    """The name of a measure in words.

    >>> in_words("average_clustering"), in_words("pagerank_top"), in_words("adjacency_eigenvalue_2")
    ('average clustering', 'PageRank: top 1 % kept', 'eigenvalue of the adjacency, no. 2')
    """
    measure, _, attribute = name.partition(":")
    return f"{_WORDS[measure]}, {plain(attribute, 40)}" if attribute else _WORDS[measure]
