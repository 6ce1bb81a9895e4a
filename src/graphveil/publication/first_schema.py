"""Certificates by graphveil 0.1 (schema 1): read strictly, and made again in the words of that time to be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphveil.errors import VerificationError
from graphveil.publication.certificate import Described
from graphveil.publication.documents import AttackerFigures, Changes, Statement
from graphveil.records import plain
from graphveil.risk.guarantees import Guarantee
from graphveil.words import counted

__all__ = ["SCHEMA", "expected", "promises_of"]

SCHEMA = "graphveil/certificate/1"

KNOWS = {
    "mutual-friends": "how many mutual friends two friends have",
    "degree": "how many friends a person has",
    "edge-degrees": "how many friends each of two friends has",
    "edge-degrees-and-mutual-friends": "how many friends each of two friends has, and how many mutual ones",
    "mutual-friends-around": "how many mutual friends a person has with each friend",
}
PROMISED = {
    Guarantee.NMF: "Who knows nothing but how many mutual friends two friends have, finds no friendship with that many "
    "or at least {k:,}, and the right one among them with probability 1/{k:,} at most.",
    Guarantee.DEGREE: "Who knows nothing but how many friends a person has, finds nobody with that many or at least "
    "{k:,} people, and the right one among them with probability 1/{k:,} at most.",
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
SAYS_LITTLE = (
    "So much of this graph is made up that what is measured on it says little about the original network."
)
KEPT = (
    "Attributes of people were kept, at their owner's wish. Attributes can identify people whatever the graph is "
    "like, and no promise covers them. Vertices that were added have the attributes of others, chosen at random."
)
WARNING = "Kept at the owner's wish. It can identify people, alone or together with the graph; no promise covers it."


def promises_of(document: Mapping[str, Any]) -> dict[Guarantee, float]:
    """What such a certificate promises; it may be damaged, or made by somebody who means no good."""
    try:
        promises = {each["model"]: each["promised"] for each in document["privacy"] if each["promised"]}
    except (KeyError, TypeError):
        raise VerificationError("certificate.json is damaged: it lacks what every certificate has") from None
    if (
        not promises
        or set(promises) - set(PROMISED)
        or any(type(k) is not int or k < 1 for k in promises.values())
    ):
        raise VerificationError("certificate.json is damaged: it promises nothing that is known")
    return {Guarantee(name): k for name, k in promises.items()}


def expected(
    described: Described,
    *,
    graph: Mapping[str, Any],
    changes: Changes,
    attributes: Sequence[str],
    report: Mapping[str, str],
) -> dict[str, Any]:
    """The certificate that graphveil 0.1 wrote for such a graph, all but the tool."""
    statements = [each for each in described.guarantees if each.guarantee in PROMISED]
    promised = {Guarantee(each.guarantee).terms.attacker for each in statements if each.promised}
    return {
        "schema": SCHEMA,
        "graph": {**graph, "vertices": described.vertices, "edges": described.edges},
        "privacy": [
            {
                "model": str(each.guarantee),
                "knows": each.knows,
                "promised": each.promised,
                "achieved": each.achieved,
                "class_sizes": each.group_sizes,
            }
            for each in statements
        ],
        "changes": plain(changes),
        "vertex_attributes": [{"name": name, "warning": WARNING} for name in attributes],
        "residual_risk": [
            _risk(each) for each in described.attackers if each.name in KNOWS and each.name not in promised
        ],
        "limits": _limits(described, statements, changes, attributes),
        "report": dict(report),
    }


def _risk(each: AttackerFigures) -> dict[str, Any]:
    return {
        "name": each.name,
        "knows": KNOWS[each.name],
        "target": each.target,
        "targets": each.targets,
        "classes": each.groups,
        "smallest_class": each.smallest_group,
        "highest_probability": each.highest_probability,
        "mean_probability": each.mean_probability,
        "exposures": plain(each.exposures),
    }


def _limits(
    described: Described, statements: Sequence[Statement], changes: Changes, attributes: Sequence[str]
) -> list[str]:
    vertices, edges = described.vertices, described.edges
    true = {
        "friendships": f"{edges - changes.edges_added:,} of {counted(edges, 'friendship')}",
        "people": f"{vertices - changes.vertices_added:,} of {counted(vertices, 'person', 'people')}",
    }
    made_up = changes.edges_added > 0.5 * edges or changes.vertices_added > 0.1 * vertices
    return [
        *(
            PROMISED[Guarantee(each.guarantee)].format(k=each.promised)
            if each.promised
            else f"Nothing is promised against anybody who knows {each.knows}."
            for each in statements
        ),
        *([SAYS_LITTLE] if made_up else []),
        *([KEPT] if attributes else []),
        *(sentence.format(**true) for sentence in NOT_PROMISED),
    ]
