"""One person or one friendship, looked up: the groups are those of the audit, and the friends those of the graph."""

from __future__ import annotations

import json

import networkx
import pytest
from hypothesis import given

import graphveil
from conftest import small_graphs
from graphveil import GraphError, ParameterError, audit, look_up
from graphveil.cli import main
from graphveil.risk.answering import answer


@given(small_graphs())
def test_groups_are_those_of_the_definitions(graph):
    plain = graph.to_networkx()
    degrees = dict(plain.degree)
    for person in plain:
        found = look_up(graph, person)
        assert found.finding.group_size == sum(degree == degrees[person] for degree in degrees.values())
        assert found.finding.knowledge == {"degree": degrees[person]}
        assert set(found.around.people) == {person, *plain[person]}
    mutual = {pair: len(list(networkx.common_neighbors(plain, *pair))) for pair in plain.edges}
    for pair, number in mutual.items():
        found = look_up(graph, list(pair))
        assert found.finding.group_size == sum(number == other for other in mutual.values())
        assert found.finding.knowledge == {"mutual_friends": number}


def test_it_agrees_with_the_audit():
    town = graphveil.generate(edges=300, seed=4)
    found = audit(town, 25, top=20)
    for name in ("mutual-friends", "degree"):
        for finding in found[name].most_exposed:
            assert look_up(town, list(finding.labels)).finding == finding


def test_nobody_strangers_and_too_many():
    friends = [("Ann", "Bob"), ("Bob", "Cem"), ("Cem", "Dora"), ("Bob", "Dora")]
    with pytest.raises(GraphError, match="nobody with the id 'Zoe'"):
        look_up(friends, "Zoe")
    with pytest.raises(GraphError, match="Ann and Dora are not friends"):
        look_up(friends, ["Ann", "Dora"])
    for people in ([], ["Ann", "Ann"], ["Ann", "Bob", "Cem"]):
        with pytest.raises(ParameterError, match="one id or two different ones"):
            look_up(friends, people)
    assert "Ann" not in repr(look_up(friends, "Ann"))


def test_the_command_line_says_the_same(tmp_path, capsys):
    file = tmp_path / "friends.csv"
    file.write_text("source,target\nAnn,Bob\nAnn,Cem\nBob,Cem\nCem,Dora\n")
    assert main(["audit", str(file), "--who", "Ann", "--who", "Bob"]) == 0
    assert capsys.readouterr().out == "Ann and Bob: 1 mutual friend, one of 3 friendships.\nFriends: Cem\n"
    assert main(["audit", str(file), "--who", "Cem", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(look_up(file, "Cem").to_dict()))
    assert main(["audit", str(file), "--who", "Zoe"]) == 2
    assert main(["audit", str(file), "-k", "2"]) == 0
    assert answer(audit(file, 2)) in " ".join(capsys.readouterr().out.split())
