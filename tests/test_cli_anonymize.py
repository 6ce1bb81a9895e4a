"""``graphveil anonymize``, ``verify`` of a published folder, and ``restore``, as they are typed."""

from __future__ import annotations

import csv
import io
import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import graphveil
from graphveil import Graph
from graphveil.cli import main
from graphveil.cli.anonymize import live_line
from graphveil.methods.run import Progress
from graphveil.methods.table import METHODS
from graphveil.publication import writing
from graphveil.publication.checking import check
from graphveil.publication.restoring import restore
from graphveil.verification.safe_files import sha256
from terminals import on_a_terminal


@pytest.fixture
def town(tmp_path) -> Path:
    path = tmp_path / "town.csv"
    graph = graphveil.generate(edges=300, seed=4)
    labels = [f"member {number}" for number in graph.labels.tolist()]
    graphveil.write(graph.with_labels(labels), path)
    return path


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def test_a_graph_is_anonymized_published_verified_and_restored(town, tmp_path, capsys):
    out = tmp_path / "out"
    assert run("anonymize", town, "-k", 4, "-o", out) == 0
    said = capsys.readouterr()
    assert "k-NMF, k = 4" in said.out
    assert "Lock private/ away" in said.out
    assert run("verify", out) == 0
    assert run("verify", out, "--original", town) == 0
    assert "together give the input" in capsys.readouterr().out
    assert run("verify", out / "public" / "graph.txt", "-k", 4) == 0
    assert run("verify", out, "-k", 10**6) == 1
    results = tmp_path / "ranks.csv"
    results.write_text("person,rank\n0,first\n5,second\n")
    assert run("restore", out / "private", results) == 0
    rows = list(csv.reader((tmp_path / "ranks.restored.csv").open()))
    assert rows[0] == ["person", "rank"]
    assert [row[0].startswith("member ") for row in rows[1:]] == [True, True]
    assert (tmp_path / "ranks.restored.csv").stat().st_mode & 0o777 == 0o600


def test_the_same_seed_gives_the_same_bytes_and_no_seed_others(town, tmp_path):
    for name, options in {"a": ("--seed", 7), "b": ("--seed", 7), "c": (), "d": ()}.items():
        assert run("anonymize", town, "-k", 4, "-o", tmp_path / name, *options) == 0
    a, b, c, d = ({path.name: path.read_bytes() for path in (tmp_path / name).glob("*/*")} for name in "abcd")
    assert a == b
    assert a["graph.txt"] != c["graph.txt"] != d["graph.txt"]
    assert int(json.loads(c["run.json"])["seed"]).bit_length() > 64


