"""The audit on Spark: the attackers and figures of `graphveil.audit`, from tables instead of arrays.

The attackers are those of `graphveil.risk.attackers`; `KNOWLEDGE` says for each which columns tell its groups apart. In
a table of *members* every row is an edge or a person in one group. Where a person is in several groups, the smallest
one counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphveil.goals import goal_against
from graphveil.parameters import whole_number, whole_numbers
from graphveil.risk.attackers import ATTACKERS, Model
from graphveil.risk.auditing import SEVERAL, Attacker, Audit, Exposure, Finding, Naming
from graphveil.spark.counting import WORKER_MEMORY, Counted, counted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row


@dataclass(frozen=True)
class Knowledge:
    """How an attacker's groups are told apart.

    Attributes
    ----------
    members
        The table of its targets and their groups
    columns
        Those that make a group, the first the most important
    words
        What the attacker knows of a row
    first
        Where a person is in several groups, by what the telling one is chosen among the smallest
    size
        Where a person is in several groups, their size, from a row for each person and how many rows of members it has
    """

    members: Callable[[_Tables], DataFrame]
    columns: Callable[[int], tuple[str, ...]]
    words: Callable[[Row, tuple[str, ...]], dict[str, Any]]
    first: tuple[str, ...] = ()
    size: str = "count(*)"


@dataclass(frozen=True)
class _Tables:
    """Every edge with the degrees of its ends, and every vertex with its degree and the counts around it."""

    edges: DataFrame  # u, v, of_u, of_v, higher, lower, mutual_friends
    vertices: DataFrame  # u, degree, around
    friendships: int

    @property
    def ends(self) -> DataFrame:
        """Every edge twice, once from each end: the person, the friend, their degrees."""
        both = "struct(u u, v w, of_u own, of_v others), struct(v u, u w, of_v own, of_u others)"
        return self.edges.selectExpr(f"inline(array({both}))")

    @property
    def combinations(self) -> DataFrame:
        """Every person with every combination of mutual-friend counts on some of their edges, ascending as c1, c2 …"""
        counts = self.vertices.selectExpr("u", "inline(around)").toDF("u", "c", "number")
        rows = counts.selectExpr("u", "c c1", "1 used", "number")
        for place in range(2, self.friendships + 1):
            last, following = f"c{place - 1}", counts.toDF("u", f"c{place}", "more")
            joined = rows.join(following, "u").where(
                f"c{place} > {last} or (c{place} = {last} and used < number)"
            )
            kept = [f"c{each}" for each in range(1, place + 1)]
            rows = joined.selectExpr(
                "u",
                *kept,
                f"if(c{place} = {last}, used + 1, 1) used",
                f"if(c{place} = {last}, number, more) number",
            )
        return rows.drop("used", "number")


def _numbered(friendships: int) -> tuple[str, ...]:
    return tuple(f"c{place}" for place in range(1, friendships + 1))


def _always(*columns: str) -> Callable[[int], tuple[str, ...]]:
    return lambda _: columns


KNOWLEDGE = {
    "mutual-friends": Knowledge(
        lambda tables: tables.edges,
        _always("mutual_friends"),
        lambda row, _: {"mutual_friends": row.mutual_friends},
    ),
    "degree": Knowledge(
        lambda tables: tables.vertices, _always("degree"), lambda row, _: {"degree": row.degree}
    ),
    "edge-degrees": Knowledge(
        lambda tables: tables.edges,
        _always("higher", "lower"),
        lambda row, _: {"degrees": [row.lower, row.higher]},
    ),
    "friendship-degrees": Knowledge(
        lambda tables: tables.ends,
        _always("own", "others"),
        lambda row, _: {"degrees": [row.own, row.others]},
        first=("w",),
        size="least(count(*), sum(count) div if(own = others, 2, 1))",  # people, or friendships
    ),
    "edge-degrees-and-mutual-friends": Knowledge(
        lambda tables: tables.edges,
        _always("higher", "lower", "mutual_friends"),
        lambda row, _: {"degrees": [row.lower, row.higher], "mutual_friends": row.mutual_friends},
    ),
    "degree-and-triangles": Knowledge(
        lambda tables: tables.vertices.selectExpr(
            "u",
            "degree",
            "aggregate(around, 0L, (sum, x) -> sum + x.mutual_friends * x.number) div 2 triangles",
        ),
        _always("degree", "triangles"),
        lambda row, _: {"degree": row.degree, "triangles": row.triangles},
    ),
    "several-friendships": Knowledge(
        lambda tables: tables.combinations,
        _numbered,
        lambda row, columns: {"several_mutual_friends": [row[column] for column in reversed(columns)]},
        first=("c1", "c2"),
    ),
    "mutual-friends-around": Knowledge(
        lambda tables: tables.vertices,
        _always("degree", "around"),
        lambda row, _: {"edges_by_mutual_friends": [[value, number] for value, number in row.around]},
    ),
}


def audit(
    edges: DataFrame,
    k: int | Sequence[int] = (5, 25),
    *,
    at_most: bool = False,
    top: int = 10,
    friendships: int = 2,
    parts: int | None = None,
    worker_memory: int = WORKER_MEMORY,
) -> Audit:
    """How many edges and vertices of a graph on Spark each attacker finds in groups of fewer than k.

    Parameters
    ----------
    edges, parts, worker_memory
        As in `graphveil.spark.mutual_friends`
    k, at_most, top, friendships
        As in `graphveil.audit`

    Returns
    -------
    The same figures as `graphveil.audit` gives on one machine. The ``top`` most exposed are named in the order of their
    ids, integers ascending and text by its characters.
    """
    ks = whole_numbers("k", k, least=1)
    with counted(edges, parts=parts, worker_memory=worker_memory) as graph:
        return audit_of(graph, ks, at_most=at_most, top=top, friendships=friendships)


def audit_of(
    graph: Counted, ks: tuple[int, ...], *, at_most: bool = False, top: int = 10, friendships: int = 2
) -> Audit:
    """The audit of a counted graph."""
    friendships = whole_number("friendships", friendships, least=2)
    tables = _Tables(_edges(graph).persist(), _vertices(graph).persist(), friendships)
    vertices, edges = tables.vertices.count(), tables.edges.count()
    asked = _Asked(ks, tuple(k + at_most for k in ks), whole_number("top", top, least=0), vertices)
    found = tuple(_examine(model, graph, tables, asked) for model in ATTACKERS)
    tables.edges.unpersist()
    tables.vertices.unpersist()
    sizes = graph.histogram.tolist()
    return Audit(
        vertices=vertices,
        edges=edges,
        triangles=sum(value * size for value, size in enumerate(sizes)) // 3,
        k=ks,
        at_most=bool(at_most),
        friendships=friendships,
        within=None,
        attackers=found,
        histogram=tuple((value, size) for value, size in enumerate(sizes) if size),
    )


def _edges(graph: Counted) -> DataFrame:
    of_u, of_v = graph.degrees.toDF("u", "of_u"), graph.degrees.toDF("v", "of_v")
    joined = graph.edges.join(of_u, "u").join(of_v, "v")
    degrees = ("of_u", "of_v", "greatest(of_u, of_v) higher", "least(of_u, of_v) lower")
    return joined.selectExpr("u", "v", *degrees, "mutual_friends")


def _vertices(graph: Counted) -> DataFrame:
    """A row for each vertex: its degree, and on how many of its edges it has how many mutual friends, descending."""
    from pyspark.sql import functions as f

    ends = graph.edges.selectExpr("inline(array(struct(u u, mutual_friends), struct(v u, mutual_friends)))")
    by_count = ends.groupBy("u", "mutual_friends").agg(f.count("*").alias("number"))
    rows = f.sort_array(f.collect_list(f.struct("mutual_friends", "number")), asc=False)
    around = by_count.groupBy("u").agg(rows.alias("around"))
    everybody = graph.degrees.toDF("u", "degree").join(around, "u", "left")
    return everybody.selectExpr("u", "degree", "coalesce(around, array()) around")


# ---------------------------------------------------------------------------- from groups to figures


@dataclass(frozen=True)
class _Asked:
    """What an audit was asked for, and how many vertices there are."""

    ks: tuple[int, ...]
    limits: tuple[int, ...]  # groups smaller than these are too small
    top: int
    vertices: int


def _examine(model: Model, graph: Counted, tables: _Tables, asked: _Asked) -> Attacker:
    from pyspark.sql import functions as f

    known = KNOWLEDGE[model.name]
    columns = known.columns(tables.friendships)
    members = known.members(tables)
    several = model.groups is None
    counted = members.groupBy("u", *columns).count() if several else members
    groups = counted.groupBy(*columns).agg(f.expr(known.size).alias("size")).persist()
    rows = members.join(groups, list(columns))
    if several:
        figures = _of_people(rows, groups, asked)
    else:
        figures = _of_groups(groups, rows if model.target == "edge" else None, asked)
    number, number_of_groups, smallest, mean, exposed, people = figures
    attacker = Attacker(
        name=model.name,
        knows=model.knows.format(several=SEVERAL.get(tables.friendships, tables.friendships)),
        target=model.target,
        guarantee=against.name if (against := goal_against(model.name)) else None,
        targets=number,
        groups=number_of_groups,
        smallest_group=smallest,
        highest_probability=1 / smallest if smallest else 0.0,
        mean_probability=mean,
        exposures=tuple(
            Exposure(k, few, _ratio(few, number), who, _ratio(who, asked.vertices))
            for k, few, who in zip(asked.ks, exposed, people, strict=True)
        ),
        naming=_naming(rows, columns) if model.target == "edge" else None,
        most_exposed=_most_exposed(graph, rows, groups, known, columns, several, asked),
        roughly=None,
    )
    groups.unpersist()
    return attacker


_Figures = tuple[int, int, int | None, float, list[int], list[int]]


def _of_groups(groups: DataFrame, edges: DataFrame | None, asked: _Asked) -> _Figures:
    """Targets, groups, smallest group, mean probability, exposed targets and people; each target is in one group."""
    below = [f"coalesce(sum(if(size < {limit}, size, 0)), 0)" for limit in asked.limits]
    row = groups.selectExpr("count(*)", "min(size)", "coalesce(sum(size), 0)", *below).collect()[0]
    number_of_groups, smallest, number, *exposed = row
    people = exposed if edges is None else _people(edges, asked.limits)
    return number, number_of_groups, smallest, _ratio(number_of_groups, number), exposed, people


def _people(edges: DataFrame, limits: Sequence[int]) -> list[int]:
    """How many vertices are ends of edges in groups below each limit."""
    exposed = edges.where(f"size < {limits[-1]}")
    ends = exposed.selectExpr("inline(array(struct(u u, size), struct(v u, size)))")
    smallest = ends.groupBy("u").agg({"size": "min"}).toDF("u", "size")
    return list(smallest.selectExpr(*(f"count_if(size < {limit})" for limit in limits)).collect()[0])


def _of_people(rows: DataFrame, groups: DataFrame, asked: _Asked) -> _Figures:
    """The same where a person is in several groups."""
    smallest = rows.groupBy("u").agg({"size": "min"}).toDF("u", "size")
    sizes = dict(smallest.groupBy("size").count().collect())
    number = sum(sizes.values())
    mean = _ratio(math.fsum(people / size for size, people in sizes.items()), number)
    exposed = [sum(people for size, people in sizes.items() if size < limit) for limit in asked.limits]
    return number, groups.count(), min(sizes, default=None), mean, exposed, exposed


def _naming(edges: DataFrame, columns: Sequence[str]) -> Naming:
    """Whom groups of edges name."""
    from pyspark.sql import functions as f

    ends = edges.select(*columns, "size", f.explode(f.array("u", "v")).alias("person"))
    times = ends.groupBy(*columns, "size", "person").agg(f.count("*").alias("times"))
    by_group = times.groupBy(*columns, "size").agg(
        f.max(f.col("times") / f.col("size")).alias("share"), f.count("*").alias("people")
    )
    share, fewest = by_group.selectExpr("max(share)", "min(struct(size, people)).people").collect()[0]
    named = times.where("2 * times > size").select("person").distinct().count()
    return Naming(share or 0.0, named, fewest)


def _most_exposed(
    graph: Counted,
    rows: DataFrame,
    groups: DataFrame,
    known: Knowledge,
    columns: tuple[str, ...],
    several: bool,
    asked: _Asked,
) -> tuple[Finding, ...]:
    """The first targets by the size of their group, then the larger numbers, then the order of the ids."""
    from pyspark.sql import functions as f

    if not asked.top:
        return ()
    few = rows.where(f"size < {asked.limits[-1]}")
    ends = [column for column in ("u", "v") if column in rows.columns]
    if several:
        best = f.min_by(f.struct(*rows.columns), f.struct("size", *known.first)).alias("row")
        ordered = few.groupBy("u").agg(best).select("row.*").orderBy("size", "u")
    else:
        order = [f.col("size"), *(f.col(column).desc() for column in columns)]
        largest = f.broadcast(groups.orderBy(*order).limit(asked.top).select(*columns))
        ordered = few.join(largest, list(columns), "left_semi").orderBy(*order, *ends)
    chosen = ordered.limit(asked.top).collect()
    labels = graph.pairs.labels([row[end] for row in chosen for end in ends])
    return tuple(
        Finding(tuple(labels[row[end]] for end in ends), known.words(row, columns), row["size"])
        for row in chosen
    )


def _ratio(part: float, whole: int) -> float:
    return part / whole if whole else 0.0
