"""What attackers can still tell apart: the audit, and attacks that are really carried out.

The names are loaded when they are first used: `graphveil.verification` takes the table of attackers and nothing else.
"""
