"""The colour blocks without a cluster: what the workers do, against the definition."""

from __future__ import annotations

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil import Graph, mutual_friends
from graphveil.errors import EngineError
from graphveil.sorting import simplify
from graphveil.spark import workers
from graphveil.spark.blocks import colours_for
from graphveil.spark.session import shuffle_partitions, size_in_bytes

PARTS = (1, 2, 3, 4, 8)


def as_batches(pairs, size):
    table = pyarrow.table({"source": pairs[:, 0], "target": pairs[:, 1]})
    return table.to_batches(max_chunksize=size)


def gathered(pairs, p, size=7):
    """The blocks of some pairs, given in batches that two workers read."""
    batches = as_batches(np.asarray(pairs, np.int32).reshape(-1, 2), size)
    scattered = [*workers.blocks_of(iter(batches[::2]), p), *workers.blocks_of(iter(batches[1::2]), p)]
    return {
        block: workers.gather_block(rows)
        for block, rows in together(pyarrow.Table.from_batches(scattered), "block")
    }


def together(table, column):
    for value in sorted(set(table.column(column).to_pylist())):
        yield value, table.filter(pyarrow.compute.equal(table.column(column), value))


def counts(pairs, p):
    """Every edge and its mutual friends, by the colour blocks."""
    blocks = {block: rows for block, rows in gathered(pairs, p).items() if block >= 0}
    rows = [
        blocks[block].append_column("task", pyarrow.array([task]))
        for task, block in workers.tasks(p)
        if block in blocks
    ]
    found = {}
    tables = [workers.count_task(of_task, p) for _, of_task in together(pyarrow.concat_tables(rows), "task")]
    for block, edges in blocks.items():
        own = edges.select(["block", "smaller", "larger"])
        partial = [table.filter(pyarrow.compute.equal(table.column("block"), block)) for table in tables]
        summed = workers.add_counts(pyarrow.concat_tables([own, *partial], promote_options="default"))
        for batch in workers.edges_of(iter(summed.to_batches())):
            u, v, number = (column.to_pylist() for column in batch.columns)
            assert not found.keys() & set(zip(u, v, strict=True))
            found |= dict(zip(zip(u, v, strict=True), number, strict=True))
    return found


def expected(graph):
    return dict(zip(map(tuple, graph.edges.tolist()), mutual_friends(graph).tolist(), strict=True))


pair_lists = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=1, max_size=60)


@given(pairs=pair_lists, p=st.sampled_from(PARTS))
def test_counts_are_those_of_one_machine(pairs, p):
    graph = Graph.from_arrays([u for u, _ in pairs], [v for _, v in pairs])
    if graph.m:
        assert counts(pairs, p) == expected(graph)


@pytest.mark.parametrize("p", PARTS)
def test_numbers_far_apart_and_a_clique(p):
    spread = np.random.default_rng(5).choice(2**31 - 1, 40, replace=False)
    pairs = [(a, b) for a in spread for b in spread if a != b]
    assert set(counts(pairs, p).values()) == {38}


@given(pairs=pair_lists, p=st.sampled_from(PARTS))
def test_what_was_dropped_is_what_one_machine_says(pairs, p):
    edges, cleaning = simplify(np.array(pairs, np.int32), n=13)
    blocks = gathered(pairs, p)
    total = {name: sum(rows.column(name)[0].as_py() for b, rows in blocks.items() if b >= 0)
             for name in ("edges", "repeated", "reciprocal")}  # fmt: skip
    loops = blocks[workers.LOOPS].column("repeated")[0].as_py() if workers.LOOPS in blocks else 0
    assert (total["edges"], loops, total["repeated"], total["reciprocal"]) == (
        len(edges),
        cleaning.self_loops,
        cleaning.duplicates,
        cleaning.reciprocal,
    )


@given(pairs=pair_lists, p=st.sampled_from(PARTS))
def test_degrees_include_people_without_edges(pairs, p):
    found = {}
    for rows in gathered(pairs, p).values():
        for batch in workers.degrees_of(iter(rows.to_batches())):
            for vertex, degree in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                found[vertex] = found.get(vertex, 0) + degree
    graph = Graph.from_edges(pairs)
    assert found == dict(zip(graph.labels.tolist(), graph.degrees.tolist(), strict=True))


def test_a_row_without_a_target_is_a_vertex_without_edges():
    batch = pyarrow.record_batch(
        {"source": pyarrow.array([3, 4], "int32"), "target": pyarrow.array([None, 3], "int32")}
    )
    blocks = pyarrow.Table.from_batches(workers.blocks_of(iter([batch]), 2)).column("block").to_pylist()
    assert workers.LONE in blocks
    assert sum(block >= 0 for block in blocks) == 1


@pytest.mark.parametrize("p", [*PARTS, 22])
def test_copies_and_tasks_are_as_many_as_the_formula_says(p):
    plan = workers.tasks(p)
    assert len({task for task, _ in plan}) == max(1, (p + 1) * p * (p - 1) // 6)
    copies = np.bincount([block for _, block in plan])
    assert set(copies[copies > 0]) == {max(1, p - 1)}


def test_colours_are_even_for_numbers_of_any_pattern():
    for step in (1, 2, 3, 8, 1000, 4096):
        share = np.bincount(workers.colour(np.arange(0, 100_000 * step, step) % 2**31, 8)) / 100_000
        assert abs(share - 1 / 8).max() < 0.01, step


def test_the_largest_task_fits_a_worker():
    for edges in (10**6, 10**8, 10**9, 10**10):
        for memory in (10**9, 2 * 10**9, 16 * 10**9):
            p = colours_for(edges, memory)
            assert 150 * 6 * edges / p**2 <= memory - 300_000_000 or memory < 10**9


def test_sizes_are_read_and_others_refused():
    assert size_in_bytes("2g") == 2 << 30
    with pytest.raises(EngineError, match="800m or 2g"):
        size_in_bytes("much")


class Settings:
    """The part of a session that holds its settings."""

    def __init__(self, partitions):
        self.value = partitions
        self.conf = self

    def get(self, _):
        return self.value

    def set(self, _, value):
        self.value = value


@pytest.mark.parametrize(
    ("rows", "partitions"), [(0, "4"), (4_000_000, "9"), (10**9, "2001"), (10**11, "10000")]
)
def test_shuffle_partitions_follow_the_edges_and_are_put_back(rows, partitions):
    session = Settings("200")
    with shuffle_partitions(session, rows):
        assert session.value == partitions
        with shuffle_partitions(session, 10):  # a recount inside a count keeps its number
            assert session.value == partitions
        assert session.value == partitions
    assert session.value == "200"


def test_shuffle_partitions_that_somebody_set_are_kept():
    session = Settings("64")
    with shuffle_partitions(session, 10**9):
        assert session.value == "64"
