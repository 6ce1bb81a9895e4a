"""What anonymizing cost and what it bought: a published graph against its original, and the attack on both.

`profile` measures one graph, `comparison` sets two profiles side by side, `attack` lets the adversaries of the audit
try. The rest is one file per idea.
"""

from graphveil.utility.attack import Attack, Success, simulate_attacks
from graphveil.utility.comparison import Agreement, Distribution, Measure, Utility, utility
from graphveil.utility.profile import Measuring, Profile, profile

__all__ = [
    "Agreement",
    "Attack",
    "Distribution",
    "Measure",
    "Measuring",
    "Profile",
    "Success",
    "Utility",
    "profile",
    "simulate_attacks",
    "utility",
]
