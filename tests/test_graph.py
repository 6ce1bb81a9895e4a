"""The graph itself, and its ways from and to other libraries."""

from __future__ import annotations

import numpy as np
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import odd_graphs
from graphveil import Cleaning, Graph, GraphError, numbering, sorting

pairs_of_numbers = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40)
ids = st.one_of(
    st.integers(-(2**70), 2**70), st.text(max_size=3), st.tuples(st.integers(0, 3)), st.floats(0, 1)
)


def simple(pairs) -> list[list[int]]:
    """By the definition: the distinct pairs of different ends, smaller end first, sorted."""
    return sorted(map(list, {(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]}))


def labelled(graph: Graph) -> tuple[list, set]:
    labels = graph.labels.tolist()
    return labels, {frozenset((labels[u], labels[v])) for u, v in graph.edges.tolist()}


# ---------------------------------------------------------------------- what it is


@given(pairs_of_numbers)
def test_it_is_simple_and_says_what_was_dropped(pairs):
    u, v = [a for a, _ in pairs], [b for _, b in pairs]
    graph = Graph.from_arrays(u, v, n=10)
    assert graph.edges.tolist() == simple(pairs)
    assert graph.edges.dtype == np.int32
    apart = [pair for pair in pairs if pair[0] != pair[1]]
    assert graph.cleaning == Cleaning(
        self_loops=len(pairs) - len(apart),
        duplicates=len(apart) - len(set(apart)),
        reciprocal=len(set(apart)) - graph.m,
    )
    assert graph.degrees.tolist() == [sum(v in edge for edge in graph.edges.tolist()) for v in range(10)]


@given(st.lists(st.tuples(ids, ids), max_size=20), st.lists(ids, max_size=4))
def test_ids_of_any_kind(pairs, vertices):
    graph = Graph.from_edges(pairs, vertices=vertices)
    order = list(dict.fromkeys([*(end for pair in pairs for end in pair), *vertices]))
    if all(type(label) is int and -(2**63) <= label < 2**63 for label in order):
        assert graph.labels.tolist() == sorted(order)
    else:
        assert graph.labels.tolist() == order
    assert labelled(graph)[1] == {frozenset(pair) for pair in pairs if pair[0] != pair[1]}


@given(st.lists(st.tuples(*[st.integers(-(2**63), 2**63 - 1)] * 2), max_size=40), st.integers(0, 62))
def test_integers_near_and_far(pairs, shift):
    """Ids that lie close together are numbered by a table, others by a hash table."""
    pairs = [(a >> shift, b >> shift) for a, b in pairs]
    graph = Graph.from_edges(np.array(pairs, np.int64).reshape(-1, 2))
    assert graph.labels.tolist() == sorted({end for pair in pairs for end in pair})
    assert labelled(graph)[1] == {frozenset(pair) for pair in pairs if pair[0] != pair[1]}


@pytest.mark.parametrize("bits", [1, 2, 11, 12, 23, 40, 63])
@pytest.mark.parametrize("threads", [1, 3])
def test_sorting_by_counting(monkeypatch, bits, threads):
    monkeypatch.setattr(sorting, "WORTH_COUNTING", 0)
    monkeypatch.setattr(sorting, "BUCKET", 16)
    monkeypatch.setattr("numba.get_num_threads", lambda: threads)
    random = np.random.default_rng(bits)
    for size in (1, 2, 100, 5_000):
        for highest in (0, 2**bits // 3, 2**bits - 1):  # all the same, in the lower buckets, in all
            keys = random.integers(0, highest, size, np.int64, endpoint=True)
            assert np.array_equal(sorting.sort_keys(keys.copy(), bits), np.sort(keys))


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12))), st.sampled_from([13, 1000, 2**31 - 1]))
def test_kernels_and_numpy_build_the_same(pairs, n):
    array = np.array(pairs, np.int32).reshape(-1, 2)
    few, why = sorting.simplify(array, n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorting, "WORTH_COUNTING", 1)
        many, reason = sorting.simplify(array, n)
    assert np.array_equal(few, many)
    assert why == reason
    assert few.dtype == many.dtype == np.int32


