"""From what a form holds to an action, with the library's own checks and sentences."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from graphveil.cli.option import GUARANTEES, PUBLISHED, REDUCTIONS, SEARCH, Option
from graphveil.cli.options import READING, group, levels_of, options_of, own
from graphveil.cli.spelling import as_typed
from graphveil.errors import ParameterError
from graphveil.goals import GOALS, NMF, check_reachable, goals_of, sizes_of
from graphveil.parameters import whole_number
from graphveil.studio.actions import Action
from graphveil.studio.browsing import speakable
from graphveil.studio.state import State

KS = range(2, 101)  # one audit counts all of them, and the slider needs no other
TOP = 8  # of the most exposed are named for each attacker
COMPARED = ("plan", "add-del", "add-greedy")
COMPARED_KS = [5, 10, 25, 50]
WISH = "reduce."  # begins the field for the k of one attacker of reduce
KEEP = "keep."  # begins the field that says whether one attribute is published
SAMPLE = {"edges": 2_000, "seed": 4}

RARE = ("comments", "quotes", "max_memory", "strict")  # of reading, which pages do not ask for
# What a file is read with; that attributes are kept is for the attackers who know them.
READ = [row for row in (*READING, options_of("audit")["keep_vertex_attributes"]) if row.name not in RARE]
OF_ATTRIBUTES = (
    "generalize",
    "group_rare",
    "suppress",
    "sensitive",
    "l_diversity",
)  # what coarser values depend on

WISHED = [row.name for heading in (GUARANTEES, REDUCTIONS) for row in group("anonymize", heading)]

PUBLISHING = [row for row in group("anonymize", PUBLISHED) if row.name not in ("output", "to")]
ABOUT_FOLDER = [
    row for row in PUBLISHING if row.name in ("report", "pseudonyms", "title", "contact", "license", "force")
]
ABOUT_ATTRIBUTES = [row for row in PUBLISHING if row not in ABOUT_FOLDER]

Form = Mapping[str, Any]


def number(name: str, text: Any, *, least: int) -> int:
    """A whole number that was typed, or the library's sentence about it."""
    words = _digits(text)
    return whole_number(name, int(words) if re.fullmatch(r"-?[0-9]{1,4000}", words) else text, least=least)


def _digits(text: Any) -> str:
    """A number as it may be typed on a page, without what parts its thousands."""
    return str(text).strip().replace(",", "").replace("\u202f", "")


def _value(row: Option, form: Form) -> Any:
    """What the field of an option holds; None for what is left to the default."""
    given = form.get(row.name)
    if given in ("", None, False, []):
        return None
    if row.kind.form == "tick":
        return True
    if row.kind.form == "yes or no":
        return {"yes": True, "no": False}.get(str(given))
    if row.kind.form == "path":
        return _path(form, row.name, row.title)
    found = row.parse(_digits(given) if row.kind.form == "number" else str(given), row.name)
    return list(found) if isinstance(found, tuple) else found  # as JSON has it


def _path(form: Form, name: str, what: str) -> str:
    """A path, made absolute so that the command runs from anywhere."""
    text = str(form.get(name) or "").strip()
    if not text:
        raise ParameterError(f"{what} is missing: type its path, or choose it with Browse.")
    if "\0" in text:
        raise ParameterError(f"{what} has a character in its path that no file has: type it again.")
    if not speakable(text):
        raise ParameterError(f"{what} has a name that is not UTF-8, which no page can show: rename it first.")
    return os.path.abspath(os.path.expanduser(text))


def _read(state: State, **more: Any) -> tuple[str, dict[str, Any]]:
    if not state.path:
        raise ParameterError("no file is open. Begin with step 1, Open.")
    return "read", {"path": state.path, **state.reading, **more}


TITLES = {row.flag: row.title for command in ("restore", "anonymize") for row in options_of(command).values()}


def in_form(text: str) -> str:
    """A sentence of the library with the fields of the page in the place of parameters and options.

    >>> in_form("plan takes no k-degree. Leave degree_k= out, or try --frobnicate.")
    'plan takes no k-degree. Leave “Degree k” out, or try --frobnicate.'
    >>> in_form("Encoding of FILE, such as latin1.")
    'Encoding of the file, such as latin1.'
    """
    titled = re.sub(
        r"(?<![\w-])--[a-z][a-z-]*[a-z]",
        lambda found: f"“{TITLES[found[0]]}”" if found[0] in TITLES else found[0],
        as_typed(text),
    )
    return re.sub(r"\bFILE\b(?!\.\w)", "the file", titled)


def new_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbits(128)


def open_action(state: State, form: Form) -> Action:
    """Read a file and audit it."""
    reading = {name: value for name, value in reading_options(form).items() if value is not None}
    return Action.of(("read", {"path": _path(form, "path", "The file"), **reading}), whole_audit())


def whole_audit(*more: int, within: float | None = None) -> tuple[str, dict[str, Any]]:
    """The audit that feeds the slider, and perhaps one more k."""
    return "audit", {"k": [*KS, *more], "top": TOP, "within": within}


