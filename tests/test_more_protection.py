"""Friendship anonymity and measured reductions through the house: files counted with plain sets, and forged."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import graphveil
from graphveil import Graph, ParameterError, UnreachableError, anonymize, verify
from graphveil.cli import main
from graphveil.goals import GOALS, Friendship
from graphveil.methods.reduce.reducing import Wish
from graphveil.publication.stating import _texts
from graphveil.publication.weighing import guaranteed_against
from graphveil.publication.words import FORMER, reduced, verdict
from graphveil.risk.attackers import ATTACKERS, OF_ATTRIBUTES, OF_DIRECTION, OF_EDGE_ATTRIBUTES
from graphveil.risk.reidentification import reidentify
from graphveil.verification.folders import check_public, read_certificate
from publications import SEED

TRIANGLES = "degree-and-triangles"


# ---------------------------------------------------------------------- from the definition, of the file


def friends_in(folder: Path) -> dict[int, set[int]]:
    """The friends of everybody in a published file; a line with one number is somebody without friends."""
    friends: dict[int, set[int]] = defaultdict(set)
    for line in (folder / "public" / "graph.txt").read_text().splitlines():
        if not line.startswith("#"):
            one, *other = map(int, line.split())
            friends[one] |= set(other)
            for each in other:
                friends[each].add(one)
    return friends


def smallest_friendship_group(friends: dict[int, set[int]]) -> int:
    people, friendships = defaultdict(set), defaultdict(set)
    for one in friends:
        if not friends[one]:
            people[0, 0].add(one)
            friendships[0, 0].add(one)
        for other in friends[one]:
            pair = len(friends[one]), len(friends[other])
            people[pair].add(one)
            friendships[pair].add(frozenset((one, other)))
    return min(min(len(people[pair]), len(friendships[pair])) for pair in people)


def smallest_count_group(friends: dict[int, set[int]]) -> int:
    counts = Counter(len(friends[a] & friends[b]) for a in friends for b in friends[a] if a < b)
    return min(counts.values())


def exposed_by_triangles(friends: dict[int, set[int]], k: int) -> float:
    seen = {one: (len(f), sum(len(friends[each] & f) for each in f) // 2) for one, f in friends.items()}
    sizes = Counter(seen.values())
    return sum(sizes[each] < k for each in seen.values()) / len(friends)


@settings(deadline=None, max_examples=12, suppress_health_check=list(HealthCheck))
@given(st.integers(40, 160), st.integers(0, 99), st.sampled_from(["alone", "with k-NMF", "reduced"]))
def test_what_is_published_keeps_what_it_says(tmp_path_factory, edges, seed, how):
    graph = graphveil.generate(edges=edges, seed=seed)
    wanted = {
        "alone": {"friendship_k": 3},
        "with k-NMF": {"k": 3, "friendship_k": 2},
        "reduced": {"k": 3, "reduce": f"{TRIANGLES}=4", "max_changes": 0.2},
    }[how]
    try:
        result = anonymize(graph, budget=5, seed=SEED + seed, **wanted)
    except UnreachableError:
        return
    folder = tmp_path_factory.mktemp("published") / "out"
    certificate = graphveil.publish(result, folder).certificate
    friends = friends_in(folder)
    assert len(friends) == graph.n
    if "friendship_k" in wanted:
        assert smallest_friendship_group(friends) >= wanted["friendship_k"]
        assert certificate["friendship"].achieved == smallest_friendship_group(friends)
        assert certificate["k-degree"].implied_by == "friendship"
    if "k" in wanted:
        assert smallest_count_group(friends) >= 3
    if "reduce" in wanted:
        [reduction] = certificate.reductions
        assert reduction.after == pytest.approx(exposed_by_triangles(friends, 4))
    assert verify(folder)
    assert graphveil.publication.check(folder, original=graph)


# ---------------------------------------------------------------------- reductions in the certificate


@pytest.fixture(scope="module")
def town() -> Graph:
    return graphveil.generate(edges=400, seed=4)


@pytest.fixture(scope="module")
def result(town) -> graphveil.Result:
    return anonymize(town, 3, reduce={TRIANGLES: 5}, max_changes=0.1, seed=SEED)


@pytest.fixture
def out(result, tmp_path) -> Path:
    return graphveil.publish(result, tmp_path / "out").folder


def rewritten(out: Path, **figures: object) -> None:
    path = out / "public" / "certificate.json"
    document = json.loads(path.read_text())
    document["reductions"][0] |= figures
    path.write_text(json.dumps(document, indent=2) + "\n")


@pytest.mark.parametrize("figures", [{"after": 0.0}, {"k": 4}, {"attacker": "degree"}, {"before": 2.0}])
def test_a_forged_reduction_fails(out, figures):
    rewritten(out, **figures)

    assert check_public(out).inspection.problems


def test_the_share_before_is_the_owners_word_and_coarse(out, town, result):
    [stated] = check_public(out).certificate.reductions
    [reached] = result.reductions
    assert stated.before == round(reached.people_before / town.n, 1)
    assert "how many people were exposed before the reduction" in verify(out).unchecked
    rewritten(out, before=0.1)
    assert verify(out)
    found = graphveil.publication.check(out, original=town)
    assert "the shares before the reduction are not those of the input" in " ".join(found.problems)


def test_a_run_with_a_reduction_is_recorded(out):
    run = json.loads((out / "private" / "run.json").read_text())
    assert run["options"] == {"reduce": [f"{TRIANGLES}=5"], "max_changes": 0.1}


def test_reduced_is_never_said_in_one_breath_with_guaranteed(out, result, capsys):
    [sentence] = verdict(check_public(out).certificate).reduced
    guarantee = result.goals[0].in_words()
    readme = " ".join((out / "public" / "README.md").read_text().split())
    assert f"**Measured, not guaranteed.** {sentence}" in readme
    for paragraph in readme.split("**"):
        assert not (sentence in paragraph and guarantee in paragraph)
    for part in ("public", "private"):
        assert "Measured, not guaranteed" in (out / part / "report.html").read_text()


def test_small_graphs_say_nothing_of_the_original(tmp_path):
    graph = graphveil.generate(edges=40, seed=4)
    result = anonymize(graph, 6, reduce="degree", max_changes=1.0, seed=SEED)
    certificate = graphveil.publish(result, tmp_path / "out").certificate
    [stated] = certificate.reductions
    assert stated.before is None
    assert "not said of so small a graph before" in reduced(stated, "")
    assert graphveil.publication.check(tmp_path / "out", original=graph)


# ---------------------------------------------------------------------- asking for it


def test_friendly_parameters_become_goals(town):
    found = anonymize(town, friendship_k=3, seed=1)
    assert found.goals == (Friendship(3),)
    checked = verify(found.graph, k="off", friendship_k=3)
    assert checked
    assert [each.guarantee for each in checked.checks] == ["friendship"]
    with pytest.raises(ParameterError, match="no guarantee is asked for"):
        verify(found.graph, k="off")


def test_wishes_are_written_as_they_are_read():
    for text in ("degree=5", "degree=3:0.5"):
        assert str(Wish.of(text)) == text
    for text in ("degree=", "degree=x", "degree=5:x", "degree=5:0", "degree=1", "nobody"):
        with pytest.raises(ParameterError):
            Wish.of(text) if text != "degree=" else Wish.of("degree=:")


def test_a_share_before_is_a_range_and_nothing_is_said_to_be_less():
    folder = Path(__file__).parent / "data/by-0.3/reduce"
    certificate = read_certificate(folder)
    [each], [said] = certificate.reductions, verdict(certificate).reduced
    low, high = re.search(r": ([\d.]+)–([\d.]+) % before, ", said).groups()
    assert float(low) < 100 * each.before < float(high)
    page = graphveil.statement(folder).markdown()
    assert f"{low}–{high} % before" in page
    assert "reduced" not in page


def test_options_of_the_command_line(tmp_path, capsys):
    file, saved = tmp_path / "friends.csv", tmp_path / "saved.toml"
    graphveil.write(graphveil.generate(edges=150, seed=4), file)
    typed = ["anonymize", str(file), "-k", "off", "--friendship-k", "3", "--reduce", f"{TRIANGLES}=4"]
    out = ["-o", str(tmp_path / "out")]
    assert main([*typed, "--max-changes", "20%", *out, "--save-config", str(saved)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert f"no guarantee, measured: {TRIANGLES}, k = 4" in said
    assert "Measured, not guaranteed. People exposed to" in said
    assert "can measure this attack" not in said
    assert "A simulated attack, for the owner only. An attacker who holds a copy" in said
    assert main(["anonymize", "--config", str(saved), "-o", str(tmp_path / "again")]) == 0
    for name in ("graph.txt", "certificate.json"):
        one, other = (tmp_path / folder / "public" / name for folder in ("out", "again"))
        assert one.read_bytes() == other.read_bytes()
    capsys.readouterr()
    for wrong in (["-k", "off"], ["--max-changes", "5%"], ["--until", "95%"], ["--reduce", "nobody"]):
        assert main(["anonymize", str(file), *wrong, "-o", str(tmp_path / "no")]) == 2
        assert "error" in capsys.readouterr().err


# ---------------------------------------------------------------------- the attack, for the owner


def test_the_simulated_attack_is_for_the_owner(out, town, result):
    run = json.loads((out / "private" / "run.json").read_text())
    after = reidentify(town, result.graph).after
    assert run["attack"] == {
        "missing": 0.1,
        "share": after.share,
        "scaled_to": after.scaled_to,
        "linked": None,
    }
    heading = "A simulated attack, for the owner only"
    assert heading in (out / "private" / "report.html").read_text()
    for page in ("README.md", "report.html", "certificate.json"):
        assert heading not in (out / "public" / page).read_text()


# ---------------------------------------------------------------------- the statement


def test_the_tables_have_german_words():
    german, english = _texts("de"), _texts("en")
    assert german["goals"].keys() == GOALS.keys()
    every = (*ATTACKERS, *OF_ATTRIBUTES, *OF_EDGE_ATTRIBUTES, *OF_DIRECTION)
    assert german["knows"].keys() == {each.name for each in every} | FORMER.keys()
    assert german["sentences"].keys() == english["sentences"].keys()
    for name, sentence in english["sentences"].items():
        assert sentence.count("{") == german["sentences"][name].count("{"), name


def test_statements_say_the_same_in_both_languages(out):
    english, german = (graphveil.statement(out, language=each) for each in ("en", "de"))
    assert [len(each) for _, each in english.sections] == [len(each) for _, each in german.sections]
    text = german.markdown()
    for word in (" the ", " of ", " and ", " with ", " who ", " is "):
        assert word in english.markdown()
        assert word not in text
    assert '<html lang="de">' in german.html()
    assert "k-NMF (k = 3)" in text
    with pytest.raises(ParameterError, match="there is no language 'fr'; choose en or de"):
        graphveil.statement(out, language="fr")  # type: ignore[arg-type]


def said_of(graph, folder, language="en", **given) -> str:
    """The statement on a graph that was anonymized and published."""
    how = {"k": 3, "method": "add-greedy", "seed": SEED} | given
    publication = graphveil.publish(anonymize(graph, **how), folder)
    return graphveil.statement(publication.folder, language=language).markdown()


def test_a_statement_hides_nothing_that_the_verdict_says(tmp_path):
    star = Graph.from_edges([(0, other) for other in range(1, 9)])
    said = said_of(star, tmp_path / "star")
    assert "No two friends in this graph have a mutual friend, so k-NMF says nothing about it." in said
    assert "One person is part of 100 % of the friendships with one mutual-friend count." in said
    assert "Exposed at k = 3 means: fewer than 3 people, or friendships," in said
    with pytest.warns(UserWarning, match="says little about yours"):
        said = said_of(graphveil.generate(edges=60, seed=4), tmp_path / "made", "de", k=40)
    assert "So viel an diesem Graphen wurde hinzugefügt" in said


def test_a_statement_tells_of_both_releases(tmp_path):
    town = graphveil.generate(edges=300, seed=4)
    first = graphveil.publish(anonymize(town, 3, seed=SEED), tmp_path / "first").folder
    result = anonymize(town, 3, seed=SEED + 1, after=first)
    folder = graphveil.publish(result, tmp_path / "second", pseudonyms="same").folder
    for language, words in (("en", "panel.csv says who is who"), ("de", "panel.csv sagt, wer wer ist")):
        assert words in graphveil.statement(folder, language=language).markdown()


def test_friendship_anonymity_covers_the_degrees_of_a_friendship(tmp_path):
    result = anonymize(graphveil.generate(edges=300, seed=4), friendship_k=3, seed=SEED)
    certificate = graphveil.publish(result, tmp_path / "out").certificate
    assert guaranteed_against(certificate)["edge-degrees"] == 3
    assert (
        "k = 3, not asked for but implied by friendship;" in (tmp_path / "out/public/report.html").read_text()
    )
    assert "how many friends each of two friends has." not in " ".join(verdict(certificate).not_guaranteed)


def test_a_statement_needs_the_private_part(out, tmp_path, capsys):
    assert main(["statement", str(out / "public"), "-o", str(tmp_path / "page.md")]) == 0
    assert (tmp_path / "page.md").stat().st_mode & 0o077 == 0, "it has what the owner knows"
    (out / "private").rename(tmp_path / "elsewhere")
    capsys.readouterr()
    assert main(["statement", str(out)]) == 2
    assert "its private part is missing" in capsys.readouterr().err


def test_a_title_is_no_markup(result, tmp_path):
    folder = graphveil.publish(result, tmp_path / "out", title="<script>alert(1)</script> [a](b)").folder
    found = graphveil.statement(folder)
    assert "<script" not in found.markdown()
    assert "<script" not in found.html()
