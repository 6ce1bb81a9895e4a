"""Which method, and which k? Anonymize a graph in every way there is, and measure risk and cost of each.

`comparing` runs the grid, `results` holds it and says what it means, `files` writes it down.
"""
