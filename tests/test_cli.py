"""The command line from the outside: exit codes, what goes to which stream, and that nothing odd ever gets there."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path

import pytest

import graphveil
import oracle
from graphveil import demo
from graphveil.cli import main, reading, streams, terminal
from graphveil.cli.app import graphveil as commands

HEAVY = {"numba", "numpy", "scipy", "pyarrow", "matplotlib", "rich", "igraph"}
EVIL = "Ev\x1b[31mil"
TURNED = "Ma\u202ellory"
MARKUP = "[bold]Eve[/bold] :smile:"


def graphveil_process(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "graphveil", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]


@pytest.fixture
def friends(tmp_path: Path) -> str:
    """The eight friends of the demo as a file: 4 and 3 mutual friends occur once, 0 twice, 2 four, 1 six times."""
    path = tmp_path / "friends.csv"
    path.write_text("\n".join(f"{a},{b}" for a, b in named_pairs()) + "\n")
    return str(path)


def named_pairs() -> list[list[str]]:
    return [pair.split() for pair in demo.FRIENDSHIPS.split(",")]


# ---------------------------------------------------------------------- help, version, completion


@pytest.mark.parametrize("arguments", [["--help"], ["audit", "--help"], ["--version"], ["frobnicate"]])
def test_help_loads_nothing_heavy(arguments):
    code = f"import sys, graphveil.cli as c; c.main({arguments}); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stderr.replace("'", "").strip("[]\n").split(", "))


@pytest.mark.parametrize("command", list(commands.commands))
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
    from graphveil.io.formats import FORMATS

    assert tuple(FORMATS) == reading.FORMATS


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
    exposed = [each["exposed"] for each in shown["adversaries"][0]["exposures"]]
    counts = oracle_counts()
    assert exposed == [oracle.violating(counts, 2), oracle.violating(counts, 5)] == [2, 8]


def oracle_counts() -> list[int]:
    """Mutual friends of each of `named_pairs`."""
    number = {name: i for i, name in enumerate(demo.PSEUDONYMS)}
    return oracle.mutual_friends(len(number), [(number[a], number[b]) for a, b in named_pairs()])


def test_at_most_counts_crowds_of_exactly_k(friends, capsys):
    assert main(["audit", friends, "-k", "2", "--at-most", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["adversaries"][0]["exposures"][0]["exposed"] == 4


def test_audit_in_words(friends, capsys):
    assert main(["audit", friends, "-k", "5"]) == 0
    shown = capsys.readouterr().out
    assert "8 people, 14 friendships" in shown
    assert "Alice – Bob" in shown
    assert "At k = 5: 8 of 14 friendships (57 %)" in shown


def test_table_1_of_the_paper_from_the_command_line(shared_graph, capsys):
    ks = "5,10,15,20,25,30,50,100"
    assert main(["audit", str(shared_graph("loc-brightkite")), "-k", ks, "--at-most", "--json"]) == 0
    by_name = {each["name"]: each for each in json.loads(capsys.readouterr().out)["adversaries"]}
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
    assert [line[:4] for line in words if line and line[0] in ("holds", "fails")] == [
        ["holds", "k", "=", "1:"],
        ["fails", "k", "=", "2:"],
        ["fails", "k", "=", "3:"],
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


# ---------------------------------------------------------------------- errors


def one_line(text: str) -> str:
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    return text


@pytest.mark.parametrize(
    "arguments",
    [
        ["audit", "nowhere.csv"],
        ["audit", "."],
        ["audit", "new\nline\x1b[2J.csv"],
        ["audit", "x", "-k", "0"],
        ["audit", "x", "-k", "-3"],
        ["audit", "x", "-k", "two"],
        ["audit", "x", "-k", "1.5"],
        ["audit", "x", "-k", "5,"],
        ["audit", "x", "--top", "-1"],
        ["audit", "x", "--format", "docx"],
        ["audit", "x", "--bogus"],
        ["audit"],
        ["audit", "x", "y"],
        ["verify", "x", "--degree-k", "0"],
        ["generate"],
        ["generate", "--edges", "many", "-o", "x"],
        ["frobnicate"],
    ],
)
def test_a_wrong_command_is_one_line_and_exit_code_2(arguments, capsys):
    assert main(arguments) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert one_line(shown.err).startswith("graphveil: error: ")
    assert shown.err.strip().isprintable()


def test_huge_k_is_no_problem(friends):
    assert main(["audit", friends, "-k", "9" * 30]) == 0
    assert main(["verify", friends, "-k", "9" * 30]) == 1


@pytest.mark.parametrize(
    ("problem", "code", "words"),
    [
        (KeyboardInterrupt(), 130, "graphveil: interrupted, nothing was written\n"),
        (MemoryError(), 2, "graphveil: error: this graph needs more memory than this machine gives\n"),
        (
            OSError(28, "No space left on device", "/out"),
            2,
            "graphveil: error: /out: No space left on device\n",
        ),
        (graphveil.UnreachableError("no such graph"), 2, "graphveil: error: no such graph\n"),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_what_goes_wrong_during_the_work(friends, problem, code, words, monkeypatch, capsys):
    def fail(*_, **__):
        raise problem

    monkeypatch.setattr(graphveil, "audit", fail)
    monkeypatch.setattr(streams, "abandon_output", lambda: None)
    assert main(["audit", friends]) == code
    assert capsys.readouterr().err == words


def test_a_bug_is_shown_whole_and_asks_for_a_report(friends, monkeypatch, capsys):
    monkeypatch.setattr(graphveil, "audit", lambda *_, **__: 1 / 0)
    assert main(["audit", friends]) == 70
    shown = capsys.readouterr().err
    assert "ZeroDivisionError" in shown
    assert "this is a bug in graphveil" in shown.splitlines()[-1]


def test_a_warning_is_one_line_and_said_once(capsys, monkeypatch):
    monkeypatch.setattr(warnings, "showwarning", warnings.showwarning)
    streams.prepare()
    for _ in range(2):
        warnings.showwarning(RuntimeWarning("no cache folder"), RuntimeWarning, "file.py", 1)
    assert capsys.readouterr().err == "graphveil: warning: no cache folder\n"


def test_a_broken_pipe_is_silent():
    process = subprocess.Popen(
        [sys.executable, "-m", "graphveil", "demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = [line for line in process.stderr.read().splitlines() if not line.startswith(b"Compiling")]
    assert (process.wait(), errors) == (141, [])


def test_closed_streams_do_no_harm():
    command = f"{sys.executable} -m graphveil"
    assert subprocess.run(f"{command} --version >&-", shell=True, check=False).returncode == 0
    assert subprocess.run(f"{command} bogus 2>&-", shell=True, check=False).returncode == 2
    if Path("/dev/full").exists():
        full = subprocess.run(
            f"{command} --version > /dev/full", shell=True, capture_output=True, check=False
        )
        assert (full.returncode, full.stderr) == (2, b"graphveil: error: output: No space left on device\n")


def test_ctrl_c_while_a_kernel_runs_does_not_crash():
    script = """
