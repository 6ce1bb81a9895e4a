"""Algorithm ADD&DEL (section 3.3 of the paper): groups around a mean, filled by adding and deleting edges.

Where the largest open count occurs on k edges, they are a group as they are. Otherwise the group's value is the
rounded mean of the first k open counts: edges above it lose triangles by edge-deletion, edges below gain some by
BFSEA. Where deletion fails, everything of this group is rolled back and starts again one higher; at the
largest open count nothing needs deleting, so this ends.

Deviation. A group is closed when it has k members *and* no open edge lies above its value: one left above could
later only come down through a sealed value. So every open edge stays below every sealed one, as in ADD.
"""

from __future__ import annotations

from graphveil.methods.add import raise_first_open_edge
from graphveil.methods.clean_up import clean_up
from graphveil.methods.run import Run

__all__ = ["add_del"]


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
    while True:
        if fill_group(run, value):
            return value
        run.workspace.undo_to(start)
        value += 1
        assert value <= highest


def fill_group(run: Run, value: int) -> bool:
    """Bring open edges to the value, from the highest on; False where an edge cannot come down to it."""
    workspace = run.workspace
    workspace.seal(value)
    while True:
        highest = workspace.highest_open()
        above = highest is not None and highest > value
        if not above and workspace.class_size(value) >= run.k:
            return True
        if not above:
            raise_first_open_edge(run, value)
        elif highest is None or not lower_edge(run, workspace.first_edge(highest), value):
            return False


def lower_edge(run: Run, edge: int, target: int) -> bool:
    """Edge-deletion: open triangles over the edge, the weakest tie first, until it has the target count.

    Returns whether it got there; if not, no edge may go without touching a sealed one (conditions a and b).
    """
    from graphveil.kernels.workspace import weakest_triangle_edge

    workspace = run.workspace
    u, v = workspace.ends(edge)
    while workspace.count(edge) > target:
        weakest = weakest_triangle_edge(workspace.state, u, v)
        if weakest < 0:
            return False
        workspace.delete_edge(int(weakest))
    run.tell("groups")
    return True
