"""The studio at work: takes what the pages ask for, starts jobs, and keeps what they find."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from graphveil.errors import GraphveilError, InputError, ParameterError
from graphveil.publication.staging import check_target
from graphveil.studio import forms
from graphveil.studio.actions import Action
from graphveil.studio.events import Events
from graphveil.studio.jobs import Job, Jobs
from graphveil.studio.state import State, open_project, remember_file, save_project
from graphveil.words import plain

Form = Mapping[str, Any]
Answer = dict[str, Any]


class Studio:
    """State, jobs and events together."""

    def __init__(self) -> None:
        self.state = State()
        self.events = Events()
        self.jobs = Jobs(self.events, self._take, self._ended)
        # Every page, to see whether a project has all they need
        self.draw_all: Callable[[], None] = lambda: None
        self._before: State | None = None  # while another graph is opened
        self._asked: dict[
            int, tuple[str, dict[str, Any]]
        ] = {}  # from the number of a job to what it was asked by
        self._page_of: dict[int, str] = {}  # from the number of a job to the page that shows its problem

    def do(self, name: str, form: Form) -> Answer:
        """Do what a page asks for; a problem is a sentence and the field that it is about."""
        deed: Callable[[Form], Answer] | None = getattr(self, f"ask_{name.replace('-', '_')}", None)
        if deed is None:
            raise LookupError(name)
        asked = name, dict(form)
        if again := [job.number for job in self.jobs.unfinished if self._asked.get(job.number) == asked]:
            return {"job": again[0]}  # as a double click asks
        try:
            answer = deed(form)
        except GraphveilError as error:
            return {"problem": forms.in_form(str(error)), "field": _field(name, error)}
        if "job" in answer:
            self._asked[answer["job"]] = asked
        return answer

    def text(self, name: str, form: Form) -> Answer:
        """The command line and the script of what a form would do."""
        builder = forms.BUILDERS[name]
        try:
            return texts(builder(self.state, form))
        except GraphveilError as error:
            return {"problem": forms.in_form(str(error)), "field": _field(name, error), **no_texts(error)}

    # ------------------------------------------------------------------ what pages ask for

    def ask_open(self, form: Form) -> Answer:
        action = forms.open_action(self.state, form)
        self._leave_graph()
        read = dict(action.steps[0].given)
        path = read.pop("path")
        same, self.state.path, self.state.reading = path == self.state.path, path, read
        self.state.forget_graph(same_file=same)
        return self._start("open", f"Opening {self.state.name}", action)

    def ask_sample(self, _: Form) -> Answer:
        self._leave_graph()
        path = forms.sample_path()
        self.state.path, self.state.reading = path, {}
        self.state.forget_graph()
        return self._start("open", "Opening the sample graph", forms.sample_action(self.state))

    def ask_k(self, form: Form) -> Answer:
        action = forms.chosen_k_action(self.state, form)
        k = action.steps[-1].given["k"]
        if k != self.state.k:
            self.state.k, self.state.prediction = k, None
            self.events.tell("state", {"k": k})
        answer = texts(action)
        if self.state.audit and k not in self.state.audit["k"]:
            more = forms.within_action(self.state, {})
            answer |= self._start("exposure", f"Counting at k = {k:,}", more, drawn=True)
        return answer

    def ask_within(self, form: Form) -> Answer:
        action = forms.within_action(self.state, form)
        self.state.within = str(form.get("within") or "").strip()
        texts_ = texts(forms.audit_action(self.state, {}))
        return texts_ | self._start("within", "Counting attackers who know it roughly", action, drawn=True)

    def ask_look_up(self, form: Form) -> Answer:
        action = forms.look_up_action(self.state, form)
        return texts(action) | self._start("look-up", "Looking somebody up", action)

    def ask_predict(self, form: Form) -> Answer:
        self.state.protect, self.state.prediction = dict(form), None
        action = forms.predict_action(self.state, form)
        self.state.k = forms.k_of_pages(action.steps[-1].given)
        return self._start("protect", "Estimating the changes", action, passing=True)

    def ask_protect(self, form: Form) -> Answer:
        seeded = {**form, "seed": form.get("seed") or forms.new_seed()}
        action = forms.protect_action(self.state, seeded)
        arguments = action.steps[-1].given
        self.state.k, self.state.protect = forms.k_of_pages(arguments), dict(form)
        self.state.result = self.state.after = self.state.changes = self.state.kept = None
        self.state.publication = self.state.verification = self.state.statement = None
        given = {"shown": self.state.picture["shown"]} if self.state.picture else {}
        ks = sorted({*forms.KS, self.state.k, *forms.guaranteed(arguments)})
        title = f"Protecting {self.state.name} at k = {self.state.k:,}"
        started = self._start("protect", title, action, k=ks, **given)
        return texts(forms.protect_text(self.state, seeded)) | started

    def ask_compare(self, form: Form) -> Answer:
        self.state.compare = {**self.state.compare, **form}
        action = forms.compare_action(self.state, self.state.compare)
        self.state.cells, self.state.comparison = [], None
        return self._start("compare", "Comparing methods", action)

    def ask_use(self, form: Form) -> Answer:
        self.state.k = forms.number("k", form["k"], least=2)
        self.state.protect = {**self.state.protect, **dict.fromkeys(forms.WISHED, ""), "seed": "", **form}
        return {"go": "/protect"}

    def ask_attacker(self, form: Form) -> Answer:
        self.state.compare = {**self.state.compare, "attacker": str(form.get("attacker", ""))}
        self._tell()
        return texts(forms.compare_action(self.state, self.state.compare))

    def ask_attributes(self, form: Form) -> Answer:
        self.state.publish = dict(form)
        if not forms.attribute_wishes(self.state, form):
            self.jobs.drop(*(job for job in self.jobs.unfinished if job.passing))
            self.state.kept = None
            self._tell()
            return {}
        action = forms.attributes_action(self.state, form)
        if self.state.kept and self.state.kept["asked"] == action.record():
            return {}
        self.state.kept = None
        return self._start("publish", "Looking at the attributes", action, passing=True)

    def ask_publish(self, form: Form) -> Answer:
        self.state.publish = {**form, "force": False}
        action = forms.publish_action(self.state, form)
        folder = action.steps[-1].given["folder"]
        if os.path.lexists(folder) and not form.get("force"):
            check_target(folder, force=True, source=self.state.path)  # it may be refused anyway
            return {
                "ask": f"{folder} exists already. Replace it? graphveil replaces only what it published itself."
            }
        assert self.state.result
        self.state.publication = self.state.verification = self.state.statement = None
        return self._start("publish", f"Publishing {folder}", action, result=self.state.result["record"])

    def ask_verify(self, form: Form) -> Answer:
        self.state.verification = None
        return self._start("publish", "Verifying", forms.verify_action(self.state, form))

    def ask_statement(self, form: Form) -> Answer:
        action = forms.statement_action(self.state, form)
        return texts(action) | self._start("publish", "Writing the statement", action)

    def ask_preview_restore(self, form: Form) -> Answer:
        self.state.restore = dict(form)
        self.state.restored = None
        return self._start("restore", "Reading the results", forms.restore_preview_action(self.state, form))

    def ask_restore(self, form: Form) -> Answer:
        self.state.restore = dict(form)
        return self._start("restore", "Restoring ids", forms.restore_action(self.state, form))

    def ask_stop(self, form: Form) -> Answer:
        self.jobs.stop(forms.number("job", form.get("job"), least=1))
        return {}

    def ask_save_project(self, form: Form) -> Answer:
        path = str(form.get("path") or "").strip()
        if not path:
            raise ParameterError("the project needs a path: type where to save it.")
        return {"said": f"Saved {save_project(self.state, path)}. Only you can read it; it names people."}

    def ask_open_project(self, form: Form) -> Answer:
        self._refuse_while_busy()
        path = str(form.get("path") or "").strip()
        before, self.state = self.state, open_project(path)
        try:
            self.draw_all()
        except Exception:
            self.state = before
            raise InputError(path, "this project is damaged", remedy="Choose another file.") from None
        self._tell()
        return {"go": "/exposure" if self.state.audit else "/open"}

    def _leave_graph(self) -> None:
        """For another one; it comes back if that is refused."""
        self._refuse_while_busy()
        self._before = replace(self.state) if self.state.audit else None

    def _refuse_while_busy(self) -> None:
        """Another graph would get what the jobs find on this one. Opening a file gives way to opening another."""
        jobs = self.jobs.unfinished
        if any(not job.passing and self._page_of.get(job.number) != "open" for job in jobs):
            raise ParameterError("a job is running. Stop it first, or wait for its end.")
        self.jobs.drop(*jobs)

    # ------------------------------------------------------------------ what jobs find

    def _start(self, page: str, title: str, action: Action, *, passing: bool = False, **given: Any) -> Answer:
        self.state.problem.pop(page, None)
        job = self.jobs.submit(title, action, passing=passing, **given)
        self._page_of[job.number] = page
        self._tell()
        return {"job": job.number}

    def _take(self, job: Job, name: str, value: Any) -> None:
        if name in ("preview", "graph") and self._page_of.get(job.number) != "open":
            return  # the same file again, perhaps with attributes
        if name == "result":
            value["arguments"] = job.action.steps[-1].given
        if name == "kept":
            value["asked"] = job.action.record()
        if name == "cell":
            self.state.cells.append(value)
        else:
            setattr(self.state, name, value)
        if name == "audit":
            remember_file(self.state.path)
        self._tell()

    def _ended(self, job: Job) -> None:
        page = self._page_of.pop(job.number, "open")
        self._asked.pop(job.number, None)
        if page == "open":
            self._come_back()
        if job.state == "failed":
            self.state.problem[page] = job.message
        elif job.state == "done" and not job.passing:
            self.state.remember(job.action.at(self.state.k))
            self.state.warnings[page] = list(job.warnings)
            found = {
                "protect": self.state.result,
                "compare": self.state.comparison,
                "publish": self.state.publication,
            }.get(page)
            if found is not None:
                found.setdefault("took", round(job.ended - job.started))
        self._tell()

    def _come_back(self) -> None:
        """To the graph before, if another file was not read. What may settle it is still offered."""
        refused, before = self.state.preview, self._before
        self._before = None
        if before and not self.state.audit:
            self.state.become(before)
            # Of no file, nothing is shown
            self.state.refused = refused if refused and refused["rows"] else None

    def _tell(self) -> None:
        self.events.tell("state", {})


def texts(action: Action) -> Answer:
    """Both texts of an action."""
    return {"command": action.command(), "script": action.script()}


def no_texts(error: GraphveilError) -> Answer:
    """Why there is no command and no script, as a comment in both languages."""
    return dict.fromkeys(("command", "script"), f"# {plain(error)}")


FIELDS = {
    "open": "path",
    "verify": "folder",
    "statement": "statement",
    "save-project": "path",
    "open-project": "path",
}


def _field(name: str, error: GraphveilError) -> str:
    """The field that a sentence is about: the one that it begins with, else the first of the form."""
    word = str(error).split(" ", 1)[0].strip(":-").replace("-", "_").lower()
    known = {"k", "degree_k", "spread", "seed", "budget", "person"}
    if word in known:
        return word
    beginnings = {
        "the file of": "results",
        "the private": "private",
        "the folder": "folder",
        "the budget": "budget",
    }
    found = (field for start, field in beginnings.items() if str(error).lower().startswith(start))
    return next(found, FIELDS.get(name, ""))
