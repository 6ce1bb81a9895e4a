"""The two pages: what each of them gets to say. The words are in the templates of `graphveil.pages`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphveil import pages
from graphveil.methods import Result
from graphveil.publication.made_up import SAYS_LITTLE, mostly_made_up
from graphveil.publication.report import charts, drawing
from graphveil.publication.report.discretion import OPEN, View, towards_everybody, view
from graphveil.publication.report.findings import Findings
from graphveil.words import counted, percent, plain, size

__all__ = ["private_page", "public_page"]

Certificate = Mapping[str, Any]

ONE_OF = {"friendships": ("friendship", "friendships"), "people": ("person", "people")}
WHAT = {"k-NMF": ("mutual friends", "friendships"), "k-degree": ("friends", "people")}
SECTIONS = {
    "guarantee": "The guarantee and its proof",
    "asked": "What was asked for",
    "risk": "Risk, before and after",
    "exposed": "Who was exposed most",
    "changes": "What was changed",
    "kept": "What was kept",
    "picture": "How it works, in a picture",
    "limits": "What is guaranteed and what is not",
    "discretion": "What is shown of the original",
    "check": "Check it yourself",
}


def public_page(certificate: Certificate, found: Findings) -> str:
    """The report for everybody. It says nothing of the original but what `discretion` allows."""
    k = max(each["promised"] or 1 for each in certificate["privacy"])
    shown = view(certificate, found, towards_everybody(k, found.vertices, found.edges))
    sections = [(name, title) for name, title in SECTIONS.items() if name != "exposed"]
    return pages.render(
        "report/public.html",
        title="A published graph and its guarantee",
        sections=sections,
        owner=False,
        example=drawing.EXAMPLE,
        asked=_asked(certificate),
        **_both(certificate, found, shown, None),
    )


def private_page(certificate: Certificate, found: Findings, result: Result) -> str:
    """The report for the owner, who may see everything."""
    titles = {**SECTIONS, "picture": "Around the most exposed friendship"}
    return pages.render(
        "report/private.html",
        title="How this graph was published: for its owner only",
        sections=[(name, title) for name, title in titles.items() if name != "discretion"],
        owner=True,
        asked=[*_asked(certificate), *_how(result)],
        chance=lambda value: "–" if value is None else percent(value),
        most_exposed_tables=list(_most_exposed(found)),
        nobody_exposed="Nobody: every group had k members or more already."
        if found.audit
        else "Not counted in a brief report. Use graphveil audit on the original.",
        **_both(certificate, found, view(certificate, found, OPEN), found.class_sizes),
    )


def _both(
    certificate: Certificate, found: Findings, shown: View, before: Mapping[str, Mapping[int, int]] | None
) -> dict[str, Any]:
    """What both pages show."""
    graph = certificate["graph"]
    exposed = [risk for risk in shown.risks if not risk.promised and risk.after[0] > 0]
    made_up = mostly_made_up(graph["vertices"], graph["edges"], certificate["changes"])
    return {
        "certificate": certificate,
        "found": found,
        "shown": shown,
        "size": size(graph["vertices"], graph["edges"]),
        "unprotected": _unprotected(certificate),
        "guaranteed": [
            _guaranteed(each, None if before is None else before[each["model"]])
            for each in certificate["privacy"]
            if each["promised"]
        ],
        "worst": max(exposed, key=lambda risk: risk.after[0], default=None),
        "uncounted": _why_uncounted(shown),
        "made_up": SAYS_LITTLE if made_up else "",
        "change_cards": list(_change_cards(certificate)),
        "brief": found.utility is None,
        "charts": charts,
        "draw": drawing.draw,
        "lines_of": _lines_of,
    }


# ---------------------------------------------------------------------- the guarantee


def _unprotected(certificate: Certificate) -> dict[str, int] | None:
    """How many friendships mutual friend attacks find, where there is no guarantee against them."""
    mutual, k = certificate["privacy"][0], max(each["promised"] or 1 for each in certificate["privacy"])
    if mutual["promised"]:
        return None
    sizes = mutual["class_sizes"].values()
    return {"exposed": sum(size for size in sizes if size < k), "of": sum(sizes), "k": k}


def _guaranteed(each: Mapping[str, Any], before: Mapping[int, int] | None) -> dict[str, Any]:
    what, of = WHAT[each["model"]]
    k, achieved = each["promised"], each["achieved"]
    after = {int(value): count for value, count in each["class_sizes"].items()}
    return {
        "k": k,
        "what": what,
        "of": of,
        "sentence": f"Every number of {what} that occurs is shared by at least {k:,} {of}. An attacker who knows only "
        f"this number can identify the {ONE_OF[of][0]} with probability at most 1/{k:,}.",
        "smallest": f"the smallest group has {achieved:,} {of}" if achieved else f"there are no {of}",
        "graphs": {"After": after} if before is None else {"Before": before, "After": after},
    }


def _asked(certificate: Certificate) -> list[tuple[str, str]]:
    """What is guaranteed, of which graph."""

    def guarantee(each: Mapping[str, Any]) -> str:
        what, of = WHAT[each["model"]]
        if not each["promised"]:
            return f"no guarantee; the smallest group has {counted(each['achieved'] or 0, *ONE_OF[of])}"
        return f"at least {each['promised']:,} {of} for each number of {what}"

    graph = certificate["graph"]
    kept = [
        (f"Attribute kept: {plain(each['name'], 200)}", each["warning"])
        for each in certificate["vertex_attributes"]
    ]
    return [
        *((each["model"], guarantee(each)) for each in certificate["privacy"]),
        ("The graph", f"{size(graph['vertices'], graph['edges'])}, in {graph['file']} ({graph['format']})"),
        *(kept or [("Attributes of people", "none kept")]),
    ]


def _how(result: Result) -> list[tuple[str, str]]:
    """More on what was asked for, for the owner."""
    limits = (
        *(["only additions"] if result.options.get("keep_edges") else []),
        *([f"at most {result.options['budget']:g} s of search"] if "budget" in result.options else []),
    )
    return [
        ("Method", ", ".join((result.method, *limits))),
        ("The original", size(result.original.n, result.original.m)),
        (
            "Seed",
            "in run.json; the same command with it gives the same bytes, unless the run is stopped early",
        ),
        *(("About this run", note) for note in result.notes),
    ]


# ---------------------------------------------------------------------- risk, changes, pictures


def _why_uncounted(shown: View) -> str:
    if all(risk.before is not None for risk in shown.risks):
        return ""
    return "not counted in a brief report" if shown.discretion.decimals else "not shown of so small a graph"


def _most_exposed(found: Findings) -> Iterator[dict[str, Any]]:
    """A table for each attacker against whom there is a guarantee."""
    for adversary in found.audit.adversaries[:2] if found.audit else ():
        if adversary.most_exposed:
            yield {
                "caption": f"In the original, to an attacker who knows {adversary.knows}",
                "what": "mutual friends" if adversary.target == "edge" else "friends",
                "rows": [
                    (
                        " – ".join(plain(label, 60) for label in finding.labels),
                        f"{next(iter(finding.knowledge.values())):,}",
                        f"{finding.class_size:,}",
                    )
                    for finding in adversary.most_exposed
                ],
            }


def _change_cards(certificate: Certificate) -> Iterator[tuple[str, int, str]]:
    """The numbers of changes, each with its share of what there was before."""
    changes, graph = certificate["changes"], certificate["graph"]
    friendships = graph["edges"] - changes["edges_added"] + changes["edges_deleted"]
    people = graph["vertices"] - changes["vertices_added"]
    for title, name, whole in (
        ("Friendships added", "edges_added", friendships),
        ("Friendships deleted", "edges_deleted", friendships),
        ("Dummy people added", "vertices_added", people),
    ):
        number = changes[name]
        yield title, number, f"{percent(number / whole)} of those before" if whole else ""


KEY = {
    "exposed": "the friendship in question",
    "added": "added",
    "deleted": "to be deleted",
    "kept": "before and after",
}


def _lines_of(around: drawing.Neighbourhood) -> list[tuple[str, str]]:
    """The kinds of lines in a drawing, and what they mean."""
    kinds = {"exposed", "kept"}
    kinds |= {"added"} if around.after - around.before else set()
    kinds |= {"deleted"} if around.before - around.after - {(0, 1)} else set()
    return [(kind, words) for kind, words in KEY.items() if kind in kinds]
