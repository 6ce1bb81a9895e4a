"""Two releases of one network seen together; the oracle counts with dicts."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphveil.graph import Graph
from graphveil.verification.releases import together

PEOPLE = 8
pairs = st.sets(
    st.tuples(st.integers(0, PEOPLE), st.integers(0, PEOPLE)).filter(lambda p: p[0] < p[1]), max_size=20
)


def graph_of(edges: set[tuple[int, int]], order: list[int]) -> Graph:
    place = {person: number for number, person in enumerate(order)}
    ends = np.array([(place[u], place[v]) for u, v in edges], np.int64).reshape(-1, 2)
    return Graph.from_arrays(ends[:, 0], ends[:, 1], n=len(order))


def friends_in(edges: set[tuple[int, int]], person: int) -> set[int]:
    return {u if v == person else v for u, v in edges if person in (u, v)}


def exposed(values: list[tuple[int, int]], k: int) -> tuple[int, int | None, int]:
    sizes = Counter(values)
    return len(values), min(sizes.values(), default=None), sum(sizes[value] < k for value in values)


@given(pairs, pairs, st.sets(st.integers(0, PEOPLE), max_size=3), st.integers(1, 5), st.randoms())
def test_the_figures_are_those_of_the_definition(first, second, left, k, chance):
    old, new = list(range(PEOPLE + 1)), [p for p in range(PEOPLE + 3) if p not in left]
    chance.shuffle(old)
    chance.shuffle(new)
    second = {edge for edge in second if not left & set(edge)}
    stayed = set(old) & set(new)
    number_before = np.array([old.index(p) if p in old else -1 for p in new])
    found = together(graph_of(first, old), graph_of(second, new), number_before, k)
    counts = [
        tuple(len(friends_in(edges, u) & friends_in(edges, v)) for edges in (first, second))
        for u, v in first & second
    ]
    degrees = [tuple(len(friends_in(edges, p)) for edges in (first, second)) for p in stayed]
    for what, values in ((found.mutual_friends, counts), (found.degrees, degrees)):
        assert (what.targets, what.smallest_group, what.exposed) == exposed(values, k)
    assert found.vanished == sum(set(edge) <= stayed for edge in first - second)
    assert found.appeared == sum(set(edge) <= stayed for edge in second - first)
    assert found.people == len(stayed)
