"""Do people stay in the same circles? Communities before and after, and how well they agree.

Communities are found by the Leiden algorithm (V. A. Traag, L. Waltman, N. J. van Eck: From Louvain to Leiden, 2019)
for modularity, through igraph. Agreement is the adjusted mutual information (N. X. Vinh, J. Epps, J. Bailey:
Information theoretic measures for clusterings comparison, JMLR 2010; mean of the two entropies as the bound): 1 for
the same communities, about 0 for unrelated ones.

Leiden depends on chance, so two runs on one graph do not agree fully either. What other seeds give on the original
is therefore the mark to compare with, not 1. Both figures are means over all pairs of runs with different seeds, so an
unchanged graph has exactly that mark and no single seed decides.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.stopping import check

RUNS = 4  # with different seeds, averaged
ITERATIONS = 5  # of Leiden: close to the modularity of many, at a fifth of their time on Brightkite

Integers = NDArray[np.signedinteger[Any]]


def communities(graph: Any, seed: int) -> Integers:
    """The community of every vertex of an `igraph.Graph`, by Leiden.

    One iteration is asked for at a time: between two of them the work can be stopped. (A KeyboardInterrupt within
    igraph's random numbers would end the process.)
    """
    membership = None
    with igraph_drawing_from(seed):
        for _ in range(ITERATIONS):
            check()
            membership = graph.community_leiden(
                objective_function="modularity", n_iterations=1, initial_membership=membership
            ).membership
    return np.array(membership, np.int64)


@contextmanager
def igraph_drawing_from(seed: int) -> Iterator[None]:
    """Let igraph, which has one generator for the whole process, draw from a seed; after that from its default."""
    import igraph

    igraph.set_random_number_generator(random.Random(seed))
    try:
        yield
    finally:
        igraph.set_random_number_generator(random)


def several_communities(graph: Any, seed: int) -> tuple[Integers, ...]:
    """The communities that several seeds find."""
    return tuple(communities(graph, seed + run) for run in range(RUNS))


def agreement(before: tuple[Integers, ...], after: tuple[Integers, ...]) -> float | None:
    """The mean agreement of the runs on two graphs, each with those of other seeds; ``after`` may have more vertices.

    >>> a, b = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> agreement((a, a), (a, a)), agreement((a, a), (b, b)) < 0
    (1.0, True)
    """
    n = len(before[0])
    found = [
        adjusted_mutual_information(one, other[:n])
        for i, one in enumerate(before)
        for j, other in enumerate(after)
        if i != j
    ]
    values = [value for value in found if value is not None]
    return sum(values) / len(values) if values else None


def adjusted_mutual_information(before: Integers, after: Integers) -> float | None:
    """Agreement of two partitions of the same things, above what chance would give.

    >>> a, b = np.array([0, 0, 1, 1]), np.array([5, 5, 7, 7])
    >>> adjusted_mutual_information(a, b)
    1.0
    """
    if not len(before):
        return None
    (_, before), (_, after) = (np.unique(part, return_inverse=True) for part in (before, after))
    rows, columns = np.bincount(before), np.bincount(after)
    together = np.unique(before * len(columns) + after, return_counts=True)
    if len(together[0]) == len(rows) == len(columns):
        return 1.0  # the same partition, also where there is nothing to adjust
    row, column = np.divmod(together[0], len(columns))
    count, total = together[1], len(before)
    mutual = float(np.sum(count / total * np.log(count * total / (rows[row] * columns[column]))))
    bound = (_entropy(rows) + _entropy(columns)) / 2
    expected = _expected_information(rows, columns)
    return (mutual - expected) / (bound - expected) if bound > expected else 0.0


def _entropy(sizes: Integers) -> float:
    share = sizes / sizes.sum()
    return float(-np.sum(share * np.log(share)))


def _expected_information(rows: Integers, columns: Integers) -> float:
    """Mutual information to expect of random partitions with these sizes (equation 24a of Vinh et al.).

    It depends on sizes alone, so communities of equal size are dealt with at once.
    """
    from scipy.special import gammaln

    total = int(rows.sum())
    log_factorial = gammaln(np.arange(total + 1) + 1.0)
    expected = 0.0
    for a, times_a in zip(*np.unique(rows, return_counts=True), strict=True):
        for b, times_b in zip(*np.unique(columns, return_counts=True), strict=True):
            shared = np.arange(max(1, a + b - total), min(a, b) + 1)
            log_probability = (
                log_factorial[a] + log_factorial[b] + log_factorial[total - a] + log_factorial[total - b]
                - log_factorial[total] - log_factorial[shared] - log_factorial[a - shared]
                - log_factorial[b - shared] - log_factorial[total - a - b + shared]
            )  # fmt: skip
            information = shared / total * np.log(total * shared / (int(a) * int(b)))
            expected += int(times_a * times_b) * float(np.sum(information * np.exp(log_probability)))
    return expected
