"""What each page shows, made from the state."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from graphveil.cli.kinds import whole
from graphveil.cli.option import GUARANTEES, REDUCTIONS, SEARCH, Option
from graphveil.cli.options import group, options_of, own
from graphveil.errors import GraphveilError
from graphveil.goals import GOALS, NMF
from graphveil.pages.chart import Point, frontier_chart, group_chart, group_frame, lines_chart
from graphveil.studio import forms
from graphveil.studio.actions import Action
from graphveil.studio.state import State, recent_files
from graphveil.studio.studio import Studio, no_texts, texts

STEPS = {
    "open": "Open",
    "exposure": "Exposure",
    "protect": "Protect",
    "compare": "Compare",
    "publish": "Publish",
    "restore": "Restore",
}
SCRIPTS = {"command": "graphveil-studio.sh", "python": "graphveil_studio.py"}


def view(studio: Studio, step: str) -> dict[str, Any]:
    """The values of a page's template."""
    state = studio.state
    return {
        "state": state,
        "step": step,
        "steps_titles": STEPS,
        "project_path": f"{state.path}.graphveil-studio.json" if state.path else "",
        "start": _start(studio, step),
        "method_choices": (state.audit or {}).get("methods") or [["plan", "plan"]],
        "steps": [(name, title, _ready(state, name)) for name, title in STEPS.items()],
        "texts": _texts(state, step),
        "log": [action.command() for action in _done(state) if action.has_command],
        "problem": state.problem.get(step, ""),
        "warnings": state.warnings.get(step, []),
        "choices_of": _choices,
        "estimating": any(job.passing for job in studio.jobs.unfinished),
        "in_form": forms.in_form,
        **PARTS[step](state),
    }


def _choices(row: Option) -> list[tuple[str, str]]:
    """What a field offers, by name and with words."""
    return [(name, f"{name}: {words}") for name, words in (row.kind.choices or dict)().items()]


def _start(studio: Studio, step: str) -> dict[str, Any]:
    """What the page's script begins with."""
    state = studio.state
    return {
        "jobs": [job.describe() for job in (studio.jobs.current, *studio.jobs.queue) if job],
        "last_event": studio.events.last,
        "predict": _has_to_predict(state, step),
    }


def _has_to_predict(state: State, step: str) -> bool:
    """Whether the page asks at once for what follows from its form."""
    if step == "publish":
        return bool(forms.attribute_wishes(state, state.publish) and state.result and not state.kept)
    return step == "protect" and bool(state.audit) and not (state.prediction or state.result)


def _ready(state: State, step: str) -> bool:
    """Whether what a step needs is there."""
    needs = {"exposure": state.path, "protect": state.audit, "compare": state.audit, "publish": state.result}
    return bool(needs.get(step, True))


def _texts(state: State, step: str) -> dict[str, str]:
    """The command line and the script of what the page would do now, as far as it is known."""
    builders = {
        "open": lambda: forms.audit_action(state, {}),
        "exposure": lambda: forms.audit_action(state, {}),
        "protect": lambda: _protect_text(state),
        "compare": lambda: forms.compare_action(state, compare_form(state)),
        "publish": lambda: forms.publish_action(state, publish_form(state)),
        "restore": lambda: forms.restore_action(state, restore_form(state)),
    }
    try:
        return texts(builders[step]())
    except GraphveilError as error:
        return no_texts(error)


def whole_script(state: State, kind: str) -> str:
    """All that was done, one after the other."""
    if kind == "command":
        commands = (action.again().command() for action in _done(state) if action.has_command)
        return "\n".join(["#!/bin/sh", "set -e", *commands, ""])
    return "\n\n".join(action.again().script() for action in _done(state))


def _done(state: State) -> list[Action]:
    return [Action.from_record(record) for record in state.log]


# ---------------------------------------------------------------------- what a page has beside the others


def _open(state: State) -> dict[str, Any]:
    form = Blanks(forms.reading_form(state.reading))
    return {"recent": recent_files(), "reading": forms.READ, "form": form}


def _exposure(state: State) -> dict[str, Any]:
    attackers = state.audit["attackers"] if state.audit else []
    chart = _groups({"Now": state.audit}, forms.KS[-1])  # the page moves its line to k
    within = options_of("audit")["within"]
    ks = {"least": forms.KS[0], "most": forms.KS[-1]}
    return {**ks, "attackers": attackers, "chart": chart, "within_row": within}


def _groups(audits: dict[str, dict[str, Any] | None], k: int) -> dict[str, Any]:
    """The chart of the sizes of groups, and where the line of k = 1 and of k = 10 would be in it."""
    groups = {when: dict(audit["groups"]["mutual-friends"]) for when, audit in audits.items() if audit}
    about = {"what": "mutual friends", "of": "friendships"}
    frame = group_frame(groups, k, **about)
    return {"svg": group_chart(groups, k, **about), "places": {"one": frame.y(1), "ten": frame.y(10)}}


