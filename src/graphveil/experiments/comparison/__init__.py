"""Which method, and which k? Anonymize a graph in every way there is, and measure risk and cost of each.

`comparing` runs the grid, `results` holds it, `recommendation` says what it means, `files` writes it down.
"""
