"""The command line from the outside: its help, what its commands give, and what importing it costs."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest

import commands
import graphveil
import oracle
from commands import graphveil_process, named_pairs, one_line
from graphveil.cli import main
from graphveil.cli import story as demo
from graphveil.cli.app import graphveil as app

HEAVY = {"numba", "numpy", "scipy", "pyarrow", "matplotlib", "rich", "igraph"}
friends = commands.friends  # pytest finds fixtures by their names here

# ---------------------------------------------------------------------- help, version, completion


@pytest.mark.parametrize("arguments", [["--help"], ["audit", "--help"], ["--version"], ["frobnicate"]])
def test_help_loads_nothing_heavy(arguments):
    code = f"import sys, graphveil.cli as c; c.main({arguments}); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stderr.replace("'", "").strip("[]\n").split(", "))


@pytest.mark.parametrize("command", list(app.commands))
def test_every_help_page_has_an_exit_code_table(command, capsys):
    assert main([command, "--help"]) == 0
    page = capsys.readouterr().out
    assert "Exit codes: 0 fine, 1 the graph fails the check" in page
    assert command == "demo" or "Examples:" in page


def test_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"graphveil {graphveil.__version__}\n"


def test_no_command_shows_the_help_and_fails(capsys):
    assert main([]) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert "graphveil demo" in shown.err


def test_formats_are_those_of_the_reader():
    from graphveil.formats.table import FORMATS

    option = next(one for one in app.commands["audit"].params if one.name == "format")
    assert tuple(option.type.choices) == tuple(FORMATS)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("graphveil au", "audit"),
        ("graphveil audit --str", "--strict"),
        ("graphveil convert --to par", "parquet"),
    ],
)
def test_completion(words, expected):
    asked = {"_GRAPHVEIL_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    done = graphveil_process(env={**os.environ, **asked})
    assert done.stdout == f"plain,{expected}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell, capsys):
    assert main(["completion", shell]) == 0
    assert "_GRAPHVEIL_COMPLETE" in capsys.readouterr().out


# ---------------------------------------------------------------------- audit and verify


@pytest.mark.parametrize(
    "spelling", [["-k", "2,5"], ["-k", "2", "-k", "5"], ["-k", "5, 2"], ["-k5", "-k", "2,5"]]
)
def test_audit_json_is_the_audit(friends, spelling, capsys):
    assert main(["audit", friends, "--json", "--top", "3", *spelling]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == json.loads(
        json.dumps(graphveil.audit(graphveil.read(friends), k=[2, 5], top=3).to_dict())
    )
    assert shown["k"] == [2, 5]
    exposed = [each["exposed"] for each in shown["attackers"][0]["exposures"]]
    counts = oracle_counts()
    assert exposed == [oracle.violating(counts, 2), oracle.violating(counts, 5)] == [2, 8]


def oracle_counts() -> list[int]:
    """Mutual friends of each of `named_pairs`."""
    number = {name: i for i, name in enumerate(demo.PSEUDONYMS)}
    return oracle.mutual_friends(len(number), [(number[a], number[b]) for a, b in named_pairs()])


def test_at_most_counts_crowds_of_exactly_k(friends, capsys):
    assert main(["audit", friends, "-k", "2", "--at-most", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["attackers"][0]["exposures"][0]["exposed"] == 4


def test_audit_in_words(friends, capsys):
    assert main(["audit", friends, "-k", "5"]) == 0
    shown = capsys.readouterr().out
    assert "8 people, 14 friendships" in shown
    assert "Alice – Bob" in shown
    assert "At k = 5: 8 of 14 friendships (57 %)" in shown


def test_table_1_of_the_paper_from_the_command_line(shared_graph, capsys):
    ks = "5,10,15,20,25,30,50,100"
    assert main(["audit", str(shared_graph("loc-brightkite")), "-k", ks, "--at-most", "--json"]) == 0
    by_name = {each["name"]: each for each in json.loads(capsys.readouterr().out)["attackers"]}
    vertices, edges = ([e["exposed"] for e in by_name[n]["exposures"]] for n in ("degree", "mutual-friends"))
    assert vertices == [266, 533, 705, 795, 891, 1088, 1425, 2326]
    assert edges == [93, 129, 285, 393, 598, 762, 1297, 2578]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["-k", "1"], 0), (["-k", "2"], 1), (["-k", "1,2"], 1), (["-k", "1", "--degree-k", "3"], 1), ([], 1)],
)
@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_verify_exit_code(friends, arguments, code, as_json, capsys):
    assert main(["verify", friends, *arguments, *as_json]) == code
    shown = capsys.readouterr().out
    assert json.loads(shown)["holds"] == (code == 0) if as_json else ("fails" in shown) == (code == 1)


def test_verify_names_each_k_and_the_small_classes(friends, capsys):
    assert main(["verify", friends, "-k", "1", "-k", "2,3"]) == 1
    words = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[:5] for line in words if line and line[0] in ("holds", "fails")] == [
        ["holds", "k-NMF,", "k", "=", "1:"],
        ["fails", "k-NMF,", "k", "=", "2:"],
        ["fails", "k-NMF,", "k", "=", "3:"],
    ]
    assert [line for line in words if len(line) == 2 and line[0].isdecimal()] == [
        ["3", "1"],
        ["4", "1"],
        ["0", "2"],
    ]


# ---------------------------------------------------------------------- generate and convert


def test_generate_is_the_function_and_the_same_again(tmp_path, capsys):
    files = [tmp_path / name for name in ("a.txt", "b.txt")]
    for file in files:
        assert main(["generate", "--edges", "1000", "--seed", "9", "-o", str(file)]) == 0
    shown = capsys.readouterr()
    assert not shown.out
    assert "1,000 friendships" in shown.err
    assert files[0].read_bytes() == files[1].read_bytes()
    written, made = graphveil.read(files[0]), graphveil.generate(1000, 9)
    assert written.edges.tolist() == made.edges.tolist()


def test_convert_there_and_back(friends, tmp_path):
    there, back = str(tmp_path / "friends.tsv.gz"), str(tmp_path / "back.list")
    assert main(["convert", friends, there]) == 0
    assert main(["convert", there, back, "--from", "tsv", "--to", "csv"]) == 0
    assert graphveil.read(back, format="csv") == graphveil.read(friends)


def test_reading_options_reach_the_reader(tmp_path, capsys):
    path = tmp_path / "odd"
    path.write_text("! a comment\nAlice\tx\tBob\nBob\tx\tCarl\n")
    options = ["--delimiter", r"\t", "--columns", "0,2", "--no-header", "--comments", "!", "--format", "tsv"]
    assert main(["audit", str(path), "--json", *options]) == 0
    assert json.loads(capsys.readouterr().out)["edges"] == 2


def test_what_was_merged_is_told_beside_the_result(tmp_path, capsys):
    path = tmp_path / "friends.csv"
    path.write_text("Alice,Bob\nBob,Alice\nBob,Carl\nCarl,Carl\n")
    assert main(["audit", str(path), "--json"]) == 0
    shown = capsys.readouterr()
    json.loads(shown.out)
    assert "merged 1 reciprocal pair, dropped 1 self-loop" in shown.err
    assert main(["audit", str(path), "--strict"]) == 2
    assert one_line(capsys.readouterr().err).startswith(f"graphveil: error: {path}")


# ---------------------------------------------------------------------- the package and the demo


def test_names_are_lazy_and_listed():
    assert dir(graphveil) == sorted(graphveil.__all__)
    assert all(hasattr(graphveil, name) for name in graphveil.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        graphveil.nothing  # noqa: B018


def test_the_friends_of_the_demo_are_those_of_the_paper():
    pairs = dict(zip(map(tuple, named_pairs()), oracle_counts(), strict=True))
    assert pairs["Alice", "Bob"] == 4
    assert sorted(pairs.values()).count(4) == 1
    assert list(pairs.values()).count(pairs["Alice", "Carl"]) == 1
    assert ("Dell", "Frank") not in pairs


@pytest.mark.slow
def test_ctrl_c_ends_the_demo(capsys, tmp_path, monkeypatch):
    module = importlib.import_module("graphveil.methods.anonymizing")
    anonymize = module.anonymize
    monkeypatch.setattr(
        module, "anonymize", lambda *given, **more: replace(anonymize(*given, **more), interrupted=True)
    )
    assert main(["demo", "-o", str(tmp_path / "out")]) == 130
    assert "interrupted, nothing was written" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_demo_tells_the_story(capsys, tmp_path):
    assert main(["demo", "-o", str(tmp_path / "out")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "k-NMF, k = 25 74 → 0 1 →" in shown
    assert main(["verify", str(tmp_path / "out")]) == 0
    assert "D is Alice, E is Bob and B is Carl" in shown
    assert "12,000 friendships" in shown
    assert "\x1b" not in shown
