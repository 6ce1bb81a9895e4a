"""From what a form holds to an action, with the library's own checks and sentences."""

from __future__ import annotations

import os
import re
import secrets
import shlex
from collections.abc import Callable, Mapping
from typing import Any

from graphveil.errors import ParameterError
from graphveil.goals import NMF, check_reachable
from graphveil.parameters import proportion, whole_number
from graphveil.studio.actions import READING, Action
from graphveil.studio.state import State

__all__ = ["BUILDERS", "KS", "audit_action", "new_seed", "number"]

KS = range(2, 101)  # one audit counts all of them, and the slider needs no other
TOP = 8  # of the most exposed are named for each attacker
COMPARED = ("plan", "add-del", "add-greedy")
COMPARED_KS = (5, 10, 25, 50)
SAMPLE = {"edges": 2_000, "seed": 4}

Form = Mapping[str, Any]


def number(name: str, text: Any, *, least: int) -> int:
    """A whole number that was typed, or the library's sentence about it."""
    words = str(text).strip().replace(",", "").replace("\u202f", "")
    return whole_number(name, int(words) if re.fullmatch(r"-?\d{1,4000}", words) else text, least=least)


def _optional(name: str, form: Form, *, least: int) -> int | None:
    text = form.get(name, "")
    return None if text in ("", None, False) else number(name, text, least=least)


def _chosen(form: Form, name: str) -> str | None:
    text = str(form.get(name) or "").strip()
    return text or None


def _path(form: Form, name: str, what: str) -> str:
    """A path, made absolute so that the command runs from anywhere."""
    text = str(form.get(name) or "").strip()
    if not text:
        raise ParameterError(f"{what} is missing: type its path, or choose it with Browse.")
    if "\0" in text:
        raise ParameterError(f"{what} has a character in its path that no file has: type it again.")
    return os.path.abspath(os.path.expanduser(text))


def _read(state: State, **more: Any) -> tuple[str, dict[str, Any]]:
    if not state.path:
        raise ParameterError("no file is open. Begin with step 1, Open.")
    return "read", {"path": state.path, **state.reading, **more}


def new_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbits(128)


def open_action(state: State, form: Form) -> Action:
    """Read a file and audit it."""
    reading = {name: value for name, value in reading_options(form).items() if value is not None}
    step = "read", {"path": _path(form, "path", "The file"), **reading}
    return Action.of(step, ("audit", {"k": [*KS], "top": TOP}))


def reading_options(form: Form) -> dict[str, Any]:
    """The options of reading that a form gives; None for what is left to be found out."""
    columns = _chosen(form, "columns")
    delimiter = str(form.get("delimiter") or "") or None  # a blank is one
    return {
        "format": _chosen(form, "format"),
        "delimiter": "\t" if delimiter == "tab" else delimiter,
        "columns": [_column(part) for part in columns.split(",")] if columns else None,
        "header": {"yes": True, "no": False}.get(str(form.get("header"))),
        "encoding": _chosen(form, "encoding"),
        "vertices": _path(form, "vertices", "The second file") if _chosen(form, "vertices") else None,
        "project": bool(form.get("project")) or None,
        "undirected": bool(form.get("undirected")) or None,
    }


def _column(text: str) -> str | int:
    return int(text) if text.strip().isdecimal() else text.strip()


