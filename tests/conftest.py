"""What all tests share: the real graphs, the odd graphs, and strategies for random ones."""

from __future__ import annotations

import itertools
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import graphveil
from graphveil import Graph
from real_graphs import data_folder

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what it puts into the background with Ctrl-C ignored, and programs that the tests start inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def pythons_own_handler() -> None:
    """Libraries that other tests load in this process, such as Spark, leave a handler of their own for Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


UNHURRIED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large]}
settings.register_profile("same-every-time", derandomize=True, database=None, **UNHURRIED)
settings.register_profile("explore", print_blob=True, **UNHURRIED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same-every-time"))

SHARED_GRAPHS = (
    "ca-GrQc",
    "ca-HepTh",
    "cora-coauthor-apex",
    "ego-facebook",
    "email-Enron",
    "loc-brightkite",
    "com-dblp",
)


@pytest.fixture(scope="session")
def shared_graph():
    """A function from the name of a real graph to its path; skips where the graphs are not there."""
    folder = data_folder()

    def path(name: str) -> Path:
        if folder is None:
            message = "the real graphs are missing: set GRAPHVEIL_DATA to their folder"
            if os.environ.get("CI"):
                pytest.fail(message)
            pytest.skip(message)
        return folder / f"{name}.txt.gz"

    return path


def odd_graphs() -> dict[str, graphveil.Graph]:
    """Small graphs on which anonymizers stumble, by name."""

    def make(n: int, pairs: list[tuple[int, int]]) -> graphveil.Graph:
        u, v = [a for a, _ in pairs], [b for _, b in pairs]
        return graphveil.Graph.from_arrays(u, v, n=n)

    def clique(vertices: range) -> list[tuple[int, int]]:
        return [(a, b) for a in vertices for b in vertices if a < b]

    return {
        "empty": make(0, []),
        "isolated": make(5, []),
        "one edge": make(2, [(0, 1)]),
        "one edge and isolated": make(6, [(2, 4)]),
        "two edges": make(3, [(0, 1), (1, 2)]),
        "triangle": make(3, clique(range(3))),
        "star": make(9, [(0, i) for i in range(1, 9)]),
        "path": make(8, [(i, i + 1) for i in range(7)]),
        "cycle": make(7, [(i, (i + 1) % 7) for i in range(7)]),
        "clique": make(7, clique(range(7))),
        "clique minus edge": make(6, clique(range(6))[1:]),
        "matching": make(10, [(2 * i, 2 * i + 1) for i in range(5)]),
        "bipartite": make(7, [(a, b) for a in range(3) for b in range(3, 7)]),
        "K(2,5)": make(7, [(a, b) for a in range(2) for b in range(2, 7)]),
        "wheel": make(6, [(0, i) for i in range(1, 6)] + [(i, i % 5 + 1) for i in range(1, 6)]),
        "friendship windmill": make(9, [(0, i) for i in range(1, 9)] + [(i, i + 1) for i in range(1, 9, 2)]),
        "two triangles and a bridge": make(6, [*clique(range(3)), *clique(range(3, 6)), (2, 3)]),
        "clique and path": make(10, clique(range(5)) + [(i, i + 1) for i in range(5, 9)]),
        "clique with a tail": make(9, clique(range(6)) + [(i, i + 1) for i in range(5, 8)]),
        "two cliques": make(9, clique(range(4)) + clique(range(4, 9))),
        "tiny components": make(
            20, [(0, 1), (2, 3), (3, 4), (5, 6), (6, 7), (5, 7), (8, 9), (9, 10), (10, 11), (12, 13)]
        ),
    }


@pytest.fixture(autouse=True, scope="session")
def nothing_said_of_compilation() -> Iterator[None]:
    """What a command says must not depend on what has been compiled before; a test in its own process looks at that."""
    from graphveil.cli import demo, reading, writing

    with pytest.MonkeyPatch.context() as patch:
        for module in (demo, reading, writing):
            patch.setattr(module, "announce_compilation", lambda: None)
        yield


@st.composite
def small_graphs(draw: st.DrawFn, most: int = 14) -> graphveil.Graph:
    """Graphs of 4 to ``most`` vertices with three edges at least."""
    n = draw(st.integers(4, most))
    pairs = list(itertools.combinations(range(n), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=3, max_size=len(pairs), unique=True))
    return graphveil.Graph.from_arrays([u for u, _ in chosen], [v for _, v in chosen], n=n)


@pytest.fixture(scope="session")
def community() -> Graph:
    """A graph with a dense core and a long tail: vertex v knows those before it the less likely the later they came."""
    rng = np.random.default_rng(3)
    u, v = np.triu_indices(400, 1)
    chosen = rng.random(len(u)) < 12 / (12 + u + v)
    return Graph.from_arrays(u[chosen], v[chosen], n=400)


MISSING = {
    "Chromium": "install Debian's package chromium, or Google Chrome",
    "Spark": "install a Java 17 runtime, and run CI=true make test, which installs pyspark",
    "real graphs": "set GRAPHVEIL_DATA to their folder",
}


def pytest_terminal_summary(terminalreporter) -> None:
    """Say in one line what this machine lacks for the tests that were skipped."""
    reasons = [str(each.longrepr) for each in terminalreporter.stats.get("skipped", [])]
    for what, remedy in MISSING.items():
        if count := sum(what.lower() in reason.lower() for reason in reasons):
            terminalreporter.write_line(f"{count} skipped for want of {what}: {remedy}.")
