"""Every error a user can cause, in one tree.

::

    GraphveilError
    ├── InputError          a file cannot be read as a graph: names file, line and remedy
    ├── GraphError          data given in memory is no simple undirected graph
    ├── ParameterError      a parameter is out of its range
    ├── UnreachableError    no graph on these vertices can satisfy the k asked for
    ├── EngineError         another engine, such as Spark, cannot be reached or has failed
    └── PublicationError    the output could not be written, or its recount disagrees: nothing was published
        └── VerificationError

Catch `GraphveilError` to catch them all; the command line turns each into one line and an exit code.
"""

from __future__ import annotations

import sys
import warnings
from os import PathLike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_SAID: dict[Any, Any] = {}  # warnings that were shown, by which Python knows repetitions
MOST_SAID = 100


class GraphveilError(Exception):
    """The root of every error that a user can cause."""


class InputError(GraphveilError):
    """A file that cannot be read as a graph.

    Parameters
    ----------
    path
        Path of the file
    problem
        What is wrong, as half a sentence
    line
        Number of the offending line, from 1, where one line is to blame
    remedy
        What the user can do about it

    Examples
    --------
    >>> print(InputError("a.csv", "3 columns where 2 were expected", line=7, remedy="Choose two."))
    a.csv, line 7: 3 columns where 2 were expected. Choose two.
    """

    def __init__(
        self, path: str | PathLike[str], problem: str, *, line: int | None = None, remedy: str = ""
    ) -> None:
        self.path, self.problem, self.line, self.remedy = path, problem, line, remedy
        place = f"{path}, line {line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {problem}. {remedy}".rstrip())


class GraphError(GraphveilError):
    """Data given in memory that is no simple undirected graph."""


class ParameterError(GraphveilError):
    """A parameter out of its range."""


class UnreachableError(GraphveilError):
    """No graph on the given vertices can satisfy the k asked for."""


class EngineError(GraphveilError):
    """An engine that is missing, cannot be reached or has failed."""


class PublicationError(GraphveilError):
    """The output could not be written whole, so nothing was published."""


class VerificationError(PublicationError):
    """The recount of the output contradicts the guarantee, so nothing was published."""


def warn(message: str) -> None:
    """Warn at the line outside of graphveil that called it; of all that was said only the last is kept."""
    frame = sys._getframe(1)
    inside = ("graphveil", "contextlib")
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in inside:
        frame = frame.f_back
    if len(_SAID) > MOST_SAID:
        _SAID.clear()
    place = frame.f_code.co_filename, frame.f_lineno
    warnings.warn_explicit(message, UserWarning, *place, registry=_SAID)
