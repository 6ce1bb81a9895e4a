"""The paper's ADD and ADD&DEL in plain Python over sets, from the text alone: slow and obvious.

No clean-up: where fewer than 2k edges are open it stops, so use it on graphs whose low counts are crowded.
"""

from __future__ import annotations

import random
from collections import Counter


class PlainGraph:
    """Sets of friends, a count per edge, the group values so far, and single edges marked by ADD&DEL."""

    def __init__(self, n, edges):
        self.friends = [set() for _ in range(n)]
        for u, v in edges:
            self.friends[u].add(v)
            self.friends[v].add(u)
        self.count = {key(u, v): len(self.friends[u] & self.friends[v]) for u, v in edges}
        self.values = set()
        self.marked = set()

    def sealed(self, u, v):
        return key(u, v) in self.marked or self.count[key(u, v)] in self.values

    def add(self, u, v):
        self._shift(u, v, 1)
        self.count[key(u, v)] = len(self.friends[u] & self.friends[v])
        self.friends[u].add(v)
        self.friends[v].add(u)

    def delete(self, u, v):
        self._shift(u, v, -1)
        del self.count[key(u, v)]
        self.friends[u].remove(v)
        self.friends[v].remove(u)

    def _shift(self, u, v, by):
        for z in self.friends[u] & self.friends[v]:
            self.count[key(u, z)] += by
            self.count[key(v, z)] += by

    def open_edges(self):
        """l^(u): open edges in descending order of their mutual friends."""
        edges = [edge for edge in self.count if not self.sealed(*edge)]
        return sorted(edges, key=self.count.__getitem__, reverse=True)

    def copy(self):
        other = PlainGraph(0, [])
        other.friends = [set(friends) for friends in self.friends]
        other.count, other.values, other.marked = dict(self.count), set(self.values), set(self.marked)
        return other


def key(u, v):
    return (u, v) if u < v else (v, u)


def admissible(graph, u, v, w):
    """Condition c, and no edge raised twice over a sealed count."""
    raised = Counter()
    for x in (u, v):
        if w not in graph.friends[x]:
            for z in graph.friends[x] & graph.friends[w]:
                if graph.sealed(x, z) or graph.sealed(w, z):
                    return False
                raised[key(w, z)] += 1
    return all(graph.count[edge] + 1 not in graph.values for edge, times in raised.items() if times == 2)


def score(graph, u, v, w):
    """Eq. 3 for each missing edge."""
    return {x: len(graph.friends[x] & graph.friends[w]) for x in (u, v) if w not in graph.friends[x]}


def fits(graph, scores, target):
    """Where each new edge ends when all edges of the step are in: below the target, or in a group."""
    ends = [count + (len(scores) == 2) for count in scores.values()]
    return all(end < target or end in graph.values for end in ends)


def hops(graph, u, v):
    """Condition a: vertices by distance from the edge, those of other components last."""
    seen, level = {u, v}, {u, v}
    hop = 0
    while level:
        hop += 1
        level = {w for x in level for w in graph.friends[x]} - seen
        seen |= level
        yield level if hop != 2 else level | (graph.friends[u] ^ graph.friends[v]) - {u, v}
    yield set(range(len(graph.friends))) - seen


def raise_edge(graph, u, v, target, rng):
    for level in hops(graph, u, v):
        candidates = {w for w in level if score(graph, u, v, w) and admissible(graph, u, v, w)}
        while graph.count[key(u, v)] < target:
            candidates = {w for w in candidates if admissible(graph, u, v, w)}
            scores = {w: score(graph, u, v, w) for w in candidates}
            usable = [w for w in sorted(candidates) if fits(graph, scores[w], target)]
            if not usable:
                break
            rng.shuffle(usable)
            best = max(usable, key=lambda w: sum(scores[w].values()))
            for x in scores[best]:
                graph.add(best, x)
            candidates.remove(best)
        if graph.count[key(u, v)] == target:
            return
    raise AssertionError("no candidate left")


def group_cost(counts):
    """I of Eq. 1 and 2."""
    return sum(counts[0] - count for count in counts)


def add(graph, k, *, greedy, seed=0):
    rng = random.Random(seed)
    while len(graph.open_edges()) >= 2 * k:
        value = graph.count[graph.open_edges()[0]]
        graph.values.add(value)
        while True:
            edges = graph.open_edges()
            size = sum(count == value for count in graph.count.values())
            if size >= k:
                counts = [graph.count[edge] for edge in edges[: k + 1]]
                if not greedy or len(edges) < 2 * k:
                    break
                if (value - counts[0]) + group_cost(counts[1:]) >= group_cost(counts[:k]):
                    break
            raise_edge(graph, *edges[0], value, rng)
    return graph


def weakest(graph, u, v):
    """Edge-deletion's conditions a–c."""
    found = []
    for w in graph.friends[u] & graph.friends[v]:
        if graph.sealed(u, w) or graph.sealed(v, w):
            continue
        found += [
            (graph.count[key(x, w)], key(x, w))
            for x in (u, v)
            if not any(graph.sealed(x, z) or graph.sealed(w, z) for z in graph.friends[x] & graph.friends[w])
        ]
    return min(found)[1] if found else None


def lower_edge(graph, u, v, target):
    while graph.count[key(u, v)] > target:
        edge = weakest(graph, u, v)
        if edge is None:
            return False
        graph.delete(*edge)
    return True


def fill_group(graph, k, value, rng):
    """Edges are marked one by one, in descending order; those that have the value by then cost nothing."""
    while (edges := graph.open_edges()) and graph.count[edges[0]] > value:
        if not lower_edge(graph, *edges[0], value):
            return False
        graph.marked.add(edges[0])
    graph.values.add(value)
    while sum(count == value for count in graph.count.values()) < k:
        raise_edge(graph, *graph.open_edges()[0], value, rng)
    return True


def add_del(graph, k, seed=0):
    rng = random.Random(seed)
    while len(edges := graph.open_edges()) >= 2 * k:
        counts = [graph.count[edge] for edge in edges]
        if counts.count(counts[0]) >= k:
            graph.values.add(counts[0])
            continue
        value = (2 * sum(counts[:k]) + k) // (2 * k)
        before = graph.copy()
        while not fill_group(graph, k, value, rng):
            graph, value = before.copy(), value + 1
    return graph
