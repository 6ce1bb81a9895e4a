"""Files that were misread without a word: each is read as it is, asked about, or refused with the true cause."""

from __future__ import annotations

import gzip
import json
import sys
import warnings

import networkx
import pandas
import pytest

import graphveil
from graphveil.cli import main
from graphveil.cli.spelling import as_typed
from graphveil.errors import GraphError, InputError, ParameterError

YEARS = [("Ann", "Bob", 2001, 2005), ("Bob", "Cy", 2003, 2004), ("Cy", "Ann", 1999, 2001)]
FRAME = pandas.DataFrame({"source": ["Ann", "Bob", "Cy"], "target": ["Bob", "Cy", "Ann"], "w": [1, 2, 3]})


@pytest.fixture
def file(tmp_path):
    def write(content, name="file.csv"):
        path = tmp_path / name
        path.write_text(content)
        return path

    return write


def rows(header, content):
    return "\n".join([header, *(",".join(map(str, row)) for row in content)]) + "\n"


def test_two_kinds_of_things_are_no_friends(file):
    path = file("% bip unweighted\n1 1\n1 2\n2 1\n3 2\n", "out.clubs")
    with pytest.raises(InputError, match="line 1: the first line says bip"):
        graphveil.read(path)
    with pytest.warns(UserWarning, match="2 clubs onto 3 people"):
        assert graphveil.read(path, project=True).m == 2


@pytest.mark.parametrize("name", ["deleted", "is_blocked", "Unfriended"])
def test_of_ended_friendships_the_right_rows_are_named(file, name):
    path = file(rows(f"from,to,{name}", [("Ann", "Bob", 0), ("Bob", "Cy", 1), ("Cy", "Ann", 0)]))
    with pytest.raises(InputError, match=rf"line 3: the column {name} says yes, or is 1, in some rows"):
        graphveil.read(path)


def test_a_list_of_several_friends_is_told_from_a_broken_line(file):
    with pytest.raises(InputError, match="give one line for each pair"):
        graphveil.read(file("Ann Bob Cy Dee\nBob Cy Dee Ed Fay\n", "friends.txt"))


# ---------------------------------------------------------------------- two pairs of ends


@pytest.mark.parametrize(
    "people",
    [
        "person1,person2",
        "id1,id2",
        "user_id,friend_id",
        "name_1,name_2",
        "u,v",
        "Person,Colleague",
        "boss,clerk",
    ],
)
def test_years_beside_people_are_asked_about(file, people):
    first, second = people.split(",")
    path = file(rows(f"{people},from,to", YEARS))
    with pytest.raises(InputError, match=rf"from – to and {first} – {second}") as caught:
        graphveil.read(path)
    assert f'columns=["{first}", "{second}"]' in str(caught.value)
    assert f"--columns {people}" in as_typed(str(caught.value))
    assert graphveil.read(path, columns=[first, second]).n == 3
    frame = pandas.DataFrame(YEARS, columns=[first, second, "from", "to"])
    with pytest.raises(GraphError, match=rf'frame\[\["{first}", "{second}"\]\]'):
        graphveil.as_graph(frame)


def test_places_beside_people_are_asked_about(file):
    with pytest.raises(InputError, match="source – target and user_id – friend_id"):
        graphveil.read(file("user_id,friend_id,source,target\n1,2,Ulm,Rom\n2,3,Ulm,Bonn\n"))
    with pytest.raises(InputError, match="source – target and person1 – person2"):
        graphveil.read(file('[{"person1": "a", "person2": "b", "source": "Ulm", "target": "Rom"}]', "a.json"))


@pytest.mark.parametrize(
    "header", ["source,target,source_name,target_name", "from,to,since,until", "source,target,likes,posts"]
)
def test_one_pair_of_ends_is_taken(file, header):
    assert graphveil.read(file(rows(header, [(1, 2, 3, 4), (2, 3, 4, 3), (3, 1, 4, 4)]))).n == 3


