"""Algorithm ADD&DEL (section 3.3 of the paper): groups around a mean, filled by adding and deleting edges.

Where the largest open count occurs on k edges, they are a group as they are. Otherwise the group's value is the
rounded mean of the first k open counts. Open edges are taken in descending order. Those above the value lose triangles
by edge-deletion, and each is marked when it has come down. Then those below the value gain triangles by BFSEA. Where
deletion fails, everything of this group is rolled back and starts again one higher. At the largest open count nothing
needs deleting, so this ends.

Invariant: every open edge has fewer mutual friends than every sealed one.

Marking. The text marks edges one by one, as they are handled. So an edge that has the group's value by itself may lose
triangles until no edge lies above it. Then it is its turn, and it belongs to the group at no cost: from there on the
count is sealed, as in ADD.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphveil.kernels._jit import patient
from graphveil.methods.add import raise_first_open_edge
from graphveil.methods.clean_up import clean_up
from graphveil.methods.run import Run


def add_del(run: Run) -> None:
    """Algorithm 2."""
    workspace, k = run.workspace, run.k
    while workspace.open_edges >= 2 * k:
        highest = workspace.highest_open()
        assert highest is not None
        if workspace.class_size(highest) >= k:
            workspace.seal(highest)
            run.close_group(highest)
        else:
            run.close_group(form_group(run, highest))
    clean_up(run)


def form_group(run: Run, highest: int) -> int:
    """Fill a group around the mean of the first k open counts; returns its value."""
    start = run.workspace.checkpoint()
    value = run.workspace.mean_of_highest(run.k)
    while not fill_group(run, value):
        run.workspace.undo_to(start)
        value += 1
        assert value <= highest
    return value


def fill_group(run: Run, value: int) -> bool:
    """Bring open edges to the value, from the highest on, until it has k; False where that cannot be done."""
    workspace = run.workspace
    if not lower_edges_above(run, value):
        return False
    workspace.seal(value)
    while workspace.class_size(value) < run.k:
        if not workspace.open_edges:
            return False
        raise_first_open_edge(run, value)
    return True


def lower_edges_above(run: Run, value: int) -> bool:
    """Bring every edge above the value down to it, and mark it; False where one cannot come down."""
    workspace = run.workspace
    marked = np.zeros(len(workspace.state.count), bool)
    while (highest := workspace.highest_open()) is not None and highest > value:
        edge = workspace.first_edge(highest)
        if not lower_edge(run, edge, value, marked):
            return False
        marked[edge] = True
    return True


def lower_edge(run: Run, edge: int, target: int, marked: NDArray[np.bool_]) -> bool:
    """Edge-deletion: open triangles over the edge, the weakest tie first, until it has the target count.

    Returns whether it got there; if not, no edge may go without touching an anonymized one (conditions a and b).
    """
    workspace = run.workspace
    u, v = workspace.ends(edge)
    while workspace.count(edge) > target:
        weakest = patient("workspace").weakest_triangle_edge(workspace.state, u, v, marked)
        if weakest < 0:
            return False
        workspace.delete_edge(int(weakest))
    run.tell("groups")
    return True