def test_a_large_graph_is_the_same_in_any_order():
    random = np.random.default_rng(4)
    pairs = random.integers(0, 30_000, (250_000, 2)).astype(np.int32)
    graph = Graph.from_arrays(pairs[:, 0], pairs[:, 1], n=30_000)
    distinct = np.unique(np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1), axis=0)
    assert np.array_equal(graph.edges, distinct)
    again = pairs[random.permutation(len(pairs))]
    assert Graph.from_arrays(again[:, 0], again[:, 1], n=30_000).cleaning == graph.cleaning


@given(st.lists(st.tuples(st.text(max_size=3), st.text(max_size=3)), min_size=1))
def test_names_are_numbered_alike_by_hash_and_by_arrow(pairs):
    columns = [pyarrow.array([pair[side] for pair in pairs], pyarrow.large_string()) for side in (0, 1)]
    labels, numbers = numbering.number_columns(*columns)
    by_hash = numbering._number_by_hash([column.slice(0) for column in columns])
    assert by_hash is not None
    assert by_hash[0].tolist() == labels.tolist()
    assert np.array_equal(by_hash[1], numbers)


def test_names_with_the_same_hash_are_told_apart(monkeypatch):
    monkeypatch.setattr("graphveil.kernels.names.hash_names", lambda data, offsets, codes: codes.fill(7))
    monkeypatch.setattr(numbering, "WORTH_HASHING", 1)
    columns = [pyarrow.array(names) for names in (["Ann", "Bob"], ["Bob", "Cy"])]
    labels, numbers = numbering.number_columns(*columns)
    assert labels.tolist() == ["Ann", "Bob", "Cy"]
    assert numbers.tolist() == [[0, 1], [1, 2]]


def test_many_far_integers():
    far = np.random.default_rng(3).integers(-(2**63), 2**63 - 1, 20_000)
    graph = Graph.from_edges(np.stack((far, np.roll(far, 1)), axis=1))
    assert np.array_equal(graph.labels, np.unique(far))
    assert graph.m == 20_000


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint32, np.int64, np.uint64])
def test_arrays_of_any_integer_type(kind):
    pairs = np.array([[5, 3], [3, 9]], kind)
    assert Graph.from_edges(pairs).labels.tolist() == [3, 5, 9]
    assert Graph.from_arrays(pairs[:, 0], pairs[:, 1]).n == 10
    assert Graph.from_edges(np.array([[2**63, 1]], np.uint64)).labels.tolist() == [2**63, 1]


def test_it_cannot_be_changed():
    graph = Graph.from_edges([(0, 1)])
    for array in (graph.edges, graph.labels, graph.degrees, *graph.adjacency):
        with pytest.raises(ValueError):
            array[0] = 0
    with pytest.raises(TypeError):
        graph.vertex_attributes["age"] = np.zeros(2)


@pytest.mark.parametrize("name", odd_graphs())
def test_adjacency(name):
    graph = odd_graphs()[name]
    start, neighbours, edge = graph.adjacency
    for vertex in range(graph.n):
        row = slice(start[vertex], start[vertex + 1])
        expected = [(u + v - vertex, e) for e, (u, v) in enumerate(graph.edges.tolist()) if vertex in (u, v)]
        assert list(zip(neighbours[row].tolist(), edge[row].tolist(), strict=True)) == sorted(expected)


