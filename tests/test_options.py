"""Options, described once: guarantees by their rows alone, help in groups, files of options."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib

import click
import pytest

import commands
import graphveil
from graphveil.cli import main
from graphveil.cli.app import graphveil as program
from graphveil.cli.options import GUARANTEED, options_of, own

friends = commands.friends  # pytest finds fixtures by their names here

TOY = """
import sys
from graphveil.goals import GOALS
from graphveil.goals.goal import Goal
class Toy(Goal):
    name, parameter, attacker, what, of = "k-toy", "toy_k", "degree", "toys", "people"
    sentence = "Nobody with {level} toys is found."
GOALS[Toy.name] = Toy
"""


def in_a_process(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", TOY + code], capture_output=True, text=True, check=True
    ).stdout


def test_a_new_guarantee_is_an_option_everywhere_by_its_row():
    shown = in_a_process(
        "from graphveil.cli import main\n"
        "for command in ('anonymize', 'verify', 'compare'): main([command, '--help'])\n"
        "print(main(['anonymize', 'x', '-o', 'nowhere', '--toy-k', '0']))\n"
    )
    assert shown.count("--toy-k K") == 3
    assert shown.count("Every number of toys belongs to at least K people.") == 3
    assert shown.endswith("2\n")


def test_a_new_guarantee_is_a_field_of_the_studio_by_its_row():
    pytest.importorskip("starlette")
    page = in_a_process(
        "from graphveil.pages import environment\n"
        "from graphveil.studio import forms, views\n"
        "from graphveil.studio.studio import Studio\n"
        "studio = Studio()\n"
        "studio.state.path = '/town.csv'\n"
        "for step in ('protect', 'compare'):\n"
        "    template = environment('graphveil.studio').get_template(f'studio/{step}.html')\n"
        "    print(template.render(**views.view(studio, step)))\n"
        "action = forms.protect_action(studio.state, {'k': '5', 'toy_k': '3'})\n"
        "print(action.command())\n"
        "from graphveil.studio.work import _with_goals\n"
        "print(_with_goals(action.steps[-1].given)['goals'])\n"
    )
    assert page.count('<input id="toy_k" name="toy_k"') == 2
    assert "-k 5 --toy-k=3" in page
    assert page.endswith("(Toy(level=3),)\n")


@pytest.mark.parametrize("command", GUARANTEED)
def test_help_has_groups_and_all_of_it_has_more(command, capsys):
    assert main([command, "--help"]) == 0
    page = capsys.readouterr().out
    assert "\nGuarantees:\n" in page
    assert "--delimiter" not in page
    assert main([command, "--help-all"]) == 0
    page = capsys.readouterr().out
    assert "\nReading FILE:\n" in page
    assert "--delimiter" in page
    assert ("\nSpark:\n" in page) == (command != "compare")
    if command == "anonymize":
        heads = [line for line in page.splitlines() if line.endswith(":") and not line.startswith(" ")]
        assert heads == [
            "Guarantees:",
            "Less risk, without a guarantee:",
            "Search:",
            "What is published:",
            "Options:",
            "Reading FILE:",
            "Attributes of friendships:",
            "Spark:",
        ]


@pytest.mark.parametrize("name", program.commands)
def test_every_option_comes_from_the_table(name):
    command = program.commands[name]
    flags = {flag for each in command.get_params(click.Context(command)) for flag in each.opts if "-" in flag}
    described = {flag for row in own(name) for flag in row.flags.split("/")[0].split()}
    assert described <= flags
    for row in own(name):
        assert row.help.endswith((".", ".)"))
        if row.default:
            row.parse(row.default)


def test_a_file_of_options_reproduces_a_run(friends, tmp_path, capsys):
    saved, out = tmp_path / "friends.toml", tmp_path / "out"
    arguments = ["anonymize", friends, "-k", "2", "--method", "add-del", "--title", 'a "b" é', "-o", str(out)]
    assert main([*arguments, "--save-config", str(saved)]) == 0
    assert saved.stat().st_mode & 0o077 == 0, "it holds the seed"
    given = tomllib.loads(saved.read_text())
    assert (given["k"], given["method"], given["title"], given["file"]) == (
        [2],
        "add-del",
        'a "b" é',
        friends,
    )
    capsys.readouterr()
    assert main(["anonymize", "--config", str(saved), "-o", str(tmp_path / "again"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["folder"] == str(tmp_path / "again")
    assert document["certificates"][0]["schema"].startswith("graphveil/certificate/")
    for name in ("graph.txt", "certificate.json"):
        assert (out / "public" / name).read_bytes() == (tmp_path / "again" / "public" / name).read_bytes()
    assert main([*arguments[:-1], str(tmp_path / "third"), "--save-config", str(saved)]) == 2
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("nope = 1", "there is no option 'nope'"),
        ("degree-k = 1", "degree-k must be a whole number of at least 2, not 1"),
        ("k = true", "k must be a text, a number or a list of them"),
        ("keep-edges = 1", "keep-edges must be true or false"),
        ('report = "long"', "report: there is no 'long'; choose brief, quick, full"),
        ("k = = 5", "this is not TOML"),
        ('config = "other.toml"', "there is no option 'config'"),
    ],
)
def test_a_wrong_file_of_options_is_named_with_the_key(content, words, tmp_path, capsys):
    path = tmp_path / "friends.toml"
    path.write_text(content)
    assert main(["anonymize", "x.csv", "-o", str(tmp_path / "out"), "--config", str(path)]) == 2
    said = capsys.readouterr().err
    assert str(path) in said
    assert words in said
    assert said.count("\n") == 1


def test_digits_are_those_of_the_keyboard(capsys):
    for text in ("٢٥", "2_5", "²"):
        assert main(["audit", "x", "-k", text]) == 2
        assert "-k must be a whole number" in capsys.readouterr().err


def test_long_names_are_cut_and_what_is_said_is_not(capsys):
    assert main(["audit", "x" * 5_000]) == 2
    said = capsys.readouterr().err
    assert len(said) < 1_000
    assert said.startswith("graphveil: error: ")
    assert "…" in said


def test_a_device_is_no_file_of_results(friends, tmp_path, capsys):
    assert main(["restore", str(tmp_path), "/dev/zero"]) == 2
    assert "this is a device" in capsys.readouterr().err


def test_python_warns_of_a_k_above_the_edges_and_explains_publish(tmp_path):
    graph = graphveil.generate(edges=40, seed=4)
    with pytest.warns(UserWarning, match="k = 60 is too large for 40 edges"):
        result = graphveil.anonymize(graph, 60, method="add-greedy", seed=7)
    assert len(result.added_labels()) == len(result.added)
    assert set(result.added_labels().ravel()) <= set(result.graph.labels)
    assert result.deleted_labels().shape == (len(result.deleted), 2)
    with pytest.raises(graphveil.ParameterError, match="Anonymize first"):
        graphveil.publish(graph, tmp_path / "out")


def test_parsers_take_and_refuse():
    rows = options_of("anonymize")
    assert rows["keep_vertex_attributes"].parse("age, town") == ("age", "town")
    assert rows["delimiter"].parse(r"\t") == "\t"
    assert rows["columns"].parse("from,3") == ["from", 3]
    with pytest.raises(graphveil.ParameterError, match="spread must be a share"):
        rows["spread"].parse("50", "spread")
