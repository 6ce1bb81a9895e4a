"""The anonymizers: every one changes a graph until the guarantees asked for hold (docs/methods.md).

`anonymizing` chooses and runs a method of the table `METHODS`. The paper's algorithms are readable Python over the
`workspace`; `plan/` is the search for fewer changes, `reduce/` the one for fewer people exposed to stronger attackers.
"""

from graphveil.methods.reduce.reducing import Wish

__all__ = ["Wish"]
