"""Which method, and which k? Anonymize a graph in every way there is and measure what each costs.

`comparing` runs the grid, `recommendation` says in words what came out of it, `files` writes it down.
"""

from graphveil.experiments.comparison.comparing import Cell, Choice, Comparison, compare
from graphveil.experiments.comparison.files import write_comparison
from graphveil.experiments.comparison.recommendation import recommend

__all__ = ["Cell", "Choice", "Comparison", "compare", "recommend", "write_comparison"]
