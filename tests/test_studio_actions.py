"""An action runs, and its command line and its script do the same."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

pytest.importorskip("starlette")

import graphveil
from graphveil.cli.app import graphveil as program
from graphveil.cli.options import READING, options_of
from graphveil.errors import ParameterError
from graphveil.methods.run import Progress
from graphveil.methods.table import METHODS
from graphveil.studio import forms
from graphveil.studio.actions import FUNCTIONS, Action
from graphveil.studio.state import State, open_project, save_project
from graphveil.studio.studio import Studio
from graphveil.studio.views import view
from graphveil.studio.work import _Progress

ODD = ("two blanks.csv", 'it\'s $HOME `id` "q".csv', "-leading.csv", "Ünï ☃.csv", "back\\slash;&|.csv")
EDGES = "source,target\nAnn,Bob\nBob,Cem\nAnn,Cem\nCem,Dora\n"


@pytest.mark.parametrize("name", ODD)
def test_commands_and_scripts_run_in_a_fresh_shell(tmp_path, name):
    (tmp_path / name).write_text(EDGES)
    action = Action.of(
        ("read", {"path": str(tmp_path / name), "columns": ["source", "target"]}), ("audit", {"k": 3})
    )
    python = Path(sys.executable)
    environment = {**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}"}
    command = action.command().replace("graphveil", f"{shlex.quote(str(python))} -m graphveil", 1)
    ran = subprocess.run(["sh", "-c", command], capture_output=True, text=True, env=environment, timeout=300)
    assert ran.returncode == 0, ran.stderr
    assert "4 people, 4 friendships" in ran.stdout
    if name == ODD[1]:  # Python starts slowly
        ran = subprocess.run([python, "-c", action.script()], capture_output=True, text=True, timeout=300)
        assert ran.returncode == 0, ran.stderr
        assert "'vertices': 4" in ran.stdout


def parsed(command: str) -> dict[str, object]:
    """What the real command line makes of a command."""
    _, name, *words = shlex.split(command)
    with program.commands[name].make_context(name, words, resilient_parsing=False) as context:
        return context.params


def everything(state: State) -> dict[str, Action]:
    """Actions with every option given."""
    protect = {"k": "25", "degree_k": "5", "method": "plan", "keep_edges": True, "budget": "2m", "seed": "7"}
    state.result = {"arguments": forms.protect_action(state, protect).steps[-1].given, "record": {}}
    publish = {
        "folder": "/o u t",
        "to": "csv",
        "report": "quick",
        "keep.age": True,
        "keep.-x": True,
        "keep.town": False,
        "generalize.age": "5",
        "generalize.town": "auto",
        "group_rare.-x": "Other",
        "sensitive.-x": True,
        "force": True,
        "title": "-t",
    }
    return {
        "publish": forms.publish_action(state, {**publish, "keep_identifying": True}),
        "compare": forms.compare_action(
            state, {"k": "5, 25", "methods": ["plan", "add-del"], "folder": "/c"}
        ),
        "restore": forms.restore_action(
            state, {"private": "/p", "results": "/r.csv", "columns": "0,2", "header": "no"}
        ),
    }


def test_options_are_those_of_the_command_line():
    reading = {
        "columns": ["from", 3],
        "header": False,
        "delimiter": "\t",
        "format": "csv",
        "undirected": True,
    }
    actions = everything(State(path="/-f $x.csv", reading=reading))
    found = parsed(actions["publish"].command())
    assert found["k"] == (25,)
    assert found["degree_k"] == 5
    assert (found["keep_edges"], found["budget"], found["seed"]) == (True, 120.0, 7)
    assert (found["file"], found["format"], found["to"]) == ("/-f $x.csv", "csv", "csv")
    assert (found["columns"], found["header"], found["delimiter"]) == (["from", 3], False, "\t")
    assert (found["generalize"], found["group_rare"], found["sensitive"]) == (
        ("age=5",),
        ("-x=Other",),
        ("-x",),
    )
    assert (found["keep_vertex_attributes"], found["output"], found["force"]) == (
        ("age", "-x"),
        "/o u t",
        True,
    )
    found = parsed(actions["compare"].command())
    assert (found["k"], found["methods"], found["quick"], found["output"]) == (
        (5, 25),
        "plan,add-del",
        True,
        "/c",
    )
    found = parsed(actions["restore"].command())
    assert (found["private"], found["results"], found["columns"]) == ("/p", "/r.csv", [0, 2])
    assert found["header"] is False


def test_cards_of_attackers_are_options_of_the_command_line():
    state = State(path="/f.csv")
    form = {"k": "", "friendship_k": "3", "reduce.degree": "4", "reduce.edge-degrees": "", "until": "95%"}
    found = parsed(forms.protect_text(state, form).command())
    assert (found["k"], found["friendship_k"], found["reduce"], found["until"]) == (
        (),
        3,
        ("degree=4",),
        0.95,
    )
    arguments = forms.protect_arguments(state, {"k": "7", "until": "95%", "max_changes": "2%"})
    assert (arguments["k"], arguments["until"], arguments["max_changes"]) == (7, None, None)
    with pytest.raises(ParameterError, match="k must be a whole number"):
        forms.protect_arguments(state, {"k": ""})


def test_statement_is_saved_beside_the_file_and_never_over_another(tmp_path):
    state = State(path=str(tmp_path / "town.csv"))
    first = forms.statement_action(state, {"folder": "/out", "language": "de"})
    assert parsed(first.command())["output"] == str(tmp_path / "town-statement.html")
    (tmp_path / "town-statement.md").touch()
    second = forms.statement_action(state, {"folder": "/out", "page": "md"})
    assert second.steps[1].given["path"] == str(tmp_path / "town-statement-2.md")


def test_every_function_exists_and_its_options_too():
    from importlib import import_module

    for name, function in FUNCTIONS.items():
        assert callable(getattr(import_module(function.home), name))
        rows = options_of(function.command)
        assert set(function.renamed.values()) <= set(rows), name
        command = program.commands[function.command]
        flags = {flag for each in command.get_params(click.Context(command)) for flag in each.opts}
        assert {row.flag for row in rows.values()} - flags <= {row.flag for row in READING}, name


def test_scripts_hold_their_arguments_as_python():
    action = everything(State(path='/it\'s "q".csv'))["publish"]
    compile(action.script(), "script", "exec")
    assert repr('/it\'s "q".csv') in action.script()
    assert Action.from_record(action.record()).record() == action.record()


@pytest.mark.parametrize(
    ("text", "words"), [("1", "at least 2"), ("abc", "'abc'"), ("0", "not 0"), ("", "''")]
)
def test_numbers_are_refused_with_the_sentence_of_the_library(text, words):
    with pytest.raises(graphveil.ParameterError, match=words):
        forms.number("k", text, least=2)


def test_k_out_of_reach_is_refused_with_the_sentence_of_the_library():
    state = State(path="/f.csv", graph={"vertices": 4, "edges": 3})
    with pytest.raises(graphveil.UnreachableError, match="Choose k up to 6"):
        forms.chosen_k_action(state, {"k": "7"})
    assert (
        forms.audit_action(state, {}).command() == "graphveil audit -k 25 -- /f.csv"
    )  # as the command line does


def test_blank_is_a_delimiter():
    text = Studio().text("open", {"path": "/f.txt", "delimiter": " "})
    assert text["command"] == "graphveil audit '--delimiter= ' -k 25 -- /f.txt"


def test_without_a_command_the_drawer_says_why():
    studio = Studio()
    for name in ("protect", "compare", "publish", "restore"):
        text = studio.text(name, {})
        assert text["command"] == text["script"] == f"# {text['problem']}"
    assert (
        view(studio, "publish")["texts"]["script"]
        == "# there is no protected graph yet. Run step 3, Protect, first."
    )


def test_stop_in_the_search_says_what_it_would_keep():
    told = []
    say = _Progress(lambda _, **data: told.append(data.get("keeps", "")), {"method": "plan"})
    say(Progress("groups", 1, violating=5, changed=3))
    say(Progress("groups", 2, violating=0, changed=9))
    say(Progress("search", 0, violating=5, changed=0))
    assert told[-1] == "the best so far, 9 changes"  # of the paper's method
    for more, words in (({}, "the result of a quicker method"), ({"spread": 0.5}, "")):
        say = _Progress(lambda _, **data: told.append(data.get("keeps", "")), {"method": "plan", **more})
        say(Progress("search", 0, violating=5, changed=0))
        assert told[-1] == words


def test_project_is_private_and_comes_back(tmp_path):
    state = State(path="/f.csv", k=7, audit={"k": [2]}, log=[[{"function": "read", "arguments": {}}]])
    path = save_project(state, str(tmp_path / "p.json"))
    assert Path(path).stat().st_mode & 0o777 == 0o600
    assert open_project(path) == state


def test_project_replaces_a_project_and_nothing_else(tmp_path):
    graph = tmp_path / "friends.csv"
    graph.write_text(EDGES)
    with pytest.raises(graphveil.ParameterError, match="is no project"):
        save_project(State(), str(graph))
    assert graph.read_text() == EDGES
    for k in (5, 6):
        save_project(State(k=k), str(tmp_path / "p.json"))
    assert open_project(str(tmp_path / "p.json")).k == 6


def test_comparison_without_a_method_is_refused():
    with pytest.raises(graphveil.ParameterError, match="Tick at least one"):
        forms.compare_action(State(path="/f.csv"), {"k": "5", "methods": [], "folder": "/c"})


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema": "graphveil/studio/1", "k": "5"}', '{"schema": "x"}']
)
def test_damaged_projects_are_refused(tmp_path, text):
    (tmp_path / "p.json").write_text(text)
    with pytest.raises(graphveil.InputError, match="project"):
        open_project(str(tmp_path / "p.json"))


def test_studio_is_not_loaded_with_graphveil():
    code = (
        "import sys, graphveil; from graphveil.cli import main; main(['--help']); main(['studio', '--help'])\n"
        "print([name for name in sys.modules if 'studio.' in name or name in ('starlette', 'uvicorn', 'jinja2')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert ran.stdout.splitlines()[-1] == "[]", ran.stdout


def test_methods_of_the_comparison_are_known():
    assert set(forms.COMPARED) <= set(METHODS)
    assert isinstance(program.commands["studio"], click.Command)


def test_without_the_extra_one_line_says_how_to_get_it(monkeypatch, capsys):
    from graphveil.cli import main, studio

    monkeypatch.setattr(studio, "find_spec", lambda name: None)
    assert main(["studio"]) == 2
    assert "pip install 'graphveil[studio]'" in capsys.readouterr().err.strip().splitlines()[-1]


def test_attributes_of_friendships_that_were_read_are_published():
    reading = {"keep_edge_attributes": ["day=last"], "direction": "keep"}
    state = State(path="/calls.csv", reading=reading, graph={"edge_attributes": ["day", "direction"]})
    publish = everything(state)["publish"]
    given = publish.steps[-1].given
    assert given["keep_edge_attributes"] == ["day", "direction"]
    found = parsed(publish.command())
    assert (found["keep_edge_attributes"], found["direction"]) == (("day=last",), "keep")
    assert found["generalize"] == ("age=5", "day=auto", "direction=auto")
    assert publish.command().count("--keep-edge-attribute") == 1
