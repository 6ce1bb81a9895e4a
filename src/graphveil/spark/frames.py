"""From a frame of ids of any kind to a frame of vertex numbers below 2^31, without a list of them in one place.

Integers from 0 to 2^31 − 1 are their own numbers. Other ids are numbered in their order: integers ascending, as on one
machine, and text by its characters (on one machine text is numbered as it first appears, which has no meaning where
parts are read at the same time). The number of an id is its rank, so it does not depend on how many parts there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphveil.errors import GraphError

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

LARGEST = 2**31 - 1
ROWS_A_PART = 1_000_000
INTEGERS = {"tinyint", "smallint", "int", "bigint"}


@dataclass(frozen=True)
class Pairs:
    """Edges as pairs of vertex numbers."""

    frame: DataFrame  # source int, target int; without a target it is a vertex without edges
    rows: int
    ids: DataFrame | None  # id, vertex; None where ids are their own numbers

    def labels(self, vertices: Sequence[int]) -> dict[int, Any]:
        """The ids of a few vertices."""
        if self.ids is None:
            return {vertex: vertex for vertex in vertices}
        wanted = self.ids.sparkSession.createDataFrame([(vertex,) for vertex in set(vertices)], "vertex int")
        return {row.vertex: row.id for row in self.ids.join(wanted, "vertex").collect()}

    def with_ids(self, frame: DataFrame, *columns: str) -> DataFrame:
        """The frame with ids in place of the vertex numbers in some columns."""
        if self.ids is None:
            return frame.withColumns({column: frame[column].cast("long") for column in columns})
        for column in columns:
            named = self.ids.toDF("_id", column)
            others = [name for name in frame.columns if name != column]
            kept = frame.join(named, column).select(*others, "_id").withColumnRenamed("_id", column)
            frame = kept.select(*frame.columns)
        return frame


def two_columns(frame: DataFrame, columns: Sequence[str | int] | None = None) -> DataFrame:
    """The columns with the two ends of an edge, as source and target: both integers or both text."""
    from graphveil.formats.advice.column_names import choose_columns

    if len(frame.columns) < 2:
        raise GraphError("the table has one column. Two are needed, one for each end of an edge.")
    chosen, _ = choose_columns("the table", frame.columns, columns, header=True, line=None)
    names = [frame.columns[place] for place in chosen]
    kinds = {frame.schema[name].dataType.simpleString() for name in names}
    if kinds <= INTEGERS:
        kind = "bigint"
    elif kinds <= INTEGERS | {"string"}:
        kind = "string"
    else:
        raise GraphError(
            f"the columns {names[0]} and {names[1]} are {' and '.join(sorted(kinds))}: ids are integers of at most 64 "
            "bits or text. Choose others (columns=), or convert them."
        )
    columns_ = [_quoted(frame, name).cast(kind) for name in names]
    return frame.select(columns_[0].alias("source"), columns_[1].alias("target"))


def _quoted(frame: DataFrame, name: str) -> Column:
    escaped = name.replace("`", "``")
    return frame[f"`{escaped}`"]


def number(frame: DataFrame) -> Pairs:
    """Number the ids in a frame of source and target."""
    integers = frame.schema["source"].dataType.simpleString() == "bigint"
    lowest, highest = ("least(min(source), min(target))", "greatest(max(source), max(target))")
    extent = (lowest, highest) if integers else ("null", "null")
    rows, empty, low, high = frame.selectExpr("count(*)", "count_if(source is null)", *extent).collect()[0]
    if empty:
        raise GraphError(f"{empty:,} rows have no source. Fill it in, or drop these rows.")
    if rows == 0 or (integers and low >= 0 and high <= LARGEST):
        return Pairs(frame.selectExpr("int(source) source", "int(target) target"), rows, None)
    ids = frame.select("source").union(frame.where("target is not null").select("target"))
    numbered = ranked(ids.toDF("id").distinct(), "id", rows).persist()
    highest_number = numbered.agg({"vertex": "max"}).collect()[0][0]
    if highest_number > LARGEST:
        raise GraphError(
            f"{highest_number + 1:,} people are more than the {LARGEST + 1:,} that can be numbered."
        )
    numbered = numbered.selectExpr("id", "int(vertex) vertex")
    sources = frame.join(numbered.toDF("source", "s"), "source").select("s", "target")
    both = sources.join(numbered.toDF("target", "t"), "target", "left").select("s", "t")
    return Pairs(both.toDF("source", "target"), rows, numbered)


def ranked(distinct: DataFrame, column: str, rows: int, name: str = "vertex") -> DataFrame:
    """A frame with one more column: the rank of each row by a column, from 0, no value of which occurs twice.

    Rows are put in order over many places; a row's rank is its place in its part and all rows in the parts before.
    """
    from pyspark.sql import functions as f

    parts = max(1, min(2000, rows // ROWS_A_PART + 1))
    ordered = distinct.repartitionByRange(parts, column).sortWithinPartitions(column)
    placed = ordered.withColumn("_place", f.monotonically_increasing_id()).persist()
    part = f.shiftright("_place", 33)
    sizes = sorted(tuple(row) for row in placed.groupBy(part.alias("part")).count().collect())
    before, offsets = 0, []
    for each, size in sizes:
        offsets.append((each, before))
        before += size
    table = f.broadcast(
        distinct.sparkSession.createDataFrame(offsets or [(0, 0)], "_part long, _before long")
    )
    inside = f.col("_place").bitwiseAND(2**33 - 1)
    with_part = placed.withColumn("_part", part).join(table, "_part")
    return with_part.withColumn(name, f.col("_before") + inside).drop("_part", "_before", "_place")