def test_a_small_seed_is_remarked_on_before_any_work(town, tmp_path, capsys, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("graphveil.cli.streams._said", set())
        assert run("anonymize", tmp_path / "nothing.csv", "-o", tmp_path / "a", "--seed", 7) == 2
    assert "can be guessed" in capsys.readouterr().err.splitlines()[0]
    run("anonymize", town, "-k", 4, "-o", tmp_path / "b")
    assert "can be guessed" not in capsys.readouterr().err


def test_the_help_names_every_method_in_the_words_of_the_table(capsys):
    assert run("anonymize", "--help") == 0
    said = "".join(capsys.readouterr().out.split())
    for name, row in METHODS.items():
        assert "".join(f"{name}:{row.words}".split()) in said


def test_several_k_give_a_folder_each_under_pseudonyms_of_their_own(town, tmp_path, capsys):
    out = tmp_path / "out"
    assert run("anonymize", town, "-k", "3,5", "-o", out, "--seed", 7) == 0
    assert "Publish only one" in capsys.readouterr().err
    assert sorted(path.name for path in out.iterdir()) == ["k3", "k5"]
    who = [(out / k / "private" / "pseudonyms.csv").read_text() for k in ("k3", "k5")]
    assert who[0] != who[1]
    assert run("verify", out, "--original", town) == 0
    assert capsys.readouterr().out.count("holds") == 2
    assert run("anonymize", town, "-k", "3", "-o", out, "--force") == 0
    assert sorted(path.name for path in out.iterdir()) == ["private", "public"]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_is_offered_and_its_promise_certified(town, tmp_path, capsys, method):
    assert run("anonymize", town, "-k", 3, "--method", method, "-o", tmp_path / "out") == 0
    assert run("verify", tmp_path / "out", "--original", town) == 0
    capsys.readouterr()
    assert run("anonymize", "--help") == 0
    assert method in capsys.readouterr().out


def test_errors_are_one_line_and_come_before_any_work(town, tmp_path, capsys):
    out = tmp_path / "out"
    (tmp_path / "there").mkdir()
    for arguments, words in (
        ((town, "-o", out, "--method", "magic"), "no method"),
        ((town, "-o", tmp_path / "there"), "--force"),
        ((town, "-o", tmp_path / "no" / "such"), "Make it first"),
        ((town, "-o", town), "is a file"),
        ((tmp_path / "nothing.csv", "-o", out), "no such file"),
        ((tmp_path / "nothing.csv", "-o", out, "--method", "add-del", "--keep-edges"), "deletes edges"),
        (
            (tmp_path / "nothing.csv", "-o", out, "--method", "add-greedy", "--budget", "9s"),
            "takes no budget",
        ),
        ((tmp_path / "nothing.csv", "-o", out, "--budget", "inf"), "--budget takes a time"),
        ((tmp_path / "nothing.csv", "-o", out, "--budget", "nan"), "--budget takes a time"),
        ((town, "-k", "1", "-o", out), "k must be"),
        ((town, "-k", "10000000", "-o", out), "is too large"),
        ((town, "-o", out, "--keep-vertex-attribute", "age"), "attribute"),
        ((town,), "output"),
    ):
        assert run("anonymize", *arguments) == 2, words
        said = capsys.readouterr()
        assert words in said.err
        assert len([line for line in said.err.splitlines() if "edges from the columns" not in line]) == 1
        assert not said.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there", "town.csv"]


def test_a_recount_that_disagrees_publishes_nothing(town, tmp_path, capsys, monkeypatch):
    facts_of = writing.facts_of

    def pessimist(*arguments):
        facts = facts_of(*arguments)
        first, *others = facts.guarantees
        return replace(facts, guarantees=(replace(first, achieved=1), *others))

    monkeypatch.setattr(writing, "facts_of", pessimist)
    assert run("anonymize", town, "-k", 4, "-o", tmp_path / "out") == 1
    assert "Nothing was published" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["town.csv"]


def test_a_folder_that_was_tampered_with_fails(town, tmp_path, capsys):
    out = tmp_path / "out"
    run("anonymize", town, "-k", 4, "-o", out)
    certificate = out / "public" / "certificate.json"
    certificate.write_text(certificate.read_text().replace('"edges_deleted": ', '"edges_deleted": 1'))
    assert run("verify", out) == 0, "nobody but the owner can count the changes"
    assert "not checked: how many friendships and people were changed" in capsys.readouterr().err
    assert run("verify", out, "--original", town) == 1
    assert "certificate.json" in capsys.readouterr().out
    graph = out / "public" / "graph.txt"
    graph.write_text(graph.read_text().replace("0 ", "1 ", 1))
    assert run("verify", out) == 1
    capsys.readouterr()
    assert run("verify", out, "--json") == 1
    document = json.loads(capsys.readouterr().out)
    assert document["holds"] is False
    assert document["problems"]


def test_attributes_are_dropped_with_a_word_and_kept_with_a_warning(tmp_path, capsys):
    """Those of people may be kept; those of friendships never, for new ones would have none."""
    nodes = "".join(f'<node id="n{i}"><data key="a">{30 + i}</data></node>' for i in range(4))
    edges = "".join(
        f'<edge source="n{i}" target="n{(i + 1) % 4}"><data key="w">0.5</data></edge>' for i in range(4)
    )
    keys = (
        '<key id="a" for="node" attr.name="age" attr.type="int"/><key id="w" for="edge" attr.name="weight"/>'
    )
    path = tmp_path / "friends.graphml"
    path.write_text(f'<graphml>{keys}<graph edgedefault="undirected">{nodes}{edges}</graph></graphml>')
    assert run("anonymize", path, "-k", 2, "-o", tmp_path / "a", "--format", "graphml") == 0
    assert "dropped the edge attribute weight, dropped the vertex attribute age" in capsys.readouterr().err
    options = ("--format", "graphml", "--keep-vertex-attribute", "age", "--keep-identifying")
    assert run("anonymize", path, "-k", 2, "-o", tmp_path / "b", *options) == 0
    said = capsys.readouterr().err
    assert "dropped the edge attribute weight\n" in said
    assert "can identify people" in said
    published = [(tmp_path / name / "public" / "graph.graphml").read_text() for name in "ab"]
    assert ["weight" in text for text in published] == [False, False]
    assert ["age" in text for text in published] == [False, True]
    assert run("verify", tmp_path / "b", "--original", path) == 0


def test_original_is_for_folders(town, capsys):
    assert run("verify", town, "--original", town) == 2
    assert "--original" in capsys.readouterr().err


# ---------------------------------------------------------------------- Ctrl-C and the live line


SLOW = """
import sys, time
from graphveil.publication import writing
from graphveil.stopping import check
def facts_of(*arguments):
    print("writing", flush=True)
    while True:
        time.sleep(0.05)
        check()
writing.facts_of = facts_of
from graphveil.cli import main
sys.exit(main(sys.argv[1:]))
"""


def test_ctrl_c_leaves_nothing_and_says_so(town, tmp_path):
    command = [sys.executable, "-c", SLOW, "anonymize", town, "-k", "3", "-o", tmp_path / "out"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "writing\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "interrupted, nothing was written" in said
    assert [path.name for path in tmp_path.iterdir()] == ["town.csv"]


def test_ctrl_c_after_the_last_step_does_not_deny_it(town, tmp_path, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("graphveil.cli.summary.summary", interrupted)
    assert run("anonymize", town, "-k", 3, "-o", tmp_path / "out") == 130
    assert "published already" in capsys.readouterr().err
    assert check(tmp_path / "out")


def test_ctrl_c_in_the_last_words_does_not_deny_it_either(town, tmp_path, capsys, monkeypatch):
    def interrupted(text):
        if text.startswith("published"):
            raise KeyboardInterrupt

    monkeypatch.setattr("graphveil.cli.anonymize.note", interrupted)
    assert run("anonymize", town, "-k", 3, "-o", tmp_path / "out") == 130
    assert "published already" in capsys.readouterr().err


SEARCHING = """
import contextlib, sys, time
from graphveil.cli import anonymize
from graphveil.publication import writing
from graphveil.stopping import check
@contextlib.contextmanager
def waiting(k):
    def listen(now):
        if now.phase == "search":
            print("searching", flush=True)
            while True:
                time.sleep(0.05)
                check()
    yield listen
anonymize.live_line = waiting
if sys.argv.pop(1) == "slowly":
    def facts_of(*arguments):
        print("writing", flush=True)
        while True:
            time.sleep(0.05)
            check()
    writing.facts_of = facts_of
from graphveil.cli import main
sys.exit(main(sys.argv[1:]))
"""


def searching(how: str, town: Path, out: Path) -> subprocess.Popen[str]:
    """A run of plan in another process that waits in its search for Ctrl-C."""
    command = [
        sys.executable,
        "-c",
        SEARCHING,
        how,
        "anonymize",
        town,
        "--method",
        "plan",
        "-k",
        "3,5",
        "-o",
        out,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "searching\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    return process


def test_ctrl_c_in_the_search_publishes_the_best_so_far_and_says_so(town, tmp_path):
    out = tmp_path / "out"
    process = searching("at once", town, out)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Ctrl-C once more ends this with nothing written" in said
    last = said.splitlines()[-1]
    assert "the search at k = 3 was cut short" in last
    assert "k = 5 was not run" in last
    assert [path.name for path in out.iterdir()] == ["k3"]
    assert run("verify", out / "k3", "--original", town) == 0
    notes = json.loads((out / "k3" / "private" / "run.json").read_text())["notes"]
    assert any("interrupted" in note and "may give another graph" in note for note in notes)


def test_a_second_ctrl_c_leaves_nothing(town, tmp_path):
    process = searching("slowly", town, tmp_path / "out")
    assert process.stdout.readline() == "writing\n"
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted, nothing was written" in said.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["town.csv"]


def test_the_live_line_says_what_ctrl_c_does_and_counts_no_groups_in_a_search(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    updates = []
    monkeypatch.setattr("rich.progress.Progress.update", lambda _, __, **now: updates.append(now))
    with live_line(5) as show:
        for phase, violating, changed in (
            ("groups", 9, 0),
            ("groups", 0, 12),
            ("search", 9, 0),
            ("search", 0, 7),
            ("search", 3, 5),
            ("degrees", 8, 0),
        ):
            show(Progress(phase, 2 if phase == "groups" else 0, violating, changed))
    words = [now["description"] for now in updates]
    assert words[0] == "k = 5: 2 groups, 9 exposed, 0 changed"
    assert words[2] == "k = 5: searching, 9 exposed, 0 changed (Ctrl-C takes 12)"
    assert words[4] == "k = 5: searching, 3 exposed, 5 changed (Ctrl-C takes 7)"
    assert words[5] == "k = 5: 8 people exposed by their number of friends"


def test_a_terminal_shows_where_the_run_stands(town, tmp_path):
    shown = on_a_terminal(
        [sys.executable, "-m", "graphveil", "anonymize", town, "-k", "5", "-o", tmp_path / "out"]
    )
    assert b"groups" in shown
    assert b"exposed" in shown
    assert b"changed" in shown


# ---------------------------------------------------------------------- restore


@pytest.fixture
def private(tmp_path) -> Path:
    names = ["=cmd()", "Bob", 'C "the" D', "multi\nline", "e,f", "'Ann"]
    pairs = [(names[i], names[(i + 1) % 6]) for i in range(6)]
    result = graphveil.anonymize(Graph.from_edges(pairs), k=2, seed=7)
    return graphveil.publish(result, tmp_path / "published").private


def who(private: Path) -> dict[int, str]:
    rows = list(csv.reader((private / "pseudonyms.csv").open(newline="")))[1:]
    return {int(pseudonym): name for name, pseudonym, _ in rows}


@pytest.mark.parametrize("exact", [True, False])
def test_all_ids_come_back(private, tmp_path, exact):
    (tmp_path / "r.csv").write_text("".join(f"{i},{5 - i}.0,x\n" for i in range(6)))
    done = restore(private, tmp_path / "r.csv", tmp_path / "o.csv", columns=(0, 1), exact=exact)
    assert done.rows == 6
    rows = list(csv.reader((tmp_path / "o.csv").open(newline="")))
    names = who(private)
    if exact:
        names = {number: name[1:] if name.startswith("'") else name for number, name in names.items()}
        assert "=cmd()" in names.values()
        assert "'Ann" in names.values()
    assert rows == [[names[i], names[5 - i], "x"] for i in range(6)]


def test_new_vertices_are_marked(private, tmp_path):
    table = private / "pseudonyms.csv"
    table.write_text(table.read_text() + '"new 1",6,"new"\n')
    run_file = private / "run.json"
    noted = json.loads(run_file.read_text())
    noted["files"]["private/pseudonyms.csv"] = sha256(table)
    run_file.write_text(json.dumps(noted))
    (tmp_path / "r.tsv").write_text("rank\tperson\n1\t6\n2\t0\n")
    done = restore(private, tmp_path / "r.tsv", tmp_path / "o.tsv", columns=["person"])
    assert done.new_vertices == 1
    assert (tmp_path / "o.tsv").read_text().splitlines()[1] == "1\t(new vertex 6)"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("0,1\n6,1\n", "several columns"),
        ("id,x\n0,y\n6,z\n", "row 2"),
        ("id\n0\n-1\n", "row 2"),
        ("id\n\u0663\n", "row 1"),
        ("", "empty"),
        ('id\n0\n"', "not a CSV"),
        ("id\n\udcff\n", "UTF-8"),
        ("0\n99999999999999999999\n", "row 2"),
    ],
)
def test_results_without_pseudonyms_are_refused_whole(private, tmp_path, capsys, content, words):
    (tmp_path / "r.csv").write_bytes(content.encode(errors="surrogateescape"))
    assert run("restore", private, tmp_path / "r.csv") == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["published", "r.csv"]


def test_restore_overwrites_nothing(private, tmp_path, capsys):
    (tmp_path / "r.csv").write_text("0\n")
    (tmp_path / "o.csv").write_text("mine")
    assert run("restore", private, tmp_path / "r.csv", "-o", tmp_path / "o.csv") == 2
    assert "exists already" in capsys.readouterr().err
    assert (tmp_path / "o.csv").read_text() == "mine"
    assert run("restore", private, tmp_path / "r.csv", "-o", "-") == 0
    assert list(csv.reader(io.StringIO(capsys.readouterr().out, newline=""))) == [[who(private)[0]]]
    assert run("restore", tmp_path / "nowhere", tmp_path / "r.csv", "-o", tmp_path / "p.csv") == 2
    assert run("restore", private, tmp_path / "r.csv", "--columns", "rank") == 2


def test_without_friendships_any_k_is_achieved(tmp_path, capsys):
    (tmp_path / "loop.txt").write_text("a a\n")
    assert run("anonymize", tmp_path / "loop.txt", "-k", 5, "-o", tmp_path / "out") == 0
    assert "any → any" in capsys.readouterr().out


def test_ctrl_c_when_all_is_said_does_not_deny_it(capsys, monkeypatch):
    def interrupted():
        monkeypatch.undo()
        raise KeyboardInterrupt

    def finished(_):
        monkeypatch.setattr("sys.stdout.flush", interrupted)
        return 0

    monkeypatch.setattr("graphveil.cli._run", finished)
    assert run("--version") == 130
    assert "interrupted, when all was done already" in capsys.readouterr().err
