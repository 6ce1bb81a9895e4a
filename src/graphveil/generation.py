"""A social-like graph out of nothing but a size and a seed.

People live in villages along a road. Villages differ in size, P(size > x) ~ x^(−2), and in how close the homes
are; people differ in how sociable they are, P(w > x) = x^(−16/9). Two people can become friends if they
live within a distance proportional to the product of their sociabilities: a geometric inhomogeneous random
graph, with a heavy tail of degrees and many triangles (K. Bringmann, R. Keusch, J. Lengler: Geometric inhomogeneous
random graphs, Theoretical Computer Science 760, 2019; in one dimension much the same as a hyperbolic random graph).
The crowded villages add the heavy tail of mutual friends. A random part of these pairs do become friends, and
some friendships join a sociable person to just anyone, near or far.

The same seed gives the same graph on every machine and with every version of NumPy: randomness is a hash of
a counter (SplitMix64; G. L. Steele, D. Lea, C. H. Flood: Fast splittable pseudorandom number generators, OOPSLA
2014), and fractions meet only operations that IEEE 754 defines to the last bit: + − × ÷ and square roots.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.parameters import whole_number

MOST_EDGES = 100_000_000
EDGES_PER_PERSON = 3.5
SMALLEST_VILLAGE = 8
REACH = 0.3  # the distance at which two people of sociability 1 can be friends; homes are 1 apart on average
FAR = 0.25  # of the friendships do not care for distance
BLOCK = 1 << 18  # people whose neighbourhoods are looked at together

Numbers = NDArray[np.int64]

# What the streams of random numbers are for.
VILLAGE_SIZE, VILLAGE_WIDTH, HOME, SOCIABILITY, CHOICE, FAR_ENDS, NUMBERING = range(7)


def generate(edges: int = 1_000_000, seed: int = 4) -> Graph:
    """A random graph with heavy tails of degrees and of mutual friends, like those of friendship networks.

    Parameters
    ----------
    edges
        Number of edges, from 1 to 100,000,000. There are no isolated vertices
    seed
        Random seed, a whole number from 0. The same seed gives the same graph everywhere

    Examples
    --------
    >>> from graphveil import generate
    >>> town = generate(edges=1000, seed=4)
    >>> town.m, town == generate(edges=1000, seed=4), town == generate(edges=1000, seed=5)
    (1000, True, False)
    """
    edges = whole_number("edges", edges, least=1, most=MOST_EDGES)
    seed = whole_number("seed", seed, least=0, most=2**63 - 1)
    people = int(edges / EDGES_PER_PERSON) + SMALLEST_VILLAGE
    root = np.sqrt(_fractions(seed, SOCIABILITY, people))
    sociability = 1 / (root * np.sqrt(np.sqrt(np.sqrt(root))))
    near = edges - int(edges * FAR)
    u, v = _near_pairs(_homes(seed, people), sociability, near)
    choice = _bits(seed, CHOICE, len(u))
    chosen = choice <= np.partition(choice, near - 1)[near - 1]  # no two of the hashes are equal
    u, v = _with_far_pairs(u[chosen], v[chosen], people, edges, seed)
    return _numbered_at_random(u, v, people, seed)


def _homes(seed: int, people: int) -> NDArray[np.float64]:
    """Where everybody lives, ascending."""
    villages = people // SMALLEST_VILLAGE + 1
    size = (SMALLEST_VILLAGE / np.sqrt(_fractions(seed, VILLAGE_SIZE, villages))).astype(np.int64)
    width = 4 * _fractions(seed, VILLAGE_WIDTH, villages)
    between = np.repeat(width, np.minimum(size, people))[:people] * _fractions(seed, HOME, people)
    return np.cumsum(between)


def _near_pairs(
    homes: NDArray[np.float64], sociability: NDArray[np.float64], least: int
) -> tuple[Numbers, Numbers]:
    """All pairs of people that live near enough to be friends; at least so many."""
    layer = np.frexp(sociability)[1]  # 2^(layer−1) ≤ sociability < 2^layer
    layers = [np.flatnonzero(layer == i) for i in range(1, int(layer.max()) + 1)]
    reach = REACH
    while True:
        found = [
            pairs
            for i, many in enumerate(layers, start=1)
            for j, few in enumerate(layers[i - 1 :], start=i)
            for pairs in _pairs_within(homes, many, few, reach * 2.0 ** (i + j))
        ]
        u, v = (np.concatenate(side) for side in zip(*found, strict=True))
        close = np.abs(homes[u] - homes[v]) <= reach * (sociability[u] * sociability[v])
        if np.count_nonzero(close) >= least:
            return u[close], v[close]
        reach *= 1.25


def _pairs_within(
    homes: NDArray[np.float64], many: Numbers, few: Numbers, distance: float
) -> Iterator[tuple[Numbers, Numbers]]:
    """Pairs of one of the few and one of the many that live within the distance, each pair once."""
    places = homes[many]
    for block in range(0, len(few), BLOCK):
        some = few[block : block + BLOCK]
        if few is many:
            first = np.arange(block, block + len(some)) + 1
        else:
            first = np.searchsorted(places, homes[some] - distance)
        number = np.searchsorted(places, homes[some] + distance, side="right") - first
        position = np.arange(number.sum()) + np.repeat(first - np.cumsum(number) + number, number)
        yield np.repeat(some, number), many[position]


def _with_far_pairs(u: Numbers, v: Numbers, people: int, edges: int, seed: int) -> tuple[Numbers, Numbers]:
    """The pairs and as many more as are missing: an end of a random pair, and anyone at all."""
    ends = np.concatenate((u, v))
    near = np.sort(np.minimum(u, v) * people + np.maximum(u, v))
    far = np.empty(0, np.int64)
    drawn = 0
    while missing := edges - len(near) - len(far):
        bits = _bits(seed, FAR_ENDS, 2 * missing, start=drawn)
        drawn += len(bits)
        sociable, anyone = ends[_below(bits[0::2], len(ends))], _below(bits[1::2], people)
        new = np.minimum(sociable, anyone) * people + np.maximum(sociable, anyone)
        new = np.sort(new[sociable != anyone])
        place = np.minimum(np.searchsorted(near, new), len(near) - 1)
        far = np.union1d(far, new[near[place] != new])
    return np.concatenate((u, far // people)), np.concatenate((v, far % people))


def _numbered_at_random(u: Numbers, v: Numbers, people: int, seed: int) -> Graph:
    """The graph of everybody who has a friend, in an order that tells nothing."""
    order = np.argsort(_bits(seed, NUMBERING, people))
    befriended = np.zeros(people, bool)
    befriended[u] = befriended[v] = True
    order = order[befriended[order]]
    number = np.empty(people, np.int64)
    number[order] = np.arange(len(order))
    return Graph.from_arrays(number[u], number[v], n=len(order))


# ---------------------------------------------------------------------- randomness


def _bits(seed: int, stream: int, count: int, *, start: int = 0) -> NDArray[np.uint64]:
    """Random 64-bit numbers: entries ``start``… of a stream, in which none occurs twice."""
    key = _mix(_mix(np.array([seed], np.uint64)) + np.uint64(stream))
    return _mix(
        key + np.arange(start + 1, start + count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    )


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finalizer of SplitMix64, which maps 64 bits one to one."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def _fractions(seed: int, stream: int, count: int) -> NDArray[np.float64]:
    """Random fractions strictly between 0 and 1."""
    return ((_bits(seed, stream, count) >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52


def _below(bits: NDArray[np.uint64], limit: int) -> Numbers:
    """Random whole numbers below the limit."""
    return ((bits >> np.uint64(32)) * np.uint64(limit) >> np.uint64(32)).astype(np.int64)
