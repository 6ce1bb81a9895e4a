"""What is published of people and friendships besides the graph."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphveil.errors import ParameterError
from graphveil.graph import Graph
from graphveil.publication.attributes import Part, Wishes
from graphveil.publication.friendships import check_friendships
from graphveil.publication.people import kept_people
from graphveil.verification.safe_files import FILES


@dataclass(frozen=True)
class Kept:
    """The attributes of people as they are published; those of friendships wait until these are known."""

    wishes: Wishes = field(default_factory=Wishes)
    people: Part | None = None
    k: int | None = None  # the least size of a group; None for that of the result


def kept_attributes(graph: Graph, wishes: Wishes, *, k: int, format: str, of_counts: bool = True) -> Kept:
    """What would be published of both; complains, before any work, of what cannot be or identifies people.

    ``of_counts`` is whether mutual-friend counts are guaranteed to belong to k friendships.
    """
    if format not in FILES:
        raise ParameterError(f"there is no format {format!r}; choose one of {', '.join(FILES)}.")
    wishes.check()
    people = kept_people(graph, wishes, k=k, format=format)
    check_friendships(graph, wishes, k=k, format=format, of_counts=of_counts)
    return Kept(wishes, people, k)