def reading_options(form: Form) -> dict[str, Any]:
    """The options of reading that a form gives; None for what is left to be found out."""
    found = {row.name: _value(row, form) for row in READ}
    return {**found, "delimiter": "\t" if found["delimiter"] == "tab" else found["delimiter"]}


def reading_form(reading: Mapping[str, Any]) -> dict[str, Any]:
    """The form that gives these options of reading."""
    form = {name: value for name, value in reading.items() if value is not None}
    form |= {name: ",".join(map(str, value)) for name, value in form.items() if isinstance(value, list)}
    if "header" in form:
        form["header"] = "yes" if form["header"] else "no"
    return form | ({"delimiter": "tab"} if form.get("delimiter") == "\t" else {})


def sample_path() -> str:
    """Where the sample graph is written to."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    folder = os.path.join(home, "graphveil")
    os.makedirs(folder, 0o700, exist_ok=True)
    return os.path.join(folder, "sample-town.csv")


def sample_action(state: State) -> Action:
    """Make the sample graph, then read and audit it as any other."""
    make = ("generate", SAMPLE), ("write", {"path": state.path})
    return Action.of(*(() if os.path.exists(state.path) else make), _read(state), whole_audit())


def open_text(state: State, form: Form) -> Action:
    """What is typed to open a file; the page counts every k of the slider at once."""
    return open_action(state, form).at(state.k)


def audit_action(state: State, form: Form) -> Action:
    """The audit at one k, as it would be typed."""
    k = number("k", form.get("k", state.k), least=2)
    within = _value(options_of("audit")["within"], {"within": state.within, **form})
    return Action.of(_read(state), ("audit", {"k": k, "within": within}))


def within_action(state: State, form: Form) -> Action:
    """The audit with attackers who know every number roughly."""
    within = audit_action(state, form).steps[-1].given.get("within")
    return Action.of(_read(state), whole_audit(*({state.k} - {*KS}), within=within))


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
    chosen = {**protect_arguments(state, form), "seed": None, "budget": None, "after": None}
    return Action.of(_read(state), ("predict_changes", chosen))


def protect_arguments(state: State, form: Form) -> dict[str, Any]:
    """The arguments of `graphveil.anonymize` in the form of the page Protect."""
    rows = (row for heading in (GUARANTEES, REDUCTIONS, SEARCH) for row in group("anonymize", heading))
    levels = {name: level for name, level in form.items() if name.startswith(WISH) and str(level).strip()}
    wishes = ",".join(f"{name.removeprefix(WISH)}={_digits(level)}" for name, level in levels.items())
    given = {**form, "reduce": wishes, **({} if wishes else dict.fromkeys(("max_changes", "until")))}
    found = {row.name: _value(row, given) for row in rows if row.name != "k"}
    others = any(found[each.parameter] for each in GOALS.values() if each is not NMF)
    k = None if form.get("k") == "" and others else number("k", form.get("k", state.k), least=2)
    return {"k": k, **found, "method": found["method"] or "plan"}


def k_of_pages(arguments: Mapping[str, Any]) -> int:
    """The k at which pages count what is exposed: that of k-NMF, or the largest that is asked for."""
    return arguments.get("k") or max(guaranteed(arguments)[-1], 2)


def guaranteed(arguments: Mapping[str, Any]) -> list[int]:
    """Each k that is asked for."""
    return sizes_of(goals_of(levels_of({**arguments})))


def protect_action(state: State, form: Form) -> Action:
    """Anonymize, without publishing."""
    return Action.of(_read(state), ("anonymize", protect_arguments(state, form)))


def protect_text(state: State, form: Form) -> Action:
    """What does the same on the command line also publishes."""
    return _published(state, protect_arguments(state, form), {"folder": beside(state, "published")})


def beside(state: State, what: str) -> str:
    """A folder beside the file that is not there yet."""
    stem = re.sub(r"(\.[A-Za-z]\w*)+$", "", state.path) or state.path
    names = (f"{stem}-{what}{'' if i == 1 else f'-{i}'}" for i in range(1, 1000))
    return next(name for name in names if not any(map(os.path.lexists, (name, f"{name}.md", f"{name}.html"))))


def attribute_wishes(state: State, form: Form) -> dict[str, Any]:
    """What a form asks for of the attributes of people, as options are typed."""
    kept = [name.removeprefix(KEEP) for name, given in form.items() if name.startswith(KEEP) and given]
    found = {row.name: _value(row, form) for row in ABOUT_ATTRIBUTES}
    for what in ("generalize", "group_rare"):
        typed = [(name, str(form.get(f"{what}.{name}") or "").strip()) for name in kept]
        found[what] = [f"{name}={_beside(state, text)}" for name, text in typed if text]
    found["sensitive"] = [name for name in kept if form.get(f"sensitive.{name}")]
    return {**found, "keep_vertex_attributes": kept} if kept else {}


def _beside(state: State, text: str) -> str:
    """A file of coarser values may be named as it lies beside the graph."""
    is_file = ".csv" in text.casefold()
    return os.path.join(os.path.dirname(state.path), os.path.expanduser(text)) if is_file else text


def attributes_action(state: State, form: Form) -> Action:
    """What would become of the attributes that are published with the result."""
    wishes = attribute_wishes(state, form)
    if not (wishes and state.result):
        raise ParameterError("no attribute is chosen.")
    asked = {name: wishes[name] for name in OF_ATTRIBUTES}
    read = _read(state, keep_vertex_attributes=wishes["keep_vertex_attributes"])
    return Action.of(read, ("propose", {"k": state.result["shown"]["k"], **asked}))


def _published(state: State, arguments: Mapping[str, Any], form: Form) -> Action:
    """All that makes a published folder of the file; of its attributes only those are kept that are published."""
    wishes, on_edges = attribute_wishes(state, form), (state.graph or {}).get("edge_attributes", [])
    if on_edges:  # as coarse as they must be: the page asks for those of people only
        coarser = [*(wishes.get("generalize") or []), *(f"{name}=auto" for name in on_edges)]
        wishes = {**wishes, "generalize": coarser, "keep_edge_attributes": on_edges}
    about = {
        "folder": _path(form, "folder", "The folder"),
        "format": _value(options_of("anonymize")["to"], form),
        **{name: value or None for name, value in wishes.items()},
        **{row.name: _value(row, form) for row in ABOUT_FOLDER},
        "source": state.path,
        "reading": recorded_reading(state),
    }
    read = _read(state, keep_vertex_attributes=wishes.get("keep_vertex_attributes"))
    return Action.of(read, ("anonymize", arguments), ("publish", about))


def recorded_reading(state: State) -> dict[str, Any]:
    """The options of reading as the command line records them in private/run.json, those left out among them."""
    from graphveil.cli.anonymize import as_recorded

    usual = {row.name: row.default and row.parse(row.default) for row in READING}
    usual |= {row.name: False for row in READING if row.kind.form == "tick"}
    return as_recorded({**usual, **state.reading})


def publish_action(state: State, form: Form) -> Action:
    """Publish the result that Protect has found."""
    if state.result is None:
        raise ParameterError("there is no protected graph yet. Run step 3, Protect, first.")
    return _published(state, state.result["arguments"], form)


def verify_action(_: State, form: Form) -> Action:
    """Verify a published folder."""
    return Action.of(("check", {"folder": _path(form, "folder", "The folder")}))


def statement_action(state: State, form: Form) -> Action:
    """State what was published, and save it."""
    rows = options_of("statement")
    folder = _path(form, "folder", "The folder")
    page = _value(rows["format"], {"format": form.get("page")}) or "html"
    path = _path(form, "statement", "The statement") if form.get("statement") else ""
    return Action.of(
        ("statement", {"folder": folder, "language": _value(rows["language"], form)}),
        ("save_statement", {"path": path or f"{beside(state, 'statement')}.{page}", "format": page}),
    )


def compare_action(state: State, form: Form) -> Action:
    """Run several methods at several k."""
    rows = {row.name: row for row in own("compare")}
    methods = form.get("methods", COMPARED)
    if not methods:
        raise ParameterError("no method is chosen. Tick at least one.")
    guarantees = {row.name: _value(row, form) for row in group("compare", GUARANTEES)}
    arguments = {
        **guarantees,
        "k": guarantees["k"] or COMPARED_KS,
        "methods": [methods] if isinstance(methods, str) else list(methods),
        "quick": _value(rows["quick"], {"quick": True, **form}),
        **{name: _value(rows[name], form) for name in ("exposed_k", "max_changes")},
        "attacker": state.compare.get("attacker"),
        "folder": _path(form, "folder", "The folder"),
    }
    return Action.of(_read(state), ("compare", arguments))


def restore_action(_: State, form: Form) -> Action:
    """Put ids back into a file of results."""
    results = _path(form, "results", "The file of results")
    stem, extension = os.path.splitext(results)
    rows = options_of("restore")
    arguments = {
        "private": _path(form, "private", "The private folder"),
        "results": results,
        "output": _value(rows["output"], form) or f"{stem}.restored{extension}",
        **{name: _value(rows[name], form) for name in ("columns", "header")},
    }
    return Action.of(("restore", arguments))


def restore_preview_action(state: State, form: Form) -> Action:
    """The first rows of what restoring would write."""
    given = restore_action(state, form).steps[0].given
    return Action.of(("preview_restore", {name: value for name, value in given.items() if name != "output"}))


# From what a page holds to the action whose command line and script it shows
BUILDERS: dict[str, Callable[[State, Form], Action]] = {
    "open": open_text,
    "audit": audit_action,
    "look-up": look_up_action,
    "protect": protect_text,
    "publish": publish_action,
    "verify": verify_action,
    "statement": statement_action,
    "compare": compare_action,
    "restore": restore_action,
}
