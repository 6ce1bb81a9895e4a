"""`restore`: the right people or an error, whatever the results look like."""

from __future__ import annotations

import csv
import io
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import graphveil
from graphveil import Graph
from graphveil.cli import main
from graphveil.publication.restoring import guarded
from graphveil.publication.tables import unarmour

NAMES = ["Ann", "a\rb", "\rfoo", "=1\r\n2", "Eve\r", "Zoë"]


@pytest.fixture(scope="module")
def private(tmp_path_factory) -> Path:
    ring = Graph.from_edges([(NAMES[i], NAMES[i - 1]) for i in range(6)])
    folder = tmp_path_factory.mktemp("town") / "published"
    return graphveil.publish(graphveil.anonymize(ring, k=2, seed=7), folder).private


@pytest.fixture(scope="module")
def names(private) -> list[str]:
    """The id of each pseudonym, in armour."""
    rows = list(csv.reader((private / "pseudonyms.csv").open(newline="")))[1:]
    return [name for name, _, _ in sorted(rows, key=lambda row: int(row[1]))]


@pytest.fixture
def restored(private, tmp_path, capsys):
    """Type ``graphveil restore``; gives the exit code, the rows of the output and what was said."""

    def run(results: str, *options: str) -> tuple[int, list[list[str]], str]:
        (tmp_path / "r.csv").write_bytes(results.encode())
        output = tmp_path / "o.csv"
        code = main(["restore", str(private), str(tmp_path / "r.csv"), "-o", str(output), *options])
        rows = list(csv.reader(output.open(newline="", encoding="utf-8"))) if output.exists() else []
        return code, rows, capsys.readouterr().err

    return run


@pytest.mark.parametrize("columns", ["0,0", "p,0", "0,p,0"])
def test_a_column_named_twice_is_translated_once(tmp_path, columns):
    """Ids that are numbers could be taken for pseudonyms the second time."""
    numbers = Graph.from_edges([(i, (i + 1) % 6) for i in range(6)])
    other = graphveil.publish(graphveil.anonymize(numbers, k=2, seed=7), tmp_path / "numbers").private
    (tmp_path / "r.csv").write_text("p\n" + "".join(f"{i}\n" for i in range(6)))
    for name in ("0", columns):
        assert (
            main(
                [
                    "restore",
                    str(other),
                    str(tmp_path / "r.csv"),
                    "--columns",
                    name,
                    "-o",
                    str(tmp_path / name),
                ]
            )
            == 0
        )
    once, twice = ((tmp_path / name).read_text() for name in ("0", columns))
    assert once == twice


@pytest.mark.parametrize("exact", [True, False])
def test_ids_with_line_ends_come_back_exactly(restored, names, exact):
    code, rows, _ = restored("".join(f"{i},x\n" for i in range(6)), *["--exact"] * exact)
    wanted = [unarmour(name) for name in names] if exact else names
    assert (code, rows) == (0, [[name, "x"] for name in wanted])
    assert {unarmour(name) for name in names} == set(NAMES)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_byte_order_mark_hides_neither_header_nor_data(restored, names, mark):
    code, rows, said = restored(f"{mark}0,x\n1,y\n")
    assert (code, rows) == (0, [[names[0], "x"], [names[1], "y"]])
    assert "taken for data" in said


@pytest.mark.parametrize("first", ["person", '"person"', '"person, or not"'])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_header_is_found_and_told(restored, names, mark, first):
    name = first.strip('"')
    code, rows, said = restored(f"{mark}{first},x\n1,y\n")
    assert (code, rows) == (0, [[name, "x"], [names[1], "y"]])
    assert "1 row; the first row was taken for a header" in said


def test_the_nameless_column_of_a_data_frame_is_a_header(restored, names):
    assert restored(",rank\n1,y\n")[:2] == (0, [["", "rank"], [names[1], "y"]])


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_column_given_by_name_makes_a_header(restored, names, mark):
    code, rows, _ = restored(f"{mark}person,2024\n1,2\n", "--columns", "person,1")
    assert (code, rows) == (0, [["person", "2024"], [names[1], names[2]]])


@pytest.mark.parametrize("cell", ["1e0", "-1", "+1", "1.5", "'1", "6", '"1,0"', "0x1", "#1", "\u0663", ".5"])
def test_a_first_row_with_a_number_that_is_no_pseudonym_is_an_error(restored, cell):
    code, rows, said = restored(f"{cell},0.4\n1,0.2\n")
    assert (code, rows) == (2, [])
    assert "row 1 of the results has" in said
    assert "--header" in said


def test_whether_there_is_a_header_can_be_said(restored, names):
    assert restored("2,x\n1,y\n", "--header")[:2] == (0, [["2", "x"], [names[1], "y"]])