# ---------------------------------------------------------------------- comments


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("#ann,bob\ncy,dora\ndora,#ann\nbob,cy\n", 1),
        ("source,target\na,b\n#c,d\nb,c\n", 3),
        ("source,target\na,b\n%c,d\nb,c\n", 3),
        ("a b\nb c\n#c a\n", 3),
    ],
)
def test_a_comment_like_a_row_is_asked_about(file, content, line):
    path = file(content, "file.txt")
    with pytest.raises(InputError, match=f"line {line}: .* begins as a comment") as caught:
        graphveil.read(path)
    assert '--comments ""' in as_typed(str(caught.value))
    assert any(str(label)[0] in "#%" for label in graphveil.read(path, comments="").labels)
    assert graphveil.read(path, comments="#%").reading.comments == 1


@pytest.mark.parametrize(
    "content",
    [
        "# Directed graph\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n",
        "% sym unweighted\n% 2 3 3\n1 2\n2 3\n",
        "#source,target\n# made by hand\n1,2\n2,3\n",
    ],
)
def test_comments_are_counted(file, content, capsys):
    path = file(content, "file.txt")
    graph = graphveil.read(path)
    assert (graph.m, graph.reading.comments) == (2, 2)
    assert main(["convert", str(path), "-"]) == 0
    assert "skipped 2 comment lines" in capsys.readouterr().err


def test_a_file_of_comments_may_be_a_file_of_rows(file):
    with pytest.raises(InputError, match='comments=""'):
        graphveil.read(file("#a,#b\n#b,#c\n"))


# ---------------------------------------------------------------------- direction


@pytest.mark.parametrize("header", ["sender,recipient", "caller,callee", "source,target"])
def test_a_dropped_direction_is_said_in_one_line(file, header):
    graph = graphveil.read(file(rows(header, [("a", "b"), ("b", "c")])))
    said = [note for note in graph.reading.notes if "direction" in note]
    assert len(said) == (header != "source,target")
    assert not graphveil.read(file(rows(header, [("a", "b"), ("b", "c")])), undirected=True).reading.notes


def test_konect_says_asym(file):
    graph = graphveil.read(file("% asym unweighted\n1 2\n2 3\n", "out.x"))
    assert "asym" in graph.reading.direction


def test_the_direction_of_a_frame(file):
    with pytest.warns(UserWarning, match="direction is dropped"):
        graphveil.as_graph(pandas.DataFrame({"sender": ["a"], "recipient": ["b"]}))


# ---------------------------------------------------------------------- bad rows


def test_bad_rows_can_be_skipped_and_are_listed(file, capsys):
    path = file("source,target\na,b\n,d\nb,c\nc\nd,a,7\nc,a\n")
    with pytest.raises(InputError, match=r"line 3: the first id is missing.*skip_bad_rows=True"):
        graphveil.read(path)
    graph = graphveil.read(path, skip_bad_rows=True)
    assert (sorted(graph.labels), graph.m) == (["a", "b", "c"], 3)
    assert graph.reading.skipped == (3, 5, 6)
    assert main(["convert", str(path), "-", "--skip-bad-rows"]) == 0
    assert "skipped 3 bad rows (lines 3, 5, 6)" in capsys.readouterr().err
    with pytest.raises(ParameterError, match="strict"):
        graphveil.read(path, skip_bad_rows=True, strict=True)


def test_bad_rows_among_numbers_and_in_long_files(file):
    content = "".join(f"{i},{i + 1}\n" + ",7\n" * (i % 9000 == 8999) for i in range(60_000))
    graph = graphveil.read(file(content), skip_bad_rows=True)
    assert (graph.m, len(graph.reading.skipped)) == (60_000, 6)
    assert graph.reading.skipped[0] == 9001


def test_a_file_of_bad_rows_is_refused(file):
    content = "a,b\n" + "c\n" * 40
    with pytest.raises(InputError, match="column"):
        graphveil.read(file(content), skip_bad_rows=True, delimiter=",")


