"""The statement for a data-protection officer: one paragraph and one page on a publication, in English or German.

It is made from the certificate and the private record alone; its sentences are in ``languages/``. It says what was
published, which guarantee holds and how that was checked, what remains, what a simulated attack found, and leaves
room for the decision.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil
from typing import Any, Literal, get_args

from graphveil.errors import ParameterError, PublicationError
from graphveil.formats.atomic import write_whole
from graphveil.goals import Goal
from graphveil.publication import words
from graphveil.publication.accepts_folders import one_publication
from graphveil.publication.private_part import Run
from graphveil.publication.readme import escaped
from graphveil.verification.documents import AttackerFigures, Certificate
from graphveil.verification.folders import read_certificate
from graphveil.words import plain

Language = Literal["en", "de"]
Page = Literal["md", "html"]


@dataclass(frozen=True)
class Statement:
    """A page in sections: a title, one paragraph that says it all, then headings with their sentences."""

    language: Language
    title: str
    summary: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]

    def markdown(self) -> str:
        """The page as Markdown."""
        parts = [f"# {self.title}", escaped(self.summary, None)]
        for heading, sentences in self.sections:
            parts += [f"## {heading}", "\n".join(f"- {escaped(sentence, None)}" for sentence in sentences)]
        return "\n\n".join(parts) + "\n"

    def html(self) -> str:
        """The page as HTML that loads nothing."""
        from graphveil.pages import render

        return render("statement.html", statement=self, skip=_texts(self.language)["sentences"]["skip"])


def statement(folder: str | os.PathLike[str], *, language: Language = "en") -> Statement:
    """The statement on a published folder with its private part.

    Parameters
    ----------
    folder
        As `graphveil.publish` wrote it
    language
        ``"en"`` or ``"de"``

    Examples
    --------
    >>> import graphveil, pathlib, tempfile
    >>> result = graphveil.anonymize(graphveil.generate(edges=300, seed=4), k=5, seed=2**100 + 7)
    >>> publication = graphveil.publish(result, pathlib.Path(tempfile.mkdtemp(), "out"))
    >>> print(graphveil.statement(publication.folder).title)
    Statement on the publication of a social network
    """
    if language not in get_args(Language):
        raise ParameterError(f"there is no language {language!r}; choose {' or '.join(get_args(Language))}.")
    place = one_publication(folder)
    facts = _Facts(_texts(language), read_certificate(place), Run.read(place / "private"))
    return Statement(language, facts.say("title"), facts.summary(), tuple(facts.sections()))


@cache
def _texts(language: Language) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "languages" / f"{language}.toml").read_text("utf-8"))


def save_statement(
    statement: Statement, path: str | os.PathLike[str], *, format: Page = "md", force: bool = False
) -> None:
    """Write a statement into a file that only its owner can read. One that is there needs ``force``."""
    if not force and os.path.isfile(path):
        raise PublicationError(
            f"{os.fspath(path)}: it exists already. Name another file, or replace it (--force)."
        )
    write_whole(path, statement.html() if format == "html" else statement.markdown(), private=True)


@dataclass(frozen=True)
class _Facts:
    """Figures of one publication, put into the sentences of one language."""

    texts: Mapping[str, Any]  # a file of ``languages/``
    certificate: Certificate
    run: Run

    def say(self, name: str) -> str:
        """A sentence of the language, with places for figures."""
        return str(self.texts["sentences"][name])

    def number(self, value: float) -> str:
        """A number with the separators of the language."""
        return f"{value:,}".translate(str.maketrans(",.", self.texts["separators"]))

    def percent(self, share: float) -> str:
        """A share, rounded up: nobody may read more protection than there is."""
        return (
            self.number(ceil(1000 * share - 1e-9) / 10).removesuffix(f"{self.texts['separators'][1]}0") + " %"
        )

    def knows(self, attacker: str) -> str:
        """What an attacker knows; in English where the language has no words for it."""
        return str(self.texts["knows"].get(attacker) or words.knows(attacker))

    def goal(self, goal: Goal) -> str:
        """A guarantee as a sentence; in English where the language has none for it."""
        sentence = self.texts["goals"].get(goal.name)
        return goal.in_words() if sentence is None else sentence.format(level=self.level(goal))

    def level(self, goal: Goal) -> str:
        """A k or a share."""
        return self.number(goal.level) if goal.bounds == "size" else self.percent(goal.level)

    def in_short(self, goal: Goal) -> str:
        """A guarantee by its name."""
        return f"{goal.name} ({'k = ' if goal.bounds == 'size' else ''}{self.level(goal)})"

    def size(self) -> dict[str, str]:
        graph = self.certificate.graph
        return {"people": self.number(graph.vertices), "friendships": self.number(graph.edges)}

    def summary(self) -> str:
        """The paragraph."""
        asked = ", ".join(map(self.in_short, self.certificate.asked))
        parts = [self.say("summary").format(goals=asked, **self.size()), self._remains()]
        return " ".join((*parts, self.say("similar")))

    def sections(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        yield self.say("published"), tuple(self._published())
        attributes = words.attributes_guaranteed(self.certificate)  # in English, as what has no German words
        yield (
            self.say("guaranteed"),
            (*map(self.goal, self.certificate.goals), *attributes, self.say("checked")),
        )
        if reduced := tuple(self._reduced()):
            yield self.say("reduced"), reduced
        yield self.say("remaining"), (*self._remaining(), self.say("similar"), self.say("membership"))
        yield self.say("attack"), (self._attack(), self.say("secret"))
        yield self.say("decision"), (self.say("options"), self.say("signature"))

    def _published(self) -> Iterator[str]:
        certificate, changes = self.certificate, self.certificate.changes
        said = certificate.data_set
        if said.title:
            yield f"{self.say('data set')}: {plain(said.title, 300)}"
        yield self.say("files").format(date=said.published, sha256=certificate.graph.sha256, **self.size())
        yield self.say("pseudonyms")
        yield self.say("changes").format(
            added=self.number(changes.edges_added),
            deleted=self.number(changes.edges_deleted),
            dummies=self.number(changes.vertices_added),
        )
        names = ", ".join(plain(each.name, 200) for each in certificate.vertex_attributes)
        yield self.say("attributes").format(names=names) if names else self.say("no attributes")
        yield self.say("made by").format(version=certificate.tool.version, method=self.run.document["method"])

    def _reduced(self) -> Iterator[str]:
        for each in self.certificate.reductions:
            yield self.say("reduction").format(
                knows=self.knows(each.attacker),
                k=self.number(each.k),
                before=self.say("not said") if each.before is None else self.percent(each.before),
                after=self.percent(each.after),
            )

    def _remains(self) -> str:
        worst = words.worst_attackers(self.certificate)
        if not worst:
            return self.say("nobody exposed").format(k=self.number(self.certificate.k))
        return self._exposed(worst[0])

    def _exposed(self, attacker: AttackerFigures) -> str:
        exposure = attacker.exposure(self.certificate.k)
        return self.say("exposed").format(
            people=self.number(exposure.people),
            share=self.percent(exposure.people_share),
            k=self.number(self.certificate.k),
            knows=self.knows(attacker.name),
        )

    def _remaining(self) -> Iterator[str]:
        yield self._remains()
        yield from map(self._exposed, words.worst_attackers(self.certificate)[1:])

    def _attack(self) -> str:
        found = self.run.attack
        if found is None:
            return self.say("no attack")
        copy, share = self.percent(1 - found.missing), self.percent(found.share)
        return self.say("attacked").format(copy=copy, share=share)
