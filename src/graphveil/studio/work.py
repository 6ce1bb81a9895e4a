"""How a worker runs each function: with its progress told, and what the pages need of its value.

``run_audit`` runs `graphveil.audit`, and so on. Each takes the function, the value of the step before, the arguments,
what to tell progress to, and what earlier jobs found. It returns the function's value for the next step.
"""

from __future__ import annotations

import os
import re
import time
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from graphveil.cli.options import levels_of, options_of
from graphveil.errors import InputError
from graphveil.goals import GOALS, Goal, goals_of
from graphveil.parameters import warn_of_guessable_seed
from graphveil.records import plain as as_json
from graphveil.risk.answering import (
    answer,
    exposed_in_words,
    finding_in_words,
    reduced_in_words,
    roughly_in_words,
)
from graphveil.risk.lookup import Surroundings, surroundings, vertices_named
from graphveil.studio.first_rows import first_rows, skipping, warned
from graphveil.studio.forms import KEEP
from graphveil.words import counted, percent, plain

if TYPE_CHECKING:
    from graphveil.attributes import Proposal
    from graphveil.experiments.comparison.results import Cell, Choice
    from graphveil.graph import Graph
    from graphveil.methods.result import Result
    from graphveil.methods.run import Progress
    from graphveil.publication.publishing import Publication
    from graphveil.publication.stating import Statement
    from graphveil.risk.auditing import Attacker, Audit, Finding
    from graphveil.risk.lookup import LookUp

OFTEN_ENOUGH = 0.2  # seconds between two lines of progress
LONGEST_NAME = 60  # of a label on a page
MOST_PEOPLE = 6  # whose attributes are shown before and after

Arguments = Mapping[str, Any]
Tell = Callable[..., None]
Function = Callable[..., Any]


def run_read(read: Function, _: Any, arguments: Arguments, tell: Tell, __: Arguments) -> Graph:
    name = os.path.basename(arguments["path"])
    tell("phase", text=f"Looking at {plain(name, LONGEST_NAME)}")
    first = first_rows(arguments)
    tell("value", name="preview", value=first)
    tell("phase", text=f"Reading {plain(name, LONGEST_NAME)}")
    graph, texts = _read_and_listen(read, arguments, tell, first)
    more = [warned(text, arguments) for text in texts]
    tell("value", name="preview", value={**first, "warnings": first["warnings"] + more})
    tell(
        "value",
        name="graph",
        value={
            "vertices": graph.n,
            "edges": graph.m,
            "cleaning": str(graph.cleaning) if graph.cleaning else "",
            "notes": list(graph.reading.notes) if graph.reading else [],
            "vertex_attributes": [*graph.vertex_attributes, *graph.cleaning.vertex_attributes],
            "edge_attributes": list(graph.edge_attributes),
        },
    )
    return graph


def _read_and_listen(
    read: Function, arguments: Arguments, tell: Tell, first: Arguments
) -> tuple[Graph, list[str]]:
    """The graph, and what the library says about it. Why a file is refused is shown with the choices too."""
    from graphveil import cautions

    try:
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            graph: Graph = read(**arguments)
    except InputError as error:
        refused = _without_bad_rows(read, str(error), arguments) or warned(str(error), arguments)
        if refused["choices"]:
            tell("value", name="preview", value={**first, "warnings": [refused]})
        raise
    graph.cautioned = True
    return graph, [*(str(each.message) for each in heard), *map(str, cautions(graph))]