def test_bad_rows_of_parquet_and_json(tmp_path, file):
    frame = pandas.DataFrame({"source": ["a", None, "b"], "target": ["b", "c", "c"]})
    frame.to_parquet(tmp_path / "a.parquet")
    for path in (tmp_path / "a.parquet", file(frame.to_json(orient="records"), "a.json")):
        with pytest.raises(InputError):
            graphveil.read(path)
        graph = graphveil.read(path, skip_bad_rows=True)
        assert (graph.m, graph.reading.skipped) == (2, (2,))


def test_attributes_with_commas_between(tmp_path):
    people = graphveil.Graph([(0, 1)], 2, vertex_attributes={"age": [3, 4], "town": ["Ulm", "Rom"]})
    graphveil.write(people, tmp_path / "a.graphml")
    words = ["convert", str(tmp_path / "a.graphml"), str(tmp_path / "b.graphml")]
    assert main([*words, "--keep-vertex-attribute", "age,town"]) == 0
    kept = graphveil.read(tmp_path / "b.graphml", keep_vertex_attributes=["age", "town"])
    assert kept.vertex_attributes["town"].tolist() == ["Ulm", "Rom"]


# ---------------------------------------------------------------------- rows that wait, lists of friends, documents


@pytest.mark.parametrize("said", ["pending", "blocked", "declined"])
def test_a_status_that_is_no_friendship_is_asked_about(file, said):
    content = rows("source,target,status", [("a", "b", "accepted"), ("b", "c", said), ("c", "a", "accepted")])
    with pytest.raises(InputError, match=f"line 3: the column status says {said}"):
        graphveil.read(file(content))
    late = rows("source,target,status", [(i, i + 1, "accepted") for i in range(900)] + [(3, 9, said)])
    with pytest.raises(InputError, match=f"status says {said}"):
        graphveil.read(file(late))
    frame = pandas.DataFrame({"source": [1, 2], "target": [2, 3], "status": ["accepted", said]})
    with pytest.raises(GraphError, match=said):
        graphveil.as_graph(frame)


def test_a_weight_of_zero_is_named_by_its_line(file):
    with pytest.raises(InputError, match="line 4: the column weight"):
        graphveil.read(file("source,target,weight\n1,2,3\n2,3,1\n3,1,0\n"))


@pytest.mark.parametrize(
    "content",
    [
        "Ann Bob Cy\nBob Ann\nCy Ann Di Eve\n",
        "Ann,Bob,Cy\nBob,Ann\nCy,Ann,Di,Eve\n",
        "Ann: Bob Cy\nBob: Ann\nCy: Ann\n",
        "1 2 3 4\n2 1 3\n3 1 2\n4 1\n",
    ],
)
def test_a_list_of_friends_is_called_so(file, content):
    with pytest.raises(InputError, match="a person and several friends") as caught:
        graphveil.read(file(content, "file.txt"))
    assert "columns" not in caught.value.remedy
    assert "delimiter" not in caught.value.remedy


@pytest.mark.parametrize("orient", ["split", "records", "index", "columns", "table"])
def test_json_of_pandas(file, orient):
    graph = graphveil.read(file(FRAME.to_json(orient=orient), "a.json"))
    assert sorted(graph.labels) == ["Ann", "Bob", "Cy"]
    assert "w" in graph.cleaning.edge_attributes


def test_lists_of_friends_as_documents_and_dictionaries(file):
    path = networkx.path_graph(4)
    for found in (networkx.to_dict_of_lists(path), networkx.to_dict_of_dicts(path)):
        assert graphveil.as_graph(found) == graphveil.as_graph(path)
        assert graphveil.read(file(json.dumps(found), "a.json")) == graphveil.as_graph(path)
    alone = graphveil.read(file('{"Ann": ["Bob"], "Cy": []}', "a.json"))
    assert sorted(alone.labels) == ["Ann", "Bob", "Cy"]
    with pytest.raises(GraphError, match="frame"):
        graphveil.as_graph(FRAME.to_dict("list"))


