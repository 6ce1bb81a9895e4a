"""What the private part says: the rows that were left out, and both figures of an attack."""

from __future__ import annotations

import json

import publications
from graphveil import anonymize, read
from publications import SEED, publish

town = publications.town  # pytest finds fixtures by their names here


def test_the_private_record_lists_the_rows_that_were_left_out(town, tmp_path):
    path = tmp_path / "friends.csv"
    rows = [f"p{u},p{v}" for u, v in town.original.edges.tolist()]
    path.write_text("\n".join(["source,target", *rows[:5], ",p1", *rows[5:]]) + "\n")
    graph = read(path, skip_bad_rows=True)
    out = publish(anonymize(graph, 3, method="add-greedy", seed=SEED), tmp_path / "out")
    run = json.loads((out.folder / "private" / "run.json").read_text())
    assert run["reading"] == {"skip_bad_rows": True, "skipped_lines": [7]}


def test_the_private_report_says_both_figures_of_an_attack(town, tmp_path):
    out = publish(town, tmp_path / "out", report="quick")
    page = (out.folder / "private" / "report.html").read_text()
    assert "after, by groups" in page
