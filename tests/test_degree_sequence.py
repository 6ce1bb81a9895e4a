"""The dynamic programme finds the cheapest anonymous degrees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracle
from graphveil.methods.degrees import anonymous_degrees, fewest_edges, raise_lowest, shuffled_by_degree


@st.composite
def sequences(draw):
    """Degrees in any order, and a k that they can satisfy."""
    highest = draw(st.sampled_from([1, 3, 10, 1000, 2**31]))
    degrees = draw(st.lists(st.integers(0, highest), min_size=1, max_size=14))
    return np.array(degrees, np.int64), draw(st.integers(1, len(degrees)))


def targets_of(degrees: np.ndarray, k: int) -> np.ndarray:
    return anonymous_degrees(degrees, shuffled_by_degree(degrees, np.random.default_rng(7)), k)


def cheapest_raise(degrees: list[int], k: int) -> int:
    """The least sum of raises over all ways to hand out the degrees that occur, by brute force.

    Raising to a value that does not occur costs more than to the next lower one that does.
    """
    descending = sorted(degrees, reverse=True)
    best = {0: 0}  # cost of the first j in groups of at least k
    for j in range(k, len(descending) + 1):
        options = [
            best[i] + sum(descending[i] - degree for degree in descending[i:j])
            for i in range(j - k + 1)
            if i in best
        ]
        if options:
            best[j] = min(options)
    return best[len(descending)]


@given(sequences())
@settings(max_examples=600)
def test_the_programme_is_exact(case) -> None:
    degrees, k = case
    targets = targets_of(degrees, k)
    assert np.all(targets >= degrees)
    assert oracle.is_k_anonymous(targets.tolist(), k)
    assert int((targets - degrees).sum()) == cheapest_raise(degrees.tolist(), k)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=6), st.integers(1, 6))
@settings(max_examples=200)
def test_groups_in_the_order_of_degrees_are_enough(degrees: list[int], k: int) -> None:
    """The brute force above against one that knows nothing of groups: all sequences above the given one."""
    from itertools import product

    k = min(k, len(degrees))
    above = product(*(range(degree, max(degrees) + 1) for degree in degrees))
    best = min(sum(higher) for higher in above if oracle.is_k_anonymous(higher, k)) - sum(degrees)
    assert cheapest_raise(degrees, k) == best


@pytest.mark.parametrize("k", [2, 25, 1000])
def test_long_heavy_tails(k: int) -> None:
    """Long enough for the queue of lines to turn over many times; sums beyond 32 bits."""
    degrees = np.minimum(np.random.default_rng(3).zipf(1.6, 3000), 10**7).astype(np.int64)
    assert int((targets_of(degrees, k) - degrees).sum()) == cheapest_raise_quickly(degrees, k)


def cheapest_raise_quickly(degrees: np.ndarray, k: int) -> int:
    """The same programme in O(n²), vectorised."""
    descending = np.sort(degrees)[::-1]
    sums = np.concatenate(([0], np.cumsum(descending)))
    best = np.full(len(degrees) + 1, 2**62)
    best[0] = 0
    for j in range(k, len(degrees) + 1):
        i = np.arange(j - k + 1)
        best[j] = np.min(best[i] + descending[i] * (j - i) - (sums[j] - sums[i]))
    return int(best[-1])


def test_known_answers() -> None:
    assert targets_of(np.array([5, 5, 5, 5]), 2).tolist() == [5, 5, 5, 5]
    assert sorted(targets_of(np.array([4, 3, 2, 1]), 2).tolist()) == [2, 2, 4, 4]
    assert targets_of(np.array([1, 2, 9]), 3).tolist() == [9, 9, 9]
    assert fewest_edges(np.array([4, 3, 2, 1]), 2) == 1


@given(sequences(), st.integers(1, 60))
@settings(max_examples=200)
def test_noise_always_grows_and_never_lowers(case, amount: int) -> None:
    degrees, k = case
    degrees = np.minimum(degrees, len(degrees) - 1)
    targets = targets_of(degrees, k)
    if np.all(targets == len(degrees) - 1):
        return  # the complete graph: nothing is left to raise
    wanted = degrees.copy()
    raise_lowest(targets, wanted, amount, k, np.random.default_rng(1))
    assert np.all(wanted >= degrees)
    assert np.any(wanted > targets)
    assert wanted.max() <= len(degrees) - 1
