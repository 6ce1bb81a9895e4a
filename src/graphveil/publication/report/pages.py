"""The two pages: what is on each, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from graphveil.methods import Result
from graphveil.publication.report import sections
from graphveil.publication.report.discretion import OPEN, towards_everybody, view
from graphveil.publication.report.elements import Markup, items, join, markup, paragraph, section
from graphveil.publication.report.findings import Findings
from graphveil.words import size

__all__ = ["private_page", "public_page"]

Certificate = Mapping[str, Any]
Section = tuple[str, str, Sequence[Markup]]  # name, title, content

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the guarantee</a>
<header>
<h1>{title}</h1>
{lead}
<nav aria-label="Sections">{contents}</nav>
</header>
<main id="main">
{sections}
</main>
<footer>
<p>Written by {tool} {version}.</p>
</footer>
</body>
</html>
"""


def public_page(certificate: Certificate, found: Findings) -> str:
    """The report for everybody. It has no word of the original but what `discretion` allows."""
    k = max(each["promised"] or 1 for each in certificate["privacy"])
    shown = view(certificate, found, towards_everybody(k, found.vertices, found.edges))
    brief = found.utility is None
    return _page(
        certificate,
        "A published graph and what it promises",
        paragraph(f"{_size(certificate)}, under pseudonyms.", "lead"),
        [
            ("guarantee", "The guarantee and its proof", sections.verdicts(certificate)),
            ("asked", "What was asked", [sections.asked(certificate)]),
            ("risk", "Risk, before and after", sections.risks(shown)),
            (
                "changes",
                "What was changed",
                [*sections.what_changed(certificate), paragraph(sections.NOT_WHICH)],
            ),
            ("kept", "What was kept", sections.what_was_kept(shown, brief=brief)),
            ("picture", "How it works, in a picture", sections.example()),
            ("limits", "What this does not do", [items(certificate["limits"])]),
            (
                "discretion",
                "What is shown of the original",
                [items(sections.discretion_rules(shown.discretion))],
            ),
            ("check", "Check it yourself", sections.how_to_check(certificate)),
        ],
    )


def private_page(certificate: Certificate, found: Findings, result: Result) -> str:
    """The report for the owner, who may see everything."""
    shown = view(certificate, found, OPEN)
    brief = found.utility is None
    return _page(
        certificate,
        "How this graph was published: for its owner only",
        paragraph(
            "This page names people and tells which friendships are not true. It belongs under lock, with the rest of "
            "the private folder.",
            "warning",
        ),
        [
            ("guarantee", "The guarantee and its proof", sections.verdicts(certificate, found.class_sizes)),
            ("asked", "What was asked", [sections.asked(certificate, sections.how(result))]),
            ("risk", "Risk, before and after", [*sections.risks(shown), *sections.attacks(found)]),
            ("exposed", "Who was exposed most", sections.most_exposed(found)),
            ("changes", "What was changed", [*sections.what_changed(certificate), paragraph(sections.WHICH)]),
            ("kept", "What was kept", sections.what_was_kept(shown, brief=brief)),
            ("picture", "Around the most exposed friendship", sections.true_picture(found)),
            ("limits", "What this does not do", [items(certificate["limits"])]),
            ("check", "Check it yourself", sections.how_to_check(certificate)),
        ],
    )


def _size(certificate: Certificate) -> str:
    return size(certificate["graph"]["vertices"], certificate["graph"]["edges"])


def _page(certificate: Certificate, title: str, lead: Markup, content: Sequence[Section]) -> str:
    contents = join(
        markup('<li><a href="#{name}">{title}</a></li>', name=name, title=title) for name, title, _ in content
    )
    return markup(
        PAGE,
        title=title,
        style=Markup(
            resources.files("graphveil.publication.report").joinpath("style.css").read_text("utf-8")
        ),
        lead=lead,
        contents=markup("<ul>{contents}</ul>", contents=contents),
        sections=join((section(name, title, *parts) for name, title, parts in content), "\n"),
        tool=certificate["tool"]["name"],
        version=certificate["tool"]["version"],
    )
