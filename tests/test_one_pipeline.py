"""One publication, traced: what is counted, drawn, read and parsed, and how often."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter

import pytest

import graphveil

PROGRAM = """
import json, os, sys
from graphveil import counting, recounting
from graphveil.cli import main
from graphveil.publication import private_part, writing

found = []

def noted(module, name, what):
    plain = getattr(module, name)
    def called(*given, **named):
        found.append([name, what(*given)])
        return plain(*given, **named)
    setattr(module, name, called)

noted(counting, "count_mutual_friends", lambda edges, n: len(edges))
noted(recounting, "recount", lambda edges, n: len(edges))
noted(writing, "draw", lambda graph, seed: graph.m)
noted(private_part, "draw", lambda graph, seed: graph.m)

def audit(event, given):
    if event == "open" and isinstance(given[0], (str, os.PathLike)):
        reads = given[1] is None and not given[2] & (os.O_WRONLY | os.O_RDWR) or given[1] == "r"
        who = sys._getframe(1).f_code.co_name
        if reads and who != "_flush":  # which only sees to it that the bytes are on the disk
            found.append(["read", os.path.basename(os.fspath(given[0]))])

sys.addaudithook(audit)
functions = set()
sys.setprofile(lambda frame, event, _: event == "call" and functions.add(frame.f_code))
code = main(sys.argv[1:])
sys.setprofile(None)
names = {each for each in functions if "graphveil" in each.co_filename and each.co_name[0] != "<"}
print(json.dumps({"code": code, "found": found, "functions": len(names)}))
"""

SEED = ["--seed", str(2**100 + 7)]  # so that the result has another number of friendships than the original


@pytest.mark.parametrize("more", [[], ["--degree-k", "4"]])
def test_everything_is_done_once(tmp_path, more):
    graphveil.write(graphveil.generate(edges=800, seed=4), tmp_path / "town.csv")
    given = ["anonymize", tmp_path / "town.csv", "-k", "4", "-o", tmp_path / "out", *SEED, *more]
    run = subprocess.run([sys.executable, "-c", PROGRAM, *map(str, given)], capture_output=True, text=True)
    traced = json.loads(run.stdout.splitlines()[-1])
    assert traced["code"] == 0, run.stderr
    times = Counter(map(tuple, traced["found"]))
    certificate = json.loads((tmp_path / "out/public/certificate.json").read_text())
    published, copy = certificate["graph"]["edges"], 720  # the attacker's, who lacks a tenth
    counted = {m: number for (name, m), number in times.items() if name == "count_mutual_friends"}
    assert published != 800
    assert counted.pop(copy) == 1
    assert counted == {800: 1, published: 1}, "the original and the result, each by the search"
    assert times["recount", published] == 1, "the file, by the recount"
    assert sum(number for (name, _), number in times.items() if name == "recount") == 1
    assert sum(number for (name, _), number in times.items() if name == "draw") == 1
    assert times["read", "graph.txt"] == 1
    assert times["read", "run.json"] == 1