def sample_path() -> str:
    """Where the sample graph is written to."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    folder = os.path.join(home, "graphveil")
    os.makedirs(folder, 0o700, exist_ok=True)
    return os.path.join(folder, "sample-town.csv")


def sample_action(state: State) -> Action:
    """Make the sample graph, then read and audit it as any other."""
    make = ("generate", SAMPLE), ("write", {"path": state.path})
    return Action.of(
        *(() if os.path.exists(state.path) else make), _read(state), ("audit", {"k": [*KS], "top": TOP})
    )


def open_text(state: State, form: Form) -> Action:
    """What is typed to open a file; the page counts every k of the slider at once."""
    return Action.of(("read", open_action(state, form).steps[0].given), ("audit", {"k": state.k}))


def audit_action(state: State, form: Form) -> Action:
    """The audit at one k, as it would be typed."""
    return Action.of(_read(state), ("audit", {"k": number("k", form.get("k", state.k), least=2)}))


def chosen_k_action(state: State, form: Form) -> Action:
    """The audit at a k that somebody chose, if a graph of this size can have it."""
    action = audit_action(state, form)
    if state.graph:
        check_reachable(state.graph["vertices"], state.graph["edges"], (NMF(action.steps[-1].given["k"]),))
    return action


def look_up_action(state: State, form: Form) -> Action:
    """One person, or the friendship of two."""
    people = [str(form[name]) for name in ("person", "friend") if str(form.get(name) or "").strip()]
    if not people:
        raise ParameterError("person is missing: type the id of somebody in the file.")
    return Action.of(_read(state), ("look_up", {"people": people}))


def predict_action(state: State, form: Form) -> Action:
    """The changes to expect."""
    chosen = protect_arguments(state, form)
    wanted = {name: chosen.get(name) for name in ("k", "degree_k", "spread", "keep_edges")}
    return Action.of(_read(state), ("predict_changes", wanted))


def protect_arguments(state: State, form: Form) -> dict[str, Any]:
    """The arguments of `graphveil.anonymize` in the form of the page Protect."""
    method = _chosen(form, "method") or "plan"
    budget = _chosen(form, "budget")
    return {
        "k": number("k", form.get("k", state.k), least=2),
        "method": method,
        "degree_k": _optional("degree_k", form, least=2),
        "degree_method": _chosen(form, "degree_method"),
        "spread": _share("spread", form),
        "keep_edges": bool(form.get("keep_edges")) or None,
        "budget": _seconds(budget) if budget else None,
        "seed": _optional("seed", form, least=0),
    }


def _share(name: str, form: Form) -> float | None:
    text = _chosen(form, name)
    try:
        return proportion(name, float(text)) if text else None
    except ValueError:
        return proportion(name, text)  # which complains


def _seconds(text: str) -> float:
    from graphveil.cli.anonymize import seconds

    return seconds(text)


def protect_action(state: State, form: Form) -> Action:
    """Anonymize, without publishing."""
    return Action.of(_read(state), ("anonymize", protect_arguments(state, form)))


def protect_text(state: State, form: Form) -> Action:
    """What does the same on the command line also publishes."""
    action = protect_action(state, form)
    return Action((*action.steps, *publish_step(state, {"folder": beside(state, "published")}).steps))


def beside(state: State, what: str) -> str:
    """A folder beside the file that is not there yet."""
    stem = re.sub(r"(\.[A-Za-z]\w*)+$", "", state.path) or state.path
    names = (f"{stem}-{what}{'' if i == 1 else f'-{i}'}" for i in range(1, 1000))
    return next(name for name in names if not os.path.lexists(name))


def publish_step(state: State, form: Form) -> Action:
    """The last step of publishing."""
    arguments = {
        "folder": _path(form, "folder", "The folder"),
        "format": _chosen(form, "format"),
        "keep_vertex_attributes": kept_attributes(form) or None,
        "keep_identifying": bool(form.get("keep_identifying")) or None,
        "report": _chosen(form, "report"),
        "title": _chosen(form, "title"),
        "contact": _chosen(form, "contact"),
        "license": _chosen(form, "license"),
        "force": bool(form.get("force")) or None,
        "source": state.path,
        "reading": recorded_reading(state),
    }
    return Action.of(("publish", arguments))


def recorded_reading(state: State) -> dict[str, Any]:
    """The options of reading as the command line records them in private/run.json, those left out among them."""
    from graphveil.cli.anonymize import anonymize, as_recorded

    words = shlex.split(Action.of(_read(state), ("anonymize", {})).command())[2:]
    found = anonymize.make_context("anonymize", ["--output=out", *words]).params
    return as_recorded({each.name: found[each.name] for each in anonymize.params if each.name in READING})


def kept_attributes(form: Form) -> list[str]:
    """The vertex attributes to publish."""
    return [name.strip() for name in str(form.get("attributes") or "").split(",") if name.strip()]


def publish_action(state: State, form: Form) -> Action:
    """Publish the result that Protect has found."""
    if state.result is None:
        raise ParameterError("there is no protected graph yet. Run step 3, Protect, first.")
    attributes = kept_attributes(form)
    read = _read(state, **({"keep_vertex_attributes": attributes} if attributes else {}))
    steps = Action.of(read, ("anonymize", state.result["arguments"]))
    return Action((*steps.steps, *publish_step(state, form).steps))


def verify_action(_: State, form: Form) -> Action:
    """Verify a published folder."""
    return Action.of(("check", {"folder": _path(form, "folder", "The folder")}))


def compare_action(state: State, form: Form) -> Action:
    """Run several methods at several k."""
    texts = str(form.get("k") or ",".join(map(str, COMPARED_KS))).split(",")
    methods = form.get("methods", COMPARED)
    if not methods:
        raise ParameterError("no method is chosen. Tick at least one.")
    arguments = {
        "k": sorted({number("k", text, least=2) for text in texts}),
        "methods": [methods] if isinstance(methods, str) else list(methods),
        "degree_k": _optional("degree_k", form, least=2),
        "quick": bool(form.get("quick", True)) or None,
        "folder": _path(form, "folder", "The folder"),
    }
    return Action.of(_read(state), ("compare", arguments))


def restore_action(_: State, form: Form) -> Action:
    """Put ids back into a file of results."""
    results = _path(form, "results", "The file of results")
    columns = _chosen(form, "columns")
    stem, extension = os.path.splitext(results)
    output = _chosen(form, "output") or f"{stem}.restored{extension}"
    arguments = {
        "private": _path(form, "private", "The private folder"),
        "results": results,
        "output": os.path.abspath(os.path.expanduser(output)),
        "columns": [_column(part) for part in columns.split(",")] if columns else None,
        "header": {"yes": True, "no": False}.get(str(form.get("header"))),
    }
    return Action.of(("restore", arguments))


def restore_preview_action(state: State, form: Form) -> Action:
    """The first rows of what restoring would write."""
    given = restore_action(state, form).steps[0].given
    return Action.of(("preview_restore", {name: value for name, value in given.items() if name != "output"}))


BUILDERS: dict[str, Callable[[State, Form], Action]] = {
    "open": open_action,
    "audit": audit_action,
    "look-up": look_up_action,
    "predict": predict_action,
    "protect": protect_action,
    "publish": publish_action,
    "verify": verify_action,
    "compare": compare_action,
    "restore": restore_action,
}