def picture(state: State) -> dict[str, Any]:
    """What the drawing of the network needs."""
    audits = {"before": state.audit, "after": state.after}
    return {
        "k": {"now": state.k, "result": state.result["shown"]["k"] if state.result else state.k},
        "attackers": [[each["name"], each["knows"]] for each in (state.audit or {}).get("attackers", [])],
        "groups": {when: audit["groups"]["mutual-friends"] for when, audit in audits.items() if audit},
        "picture": state.picture,
        "changes": state.changes,
    }


class Blanks(dict[str, Any]):
    """What a form holds; the fields that nobody has filled in are empty."""

    def __missing__(self, name: str) -> str:
        return ""


def protect_form(state: State) -> Blanks:
    """What the form of Protect holds."""
    k = "" if state.protect.get("k") == "" else state.k
    return Blanks({"method": "plan", **state.protect, "k": k})


def _protect_text(state: State) -> Action:
    """What the form would do; what was done with the same choices has its seed."""
    chosen = forms.protect_text(state, protect_form(state))
    done = state.result["arguments"] if state.result else {}
    if {**chosen.steps[1].given, "seed": done.get("seed")} == done:
        return forms.protect_text(state, {**protect_form(state), "seed": done["seed"]})
    return chosen


def _protect(state: State) -> dict[str, Any]:
    at = state.result["shown"]["k"] if state.result else state.k
    cards = _attackers(state)
    on_cards = {row.name for card in cards for row in card["guarantees"]}
    return {
        "form": protect_form(state),
        "chart": _groups({"Before": state.audit, "After": state.after}, at),
        "beside": _beside(state),
        "cards": cards,
        "others": [row for row in map(_single, group("anonymize", GUARANTEES)) if row.name not in on_cards],
        "spending": [_alone(row) for row in group("anonymize", REDUCTIONS) if row.name != "reduce"],
        "search": group("anonymize", SEARCH),
    }


def _alone(row: Option) -> Option:
    """The row of an option that is shown only beside the one it goes with."""
    words = row.help.split(": ", 1)[-1]
    return replace(row, help=words[:1].upper() + words[1:])


def _attackers(state: State) -> list[dict[str, Any]]:
    """Each attacker: how many people it finds, which guarantees stop it, and whether changes can be spent on it."""
    rows = {row.name: _single(row) for row in group("anonymize", GUARANTEES)}
    audit, shown = state.audit or {"k": [], "attackers": []}, list[dict[str, Any]]()
    for attacker in audit["attackers"]:
        name = attacker["name"]
        against = [each for each in GOALS.values() if each.attacker == name]
        implying = [each for each in GOALS.values() if {each.name for each in against} & {*each.implies}]
        wish = Option(
            f"--{forms.WISH}{name}",
            whole(2),
            "Smallest group wanted.",
            name=forms.WISH + name,
            label="k wanted",
        )
        at = attacker["exposures"][audit["k"].index(state.k)] if state.k in audit["k"] else {}
        shown.append(
            {
                "name": name,
                "knows": attacker["knows"],
                "k": state.k,
                "people": at.get("people"),
                "share": at.get("people_share"),
                "guarantees": [rows[each.parameter] for each in against],
                "implied": [rows[each.parameter].title for each in implying],
                "reduce": wish if attacker.get("reducible") and name != NMF.attacker else None,
            }
        )
    return shown


def _single(row: Option) -> Option:
    """The row of a guarantee where one k is asked for at a time."""
    return replace(row, help=row.help.split(" Several")[0], default=None) if row.kind.several else row


def _beside(state: State) -> list[dict[str, Any]]:
    """How many people are exposed before and after: a row for each attacker, at the k guaranteed against it."""
    if not (state.result and state.audit and state.after):
        return []
    own = state.after.get("own", {})
    return [
        {
            "knows": before["knows"],
            "guaranteed": before["name"] in own,
            "k": (k := own.get(before["name"], state.result["shown"]["k"])),
            "before": _people(state.audit, before, k),
            "after": _people(state.after, after, k),
            "smallest": [each["smallest"] or 0 for each in (before, after)],
        }
        for before, after in zip(state.audit["attackers"], state.after["attackers"], strict=False)
    ]


def _people(audit: dict[str, Any], attacker: dict[str, Any], k: int) -> int | None:
    """How many people are exposed to an attacker at k; None where that k was not counted."""
    found: int | None = attacker["exposures"][audit["k"].index(k)]["people"] if k in audit["k"] else None
    return found