def test_json_lines_of_neo4j(file):
    node = '{{"type":"node","id":"{0}","labels":["P"],"properties":{{"name":"x"}}}}\n'
    edge = '{"type":"relationship","id":"0","label":"KNOWS","start":{"id":"1"},"end":{"id":"2"}}\n'
    graph = graphveil.read(file("".join(node.format(i) for i in (1, 2, 3)) + edge, "a.json"))
    assert (graph.n, graph.m) == (3, 1)
    assert "Neo4j" in graph.reading.direction


@pytest.mark.parametrize(
    ("content", "name"),
    [
        ('{"friends_v2":[{"name":"Ann","timestamp":3}]}', "a.json"),
        ('[{"title":"","string_list_data":[{"value":"ann"}]}]', "a.json"),
        ('window.YTD.following.part0 = [ {"following":{"accountId":"1"}} ]', "following.js"),
    ],
)
def test_contacts_of_one_person(file, content, name):
    with pytest.raises(InputError, match="contacts of one person"):
        graphveil.read(file(content, name))


# ---------------------------------------------------------------------- memory, warnings, words


@pytest.mark.parametrize(
    ("name", "opening", "token", "closing"),
    [
        ("a.gml.gz", "graph [", "node[id 1]", "]"),
        ("a.json.gz", "[", "[[]],", "[[]]]"),
        ("a.graphml.gz", "<graphml><graph>", "<node id='1'/>", "</graph></graphml>"),
        ("a.txt.gz", "", "a b\n", ""),
    ],
)
def test_what_parsing_takes_is_bounded(tmp_path, name, opening, token, closing):
    (tmp_path / name).write_bytes(gzip.compress((opening + token * 6_000_000 + closing).encode(), 1))
    with pytest.raises(InputError, match="max_memory"):
        graphveil.read(tmp_path / name)


def test_warnings_point_at_the_caller_and_are_not_kept(file):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for number in range(300):
            graphveil.read(file(f"a{number} b\nc d\nd e\n", "a.txt"))
    assert {warning.filename for warning in caught} == {__file__}
    kept = [getattr(module, "__warningregistry__", {}) for module in list(sys.modules.values())]
    assert not any("a17" in str(key) for registry in kept if registry for key in registry)


def test_long_names_are_cut_in_messages():
    graph = graphveil.Graph.from_edges([("N/A", "b"), ("x" * 5000, "y " * 5000), ("x" * 5000 + " ", "N/A")])
    assert all(len(str(caution)) < 500 for caution in graphveil.cautions(graph))


def test_python_names_parameters_and_the_terminal_options(file, capsys):
    path = file("name,department,age\nAnn,IT,3\nBo,IT,4\n")
    with pytest.raises(InputError) as caught:
        graphveil.read(path)
    assert "--" not in str(caught.value)
    assert main(["audit", str(path)]) == 2
    assert "--columns" in capsys.readouterr().err


def test_rows_above_that_all_begin_as_comments_are_asked_about(file):
    """Names of which each begins with # are no header, if two lines share one."""
    with pytest.raises(InputError, match=r"line 2: #tag2 #tag3 begins as a comment, and has 2 columns"):
        graphveil.read(file("#tag1 #tag2\n#tag2 #tag3\nx y\n", "tags.txt"))


def test_a_column_of_yes_and_no_shows_the_header(file):
    """Otherwise a and b would be friends, and Bob and Cy, who are none."""
    content = "a,b,are_friends\nann,bob,yes\nbob,cy,no\ncy,dee,yes\n"
    with pytest.raises(InputError, match="the names of the columns do not tell"):
        graphveil.read(file(content))
    graph = graphveil.read(file(content), columns=["a", "b"])
    assert "a" not in graph.labels
    assert "are_friends says no" in graph.reading.cautions[0].message
