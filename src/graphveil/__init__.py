"""graphveil: publish social graphs that withstand mutual friend attacks.

The names below are loaded when they are first used, so that ``import graphveil`` and ``graphveil --help`` stay
light (NumPy alone costs more than a help page may).
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from graphveil.anonymize import Result, anonymize
    from graphveil.audit import Audit, audit
    from graphveil.compare import Comparison, compare
    from graphveil.generate import generate
    from graphveil.graph import Cleaning, Graph
    from graphveil.io import read, write
    from graphveil.mutual import mutual_friends
    from graphveil.publish import Publication, publish
    from graphveil.utility import Attack, Utility, simulate_attacks, utility
    from graphveil.verify import Verification, verify

__all__ = [
    "Attack",
    "Audit",
    "Cleaning",
    "Comparison",
    "Graph",
    "GraphError",
    "GraphveilError",
    "InputError",
    "ParameterError",
    "Publication",
    "PublicationError",
    "Result",
    "UnreachableError",
    "Utility",
    "Verification",
    "VerificationError",
    "__version__",
    "anonymize",
    "audit",
    "compare",
    "generate",
    "mutual_friends",
    "publish",
    "read",
    "simulate_attacks",
    "utility",
    "verify",
    "write",
]

_HOME = {
    "Attack": "graphveil.utility",
    "Audit": "graphveil.audit",
    "Cleaning": "graphveil.graph",
    "Comparison": "graphveil.compare",
    "Graph": "graphveil.graph",
    "Publication": "graphveil.publish",
    "Result": "graphveil.anonymize",
    "Utility": "graphveil.utility",
    "Verification": "graphveil.verify",
    "anonymize": "graphveil.anonymize",
    "audit": "graphveil.audit",
    "compare": "graphveil.compare",
    "generate": "graphveil.generate",
    "mutual_friends": "graphveil.mutual",
    "publish": "graphveil.publish",
    "read": "graphveil.io",
    "simulate_attacks": "graphveil.utility",
    "utility": "graphveil.utility",
    "verify": "graphveil.verify",
    "write": "graphveil.io",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """Keeps ``graphveil.audit`` the function, also after Python has imported the module of the same name."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