def compare_form(state: State) -> Blanks:
    """What the form of Compare holds."""
    usual = {
        "k": ", ".join(map(str, forms.COMPARED_KS)),
        "methods": forms.COMPARED,
        "quick": True,
        "folder": forms.beside(state, "comparison") if state.path else "",
        "attacker": options_of("compare")["attacker"].default,
    }
    return Blanks({**usual, **state.compare})


def _compare(state: State) -> dict[str, Any]:
    from graphveil.experiments.comparison.results import exposed_name

    done, form = state.comparison or {}, compare_form(state)
    exposed = exposed_name(form["attacker"])  # of the figures of a run
    cells = _cells(state.cells, exposed)
    return {
        "form": form,
        "rows": {row.name: row for row in own("compare")},
        "guarantees": group("compare", GUARANTEES),
        "attackers": [(each["name"], each["knows"]) for each in (state.audit or {}).get("attackers", [])],
        "cells": cells,
        "recommendation": done.get("recommendation", []),
        "take": done.get("take"),
        "charts": _compared(cells, exposed),
    }


def _cells(cells: list[dict[str, Any]], exposed: str) -> list[dict[str, Any]]:
    """The runs of the comparison; the best are those with no run that changes and exposes less."""
    rows = [{**cell, "values": _shares(cell, exposed), "best": False} for cell in cells]
    least = float("inf")
    for row in sorted(filter(_measured, rows), key=lambda row: list(row["values"].values())[:2]):
        row["best"], least = row["values"]["exposed"] < least, min(least, row["values"]["exposed"])
    return rows


def _shares(cell: dict[str, Any], exposed: str) -> dict[str, float | None]:
    changed = cell["figures"].get("changed_percent")
    return {
        "changed": None if changed is None else changed / 100,
        "exposed": cell["figures"].get(exposed),
        "usefulness": cell["usefulness"],
        "found": cell["risk"],
    }


def _measured(row: dict[str, Any]) -> bool:
    return None not in (row["values"]["changed"], row["values"]["exposed"])


def _compared(rows: list[dict[str, Any]], exposed: str) -> dict[str, Any]:
    """The charts: changes against people exposed to the attacker, and changes by k."""
    points, series = list[Point](), dict[str, list[tuple[float, float, str]]]()
    for i, row in enumerate(rows):
        if _measured(row):
            changed, left = row["values"]["changed"], row["values"]["exposed"]
            words = f"{changed:.2%} changed, {left:.1%} exposed".replace("%", " %")
            points.append(Point(changed, left, row["best"], row["name"], words, i))
            several = series.setdefault(row["name"].rsplit(", k = ")[0], [])
            several.append((row["k"], 100 * changed, f"{row['name']}: {words}"))
    if not points:
        return {}
    before = [row["figures"].get(f"{exposed}_before") for row in rows]
    if found := [share for share in before if share is not None]:
        points.append(Point(0.0, found[0], False, "the original", f"{100 * found[0]:.1f} % exposed", ""))
    frontier = frontier_chart(points, "friendships changed", "people exposed")
    costs = lines_chart(series, "k", "friendships changed")
    return {"frontier": {"svg": frontier, "places": {}}, "costs": {"svg": costs, "places": {}}}


def publish_form(state: State) -> Blanks:
    """What the form of Publish holds."""
    form = Blanks(state.publish)
    if not form["folder"] and state.path:
        form["folder"] = forms.beside(state, "published")
    return form


def _publish(state: State) -> dict[str, Any]:
    rows = options_of("anonymize")
    form = publish_form(state)
    return {
        "form": form,
        "cards": _cards(state),
        "rows": rows,
        "kept_names": forms.attribute_wishes(state, form).get("keep_vertex_attributes", []),
        "attributes": (state.graph or {}).get("vertex_attributes", []),
        "on_edges": (state.graph or {}).get("edge_attributes", []),
        "again": bool(state.result and state.result["arguments"].get("after")),
        "stating": options_of("statement"),
    }


def _cards(state: State) -> dict[str, list[tuple[str, str]]]:
    """The files of both parts and how large they are."""
    if state.publication is None:
        return {}
    return {part: _sizes(os.path.join(state.publication["folder"], part)) for part in ("public", "private")}


def _sizes(folder: str) -> list[tuple[str, str]]:
    try:
        return sorted((each.name, f"{each.stat().st_size / 1000:,.1f} kB") for each in os.scandir(folder))
    except OSError:
        return []


def restore_form(state: State) -> Blanks:
    """What the form of Restore holds."""
    private = os.path.join(state.publication["folder"], "private") if state.publication else ""
    return Blanks({"private": private, **{name: value for name, value in state.restore.items() if value}})


def _restore(state: State) -> dict[str, Any]:
    return {"form": restore_form(state), "rows": options_of("restore")}


PARTS = {
    "open": _open,
    "exposure": _exposure,
    "protect": _protect,
    "compare": _compare,
    "publish": _publish,
    "restore": _restore,
}
