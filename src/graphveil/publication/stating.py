"""The statement for a data-protection officer: one paragraph and one page on a publication, in English or German.

It is made from the certificate and the private record alone. It says what was published, which guarantee holds and how
that was checked, what remains, what a simulated attack found, and leaves room for the decision.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Literal, get_args

from graphveil.errors import ParameterError
from graphveil.goals import Goal
from graphveil.publication import words
from graphveil.publication.accepts_folders import one_publication
from graphveil.publication.private_part import Run
from graphveil.publication.readme import escaped
from graphveil.verification.documents import AttackerFigures, Certificate
from graphveil.verification.folders import read_certificate
from graphveil.words import plain

Language = Literal["en", "de"]


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

        return render("statement.html", statement=self, skip=TEXTS[self.language]["skip"])


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
    facts = _Facts(language, TEXTS[language], read_certificate(place), Run.read(place / "private"))
    return Statement(language, facts.say("title"), facts.summary(), tuple(facts.sections()))


@dataclass(frozen=True)
class _Facts:
    """Figures of one publication, put into the sentences of one language."""

    language: Language
    texts: Mapping[str, str]
    certificate: Certificate
    run: Run

    def say(self, name: str) -> str:
        """A sentence of the language, with places for figures."""
        return self.texts[name]

    def number(self, value: float) -> str:
        """A number with the separators of the language."""
        text = f"{value:,}"
        return text if self.language == "en" else text.translate(str.maketrans(",.", ".,"))

    def percent(self, share: float) -> str:
        """A share, rounded up: nobody may read more protection than there is."""
        text = f"{ceil(1000 * share - 1e-9) / 10:g}"
        return (text if self.language == "en" else text.replace(".", ",")) + " %"

    def knows(self, attacker: str) -> str:
        """What an attacker knows; in English where there are no German words."""
        return (
            GERMAN_KNOWS.get(attacker, words.knows(attacker))
            if self.language == "de"
            else words.knows(attacker)
        )

    def goal(self, goal: Goal) -> str:
        """A guarantee as a sentence; in English where there is no German one."""
        german = GERMAN_GOALS.get(goal.name) if self.language == "de" else None
        return goal.in_words() if german is None else german.format(level=self.level(goal))

    def level(self, goal: Goal) -> str:
        """A k or a share."""
        return self.number(goal.level) if goal.bounds == "size" else self.percent(goal.level)

    def in_short(self, goal: Goal) -> str:
        """A guarantee by its name."""
        return f"{goal.name} ({'k = ' if goal.bounds == 'size' else ''}{self.level(goal)})"

    def size(self) -> dict[str, str]:
        graph = self.certificate.graph
        return {"people": self.number(graph.vertices), "friendships": self.number(graph.edges)}

    def worst(self) -> AttackerFigures | None:
        return next(iter(words.worst_attackers(self.certificate)), None)

    def summary(self) -> str:
        """The paragraph."""
        asked = ", ".join(map(self.in_short, self.certificate.asked))
        parts = [self.say("summary").format(goals=asked, **self.size()), self._remains()]
        return " ".join((*parts, self.say("similar")))

    def sections(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        yield self.say("published"), tuple(self._published())
        yield self.say("guaranteed"), (*map(self.goal, self.certificate.goals), self.say("checked"))
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
        worst, k = self.worst(), self.certificate.k
        if worst is None:
            return self.say("nobody exposed").format(k=self.number(k))
        return self._exposed(worst)

    def _exposed(self, attacker: AttackerFigures) -> str:
        exposure = attacker.exposure(self.certificate.k)
        return self.say("exposed").format(
            people=self.number(exposure.people),
            share=self.percent(exposure.people_share),
            k=self.number(self.certificate.k),
            knows=self.knows(attacker.name),
        )

    def _remaining(self) -> Iterator[str]:
        exposing = words.worst_attackers(self.certificate)
        if not exposing:
            yield self._remains()
        yield from map(self._exposed, exposing)

    def _attack(self) -> str:
        found = self.run.attack
        if found is None:
            return self.say("no attack")
        copy, share = self.percent(1 - found.missing), self.percent(found.share)
        return self.say("attacked").format(copy=copy, share=share)


ENGLISH = {
    "title": "Statement on the publication of a social network",
    "summary": "A network of {people} people and {friendships} friendships was pseudonymized and "
    "published with "
    "these guarantees: {goals}. They were verified by an independent recount of the published file.",
    "published": "What was published",
    "data set": "Data set",
    "files": "A graph of {people} people and {friendships} friendships, published on {date}. SHA-256 of "
    "the file: {sha256}.",
    "pseudonyms": "Names and ids were replaced by random numbers. Who is who is known to the owner only.",
    "changes": "{added} friendships were added and {deleted} deleted; dummy people added: {dummies}.",
    "attributes": "Attributes of people that were published: {names}.",
    "no attributes": "No attributes of people were published.",
    "made by": "Made with graphveil {version}, method {method}.",
    "guaranteed": "What is guaranteed, and how it was checked",
    "checked": "The published file was read again and counted by code that shares nothing with the "
    "method. Anybody can "
    "repeat this: graphveil verify.",
    "reduced": "What was reduced, without a guarantee",
    "reduction": "People exposed at k = {k} to an attacker who knows {knows}: about {before} before, "
    "{after} now. "
    "This is a measurement, not a guarantee.",
    "not said": "(not said of so small a network)",
    "remaining": "What remains",
    "nobody exposed": "None of the attackers that were counted exposes anybody at k = {k}.",
    "exposed": "{people} people ({share}) are exposed at k = {k} to an attacker who knows {knows}.",
    "similar": "An attacker who holds a nearly complete copy of the network may identify many people. No "
    "k stops this.",
    "membership": "Neither that two people are friends nor that a person is part of the network is hidden.",
    "attack": "Simulated re-identification",
    "no attack": "It was not measured for this publication. Measure it with graphveil attack.",
    "attacked": "An attacker who holds a copy with {copy} of the friendships identified {share} of the "
    "people.",
    "secret": "This figure is for the owner and whoever decides. Do not publish it: it tells attackers "
    "how far to trust a "
    "match.",
    "skip": "Skip to the content",
    "decision": "Decision",
    "options": "To be filled in: open publication, publication under an agreement, or none; with the "
    "reasons.",
    "signature": "Name, role, date:",
}
GERMAN = {
    "title": "Stellungnahme zur Veröffentlichung eines sozialen Netzwerks",
    "summary": "Ein Netzwerk aus {people} Personen und {friendships} Freundschaften wurde "
    "pseudonymisiert und mit "
    "diesen Garantien veröffentlicht: {goals}. Sie wurden durch eine unabhängige Nachzählung der "
    "veröffentlichten Datei geprüft.",
    "published": "Was veröffentlicht wurde",
    "data set": "Datensatz",
    "files": "Ein Graph mit {people} Personen und {friendships} Freundschaften, veröffentlicht am {date}. "
    "SHA-256 der "
    "Datei: {sha256}.",
    "pseudonyms": "Namen und Kennungen wurden durch zufällige Nummern ersetzt. Nur der Eigentümer der "
    "Daten kennt die Zuordnung.",
    "changes": "{added} Freundschaften wurden hinzugefügt und {deleted} gelöscht; "
    "hinzugefügte Scheinpersonen: {dummies}.",
    "attributes": "Veröffentlichte Merkmale von Personen: {names}.",
    "no attributes": "Es wurden keine Merkmale von Personen veröffentlicht.",
    "made by": "Erstellt mit graphveil {version}, Verfahren {method}.",
    "guaranteed": "Was garantiert ist und wie es geprüft wurde",
    "checked": "Die veröffentlichte Datei wurde erneut gelesen und von Code gezählt, der mit dem "
    "Verfahren nichts gemeinsam "
    "hat. Jeder kann das wiederholen: graphveil verify.",
    "reduced": "Was verringert wurde, ohne Garantie",
    "reduction": "Personen, die bei k = {k} durch einen Angreifer gefährdet sind, der weiß, {knows}: "
    "vorher etwa {before}, "
    "jetzt {after}. Das ist eine Messung, keine Garantie.",
    "not said": "(bei einem so kleinen Netzwerk nicht angegeben)",
    "remaining": "Was bleibt",
    "nobody exposed": "Keiner der gezählten Angreifer gefährdet jemanden bei k = {k}.",
    "exposed": "{people} Personen ({share}) sind bei k = {k} gefährdet durch einen Angreifer, der weiß, "
    "{knows}.",
    "similar": "Ein Angreifer mit einer fast vollständigen Kopie des Netzwerks kann möglicherweise viele "
    "Personen erkennen. "
    "Kein k verhindert das.",
    "membership": "Weder dass zwei Personen befreundet sind, noch dass jemand zum Netzwerk gehört, wird "
    "verborgen.",
    "attack": "Simulierte Wiedererkennung",
    "no attack": "Sie wurde für diese Veröffentlichung nicht gemessen. Messen Sie sie mit graphveil attack.",
    "attacked": "Ein Angreifer mit einer Kopie, die {copy} der Freundschaften enthält, erkannte {share} "
    "der Personen.",
    "secret": "Diese Zahl ist für den Eigentümer und für alle bestimmt, die entscheiden. Veröffentlichen "
    "Sie sie nicht: "
    "Sie verrät Angreifern, wie weit einer Zuordnung zu trauen ist.",
    "skip": "Zum Inhalt",
    "decision": "Entscheidung",
    "options": "Auszufüllen: offene Veröffentlichung, Veröffentlichung unter einer Vereinbarung oder "
    "keine; mit Begründung.",
    "signature": "Name, Funktion, Datum:",
}
GERMAN_GOALS = {
    "k-NMF": "Ein Angreifer, der nur weiß, wie viele gemeinsame Freunde zwei Freunde haben, kann die "
    "Freundschaft mit einer "
    "Wahrscheinlichkeit von höchstens 1/{level} erkennen.",
    "k-degree": "Ein Angreifer, der nur weiß, wie viele Freunde eine Person hat, kann die Person mit "
    "einer Wahrscheinlichkeit "
    "von höchstens 1/{level} erkennen.",
    "spread": "Ein Angreifer, der nur weiß, wie viele gemeinsame Freunde zwei Freunde haben, kann eine "
    "Person mit einer "
    "Wahrscheinlichkeit von höchstens {level} nennen: Niemand gehört zu mehr als {level} der "
    "Freundschaften mit derselben Zahl.",
    "friendship": "Ein Angreifer, der nur weiß, wie viele Freunde jeder von zwei Freunden hat, kann "
    "keinen der beiden und "
    "auch nicht die Freundschaft mit einer Wahrscheinlichkeit von mehr als 1/{level} erkennen.",
}
GERMAN_KNOWS = {
    "mutual-friends": "wie viele gemeinsame Freunde zwei Freunde haben",
    "degree": "wie viele Freunde eine Person hat",
    "edge-degrees": "wie viele Freunde jeder von zwei Freunden hat",
    "friendship-degrees": "wie viele Freunde eine Person hat und wie viele einer ihrer Freunde hat",
    "edge-degrees-and-mutual-friends": "wie viele Freunde jeder von zwei Freunden hat und wie viele "
    "gemeinsame Freunde sie haben",
    "several-friendships": "wie viele gemeinsame Freunde eine Person mit zweien ihrer Freunde hat",
    "mutual-friends-around": "wie viele gemeinsame Freunde eine Person mit jedem ihrer Freunde hat",
    "degree-and-triangles": "wie viele Freunde eine Person hat und wie viele Paare dieser Freunde "
    "miteinander befreundet sind",
}
TEXTS: dict[Language, dict[str, str]] = {"en": ENGLISH, "de": GERMAN}
