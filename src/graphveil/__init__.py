"""graphveil: publish social graphs that withstand mutual friend attacks.

The names below are loaded when they are first used, so that ``import graphveil`` and ``graphveil --help`` stay
light (NumPy alone costs more than a help page may).
"""

from __future__ import annotations

from graphveil._version import __version__

TYPE_CHECKING = False  # typing takes longer to load than all that is needed here
if TYPE_CHECKING:
    from typing import Any

    from graphveil.errors import (
        GraphError,
        GraphveilError,
        InputError,
        ParameterError,
        PublicationError,
        UnreachableError,
        VerificationError,
    )
    from graphveil.experiments.comparison.comparing import compare
    from graphveil.experiments.comparison.results import Comparison
    from graphveil.formats.advice.cautions import cautions
    from graphveil.formats.advice.previewing import Preview, preview
    from graphveil.formats.inputs import as_graph
    from graphveil.formats.reading import read
    from graphveil.formats.writing import write
    from graphveil.generation import generate
    from graphveil.graph import Graph
    from graphveil.measures.comparison import Utility
    from graphveil.methods.result import Result
    from graphveil.mutual import mutual_friends
    from graphveil.origin import Caution, Cleaning, Reading
    from graphveil.publication.accepts_folders import attack, simulate_attacks, utility, verify
    from graphveil.publication.again import anonymize
    from graphveil.publication.publishing import Publication, publish
    from graphveil.publication.restoring import restore
    from graphveil.publication.stating import Statement, statement
    from graphveil.risk.auditing import Audit, audit
    from graphveil.risk.lookup import LookUp, look_up
    from graphveil.risk.reidentification import Reidentification
    from graphveil.risk.simulation import Attack
    from graphveil.verification.folders import Inspection
    from graphveil.verification.graphs import Verification

__all__ = [
    "Attack",
    "Audit",
    "Caution",
    "Cleaning",
    "Comparison",
    "Graph",
    "GraphError",
    "GraphveilError",
    "InputError",
    "Inspection",
    "LookUp",
    "ParameterError",
    "Preview",
    "Publication",
    "PublicationError",
    "Reading",
    "Reidentification",
    "Result",
    "Statement",
    "UnreachableError",
    "Utility",
    "Verification",
    "VerificationError",
    "__version__",
    "anonymize",
    "as_graph",
    "attack",
    "audit",
    "cautions",
    "compare",
    "generate",
    "look_up",
    "mutual_friends",
    "preview",
    "publish",
    "read",
    "restore",
    "simulate_attacks",
    "statement",
    "utility",
    "verify",
    "write",
]

_HOME = {
    name: f"graphveil.{module}"
    for module, names in {
        "errors": "GraphError GraphveilError InputError ParameterError PublicationError "
        "UnreachableError VerificationError",
        "experiments.comparison.comparing": "compare",
        "experiments.comparison.results": "Comparison",
        "formats.advice.cautions": "cautions",
        "formats.advice.previewing": "Preview preview",
        "formats.inputs": "as_graph",
        "formats.reading": "read",
        "formats.writing": "write",
        "generation": "generate",
        "graph": "Graph",
        "measures.comparison": "Utility",
        "methods.result": "Result",
        "mutual": "mutual_friends",
        "origin": "Caution Cleaning Reading",
        "publication.accepts_folders": "attack simulate_attacks utility verify",
        "publication.again": "anonymize",
        "publication.publishing": "Publication publish",
        "publication.restoring": "restore",
        "publication.stating": "Statement statement",
        "risk.auditing": "Audit audit",
        "risk.lookup": "LookUp look_up",
        "risk.reidentification": "Reidentification",
        "risk.simulation": "Attack",
        "verification.folders": "Inspection",
        "verification.graphs": "Verification",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