import os, signal, threading, time
import numba, numpy
from graphveil.cli.interrupt import safe_interrupts

@numba.njit(nogil=True)
def work(steps):
    total = 0
    for step in range(steps):
        total += step * step % 7 ^ total
    return numpy.full(3, total), numpy.full(2, total)

work(1)
with safe_interrupts():
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        while True:
            work(20_000_000)
    except KeyboardInterrupt:
        print("interrupted")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr


# ---------------------------------------------------------------------- what the terminal gets


def test_labels_cannot_steer_the_terminal(tmp_path, capsys):
    path = tmp_path / "hostile.csv"
    path.write_text(f"Alice,{EVIL}\nAlice,{TURNED}\nAlice,{MARKUP}\nAlice,{'x' * 10_000}\n", encoding="utf-8")
    assert main(["audit", str(path), "-k", "9"]) == 0
    shown = capsys.readouterr().out
    assert r"Ev\x1b[31mil" in shown
    assert r"Ma\u202ellory" in shown
    assert MARKUP in shown
    assert max(map(len, shown.splitlines())) <= terminal.PIPED_WIDTH
    assert all(line.isprintable() for line in shown.splitlines())
    assert main(["audit", str(path), "-k", "9", "--json"]) == 0
    assert EVIL in json.loads(capsys.readouterr().out)["adversaries"][0]["most_exposed"][0]["labels"]


