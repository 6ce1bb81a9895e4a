"""What is warned of or refused because it would harm people or mislead readers, although every promise is kept."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphveil
from graphveil import Graph, GraphveilError, anonymize, publish
from graphveil.cli import main
from graphveil.cli.summary import summary
from graphveil.errors import GraphError, ParameterError
from graphveil.publication.attributes import Wishes
from graphveil.publication.checking import check
from graphveil.publication.keeping import kept_attributes
from graphveil.publication.words import DISTORTED, limits

SEED = 2**90
RING = "1 2\n2 3\n3 1\n"


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def town() -> Graph:
    return graphveil.generate(edges=300, seed=4)


@pytest.fixture
def file(town, tmp_path) -> Path:
    graphveil.write(town, tmp_path / "town.txt")
    return tmp_path / "town.txt"


# ---------------------------------------------------------------------- too large a k


@pytest.mark.parametrize(("k", "made_up"), [(3, False), (150, True)])
def test_what_is_made_up_is_warned_of_and_the_certificate_tells_the_truth(town, tmp_path, k, made_up):
    result = anonymize(town, k, seed=SEED, method="add-greedy")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        publication = publish(result, tmp_path / "out")
    before = {frozenset(pair) for pair in town.edges.tolist()}
    true = sum(frozenset(pair) in before for pair in result.graph.edges.tolist())
    said = [str(warning.message) for warning in caught]
    assert (2 * true < result.graph.m) == made_up, "or this is no example"
    assert any(f"{result.graph.m - true:,} of {result.graph.m:,}" in text for text in said) == made_up
    said_below = limits(publication.certificate)
    assert any(f"{true:,} of {result.graph.m:,} friendships" in text for text in said_below)
    assert any(
        f"{town.n:,} of {result.graph.n:,} people in this graph are in the original" in text
        for text in said_below
    )
    assert (DISTORTED in said_below) == made_up
    page = (publication.public / "report.html").read_text()
    assert page.count(DISTORTED) == 2 * made_up, "beside the changes and among the limits"
    assert check(publication.folder, original=town)


def test_the_warning_comes_before_the_publication(file, tmp_path, capsys):
    assert run("anonymize", file, "-k", 150, "--method", "add-greedy", "-o", tmp_path / "out") == 0
    said = capsys.readouterr().err
    assert 0 <= said.index("choose a smaller k") < said.index("published /")


def test_a_k_above_the_number_of_friendships_is_not_published(town, file, tmp_path, capsys):
    assert run("anonymize", file, "-k", town.m + 1, "-o", tmp_path / "out") == 2
    assert f"Choose k up to {town.m:,}" in capsys.readouterr().err
    with pytest.raises(ParameterError, match=f"k up to {town.m}"):
        publish(anonymize(town, town.m + 1, method="add-greedy", seed=SEED), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert run("anonymize", file, "-k", town.m, "--method", "add-greedy", "-o", tmp_path / "out") == 0


def test_nobody_can_have_added_more_than_there_is(town, tmp_path):
    out = publish(anonymize(town, 3, seed=SEED), tmp_path / "out").folder
    path = out / "public" / "certificate.json"
    document = json.loads(path.read_text())
    document["changes"]["edges_added"] = document["graph"]["edges"] + 1
    path.write_text(json.dumps(document))
    assert any("'changes'" in problem for problem in check(out).problems)


# ---------------------------------------------------------------------- attributes that identify


VALUES = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["Ulm", "Rom", None])), min_size=1, max_size=12
)


@given(people=VALUES, k=st.integers(1, 5))
def test_attributes_are_refused_exactly_if_few_share_their_values(people, k):
    ages, towns = zip(*people, strict=True)
    attributes = {"age": np.array(ages), "town": np.array((*towns, "Ulm"), object)[: len(people)]}
    if not any(towns):
        return  # refused for another reason
    graph = Graph(np.empty((0, 2), np.int32), len(people), vertex_attributes=attributes)
    few = sum(people.count(person) < k for person in people)
    kept_attributes(graph, Wishes((*["age", "town"],), True), k=k, format="gml")
    if few:
        with pytest.raises(ParameterError, match=f"{few} of {len(people)} .*keep_identifying=True"):
            kept_attributes(graph, Wishes((*["age", "town"],)), k=k, format="gml")
    else:
        kept_attributes(graph, Wishes((*["age", "town"],)), k=k, format="gml")
    alone = min(Counter(ages).values()) < k
    if alone:
        with pytest.raises(ParameterError):
            kept_attributes(graph, Wishes((*["age"],)), k=k, format="gml")


@pytest.fixture
def people(town, tmp_path) -> Path:
    """With a name for each, the same town for all, and an attribute that nobody has."""
    attributes = {
        "name": np.array([f"Ann {number}" for number in range(town.n)], object),
        "town": np.full(town.n, "Ulm", object),
        "shoe-size": np.arange(town.n) % 2,
    }
    graph = Graph(town.edges, town.n, vertex_attributes=attributes)
    graphveil.write(graph, tmp_path / "people.graphml")
    text = (tmp_path / "people.graphml").read_text()
    key = '<key id="x" for="node" attr.name="pet" attr.type="string"/><graph '
    (tmp_path / "people.graphml").write_text(text.replace("<graph ", key))
    return tmp_path / "people.graphml"


@pytest.mark.parametrize(
    ("format", "name", "words"),
    [
        ("graphml", "name", "--keep-identifying"),
        ("graphml", "pet", "nobody has"),
        ("gml", "shoe-size", "Rename it"),
    ],
)
def test_attributes_that_cannot_be_published_are_refused_before_any_work(
    people, tmp_path, capsys, monkeypatch, format, name, words
):
    def too_late(*_, **__):
        raise AssertionError("anonymized first")

    monkeypatch.setattr("graphveil.cli.anonymize._anonymize_for_each", too_late)
    options = ("-k", 3, "--format", format, "--keep-vertex-attribute", name)
    assert run("anonymize", people, "-o", tmp_path / "out", *options) == 2
    assert words in capsys.readouterr().err.splitlines()[-1]


def test_who_insists_may_publish_names_and_harmless_attributes_need_no_insisting(people, tmp_path, capsys):
    options = ("-k", 3, "--format", "graphml", "--keep-vertex-attribute")
    assert run("anonymize", people, "-o", tmp_path / "a", *options, "town") == 0
    assert run("anonymize", people, "-o", tmp_path / "b", *options, "name", "--keep-identifying") == 0
    told = capsys.readouterr()
    assert "can identify people" in told.err
    first = "Attributes identify people. Attributes were published although they identify people: "
    assert first in " ".join(told.out.split())
    for folder, identify in (("a", False), ("b", True)):
        page = " ".join((tmp_path / folder / "public" / "README.md").read_text().split())
        verdict = page[page.index("**") :]
        assert verdict.startswith("**Attributes identify people.**") == identify
        figure = (
            r"identify people: ([\d,]+) of \1 people \(100 %\) are exposed at k = 3 to an attacker who knows"
        )
        assert bool(re.search(figure, verdict)) == identify
    assert run("verify", tmp_path / "b", "--original", people) == 0
    graph = graphveil.read(people, keep_vertex_attributes=["name"])
    result = anonymize(graph, 3, seed=SEED)
    with pytest.raises(ParameterError, match="in a group of fewer than 3"):
        publish(result, tmp_path / "c", format="gml", keep_vertex_attributes=["name"])
    publish(result, tmp_path / "c", format="gml", keep_vertex_attributes=["name"], keep_identifying=True)


def test_values_that_no_file_holds_are_an_error_of_ours(tmp_path):
    odd = Graph.from_edges([(0, 1)])
    odd = Graph(odd.edges, 2, vertex_attributes={"what": np.array([{}, []], object)})
    with pytest.raises(GraphError, match="the vertex attribute what has values"):
        graphveil.write(odd, tmp_path / "odd.graphml")


# ---------------------------------------------------------------------- mutual friends unprotected


def test_liu_terzi_says_everywhere_that_mutual_friends_are_unprotected(file, tmp_path, capsys):
    assert run("anonymize", file, "-k", 3, "--method", "liu-terzi", "-o", tmp_path / "out") == 0
    said = capsys.readouterr()
    certificate = json.loads((tmp_path / "out" / "public" / "certificate.json").read_text())
    sizes = certificate["guarantees"][0]["group_sizes"].values()
    exposed = sum(size for size in sizes if size < 3)
    assert exposed, "or this is no example"
    assert f"{exposed} of {sum(sizes)} friendships are exposed at k = 3" in said.err
    assert "k-NMF: nothing" in said.out
    page = (tmp_path / "out" / "public" / "report.html").read_text()
    assert page.index("There is no guarantee against mutual friend attacks") < page.index("It holds")
    assert not re.search(r"\b1 friendships", page)


# ---------------------------------------------------------------------- the summary


@pytest.mark.parametrize("method", ["add-del", "add-greedy", "liu-terzi"])
def test_the_rows_of_the_summary_add_up_to_all_changes(town, tmp_path, method):
    degree_k = None if method == "liu-terzi" else 4
    result = anonymize(town, 4, method=method, degree_k=degree_k, seed=SEED)
    certificate = publish(result, tmp_path / "out").certificate
    columns = [list(column.cells) for column in summary([result]).columns]
    assert [cell.split(",")[0].split(":")[0] for cell in columns[0]] == ["k-NMF", "k-degree"]
    totals = [
        sum(int(cell.split()[0].replace(",", "")) for cell in filter(None, column)) for column in columns[3:]
    ]
    assert totals == list(vars(certificate.changes).values())
    assert columns[4][1].startswith("0 "), "KDA deletes nothing"


def test_all_changes_are_those_of_what_was_asked_for(town):
    result = anonymize(town, friendship_k=3, seed=SEED)
    nmf, *_, friendship = summary([result]).columns[3].cells
    assert nmf == "", "nothing was changed for k-NMF, which nobody asked for"
    assert friendship.startswith(f"{len(result.added)} (")


def test_each_row_of_the_summary_counts_at_its_own_k(town):
    columns = [list(column.cells) for column in summary([anonymize(town, 6, degree_k=3, seed=SEED)]).columns]
    degrees = np.bincount(town.degrees)
    was = int(degrees[degrees < 3].sum())
    assert (columns[0], columns[1][1]) == (["k-NMF, k = 6", "k-degree, k = 3"], f"{was} → 0")


# ---------------------------------------------------------------------- a private folder that is not the right one


@pytest.fixture
def out(file, tmp_path, capsys) -> Path:
    run("anonymize", file, "-k", 3, "-o", tmp_path / "out")
    capsys.readouterr()
    (tmp_path / "results.csv").write_text("0,1\n")
    return tmp_path / "out"


def test_a_map_that_was_altered_restores_nobody(out, tmp_path, capsys):
    table = out / "private" / "pseudonyms.csv"
    rows = table.read_text().splitlines()
    rows[1] = rows[1].replace(rows[1].split(",")[0], "99999", 1)
    table.write_text("\n".join(rows) + "\n")
    assert run("restore", out / "private", tmp_path / "results.csv") == 2
    assert "not as it was published" in capsys.readouterr().err
    assert not (tmp_path / "results.restored.csv").exists()


def test_the_wrong_folder_is_told_the_right_one(out, tmp_path, capsys):
    assert run("restore", out, tmp_path / "results.csv") == 2
    assert f"Did you mean {out / 'private'}?" in capsys.readouterr().err
    assert run("restore", tmp_path, tmp_path / "results.csv") == 2
    assert "Check the path" in capsys.readouterr().err


def test_without_its_private_part_a_folder_cannot_be_compared(out, file, capsys):
    shutil.rmtree(out / "private")
    assert run("verify", out, "--original", file) == 2
    said = capsys.readouterr().err
    assert "the private part is not there" in said
    assert "without --original" in said
    assert run("verify", out) == 0


# ---------------------------------------------------------------------- files that are there already


def test_nothing_is_overwritten_unasked_and_the_input_never(file, tmp_path, capsys):
    before = file.read_bytes()
    other = tmp_path / "other.csv"
    link = tmp_path / "link.txt"
    link.symlink_to(file)
    assert run("convert", file, other) == 0
    other.write_text("mine")
    for command in (("generate", "--edges", 50, "-o", other), ("convert", file, other)):
        assert run(*command) == 2
        assert "--force" in capsys.readouterr().err
        assert other.read_text() == "mine"
        assert run(*command, "--force") == 0
        assert other.read_text() != "mine"
        other.write_text("mine")
    for target in (file, link):
        assert run("convert", file, target, "--force") == 2
        assert "this is the input" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert run("convert", file, "/dev/null", "--to", "csv") == 0


def test_the_standard_output_has_a_name(out, file, tmp_path, capsys):
    assert run("restore", out / "private", tmp_path / "results.csv", "--columns", "0", "-o", "-") == 0
    assert "wrote to the standard output: 1 row" in capsys.readouterr().err


def test_convert_keeps_attributes_by_name(people, tmp_path):
    there, back = tmp_path / "there.gml", tmp_path / "back.graphml"
    keep = ("--keep-vertex-attribute", "name", "--keep-vertex-attribute", "town")
    assert run("convert", people, there, *keep) == 0
    assert run("convert", there, back, *keep) == 0
    first, last = (graphveil.read(path, keep_vertex_attributes=["name", "town"]) for path in (people, back))
    assert first == last
    assert all(
        np.array_equal(first.vertex_attributes[n], last.vertex_attributes[n]) for n in ("name", "town")
    )


# ---------------------------------------------------------------------- errors name the way out


@pytest.mark.parametrize(
    ("content", "arguments", "words"),
    [
        ("1 2\n", ("anonymize", "-o", "out", "-k", "2"), "1 friendship. This graph is too small"),
        ("1 2\n", ("anonymize", "-o", "out", "-k", "1"), "of at least 2, not 1"),
        (
            RING,
            ("anonymize", "-o", "out", "-k", "2", "--budget", "5s", "--method", "add-del"),
            "eave --budget out",
        ),
        (RING, ("anonymize", "-o", "out", "-k", "2", "--budget", "0s", "--method", "plan"), "a time above 0"),
        ("1 2\n", ("anonymize", "-o", "out", "--method", "liu-terzi", "--degree-k", "3"), "--degree-k out"),
        ("a::b\n", ("audit", "--delimiter", "::"), "sed 's/::/\\t/g'"),
        ("1 2\n1 2\n", ("audit", "--strict"), "without --strict"),
        ('"1 2\n', ("audit",), "--no-quotes"),
        ("1 2\n3 4 5\n", ("audit", "--delimiter", " "), "--delimiter"),
    ],
)
def test_errors_speak_the_language_of_the_command_line(
    tmp_path, capsys, monkeypatch, content, arguments, words
):
    monkeypatch.chdir(tmp_path)
    Path("graph.txt").write_text(content)
    command, *options = arguments
    assert run(command, "graph.txt", *options) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_a_question_ends_in_no_full_stop(capsys):
    assert run("anonimize") == 2
    assert "'anonymize'? See:" in capsys.readouterr().err
    assert run("audit", "--topp", "3", "x") == 2
    assert not re.search(r"[?.]\.", capsys.readouterr().err)


def test_a_budget_of_plan_is_one_of_seconds_and_other_methods_have_none(town):
    with pytest.raises(GraphveilError, match="eave budget= out"):
        anonymize(town, 3, method="add-greedy", budget=5)
    with pytest.raises(GraphveilError, match="not 0"):
        anonymize(town, 3, method="plan", budget=0)
    with pytest.raises(GraphveilError, match="not '2s'"):
        anonymize(town, 3, method="plan", budget="2s")
