"""An attacker who holds a similar graph: how many people this attacker finds, before and after anonymizing.

The attacker's graph is the original without a share of its friendships, with names. The other graph has no names. Both
are shuffled before `graphveil.risk.matching` gets them, which matches them by structure alone. Only the count of what
is right uses the truth. *Before* is the original under bare pseudonyms, *after* is the published graph. Both are
attacked with the same copy. The attacker adapts: where the copy is denser or thinner than the graph it is matched with,
its numbers are also scaled to that density, and the attempt that names most people is taken (the first that names more
than half). People who are in one of
the two graphs only cannot be found and do not count.

No k-anonymous graph stops this attacker. k-NMF and k-degree anonymity change a few friendships, and the attack only
needs most of them to be as they were.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import places
from graphveil.errors import ParameterError
from graphveil.graph import Graph
from graphveil.notebooks import also_say, how_far, long_work
from graphveil.parameters import whole_number
from graphveil.records import plain
from graphveil.risk.matching import Matching, match_people
from graphveil.risk.simulation import Attack, simulate_attacks
from graphveil.stopping import check, stoppable
from graphveil.words import percent

ALIKE = 0.02  # densities that differ by less than this share of them are taken for the same

MISSING, SEED = 0.1, 7  # by default
STARTS = 5  # orders that are tried until somebody is named: a matching can begin badly by chance
AFFORDABLE = 50_000  # friendships for which `found_by_default` takes far less than half a minute

SCHEMA = "graphveil/attack/2"

Progress = Callable[[str, float], None]  # called with what is being done, and the share of it that is done


@dataclass(frozen=True)
class Found:
    """What the attacker with a similar graph finds in one graph."""

    named: int  # people for whom the attacker names a vertex
    found: int  # those of them for whom it is the right one
    share: float | None  # found, of all people not known from the start; None where there are none
    precision: float | None  # found, of those named; None where nobody is named
    # Share of the people matched in two independent attempts who were matched alike. The attacker sees it
    # too, and names nobody where it is below 0.7
    agreement: float | None
    # Density to which the attacker scaled the numbers of the copy, as a share of the density of the copy
    scaled_to: float = 1.0


@dataclass(frozen=True)
class Reidentification:
    """What `graphveil.attack` found. ``to_dict`` gives it in the documented schema, ready for JSON.

    Attributes
    ----------
    people, friendships
        Of the original
    in_both
        People who are in the published graph too
    missing
        Share of the friendships that the attacker's graph lacks
    known
        People whom the attacker knows in the published graph from the start; they do not count as found
    seed
        For the choice of both, and for the order of the vertices
    before, after
        What is found in the original under bare pseudonyms, and in the published graph
    simulated
        The attackers of the audit, who know one thing each
    """

    people: int
    friendships: int
    in_both: int
    missing: float
    known: int
    seed: int
    before: Found
    after: Found
    simulated: tuple[Attack, ...] = field(repr=False, default=())

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/attack.md."""
        return {"schema": SCHEMA, **plain(self)}

    def __repr__(self) -> str:
        return (
            f"Reidentification({_share(self.before)} of {self.people:,} people found before, "
            f"{_share(self.after)} after, {_precision(self.after)} right)"
        )

    def _repr_html_(self) -> str:
        """A small table for notebooks."""
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{found.named:,}</td><td>{found.found:,}</td>"
            f"<td>{_share(found)}</td><td>{_precision(found)}</td></tr>"
            for name, found in (("before", self.before), ("after", self.after))
        )
        head = "".join(
            f"<th>{name}</th>" for name in ("", "named", "found", "of all people", "of those named")
        )
        caption = f"An attacker with a similar graph ({percent(self.missing)} of the friendships missing)"
        return f"<table><caption>{escape(caption)}</caption><tr>{head}</tr>{rows}</table>"


def _share(found: Found) -> str:
    return "–" if found.share is None else percent(found.share)


def _precision(found: Found) -> str:
    return "–" if found.precision is None else percent(found.precision)


