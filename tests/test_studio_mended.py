"""Pages that once misled: refused files, names that are not UTF-8, double clicks, stale choices, forged requests."""

from __future__ import annotations

import os

import pytest

pytest.importorskip("starlette")

from starlette.requests import Request

from graphveil.pages import environment
from graphveil.studio import forms, views
from graphveil.studio.actions import Action
from graphveil.studio.app import _is_form, _was_refused
from graphveil.studio.browsing import listing
from graphveil.studio.guard import Guard
from graphveil.studio.jobs import Job
from graphveil.studio.studio import Studio


class Queue:
    """Jobs that wait for ever."""

    def __init__(self) -> None:
        self.unfinished: list[Job] = []
        self.current, self.queue = None, []

    def submit(self, title, action, *, passing=False, **given):
        self.unfinished.append(Job(len(self.unfinished) + 1, title, action, given, passing))
        return self.unfinished[-1]

    def drop(self, *jobs):
        self.unfinished = [job for job in self.unfinished if job not in jobs]


@pytest.fixture
def studio() -> Studio:
    found = Studio()
    found.jobs = Queue()
    found.state.path = "/town.csv"
    return found


def rendered(studio: Studio, step: str) -> str:
    page = environment("graphveil.studio").get_template(f"studio/{step}.html")
    return page.render(**views.view(studio, step))


def failed(studio: Studio, number: int, message: str) -> None:
    job = next(job for job in studio.jobs.unfinished if job.number == number)
    job.state, job.message = "failed", message
    studio.jobs.unfinished.remove(job)
    studio._ended(job)


def test_a_refused_file_leads_to_the_page_that_says_why(studio):
    number = studio.do("open", {"path": "/nowhere.csv"})["job"]
    assert not _was_refused(studio, "exposure"), "it is being read"
    failed(studio, number, "/nowhere.csv: it is not there.")
    assert _was_refused(studio, "exposure")
    assert "it is not there" in views.view(studio, "open")["problem"]


def test_a_double_click_is_one_job(studio):
    form = {"k": "5", "method": "add-del"}
    first = studio.do("protect", form)["job"]
    assert studio.do("protect", form)["job"] == first, "though each run would draw a seed of its own"
    assert studio.do("protect", {**form, "k": "6"})["job"] != first


def test_every_attacker_is_counted_at_the_k_that_is_guaranteed_against_it(studio):
    from graphveil import anonymize, generate
    from graphveil.studio.work import _own_k

    result = anonymize(generate(edges=300, seed=4), 10, degree_k=3, method="add-del", seed=1)
    assert _own_k(result) == {"mutual-friends": 10, "degree": 3}
    exposures = [{"people": 5 - k} for k in (2, 3)] + [{"people": 9}]
    attackers = [{"name": "degree", "knows": "how many", "smallest": 1, "exposures": exposures}]
    studio.state.audit = studio.state.after = {"k": [2, 3, 10], "attackers": attackers, "own": {"degree": 3}}
    studio.state.result = {"shown": {"k": 10}, "arguments": {}}
    (row,) = views._beside(studio.state)
    assert (row["k"], row["before"], row["guaranteed"]) == (3, 2, True)


def test_nothing_open_says_so_and_asks_for_nothing(studio):
    studio.state.path = ""
    for step in ("exposure", "protect", "compare"):
        assert "No file is open" in rendered(studio, step)
    assert "protect-form" not in rendered(studio, "protect")


def test_only_opening_changes_what_the_file_is_said_to_have(studio):
    studio.state.graph = {"vertex_attributes": ["age"]}
    job = studio.jobs.submit("Looking", Action.of(("read", {"path": "/town.csv"})))
    studio._page_of[job.number] = "publish"
    studio._take(job, "graph", {"vertex_attributes": []})
    assert studio.state.graph == {"vertex_attributes": ["age"]}


def test_a_look_up_that_failed_is_not_red_for_ever(studio):
    failed(studio, studio.do("look-up", {"person": "Eve"})["job"], "there is nobody with the id 'Eve'.")
    assert views.view(studio, "exposure")["problem"] == ""


