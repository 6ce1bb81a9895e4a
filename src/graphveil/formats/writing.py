"""`write`: a graph into a file, the same bytes for the same graph each time, whole or not at all."""

from __future__ import annotations

import os

from graphveil.errors import ParameterError, warn
from graphveil.formats.atomic import write_whole
from graphveil.formats.encoding import names_of
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.formats.table import EXTENSIONS, WRITABLE, WritableFormat, suffixes
from graphveil.formats.vertices import people_table


def write(
    graph: GraphLike,
    path: str | os.PathLike[str],
    *,
    format: WritableFormat | None = None,
    people: str | os.PathLike[str] | None = None,
) -> None:
    """Write a graph to a file, compressed if its name ends in .gz, .bz2, .xz or .zst.

    The file appears when it is whole: a run that is cut short leaves what was there before. Vertices without edges
    are kept. Reading the file gives the same graph back; in edge lists names come in the order of their appearance.

    Warns if the graph is the result of `graphveil.anonymize`: it has the real ids. `graphveil.publish` replaces them by
    pseudonyms.

    Parameters
    ----------
    graph
        The graph, or anything that `graphveil.as_graph` takes
    path
        The file; ``-`` for the standard output
    format
        As in `graphveil.read`; by default what the file's name says
    people
        A second file for the vertex attributes, CSV or Parquet by its name; `graphveil.read` takes it as ``vertices=``

    Raises
    ------
    GraphError
        if the format cannot hold the labels
    PublicationError
        if the file cannot be written

    Examples
    --------
    >>> import tempfile, pathlib, graphveil
    >>> file = pathlib.Path(tempfile.mkdtemp(), "friends.csv")
    >>> graphveil.write(graphveil.Graph.from_edges([("Alice", "Bob")], vertices=["Carl"]), file)
    >>> file.read_text()
    'source,target\\nAlice,Bob\\nCarl,\\n'
    """
    graph, name = as_graph(graph), os.fspath(path)
    extension, compression = suffixes(name)
    chosen = format or EXTENSIONS.get(extension)
    if chosen is None and name == "-":
        chosen = "edgelist"
    if chosen not in WRITABLE:
        known = ", ".join(WRITABLE)
        what = f"{chosen} can be read, not written" if chosen else "its name tells no format that is known"
        raise ParameterError(f"{name}: {what}. Choose one of {known}, for example format='csv'.")
    if graph.has_real_ids:
        warn(
            f"{name} holds the real ids of an anonymized graph. To publish it under pseudonyms: "
            "graphveil.publish(result, folder)."
        )
    if people is not None:
        table, ids = os.fspath(people), graph.labels if graph.labels.dtype.kind == "i" else names_of(graph)
        write_whole(table, [people_table(table, ids, graph.vertex_attributes)], None)
        graph = graph.with_attributes(())
    write_whole(name, WRITABLE[chosen].chunks(graph), compression)
