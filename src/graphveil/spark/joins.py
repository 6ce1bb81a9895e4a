"""Verification on Spark: mutual friends counted by joins of tables, which share nothing with the colour blocks.

Ids are compared as they are, without numbers. Every edge is pointed from its end with fewer edges to the one with more
(equal ones by id), so that few leave any vertex. Two edges that leave the same vertex and a third one between their
heads are a triangle, and every triangle is found so once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphveil.errors import ParameterError
from graphveil.goals import NMF, Degree, Goal, Spread, goals_of
from graphveil.origin import Cleaning
from graphveil.recounting import Check, FailingGroup
from graphveil.spark.frames import two_columns
from graphveil.spark.session import shuffle_partitions
from graphveil.verification.graphs import Verification

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def verify(
    edges: DataFrame,
    k: int = 25,
    degree_k: int | None = None,
    *,
    spread: float | None = None,
    goals: Iterable[Goal] = (),
) -> Verification:
    """Whether a graph on Spark is k-NMF anonymous, by an independent recount.

    Parameters
    ----------
    edges
        A frame whose first two columns, or those named source and target, are the ends of each edge: integers or
        text. A row without a second end is a vertex without edges
    k
        At least 1, which holds for every graph
    degree_k
        Verify too that every degree that occurs, occurs on so many vertices
    spread
        Verify too that no vertex lies on more than this share of the edges with one mutual-friend count
    goals
        Further guarantees as values

    Returns
    -------
    The same figures as `graphveil.verify` gives on one machine.
    """
    return recheck(edges, (*goals_of({"k": k, "degree_k": degree_k, "spread": spread}), *goals))


def recheck(edges: DataFrame, goals: Iterable[Goal]) -> Verification:
    """Verify some guarantees of a graph on Spark; one without a recount here is refused by its name."""
    wanted = tuple(goals)
    if unknown := [goal.name for goal in wanted if goal.name not in RECOUNTS]:
        raise ParameterError(
            f"Spark cannot recount the guarantee {unknown[0]}. Leave it out, or verify without Spark."
        )
    with recounted(edges) as tables:
        checks = tuple(RECOUNTS[goal.name](tables, goal) for goal in wanted)
        return Verification(tables.degrees.count(), tables.edges, checks, tables.cleaning)


@dataclass(frozen=True)
class Tables:
    """A graph as tables: the degrees of its vertices, and the mutual friends of the edges a < b that have any."""

    degrees: DataFrame
    counted: DataFrame
    edges: int
    cleaning: Cleaning


@contextmanager
def recounted(edges: DataFrame) -> Iterator[Tables]:
    """Count the mutual friends of a graph by joins; its tables are kept on the cluster until the block ends."""
    pairs = two_columns(edges).persist()
    rows, loops = pairs.selectExpr("count(*)", "count_if(source = target)").collect()[0]
    with shuffle_partitions(pairs.sparkSession, rows):
        simple = _simple(pairs).persist()
        degrees = _degrees(pairs, simple).persist()
        pointed = _pointed(simple, degrees).persist()  # both sides of a join
        counted = _counted(simple, pointed).persist()
        number, repeated, reciprocal = simple.selectExpr(
            "count(*)",
            "coalesce(sum(greatest(up - 1, 0) + greatest(rows - up - 1, 0)), 0)",
            "count_if(up > 0 and up < rows)",
        ).collect()[0]
        cleaning = Cleaning(self_loops=loops, duplicates=repeated, reciprocal=reciprocal)
        try:
            yield Tables(degrees, counted, number, cleaning)
        finally:
            for frame in (pairs, simple, degrees, pointed, counted):
                frame.unpersist()


def _simple(pairs: DataFrame) -> DataFrame:
    """Every edge once as a < b, with how many rows gave it, and how many of them in this direction."""
    from pyspark.sql import functions as f

    given = pairs.where("source != target").selectExpr(
        "least(source, target) a", "greatest(source, target) b", "int(source < target) up"
    )
    return given.groupBy("a", "b").agg(f.sum("up").alias("up"), f.count("*").alias("rows"))


def _degrees(pairs: DataFrame, simple: DataFrame) -> DataFrame:
    """Every vertex that is named anywhere, and on how many edges it is."""
    alone = pairs.where("target is null or source = target").selectExpr("source vertex", "0L one")
    ends = simple.selectExpr("inline(array(struct(a vertex, 1L one), struct(b vertex, 1L one)))")
    return alone.union(ends).groupBy("vertex").agg({"one": "sum"}).toDF("vertex", "degree")


def _pointed(simple: DataFrame, degrees: DataFrame) -> DataFrame:
    """Every edge from its end x with fewer edges to its end y."""
    of_a, of_b = degrees.toDF("a", "of_a"), degrees.toDF("b", "of_b")
    up = "of_a < of_b or (of_a = of_b and a < b)"
    joined = simple.select("a", "b").join(of_a, "a").join(of_b, "b")
    return joined.selectExpr(f"if({up}, a, b) x", f"if({up}, b, a) y")


def _counted(simple: DataFrame, pointed: DataFrame) -> DataFrame:
    """The mutual friends of every edge a < b that has any."""
    forks = pointed.join(pointed.toDF("x", "z"), "x").where("y < z")
    closed = forks.join(simple.selectExpr("a y", "b z"), ["y", "z"])
    pairs = [
        f"struct(least({one}, {other}) a, greatest({one}, {other}) b)" for one, other in ("xy", "xz", "yz")
    ]
    sides = closed.selectExpr(f"inline(array({', '.join(pairs)}))")
    return sides.groupBy("a", "b").count().withColumnRenamed("count", "mutual_friends")


def _sizes(frame: DataFrame, column: str) -> dict[int, int]:
    """Every value of a column and how often it occurs."""
    return {int(value): int(size) for value, size in frame.groupBy(column).count().collect()}


def _sizes_by_count(tables: Tables) -> dict[int, int]:
    """How many edges have each number of mutual friends."""
    sizes = _sizes(tables.counted, "mutual_friends")
    none = tables.edges - sum(sizes.values())
    return {**sizes, 0: none} if none else sizes


def _at_least(goal: Goal, sizes: Mapping[int, int]) -> Check:
    failing = tuple(FailingGroup(value, size) for value, size in sorted(sizes.items()) if size < goal.level)
    return Check(goal.name, goal.level, not failing, min(sizes.values(), default=None), failing)


def _spread(tables: Tables, goal: Goal) -> Check:
    """Of each group of edges with the same count, the largest share that touches one vertex."""
    ends = "inline(array(struct(a vertex, mutual_friends), struct(b vertex, mutual_friends)))"
    times = tables.counted.selectExpr(ends).groupBy("vertex", "mutual_friends").count()
    on_counted = times.groupBy("vertex").agg({"count": "sum"}).toDF("vertex", "counted")
    others = tables.degrees.join(on_counted, "vertex", "left").selectExpr(
        "degree - coalesce(counted, 0) times"
    )
    most = {row[0]: row[1] for row in times.groupBy("mutual_friends").agg({"count": "max"}).collect()}
    most[0] = others.agg({"times": "max"}).collect()[0][0]
    groups = sorted(_sizes_by_count(tables).items())
    shares = [FailingGroup(value, size, most[value] / size) for value, size in groups]
    failing = tuple(group for group in shares if group.share is not None and group.share > goal.level)
    achieved = max((group.share for group in shares if group.share is not None), default=None)
    return Check(goal.name, goal.level, not failing, achieved, failing)


RECOUNTS: dict[str, Callable[[Tables, Goal], Check]] = {
    NMF.name: lambda tables, goal: _at_least(goal, _sizes_by_count(tables)),
    Degree.name: lambda tables, goal: _at_least(goal, _sizes(tables.degrees, "degree")),
    Spread.name: _spread,
}
