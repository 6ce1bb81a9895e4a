"""Publishing a growing network again: with the changes of last year, or without a thought of it.

    python benchmarks/again.py                                 # a real graph and a generated town, three years, k = 25
    python benchmarks/again.py --graphs ca-GrQc --k 10 --years 5
    python benchmarks/again.py --years 2 --joint 2 5           # with a guarantee over both releases as well
    python benchmarks/again.py --graphs ca-GrQc --years 2 --friendship-k 5    # friendship anonymity in place of k-NMF

Each year 4 % of the friendships end, 8 % are new (half of them close a triangle), 2 % of the people leave and 3 % join.
*Fresh* anonymizes each year by itself, *after* keeps the changes of the release before. For each year it prints the
changes of the published graph, how many of last year's changes are told by comparing the two releases (an added
friendship that vanished, or a deleted one that came back, between people who are in both and not because the network
changed), how many of this year's further changes stand among the friendships that appeared and vanished between people
who are in both, and which share of friendships and people is in a group below k for an attacker who has both releases
and knows the mutual-friend counts, or the degrees, of both years. Last comes the share of the people of last year who
are found in this year's release by structure alone.
"""

from __future__ import annotations

import argparse

import numpy as np

import graphveil
from common import header, real_graph, row
from graphveil import Graph, Result
from graphveil.errors import UnreachableError
from graphveil.goals import NMF, Friendship, Goal
from graphveil.methods.anonymizing import anonymize
from graphveil.methods.carrying import Carried, Earlier, carry
from graphveil.publication.again import seen_together
from graphveil.publication.report.gathering import linked
from graphveil.words import percent

GRAPHS = ("ca-GrQc", "town")
ENDED, NEW, LEFT, JOINED = 0.04, 0.08, 0.02, 0.03


def graph_named(name: str) -> Graph:
    return graphveil.generate(edges=15_000, seed=4) if name == "town" else real_graph(name)


def a_year_later(graph: Graph, rng: np.random.Generator) -> Graph:
    """The network after people left and joined, and friendships ended and began; ids stay."""
    labels = np.asarray(graph.labels)
    left = set(rng.choice(labels, int(LEFT * graph.n), replace=False).tolist())
    pairs = {tuple(sorted(pair)) for pair in labels[graph.edges].tolist() if not left & set(pair)}
    kept = {pair for pair in sorted(pairs) if rng.random() > ENDED}
    people = sorted({person for pair in pairs for person in pair})
    joined = range(int(labels.max()) + 1, int(labels.max()) + 1 + int(JOINED * graph.n))
    friends: dict[int, list[int]] = {person: [] for person in people}
    for u, v in sorted(kept):
        friends[u].append(v)
        friends[v].append(u)
    grown = {(int(rng.choice(people)), person) for person in joined}
    while len(grown) < NEW * graph.m:
        u, v = rng.choice(people, 2, replace=False).tolist()
        if len(grown) % 2 and friends[u] and friends[friends[u][0]]:
            v = int(rng.choice(friends[int(rng.choice(friends[u]))] or [v]))
        if u != v:
            grown.add((min(u, v), max(u, v)))
    return Graph.from_edges(sorted(kept | grown))


def earlier(result: Result) -> Earlier:
    return Earlier(result.graph, result.original.n, result.added, result.deleted)


def told(result: Result, carried: Carried, before: Result) -> int:
    """Changes of last year that the two releases give away."""
    number = carried.before(result.graph.n)
    names = {then: now for now, then in enumerate(number.tolist()) if then >= 0}
    shown, real = (
        {tuple(each) for each in graph.edges.tolist()} for graph in (result.graph, result.original)
    )

    def here(pairs: np.ndarray) -> set[tuple[int, int]]:
        ends = [sorted((names[u], names[v])) for u, v in pairs.tolist() if u in names and v in names]
        return {(u, v) for u, v in ends if v < result.original.n}

    vanished = here(before.added) - real - shown
    return len(vanished | (here(before.deleted) & real & shown))


def among(result: Result, carried: Carried) -> str:
    """This year's further changes among all friendships that appeared and vanished between people who are in both."""
    number, seen = carried.before(result.graph.n), seen_together(result)
    assert carried.release is not None
    then = {tuple(each) for each in carried.release.published.edges.tolist()}
    new = []
    for pairs, was_there in ((result.added, False), (result.deleted, True)):
        ends = np.sort(number[pairs.reshape(-1, 2)], axis=1)
        new.append(sum((tuple(each) in then) == was_there for each in ends[ends[:, 0] >= 0].tolist()))
    return f"{new[0]:,} of {seen.appeared:,}; {new[1]:,} of {seen.vanished:,}"


def look(name: str, year: int, way: str, result: Result, carried: Carried, before: Result) -> None:
    seen = seen_together(result)
    counts, degrees = seen.mutual_friends, seen.degrees
    share = linked(result)
    row(
        name,
        year,
        way,
        f"{result.changed:,}",
        f"{told(result, carried, before):,} of {before.changed:,}",
        among(result, carried),
        percent(counts.exposed / counts.targets),
        percent(degrees.exposed / degrees.targets),
        "–" if share is None else percent(share),
    )


def look_joint(
    name: str, year: int, graph: Graph, goals: list[Goal], carried: Carried, before: Result, joint: int
) -> None:
    way = f"after, joint {joint}"
    try:
        result = anonymize(graph, goals=goals, seed=year, carried=carried, joint=joint)
    except UnreachableError as error:
        row(name, year, way, str(error), *[""] * 5)
    else:
        look(name, year, way, result, carried, before)


def compare(name: str, goals: list[Goal], years: int, seed: int, joints: list[int]) -> None:
    from dataclasses import replace

    rng = np.random.default_rng(seed)
    graph = graph_named(name)
    fresh = kept = anonymize(graph, goals=goals, seed=seed)
    for year in range(2, years + 1):
        graph = a_year_later(graph, rng)
        carried = carry(graph, earlier(fresh))
        alone = replace(anonymize(graph, goals=goals, seed=seed + year), carried=carried)
        look(name, year, "fresh", alone, carried, fresh)
        carried = carry(graph, earlier(kept))
        again = anonymize(graph, goals=goals, seed=seed + year, carried=carried)
        look(name, year, "after", again, carried, kept)
        for joint in joints:
            look_joint(name, year, graph, goals, carried, kept, joint)
        fresh, kept = alone, again


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--graphs", nargs="+", default=GRAPHS)
    options.add_argument("--k", type=int, default=25)
    options.add_argument("--friendship-k", type=int)
    options.add_argument("--years", type=int, default=3)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--joint", type=int, nargs="*", default=[])
    chosen = options.parse_args()
    header(
        "graph",
        "year",
        "way",
        "changes",
        "told",
        "further among new; gone",
        "friendships exposed",
        "people exposed",
        "linked",
    )
    goals: list[Goal] = [Friendship(chosen.friendship_k) if chosen.friendship_k else NMF(chosen.k)]
    for name in chosen.graphs:
        compare(name, goals, chosen.years, chosen.seed, chosen.joint)


if __name__ == "__main__":
    main()
