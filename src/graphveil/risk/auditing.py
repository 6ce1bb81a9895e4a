"""How exposed is a graph? What each attacker can tell apart in it, counted exactly.

An edge or a vertex is *exposed* at k when fewer than k edges or vertices of the same graph match what the attacker
knows of it (Definitions 3 and 4 of Sun, Yu, Kong, Fu 2013). An audit is about one graph: the attacker knows its
numbers, not those of another. What an attacker finds in a published graph who knows the numbers of the original is
simulated in `graphveil.risk.simulation`. The attackers are those of `graphveil.risk.attackers`. There are guarantees
against some; the others know more and are counted so that nobody believes in more protection than there is.

A group of edges can still point at one person: if 25 of 26 edges touch the same vertex, that vertex is named with
probability 25/26. So for each attacker of edges the audit also counts people, see `Naming`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import ParameterError
from graphveil.formats.advice.cautions import warn_of_cautions
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.goals import Goal, goal_against
from graphveil.graph import Graph
from graphveil.kernels._jit import patient
from graphveil.mutual import mutual_friends
from graphveil.notebooks import long_work
from graphveil.parameters import whole_number, whole_numbers
from graphveil.records import plain
from graphveil.recounting import Recount
from graphveil.risk.attackers import ATTACKERS, Model, models_for
from graphveil.risk.grouping import Seen
from graphveil.risk.roughly import rough_sizes
from graphveil.stopping import check, stoppable
from graphveil.words import percent, size

SCHEMA = "graphveil/audit/3"

Integers = NDArray[np.signedinteger[Any]]
Knowledge = dict[str, Any]
SEVERAL = {2: "two", 3: "three", 4: "four", 5: "five"}


@dataclass(frozen=True)
class Exposure:
    """What is exposed at one k."""

    k: int
    exposed: int  # edges or vertices in groups that are too small
    share: float  # of all targets
    people: int  # ends of exposed edges, or exposed vertices
    people_share: float  # of all vertices


@dataclass(frozen=True)
class Finding:
    """One exposed edge or vertex."""

    labels: tuple[Any, ...]  # of the two ends of an edge, or of the vertex
    knowledge: Knowledge  # what the attacker has to know
    group_size: int


@dataclass(frozen=True)
class Naming:
    """What an attacker of edges learns about people."""

    largest_share: float  # of a group that touches one person: the highest probability of naming somebody
    people_named: int  # how many people lie on more than half of the edges of some group
    # Different people in the smallest group; if several are smallest, the fewest
    people_in_smallest_group: int | None


@dataclass(frozen=True)
class Attacker:
    """What one attacker can tell apart."""

    # As in `graphveil.risk.attackers`
    name: str
    knows: str
    target: Literal["edge", "vertex"]
    guarantee: str | None  # the one that bounds the group sizes of this attacker; None where there is none
    targets: int  # edges or vertices that can be looked for
    groups: int  # number of groups
    smallest_group: int | None  # the k that the graph already has; None where there is nothing to find
    # Of finding a target
    highest_probability: float
    mean_probability: float
    exposures: tuple[Exposure, ...]  # one for each k, ascending
    naming: Naming | None  # what it learns about people, if it looks for edges
    most_exposed: tuple[Finding, ...]  # the smallest groups first
    # As `exposures`, where the attacker knows every number only to within the factor of the audit; None where
    # that was not asked for, is not defined, or takes long
    roughly: tuple[Exposure, ...] | None


@dataclass(frozen=True, repr=False)
class Audit:
    """What `audit` found. ``to_dict`` gives it in the documented schema, ready for JSON."""

    vertices: int
    edges: int
    triangles: int
    k: tuple[int, ...]
    at_most: bool
    friendships: int  # that the attacker ``several-friendships`` combines
    within: float | None  # the factor to which numbers are known roughly
    attackers: tuple[Attacker, ...]
    histogram: tuple[tuple[int, int], ...]  # (mutual friends, number of edges with that many), ascending

    def __getitem__(self, name: str) -> Attacker:
        """The attacker of that name."""
        return next(attacker for attacker in self.attackers if attacker.name == name)

    def __repr__(self) -> str:
        exposed = "; ".join(
            f"k = {each.k:,}: {percent(each.share)} exposed" for each in self["mutual-friends"].exposures
        )
        return f"Audit({size(self.vertices, self.edges)}; by mutual friends {exposed})"

    def _repr_html_(self) -> str:
        from graphveil.pages import render
        from graphveil.pages.chart import group_chart

        groups = {"Now": dict(self.histogram)}
        chart = group_chart(groups, self.k[-1], what="mutual friends", of="friendships")
        return render("notebook/audit.html", audit=self, size=size(self.vertices, self.edges), chart=chart)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, numbers and strings, as described in docs/audit-schema.md."""
        return {"schema": SCHEMA, **plain(self)}


