"""The network as a picture: who is shown, where they stand, and in how small a group each attacker finds them.

A small graph is shown whole. Of a larger one the picture has those with the most friends, the most exposed, and people
drawn at random with some of their friends; what it says of anybody still holds for the whole graph. Forces put friends
side by side (T. Fruchterman, E. Reingold: Graph drawing by force-directed placement, 1991, as igraph has it). Who is
apart from the largest part stands around it. Same graph: same picture.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphveil.measures.communities import igraph_drawing_from
from graphveil.risk.people import smallest_groups
from graphveil.words import counted, plain

if TYPE_CHECKING:
    from graphveil.graph import Graph
    from graphveil.methods.result import Result

LARGEST, MOST_FRIENDSHIPS = 6_000, 150_000  # that are shown whole
CORE, AT_RANDOM, THEIR_FRIENDS = 800, 250, 4  # people of a larger graph
LONGEST_NAME = 60
ROUNDS = 500
SEED = 7
GOLDEN = np.pi * (3 - np.sqrt(5))  # turned by this angle, no two points of a spiral are in line
WIDE = 65_535

Numbers = NDArray[Any]


def picture(graph: Graph, always: Iterable[int] = ()) -> dict[str, Any]:
    """What a page needs to draw a graph; some people are shown however large it is."""
    people = people_shown(graph, always)
    drawn, edges = _drawn(graph, people)
    return {
        "shown": people.tolist() if len(people) < graph.n else None,
        "people": [plain(label, LONGEST_NAME) for label in graph.labels[people].tolist()],
        "places": packed(_places(len(people), edges)),
        "words": _words(graph, len(people)),
        **drawn,
    }


def changes(result: Result, shown: list[int] | None) -> dict[str, Any]:
    """What an anonymization did to the people of a picture; dummy people come last, if a friend of theirs is shown."""
    graph, old = result.graph, result.original
    people = np.arange(old.n) if shown is None else np.array(shown, np.int64)
    met = np.isin(result.added, people).any(axis=1)
    dummies = np.intersect1d(result.added[met], result.new_vertices)
    everybody = np.concatenate((people, dummies))
    added, deleted = (_places_among(pairs, everybody) for pairs in (result.added, result.deleted))
    return {
        "dummies": [plain(label, LONGEST_NAME) for label in graph.labels[dummies].tolist()],
        "added": packed(added),
        "deleted": packed(deleted),
        "words": _changes_in_words(result, len(added), len(deleted)),
        **_drawn(graph, everybody)[0],
    }


def _drawn(graph: Graph, people: Numbers) -> tuple[dict[str, Any], Numbers]:
    """What is drawn of some people, and the friendships among them by their places in the picture."""
    inside = np.isin(graph.edges, people).all(axis=1)
    edges = np.searchsorted(people, graph.edges[inside])
    sizes = smallest_groups(graph)
    return {
        "degrees": packed(graph.degrees[people]),
        "friendships": packed(edges),
        "mutual": packed(graph.mutual_friends[inside]),
        "sizes": {name: packed(each[people]) for name, each in sizes.items()},
    }, edges


def packed(numbers: Numbers) -> dict[str, Any]:
    """Numbers from 0 on as a page reads them, in as few bytes as the largest needs.

    >>> packed(np.array([[1, 2], [3, 300]]))
    {'bytes': 2, 'data': 'AQACAAMALAE='}
    """
    kind = np.min_scalar_type(int(numbers.max(initial=0)))
    flat = np.ascontiguousarray(numbers, kind.newbyteorder("<"))
    return {"bytes": kind.itemsize, "data": base64.b64encode(flat.tobytes()).decode()}


def people_shown(graph: Graph, always: Iterable[int]) -> Numbers:
    """The vertices of the picture, ascending."""
    if graph.n <= LARGEST and graph.m <= MOST_FRIENDSHIPS:
        return np.arange(graph.n)
    generator = np.random.default_rng(SEED)
    core = np.argsort(-graph.degrees, kind="stable")[:CORE]
    drawn = generator.choice(graph.n, min(AT_RANDOM, graph.n), replace=False)
    start, neighbours, _ = graph.adjacency
    friends = [_most_befriended(graph, neighbours[start[each] : start[each + 1]]) for each in drawn]
    return np.unique(np.concatenate((core, drawn, *friends, np.fromiter(always, np.int64))))


def _most_befriended(graph: Graph, people: Numbers) -> Numbers:
    order: Numbers = people[np.argsort(-graph.degrees[people], kind="stable")]
    return order[:THEIR_FRIENDS]


def _places_among(pairs: Numbers, people: Numbers) -> Numbers:
    return np.searchsorted(people, pairs[np.isin(pairs, people).all(axis=1)])


def _words(graph: Graph, shown: int) -> str:
    if shown == graph.n:
        return f"The whole network: {counted(graph.n, 'person', 'people')}."
    return (
        f"{shown:,} of {graph.n:,} people: the core of {CORE:,} with the most friends, the most exposed, and "
        f"{AT_RANDOM:,} drawn at random with some of their friends. Figures and colours are those of the whole network."
    )


def _changes_in_words(result: Result, added: int, deleted: int) -> str:
    parts = (("added", added, len(result.added)), ("deleted", deleted, len(result.deleted)))
    if all(shown == there for _, shown, there in parts):
        return f"{counted(added, 'friendship')} added, {deleted:,} deleted."
    among = ", ".join(f"{shown:,} of {there:,} {what}" for what, shown, there in parts)
    return f"Between people shown here: {among}."


# ---------------------------------------------------------------------- where people stand


def _places(people: int, edges: Numbers) -> Numbers:
    """Two coordinates from 0 to 65,535 for each."""
    import igraph

    graph = igraph.Graph(n=people, edges=edges)
    parts = sorted(graph.connected_components(), key=len, reverse=True)
    found = np.zeros((people, 2))
    with igraph_drawing_from(SEED):
        for part, centre, radius in _rooms([len(part) for part in parts]):
            found[parts[part]] = centre + radius * _unit(graph.induced_subgraph(parts[part]))
    if not people:
        return found
    found -= found.min(axis=0)
    places: Numbers = np.rint(found * WIDE / max(found.max(), 1e-9)).astype(np.int64)
    return places


def _rooms(sizes: list[int]) -> Iterable[tuple[int, Numbers, float]]:
    """A disc for each part: the largest in the middle, the others on a spiral around it."""
    taken = 0.0  # the square of the radius
    for part, size in enumerate(sizes):
        radius, angle = np.sqrt(size), part * GOLDEN
        away = np.sqrt(taken) + radius if part else 0.0
        yield part, away * np.array((np.cos(angle), np.sin(angle))), radius
        taken += 2 * size


def _unit(part: Any) -> Numbers:
    """The people of one part, in a disc of radius one; it reaches farther for the few who stand far out."""
    if part.vcount() == 1:
        return np.zeros((1, 2))
    found = np.array(
        part.layout("fr", niter=ROUNDS, grid="grid" if part.vcount() > 1_000 else "nogrid").coords
    )
    found -= found.mean(axis=0)
    unit: Numbers = found / max(np.quantile(np.hypot(*found.T), 0.95), 1e-9)
    return unit
