"""The anonymizers: every one changes a graph until the guarantees asked for hold (docs/methods.md).

`anonymizing` chooses and runs a method of the table `METHODS`. The paper's algorithms are readable Python over the
`workspace`; `plan/` is the search for fewer changes.
"""

from graphveil.methods.anonymizing import METHODS, anonymize, method_options
from graphveil.methods.degrees import DegreeChange
from graphveil.methods.result import Result
from graphveil.methods.run import Counters, Group, Progress

__all__ = [
    "METHODS",
    "Counters",
    "DegreeChange",
    "Group",
    "Progress",
    "Result",
    "anonymize",
    "method_options",
]