@long_work("attacking")
@stoppable()
def reidentify(
    original: Graph,
    published: Graph,
    *,
    missing: float = MISSING,
    known: int = 0,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Reidentification:
    """Let an attacker who holds a similar graph look for everybody in a published one.

    The published graph is under the labels of the original; some people may be in one of the two only. Further
    parameters are as in `graphveil.attack`.

    >>> from graphveil import generate
    >>> town = generate(edges=2_000, seed=4)
    >>> found = reidentify(town, town, missing=0.05)
    >>> abs(found.before.share - found.after.share) < 0.05, found.after.share > 0.5, found.after.precision > 0.9
    (True, True, True)
    """
    if not 0 <= missing < 1:
        raise ParameterError(f"missing must be a share from 0 to below 1, not {missing!r}.")
    sides = _sides(original, published, missing, known, seed)
    told = also_say(progress, how_far) or (lambda *_: None)
    before = _look(sides, original, sides.same, sides.bare, lambda s: told("the original", s))
    after = _look(sides, published, sides.place, sides.new, lambda s: told("the published graph", s))
    told("the attackers of the audit", 0.0)
    simulated = simulate_attacks(original, published)
    told("everything", 1.0)
    return Reidentification(
        original.n, original.m, sides.in_both, float(missing), known, seed, before, after, simulated
    )


def found_by_default(original: Graph, published: Graph) -> Found:
    """What the attacker of `reidentify` with the default parameters finds in the published graph, and no more.

    >>> from graphveil import generate
    >>> town = generate(edges=500, seed=4)
    >>> found_by_default(town, town) == reidentify(town, town).after
    True
    """
    sides = _sides(original, published, MISSING, 0, SEED)
    return _look(sides, published, sides.place, sides.new, lambda _: check())


class _Sides(NamedTuple):
    """What the attacker holds, the truth, and how all is shuffled."""

    copy: Graph
    place: NDArray[np.int64]  # of each person in the published graph, or -1
    friends: NDArray[np.int64]  # who are known from the start
    mine: NDArray[np.int64]
    bare: NDArray[np.int64]
    new: NDArray[np.int64]

    @property
    def same(self) -> NDArray[np.int64]:
        """The place of each person in the original, for those who are in both graphs."""
        return np.where(self.place >= 0, np.arange(len(self.place)), -1)

    @property
    def in_both(self) -> int:
        """How many people are in both graphs."""
        return int(np.count_nonzero(self.place >= 0))


def _sides(original: Graph, published: Graph, missing: float, known: int, seed: int) -> _Sides:
    place = places(original, published)
    there = np.flatnonzero(place >= 0)
    known = whole_number("known", known, least=0, most=len(there))
    random = np.random.default_rng(whole_number("seed", seed, least=0))
    kept = random.permutation(original.m)[round(missing * original.m) :]
    copy = Graph(original.edges[np.sort(kept)], original.n)
    friends = there[random.choice(len(there), known, replace=False)]
    orders = (random.permutation(n) for n in (original.n, original.n, published.n))
    return _Sides(copy, place, friends, *orders)


def _look(
    sides: _Sides,
    graph: Graph,
    place: NDArray[np.int64],
    other_order: NDArray[np.int64],
    told: Callable[[float], None],
) -> Found:
    """What the attacker finds, who begins anew in another order as long as nobody is named."""
    orders = sides.mine, other_order
    for start in range(STARTS):
        found = _attempt(sides, graph, place, orders, told)
        if found.named:
            break
        random = np.random.default_rng(start)
        orders = random.permutation(len(sides.mine)), random.permutation(len(other_order))
    return found


def _attempt(
    sides: _Sides,
    graph: Graph,
    place: NDArray[np.int64],
    orders: tuple[NDArray[np.int64], NDArray[np.int64]],
    told: Callable[[float], None],
) -> Found:
    """Shuffle both graphs, match them at each density, and count what is right in the best attempt."""
    copy, friends, (order, other_order) = sides.copy, sides.friends, orders
    truth = np.full(copy.n, -1)
    there = np.flatnonzero(place >= 0)
    truth[order[there]] = other_order[place[there]]
    sure = np.column_stack((order[friends], truth[order[friends]]))
    mine, other, scales = copy.renumbered(order), graph.renumbered(other_order), _scales(copy, graph)
    attempts = list[tuple[int, Matching, float]]()
    for number, scale in enumerate(scales):
        matching = match_people(
            mine, other, sure, scale=scale, told=partial(_so_far, told, number, len(scales))
        )
        attempts.append((int(np.count_nonzero(matching.image >= 0)), matching, scale))
        if 2 * attempts[-1][0] > copy.n:
            break
    named, matching, scale = max(attempts, key=lambda attempt: attempt[0])
    image = matching.image
    right = int(np.count_nonzero((image == truth) & (image >= 0))) - len(friends)
    count, strangers = named - len(friends), len(there) - len(friends)
    return Found(
        named=count,
        found=right,
        share=right / strangers if strangers else None,
        precision=right / count if count else None,
        agreement=matching.agreement,
        scaled_to=scale,
    )


def _scales(copy: Graph, graph: Graph) -> list[float]:
    """The densities that are tried: that of the other graph, that of the copy, and one between the two."""
    if not copy.m or not graph.m:
        return [1.0]
    ratio = (graph.m / graph.n) / (copy.m / copy.n)
    return [1.0] if abs(ratio - 1) < ALIKE else [ratio, 1.0, ratio**0.5]


def _so_far(told: Callable[[float], None], number: int, attempts: int, share: float) -> None:
    told((number + share) / attempts)


def in_a_sentence(found: Reidentification) -> str:
    """The result in words, for a report or a terminal.

    >>> after = Found(named=900, found=880, share=0.44, precision=0.978, agreement=0.99)
    >>> print(in_a_sentence(Reidentification(2_000, 7_000, 2_000, 0.1, 0, 7, after, after)).split(";")[1])
     with bare pseudonyms it would be 44 %. No k stops this attack.
    """
    lacking = f" with {percent(found.missing)} of its friendships missing" if found.missing else ""
    right = f" ({_precision(found.after)} of the matches are right)" if found.after.named else ""
    return (
        f"An attacker who holds this graph{lacking} identifies {_share(found.after)} of the people in the published "
        f"graph{right}; with bare pseudonyms it would be {_share(found.before)}. "
        + ("No k stops this attack." if found.after.found else "With a more complete copy it may be more.")
    )
