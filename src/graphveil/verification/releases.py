"""Two releases of one network: what a certificate says of an earlier one, checked by both public parts.

Where people kept their pseudonyms, ``panel.csv`` says which pseudonym of this release is which one of the earlier, and
everybody can count again what an attacker gets who has both. With fresh pseudonyms only the owner can.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphveil.errors import GraphveilError, InputError, VerificationError
from graphveil.graph import Graph
from graphveil.verification.documents import Certificate, EarlierRelease, NotedFile
from graphveil.verification.graph_files import GraphFileRead, read_graph
from graphveil.verification.safe_files import PANEL, read_bytes, read_json, sha256
from graphveil.verification.together import Together, together

HEADER = "pseudonym,earlier"
LARGEST_PANEL = 1 << 32  # bytes


class Both(NamedTuple):
    """What was found about an earlier release."""

    problems: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def both_releases(public: Path, stated: Certificate, graph: GraphFileRead, after: Path | None) -> Both:
    """Check what a certificate says of an earlier release.

    Without ``after``, the public part of the earlier release, only the panel can be checked.
    """
    release = stated.after
    if release is None:
        names_none = "certificate.json names no earlier release, so there is nothing to compare"
        return Both((names_none,) if after is not None else ())
    try:
        number_before = _panel_of(public, release, graph.n)
        if after is None:
            return Both(unchecked=("what an attacker gets who has the earlier release too",))
        earlier = _graph_of(after, release)
        if number_before is None:
            return Both(
                unchecked=("the figures of both releases together, for people have fresh pseudonyms",)
            )
        _check_range(number_before, earlier.n)

        found = figures_of(together(earlier, Graph(graph.edges, graph.n), number_before, stated.k))
    except InputError:
        raise
    except GraphveilError as error:
        return Both((str(error),))
    if found != release.joint:
        return Both(("certificate.json: what it says of both releases together is not what they give",))
    return Both()


def figures_of(found: Together) -> dict[str, float]:
    """What two releases give away together, as a certificate says it.

    >>> from graphveil.verification.together import together
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
    names = [each.name for each in stated.vertex_attributes]
    graph = read_graph(after / stated.graph.file, stated.graph.format, names)
    if graph.sha256 != stated.graph.sha256:
        raise VerificationError(f"{after / stated.graph.file} is not as it was published")
    return Graph(graph.edges, graph.n)
