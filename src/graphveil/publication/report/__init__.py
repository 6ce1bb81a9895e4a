"""The report of a publication: a page for everybody, and one for the owner of the graph.

`findings` counts what is to be said, `discretion` decides what of it may be said to whom, `pages` fills
the templates of `graphveil.pages` with it, `charts` and `drawing` make the pictures. docs/report.md has the reasons.
"""

from graphveil.publication.report.gathering import LEVELS, Findings, findings
from graphveil.publication.report.pages import private_page, public_page

__all__ = ["LEVELS", "Findings", "findings", "private_page", "public_page"]
