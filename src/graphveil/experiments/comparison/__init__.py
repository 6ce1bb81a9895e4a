"""Which method, and which k? Anonymize a graph in every way there is, and measure risk and cost of each.

`comparing` runs the grid, `results` holds it, `recommendation` says what it means, `files` writes it down.
"""

from graphveil.experiments.comparison.comparing import compare
from graphveil.experiments.comparison.files import write_comparison
from graphveil.experiments.comparison.recommendation import best_choice, frontier, recommend
from graphveil.experiments.comparison.results import Cell, Choice, Comparison, Point, points

__all__ = [
    "Cell",
    "Choice",
    "Comparison",
    "Point",
    "best_choice",
    "compare",
    "frontier",
    "points",
    "recommend",
    "write_comparison",
]