@long_work("auditing")
@stoppable()
def audit(
    graph: GraphLike,
    k: int | Sequence[int] = (5, 25),
    *,
    at_most: bool = False,
    top: int = 10,
    friendships: int = 2,
    within: float | None = None,
) -> Audit:
    """How many edges and vertices each attacker finds in groups of fewer than k, counted in this one graph.

    Parameters
    ----------
    graph
        The graph as it would be published, or anything that `graphveil.as_graph` takes
    k
        One or several group sizes, each at least 1
    at_most
        Also count groups of exactly k members as too small, as Table I of the paper does
    top
        How many of the most exposed edges or vertices to name for each attacker. Smallest group first, then
        the larger numbers, then the order of the graph; only what is exposed at the largest k
    friendships
        How many friendships of one person the attacker ``several-friendships`` combines, at least 2
    within
        Also count what is exposed to attackers who know every number only to within this factor, from 1 to 10. With 1.5
        an attacker knows it to within half as much again: a group is everybody from v / 1.5 to v · 1.5

    Examples
    --------
    >>> from graphveil import Graph, audit
    >>> graph = Graph.from_edges([("Alice", "Bob"), ("Alice", "Carl"), ("Bob", "Carl"), ("Carl", "Dell")])
    >>> found = audit(graph, k=2)["mutual-friends"]
    >>> found.smallest_group, found.mean_probability, found.most_exposed[0].labels
    (1, 0.5, ('Carl', 'Dell'))
    >>> found.naming
    Naming(largest_share=1.0, people_named=4, people_in_smallest_group=2)
    >>> exact, roughly = audit(graph, k=2)["degree"], audit(graph, k=2, within=1.5)["degree"].roughly
    >>> exact.exposures[0].exposed, roughly[0].exposed
    (2, 1)
    """
    given, graph = graph, as_graph(graph)
    if not isinstance(given, Graph):
        warn_of_cautions(graph)
    ks = whole_numbers("k", k, least=1)
    top = whole_number("top", top, least=0)
    friendships = whole_number("friendships", friendships, least=2)
    within = None if within is None else _factor(within)
    counts = mutual_friends(graph)
    seen = Seen(graph, counts)
    edges_by_count = np.bincount(counts)
    values = np.flatnonzero(edges_by_count)
    models = models_for(graph)
    asked = _Asked(ks, tuple(crowd + at_most for crowd in ks), top, friendships, within)
    return Audit(
        vertices=graph.n,
        edges=graph.m,
        triangles=int(counts.sum(dtype=np.int64)) // 3,
        k=ks,
        at_most=bool(at_most),
        friendships=friendships,
        within=within,
        attackers=tuple(_examine(model, seen, asked) for model in models),
        histogram=tuple(zip(values.tolist(), edges_by_count[values].tolist(), strict=True)),
    )


def _factor(within: Any) -> float:
    if isinstance(within, int | float) and not isinstance(within, bool) and 1 <= within <= 10:
        return float(within)
    raise ParameterError(f"within must be a factor from 1 to 10, such as 1.5, not {within!r}.")


@dataclass(frozen=True)
class _Asked:
    """What an audit was asked for."""

    ks: tuple[int, ...]
    limits: tuple[int, ...]  # groups smaller than these are too small
    top: int
    friendships: int
    within: float | None


# ---------------------------------------------------------------------- from groups to figures


def _examine(model: Model, seen: Seen, asked: _Asked) -> Attacker:
    check()
    if model.memberships is not None:
        return _examine_people(model, seen, asked)
    assert model.groups is not None
    assert model.knowledge is not None
    graph, groups, know = seen.graph, model.groups(seen), model.knowledge
    sizes = np.bincount(groups)
    targets = graph.edges if model.target == "edge" else np.arange(graph.n)[:, None]

    def finding(target: int) -> Finding:
        return Finding(
            labels=tuple(graph.labels[targets[target]].tolist()),
            knowledge=know(seen, target),
            group_size=int(sizes[groups[target]]),
        )

    return _attacker(
        model,
        seen,
        asked,
        targets=targets,
        smallest=sizes.astype(np.int32)[groups],
        groups=int(np.count_nonzero(sizes)),
        naming=naming(seen, groups, sizes, model.rows and model.rows(seen))
        if model.target == "edge"
        else None,
        most_exposed=tuple(map(finding, _most_exposed(groups, sizes, asked.limits[-1], asked.top))),
    )


