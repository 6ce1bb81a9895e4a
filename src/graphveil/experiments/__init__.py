"""Many runs at once: `comparison` of methods on one graph, `reproduction` of the paper's evaluation.

Both are grids of resumable `cells`; `plots` draws what they find.
"""
