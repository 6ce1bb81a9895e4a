"""What attackers can still tell apart: the audit, and attacks that are really carried out."""

from graphveil.risk.auditing import Attacker, Audit, Exposure, Finding, Naming, audit
from graphveil.risk.guarantees import Guarantee
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
    "Guarantee",
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