def _examine_people(model: Model, seen: Seen, asked: _Asked) -> Attacker:
    """Of an attacker for whom a person is in several groups."""
    assert model.memberships is not None
    found = model.memberships(seen, asked.friendships)
    exposed = np.flatnonzero(found.smallest < asked.limits[-1])
    exposed = exposed[np.argsort(found.smallest[exposed], kind="stable")[: asked.top]]
    return _attacker(
        model,
        seen,
        asked,
        targets=found.people[:, None],
        smallest=found.smallest,
        groups=found.groups,
        naming=None,
        most_exposed=tuple(
            Finding(tuple(seen.graph.labels[[vertex]].tolist()), found.knowledge(vertex), size)
            for vertex, size in zip(
                found.people[exposed].tolist(), found.smallest[exposed].tolist(), strict=True
            )
        ),
    )


def _attacker(
    model: Model,
    seen: Seen,
    asked: _Asked,
    *,
    targets: Integers,
    smallest: Integers,
    groups: int,
    naming: Naming | None,
    most_exposed: tuple[Finding, ...],
) -> Attacker:
    """The figures of an attacker, from the vertices of each target and the size of its (smallest) group."""
    n = seen.graph.n

    def exposures(sizes: Integers) -> tuple[Exposure, ...]:
        return tuple(exposure(sizes, k, limit) for k, limit in zip(asked.ks, asked.limits, strict=True))

    def exposure(sizes: Integers, k: int, limit: int) -> Exposure:
        small = sizes < limit
        touched = np.zeros(n, bool)
        touched[targets[small]] = True
        exposed, people = int(np.count_nonzero(small)), int(np.count_nonzero(touched))
        return Exposure(k, exposed, _ratio(exposed, len(targets)), people, _ratio(people, n))

    roughly = None
    if asked.within is not None and model.points is not None:
        roughly = rough_sizes(model.points(seen), asked.within, asked.limits[-1])
    least = int(smallest.min()) if len(smallest) else None
    return Attacker(
        name=model.name,
        knows=model.knows.format(several=SEVERAL.get(asked.friendships, asked.friendships)),
        target=model.target,
        guarantee=against.name if (against := goal_against(model.name)) else None,
        targets=len(targets),
        groups=groups,
        smallest_group=least,
        highest_probability=1 / least if least else 0.0,
        mean_probability=_ratio(groups, len(targets)) if model.groups else mean_probability(smallest),
        exposures=exposures(smallest),
        naming=naming,
        most_exposed=most_exposed,
        roughly=None if roughly is None else exposures(roughly),
    )


def mean_probability(sizes: Integers) -> float:
    """Of finding targets in groups of these sizes; the same number whatever their order.

    >>> mean_probability(np.array([4, 1, 2, 4]))
    0.5
    """
    occurring, numbers = np.unique(sizes, return_counts=True)
    return math.fsum((numbers / occurring).tolist()) / len(sizes) if len(sizes) else 0.0


def naming(seen: Seen, groups: Integers, sizes: Integers, rows: Integers | None = None) -> Naming:
    """Whom groups of edges name, from the group of each edge, also in rows if these are there, and their sizes."""
    if not len(groups):
        return Naming(0.0, 0, None)
    people = np.zeros(len(sizes), np.int64)
    rows = seen.rows(groups, groups) if rows is None else rows
    largest, named = patient("grouping").count_people(seen.start, rows, sizes, people)
    return Naming(
        largest_share=float(largest),
        people_named=int(named),
        people_in_smallest_group=int(people[sizes == sizes[sizes > 0].min()].min()),
    )


def achieved(graph: Graph, goals: Iterable[Goal]) -> list[float | None]:
    """The best level of some guarantees that a graph has: least group size, or largest share; None without a group.

    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> from graphveil.goals import NMF, Spread
    >>> achieved(star, [NMF(2), Spread(0.5)])
    [3, 1.0]
    """
    seen, found = Seen(graph, mutual_friends(graph)), list[float | None]()
    for each in goals:
        model = next((model for model in ATTACKERS if model.name == each.attacker), None)
        # A person is in several groups: the guarantee knows how to count
        if model is None or model.groups is None:
            found.append(each.check(Recount(graph.edges, graph.n)).achieved)
            continue
        groups = model.groups(seen)
        sizes = np.bincount(groups)
        level = naming(seen, groups, sizes).largest_share if each.bounds == "share" else None
        found.append(level or int(sizes[sizes > 0].min()) if len(groups) else None)
    return found


def _most_exposed(groups: Integers, sizes: Integers, limit: int, top: int) -> list[int]:
    """The first ``top`` targets in groups below the limit: smallest group, highest group number, first target."""
    small = np.flatnonzero((sizes > 0) & (sizes < limit))
    order = small[np.lexsort((-small, sizes[small]))][:top]  # no group is empty, so no more are needed
    place = np.full(len(sizes), -1)
    place[order] = np.arange(len(order))
    targets = np.flatnonzero(place[groups] >= 0)
    found: list[int] = targets[np.argsort(place[groups[targets]], kind="stable")][:top].tolist()
    return found


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
