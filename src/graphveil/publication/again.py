"""Publish a network again: read an earlier release with its private part, and keep what was changed in it.

All changes of a release count from its own original, so the last release stands for all before it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Literal, get_args

from graphveil.errors import InputError, ParameterError, VerificationError
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.goals import Goal, largest_k
from graphveil.graph import Graph
from graphveil.methods import anonymizing
from graphveil.methods.carrying import Carried, Earlier, carry
from graphveil.methods.reduce.reducing import MAX_CHANGES, USUAL_K, Reduce
from graphveil.methods.result import Result
from graphveil.methods.run import Progress
from graphveil.methods.table import DegreeMethodName, MethodName
from graphveil.publication.accepts_folders import one_publication
from graphveil.publication.attributes import Wishes
from graphveil.publication.private_part import PrivatePart, Run, problems_of_private_part
from graphveil.stopping import Stop
from graphveil.verification.documents import Certificate
from graphveil.verification.folders import public_part
from graphveil.verification.people import read_published
from graphveil.verification.releases import GUARANTEED, OF_PEOPLE, Together, figures_of, is_kept, together
from graphveil.verification.safe_files import is_folder, read_json, sha256
from graphveil.words import counted

Folder = str | os.PathLike[str]
KEPT_BEFORE = "kept_before"  # in run.json: of what attributes were published in earlier releases
Pseudonyms = Literal["same", "fresh"]


def anonymize(
    graph: GraphLike,
    k: int | None = None,
    *,
    goals: Iterable[Goal] = (),
    method: MethodName = "plan",
    degree_k: int | None = None,
    degree_method: DegreeMethodName | None = None,
    spread: float | None = None,
    friendship_k: int | None = None,
    keep_edges: bool = False,
    reduce: Reduce = None,
    reduce_k: int = USUAL_K,
    max_changes: float = MAX_CHANGES,
    until: float | None = None,
    budget: float | None = None,
    seed: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Stop | None = None,
    after: Folder | None = None,
    joint: int | None = None,
) -> Result:
    """A k-NMF anonymous graph on the same vertices, with as few edges changed as the method can.

    Parameters
    ----------
    graph
        The graph, or anything that `graphveil.as_graph` takes
    k
        Smallest number of edges with the same mutual-friend count afterwards; 2 or more
    goals
        Guarantees as values, such as ``(NMF(25), Degree(10))``, in the place of k and the other levels, or beside them
    method
        ``"plan"`` searches for few edits; the paper's ``"add-del"`` adds and deletes edges, its ``"add-greedy"``
        and ``"add-intuit"`` only add; ``"liu-terzi"`` makes degrees anonymous only, for comparison, so there k counts
        vertices of the same degree
    degree_k
        Smallest number of vertices with the same degree as well; 2 or more
    degree_method
        How the degrees come to that: ``"plan"`` searches for both guarantees at once, which is the default
        of the method plan, or one that comes after the method, ``"kda"`` by default
    spread
        The largest share of the edges with one mutual-friend count that may touch one vertex, such as 0.5; only
        ``"plan"`` can look after it, and with ``degree_k`` only where it looks after the degrees too
    friendship_k
        Smallest number of people with the same number of friends who have a friend with one other number; it contains
        ``degree_k``. Only ``"plan"`` can reach it, with k or without
    keep_edges
        Only add edges; ``"plan"`` does so when asked, ``"add-greedy"`` and ``"add-intuit"`` always, and
        ``"add-del"`` refuses
    reduce
        Attackers against whom there is no guarantee here, but fewer people are to be exposed: one by name, such as
        ``"degree-and-triangles"``; several with the size of group that each needs, such as ``{"degree": 5}``; or
        ``Wish`` values with weights, which may be written as ``"degree=5:2"``. What is left of ``max_changes`` is spent
        on them, and every guarantee stays. ``reductions`` of the result says what was reached: a measured reduction
    reduce_k
        Whoever is in a group below it is exposed to the attackers of ``reduce``
    max_changes
        The most edges added and deleted where there is something to reduce, as a share of the original's edges
    until
        The share of the people (or friendships) that is enough to be safe from each attacker of ``reduce``, such as
        0.95: it is reached with as few changes as the search finds
    budget
        Seconds after which ``"plan"`` takes the best result so far. A run that was stopped by the clock is
        not the same again under the same seed; ``notes`` of the result says so
    seed
        For the choices left to chance; drawn from the system's entropy if not given, and kept in the result
    progress
        Called with a `Progress` now and then
    stop
        A `graphveil.stopping.Stop`; its ``request()``, from any thread, does what Ctrl-C does
    after
        The folder of an earlier release of the same network, with its private part. Its changes stay, so that none of
        them gives itself away by vanishing; ids must be those of that time. Only ``"plan"`` can do it
    joint
        A guarantee over both releases: every pair of mutual-friend counts, one of each release, belongs to so many
        friendships that are in both, and with ``degree_k`` every pair of degrees to so many people.
        Last year's groups lost members since, so it is usually smaller than ``k``

    Ctrl-C ends the search of ``"plan"`` and not the call: the best graph so far is returned, and ``interrupted`` of the
    result says so. Before and after the search, and with the other methods, it raises KeyboardInterrupt as usual.

    Warns of what `graphveil.cautions` finds, once for each graph: a file of memberships, a graph without mutual
    friends, ids that look like missing values. Warns too of columns that were chosen among several.

    Raises
    ------
    InputError, VerificationError
        Where the earlier release is incomplete, or not as it was published
    UnreachableError
        Where the vertices cannot carry k edges, or are fewer than the degrees need: no graph on them can do it. Or
        where no graph with the spread was found; the message says which share can be had.

    Examples
    --------
    >>> from graphveil import Graph, anonymize
    >>> bridge = Graph.from_edges([(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)])
    >>> result = anonymize(bridge, k=2, method="add-greedy", seed=7)
    >>> len(result.added), len(result.deleted), len(result.new_vertices), result.promises
    (1, 0, 0, {'k-NMF': 2})
    """
    graph = as_graph(graph)
    return anonymizing.anonymize(
        graph,
        k,
        goals=goals,
        method=method,
        degree_k=degree_k,
        degree_method=degree_method,
        spread=spread,
        friendship_k=friendship_k,
        keep_edges=keep_edges,
        reduce=reduce,
        reduce_k=reduce_k,
        max_changes=max_changes,
        until=until,
        budget=budget,
        seed=seed,
        progress=progress,
        stop=stop,
        carried=None if after is None else carried_over(graph, after),
        joint=joint,
    )


def carried_over(graph: Graph, after: Folder) -> Carried:
    """The graph with all changes of an earlier release that can stay."""
    return carry(graph, earlier_release(after))


def earlier_release(folder: Folder) -> Earlier:
    """An earlier release, from its folder with public and private part, if nothing was altered in either."""
    around = one_publication(folder)
    public = public_part(around)
    try:
        certificate = Certificate.of(read_json(public / "certificate.json"))
        if is_folder(public / certificate.graph.file):
            raise InputError(
                folder, "its graph is in parts, as Spark publishes it, and cannot be an earlier release"
            )
        published = read_published(public, certificate)
        run = Run.read(around / "private")
        part = PrivatePart.read(around / "private", published, run)
        problems = problems_of_private_part(around, published, certificate, part.original())
    except VerificationError as error:
        problems = [str(error)]
    if problems:
        raise VerificationError(f"{folder}, the earlier release: {problems[0]}. Take it from a backup.")
    return Earlier(
        Graph(part.anonymized.edges, part.anonymized.n, part.who.ids),
        part.who.old,
        part.changes.added,
        part.changes.deleted,
        part.who.pseudonyms,
        sha256(public / "certificate.json"),
        around.resolve(),
        _kept_until(certificate, run),
    )


def _kept_until(certificate: Certificate, run: Run) -> frozenset[str]:
    """Of what attributes were published in a release or in one before it."""
    now = {"people": certificate.vertex_attributes, "friendships": certificate.edge_attributes}
    before = run.document.get("attributes", {}).get(KEPT_BEFORE, ())
    return frozenset(of for of, kept in now.items() if kept or of in before)


def check_kept_again(wishes: Wishes, carried: Carried) -> None:
    """Refuse attributes that were published earlier, where something stays that was made up.

    Its values would be drawn anew while true ones stay, and the change would give it away.
    """
    release = carried.release
    if release is None:
        return
    dummies = release.published.n - release.people
    for of, names, count, one, several in (
        ("people", wishes.keep_vertex_attributes, dummies, "dummy person", "dummy people"),
        (
            "friendships",
            wishes.keep_edge_attributes,
            carried.additions,
            "added friendship",
            "added friendships",
        ),
    ):
        if names and count and of in release.kept:
            made_up = counted(count, one, several)
            raise ParameterError(
                f"attributes of {of} were published before, and {made_up} of the earlier release stay. Their values "
                f"would be drawn anew while others stay, and this would give them away. Leave the attributes of {of} "
                "out."
            )


def check_apart(earlier: Folder, folder: Folder) -> None:
    """Refuse to publish over an earlier release, into it or around it: it is never changed."""
    target, kept = os.path.realpath(folder), os.path.realpath(one_publication(earlier))
    if os.path.commonpath([target, kept]) in (target, kept):
        raise ParameterError(f"{folder} is the earlier release, or in it, or around it. Name another folder.")


def check_pseudonyms(pseudonyms: Pseudonyms, *, first: bool) -> None:
    """Refuse what is no choice, and pseudonyms of an earlier release where there is none."""
    if pseudonyms not in get_args(Pseudonyms):
        raise ParameterError(f"there are no pseudonyms {pseudonyms!r}; choose one of same, fresh.")
    if first and pseudonyms != "fresh":
        raise ParameterError("there is no earlier release with the same pseudonyms. Name it (after=).")


def joint_figures(result: Result) -> dict[str, float]:
    """What both releases give away together, and the guarantee over both where it was asked for.

    Raises
    ------
    VerificationError
        if that guarantee does not hold
    """
    figures = figures_of(seen_together(result))
    if (k := result.options.get("joint")) is not None:
        figures |= {GUARANTEED: k, **({OF_PEOPLE: 1} if result.degree_k is not None else {})}
    if not is_kept(figures):
        raise VerificationError(
            "the recount found the guarantee over both releases broken. Nothing is published. Please report this."
        )
    return figures


def seen_together(result: Result) -> Together:
    """What this release and the earlier one give away together, at the k of both or the largest of this one."""
    carried = result.carried
    assert carried is not None
    assert carried.release is not None
    k = result.options.get("joint", largest_k(result.goals))
    return together(carried.release.published, result.graph, carried.before(result.graph.n), k)
