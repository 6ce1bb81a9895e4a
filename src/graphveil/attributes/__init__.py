"""Attributes of people and friendships: coarser values, and the least coarse ones with which everybody has a group."""

from graphveil.attributes.hierarchies import Column, column_of, generalise, read_hierarchy
from graphveil.attributes.proposing import Choice, Proposal, propose

__all__ = ["Choice", "Column", "Proposal", "column_of", "generalise", "propose", "read_hierarchy"]
