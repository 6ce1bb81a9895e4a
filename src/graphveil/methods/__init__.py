"""The anonymizers: every one changes a graph until the guarantees asked for hold (docs/methods.md).

`anonymizing` chooses and runs a method of the table `METHODS`. The paper's algorithms are readable Python over the
`workspace`; `plan/` is the search for fewer changes, `reduce/` the one for fewer people exposed to stronger attackers.
"""

from graphveil.methods.anonymizing import anonymize
from graphveil.methods.degrees import DegreeChange
from graphveil.methods.reduce.reducing import Reduction, Wish
from graphveil.methods.result import Result
from graphveil.methods.run import Group, Progress
from graphveil.methods.table import (
    DEGREE_METHODS,
    METHODS,
    DegreeMethodName,
    Method,
    MethodName,
    method_named,
    method_options,
)

__all__ = [
    "DEGREE_METHODS",
    "METHODS",
    "DegreeChange",
    "DegreeMethodName",
    "Group",
    "Method",
    "MethodName",
    "Progress",
    "Reduction",
    "Result",
    "Wish",
    "anonymize",
    "method_named",
    "method_options",
]
