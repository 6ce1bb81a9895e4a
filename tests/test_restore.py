"""`restore`: the right people or an error, whatever the results look like."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import graphveil
from graphveil import Graph
from graphveil.cli import main
from graphveil.publish.tables import unarmour

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
