"""A graph on Spark with its mutual friends counted: what audit and anonymization begin with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphveil.origin import Cleaning
from graphveil.parameters import whole_number
from graphveil.spark import workers
from graphveil.spark.blocks import Blocks, colours_for, count_blocks, make_blocks
from graphveil.spark.frames import Pairs, number, two_columns
from graphveil.spark.session import shuffle_partitions
from graphveil.spark.tail import Edges

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

EDGES = "u int, v int, mutual_friends int"
WORKER_MEMORY = 2 * 10**9  # bytes
MOST_COLOURS = 200


@dataclass(frozen=True)
class Counted:
    """A graph whose mutual friends are counted; its frames are kept on the cluster until the block ends."""

    pairs: Pairs
    blocks: Blocks
    frame: DataFrame  # block, smaller, larger, width, counts: a row for each block

    @property
    def edges(self) -> DataFrame:
        """A row for each edge: the numbers of its ends, the smaller one first, and its mutual friends."""
        return self.frame.mapInArrow(lambda batches: workers.edges_of(batches), EDGES)

    @cached_property
    def degrees(self) -> DataFrame:
        """A row for each vertex: its number and its degree."""
        return self.blocks.degrees().persist()

    @cached_property
    def cleaning(self) -> Cleaning:
        """What was dropped and merged to make the graph simple."""
        return self.blocks.cleaning()

    @cached_property
    def histogram(self) -> NDArray[np.int64]:
        """How many edges have 0, 1, 2 … mutual friends."""
        by_block = self.frame.mapInArrow(
            lambda batches: workers.histogram_of(batches), "mutual_friends int, edges long"
        )
        return _histogram(by_block.groupBy("mutual_friends").agg({"edges": "sum"}).collect())

    @cached_property
    def degree_histogram(self) -> NDArray[np.int64]:
        """How many vertices have 0, 1, 2 … friends."""
        return _histogram(self.degrees.groupBy("degree").count().collect())

    # ------------------------------------------------------------------ parts of it, on the driver

    def exposed(self, values: NDArray[np.int64]) -> Edges:
        """The edges with these mutual-friend counts."""
        return _pulled(
            self.frame.mapInArrow(lambda batches: workers.exposed_edges_of(batches, values), EDGES)
        )

    def with_degrees(self, degrees: NDArray[np.int64]) -> NDArray[np.int64]:
        """The vertices with these degrees, in ascending order."""
        from pyspark.sql import functions as f

        return _numbers(self.degrees.where(f.col("degree").isin(degrees.tolist())))

    def with_few_friends(self, vertices: NDArray[np.int64], least: int, most: int) -> NDArray[np.int64]:
        """Those of the vertices whose degree lies between two bounds, in ascending order."""
        few = vertices.astype(np.int32)
        fitting = self.degrees.where(f"degree between {least} and {most}")
        return _numbers(
            fitting.mapInArrow(lambda batches: workers.among(batches, few), "vertex int, degree long")
        )

    def number_touching(self, vertices: NDArray[np.int64]) -> int:
        """How many edges have an end among the vertices."""
        return int(self._touching(vertices).count())

    def touching(self, vertices: NDArray[np.int64]) -> Edges:
        """The edges with an end among the vertices."""
        return _pulled(self._touching(vertices))

    def _touching(self, vertices: NDArray[np.int64]) -> DataFrame:
        few = vertices.astype(np.int32)
        return self.frame.mapInArrow(lambda batches: workers.touching(batches, few), EDGES)

    def between(self, some: NDArray[np.int64], others: NDArray[np.int64]) -> Edges:
        """The edges from some vertices to others."""
        ends = some.astype(np.int32), others.astype(np.int32)
        return _pulled(self.frame.mapInArrow(lambda batches: workers.between(batches, *ends), EDGES))

    def number_between(self, some: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many edges lead from each of some vertices, in ascending order, to others."""
        ends = some.astype(np.int32), others.astype(np.int32)
        by_block = self.frame.mapInArrow(
            lambda batches: workers.numbers_between(batches, *ends), "vertex int, number long"
        )
        numbers = dict(by_block.groupBy("vertex").agg({"number": "sum"}).collect())
        return np.array([numbers.get(vertex, 0) for vertex in some.tolist()], np.int64)

    def helpers(self, vertices: NDArray[np.int64], room: int) -> NDArray[np.int64]:
        """Friends of the vertices with so many edges in all, first those who have few friends besides."""
        few = vertices.astype(np.int32)
        by_block = self.frame.mapInArrow(
            lambda batches: workers.friends_of(batches, few), "vertex int, number long"
        )
        friends = by_block.groupBy("vertex").agg({"number": "sum"}).toDF("vertex", "known")
        fitting = self.degrees.where(f"degree <= {room // workers.HELPERS}").join(friends, "vertex")
        first = fitting.selectExpr("vertex", "degree", "-known / degree share", "-known number")
        rows = first.orderBy("share", "number", "vertex").limit(room).toArrow()
        chosen, degrees = (rows.column(name).to_numpy() for name in ("vertex", "degree"))
        return np.sort(chosen[np.cumsum(degrees) <= room].astype(np.int64))

    def strangers(self, number: int, least: int, most: int, seed: int) -> NDArray[np.int64]:
        """So many vertices with a degree between two bounds, by the seed and nothing else."""
        fitting = self.degrees.where(f"degree between {least} and {most}")
        by_chance = fitting.orderBy(keyed_hash(f"strangers {seed}", "vertex"), "vertex")
        return _numbers(by_chance.limit(number))