def test_equality_and_other_labels():
    graph = Graph.from_edges([("a", "b"), ("b", "c")])
    assert graph == Graph.from_edges([("a", "b"), ("c", "b"), ("a", "b")])
    assert graph != Graph.from_edges([("a", "b"), ("a", "c")])
    assert graph != graph.with_labels()
    assert graph != "a graph"
    assert graph.with_labels(["x", "y", "z"]).labels.tolist() == ["x", "y", "z"]
    assert graph.with_labels([(1, 2), (3, 4), (5, 6)]).labels.tolist() == [(1, 2), (3, 4), (5, 6)]
    assert graph.with_labels().with_labels(graph.labels) == graph
    with pytest.raises(GraphError, match="same label"):
        graph.with_labels(["x", "x", "y"])
    with pytest.raises(GraphError, match="2 labels for 3 vertices"):
        graph.with_labels(["x", "y"])


def test_attributes_are_aligned():
    edges = np.array([[0, 1]], np.int32)
    graph = Graph(edges, 2, vertex_attributes={"age": np.array([3, 4])})
    assert graph.vertex_attributes["age"].tolist() == [3, 4]
    assert graph.with_labels(["a", "b"]).vertex_attributes["age"].tolist() == [3, 4]
    with pytest.raises(GraphError, match="3 values of 'age' for 2 vertices"):
        Graph(edges, 2, vertex_attributes={"age": np.array([3, 4, 5])})


@pytest.mark.parametrize(
    "build",
    [
        lambda: Graph.from_edges([(1, 2, 3)]),
        lambda: Graph.from_edges([()]),
        lambda: Graph.from_edges(np.zeros((3, 3), int)),
        lambda: Graph.from_arrays([0, 1], [1]),
        lambda: Graph.from_arrays([0], [5], n=3),
        lambda: Graph.from_arrays([-1], [0]),
        lambda: Graph.from_arrays([0.5], [1]),
        lambda: Graph.from_arrays([[0]], [[1]]),
        lambda: Graph(np.array([[0, 1]], np.int32), 2, np.array(["a"], object)),
    ],
)
def test_what_is_no_graph(build):
    with pytest.raises(GraphError):
        build()


def test_cleaning_in_words():
    assert not Cleaning()
    assert str(Cleaning()) == ""
    full = Cleaning(1, 2, 1, ("weight", "time"), ("age",))
    assert str(full) == (
        "merged 1 reciprocal pair, merged 2 repeated edges, dropped 1 self-loop, "
        "dropped the edge attributes weight, time, dropped the vertex attribute age"
    )
    assert Cleaning(vertex_attributes=("age",))


# ---------------------------------------------------------------------- other libraries


@pytest.mark.parametrize("name", odd_graphs())
def test_to_other_libraries_and_back(name):
    graph = odd_graphs()[name]
    named = graph.with_labels([f"v{number}" for number in range(graph.n)])
    for each in (graph, named):
        assert Graph.from_networkx(each.to_networkx()) == each
        assert Graph.from_igraph(each.to_igraph()) == each
    assert Graph.from_scipy(graph.to_scipy()) == graph


def test_from_networkx():
    import networkx

    other = networkx.MultiDiGraph([("a", (1, 2)), ((1, 2), "a"), ("a", (1, 2)), (3, 3)])
    with pytest.raises(GraphError, match="undirected=True"):
        Graph.from_networkx(other)
    graph = Graph.from_networkx(other, undirected=True)
    assert graph.labels.tolist() == ["a", (1, 2), 3]
    assert graph.edges.tolist() == [[0, 1]]
    assert graph.cleaning == Cleaning(self_loops=1, duplicates=1, reciprocal=1)


def test_from_igraph():
    import igraph

    directed = igraph.Graph([(2, 0), (0, 2)], directed=True)
    with pytest.raises(GraphError, match="undirected=True"):
        Graph.from_igraph(directed)
    assert Graph.from_igraph(directed, undirected=True).edges.tolist() == [[0, 2]]
    other = igraph.Graph(n=2, edges=[(0, 1)])
    other.vs["name"] = ["a", "a"]
    with pytest.raises(GraphError, match="same label"):
        Graph.from_igraph(other)


