"""As many people as a budget of changes buys: simulated annealing on the groups of attackers (docs/reduce.md).

A guarantee says that nobody is exposed to one attacker. For stronger attackers none is in reach at a fair price, but a
number of changes, spent well, takes most people out of groups below k. This is the budgeted anonymization of R. de
Jong, M. van der Loo, F. Takes (2024), and with a share that is enough (`until`) their partial one. They delete edges
by a heuristic; this search adds and deletes, and looks at what each change does.

Every exposed member of a group costs, and the less the larger its group is already. A move makes or takes back a few
changes around an exposed person. It is made if the cost falls, or rises so little that the temperature allows it.
Guarantees hold after every move, nobody loses all friends, and the changes never exceed the budget.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.differences import differences
from graphveil.errors import ParameterError
from graphveil.goals import Friendship, Goals, Spread, in_order, level_of
from graphveil.graph import Graph
from graphveil.methods.reduce.signatures import number_of, signature_named
from graphveil.methods.reduce.state import NO_PAIRS, NO_RELEASE, Row, Then, state_of
from graphveil.parameters import proportion, whole_number
from graphveil.stopping import Stopped, answer, check
from graphveil.words import percent

if TYPE_CHECKING:
    from graphveil.kernels.reduce import State

MAX_CHANGES = 0.05
HOT, COLD = 30.0, 1.0  # temperatures; the first step of a single towards a group of five gains 3
PRICE = 0.5  # of one change: one that gains nothing is taken back
USUAL_K = 5  # for which the temperatures are made
SCALE = 64  # of costs, which are whole numbers
MOVES_PER_CHANGE = 2_000  # tried
MOST_MOVES = 6_000_000
DEAR = 5  # times that a move costs where all friendships of two people change their signatures
LAST = 20_000  # moves without heat, after the clock or Ctrl-C
RECONSIDERED = 200  # moves without heat for each change that might not be needed
CHUNK = 2_000  # moves between two looks at the clock
LOOK = 20_000  # people and friendships for each chunk between two looks at who is exposed
# Attackers whom friendship anonymity hinders.
OF_FRIENDS = ("edge-degrees", "edge-degrees-and-mutual-friends")
HEAD_START = 0.6  # of the budget: more is not spent on friendship anonymity to begin with
LARGEST_HEAD_START = 50_000  # friendships of a graph, at most
CLOSE = 0.05  # of a number of changes: how closely the fewest are found that reach a share


@dataclass(frozen=True)
class Wish:
    """An attacker, and how large its groups should be for as many as can be had."""

    attacker: str  # by name in the table of attackers
    k: int = USUAL_K  # whoever is in a group below k is exposed
    weight: float = 1.0  # of an exposed person or friendship, beside those of other attackers

    def __post_init__(self) -> None:
        """Refuse what cannot be reduced."""
        signature_named(self.attacker)
        whole_number("reduce_k", self.k, least=2)
        if not 0 < self.weight < math.inf:
            raise ParameterError(f"the weight of {self.attacker} is {self.weight:g}. Choose one above 0.")

    @classmethod
    def of(cls, text: str, k: int = USUAL_K) -> Wish:
        """A wish as it is typed: an attacker, its own k after ``=``, a weight after ``:``.

        >>> Wish.of("degree"), Wish.of("degree=3:0.5")
        (Wish(attacker='degree', k=5, weight=1.0), Wish(attacker='degree', k=3, weight=0.5))
        """
        attacker, _, rest = text.strip().partition("=")
        own_k, _, weight = rest.partition(":")
        try:
            return cls(attacker, int(own_k) if rest else k, float(weight or 1))
        except ValueError:
            raise ParameterError(
                f"{text!r} is no attacker with a k. Write it as degree-and-triangles=5, or with a weight as "
                "degree-and-triangles=5:2."
            ) from None

    def __str__(self) -> str:
        return f"{self.attacker}={self.k}" + (f":{self.weight:g}" if self.weight != 1 else "")


Reduce = str | Mapping[str, int] | Iterable[str | Wish] | None


def wishes_of(reduce: Reduce, k: int) -> tuple[Wish, ...]:
    """The attackers that were asked for in any of the friendly ways.

    >>> wishes_of("degree", 5) == wishes_of({"degree": 5}, 2) == wishes_of([Wish("degree", 5)], 2)
    True
    """
    if reduce is None:
        return ()
    if isinstance(reduce, Mapping):
        wishes = tuple(Wish(attacker, own_k) for attacker, own_k in reduce.items())
    else:
        several = [reduce] if isinstance(reduce, str) else reduce
        wishes = tuple(each if isinstance(each, Wish) else Wish.of(each, k) for each in several)
    if len({wish.attacker for wish in wishes}) < len(wishes):
        raise ParameterError("an attacker is named twice in reduce. Name each once.")
    return wishes


@dataclass(frozen=True)
class Limits:
    """What a search may spend."""

    max_changes: float = MAX_CHANGES  # edges added and deleted, as a share of those of the original
    # A share of the people (or friendships) that is enough to be safe from each attacker: the search ends
    # with as few changes as it finds for it
    until: float | None = None
    keep_edges: bool = False  # delete no edge of the original
    frozen: NDArray[np.int64] = field(default_factory=lambda: NO_PAIRS)  # pairs that stay as they are

    def __post_init__(self) -> None:
        """Refuse what is no share."""
        proportion("max_changes", self.max_changes)
        if self.until is not None:
            proportion("until", self.until)


@dataclass(frozen=True)
class Reduction:
    """A measured reduction, which is no guarantee: who was exposed to an attacker, and who is."""

    # As asked for
    attacker: str
    k: int
    until: float | None  # the share that was asked for to be safe, if one was
    targets: int  # how many people or friendships the new graph has
    # How many are in a group below k, in the original and in the new graph
    before: int
    after: int
    people: int  # how many people the new graph has
    # How many people are exposed, by themselves or by a friendship of theirs
    people_before: int
    people_after: int
    changes: int  # edges added and deleted since the original, for guarantees and all reductions together

    @property
    def safe(self) -> float:
        """The share of people or friendships that are not exposed."""
        return 1 - self.after / self.targets if self.targets else 1.0


class Reduced(NamedTuple):
    """The graph that a search for fewer exposed people ended with."""

    graph: Graph
    reductions: tuple[Reduction, ...] = ()
    notes: tuple[str, ...] = ()
    interrupted: bool = False


def reduce_exposed(
    graph: Graph,
    original: Graph,
    wishes: Sequence[Wish],
    goals: Goals = (),
    limits: Limits | None = None,
    *,
    rng: np.random.Generator,
    time_is_up: Callable[[], bool] = lambda: False,
    told: Callable[[int, int], object] | None = None,
) -> Reduced:
    """Spend what is left of a budget of changes on people who are exposed to attackers.

    ``graph`` is on the people of the original, from which changes are counted; its guarantees stay. A run that ends
    by itself depends on ``rng`` alone; one that ``time_is_up`` stopped does not. ``told`` gets the numbers of exposed
    targets and of changes.

    >>> from graphveil import generate
    >>> town = generate(edges=500, seed=1)
    >>> reduced = reduce_exposed(town, town, [Wish("degree-and-triangles", 5)], rng=np.random.default_rng(1))
    >>> [reduction] = reduced.reductions
    >>> reduction.after < reduction.before, reduction.changes <= 0.05 * town.m
    (True, True)
    """
    limits = limits or Limits()
    most, until = int(limits.max_changes * original.m + 1e-9), limits.until
    spent = sum(map(len, differences(original, graph)))
    if spent >= most:
        note = f"no reduction: the guarantees alone changed {spent:,} friendships, the budget is {most:,}"
        return Reduced(graph, reductions(graph, original, wishes, until), (note,))
    seed = int(rng.integers(1 << 62))
    try:
        start = _head_start(graph, original, wishes, goals, limits, rng, time_is_up)
    except Stopped:
        answer()
        note = "no reduction: it was interrupted"
        return Reduced(graph, reductions(graph, original, wishes, until), (note,), True)
    rows = [*_rows_of_wishes(wishes), *rows_of_goals(goals)]
    safe = partial(_safe, wishes=tuple(wishes))
    then = Then(limits.frozen)
    search = Annealing(start, original, rows, goals, limits.keep_edges, seed, time_is_up, told, then)
    changed = search.spend(most) if until is None else search.spend_least(spent, most, until, safe)
    return Reduced(
        changed, reductions(changed, original, wishes, until), tuple(search.notes), search.interrupted
    )


def _head_start(
    graph: Graph,
    original: Graph,
    wishes: Sequence[Wish],
    goals: Goals,
    limits: Limits,
    rng: np.random.Generator,
    time_is_up: Callable[[], bool],
) -> Graph:
    """The graph to begin with: one with friendship anonymity, where it helps and leaves enough of the budget."""
    ks = [wish.k for wish in wishes if wish.attacker in OF_FRIENDS]
    unsuited = limits.keep_edges or limits.until is not None or graph.n != original.n or len(limits.frozen)
    if not ks or unsuited or original.m > LARGEST_HEAD_START or level_of(goals, Friendship) is not None:
        return graph
    from graphveil.methods.friendship.anonymizing import with_friendships  # with its kernels

    found = with_friendships(original, in_order((*goals, Friendship(max(ks)))), rng, time_is_up)
    if found is None:
        return graph
    changed = sum(map(len, differences(original, found)))
    return found if changed <= HEAD_START * limits.max_changes * original.m else graph


def reductions(
    graph: Graph, original: Graph, wishes: Iterable[Wish], until: float | None = None
) -> tuple[Reduction, ...]:
    """Count who is exposed in both graphs, from the definition of each attacker."""
    changes = sum(map(len, differences(original, graph)))
    return tuple(_reduction(graph, original, wish, until, changes) for wish in wishes)


def _reduction(graph: Graph, original: Graph, wish: Wish, until: float | None, changes: int) -> Reduction:
    signature = signature_named(wish.attacker)
    before, after = (signature.exposed(each, wish.k) for each in (original, graph))
    return Reduction(
        attacker=wish.attacker,
        k=wish.k,
        until=until,
        targets=len(after),
        before=int(before.sum()),
        after=int(after.sum()),
        people=graph.n,
        people_before=signature.people(original, before),
        people_after=signature.people(graph, after),
        changes=changes,
    )


@dataclass
class Annealing:
    """What all runs of a search have in common, and how they ended."""

    graph: Graph
    original: Graph
    rows: list[Row]
    goals: Goals
    keep_edges: bool
    seed: int
    time_is_up: Callable[[], bool] = lambda: False
    told: Callable[[int, int], object] | None = None
    then: Then = NO_RELEASE
    notes: list[str] = field(default_factory=list)
    interrupted: bool = False
    stopped: bool = False

    def spend(self, most: int) -> Graph:
        """The graph with as few exposed as so many changes buy."""
        return graph_of(self.annealed(most), self.graph)

    def spend_least(self, fewest: int, most: int, until: float, safe: Callable[[State], float]) -> Graph:
        """The graph in which a share is safe, with as few changes as bisection finds."""
        if safe(self._state(fewest)) >= until:
            return self.graph
        best = self.annealed(most)
        if safe(best) < until:
            self.notes.append(
                f"the search found no way to keep {percent(until)} from being exposed with at most {most:,} changes"
            )
            return graph_of(best, self.graph)
        while most - fewest > max(1, CLOSE * most) and not self.stopped:
            middle = (fewest + most) // 2
            tried = self.annealed(middle)
            if safe(tried) >= until:
                best, most = tried, middle
            else:
                fewest = middle
        return graph_of(best, self.graph)

    def spend_sparingly(self, most: int, exposed: int) -> Graph:
        """The same by an effort that follows who is exposed; changes that it does not need are taken back."""
        from graphveil.kernels import reduce as kernel

        state = self.annealed(most, MOVES_PER_CHANGE * 2 * exposed)
        for _ in range(0 if self.stopped else math.ceil(most * RECONSIDERED / LAST)):
            kernel.refresh(state)
            kernel.anneal(state, LAST, 1e-9, 1.0, SCALE * PRICE)
            if self._ends(state):
                break
        return graph_of(state, self.graph)

    def _state(self, most: int) -> State:
        from graphveil.kernels import reduce as kernel

        if len(self.rows) > kernel.TALLY:
            raise ParameterError(
                f"attackers and guarantees are {len(self.rows)} together. Reduce for fewer attackers at once."
            )
        share = level_of(self.goals, Spread) or 1.0
        return state_of(
            self.graph,
            self.original,
            self.rows,
            most,
            self.seed,
            share,
            keep_edges=self.keep_edges,
            then=self.then,
        )

    def annealed(self, most: int, moves: int | None = None) -> State:
        """The groups after a search with so many changes at most."""
        from graphveil.kernels import reduce as kernel

        state = self._state(most)
        moves = min(moves or MOVES_PER_CHANGE * most, MOST_MOVES)
        dear = DEAR if state.groups.totals[kernel.OF_DEGREES] else 1
        chunks = math.ceil(moves / dear / CHUNK)
        looks = math.ceil((len(state.people) + len(state.friend)) / LOOK)
        cooling = (COLD / HOT) ** (1 / chunks)
        for chunk in range(chunks):
            if chunk % looks == 0:
                kernel.refresh(state)
            temperature = SCALE * HOT * cooling**chunk
            kernel.anneal(state, CHUNK, temperature, cooling ** (1 / CHUNK), SCALE * PRICE)
            if self._ends(state):
                break
        if self.stopped:
            kernel.refresh(state)
            kernel.anneal(state, LAST, 1e-9, 1.0, SCALE * PRICE)
        return state

    def _ends(self, state: State) -> bool:
        """Tell where the search stands; whether the clock or Ctrl-C ends it."""
        from graphveil.kernels import reduce as kernel

        if self.told:
            self.told(int(state.groups.rows[:, kernel.SMALL].sum()), int(state.groups.totals[kernel.CHANGES]))
        try:
            check()
        except Stopped:
            answer()
            self.interrupted = True
        if not (self.interrupted or self.time_is_up()):
            return False
        self.stopped = True
        how = "interrupted" if self.interrupted else "stopped by its budget of seconds"
        self.notes.append(f"the reduction was {how}, and the same seed may give another graph next time")
        return True


def _rows_of_wishes(wishes: Sequence[Wish]) -> list[Row]:
    """What the search counts for attackers."""
    most = max(wish.weight for wish in wishes)
    return [
        Row(number_of(signature_named(wish.attacker)), wish.k, weight_of_exposed(wish.k, wish.weight / most))
        for wish in wishes
    ]


def weight_of_exposed(k: int, weight: float = 1.0) -> int:
    """What an exposed member of a group below k weighs: as much for each k."""
    return max(1, round(SCALE * USUAL_K / k * weight))


def rows_of_goals(goals: Goals) -> list[Row]:
    """What the search counts for guarantees, which weigh nothing because they are kept."""
    from graphveil.kernels import reduce as kernel

    rows = []
    for goal in goals:
        if goal.bounds == "share":
            rows.append(Row(kernel.SPREAD, 1))
        elif goal.attacker == "friendship-degrees":
            rows += [Row(kernel.FRIEND_DEGREES, int(goal.level)), Row(kernel.DEGREES, int(goal.level))]
        else:
            rows.append(Row(number_of(signature_named(goal.attacker)), int(goal.level)))
    return rows


def _safe(state: State, wishes: Sequence[Wish]) -> float:
    """The least share of people or friendships that are not exposed, of all attackers."""
    from graphveil.kernels import reduce as kernel

    shares = [1.0]
    for row, wish in zip(state.groups.rows, wishes, strict=False):
        of_edges = signature_named(wish.attacker).model.target == "edge"
        targets = state.groups.totals[kernel.EDGES] if of_edges else len(state.people) - 1
        shares.append(1 - int(row[kernel.SMALL]) / max(int(targets), 1))
    return min(shares)


def graph_of(state: State, like: Graph) -> Graph:
    """The graph whose groups these are."""
    from graphveil.kernels import reduce as kernel

    start, degree = state.people[:-1, kernel.START], state.people[:-1, kernel.LENGTH]
    before = np.cumsum(degree) - degree
    slots = np.repeat(start - before, degree) + np.arange(int(degree.sum()))
    u, v = np.repeat(np.arange(like.n), degree), state.friend[slots]
    return Graph.from_arrays(u[u < v], v[u < v], n=like.n, labels=like.labels)
