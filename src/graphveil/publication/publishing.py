"""Write an anonymized graph into a new folder, and prove it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphveil.errors import ParameterError
from graphveil.formats.table import WritableFormat
from graphveil.goals import NMF, level_of
from graphveil.methods.result import Result
from graphveil.notebooks import long_work
from graphveil.parameters import warn_of_guessable_seed
from graphveil.publication.again import Pseudonyms, check_apart, check_kept_again, check_pseudonyms
from graphveil.publication.attributes import Wishes
from graphveil.publication.documents import AttackRecord
from graphveil.publication.keeping import kept_attributes
from graphveil.publication.report.gathering import ReportLevel
from graphveil.publication.staging import Target, check_target, public_folder, staging
from graphveil.publication.weighing import check_k
from graphveil.publication.words import verdict
from graphveil.publication.writing import write_publication
from graphveil.stopping import stoppable
from graphveil.verification.documents import Certificate, DataSet


@dataclass(frozen=True, repr=False)
class Publication:
    """What `publish` wrote."""

    folder: Path
    certificate: Certificate
    attack: AttackRecord | None = None  # what a simulated attack found; for the owner alone

    def __repr__(self) -> str:
        return f"Publication({str(self.folder)!r}, {self.certificate!r})"

    def _repr_html_(self) -> str:
        from graphveil.pages import render

        return render("notebook/publication.html", folder=self.folder, verdict=verdict(self.certificate))

    @property
    def public(self) -> Path:
        """The folder for everybody."""
        return self.folder / "public"

    @property
    def private(self) -> Path:
        """The folder to lock away."""
        return self.folder / "private"


@long_work("publishing")
@stoppable()
def publish(
    result: Result,
    folder: str | os.PathLike[str],
    *,
    format: WritableFormat = "edgelist",
    keep_vertex_attributes: Sequence[str] = (),
    keep_identifying: bool = False,
    generalize: Mapping[str, Any] | str | None = None,
    group_rare: Mapping[str, str] | None = None,
    suppress: float = 0.0,
    sensitive: Sequence[str] = (),
    l_diversity: int = 1,
    keep_edge_attributes: Sequence[str] = (),
    with_mutual_friends: bool = False,
    force: bool = False,
    source: str | os.PathLike[str] | None = None,
    reading: Mapping[str, Any] | None = None,
    report: ReportLevel | None = None,
    title: str = "",
    contact: str = "",
    license: str = "",
    pseudonyms: Pseudonyms = "fresh",
) -> Publication:
    """Write an anonymized graph into a new folder, and prove it.

    Parameters
    ----------
    result
        Of `graphveil.anonymize`
    folder
        A folder that is not there yet; ``folder/public`` is for everybody, ``folder/private`` to lock away
    format
        Of the graph file, as in `graphveil.write`
    keep_vertex_attributes
        Which attributes of the input's vertices to publish; by default none
    keep_identifying
        Publish attributes even if fewer than k people, or friendships, share the values; by default that is refused
    generalize, group_rare, suppress, sensitive, l_diversity
        How to make their values coarser until k share them, as in `graphveil.attributes.propose`; by default they
        stay as they are
    keep_edge_attributes
        Which attributes of the input's edges to publish; by default none. Added edges get the values of similar ones
    with_mutual_friends
        Every combination of these values belongs to k edges with the same mutual-friend count, too
    force
        Replace a folder that was published before, if nothing else is in it
    source
        The file that the graph was read from; its SHA-256, as it was read, is noted in private/run.json
    reading
        The options it was read with, which are noted there too
    report
        How much it measures, ``"brief"``, ``"quick"`` or ``"full"``, see docs/report.md; by default brief
    title, contact, license
        What to say about the data set in certificate, report and README.md
    pseudonyms
        After an earlier release: ``"same"`` adds a table that says who is who in both, so people can be followed;
        with ``"fresh"`` only you know

    Warns if most of the graph was added, because k is too large for it.

    Raises
    ------
    ParameterError
        if the attributes to keep are not there, or tell who somebody is; if k is larger than the number of edges
    PublicationError
        if the folder cannot be written
    VerificationError
        if what was written does not keep its guarantee; in both cases nothing is published

    Examples
    --------
    >>> import graphveil.publication, pathlib, tempfile
    >>> result = graphveil.anonymize(graphveil.generate(edges=300, seed=4), k=5, seed=2**100 + 7)
    >>> publication = graphveil.publish(result, pathlib.Path(tempfile.mkdtemp(), "out"))
    >>> sorted(path.name for path in publication.public.iterdir())
    ['README.md', 'certificate.json', 'graph.txt', 'report.html']
    >>> bool(graphveil.publication.check(publication.folder, original=result.original))
    True
    """
    if not isinstance(result, Result):
        raise ParameterError(
            f"publish takes what graphveil.anonymize returns, not {type(result).__name__}. Anonymize first: "
            "graphveil.publish(graphveil.anonymize(graph, k=25), folder)."
        )
    warn_of_guessable_seed(result.seed)
    check_pseudonyms(pseudonyms, first=result.carried is None)
    if result.carried and result.carried.release and result.carried.release.folder:
        check_apart(result.carried.release.folder, folder)
    check_k(result.original.m, level_of(result.goals, NMF))
    wishes = Wishes(
        tuple(keep_vertex_attributes),
        keep_identifying,
        generalize,
        group_rare,
        suppress,
        tuple(sensitive),
        l_diversity,
        tuple(keep_edge_attributes),
        with_mutual_friends,
    )
    if result.carried:
        check_kept_again(wishes, result.carried)
    of_counts = level_of(result.goals, NMF) is not None
    kept = kept_attributes(result.original, wishes, k=result.k, format=format, of_counts=of_counts)
    more: dict[str, Any] = {
        "format": format,
        "kept": kept,
        "source": source,
        "reading": reading,
        "report": report,
    }
    said = DataSet(title, contact, license)
    target = check_target(folder, force=force, source=source)
    return publish_together([result], target, data_set=said, pseudonyms=pseudonyms, **more)[0]


def publish_together(
    results: Sequence[Result], target: Target, *, several: bool = False, **options: Any
) -> list[Publication]:
    """Write results into one place that appears as a whole; of several, each into a folder of its k.

    The options are those of `write_publication`.
    """
    published = []
    with staging(target) as new:
        for result in results:
            folder = public_folder(new / f"k{result.k}") if several else new
            written = write_publication(result, folder, **options)
            published.append(Publication(Path(target.given, folder.relative_to(new)), *written))
    return published
