"""What attackers can still tell apart: the audit, and attacks that are really carried out."""

from graphveil.risk.auditing import Adversary, Audit, Exposure, Finding, audit
from graphveil.risk.reidentification import Found, Reidentification, in_a_sentence, reidentify
from graphveil.risk.simulation import Attack, Success, simulate_attacks

__all__ = [
    "Adversary",
    "Attack",
    "Audit",
    "Exposure",
    "Finding",
    "Found",
    "Reidentification",
    "Success",
    "audit",
    "in_a_sentence",
    "reidentify",
    "simulate_attacks",
]
