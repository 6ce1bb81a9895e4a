"""`as_graph`: a graph from whatever a program has, under the rules of the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.errors import GraphError, InputError, warn
from graphveil.formats.advice.column_names import choose_columns, direction_of
from graphveil.formats.advice.yes_no_columns import denial
from graphveil.formats.node_link import neighbours_of, records_of
from graphveil.formats.reading import read
from graphveil.graph import Graph
from graphveil.origin import Reading

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST = 200  # rows that are looked at
GraphLike = Any  # what `as_graph` takes; most of it has types of libraries that need not be there


def as_graph(graph: GraphLike) -> Graph:
    """A `Graph` from a graph, frame, array or matrix of another library, or from a file.

    Takes a `Graph`; a path; a graph of networkx or igraph; a SciPy matrix; a pandas or polars frame of edges, whose
    columns are chosen by their names as those of a file; a NumPy array, m×2 for edges or square for an adjacency
    matrix; a dictionary with a list of friends for each person; or an iterable of pairs. Directed graphs are refused.
    Weights and attributes are dropped with a warning.

    Parameters
    ----------
    graph
        What you have

    Raises
    ------
    GraphError
        if it is directed or no graph; the message names the way out
    InputError
        if it is a path, and the file cannot be read

    Examples
    --------
    >>> import networkx, pandas
    >>> as_graph(networkx.karate_club_graph().edges)
    Graph(n=34, m=78)
    >>> as_graph(pandas.DataFrame({"since": [1, 2], "from": ["Ann", "Bob"], "to": ["Bob", "Cy"]}).drop(columns="since"))
    Graph(n=3, m=2)
    """
    if isinstance(graph, Graph):
        return graph
    converted = _converted(graph)
    if converted.cleaning and not isinstance(graph, str | os.PathLike):
        warn(str(converted.cleaning))
    return converted


def _converted(graph: Any) -> Graph:
    if isinstance(graph, str | os.PathLike):
        return read(graph)
    library = type(graph).__module__.partition(".")[0]
    if library == "networkx" and hasattr(graph, "is_directed"):
        return Graph.from_networkx(graph)
    if library == "igraph" and hasattr(graph, "get_edgelist"):
        return Graph.from_igraph(graph)
    if hasattr(graph, "tocoo"):
        return Graph.from_scipy(graph)
    if library == "pandas" and hasattr(graph, "iloc"):
        return _from_frame(Graph.from_pandas, graph)
    if library == "polars":
        return _from_frame(Graph.from_polars, graph.collect() if hasattr(graph, "collect") else graph)
    if isinstance(graph, np.ndarray):
        return _from_array(graph)
    if isinstance(graph, dict) and records_of(graph) is not None:
        raise GraphError(
            "this dictionary is a table. Give its rows as a frame: pandas.DataFrame(dictionary)."
        )
    if isinstance(graph, dict) and (found := neighbours_of(graph)) is not None:
        return Graph.from_edges(found[0], vertices=found[1])
    if isinstance(graph, Iterable) and not isinstance(graph, bytes | dict):
        return Graph.from_edges(graph)
    raise GraphError(
        f"{type(graph).__name__} is no graph. Give a Graph, a networkx or igraph graph, a SciPy matrix, a pandas or "
        "polars frame of edges, an array, pairs of ids, or the path of a file."
    )


def _from_frame(convert: Callable[..., Graph], frame: Any) -> Graph:
    """From the two columns whose names tell; the others are noted as dropped."""
    names = list(frame.columns)
    chosen = _columns(frame, names)
    graph = convert(frame, *chosen)
    others = tuple(str(name) for place, name in enumerate(names) if place not in chosen)
    _refuse_denials(frame, names, chosen)
    if direction := direction_of(list(map(str, names)), chosen):
        warn(Reading("the frame", "frame", direction=direction).notes[0])
    graph.cleaning = replace(graph.cleaning, edge_attributes=others)
    return graph


def _refuse_denials(frame: Any, names: list[Any], chosen: tuple[int, int]) -> None:
    """Refuse a frame of which a column says that some rows are no friendships."""
    first, second = (names[each] for each in chosen)
    for place, name in enumerate(names):
        if place in chosen or names.count(name) > 1:
            continue
        if said := denial(str(name), map(str, frame[name].unique())):
            raise GraphError(
                f"the column {name} {said}: these may be no friendships. Drop these rows. If "
                f"every row is a friendship, choose two columns: frame[[{first!r}, {second!r}]]."
            )


def _columns(frame: Any, names: list[Any]) -> tuple[int, int]:
    """Positions of the two columns of a frame that hold the ids."""
    if len(names) < 2:
        raise GraphError(f"a frame of edges has two columns or more, and this one has {len(names)}.")
    if all(isinstance(name, int | np.integer) for name in names):
        return 0, 1  # no names at all
    try:
        texts, below = list(map(str, names)), _first_rows(frame)
        columns, directed = choose_columns("the frame", texts, None, header=True, line=None, below=below)
    except InputError as error:
        remedy = re.sub(r"columns=(\[[^\]]*\])", r"frame[\1]", error.remedy)
        raise GraphError(f"{error.problem}. {remedy}") from None
    if directed:
        raise GraphError(
            "the names of the columns say that edges have a direction. To take them as undirected: "
            f"Graph.from_pandas(frame, {str(names[columns[0]])!r}, {str(names[columns[1]])!r}), or from_polars."
        )
    return columns


def _first_rows(frame: Any) -> list[list[str]]:
    """The first rows of a frame as texts, empty where nothing is."""
    head = frame.head(FIRST)
    rows = head.itertuples(index=False) if hasattr(frame, "iloc") else head.rows()
    return [["" if cell is None or cell != cell else str(cell) for cell in row] for row in rows]


def _from_array(array: NDArray[Any]) -> Graph:
    """From edges as rows, or from a square adjacency matrix."""
    if array.ndim == 2 and array.shape[0] == array.shape[1] != 2:
        from scipy.sparse import coo_array

        return Graph.from_scipy(coo_array(array))
    return Graph.from_edges(array)
