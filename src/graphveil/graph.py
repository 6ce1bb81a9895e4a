"""The graph that is read, measured and published: simple, undirected, immutable, in flat arrays.

Vertices are the numbers 0…n−1; what the outside world calls them is kept aside in `Graph.labels`. Whatever
comes in is made simple on the way: self-loops are dropped, repeated edges and both directions of a pair become
one edge, and `Graph.cleaning` says how many of each there were.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphveil.errors import GraphError

if TYPE_CHECKING:
    import igraph
    import networkx
    import pandas
    import polars
    from scipy.sparse import csr_array

__all__ = ["Cleaning", "Graph"]

MAX_VERTICES = 2**31 - 1


@dataclass(frozen=True)
class Cleaning:
    """What was dropped or merged to make a graph simple."""

    self_loops: int = 0
    duplicates: int = 0  # the same pair again, in the same direction
    reciprocal: int = 0  # pairs given in both directions

    def __bool__(self) -> bool:
        return bool(self.self_loops or self.duplicates or self.reciprocal)


class Graph:
    """An immutable simple undirected graph.

    Build one with `graphveil.read`, `Graph.from_edges`, `Graph.from_arrays` or a ``from_…`` of another library.

    Examples
    --------
    >>> from graphveil import Graph
    >>> graph = Graph.from_edges([("Alice", "Bob"), ("Bob", "Carl"), ("Carl", "Bob"), ("Ed", "Ed")])
    >>> graph
    Graph(n=4, m=2)
    >>> graph.edges.tolist(), list(graph.labels)
    ([[0, 1], [1, 2]], ['Alice', 'Bob', 'Carl', 'Ed'])
    >>> graph.cleaning
    Cleaning(self_loops=1, duplicates=0, reciprocal=1)
    """

    def __init__(
        self,
        edges: NDArray[np.int32],
        n: int,
        labels: NDArray[Any] | None = None,
        cleaning: Cleaning | None = None,
    ) -> None:
        """From an m×2 array that is known to be simple: u < v in each row, rows sorted, none twice."""
        self._edges = _read_only(np.ascontiguousarray(edges, np.int32).reshape(-1, 2))
        self._n = int(n)
        self._labels = _read_only(np.arange(n, dtype=np.int64) if labels is None else labels)
        self.cleaning = cleaning or Cleaning()
        if len(self._labels) != self._n:
            raise GraphError(f"{len(self._labels)} labels for {self._n} vertices")

    # ------------------------------------------------------------------ what it is

    @property
    def n(self) -> int:
        """Number of vertices."""
        return self._n

    @property
    def m(self) -> int:
        """Number of edges."""
        return len(self._edges)

    @property
    def edges(self) -> NDArray[np.int32]:
        """m×2 array of vertex numbers, u < v in each row, rows sorted; read-only."""
        return self._edges

    @property
    def labels(self) -> NDArray[Any]:
        """What the outside calls each vertex: an array of int64, or of Python objects; read-only."""
        return self._labels

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """Number of neighbours of each vertex."""
        return _read_only(np.bincount(self._edges.ravel(), minlength=self._n))

    @cached_property
    def adjacency(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
        """Compressed rows ``(start, neighbours, edge)``.

        The neighbours of v, ascending, are ``neighbours[start[v]:start[v+1]]``; ``edge`` holds the row of
        `edges` behind each of them.
        """
        from graphveil.kernels.adjacency import compressed_rows

        start, neighbours, edge = compressed_rows(self._edges, self._n)
        return _read_only(start), _read_only(neighbours), _read_only(edge)

    def __repr__(self) -> str:
        return f"Graph(n={self.n}, m={self.m})"

    def __eq__(self, other: object) -> bool:
        """The same vertices under the same labels in the same order, with the same edges."""
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            self.n == other.n
            and np.array_equal(self._edges, other._edges)
            and np.array_equal(self._labels, other._labels)
        )

    __hash__ = None  # type: ignore[assignment]

    # ------------------------------------------------------------------ from arrays and pairs

    @classmethod
    def from_arrays(
        cls,
        sources: ArrayLike,
        targets: ArrayLike,
        *,
        n: int | None = None,
        labels: NDArray[Any] | None = None,
    ) -> Graph:
        """From two arrays of vertex numbers 0…n−1.

        Parameters
        ----------
        sources, targets : the two ends of each edge, in any order and direction
        n : number of vertices; by default the largest number + 1
        labels : what to call the vertices; by default their numbers

        Examples
        --------
        >>> Graph.from_arrays([0, 2, 1], [1, 1, 0], n=5)
        Graph(n=5, m=2)
        """
        u, v = _vertex_numbers(sources), _vertex_numbers(targets)
        if len(u) != len(v):
            raise GraphError(f"{len(u)} sources but {len(v)} targets")
        highest = int(max(u.max(), v.max())) if len(u) else -1
        lowest = int(min(u.min(), v.min())) if len(u) else 0
        if n is None:
            n = highest + 1
        if lowest < 0 or highest >= n or n > MAX_VERTICES:
            raise GraphError(
                f"vertex numbers must lie in 0…{n - 1}, and go from {lowest} to {highest}. "
                "Use Graph.from_edges for ids of any kind."
            )
        pairs = np.empty((len(u), 2), np.int32)
        pairs[:, 0], pairs[:, 1] = u, v
        return cls._from_pairs(pairs, n, labels)

    @classmethod
    def _from_pairs(cls, pairs: NDArray[np.int32], n: int, labels: NDArray[Any] | None) -> Graph:
        """From vertex numbers that are known to be below n."""
        edges, cleaning = simplify(pairs)
        return cls(edges, n, labels, cleaning)

    @classmethod
    def from_edges(
        cls, pairs: ArrayLike | Iterable[tuple[Hashable, Hashable]], *, vertices: Iterable[Hashable] = ()
    ) -> Graph:
        """From pairs of ids of any kind.

        Integer ids are put in ascending order; any others keep the order in which they appear.

        Parameters
        ----------
        pairs : an m×2 integer array, or any iterable of pairs of hashable ids
        vertices : further vertices, for those without an edge

        Examples
        --------
        >>> Graph.from_edges([(10, 20), (20, 30)], vertices=[5]).labels.tolist()
        [5, 10, 20, 30]
        """
        ids: NDArray[Any] | list[Hashable]
        if not isinstance(pairs, np.ndarray):
            tuples = [tuple(pair) for pair in cast(Iterable[Any], pairs)]
            if any(len(bad := pair) != 2 for pair in tuples):
                raise GraphError(f"an edge is a pair of ids, and this is not one: {bad!r}")
            ids = [end for pair in tuples for end in pair]
        else:
            if pairs.ndim != 2 or pairs.shape[1] != 2:
                raise GraphError(f"an array of edges has the shape (m, 2), not {pairs.shape}")
            ids = pairs.ravel()
        labels, numbers = number_ids(ids, vertices)
        return cls._from_pairs(numbers.reshape(-1, 2), len(labels), labels)

    # ------------------------------------------------------------------ from and to other libraries

    @classmethod
    def from_networkx(cls, graph: networkx.Graph) -> Graph:
        """From a networkx graph; its nodes, in their order, become the labels. Directions are dropped."""
        nodes = list(graph.nodes)
        number = {node: i for i, node in enumerate(nodes)}
        ends = np.fromiter(
            (number[end] for edge in graph.edges() for end in edge[:2]),
            np.int64,
            2 * graph.number_of_edges(),
        )
        return cls.from_arrays(ends[0::2], ends[1::2], n=len(nodes), labels=as_labels(nodes))

    def to_networkx(self) -> networkx.Graph:
        """A `networkx.Graph` whose nodes are the labels."""
        import networkx

        graph = networkx.Graph()
        names = self._labels.tolist()
        graph.add_nodes_from(names)
        graph.add_edges_from((names[u], names[v]) for u, v in self._edges.tolist())
        return graph

    @classmethod
    def from_igraph(cls, graph: igraph.Graph) -> Graph:
        """From an igraph graph; the vertex attribute ``name``, if there is one, gives the labels."""
        n = graph.vcount()
        ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
        labels = as_labels(graph.vs["name"]) if "name" in graph.vs.attributes() else None
        return cls.from_arrays(ends[:, 0], ends[:, 1], n=n, labels=labels)

    def to_igraph(self) -> igraph.Graph:
        """An `igraph.Graph` with the labels as vertex attribute ``name``."""
        import igraph

        graph = igraph.Graph(n=self.n, edges=self._edges)
        graph.vs["name"] = self._labels.tolist()
        return graph

    @classmethod
    def from_scipy(cls, matrix: Any) -> Graph:
        """From a square SciPy sparse matrix or array: an edge wherever an entry is not zero."""
        rows, columns = matrix.shape
        if rows != columns:
            raise GraphError(f"an adjacency matrix is square, and this one is {rows}×{columns}")
        entries = matrix.tocoo()
        present = entries.data != 0
        return cls.from_arrays(entries.row[present], entries.col[present], n=rows)

    def to_scipy(self) -> csr_array:
        """The symmetric adjacency matrix, with ones of type int8, as a SciPy CSR array."""
        from scipy.sparse import csr_array

        start, neighbours, _ = self.adjacency
        ones = np.ones(len(neighbours), np.int8)
        return csr_array((ones, neighbours.copy(), start.copy()), shape=(self.n, self.n))

    @classmethod
    def from_pandas(cls, frame: pandas.DataFrame, source: str | int = 0, target: str | int = 1) -> Graph:
        """From two columns, by name or position, of a pandas frame."""
        columns = [frame[c] if isinstance(c, str) else frame.iloc[:, c] for c in (source, target)]
        if any(column.isna().any() for column in columns):
            raise GraphError("an edge has an empty end. Drop such rows first, with frame.dropna().")
        return cls._from_columns(columns[0].to_numpy(), columns[1].to_numpy())

    @classmethod
    def from_polars(cls, frame: polars.DataFrame, source: str | int = 0, target: str | int = 1) -> Graph:
        """From two columns, by name or position, of a polars frame."""
        columns = [frame[c] if isinstance(c, str) else frame.to_series(c) for c in (source, target)]
        if any(column.null_count() for column in columns):
            raise GraphError("an edge has an empty end. Drop such rows first, with frame.drop_nulls().")
        return cls._from_columns(columns[0].to_numpy(), columns[1].to_numpy())

    @classmethod
    def _from_columns(cls, sources: NDArray[Any], targets: NDArray[Any]) -> Graph:
        ends = np.empty(2 * len(sources), np.result_type(sources, targets))
        ends[0::2], ends[1::2] = sources, targets
        labels, numbers = number_ids(ends)
        return cls._from_pairs(numbers.reshape(-1, 2), len(labels), labels)


def simplify(pairs: NDArray[np.int32]) -> tuple[NDArray[np.int32], Cleaning]:
    """The distinct undirected edges among the pairs, sorted, and what was dropped to get there.

    Each pair becomes one 64-bit number: the lower end, the higher end, and the direction in the last bit. All
    happens in that one array, which in the end is handed out as the edges.
    """
    from graphveil.kernels.pairs import pack, unpack

    keys = np.empty(len(pairs), np.int64)
    count, ascending = pack(pairs, keys)
    keys = keys[:count]
    if not ascending:
        keys.sort()
    edges = keys.view(np.int32).reshape(-1, 2)
    m, duplicates, reciprocal = unpack(keys, edges)
    cleaning = Cleaning(self_loops=len(pairs) - count, duplicates=duplicates, reciprocal=reciprocal)
    return edges[:m].copy() if m < len(pairs) else edges, cleaning


def number_ids(ids: Any, extra: Any = ()) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Distinct ids as an array of labels, and the number of each given id among them.

    Integers are sorted; other ids are numbered as they first appear, ``extra`` ones last.
    """
    extra = extra if isinstance(extra, np.ndarray) else list(extra)
    integers = _as_int64(ids), _as_int64(extra)
    if integers[0] is not None and integers[1] is not None:
        return _number_integers(integers[0], integers[1])
    if isinstance(ids, np.ndarray):
        ids = ids.tolist()
    number: dict[Hashable, int] = {}
    numbers = np.fromiter((number.setdefault(i, len(number)) for i in ids), np.int32, len(ids))
    for i in extra:
        number.setdefault(i, len(number))
    return as_labels(list(number)), numbers


