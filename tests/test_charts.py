"""Charts: dots lie where their values say, ticks are round, and a chart stays small whatever the graph."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphveil import audit, generate
from graphveil.pages.chart import Point, frontier_chart, group_chart, group_frame, linear, lines_chart

ABOUT = {"what": "mutual friends", "of": "friendships"}
DOT = re.compile(
    r'<circle class="([\w -]+)" cx="([\d.]+)" cy="([\d.]+)" r="\d" data-label="(\w*)"><title>([^<]*)'
)


@given(st.dictionaries(st.integers(0, 10**5), st.integers(1, 10**6), max_size=60), st.integers(2, 100))
def test_every_dot_is_red_exactly_below_the_line(groups, k):
    chart, frame = group_chart({"Now": groups}, k, **ABOUT), group_frame({"Now": groups}, k, **ABOUT)
    dots = DOT.findall(chart)
    shown = {int(value) for *_, value, _ in dots}
    assert shown <= set(groups)
    assert all(("small" in kind) == (float(y) > frame.y(k)) for kind, _, y, _, _ in dots)
    small = sum(size < k for size in groups.values())
    assert f"{f'{small:,}' if small else 'none'} of them below k = {k}." in chart


def test_dots_say_what_they_stand_for_and_before_and_after_differ():
    chart = group_chart({"Before": {17: 1, 0: 300}, "After": {1: 26, 0: 300}}, 25, **ABOUT)
    said = {words: kind for kind, _, _, _, words in DOT.findall(chart)}
    assert said == {
        "Before: 0 mutual friends: 300 friendships": "before",
        "Before: 17 mutual friends: 1 friendship": "before small",
        "After: 0 mutual friends: 300 friendships": "after",
        "After: 1 mutual friend: 26 friendships": "after",
    }


def test_dots_on_each_other_are_one():
    chart = group_chart({"Now": dict.fromkeys(range(100_000), 1)}, 5, **ABOUT)
    assert len(DOT.findall(chart)) < 300
    assert re.search(r"[\d,]+ to [\d,]+ mutual friends: 1 friendship each", chart)


@given(st.lists(st.floats(0, 1), max_size=9))
def test_linear_axes_hold_their_values_between_round_ends(values):
    axis = linear("risk", values, share=True)
    assert all(-1e-9 <= axis.at(value) <= 1 + 1e-9 for value in values)
    words = [words for _, words in axis.ticks]
    assert len(set(words)) == len(words) <= 7


def test_the_frontier_names_its_best_and_joins_them():
    points = [Point(0.01, 0.5, True, "plan, k = 5", "1 %", 0), Point(0.03, 0.6, False, "<b>", "3 %", 1)]
    chart = frontier_chart(points, "changed", "exposed")
    assert [kind for kind, *_ in DOT.findall(chart)] == ["before", "after"]
    assert ">plan, k = 5</text>" in chart
    assert "<b>" not in chart
    assert chart.count('class="line') == 1


@pytest.mark.parametrize("several", [[(5, 0.0, "a")], [(5, 1e-4, "a"), (100, 80.0, "b")]])
def test_lines_take_one_point_and_no_change(several):
    assert len(DOT.findall(lines_chart({"plan": several}, "k", "changed"))) == len(several)


def test_an_audit_shows_its_groups_in_a_notebook():
    page = audit(generate(edges=300, seed=4), k=5)._repr_html_()
    assert 'class="chart large"' in page
    assert ".chart .small.after" in page


def test_nothing_changed_is_written_as_nothing():
    svg = lines_chart({"plan": [(5, 0.0, "none"), (25, 0.27, "some")]}, "k", "changed")
    assert ">0 %<" in svg
    assert ">0.1 %<" in svg
    assert ">0.01 %<" not in svg
