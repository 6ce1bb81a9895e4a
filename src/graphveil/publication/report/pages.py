"""The two pages: what each of them gets to say. The words are in the templates of `graphveil.pages`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphveil import pages
from graphveil.goals import GOALS, NMF, level_of
from graphveil.methods.result import Result
from graphveil.publication.report import charts, drawing
from graphveil.publication.report.discretion import OPEN, towards_everybody
from graphveil.publication.report.gathering import Findings
from graphveil.publication.report.viewing import View, view
from graphveil.publication.words import (
    BEFORE_YOU_PUBLISH,
    distortion,
    exact_numbers,
    joint_guarantee,
    limits,
    recounted,
    recounted_together,
    verdict,
)
from graphveil.verification.documents import Certificate, KeptAttribute, Statement
from graphveil.verification.releases import guaranteed_together
from graphveil.words import percent, plain, size

SECTIONS = {
    "guarantee": "The guarantee and its proof", "asked": "What was asked for", "risk": "Risk, before and after",
    "exposed": "Who was exposed most", "changes": "What was changed", "kept": "What was kept",
    "picture": "How it works, in a picture", "limits": "What is guaranteed and what is not",
    "discretion": "What is shown of the original", "check": "Check it yourself",
}  # fmt: skip


def public_page(certificate: Certificate, found: Findings) -> str:
    """The report for everybody. It says nothing of the original but what `discretion` allows."""
    shown = view(certificate, found, towards_everybody(certificate.k, found.vertices, found.edges))
    sections = [(name, title) for name, title in SECTIONS.items() if name != "exposed"]
    return pages.render(
        "report/public.html",
        title=plain(certificate.data_set.title, 200) or "A published graph and its guarantee",
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
        **_both(certificate, found, view(certificate, found, OPEN), found.group_sizes),
    )


def _both(
    certificate: Certificate, found: Findings, shown: View, before: Mapping[str, Mapping[int, int]] | None
) -> dict[str, Any]:
    """What both pages show."""
    graph = certificate.graph
    return {
        "certificate": certificate,
        "found": found,
        "shown": shown,
        "verdict": verdict(certificate, attack=None if before is None else found.attack),
        "data_set": {name: plain(said, 300) for name, said in vars(certificate.data_set).items()},
        "size": size(graph.vertices, graph.edges),
        "unprotected": _unprotected(certificate),
        "guaranteed": [
            _guaranteed(each, None if before is None else before.get(each.guarantee))
            for each in certificate.guarantees
            if each.promised is not None
        ]
        + _joint(certificate),
        "uncounted": any(risk.before is None for risk in shown.risks),
        "distortion": distortion(certificate),
        "limits": limits(certificate),
        "exact_numbers": exact_numbers(certificate),
        "manual": BEFORE_YOU_PUBLISH,
        "change_cards": list(_change_cards(certificate)),
        "brief": found.utility is None,
        "charts": charts,
        "draw": drawing.draw,
        "lines_of": _lines_of,
    }


# ---------------------------------------------------------------------- the guarantee


def _unprotected(certificate: Certificate) -> dict[str, int] | None:
    """How many friendships mutual friend attacks find, where there is no guarantee against them."""
    if level_of(certificate.goals, NMF) is not None:
        return None
    attacker = next(each for each in certificate.attackers if each.name == NMF.attacker)
    return {"exposed": attacker.exposure(certificate.k).exposed, "of": attacker.targets, "k": certificate.k}


def _guaranteed(each: Statement, before: Mapping[int, int] | None) -> dict[str, Any]:
    """What the box of one guarantee shows."""
    assert each.promised is not None
    goal = GOALS[each.guarantee](each.promised)
    after = {int(value): count for value, count in (each.group_sizes or {}).items()}
    graphs = {"After": after} if before is None else {"Before": before, "After": after}
    return {
        "goal": goal,
        "level": goal.level_in_words(goal.level),
        "sentence": goal.in_words(),
        "found": recounted(each),
        "graphs": graphs if after else {},
    }


def _joint(certificate: Certificate) -> list[dict[str, Any]]:
    """The boxes of what is guaranteed over this release and the earlier one."""
    if certificate.after is None:
        return []
    each_and_sentence = zip(
        guaranteed_together(certificate.after.joint), joint_guarantee(certificate.after), strict=True
    )
    return [
        {"goal": NMF(each.k), "level": f"joint k = {each.k:,}", "sentence": sentence, "graphs": {}}
        | {"found": recounted_together(each)}
        for each, sentence in each_and_sentence
    ]


def _asked(certificate: Certificate) -> list[tuple[str, str]]:
    """What is guaranteed, of which graph."""

    def guarantee(each: Statement) -> str:
        level = "not asked for"
        if each.promised is not None:
            level = GOALS[each.guarantee].level_in_words(each.promised)
            level += f", not asked for but implied by {each.implied_by}" * (each.implied_by is not None)
        return f"{level}; {recounted(each)}"

    graph, said = certificate.graph, certificate.data_set
    together = guaranteed_together(certificate.after.joint) if certificate.after else ()
    kept = [
        (f"Attribute kept: {plain(each.name, 200)}", _coarser(each)) for each in certificate.vertex_attributes
    ]
    of_friendships = [
        (f"Attribute of friendships kept: {plain(each.name, 200)}", _coarser(each))
        for each in certificate.edge_attributes
    ]
    return [
        *((each.guarantee, guarantee(each)) for each in certificate.guarantees),
        *((each.name, f"k = {each.k:,}; {recounted_together(each)}") for each in together),
        ("The graph", f"{size(graph.vertices, graph.edges)}, in {graph.file} ({graph.format})"),
        *([("Contact", plain(said.contact, 300))] if said.contact else []),
        *([("License", plain(said.license, 300))] if said.license else []),
        *(kept or [("Attributes of people", "none kept")]),
        *of_friendships,
    ]


def _coarser(attribute: KeptAttribute) -> str:
    return plain(attribute.generalization, 300) or "values as they are"


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


def _most_exposed(found: Findings) -> Iterator[dict[str, Any]]:
    """A table for each attacker against whom there can be a guarantee."""
    for attacker in found.audit.attackers:
        if attacker.guarantee is not None and attacker.most_exposed:
            yield {
                "caption": f"In the original, to an attacker who knows {attacker.knows}",
                "what": GOALS[attacker.guarantee].what,
                "rows": [
                    (
                        " – ".join(plain(label, 60) for label in finding.labels),
                        _known(next(iter(finding.knowledge.values()))),
                        f"{finding.group_size:,}",
                    )
                    for finding in attacker.most_exposed
                ],
            }


def _known(value: Any) -> str:
    """What an attacker knows: a number, or one for each of two friends."""
    return plain(" and ".join(map(str, value)) if isinstance(value, list | tuple) else value)


def _change_cards(certificate: Certificate) -> Iterator[tuple[str, int, str]]:
    """The numbers of changes, each with its share of what there was before."""
    changes, graph = certificate.changes, certificate.graph
    friendships = graph.edges - changes.edges_added + changes.edges_deleted
    people = graph.vertices - changes.vertices_added
    for title, number, whole in (
        ("Friendships added", changes.edges_added, friendships),
        ("Friendships deleted", changes.edges_deleted, friendships),
        ("Dummy people added", changes.vertices_added, people),
    ):
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
