"""The guarantee that docs/architecture.md shows: the whole house knows it, and no method claims to give it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import publications
from graphveil import ParameterError, VerificationError, anonymize, audit, publish, verify
from graphveil.cli import main
from graphveil.goals import GOALS
from graphveil.verification.folders import check_public

town = publications.town  # pytest finds fixtures by their names here


PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"
EXAMPLE = re.search(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
assert EXAMPLE is not None
written: dict[str, Any] = {}
exec(EXAMPLE[1], written)  # as somebody types it who has read that page and nothing else
Toy = written["Toy"]


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    monkeypatch.setitem(GOALS, Toy.name, Toy)


def test_no_method_gives_it(town):
    with pytest.raises(ParameterError, match="no method gives the guarantee k-toy"):
        anonymize(town.original, 5, goals=[Toy(3)])


def test_it_is_audited_and_verified(town):
    assert audit(town.graph, k=5)[Toy.attacker].guarantee == Toy.name
    assert verify(town.graph, k=5, toy_k=3)
    found = verify(town.graph, k=5, toy_k=100_000)
    assert not found
    assert found["k-toy"].achieved == (town.graph.degrees > 0).sum()


def test_it_is_certified_reported_and_forged_in_vain(town, tmp_path, capsys):
    given = replace(town, goals=(*town.goals, Toy(7)))
    folder = publish(given, tmp_path / "out").folder
    for page in ("public/README.md", "public/report.html", "private/report.html"):
        assert "An attacker who counts toys finds nobody among 7." in (folder / page).read_text()
    assert main(["verify", str(folder)]) == 0
    assert "k-toy: k = 7 guaranteed" in capsys.readouterr().out
    assert main(["statement", str(folder)]) == 0
    assert "k-toy (k = 7)" in capsys.readouterr().out
    path = folder / "public" / "certificate.json"
    document = json.loads(path.read_text())
    statement = next(each for each in document["guarantees"] if each["guarantee"] == Toy.name)
    statement["promised"] = 100_000
    path.write_text(json.dumps(document, indent=2) + "\n")
    assert "k-toy: only k = " in check_public(folder).inspection.problems[0]


def test_a_graph_that_breaks_it_is_not_published(town, tmp_path):
    with pytest.raises(VerificationError, match="k-toy"):
        publish(replace(town, goals=(*town.goals, Toy(100_000))), tmp_path / "out")
    assert not (tmp_path / "out").exists()
