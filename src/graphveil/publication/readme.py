"""README.md in ``public/``: what the files are, how to load the graph, what was changed, how to cite.

It is made from the certificate alone, by a template of `graphveil.pages`.
"""

from __future__ import annotations

import re
from textwrap import fill

from graphveil.publication.words import attributes_guaranteed, changed, verdict
from graphveil.verification.documents import Certificate
from graphveil.words import plain, size

WIDTH = 100
GAPS = "A cell is empty where a value is missing or was suppressed."


def readme(certificate: Certificate) -> str:
    """The text of README.md."""
    from graphveil.pages.rendering import plain_text

    words = verdict(certificate)
    return plain_text(
        "readme.md",
        graph=certificate.graph,
        title=escaped(certificate.data_set.title),
        lead=_wrapped(_lead(certificate)),
        verdict=[_wrapped(f"**{name}.** {text}") for name, text in words.opening],
        last=max(certificate.graph.vertices - 1, 0),
        changed=_wrapped(changed(certificate)),
        panel=certificate.after and certificate.after.panel,
        people=certificate.people,
        attributes=[
            (escaped(each.name), escaped(each.generalization)) for each in certificate.vertex_attributes
        ],
        of_edges=[(escaped(each.name), escaped(each.generalization)) for each in certificate.edge_attributes],
        holds=_wrapped(escaped(" ".join((*attributes_guaranteed(certificate), GAPS)), None)),
        citation=citation(certificate),
    )


def _lead(certificate: Certificate) -> str:
    said = certificate.data_set
    parts = [
        f"Published {said.published}" if said.published else "Published",
        *([f"contact: {escaped(said.contact)}"] if said.contact else []),
        *([f"license: {escaped(said.license)}"] if said.license else []),
    ]
    return "; ".join(parts) + "."


def citation(certificate: Certificate) -> str:
    """How to cite the graph."""
    said, graph = certificate.data_set, certificate.graph
    parts = [
        escaped(said.title) or f"Social graph of {size(graph.vertices, graph.edges)}",
        *([escaped(said.contact)] if said.contact else []),
        *([f"Published {said.published}"] if said.published else []),
        f"Anonymized with graphveil {escaped(certificate.tool.version)}",
        f"SHA-256 of {graph.file}: {graph.sha256}",
    ]
    return ". ".join(parts) + "."


def escaped(text: str, longest: int | None = 300) -> str:
    """What somebody wrote, on one line and as no markup."""
    shown = re.sub(r"([\\\\`*_\[\]#|>])", r"\\\1", plain(text, longest))
    return shown.replace("&", "&amp;").replace("<", "&lt;")


def _wrapped(text: str) -> str:
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)
