"""Mutual friends of every edge on Spark, by colour blocks.

Every vertex gets one of p colours, every edge belongs to the block of its two colours, and every triangle has at most
three colours. So a worker that holds the blocks between three colours, or of two colours, finds all triangles of these
colours, with the kernel that counts on one machine. Blocks are copied to the workers that need them, p − 1 times
each, and what the workers found is added up.

S. Suri, S. Vassilvitskii: Counting triangles and the curse of the last reducer, WWW 2011, count triangles by such
partitions; here they are counted for every edge, and a triangle of one colour in one task only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphveil.origin import Cleaning
from graphveil.spark import workers

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BYTES_AN_EDGE = 150  # that a worker needs for each edge of its task
BYTES_AT_REST = 300_000_000  # that it needs besides: Python, NumPy, Numba, Arrow
WORTH_SHARING = 1_000_000  # edges; below, one worker is faster than several
FEWEST_SHARED = 4  # colours where it is worth sharing: ten tasks

BLOCKS = "block int, smaller binary, larger binary, edges long, repeated long, reciprocal long"
COUNTED = "block int, smaller binary, larger binary, width int, counts binary"


@dataclass(frozen=True)
class Blocks:
    """The edges of a graph in blocks, each edge once."""

    frame: DataFrame
    p: int

    @property
    def of_edges(self) -> DataFrame:
        """The blocks with edges in them."""
        return self.frame.where("block >= 0").select("block", "smaller", "larger")

    def cleaning(self) -> Cleaning:
        """What was dropped and merged to make the graph simple."""
        loops, repeated, reciprocal = self.frame.selectExpr(
            f"sum(if(block = {workers.LOOPS}, repeated, 0))",
            "sum(if(block >= 0, repeated, 0))",
            "sum(reciprocal)",
        ).collect()[0]
        return Cleaning(self_loops=loops or 0, duplicates=repeated or 0, reciprocal=reciprocal or 0)

    def degrees(self) -> DataFrame:
        """Every vertex and its degree, those without edges included."""
        by_block = self.frame.mapInArrow(workers.degrees_of, "vertex int, degree long")
        return by_block.groupBy("vertex").agg({"degree": "sum"}).toDF("vertex", "degree")


def colours_for(edges: int, worker_memory: int) -> int:
    """How many colours keep the largest task within the memory of a worker, in bytes.

    The largest task has 6m/p² edges.

    Examples
    --------
    >>> [colours_for(edges, 2 * 10**9) for edges in (1000, 4 * 10**6, 10**8, 10**9)]
    [1, 4, 8, 24]
    """
    room = max(worker_memory - BYTES_AT_REST, BYTES_AT_REST)
    enough = math.ceil(math.sqrt(6 * edges * BYTES_AN_EDGE / room))
    return max(1, enough, FEWEST_SHARED if edges >= WORTH_SHARING else 1)


def make_blocks(pairs: DataFrame, p: int) -> Blocks:
    """Blocks of the edges in a frame of two columns of vertex numbers; a row without a target is a lone vertex."""
    scattered = pairs.mapInArrow(
        lambda batches: workers.blocks_of(batches, p), "block int, smaller binary, larger binary"
    )
    gathered = _together(scattered, p * (p + 1) // 2, "block").applyInArrow(
        lambda rows: workers.gather_block(rows), BLOCKS
    )
    return Blocks(gathered.persist(), p)


def count_blocks(blocks: Blocks) -> DataFrame:
    """The blocks with edges, each with an array of the mutual friends of its edges."""
    from pyspark.sql import functions as f

    session, p = blocks.frame.sparkSession, blocks.p
    plan = workers.tasks(p)
    where = f.broadcast(session.createDataFrame(plan, "task int, block int"))
    copies = blocks.of_edges.join(where, "block")
    found = _together(copies, len({task for task, _ in plan}), "task").applyInArrow(
        lambda rows: workers.count_task(rows, p), "block int, width int, counts binary"
    )
    rows = blocks.of_edges.unionByName(found, allowMissingColumns=True)
    summed = _together(rows, p * (p + 1) // 2, "block").applyInArrow(
        lambda rows: workers.add_counts(rows), COUNTED
    )
    return summed.persist()


def _together(frame: DataFrame, number: int, column: str):  # type: ignore[no-untyped-def]
    """Rows with the same value in one place, spread over so many places."""
    return frame.repartition(number, column).groupBy(column)
