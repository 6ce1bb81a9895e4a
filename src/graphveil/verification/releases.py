"""Two releases of one network: what a certificate says of an earlier one, checked by both public parts.

Where people kept their pseudonyms, ``panel.csv`` says which pseudonym of this release is which one of the earlier, and
everybody can count again what an attacker gets who has both. With fresh pseudonyms only the owner can.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphveilError, InputError, VerificationError
from graphveil.graph import Graph
from graphveil.recounting import Recount
from graphveil.verification.documents import Certificate, EarlierRelease, NotedFile
from graphveil.verification.graph_files import GraphFileRead
from graphveil.verification.people import read_published
from graphveil.verification.safe_files import PANEL, read_bytes, read_json, sha256

Integers = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True)
class JointExposure:
    """How well a pair of values, one of each release, hides those who have it."""

    targets: int  # friendships or people that are in both releases
    smallest_group: int | None  # how many share the rarest pair of values; None where there is nobody
    exposed: int  # how many are in a group of fewer than k


@dataclass(frozen=True)
class Together:
    """Two releases seen by an attacker who has both."""

    k: int  # below which a group is exposed
    mutual_friends: JointExposure  # of the friendships in both: the counts in both years
    degrees: JointExposure  # of the people in both: how many friends they have in both years
    # Friendships between people who are in both releases that only the earlier, or only the later one has
    vanished: int
    appeared: int
    people: int  # who are in both


def together(earlier: Graph, later: Graph, number_before: Integers, k: int) -> Together:
    """Count what two releases give away together, in groups of fewer than k.

    ``number_before`` has for each vertex of the later one its number in the earlier one, −1 for who is new.

    >>> square = Graph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3)])
    >>> with_diagonal = Graph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)])
    >>> found = together(square, with_diagonal, np.arange(4), 3)
    >>> found.mutual_friends, found.degrees
    (JointExposure(targets=4, smallest_group=4, exposed=0), JointExposure(targets=4, smallest_group=2, exposed=4))
    >>> found.vanished, found.appeared
    (0, 1)
    """
    before, after = common_edges(earlier, later, number_before)
    both = number_before >= 0
    degrees = earlier.degrees[number_before[both]], later.degrees[both]
    here = np.zeros(earlier.n, np.bool_)
    here[number_before[both]] = True
    return Together(
        k,
        _exposure(_counts(earlier)[before], _counts(later)[after], k),
        _exposure(*degrees, k),
        int(here[earlier.edges].all(axis=1).sum()) - len(before),
        int(both[later.edges].all(axis=1).sum()) - len(after),
        int(both.sum()),
    )


def _counts(graph: Graph) -> Integers:
    return Recount(graph.edges, graph.n).mutual_friends


def common_edges(earlier: Graph, later: Graph, number_before: Integers) -> tuple[Integers, Integers]:
    """Rows of the friendships that are in both, in the earlier and in the later graph."""
    ends = np.sort(number_before[later.edges].astype(np.int64), axis=1)
    known = np.flatnonzero(ends[:, 0] >= 0)
    keys = ends[known, 0] * earlier.n + ends[known, 1]
    before = earlier.edges.astype(np.int64) @ np.array([earlier.n, 1])  # ascending, as the edges are
    places = np.searchsorted(before, keys)
    inside = places < len(before)
    inside[inside] = before[places[inside]] == keys[inside]
    return places[inside], known[inside]


def _exposure(one: Integers, other: Integers, k: int) -> JointExposure:
    if not len(one):
        return JointExposure(0, None, 0)
    keys = one.astype(np.int64) * (int(other.max()) + 1) + other
    sizes = np.unique(keys, return_counts=True)[1]
    return JointExposure(len(keys), int(sizes.min()), int(sizes[sizes < k].sum()))


HEADER = "pseudonym,earlier"
GUARANTEED, OF_PEOPLE = "guaranteed_k", "guaranteed_people"  # what a joint guarantee adds to the figures
LARGEST_PANEL = 1 << 32  # bytes


class Both(NamedTuple):
    """What was found about an earlier release."""

    problems: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    guarantees: tuple[Joint, ...] = ()  # recounted, from both graphs


def both_releases(public: Path, stated: Certificate, graph: GraphFileRead, after: Path | None) -> Both:
    """Check what a certificate says of an earlier release.

    Without ``after``, the public part of the earlier release, only the panel can be checked.
    """
    release = stated.after
    if release is not None and not is_kept(release.joint):
        return Both(("the guarantee over both releases is broken by the figures of certificate.json itself",))
    if release is None:
        names_none = "certificate.json names no earlier release, so there is nothing to compare"
        return Both((names_none,) if after is not None else ())
    try:
        number_before = _panel_of(public, release, graph.n)
        if after is None:
            guarantee = "the guarantee over both releases, and " * (GUARANTEED in release.joint)
            return Both(unchecked=(f"{guarantee}what an attacker gets who has the earlier release too",))
        earlier = _graph_of(after, release)
        if number_before is None:
            return Both(
                unchecked=("the figures of both releases together, for people have fresh pseudonyms",)
            )
        _check_range(number_before, earlier.n)

        k = int(release.joint.get("k", 0))
        if k not in (stated.k, release.joint.get(GUARANTEED)):
            raise VerificationError(
                f"certificate.json counts both releases together at k = {k}, which nobody asked for"
            )
        found = figures_of(together(earlier, Graph(graph.edges, graph.n), number_before, k))
    except InputError:
        raise
    except GraphveilError as error:
        return Both((str(error),))
    promised = {name: release.joint[name] for name in (GUARANTEED, OF_PEOPLE) if name in release.joint}
    if found | promised != release.joint:
        return Both(("certificate.json: what it says of both releases together is not what they give",))
    return Both(guarantees=guaranteed_together(release.joint))


def figures_of(found: Together) -> dict[str, float]:
    """What two releases give away together, as a certificate says it.

    >>> pair = Graph.from_edges([(0, 1)])
    >>> figures_of(together(pair, pair, np.arange(2), 2))["friendships_exposed"]
    1
    """
    groups = {"friendships": found.mutual_friends, "people": found.degrees}
    figures: dict[str, float] = {"k": found.k, "vanished": found.vanished, "appeared": found.appeared}
    for name, each in groups.items():
        figures |= {name: each.targets, f"{name}_exposed": each.exposed}
        if each.smallest_group is not None:
            figures[f"{name}_smallest_group"] = each.smallest_group
    return figures


class Joint(NamedTuple):
    """A guarantee over both releases and what was counted of it."""

    name: str
    of: str  # "friendships" or "people"
    k: int
    smallest: int | None  # the smallest group; None where nobody is in both


def guaranteed_together(joint: Mapping[str, float]) -> tuple[Joint, ...]:
    """The guarantees over both releases, where any was asked for.

    >>> guaranteed_together({"friendships_smallest_group": 7, "guaranteed_k": 5})
    (Joint(name='joint mutual friends', of='friendships', k=5, smallest=7),)
    """
    if GUARANTEED not in joint:
        return ()
    asked = (
        (GUARANTEED, "joint mutual friends", "friendships"),
        (OF_PEOPLE, "joint numbers of friends", "people"),
    )
    found = ((name, of, joint.get(f"{of}_smallest_group")) for key, name, of in asked if key in joint)
    return tuple(
        Joint(name, of, int(joint[GUARANTEED]), None if size is None else int(size))
        for name, of, size in found
    )


def is_kept(joint: Mapping[str, float]) -> bool:
    """Whether a guarantee over both releases holds by the figures beside it, if there is one.

    >>> is_kept({"friendships_exposed": 3}), is_kept({"guaranteed_k": 5, "k": 5, "friendships_exposed": 3})
    (True, False)
    """
    if GUARANTEED not in joint:
        return True
    exposed = [
        joint.get("friendships_exposed", 1),
        joint.get("people_exposed", 1) if OF_PEOPLE in joint else 0,
    ]
    return joint[GUARANTEED] == joint.get("k") and not any(exposed)


def panel_text(pseudonyms: NDArray[np.int64], earlier: NDArray[np.int64]) -> str:
    """The table of who is who in two releases, sorted by the pseudonyms of the later one.

    >>> panel_text(np.array([2, 0]), np.array([5, 7])).splitlines()
    ['pseudonym,earlier', '0,7', '2,5']
    """
    order = np.argsort(pseudonyms)
    rows = zip(pseudonyms[order].tolist(), earlier[order].tolist(), strict=True)
    return "\n".join([HEADER, *(f"{now},{then}" for now, then in rows), ""])


def _panel_of(public: Path, release: EarlierRelease, n: int) -> NDArray[np.int64] | None:
    """For each pseudonym the one in the earlier release, −1 for who is new; None where pseudonyms are fresh."""
    if (release.panel is None) != (release.pseudonyms == "fresh"):
        raise VerificationError(
            "certificate.json is damaged: same pseudonyms need a panel, and fresh ones none"
        )
    if release.panel is None:
        return None
    if release.panel != NotedFile(PANEL, sha256(public / PANEL)):
        raise VerificationError(f"public/{PANEL} is not as it was published: its SHA-256 is another one")
    return _read_panel(public / PANEL, n)


def _read_panel(path: Path, n: int) -> NDArray[np.int64]:
    damaged = VerificationError(
        f"public/{PANEL} is damaged: it is no table of two pseudonyms for each person"
    )
    try:
        data = read_bytes(path, LARGEST_PANEL)
        lines = data.decode("ascii").splitlines()[1:]
        rows = np.array([list(map(int, line.split(","))) for line in lines], np.int64).reshape(len(lines), 2)
    except (OSError, ValueError, OverflowError):
        raise damaged from None
    now, then = rows.T
    if (
        panel_text(now, then).encode() != data
        or (np.diff(now) <= 0).any()
        or (rows < 0).any()
        or (now >= n).any()
    ):
        raise damaged
    number_before = np.full(n, -1, np.int64)
    number_before[now] = then
    return number_before


def _check_range(number_before: NDArray[np.int64], n: int) -> None:
    then = number_before[number_before >= 0]
    if (then >= n).any() or len(np.unique(then)) < len(then):
        raise VerificationError(
            f"public/{PANEL} names a pseudonym twice, or one that the earlier release has not"
        )


def _graph_of(after: Path, release: EarlierRelease) -> Graph:
    """The graph of the earlier release, if it is the one that the certificate names."""
    if sha256(after / "certificate.json") != release.sha256:
        raise VerificationError(f"{after} is not the earlier release that certificate.json names")
    stated = Certificate.of(read_json(after / "certificate.json"))
    graph = read_published(after, stated)
    if graph.sha256 != stated.graph.sha256:
        raise VerificationError(f"{after / stated.graph.file} is not as it was published")
    return Graph(graph.edges, graph.n)
