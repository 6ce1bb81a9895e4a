"""The report of a publication: a page for everybody, and one for the owner of the graph.

`gathering` counts what the pages say. `discretion` decides who may see what. `pages` fills the templates of
`graphveil.pages`. `charts` and `drawing` make the pictures. docs/report.md has the reasons.
"""

from graphveil.publication.report.gathering import LEVELS, Findings, findings
from graphveil.publication.report.pages import private_page, public_page

__all__ = ["LEVELS", "Findings", "findings", "private_page", "public_page"]
