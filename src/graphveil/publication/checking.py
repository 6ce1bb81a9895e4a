"""Check a published folder with its private part too: both together must give the input again, exactly.

The public part is checked by `graphveil.verification`. What only the owner can check is here: the private files are as
they were published, the changes and pseudonyms are those of the graph, and the pseudonyms are those of the seed.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np

from graphveil.errors import InputError
from graphveil.formats.reading import read
from graphveil.formats.table import FormatName
from graphveil.goals import Goals
from graphveil.graph import Graph
from graphveil.publication.friendships import TABLES
from graphveil.publication.private_part import PrivatePart, problems_of_private_part, readable_by_others
from graphveil.publication.weighing import guaranteed_against
from graphveil.verification.folders import Inspection, check_public, public_part, read_certificate
from graphveil.verification.people import read_published
from graphveil.verification.safe_files import armour, is_folder

UNCHECKED = ("by which method and options it was made",)  # to see that, run it again


def check(
    folder: str | os.PathLike[str],
    *,
    asked: Goals = (),
    original: Graph | None = None,
    after: str | os.PathLike[str] | None = None,
) -> Inspection:
    """Check a folder that `graphveil.publish` wrote, or its public part, for its own guarantees and those asked for.

    With the original, the private part is checked too, and must reproduce it. ``after`` is the earlier release that the
    certificate names, or its public part.
    """
    if original is None:
        return check_public(folder, asked, after).inspection
    around = public_part(Path(folder)).resolve().parent
    if not is_folder(around / "private"):
        raise InputError(
            around / "private",
            "the private part is not there, and without it the input cannot be compared",
            remedy="Put it back beside the public part, or verify without original=.",
        )
    found = check_public(folder, asked, after)
    outside = replace(found.inspection, inside=True)
    if found.certificate is None or found.graph is None:
        return outside
    if is_folder(around / "public" / found.certificate.graph.file):
        raise InputError(
            around / "public" / found.certificate.graph.file,
            "this graph is in parts, as Spark publishes it, and its private part cannot be compared here",
            remedy="Verify without original=.",
        )
    problems = problems_of_private_part(around, found.graph, found.certificate, original)
    return replace(
        outside,
        problems=tuple(dict.fromkeys((*outside.problems, *problems))),
        unchecked=UNCHECKED,
        notes=(*outside.notes, *readable_by_others(around / "private")),
    )


def guaranteed_sizes(folder: str | os.PathLike[str]) -> dict[str, int]:
    """The k that a certificate guarantees against each attacker, by the attacker's name."""
    return guaranteed_against(read_certificate(folder))


def reconstruct(folder: str | os.PathLike[str]) -> Graph:
    """The graph that was given to `graphveil.anonymize`, from a published folder with its private part."""
    return _both_parts(Path(folder)).original()


def under_original_ids(folder: str | os.PathLike[str]) -> Graph:
    """The published graph with the ids of the input in place of pseudonyms, from a folder with its private part.

    Its edges have the attributes that were published.
    """
    both, stated = _both_parts(Path(folder)), read_certificate(folder)
    if not stated.edge_attributes:
        return Graph(both.anonymized.edges, both.anonymized.n, both.who.ids)
    file, shows = public_part(Path(folder)) / stated.graph.file, stated.graph.format in TABLES
    names = [armour(each.name) if shows else each.name for each in stated.edge_attributes]
    shown = read(file, format=cast(FormatName, stated.graph.format), keep_edge_attributes=names)
    return shown.renumbered(np.argsort(both.who.pseudonyms), both.who.ids)


def _both_parts(folder: Path) -> PrivatePart:
    public, stated = public_part(folder), read_certificate(folder)
    return PrivatePart.read(public.parent / "private", read_published(public, stated))
