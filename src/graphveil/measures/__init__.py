"""What anonymizing cost: a published graph against its original.

`profile` measures one graph, `comparison` sets two profiles side by side. The rest is one file per idea.
"""

from graphveil.measures.comparison import Agreement, Distribution, Measure, Utility, utility
from graphveil.measures.profiling import Measuring, Profile, profile

__all__ = [
    "Agreement",
    "Distribution",
    "Measure",
    "Measuring",
    "Profile",
    "Utility",
    "profile",
    "utility",
]
