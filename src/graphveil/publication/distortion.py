"""When so much of a graph was changed that it is worth a warning.

The guarantee holds whatever it costs. If k is large for the graph, so many friendships and dummy people may be
added that the result has little to do with the original. The owner is told before publishing, and readers are told
in the report.
"""

from __future__ import annotations

from graphveil.errors import ParameterError
from graphveil.verification.documents import Changes
from graphveil.words import counted

MOST_EDGES, MOST_PEOPLE = 0.5, 0.1  # shares that may be new without a warning


def check_k(edges: int, k: float | None) -> None:
    """Refuse to publish a graph with a k above the number of its friendships; None where no k-NMF is guaranteed.

    Then no group of the original is large enough, and every group needs added friendships. `graphveil.anonymize` can do
    that, but what it gives is not the owner's network any more.

    >>> check_k(300, 25)
    >>> check_k(300, 301)
    Traceback (most recent call last):
    graphveil.errors.ParameterError: k = 301 is too large: the graph has 300 friendships. Choose k up to 300, ...
    """
    if k is None or k <= edges or not edges:
        return
    problem = f"k = {k:,} is too large: the graph has {counted(edges, 'friendship')}"
    if edges < 2:
        raise ParameterError(f"{problem}. This graph is too small to be published.")
    raise ParameterError(
        f"{problem}. Choose k up to {edges:,}, better far below: every group needs k of them."
    )


def is_distorted(vertices: int, edges: int, changes: Changes) -> bool:
    """Whether more than half of the friendships or a tenth of the people in a graph are not in the original.

    >>> changes = Changes(edges_added=30, edges_deleted=9, vertices_added=2)
    >>> [is_distorted(20, edges, changes) for edges in (59, 60)], is_distorted(19, 60, changes)
    ([True, False], True)
    """
    return changes.edges_added > MOST_EDGES * edges or changes.vertices_added > MOST_PEOPLE * vertices
