"""The sections of the pages: what they say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from graphveil.methods import Result
from graphveil.publication.made_up import SAYS_LITTLE, mostly_made_up
from graphveil.publication.report import drawing
from graphveil.publication.report.charts import class_chart, distribution_chart, meter, scale_chart
from graphveil.publication.report.discretion import Bins, Discretion, Pair, Risk, View
from graphveil.publication.report.elements import Markup, card, details, facts, join, markup, paragraph, table
from graphveil.publication.report.findings import Findings
from graphveil.words import counted, percent, plain, size

__all__ = [
    "NOT_WHICH",
    "WHICH",
    "asked",
    "attacks",
    "discretion_rules",
    "example",
    "how",
    "how_to_check",
    "most_exposed",
    "risks",
    "true_picture",
    "verdicts",
    "what_changed",
    "what_was_kept",
]

Certificate = Mapping[str, Any]

# ---------------------------------------------------------------------- the guarantee


ONE_OF = {"friendships": ("friendship", "friendships"), "people": ("person", "people")}
WHAT = {"k-NMF": ("mutual friends", "friendships"), "k-degree": ("friends", "people")}


def verdicts(certificate: Certificate, before: Mapping[str, Mapping[int, int]] | None = None) -> list[Markup]:
    """Each promise, its proof, and a picture of it; with the original beside it for those who may see that.

    That nothing is promised about mutual friends, which this is all about, is said before anything else.
    """
    mutual, k = certificate["privacy"][0], max(each["promised"] or 1 for each in certificate["privacy"])
    promised = (each for each in certificate["privacy"] if each["promised"])
    return [
        *([] if mutual["promised"] else [_unprotected(mutual, k)]),
        *(_verdict(each, None if before is None else before[each["model"]]) for each in promised),
    ]


def _unprotected(mutual: Mapping[str, Any], k: int) -> Markup:
    sizes = mutual["class_sizes"].values()
    exposed = sum(size for size in sizes if size < k)
    return paragraph(
        f"Nothing is promised against mutual friend attacks: {exposed:,} of {counted(sum(sizes), 'friendship')} in "
        f"this graph have a number of mutual friends that fewer than {k:,} have.",
        "warning",
    )


def _verdict(each: Mapping[str, Any], before: Mapping[int, int] | None) -> Markup:
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


def asked(certificate: Certificate, more: Sequence[tuple[str, str]] = ()) -> Markup:
    """What is promised, of which graph."""

    def promise(each: Mapping[str, Any]) -> str:
        what, of = WHAT[each["model"]]
        if not each["promised"]:
            return f"nothing promised; the smallest crowd has {counted(each['achieved'] or 0, *ONE_OF[of])}"
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


def how(result: Result) -> list[tuple[str, str]]:
    """More on what was asked, for the owner."""
    limits = (
        *(["only additions"] if result.options.get("keep_edges") else []),
        *([f"at most {result.options['budget']:g} s of search"] if "budget" in result.options else []),
    )
    return [
        ("Method", ", ".join((result.method, *limits))),
        ("The original", size(result.original.n, result.original.m)),
        (
            "The seed",
            "in run.json; with it the same command gives the same bytes, unless it is cut short",
        ),
        *(("About this run", note) for note in result.notes),
    ]


# ---------------------------------------------------------------------- risk


def risks(shown: View) -> list[Markup]:
    """Each adversary, and a word on those who are not stopped."""
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


def attacks(found: Findings) -> list[Markup]:
    """What each adversary finds by the truth; for the owner."""
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


def most_exposed(found: Findings) -> list[Markup]:
    """By name; for the owner."""
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
    "Which ones, only the owner of the graph knows. Nothing in the graph file marks them, but the shape of the "
    "graph may give some away."
)
WHICH = "Which ones is in changes.csv."


def what_changed(certificate: Certificate) -> list[Markup]:
    """The numbers of changes."""
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
    made_up = mostly_made_up(certificate["graph"]["vertices"], edges, changes)
    return [
        *([paragraph(SAYS_LITTLE, "warning")] if made_up else []),
        _cards(
            card(title, paragraph(f"{number:,}", "figure"), paragraph(of_all(number, whole), "note"))
            for title, number, whole in cards
        ),
    ]


def _cards(cards: Iterable[Markup], kind: str = "") -> Markup:
    return markup('<div class="cards {kind}">\n{cards}\n</div>', kind=kind, cards=join(cards, "\n"))


# ---------------------------------------------------------------------- utility


TOO_SMALL = (
    "The graph is so small that every figure of the original would tell of a few people. None is shown."
)


def what_was_kept(shown: View, *, brief: bool) -> list[Markup]:
    """Utility as small multiples."""
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
                "This is a brief report: only what the numbers of friends and of mutual friends tell was counted. "
                "Publish with --report full for distances, centrality and communities.",
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


def example() -> list[Markup]:
    """The attack and what is done about it, on a made-up graph."""
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


def true_picture(found: Findings) -> list[Markup]:
    """The neighbourhood of the most exposed friendship; for the owner."""
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


def discretion_rules(discretion: Discretion) -> list[str]:
    """What is shown of the original and what is not, in plain words."""
    k = discretion.least
    return [
        "This page is read by those who look for people too, so it says nothing of the original that tells of a few.",
        f"Figures of the original are over the whole graph, and rounded so coarsely that {k:,} friendships or people "
        f"more or less would hardly show. Counts below {k:,} are not given.",
        f"Distributions are in ranges that hold {k:,} friendships or people of the original at least.",
        "There is no word on which friendships were added or deleted, on the largest or rarest numbers of the "
        "original, or on how well the changes can be told from the rest.",
    ]


def how_to_check(certificate: Certificate) -> list[Markup]:
    """How everybody can count again."""
    graph = certificate["graph"]
    return [
        paragraph(
            "All that certificate.json says of the graph can be counted again by everybody who has the folder public. "
            "The recount shares no code with what changed the graph."
        ),
        Markup('<pre tabindex="0"><code>graphveil verify public</code></pre>'),
        paragraph(
            markup(
                "The SHA-256 of {file} is <code>{digest}</code>.", file=graph["file"], digest=graph["sha256"]
            )
        ),
    ]
