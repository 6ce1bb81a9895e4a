"""The grid: every method at every k, each result measured against the original.

Nothing but counts and averages of the whole graph is kept, and the labels are dropped before anything starts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from graphveil.errors import ParameterError, UnreachableError
from graphveil.experiments.cells import Cells, Record, fingerprint, open_folder, run_cells
from graphveil.experiments.comparison.results import (
    ATTACKER,
    SCHEMA,
    USEFUL,
    Aim,
    Cell,
    Comparison,
    exposed_name,
)
from graphveil.formats.advice.cautions import warn_of_cautions
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.goals import NMF, Friendship, Goal, goals_of
from graphveil.graph import Graph
from graphveil.measures.comparison import Utility, utility
from graphveil.measures.profiling import Measuring, Profile, profile
from graphveil.methods.anonymizing import anonymize
from graphveil.methods.reduce.reducing import USUAL_K, Wish
from graphveil.methods.table import METHODS, MethodName, method_named
from graphveil.notebooks import also_say, how_far, long_work
from graphveil.parameters import proportion, whole_number, whole_numbers
from graphveil.risk.attackers import ATTACKERS
from graphveil.risk.auditing import audit
from graphveil.risk.simulation import Attack, simulate_attacks
from graphveil.stopping import Stopped, stoppable

SEARCH: MethodName = "plan"  # which is also run to reduce a risk


@long_work("comparing")
@stoppable()
def compare(
    graph: GraphLike,
    k: int | Sequence[int] = (5, 10, 25, 50, 100),
    *,
    methods: Literal["all"] | MethodName | Sequence[MethodName] = "all",
    degree_k: int | Sequence[int] = (),
    spread: float | None = None,
    friendship_k: int | Sequence[int] = (),
    goals: Iterable[Goal] = (),
    max_changes: float | Sequence[float] = (),
    attacker: str = ATTACKER,
    exposed_k: int = USUAL_K,
    aim: Aim = "fewest-changes",
    useful: float = USEFUL,
    seed: int = 7,
    repeats: int = 1,
    quick: bool = False,
    folder: str | Path | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    measuring: Measuring | None = None,
    finished: Callable[[Record, Record], None] | None = None,
) -> Comparison:
    """Anonymize a graph with every method at every k, and measure what each costs.

    Parameters
    ----------
    graph
        Anything that `graphveil.as_graph` takes; its labels are not used
    k
        One or several, each at least 2
    methods
        ``"all"``, or some of `graphveil.methods.table.METHODS`
    degree_k
        One or several; each method must then give this k-degree guarantee too. liu-terzi, which is about degrees only,
        takes these in place of k
    spread
        The methods that can must then give this guarantee too, as in `graphveil.anonymize`; only they are recommended
    friendship_k
        One or several; the methods that can are also run with each of these, and only those runs are recommended
    goals
        Further guarantees as values, as `spread`
    max_changes
        One or several shares of the friendships; ``plan`` is also run with each as a budget to reduce the risk by
        ``attacker``. These runs are on the frontier and never recommended: a reduction guarantees nothing
    attacker, exposed_k
        The frontier shows changes against people exposed to this attacker of the audit: people in groups below
        ``exposed_k``, or with a friendship in one
    aim
        ``"fewest-changes"`` recommends, at each k, the method that changes least; ``"least-risk"`` the one that leaves
        the best-informed attacker least
    useful
        The usefulness that a recommended choice must keep
    seed
        Seed of the first run and of all samples
    repeats
        How often each cell is run, with seeds from ``seed`` on
    quick
        Sample the measures that take time quadratic in the graph
    folder
        Folder for finished runs; runs that are already there are not repeated
    jobs
        Number of processes. With more than 1, the calling script needs ``if __name__ == "__main__":``
    progress
        Called with the numbers of finished cells and of all
    measuring
        Called with what is being measured of the original, and the share of it that is done
    finished
        Called with the parameters and the figures of each cell as soon as they are there

    Examples
    --------
    >>> from graphveil import compare, generate
    >>> found = compare(generate(edges=200, seed=4), k=[2, 4], methods=["add-greedy", "add-del"])
    >>> [(cell.method, cell.k, cell.problem) for cell in found.cells]
    [('add-greedy', 2, None), ('add-greedy', 4, None), ('add-del', 2, None), ('add-del', 4, None)]
    """
    graph = as_graph(graph)
    warn_of_cautions(graph)
    ks = whole_numbers("k", k, least=2)
    degree_ks, friendship_ks = (
        whole_numbers(name, given, least=2) if given not in ((), None) else ()
        for name, given in (("degree_k", degree_k), ("friendship_k", friendship_k))
    )
    further = {goal.parameter: goal.level for goal in (*goals_of({"spread": spread}), *goals)}
    if aim not in get_args(Aim):
        raise ParameterError(f"there is no aim {aim!r}; choose {' or '.join(get_args(Aim))}.")
    useful = proportion("useful", useful)
    chosen = chosen_methods(methods)
    exposed_k = whole_number("exposed_k", exposed_k, least=2)
    if attacker not in (known := [model.name for model in ATTACKERS]):
        raise ParameterError(f"there is no attacker {attacker!r}; choose {', '.join(known)}.")
    budgets = _budgets(max_changes, attacker, exposed_k, chosen)
    first = whole_number("seed", seed, least=0)
    seeds = tuple(range(first, first + whole_number("repeats", repeats, least=1)))
    bare = Graph(graph.edges, graph.n)
    kept = Cells(
        None if folder is None else open_folder(folder, made_by="graphveil compare"),
        {"experiment": SCHEMA, "graph": fingerprint(bare), "quick": bool(quick), "sampling_seed": first}
        | {"exposed_k": exposed_k},
    )
    if kept.graphs() - {kept.subject["graph"]}:
        raise ParameterError(f"{folder} holds the comparison of another graph. Name another folder.")
    grid: list[Record] = [
        {
            "method": method,
            "k": each_k,
            "degree_k": each_degree_k,
            "seed": each_seed,
            "further": levels,
            **reduced,
        }
        for method in chosen
        for each_degree_k in ((degree_ks or (None,)) if NMF in METHODS[method].goals else (None,))
        for each_k in (ks if NMF in METHODS[method].goals else degree_ks or ks)
        for levels in _further(method, further, friendship_ks)
        for reduced in (budgets if method == SEARCH else budgets[:1])
        for each_seed in seeds
    ]
    found = run_cells(
        grid,
        _measure,
        lambda: Original(
            profile(bare, quick=quick, seed=first, progress=also_say(measuring, how_far)),
            exposed_k,
            _of_exposure(bare, exposed_k, "_before"),
        ),
        kept,
        jobs=whole_number("jobs", jobs, least=1),
        told=also_say(progress, lambda done, of: f"{done:,} of {of:,} runs finished"),
        finished=finished,
    )
    return Comparison(
        graph.n,
        graph.m,
        ks,
        chosen,
        degree_ks,
        seeds,
        bool(quick),
        tuple(Cell(**parameters, **figures) for parameters, figures in zip(grid, found, strict=True)),
        further=further,
        aim=aim,
        useful=useful,
        friendship_k=friendship_ks,
        max_changes=tuple(each["max_changes"] for each in budgets[1:]),
        attacker=attacker,
        exposed_k=exposed_k,
    )


def chosen_methods(names: str | Sequence[str]) -> tuple[MethodName, ...]:
    """The methods asked for, each once, in the order of `METHODS`."""
    wanted = set(METHODS) if names == "all" else {names} if isinstance(names, str) else set(names)
    for name in sorted(wanted):
        method_named(name)
    if not wanted:
        raise ParameterError(f"no method is given; choose some of {', '.join(METHODS)}, or all.")
    return tuple(name for name in get_args(MethodName) if name in wanted)


def _further(method: MethodName, levels: Record, friendship_ks: Sequence[int]) -> list[Record]:
    """The further guarantees of a method's cells, those that it can give; then also with each k of friendships."""
    served = {kind.parameter for kind in METHODS[method].goals}
    usual = {name: level for name, level in levels.items() if name in served}
    also = friendship_ks if Friendship.parameter in served else ()
    return [usual, *({**usual, Friendship.parameter: k} for k in also)]


