"""Sensitive values of added friendships and dummy people: no copies that stand out, and nothing that is odd."""

from __future__ import annotations

from collections import Counter
from datetime import date

import numpy as np
import pandas
import pytest

import graphveil
from graphveil import Graph, ParameterError
from graphveil.cli import main
from graphveil.publication.made_up import replaced_copies
from publications import SEED, publish


def filled(true: list, donors: list[int], seed: int = 1) -> list:
    """True values, and those of what was made up in their places."""
    values = np.fromiter([*true, *(true[each] for each in donors)], object)
    random = np.random.default_rng(seed).integers(0, 2**63, len(donors)).astype(np.uint64)
    made_up = np.arange(len(values)) >= len(true)
    found = replaced_copies("pay", values, made_up, random).tolist()
    assert found[: len(true)] == true
    return found[len(true) :]


SPREAD = np.random.default_rng(5).permutation(90_000)[:400]
DAYS = [date.fromordinal(730_000 + int(each)).isoformat() for each in SPREAD]


@pytest.mark.parametrize(
    ("true", "shape"),
    [
        ((SPREAD + 1000).tolist(), lambda each: isinstance(each, int)),
        ((SPREAD * 50).tolist(), lambda each: each % 50 == 0),
        ([*(SPREAD[:300] * 10).tolist(), 7, 19, 33], lambda each: each % 10 == 0),
        ((SPREAD / 4).tolist(), lambda each: each * 4 == round(each * 4)),
        ((SPREAD / 100).tolist(), lambda each: len(repr(each).partition(".")[2]) <= 2),
        (np.random.default_rng(3).normal(size=300).tolist(), lambda each: isinstance(each, float)),
        (DAYS, lambda each: date.fromisoformat(each).isoformat() == each),
        ([f"{each} 08:{place % 60:02}" for place, each in enumerate(DAYS)], lambda each: len(each) == 16),
        ([-5, 3, 900, None, 40, 70, 70], lambda each: isinstance(each, int)),
    ],
)
def test_what_one_has_is_not_copied(true, shape):
    times = Counter(true)
    donors = [place for place, each in enumerate(true) if times[each] == 1 and each is not None] * 2
    found = filled(true, donors)
    assert len(set(found)) == len(found)
    assert not set(found) & set(true)
    known = sorted(each for each in true if each is not None)
    assert all(shape(each) and known[0] < each < known[-1] for each in found)
    assert filled(true, donors) == found != filled(true, donors, seed=2)


def test_they_are_near_their_donors():
    true = [10, 20, 1000, 1020, 5000]
    for seed in range(20):
        assert 20 < filled(true, [2], seed)[0] < 1020
        assert filled(true, [4], seed)[0] > 1020


def test_what_several_have_and_what_is_missing_is_copied():
    assert filled([1, 5, 9, 14, 20, 20, None], [4, 5, 6]) == [20, 20, None]
    assert filled([1, 1, 2, 2, 3, 3, 50], [6, 0]) == [50, 1]
    assert filled(["a", "b", "b", "b", "c", "c", "d"], [0]) == ["a"]


@pytest.mark.parametrize(
    "true",
    [
        [f"note {each}" for each in range(20)],
        list(range(20)),
        ["2024-W01-1", "2024-W02-1", "2024-W03-1"],
        [True],
    ],
)
def test_where_nothing_is_between_them_they_are_refused(true):
    with pytest.raises(ParameterError, match=r"pay: most of its values occur once.*Leave the attribute out"):
        filled(true, [0])
    assert filled(true, []) == []


KEPT = ["--keep-edge-attribute", "kind,amount"]


def graph_file(town: Graph, place):
    graphveil.write(town, place / "town.csv")
    return place / "town.csv"


def test_copies_are_told_by_the_opposite_rule(tmp_path, capsys):
    """Values that occur twice tell copies: an AUC near 0 is said as one near 1."""
    town = graphveil.generate(edges=600, seed=5)
    town = Graph(town.edges, town.n, town.labels, edge_attributes={"amount": np.arange(town.m)})
    result = graphveil.anonymize(town, 25, method="add-greedy", seed=SEED)
    out = publish(
        result, tmp_path / "o", format="csv", keep_edge_attributes=["amount"], keep_identifying=True
    )
    assert graphveil.utility(town, out.folder, quick=True)["added_edges_values_in_group"].value < 0.4
    file, kept = str(graph_file(town, tmp_path)), ["--keep-edge-attribute", "amount"]
    assert main(["utility", file, str(out.folder), "--quick", *kept]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert float(said.partition("how common their values are?")[2].partition("AUC ")[2][:4]) > 0.6


def test_an_exact_sensitive_amount_does_not_give_added_friendships_away(tmp_path, capsys):
    town = graphveil.generate(edges=600, seed=5)
    amounts = np.random.default_rng(2).permutation(50_000)[: town.m]
    kinds = np.array(["x", "y"], object)[np.arange(town.m) % 2]
    town = Graph(town.edges, town.n, town.labels, edge_attributes={"kind": kinds, "amount": amounts})
    result = graphveil.anonymize(town, 25, method="add-greedy", seed=SEED)
    assert len(result.added) > 50
    how = {"format": "csv", "keep_edge_attributes": ["kind", "amount"], "sensitive": ["amount"]}
    out = publish(result, tmp_path / "out", **how)
    frame = pandas.read_csv(out.public / "graph.csv").dropna(subset=["target"])
    assert frame.amount.is_unique
    assert len(frame) == result.graph.m
    assert set(amounts) <= set(frame.amount)
    found = graphveil.utility(town, out.folder, quick=True)
    assert found["added_edges_values_in_group"].value == 0.5
    assert main(["utility", str(graph_file(town, tmp_path)), str(out.folder), "--quick", *KEPT]) == 0
    assert "by how common their values are? Hardly: AUC 0.50" in " ".join(capsys.readouterr().out.split())
    again = publish(result, tmp_path / "again", **how)
    assert (out.public / "graph.csv").read_bytes() == (again.public / "graph.csv").read_bytes()


def test_an_exact_sensitive_income_does_not_give_dummy_people_away(tmp_path):
    town = graphveil.generate(edges=600, seed=5)
    incomes = np.random.default_rng(2).permutation(50_000)[: town.n]
    sexes = np.array(["f", "m"], object)[np.arange(town.n) % 2]
    town = Graph(town.edges, town.n, town.labels, vertex_attributes={"sex": sexes, "income": incomes})
    result = graphveil.anonymize(town, 10, method="add-del", degree_k=10, degree_method="kda", seed=SEED)
    assert len(result.new_vertices) > 3
    out = publish(result, tmp_path / "out", keep_vertex_attributes=["sex", "income"], sensitive=["income"])
    frame = pandas.read_csv(out.public / "people.csv")
    assert frame.income.is_unique
    assert len(frame) == result.graph.n