def test_from_scipy():
    import scipy.sparse

    matrix = scipy.sparse.csr_matrix(np.array([[1, 2, 0], [0, 0, 0], [0, 1, 0]]))
    with pytest.raises(GraphError, match="undirected=True"):
        Graph.from_scipy(matrix)
    graph = Graph.from_scipy(matrix, undirected=True)
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.cleaning == Cleaning(self_loops=1, edge_attributes=("weight",))
    for same in (scipy.sparse.triu(matrix), graph.to_scipy()):
        assert Graph.from_scipy(same).cleaning.reciprocal == 0
    with pytest.raises(GraphError, match="square"):
        Graph.from_scipy(scipy.sparse.coo_array((2, 3)))


cells = st.one_of(
    st.lists(st.tuples(*[st.integers(-(2**63), 2**63 - 1)] * 2), max_size=20),
    st.lists(st.tuples(*[st.text(max_size=3)] * 2), max_size=20),
)


@given(cells)
def test_from_frames(pairs):
    import pandas
    import polars

    expected = Graph.from_edges(pairs)
    columns = {"w": [0.5] * len(pairs), "a": [a for a, _ in pairs], "b": [b for _, b in pairs]}
    frames = [
        Graph.from_pandas(pandas.DataFrame(columns), "a", "b"),
        Graph.from_pandas(pandas.DataFrame(columns), 1, 2),
        Graph.from_polars(polars.DataFrame(columns), "a", "b"),
        Graph.from_polars(polars.DataFrame(columns), 1, 2),
    ]
    if pairs:
        frames.append(
            Graph.from_pandas(pandas.DataFrame(columns).astype({"a": "category", "b": "category"}), 1, 2)
        )
    if pairs and isinstance(pairs[0][0], str):
        frames.append(Graph.from_pandas(pandas.DataFrame(columns).astype({"a": object, "b": object}), 1, 2))
    for graph in frames:
        assert labelled(graph) == labelled(expected)
        assert graph.cleaning == expected.cleaning


def test_whole_numbers_in_floats_are_integers_and_others_are_not():
    """R has no integers in most data frames, and pandas makes floats of integers with a gap."""
    pandas = pytest.importorskip("pandas")
    graph = Graph.from_pandas(pandas.DataFrame({"a": [3.0, 1.0], "b": [1.0, 2.0**40]}), "a", "b")
    assert graph.labels.tolist() == [1, 3, 2**40]
    assert all(type(label) is int for label in graph.labels.tolist())
    for other in (0.5, 2.0**53):
        graph = Graph.from_pandas(pandas.DataFrame({"a": [3.0, 1.0], "b": [1.0, other]}), "a", "b")
        assert graph.labels.tolist() == [3.0, 1.0, other]


def test_from_frames_of_mixed_types():
    import pandas
    import polars

    frame = pandas.DataFrame({"a": [1, "x", (1, 2)], "b": ["x", 2.5, 1]}, dtype=object)
    assert Graph.from_pandas(frame).labels.tolist() == [1, "x", 2.5, (1, 2)]
    unsigned = polars.DataFrame({"a": [1], "b": [2**63]}, schema={"a": polars.Int8, "b": polars.UInt64})
    assert Graph.from_polars(unsigned).labels.tolist() == [1, 2**63]
    assert Graph.from_pandas(pandas.DataFrame({"a": [1, 2], "b": ["x", "y"]})).labels.tolist() == [
        1,
        "x",
        2,
        "y",
    ]


def test_frames_with_holes():
    import pandas
    import polars

    with pytest.raises(GraphError, match="dropna"):
        Graph.from_pandas(pandas.DataFrame({"a": [1, None], "b": [2, 3]}))
    with pytest.raises(GraphError, match="drop_nulls"):
        Graph.from_polars(polars.DataFrame({"a": ["x", None], "b": ["y", "z"]}))
