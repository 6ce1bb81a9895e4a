"""Plain code written from the definitions alone. Slow, obvious, and what every fast version must agree with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

Edge = tuple[int, int]


def neighbours(n: int, edges: Iterable[Edge]) -> list[set[int]]:
    sets: list[set[int]] = [set() for _ in range(n)]
    for u, v in edges:
        sets[u].add(v)
        sets[v].add(u)
    return sets


def mutual_friends(n: int, edges: Iterable[Edge]) -> list[int]:
    """Definition 1: how many vertices are neighbours of both ends."""
    edges = list(edges)
    friends = neighbours(n, edges)
    return [len(friends[u] & friends[v]) for u, v in edges]


def is_k_anonymous(values: Iterable[int], k: int) -> bool:
    """Definition 3: every value that occurs, occurs at least k times."""
    return all(size >= k for size in Counter(values).values())


def is_k_nmf(n: int, edges: Iterable[Edge], k: int) -> bool:
    """Definition 4."""
    return is_k_anonymous(mutual_friends(n, edges), k)


def is_k_degree(n: int, edges: Iterable[Edge], k: int) -> bool:
    return is_k_anonymous((len(friends) for friends in neighbours(n, edges)), k)


def violating(values: Iterable[int], k: int) -> int:
    """How many entries have a value that occurs fewer than k times."""
    return sum(size for size in Counter(values).values() if size < k)