def as_labels(ids: list[Any]) -> NDArray[Any]:
    """Labels as int64 where they are integers that fit, else as an array of Python objects."""
    integers = _as_int64(ids)
    if integers is not None:
        return integers
    labels = np.empty(len(ids), object)
    labels[:] = ids
    return labels


def _as_int64(ids: Any) -> NDArray[np.int64] | None:
    if isinstance(ids, np.ndarray) and ids.dtype.kind in "iu":
        fits = ids.dtype != np.uint64 or not len(ids) or ids.max() < 2**63
        return ids.astype(np.int64, copy=False) if fits else None
    if isinstance(ids, list) and all(type(i) is int or isinstance(i, np.integer) for i in ids):
        try:
            return np.array(ids, np.int64)
        except OverflowError:
            return None
    return None


def _number_integers(
    ids: NDArray[np.int64], extra: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    from graphveil.kernels.pairs import number_dense, number_sparse

    if len(extra):
        labels, numbers = _number_integers(np.concatenate((ids, extra)), extra[:0])
        return labels, numbers[: len(ids)]
    numbers = np.empty(len(ids), np.int32)
    if not len(ids):
        return np.empty(0, np.int64), numbers
    low, high = int(ids.min()), int(ids.max())
    if high - low < 4 * len(ids) + 1024:
        return number_dense(ids, low, np.zeros(high - low + 1, bool), numbers), numbers
    labels = number_sparse(ids, numbers)
    order = np.argsort(labels)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return labels[order], rank[numbers]


def _vertex_numbers(values: ArrayLike) -> NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1 or (len(array) and array.dtype.kind not in "iu"):
        raise GraphError(
            "vertex numbers must be a flat array of integers. Use Graph.from_edges for other ids."
        )
    return array


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
