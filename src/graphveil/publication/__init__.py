"""Publish an anonymized graph: a folder for everybody and one to lock away, both whole or not there at all.

``public/`` holds the graph under pseudonyms, its certificate and a report; ``private/`` holds who is who, what was
changed, how to do it again, and a report that tells more. Before the two appear they are read back: the graph is
recounted, and public and private together must give the input again.
"""

from graphveil.publication.checking import check, reconstruct
from graphveil.publication.restoring import preview_restore, restore
from graphveil.publication.stating import save_statement

__all__ = ["check", "preview_restore", "reconstruct", "restore", "save_statement"]
