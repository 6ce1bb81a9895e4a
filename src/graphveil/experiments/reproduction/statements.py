"""What Section IV of the paper says, one statement at a time, and how each is judged.

The words are in ``statements.md``, the tests in `checks`. The statements of Figures 9 to 11 are tested on KDA as the
paper describes it, and once more on graphveil's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from graphveil.experiments.reproduction import paper
from graphveil.experiments.reproduction.checks import NAMES, THRESHOLDS, Test, tests_of, tests_of_degrees
from graphveil.experiments.reproduction.experiments import Study
from graphveil.experiments.reproduction.statistics import Interval
from graphveil.words import percent

ERROR = 0.05  # probability that any interval of a statement on a graph misses the true value
RULE = (
    "A statement about a graph is a set of comparisons, such as one for each k. Each has an estimate and an interval. "
    f"All intervals of one statement on one graph hold together with probability {percent(1 - ERROR)} (Bonferroni). "
    "A comparison is *confirmed* if its interval lies where the statement puts it, *contradicted* if it lies outside, "
    "and *open* otherwise. The statement **holds** on the graph if all comparisons are confirmed. It **fails** if some "
    "are contradicted and none is confirmed. It is **open** if all are open, else it **holds in part**. The status "
    "follows from the paper's own graphs that the statement is about: **reproduced** if it holds on all, **not "
    "reproduced** if it fails on all, **open** if it is open on all, else **reproduced in part**. Another extraction "
    "of the same source decides nothing. If none of these graphs is here, the statement is **not testable**."
)
WORDS = ("holds", "holds in part", "open", "fails")
STATUSES = ("reproduced", "reproduced in part", "open", "not reproduced", "not testable")


@dataclass(frozen=True)
class Statement:
    """What the paper says, about which of its graphs, how it is tested, and how an estimate is printed.

    ``of_the_paper`` is False for the same about graphveil's own KDA, which the tally leaves out.
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
    """The answers on one graph: where, the interval, and 1 for confirmed, -1 for contradicted, 0 for open."""

    answers: tuple[tuple[str, Interval, int], ...]

    def count(self, answer: int) -> int:
        """How many comparisons were answered so."""
        return sum(each == answer for *_, each in self.answers)

    @property
    def word(self) -> str:
        """One of `WORDS`."""
        yes, no = self.count(1), self.count(-1)
        if yes == len(self.answers):
            return "holds"
        return "holds in part" if yes else "fails" if no else "open"


@dataclass(frozen=True)
class Verdict:
    """One of `STATUSES`, what was found on each graph, and the paper's graphs that are not here."""

    statement: Statement
    status: str
    outcomes: dict[str, Outcome]
    deciding: tuple[str, ...]
    missing: tuple[str, ...]


def judge(statement: Statement, studies: Sequence[Study]) -> Verdict:
    """Ask the questions of a statement on every graph."""
    outcomes = {}
    for study in studies:
        questions = statement.test(study)
        answers = [(q.at, *q.answer(ERROR / len(questions))) for q in questions]
        if answers:
            outcomes[study.name] = Outcome(tuple(answers))
    deciding = [each for each in studies if each.name in outcomes and each.graph in statement.about]
    words = {outcomes[each.name].word for each in deciding}
    of_one_word = {"holds": "reproduced", "fails": "not reproduced", "open": "open"}
    status = of_one_word.get(words.pop(), STATUSES[1]) if len(words) == 1 else STATUSES[1]
    here = {each.graph for each in studies}
    return Verdict(
        statement,
        status if deciding else "not testable",
        outcomes,
        tuple(each.name for each in deciding),
        tuple(name for name in statement.about if name not in here),
    )


def _statements(
    tests: Mapping[str, Test], kda: str = "", *, of_the_paper: bool = True
) -> Iterator[Statement]:
    """The rows of the table that these tests are for."""
    plain = ("CLEAR_TREND", "VERY_SIMILAR", "SIMILAR_PLOTS")
    words = {name: str(value) if name in plain else percent(value) for name, value in THRESHOLDS.items()}
    words |= {"LARGEST": str(paper.LARGEST_PATH_DIFFERENCE), "kda": kda}
    table = files(__package__).joinpath("statements.md").read_text("utf-8").splitlines()
    for row in (line.strip("| ").split(" | ") for line in table if line.startswith("| ")):
        key, place, says, about, read_as, shows = row
        if key in tests:
            yield Statement(
                place,
                says.format(**words),
                tuple(about.split(", ")),
                read_as.format(**words),
                tests[key],
                shows.strip("`"),
                of_the_paper,
            )


STATEMENTS = (
    *_statements(tests_of()),
    *_statements(tests_of_degrees("kda-paper"), NAMES["kda-paper"]),
    *_statements(tests_of_degrees("kda"), NAMES["kda"], of_the_paper=False),
)
