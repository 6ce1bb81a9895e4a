"""The paper's evaluation, repeated: Section IV on its own graphs, as far as they are here, and on others.

`paper` holds what it reports, `experiments` runs, `statements` asks what it says of our figures and judges, by the
intervals of `statistics`; `power_law` tests Property 1; `figures` and `page` show it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any

from graphveil.errors import ParameterError
from graphveil.experiments.cells import open_folder
from graphveil.experiments.reproduction.experiments import Study, study
from graphveil.experiments.reproduction.statements import RULE, STATEMENTS, Outcome, Verdict, judge
from graphveil.experiments.reproduction.statistics import Interval
from graphveil.formats.atomic import write_whole
from graphveil.graph import Graph
from graphveil.parameters import whole_number


def reproduce(
    graphs: Mapping[str, Graph],
    folder: str | Path,
    *,
    seed: int = 7,
    repeats: int = 30,
    jobs: int = 1,
    command: str = "graphveil reproduce",
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[Verdict, ...]:
    """Repeat the evaluation and write ``reproduction.md``, ``reproduction.json`` and ``figures/`` into a folder.

    Graphs go by the name that the page gives them; those of the paper are recognized by their size. The folder is new
    or empty, or has finished cells, which are not run again. Larger graphs run under fewer seeds.
    """
    from graphveil.experiments.reproduction.figures import draw
    from graphveil.experiments.reproduction.page import page

    if not graphs:
        raise ParameterError("there is no graph to repeat the evaluation on.")
    target = open_folder(folder, made_by="graphveil reproduce")
    whole_number("repeats", repeats, least=1)
    studies = []
    for name, graph in graphs.items():
        told = None if progress is None else (lambda now, of, name=name: progress(name, now, of))
        studies.append(study(name, graph, seed=seed, repeats=repeats, folder=target, jobs=jobs, told=told))
    verdicts = tuple(judge(statement, studies) for statement in STATEMENTS)
    figures = draw(studies, target / "figures")
    text = page(studies, verdicts, figures, command=command)
    document = {
        "schema": "graphveil/reproduction/3",
        "rule": RULE,
        "statements": [_statement(each) for each in verdicts],
        "studies": [_study(each) for each in studies],
    }
    write_whole(str(target / "reproduction.md"), [text.encode()])
    write_whole(str(target / "reproduction.json"), [json.dumps(document, indent=1).encode() + b"\n"])
    return verdicts


def _statement(verdict: Verdict) -> dict[str, Any]:
    """One statement with every comparison; a bound that is infinite is null."""
    said = verdict.statement
    words = {
        "place": said.place,
        "says": said.says,
        "tested_as": said.read_as,
        "of_the_paper": said.of_the_paper,
    }
    found = {name: _outcome(outcome) for name, outcome in verdict.outcomes.items()}
    return {
        **words,
        "status": verdict.status,
        "decided_by": verdict.deciding,
        "missing": verdict.missing,
        "graphs": found,
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    def finite(found: Interval) -> dict[str, float | None]:
        return {name: value if isfinite(value) else None for name, value in asdict(found).items()}

    comparisons = [{"at": at, "answer": answer, **finite(found)} for at, found, answer in outcome.answers]
    return {"result": outcome.word, "comparisons": comparisons}


def _study(found: Study) -> dict[str, Any]:
    """The figures of one graph, run by run; without the distributions, which the cells have."""

    def without(record: Any, *names: str) -> dict[str, Any]:
        return {name: value for name, value in asdict(record).items() if name not in names}

    runs = [
        {"method": method, "k": k, "runs": [without(point, "betweenness") for point in points]}
        for (method, k), points in found.runs.items()
    ]
    tail = found.tail and without(found.tail, "counts", "survival")
    return {**without(found, "original", "runs", "tail"), "tail": tail, "runs": runs}