def on_a_terminal(*arguments: str, **environment: str) -> bytes:
    """What a terminal of 80 columns gets from a command."""
    import pty

    outside, inside = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "graphveil", *arguments],
        stdout=inside,
        stderr=inside,
        env={**variables, "TERM": "xterm-256color", "COLUMNS": "80", **environment},
    )
    os.close(inside)
    shown = b""
    while process.poll() is None or shown == b"":
        try:
            shown += os.read(outside, 65536)
        except OSError:  # all is read
            break
    process.wait()
    os.close(outside)
    return shown


def test_colours_on_a_terminal_only_and_none_if_not_wanted(friends):
    colour = b"\x1b["
    assert colour in on_a_terminal("verify", friends, "-k", "2")
    assert b"\x1b[31m" not in on_a_terminal("verify", friends, "-k", "2", NO_COLOR="1")
    assert colour not in graphveil_process("verify", friends, "-k", "2").stdout.encode()


def test_tables_fit_a_terminal_of_80_columns(friends):
    lines = on_a_terminal("audit", friends, "-k", "5,1000", NO_COLOR="1", TERM="dumb").decode().split("\r\n")
    assert any("Alice – Bob" in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_a_poor_encoding_is_enough(friends):
    done = graphveil_process(
        "audit", friends, env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    )
    assert done.returncode == 0
    assert "####" in done.stdout


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("patience", "spins"), [(0, True), (60, False)])
def test_a_sign_of_life_only_for_long_work(patience, spins, monkeypatch):
    monkeypatch.setattr(terminal, "PATIENCE", patience)
    monkeypatch.setattr(sys, "stderr", FakeTerminal())
    monkeypatch.setenv("TERM", "xterm")
    with terminal.stage("Reading"):
        time.sleep(0.3)
    assert ("Reading" in sys.stderr.getvalue()) == spins  # type: ignore[attr-defined]


def test_no_sign_of_life_in_a_pipe(monkeypatch, capsys):
    monkeypatch.setattr(terminal, "PATIENCE", 0)
    with terminal.stage("Reading"):
        time.sleep(0.1)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("silence", "lines"), [(600, 1), (0, 2)])
def test_compilation_is_announced_and_not_too_often(silence, lines):
    script = f"""
import numba
from graphveil.cli import terminal
terminal.SILENCE = {silence}
for number in range(2):
    terminal.announce_compilation()
    numba.njit(lambda x: x + number)(1)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    said = done.stderr.splitlines()
    assert (
        said
        == ["Compiling what is used here for the first time: some seconds, once …", "Compiling more of it …"][
            :lines
        ]
    )


def test_histogram_counts_every_edge_once():
    counts = [(value, value % 7 + 1) for value in range(0, 3000, 3)]
    assert sum(sum(sizes) for _, sizes in terminal._bins(counts)) == sum(edges for _, edges in counts)
    names = [name for name, _ in terminal._bins(counts)]
    assert names == [
        "0",
        "3",
        "5–9",
        "10–19",
        "20–49",
        "50–99",
        "100–199",
        "200–499",
        "500–999",
        "1,000–1,999",
        "2,000–4,999",
    ]


# ---------------------------------------------------------------------- the package and the demo


def test_names_are_lazy_and_listed():
    assert dir(graphveil) == sorted(graphveil.__all__)
    assert all(hasattr(graphveil, name) for name in graphveil.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        graphveil.nothing  # noqa: B018


def test_a_function_is_not_replaced_by_its_module():
    code = "import graphveil, graphveil.audit as module; print(callable(graphveil.audit), callable(module))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True True\n"


def test_the_friends_of_the_demo_are_those_of_the_paper():
    pairs = dict(zip(map(tuple, named_pairs()), oracle_counts(), strict=True))
    assert pairs["Alice", "Bob"] == 4
    assert sorted(pairs.values()).count(4) == 1
    assert list(pairs.values()).count(pairs["Alice", "Carl"]) == 1
    assert ("Dell", "Frank") not in pairs


def test_demo_tells_the_story(capsys, tmp_path):
    assert main(["demo", "-o", str(tmp_path / "out")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "k-NMF, k = 25 74 → 0 1 →" in shown
    assert main(["verify", str(tmp_path / "out")]) == 0
    assert "D is Alice, E is Bob and B is Carl" in shown
    assert "12,000 friendships" in shown
    assert "\x1b" not in shown
