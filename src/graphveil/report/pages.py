"""The two pages: what they say, section by section."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Any

from graphveil.anonymize import Result
from graphveil.report import drawing
from graphveil.report.charts import class_chart, distribution_chart, meter, scale_chart
from graphveil.report.discretion import OPEN, Bins, Discretion, Pair, Risk, View, towards_everybody, view
from graphveil.report.elements import (
    Markup,
    card,
    details,
    facts,
    items,
    join,
    markup,
    paragraph,
    section,
    table,
)
from graphveil.report.findings import FULL_UP_TO, Findings
from graphveil.words import counted, percent, plain, size

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
            ("guarantee", "The guarantee and its proof", [_verdict(each) for each in _promised(certificate)]),
            ("asked", "What was asked", [_asked(certificate)]),
            ("risk", "Risk, before and after", _risk(shown)),
            ("changes", "What was changed", [*_changes(certificate), paragraph(NOT_WHICH)]),
            ("kept", "What was kept", _kept(shown, brief=brief)),
            ("picture", "How it works, in a picture", _example()),
            ("limits", "What this does not do", [items(certificate["limits"])]),
            ("discretion", "What is shown of the original", [items(_discretion(shown.discretion))]),
            ("check", "Check it yourself", _check(certificate)),
        ],
    )


def private_page(certificate: Certificate, found: Findings, result: Result) -> str:
    """The report for the owner, who may see everything."""
    shown = view(certificate, found, OPEN)
    brief = found.utility is None
    before = found.class_sizes
    return _page(
        certificate,
        "How this graph was published: for its owner only",
        paragraph(
            "This page names people and tells which friendships are not true. It belongs under lock, with the rest of "
            "the private folder.",
            "warning",
        ),
        [
            (
                "guarantee",
                "The guarantee and its proof",
                [_verdict(each, before[each["model"]]) for each in _promised(certificate)],
            ),
            ("asked", "What was asked", [_asked(certificate, _how(result))]),
            ("risk", "Risk, before and after", [*_risk(shown), *_attacks(found)]),
            ("exposed", "Who was exposed most", _exposed(found)),
            ("changes", "What was changed", [*_changes(certificate), paragraph(WHICH)]),
            ("kept", "What was kept", _kept(shown, brief=brief)),
            ("picture", "Around the most exposed friendship", _true_picture(found)),
            ("limits", "What this does not do", [items(certificate["limits"])]),
            ("check", "Check it yourself", _check(certificate)),
        ],
    )


def _size(certificate: Certificate) -> str:
    return size(certificate["graph"]["vertices"], certificate["graph"]["edges"])


def _page(certificate: Certificate, title: str, lead: Markup, sections: Sequence[Section]) -> str:
    contents = join(
        markup('<li><a href="#{name}">{title}</a></li>', name=name, title=title)
        for name, title, _ in sections
    )
    return markup(
        PAGE,
        title=title,
        style=Markup(resources.files("graphveil.report").joinpath("style.css").read_text("utf-8")),
        lead=lead,
        contents=markup("<ul>{contents}</ul>", contents=contents),
        sections=join((section(name, title, *parts) for name, title, parts in sections), "\n"),
        tool=certificate["tool"]["name"],
        version=certificate["tool"]["version"],
    )


# ---------------------------------------------------------------------- the guarantee


WHAT = {"k-NMF": ("mutual friends", "friendships"), "k-degree": ("friends", "people")}


def _promised(certificate: Certificate) -> list[Mapping[str, Any]]:
    return [each for each in certificate["privacy"] if each["promised"]]


def _verdict(each: Mapping[str, Any], before: Mapping[int, int] | None = None) -> Markup:
    """The promise, its proof, and a picture of it; with the original beside it for those who may see that."""
    what, of = WHAT[each["model"]]
    k, achieved = each["promised"], each["achieved"]
    after = {int(value): count for value, count in each["class_sizes"].items()}
    graphs = {"After": after} if before is None else {"Before": before, "After": after}
    smallest = f"the smallest crowd has {achieved:,} {of}" if achieved else f"there are no {of}"
    return markup(
        '<div class="verdict{both}"><div>\n<p class="k">k = {k:,}</p>\n'
        "<p>Every number of {what} that occurs, occurs with {k:,} {of} or more. Who knows nothing but that number "
        "finds the right one with a chance of 1 in {k:,} at most.</p>\n"
        '<p><span class="holds">✔ It holds.</span> Counted afresh in the published file, {smallest}: no dot is below '
        'the line.</p>\n</div><div class="charts">\n{charts}\n</div></div>',
        both=" both" if before is not None else "",
        k=k,
        what=what,
        of=of,
        smallest=smallest,
        charts=join(
            _captioned(class_chart(sizes, k, what=what, of=of, when=when), when)
            for when, sizes in graphs.items()
        ),
    )


def _captioned(chart: Markup, when: str) -> Markup:
    return markup(
        '<div><p><span class="{kind}-word">{when}</span>: one dot for each number that occurs</p>{chart}</div>',
        kind=when.lower(),
        when=when,
        chart=chart,
    )


def _asked(certificate: Certificate, more: Sequence[tuple[str, str]] = ()) -> Markup:
    def promise(each: Mapping[str, Any]) -> str:
        what, of = WHAT[each["model"]]
        if not each["promised"]:
            return f"nothing promised; the smallest crowd has {each['achieved'] or 0:,} {of}"
        return f"each number of {what} on {each['promised']:,} {of} at least"

    graph = certificate["graph"]
    kept = [
        (f"Attribute kept: {plain(each['name'], 200)}", each["warning"])
        for each in certificate["vertex_attributes"]
    ]
    return facts(
        [
            *((each["model"], promise(each)) for each in certificate["privacy"]),
            (
                "The graph",
                f"{size(graph['vertices'], graph['edges'])}, in {graph['file']} ({graph['format']})",
            ),
            *(kept or [("Attributes of people", "none kept")]),
            *more,
        ]
    )


def _how(result: Result) -> list[tuple[str, str]]:
    return [
        ("Method", result.method),
        ("The original", size(result.original.n, result.original.m)),
        ("The seed", "in run.json; with it and the input the same command gives the same bytes"),
    ]


# ---------------------------------------------------------------------- risk


def _risk(shown: View) -> list[Markup]:
    headings = (
        "Somebody who knows …",
        "Promised?",
        "At risk before",
        "At risk after",
        "Smallest crowd, before → after",
        "Chance on average, before → after",
    )
    open_ = [risk for risk in shown.risks if not risk.promised and risk.after[0] > 0]
    parts = [
        paragraph(
            "At risk is who hides among fewer than k from somebody who knows one thing of the original and looks for "
            "it in the graph. Before means: had the original been published with its names removed."
        ),
        table("Who is at risk, by what somebody knows", headings, map(_risk_row, shown.risks), words=(0, 1)),
    ]
    if any(risk.before is None for risk in shown.risks):
        why = (
            "not counted in a brief report" if shown.discretion.decimals else "not shown of so small a graph"
        )
        parts.append(paragraph(f"–: {why}.", "note"))
    if open_:
        worst = max(open_, key=lambda risk: risk.after[0])
        parts.append(
            paragraph(
                f"Not everybody is stopped. Somebody who knows {worst.knows} can still narrow down {worst.after[1]} of "
                f"the {worst.whom} to fewer than {worst.k:,}. Whoever publishes this graph accepts that.",
                "warning",
            )
        )
    return parts


def _risk_row(risk: Risk) -> list[str]:
    def bar(figure: tuple[float, str] | None, kind: str) -> str:
        return "–" if figure is None else markup("{words}{bar}", words=figure[1], bar=meter(figure[0], kind))

    promised = f"yes,\u00a0k\u00a0=\u00a0{risk.k:,}" if risk.promised else "no"
    return [
        risk.knows,
        markup('<span class="{kind}">{it}</span>', kind="good" if risk.promised else "bad", it=promised),
        bar(risk.before, "before"),
        bar(risk.after, "after"),
        f"{risk.smallest[0]} → {risk.smallest[1]}",
        f"{risk.chance[0]} → {risk.chance[1]}",
    ]


def _attacks(found: Findings) -> list[Markup]:
    if not found.attacks:
        return []

    def chance(value: float | None) -> str:
        return "–" if value is None else percent(value)

    headings = (
        "Somebody who knows …",
        "looks for",
        "found for certain, before",
        "found for certain, after",
        "chance on average, before",
        "chance on average, after",
        "misled",
        "not among the candidates",
    )
    rows = (
        (
            attack.knows,
            f"{attack.targets:,} {'friendships' if attack.target == 'edge' else 'people'}",
            f"{attack.before.certain:,}",
            f"{attack.after.certain:,}",
            chance(attack.before.expected),
            chance(attack.after.expected),
            f"{attack.after.misled:,}",
            f"{attack.after.out_of_sight:,}",
        )
        for attack in found.attacks
    )
    return [
        Markup("<h3>The attack, simulated</h3>"),
        paragraph(
            "Each adversary knows his victim as it was and looks for it in the published graph. "
            "Misled is who finds a single candidate, and a wrong one. The public report does not have this table: "
            "it tells how far a lone candidate can be trusted."
        ),
        table("Every friendship and person of the original, attacked", headings, rows, words=(0, 1)),
    ]


def _exposed(found: Findings) -> list[Markup]:
    if found.audit is None:
        return [paragraph("Not counted in a brief report. Use graphveil audit on the original.")]
    parts = []
    for adversary in found.audit.adversaries[:2]:
        rows = (
            (
                " – ".join(plain(label, 60) for label in finding.labels),
                f"{next(iter(finding.knowledge.values())):,}",
                f"{finding.class_size:,}",
            )
            for finding in adversary.most_exposed
        )
        if adversary.most_exposed:
            what = "mutual friends" if adversary.target == "edge" else "friends"
            caption = f"In the original, to somebody who knows {adversary.knows}"
            parts.append(table(caption, ("Who", what, "crowd"), rows))
    return parts or [paragraph("Nobody: everybody hid among k or more already.")]


# ---------------------------------------------------------------------- changes


NOT_WHICH = (
    "Which ones, only the owner of the graph knows. Nothing in the graph file tells them from the others."
)
WHICH = "Which ones is in changes.csv."


def _changes(certificate: Certificate) -> list[Markup]:
    changes, edges = certificate["changes"], certificate["graph"]["edges"]
    original = edges - changes["edges_added"] + changes["edges_deleted"]

    def of_all(number: int, whole: int) -> str:
        return f"{percent(number / whole)} of those before" if whole else ""

    people = certificate["graph"]["vertices"] - changes["vertices_added"]
    cards = (
        ("Friendships added", changes["edges_added"], original),
        ("Friendships deleted", changes["edges_deleted"], original),
        ("People added", changes["vertices_added"], people),
    )
    return [
        _cards(
            card(title, paragraph(f"{number:,}", "figure"), paragraph(of_all(number, whole), "note"))
            for title, number, whole in cards
        )
    ]


def _cards(cards: Iterable[Markup], kind: str = "") -> Markup:
    return markup('<div class="cards {kind}">\n{cards}\n</div>', kind=kind, cards=join(cards, "\n"))


# ---------------------------------------------------------------------- utility


TOO_SMALL = (
    "The graph is so small that every figure of the original would tell of a few people. None is shown."
)


def _kept(shown: View, *, brief: bool) -> list[Markup]:
    if not shown.discretion.decimals:
        return [paragraph(TOO_SMALL)]
    parts = [
        paragraph(
            markup(
                '<span class="before-word">Before</span> is hollow, <span class="after-word">after</span> is solid. '
                "{rounded}",
                rounded=_rounded(shown.discretion),
            )
        ),
        _cards(map(_pair, shown.pairs)),
        _cards(map(_distribution, shown.bins), "wider"),
    ]
    if shown.kept:
        rows = ((each.title, each.meaning, each.value[1], each.unchanged) for each in shown.kept)
        headings = ("", "measured as", "value", "if nothing had been changed")
        parts.append(table("How alike the two graphs are, person by person", headings, rows, words=(0, 1)))
    if brief:
        parts.append(
            paragraph(
                f"This is a brief report, as graphs of more than {FULL_UP_TO:,} friendships get unless a longer one is "
                "asked for: only what the numbers of friends and of mutual friends tell was counted.",
                "note",
            )
        )
    return parts


def _rounded(discretion: Discretion) -> str:
    if not discretion.public:
        return "Nothing is left out."
    return f"All figures are rounded, shares to {percent(discretion.step)}."


def _pair(pair: Pair) -> Markup:
    return card(
        pair.title,
        paragraph(pair.meaning, "note"),
        markup(
            '<p class="figures"><span>before <span class="before-word">{before}</span></span> '
            '<span>after <span class="after-word">{after}</span></span> <span>{error}</span></p>',
            before=pair.before[1],
            after=pair.after[1],
            error=pair.error,
        ),
        scale_chart(pair),
    )


def _distribution(bins: Bins) -> Markup:
    rows = (
        (name, before[1], after[1])
        for name, before, after in zip(bins.ranges, bins.before, bins.after, strict=True)
    )
    caption = f"Share of {bins.of} by {bins.what}"
    return card(
        bins.title,
        distribution_chart(bins),
        details("The same as a table", table(caption, (bins.what, "before", "after"), rows)),
    )


# ---------------------------------------------------------------------- pictures


def _example() -> list[Markup]:
    return [
        paragraph(
            "A made-up example, the same in every report. D and E have four mutual friends, A, B, G and H, and no "
            "other two friends have four: whoever knows that has found them, though the names are gone. With two "
            "friendships more, A – B and F – G, two pairs of friends have four, and every other number that occurs "
            "occurs twice as well: k is 2."
        ),
        *_pictures(drawing.EXAMPLE),
        paragraph(
            "There is no such picture of the graph itself, because it would tell which friendships are not true, just "
            "where that matters most.",
            "note",
        ),
    ]


def _true_picture(found: Findings) -> list[Markup]:
    around = found.neighbourhood
    if around is None:
        return [paragraph("No friendship was exposed by its number of mutual friends.")]
    added, deleted = around.changes()
    mutual, crowd = around.mutual, around.crowd
    now = (
        f"Now they have {mutual[1]:,}, as on {counted(crowd[1], 'friendship')}."
        if mutual[1] is not None and crowd[1] is not None
        else "Now they are no longer friends."
    )
    left_out = f" {around.left_out:,} more of their friends are not drawn." if around.left_out else ""
    return [
        paragraph(
            f"{around.name(0, 60)} and {around.name(1, 60)} had {counted(mutual[0], 'mutual friend')}, as on "
            f"{counted(crowd[0], 'friendship')} of the original, theirs included. {now}{left_out}"
        ),
        *_pictures(around),
        facts([("Added here", ", ".join(added) or "none"), ("Deleted here", ", ".join(deleted) or "none")]),
    ]


KEY = {
    "exposed": "the friendship in question",
    "added": "added",
    "deleted": "to be deleted",
    "kept": "before and after",
}
KEY_LINE = """<li><svg class="drawing" viewBox="0 0 32 12" aria-hidden="true">
<line class="{kind}" x2="32" y1="6" y2="6"/></svg>{words}</li>"""


def _pictures(around: drawing.Neighbourhood) -> list[Markup]:
    kinds = {"exposed", "kept"}
    kinds |= {"added"} if around.after - around.before else set()
    kinds |= {"deleted"} if around.before - around.after - {(0, 1)} else set()
    key = join(markup(KEY_LINE, kind=kind, words=words) for kind, words in KEY.items() if kind in kinds)
    return [
        markup(
            '<div class="drawings">{before}{after}</div>\n<ul class="key note">{key}</ul>',
            before=card("Before", drawing.draw(around, when="before")),
            after=card("After", drawing.draw(around, when="after")),
            key=key,
        )
    ]


# ---------------------------------------------------------------------- the rest


def _discretion(discretion: Discretion) -> list[str]:
    k = discretion.least
    return [
        "This page is read by those who look for people too, so it says nothing of the original that tells of a few.",
        f"Figures of the original are over the whole graph, and rounded so coarsely that {k:,} friendships or people "
        f"more or less would hardly show. Counts below {k:,} are not given.",
        f"Distributions are in ranges that hold {k:,} friendships or people of the original at least.",
        "There is no word on which friendships were added or deleted, on the largest or rarest numbers of the "
        "original, or on how well the changes can be told from the rest.",
    ]


def _check(certificate: Certificate) -> list[Markup]:
    graph = certificate["graph"]
    return [
        paragraph(
            "All that certificate.json says of the graph can be counted again by everybody, with the folder that this "
            "page is in. The recount shares no code with what changed the graph."
        ),
        Markup('<pre tabindex="0"><code>graphveil verify public</code></pre>'),
        paragraph(
            markup(
                "The SHA-256 of {file} is <code>{digest}</code>.", file=graph["file"], digest=graph["sha256"]
            )
        ),
    ]
