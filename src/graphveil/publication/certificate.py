"""What a published graph promises and what it does not, as facts that everybody can count again.

The certificate has two parts: what `describe` reads off the published graph alone, so that `graphveil verify` finds
every word of it confirmed or not, and what only its owner could count: the changes. docs/certificate.md has the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from dataclasses import dataclass
from threading import Thread
from typing import Any, TypeVar

import numpy as np

from graphveil._version import __version__
from graphveil.errors import VerificationError
from graphveil.graph import Graph
from graphveil.publication.files import CERTIFICATE_SCHEMA, FILES
from graphveil.publication.made_up import SAYS_LITTLE, mostly_made_up
from graphveil.records import plain
from graphveil.risk.auditing import audit
from graphveil.verification import verify
from graphveil.words import counted

__all__ = ["MODELS", "Claim", "certificate", "describe", "version_of"]

Answer = TypeVar("Answer")

MODELS = {
    "k-NMF": "mutual-friends",
    "k-degree": "degree",
}  # each promise and the adversary it is made against

PROMISED = {
    "k-NMF": "Who knows nothing but how many mutual friends two friends have, finds no friendship with that many or at "
    "least {k:,}, and the right one among them with probability 1/{k:,} at most.",
    "k-degree": "Who knows nothing but how many friends a person has, finds nobody with that many or at least {k:,} "
    "people, and the right one among them with probability 1/{k:,} at most.",
}
NOT_PROMISED = (
    "Nothing is promised against anybody who knows more than that. How far some of them get was counted, as the "
    "residual risk; with several of a person's friendships, with larger parts of the network, or with accounts "
    "planted before it was published, people may still be found.",
    "In this graph {friendships} and {people} are true. Neither that two people are friends nor that a person is in "
    "it is hidden; this is not differential privacy.",
    "If another version of the same network has been or will be published, the two can be compared, and each "
    "may give away more than this certificate says.",
    "This certificate is not signed. It says what can be counted in the graph file, not who published it.",
)
NO_CHANGES = {"edges_added": 0, "edges_deleted": 0, "vertices_added": 0}
KEPT = (
    "Attributes of people were kept, at their owner's wish. Attributes can identify people whatever the graph is "
    "like, and no promise covers them. Vertices that were added have the attributes of others, chosen at random."
)
WARNING = "Kept at the owner's wish. It can identify people, alone or together with the graph; no promise covers it."


def describe(graph: Graph, promises: Mapping[str, int]) -> dict[str, Any]:
    """All that the certificate says about the graph alone, counted afresh.

    Parameters
    ----------
    graph : as published
    promises : the k of each of `MODELS` that is promised

    Examples
    --------
    >>> from graphveil import Graph
    >>> square = Graph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> privacy = describe(square, {"k-NMF": 2})["privacy"]
    >>> [(each["model"], each["promised"], each["achieved"]) for each in privacy]
    [('k-NMF', 2, 4), ('k-degree', None, 4)]
    """
    recount = _beside(lambda: verify(graph, promises.get("k-NMF", 1), promises.get("k-degree", 1)))
    found = audit(graph, sorted(promises.values()), top=0)
    checked = recount.result()
    assert checked.degrees is not None
    achieved = {"k-NMF": checked.mutual_friends.achieved, "k-degree": checked.degrees.achieved}
    sizes = {"k-NMF": found.histogram, "k-degree": enumerate(np.bincount(graph.degrees).tolist())}
    promised_against = {MODELS[model] for model in promises}
    return {
        "vertices": graph.n,
        "edges": graph.m,
        "privacy": [
            {
                "model": model,
                "knows": found[adversary].knows,
                "promised": promises.get(model),
                "achieved": achieved[model],
                "class_sizes": {str(value): size for value, size in sizes[model] if size},
            }
            for model, adversary in MODELS.items()
        ],
        "residual_risk": [
            {key: value for key, value in plain(each).items() if key not in ("promised", "most_exposed")}
            for each in found.adversaries
            if each.name not in promised_against
        ],
    }


def _beside(work: Callable[[], Answer]) -> Future[Answer]:
    """Work on the other core."""
    answer: Future[Answer] = Future()
    context = copy_context()  # so that it can be stopped as the work around it

    def run() -> None:
        try:
            answer.set_result(context.run(work))
        except BaseException as error:
            answer.set_exception(error)

    Thread(target=run, daemon=True).start()
    return answer


def certificate(
    described: Mapping[str, Any],
    *,
    graph_file: Mapping[str, str],
    changes: Any,
    attributes: Sequence[str],
) -> dict[str, Any]:
    """The certificate of a graph that `describe` has described, all but the line on the report."""
    return {
        "schema": CERTIFICATE_SCHEMA,
        "tool": {"name": "graphveil", "version": __version__},
        "graph": {**graph_file, "vertices": described["vertices"], "edges": described["edges"]},
        "privacy": described["privacy"],
        "changes": changes,
        "vertex_attributes": [{"name": name, "warning": WARNING} for name in attributes],
        "residual_risk": described["residual_risk"],
        "limits": _limits(described, changes or NO_CHANGES, attributes),
    }


def _limits(described: Mapping[str, Any], changes: Mapping[str, int], attributes: Sequence[Any]) -> list[str]:
    """What is promised and what is not, in plain words."""
    promised = [
        PROMISED[each["model"]].format(k=each["promised"])
        if each["promised"]
        else f"Nothing is promised against anybody who knows {each['knows']}."
        for each in described["privacy"]
    ]
    vertices, edges = described["vertices"], described["edges"]
    true = {
        "friendships": f"{edges - changes['edges_added']:,} of {counted(edges, 'friendship')}",
        "people": f"{vertices - changes['vertices_added']:,} of {counted(vertices, 'person', 'people')}",
    }
    return [
        *promised,
        *([SAYS_LITTLE] if mostly_made_up(vertices, edges, changes) else []),
        *([KEPT] if attributes else []),
        *(sentence.format(**true) for sentence in NOT_PROMISED),
    ]


@dataclass(frozen=True)
class Claim:
    """What has to be known of a certificate to read the graph."""

    file: str
    format: str
    attributes: tuple[str, ...]
    promises: dict[str, int]

    @classmethod
    def of(cls, document: Any) -> Claim:
        """Read off a certificate that may be damaged, or made by somebody who means no good."""
        if not isinstance(document, dict) or document.get("schema") != CERTIFICATE_SCHEMA:
            raise VerificationError(f"certificate.json does not follow the schema {CERTIFICATE_SCHEMA}")
        try:
            format = document["graph"]["format"]
            promises = {each["model"]: each["promised"] for each in document["privacy"] if each["promised"]}
            attributes = tuple(each["name"] for each in document["vertex_attributes"])
            file = FILES[format]
        except (KeyError, TypeError):
            raise VerificationError(
                "certificate.json is damaged: it lacks what every certificate has"
            ) from None
        if (
            not promises
            or set(promises) - set(MODELS)
            or any(type(k) is not int or k < 1 for k in promises.values())
        ):
            raise VerificationError("certificate.json is damaged: it promises nothing that is known")
        return cls(file, format, attributes, promises)


def version_of(document: Mapping[str, Any]) -> str | None:
    """The version of graphveil that a certificate names, if it has the right form."""
    tool = document.get("tool")
    if not isinstance(tool, dict) or tool.keys() != {"name", "version"} or tool["name"] != "graphveil":
        return None
    return tool["version"] if isinstance(tool["version"], str) else None
