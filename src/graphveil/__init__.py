"""graphveil: publish social graphs that withstand mutual friend attacks.

The names below are loaded when they are first used, so that ``import graphveil`` and ``graphveil --help`` stay
light (NumPy alone costs more than a help page may).
"""

from __future__ import annotations

from graphveil._version import __version__
from graphveil.errors import (
    GraphError,
    GraphveilError,
    InputError,
    ParameterError,
    PublicationError,
    UnreachableError,
    VerificationError,
)

TYPE_CHECKING = False  # typing takes longer to load than all that is needed here
if TYPE_CHECKING:
    from typing import Any

    from graphveil.experiments.comparison import Comparison, compare
    from graphveil.formats import Preview, as_graph, cautions, preview, read, write
    from graphveil.generation import generate
    from graphveil.graph import Graph
    from graphveil.measures import Utility
    from graphveil.methods import Result
    from graphveil.mutual import mutual_friends
    from graphveil.publication import (
        Inspection,
        Publication,
        Statement,
        anonymize,
        attack,
        publish,
        restore,
        simulate_attacks,
        statement,
        utility,
        verify,
    )
    from graphveil.risk import Attack, Audit, LookUp, Reidentification, audit, look_up
    from graphveil.verification import Verification

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
    "Attack": "graphveil.risk",
    "Audit": "graphveil.risk",
    "Caution": "graphveil.origin",
    "Cleaning": "graphveil.origin",
    "Comparison": "graphveil.experiments.comparison",
    "Graph": "graphveil.graph",
    "Inspection": "graphveil.publication",
    "Preview": "graphveil.formats",
    "Publication": "graphveil.publication",
    "Reading": "graphveil.origin",
    "Reidentification": "graphveil.risk",
    "Result": "graphveil.methods",
    "Statement": "graphveil.publication",
    "Utility": "graphveil.measures",
    "Verification": "graphveil.verification",
    "anonymize": "graphveil.publication",
    "attack": "graphveil.publication",
    "as_graph": "graphveil.formats",
    "audit": "graphveil.risk",
    "cautions": "graphveil.formats",
    "compare": "graphveil.experiments.comparison",
    "generate": "graphveil.generation",
    "LookUp": "graphveil.risk",
    "look_up": "graphveil.risk",
    "mutual_friends": "graphveil.mutual",
    "preview": "graphveil.formats",
    "publish": "graphveil.publication",
    "read": "graphveil.formats",
    "simulate_attacks": "graphveil.publication",
    "statement": "graphveil.publication",
    "utility": "graphveil.publication",
    "restore": "graphveil.publication",
    "verify": "graphveil.publication",
    "write": "graphveil.formats",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
