"""From figures to a status: what a statement is, and the rule by which it is judged.

A test looks at one graph under one seed. The rule, which the page prints, counts the seeds and then the graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from graphveil.experiments.reproduction.experiments import Study

__all__ = ["RULE", "STATUSES", "Finding", "Outcome", "Statement", "Verdict", "judge"]

MOST_SEEDS, FEW_SEEDS = (
    0.9,
    0.1,
)  # shares of the seeds from which a test holds on a graph, and up to which it fails
RULE = (
    "A statement *holds* on a graph if its test holds in at least 9 of 10 seeds. It *fails* if it holds in at most "
    "1 of 10. Otherwise it *depends on the seed*. A statement is **reproduced** if it holds on every deciding "
    "graph, and **not reproduced** if it fails on every one. Otherwise it is **partly reproduced**. The deciding "
    "graphs are those of the paper that the statement is about, and stand-ins for them. If none of these was given, "
    "all graphs decide. A statement that no given graph can decide is **not testable**."
)
STATUSES = ("reproduced", "partly reproduced", "not reproduced", "not testable")


@dataclass(frozen=True)
class Finding:
    """Whether a test holds on one graph under one seed, the figure that decides, and words with more figures."""

    holds: bool
    value: float
    evidence: str


Test = Callable[[Study], Finding | None]


@dataclass(frozen=True)
class Statement:
    """What the paper says, about which of its graphs, and how it is tested.

    Attributes
    ----------
    place, says
        Where in the paper, and what
    about
        The graphs of the paper that it is about
    read_as
        The test in words, with the reason for its threshold
    test
        None where it does not apply
    shows
        How the deciding figure is printed
    of_the_paper
        False for the same statement about graphveil's own KDA, which the tally leaves out
    """

    place: str
    says: str
    about: tuple[str, ...]
    read_as: str
    test: Test
    shows: str
    of_the_paper: bool = True


@dataclass(frozen=True)
class Outcome:
    """What was found on one graph.

    Attributes
    ----------
    held, seeds
        In how many seeds the test holds, and of how many
    middle, least, most
        Median and range of the deciding figure over the seeds
    evidence
        The figures of the first seed
    """

    held: int
    seeds: int
    middle: float
    least: float
    most: float
    evidence: str

    @property
    def word(self) -> str:
        """``holds``, ``fails`` or ``depends on the seed``."""
        if self.held >= MOST_SEEDS * self.seeds:
            return "holds"
        return "fails" if self.held <= FEW_SEEDS * self.seeds else "depends on the seed"


@dataclass(frozen=True)
class Verdict:
    """One of `STATUSES`, what was found on each graph, by its name, and which of them decided."""

    statement: Statement
    status: str
    missing: tuple[str, ...]  # graphs of the paper that it is about and that are not among those given
    outcomes: dict[str, Outcome]
    deciding: tuple[str, ...]


def judge(statement: Statement, studies: Sequence[Study]) -> Verdict:
    """Test a statement on every graph and under every seed."""
    outcomes = {each.name: outcome for each in studies if (outcome := _outcome(statement, each)) is not None}
    tested = [each for each in studies if each.name in outcomes]
    about = [each for each in tested if {each.graph, each.stands_for} & set(statement.about)] or tested
    words = {outcomes[each.name].word for each in about}
    status = "partly reproduced"
    if len(words) < 2:
        status = {"holds": "reproduced", "fails": "not reproduced", "": "not testable"}.get(
            "".join(words), status
        )
    had = {each.graph for each in tested}
    return Verdict(
        statement,
        status,
        tuple(name for name in statement.about if name not in had),
        outcomes,
        tuple(each.name for each in about),
    )


def _outcome(statement: Statement, study: Study) -> Outcome | None:
    found = [finding for each in study.under_each_seed() if (finding := statement.test(each)) is not None]
    if not found:
        return None
    values = [finding.value for finding in found]
    return Outcome(
        sum(finding.holds for finding in found),
        len(found),
        median(values),
        min(values),
        max(values),
        found[0].evidence,
    )
