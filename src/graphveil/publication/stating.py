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
from typing import Any, Literal, get_args

from graphveil.errors import ParameterError, PublicationError
from graphveil.formats.atomic import write_whole
from graphveil.goals import GOALS
from graphveil.publication import weighing, words
from graphveil.publication.accepts_folders import one_publication
from graphveil.publication.private_part import Run
from graphveil.publication.readme import escaped
from graphveil.verification.documents import Certificate, EarlierRelease
from graphveil.verification.documents import Statement as Guarantee
from graphveil.verification.folders import read_certificate
from graphveil.verification.releases import Joint, guaranteed_together
from graphveil.words import percent, plain

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

    def say(self, name: str, **figures: object) -> str:
        """A sentence of the language with its figures."""
        return str(self.texts["sentences"][name]).format_map(figures)

    def number(self, value: object) -> str:
        """A number, or a share in words, with the separators of the language."""
        text = value if isinstance(value, str) else f"{value:,}"
        return text.translate(str.maketrans(",.", self.texts["separators"]))

    def percent(self, share: float) -> str:
        return self.number(percent(share))

    def knows(self, attacker: str) -> str:
        """What an attacker knows; in English where the language has no words for it."""
        return str(self.texts["knows"].get(attacker) or words.knows(attacker))

    def goal(self, each: Guarantee) -> str:
        """A guarantee by its name and as a sentence; in English where the language has none for it."""
        assert each.promised is not None
        goal = GOALS[each.guarantee](each.promised)
        level = self.number(goal.level if goal.bounds == "size" else goal.level_in_words(goal.level))
        own = self.texts["goals"].get(goal.name)
        implied = f"; {self.say('implied', by=each.implied_by)}" if each.implied_by else ""
        sentence = goal.in_words() if own is None else own.format(level=level)
        return f"{goal.name} ({self.number(goal.level_in_words(goal.level))}{implied}): {sentence}"

    @property
    def size(self) -> dict[str, str]:
        graph = self.certificate.graph
        return {"people": self.number(graph.vertices), "friendships": self.number(graph.edges)}

    def summary(self) -> str:
        """The paragraph."""
        given = [
            f"{each.name} ({self.number(each.level_in_words(each.level))})" for each in self.certificate.asked
        ]
        given += [
            f"{self.say(f'joint {each.of} in short')} (k = {self.number(each.k)})"
            for each in self._together()
        ]
        said = self.say("summary", goals=", ".join(given), **self.size)
        return " ".join((said, self._exposed("worst")[0], self.say("similar")))

    def sections(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        yield self.say("published"), tuple(self._published())
        yield self.say("guaranteed"), (*self._guaranteed(), self.say("checked"))
        if reduced := tuple(self._reduced()):
            yield self.say("reduced"), reduced
        yield self.say("remaining"), (*self._remaining(), self.say("similar"), self.say("membership"))
        yield self.say("attack"), tuple(self._attack())
        yield self.say("decision"), (self.say("options"), self.say("signature"))

    def _published(self) -> Iterator[str]:
        certificate, changes, said = self.certificate, self.certificate.changes, self.certificate.data_set
        for name, text in (("data set", said.title), ("contact", said.contact), ("license", said.license)):
            if text:
                yield self.say(name, text=plain(text, 300))
        yield self.say("files", sha256=certificate.graph.sha256, **self.size)
        if said.published:
            yield self.say("date", date=said.published)
        yield self.say("pseudonyms")
        added, deleted, dummies = map(self.number, vars(changes).values())
        yield self.say("changes", added=added, deleted=deleted, dummies=dummies)
        if words.distortion(certificate):
            yield self.say("distorted")
        if not certificate.vertex_attributes:
            yield self.say("no attributes")
        for kept in weighing.kept_of(certificate):
            shown = [
                f"{plain(each.name, 200)} ({plain(each.generalization, 300) or self.say('as it is')})"
                for each in kept.attributes
            ]
            yield self.say(f"attributes of {kept.of}", names=", ".join(shown))
            if kept.groups.suppressed_values:
                values, number = map(self.number, (kept.groups.suppressed_values, kept.groups.suppressed))
                yield self.say(f"suppressed of {kept.of}", values=values, number=number)
        yield self.say("made by", version=certificate.tool.version, method=self.run.document["method"])

    def _guaranteed(self) -> Iterator[str]:
        yield from (self.goal(each) for each in self.certificate.guarantees if each.promised is not None)
        if weighing.says_nothing(self.certificate):
            yield self.say("no mutual friends")
        for kept in weighing.kept_of(self.certificate):
            known, secret = (
                ", ".join(plain(name, 200) for name in names) for names in (kept.known, kept.groups.sensitive)
            )
            if kept.groups.k is not None and known:
                too = "with " * (kept.groups.k_with_mutual_friends is not None)
                many = "several" if len(kept.known) > 1 else "one"
                every, these = self.say(f"every of {many}"), self.say(f"these of {many}")
                k = self.number(kept.groups.k)
                yield self.say(f"{too}k of {kept.of}", k=k, names=known, every=every, these=these)
            if kept.groups.l_diversity is not None:
                yield self.say("diverse", level=self.number(kept.groups.l_diversity), names=secret)
        for each in self._together():
            yield self.say(
                f"joint {each.of}", k=self.number(each.k), smallest=self.number(each.smallest or "–")
            )

    def _together(self) -> tuple[Joint, ...]:
        """What is guaranteed over this release and the earlier one."""
        return guaranteed_together(self.certificate.after.joint) if self.certificate.after else ()

    def _reduced(self) -> Iterator[str]:
        for each in self.certificate.reductions:
            before = self.number(words.range_before(self.certificate, each)) or self.say("not said")
            for word in ("about", "under", "over"):
                before = before.replace(word, self.say(word))
            figures = {"k": self.number(each.k), "before": before, "after": self.percent(each.after)}
            yield self.say("reduction", knows=self.knows(each.attacker), **figures)

    def _exposed(self, sentence: str) -> list[str]:
        """The attackers to whom somebody is exposed, or that there is none."""
        k = self.certificate.k
        found = [(each.name, each.exposure(k)) for each in weighing.worst_attackers(self.certificate)]
        return [
            self.say(
                sentence,
                knows=self.knows(name),
                k=self.number(k),
                exposed=self.number(at.people),
                share=self.percent(at.people_share),
                **self.size,
            )
            for name, at in found
        ] or [self.say("nobody exposed", k=self.number(k))]

    def _remaining(self) -> Iterator[str]:
        yield self.say("exposed means", k=self.number(self.certificate.k))
        yield from self._exposed("exposed")
        if (share := weighing.named_by_a_count(self.certificate)) is not None:
            yield self.say("named", share=self.percent(share))
        yield from (
            self.say(f"not diverse {kept.of}", names=plain(name, 200))
            for kept in weighing.kept_of(self.certificate)
            for name in kept.not_diverse
        )
        if after := self.certificate.after:
            yield from self._of_both(after)

    def _of_both(self, after: EarlierRelease) -> Iterator[str]:
        """What an attacker gets who has the earlier release too."""
        k, usual = int(after.joint.get("k", 0)), self.certificate.k
        other_k = "" if k == usual else self.say("other k", k=self.number(usual))
        for each, share in weighing.exposed_in_both(after).items():
            yield self.say(f"both {each}", share=self.percent(share), k=self.number(k) + other_k)
        came = {name: self.number(int(after.joint.get(name, 0))) for name in ("vanished", "appeared")}
        yield self.say("came and went", **came)
        yield self.say(after.pseudonyms)

    def _attack(self) -> Iterator[str]:
        if (found := self.run.attack) is None:
            yield self.say("no attack")
            return
        yield self.say("attacked", copy=self.percent(1 - found.missing), share=self.percent(found.share))
        if found.linked is not None:
            yield self.say("linked", share=self.percent(found.linked))
        yield self.say("secret")
