"""The method `plan` when its time is up or Ctrl-C comes: the best graph so far, whatever the moment."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import numpy as np
from numba.core import event

import graphveil
import oracle
from graphveil import Graph, anonymize
from graphveil.methods.plan.planning import clock
from graphveil.methods.plan.search import Search
from graphveil.stopping import Stop


def test_no_time_leaves_the_result_of_the_paper(community: Graph) -> None:
    paper = anonymize(community, 10, method="add-del", seed=1)
    ours = anonymize(community, 10, method="plan", seed=1, budget=1e-9)
    assert ours.graph == paper.graph
    assert ["took the whole budget" in note for note in ours.notes] == [True]


def test_the_budget_is_not_used_up_by_compiling(monkeypatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    monkeypatch.setattr(event, "timer", lambda: now)
    with clock(10) as time_is_up:
        now += 9
        with event.trigger_event("numba:compile"), event.trigger_event("numba:compile"):
            now += 50
        assert not time_is_up()
        now += 2
        assert time_is_up()


def test_ctrl_c_before_the_first_step_of_the_search_leaves_the_result_of_the_paper(
    community: Graph, monkeypatch
) -> None:
    """Where it comes while a kernel of the search is compiled."""
    aim = Search.aim

    def interrupted(search: Search, *given: object) -> None:
        aim(search, *given)
        signal.raise_signal(signal.SIGINT)
        monkeypatch.setattr(Search, "aim", aim)

    monkeypatch.setattr(Search, "aim", interrupted)
    ours = anonymize(community, 10, method="plan", seed=1)
    assert ours.interrupted
    assert ["interrupted before it found anything better" in note for note in ours.notes] == [True]
    assert ours.graph == anonymize(community, 10, method="add-del", seed=1).graph


def test_whatever_stops_the_search_leaves_the_first_solution(community: Graph) -> None:
    """It ends as soon as the search has a solution, while other descents are still to be made."""
    paper = anonymize(community, 10, method="add-del", seed=1)
    seen = []

    token = Stop()

    def stop(now: graphveil.Progress) -> None:
        if len(seen) == 1 and now.violating:
            seen.append(0)
            token.request()
        if now.phase == "search" and not now.violating and not seen:
            seen.append(now.changed)

    ours = anonymize(community, 10, method="plan", seed=1, progress=stop, stop=token)
    assert ours.interrupted
    assert ours.changed == seen[0] < paper.changed


def test_interruption_leaves_the_best_so_far(community: Graph) -> None:
    reached = []
    token = Stop()

    def interrupt(progress: graphveil.Progress) -> None:
        if progress.phase == "search" and not progress.violating:
            reached.append(progress.changed)
            if len(reached) == 5:
                token.request()

    ours = anonymize(community, 10, method="plan", seed=1, progress=interrupt, stop=token)
    assert ["the search was interrupted, and" in note for note in ours.notes] == [True]
    assert ours.interrupted
    assert not token.requested, "it is answered"
    assert ours.changed in (min(reached), min(reached[:4]))
    assert oracle.is_k_nmf(ours.graph.n, map(tuple, ours.graph.edges.tolist()), 10)


def test_ctrl_c_in_compiled_code_ends_the_search_and_not_the_process(community: Graph, tmp_path) -> None:
    """Numba cannot bear an exception at every moment: twenty signals at twenty moments."""
    np.save(tmp_path / "edges.npy", community.edges)
    program = """
import os, signal, sys, threading, numpy as np, graphveil

graph = graphveil.Graph.from_arrays(*np.load(sys.argv[1]).T)
for milliseconds in range(0, 60, 3):
    begun = threading.Event()
    def interrupt():
        begun.wait()
        threading.Event().wait(milliseconds / 1000)
        os.kill(os.getpid(), signal.SIGINT)
    helper = threading.Thread(target=interrupt)
    try:
        helper.start()
        told = lambda now: begun.set() if now.phase == "search" else None
        result = graphveil.anonymize(graph, 25, seed=milliseconds, progress=told)
        assert result.interrupted and graphveil.verify(result.graph, k=25)
    except KeyboardInterrupt:
        assert result.interrupted, "it came after the search"
    helper.join()
print("alive")
"""
    done = subprocess.run(
        [sys.executable, "-c", program, tmp_path / "edges.npy"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr
