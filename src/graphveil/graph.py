"""The graph that is read, measured and published: simple, undirected, immutable, in flat arrays.

Vertices are the numbers 0…n−1. Their names are kept aside in `Graph.labels`. Whatever comes in is made simple:
self-loops are dropped, repeated edges and both directions of a pair become one edge. `Graph.cleaning` counts them.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphveil.errors import GraphError
from graphveil.numbering import as_array, as_labels, number_columns, number_ids, typed
from graphveil.origin import Cleaning, Reading
from graphveil.repeated import DIRECTION, plain_column, possible_columns, resolve, turned, values_of_edges
from graphveil.sorting import simplify

if TYPE_CHECKING:
    import igraph
    import networkx
    import pandas
    import polars
    from scipy.sparse import csr_array

MAX_VERTICES = 2**31 - 1


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
    >>> print(graph.cleaning)
    merged 1 reciprocal pair, dropped 1 self-loop
    """

    def __init__(
        self,
        edges: NDArray[np.int32],
        n: int,
        labels: NDArray[Any] | None = None,
        cleaning: Cleaning | None = None,
        vertex_attributes: Mapping[str, NDArray[Any]] | None = None,
        reading: Reading | None = None,
        edge_attributes: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        """From an m×2 array that is known to be simple: u < v in each row, rows sorted, none twice."""
        self._edges = _read_only(np.ascontiguousarray(edges, np.int32).reshape(-1, 2))
        self._n = int(n)
        self._labels = None if labels is None else _read_only(labels)
        self.cleaning = cleaning or Cleaning()
        self.reading = reading  # how its file was read; None if it did not come from one
        self.cautioned = False  # its owner was warned of what looks odd about it
        self.has_real_ids = False  # an anonymized graph under the ids of its original, which `write` warns of
        if labels is not None and len(labels) != self._n:
            raise GraphError(f"{len(labels)} labels for {self._n} vertices")
        self._vertex_attributes = _aligned(vertex_attributes, self._n, "vertices")
        self._edge_attributes = _aligned(edge_attributes, self.m, "edges")

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
        if self._labels is None:
            self._labels = _read_only(np.arange(self._n, dtype=np.int64))
        return self._labels

    @property
    def vertex_attributes(self) -> Mapping[str, NDArray[Any]]:
        """Values of the vertex attributes that were kept, by name, aligned with `labels`; read-only."""
        return MappingProxyType(self._vertex_attributes)

    @property
    def edge_attributes(self) -> Mapping[str, NDArray[Any]]:
        """Values of the edge attributes that were kept, by name, aligned with `edges`; read-only."""
        return MappingProxyType(self._edge_attributes)

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
        from graphveil.kernels._jit import patient

        start = np.zeros(self._n + 2, np.int64)
        neighbours, edge = np.empty(2 * self.m, np.int32), np.empty(2 * self.m, np.int32)
        patient("adjacency").compressed_rows(self._edges, start, neighbours, edge)
        return _read_only(start[:-1]), _read_only(neighbours), _read_only(edge)

    @cached_property
    def mutual_friends(self) -> NDArray[np.int32]:
        """Number of mutual friends of the two ends of each edge, in the order of `edges`; counted once, read-only."""
        from graphveil.counting import count_mutual_friends

        return _read_only(count_mutual_friends(self._edges, self._n))

    def __repr__(self) -> str:
        return f"Graph(n={self.n}, m={self.m})"

    def _repr_html_(self) -> str:
        """A small table for notebooks: sizes only, no ids."""
        from graphveil.pages import in_notebook

        degrees = self.degrees
        friends = f"{degrees.mean():.1f} on average, {degrees.max():,} at most" if self.n else "–"
        rows = (("people", f"{self.n:,}"), ("friendships", f"{self.m:,}"), ("friends of a person", friends))
        return in_notebook(("", (), rows))

    def __eq__(self, other: object) -> bool:
        """The same vertices under the same labels in the same order, with the same edges, whatever their attributes."""
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            self.n == other.n
            and np.array_equal(self._edges, other._edges)
            and np.array_equal(self.labels, other.labels)
        )

    __hash__ = None  # type: ignore[assignment]

    def with_labels(self, labels: Iterable[Hashable] | None = None) -> Graph:
        """The same graph under other labels; by default the numbers 0…n−1.

        Examples
        --------
        >>> Graph.from_edges([("Alice", "Bob")]).with_labels().labels.tolist()
        [0, 1]
        """
        given = labels.tolist() if isinstance(labels, np.ndarray) else labels
        new = None if given is None else as_labels(list(given))
        if new is not None and len(set(new.tolist())) < len(new):
            raise GraphError("two vertices have the same label")
        own = self._vertex_attributes, self.reading, self._edge_attributes
        return Graph(self._edges, self._n, new, self.cleaning, *own)

    def with_attributes(self, names: Container[str], of_edges: Container[str] | None = None) -> Graph:
        """The same graph with some of its attributes, all of edges by default, and what was counted of it already."""
        same = copy(self)
        same._vertex_attributes = {
            name: values for name, values in self._vertex_attributes.items() if name in names
        }
        if of_edges is not None:
            edge_attributes = self._edge_attributes.items()
            same._edge_attributes = {name: values for name, values in edge_attributes if name in of_edges}
        return same

    def renumbered(self, number: NDArray[np.int64], labels: NDArray[Any] | None = None) -> Graph:
        """The same graph with vertex v as ``number[v]``, under other labels, with the attributes of its edges.

        What was counted is not counted again.

        >>> Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3)]).renumbered(np.array([3, 2, 1, 0])).edges.tolist()
        [[0, 1], [1, 2], [1, 3], [2, 3]]
        """
        ends = number[self._edges]
        turns = ends[:, 0] > ends[:, 1]
        ends = np.sort(ends, axis=1)
        order = np.argsort(ends[:, 0] * max(self._n, 1) + ends[:, 1])
        values = {
            name: (turned(each, turns) if name == DIRECTION else each)[order]
            for name, each in self._edge_attributes.items()
        }
        new = Graph(ends[order].astype(np.int32), self._n, labels, edge_attributes=values)
        if "mutual_friends" in self.__dict__:
            new.__dict__["mutual_friends"] = _read_only(self.mutual_friends[order])
        return new

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
        sources, targets
            The two ends of each edge, in any order and direction
        n
            Number of vertices; by default the largest number + 1
        labels
            What to call the vertices; by default their numbers

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
    def _from_pairs(
        cls,
        pairs: NDArray[np.int32],
        n: int,
        labels: NDArray[Any] | None,
        columns: Mapping[str, Any] | None = None,
        keep: Sequence[str] = (),
    ) -> Graph:
        """From vertex numbers that are known to be below n, with columns that have a value for each pair."""
        edges, cleaning = simplify(pairs, n)
        if not keep:
            return cls(edges, n, labels, cleaning)
        kept = resolve(keep, columns or {})
        found = {each.column: plain_column((columns or {})[each.column], _wrong_row) for each in kept}
        values, rules = values_of_edges(pairs, n, found, kept, _wrong_row)
        return cls(edges, n, labels, replace(cleaning, rules=tuple(rules.items())), edge_attributes=values)

    @classmethod
    def from_edges(
        cls, pairs: ArrayLike | Iterable[tuple[Hashable, Hashable]], *, vertices: Iterable[Hashable] = ()
    ) -> Graph:
        """From pairs of ids of any kind.

        Integer ids are put in ascending order; any others keep the order in which they appear.

        Parameters
        ----------
        pairs
            An m×2 integer array, or any iterable of pairs of hashable ids
        vertices
            Further vertices, for those without an edge

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
    def from_networkx(
        cls,
        graph: networkx.Graph,
        *,
        undirected: bool = False,
        keep_vertex_attributes: Sequence[str] = (),
        keep_edge_attributes: Sequence[str] = (),
    ) -> Graph:
        """From a networkx graph; its nodes, in their order, become the labels.

        Attributes are dropped unless named; `cleaning` tells which. A directed graph is refused unless ``undirected``
        is true.
        """
        _refuse_directed(graph.is_directed(), undirected)
        nodes = list(graph.nodes)
        number = {node: i for i, node in enumerate(nodes)}
        ends = (number[end] for edge in graph.edges() for end in edge[:2])
        pairs = np.fromiter(ends, np.int32, 2 * graph.number_of_edges()).reshape(-1, 2)
        there = dict.fromkeys(name for _, values in graph.nodes(data=True) for name in values)
        on_edges = dict.fromkeys(str(name) for *_, values in graph.edges(data=True) for name in values)
        kept = {
            name: typed([values.get(name) for _, values in graph.nodes(data=True)])
            for name in _known(there, keep_vertex_attributes)
        }
        wanted = possible_columns(keep_edge_attributes)
        columns = {
            name: [values.get(name) for *_, values in graph.edges(data=True)]
            for name in on_edges
            if name in wanted
        }
        new = cls._from_pairs(pairs, len(nodes), as_labels(nodes), columns, keep_edge_attributes)
        return new._with([name for name in on_edges if name not in columns], there, kept)

    def to_networkx(self) -> networkx.Graph:
        """A `networkx.Graph` whose nodes are the labels, with the attributes that were kept."""
        import networkx

        graph = networkx.Graph()
        names = self.labels.tolist()
        graph.add_nodes_from(names)
        graph.add_edges_from((names[u], names[v]) for u, v in self._edges.tolist())
        for name, values in self._vertex_attributes.items():
            each = zip(names, values.tolist(), strict=True)
            networkx.set_node_attributes(
                graph, {node: value for node, value in each if value is not None}, name
            )
        for name, values in self._edge_attributes.items():
            for (u, v), value in zip(self._edges.tolist(), values.tolist(), strict=True):
                if value is not None:
                    graph.edges[names[u], names[v]][name] = value
        return graph

    @classmethod
    def from_igraph(
        cls,
        graph: igraph.Graph,
        *,
        undirected: bool = False,
        keep_vertex_attributes: Sequence[str] = (),
        keep_edge_attributes: Sequence[str] = (),
    ) -> Graph:
        """From an igraph graph; the vertex attribute ``name``, if there is one, gives the labels.

        Attributes are dropped unless named; `cleaning` tells which. A directed graph is refused unless ``undirected``
        is true.
        """
        _refuse_directed(graph.is_directed(), undirected)
        # As tuples only, which are gone when the graph is built
        ends = chain.from_iterable(graph.get_edgelist())
        pairs = np.fromiter(ends, np.int32, 2 * graph.ecount()).reshape(-1, 2)
        there = dict.fromkeys(name for name in graph.vs.attributes() if name != "name")
        kept = {name: typed(graph.vs[name]) for name in _known(there, keep_vertex_attributes)}
        wanted = possible_columns(keep_edge_attributes).intersection(graph.es.attributes())
        columns = {name: graph.es[name] for name in wanted}
        new = cls._from_pairs(pairs, graph.vcount(), None, columns, keep_edge_attributes)
        new = new._with([name for name in graph.es.attributes() if name not in columns], there, kept)
        return new.with_labels(graph.vs["name"]) if "name" in graph.vs.attributes() else new

    def to_igraph(self) -> igraph.Graph:
        """An `igraph.Graph` with the labels as vertex attribute ``name``, and the attributes that were kept."""
        import igraph

        graph = igraph.Graph(n=self.n, edges=self._edges)
        graph.vs["name"] = self.labels.tolist()
        for name, values in self._vertex_attributes.items():
            graph.vs[name] = values.tolist()
        for name, values in self._edge_attributes.items():
            graph.es[name] = values.tolist()
        return graph

    @classmethod
    def from_scipy(cls, matrix: Any, *, undirected: bool = False) -> Graph:
        """From a square SciPy sparse matrix or array: an edge wherever an entry is not zero.

        A matrix that is neither symmetric nor triangular is a directed graph, which is refused unless ``undirected`` is
        true. Entries other than 1 are weights, which are dropped; `cleaning` says so.
        """
        rows, columns = matrix.shape
        if rows != columns:
            raise GraphError(f"an adjacency matrix is square, and this one is {rows}×{columns}")
        entries = matrix.tocoo()
        present = entries.data != 0
        u, v = entries.row[present].astype(np.int64), entries.col[present].astype(np.int64)
        forth, back = u * rows + v, v * rows + u
        if (u < v).any() and (u > v).any():
            symmetric = np.array_equal(np.unique(forth), np.unique(back))
            _refuse_directed(not symmetric, undirected)
            if symmetric:
                u, v = u[u <= v], v[u <= v]
        weights = ["weight"] * bool((entries.data[present] != 1).any())
        return cls.from_arrays(u, v, n=rows)._with(weights, (), {})

    def to_scipy(self) -> csr_array:
        """The symmetric adjacency matrix, with ones of type int8, as a SciPy CSR array."""
        from scipy.sparse import csr_array

        start, neighbours, _ = self.adjacency
        ones = np.ones(len(neighbours), np.int8)
        return csr_array((ones, neighbours.copy(), start.copy()), shape=(self.n, self.n))

    @classmethod
    def from_pandas(
        cls,
        frame: pandas.DataFrame,
        source: str | int = 0,
        target: str | int = 1,
        *,
        keep_edge_attributes: Sequence[str] = (),
    ) -> Graph:
        """From two columns, by name or position, of a pandas frame; further columns are dropped unless named."""
        columns = [frame[c] if isinstance(c, str) else frame.iloc[:, c] for c in (source, target)]
        if any(column.isna().any() for column in columns):
            raise GraphError("an edge has an empty end. Drop such rows first, with frame.dropna().")
        return cls._from_columns(columns, frame, keep_edge_attributes)

    @classmethod
    def from_polars(
        cls,
        frame: polars.DataFrame,
        source: str | int = 0,
        target: str | int = 1,
        *,
        keep_edge_attributes: Sequence[str] = (),
    ) -> Graph:
        """From two columns, by name or position, of a polars frame; further columns are dropped unless named."""
        columns = [frame[c] if isinstance(c, str) else frame.to_series(c) for c in (source, target)]
        if any(column.null_count() for column in columns):
            raise GraphError("an edge has an empty end. Drop such rows first, with frame.drop_nulls().")
        return cls._from_columns([column.to_arrow() for column in columns], frame, keep_edge_attributes)

    @classmethod
    def _from_columns(cls, ends: Sequence[Any], frame: Any, keep: Sequence[str]) -> Graph:
        """From two columns that Arrow can take; objects of various types, which it cannot, go the slow way."""
        import pyarrow

        try:
            labels, pairs = number_columns(*map(as_array, ends))
        except (pyarrow.ArrowException, OverflowError):
            labels, numbers = number_ids(list(chain.from_iterable(zip(*ends, strict=True))))
            pairs = numbers.reshape(-1, 2)
        wanted = possible_columns(keep).intersection(map(str, frame.columns)) if keep else ()
        columns = {name: frame[name] for name in wanted}
        return cls._from_pairs(pairs, len(labels), labels, columns, keep)

    def _with(
        self, edge_attributes: Iterable[str], there: Iterable[str], kept: Mapping[str, NDArray[Any]]
    ) -> Graph:
        """The same graph with the vertex attributes that are kept, and a note of those that are not."""
        dropped = tuple(str(name) for name in there if name not in kept)
        cleaning = replace(
            self.cleaning, edge_attributes=tuple(map(str, edge_attributes)), vertex_attributes=dropped
        )
        own = kept, self.reading, self._edge_attributes
        return Graph(self._edges, self._n, self._labels, cleaning, *own)


def _refuse_directed(directed: bool, undirected: bool) -> None:
    if directed and not undirected:
        raise GraphError(
            "the graph is directed. To take every edge as undirected: Graph.from_networkx(graph, undirected=True), "
            "and from_igraph and from_scipy likewise."
        )


def _aligned(attributes: Mapping[str, NDArray[Any]] | None, length: int, of: str) -> dict[str, NDArray[Any]]:
    aligned = {name: _read_only(np.asarray(values)) for name, values in (attributes or {}).items()}
    for name, values in aligned.items():
        if len(values) != length:
            raise GraphError(f"{len(values)} values of {name!r} for {length} {of}")
    return aligned


def _wrong_row(row: int, problem: str, remedy: str) -> GraphError:
    return GraphError(f"edge {row + 1}: {problem}. {remedy}")


def _known(there: Iterable[str], keep: Sequence[str]) -> Sequence[str]:
    for name in keep:
        if name not in there:
            shown = ", ".join(map(str, there)) or "none"
            raise GraphError(f"no vertex attribute is named {name!r}. There are: {shown}.")
    return keep


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
