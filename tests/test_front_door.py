"""What a newcomer meets: files that must not be read wrongly in silence, and what is said about them."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import graphveil
from graphveil import InputError, anonymize, audit, cautions, read
from graphveil.cli import main

SEED = 2**99 + 5


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def heard(call) -> list[str]:
    """The warnings of a call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    assert all(issubclass(each.category, UserWarning) for each in caught)
    return [str(each.message) for each in caught]


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.fixture
def town(tmp_path) -> Path:
    """A file of names."""
    graph = graphveil.generate(edges=200, seed=4)
    lines = [f"p{u},p{v}" for u, v in graph.edges.tolist()]
    return written(tmp_path / "town.csv", "\n".join(["source,target", *lines, ""]))


# ---------------------------------------------------------------------- cautions in Python


def test_python_warns_of_what_the_command_line_warns_of(tmp_path):
    clubs = written(tmp_path / "clubs.csv", "person,club\n" + "".join(f"p{i},c{i % 7}\n" for i in range(40)))
    for call in (
        lambda: anonymize(clubs, 2, seed=SEED),
        lambda: anonymize(read(clubs), 2, seed=SEED),
        lambda: audit(clubs),
    ):
        assert any("memberships" in words for words in heard(call))


def test_a_graph_is_warned_of_once(tmp_path):
    star = graphveil.Graph.from_edges([(0, i) for i in range(1, 9)])
    assert any("bipartite" in words for words in heard(lambda: anonymize(star, 2, seed=SEED)))
    assert not heard(lambda: anonymize(star, 2, seed=SEED))


def test_python_names_the_columns_that_it_chose(tmp_path, town):
    lines = town.read_text().splitlines()[1:]
    calls = written(
        tmp_path / "calls.csv", "caller,callee,seconds\n" + "".join(f"{line},3\n" for line in lines)
    )
    assert any("columns caller and callee, of 3" in words for words in heard(lambda: anonymize(calls, 2)))
    chosen = read(calls, columns=["caller", "callee"])
    assert not heard(lambda: anonymize(chosen, 2))
    assert not heard(lambda: anonymize(town, 2))


def test_the_command_line_warns_once(tmp_path, capsys):
    star = written(tmp_path / "star.csv", "source,target\n" + "".join(f"hub,p{i}\n" for i in range(9)))
    assert run("anonymize", star, "-k", 2, "-o", tmp_path / "out") == 0
    assert capsys.readouterr().err.count("No friendship has mutual friends") == 1


# ---------------------------------------------------------------------- cells


@pytest.mark.parametrize("names", [("Ann", "Bo", "Cy"), ("1", "2", "3")])
def test_an_empty_cell_is_refused_in_strict_and_reported_otherwise(tmp_path, names):
    a, b, c = names
    file = written(tmp_path / "friends.csv", f"source,target\n{a},{b}\n{b},{c}\n{a},\n")
    with pytest.raises(InputError, match=r"line 4: the cell for the second id is empty"):
        read(file, strict=True)
    (caution,) = [each for each in cautions(file) if each.kind == "empty-cells"]
    assert caution.message == (
        "1 row has no second id, which is read as a person without friends; 1 of these people have friends in "
        "other rows."
    )


def test_a_line_with_one_id_between_blanks_is_no_empty_cell(tmp_path):
    file = written(tmp_path / "friends.txt", "1 2\n2 3\n4\n")
    assert read(file, strict=True).n == 4
    assert not cautions(file)


