"""Publish an anonymized graph: a folder for everybody and one to lock away, both whole or not there at all.

``public/`` holds the graph under pseudonyms, its certificate and a report; ``private/`` holds who is who, what was
changed, how to do it again, and a report that tells more. Before the two appear they are read back: the graph is
recounted, and public and private together must give the input again.
"""

from graphveil.publication.accepts_folders import attack, simulate_attacks, utility, verify
from graphveil.publication.again import anonymize
from graphveil.publication.checking import check, reconstruct
from graphveil.publication.publishing import Publication, publish
from graphveil.publication.restoring import Restored, preview_restore, restore
from graphveil.publication.stating import Statement, statement
from graphveil.verification.folders import Inspection, publications
from graphveil.verification.safe_files import FILES

__all__ = [
    "FILES",
    "Inspection",
    "Publication",
    "Restored",
    "Statement",
    "anonymize",
    "attack",
    "check",
    "preview_restore",
    "publications",
    "publish",
    "reconstruct",
    "restore",
    "simulate_attacks",
    "statement",
    "utility",
    "verify",
]
