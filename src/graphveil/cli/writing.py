"""One graph into one file, for the commands that write one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from graphveil.cli.streams import note, place
from graphveil.cli.terminal import stage
from graphveil.errors import PublicationError
from graphveil.words import size

if TYPE_CHECKING:
    from graphveil.formats.table import WritableFormat
    from graphveil.graph import Graph


def check_target(path: str, *, force: bool, source: str | None = None) -> None:
    """Refuse, before any work, to write over a file that is not to be replaced, and over the input in any case."""
    if not os.path.isfile(path):  # a pipe or a device has nothing to lose, and "-" is none
        return
    if source is not None and os.path.exists(source) and os.path.samefile(source, path):
        raise PublicationError(f"{path}: this is the input, which is not replaced. Name another file.")
    if not force:
        raise PublicationError(f"{path}: it exists already. Name another file, or replace it (--force).")


def write_graph(graph: Graph, path: str, file_format: WritableFormat | None) -> None:
    from graphveil import write

    with stage(f"Writing {path}"):
        write(graph, path, format=file_format)
    note(f"wrote {place(path)}: {size(graph.n, graph.m)}")
