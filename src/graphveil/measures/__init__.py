"""What anonymizing cost: a published graph against its original.

`profile` measures one graph, `comparison` sets two profiles side by side. The rest is one file per idea.
"""

from graphveil.measures.profiling import profile

__all__ = ["profile"]
