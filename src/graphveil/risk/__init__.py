"""What attackers can still tell apart: the audit, and attacks that are really carried out.

The names are loaded when they are first used: `graphveil.verification` takes the table of attackers and nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphveil.risk.auditing import Attacker, Audit, Exposure, Finding, Naming, audit
    from graphveil.risk.lookup import LookUp, look_up
    from graphveil.risk.reidentification import Found, Reidentification, in_a_sentence, reidentify
    from graphveil.risk.simulation import Attack, Success, simulate_attacks

__all__ = [
    "Attack",
    "Attacker",
    "Audit",
    "Exposure",
    "Finding",
    "Found",
    "LookUp",
    "Naming",
    "Reidentification",
    "Success",
    "audit",
    "in_a_sentence",
    "look_up",
    "reidentify",
    "simulate_attacks",
]

_HOME = {
    "auditing": ("Attacker", "Audit", "Exposure", "Finding", "Naming", "audit"),
    "lookup": ("LookUp", "look_up"),
    "reidentification": ("Found", "Reidentification", "in_a_sentence", "reidentify"),
    "simulation": ("Attack", "Success", "simulate_attacks"),
}


def __getattr__(name: str) -> Any:
    home = next((module for module, names in _HOME.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"graphveil.risk.{home}"), name)
    return value
