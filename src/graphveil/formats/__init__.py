"""Graphs from files and into files.

`table` has a row for each format. The bytes come in decompressed (`compression`), the format is told by content or
name, and its reader hands over vertices and pairs (`parsed`), which `read` makes a simple graph, counting what it
dropped. `write` goes the other way and replaces a file only when the new one is whole (`atomic`). `as_graph` takes
what other libraries have. Names are loaded when they are first used, so that the table alone costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphveil.formats.advice.cautions import cautions
    from graphveil.formats.advice.previewing import Preview, preview
    from graphveil.formats.inputs import as_graph
    from graphveil.formats.reading import read
    from graphveil.formats.writing import write

__all__ = ["Preview", "as_graph", "cautions", "preview", "read", "write"]

_HOME = {
    "Preview": "advice.previewing",
    "as_graph": "inputs",
    "cautions": "advice.cautions",
    "preview": "advice.previewing",
    "read": "reading",
    "write": "writing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