def test_an_empty_cell_in_parquet_is_no_different(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": ["a", "b", "c"], "target": ["b", "c", None]})
    frame.to_parquet(tmp_path / "friends.parquet")
    with pytest.raises(InputError, match="empty"):
        read(tmp_path / "friends.parquet", strict=True)
    assert [each.kind for each in cautions(tmp_path / "friends.parquet")] == ["empty-cells"]


def test_what_graphveil_writes_of_people_without_friends_is_read_again(tmp_path):
    graph = graphveil.Graph(np.array([[0, 1], [1, 2]]), 5)
    for name in ("a.csv", "a.txt", "a.tsv"):
        graphveil.write(graph, tmp_path / name)
        assert read(tmp_path / name).n == 5


# ---------------------------------------------------------------------- ids


@pytest.mark.parametrize("rounded", ["1.23E+11", "1,23E+11", "4.9e+10", "5E+10"])
@pytest.mark.parametrize("command", ["audit", "anonymize"])
def test_ids_that_a_spreadsheet_has_rounded_are_refused(tmp_path, capsys, rounded, command):
    file = written(tmp_path / "calls.csv", f"caller;callee\nAnn;Bo\nBo;{rounded}\nAnn;Cy\n")
    out = ["-o", tmp_path / "out"] if command == "anonymize" else []
    assert run(command, file, *out) == 2
    error = capsys.readouterr().err
    assert "line 3" in error
    assert "export the original ids again" in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("id", ["7E2", "1e12", "c+e+12", "E+12"])
def test_ids_that_only_look_like_it_are_not(tmp_path, id):
    assert read(written(tmp_path / "a.csv", f"source,target\nAnn,Bo\nBo,{id}\n")).n == 3


def test_convert_warns_as_audit_does(tmp_path, capsys):
    rows = "".join(f"p{i},p{i + 1}\np{i},NA\n" for i in range(9))
    file = written(tmp_path / "friends.csv", f"source,target\n{rows}")
    assert run("convert", file, tmp_path / "friends.graphml") == 0
    assert "missing values" in capsys.readouterr().err


def test_single_quotation_marks_are_told(tmp_path):
    file = written(tmp_path / "a.csv", "source,target\n'Ann','Bo'\n'Bo','Cy'\n")
    assert "single-quotes" in [each.kind for each in cautions(file)]


# ---------------------------------------------------------------------- after publishing


@pytest.fixture(scope="module")
def published(tmp_path_factory) -> Path:
    home = tmp_path_factory.mktemp("published")
    graph = graphveil.generate(edges=300, seed=4)
    graphveil.write(graph, home / "town.txt")
    assert run("anonymize", home / "town.txt", "-k", "3,5", "-o", home / "out") == 0
    return home


def test_results_of_another_publication_are_refused_if_its_graph_is_named(published, tmp_path, capsys):
    (tmp_path / "ranks.csv").write_text("person,rank\n0,1\n3,2\n")
    k3, k5 = published / "out/k3", published / "out/k5"
    wrong = ["restore", k3 / "private", tmp_path / "ranks.csv", "--graph", k5 / "public/graph.txt"]
    assert run(*wrong) == 2
    assert "not the graph whose people" in capsys.readouterr().err
    assert not (tmp_path / "ranks.restored.csv").exists()
    right = [*wrong[:-1], k3 / "public/graph.txt"]
    assert run(*right) == 0


def test_results_that_have_all_people_of_a_smaller_graph_are_warned_of(published, tmp_path):
    private = published / "out/k3/private"
    rows = [(i, i / 7) for i in range(20)]
    text = "person,rank\n" + "".join(f"{a},{b}\n" for a, b in rows)
    (tmp_path / "ranks.csv").write_text(text)
    said = heard(lambda: graphveil.restore(private, tmp_path / "ranks.csv", tmp_path / "a.csv"))
    assert any("exactly the pseudonyms 0…19" in words for words in said)
    (tmp_path / "ranks.csv").write_text(text + "40,1\n")
    assert not heard(lambda: graphveil.restore(private, tmp_path / "ranks.csv", tmp_path / "b.csv"))


@pytest.mark.parametrize(
    "text",
    [
        "person;rank\n0;0,5\n1;0,7\n",
        "0;0,5\n1;0,7\n",
        "person\trank\n0\t0,5\n1\t0,7\n",
        "person|rank\n0|a,b\n1|c,d\n",
        "person,rank\n0,a;b\n1,c;d\n",
    ],
)
def test_restore_finds_the_delimiter(published, tmp_path, text):
    (tmp_path / "ranks.csv").write_text(text)
    private = published / "out/k3/private"
    assert graphveil.restore(private, tmp_path / "ranks.csv", tmp_path / "a.csv").rows == 2
    delimiter = next(mark for mark in ("\t", "|", ";", ",") if f"0{mark}" in text)
    kept = [line.split(delimiter, 1)[1] for line in (tmp_path / "a.csv").read_text().splitlines()]
    assert kept == [line.split(delimiter, 1)[1] for line in text.splitlines()]


def test_attack_finds_the_private_part_beside_the_public_one(published, capsys):
    out = published / "out/k3"
    assert run("attack", published / "town.txt", out / "public") == 0
    beside = capsys.readouterr().out
    assert run("attack", published / "town.txt", out) == 0
    assert capsys.readouterr().out == beside


def test_verify_names_what_was_asked_for_when_it_holds(published, capsys):
    out = published / "out/k3"
    assert run("verify", out, "--spread", 1, "-k", 2) == 0
    said = capsys.readouterr().out
    assert "holds  spread, 100 %, as asked for:" in said
    assert "holds  k-NMF, k = 2, as asked for:" in said
    assert run("verify", out, "--spread", 0.001) == 1
    assert "as asked for" not in capsys.readouterr().out


def test_utility_says_that_one_case_is_too_few(tmp_path, capsys):
    graph = graphveil.generate(edges=300, seed=4)
    graphveil.write(graph, tmp_path / "a.txt")
    graphveil.write(graphveil.Graph(graph.edges[1:], graph.n), tmp_path / "b.txt")
    assert run("utility", tmp_path / "a.txt", tmp_path / "b.txt", "--quick") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "With only 1 this cannot be said" in said
    assert "lmost always" not in said


def test_utility_tells_one_pair_beside_another_from_the_most_suspicious_of_all(tmp_path, capsys):
    graph = graphveil.generate(edges=300, seed=4)
    graphveil.write(graph, tmp_path / "a.txt")
    graphveil.write(graphveil.Graph(graph.edges[20:], graph.n), tmp_path / "b.txt")
    assert run("utility", tmp_path / "a.txt", tmp_path / "b.txt", "--quick") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "Can deleted friendships be detected? Beside one other pair, " in said
    assert " % of the 20 most suspicious were deleted (chance: " in said


def test_the_audit_ends_with_its_worst_figure_and_what_to_do(published, capsys):
    assert run("audit", published / "town.txt", "-k", 5) == 0
    said = " ".join(capsys.readouterr().out.split())
    found = audit(read(published / "town.txt"), 5)
    worst = max(each.exposures[-1].people for each in found.attackers)
    assert said.index(f"Worst: {worst:,} of") > said.index("At k = 5")
    assert said.endswith("share the graph under an agreement if they matter.")


# ---------------------------------------------------------------------- more files as people have them

PEOPLE = [
    "Ann Lee",
    "Bo Zhu",
    "Cy Ng",
    "Di Fox",
    "Ed Orr",
    "Flo Day",
    "Gil Roy",
    "Hal Kim",
    "Ida May",
    "Jo Poe",
]
PAIRS = [(a, b) for i, a in enumerate(PEOPLE) for j, b in enumerate(PEOPLE[:i]) if (i + 2 * j) % 4]


@pytest.mark.parametrize(
    ("name", "line", "words"),
    [
        ("chat.txt", "12/03/20, 10:00 - {a}: hello {b}, how are you?", "chat"),
        ("chat-ios.txt", "[12.03.20, 10:00:11] {a}: hi {b}", "chat"),
        ("chat-us.txt", "[3/12/20, 10:00:11 PM] {a}: hi", "chat"),
        ("weight-first.txt", "{w} {i} {j}", r"columns=\[1, 2\] or columns=\[0, 1\]"),
        ("friends.adjlist", "{i} {j}", "adjacency list"),
        ("mails.mbox", "From {i}", "e-mails"),
    ],
)
def test_what_is_no_list_of_friendships_is_refused(tmp_path, name, line, words):
    text = "".join(
        line.format(a=a, b=b, i=PEOPLE.index(a), j=PEOPLE.index(b), w=1 + place % 3) + "\n"
        for place, (a, b) in enumerate(PAIRS)
    )
    with pytest.raises(InputError, match=words):
        read(written(tmp_path / name, text))


def test_weights_behind_the_ids_are_none_of_them(tmp_path):
    text = "".join(f"{PEOPLE.index(a)} {PEOPLE.index(b)} {1 + i % 3}\n" for i, (a, b) in enumerate(PAIRS))
    assert read(written(tmp_path / "friends.txt", text)).m == len(PAIRS)


def test_a_matrix_of_crosses_is_refused_as_one(tmp_path):
    rows = [[a, *("x" if (a, b) in PAIRS or (b, a) in PAIRS else "" for b in PEOPLE)] for a in PEOPLE]
    text = "\n".join(map(",".join, [["", *PEOPLE], *rows]))
    with pytest.raises(InputError, match="adjacency matrix"):
        read(written(tmp_path / "matrix.csv", text))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Ann Lee <Ann@x.org>", "ann@x.org"),
        ("+49171234567", "0049171234567"),
        ("+49 171 234567", "0049 (171) 234567"),
    ],
)
def test_two_spellings_of_one_person_are_told(tmp_path, first, second):
    file = written(tmp_path / "a.csv", f"from,to\n{first},Bo\nCy,{second}\nBo,Cy\n")
    assert "two-spellings" in [each.kind for each in cautions(file)]