def _budgets(
    shares: float | Sequence[float], attacker: str, exposed_k: int, methods: Sequence[str]
) -> list[Record]:
    """What to reduce in the cells of `SEARCH`: nothing, then as much as each share of changes buys."""
    given = [shares] if isinstance(shares, float | int) else shares or ()
    budgets = sorted({proportion("max_changes", share) for share in given})
    if budgets and SEARCH not in methods:
        raise ParameterError(f"max_changes= is for {SEARCH}. Leave it out, or add {SEARCH} to the methods.")
    wish = str(Wish(attacker, exposed_k)) if budgets else None
    return [{"reduce": None, "max_changes": None}] + [
        {"reduce": wish, "max_changes": share} for share in budgets
    ]


class Original(NamedTuple):
    """What all cells need: the measured original, and whom it exposes in groups below k."""

    profile: Profile
    exposed_k: int
    exposed: Record


def _measure(prepared: Original, cell: Record) -> Record:
    """One cell: what `Cell` has beside the parameters."""
    started, original = time.perf_counter(), prepared.profile
    original.graph.cautioned = True  # `compare` has warned already
    try:
        asked = {name: value for name, value in cell.items() if name != "further" and value is not None}
        result = anonymize(original.graph, goals=goals_of(cell["further"]), **asked)
    except UnreachableError as error:
        return {"promises": {}, "problem": str(error), "figures": {}, "seconds": 0.0}
    if result.interrupted:
        raise Stopped  # what `plan` had found by then says nothing about the method
    seconds = time.perf_counter() - started
    kept = utility(original, result.graph, quick=original.quick, seed=original.seed)
    attacks = simulate_attacks(original.graph, result.graph)
    figures = {**_of_utility(kept), **{name: value for each in attacks for name, value in _of_attack(each)}}
    figures |= _of_exposure(result.graph, prepared.exposed_k) | prepared.exposed
    return {
        "promises": result.promises,
        "problem": None,
        "figures": figures,
        "seconds": round(seconds, 3),
        "notes": list(result.notes),
    }


