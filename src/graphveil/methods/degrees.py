"""The cheapest k-anonymous degree sequence above a given one.

A degree sequence is k-anonymous when every degree that occurs, occurs at least k times. As edges are only
added, degrees only rise: the vertices, sorted by degree, are cut into groups of at least k, and each group is
raised to its highest degree. (K. Liu, E. Terzi: Towards identity anonymization on graphs, SIGMOD 2008, section 4.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Progress = Callable[[int, int], None]  # how much is done, and of how much


@dataclass(frozen=True)
class DegreeChange:
    """What made a graph k-degree anonymous."""

    # New edges, u < v in each row, rows sorted
    added: NDArray[np.int32] = field(repr=False)  # a secret
    new_vertices: int  # how many vertices were added; they are numbered from the old n on
    # Half the sum of the cheapest raises of the degrees, which no number of edges can go below
    lower_bound: int
    probes: int  # how many degree sequences were tried


NO_CHANGE = DegreeChange(np.empty((0, 2), np.int32), 0, 0, 0)


def shuffled_by_degree(degrees: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Vertices by descending degree, those of the same degree in random order."""
    shuffled = rng.permutation(len(degrees))
    order: NDArray[np.int64] = shuffled[np.argsort(-degrees[shuffled], kind="stable")]
    return order


def anonymous_degrees(degrees: NDArray[np.int64], order: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """The degree that each vertex is to be raised to, so that each occurs k times, by the least sum of raises.

    ``order`` has the vertices by descending degree, as of `shuffled_by_degree`.

    >>> import numpy as np
    >>> anonymous_degrees(np.array([9, 5, 5, 4, 1]), np.arange(5), 2).tolist()
    [9, 9, 5, 5, 5]
    """
    from graphveil.kernels.degrees import optimal_groups

    descending = degrees[order]
    starts = optimal_groups(descending, k)
    sizes = np.diff(np.append(starts, len(degrees)))
    targets = np.empty_like(degrees)
    targets[order] = np.repeat(descending[starts], sizes)
    return targets


def fewest_edges(degrees: NDArray[np.int64], k: int) -> int:
    """Half the sum of the cheapest raises: no fewer edges can make the degrees k-anonymous.

    >>> fewest_edges(np.array([3, 2, 1]), 3)
    2
    """
    raises = anonymous_degrees(degrees, np.argsort(-degrees, kind="stable"), k) - degrees
    return -(-int(raises.sum()) // 2)


def raise_lowest(
    targets: NDArray[np.int64], wanted: NDArray[np.int64], amount: int, k: int, rng: np.random.Generator
) -> None:
    """Want ``amount`` more than planned from the vertices of lowest planned degree; in place, in ``wanted``.

    The vertices below the highest degree get one each, the lowest first, then one more each, and so on. Those
    that can rise without dragging others along come before all others. Where every vertex has the same
    degree any of them may grow, but none beyond all others as neighbours.
    """
    top = targets.max()
    lowest = shuffled_by_degree(-targets, rng)[: np.count_nonzero(targets < top)]
    if not len(lowest):
        top, lowest = len(targets) - 1, rng.permutation(len(targets))
    lowest = lowest[np.argsort(~_free_to_rise(targets[lowest], np.bincount(targets), k), kind="stable")]
    rounds, rest = divmod(amount, len(lowest))
    reached = lowest if rounds else lowest[:rest]
    raised = targets[reached] + rounds
    raised[:rest] += 1
    wanted[reached] = np.minimum(raised, top)


def _free_to_rise(ascending: NDArray[np.int64], sizes: NDArray[np.int64], k: int) -> NDArray[np.bool_]:
    """Which of the vertices can go to the next degree with k left behind and k waiting there."""
    first = np.searchsorted(ascending, ascending)
    spare = np.maximum(sizes - k, 0)
    spare[np.append(sizes[1:], 0) < k] = 0
    free: NDArray[np.bool_] = np.arange(len(ascending)) - first < spare[ascending]
    return free
