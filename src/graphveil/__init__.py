"""graphveil: publish social graphs that withstand mutual friend attacks."""

from __future__ import annotations

from graphveil._version import __version__
from graphveil.errors import (
    GraphError,
    GraphveilError,
    InputError,
    ParameterError,
    PublicationError,
    UnreachableError,
    VerificationError,
)
from graphveil.graph import Cleaning, Graph
from graphveil.mutual import mutual_friends

__all__ = [
    "Cleaning",
    "Graph",
    "GraphError",
    "GraphveilError",
    "InputError",
    "ParameterError",
    "PublicationError",
    "UnreachableError",
    "VerificationError",
    "__version__",
    "mutual_friends",
]