def test_rows_that_are_no_friendships_by_another_column_are_told(tmp_path):
    rows = "".join(f"{a},{b},{'accepted' if i % 2 else 'Rejected'}\n" for i, (a, b) in enumerate(PAIRS))
    file = written(tmp_path / "a.csv", f"user1,user2,status\n{rows}")
    with pytest.raises(InputError, match="status says rejected"):
        read(file)
    (caution,) = [each for each in cautions(read(file, columns=[0, 1])) if each.kind == "refusals"]
    assert "status says rejected" in caution.message


# ---------------------------------------------------------------------- the end of a run


@pytest.mark.parametrize(
    ("edges", "said", "unsaid"),
    [
        (  # needs no change, and has no mutual friends at all
            [(i, (i + 1) % 60) for i in range(60)],
            [
                "unchanged, only pseudonymized",
                "nobody is exposed to the attackers that were counted",
                "k-NMF guarantee says nothing",
                "similar graph",
            ],
            ["--degree-k", "--spread"],
        ),
        (  # complete
            [(i, j) for i in range(30) for j in range(i)],
            [
                "unchanged, only pseudonymized",
                "nobody is exposed to the attackers that were counted",
                "may identify many people",
            ],
            ["says nothing", "most people", "--degree-k"],
        ),
        (  # one person has all friendships
            [(0, i) for i in range(1, 40)],
            ["1 of 40 people (2.5 %) is exposed", "names that person with probability 100 %", "--spread 0.5"],
            ["Most people"],
        ),
        (  # everybody is exposed
            [(i, j) for i in range(30) for j in range(i) if (i * j + i) % 3],
            ["(100 %)", "Most people are exposed", "under an agreement, not openly", "--degree-k 5"],
            ["unchanged"],
        ),
    ],
)
def test_the_end_of_a_run_is_true(tmp_path, capsys, edges, said, unsaid):
    graphveil.write(graphveil.Graph.from_edges(edges), tmp_path / "a.txt")
    assert run("anonymize", tmp_path / "a.txt", "-k", 5, "-o", tmp_path / "out", "--seed", SEED) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert not [each for each in said if each not in words]
    assert not [each for each in unsaid if each in words]