def test_choices_are_for_one_file(studio):
    studio.state.protect = {"degree_k": "10"}
    studio.do("open", {"path": "/town.csv", "columns": "0,1"})
    assert studio.state.protect == {"degree_k": "10"}
    studio.do("open", {"path": "/village.csv"})
    assert studio.state.protect == {}


def test_another_k_takes_the_estimate_away_and_tells_the_other_tabs(studio):
    studio.state.prediction = {"method": "plan", "changes": [12, 15], "dummies": 0, "share": 0.01}
    studio.state.audit = {"k": [], "attackers": [], "groups": {"mutual-friends": [[0, 3]]}, "methods": []}
    page = rendered(studio, "protect")
    assert "2 short trial runs of plan needed 12 to 15 changes (at most 1 % of the friendships)" in page
    studio.do("k", {"k": "7"})
    assert studio.state.prediction is None
    assert ("state", {"k": 7}) in [(kind, data) for _, kind, data in studio.events._kept]


@pytest.mark.parametrize("text", ["٢٥", "2٥", "²"])
def test_digits_are_those_of_the_keyboard(studio, text):
    assert studio.do("k", {"k": text})["field"] == "k"


def test_what_is_refused_anyway_is_not_asked_about(studio, tmp_path):
    studio.state.result = {"arguments": {"k": 5}, "record": {}}
    (tmp_path / "diary").mkdir()
    (tmp_path / "diary" / "monday.txt").write_text("dear")
    for name in ("diary", "diary/monday.txt"):
        answer = studio.do("publish", {"folder": str(tmp_path / name)})
        assert "ask" not in answer
        assert "problem" in answer


def test_saved_steps_name_one_k_and_replace_their_own_folder(studio):
    everything = Action.of(("read", {"path": "/a.csv"}), ("audit", {"k": [*forms.KS], "top": 8}))
    assert everything.at(25).command() == "graphveil audit -k 25 -- /a.csv"
    publish = Action.of(
        ("read", {"path": "/a.csv"}), ("anonymize", {"k": 5}), ("publish", {"folder": "/out"})
    )
    assert "--force" not in publish.command()
    assert "--force" in publish.again().command()


def test_names_that_are_not_utf_8_are_listed_and_not_opened(studio, tmp_path):
    path = os.fsencode(tmp_path) + b"/caf\xe9.csv"
    try:
        open(path, "w").close()
    except OSError:
        pytest.skip("this file system takes no such name")
    (entry,) = listing(str(tmp_path)).entries
    assert (entry.name, entry.path, entry.size) == ("caf\\udce9.csv", "", "0 B")


def test_a_name_that_is_not_utf_8_is_refused_and_pages_go_on(studio, tmp_path):
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.csv")
    answer = studio.do("open", {"path": path})
    assert (
        answer["problem"] == "The file has a name that is not UTF-8, which no page can show: rename it first."
    )
    assert studio.state.path == "/town.csv"
    rendered(studio, "open").encode()


@pytest.mark.parametrize(
    "form", [[], "x", {"k": {}}, {"k": [[1]]}, {"title": "\udcff"}, {"methods": ["\ud800"]}]
)
def test_forms_that_no_page_sends_are_refused(form):
    assert not _is_form(form)
    assert _is_form({"k": "5", "methods": ["plan"], "quick": True, "degree_k": None, "job": 3})


@pytest.mark.parametrize("path", ["//evil.example", "/\\evil.example", "///evil.example/x"])
def test_the_token_is_exchanged_on_this_host(path):
    guard = Guard(None, 80)
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [(b"host", b"127.0.0.1:80")],
    }
    answer = guard._exchanged(Request({**scope, "server": ("127.0.0.1", 80), "scheme": "http"}), guard.token)
    assert answer.headers["location"].startswith("/")
    assert answer.headers["location"][1:2] not in ("/", "\\")


def test_options_are_named_as_the_fields_of_the_page(studio):
    answer = studio.do("protect", {"k": "5", "budget": "never"})
    assert answer["field"] == "budget"
    assert (
        forms.in_form("Choose another (--degree-k), or --no-such.")
        == "Choose another (“Degree k”), or --no-such."
    )
