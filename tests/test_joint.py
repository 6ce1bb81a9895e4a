"""A guarantee over two releases: the oracle is sets of pairs of ids and counters, from the published files alone."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter

import pytest

from graphveil import anonymize, statement, verify
from graphveil.cli import main
from graphveil.errors import ParameterError, UnreachableError
from publications import content, publish
from test_again import K, as_text, counts_of, friends_of, graph_of, published_ids, years

JOINT = 2


@pytest.fixture(
    scope="module", params=[None, pytest.param(K, marks=pytest.mark.slow)], ids=["counts", "both"]
)
def releases(request, tmp_path_factory):
    """Two folders, the second with a guarantee over both, and the true friendships of both years."""
    place, truth = tmp_path_factory.mktemp("joint"), years(2)[:2]
    levels = {"k": K, "degree_k": request.param}
    publish(anonymize(graph_of(truth[0]), seed=2**90, **levels), place / "2026")
    result = anonymize(graph_of(truth[1]), seed=2**91 + 1, after=place / "2026", joint=JOINT, **levels)
    publish(result, place / "2027", pseudonyms="same")
    return place, truth, request.param


def pairs_of_values(place):
    """Each friendship's counts and each person's degrees over both releases."""
    (then, was), (now, is_) = published_ids(place / "2026"), published_ids(place / "2027")
    counts, more = counts_of(then), counts_of(now)
    friends, others = friends_of(then), friends_of(now)
    people = set(was.values()) & set(is_.values())
    return (
        Counter((counts[edge], more[edge]) for edge in then & now),
        Counter((len(friends.get(person, ())), len(others.get(person, ()))) for person in people),
    )


def test_every_pair_of_values_is_shared(releases):
    place, truth, degree_k = releases
    counts, degrees = pairs_of_values(place)
    assert min(counts.values()) >= JOINT
    assert degree_k is None or min(degrees.values()) >= JOINT
    (then, _), (now, _) = published_ids(place / "2026"), published_ids(place / "2027")
    assert min(Counter(counts_of(now).values()).values()) >= K
    here = {str(person) for edge in truth[1] for person in edge}
    fakes = {edge for edge in then - as_text(truth[0]) if edge <= here}
    assert fakes <= now, "an added friendship vanished without the world"
    ended = (as_text(truth[0]) & then) - as_text(truth[1])
    assert not ended & now, "a friendship that really ended came back"


def test_everybody_can_verify_it(releases):
    place, truth, degree_k = releases
    assert verify(place / "2027", after=place / "2026" / "public")
    assert verify(place / "2027", original=graph_of(truth[1]))
    said = json.loads((place / "2027" / "public" / "certificate.json").read_text())["after"]["joint"]
    assert said["guaranteed_k"] == said["k"] == JOINT
    assert ("guaranteed_people" in said) == (degree_k is not None)
    words = " ".join((place / "2027" / "public" / "README.md").read_text().split())
    guaranteed, measured = words.split("measured, not guaranteed.")
    assert "Over this release and the earlier one (joint k = 2): an attacker who has both" in guaranteed
    assert ("number of friends in both years" in guaranteed) == (degree_k is not None)
    assert ("number of friends in both years" in measured) == (degree_k is None)


def test_every_place_names_the_guarantee_its_k_and_its_recount(releases, capsys):
    place, _, degree_k = releases
    smallest = min(pairs_of_values(place)[0].values())
    found = verify(place / "2027", after=place / "2026" / "public")
    names = ["joint mutual friends", "joint numbers of friends"][: 1 + (degree_k is not None)]
    assert [each.guarantee for each in found.guarantees if each.guarantee.startswith("joint")] == names
    assert main(["verify", str(place / "2027"), "--after", str(place / "2026" / "public")]) == 0
    told = capsys.readouterr().out
    assert f"joint mutual friends: k = 2 guaranteed, k = {smallest:,} achieved" in told
    assert "; joint mutual friends k = 2" in told
    assert main(["verify", str(place / "2027")]) == 0
    told = capsys.readouterr()
    assert "joint mutual" not in told.out
    assert "not checked: " in told.err
    assert "the guarantee over both releases" in told.err
    for part in ("public", "private"):
        page = (place / "2027" / part / "report.html").read_text()
        assert "joint k = 2" in page
        assert f"k = 2; the smallest group over both releases has {smallest:,} friendships" in page
    assert "mutual friends over both releases (k = 2)" in statement(place / "2027").summary
    german = statement(place / "2027", language="de")
    assert "gemeinsame Freunde über beide Veröffentlichungen (k = 2)" in german.summary
    recount = "dass die kleinste Gruppe über beide Veröffentlichungen "
    assert f"{recount}{smallest} Freundschaften hat" in german.markdown()
    measured = "(the joint k; the other figures are counted at k = 5)"
    readme = " ".join((place / "2027" / "public" / "README.md").read_text().split())
    assert (measured in readme) == (degree_k is None)
    assert ("die übrigen Zahlen gelten bei k = 5" in german.markdown()) == (degree_k is None)


@pytest.mark.parametrize(
    "change", [{"guaranteed_k": 3}, {"guaranteed_k": 3, "k": 3}, {"guaranteed_people": 1}]
)
def test_a_forged_guarantee_is_seen(releases, tmp_path, change):
    place, _, degree_k = releases
    if degree_k is not None and "guaranteed_people" in change:
        pytest.skip("that is no forgery where degrees are guaranteed")
    folder = tmp_path / "public"
    subprocess.run(["cp", "-r", str(place / "2027" / "public"), str(folder)], check=True)
    document = json.loads((folder / "certificate.json").read_text())
    document["after"]["joint"] |= change
    (folder / "certificate.json").write_text(json.dumps(document))
    assert not verify(folder, after=place / "2026" / "public")


def test_what_is_out_of_reach_says_what_was_reached(releases, tmp_path, capsys):
    place, truth, _ = releases
    with pytest.raises(UnreachableError, match=r"joint k=900 is out of reach: only"):
        anonymize(graph_of(truth[1]), K, seed=1, after=place / "2026", joint=900)
    file, out = tmp_path / "friends.csv", tmp_path / "out"
    file.write_text("a,b\n" + "".join(f"{u},{v}\n" for u, v in map(sorted, truth[1])))
    again = ["anonymize", str(file), "-k", "5", "--seed", str(2**90), "-o", str(out), "--joint"]
    assert main([*again, "900", "--after", str(place / "2026")]) != 0
    assert "joint k=900 is out of reach" in capsys.readouterr().err
    assert main([*again, "2"]) == 2
    assert "Name the earlier one" in capsys.readouterr().err
    assert not out.exists()
    assert main([*again, "2", "--after", str(place / "2026")]) == 0
    assert "joint mutual friends, k = 2" in capsys.readouterr().out
    assert main(["verify", str(out)]) == 0


def test_it_needs_an_earlier_release(releases):
    with pytest.raises(ParameterError, match="about two releases"):
        anonymize(graph_of(releases[1][1]), K, joint=3)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(releases, tmp_path):
    place, truth, degree_k = releases
    again = {"k": K, "degree_k": degree_k, "after": place / "2026", "joint": JOINT}
    publish(anonymize(graph_of(truth[1]), seed=2**91 + 1, **again), tmp_path / "out", pseudonyms="same")
    assert content(tmp_path / "out") == content(place / "2027")


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [0.5, 2, 4])
def test_a_killed_run_leaves_the_earlier_release_and_no_half_of_this_one(releases, tmp_path, seconds):
    place, truth, _ = releases
    file, before = tmp_path / "friends.csv", content(place / "2026")
    file.write_text("a,b\n" + "".join(f"{u},{v}\n" for u, v in map(sorted, truth[1])))
    out = tmp_path / "out"
    command = f"-m graphveil anonymize {file} -k 5 --joint 2 --after {place / '2026'} -o {out}"
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    run = subprocess.Popen([sys.executable, *command.split()], **quiet)
    time.sleep(seconds)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert content(place / "2026") == before
    assert not out.exists() or verify(out)