def _of_utility(kept: Utility) -> dict[str, float | None]:
    """What was changed, then every measure after, before and its error, then every agreement and its error."""
    figures: dict[str, float | None] = {
        name: getattr(kept, name) for name in ("added", "deleted", "new_vertices", "changed_percent")
    }
    for measure in kept.measures:
        figures |= {
            measure.name: measure.after,
            f"{measure.name}_before": measure.before,
            f"{measure.name}_error": measure.error,
        }
    for agreement in kept.agreements:
        figures |= {agreement.name: agreement.value, f"{agreement.name}_error": agreement.error}
    # The one agreement for which it is not known beforehand what an unchanged graph has.
    figures["communities_unchanged"] = kept["communities"].unchanged  # type: ignore[union-attr]
    return figures


def _of_exposure(graph: Graph, k: int, suffix: str = "") -> dict[str, float | None]:
    """The share of the people who are exposed to each attacker, for example ``exposed_degree``."""
    found = audit(graph, k, top=0).attackers
    return {f"{exposed_name(each.name)}{suffix}": each.exposures[0].people_share for each in found}


def _of_attack(attack: Attack) -> list[tuple[str, float | None]]:
    """The success of one attacker: for example ``attack_degree_certain`` and ``attack_degree_certain_before``."""
    name = f"attack_{attack.name.replace('-', '_')}"
    return [
        (f"{name}_{field.name}{suffix}", getattr(success, field.name))
        for success, suffix in ((attack.after, ""), (attack.before, "_before"))
        for field in fields(success)
    ]
