"""People around one friendship, before and after, on a circle.

On a circle no friendship runs through a third person, and the same people stand at the same place in both drawings.
The public page has an invented example, the same in every report. A drawing of the true neighbourhood would tell an
attacker which of its friendships are true, and the changes must hide that. The true drawing is for the owner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphveil.graph import Graph
from graphveil.methods.result import Result
from graphveil.pages.svg import Markup, join, markup
from graphveil.words import counted, plain

MOST_PEOPLE = 18  # more cannot be told apart
WIDTH, HEIGHT, RADIUS = 380, 250, 94
LONGEST_NAME = 11

Pair = tuple[int, int]


@dataclass(frozen=True)
class Neighbourhood:
    """Some people around one friendship."""

    # Their labels; the first two are the friends in question, their mutual friends come next
    people: tuple[Any, ...]
    # Friendships as pairs of places among the people, the lower first
    before: frozenset[Pair]
    after: frozenset[Pair]
    # How many mutual friends the two have, before and after; None where the friendship was deleted
    mutual: tuple[int, int | None]
    crowd: tuple[int, int | None]  # how many friendships of the graph have as many, before and after
    left_out: int = 0  # friends of the two who are not drawn

    def name(self, person: int, longest: int | None = None) -> str:
        """What somebody is called, fit to be shown."""
        return plain(self.people[person], longest)

    def changes(self) -> tuple[list[str], list[str]]:
        """Friendships added and deleted, in words."""
        return tuple(  # type: ignore[return-value]
            [f"{self.name(a, 40)} – {self.name(b, 40)}" for a, b in sorted(pairs)]
            for pairs in (self.after - self.before, self.before - self.after)
        )


# The eight of `graphveil.cli.story`. With A–B and F–G each number of mutual friends occurs twice, also that of D and E.
_LETTERS = "DEABGHCF"
_FRIENDS = ("DE", "DA", "DB", "DG", "DH", "DF", "EA", "EB", "EG", "EH", "BG", "BF", "AC", "CH")


def _pairs(*friends: str) -> frozenset[Pair]:
    places = (sorted(map(_LETTERS.index, pair)) for pair in friends)
    return frozenset((low, high) for low, high in places)


EXAMPLE = Neighbourhood(
    tuple(_LETTERS), _pairs(*_FRIENDS), _pairs(*_FRIENDS, "AB", "FG"), mutual=(4, 4), crowd=(1, 2)
)


def neighbourhood(
    result: Result, counts: NDArray[Any], sizes_after: Mapping[str, int], k: int
) -> Neighbourhood | None:
    """The surroundings of the friendship in the smallest group; None if all groups have k or more.

    Only rows of the original and the changes are looked at, never all edges, so that this costs nothing. ``counts`` has
    the mutual friends of every edge of the original, ``sizes_after`` the group sizes as the certificate has them.

    >>> import graphveil
    >>> from graphveil.cli.story import friends
    >>> result = graphveil.anonymize(friends(), k=2, seed=7)
    >>> sizes_after = {str(value): size for value, size in graphveil.audit(result.graph).histogram}
    >>> around = neighbourhood(result, graphveil.mutual_friends(friends()), sizes_after, k=2)
    >>> around.people[:2], around.mutual[0], around.crowd[0]
    (('Alice', 'Bob'), 4, 1)
    """
    sizes = np.bincount(counts)
    occurring = np.flatnonzero(sizes)
    if not len(occurring) or sizes[occurring].min() >= k:
        return None
    value = int(occurring[np.lexsort((-occurring, sizes[occurring]))[0]])
    u, v = result.original.edges[np.argmax(counts == value)].tolist()
    added, deleted = (_as_pairs(pairs.tolist()) for pairs in (result.added, result.deleted))
    friends = {person: _friends(result.original, person) for person in (u, v)}
    later = {
        person: (friends[person] | _partners(added, person)) - _partners(deleted, person) for person in (u, v)
    }
    everybody = (friends[u] | friends[v] | later[u] | later[v]) - {u, v}
    shared = (friends[u] | later[u]) & (friends[v] | later[v])
    chosen = _choose(everybody, shared, _ends_within(added | deleted, everybody | {u, v}))
    people = [u, v, *chosen]
    before = _among(people, lambda person: _friends(result.original, person))
    now = len(later[u] & later[v]) if v in later[u] else None
    return Neighbourhood(
        people=tuple(result.graph.labels[people].tolist()),
        before=before,
        after=(before | _within(added, people)) - _within(deleted, people),
        mutual=(value, now),
        crowd=(int(sizes[value]), None if now is None else sizes_after[str(now)]),
        left_out=len(everybody) - len(chosen),
    )


def _as_pairs(pairs: list[list[int]]) -> frozenset[Pair]:
    return frozenset((u, v) for u, v in pairs)


def _friends(graph: Graph, person: int) -> set[int]:
    if person >= graph.n:  # somebody new
        return set()
    start, neighbours, _ = graph.adjacency
    return set(neighbours[start[person] : start[person + 1]].tolist())


def _partners(pairs: frozenset[Pair], person: int) -> set[int]:
    return {u + v - person for u, v in pairs if person in (u, v)}


def _ends_within(pairs: frozenset[Pair], people: set[int]) -> set[int]:
    return {end for u, v in pairs if u in people and v in people for end in (u, v)}


def _choose(everybody: set[int], shared: set[int], changing: set[int]) -> list[int]:
    """Those whose friendships change before others, mutual friends before others; then mutual friends first."""
    order = sorted(everybody, key=lambda person: (person not in changing, person not in shared, person))
    return sorted(order[: MOST_PEOPLE - 2], key=lambda person: person not in shared)


def _among(people: list[int], friends: Callable[[int], set[int]]) -> frozenset[Pair]:
    return frozenset(
        (i, j) for j, theirs in enumerate(map(friends, people)) for i in range(j) if people[i] in theirs
    )


def _within(pairs: frozenset[Pair], people: list[int]) -> frozenset[Pair]:
    return _among(people, lambda person: _partners(pairs, person))


# ---------------------------------------------------------------------- the drawing


def draw(around: Neighbourhood, *, when: str) -> Markup:
    """The neighbourhood ``"before"`` or ``"after"`` as SVG."""
    here, there = (around.before, around.after) if when == "before" else (around.after, around.before)
    places = _places(len(around.people))
    lines = join(
        _line(places[a], places[b], _kind((a, b), there, when)) for a, b in sorted(here, key=_exposed_last)
    )
    return markup(
        '<svg class="drawing" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">{lines}{people}</svg>',
        width=WIDTH,
        height=HEIGHT,
        label=_in_words(around, when),
        lines=lines,
        people=join(_person(around, i, place) for i, place in enumerate(places)),
    )


def _exposed_last(pair: Pair) -> tuple[bool, Pair]:
    return pair == (0, 1), pair


def _kind(pair: Pair, other: frozenset[Pair], when: str) -> str:
    if pair == (0, 1):
        return "exposed"
    if pair in other:
        return "kept"
    return "deleted" if when == "before" else "added"


def _places(count: int) -> list[tuple[float, float]]:
    """Places on a circle: the first left, the second right, the others in turn above and below, from left to right."""
    above, below = (count - 1) // 2, (count - 2) // 2
    angles = [pi, 0.0]
    for i in range(count - 2):
        step, of = i // 2 + 1, below if i % 2 else above
        angles.append((-1 if i % 2 else 1) * (pi - pi * step / (of + 1)))
    return [(WIDTH / 2 + RADIUS * cos(a), HEIGHT / 2 - RADIUS * sin(a)) for a in angles[:count]]


def _line(one: tuple[float, float], other: tuple[float, float], kind: str) -> Markup:
    return markup(
        '<line class="{kind}" x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>',
        kind=kind, a=one[0], b=one[1], c=other[0], d=other[1],
    )  # fmt: skip


def _person(around: Neighbourhood, i: int, place: tuple[float, float]) -> Markup:
    x, y = place
    out_x, out_y = (x - WIDTH / 2) / RADIUS, (y - HEIGHT / 2) / RADIUS
    anchor = "middle" if abs(out_x) < 0.3 else "start" if out_x > 0 else "end"
    return markup(
        '<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{r}"><title>{whole}</title></circle>'
        '<text x="{label_x:.1f}" y="{label_y:.1f}" text-anchor="{anchor}">{name}</text>',
        kind="friend" if i < 2 else "person",
        x=x,
        y=y,
        r=7 if i < 2 else 5,
        whole=around.name(i, 200),
        label_x=x + 12 * out_x,
        label_y=y + 13 * out_y + 4,
        anchor=anchor,
        name=around.name(i, LONGEST_NAME),
    )


def _in_words(around: Neighbourhood, when: str) -> str:
    friends = around.before if when == "before" else around.after
    mutual, crowd = (pair[when == "after"] for pair in (around.mutual, around.crowd))
    the_two = f"{around.name(0, 40)} and {around.name(1, 40)}"
    if mutual is None or crowd is None:
        question = f"{the_two} are no longer friends."
    else:
        have = (
            "this is the only friendship with so many"
            if crowd == 1
            else f"{crowd:,} friendships have so many"
        )
        question = f"{the_two} have {counted(mutual, 'mutual friend')}; {have}."
    return (
        f"{when.capitalize()}: {counted(len(around.people), 'person', 'people')} on a circle and "
        f"{counted(len(friends), 'friendship')} among them. {question}"
    )
