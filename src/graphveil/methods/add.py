"""Algorithm ADD (section 3.1 of the paper): groups of edges, filled by adding edges only.

Edges are taken in descending order of their mutual friends. The first open edge gives a new group its value. Edges
with this value are in the group. The next open edges are raised to it until the group has k members. IntuitGroup
then starts the next group. GreedyGroup first asks whether merging the next edge is cheaper.

Invariant: every open edge has fewer mutual friends than every sealed one.

Deviation. A group's size is the number of edges with its value, as the definition of k-NMF counts. So a new edge
that lands in an earlier group counts there. Edges that reach the value without being raised on purpose count here.
"""

from __future__ import annotations

from collections.abc import Callable

from graphveil.kernels._jit import patient
from graphveil.methods.bfsea import raise_by_new_vertices, raise_edge
from graphveil.methods.clean_up import clean_up
from graphveil.methods.run import Run


def add(run: Run, goes_on: Callable[[Run, int], bool]) -> None:
    """Algorithm 1; IntuitGroup or GreedyGroup tells whether a group takes the next edge."""
    workspace, k = run.workspace, run.k
    while workspace.open_edges >= 2 * k:
        value = workspace.highest_open()
        assert value is not None
        workspace.seal(value)
        while goes_on(run, value):
            raise_first_open_edge(run, value)
        run.close_group(value)
    clean_up(run)


def intuit_group(run: Run, value: int) -> bool:
    """IntuitGroup: until there are k members."""
    return run.workspace.class_size(value) < run.k


def greedy_group(run: Run, value: int) -> bool:
    """GreedyGroup: until there are k members, and merging the next edge is not cheaper than a new group."""
    return intuit_group(run, value) or merging_is_cheaper(run, value)


def merging_is_cheaper(run: Run, value: int) -> bool:
    """Whether C_merge (Eq. 1) < C_new (Eq. 2) for the first open edge."""
    workspace, k = run.workspace, run.k
    if workspace.open_edges < 2 * k:
        return False
    first = workspace.highest_open()
    assert first is not None
    merge = (value - first) + patient("workspace").group_cost(workspace.state, 1, k)
    new = patient("workspace").group_cost(workspace.state, 0, k)
    return bool(merge < new)


def raise_first_open_edge(run: Run, value: int) -> None:
    """Bring the first open edge to the group's value, by new vertices if nothing else is left."""
    highest = run.workspace.highest_open()
    assert highest is not None
    edge = run.workspace.first_edge(highest)
    if not raise_edge(run, edge, value):
        raise_by_new_vertices(run, edge, value)
    run.tell("groups")