def _without_bad_rows(read: Function, why: str, arguments: Arguments) -> dict[str, Any] | None:
    """What to choose if the file could be read without some of its rows."""
    if not re.search(r", line \d", why) or arguments.get("skip_bad_rows"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lines = read(**arguments, skip_bad_rows=True).reading.skipped
    except InputError:
        return None
    return skipping(why, lines, arguments) if lines else None


def run_generate(generate: Function, _: Any, arguments: Arguments, tell: Tell, __: Arguments) -> Graph:
    tell("phase", text="Making the sample graph")
    graph: Graph = generate(**arguments)
    return graph


def run_write(write: Function, graph: Graph, arguments: Arguments, _: Tell, __: Arguments) -> None:
    write(graph, **arguments)


def run_audit(audit: Function, graph: Graph, arguments: Arguments, tell: Tell, given: Arguments) -> Audit:
    tell("phase", text="Counting mutual friends and friends")
    found: Audit = audit(graph, **arguments)
    tell("phase", text="Drawing the most exposed")
    tell(
        "value", name="audit", value={**_with_drawings(found, graph), "members": _members(graph, found.k[-1])}
    )
    if "drawn" not in given:
        from graphveil.studio.picture import picture

        tell("phase", text="Drawing the network")
        exposed = [label for each in found.attackers for one in each.most_exposed for label in one.labels]
        tell("value", name="picture", value=picture(graph, vertices_named(graph, exposed)))
    return found


def _members(graph: Graph, k: int) -> dict[str, Any]:
    """The first friendship of every group of fewer than k, by its mutual friends."""
    from graphveil.risk.auditing import Finding

    values, firsts, sizes = np.unique(graph.mutual_friends, return_index=True, return_counts=True)
    found = {}
    for i in np.flatnonzero(sizes < k).tolist():
        pair, value = graph.edges[firsts[i]].tolist(), int(values[i])
        finding = Finding(tuple(graph.labels[pair].tolist()), {"mutual_friends": value}, int(sizes[i]))
        found[str(value)] = _finding(finding, surroundings(graph, pair))
    return found


def _with_drawings(found: Audit, graph: Graph) -> dict[str, Any]:
    """What the pages show of an audit; the people around each of the most exposed are drawn."""
    findings = [each for attacker in found.attackers for each in attacker.most_exposed]
    numbers = iter(vertices_named(graph, [label for each in findings for label in each.labels]))
    drawn = iter([surroundings(graph, [next(numbers) for _ in each.labels]) for each in findings])
    from graphveil.methods.table import METHODS

    return {
        "methods": [[name, f"{name}: {method.words}"] for name, method in _plan_first(METHODS)],
        "k": list(found.k),
        "within": found.within and roughly_in_words(found.within),
        "attackers": [_attacker(each, drawn) for each in found.attackers],
        "verdicts": [_verdict(found, i) for i in range(len(found.k))],
        "groups": {"mutual-friends": [list(pair) for pair in found.histogram]},
    }


def _plan_first(methods: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return sorted(methods.items(), key=lambda item: item[0] != "plan")


def _attacker(attacker: Attacker, drawn: Iterator[Surroundings]) -> dict[str, Any]:
    from graphveil.methods.reduce.signatures import SIGNATURES

    return {
        "name": attacker.name,
        "knows": attacker.knows,
        "guaranteed": attacker.guarantee is not None,
        "reducible": attacker.name in {each.attacker for each in SIGNATURES},
        "smallest": attacker.smallest_group,
        "exposures": [{**vars(each), "percent": percent(each.people_share)} for each in attacker.exposures],
        "roughly": attacker.roughly and [each.people for each in attacker.roughly],
        "most_exposed": [_finding(each, next(drawn)) for each in attacker.most_exposed],
    }


def _finding(finding: Finding, around: Surroundings) -> dict[str, Any]:
    labels = [plain(label, LONGEST_NAME) for label in finding.labels]
    who = " and ".join(labels)
    words = finding_in_words(finding)
    left = f" {around.left_out:,} more friends are not drawn." if around.left_out else ""
    return {
        "labels": labels,
        "words": words,
        "sentence": f"{who}: {words}.{left}",
        "around": {**as_json(around), "people": [plain(label, LONGEST_NAME) for label in around.people]},
    }


def _verdict(found: Audit, i: int) -> dict[str, Any]:
    """At one k, a sentence about the attacker of the paper, and one about the attacker who finds the most people."""
    exposure = found["mutual-friends"].exposures[i]
    share = f"{percent(exposure.share)} exposed" if exposure.exposed else "Not exposed"
    worst = _finds_most(found, i) or f"At k = {exposure.k:,} nobody is exposed to any attacker counted here."
    most = max(each.exposures[i].people_share for each in found.attackers)
    return {
        "share": share,
        "words": answer(found, exposure.k),
        "safe": not exposure.exposed,
        "worst": worst,
        "most": f"{percent(most)} of the people" if most else "Nobody",
    }


def _finds_most(found: Audit, i: int, but: Collection[str] = ()) -> str:
    """The attacker to whom most people are exposed, some attackers aside; of equals the first, as in the verdict."""
    left = [(each.exposures[i].people, each.knows) for each in found.attackers if each.name not in but]
    exposed, knows = max(left, key=lambda each: each[0])
    return exposed_in_words(exposed, found.vertices, found.k[i], knows) if exposed else ""


def run_look_up(look_up: Function, graph: Graph, arguments: Arguments, tell: Tell, _: Arguments) -> LookUp:
    tell("phase", text="Looking for the people around")
    found: LookUp = look_up(graph, **arguments)
    tell("value", name="looked_up", value=_finding(found.finding, found.around))
    return found


def run_anonymize(
    anonymize: Function, graph: Graph, arguments: Arguments, tell: Tell, given: Arguments
) -> Result:
    """Run it, or take up what an earlier job has found with the same arguments."""
    from graphveil.methods.keeping import result_from_record, result_to_record
    from graphveil.publication.again import carried_over

    if "result" in given:
        tell("phase", text="Counting the result again")
        found_before, after = result_from_record(given["result"], graph), arguments.get("after")
        return replace(found_before, carried=carried_over(graph, after)) if after else found_before
    tell("phase", text="Anonymizing")
    warn_of_guessable_seed(arguments.get("seed"))
    result: Result = anonymize(graph, **_with_goals(arguments), progress=_Progress(tell, arguments))
    tell("value", name="result", value={"record": result_to_record(result), "shown": _shown(result)})
    tell("phase", text="Counting what is exposed afterwards", kept="the protected graph")
    from graphveil import audit

    found, own = audit(result.graph, given["k"], top=0), _own_k(result)
    worst = _finds_most(found, found.k.index(result.k), own)
    tell("value", name="after", value={**_with_drawings(found, result.graph), "worst": worst, "own": own})
    if "shown" in given:
        from graphveil.studio.picture import changes

        tell("value", name="changes", value=changes(result, given["shown"]))
    return result


def _with_goals(arguments: Arguments) -> dict[str, Any]:
    """The guarantees of a form as values; k stays, for what it is about depends on the method."""
    how = dict(arguments)
    levels = levels_of(how)
    return {**how, "k": levels.pop("k", None), "goals": goals_of(levels)}


def _own_k(result: Result) -> dict[str, int]:
    """The k that is guaranteed against each attacker."""
    goals = [each for each in result.goals if each.bounds == "size"]
    against = {GOALS[name].attacker: int(each.level) for each in goals for name in each.implies}
    return against | {each.attacker: int(each.level) for each in goals}


def _shown(result: Result) -> dict[str, Any]:
    """What a page says of a result."""
    from graphveil.publication.words import knows

    return {
        "k": result.k,
        "method": result.method,
        "guarantees": [each.in_words() for each in result.goals],
        "levels": [str(each) for each in result.goals],
        "added": len(result.added),
        "deleted": len(result.deleted),
        "dummies": len(result.new_vertices),
        "share": result.changed / result.original.m if result.original.m else 0.0,
        "vertices": result.graph.n,
        "edges": result.graph.m,
        "seconds": round(result.seconds, 1),
        "reduced": [
            reduced_in_words(knows(each.attacker), each.k, each.people_before, each.people_after)
            for each in result.reductions
        ],
        "notes": [f"{_sentence(note.rstrip('.'))}." for note in result.notes],
        "stopped": result.interrupted,
    }


class _Progress:
    """Tells where an anonymization stands, in words, now and then.

    The search of ``plan`` begins with the result of the paper's method. For both guarantees it falls back on a quicker
    method, unless a spread is asked for.
    """

    def __init__(self, tell: Tell, arguments: Arguments) -> None:
        from graphveil.methods.plan.tuning import BUDGET
        from graphveil.methods.table import METHODS

        self._tell, self._said, self._most = tell, 0.0, 1
        self._at_least = "" if "spread" in arguments else "the result of a quicker method"
        limited = "budget" in METHODS[arguments["method"]].options
        self._budget = arguments.get("budget", BUDGET) if limited else None
        self._end: float | None = None  # of the search, by its budget
        self._phase = ""
        self._best: int | None = None

    def __call__(self, now: Progress) -> None:
        """As `graphveil.anonymize` calls it."""
        if self._budget and (self._end is None or now.phase == "reduction" != self._phase):
            self._end = time.monotonic() + self._budget
        if now.phase != self._phase:
            self._phase, self._most, self._said = now.phase, max(now.violating, 1), 0.0
        if now.phase == "groups":  # of the paper's method, which goes before
            self._best = None if now.violating else now.changed
        elif now.phase == "search" and not now.violating:
            self._best = now.changed if self._best is None else min(self._best, now.changed)
        self._most = max(self._most, now.violating)
        if time.monotonic() > self._said + OFTEN_ENOUGH:
            self._said = time.monotonic()
            left = None if self._end is None else max(self._end - time.monotonic(), 0)
            self._tell("phase", **self._words(now), best=self._best, left=left)

    def _words(self, now: Progress) -> dict[str, Any]:
        if now.phase == "search":
            best = "" if self._best is None else f"; best so far {counted(self._best, 'change')}"
            known = "" if self._best is None else f"the best so far, {counted(self._best, 'change')}"
            keeps = known or self._at_least
            return {"text": _sentence(f"{now}{best}"), "share": None, "keeps": keeps}
        return {"text": _sentence(str(now)), "share": 1 - now.violating / self._most}


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def run_predict_changes(
    predict: Function, graph: Graph, arguments: Arguments, tell: Tell, _: Arguments
) -> None:
    tell("phase", text="Estimating the changes")
    found = predict(graph, **_with_goals(arguments))
    tell("value", name="prediction", value=vars(found))


def run_compare(compare: Function, graph: Graph, arguments: Arguments, tell: Tell, _: Arguments) -> Any:
    from graphveil.experiments.comparison.files import write_comparison
    from graphveil.experiments.comparison.results import Cell, Choice, best_choice

    def told(done: int, of: int) -> None:
        kept = counted(done, "finished run") if done else ""
        tell("phase", text=f"{done:,} of {of:,} runs finished", share=done / of if of else None, kept=kept)

    def cell(parameters: Arguments, figures: Arguments) -> None:
        found = Cell(**parameters, **figures)
        tell("value", name="cell", value=_of_choice(Choice.of([found])))

    def measuring(what: str, share: float) -> None:
        words = f"{what}, {share:.0%}" if 0 < share < 1 else what
        tell("phase", text=f"Measuring the original: {words}")

    found = compare(graph, **arguments, progress=told, measuring=measuring, finished=cell)
    tell("phase", text="Writing tables and figures")
    write_comparison(found, arguments["folder"])
    best = best_choice(found)
    tell("value", name="comparison", value={**found.to_dict(), "take": best and _used(best.cells[0])})
    return found


def _of_choice(choice: Choice) -> dict[str, Any]:
    """A finished run with its remaining risk and its usefulness, and how to make it again."""
    from graphveil.experiments.comparison.results import named, remaining_risk, usefulness

    cell = choice.cells[0]
    judged = {} if choice.problem else {"risk": remaining_risk(choice)[0], "usefulness": usefulness(choice)}
    about = {"name": f"{named(choice)}, k = {choice.k:,}", "use": _used(cell)}
    return {"risk": None, "usefulness": None, **as_json(cell), **judged, **about}


def _used(cell: Cell) -> dict[str, Any]:
    """What the form of Protect holds to make a run again."""
    given = {name: getattr(cell, name) for name in ("method", "k", "degree_k", "reduce", "max_changes")}
    return {name: str(value) for name, value in {**given, **cell.further}.items() if value is not None}


def run_propose(propose: Function, graph: Graph, arguments: Arguments, tell: Tell, _: Arguments) -> Proposal:
    from graphveil.attributes.proposing import way_out
    from graphveil.cli.attributes import in_words

    tell("phase", text="Counting groups of people with the same attributes")
    about = {"labels": graph.labels, "suppress": 0.0, "sensitive": (), "l_diversity": 1, "group_rare": None}
    about |= arguments
    found: Proposal = propose(graph.vertex_attributes, **about)
    del about["k"]
    better = None if found else way_out(found, graph.vertex_attributes, **about)
    value = as_json(replace(found, values={})) | {
        "holds": bool(found),
        "words": _sentence(in_words(found).removeprefix("attributes: ")),
        "rows": _before_and_after(graph, found),
        "better": better and as_json(replace(better, values={})) | {"fill": _filled(better)},
    }
    tell("value", name="kept", value=value)
    return found


def _before_and_after(graph: Graph, found: Proposal) -> list[list[Any]]:
    """A few people, those first whose values change: who it is, and each value before and after."""
    columns = [
        [(_cell(a), _cell(b)) for a, b in zip(graph.vertex_attributes[name], values, strict=True)]
        for name, values in found.values.items()
    ]
    rows = zip(graph.labels.tolist(), *columns, strict=True)
    changed_first = sorted(rows, key=lambda row: all(before == after for before, after in row[1:]))
    return [[_cell(label), *values] for label, *values in changed_first[:MOST_PEOPLE]]


def _cell(value: Any) -> str:
    return "" if value is None else plain(value, LONGEST_NAME)


def _filled(better: Proposal) -> dict[str, Any]:
    """What the fields of the form hold to ask for just these values."""
    wanted = better.parameters()
    fields: dict[str, Any] = {f"{KEEP}{each.name}": not each.dropped for each in better.choices}
    for what in ("generalize", "group_rare"):
        given = wanted.get(what, {})
        fields |= {f"{what}.{each.name}": str(given.get(each.name, "")) for each in better.choices}
    return fields


def run_publish(publish: Function, result: Result, arguments: Arguments, tell: Tell, _: Arguments) -> Any:
    tell("phase", text="Writing, reading back and recounting")
    publication = publish(result, **arguments)
    tell(
        "value",
        name="publication",
        value={"folder": os.path.realpath(publication.folder), "verdict": _paragraphs(publication)},
    )
    return publication


def _paragraphs(publication: Publication) -> list[list[str]]:
    """The verdict on what was published, in headings and texts, as everywhere."""
    from graphveil.publication.words import verdict

    found = verdict(publication.certificate, asking=_in_step_3, attack=publication.attack)
    return [*map(list, found.opening), ["What to do", found.advice]]


def _in_step_3(goal: Goal) -> str:
    return f"set {options_of('anonymize')[goal.parameter].title} to {goal.level} in step 3"


def run_check(check: Function, _: Any, arguments: Arguments, tell: Tell, __: Arguments) -> Any:
    tell("phase", text="Reading the published files and recounting")
    found = check(**arguments)
    tell("value", name="verification", value={"holds": bool(found), **found.to_dict()})
    return found


def run_statement(state: Function, _: Any, arguments: Arguments, tell: Tell, __: Arguments) -> Statement:
    tell("phase", text="Reading certificate and record")
    page: Statement = state(**arguments)
    return page


def run_save_statement(
    save: Function, page: Statement, arguments: Arguments, tell: Tell, _: Arguments
) -> None:
    save(page, **arguments)
    tell("value", name="statement", value={"path": arguments["path"], "html": page.html()})


def run_preview_restore(preview: Function, _: Any, arguments: Arguments, tell: Tell, __: Arguments) -> Any:
    tell("phase", text="Reading the first rows")
    rows = preview(**arguments)
    tell(
        "value",
        name="restored",
        value={"preview": [[plain(cell, LONGEST_NAME) for cell in row] for row in rows]},
    )
    return rows


def run_restore(restore: Function, _: Any, arguments: Arguments, tell: Tell, __: Arguments) -> Any:
    tell("phase", text="Putting ids back")
    restored = restore(**arguments)
    tell("value", name="restored", value={**vars(restored), "output": arguments["output"]})
    return restored
