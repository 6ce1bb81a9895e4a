"""Coarser values: every class, the least choice of levels, every group, against pandas and a search of all points."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphveil.attributes import proposing as module
from graphveil.attributes.hierarchies import (
    Dates,
    Rare,
    Widths,
    column_of,
    generalise,
    ladder_of,
    read_hierarchy,
    widths_for,
)
from graphveil.attributes.proposing import propose
from graphveil.errors import GraphError, InputError, ParameterError


def groups(values, names=None):
    """The size of each group, as pandas counts it."""
    frame = pandas.DataFrame(dict(values)).astype(object)
    frame = frame.where(frame.notna(), None)
    return frame.groupby(list(names or frame.columns), dropna=False).size() if len(frame.columns) else None


def brute_force(attributes, k):
    """The least loss over all choices of levels that `propose` may make, by the definitions."""
    columns = [column_of(name, values) for name, values in attributes.items()]
    every = []
    for column in columns:
        ladder = ladder_of(column, "auto", None, k)
        levels = [
            generalise(column, ladder.rule, level).rows().tolist()
            for level in range(ladder.least, ladder.most + 1)
        ]
        every.append([levels[0], *(level for level in levels[1:] if len(set(level)) > 1)])
    found = least_of(columns, every, k)
    if found is None:
        found = least_of(columns, [[*levels, [None] * len(levels[0])] for levels in every], k)
    return found


def least_of(columns, every, k):
    """The least loss over some levels of each column."""
    best = None
    for choice in product(*every):
        sizes = pandas.DataFrame(list(zip(*choice, strict=True))).groupby(
            list(range(len(choice))), dropna=False
        )
        if sizes.size().min() >= k:
            losses = [
                1.0
                if all(v is None for v in coarse) and any(v is not None for v in fine)
                else loss(fine, coarse)
                for fine, coarse in zip([column.rows().tolist() for column in columns], choice, strict=True)
            ]
            worth = sum(losses) / len(losses)
            best = worth if best is None else min(best, worth)
    return best


def loss(fine, coarse):
    """Mean share of the other values that a value can no longer be told from."""
    behind = {each: {f for f, c in zip(fine, coarse, strict=True) if c == each} for each in set(coarse)}
    return sum((len(behind[each]) - 1) / max(len(set(fine)) - 1, 1) for each in coarse) / len(fine)


TABLES = st.integers(6, 30).flatmap(
    lambda n: st.fixed_dictionaries(
        {
            "age": st.lists(st.one_of(st.none(), st.integers(-3, 60)), min_size=n, max_size=n),
            "city": st.lists(st.sampled_from(["Bonn", "Kiel", "Rome", None]), min_size=n, max_size=n),
            "sex": st.lists(st.sampled_from(["f", "m"]), min_size=n, max_size=n),
        }
    )
)


@settings(max_examples=15, deadline=None)
@given(TABLES, st.integers(2, 6))
def test_the_search_finds_the_least_loss_of_all_choices(table, k):
    found = propose(table, k)
    assert found.optimal
    assert found.exposed == 0
    assert found.loss == pytest.approx(brute_force(table, k))
    if found.values:
        assert groups(found.values).min() == found.smallest_group >= k
        assert len(groups(found.values)) == found.groups


@settings(max_examples=40, deadline=None)
@given(TABLES, st.integers(2, 4), st.sampled_from([0.1, 0.3, 0.6]))
def test_single_values_are_suppressed_within_the_share(table, k, share):
    found = propose(table, k, suppress=share)
    assert found.exposed == 0
    assert found.suppressed_people <= share * len(table["age"])
    assert found.suppressed_values <= 3 * found.suppressed_people
    strict = propose(table, k)
    assert found.loss <= strict.loss + 1e-12 or any(each.dropped for each in strict.choices)
    if found.values:
        assert groups(found.values).min() >= k


@settings(max_examples=40, deadline=None)
@given(TABLES, st.integers(1, 3), st.integers(2, 3))
def test_every_group_has_several_sensitive_values(table, k, diverse):
    illnesses = ["flu", "gout", None, "angina"]
    table["illness"] = [illnesses[(age or 0) % 4] for age in table["age"]]
    found = propose(table, k, sensitive=["illness"], l_diversity=diverse)
    if found:
        frame = pandas.DataFrame(dict(found.values)).astype(object)
        names = [name for name in frame.columns if name != "illness"]
        frame = frame.where(frame.notna(), "missing" if names else None)
        counts = frame.groupby(names)["illness"] if names else frame["illness"]
        fewest = (
            frame.replace({"illness": {"missing": None}}).groupby(names)["illness"].nunique().min()
            if names
            else counts.nunique()
        )
        assert fewest == found.diversity["illness"] >= diverse
    else:
        assert len({each for each in table["illness"] if each}) < diverse
    assert found.values["illness"].tolist() == column_of("illness", table["illness"]).rows().tolist()


def test_a_sensitive_value_that_is_the_same_in_a_group_is_counted():
    table = {"town": ["A"] * 3 + ["B"] * 3, "illness": ["flu"] * 3 + ["flu", "gout", "gout"]}
    found = propose(table, 3, generalize=None, sensitive=["illness"])
    assert found.diversity == {"illness": 1}
    assert found
    asked = propose(table, 3, generalize=None, sensitive=["illness"], l_diversity=2)
    assert asked.exposed == 3
    assert [each.name for each in propose(table, 3, sensitive=["illness"], l_diversity=2).changed] == ["town"]


def test_ten_thousand_values_of_three_attributes_go_the_quick_way():
    random = np.random.default_rng(7)
    table = {
        "income": random.integers(0, 10_000, 30_000),
        "town": np.array([f"t{each}" for each in random.integers(0, 500, 30_000)], object),
        "sex": np.array(["f", "m"], object)[random.integers(0, 2, 30_000)],
    }
    found = propose(table, 10)
    assert found.optimal
    assert groups(found.values).min() == found.smallest_group >= 10


def test_a_large_lattice_is_searched_greedily_and_says_so(monkeypatch):
    monkeypatch.setattr(module, "LARGEST", 3)
    table = {"age": [20, 21, 32, 33], "sex": ["f", "f", "m", "m"]}
    found = propose(table, 2)
    assert not found.optimal
    assert found.smallest_group == 2


def test_what_is_proposed_can_be_asked_for():
    random = np.random.default_rng(3)
    table = {"age": random.integers(0, 90, 300), "town": random.choice(list("abcdefgh"), 300).astype(object)}
    found = propose(table, 12)
    again = propose(
        {name: table[name] for name in found.values}, 12, **{"generalize": None, **found.parameters()}
    )
    assert [each.tolist() for each in again.values.values()] == [
        each.tolist() for each in found.values.values()
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("Bonn,West\nBonn,East\n", "line 2: Bonn is there already, in line 1. Keep one"),
        ("Bonn,West,North\nKiel,West,South\n", "line 2: West belongs to South, and in line 1 to North. Each"),
        ("Bonn,West,Bonn\n", "line 1: Bonn becomes West and comes back. A coarser"),
        ("Bonn,West\nKiel\n", "line 2: 1 column where the first row has 2. Each"),
        ("Bonn\n", "line 1: one column, and a hierarchy has two or more"),
        ("Bonn,West\nKiel,\n", "line 2: a cell is empty"),
        ("", "there is no row in it"),
        ("city,region\nBonn,West\n", "it has no row for Kiel, which 1 row has for city, first row 2. Add"),
    ],
)
def test_a_bad_hierarchy_is_refused_in_one_line(tmp_path, rows, message):
    file = tmp_path / "cities.csv"
    file.write_text(rows)
    with pytest.raises(InputError) as error:
        propose({"city": ["Bonn", "Kiel"]}, 1, generalize={"city": str(file)})
    assert str(error.value).startswith(f"{file}")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_hierarchy_with_semicolons_unicode_and_a_mark(tmp_path):
    file = tmp_path / "cities.csv"
    file.write_bytes("\ufeffcity;region\nMünchen;Süden\nЯлта;Юг\n".encode())
    assert generalise(
        column_of("city", ["Ялта", None, "München"]), read_hierarchy(file, "city"), 1
    ).rows().tolist() == ["Юг", None, "Süden"]


@pytest.mark.parametrize(
    ("values", "wish", "message"),
    [
        (["1980", "old"], 5, "'1980' (row 1) is no number"),
        ([1980, True, "x"], 5, "True (row 2) among numbers"),
        ([1980, float("inf")], 5, "inf (row 2) is no number"),
        (["2024-01-02", "soon"], "month", "'soon' (row 2) is no date"),
        (["2024-13-02"], "year", "'2024-13-02' (row 1) is no date"),
        ([1, 2], 0, "a width above 0"),
        ([1, [2]], 5, "[2] (row 2) among numbers"),
    ],
)
def test_values_that_do_not_fit_are_named(values, wish, message):
    with pytest.raises((GraphError, ParameterError)) as error:
        propose({"age": values}, 1, generalize={"age": wish})
    assert str(error.value).startswith("age: ") or "age is generalized by" in str(error.value)
    assert message in str(error.value)


def test_what_cannot_be_asked_for():
    table = {"age": [1, 2]}
    for asked, message in (
        ({"sensitive": ["illness"]}, "illness is called sensitive"),
        ({"l_diversity": 2}, "l_diversity is for sensitive"),
        ({"suppress": 1}, "suppress must be a share"),
        ({"generalize": {"sex": 5}}, "sex is not among"),
        ({"generalize": {"age": 5}, "group_rare": {"age": "Other"}}, "Choose one"),
    ):
        with pytest.raises(ParameterError, match=message):
            propose(table, 2, **asked)


def test_classes_join_whole_classes_of_the_level_before():
    random = np.random.default_rng(5)
    columns = (
        (column_of("n", random.normal(0, 50, 200)), Widths(0.7)),
        (column_of("n", random.integers(-99, 99, 200)), Widths(3)),
        (
            column_of("n", [f"20{each:02}-0{1 + each % 9}-11" for each in random.integers(0, 99, 200)]),
            Dates(),
        ),
        (column_of("n", [f"v{each}" for each in random.geometric(0.1, 200)]), Rare("Other", 3)),
    )
    for column, rule in columns:
        for level in range(1, rule.levels(column) + 1):
            fine, coarse = (generalise(column, rule, each).rows().tolist() for each in (level - 1, level))
            assert len(set(zip(fine, coarse, strict=True))) == len(set(fine))


def test_rare_values_and_their_name_are_large_enough():
    column = column_of("d", ["A"] * 9 + ["B"] * 4 + ["C"] * 2 + ["D"])
    assert sorted(generalise(column, Rare("Other", 3), 1).sizes.tolist()) == [3, 4, 9]
    column = column_of("d", ["A"] * 9 + ["B"] * 4 + ["D"])
    assert sorted(generalise(column, Rare("Other", 3), 1).sizes.tolist()) == [5, 9]


def test_nobody_has_no_group():
    assert propose({}, 5).smallest_group is None
    assert propose({"age": []}, 5).values


def test_rare_small_and_large_numbers_are_in_one_class_each():
    """The tail of calls or incomes does not force wide classes on everybody."""
    calls = np.random.default_rng(2).geometric(0.05, 20_000)
    found = propose({"calls": calls}, 10)
    assert found.loss < 0.1
    assert found.values["calls"][calls.argmax()].endswith(" or more")
    again = propose({"calls": calls}, 10, **found.parameters())
    assert again.values["calls"].tolist() == found.values["calls"].tolist()


@pytest.mark.parametrize("seed", range(40))
def test_levels_with_bounds_only_join_classes_and_are_options(seed):
    random = np.random.default_rng(seed)
    values = (random.geometric(0.05, 400) if seed % 2 else random.normal(0, 30, 400)).astype(int)
    column, k = column_of("n", values * (0.37 if seed % 3 == 0 else 1)), int(random.integers(1, 30))
    rule = widths_for(column, k)
    before = rule.classes(column, 1)
    for level in range(1, rule.levels(column) + 1):
        classes = rule.classes(column, level)
        assert len(set(zip(before, classes, strict=True))) == len(set(before))
        ladder = ladder_of(column, rule.option(level)[1], None, k)
        assert generalise(column, ladder.rule, ladder.least).values == generalise(column, rule, level).values
        before = classes


@pytest.mark.parametrize("wish", ["10:a..b", "10:nan..3", "0:..5", "10:..inf"])
def test_bounds_are_numbers(wish):
    with pytest.raises((ParameterError, InputError)):
        propose({"n": [1, 2, 3, 4]}, 2, generalize={"n": wish})