def _histogram(rows: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """How often 0, 1, 2 … occur, from rows of a value and its number."""
    sizes = np.zeros(max((row[0] for row in rows), default=-1) + 1, np.int64)
    for value, number_of_them in rows:
        sizes[value] = number_of_them
    return sizes


def _numbers(rows: DataFrame) -> NDArray[np.int64]:
    """The vertices of some rows, in ascending order."""
    return np.sort(rows.select("vertex").toArrow().column(0).to_numpy().astype(np.int64))


def _pulled(rows: DataFrame) -> Edges:
    """Rows of edges as arrays, in ascending order."""
    u, v, counts = (column.to_numpy().astype(np.int64) for column in rows.toArrow().columns)
    order = np.lexsort((v, u))
    return Edges(np.stack((u, v), axis=1)[order], counts[order])


def keyed_hash(key: str, column: str) -> Column:
    """16 bytes for each number in a column that nobody can tell without the key."""
    import hashlib

    from pyspark.sql import functions as f

    secret = hashlib.sha256(f"graphveil 1 {key}".encode()).hexdigest()
    whole = f.sha2(f.concat(f.lit(secret), f.col(column).cast("string")).cast("binary"), 256)
    return f.unhex(f.substring(whole, 1, 32))


@contextmanager
def counted(
    edges: DataFrame,
    *,
    parts: int | None = None,
    worker_memory: int = WORKER_MEMORY,
    columns: Sequence[str | int] | None = None,
) -> Iterator[Counted]:
    """Count the mutual friends of a graph; parameters as in `mutual_friends`."""
    pairs = number(two_columns(edges, columns))
    if parts is None:
        parts = min(MOST_COLOURS, colours_for(pairs.rows, worker_memory))
    parts = whole_number("parts", parts, least=1, most=MOST_COLOURS)
    with shuffle_partitions(edges.sparkSession, pairs.rows):
        blocks = make_blocks(pairs.frame, parts)
        found = Counted(pairs, blocks, count_blocks(blocks))
        try:
            yield found
        finally:
            for frame in (found.frame, blocks.frame, *([found.degrees] if "degrees" in vars(found) else [])):
                frame.unpersist()


def mutual_friends(
    edges: DataFrame, *, parts: int | None = None, worker_memory: int = WORKER_MEMORY
) -> DataFrame:
    """The number of mutual friends of every edge, counted exactly.

    Parameters
    ----------
    edges
        A frame whose first two columns, or those named source and target, are the ends of each edge: integers of 64
        bits or text. Loops are dropped; repeated edges and both directions become one edge
    parts
        Number of colours p; by default as many as the workers' memory asks for. Tasks grow with p³, copies of the
        graph with p, and the largest task has 6m/p² edges
    worker_memory
        Bytes that one Python worker may use

    Returns
    -------
    A frame with the columns source, target and mutual_friends, a row for each edge. It is computed when it is used.
    """
    pairs = number(two_columns(edges))
    p = parts or min(MOST_COLOURS, colours_for(pairs.rows, worker_memory))
    blocks = make_blocks(pairs.frame, whole_number("parts", p, least=1, most=MOST_COLOURS))
    rows = Counted(pairs, blocks, count_blocks(blocks)).edges
    return pairs.with_ids(rows, "u", "v").toDF("source", "target", "mutual_friends")