def test_the_audit_of_a_tiny_graph_recommends_nothing_that_is_refused(tmp_path, capsys):
    file = written(tmp_path / "a.txt", "1 2\n2 3\n1 3\n3 4\n")
    assert run("audit", file, "-k", 25) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "too small for a guarantee with k = 25" in words
    assert "anonymize -k 25" not in words


def test_input_and_output_format_are_named_alike_everywhere(tmp_path):
    file = written(tmp_path / "a.dat", "1,2\n2,3\n1,3\n")
    for command in (("audit", file), ("verify", file, "-k", 1), ("convert", file, tmp_path / "b.gml")):
        assert run(*command, "--input-format", "csv") == 0
    out = ("--input-format", "csv", "--output-format", "gml", "-k", 3)
    assert run("anonymize", file, *out, "-o", tmp_path / "out") == 0
    assert (tmp_path / "out/public/graph.gml").exists()


# ---------------------------------------------------------------------- a spread in compare and in the prediction


def test_compare_takes_a_spread_and_recommends_only_what_keeps_it(tmp_path, capsys):
    graph = graphveil.generate(edges=120, seed=4)
    share = 0.8
    found = graphveil.compare(graph, k=3, methods=["add-del", "plan"], spread=share, quick=True)
    by_method = {cell.method: cell for cell in found.cells}
    assert by_method["plan"].promises["spread"] == share
    assert (by_method["add-del"].further, by_method["plan"].further) == ({}, {"spread": share})
    assert found.recommendation[0].startswith("Take plan")
    graphveil.write(graph, tmp_path / "a.txt")
    options = ("-k", 3, "--methods", "add-del,plan", "--quick", "--jobs", 1)
    assert run("compare", tmp_path / "a.txt", *options, "--spread", share, "-o", tmp_path / "out") == 0
    assert "--spread 0.8 --method plan" in capsys.readouterr().out


def test_a_prediction_keeps_the_spread():
    from graphveil.methods.predicting import predict_changes

    graph = graphveil.generate(edges=400, seed=4)
    assert predict_changes(graph, 3, spread=0.8).method == "plan"
    with pytest.raises(graphveil.ParameterError, match="takes no spread"):
        predict_changes(graph, 3, method="add-del", spread=0.8)


def test_messages_are_no_friends_of_telephone_numbers(tmp_path):
    for column in ("body", "what"):
        rows = "".join(f"+4917{i},{'sent' if i % 2 else 'received'},2020,hello {i}\n" for i in range(30))
        file = written(tmp_path / f"{column}.csv", f"number,type,date,{column}\n{rows}")
        with pytest.raises(InputError, match="columns="):
            read(file)


def test_three_ids_in_each_line_are_refused_and_weights_are_not(tmp_path):
    three = "".join(f"{i} {(i + 1) % 20} {(i + 7) % 20}\n" for i in range(20))
    with pytest.raises(InputError, match="every column holds ids"):
        read(written(tmp_path / "three.txt", three))
    weights = "".join(f"{i} {(i + 1) % 20} {1 + i % 6}\n" for i in range(20))
    assert read(written(tmp_path / "weights.txt", weights)).m == 20
