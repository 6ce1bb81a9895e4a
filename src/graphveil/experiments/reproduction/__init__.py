"""The paper's evaluation, repeated: Section IV on its own graphs, as far as they are public, and on any other.

`paper` holds what it reports, `experiments` runs, `statements` and `checks` test what it says, `judging` makes a status
of that, `figures` and `page` show it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from graphveil.errors import ParameterError
from graphveil.experiments.cells import open_folder
from graphveil.experiments.reproduction.experiments import Point, Study, study
from graphveil.experiments.reproduction.judging import (
    RULE,
    Finding,
    Outcome,
    Statement,
    Verdict,
    judge,
)
from graphveil.experiments.reproduction.statements import STATEMENTS
from graphveil.formats.atomic import write_whole
from graphveil.graph import Graph
from graphveil.parameters import whole_number

__all__ = [
    "Finding",
    "Outcome",
    "Point",
    "Statement",
    "Study",
    "Verdict",
    "judge",
    "reproduce",
    "study",
]


def reproduce(
    graphs: Mapping[str, Graph],
    folder: str | Path,
    *,
    seed: int = 7,
    repeats: int = 10,
    jobs: int = 1,
    command: str = "graphveil reproduce",
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[Verdict, ...]:
    """Repeat the evaluation and write ``reproduction.md``, ``reproduction.json`` and ``figures/`` into a folder.

    Parameters
    ----------
    graphs
        By the name that the page gives them; those of the paper are recognized by their size
    folder
        A new or empty one, or one with finished cells, which are not run again
    seed, repeats
        Of the anonymizations; each status counts the seeds in which a statement holds
    jobs
        How many processes; more than 1 only where the calling program may be imported again
    command
        What the page says it was written by
    progress
        Called with the name of a graph and the numbers of its finished cells and of all
    """
    from graphveil.experiments.reproduction.figures import draw
    from graphveil.experiments.reproduction.page import page
    from graphveil.records import plain

    if not graphs:
        raise ParameterError("there is no graph to repeat the evaluation on.")
    target = open_folder(folder, made_by="graphveil reproduce")
    seeds = range(seed, seed + whole_number("repeats", repeats, least=1))
    studies = []
    for name, graph in graphs.items():
        told = None if progress is None else (lambda now, of, name=name: progress(name, now, of))
        studies.append(study(name, graph, seed=seed, repeats=repeats, folder=target, jobs=jobs, told=told))
    verdicts = tuple(judge(statement, studies) for statement in STATEMENTS)
    figures = draw(studies, target / "figures")
    text = page(studies, verdicts, figures, command=command, seeds=seeds)
    document = {
        "schema": "graphveil/reproduction/2",
        "rule": RULE,
        "statements": [
            {
                "place": verdict.statement.place,
                "says": verdict.statement.says,
                "tested_as": verdict.statement.read_as,
                "status": verdict.status,
                "missing": list(verdict.missing),
                "of_the_paper": verdict.statement.of_the_paper,
                "decided_by": list(verdict.deciding),
                "graphs": {
                    name: {**plain(outcome), "result": outcome.word}
                    for name, outcome in verdict.outcomes.items()
                },
            }
            for verdict in verdicts
        ],
        "studies": [_study(each) for each in studies],
    }
    write_whole(str(target / "reproduction.md"), [text.encode()])
    write_whole(str(target / "reproduction.json"), [json.dumps(document, indent=1).encode() + b"\n"])
    return verdicts


def _study(found: Study) -> dict[str, object]:
    from graphveil.records import plain

    def rows(points: Mapping[tuple[str, int], Point]) -> list[dict[str, object]]:
        return [{"method": method, "k": k, **plain(point)} for (method, k), point in points.items()]

    document: dict[str, object] = plain(replace(found, points={}, seeds={}))
    seeds = {str(seed): rows(points) for seed, points in found.seeds.items()}
    return {**document, "points": rows(found.points), "seeds": seeds}
