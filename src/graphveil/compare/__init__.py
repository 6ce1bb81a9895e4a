"""Which method, and which k? Anonymize a graph in every way there is and measure what each costs.

`comparing` runs the grid, `recommendation` says in words what came out of it, `files` writes it down.
"""

from graphveil.compare.comparing import Cell, Choice, Comparison, compare
from graphveil.compare.files import write_comparison
from graphveil.compare.recommendation import recommend

__all__ = ["Cell", "Choice", "Comparison", "compare", "recommend", "write_comparison"]
