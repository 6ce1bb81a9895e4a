"""Read a published folder with its private part: the input again, or the published graph under the original ids."""

from __future__ import annotations

import os
from pathlib import Path

from graphveil.graph import Graph
from graphveil.publication.private_part import PrivatePart
from graphveil.verification.folders import public_part, read_certificate
from graphveil.verification.graph_files import read_graph


def guaranteed_sizes(folder: str | os.PathLike[str]) -> dict[str, int]:
    """The k that a certificate guarantees against each attacker, by the attacker's name."""
    goals = read_certificate(folder).goals
    return {each.attacker: int(each.level) for each in goals if each.bounds == "size"}


def reconstruct(folder: str | os.PathLike[str]) -> Graph:
    """The graph that was given to `graphveil.anonymize`, from a published folder with its private part."""
    return _both_parts(Path(folder)).original()


def under_original_ids(folder: str | os.PathLike[str]) -> Graph:
    """The published graph with the ids of the input in place of pseudonyms, from a folder with its private part."""
    both = _both_parts(Path(folder))
    return Graph(both.anonymized.edges, both.anonymized.n, both.who.ids)


def _both_parts(folder: Path) -> PrivatePart:
    public, stated = public_part(folder), read_certificate(folder)
    attributes = [each.name for each in stated.vertex_attributes]
    published = read_graph(public / stated.graph.file, stated.graph.format, attributes)
    return PrivatePart.read(public.parent / "private", published)
