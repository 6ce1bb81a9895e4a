"""What a published graph keeps and what an attacker finds in it, in whatever form it comes.

`graphveil.measures` and `graphveil.risk` compare two graphs under the same ids. Here the published graph may also be a
published folder, or a graph under pseudonyms together with its private part, which says who is who.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import numpy as np

from graphveil.errors import GraphError, InputError, ParameterError
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.goals import goals_of
from graphveil.graph import Graph
from graphveil.measures import comparison
from graphveil.measures.comparison import Utility
from graphveil.measures.profiling import Measuring, Profile
from graphveil.notebooks import long_work
from graphveil.publication.checking import check, under_original_ids
from graphveil.publication.private_part import PrivatePart
from graphveil.risk import simulation
from graphveil.risk.reidentification import Progress, Reidentification, reidentify
from graphveil.risk.simulation import Attack
from graphveil.stopping import stoppable
from graphveil.verification.folders import Inspection, public_part, publications, published_folder
from graphveil.verification.graph_files import GraphFileRead
from graphveil.verification.graphs import Verification, recheck

Folder = str | os.PathLike[str]


def attack(
    original: GraphLike,
    published: GraphLike,
    *,
    private: Folder | None = None,
    missing: float = 0.1,
    known: int = 0,
    seed: int = 7,
    progress: Progress | None = None,
) -> Reidentification:
    """Attack a published graph with a similar graph, and as each attacker of the audit.

    Parameters
    ----------
    original
        The graph that was anonymized
    published
        A published folder with its private part, or a graph under the original ids
    private
        The private folder of a publication, where ``published`` is a graph under its pseudonyms
    missing
        Share of the friendships that the attacker's graph lacks, from 0 to below 1
    known
        Number of people, drawn at random, whom the attacker knows in the published graph from the start
    seed
        Seed of what the attacker's graph lacks, of the known people, and of the order of the vertices
    progress
        Called with what is being done, and the share of it that is done

    Raises
    ------
    GraphError
        Where the ids of the two graphs do not correspond.

    Examples
    --------
    >>> import graphveil
    >>> town = graphveil.generate(edges=2_000, seed=4)
    >>> found = graphveil.attack(town, graphveil.anonymize(town, k=5, seed=1).graph)
    >>> found.after.share > 0.5, found.after.precision > 0.9
    (True, True)
    """
    graph = _under_ids(published, private)
    return reidentify(as_graph(original), graph, missing=missing, known=known, seed=seed, progress=progress)


def simulate_attacks(
    before: GraphLike, after: GraphLike, *, private: Folder | None = None
) -> tuple[Attack, ...]:
    """Let each attacker of the audit look for every edge or vertex of the original in the published graph.

    Parameters
    ----------
    before
        The original, whose counts the attackers know
    after
        The published graph under the labels of the original, or a published folder with its private part
    private
        The private folder of a publication, where ``after`` is a graph under its pseudonyms

    Raises
    ------
    GraphError
        Where the ids of the two graphs do not correspond.

    Examples
    --------
    >>> from graphveil import Graph, simulate_attacks
    >>> bridge = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)]
    >>> attack = simulate_attacks(bridge, [*bridge, (1, 3)])[0]
    >>> attack.name, attack.before.certain, attack.after.certain
    ('mutual-friends', 1, 0)
    """
    return simulation.simulate_attacks(as_graph(before), _under_ids(after, private))


def utility(
    before: GraphLike | Profile,
    after: GraphLike,
    *,
    private: Folder | None = None,
    quick: bool = False,
    seed: int = 7,
    progress: Measuring | None = None,
) -> Utility:
    """What a published graph keeps of its original.

    Parameters
    ----------
    before
        The original, or its `Profile`, which spares measuring it again
    after
        The published graph under the labels of the original, which may have further vertices; or a published
        folder with its private part
    private
        The private folder of a publication, where ``after`` is a graph under its pseudonyms
    quick
        Sample the measures that take time quadratic in the graph
    seed
        Seed of all samples and of the communities
    progress
        Called with what is being measured, and the share of it that is done; at the end with the share 1

    Raises
    ------
    GraphError
        Where the ids of the two graphs do not correspond.

    Examples
    --------
    >>> from graphveil import Graph, utility
    >>> before = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0)])
    >>> kept = utility(before, Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]))
    >>> kept.added, kept.changed_percent, round(kept["average_path_length"].difference, 3)
    (1, 25.0, -0.167)
    """
    graph = _under_ids(after, private)
    old = before if isinstance(before, Profile) else as_graph(before)
    return comparison.utility(old, graph, quick=quick, seed=seed, progress=progress)


@long_work("verifying")
@stoppable()
def verify(
    published: GraphLike,
    k: int | Literal["off"] | None = None,
    degree_k: int | None = None,
    *,
    spread: float | None = None,
    friendship_k: int | None = None,
    original: GraphLike | None = None,
    after: Folder | None = None,
    **others: float | None,
) -> Verification | Inspection:
    """Whether a published graph or folder keeps its guarantees, by an independent recount.

    Parameters
    ----------
    published
        A published folder, the graph file in one, or anything that `graphveil.as_graph` takes
    k
        Of k-NMF; by default 25 for a graph, and what its certificate says for a folder; ``"off"`` leaves it out
    degree_k
        Verify k-degree too
    spread
        Verify too that no vertex lies on more than this share of the edges with one mutual-friend count
    friendship_k
        Verify friendship anonymity too
    original
        Of a folder: the input, which public and private part together must give again
    after
        Of a folder: the earlier release that its certificate names, or the public part of it
    others
        The parameters of further guarantees

    Examples
    --------
    >>> from graphveil import Graph, verify
    >>> wheel = Graph.from_edges([(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (2, 3), (3, 4), (1, 4)])
    >>> bool(verify(wheel, k=4)), bool(verify(wheel, k=4, degree_k=2))
    (True, False)
    """
    own_k = None if k == "off" else k
    asked = {"k": own_k, "degree_k": degree_k, "spread": spread, "friendship_k": friendship_k, **others}
    if (folder := _publication(published)) is not None:
        return check(
            one_folder(folder),
            asked=goals_of(asked),
            original=None if original is None else as_graph(original),
            after=after,
        )
    for name, given in (("original", original), ("after", after)):
        if given is not None:
            raise ParameterError(f"{name} is for a published folder, and this is a graph. Leave it out.")
    return recheck(as_graph(published), goals_of(asked | {"k": 25 if k is None else own_k}))


def _publication(published: GraphLike) -> Path | None:
    """The published folder that a path is about; None for anything else."""
    folder = published_folder(published) if isinstance(published, str | os.PathLike) else None
    if folder is None:
        return None
    found = publications(folder)
    whole = len(found) > 1 or any((found[0] / name).exists() for name in ("public", "certificate.json"))
    return folder if whole else None


def one_folder(folder: Folder) -> Path:
    """The folder of one published graph."""
    several = publications(folder)
    if len(several) > 1:
        names = ", ".join(path.name for path in several)
        raise InputError(folder, "several graphs were published here", remedy=f"Name one of them: {names}.")
    return several[0]


def one_publication(folder: Folder) -> Path:
    """The folder of one published graph, with its private part."""
    found = one_folder(folder)
    around = found.resolve().parent
    if (
        (found / "certificate.json").is_file()
        and found.resolve().name == "public"
        and (around / "private").is_dir()
    ):
        return around
    if not (found / "private").is_dir():
        public_part(found)  # says so where this is no published folder at all
        raise InputError(
            folder,
            "its private part is missing, and only it says who is who",
            remedy="Put private/ beside public/.",
        )
    return found


def _under_ids(published: GraphLike, private: Folder | None) -> Graph:
    """The published graph under the original ids."""
    if isinstance(published, str | os.PathLike) and not os.path.isfile(published):
        return under_original_ids(one_publication(published))
    graph = as_graph(published)
    if private is None:
        return graph
    inner = Path(private) / "private"
    by_pseudonym = _by_pseudonym(graph, Path(private))
    both = PrivatePart.read(inner if inner.is_dir() else Path(private), by_pseudonym)
    return Graph(both.anonymized.edges, both.anonymized.n, both.who.ids)


def _by_pseudonym(graph: Graph, private: Path) -> GraphFileRead:
    """The graph with its pseudonyms for vertex numbers."""
    labels = graph.labels
    if labels.dtype.kind != "i" or not np.array_equal(np.sort(labels), np.arange(graph.n)):
        raise GraphError(
            f"the published graph is not under the pseudonyms 0…{graph.n - 1}, so {private} cannot say who is who. "
            "Leave out private= where it has the original ids."
        )
    u, v = labels[graph.edges].T
    return GraphFileRead(graph.n, Graph.from_arrays(u, v, n=graph.n).edges, "")