def test_without_a_header_a_word_is_an_error_and_columns_have_no_names(restored):
    code, rows, said = restored("person,x\n1,y\n", "--no-header")
    assert (code, rows) == (2, [])
    assert "row 1 of the results has 'person'" in said
    code, rows, said = restored("person,x\n1,y\n", "--no-header", "--columns", "person")
    assert (code, rows) == (2, [])
    assert "give their numbers" in said


@pytest.mark.parametrize("delimiter", ["\t", r"\t", ";"])
def test_a_delimiter_is_one_character_or_a_tab_spelled_out(restored, names, tmp_path, delimiter):
    typed = "\t" if delimiter == r"\t" else delimiter
    code, _, said = restored(f"x{typed}1\n", "--delimiter", delimiter, "--columns", "1")
    assert code == 0, said
    rows = list(csv.reader((tmp_path / "o.csv").open(newline="", encoding="utf-8"), delimiter=typed))
    assert rows == [["x", names[1]]]


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\r", "\n", r"\n"])
def test_no_other_delimiter_is_accepted(restored, delimiter):
    code, rows, said = restored("1\n", "--delimiter", delimiter)
    assert (code, rows) == (2, [])
    assert re.search("delimiter.* is one (ASCII )?character", said)
    assert said.count("\n") == 1


def test_standard_output_gets_all_rows_or_none(private, names, tmp_path, capsys):
    good = "".join(f"{i % 6},x\n" for i in range(5000))  # more than a buffer holds
    results = tmp_path / "r.csv"
    results.write_text(good)
    assert main(["restore", str(private), str(results), "-o", "-"]) == 0
    shown = io.StringIO(capsys.readouterr().out, newline="")
    assert list(csv.reader(shown)) == [[names[i % 6], "x"] for i in range(5000)]
    results.write_text(good + "nobody,x\n")
    assert main(["restore", str(private), str(results), "-o", "-"]) == 2
    assert capsys.readouterr().out == ""


LATE = """
import os, signal, sys
from graphveil.cli import main
code = main()
os.kill(os.getpid(), signal.SIGINT)
sys.exit(code)
"""


@pytest.mark.parametrize(("typed", "code"), [("--version", 0), ("--nonsense", 2)])
def test_ctrl_c_when_the_work_is_done_changes_nothing(typed, code):
    done = subprocess.run([sys.executable, "-c", LATE, typed], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_is_left_as_it_was_to_a_program_that_runs_a_command():
    before = signal.getsignal(signal.SIGINT)
    main(["--version"])
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.parametrize(
    ("content", "place"), [(",node,rank\n0,2,0.5\n1,3,0.4\n", 1), ("community,node\n1,2\n1,3\n", 1)]
)
def test_the_column_of_people_is_told_by_its_name(restored, names, content, place):
    code, rows, said = restored(content)
    assert code == 0
    assert [row[place] for row in rows[1:]] == [names[2], names[3]]
    assert [row[0] for row in rows[1:]] == [line.split(",")[0] for line in content.splitlines()[1:]]
    assert "taken from the column node" in said


def test_both_ends_of_an_edge_are_restored(restored, names):
    code, rows, _ = restored("source,target,score\n1,2,0.5\n")
    assert code == 0
    assert rows[1] == [names[1], names[2], "0.5"]


@pytest.mark.parametrize("names", ["block, level", "person, node"])
def test_several_columns_that_may_hold_pseudonyms_are_asked_about(restored, names):
    code, _, said = restored(names.replace(" ", "") + "\n1,2\n3,0\n")
    assert code == 2
    assert f"several columns may hold pseudonyms: {names}" in said


def test_all_rows_come_through_a_pipe(private, names, tmp_path):
    pipe, out = tmp_path / "pipe", tmp_path / "out.csv"
    os.mkfifo(pipe)
    content = "person,rank\n" + "".join(f"{i % 4},0.{i}\n" for i in range(6_000))
    writer = threading.Thread(target=pipe.write_text, args=(content,))
    writer.start()
    assert graphveil.restore(private, pipe, out).rows == 6_000
    writer.join()
    assert len(list(csv.reader(io.StringIO(out.read_bytes().decode(), newline="")))) == 6_001


def test_no_formula_stands_behind_the_delimiter_of_others(restored, names):
    code, rows, _ = restored("person;note\n1;b,=1+1\n", "--delimiter", ";")
    assert code == 0
    assert rows[1][-1] == f"{names[1]};b,=1+1" or '"b,=1+1"' in ",".join(rows[1])
    assert guarded("\ufeff=1+1") == "'=1+1"
